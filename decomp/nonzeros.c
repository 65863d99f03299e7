/* nonzeros.c - a tensor's nonzeros in lexicographic order, by radix sort from the last mode to the first. */
#include "decomp/nonzeros.h"

#include <string.h>

enum { DIGIT_BITS = 11, N_DIGITS = 1 << DIGIT_BITS, BLOCK = 1024 };

void trib_nonzeros_release(trib_nonzeros *nonzeros) {
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) trib_free(nonzeros->index[m]);
    trib_free(nonzeros->value);
    *nonzeros = (trib_nonzeros){0};
}

void trib_nonzeros_sort(const trib_nonzeros *nonzeros, uint32_t mode, uint32_t *order,
                        uint32_t *moved) {
    const uint32_t *key = nonzeros->index[mode];
    const uint32_t largest = nonzeros->dim[mode] - 1;
    for (uint32_t shift = 0; nonzeros->n > 0 && shift < 32 && largest >> shift > 0;
         shift += DIGIT_BITS) {
        uint32_t place[N_DIGITS + 1] = {0};
        for (size_t i = 0; i < nonzeros->n; i++)
            place[((key[order[i]] >> shift) & (N_DIGITS - 1)) + 1]++;
        for (uint32_t d = 0; d < N_DIGITS; d++) place[d + 1] += place[d];
        for (size_t i = 0; i < nonzeros->n; i++)
            moved[place[(key[order[i]] >> shift) & (N_DIGITS - 1)]++] = order[i];
        memcpy(order, moved, nonzeros->n * sizeof *order);
    }
}

static trib_status allocate(trib_nonzeros *nonzeros, const trib_tensor *x, trib_error *error) {
    const char *what = "sorted nonzeros";
    trib_status status = trib_new(&nonzeros->value, x->nnz, sizeof(double), what, error);
    for (uint32_t m = 0; status == TRIB_OK && m < x->n_modes; m++)
        status = trib_new(&nonzeros->index[m], x->nnz, sizeof(uint32_t), what, error);
    return status;
}

static void copy_positive(trib_nonzeros *nonzeros, const trib_tensor *x) {
    uint32_t index[BLOCK * TRIB_MAX_MODES];
    double value[BLOCK];
    for (size_t first = 0; first < x->nnz; first += BLOCK) {
        const size_t n = x->nnz - first < BLOCK ? x->nnz - first : BLOCK;
        trib_tensor_read(x, first, n, index, value);
        for (size_t i = 0; i < n; i++) {
            if (!(value[i] > 0)) continue;
            nonzeros->value[nonzeros->n] = value[i];
            for (uint32_t m = 0; m < x->n_modes; m++)
                nonzeros->index[m][nonzeros->n] = index[i * x->n_modes + m];
            nonzeros->n++;
        }
    }
}

trib_status trib_nonzeros_read(trib_nonzeros *nonzeros, const trib_tensor *x, trib_error *error) {
    uint32_t *order = NULL, *moved = NULL;
    double *value = NULL;
    *nonzeros = (trib_nonzeros){.n_modes = x->n_modes};
    memcpy(nonzeros->dim, x->dim, sizeof x->dim);
    trib_status status = TRIB_OK;
    if (x->nnz > UINT32_MAX)
        return trib_fail(error, TRIB_INPUT, "a tensor of %zu nonzeros is too large to sort",
                         x->nnz);
    if ((status = allocate(nonzeros, x, error)) != TRIB_OK) goto done;
    if ((status = trib_new(&order, x->nnz, sizeof *order, "an order", error)) != TRIB_OK) goto done;
    if ((status = trib_new(&moved, x->nnz, sizeof *moved, "an order", error)) != TRIB_OK) goto done;
    if ((status = trib_new(&value, x->nnz, sizeof *value, "values", error)) != TRIB_OK) goto done;
    copy_positive(nonzeros, x);
    for (size_t i = 0; i < nonzeros->n; i++) order[i] = (uint32_t)i;
    for (uint32_t m = x->n_modes; m-- > 0;) trib_nonzeros_sort(nonzeros, m, order, moved);
    for (uint32_t m = 0; m < x->n_modes; m++) {
        for (size_t i = 0; i < nonzeros->n; i++) moved[i] = nonzeros->index[m][order[i]];
        uint32_t *sorted = moved;
        moved = nonzeros->index[m];
        nonzeros->index[m] = sorted;
    }
    for (size_t i = 0; i < nonzeros->n; i++) {
        value[i] = nonzeros->value[order[i]];
        nonzeros->total += value[i];
    }
    trib_free(nonzeros->value);
    nonzeros->value = value;
    value = NULL;
done:
    trib_free(order);
    trib_free(moved);
    trib_free(value);
    if (status != TRIB_OK) trib_nonzeros_release(nonzeros);
    return status;
}

void trib_nonzeros_marginal(const trib_nonzeros *nonzeros, uint32_t mode, double *marginal) {
    memset(marginal, 0, nonzeros->dim[mode] * sizeof *marginal);
    for (size_t i = 0; i < nonzeros->n; i++)
        marginal[nonzeros->index[mode][i]] += nonzeros->value[i];
    for (uint32_t i = 0; nonzeros->total > 0 && i < nonzeros->dim[mode]; i++)
        marginal[i] /= nonzeros->total;
}
