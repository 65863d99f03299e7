/* matches.c - the part of influence.json about factors: the pairs of matched factors, their
 * distances, and the shares at other thresholds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/output/result.h"

enum { N_BINS = 40, N_THRESHOLDS = 101, TOP_WORDS = 5, TOP_PHRASES = 5 };
#define LARGEST_DISTANCE 2.0

/* The nearest and second nearest admissible source of one factor of a target. */
typedef struct match {
    size_t factor;
    double weight;
    uint32_t source, next; /* numbers in target->about->source; next == n_sources: none */
} match;

static double distance_to(const trib_run_results *results, const trib_target_results *target,
                          size_t factor, uint32_t s) {
    return results->distances->nearest
        .nearest[factor * results->distances->nearest.n_documents + target->about->source[s]];
}

static match match_of(const trib_run_results *results, const trib_target_results *target,
                      size_t factor, double mass) {
    const uint32_t none = target->about->n_sources;
    match m = {factor, mass > 0 ? results->distances->factors.lambda[factor] / mass : 0, none,
               none};
    for (uint32_t s = 0; s < target->about->n_sources; s++) {
        const double d = distance_to(results, target, factor, s);
        if (m.source == none || d < distance_to(results, target, factor, m.source)) {
            m.next = m.source;
            m.source = s;
        } else if (m.next == none || d < distance_to(results, target, factor, m.next)) {
            m.next = s;
        }
    }
    return m;
}

/* Sorts by descending weight, then by number. */
static int by_weight(const void *a, const void *b) {
    const match *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return x->factor < y->factor ? -1 : x->factor > y->factor;
}

/* ---- The words of a factor ------------------------------------------------------------------- */

/* Lists the TOP_WORDS words with the largest values in one vector, found by insertion in descending
 * order, and those of at least `least`. Appends the number of words in the vector to the list
 * `n_words`. */
static json_t *strongest_words(const trib_run_results *results, size_t factor, uint32_t mode,
                               double least, json_t *n_words) {
    const trib_factors *f = &results->distances->factors;
    const size_t first = f->start[factor * f->n_modes + mode],
                 end = f->start[factor * f->n_modes + mode + 1];
    size_t top[TOP_WORDS], n = 0;
    json_t *words = json_array();
    for (size_t i = first; i < end; i++) {
        size_t at = n < TOP_WORDS ? n++ : TOP_WORDS;
        if (at == TOP_WORDS && f->value[top[TOP_WORDS - 1]] >= f->value[i]) continue;
        if (at == TOP_WORDS) at--;
        for (; at > 0 && f->value[top[at - 1]] < f->value[i]; at--) top[at] = top[at - 1];
        top[at] = i;
    }
    for (size_t i = 0; i < n && f->value[top[i]] >= least; i++)
        json_array_append_new(
            words, json_pack("[s, f]", results->vocab->word[f->word[top[i]]], f->value[top[i]]));
    json_array_append_new(n_words, json_integer((json_int_t)(end - first)));
    return words;
}

/* An n-gram that both texts contain, and its mass under the factor. */
typedef struct shared_ngram {
    size_t entry; /* in the table of the target */
    uint32_t in_target, in_source;
    double mass;
} shared_ngram;

static int by_mass(const void *a, const void *b) {
    const shared_ngram *x = a, *y = b;
    if (x->mass != y->mass) return x->mass > y->mass ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Lists the target's n-grams under the factor that the source contains too, by descending product
 * of the factor's values; *n_phrases is their number, of which the first are listed. */
static trib_status shared_phrases(json_t *phrases, size_t *n_phrases,
                                  const trib_run_results *results, const trib_counts *target,
                                  const trib_counts *source, const uint32_t *in_source,
                                  const double *const *value, trib_error *error) {
    const uint32_t n_modes = target->ngrams.n_modes;
    uint32_t index[TRIB_MAX_MODES], there[TRIB_MAX_MODES];
    shared_ngram *found = NULL;
    size_t n = 0, cap = 0;
    trib_status status = TRIB_OK;
    for (size_t e = 0; e < trib_counts_table(target)->nnz && status == TRIB_OK; e++) {
        const uint32_t count = trib_hacoo_entry(trib_counts_table(target), e, index);
        double mass = 1;
        bool known = true;
        for (uint32_t m = 0; m < n_modes; m++) {
            mass *= value[m][index[m]];
            there[m] = in_source[target->word[index[m]]];
            known = known && there[m] != TRIB_NO_WORD;
        }
        const uint32_t in =
            mass > 0 && known ? trib_hacoo_get(trib_counts_table(source), there) : 0;
        if (in == 0) continue;
        status = trib_grow(&found, &cap, n + 1, sizeof *found, "shared n-grams", error);
        if (status == TRIB_OK) found[n++] = (shared_ngram){e, count, in, mass};
    }
    if (n > 1) qsort(found, n, sizeof *found, by_mass);
    *n_phrases = n;
    for (size_t i = 0; i < n && i < TOP_PHRASES && status == TRIB_OK; i++) {
        json_t *words = json_array();
        trib_hacoo_entry(trib_counts_table(target), found[i].entry, index);
        const bool has_gaps = trib_hacoo_get(&target->ngrams, index) == 0;
        for (uint32_t m = 0; m < n_modes; m++) {
            if (m > 0 && has_gaps) json_array_append_new(words, json_string(TRIB_GAP));
            json_array_append_new(words, json_string(results->vocab->word[target->word[index[m]]]));
        }
        json_array_append_new(phrases, json_pack("{s:o, s:I, s:I}", "words", words, "target_count",
                                                 (json_int_t)found[i].in_target, "source_count",
                                                 (json_int_t)found[i].in_source));
    }
    trib_free(found);
    return status;
}

/* Scratch memory for the factors of one target. */
typedef struct reading {
    uint32_t *in_source;           /* [vocabulary] id in the source, or TRIB_NO_WORD */
    uint32_t *in_target;           /* [vocabulary] id in the target, or TRIB_NO_WORD */
    double *value[TRIB_MAX_MODES]; /* [n_local of the target] vectors of the factor, dense */
} reading;

static void map_words(uint32_t *id, uint32_t n_words, const trib_counts *document) {
    memset(id, 0xFF, n_words * sizeof *id);
    for (uint32_t i = 0; i < document->n_local; i++) id[document->word[i]] = i;
}

static trib_status make_match(json_t *matches, const trib_run_results *results,
                              const trib_target_results *target, const match *m, reading *scratch,
                              trib_error *error) {
    const trib_factors *f = &results->distances->factors;
    const trib_counts *own = &results->tensors->document[target->about->document];
    const uint32_t from = target->about->source[m->source];
    const trib_counts *source = &results->tensors->document[from];
    const uint32_t which =
        results->distances->nearest.which[m->factor * results->distances->nearest.n_documents +
                                          target->about->source[m->source]];
    json_t *object = json_object(), *words = json_array(), *n_words = json_array(),
           *phrases = json_array();
    size_t n_phrases = 0;
    trib_json_set_count(object, "component", f->component[m->factor] + 1);
    trib_json_set_real(object, "weight", m->weight);
    trib_json_set_real(object, "distance", distance_to(results, target, m->factor, m->source));
    trib_json_set_text(object, "source", results->corpus->document[from].about->id);
    json_object_set_new(object, "source_component",
                        which == UINT32_MAX ? json_null()
                                            : json_integer((json_int_t)f->component[which] + 1));
    const bool has_next = m->next < target->about->n_sources;
    trib_json_set_text(
        object, "next_source",
        has_next ? results->corpus->document[target->about->source[m->next]].about->id : NULL);
    json_object_set_new(
        object, "next_distance",
        has_next ? trib_json_real("next_distance", distance_to(results, target, m->factor, m->next))
                 : json_null());
    json_object_set_new(
        object, "phantom_mass",
        own->ngrams.nnz > 0
            ? trib_json_real("phantom_mass",
                             trib_phantom_mass(
                                 f, m->factor,
                                 &trib_tensors_counted(results->tensors)[target->about->document]))
            : json_null());
    if (results->vocab->other != TRIB_NO_WORD)
        trib_json_set_real(object, "wildcard_mass",
                           trib_mass_with_word(f, m->factor, results->vocab->other));
    const double least = trib_target_is_short(results, target) ? TRIB_SHORT_LEAST_WORD : 0;
    for (uint32_t mode = 0; mode < f->n_modes; mode++) {
        const size_t row = m->factor * f->n_modes + mode;
        json_array_append_new(words, strongest_words(results, m->factor, mode, least, n_words));
        memset(scratch->value[mode], 0, own->n_local * sizeof *scratch->value[mode]);
        for (size_t i = f->start[row]; i < f->start[row + 1]; i++)
            scratch->value[mode][scratch->in_target[f->word[i]]] = f->value[i];
    }
    json_object_set_new(object, "words", words);
    json_object_set_new(object, "n_words", n_words);
    map_words(scratch->in_source, results->vocab->n_words, source);
    const trib_status status =
        shared_phrases(phrases, &n_phrases, results, own, source, scratch->in_source,
                       (const double *const *)scratch->value, error);
    trib_json_set_count(object, "n_phrases", n_phrases);
    json_object_set_new(object, "phrases", phrases);
    json_array_append_new(matches, object);
    return status;
}

static trib_status make_matches(json_t *matches, const trib_run_results *results,
                                const trib_target_results *target, const match *list, size_t n,
                                trib_error *error) {
    const trib_counts *own = &results->tensors->document[target->about->document];
    reading scratch = {0};
    trib_status status = trib_new(&scratch.in_source, results->vocab->n_words,
                                  sizeof *scratch.in_source, "word ids", error);
    if (status == TRIB_OK)
        status = trib_new(&scratch.in_target, results->vocab->n_words, sizeof *scratch.in_target,
                          "word ids", error);
    for (uint32_t mode = 0; mode < results->distances->factors.n_modes && status == TRIB_OK; mode++)
        status = trib_new(&scratch.value[mode], own->n_local, sizeof *scratch.value[mode],
                          "a factor", error);
    if (status == TRIB_OK) map_words(scratch.in_target, results->vocab->n_words, own);
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = make_match(matches, results, target, &list[i], &scratch, error);
    for (uint32_t mode = 0; mode < TRIB_MAX_MODES; mode++) trib_free(scratch.value[mode]);
    trib_free(scratch.in_target);
    trib_free(scratch.in_source);
    return status;
}

/* ---- Distances and thresholds ---------------------------------------------------------------- */

static json_t *histogram(const trib_run_results *results, const trib_target_results *target,
                         const match *list, size_t n, json_t *distances) {
    json_int_t count[N_BINS] = {0};
    json_t *edges = json_array(), *counts = json_array();
    for (size_t i = 0; i < n; i++) {
        const double d = distance_to(results, target, list[i].factor, list[i].source);
        const int bin = (int)(d / LARGEST_DISTANCE * N_BINS);
        count[bin < 0 ? 0 : bin < N_BINS ? bin : N_BINS - 1]++;
    }
    for (int bin = 0; bin <= N_BINS; bin++)
        json_array_append_new(edges, trib_json_real("edges", LARGEST_DISTANCE * bin / N_BINS));
    for (int bin = 0; bin < N_BINS; bin++) json_array_append_new(counts, json_integer(count[bin]));
    json_object_set_new(distances, "edges", edges);
    json_object_set_new(distances, "counts", counts);
    return distances;
}

/* Appends a step of a curve: [index in "thresholds", value from there on]. The value before the
 * first step is 0. */
static void add_step(json_t *steps, int place, double value, double *last) {
    json_array_append_new(steps, json_pack("[i, f]", place, value));
    *last = value;
}

/* Returns whether a curve is 0 except at the last threshold, where factors have nothing in
 * common. */
static bool is_only_last(const json_t *steps) {
    return json_integer_value(json_array_get(json_array_get(steps, 0), 0)) == N_THRESHOLDS - 1;
}

static trib_status threshold_curves(const trib_run_results *results,
                                    const trib_target_results *target, json_t *distances,
                                    trib_error *error) {
    const trib_influence_case c = {.document = trib_tensors_counted(results->tensors),
                                   .n_documents = results->corpus->n_documents,
                                   .n_words = results->vocab->n_words,
                                   .target = target->about->document,
                                   .source = target->about->source,
                                   .n_sources = target->about->n_sources,
                                   .factors = &results->distances->factors,
                                   .distances = &results->distances->nearest};
    json_t *thresholds = json_array(), *steps = json_object(), *authors = json_array(),
           **list = NULL;
    double *share = NULL, *last = NULL, author = 0;
    const uint32_t n = target->about->n_sources;
    trib_status status = trib_new(&share, n, sizeof *share, "the shares", error);
    if (status == TRIB_OK) status = trib_new(&last, n, sizeof *last, "the shares", error);
    if (status == TRIB_OK) status = trib_new(&list, n, sizeof *list, "the shares", error);
    for (int i = 0; i < N_THRESHOLDS && status == TRIB_OK; i++) {
        const double threshold = LARGEST_DISTANCE * i / (N_THRESHOLDS - 1);
        status = trib_lowe_at(&c, threshold, share, &author, error);
        json_array_append_new(thresholds, trib_json_real("thresholds", threshold));
        json_array_append_new(authors, trib_json_real("authors", author));
        for (uint32_t s = 0; s < n; s++) {
            if (share[s] == last[s]) continue;
            if (!list[s]) list[s] = json_array();
            add_step(list[s], i, share[s], &last[s]);
        }
    }
    /* With many sources, a curve that is 0 except at the last distance is omitted: all sources that
     * are far from every factor have such a curve. */
    for (uint32_t s = 0; list && s < n; s++)
        if (list[s] && trib_target_is_brief(target) && is_only_last(list[s])) json_decref(list[s]);
        else if (list[s])
            json_object_set_new(
                steps, results->corpus->document[target->about->source[s]].about->id, list[s]);
    trib_free(list);
    trib_free(last);
    trib_free(share);
    json_object_set_new(distances, "thresholds", thresholds);
    json_object_set_new(distances, "steps", steps);
    json_object_set_new(distances, "author", authors);
    return status;
}

/* Expands the steps of a curve to one value for each of n thresholds. */
static json_t *expand(const json_t *steps, size_t n) {
    json_t *curve = json_array();
    double value = 0;
    for (size_t i = 0, next = 0; i < n; i++) {
        const json_t *step = json_array_get(steps, next);
        if (step && json_integer_value(json_array_get(step, 0)) <= (json_int_t)i) {
            value = json_number_value(json_array_get(step, 1));
            next++;
        }
        json_array_append_new(curve, trib_json_real("curve", value));
    }
    return curve;
}

json_t *trib_result_curves(const json_t *distances) {
    json_t *curves = json_object_get(distances, "shares"), *steps;
    const char *id;
    if (curves) return json_incref(curves);
    curves = json_object();
    json_object_foreach(json_object_get(distances, "steps"), id, steps) json_object_set_new(
        curves, id, expand(steps, json_array_size(json_object_get(distances, "thresholds"))));
    return curves;
}

trib_status trib_result_add_matches(json_t *object, const trib_run_results *results,
                                    const trib_target_results *target, trib_error *error) {
    const trib_factors *f = &results->distances->factors;
    json_t *matches = json_array(), *distances = NULL;
    match *list = NULL;
    size_t n = 0, n_matched = 0;
    double mass = 0;
    trib_status status = TRIB_OK;
    if (f->n > 0 && target->about->n_sources > 0)
        status = trib_new(&list, f->n, sizeof *list, "matches", error);
    for (size_t i = 0; list && i < f->n; i++)
        if (f->document[i] == target->about->document) mass += f->lambda[i];
    for (size_t i = 0; list && i < f->n; i++)
        if (f->document[i] == target->about->document)
            list[n++] = match_of(results, target, i, mass);
    if (n > 0) {
        distances = histogram(results, target, list, n, json_object());
        status = threshold_curves(results, target, distances, error);
        for (size_t i = 0; i < n; i++) /* select the matches within the threshold */
            if (distance_to(results, target, list[i].factor, list[i].source) <=
                results->config->influence.threshold)
                list[n_matched++] = list[i];
        if (n_matched > 1) qsort(list, n_matched, sizeof *list, by_weight);
        size_t top = results->config->report.top_phrases;
        const trib_extent most = trib_target_extent(results, target);
        if (trib_target_is_short(results, target) && top > most.sources) top = most.sources;
        if (status == TRIB_OK)
            status = make_matches(matches, results, target, list, n_matched < top ? n_matched : top,
                                  error);
    }
    json_object_set_new(object, "matches", matches);
    trib_json_set_count(object, "n_matches", n_matched);
    if (json_object_set_new(object, "distances", distances ? distances : json_null()) != 0 &&
        status == TRIB_OK)
        status = trib_fail(error, TRIB_MEMORY, "out of memory: influence.json");
    trib_free(list);
    return status;
}
