/* cholesky.c - the Cholesky factorisation row by row, and its application to four rows at a time.
 * Both subtract multiples of rows in one order, so that the bits are the same on every processor;
 * those of LAPACK depend on it. */
#include "decomp/cholesky.h"
#include "base/internal.h"

#include <math.h>
#include <string.h>

/* Subtracts t times row[first .. end-1] from x. */
TRIB_INLINE void subtract(double *restrict x, double t, const double *restrict row, size_t first,
                          size_t end) {
    for (size_t s = first; s < end; s++) x[s] -= t * row[s];
}

TRIB_KERNEL
static bool cholesky(double *restrict factor, size_t rank, size_t stride) {
    for (size_t r = 0; r < rank; r++) {
        double *restrict row = factor + r * stride;
        if (!(row[r] > 0)) return false;
        const double root = sqrt(row[r]);
        row[r] = root;
        for (size_t s = r + 1; s < rank; s++) row[s] /= root;
        for (size_t s = r + 1; s < rank; s++) {
            subtract(factor + s * stride, row[s], row, s, rank);
            factor[s * stride + r] = row[s];
        }
    }
    return true;
}

bool trib_cholesky(const double *gram, uint32_t rank, size_t stride, double ridge, double *factor) {
    memcpy(factor, gram, stride * stride * sizeof *factor);
    for (size_t r = 0; r < rank; r++) factor[r * stride + r] += ridge;
    return cholesky(factor, rank, stride);
}

/* Solves L y = x, then L' x = y, for n rows x[n][stride]. */
TRIB_INLINE void solve(const double *restrict factor, size_t rank, size_t stride,
                       double *restrict x, size_t n) {
    for (size_t r = 0; r < rank; r++)
        for (size_t i = 0; i < n; i++) {
            double *row = x + i * stride;
            row[r] /= factor[r * stride + r];
            subtract(row, row[r], factor + r * stride, r + 1, rank);
        }
    for (size_t r = rank; r-- > 0;)
        for (size_t i = 0; i < n; i++) {
            double *row = x + i * stride;
            row[r] /= factor[r * stride + r];
            subtract(row, row[r], factor + r * stride, 0, r);
        }
}

TRIB_KERNEL
static void cholesky_solve(const double *restrict factor, size_t rank, size_t stride,
                           double *restrict rows, size_t n_rows) {
    size_t i = 0;
    for (; i + 4 <= n_rows; i += 4) solve(factor, rank, stride, rows + i * stride, 4);
    for (; i < n_rows; i++) solve(factor, rank, stride, rows + i * stride, 1);
}

void trib_cholesky_solve(const double *factor, uint32_t rank, size_t stride, double *rows,
                         size_t n_rows) {
    cholesky_solve(factor, rank, stride, rows, n_rows);
}
