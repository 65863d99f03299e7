/* keyed.c - see keyed.h. The arrays of a format that stores one number per nonzero, and search in
 * their order. */
#include "tensor/formats/keyed.h"

#include <string.h>

trib_status trib_keyed_init(trib_tensor *tensor, const trib_hacoo *source, trib_error *error) {
    const size_t nnz = source->nnz;
    trib_keyed *x = NULL;
    trib_status status = TRIB_NEW(&x, 1, "a tensor", error);
    if (status != TRIB_OK) return status;
    tensor->data = x;
    x->wide = trib_is_wide(source);
    x->n_modes = source->n_modes;
    memcpy(x->dim, source->dim, sizeof x->dim);
    memcpy(x->bits, source->bits, sizeof x->bits);
    status = TRIB_NEW(&x->low, nnz, "numbers", error);
    if (status == TRIB_OK && x->wide) status = TRIB_NEW(&x->high, nnz, "numbers", error);
    if (status == TRIB_OK) status = TRIB_NEW(&x->value, nnz, "values", error);
    return status;
}

void trib_keyed_release(trib_tensor *tensor) {
    trib_keyed *x = tensor->data;
    TRIB_FREE(x->low, x->high, x->value, x->places, x->line_start, x);
}

size_t trib_keyed_bytes(const trib_tensor *tensor) {
    const trib_keyed *x = tensor->data;
    return sizeof *x + tensor->nnz * ((x->wide ? 2 : 1) * sizeof *x->low + sizeof *x->value) +
           (x->places ? sizeof *x->places : 0) +
           (x->line_start ? ((size_t)x->n_lines + 1) * sizeof *x->line_start : 0);
}

bool trib_keyed_seek(const trib_tensor *tensor, bool morton,
                     void (*place)(const trib_tensor *tensor, size_t e, uint32_t at[]),
                     const trib_box *box, size_t *first, size_t *last) {
    const trib_order order = {tensor->n_modes, morton, {0, 1, 2, 3, 4, 5, 6, 7}};
    const trib_sorted nonzeros = {tensor, order, tensor->nnz, place};
    if (!trib_sorted_next(&nonzeros, box, *first, first)) return false;
    *last = *first + 1;
    return true;
}
