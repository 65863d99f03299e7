/* region.c - reads single values and boxes, and computes inner products, of tensors in any format.
 * A format contributes `seek`, which skips nonzeros that cannot be in a box. */
#include "tensor/formats/box.h"

#include <string.h>

enum { PIECE = 64 }; /* nonzeros read at a time */

/* Finds the next nonzeros, at most PIECE, that may lie in the box, from *first on. */
static bool next_piece(const trib_tensor *tensor, const trib_box *box, size_t *first,
                       size_t *last) {
    if (*first >= tensor->nnz) return false;
    *last = tensor->nnz;
    if (tensor->format->seek && !tensor->format->seek(tensor, box, first, last)) return false;
    if (*last - *first > PIECE) *last = *first + PIECE;
    return true;
}

/* Reduces a box to its part inside the tensor; false when nothing is left. */
static bool clip(const trib_tensor *tensor, trib_box *box) {
    bool some = tensor->nnz > 0;
    for (uint32_t m = 0; m < tensor->n_modes; m++) {
        if (box->upper[m] > tensor->dim[m]) box->upper[m] = tensor->dim[m];
        some &= box->lower[m] < box->upper[m];
    }
    return some;
}

double trib_tensor_get(const trib_tensor *tensor, const uint32_t index[]) {
    uint32_t at[PIECE * TRIB_MAX_MODES];
    double value[PIECE];
    trib_box box = {0};
    for (uint32_t m = 0; m < tensor->n_modes; m++) {
        box.lower[m] = index[m];
        box.upper[m] = index[m] < UINT32_MAX ? index[m] + 1 : index[m];
    }
    if (!clip(tensor, &box)) return 0;
    for (size_t first = 0, last; next_piece(tensor, &box, &first, &last); first = last) {
        trib_tensor_read(tensor, first, last - first, at, value);
        for (size_t i = 0; i < last - first; i++)
            if (memcmp(at + i * tensor->n_modes, index, tensor->n_modes * sizeof *at) == 0)
                return value[i];
    }
    return 0;
}

trib_status trib_tensor_region(const trib_tensor *tensor, const trib_box *box, trib_region *found,
                               trib_error *error) {
    const uint32_t n_modes = tensor->n_modes;
    uint32_t at[PIECE * TRIB_MAX_MODES];
    double value[PIECE];
    trib_box inside = *box;
    trib_status status = TRIB_OK;
    found->n = 0;
    if (!clip(tensor, &inside)) return TRIB_OK;
    for (size_t first = 0, last; next_piece(tensor, &inside, &first, &last); first = last) {
        trib_tensor_read(tensor, first, last - first, at, value);
        for (size_t i = 0; i < last - first; i++) {
            if (!trib_box_holds(&inside, n_modes, at + i * n_modes)) continue;
            const size_t n = found->n;
            status = TRIB_GROW(&found->index, &found->index_cap, (n + 1) * n_modes,
                               "the nonzeros of a region", error);
            if (status == TRIB_OK)
                status = TRIB_GROW(&found->value, &found->value_cap, n + 1,
                                   "the nonzeros of a region", error);
            if (status != TRIB_OK) goto done;
            memcpy(found->index + n * n_modes, at + i * n_modes, n_modes * sizeof *at);
            found->value[found->n++] = value[i];
        }
    }
done:
    if (status != TRIB_OK) trib_region_release(found);
    return status;
}

/* Stores the indices of `x` in a table, so that entry e is nonzero e, and their values in
 * value[]. */
static trib_status index_nonzeros(const trib_tensor *x, trib_hacoo *table, double *value,
                                  trib_error *error) {
    uint32_t index[PIECE * TRIB_MAX_MODES];
    trib_status status = trib_hacoo_init(table, x->n_modes, x->dim,
                                         &(trib_hacoo_options){.expected = x->nnz}, error);
    for (size_t at = 0; status == TRIB_OK && at < x->nnz; at += PIECE) {
        const size_t n = x->nnz - at < PIECE ? x->nnz - at : PIECE;
        trib_tensor_read(x, at, n, index, value + at);
        status = trib_hacoo_add_many(table, n, index, NULL, NULL, error);
    }
    return status;
}

trib_status trib_tensor_inner(const trib_tensor *a, const trib_tensor *b, double *inner,
                              trib_error *error) {
    *inner = 0;
    if (a->n_modes != b->n_modes || memcmp(a->dim, b->dim, a->n_modes * sizeof *a->dim) != 0)
        return trib_fail(error, TRIB_INTERNAL, "the inner product of tensors of different sizes");
    if (a->nnz == 0 || b->nnz == 0) return TRIB_OK;
    const trib_tensor *fewer = a->nnz < b->nnz ? a : b, *more = fewer == a ? b : a;
    uint32_t index[PIECE * TRIB_MAX_MODES];
    double value[PIECE], *other = NULL, sum = 0;
    trib_hacoo table = {0};
    trib_status status = TRIB_NEW(&other, fewer->nnz, "values", error);
    if (status == TRIB_OK) status = index_nonzeros(fewer, &table, other, error);
    for (size_t at = 0; status == TRIB_OK && at < more->nnz; at += PIECE) {
        const size_t n = more->nnz - at < PIECE ? more->nnz - at : PIECE;
        trib_tensor_read(more, at, n, index, value);
        for (size_t i = 0; i < n; i++) {
            const size_t e = trib_hacoo_find(&table, index + i * a->n_modes);
            if (e != TRIB_NO_ENTRY) sum += value[i] * other[e];
        }
    }
    if (status == TRIB_OK) *inner = sum;
    trib_hacoo_release(&table);
    trib_free(other);
    return status;
}
