/* sparse.h - what the files of the algebra share. Private to tensor/ and tensor/formats/. */
#ifndef TRIBUTARY_SPARSE_H
#define TRIBUTARY_SPARSE_H

#include "tensor/algebra.h"

/* A shape as text, such as "3 x 4 x 5". */
enum { TRIB_SHAPE_MAX = TRIB_MAX_MODES * 14 };
const char *trib_shape_text(char text[TRIB_SHAPE_MAX], uint32_t n_modes, const uint32_t dim[]);

/* Completes a result: removes its zeros if `status` is TRIB_OK, else releases it. Returns the final
 * status. */
trib_status trib_sparse_end(trib_sparse *z, trib_status status, trib_error *error);

/* Negative, 0 or positive, by the lexicographic order of two indices. */
static inline int trib_index_compare(const uint32_t a[], const uint32_t b[], uint32_t n_modes) {
    for (uint32_t m = 0; m < n_modes; m++)
        if (a[m] != b[m]) return a[m] < b[m] ? -1 : 1;
    return 0;
}

/* Whether two views have the same size. */
static inline bool trib_view_alike(const trib_view *x, const trib_view *y) {
    return x->n_modes == y->n_modes && trib_index_compare(x->dim, y->dim, x->n_modes) == 0;
}

#endif
