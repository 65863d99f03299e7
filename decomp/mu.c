/* mu.c - multiplicative updates: A = A * M / (A G + l2 A + l1), elementwise (Lee and Seung 2001; Welling and Weber 2001 for
 * tensors). Never lets the objective grow, never lets a 0 go. */
#include "decomp/loop.h"

#include <cblas.h>

static trib_status prepare(const trib_mode_problem *problem, trib_error *error) {
    (void)problem;
    (void)error;
    openblas_set_num_threads(1);
    return TRIB_OK;
}

TRIB_KERNEL
static void multiply_rows(double *restrict a, const double *restrict m,
                          const double *restrict product, size_t n, double l1, double l2) {
    for (size_t i = 0; i < n; i++) {
        const double below = product[i] + l2 * a[i] + l1, above = m[i] > 0 ? m[i] : 0;
        a[i] = below > 0 ? a[i] * (above / below) : a[i];
    }
}

static void update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                   const double *restrict m, double *restrict kept, double *restrict scratch) {
    const int stride = (int)problem->stride;
    (void)kept;
    for (uint32_t sweep = 0; sweep < problem->sweeps; sweep++) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n_rows, stride, stride, 1, a,
                    stride, problem->gram, stride, 0, scratch, stride);
        multiply_rows(a, m, scratch, n_rows * problem->stride, problem->l1, problem->l2);
    }
}

static size_t block_of_rows(size_t stride) { return TRIB_BLOCK_ROWS * stride; }

const trib_least_squares trib_mu_rows = {
    .scratch_size = block_of_rows, .prepare = prepare, .update = update};
