/* method.c - what all methods of the table (methods.txt) share: checks of the case, the shortlist
 * of sources, checks of the result, its release. */
#include "base/internal.h"
#include "influence/evidence.h"
#include "influence/methods.h"

TRIB_FIND(trib_influence_method_find, trib_influence_method, trib_influence_methods);

/* A case that contradicts itself is an error of the calling program, hence TRIB_INTERNAL. */
static trib_status check_case(const trib_influence_method *method, const trib_influence_case *c,
                              trib_error *error) {
    if (c->target >= c->n_documents)
        return trib_fail(error, TRIB_INTERNAL, "%s: target %u of %zu documents", method->name,
                         c->target, c->n_documents);
    for (size_t s = 0; s < c->n_sources; s++)
        if (c->source[s] >= c->n_documents || (s > 0 && c->source[s] <= c->source[s - 1]))
            return trib_fail(error, TRIB_INTERNAL,
                             "%s: source %u of %zu documents is out of range or out of order",
                             method->name, c->source[s], c->n_documents);
    for (size_t s = 0; method->needs_order && s <= c->n_sources; s++) {
        const uint32_t d = s < c->n_sources ? c->source[s] : c->target;
        if (!c->document[d].sequence && c->document[d].n_ngrams > 0)
            return trib_fail(error, TRIB_INTERNAL, "%s: needs the n-grams of document %u in order",
                             method->name, d);
    }
    if (!method->needs_factors) return TRIB_OK;
    if (!c->factors || !c->distances)
        return trib_fail(error, TRIB_INTERNAL, "%s: needs factors and their distances",
                         method->name);
    if (c->distances->n_factors != c->factors->n || c->distances->n_documents != c->n_documents)
        return trib_fail(error, TRIB_INTERNAL,
                         "%s: distances of %zu factors to %zu documents, not %zu to %zu",
                         method->name, c->distances->n_factors, c->distances->n_documents,
                         c->factors->n, c->n_documents);
    return TRIB_OK;
}

/* Replaces values[n_listed] by an array of n_sources values: those of the listed sources at their
 * positions, 0 elsewhere. NULL stays NULL. */
static trib_status spread(double **values, const trib_influence *result, trib_error *error) {
    double *wide = NULL;
    if (!*values) return TRIB_OK;
    const trib_status status = TRIB_NEW(&wide, result->n_sources, "shares", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < result->n_listed; i++) wide[result->listed[i]] = (*values)[i];
    trib_free(*values);
    *values = wide;
    return TRIB_OK;
}

/* Measures the listed sources only. The others have no share, and each stands alone. */
static trib_status measure_listed(trib_influence *result, const trib_influence_case *c,
                                  const trib_influence_options *options, trib_error *error) {
    double **const values[] = {&result->share,      &result->low,       &result->high,
                               &result->weight,     &result->group_low, &result->group_high,
                               &result->group_share};
    trib_influence_case few = *c;
    uint32_t *source = NULL, *group = NULL;
    trib_status status = TRIB_NEW(&source, result->n_listed, "sources", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < result->n_listed; i++) source[i] = c->source[result->listed[i]];
    few.source = source;
    few.n_sources = result->n_sources = result->n_listed;
    status = result->method->measure(result, &few, options, error);
    result->n_sources = c->n_sources;
    for (size_t k = 0; k < sizeof values / sizeof *values && status == TRIB_OK; k++)
        status = spread(values[k], result, error);
    if (status == TRIB_OK && result->group) {
        status = TRIB_NEW(&group, c->n_sources, "groups", error);
        for (uint32_t s = 0; s < c->n_sources && status == TRIB_OK; s++) group[s] = s;
        for (size_t i = 0; i < result->n_listed && status == TRIB_OK; i++)
            group[result->listed[i]] = result->listed[result->group[i]];
        trib_free(result->group);
        result->group = group;
    }
    for (size_t i = 0; i < result->n_trace; i++)
        result->trace[i].source = result->listed[result->trace[i].source];
    trib_free(source);
    return status;
}

double trib_influence_group_share(const trib_influence *result, size_t s) {
    return result->group ? result->group_share[s] : result->share[s];
}

size_t trib_group_size(const trib_influence *result, size_t s) {
    size_t n = !result->group;
    for (size_t i = 0; result->group && i < result->n_sources; i++)
        n += result->group[i] == result->group[s];
    return n;
}

const char *trib_influence_fault(const trib_influence *r) {
    const double *const values[] = {r->share, r->low, r->high};
    const double numbers[] = {r->author,    r->own,     r->common,
                              r->explained, r->matched, r->log_likelihood};
    double sum = r->author + (isnan(r->formula) ? 0 : r->formula);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        for (size_t s = 0; values[k] && s < r->n_sources; s++)
            if (!isfinite(values[k][s]) || values[k][s] < 0)
                return k == 0 ? "a share is negative or not a number"
                              : "an end of an interval is negative or not a number";
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (isinf(numbers[k])) return "a part of the target is infinite";
    for (size_t s = 0; s < r->n_sources; s++) {
        sum += r->share[s];
        if (r->low && r->high && !(r->low[s] <= r->share[s] && r->share[s] <= r->high[s]))
            return "an interval does not contain its share";
        if (r->group && !(r->group[s] <= s && r->group[r->group[s]] == r->group[s]))
            return "a group is not numbered by its first member";
        if (r->group && !(r->group_share[s] >= r->share[s]))
            return "the share of a group is less than that of a member";
        if (r->group_low && r->group_high &&
            !(r->group_low[s] <= r->group_share[s] && r->group_share[s] <= r->group_high[s]))
            return "the interval of a group does not contain its share";
    }
    if (!isfinite(r->author)) return "the author's share is not a number";
    return r->method->sums_to_one && !(fabs(sum - 1) < 1e-6) ? "the shares do not sum to 1" : NULL;
}

/* Widens each interval to include its share: quantiles of few n-grams or few resamples may miss
 * it. */
static void include(double *low, double *high, const double *share, size_t n) {
    for (size_t s = 0; low && high && s < n; s++) {
        low[s] = fmin(low[s], share[s]);
        high[s] = fmax(high[s], share[s]);
    }
}

/* Sets the part of the formulas, for methods that count n-grams. */
static trib_status count_formulas(trib_influence *result, const trib_influence_case *c,
                                  trib_error *error) {
    TRIB_FREED(uint8_t *) formulas = NULL;
    uint64_t n = 0;
    if (result->method->needs_factors || result->method->reads & TRIB_READS_FOLDS ||
        !trib_formula_is_possible(c))
        return TRIB_OK;
    const trib_status status = trib_formula_find(&formulas, &n, c, error);
    const double total = (double)c->document[c->target].counts->total;
    result->formula = total > 0 ? (double)n / total : 0;
    return status;
}

trib_influence_options trib_influence_options_given(const trib_influence_method *method,
                                                    const trib_influence_options *options) {
    trib_influence_options given = {.n_threads = options->n_threads, .progress = options->progress};
    if (method->reads & TRIB_READS_THRESHOLD) given.threshold = options->threshold;
    if (method->reads & TRIB_READS_BACKGROUND) given.background = options->background;
    if (method->reads & TRIB_READS_BOOTSTRAP) given.bootstrap = options->bootstrap;
    if (method->reads & TRIB_READS_BOOTSTRAP) given.seed = options->seed;
    if (method->reads & TRIB_READS_RUN) given.run = options->run;
    if (method->takes_shortlist) given.shortlist = options->shortlist;
    return given;
}

trib_status trib_influence_measure(trib_influence *result, const trib_influence_method *method,
                                   const trib_influence_case *whole,
                                   const trib_influence_options *all, trib_error *error) {
    const trib_influence_options given = trib_influence_options_given(method, all);
    const trib_influence_options *const options = &given;
    trib_influence_case own = *whole;
    const trib_influence_case *const c = &own;
    *result = (trib_influence){.method = method,
                               .target = c->target,
                               .n_sources = c->n_sources,
                               .author = NAN,
                               .formula = NAN,
                               .own = NAN,
                               .common = NAN,
                               .explained = NAN,
                               .matched = NAN,
                               .log_likelihood = NAN};
    trib_status status = check_case(method, c, error);
    if (status != TRIB_OK) goto done;
    status = TRIB_NEW(&result->source, c->n_sources, "sources", error);
    if (status != TRIB_OK) goto done;
    status = TRIB_NEW(&result->share, c->n_sources, "shares", error);
    if (status != TRIB_OK) goto done;
    for (size_t s = 0; s < c->n_sources; s++) result->source[s] = c->source[s];
    status = trib_shortlist_make(result, c, options->shortlist, error);
    if (status != TRIB_OK) goto done;
    status = result->n_listed < c->n_sources ? measure_listed(result, c, options, error)
                                             : method->measure(result, c, options, error);
    if (status == TRIB_OK) status = count_formulas(result, c, error);
    if (status != TRIB_OK) goto done;
    include(result->low, result->high, result->share, result->n_sources);
    include(result->group_low, result->group_high, result->group_share, result->n_sources);
    const char *fault = trib_influence_fault(result);
    if (fault)
        status =
            trib_fail(error, TRIB_INTERNAL, "%s: target %u: %s", method->name, c->target, fault);
done:
    if (status != TRIB_OK) trib_influence_release(result);
    return status;
}

void trib_influence_release(trib_influence *result) {
    for (size_t s = 0; s < result->n_passages; s++) trib_passages_release(&result->passages[s]);
    TRIB_FREE(result->source, result->share, result->low, result->high, result->listed,
              result->split, result->weight, result->mix, result->credit, result->trace,
              result->group, result->group_share, result->group_low, result->group_high,
              result->twin, result->passages);
    *result = (trib_influence){0};
}

/* ---- Shortlist ------------------------------------------------------------------------------- */

/* Chooses the sources to weigh when there are hundreds: those with the largest shares by `split`. A
 * source that was copied from holds n-grams that few other documents hold, so its share by `split`
 * is large. Beyond the first few dozen sources, the shares differ by chance only (docs/model.md
 * section 8). */

typedef struct candidate {
    double share;
    uint32_t position;
} candidate;

/* Descending share, ties by position. */
TRIB_ORDER(by_share, candidate, TRIB_DOWN(share) ?: TRIB_UP(position));

/* Computes result->split and ->split_author. */
static trib_status measure_split(trib_influence *result, const trib_influence_case *c,
                                 trib_error *error) {
    trib_influence split = {.n_sources = c->n_sources};
    trib_status status = TRIB_NEW(&split.share, c->n_sources, "the shortlist", error);
    if (status == TRIB_OK) status = trib_split_measure(&split, c, NULL, error);
    result->split = split.share;
    result->split_author = split.author;
    return status;
}

trib_status trib_shortlist_make(trib_influence *result, const trib_influence_case *c, uint32_t most,
                                trib_error *error) {
    const size_t n = most > 0 && most < c->n_sources ? most : c->n_sources;
    TRIB_FREED(candidate *) candidates = NULL;
    trib_status status = TRIB_NEW(&result->listed, n, "the shortlist", error);
    uint32_t *listed = result->listed;
    for (size_t s = 0; status == TRIB_OK && s < n; s++) listed[s] = (uint32_t)s;
    if (status == TRIB_OK && n < c->n_sources) {
        status = measure_split(result, c, error);
        if (status == TRIB_OK) status = TRIB_NEW(&candidates, c->n_sources, "the shortlist", error);
        for (size_t s = 0; status == TRIB_OK && s < c->n_sources; s++)
            candidates[s] = (candidate){result->split[s], (uint32_t)s};
        if (status == TRIB_OK) qsort(candidates, c->n_sources, sizeof *candidates, by_share);
        for (size_t s = 0; status == TRIB_OK && s < n; s++) listed[s] = candidates[s].position;
        if (status == TRIB_OK) qsort(listed, n, sizeof *listed, trib_by_uint32);
    }
    result->n_listed = status == TRIB_OK ? n : 0;
    return status;
}
