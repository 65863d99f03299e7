/* parallels_index.c - the index of two texts for the search for allusions: from features and from
 * 4-grams of characters to the units that hold them (inverted files; Zobel and Moffat, ACM
 * Computing Surveys 38(2), 2006). */
#include "base/internal.h"
#include "influence/passages/parallels_parts.h"

#include <math.h>
#include <stdlib.h>

/* ---- Information and features ---------------------------------------------------------------- */

static trib_status inform(trib_parallel_index *index, trib_error *error) {
    const trib_parallel_lexicon *lexicon = index->lexicon;
    const trib_status status =
        TRIB_NEW(&index->information, lexicon->n_features, "the frequencies of features", error);
    for (uint32_t x = 0; status == TRIB_OK && x < lexicon->n_features; x++) {
        const double count = lexicon->count[x] > 0 ? (double)lexicon->count[x] : .5;
        index->information[x] = -trib_logarithm(count / (double)lexicon->n_words);
    }
    return status;
}

/* Turns counts in from[1 .. n] into the places where each group ends; the first is 0. */
static size_t add_up(size_t *from, size_t n) {
    for (size_t i = 0; i < n; i++) from[i + 1] += from[i];
    return from[n];
}

/* Visits the features of the units of the source, each once in a unit. With `holder` NULL only
 * counts them, feature x in from[x + 1]. Otherwise from[x] is where the next holder of x goes. */
static void visit_features(const trib_parallel_index *index, uint32_t *last, size_t *from,
                           uint32_t *holder) {
    const trib_parallel_lexicon *lexicon = index->lexicon;
    const trib_parallel_text *text = index->source;
    for (uint32_t x = 0; x < lexicon->n_features; x++) last[x] = UINT32_MAX;
    for (uint32_t u = 0; u < text->n_units; u++)
        for (uint32_t i = 0; i < text->unit[u].n; i++) {
            const uint32_t form = text->form[text->unit[u].first + i];
            if (form == TRIB_NO_FORM) continue;
            for (size_t f = lexicon->features_from[form]; f < lexicon->features_from[form + 1];
                 f++) {
                const uint32_t x = lexicon->feature[f];
                if (last[x] == u) continue;
                last[x] = u;
                if (holder) holder[from[x]++] = u;
                else from[x + 1]++;
            }
        }
}

/* Moves the ends of groups back to their beginnings, after each group was filled. */
static void move_back(size_t *from, size_t n) {
    for (size_t i = n; i > 0; i--) from[i] = from[i - 1];
    from[0] = 0;
}

static trib_status index_features(trib_parallel_index *index, trib_error *error) {
    const uint32_t n = index->lexicon->n_features;
    static const char what[] = "the index of features";
    uint32_t *last = NULL; /* [n] the last unit in which a feature was seen */
    trib_status status = TRIB_NEW(&last, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&index->holders_from, (size_t)n + 1, what, error);
    if (status == TRIB_OK) {
        visit_features(index, last, index->holders_from, NULL);
        status = TRIB_NEW(&index->holder, add_up(index->holders_from, n), what, error);
    }
    if (status == TRIB_OK) {
        visit_features(index, last, index->holders_from, index->holder);
        move_back(index->holders_from, n);
    }
    trib_free(last);
    return status;
}

/* ---- 4-grams --------------------------------------------------------------------------------- */

/* The 4-grams of all units of one text: unit u has gram[from[u]] .., ascending. */
typedef struct unit_grams {
    size_t *from; /* [n_units + 1] */
    trib_parallel_gram *gram;
    size_t cap;
} unit_grams;

static int by_number(const void *a, const void *b) {
    const uint32_t x = ((const trib_parallel_gram *)a)->number,
                   y = ((const trib_parallel_gram *)b)->number;
    return (x > y) - (x < y);
}

/* Sorts n 4-grams and joins equal ones; the weight becomes 1 + ln count. Returns how many differ.
 * */
static size_t join(trib_parallel_gram *gram, size_t n) {
    size_t n_joined = 0;
    if (n > 1) qsort(gram, n, sizeof *gram, by_number);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && gram[end].number == gram[i].number;) end++;
        gram[n_joined++] =
            (trib_parallel_gram){gram[i].number, 1 + trib_logarithm((double)(end - i))};
    }
    return n_joined;
}

/* Collects the 4-grams of every unit and adds each to n_units[4-gram], the units that hold it. */
static trib_status collect(unit_grams *grams, const trib_parallel_lexicon *lexicon,
                           const trib_parallel_text *text, uint32_t *n_units, trib_error *error) {
    trib_status status = TRIB_NEW(&grams->from, (size_t)text->n_units + 1, "4-grams", error);
    for (uint32_t u = 0; u < text->n_units && status == TRIB_OK; u++) {
        const size_t from = grams->from[u];
        size_t n = from;
        for (uint32_t i = 0; i < text->unit[u].n && status == TRIB_OK; i++) {
            const uint32_t form = text->form[text->unit[u].first + i];
            if (form == TRIB_NO_FORM) continue;
            const size_t first = lexicon->grams_from[form], end = lexicon->grams_from[form + 1];
            status = TRIB_GROW(&grams->gram, &grams->cap, n + end - first, "4-grams", error);
            for (size_t g = first; status == TRIB_OK && g < end; g++)
                grams->gram[n++].number = lexicon->gram[g];
        }
        if (status != TRIB_OK) break;
        grams->from[u + 1] = from + (n > from ? join(grams->gram + from, n - from) : 0);
        for (size_t g = from; g < grams->from[u + 1]; g++) n_units[grams->gram[g].number]++;
    }
    return status;
}

/* Multiplies the weights by ln(units / units that hold the 4-gram), and divides those of each unit
 * by their Euclidean norm. */
static void weigh(unit_grams *grams, uint32_t n_of_text, const uint32_t *n_units, double n_all) {
    for (uint32_t u = 0; u < n_of_text; u++) {
        double squares = 0;
        for (size_t g = grams->from[u]; g < grams->from[u + 1]; g++) {
            grams->gram[g].weight *= trib_logarithm(n_all / n_units[grams->gram[g].number]);
            squares += grams->gram[g].weight * grams->gram[g].weight;
        }
        if (squares <= 0) continue;
        for (size_t g = grams->from[u]; g < grams->from[u + 1]; g++)
            grams->gram[g].weight /= sqrt(squares);
    }
}

/* Turns the 4-grams of the units of the source into the units of each 4-gram. */
static trib_status invert(trib_parallel_index *index, const unit_grams *grams, trib_error *error) {
    const uint32_t n = index->lexicon->n_grams, n_units = index->source->n_units;
    trib_status status =
        TRIB_NEW(&index->postings_from, (size_t)n + 1, "the index of 4-grams", error);
    for (size_t g = 0; status == TRIB_OK && g < grams->from[n_units]; g++)
        index->postings_from[grams->gram[g].number + 1]++;
    if (status == TRIB_OK)
        status = TRIB_NEW(&index->posting, add_up(index->postings_from, n), "the index of 4-grams",
                          error);
    if (status != TRIB_OK) return status;
    for (uint32_t u = 0; u < n_units; u++)
        for (size_t g = grams->from[u]; g < grams->from[u + 1]; g++)
            index->posting[index->postings_from[grams->gram[g].number]++] =
                (trib_parallel_gram){u, grams->gram[g].weight};
    move_back(index->postings_from, n);
    return TRIB_OK;
}

static trib_status index_grams(trib_parallel_index *index, trib_error *error) {
    const trib_parallel_lexicon *lexicon = index->lexicon;
    unit_grams target = {0}, source = {0};
    uint32_t *n_units = NULL;
    trib_status status = TRIB_NEW(&n_units, lexicon->n_grams, "4-grams", error);
    if (status == TRIB_OK) status = collect(&target, lexicon, index->target, n_units, error);
    if (status == TRIB_OK) status = collect(&source, lexicon, index->source, n_units, error);
    if (status == TRIB_OK) {
        const double n_all = (double)index->target->n_units + index->source->n_units;
        weigh(&target, index->target->n_units, n_units, n_all);
        weigh(&source, index->source->n_units, n_units, n_all);
        status = invert(index, &source, error);
    }
    index->grams_from = target.from;
    index->gram = target.gram;
    TRIB_FREE(source.from, source.gram, n_units);
    return status;
}

/* ---- The index ------------------------------------------------------------------------------- */

trib_status trib_parallel_index_build(trib_parallel_index *index,
                                      const trib_parallel_lexicon *lexicon,
                                      const trib_parallel_text *target,
                                      const trib_parallel_text *source, trib_error *error) {
    *index = (trib_parallel_index){.lexicon = lexicon, .target = target, .source = source};
    trib_status status = inform(index, error);
    if (status == TRIB_OK) status = index_features(index, error);
    if (status == TRIB_OK) status = index_grams(index, error);
    return status;
}

void trib_parallel_index_release(trib_parallel_index *index) {
    TRIB_FREE(index->information, index->holders_from, index->holder, index->grams_from,
              index->gram, index->postings_from, index->posting);
    *index = (trib_parallel_index){0};
}
