/* rank.c - chooses the number of components: it doubles the rank, starting each decomposition from
 * the previous one, until a doubling gains little (docs/model.md section 3, after [L]). */
#include "base/internal.h"
#include "decomp/decomp.h"
#include "decomp/loop.h"

#include <math.h>

#define LEAST_GAIN 0.02 /* relative reduction of the error by a doubling */
#define CLOSE      0.2  /* [L]: an error below this is small enough */

const char *trib_rank_end_text(trib_rank_end end) {
    static const char *const text[TRIB_N_RANK_ENDS] = {
        [TRIB_RANK_GAIN] = "doubling it gained less than 2 % of the error",
        [TRIB_RANK_WORSE] = "a larger one had a larger error",
        [TRIB_RANK_CLOSE] = "the error is below 20 %",
        [TRIB_RANK_NONZEROS] = "a third of the nonzeros is reached",
        [TRIB_RANK_LIMIT] = "the limit of ranks is reached",
        [TRIB_RANK_ASKED] = "asked to stop",
    };
    return (unsigned)end < TRIB_N_RANK_ENDS ? text[end] : "unknown";
}

uint32_t trib_rank_first(size_t nnz, uint32_t n_modes) {
    const double d = trib_root((double)nnz, n_modes);
    const double first = ceil((double)nnz / (n_modes * d - n_modes + 1) - 1e-9);
    return first < 1 ? 1 : first > UINT32_MAX ? UINT32_MAX : (uint32_t)first;
}

void trib_rank_search_release(trib_rank_search *search) {
    trib_free(search->step);
    *search = (trib_rank_search){0};
}

static trib_status note_step(trib_rank_search *search, const trib_ktensor *k, uint32_t rank,
                             const trib_tensor *x, size_t n_iterations, trib_error *error) {
    trib_status status =
        TRIB_GROW(&search->step, &search->cap, search->n + 1, "a rank search", error);
    if (status != TRIB_OK) return status;
    trib_rank_step *step = &search->step[search->n++];
    *step = (trib_rank_step){.rank = rank,
                             .n_components = k->rank,
                             .error = 1 - k->fit,
                             .l1_error = trib_ktensor_l1_error(k, x),
                             .n_iterations = n_iterations};
    return trib_core_consistency(k, x, &step->core_consistency, error);
}

/* Whether the search ends with the last step, and why. search->chosen is the step with the smallest
 * error. */
static bool is_last(trib_rank_search *search, const trib_cp_trace *trace, uint32_t most,
                    size_t nnz) {
    const trib_rank_step *step = &search->step[search->n - 1];
    const trib_rank_step *last = search->n > 1 ? &search->step[search->chosen] : NULL;
    const double before = last ? last->error : INFINITY;
    const bool doubled = last && step->rank == 2 * last->rank;
    if (step->error > before) {
        search->end = trace->stop == TRIB_STOP_ASKED ? TRIB_RANK_ASKED : TRIB_RANK_WORSE;
        return true;
    }
    search->chosen = search->n - 1;
    if (trace->stop == TRIB_STOP_ASKED) search->end = TRIB_RANK_ASKED;
    else if (step->error < CLOSE) search->end = TRIB_RANK_CLOSE;
    else if (doubled && before - step->error < LEAST_GAIN * before) search->end = TRIB_RANK_GAIN;
    else if (step->rank >= nnz / 3) search->end = TRIB_RANK_NONZEROS;
    else if (step->rank >= most) search->end = TRIB_RANK_LIMIT;
    else return false;
    return true;
}

trib_status trib_cp_search(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           uint32_t most, trib_rank_search *search, trib_cp_trace *trace,
                           trib_error *error) {
    trib_cp_options next = trib_cp_with_defaults(options);
    const size_t third = x->nnz / 3 > 0 ? x->nnz / 3 : 1;
    *k = (trib_ktensor){0};
    *search = (trib_rank_search){0};
    *trace = (trib_cp_trace){0};
    if (most == 0) return trib_fail(error, TRIB_CONFIG, "the largest rank must be at least 1");
    if (third < most) most = (uint32_t)third;
    next.rank = trib_rank_first(x->nnz, x->n_modes);
    for (bool more = true; more;) {
        trib_ktensor better = {0};
        trib_cp_trace its = {0};
        if (next.rank > most) next.rank = most;
        trib_status status = trib_cp(&better, x, &next, &its, error);
        if (status == TRIB_OK)
            status = note_step(search, &better, next.rank, x, its.n_steps, error);
        if (status != TRIB_OK) {
            trib_ktensor_release(&better);
            trib_cp_trace_release(&its);
            trib_ktensor_release(k);
            trib_cp_trace_release(trace);
            trib_rank_search_release(search);
            return status;
        }
        more = !is_last(search, &its, most, x->nnz);
        if (search->chosen + 1 == search->n) {
            trib_ktensor_release(k);
            trib_cp_trace_release(trace);
            *k = better;
            *trace = its;
        } else {
            trib_ktensor_release(&better);
            trib_cp_trace_release(&its);
        }
        next.from = k;
        next.part = search->n == 1 ? options->part + next.restarts : next.part + 1;
        next.rank = next.rank > most / 2 ? most : 2 * next.rank;
    }
    return TRIB_OK;
}
