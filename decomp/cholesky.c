/* cholesky.c - LAPACK's dpotrf and dpotrs for row-major arrays. A row-major [n][stride] array is a
 * column-major stride x n matrix, and the matrix factored is symmetric. */
#include "decomp/cholesky.h"

#include <cblas.h>
#include <limits.h>
#include <string.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length);
void dpotrs_(const char *uplo, const int *n, const int *n_rhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info, size_t length);

bool trib_cholesky(const double *gram, uint32_t rank, size_t stride, double ridge, double *factor) {
    const int n = (int)rank, lda = (int)stride;
    int info = 0;
    openblas_set_num_threads(1);
    memcpy(factor, gram, stride * stride * sizeof *factor);
    for (size_t r = 0; r < rank; r++) factor[r * stride + r] += ridge;
    dpotrf_("L", &n, factor, &lda, &info, 1);
    return info == 0;
}

void trib_cholesky_solve(const double *factor, uint32_t rank, size_t stride, double *rows,
                         size_t n_rows) {
    const int n = (int)rank, lda = (int)stride;
    for (size_t first = 0; first < n_rows; first += INT_MAX) {
        const int n_rhs = (int)(n_rows - first < INT_MAX ? n_rows - first : INT_MAX);
        int info = 0;
        dpotrs_("L", &n, &n_rhs, factor, &lda, rows + first * stride, &lda, &info, 1);
    }
}
