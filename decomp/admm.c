/* admm.c - AO-ADMM (Huang, Sidiropoulos, Liavas 2016, algorithm 1), block by block of rows (Smith,
 * Beri, Karypis 2017). With rho = trace(G) / R and L L' = G + (rho + l2) I, it repeats
 *
 *     B = (M + rho (A + U)) (L L')^-1,  A = max(0, B - U - l1 / rho),  U = U + A - B
 *
 * until |A - B|^2 < .01 |A|^2 and |A - A before|^2 < .01 |U|^2, at most 50 times. The dual U is
 * carried from one iteration to the next.
 *
 * The objective may grow from one iteration to the next, because no row is solved exactly and a
 * step towards A = B need not reduce the objective. The quantity that never grows, for fixed G and
 * M, is |A - A before|^2 + |U - U before|^2 (He and Yuan 2015). */
#include "base/internal.h"
#include "base/lanes.h"
#include "decomp/loop.h"

enum { MOST_STEPS = 50 };
#define ENOUGH .01

/* Size of problem->prepared: the Cholesky factor, then rho. */
static size_t factor_and_rho(size_t stride) { return stride * stride + 1; }

static trib_status prepare(const trib_mode_problem *problem, trib_error *error) {
    const size_t stride = problem->stride;
    double rho = 0;
    for (size_t r = 0; r < problem->rank; r++) rho += problem->gram[r * stride + r];
    rho = rho > 0 ? rho / problem->rank : 1;
    problem->prepared[stride * stride] = rho;
    if (!trib_cholesky(problem->gram, problem->rank, stride, rho + problem->l2, problem->prepared))
        return trib_fail(error, TRIB_INTERNAL, "admm: the factors have overflowed");
    return TRIB_OK;
}

/* Computes A and U of the next step from B. Returns whether they have converged. */
TRIB_KERNEL(bool, split_rows,
            (double *restrict a, double *restrict u, const double *restrict b, size_t n,
             double shift),
            (a, u, b, n, shift)) {
    trib_doubles aparts = {0}, moves = {0}, sizes = {0}, duals = {0};
    for (size_t i = 0; i < n; i += TRIB_LANES) {
        trib_doubles *const at = (trib_doubles *)(a + i), *const dual_at = (trib_doubles *)(u + i);
        const trib_doubles near = TRIB_DOUBLES(b + i), free = near - *dual_at - shift;
        const trib_doubles next = (trib_doubles)((trib_lane_bits)free & (free > 0));
        const trib_doubles apart = next - near, moved = next - *at, dual = *dual_at + apart;
        aparts += apart * apart;
        moves += moved * moved;
        sizes += next * next;
        duals += dual * dual;
        *dual_at = dual;
        *at = next;
    }
    return TRIB_SUM_OF_LANES(aparts) <= ENOUGH * TRIB_SUM_OF_LANES(sizes) &&
           TRIB_SUM_OF_LANES(moves) <= ENOUGH * TRIB_SUM_OF_LANES(duals);
}

static void update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                   const double *restrict m, double *restrict kept, double *restrict scratch) {
    const size_t stride = problem->stride, n = n_rows * stride;
    const double rho = problem->prepared[stride * stride];
    bool enough = false;
    for (int step = 0; step < MOST_STEPS && !enough; step++) {
        for (size_t i = 0; i < n; i++) scratch[i] = m[i] + rho * (a[i] + kept[i]);
        trib_cholesky_solve(problem->prepared, problem->rank, stride, scratch, n_rows);
        enough = split_rows(a, kept, scratch, n, problem->l1 / rho);
    }
}

static size_t block_of_rows(size_t stride) { return TRIB_BLOCK_ROWS * stride; }

const trib_least_squares trib_admm_rows = {.prepared_size = factor_and_rho,
                                           .scratch_size = block_of_rows,
                                           .kept_per_row = 1,
                                           .prepare = prepare,
                                           .update = update};
