/* parallels_score.c - the index of two texts for the search for allusions, and the score of one
 * pair of units (parallels.h has the formula). The index goes from features and from 4-grams of
 * characters to the units that hold them (inverted files; Zobel and Moffat, ACM Computing Surveys
 * 38(2), 2006). */
#include "base/internal.h"
#include "influence/passages/parallels_parts.h"

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

TRIB_ORDER(by_number, trib_parallel_gram, TRIB_UP(number));

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

/* ---- The score of a pair --------------------------------------------------------------------- */

/* The words of the target's unit are sorted by feature once; the words of the source's unit are
 * then matched with them, so a pair costs O(words of the source's unit + shared features). */

TRIB_ORDER(by_rarity, trib_parallel_feature, TRIB_DOWN(information) ?: TRIB_UP(feature));

TRIB_ORDER(by_rank, trib_parallel_place, TRIB_UP(rank) ?: TRIB_UP(word));

trib_status trib_parallel_side_init(trib_parallel_side *side, const trib_parallel_index *index,
                                    trib_error *error) {
    const uint32_t n = index->lexicon->n_features;
    uint32_t longest = 0;
    *side = (trib_parallel_side){.index = index};
    for (uint32_t u = 0; u < index->target->n_units; u++)
        if (index->target->unit[u].n > longest) longest = index->target->unit[u].n;
    for (uint32_t u = 0; u < index->source->n_units; u++)
        if (index->source->unit[u].n > longest) longest = index->source->unit[u].n;
    side->taken_cap = longest;
    trib_status status = trib_new(&side->is_taken, 2 * (size_t)longest, 1, "matched words", error);
    if (status == TRIB_OK) status = TRIB_NEW(&side->rank_of, n, "ranks of features", error);
    for (uint32_t x = 0; status == TRIB_OK && x < n; x++) side->rank_of[x] = UINT32_MAX;
    return status;
}

void trib_parallel_side_release(trib_parallel_side *side) {
    TRIB_FREE(side->feature, side->places_from, side->place, side->rank_of, side->there,
              side->is_taken, side->match);
    *side = (trib_parallel_side){0};
}

/* ---- The target's unit ----------------------------------------------------------------------- */

/* Appends the places of features of a unit of `text` to *place. With `adds`, new features get the
 * next rank; otherwise features without a rank are left out. */
static trib_status find_places(trib_parallel_side *side, const trib_parallel_text *text,
                               uint32_t unit, bool adds, trib_parallel_place **place, size_t *cap,
                               size_t *n_places, trib_error *error) {
    const trib_parallel_lexicon *lexicon = side->index->lexicon;
    const trib_parallel_unit *u = &text->unit[unit];
    trib_status status = TRIB_OK;
    size_t n = 0;
    for (uint32_t word = u->first; word < u->first + u->n && status == TRIB_OK; word++) {
        const uint32_t form = text->form[word];
        if (form == TRIB_NO_FORM) continue;
        const size_t from = lexicon->features_from[form], end = lexicon->features_from[form + 1];
        if (n + (end - from) > *cap)
            status = TRIB_GROW(place, cap, n + (end - from), "matched words", error);
        for (size_t f = from; f < end && status == TRIB_OK; f++) {
            const uint32_t x = lexicon->feature[f];
            if (adds && side->rank_of[x] == UINT32_MAX) {
                status = TRIB_GROW(&side->feature, &side->feature_cap, side->n_features + 1,
                                   "features of a unit", error);
                if (status != TRIB_OK) break;
                side->feature[side->n_features] =
                    (trib_parallel_feature){side->index->information[x], x};
                side->rank_of[x] = (uint32_t)side->n_features++;
            }
            if (side->rank_of[x] == UINT32_MAX) continue;
            (*place)[n++] = (trib_parallel_place){side->rank_of[x], word};
        }
    }
    *n_places = n;
    return status;
}

trib_status trib_parallel_side_set(trib_parallel_side *side, uint32_t t, trib_error *error) {
    size_t n = 0;
    for (size_t i = 0; i < side->n_features; i++)
        side->rank_of[side->feature[i].feature] = UINT32_MAX;
    side->n_features = 0;
    side->unit = t;
    trib_status status =
        find_places(side, side->index->target, t, true, &side->place, &side->place_cap, &n, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&side->places_from, &side->places_cap, side->n_features + 1,
                           "features of a unit", error);
    if (status != TRIB_OK) return status;
    /* the ranks so far are those of first appearance */
    for (size_t i = 0; i < n; i++) side->place[i].rank = side->feature[side->place[i].rank].feature;
    if (side->n_features > 1)
        qsort(side->feature, side->n_features, sizeof *side->feature, by_rarity);
    for (size_t i = 0; i < side->n_features; i++)
        side->rank_of[side->feature[i].feature] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) side->place[i].rank = side->rank_of[side->place[i].rank];
    if (n > 1) qsort(side->place, n, sizeof *side->place, by_rank);
    memset(side->places_from, 0, (side->n_features + 1) * sizeof *side->places_from);
    for (size_t i = 0; i < n; i++) side->places_from[side->place[i].rank + 1]++;
    for (size_t i = 0; i < side->n_features; i++) side->places_from[i + 1] += side->places_from[i];
    return TRIB_OK;
}

/* ---- A pair ---------------------------------------------------------------------------------- */

/* The first of n places whose word is free, or n. */
static size_t first_free(const trib_parallel_place *place, size_t n, const uint8_t *is_taken,
                         uint32_t first) {
    size_t i = 0;
    while (i < n && is_taken[place[i].word - first]) i++;
    return i;
}

/* The smallest distance between a word with one feature and another word with the other; UINT32_MAX
 * when both features stand at one word only. */
static uint32_t nearest(const trib_parallel_place *one, size_t n_one,
                        const trib_parallel_place *other, size_t n_other) {
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < n_one; i++)
        for (size_t j = 0; j < n_other; j++) {
            const uint32_t a = one[i].word, b = other[j].word, d = a > b ? a - b : b - a;
            if (d > 0 && d < least) least = d;
        }
    return least;
}

/* A run of places with the same feature. */
typedef struct place_run {
    size_t first, n; /* in side->there */
    uint32_t rank;
} place_run;

/* The distance of the two rarest matches: that in the target plus that in the source. */
static uint32_t distance_of(const trib_parallel_side *side, const place_run run[2]) {
    const trib_parallel_place *one = side->place + side->places_from[run[0].rank],
                              *other = side->place + side->places_from[run[1].rank];
    const size_t n_one = side->places_from[run[0].rank + 1] - side->places_from[run[0].rank],
                 n_other = side->places_from[run[1].rank + 1] - side->places_from[run[1].rank];
    return nearest(one, n_one, other, n_other) +
           nearest(side->there + run[0].first, run[0].n, side->there + run[1].first, run[1].n);
}

/* Matches the words of the units, given the n places in the source sorted by rank; `rarest`
 * receives the places of the first two features that are matched. */
static void match_words(trib_parallel_side *side, uint32_t s, size_t n, place_run rarest[2]) {
    const trib_parallel_unit *here = &side->index->target->unit[side->unit],
                             *there = &side->index->source->unit[s];
    uint8_t *taken_here = side->is_taken, *taken_there = side->is_taken + side->taken_cap;
    memset(taken_here, 0, here->n);
    memset(taken_there, 0, there->n);
    side->n_matches = 0;
    for (size_t i = 0, end; i < n; i = end) {
        const uint32_t rank = side->there[i].rank;
        const size_t from = side->places_from[rank], n_here = side->places_from[rank + 1] - from;
        for (end = i; end < n && side->there[end].rank == rank;) end++;
        const size_t a = first_free(side->place + from, n_here, taken_here, here->first),
                     b = first_free(side->there + i, end - i, taken_there, there->first);
        if (a == n_here || b == end - i) continue;
        const uint32_t in_target = side->place[from + a].word, in_source = side->there[i + b].word;
        taken_here[in_target - here->first] = taken_there[in_source - there->first] = 1;
        if (side->n_matches < 2) rarest[side->n_matches] = (place_run){i, end - i, rank};
        side->match[side->n_matches++] =
            (trib_parallel_match){in_target, in_source, side->feature[rank].feature};
    }
}

/* Most units are short, and insertion then is faster than qsort. */
static void sort_places(trib_parallel_place *place, size_t n) {
    enum { FEW = 32 };
    if (n > FEW) {
        qsort(place, n, sizeof *place, by_rank);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const trib_parallel_place moved = place[i];
        size_t at = i;
        for (; at > 0 && by_rank(&place[at - 1], &moved) > 0; at--) place[at] = place[at - 1];
        place[at] = moved;
    }
}

trib_status trib_parallel_score(trib_parallel_side *side, uint32_t s, double cosine, double weight,
                                double *score, trib_error *error) {
    const double *information = side->index->information;
    place_run rarest[2];
    size_t n = 0;
    trib_status status =
        find_places(side, side->index->source, s, false, &side->there, &side->there_cap, &n, error);
    if (status == TRIB_OK && n > side->match_cap)
        status = TRIB_GROW(&side->match, &side->match_cap, n, "matched words", error);
    side->n_matches = 0;
    side->distance = 0;
    *score = -INFINITY;
    if (status != TRIB_OK || n == 0) return status;
    sort_places(side->there, n);
    match_words(side, s, n, rarest);
    if (side->n_matches > 1) side->distance = distance_of(side, rarest);
    const double second =
        side->n_matches > 1 ? information[side->match[1].feature] : TRIB_PARALLEL_SINGLE;
    const double apart = side->n_matches > 1 ? side->distance : TRIB_PARALLEL_APART;
    const double more = side->n_matches > 2 ? (double)(side->n_matches - 2) : 0;
    *score = information[side->match[0].feature] + second - weight * trib_logarithm(apart) +
             trib_parallel_likeness(side->index, side->unit, s, cosine) + TRIB_PARALLEL_MORE * more;
    return TRIB_OK;
}
