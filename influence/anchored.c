/* anchored.c - the method `anchored`. It fits a mixture to the target's n-gram counts. Its
 * components are each source's own n-grams, the language common to all documents, and the author's
 * own language. The weight of a source is its share (docs/model.md section 5; mixture.h describes
 * the model). */
#include "influence/methods.h"
#include "influence/mixture.h"

#include <math.h>

/* Limit for cached products of the background's factors. */
static const size_t max_cached_bytes = (size_t)256 << 20;

/* The number of background components B: that of the case's background, else the option, else the
 * rule of docs/model.md section 5. */
static uint32_t n_components(const trib_influence_case *c, const trib_influence_options *options) {
    if (c->background) return c->background->n;
    if (options->background >= 0) return (uint32_t)options->background;
    const double n_words = (double)c->document[c->target].n_words;
    const double rule = rint(0.3 * sqrt(n_words * (double)c->n_sources));
    return rule < 1 ? 1 : rule > INT32_MAX ? INT32_MAX : (uint32_t)rule;
}

/* Fitting the background is the first half of the progress of a measurement, the EM the second
 * half. `context` is the caller's trib_progress. */
static bool tick_first_half(void *context, double done, double total) {
    return trib_progress_tick(context, total > 0 ? done / total / 2 : 0, 1);
}

static bool tick_second_half(void *context, double done, double total) {
    return trib_progress_tick(context, (1 + done / total) / 2, 1);
}

static trib_status add_intervals(trib_influence *result, const trib_mixture *x,
                                 const trib_influence_options *options, trib_error *error) {
    trib_status status = TRIB_NEW(&result->low, x->n_sources, "intervals", error);
    if (status == TRIB_OK) status = TRIB_NEW(&result->high, x->n_sources, "intervals", error);
    if (status != TRIB_OK) return status;
    return trib_mixture_intervals(result, x, options->bootstrap, options->seed, options->n_threads,
                                  error);
}

/* Finds the groups of sources by what the fit credits to each: T(z) pi_s P_s(z) / mix(z). */
static trib_status find_groups(trib_influence *result, const trib_mixture *x, trib_error *error) {
    const trib_overlap *overlap = &x->overlap;
    double *credit = NULL;
    const trib_status status =
        TRIB_NEW(&credit, overlap->start[overlap->n_entries], "groups", error);
    if (status != TRIB_OK) return status;
    for (size_t h = 0; h < overlap->start[overlap->n_entries]; h++) {
        const trib_shared_ngram *z = &overlap->shared[h];
        credit[h] = overlap->count[z->entry] * x->last_weight[z->document] * z->frequency /
                    x->mix[z->entry];
    }
    const trib_status found = trib_groups_find(result, x->target, overlap, credit, error);
    trib_free(credit);
    return found;
}

/* Copies the other fitted weights into the result. The arrays that evidence needs move from `x`
 * into the result, which then owns them. */
static void report(trib_influence *result, trib_mixture *x) {
    result->own = x->own_weight;
    result->common = 0;
    for (uint32_t b = 0; b < x->background.n; b++) result->common += x->background_weight[b];
    result->author = result->own + result->common;
    result->n_iterations = x->n_rounds;
    result->log_likelihood = x->log_likelihood;
    result->weight = x->last_weight;
    result->mix = x->mix;
    x->last_weight = x->mix = NULL;
}

trib_status trib_anchored_measure(trib_influence *result, const trib_influence_case *c,
                                  const trib_influence_options *options, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    trib_progress whole = options->progress;
    const trib_progress first = {tick_first_half, &whole}, second = {tick_second_half, &whole};
    trib_mixture x;
    result->background = n_components(c, options);
    trib_status status =
        trib_mixture_init(&x, c, result->background, options->n_threads, &first, error);
    if (status != TRIB_OK) return status;
    if (target->counts->total == 0) { /* an empty target is wholly its author's */
        x.own_weight = 1;
    } else {
        status = trib_mixture_fit(&x, max_cached_bytes, options->n_threads, &second, error);
        for (size_t s = 0; s < c->n_sources; s++) result->share[s] = x.source_weight[s];
        if (status == TRIB_OK) status = find_groups(result, &x, error);
        if (status == TRIB_OK && options->bootstrap > 0 && target->sequence)
            status = add_intervals(result, &x, options, error);
    }
    if (status == TRIB_OK) report(result, &x);
    trib_mixture_release(&x);
    return status;
}
