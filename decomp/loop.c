/* loop.c - the end of each iteration of a solver: the step of the trace, the decision to stop, the
 * state for a checkpoint. */
#include "decomp/loop.h"

const char *trib_stop_text(trib_stop stop) {
    static const char *const text[TRIB_N_STOPS] = {
        [TRIB_STOP_TOLERANCE] = "the fit no longer changes",
        [TRIB_STOP_KKT] = "the conditions of a minimum hold",
        [TRIB_STOP_ITERATIONS] = "the limit of iterations is reached",
        [TRIB_STOP_TIME] = "the limit of time is reached",
        [TRIB_STOP_EXACT] = "nothing is left to explain",
        [TRIB_STOP_ASKED] = "asked to stop",
        [TRIB_STOP_KL] = "the Kullback-Leibler divergence no longer changes",
    };
    return (unsigned)stop < TRIB_N_STOPS ? text[stop] : "unknown";
}

void trib_cp_trace_release(trib_cp_trace *trace) {
    trib_free(trace->step);
    *trace = (trib_cp_trace){0};
}

static trib_cp_step blank_step(void) {
    return (trib_cp_step){.fit = NAN, .objective = NAN, .kl = NAN, .kkt = NAN};
}

void trib_cp_loop_begin(trib_cp_loop *loop, const trib_cp_options *options, trib_cp_trace *trace) {
    *loop = (trib_cp_loop){.options = options,
                           .trace = trace,
                           .step = blank_step(),
                           .fit = NAN,
                           .kl = NAN,
                           .begun = trib_clock_seconds(&options->clock)};
    loop->mark = loop->begun;
    if (options->resume) {
        loop->n_done = options->resume->iteration;
        loop->fit = options->resume->fit;
    }
    if (trace) {
        trace->first = loop->n_done - (uint32_t)trace->n_steps;
        trace->single = options->single;
    }
}

bool trib_cp_loop_watched(const trib_cp_loop *loop) {
    return !loop->options->unmeasured && (loop->trace || loop->options->tolerance > 0);
}

bool trib_cp_loop_wants_kkt(const trib_cp_loop *loop) {
    return loop->options->kkt > 0 || loop->options->measure_kkt;
}

void trib_cp_loop_lap(trib_cp_loop *loop, double *phase) {
    const double now = trib_clock_seconds(&loop->options->clock);
    *phase += now - loop->mark;
    loop->mark = now;
}

/* Whether the loop ends after this iteration; sets loop->stop to the reason. */
static bool is_over(trib_cp_loop *loop, double change) {
    const trib_cp_options *options = loop->options;
    const double elapsed = loop->mark - loop->begun;
    /* The loop's own reasons come before a request to stop, so a decomposition ends in the same
     * iteration however often it was interrupted. */
    const bool asked = !trib_progress_tick(&options->progress, loop->n_done, options->iterations);
    bool over = true;
    if (options->tolerance > 0 && change < options->tolerance)
        loop->stop = isnan(loop->step.kl) ? TRIB_STOP_TOLERANCE : TRIB_STOP_KL;
    else if (options->kkt > 0 && loop->step.kkt <= options->kkt) loop->stop = TRIB_STOP_KKT;
    else if (loop->n_done >= options->iterations) loop->stop = TRIB_STOP_ITERATIONS;
    else if (options->time > 0 && elapsed >= options->time) loop->stop = TRIB_STOP_TIME;
    else if (asked) loop->stop = TRIB_STOP_ASKED;
    else over = false;
    return over;
}

/* How much the last iteration changed: the fit or, for apr, the divergence as a part of itself. A
 * divergence below a millionth of the sum of the values is as good as 0. */
static double last_change(const trib_cp_loop *loop) {
    const double before = isnan(loop->step.kl) ? loop->fit : loop->kl;
    if (isnan(before)) return INFINITY;
    if (isnan(loop->step.kl)) return fabs(loop->step.fit - before);
    return fabs(loop->step.kl - before) / fmax(fabs(before), 1e-6 * loop->total);
}

trib_status trib_cp_loop_step(trib_cp_loop *loop, trib_cp_state *state, bool *more,
                              trib_error *error) {
    const trib_cp_options *options = loop->options;
    trib_cp_trace *trace = loop->trace;
    trib_status status = TRIB_OK;
    const double change = last_change(loop);
    trib_cp_loop_lap(loop, &loop->step.other);
    loop->fit = loop->step.fit;
    loop->kl = loop->step.kl;
    loop->n_done++;
    *more = !is_over(loop, change);
    if (trace) {
        trace->stop = loop->stop;
        status = TRIB_GROW(&trace->step, &trace->cap, trace->n_steps + 1, "a trace", error);
        if (status == TRIB_OK) trace->step[trace->n_steps++] = loop->step;
    }
    loop->step = blank_step();
    if (status == TRIB_OK && state && options->hook.after) {
        state->part = options->part;
        state->iteration = loop->n_done;
        state->fit = loop->fit;
        state->step = trace ? trace->step : NULL;
        state->n_steps = trace ? trace->n_steps : 0;
        state->is_last = !*more;
        state->is_done = !*more && loop->stop != TRIB_STOP_ASKED && loop->stop != TRIB_STOP_TIME;
        status = options->hook.after(options->hook.context, state, error);
    }
    if (status != TRIB_OK) *more = false;
    return status;
}

/* ---- States ---------------------------------------------------------------------------------- */

trib_cp_state trib_cp_state_of(const trib_dense *dense, const double *lambda) {
    trib_cp_state state = {
        .n_modes = dense->n_modes, .rank = dense->rank, .stride = dense->stride, .lambda = lambda};
    for (uint32_t m = 0; m < dense->n_modes; m++) {
        state.dim[m] = dense->dim[m];
        state.factor[m] = dense->factor[m];
    }
    return state;
}

trib_status trib_cp_state_load(const trib_cp_state *state, trib_dense *dense, double *lambda,
                               double *const kept[], const size_t n_kept[], trib_error *error) {
    bool fits = state->n_modes == dense->n_modes && state->rank == dense->rank;
    for (uint32_t m = 0; fits && m < dense->n_modes; m++)
        fits = state->dim[m] == dense->dim[m] && state->n_kept[m] == n_kept[m];
    if (!fits)
        return trib_fail(error, TRIB_CONFIG,
                         "decomposition: the checkpoint is of another tensor, rank or solver; "
                         "start anew without it");
    memcpy(lambda, state->lambda, dense->rank * sizeof *lambda);
    for (uint32_t m = 0; m < dense->n_modes; m++) {
        for (uint32_t i = 0; i < dense->dim[m]; i++)
            memcpy(dense->factor[m] + i * dense->stride, state->factor[m] + i * state->stride,
                   dense->rank * sizeof(double));
        if (n_kept[m] > 0) memcpy(kept[m], state->kept[m], n_kept[m] * sizeof(double));
    }
    return TRIB_OK;
}
