/* als.c - alternating least squares without constraints ([K] figure 3.3): A = (M + e A) (G + (l2 + e) I)^-1, by Cholesky
 * over all rows. It is what other libraries do, and the measure of the nonnegative solvers.
 *
 * e is 0 unless G is singular (a component died, or there are more than the tensor has); then it is the least of 1e-12,
 * 1e-10, ... times the largest G_rr that leaves a positive definite matrix: a proximal step, which lets the objective grow
 * as little as an exact one does. */
#include "decomp/cholesky.h"
#include "decomp/loop.h"

#include <math.h>
#include <string.h>

/* prepared: the Cholesky factor, then e. */
static size_t factor_and_ridge(size_t stride) { return stride * stride + 1; }

static trib_status prepare(const trib_mode_problem *problem, trib_error *error) {
    const size_t stride = problem->stride;
    double largest = problem->l2, ridge = 0;
    for (size_t r = 0; r < problem->rank; r++)
        largest = fmax(largest, problem->gram[r * stride + r]);
    if (!isfinite(largest))
        return trib_fail(error, TRIB_INTERNAL, "als: the factors have grown beyond all numbers");
    if (largest <= 0) largest = 1;
    while (!trib_cholesky(problem->gram, problem->rank, stride, problem->l2 + ridge,
                          problem->prepared))
        ridge = ridge > 0 ? 100 * ridge : 1e-12 * largest;
    problem->prepared[stride * stride] = ridge;
    return TRIB_OK;
}

static void update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                   const double *restrict m, double *restrict kept, double *restrict scratch) {
    const size_t stride = problem->stride, n = n_rows * stride;
    const double ridge = problem->prepared[stride * stride];
    (void)kept;
    (void)scratch;
    for (size_t i = 0; i < n; i++) a[i] = ridge > 0 ? m[i] + ridge * a[i] : m[i];
    trib_cholesky_solve(problem->prepared, problem->rank, stride, a, n_rows);
}

const trib_least_squares trib_als_rows = {
    .prepared_size = factor_and_ridge, .prepare = prepare, .update = update};
