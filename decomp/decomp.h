/* decomp.h - nonnegative CP decomposition of a sparse tensor: one loop, a table of solvers, a table
 * of starts, and the Kruskal tensor that results:
 *
 *     X ~ sum_r lambda_r a_r o b_r o c_r, everything nonnegative, every column summing to 1
 *
 * Sources: [K] Kolda and Bader 2009 (CP-ALS, MTTKRP, fit), [Liu] Ji Liu et al. 2012 and Cichocki
 * and Phan 2009 (HALS), [CK] Chi and Kolda 2012 (CP-APR); the greedy fibre start is our own. */
#ifndef TRIBUTARY_DECOMP_H
#define TRIBUTARY_DECOMP_H

#include "base/base.h"
#include "tensor/formats/formats.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Kruskal tensors (ktensor.c, ktensor_io.c) ----------------------------------------------- */

/* A sum of rank-1 tensors. `{0}` is empty. */
typedef struct trib_ktensor {
    uint32_t n_modes;             /* modes */
    uint32_t dim[TRIB_MAX_MODES]; /* [n_modes] sizes of the modes */
    uint32_t rank;                /* components */
    double *lambda;               /* [rank] mass of each component; descending once normalised */
    /* [dim[m]][rank] row-major; once normalised, the absolute values of a column sum to 1; all
     * modes share the allocation that begins at factor[0] */
    double *factor[TRIB_MAX_MODES];
    double fit;  /* 1 - |X - model| / |X| (Frobenius); NaN when not computed */
    bool single; /* computed with an MTTKRP from factors in single precision */
} trib_ktensor;

trib_status trib_ktensor_init(trib_ktensor *k, uint32_t n_modes, const uint32_t dim[],
                              uint32_t rank, trib_error *error); /* all zeros */
void trib_ktensor_release(trib_ktensor *k);
/* Copies `k` into `copy`, which must be empty. TRIB_MEMORY. */
trib_status trib_ktensor_copy(trib_ktensor *copy, const trib_ktensor *k, trib_error *error);
/* Scales columns to sum 1 (of absolute values, where some are negative) and multiplies their sums
 * into lambda; a zero column makes lambda 0. Orders components by descending lambda, ties (equal
 * within 1e-12, relative) by the first index of their columns, mode by mode. Values under 2^-60 of
 * their column become 0. TRIB_INTERNAL for a value that is not finite; TRIB_MEMORY. */
trib_status trib_ktensor_normalize(trib_ktensor *k, trib_error *error);
/* Removes components with lambda 0 and returns their number. */
uint32_t trib_ktensor_drop_zeros(trib_ktensor *k);
/* The value of the model at an index. */
double trib_ktensor_value(const trib_ktensor *k, const uint32_t index[]);
/* Adds up the components: z receives the value of the model at the nonzeros of x or, when x is
 * NULL, in every cell. TRIB_INPUT when x has other dimensions, or beyond 2^28 products. */
trib_status trib_ktensor_sum(trib_sparse *z, const trib_ktensor *k, const trib_view *x,
                             trib_error *error);
/* Sets *fit to 1 - |X - k| / |X|, from |X|^2 - 2 <X,k> + |k|^2 ([K] section 3.4). */
trib_status trib_ktensor_fit(const trib_ktensor *k, const trib_tensor *x, double *fit,
                             trib_error *error);

/* Sets *score to the similarity of two Kruskal tensors, in [0, 1]; 1 when both have the same
 * components (diagnose.c). This is the Tensor Toolbox's greedy `score`: the cosines of the columns
 * times the similarity of the weights, summed over matched pairs and divided by the larger rank.
 * Rows that only one of them has count as 0. TRIB_INPUT when the numbers of modes differ. O(rank^2
 * (log rank + sum of dims)). */
trib_status trib_ktensor_match(const trib_ktensor *a, const trib_ktensor *b, double *score,
                               trib_error *error);
/* Sets *largest to the largest congruence of two components (the product over modes of the cosine
 * of their columns), and *n_beyond to the number of components that have another one with a
 * congruence above `limit`: such components are redundant. */
trib_status trib_ktensor_congruence(const trib_ktensor *k, double limit, double *largest,
                                    uint32_t *n_beyond, trib_error *error);
/* The exact relative L1 error |X - k|_1 / |X|_1: the sum over the nonzeros of |X - k|, and the mass
 * of k elsewhere. Above 1 the empty model is closer. NaN when a weight or an entry of k is
 * negative, because the mass elsewhere is then not the sum of absolute values. */
double trib_ktensor_l1_error(const trib_ktensor *k, const trib_tensor *x);
/* Sets *percent to the core consistency (Bro and Kiers 2003): 100 when X is a sum of exactly these
 * rank-1 tensors, without mixtures of their columns. NaN when the core has more than 2^25 entries,
 * takes more than 2e10 operations or overflows. Singular factors are handled by their
 * pseudo-inverse. O(fibers rank^2 + dim rank^n_modes). */
trib_status trib_core_consistency(const trib_ktensor *k, const trib_tensor *x, double *percent,
                                  trib_error *error);

/* Writes sparse text: "ktensor 1", "modes 3", "dims ...", "rank R", "fit F", for some "precision
 * single"; then per component a line "component r lambda L" and per mode a line "mode m nnz"
 * followed by nnz lines "index value [word]", with indices from 1. word[i], when word is not NULL,
 * is the word of index i in every mode. Numbers round-trip. */
void trib_ktns_write(const trib_ktensor *k, const char *const *word, trib_writer *writer);
/* Writes the same in a quarter of the bytes: "ktensor 2" and a newline; then as numbers the modes,
 * the dimension of each, the rank, the flags (1: precision single, 2: a fit follows, 4: values are
 * whole multiples of 2^-53), the fit, and the number of words (0, or the largest dimension); then
 * the words, each followed by a newline; then for each component lambda, and for each mode the
 * number of values, and each value preceded by the number of indices skipped since the previous
 * one. lambda and the fit are little-endian doubles; whole numbers are varints (7 bits per byte,
 * lowest first, the top bit set when more follow). If all values are from 0 to 1, each is rounded
 * to a multiple of 2^-53, the spacing of doubles below 1, and those that round to 0 are left out;
 * else values are doubles. */
void trib_ktns_write_packed(const trib_ktensor *k, const char *const *word, trib_writer *writer);
/* Reads a file of either form, or of the dense form of the oracles ("R dim1 dim2 ...", then per
 * component lambda and the dense columns). Words are skipped. TRIB_INPUT with file and line. */
trib_status trib_ktns_read(trib_ktensor *k, trib_reader *reader, trib_error *error);

/* The words of a ktensor file. `{0}` is empty. */
typedef struct trib_ktns_words {
    /* [n] word of index i in every mode, NULL: none; NULL in a file without words */
    const char **word;
    uint32_t n;       /* the largest dimension */
    trib_buffer text; /* the text that the words point into */
} trib_ktns_words;
/* Reads a ktensor file with its words. TRIB_INPUT also when one index has two different words.
 * Everything is empty after a failure. */
trib_status trib_ktns_read_words(trib_ktensor *k, trib_ktns_words *words, trib_reader *reader,
                                 trib_error *error);
void trib_ktns_words_release(trib_ktns_words *words);

/* Writes the text form of the Tensor Toolbox for MATLAB and of pyttb (export_data, import_data):
 * "ktensor", the number of modes, the dimensions, the rank, the weights in one line, and for each
 * mode "matrix", "2", its rows and columns, and a line for each row. It holds no words. Numbers
 * round-trip. */
void trib_ktensor_write_text(const trib_ktensor *k, trib_writer *writer);

/* Writes NPY version 1.0: an array of n_modes dimensions, at most TRIB_MAX_MODES, of little-endian
 * doubles, row-major. */
void trib_npy_write_array(trib_writer *writer, const double *value, uint32_t n_modes,
                          const size_t dim[]);

/* ---- Decomposition (cp.c; als_loop.c and its solvers; apr.c fibre.c; start.c) ---------------- */

typedef struct trib_solver trib_solver;
typedef struct trib_start trib_start;
typedef struct trib_least_squares trib_least_squares; /* how a solver updates rows (private) */

/* One iteration of a trace. A quantity that was not computed is NaN. */
typedef struct trib_cp_step {
    double fit; /* fit after this iteration */
    /* the function minimised: half the squared error and penalties, or the KL divergence */
    double objective;
    double kl; /* sum of X log(X / model) - X + model; apr only */
    /* The distance from a minimum: the largest residual of the modes, each measured when the mode
     * is updated. Least squares: the Newton step of every entry taken on its own, in the norm of
     * the model and in units of |X|: sqrt(sum d^2 G_rr) / |X| with d = A - max(0, A - gradient /
     * G_rr), without max(0, ) where entries may be negative. apr: the largest |min(A, 1 - Phi)|
     * ([CK] equation 6.2). It is 0 exactly where the Karush-Kuhn-Tucker conditions hold. */
    double kkt;
    double mttkrp, dense, other; /* seconds in each phase; 0 without a clock */
} trib_cp_step;

/* The complete state between two iterations, as a checkpoint stores it. A decomposition resumed
 * from it gives the same bits as one that was not interrupted. All arrays are borrowed. */
typedef struct trib_cp_state {
    uint32_t part;      /* number of the decomposition in a series: restarts, ranks of a search */
    uint32_t iteration; /* iterations done */
    double fit;         /* fit after the last iteration; NaN when it was not computed */
    uint32_t n_modes;   /* of the tensor */
    uint32_t dim[TRIB_MAX_MODES]; /* [n_modes] of the tensor */
    uint32_t rank;                /* components */
    size_t stride;                /* distance between two rows of a factor, at least rank */
    /* [dim[m]][stride] as the solver holds them, not normalised */
    const double *factor[TRIB_MAX_MODES];
    const double *lambda; /* [rank] */
    /* [n_kept[m]] further arrays that the solver keeps from one iteration to the next, such as
     * dual variables; only the solver reads them */
    const double *kept[TRIB_MAX_MODES];
    size_t n_kept[TRIB_MAX_MODES]; /* [n_modes] numbers in `kept` */
    const trib_cp_step *step; /* [n_steps] trace of the iterations done; none without a trace */
    size_t n_steps;           /* steps in `step` */
    bool is_last;             /* the decomposition ends here */
    bool
        /* it ended by its own criteria, not by a request to stop, so there is nothing to resume */
        is_done;
} trib_cp_state;

/* Called after every iteration (except by `fibre`, which has no iterations). A status other than
 * TRIB_OK ends the decomposition with that status. */
typedef struct trib_cp_hook {
    /* Receives the state after the iteration, which is valid during the call. */
    trib_status (*after)(void *context, const trib_cp_state *state, trib_error *error);
    void *context; /* the first argument of `after` */
} trib_cp_hook;

/* The defaults for fields of trib_cp_options that are 0. */
enum { TRIB_CP_RANK = 100, TRIB_CP_SWEEPS = 2, TRIB_CP_ITERATIONS = 100 };
/* The rank that trib_rank_first gives the tensor. */
#define TRIB_RANK_LOWE (UINT32_MAX - 1)
/* The rank that trib_rank_in_budget gives it. */
#define TRIB_RANK_BUDGET (UINT32_MAX - 3)
/* The rank that trib_cp_search finds by the error and the core. */
#define TRIB_RANK_AUTO UINT32_MAX
/* The rank that it finds by cells left out. */
#define TRIB_RANK_HOLDOUT (UINT32_MAX - 2)
/* Whether a rank is one of them. */
#define TRIB_RANK_IS_SEARCHED(rank) ((rank) == TRIB_RANK_AUTO || (rank) == TRIB_RANK_HOLDOUT)

/* Options of a decomposition. `{0}` is valid: a field that is 0 has a default. */
typedef struct trib_cp_options {
    const trib_solver *solver; /* NULL: hals */
    /* NULL: the best for the solver: energy, greedy for apr, and random for als where at least half
     * of the cells are nonzero */
    const trib_start *start;
    /* initial components for trib_start_from, instead of a start; NULL: none */
    const trib_ktensor *from;
    bool
        exactly; /* `from` has the rank and all rows, and none of it is changed before the solver */
    /* components; 0: TRIB_CP_RANK; or TRIB_RANK_LOWE, _BUDGET. `fibre`: most terms, 0: no
     * limit */
    uint32_t rank;
    uint32_t sweeps;     /* inner sweeps per mode and iteration; 0: TRIB_CP_SWEEPS */
    uint32_t iterations; /* largest number of iterations; 0: TRIB_CP_ITERATIONS */
    /* stop when an iteration changes the fit by less than this; 0: never. For apr it is the
     * divergence, as a part of itself, and the change of the first iteration is unknown */
    double tolerance;
    double kkt; /* stop when the KKT residual (trib_cp_step.kkt) is at most this; 0: never */
    /* stop after the iteration in which this number of seconds is reached; 0: never; needs a
     * clock */
    double time;
    /* number of starts, with seeds seed, seed+1, ..., of which the best is returned; 0: 1 */
    uint32_t restarts;
    uint64_t seed;                                 /* for starts that draw random numbers */
    double l1[TRIB_MAX_MODES], l2[TRIB_MAX_MODES]; /* penalties per mode (least squares); 0: none */
    /* apr: entries that are 0 and should not be are raised to at most this fraction of their column
     * ([CK]: .01); 0: they stay 0 */
    double lift;
    uint32_t fixed; /* bit m: the factor of mode m does not change (least squares) */
    /* [n_missing][n_modes] different cells whose values are not known, and where x has no nonzero:
     * in every iteration they have the values of the model before it. Fit and objective are those
     * of the other cells (least squares) */
    const uint32_t *missing;
    size_t n_missing; /* cells of `missing` */
    /* least squares: the MTTKRP reads the factors in single precision (trib_mttkrp_single). apr,
     * unmeasured and without lift: all updates are in single precision */
    bool single;
    /* start each iteration beyond the last one in its direction, unless the objective would grow;
     * takes twice the memory of the factors (solvers with `extrapolates`) */
    bool extrapolation;
    bool measure_kkt; /* compute trib_cp_step.kkt even without a limit */
    /* apr: do not compute fit and divergence, which are then NaN; needs tolerance 0 */
    bool unmeasured;
    int n_threads;          /* 0: 1; does not change the result */
    trib_progress progress; /* receives the number of iterations done, and may stop; `{0}`: none */
    trib_clock clock;       /* for the times in the trace; `{0}`: none */
    trib_cp_hook hook;      /* called after every iteration; `{0}`: none */
    /* state to resume from, instead of a start, with the same solver and tensor. Earlier parts are
     * repeated, which gives the same bits */
    const trib_cp_state *resume;
    uint32_t part; /* number of the first decomposition of a series; 0 normally */
} trib_cp_options;

/* Why a decomposition ended. */
typedef enum trib_stop {
    TRIB_STOP_TOLERANCE,  /* the fit no longer changes */
    TRIB_STOP_KKT,        /* the KKT residual is within its limit */
    TRIB_STOP_ITERATIONS, /* the limit of iterations is reached */
    TRIB_STOP_TIME,       /* the limit of time is reached */
    TRIB_STOP_EXACT,      /* nothing is left to explain */
    TRIB_STOP_ASKED,      /* progress requested a stop */
    TRIB_STOP_KL,         /* apr: the divergence no longer changes */
    TRIB_N_STOPS
} trib_stop;
const char *trib_stop_text(trib_stop stop); /* in words, for reports */

/* The course of a decomposition. `{0}` is empty. */
typedef struct trib_cp_trace {
    trib_cp_step *step;  /* [n_steps] steps of the iterations first + 1, first + 2, ... */
    size_t n_steps, cap; /* steps used, of cap allocated */
    /* iterations before the first step: 0 unless resumed from a state without steps */
    uint32_t first;
    trib_stop stop;      /* why it ended */
    bool single;         /* the MTTKRP read factors in single precision */
    uint32_t n_zero;     /* components that became zero and were dropped */
    uint32_t n_restarts; /* number of starts */
    double worst_fit;    /* smallest fit of the restarts */
    /* Match scores (trib_ktensor_match) of each restart with the previous one; NaN with a single
     * start. */
    double mean_match, least_match;
} trib_cp_trace;
void trib_cp_trace_release(trib_cp_trace *trace);

/* A row of the table of solvers. */
struct trib_solver {
    const char *name; /* hals | als | ... */
    const char *help; /* one line */
    /* how als_loop.c updates rows; NULL: the solver is not a least-squares solver and only `solve`
     * is used */
    const trib_least_squares *rows;
    /* Improves `k` in place. */
    trib_status (*solve)(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                         trib_cp_trace *trace, trib_error *error);
    bool needs_start; /* whether it improves components of a start */
    bool negative;    /* whether entries of factors may be negative */
    /* whether trib_cp_options.extrapolation is allowed: entries are nonnegative, and the solver
     * keeps no arrays between iterations */
    bool extrapolates;
};
extern const trib_solver trib_solvers[]; /* ends with a row whose name is NULL */
const trib_solver *trib_solver_find(const char *name);

/* Runs the solver alone: improves `k` in place, from its factors and lambda (or from
 * options->resume), without start, restarts, normalisation or removal of components. `fibre` fills
 * `k` from nothing. Sets k->fit where the solver computes it. TRIB_CONFIG for a state of other
 * dimensions, rank or solver. */
trib_status trib_cp_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                          trib_cp_trace *trace, trib_error *error);

/* A row of the table of starts. */
struct trib_start {
    const char *name; /* greedy | energy | random | corpus */
    const char *help; /* one line */
    /* Fills `k`. The start `corpus` works as `energy` here; its caller passes the components in
     * options->from. */
    trib_status (*fill)(trib_ktensor *k, const trib_tensor *x, uint64_t seed, trib_error *error);
    bool seeded; /* whether the result depends on the seed */
};
extern const trib_start trib_starts[]; /* ends with a row whose name is NULL */
const trib_start *trib_start_find(const char *name);

/* Fills `k` (all zeros, with the dimensions of x) from an earlier Kruskal tensor: first its
 * components that have mass in every mode of x, in their order, at most k->rank. Words of x that
 * none of them has get a tenth of the marginal. The remaining components are the fibres of largest
 * energy in the part of x that the others leave. A document that grew, or a higher rank, thus
 * continues from the earlier result. O(nnz n_modes) and, for new components, O(nnz rank n_modes).
 * TRIB_INPUT when the number of modes differs. */
trib_status trib_start_from(trib_ktensor *k, const trib_tensor *x, const trib_ktensor *from,
                            trib_error *error);

/* Gives rows of the factors that are 0 although the tensor has nonzeros there a part of their sum
 * of absolute values. They are those without a positive value, which a start passes over. */
trib_status trib_start_admit_negative(trib_ktensor *k, const trib_tensor *x, trib_error *error);

/* Decomposes x: start, solver, normalisation, removal of zero components, fit. `k` receives the
 * result. Its rank may be smaller than requested, because zero components are dropped and an exact
 * cover may end early. trace may be NULL. The result depends on x and options only, not on threads,
 * nor on the order of the nonzeros beyond rounding. Where squares of the values would overflow or
 * vanish, a copy of x times a power of two is decomposed; the objective in the trace may then be
 * infinite. TRIB_INPUT for a value that is not finite, a lambda that would not be, and for apr a
 * value below 0. */
trib_status trib_cp(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                    trib_cp_trace *trace, trib_error *error);

/* Decomposes counts by apr from options->restarts random starts, in single precision and without
 * measuring the divergence in between, and takes the one with the smallest *divergence, the first
 * of several. Of the options rank, iterations, restarts, seed, n_threads and progress count.
 * *agreement is the mean, over its components and the other starts, of the largest overlap with a
 * component of that start: the sum of the smaller entries of two columns, averaged over the modes
 * after the first; NaN with one start. Errors of trib_cp; TRIB_INTERRUPTED when progress stops
 * it. (search.c) */
trib_status trib_cp_of_starts(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                              double *divergence, double *agreement, trib_error *error);

/* ---- How many components (search.c) ---------------------------------------------------------- */

/* One rank of a search. */
typedef struct trib_rank_step {
    uint32_t rank;         /* the rank requested */
    uint32_t n_components; /* number of components found, without zero components */
    /* |X - model| / |X| (Frobenius), that is, 1 - fit; with TRIB_RANK_HOLDOUT estimated from the
     * cells left out */
    double error;
    double deviation;        /* with TRIB_RANK_HOLDOUT: the standard error of the squared error */
    double l1_error;         /* value of trib_ktensor_l1_error; NaN with TRIB_RANK_HOLDOUT */
    double core_consistency; /* per cent; NaN when it was not computed */
    size_t n_iterations;     /* iterations of the solver */
} trib_rank_step;

/* Why a search for a rank ended. */
typedef enum trib_rank_end {
    TRIB_RANK_GAIN,     /* a doubling reduced the error by less than 2 % */
    TRIB_RANK_WORSE,    /* the error grew */
    TRIB_RANK_CLOSE,    /* the error is below 20 % */
    TRIB_RANK_NONZEROS, /* the rank reached nnz / 3 */
    TRIB_RANK_LIMIT,    /* the largest allowed rank is reached */
    TRIB_RANK_ASKED,    /* progress requested a stop */
    /* a smaller rank than the first has a small error and the largest consistent core */
    TRIB_RANK_CONSISTENT,
    TRIB_RANK_HELD_OUT, /* no larger rank is better by more than one standard error */
    TRIB_N_RANK_ENDS
} trib_rank_end;
const char *trib_rank_end_text(trib_rank_end end); /* in words, for reports */

/* The ranks that a search tried. `{0}` is empty. */
typedef struct trib_rank_search {
    trib_rank_step *step; /* [n] ranks ascending */
    size_t n, cap;        /* steps used, of cap allocated */
    /* the step with the smallest error, the last or the one before it; or of the smaller ranks */
    size_t chosen;
    trib_rank_end end; /* why it ended */
} trib_rank_search;
void trib_rank_search_release(trib_rank_search *search);

/* The rank at which a search begins: R0 = ceil(d^n / (n d - n + 1)) with d = nnz^(1/n), at least 1
 * ([L]). */
uint32_t trib_rank_first(size_t nnz, uint32_t n_modes);
/* The rank that keeps a run of many texts quick: 200 000 / nnz, but from 50 to TRIB_CP_RANK. */
uint32_t trib_rank_in_budget(size_t nnz);

/* Decomposes x at ranks R0, 2 R0, 4 R0, ..., up to `most` and nnz / 3, each starting with the
 * components of the previous one and the fibres of largest energy it leaves, until one of the
 * reasons of trib_rank_end. Where R0 explains 80 %, smaller ranks with a core consistency of 50 %
 * are tried, too. With the rank TRIB_RANK_HOLDOUT in the options, a tenth of the cells is left out
 * four times (options->seed says which), at ranks 1, 2, 4, ... until two are worse, and between
 * them: the rank is the smallest whose error there is at most one standard error above the least.
 * That needs a least-squares solver. Other ranks are ignored. Errors of trib_cp. */
trib_status trib_cp_search(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           uint32_t most, trib_rank_search *search, trib_cp_trace *trace,
                           trib_error *error);

/* ---- Checkpoints (checkpoint.c) -------------------------------------------------------------- */

/* A state read from a file; the arrays of `state` point into `number`. `{0}` is empty. */
typedef struct trib_checkpoint {
    trib_cp_state state; /* as written */
    double *number;      /* owned: the arrays of `state` */
} trib_checkpoint;

/* Writes the state that a hook received; the file appears only when it is complete. `work`, a line
 * of text without a newline, identifies the tensor and the settings. */
trib_status trib_checkpoint_write(const trib_cp_state *state, const char *work, const char *path,
                                  trib_error *error);
/* Reads a checkpoint for options->resume. TRIB_INPUT for a file that is not a checkpoint, is
 * damaged, has another version or byte order, or was written for other work. */
trib_status trib_checkpoint_read(trib_checkpoint *checkpoint, const char *work, trib_reader *reader,
                                 trib_error *error);
void trib_checkpoint_release(trib_checkpoint *checkpoint);

/* One fibre: all indices but one are fixed. */
typedef struct trib_fibre {
    double mass;                    /* sum of its values */
    uint32_t free_mode;             /* the mode that is not fixed */
    uint32_t fixed[TRIB_MAX_MODES]; /* fixed[free_mode] is 0 */
    size_t first, n; /* its nonzeros: trib_fibre_cover.index and .value [first .. first+n-1] */
} trib_fibre;

/* A greedy cover of the nonzeros by fibres of largest residual mass (ties, within 1e-12 relative:
 * the last mode free first, then the smallest fixed indices). `{0}` is empty. */
typedef struct trib_fibre_cover {
    trib_fibre *fibre;    /* [n_fibres] in the order chosen, masses descending */
    size_t n_fibres, cap; /* fibres used, of cap allocated */
    uint32_t *index;      /* [nnz] indices in the free mode */
    double *value;        /* [nnz] values */
    size_t nnz;           /* number of nonzeros covered */
    double rest;          /* sum of the values not covered; 0 for a complete cover */
} trib_fibre_cover;

/* Chooses at most `limit` fibres (0: until all nonzeros are covered). Values not above 0 are
 * ignored. The cover depends on the values alone, not on the order of the nonzeros. O(nnz n_modes
 * log(fibres)). TRIB_INPUT beyond 2^32-1 nonzeros times modes. */
trib_status trib_fibre_cover_build(trib_fibre_cover *cover, const trib_tensor *x, size_t limit,
                                   trib_error *error);
/* The same for nonzeros index[n][n_modes] below dim[n_modes], value[n], all at different places,
 * without a tensor. */
trib_status trib_fibre_cover_list(trib_fibre_cover *cover, uint32_t n_modes, const uint32_t dim[],
                                  const uint32_t *index, const double *value, size_t n,
                                  size_t limit, trib_error *error);
void trib_fibre_cover_release(trib_fibre_cover *cover);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
