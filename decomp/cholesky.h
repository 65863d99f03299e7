/* cholesky.h - private to decomp/: the Cholesky factorisation G + ridge I = L L' and its
 * application to rows, on one thread. */
#ifndef TRIBUTARY_DECOMP_CHOLESKY_H
#define TRIBUTARY_DECOMP_CHOLESKY_H

#include "base/base.h"

/* Factors gram[stride][stride], of which the first rank x rank entries are used, plus `ridge` on
 * the diagonal, into factor[stride][stride]: L' above the diagonal and L below it. Returns false
 * when the matrix is not positive definite. */
bool trib_cholesky(const double *gram, uint32_t rank, size_t stride, double ridge, double *factor);
/* Multiplies rows[n_rows][stride] by the inverse of the factored matrix, in place. */
void trib_cholesky_solve(const double *factor, uint32_t rank, size_t stride, double *rows,
                         size_t n_rows);

#endif
