/* cp.c - a decomposition from options to a normalised Kruskal tensor: checks, start, solver, restarts, what came out
 * zero, and the fit. */
#include "decomp/decomp.h"
#include "decomp/loop.h"

#include <math.h>
#include <string.h>

const trib_solver trib_solvers[] = {
    {"hals", "hierarchical alternating least squares: smallest squared error", trib_hals_solve,
     true},
    {"fibre", "greedy cover by fibres: exact, every component a phrase with one free word",
     trib_fibre_solve, false},
    {"apr", "alternating Poisson regression: smallest Kullback-Leibler divergence, for counts",
     trib_apr_solve, true},
    {NULL, NULL, NULL, false},
};

const trib_solver *trib_solver_find(const char *name) {
    const trib_solver *solver = trib_solvers;
    while (solver->name && strcmp(solver->name, name) != 0) solver++;
    return solver->name ? solver : NULL;
}

const char *trib_stop_text(trib_stop stop) {
    static const char *const text[TRIB_N_STOPS] = {
        [TRIB_STOP_TOLERANCE] = "the fit no longer changes",
        [TRIB_STOP_ITERATIONS] = "the limit of iterations is reached",
        [TRIB_STOP_EXACT] = "nothing is left to explain",
        [TRIB_STOP_ASKED] = "asked to stop",
    };
    return (unsigned)stop < TRIB_N_STOPS ? text[stop] : "unknown";
}

void trib_cp_trace_release(trib_cp_trace *trace) {
    trib_free(trace->step);
    *trace = (trib_cp_trace){0};
}

/* ---- The loop of the solvers ------------------------------------------------------------------------------------------- */

bool trib_cp_loop_watched(const trib_cp_loop *loop) {
    return loop->trace || loop->options->tolerance > 0;
}

trib_status trib_cp_loop_step(trib_cp_loop *loop, double fit, double objective, bool *more,
                              trib_error *error) {
    const trib_cp_options *options = loop->options;
    trib_cp_trace *trace = loop->trace;
    const double change = loop->n_done > 0 ? fabs(fit - loop->fit) : INFINITY;
    loop->fit = fit;
    loop->n_done++;
    *more = false;
    if (trace) {
        const trib_status status = trib_grow(&trace->step, &trace->cap, trace->n_steps + 1,
                                             sizeof *trace->step, "a trace", error);
        if (status != TRIB_OK) return status;
        trace->step[trace->n_steps++] = (trib_cp_step){fit, objective};
    }
    if (!trib_progress_tick(&options->progress, loop->n_done, options->iterations))
        loop->stop = TRIB_STOP_ASKED;
    else if (options->tolerance > 0 && change < options->tolerance)
        loop->stop = TRIB_STOP_TOLERANCE;
    else if (loop->n_done >= options->iterations) loop->stop = TRIB_STOP_ITERATIONS;
    else *more = true;
    if (trace) trace->stop = loop->stop;
    return TRIB_OK;
}

/* ---- One decomposition ------------------------------------------------------------------------------------------------- */

/* What is wrong with the options, or NULL. */
static const char *complaint(const trib_cp_options *options) {
    const trib_solver *solver = options->solver;
    if (options->rank == 0 && solver->needs_start) return "the rank must be at least 1";
    if (options->sweeps == 0) return "sweeps must be at least 1";
    if (options->iterations == 0) return "iterations must be at least 1";
    if (!(options->tolerance >= 0)) return "the tolerance must not be negative";
    if (options->restarts == 0) return "restarts must be at least 1";
    if (!(options->l1 >= 0 && isfinite(options->l1) && options->l2 >= 0 && isfinite(options->l2)))
        return "the penalties l1 and l2 must not be negative";
    if ((options->l1 > 0 || options->l2 > 0) && strcmp(solver->name, "hals") != 0)
        return "the penalties l1 and l2 need the solver hals";
    if (options->n_threads < 1) return "threads must be at least 1";
    return NULL;
}

/* One start and what the solver makes of it: normalised, ordered, without zero components. */
static trib_status decompose_once(trib_ktensor *k, const trib_tensor *x,
                                  const trib_cp_options *options, uint64_t seed,
                                  trib_cp_trace *trace, trib_error *error) {
    trib_status status = TRIB_OK;
    *k = (trib_ktensor){0};
    if (options->solver->needs_start) {
        status = trib_ktensor_init(k, x->n_modes, x->dim, options->rank, error);
        if (status == TRIB_OK) status = options->start->fill(k, x, seed, error);
    }
    if (status == TRIB_OK) status = options->solver->solve(k, x, options, trace, error);
    if (status == TRIB_OK) status = trib_ktensor_normalize(k, error);
    if (status == TRIB_OK) {
        const uint32_t n_zero = trib_ktensor_drop_zeros(k);
        if (trace) trace->n_zero = n_zero;
        if (isnan(k->fit)) status = trib_ktensor_fit(k, x, &k->fit, error);
    }
    if (status != TRIB_OK) trib_ktensor_release(k);
    return status;
}

static double last_objective(const trib_cp_trace *trace) {
    return trace->n_steps > 0 ? trace->step[trace->n_steps - 1].objective : INFINITY;
}

/* The start of smallest final objective; ties to the earliest. */
static trib_status best_of_restarts(trib_ktensor *k, const trib_tensor *x,
                                    const trib_cp_options *options, trib_cp_trace *trace,
                                    trib_error *error) {
    trib_status status = TRIB_OK;
    double worst_fit = INFINITY;
    uint32_t n = 0;
    *k = (trib_ktensor){0};
    while (status == TRIB_OK && n < options->restarts) {
        trib_ktensor k_next = {0};
        trib_cp_trace next = {0};
        status = decompose_once(&k_next, x, options, options->seed + n, &next, error);
        if (status == TRIB_OK && k_next.fit < worst_fit) worst_fit = k_next.fit;
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
        if (status == TRIB_OK && trace->stop == TRIB_STOP_ASKED) break;
    }
    trace->n_restarts = n;
    trace->worst_fit = worst_fit;
    return status;
}

trib_status trib_cp(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                    trib_cp_trace *trace, trib_error *error) {
    trib_cp_options full = *options;
    trib_cp_trace own = {0};
    trib_status status = TRIB_OK;
    *k = (trib_ktensor){0};
    if (trace) *trace = (trib_cp_trace){0};
    if (!full.solver) full.solver = &trib_solvers[0];
    if (!full.start) full.start = &trib_starts[0];
    const char *wrong = complaint(&full);
    if (!wrong && x->n_modes == 0) wrong = "the tensor has no modes";
    if (wrong) return trib_fail(error, TRIB_CONFIG, "decomposition: %s", wrong);
    if (!full.solver->needs_start || !full.start->seeded) full.restarts = 1;
    if (full.restarts > 1) {
        status = best_of_restarts(k, x, &full, trace ? trace : &own, error);
    } else {
        status = decompose_once(k, x, &full, full.seed, trace, error);
        if (trace) {
            trace->n_restarts = 1;
            trace->worst_fit = k->fit;
        }
    }
    if (status != TRIB_OK) {
        trib_ktensor_release(k);
        if (trace) trib_cp_trace_release(trace);
    }
    trib_cp_trace_release(&own);
    return status;
}
