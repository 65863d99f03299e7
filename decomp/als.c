/* als.c - alternating least squares without constraints ([K] figure 3.3). It is the baseline that
 * the nonnegative solvers are compared with, and works as in other libraries: a series of passes
 * over whole matrices. A = M (G + l2 I)^-1 comes from one Cholesky factorisation and one pass over
 * all rows as right-hand sides; columns are scaled to length 1; then the Gram matrix is computed.
 *
 * Where G is singular (a component is 0, or there are more components than the tensor has), A = (M
 * + e A) (G + (l2 + e) I)^-1 with the smallest e of 1e-12, 1e-10, ... times the largest G_rr that
 * gives a positive definite matrix. This is a proximal step, so the objective grows no more than by
 * an exact one. */
#include "base/internal.h"
#include "decomp/loop.h"

#include <float.h>

/* Size of problem->prepared: the Cholesky factor, then e. */
static size_t factor_and_ridge(size_t stride) { return stride * stride + 1; }

static trib_status prepare(const trib_mode_problem *problem, trib_error *error) {
    const size_t stride = problem->stride;
    double largest = problem->l2, ridge = 0;
    for (size_t r = 0; r < problem->rank; r++)
        largest = fmax(largest, problem->gram[r * stride + r]);
    if (largest <= 0) largest = 1;
    while (isfinite(largest + ridge) && !trib_cholesky(problem->gram, problem->rank, stride,
                                                       problem->l2 + ridge, problem->prepared))
        ridge = ridge > 0 ? 100 * ridge : fmax(1e-12 * largest, DBL_MIN);
    if (!isfinite(largest + ridge)) /* also ends the loop when no ridge helps, as with NaN in G */
        return trib_fail(error, TRIB_INTERNAL, "als: the factors have overflowed");
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

TRIB_KERNEL(void, add_squares,
            (const double *restrict a, size_t n_rows, size_t stride, double *restrict sum),
            (a, n_rows, stride, sum)) {
    for (size_t i = 0; i < n_rows; i++)
        for (size_t r = 0; r < stride; r++) sum[r] += a[i * stride + r] * a[i * stride + r];
}

/* Scales columns to length 1 and puts their lengths into lambda. A zero column stays, with lambda
 * 1. */
static void normalize(trib_dense *dense, uint32_t m, double *lambda, double *inverse) {
    memset(inverse, 0, dense->stride * sizeof *inverse);
    add_squares(dense->factor[m], dense->dim[m], dense->stride, inverse);
    for (size_t r = 0; r < dense->rank; r++) {
        lambda[r] = inverse[r] > 0 ? sqrt(inverse[r]) : 1;
        inverse[r] = 1 / lambda[r];
    }
    trib_dense_scale(dense, m, inverse);
}

/* The field whole_mode of trib_least_squares (loop.h). */
static void whole_mode(const trib_mode_problem *problem, trib_dense *dense, uint32_t m,
                       const double *mttkrp, double *lambda, double *inner, double *scratch) {
    const double ridge = problem->prepared[problem->stride * problem->stride];
    if (ridge > 0 && lambda) trib_dense_take_lambda(dense, m, lambda);
    update(problem, dense->dim[m], dense->factor[m], mttkrp, NULL, NULL);
    if (inner) *inner = trib_dense_inner(dense->factor[m], mttkrp, dense->dim[m] * dense->stride);
    if (lambda) normalize(dense, m, lambda, scratch);
    trib_dense_gram(dense, m);
}

const trib_least_squares trib_als_rows = {.prepared_size = factor_and_ridge,
                                          .prepare = prepare,
                                          .update = update,
                                          .whole_mode = whole_mode};
