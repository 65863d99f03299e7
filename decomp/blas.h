/* blas.h - the functions of OpenBLAS that the core consistency uses, on one thread. Private.
 * Where the build knows the file of OpenBLAS (TRIB_OPENBLAS), it is loaded by the first call of
 * trib_blas_load; otherwise it is linked. */
#ifndef TRIBUTARY_DECOMP_BLAS_H
#define TRIBUTARY_DECOMP_BLAS_H

#include <cblas.h>

#include "base/base.h"

/* LAPACK: eigenvalues ascending into w, eigenvectors into the columns of a. */
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length);

#define TRIB_BLAS_FUNCTIONS(F)                                                                     \
    F(cblas_dgemm)                                                                                 \
    F(cblas_dsyrk)                                                                                 \
    F(dsyev_)                                                                                      \
    F(openblas_set_num_threads)                                                                    \
    F(openblas_get_config)                                                                         \
    F(openblas_get_corename)

typedef struct trib_blas_functions {
#define TRIB_BLAS_POINTER(name) __typeof__(name) *name;
    TRIB_BLAS_FUNCTIONS(TRIB_BLAS_POINTER)
#undef TRIB_BLAS_POINTER
} trib_blas_functions;

/* To be called only after trib_blas_load. */
extern trib_blas_functions trib_blas;

/* Loads OpenBLAS unless it is loaded, and sets its number of threads to 1: with more, the bits of
 * results would depend on their number. TRIB_USAGE when it is not installed. Any thread may call
 * it. */
trib_status trib_blas_load(trib_error *error);

#endif
