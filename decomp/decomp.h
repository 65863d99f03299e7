/* decomp.h - nonnegative CP decomposition of a sparse tensor: one loop, a table of solvers, a
 * table of starts, and the Kruskal tensor they give.
 *
 *     X ~ sum_r lambda_r a_r o b_r o c_r, everything nonnegative, every column summing to 1
 *
 * Sources: [K] Kolda and Bader 2009 (CP-ALS, MTTKRP, fit), [Liu] Ji Liu et al. 2012 and Cichocki
 * and Phan 2009 (HALS), [CK] Chi and Kolda 2012 (CP-APR); the greedy fibre start is ours. */
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
    double *lambda;               /* [rank] mass of each component, descending once normalised */
    /* [dim[m]][rank] row-major; absolute values of a column sum to 1 once normalised; all in the
     * one allocation of factor[0] */
    double *factor[TRIB_MAX_MODES];
    double fit;  /* 1 - |X - model| / |X| (Frobenius); NaN when not computed */
    bool single; /* found with an MTTKRP from factors in single precision */
} trib_ktensor;

trib_status trib_ktensor_init(trib_ktensor *k, uint32_t n_modes, const uint32_t dim[],
                              uint32_t rank, trib_error *error); /* all zeros */
void trib_ktensor_release(trib_ktensor *k);
/* Makes `copy`, which holds nothing before, equal to `k`. TRIB_MEMORY. */
trib_status trib_ktensor_copy(trib_ktensor *copy, const trib_ktensor *k, trib_error *error);
/* Columns to sum 1 (of absolute values, where some are negative), their mass into lambda (a zero
 * column makes lambda 0); components by descending lambda, ties (equal within 1e-12, relative) by
 * the first index of their columns, mode by mode. Values under 2^-60 of their column become 0. */
trib_status trib_ktensor_normalize(trib_ktensor *k, trib_error *error);
/* Removes components with lambda 0; returns how many there were. */
uint32_t trib_ktensor_drop_zeros(trib_ktensor *k);
/* Value of the model at an index. */
double trib_ktensor_value(const trib_ktensor *k, const uint32_t index[]);
/* 1 - |X - k| / |X| from |X|^2 - 2 <X,k> + |k|^2 ([K] section 3.4). */
trib_status trib_ktensor_fit(const trib_ktensor *k, const trib_tensor *x, double *fit,
                             trib_error *error);

/* *score in [0, 1]: 1 when both hold the same components (match.c; Tensor Toolbox `score`, greedy:
 * cosines of the columns times the likeness of the weights, of matched pairs, summed and divided
 * by the larger rank). Rows that only one of them has count as 0. TRIB_INPUT when the numbers of
 * modes differ. O(rank^2 (log rank + sum of dims)). */
trib_status trib_ktensor_match(const trib_ktensor *a, const trib_ktensor *b, double *score,
                               trib_error *error);
/* The largest congruence of two components (product over modes of the cosine of their columns),
 * and how many components have another one beyond `limit`: such a pair says one thing twice. */
trib_status trib_ktensor_congruence(const trib_ktensor *k, double limit, double *largest,
                                    uint32_t *n_beyond, trib_error *error);
/* |X - k|_1 / |X|_1, exactly: sum over the nonzeros of |X - k|, and the mass k has elsewhere.
 * Above 1 the empty model is nearer. NaN when a weight or an entry of k is negative, because the
 * mass elsewhere is then not the sum of absolute values. */
double trib_ktensor_l1_error(const trib_ktensor *k, const trib_tensor *x);
/* *percent = core consistency (Bro and Kiers 2003), 100 when X is a sum of just these rank-1
 * tensors and no mixture of their columns. NaN when the core has more than 2^25 entries, takes
 * more than 2e10 operations or overflows. Singular factors go through their pseudo-inverse.
 * O(fibers rank^2 + dim rank^n_modes). */
trib_status trib_core_consistency(const trib_ktensor *k, const trib_tensor *x, double *percent,
                                  trib_error *error);

/* Text, sparse: "ktensor 1", "modes 3", "dims ...", "rank R", "fit F", of some "precision single";
 * then per component a line "component r lambda L" and per mode a line "mode m nnz" followed by
 * nnz lines "index value [word]", indices from 1. word[i], when word is not NULL, names index i of
 * every mode. Numbers round-trip. */
void trib_ktns_write(const trib_ktensor *k, const char *const *word, trib_writer *writer);
/* The same in a third of the bytes: "ktensor 2" and a newline, then as numbers the modes, the
 * dimension of each, the rank, the flags (1: precision single, 2: a fit follows), the fit, the
 * number of words (0, or the largest dimension), the words, each with a newline, and for each
 * component lambda and for each mode how many values follow, each after the number of indices
 * skipped since the one before. lambda, the fit and values are little-endian doubles; whole
 * numbers are varints (7 bits a byte, the lowest first, the top bit says that more follow). */
void trib_ktns_write_packed(const trib_ktensor *k, const char *const *word, trib_writer *writer);
/* Reads either back; and the dense form of the oracles ("R dim1 dim2 ...", then per component
 * lambda and the dense columns). TRIB_INPUT with file and line. Words are skipped. */
trib_status trib_ktns_read(trib_ktensor *k, trib_reader *reader, trib_error *error);

/* The words of such a file. `{0}` is empty. */
typedef struct trib_ktns_words {
    const char **word; /* [n] of index i of every mode, NULL: none; NULL in a file without words */
    uint32_t n;        /* the largest dimension */
    trib_buffer text;  /* they lie in it */
} trib_ktns_words;
/* The same, with its words; TRIB_INPUT when one index has two. Empty after a failure. */
trib_status trib_ktns_read_words(trib_ktensor *k, trib_ktns_words *words, trib_reader *reader,
                                 trib_error *error);
void trib_ktns_words_release(trib_ktns_words *words);

/* NPY version 1.0: n_rows x n_columns of little-endian doubles, row-major; n_columns 0:
 * one-dimensional. */
void trib_npy_write(trib_writer *writer, const double *value, size_t n_rows, size_t n_columns);
/* The same of an array of n_modes dimensions, at most TRIB_MAX_MODES. */
void trib_npy_write_array(trib_writer *writer, const double *value, uint32_t n_modes,
                          const size_t dim[]);

/* ---- Decomposition (cp.c; als_loop.c and its solvers; apr.c fibre.c; start.c) ---------------- */

typedef struct trib_solver trib_solver;
typedef struct trib_start trib_start;
typedef struct trib_least_squares trib_least_squares; /* how a solver updates rows; opaque */

/* One iteration. NaN where nothing was computed. */
typedef struct trib_cp_step {
    double fit; /* after this iteration */
    /* what the solver minimises: half the squared error and penalties, or the KL divergence */
    double objective;
    double kl; /* sum of X log(X / model) - X + model; apr only */
    /* How far a minimum is, the largest over the modes, each as it is met. Least squares: a step
     * of Newton's method taken in every entry alone, in the norm of the model and in units of |X|:
     * sqrt(sum d^2 G_rr) / |X| with d = A - max(0, A - gradient / G_rr), without max(0, ) where
     * entries may be negative. apr: the largest |min(A, 1 - Phi)| ([CK] equation 6.2). 0 exactly
     * where the Karush-Kuhn-Tucker conditions hold. */
    double kkt;
    double mttkrp, dense, other; /* seconds; 0 without a clock */
} trib_cp_step;

/* All that an iteration takes from the one before: what a checkpoint holds. A decomposition
 * resumed from it gives the same bits as one that was never stopped. Arrays are borrowed. */
typedef struct trib_cp_state {
    uint32_t part;      /* which of several decompositions in a row: restarts, ranks of a search */
    uint32_t iteration; /* iterations done */
    double fit;         /* after the last of them; NaN when nobody looked */
    uint32_t n_modes;   /* of the tensor */
    uint32_t dim[TRIB_MAX_MODES]; /* [n_modes] of the tensor */
    uint32_t rank;                /* components */
    size_t stride;                /* from one row of a factor to the next, at least rank */
    /* [dim[m]][stride] as the solver holds them, not normalised */
    const double *factor[TRIB_MAX_MODES];
    const double *lambda;               /* [rank] */
    const double *kept[TRIB_MAX_MODES]; /* [n_kept[m]] what else the solver keeps; its own affair */
    size_t n_kept[TRIB_MAX_MODES];      /* [n_modes] numbers in `kept` */
    const trib_cp_step *step; /* [n_steps] the last of the iterations done; none without a trace */
    size_t n_steps;           /* steps in `step` */
    bool is_last;             /* the decomposition ends here */
    /* for a reason of its own, not because somebody asked: there is nothing to resume */
    bool is_done;
} trib_cp_state;

/* Called after every iteration (not by fibre, which has nothing to go on from); what it returns
 * ends the decomposition unless it is TRIB_OK. */
typedef struct trib_cp_hook {
    /* Receives the state after the iteration, which is valid during the call. */
    trib_status (*after)(void *context, const trib_cp_state *state, trib_error *error);
    void *context; /* the first argument of `after` */
} trib_cp_hook;

/* What the limits of trib_cp_options are where they say 0. */
enum { TRIB_CP_RANK = 100, TRIB_CP_SWEEPS = 2, TRIB_CP_ITERATIONS = 100 };

/* How to decompose. `{0}` is valid: every field that is 0 has a default. */
typedef struct trib_cp_options {
    const trib_solver *solver; /* NULL: hals */
    const trib_start *start;   /* NULL: the solver's best: energy, or greedy for apr */
    /* components to begin with instead of a start, as trib_start_from; NULL: none */
    const trib_ktensor *from;
    uint32_t rank; /* components; 0: TRIB_CP_RANK. `fibre`: at most so many terms, 0: to the end */
    uint32_t sweeps;     /* inner sweeps per mode and iteration; 0: TRIB_CP_SWEEPS */
    uint32_t iterations; /* at most; 0: TRIB_CP_ITERATIONS */
    /* stop when the fit changes by less in an iteration; 0: never. What apr changes in its first
     * is not known */
    double tolerance;
    double kkt; /* stop when the KKT residual (trib_cp_step) is at most this; 0: never */
    /* stop after the iteration in which so many seconds are over; 0: never; needs a clock */
    double time;
    uint32_t restarts; /* the best of so many starts, with seeds seed, seed+1, ...; 0: 1 */
    uint64_t seed;     /* of starts that draw random numbers */
    double l1[TRIB_MAX_MODES], l2[TRIB_MAX_MODES]; /* penalties per mode (least squares); 0 */
    /* apr: entries that are 0 and should not be become at most this part of their column ([CK]:
     * .01); 0: stay */
    double lift;
    uint32_t fixed; /* bit m: the factor of mode m stays as it starts (least squares) */
    /* MTTKRP reads the factors in single precision (trib_mttkrp_single); least squares. Or apr,
     * unmeasured and without lift: all its updates in single precision */
    bool single;
    /* iterations begin beyond the last in its direction, unless the objective would grow; twice
     * the memory of the factors (rows `extrapolates`) */
    bool extrapolation;
    bool measure_kkt; /* fill in trib_cp_step.kkt though no limit asks for it */
    /* apr: compute no fit and no divergence, which are then NaN; needs tolerance 0 */
    bool unmeasured;
    int n_threads;          /* 0: 1; changes no bit of the result */
    trib_progress progress; /* is told the iterations done, and may stop; `{0}`: nobody */
    trib_clock clock;       /* times the steps of the trace; `{0}`: none */
    trib_cp_hook hook;      /* is called after every iteration; `{0}`: none */
    /* go on from here instead of from a start; same solver, same tensor. Parts before its own are
     * done again, which gives the same bits */
    const trib_cp_state *resume;
    uint32_t part; /* of the first; 0 */
} trib_cp_options;

/* Why a decomposition ended. */
typedef enum trib_stop {
    TRIB_STOP_TOLERANCE,  /* the fit no longer changes */
    TRIB_STOP_KKT,        /* the conditions of a minimum hold within the limit */
    TRIB_STOP_ITERATIONS, /* the limit of iterations */
    TRIB_STOP_TIME,       /* the limit of time */
    TRIB_STOP_EXACT,      /* nothing is left to explain */
    TRIB_STOP_ASKED,      /* progress asked to stop */
    TRIB_N_STOPS
} trib_stop;
const char *trib_stop_text(trib_stop stop); /* in words, for reports */

/* How a decomposition went. `{0}` is empty. */
typedef struct trib_cp_trace {
    trib_cp_step *step;  /* [n_steps] of the iterations first + 1, first + 2, ... */
    size_t n_steps, cap; /* steps used, of cap allocated */
    /* iterations done before: 0 unless it was resumed from a state without its steps */
    uint32_t first;
    trib_stop stop;      /* why it ended */
    bool single;         /* MTTKRP from factors in single precision */
    uint32_t n_zero;     /* components that came out zero and were dropped */
    uint32_t n_restarts; /* starts that were made */
    double worst_fit;    /* of the restarts */
    /* Match scores (trib_ktensor_match) of each restart with the one before it; NaN with one. */
    double mean_match, least_match;
} trib_cp_trace;
void trib_cp_trace_release(trib_cp_trace *trace);

/* A row of the table of solvers. */
struct trib_solver {
    const char *name; /* hals | als | ... */
    const char *help; /* one line */
    /* how als_loop.c updates rows; NULL: not least squares, `solve` does all */
    const trib_least_squares *rows;
    /* Improves `k` in place. */
    trib_status (*solve)(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                         trib_cp_trace *trace, trib_error *error);
    bool needs_start; /* it improves components that a start made */
    bool negative;    /* entries of factors may be negative */
    /* trib_cp_options.extrapolation is for it: nonnegative entries, nothing kept */
    bool extrapolates;
};
extern const trib_solver trib_solvers[]; /* ends with a row whose name is NULL */
const trib_solver *trib_solver_find(const char *name);

/* Improves `k` in place, from the factors and lambda it holds (or from options->resume): the
 * solver alone, with no start, no restarts, nothing normalised or dropped. `fibre` makes `k`
 * itself. Sets k->fit where the solver knows it. TRIB_CONFIG for a state of other dimensions, rank
 * or solver. */
trib_status trib_cp_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                          trib_cp_trace *trace, trib_error *error);

/* A row of the table of starts. */
struct trib_start {
    const char *name; /* greedy | energy | random | corpus */
    const char *help; /* one line */
    /* corpus: whoever chooses it gives the components as options->from; without, it is energy */
    trib_status (*fill)(trib_ktensor *k, const trib_tensor *x, uint64_t seed, trib_error *error);
    bool seeded; /* other seeds give other components */
};
extern const trib_start trib_starts[]; /* ends with a row whose name is NULL */
const trib_start *trib_start_find(const char *name);

/* Fills `k` (all zeros, dimensions of x) from an earlier Kruskal tensor: its components that have
 * a part in every mode of x, in their order, at most k->rank; words of x that none of them knows
 * get a tenth of the marginal; what is missing to k->rank are the fibres of largest energy of what
 * the others leave of x. So a document that grew, or a higher rank, goes on from where it was.
 * O(nnz n_modes) and, for new components, O(nnz rank n_modes). TRIB_INPUT when the number of modes
 * differs. */
trib_status trib_start_from(trib_ktensor *k, const trib_tensor *x, const trib_ktensor *from,
                            trib_error *error);

/* Decomposes x: start, solver, normalise, count and drop zero components, fit. `k` receives the
 * result (rank may be smaller than asked for: zero components are dropped, and an exact cover may
 * end early); trace may be NULL. Depends on x, options and nothing else: not on threads, not on
 * the order of the nonzeros beyond rounding. */
trib_status trib_cp(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                    trib_cp_trace *trace, trib_error *error);

/* ---- How many components (rank.c) ------------------------------------------------------------ */

/* One rank that a search tried. */
typedef struct trib_rank_step {
    uint32_t rank;           /* asked for */
    uint32_t n_components;   /* that came out, without zeros */
    double error;            /* |X - model| / |X|, Frobenius: 1 - fit */
    double l1_error;         /* trib_ktensor_l1_error */
    double core_consistency; /* per cent; NaN when it could not be computed */
    size_t n_iterations;     /* iterations of the solver */
} trib_rank_step;

/* Why a search for a rank ended. */
typedef enum trib_rank_end {
    TRIB_RANK_GAIN,     /* a doubling gained less than 2 % of the error */
    TRIB_RANK_WORSE,    /* the error grew */
    TRIB_RANK_CLOSE,    /* the error is below 20 % */
    TRIB_RANK_NONZEROS, /* nnz / 3 */
    TRIB_RANK_LIMIT,    /* the largest rank allowed */
    TRIB_RANK_ASKED,    /* progress asked to stop */
    TRIB_N_RANK_ENDS
} trib_rank_end;
const char *trib_rank_end_text(trib_rank_end end); /* in words, for reports */

/* What was tried. `{0}` is empty. */
typedef struct trib_rank_search {
    trib_rank_step *step; /* [n] ranks ascending */
    size_t n, cap;        /* steps used, of cap allocated */
    size_t chosen;        /* the step of smallest error: the last, or the one before it */
    trib_rank_end end;    /* why it ended */
} trib_rank_search;
void trib_rank_search_release(trib_rank_search *search);

/* R0 = ceil(d^n / (n d - n + 1)), d = nnz^(1/n), at least 1: where the search begins ([L]). */
uint32_t trib_rank_first(size_t nnz, uint32_t n_modes);

/* Decomposes x at rank R0, 2 R0, 4 R0, ..., at most `most` and nnz / 3, each begun with the
 * components of the one before and the fibres of largest energy it leaves over, until one of the
 * ends above. options->rank is not read. Errors of trib_cp. */
trib_status trib_cp_search(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           uint32_t most, trib_rank_search *search, trib_cp_trace *trace,
                           trib_error *error);

/* ---- Checkpoints (checkpoint.c) -------------------------------------------------------------- */

/* A state read from a file; `state` points into `number`. `{0}` is empty. */
typedef struct trib_checkpoint {
    trib_cp_state state; /* as it was when it was written */
    double *number;      /* owned: the arrays of `state` */
} trib_checkpoint;

/* Writes what a hook was given, whole or not at all; `work` (a line of text without a newline)
 * says of which tensor and settings. */
trib_status trib_checkpoint_write(const trib_cp_state *state, const char *work, const char *path,
                                  trib_error *error);
/* Reads it back for options->resume. TRIB_INPUT when it is no checkpoint, damaged, of another
 * version or byte order, or of other work. */
trib_status trib_checkpoint_read(trib_checkpoint *checkpoint, const char *work, trib_reader *reader,
                                 trib_error *error);
void trib_checkpoint_release(trib_checkpoint *checkpoint);

/* One fibre: all indices fixed but one. */
typedef struct trib_fibre {
    double mass;                    /* sum of its values */
    uint32_t free_mode;             /* the mode that is not fixed */
    uint32_t fixed[TRIB_MAX_MODES]; /* fixed[free_mode] is 0 */
    size_t first, n; /* its nonzeros: trib_fibre_cover.index and .value [first .. first+n-1] */
} trib_fibre;

/* Greedy cover of the nonzeros by fibres of largest residual mass (ties, within 1e-12 relative:
 * the last mode free first, then the smallest fixed indices). `{0}` is empty. */
typedef struct trib_fibre_cover {
    trib_fibre *fibre;    /* [n_fibres] in the order taken, masses descending */
    size_t n_fibres, cap; /* fibres used, of cap allocated */
    uint32_t *index;      /* [nnz] of the free mode */
    double *value;        /* [nnz] */
    size_t nnz;           /* nonzeros that the fibres hold */
    double rest;          /* sum of the values no fibre holds; 0 when nothing is left */
} trib_fibre_cover;

/* Takes at most `limit` fibres (0: until nothing is left); values that are not above 0 are left
 * out. The cover depends on the values alone, not on the order of the nonzeros. O(nnz n_modes
 * log(fibres)). TRIB_INPUT beyond 2^32-1 nonzeros times modes. */
trib_status trib_fibre_cover_build(trib_fibre_cover *cover, const trib_tensor *x, size_t limit,
                                   trib_error *error);
/* The same of nonzeros index[n][n_modes] below dim[n_modes], value[n], no two at one place,
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
