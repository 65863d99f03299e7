/* nonzeros.c - sorts a tensor's nonzeros lexicographically, by radix sort from the last mode to the
 * first, and finds the scale of a tensor's values. */
#include "decomp/nonzeros.h"

enum {
    DIGIT_BITS = 11,
    /* with few nonzeros, counting larger digits would cost more than the sort */
    SMALL_DIGIT_BITS = 6,
    FEW = 1024
};

void trib_nonzeros_release(trib_nonzeros *nonzeros) {
    trib_pool_release(&nonzeros->pool);
    *nonzeros = (trib_nonzeros){0};
}

void trib_nonzeros_sort(const trib_nonzeros *nonzeros, uint32_t mode, uint32_t *order,
                        uint32_t *moved) {
    const uint32_t *key = nonzeros->index[mode];
    const uint32_t largest = nonzeros->dim[mode] - 1;
    const uint32_t bits = nonzeros->n < FEW ? SMALL_DIGIT_BITS : DIGIT_BITS;
    const uint32_t n_digits = UINT32_C(1) << bits;
    uint32_t place[(1 << DIGIT_BITS) + 1];
    for (uint32_t shift = 0; nonzeros->n > 0 && shift < 32 && largest >> shift > 0; shift += bits) {
        memset(place, 0, (n_digits + 1) * sizeof *place);
        for (size_t i = 0; i < nonzeros->n; i++)
            place[((key[order[i]] >> shift) & (n_digits - 1)) + 1]++;
        for (uint32_t d = 0; d < n_digits; d++) place[d + 1] += place[d];
        for (size_t i = 0; i < nonzeros->n; i++)
            moved[place[(key[order[i]] >> shift) & (n_digits - 1)]++] = order[i];
        memcpy(order, moved, nonzeros->n * sizeof *order);
    }
}

static trib_status allocate(trib_nonzeros *nonzeros, uint32_t n_modes, const uint32_t dim[],
                            size_t nnz, trib_error *error) {
    trib_pool *pool = &nonzeros->pool;
    *nonzeros = (trib_nonzeros){.n_modes = n_modes, .pool = {.error = error}};
    memcpy(nonzeros->dim, dim, n_modes * sizeof *dim);
    if (nnz > UINT32_MAX)
        return trib_fail(error, TRIB_INPUT, "a tensor of %zu nonzeros is too large to sort", nnz);
    nonzeros->value = trib_pool_new(pool, nnz, sizeof(double), "sorted nonzeros");
    for (uint32_t m = 0; m < n_modes; m++)
        nonzeros->index[m] = trib_pool_new(pool, nnz, sizeof(uint32_t), "sorted nonzeros");
    return pool->status;
}

/* Appends the nonzeros with a value above 0. */
static void add_positive(trib_nonzeros *nonzeros, const uint32_t *index, const double *value,
                         size_t n) {
    for (size_t i = 0; i < n; i++) {
        nonzeros->n_negative += value[i] < 0;
        if (!(value[i] > 0)) continue;
        nonzeros->value[nonzeros->n] = value[i];
        for (uint32_t m = 0; m < nonzeros->n_modes; m++)
            nonzeros->index[m][nonzeros->n] = index[i * nonzeros->n_modes + m];
        nonzeros->n++;
    }
}

/* Sorts lexicographically and computes the total. */
static trib_status sort_all_modes(trib_nonzeros *nonzeros, trib_error *error) {
    const size_t n = nonzeros->n;
    TRIB_OWNED(trib_pool) pool = {.error = error};
    uint32_t *order = trib_pool_new(&pool, n, sizeof *order, "an order");
    uint32_t *moved = trib_pool_new(&pool, n, sizeof *moved, "an order");
    double *value = trib_pool_new(&pool, n, sizeof *value, "values");
    if (pool.status != TRIB_OK || n == 0) return pool.status;
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    for (uint32_t m = nonzeros->n_modes; m-- > 0;) trib_nonzeros_sort(nonzeros, m, order, moved);
    for (uint32_t m = 0; m < nonzeros->n_modes; m++) {
        for (size_t i = 0; i < n; i++) moved[i] = nonzeros->index[m][order[i]];
        memcpy(nonzeros->index[m], moved, n * sizeof *moved);
    }
    for (size_t i = 0; i < n; i++) {
        value[i] = nonzeros->value[order[i]];
        nonzeros->total += value[i];
    }
    memcpy(nonzeros->value, value, n * sizeof *value);
    return TRIB_OK;
}

trib_status trib_nonzeros_read(trib_nonzeros *nonzeros, const trib_tensor *x, trib_error *error) {
    trib_some_nonzeros s = {.x = x};
    trib_status status = allocate(nonzeros, x->n_modes, x->dim, x->nnz, error);
    while (status == TRIB_OK && trib_nonzeros_next(&s))
        add_positive(nonzeros, s.index, s.value, s.n);
    if (status == TRIB_OK) status = sort_all_modes(nonzeros, error);
    if (status != TRIB_OK) trib_nonzeros_release(nonzeros);
    return status;
}

trib_status trib_nonzeros_list(trib_nonzeros *nonzeros, uint32_t n_modes, const uint32_t dim[],
                               const uint32_t *index, const double *value, size_t n,
                               trib_error *error) {
    trib_status status = allocate(nonzeros, n_modes, dim, n, error);
    if (status == TRIB_OK) {
        add_positive(nonzeros, index, value, n);
        status = sort_all_modes(nonzeros, error);
    }
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

/* Solvers multiply values by each other. A tensor whose norm is outside these bounds is therefore
 * multiplied by a power of two, which is exact, and lambda is divided by it. */
static const double LEAST_NORM = 0x1p-100, MOST_NORM = 0x1p100;

int trib_tensor_exponent(const trib_tensor *x, bool *is_negative) {
    double least = 0, most = 0;
    int exponent = 0;
    *is_negative = false;
    if (x->norm >= LEAST_NORM && x->norm <= MOST_NORM && x->total > 0) return 0;
    for (trib_some_nonzeros s = {.x = x}; trib_nonzeros_next(&s);)
        for (size_t i = 0; i < s.n; i++) {
            if (!isfinite(s.value[i])) return TRIB_NOT_FINITE;
            least = fmin(least, s.value[i]);
            most = fmax(most, s.value[i]);
        }
    *is_negative = least < 0 && most == 0;
    if (x->norm < LEAST_NORM || !(x->norm <= MOST_NORM)) (void)frexp(fmax(most, -least), &exponent);
    return exponent > -1000 ? exponent : -1000; /* 2^-exponent has to be finite */
}
