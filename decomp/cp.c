/* cp.c - computes a decomposition from options: checks them, makes the start, calls the solver,
 * repeats this for restarts, normalises the result, removes zero components and computes the fit.
 */
#include "base/internal.h"
#include "decomp/loop.h"
#include "decomp/nonzeros.h"

#include <float.h>

const trib_solver trib_solvers[] = {
    {"hals", "hierarchical alternating least squares: smallest squared error",
     .rows = &trib_hals_rows, .needs_start = true, .extrapolates = true},
    {"ccd", "as hals, with inner sweeps until the columns hardly change", .rows = &trib_ccd_rows,
     .needs_start = true, .extrapolates = true},
    {"mu", "multiplicative updates for the squared error", .rows = &trib_mu_rows,
     .needs_start = true},
    {"bpp", "block principal pivoting: every row solved to the end, for the squared error",
     .rows = &trib_bpp_rows, .needs_start = true, .extrapolates = true},
    {"admm", "alternating direction method of multipliers, for the squared error",
     .rows = &trib_admm_rows, .needs_start = true},
    {"als", "least squares with factors of any sign: the baseline for the other solvers",
     .rows = &trib_als_rows, .needs_start = true, .negative = true},
    {"fibre", "greedy cover by fibres: exact, every component a phrase with one free word",
     .solve = trib_fibre_solve},
    {"apr", "alternating Poisson regression: smallest Kullback-Leibler divergence, for counts",
     .solve = trib_apr_solve, .needs_start = true},
    {.name = NULL},
};

TRIB_FIND(trib_solver_find, trib_solver, trib_solvers);

/* In a tensor without many zeros, the largest fibres are all those of one component. Where no
 * factor is bounded by 0, it takes hundreds of iterations to leave such a start. */
static bool misleads_by_fibres(const trib_tensor *x) {
    double cells = 1;
    for (uint32_t m = 0; m < x->n_modes; m++) cells *= x->dim[m];
    return 2 * (double)x->nnz >= cells;
}

static trib_cp_options with_defaults(const trib_cp_options *options, const trib_tensor *x) {
    trib_cp_options full = options ? *options : (trib_cp_options){0};
    if (!full.solver) full.solver = &trib_solvers[0];
    if (!full.start)
        full.start = trib_start_find(strcmp(full.solver->name, "apr") == 0            ? "greedy"
                                     : full.solver->negative && misleads_by_fibres(x) ? "random"
                                                                                      : "energy");
    if (full.rank == 0 && full.solver->needs_start) full.rank = TRIB_CP_RANK;
    if (full.sweeps == 0) full.sweeps = TRIB_CP_SWEEPS;
    if (full.iterations == 0) full.iterations = TRIB_CP_ITERATIONS;
    if (full.restarts == 0) full.restarts = 1;
    if (full.n_threads == 0) full.n_threads = 1;
    return full;
}

/* ---- Values whose squares overflow or vanish ------------------------------------------------- */

/* A tensor in place of another, whose values are those of the other one times 2^-exponent, and
 * negated if asked. `{0}` is none. */
typedef struct substitute {
    trib_tensor x;
    trib_hacoo table;
    double *value; /* [x.nnz] */
    trib_ktensor from;
    int exponent;
    bool negates;
} substitute;

static void substitute_release(substitute *s) {
    trib_tensor_release(&s->x);
    trib_hacoo_release(&s->table);
    trib_ktensor_release(&s->from);
    trib_free(s->value);
}

static trib_status build_substitute(substitute *s, const trib_tensor *x, trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    double value;
    trib_status status = TRIB_NEW(&s->value, x->nnz, "a scaled tensor", error);
    if (status == TRIB_OK)
        status = trib_hacoo_init(&s->table, x->n_modes, x->dim,
                                 &(trib_hacoo_options){.expected = x->nnz}, error);
    for (size_t e = 0; status == TRIB_OK && e < x->nnz; e++) {
        trib_tensor_read(x, e, 1, index, &value);
        s->value[e] = ldexp(s->negates ? -value : value, -s->exponent);
        status = trib_hacoo_add(&s->table, index, 1, error);
    }
    if (status != TRIB_OK) return status;
    return trib_tensor_build_cut(&s->x, x->format, x->cut, &s->table, s->value, x->n_threads,
                                 error);
}

/* Changes the penalties and the start to the scale of the substitute: with the scale shared among n
 * free modes, an entry of a factor is multiplied by c^(1/n), and the objective by c^2. */
static trib_status scale_options(substitute *s, trib_cp_options *options, uint32_t n_modes,
                                 trib_error *error) {
    static const double most = 0x1p500; /* beyond any value: everything becomes 0 */
    uint32_t n = 0;
    for (uint32_t m = 0; m < n_modes; m++) n += !(options->fixed >> m & 1);
    for (uint32_t m = 0; m < n_modes; m++) {
        double *const l1 = &options->l1[m], *const l2 = &options->l2[m];
        if (*l1 > 0) *l1 = fmin(most, *l1 * exp2(-s->exponent * (2 - 1. / n)));
        if (*l2 > 0) *l2 = fmin(most, *l2 * exp2(-s->exponent * (2 - 2. / n)));
    }
    if (!options->from) return TRIB_OK;
    const trib_status status = trib_ktensor_copy(&s->from, options->from, error);
    for (uint32_t r = 0; status == TRIB_OK && r < s->from.rank; r++)
        s->from.lambda[r] = ldexp(s->from.lambda[r], -s->exponent);
    options->from = &s->from;
    return status;
}

/* Puts a substitute in the place of *x, where that needs one. */
static trib_status substitute_open(substitute *s, const trib_tensor **x, trib_cp_options *options,
                                   trib_error *error) {
    bool is_negative;
    *s = (substitute){.exponent = trib_tensor_exponent(*x, &is_negative)};
    s->negates = is_negative && options->solver->negative;
    if (s->exponent == TRIB_NOT_FINITE)
        return trib_fail(error, TRIB_INPUT, "the tensor has a value that is not a finite number");
    if (s->exponent == 0 && !s->negates) return TRIB_OK;
    trib_status status = build_substitute(s, *x, error);
    if (status == TRIB_OK) status = scale_options(s, options, (*x)->n_modes, error);
    *x = &s->x;
    return status;
}

/* Brings a decomposition of the substitute, and the objectives of its trace, to the scale of the
 * tensor itself, and releases the substitute. Returns `status`, or an error if a weight is out of
 * range. */
static trib_status substitute_close(substitute *s, trib_ktensor *k, const trib_solver *solver,
                                    trib_cp_trace *trace, trib_status status, trib_error *error) {
    const int squared = solver->solve == trib_apr_solve ? s->exponent : 2 * s->exponent;
    if (s->exponent == 0 && !s->negates) return status;
    for (uint32_t r = 0; status == TRIB_OK && r < k->rank; r++) {
        k->lambda[r] = ldexp(k->lambda[r], s->exponent);
        for (uint32_t i = 0; s->negates && i < k->dim[0]; i++)
            k->factor[0][(size_t)i * k->rank + r] *= -1;
        if (!isfinite(k->lambda[r]))
            status = trib_fail(error, TRIB_INPUT,
                               "the values of component %u add up to more than the largest number, "
                               "%.1e; divide all values of the tensor by 1000 or more",
                               r + 1, DBL_MAX);
    }
    if (status == TRIB_OK) {
        const uint32_t n_zero = trib_ktensor_drop_zeros(k);
        if (trace) trace->n_zero += n_zero;
    }
    for (size_t i = 0; status == TRIB_OK && trace && i < trace->n_steps; i++) {
        trace->step[i].objective = ldexp(trace->step[i].objective, squared);
        trace->step[i].kl = ldexp(trace->step[i].kl, squared);
    }
    substitute_release(s);
    return status;
}

uint32_t trib_rank_first(size_t nnz, uint32_t n_modes) {
    if (nnz == 0) return 1;
    const double d = trib_root((double)nnz, n_modes);
    const double first = ceil((double)nnz / (n_modes * d - n_modes + 1) - 1e-9);
    return first < 1 ? 1 : first > UINT32_MAX ? UINT32_MAX : (uint32_t)first;
}

uint32_t trib_rank_in_budget(size_t nnz) {
    enum { BUDGET = 200000, LEAST = 50 };
    return (uint32_t)fmax(LEAST, fmin(BUDGET / fmax(1, (double)nnz), TRIB_CP_RANK));
}

/* ---- One decomposition ----------------------------------------------------------------------- */

static bool is_penalty(double x) { return x >= 0 && isfinite(x); }

/* Returns the first error in the options for this tensor, or NULL. */
static const char *option_error(const trib_cp_options *options, const trib_tensor *x) {
    const uint32_t n_modes = x->n_modes;
    const trib_solver *solver = options->solver;
    const uint32_t all = (1U << n_modes) - 1;
    bool penalties = true, penalised = false, l1 = false;
    for (uint32_t m = 0; m < n_modes; m++) {
        penalties = penalties && is_penalty(options->l1[m]) && is_penalty(options->l2[m]);
        l1 = l1 || options->l1[m] > 0;
        penalised = penalised || options->l1[m] > 0 || options->l2[m] > 0;
    }
    if (n_modes == 0) return "the tensor has no modes";
    if (!(options->tolerance >= 0)) return "the tolerance must not be negative";
    if (!(options->kkt >= 0)) return "the limit of the KKT residual must not be negative";
    if (!(options->time >= 0)) return "the limit of time must not be negative";
    if (options->time > 0 && !options->clock.read) return "a limit of time needs a clock";
    if (options->unmeasured &&
        (solver->solve != trib_apr_solve || options->tolerance > 0 || options->restarts > 1))
        return "only apr with one start and no tolerance can do without the fit";
    if (!(options->lift >= 0 && options->lift < 1)) return "lift must be at least 0 and below 1";
    if (!penalties) return "the penalties l1 and l2 must not be negative";
    if (l1 && solver->negative) return "the penalty l1 needs a nonnegative solver";
    if (penalised && !solver->rows) return "the penalties l1 and l2 need a least-squares solver";
    if (options->single && !solver->rows && !(options->unmeasured && options->lift == 0))
        return "single precision needs a least-squares solver, or apr without fit and lift";
    if (options->single && solver->rows && !x->format->mttkrp_single)
        return "single precision needs the tensor in a format that offers it: tensor.format rows";
    if (options->extrapolation && !solver->extrapolates)
        return "extrapolation needs the solver hals, ccd or bpp";
    if (options->fixed && !solver->rows) return "fixed modes need a least-squares solver";
    if (options->missing && !solver->rows) return "missing cells need a least-squares solver";
    if (options->fixed & ~all) return "a mode that is fixed does not exist";
    if (options->fixed == all) return "every mode is fixed: nothing is left to fit";
    if (options->n_threads < 0) return "the number of threads must not be negative";
    return NULL;
}

/* Copies the steps before a checkpoint into the trace. */
static trib_status copy_steps(trib_cp_trace *trace, const trib_cp_state *state, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&trace->step, &trace->cap, state->n_steps, "a trace", error);
    if (status != TRIB_OK) return status;
    memcpy(trace->step, state->step, state->n_steps * sizeof *trace->step);
    trace->n_steps = state->n_steps;
    return TRIB_OK;
}

trib_status trib_cp_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                          trib_cp_trace *trace, trib_error *error) {
    const trib_cp_options full = with_defaults(options, x);
    const trib_solver *solver = full.solver;
    const trib_cp_state *resume = full.resume;
    trib_status status = TRIB_OK;
    if (trace) *trace = (trib_cp_trace){0};
    if (trace && resume && resume->n_steps > 0 && resume->n_steps <= resume->iteration)
        status = copy_steps(trace, resume, error);
    if (status != TRIB_OK) return status;
    return (solver->rows ? trib_als_solve : solver->solve)(k, x, &full, trace, error);
}

/* Computes part `part`, one start and its solution: normalised, ordered, without zero
 * components. */
static trib_status decompose_once(trib_ktensor *k, const trib_tensor *x,
                                  const trib_cp_options *asked, uint32_t part, trib_cp_trace *trace,
                                  trib_error *error) {
    trib_cp_options one = *asked;
    const trib_cp_options *options = &one;
    const uint64_t seed = asked->seed + part;
    trib_status status = TRIB_OK;
    one.part += part;
    if (one.resume && one.resume->part != one.part) one.resume = NULL;
    const bool exactly = options->from && options->exactly;
    *k = (trib_ktensor){0};
    if (options->solver->needs_start && exactly) {
        status = trib_ktensor_copy(k, options->from, error);
        k->fit = NAN;
    } else if (options->solver->needs_start) {
        status = trib_ktensor_init(k, x->n_modes, x->dim, options->rank, error);
        if (status == TRIB_OK && !options->resume)
            status = options->from ? trib_start_from(k, x, options->from, error)
                                   : options->start->fill(k, x, seed, error);
        if (status == TRIB_OK && options->solver->negative && !options->resume)
            status = trib_start_admit_negative(k, x, error);
    }
    if (status == TRIB_OK) status = trib_cp_solve(k, x, options, trace, error);
    if (status == TRIB_OK) status = trib_ktensor_normalize(k, error);
    if (status == TRIB_OK) {
        const uint32_t n_zero = trib_ktensor_drop_zeros(k);
        if (trace) trace->n_zero = n_zero;
        if (isnan(k->fit) && !options->unmeasured) status = trib_ktensor_fit(k, x, &k->fit, error);
        if (status == TRIB_OK && !isfinite(k->fit) && !options->unmeasured)
            status = trib_fail(error, TRIB_INTERNAL,
                               "the fit is %g: numbers overflowed in the solver %s; scale the "
                               "values of the tensor, or choose another solver",
                               k->fit, options->solver->name);
    }
    if (status != TRIB_OK) trib_ktensor_release(k);
    return status;
}

static double last_objective(const trib_cp_trace *trace) {
    return trace->n_steps > 0 ? trace->step[trace->n_steps - 1].objective : INFINITY;
}

/* Chooses the start with the smallest final objective; ties go to the earliest. */
static trib_status best_of_restarts(trib_ktensor *k, const trib_tensor *x,
                                    const trib_cp_options *options, trib_cp_trace *trace,
                                    trib_error *error) {
    trib_status status = TRIB_OK;
    trib_ktensor before = {0};
    double worst_fit = NAN, sum = 0, least = NAN;
    uint32_t n = 0;
    bool asked = false; /* whether a stop was requested during the last restart */
    *k = (trib_ktensor){0};
    while (status == TRIB_OK && !asked && n < options->restarts) {
        trib_ktensor k_next = {0};
        trib_cp_trace next = {0};
        double match = NAN;
        status = decompose_once(&k_next, x, options, n, &next, error);
        asked = next.stop == TRIB_STOP_ASKED;
        if (status == TRIB_OK) worst_fit = fmin(worst_fit, k_next.fit);
        if (status == TRIB_OK && n > 0)
            status = trib_ktensor_match(&before, &k_next, &match, error);
        if (status == TRIB_OK && n > 0) {
            sum += match;
            least = fmin(least, match);
        }
        trib_ktensor_release(&before);
        if (status == TRIB_OK) status = trib_ktensor_copy(&before, &k_next, error);
        const bool better =
            status == TRIB_OK && (n == 0 || last_objective(&next) < last_objective(trace));
        if (better) {
            trib_ktensor_release(k);
            trib_cp_trace_release(trace);
            *k = k_next;
            *trace = next;
        } else {
            trib_ktensor_release(&k_next);
            trib_cp_trace_release(&next);
        }
        n++;
    }
    trib_ktensor_release(&before);
    if (asked) trace->stop = TRIB_STOP_ASKED;
    trace->n_restarts = n;
    trace->worst_fit = worst_fit;
    trace->mean_match = n > 1 ? sum / (n - 1) : (double)NAN;
    trace->least_match = least;
    return status;
}

trib_status trib_cp(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                    trib_cp_trace *trace, trib_error *error) {
    trib_cp_options full = with_defaults(options, x);
    TRIB_OWNED(trib_cp_trace) own = {0};
    substitute s;
    trib_status status = TRIB_OK;
    *k = (trib_ktensor){0};
    if (trace) *trace = (trib_cp_trace){0};
    const char *wrong = option_error(&full, x);
    if (wrong) return trib_fail(error, TRIB_CONFIG, "decomposition: %s", wrong);
    if (full.rank == TRIB_RANK_LOWE) full.rank = trib_rank_first(x->nnz, x->n_modes);
    if (full.rank == TRIB_RANK_BUDGET) full.rank = trib_rank_in_budget(x->nnz);
    if (!full.solver->needs_start || !full.start->seeded || full.from) full.restarts = 1;
    status = substitute_open(&s, &x, &full, error);
    if (status != TRIB_OK) {
        substitute_release(&s);
        return status;
    }
    if (full.restarts > 1) {
        status = best_of_restarts(k, x, &full, trace ? trace : &own, error);
    } else {
        status = decompose_once(k, x, &full, 0, trace, error);
        if (trace) {
            trace->n_restarts = 1;
            trace->worst_fit = k->fit;
            trace->mean_match = trace->least_match = NAN;
        }
    }
    status = substitute_close(&s, k, full.solver, trace, status, error);
    if (status != TRIB_OK) {
        trib_ktensor_release(k);
        if (trace) trib_cp_trace_release(trace);
    }
    return status;
}
