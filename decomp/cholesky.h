/* cholesky.h - G + ridge I = L L' and its use on rows, by LAPACK on one thread. Private to
 * decomp/. */
#ifndef TRIBUTARY_DECOMP_CHOLESKY_H
#define TRIBUTARY_DECOMP_CHOLESKY_H

#include "base/base.h"

/* Factors gram[stride][stride] (of which rank x rank counts) plus ridge on the diagonal into
 * factor[stride][stride]. false when it is not positive definite. */
bool trib_cholesky(const double *gram, uint32_t rank, size_t stride, double ridge, double *factor);
/* rows[n_rows][stride] times the inverse. */
void trib_cholesky_solve(const double *factor, uint32_t rank, size_t stride, double *rows,
                         size_t n_rows);

#endif
