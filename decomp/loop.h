/* loop.h - private to decomp/: the outer loop that all solvers share (steps, clock, progress, the
 * decision to stop, checkpoints), and the interface between als_loop.c and the least-squares
 * solvers. */
#ifndef TRIBUTARY_DECOMP_LOOP_H
#define TRIBUTARY_DECOMP_LOOP_H

#include "decomp/dense.h"

/* ---- Iterations (loop.c) --------------------------------------------------------------------- */

typedef struct trib_cp_loop {
    const trib_cp_options *options;
    trib_cp_trace *trace; /* may be NULL */
    trib_cp_step step;    /* of the current iteration */
    uint32_t n_done;      /* iterations completed */
    double fit;           /* after the last iteration; NaN: not known */
    /* apr: the divergence after the last iteration, NaN: not known; the sum of the values */
    double kl, total;
    double begun, mark; /* seconds: at the start of the loop, at the end of the last phase */
    trib_stop stop;
} trib_cp_loop;

/* Starts the loop before the first iteration, or at the state options->resume. */
void trib_cp_loop_begin(trib_cp_loop *loop, const trib_cp_options *options, trib_cp_trace *trace);

/* Whether fit and objective (watched), or the KKT residual (wants_kkt), are used after each
 * iteration. */
bool trib_cp_loop_watched(const trib_cp_loop *loop);
bool trib_cp_loop_wants_kkt(const trib_cp_loop *loop);

/* Adds the seconds since the last call to one phase of the step. */
void trib_cp_loop_lap(trib_cp_loop *loop, double *phase);

/* Records loop->step as one more iteration, and passes `state` to the hook (all but iteration, fit
 * and is_last filled in; NULL: there is none). *more says whether to continue; if not, loop->stop
 * and the trace say why. */
trib_status trib_cp_loop_step(trib_cp_loop *loop, trib_cp_state *state, bool *more,
                              trib_error *error);

/* The state of padded factors and `lambda`. The caller adds the arrays that its solver carries
 * over. */
trib_cp_state trib_cp_state_of(const trib_dense *dense, const double *lambda);
/* Copies the factors of a state into `dense`, its lambda into lambda[rank], and the solver's arrays
 * into kept[m], of n_kept[m] doubles. TRIB_CONFIG when any shape differs. */
trib_status trib_cp_state_load(const trib_cp_state *state, trib_dense *dense, double *lambda,
                               double *const kept[], const size_t n_kept[], trib_error *error);

/* ---- Least squares (als_loop.c) -------------------------------------------------------------- */

/* One mode in one iteration: each row a of its factor minimises a G a' / 2 - a (M - l1)' + l2/2 a
 * a' on its own. */
typedef struct trib_mode_problem {
    /* [stride][stride] G, the elementwise product of the other Gram matrices; 0 beyond rank */
    const double *gram;
    uint32_t rank;
    size_t stride;
    double l1, l2;
    uint32_t sweeps;  /* number of inner sweeps */
    double *prepared; /* [prepared_size(stride)] result of `prepare`, 64-byte aligned */
} trib_mode_problem;

/* Rows are updated in blocks of this number, or fewer at the end of a chunk. */
enum { TRIB_BLOCK_ROWS = 64 };

/* A row of the table of least-squares methods: how to solve trib_mode_problem. */
struct trib_least_squares {
    size_t (*prepared_size)(size_t stride); /* doubles; NULL: none */
    size_t (*scratch_size)(size_t stride);  /* doubles each thread needs; NULL: none */
    /* rows of `stride` doubles carried to the next iteration, for each row of a factor */
    size_t kept_per_row;
    /* Called once per mode and iteration; NULL: no preparation. */
    trib_status (*prepare)(const trib_mode_problem *problem, trib_error *error);
    /* Updates n_rows (a multiple of 8, at most TRIB_BLOCK_ROWS) rows a[n_rows][stride] from their
     * MTTKRP m[n_rows][stride]. Entries beyond rank are 0 and stay 0. kept[n_rows][kept_per_row *
     * stride]. The objective of a row must not grow, unless the solver's file says otherwise. */
    void (*update)(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                   const double *restrict m, double *restrict kept, double *restrict scratch);
    /* For solvers that update a whole mode instead of blocks; NULL: blocks. Computes factor m of
     * `dense` from mttkrp[dim[m]][stride], and its Gram matrix. *inner, unless NULL, receives <A,
     * M>. Unless lambda is NULL, columns are scaled to length 1 and lambda[r] receives their
     * lengths; on entry lambda[r] holds the scale missing from the old factor. scratch[stride]. */
    void (*whole_mode)(const trib_mode_problem *problem, trib_dense *dense, uint32_t m,
                       const double *mttkrp, double *lambda, double *inner, double *scratch);
    /* computes the Gram matrix alone; NULL: trib_dense_gram */
    void (*gram)(trib_dense *dense, uint32_t m);
};

trib_status trib_als_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           trib_cp_trace *trace, trib_error *error);
extern const trib_least_squares trib_als_rows, trib_hals_rows, trib_ccd_rows, trib_mu_rows,
    trib_bpp_rows, trib_admm_rows;

/* ---- Other solvers --------------------------------------------------------------------------- */

trib_status trib_apr_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           trib_cp_trace *trace, trib_error *error);
trib_status trib_fibre_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                             trib_cp_trace *trace, trib_error *error);

#endif
