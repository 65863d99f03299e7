/* mu.c - multiplicative updates: A = A * M / (A G + l2 A + l1), elementwise (Lee and Seung 2001;
 * Welling and Weber 2001 for tensors). The objective never grows. A positive entry never becomes 0,
 * since no multiplication could make it positive again (Gillis and Glineur 2008); it approaches 0
 * only like 1 / iterations. */
#include "base/internal.h"
#include "decomp/loop.h"

#define LOWEST 1e-13 /* times the largest entry of a row */

/* Computes product[n_rows][stride] = A G, for n_rows a multiple of 4, in tiles of 4 x 8. */
TRIB_KERNEL(void, multiply_by_gram,
            (const double *restrict a, size_t n_rows, size_t stride, const double *restrict gram,
             double *restrict product),
            (a, n_rows, stride, gram, product)) {
    enum { ROWS = 4 };
    for (size_t i = 0; i < n_rows; i += ROWS)
        for (size_t r = 0; r < stride; r += TRIB_EIGHT) {
            trib_eight tile[ROWS] = {0};
            for (size_t s = 0; s < stride; s++) {
                const trib_eight column = *(const trib_eight *)(gram + s * stride + r);
                for (size_t q = 0; q < ROWS; q++) tile[q] += a[(i + q) * stride + s] * column;
            }
            for (size_t q = 0; q < ROWS; q++)
                *(trib_eight *)(product + (i + q) * stride + r) = tile[q];
        }
}

/* Updates one row. Positive entries stay above LOWEST times the largest entry. */
TRIB_KERNEL(void, multiply_row,
            (double *restrict a, const double *restrict m, const double *restrict product, size_t n,
             double l1, double l2),
            (a, m, product, n, l1, l2)) {
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
    const size_t stride = problem->stride;
    (void)kept;
    for (uint32_t sweep = 0; sweep < problem->sweeps; sweep++) {
        multiply_by_gram(a, n_rows, stride, problem->gram, scratch);
        for (size_t i = 0; i < n_rows * stride; i += stride)
            multiply_row(a + i, m + i, scratch + i, stride, problem->l1, problem->l2);
    }
}

static size_t block_of_rows(size_t stride) { return TRIB_BLOCK_ROWS * stride; }

const trib_least_squares trib_mu_rows = {.scratch_size = block_of_rows, .update = update};
