/* loop.h - the outer loop all solvers share: steps, clock, progress, when to stop, what is handed
 * to a checkpoint; and what a least-squares solver is to als_loop.c. Private to decomp/. */
#ifndef TRIBUTARY_DECOMP_LOOP_H
#define TRIBUTARY_DECOMP_LOOP_H

#include "decomp/dense.h"

/* The options with what their zeros stand for (cp.c). */
trib_cp_options trib_cp_with_defaults(const trib_cp_options *options);

/* ---- Iterations (loop.c) --------------------------------------------------------------------- */

typedef struct trib_cp_loop {
    const trib_cp_options *options;
    trib_cp_trace *trace; /* may be NULL */
    trib_cp_step step;    /* of the iteration under way */
    uint32_t n_done;      /* iterations */
    double fit;           /* after the last; NaN: not known */
    double begun, mark;   /* seconds: when the loop began, when the last phase ended */
    trib_stop stop;
} trib_cp_loop;

/* The state before the first iteration, or that of options->resume. */
void trib_cp_loop_begin(trib_cp_loop *loop, const trib_cp_options *options, trib_cp_trace *trace);

/* Whether anyone looks at fit and objective, or at the KKT residual, after each iteration. */
bool trib_cp_loop_watched(const trib_cp_loop *loop);
bool trib_cp_loop_wants_kkt(const trib_cp_loop *loop);

/* Adds the seconds since the last call to one of the step's phases. */
void trib_cp_loop_lap(trib_cp_loop *loop, double *phase);

/* Takes note of loop->step, one more iteration, and hands `state` (all but iteration, fit and
 * is_last filled in; NULL: there is none) to the hook. *more tells whether to go on, and if not,
 * loop->stop (and the trace) why. */
trib_status trib_cp_loop_step(trib_cp_loop *loop, trib_cp_state *state, bool *more,
                              trib_error *error);

/* The state of padded factors and `lambda`; what the solver keeps is left to it. */
trib_cp_state trib_cp_state_of(const trib_dense *dense, const double *lambda);
/* Copies the factors of a state into `dense`, its lambda into lambda[rank], and what was kept into
 * kept[m], arrays of n_kept[m] doubles. TRIB_CONFIG when any shape differs. */
trib_status trib_cp_state_load(const trib_cp_state *state, trib_dense *dense, double *lambda,
                               double *const kept[], const size_t n_kept[], trib_error *error);

/* ---- Least squares (als_loop.c) -------------------------------------------------------------- */

/* One mode of one iteration: the rows a of its factor minimise a G a' / 2 - a (M - l1)' + l2/2 a
 * a', each row alone. */
typedef struct trib_mode_problem {
    /* [stride][stride] G, elementwise product of the other Gram matrices; 0 beyond rank */
    const double *gram;
    uint32_t rank;
    size_t stride;
    double l1, l2;
    uint32_t sweeps;  /* inner */
    double *prepared; /* [prepared_size(stride)] what `prepare` makes of G, 64-byte aligned */
} trib_mode_problem;

/* Rows are updated so many at a time, or fewer at the end of a chunk. */
enum { TRIB_BLOCK_ROWS = 64 };

/* A row of this table is a way to solve that. */
struct trib_least_squares {
    size_t (*prepared_size)(size_t stride); /* doubles; NULL: none */
    size_t (*scratch_size)(size_t stride);  /* doubles each thread needs; NULL: none */
    size_t kept_per_row; /* rows of `stride` doubles kept from one iteration to the next, per row */
    /* Once per mode and iteration; NULL: nothing to prepare. */
    trib_status (*prepare)(const trib_mode_problem *problem, trib_error *error);
    /* Updates n_rows (a multiple of 8, at most TRIB_BLOCK_ROWS) rows a[n_rows][stride] from their
     * MTTKRP m[n_rows][stride]; entries beyond rank are 0 and stay so. kept[n_rows][kept_per_row *
     * stride]. Must not let the objective of a row grow, unless it says so. */
    void (*update)(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                   const double *restrict m, double *restrict kept, double *restrict scratch);
    /* Instead of the pass over blocks: factor m of `dense` from mttkrp[dim[m]][stride], and its
     * Gram matrix. *inner, unless NULL, is <A, M>. Unless lambda is NULL, columns are brought to
     * length 1 and lambda[r] is what they were (before: what the factor as it was is short of).
     * scratch[stride]. NULL: blocks. */
    void (*whole_mode)(const trib_mode_problem *problem, trib_dense *dense, uint32_t m,
                       const double *mttkrp, double *lambda, double *inner, double *scratch);
    void (*gram)(trib_dense *dense, uint32_t m); /* the same Gram matrix; NULL: trib_dense_gram */
};

trib_status trib_als_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           trib_cp_trace *trace, trib_error *error);
extern const trib_least_squares trib_als_rows, trib_hals_rows, trib_ccd_rows, trib_mu_rows,
    trib_bpp_rows, trib_admm_rows;

/* ---- The others ------------------------------------------------------------------------------ */

trib_status trib_apr_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           trib_cp_trace *trace, trib_error *error);
trib_status trib_fibre_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                             trib_cp_trace *trace, trib_error *error);

#endif
