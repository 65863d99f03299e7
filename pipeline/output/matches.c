/* matches.c - the part of influence.json about factors: the pairs of matched factors, their
 * distances, and the shares at other thresholds. */

#include "base/internal.h"
#include "pipeline/config/config.h"
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
TRIB_ORDER(by_weight, match, TRIB_DOWN(weight) ?: TRIB_UP(factor));

/* ---- The words of a factor ------------------------------------------------------------------- */

/* Lists the TOP_WORDS words with the largest values in one vector, found by insertion in descending
 * order, and those of at least `least`. Adds the number of words in the vector. */
static void add_strongest(trib_match_record *record, trib_arena *arena,
                          const trib_run_results *results, size_t factor, uint32_t mode,
                          double least) {
    const trib_factors *f = &results->distances->factors;
    const size_t first = f->start[factor * f->n_modes + mode],
                 end = f->start[factor * f->n_modes + mode + 1];
    size_t top[TOP_WORDS], n = 0;
    trib_word_values *const words = trib_arena_append(arena, &record->words, sizeof *words);
    uint64_t *const n_words = trib_arena_append(arena, &record->n_words, sizeof *n_words);
    for (size_t i = first; i < end; i++) {
        size_t at = n < TOP_WORDS ? n++ : TOP_WORDS;
        if (at == TOP_WORDS && f->value[top[TOP_WORDS - 1]] >= f->value[i]) continue;
        if (at == TOP_WORDS) at--;
        for (; at > 0 && f->value[top[at - 1]] < f->value[i]; at--) top[at] = top[at - 1];
        top[at] = i;
    }
    for (size_t i = 0; words && i < n && f->value[top[i]] >= least; i++) {
        TRIB_ADD(arena, words, trib_word_value,
                 {results->vocab->word[f->word[top[i]]], f->value[top[i]]});
    }
    if (n_words) *n_words = end - first;
}

/* An n-gram that both texts contain, and its mass under the factor. */
typedef struct shared_ngram {
    size_t entry; /* in the table of the target */
    uint32_t in_target, in_source;
    double mass;
} shared_ngram;

TRIB_ORDER(by_mass, shared_ngram, TRIB_DOWN(mass) ?: TRIB_UP(entry));

/* Lists the target's n-grams under the factor that the source contains too, by descending product
 * of the factor's values. */
static trib_status shared_phrases(trib_match_record *record, trib_arena *arena,
                                  const trib_run_results *results, const trib_counts *target,
                                  const trib_counts *source, const uint32_t *in_source,
                                  const double *const *value, trib_error *error) {
    const uint32_t n_modes = target->ngrams.n_modes;
    uint32_t index[TRIB_MAX_MODES], there[TRIB_MAX_MODES];
    TRIB_FREED(shared_ngram *) found = NULL;
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
        status = TRIB_APPEND(&found, &n, &cap, "shared n-grams", error,
                             &(shared_ngram){e, count, in, mass});
    }
    if (n > 1) qsort(found, n, sizeof *found, by_mass);
    record->n_phrases = n;
    for (size_t i = 0; i < n && i < TOP_PHRASES && status == TRIB_OK; i++) {
        trib_held_record *const row = trib_arena_append(arena, &record->phrases, sizeof *row);
        if (!row) break;
        trib_hacoo_entry(trib_counts_table(target), found[i].entry, index);
        *row = (trib_held_record){{0}, found[i].in_target, found[i].in_source};
        const bool has_gaps = trib_hacoo_get(&target->ngrams, index) == 0;
        for (uint32_t m = 0; m < n_modes; m++) {
            if (m > 0 && has_gaps) trib_texts_add(arena, &row->words, TRIB_GAP);
            trib_texts_add(arena, &row->words, results->vocab->word[target->word[index[m]]]);
        }
    }
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

static trib_status add_match(trib_match_records *list, trib_arena *arena,
                             const trib_run_results *results, const trib_target_results *target,
                             const match *m, reading *scratch, trib_error *error) {
    const trib_factors *f = &results->distances->factors;
    const trib_counts *own = &results->tensors->document[target->about->document];
    const uint32_t from = target->about->source[m->source];
    const trib_counts *source = &results->tensors->document[from];
    const uint32_t which = results->distances->nearest
                               .which[m->factor * results->distances->nearest.n_documents + from];
    const bool has_next = m->next < target->about->n_sources;
    trib_match_record *const record = trib_arena_append(arena, list, sizeof *record);
    if (!record) return trib_arena_check(arena, error);
    *record = (trib_match_record){
        .component = f->component[m->factor] + 1,
        .weight = m->weight,
        .distance = distance_to(results, target, m->factor, m->source),
        .source = trib_results_id(results, from),
        .source_component = which == UINT32_MAX ? TRIB_ABSENT : f->component[which] + 1,
        .next_source =
            has_next ? results->corpus->document[target->about->source[m->next]].about->id : NULL,
        .next_distance = has_next ? distance_to(results, target, m->factor, m->next) : (double)NAN,
        .phantom_mass = own->ngrams.nnz > 0
                            ? trib_phantom_mass(
                                  f, m->factor,
                                  &trib_tensors_counted(results->tensors)[target->about->document])
                            : (double)NAN,
        .wildcard_mass = results->vocab->other != TRIB_NO_WORD
                             ? trib_mass_with_word(f, m->factor, results->vocab->other)
                             : (double)NAN};
    const double least = trib_target_is_short(results, target) ? TRIB_SHORT_LEAST_WORD : 0;
    for (uint32_t mode = 0; mode < f->n_modes; mode++) {
        const size_t row = m->factor * f->n_modes + mode;
        add_strongest(record, arena, results, m->factor, mode, least);
        memset(scratch->value[mode], 0, own->n_local * sizeof *scratch->value[mode]);
        for (size_t i = f->start[row]; i < f->start[row + 1]; i++)
            scratch->value[mode][scratch->in_target[f->word[i]]] = f->value[i];
    }
    map_words(scratch->in_source, results->vocab->n_words, source);
    return shared_phrases(record, arena, results, own, source, scratch->in_source,
                          (const double *const *)scratch->value, error);
}

static trib_status add_list(trib_match_records *matches, trib_arena *arena,
                            const trib_run_results *results, const trib_target_results *target,
                            const match *list, size_t n, trib_error *error) {
    const trib_counts *own = &results->tensors->document[target->about->document];
    const uint32_t n_words = results->vocab->n_words;
    TRIB_OWNED(trib_arena) memory = {0};
    reading scratch = {.in_source = trib_arena_new(&memory, n_words, sizeof *scratch.in_source),
                       .in_target = trib_arena_new(&memory, n_words, sizeof *scratch.in_target)};
    for (uint32_t mode = 0; mode < results->distances->factors.n_modes; mode++)
        scratch.value[mode] = trib_arena_new(&memory, own->n_local, sizeof *scratch.value[mode]);
    trib_status status = trib_arena_check(&memory, error);
    if (status == TRIB_OK) map_words(scratch.in_target, n_words, own);
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = add_match(matches, arena, results, target, &list[i], &scratch, error);
    return status;
}

/* ---- Distances and thresholds ---------------------------------------------------------------- */

static void add_number(trib_arena *arena, trib_reals *list, double number) {
    TRIB_ADD(arena, list, double, {number});
}

static void fill_histogram(trib_distances_record *record, trib_arena *arena,
                           const trib_run_results *results, const trib_target_results *target,
                           const match *list, size_t n) {
    record->counts = (trib_whole_numbers){trib_arena_new(arena, N_BINS, sizeof(uint64_t)), N_BINS};
    for (size_t i = 0; i < n && record->counts.item; i++) {
        const double d = distance_to(results, target, list[i].factor, list[i].source);
        const int bin = (int)(d / LARGEST_DISTANCE * N_BINS);
        record->counts.item[bin < 0 ? 0 : bin < N_BINS ? bin : N_BINS - 1]++;
    }
    for (int bin = 0; bin <= N_BINS; bin++)
        add_number(arena, &record->edges, LARGEST_DISTANCE * bin / N_BINS);
}

static trib_status fill_curves(trib_distances_record *record, trib_arena *arena,
                               const trib_run_results *results, const trib_target_results *target,
                               trib_error *error) {
    const trib_influence_case c = {.document = trib_tensors_counted(results->tensors),
                                   .n_documents = results->corpus->n_documents,
                                   .n_words = results->vocab->n_words,
                                   .target = target->about->document,
                                   .source = target->about->source,
                                   .n_sources = target->about->n_sources,
                                   .factors = &results->distances->factors,
                                   .distances = &results->distances->nearest};
    const uint32_t n = target->about->n_sources;
    double *const share = trib_arena_new(arena, n, sizeof *share),
                  *const last = trib_arena_new(arena, n, sizeof *last), author = 0;
    trib_step_records *const list = trib_arena_new(arena, n, sizeof *list);
    trib_status status = trib_arena_check(arena, error);
    for (int i = 0; i < N_THRESHOLDS && status == TRIB_OK; i++) {
        const double threshold = LARGEST_DISTANCE * i / (N_THRESHOLDS - 1);
        status = trib_lowe_at(&c, threshold, share, &author, error);
        add_number(arena, &record->thresholds, threshold);
        add_number(arena, &record->author, author);
        for (uint32_t s = 0; s < n; s++) { /* the value before the first step is 0 */
            if (share[s] != last[s])
                TRIB_ADD(arena, &list[s], trib_step_record, {(uint64_t)i, share[s]});
            last[s] = share[s];
        }
    }
    /* With many sources, a curve that is 0 except at the last distance, where factors have nothing
     * in common, is omitted: all sources that are far from every factor have such a curve. */
    for (uint32_t s = 0; status == TRIB_OK && s < n; s++) {
        if (list[s].n == 0 ||
            (trib_target_is_brief(target) && list[s].item[0].place == N_THRESHOLDS - 1))
            continue;
        TRIB_ADD(arena, &record->steps, trib_curve_record,
                 {results->corpus->document[target->about->source[s]].about->id, list[s]});
    }
    return status;
}

trib_status trib_result_add_matches(trib_target_record *record, trib_arena *arena,
                                    const trib_run_results *results,
                                    const trib_target_results *target, trib_error *error) {
    const trib_factors *f = &results->distances->factors;
    TRIB_FREED(match *) list = NULL;
    size_t n = 0;
    double mass = 0;
    trib_status status = TRIB_OK;
    if (target->about->n_sources > 0) status = TRIB_NEW(&list, f->n, "matches", error);
    for (size_t i = 0; list && i < f->n; i++)
        if (f->document[i] == target->about->document) mass += f->lambda[i];
    for (size_t i = 0; list && i < f->n; i++)
        if (f->document[i] == target->about->document)
            list[n++] = match_of(results, target, i, mass);
    if (n > 0) record->distances = trib_arena_new(arena, 1, sizeof *record->distances);
    if (record->distances) {
        fill_histogram(record->distances, arena, results, target, list, n);
        status = fill_curves(record->distances, arena, results, target, error);
        for (size_t i = 0; i < n; i++) /* select the matches within the threshold */
            if (distance_to(results, target, list[i].factor, list[i].source) <=
                results->config->influence.threshold)
                list[record->n_matches++] = list[i];
        if (record->n_matches > 1) qsort(list, record->n_matches, sizeof *list, by_weight);
        size_t top = results->config->report.top_phrases;
        const trib_extent most = trib_target_extent(results, target);
        if (trib_target_is_short(results, target) && top > most.sources) top = most.sources;
        if (top > record->n_matches) top = record->n_matches;
        if (status == TRIB_OK)
            status = add_list(&record->matches, arena, results, target, list, top, error);
    }
    return status;
}
