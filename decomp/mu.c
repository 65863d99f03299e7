/* mu.c - multiplicative updates: A = A * M / (A G + l2 A + l1), elementwise (Lee and Seung 2001;
 * Welling and Weber 2001 for tensors). The objective never grows. A positive entry never becomes 0,
 * since no multiplication could make it positive again (Gillis and Glineur 2008); it approaches 0
 * only like 1 / iterations. */
#include "base/internal.h"
#include "decomp/loop.h"

#include <cblas.h>

#define LOWEST 1e-13 /* times the largest entry of a row */

static trib_status prepare(const trib_mode_problem *problem, trib_error *error) {
    (void)problem;
    (void)error;
    openblas_set_num_threads(1);
    return TRIB_OK;
}

/* Updates one row. Positive entries stay above LOWEST times the largest entry. */
TRIB_KERNEL
static void multiply_row(double *restrict a, const double *restrict m,
                         const double *restrict product, size_t n, double l1, double l2) {
    double largest = 0;
#pragma omp simd reduction(max : largest)
    for (size_t r = 0; r < n; r++) largest = a[r] > largest ? a[r] : largest;
    for (size_t r = 0; r < n; r++) {
        const double below = product[r] + l2 * a[r] + l1, above = m[r] > 0 ? m[r] : 0;
        const double next = below > 0 ? a[r] * (above / below) : a[r];
        const double least = a[r] > 0 ? LOWEST * largest : 0;
        a[r] = next > least ? next : least;
    }
}

static void update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                   const double *restrict m, double *restrict kept, double *restrict scratch) {
    const int stride = (int)problem->stride;
    (void)kept;
    for (uint32_t sweep = 0; sweep < problem->sweeps; sweep++) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n_rows, stride, stride, 1, a,
                    stride, problem->gram, stride, 0, scratch, stride);
        for (size_t i = 0; i < n_rows * problem->stride; i += problem->stride)
            multiply_row(a + i, m + i, scratch + i, problem->stride, problem->l1, problem->l2);
    }
}

static size_t block_of_rows(size_t stride) { return TRIB_BLOCK_ROWS * stride; }

const trib_least_squares trib_mu_rows = {
    .scratch_size = block_of_rows, .prepare = prepare, .update = update};
