/* chance.c - the probability of each word of the target in the language common to all documents, by
 * an interpolated trigram model with absolute discounting (Ney, Essen and Kneser 1994):
 *
 *     p(w | u v) = max(c(u v w) - d3, 0) / c(u v) + min(1, d3 types(u v) / c(u v)) p(w | v)
 *
 * and likewise p(w | v) with d2. The counts c come from the target and its sources together,
 * without the occurrence whose probability is computed. The discount d3 depends on c(u v w), as in
 * Chen and Goodman 1998, and takes almost all of a small count: a passage copied from a source that
 * holds it once, twice or three times does not become a common phrase by that. What comes again and
 * again does.
 *
 * A passage that the target quotes several times, that a source repeats (a refrain, a litany), or
 * that several sources hold, is still one passage. The words of such a repetition are marked, and
 * what consists of marked words alone is not counted; otherwise the passage would look like common
 * language. */
#include "base/internal.h"
#include "influence/order.h"

/* d2, and d3 of the counts 1, 2 and all larger ones, were chosen on one half of the planted corpora
 * (docs/validation.md). */
static const double DISCOUNT_2 = 1, DISCOUNT_3[] = {0.96, 1.7, 2.2}, ANYWHERE = 0.5;

/* The words of a window are a repetition when the window occurred earlier in the target, or in the
 * sources as often as in any source but the one that holds it most often: a formula of two sources
 * is common language, what one source repeats is not. Shorter windows would take ordinary turns of
 * phrase for repetitions. */
enum { TARGET_WINDOW = 6, SOURCE_WINDOW = TRIB_RECURRING };

/* A distinct window of words. */
typedef struct window {
    const uint32_t *word; /* its first occurrence */
    /* the last document that holds it, and the one that holds it most often */
    uint32_t document, most_document;
    uint32_t n_here, n_most; /* occurrences in these */
    uint32_t n_second;       /* the largest number in any other document */
    uint32_t n_kept;         /* occurrences that have been counted */
} window;

typedef struct windows {
    trib_hacoo hash; /* one entry per hash value of a window */
    window *list;    /* [hash.nnz] */
    size_t cap;
} windows;

/* An occurrence of a window of the sources: the place of its last word, and its number. */
typedef struct occurrence {
    uint32_t document, place, window;
} occurrence;

/* The words that follow a context: how many occurrences were counted, and how many different
 * words. */
typedef struct followers {
    uint32_t count, types;
} followers;

/* A bit set over 64 consecutive pair or triple numbers: which of them occur in the target, and
 * which were counted already. */
typedef struct block {
    uint64_t of_target, seen;
    uint32_t n_before; /* numbers set in `of_target` of all earlier blocks */
} block;

/* A word, or a pair of words of the target: its count, and the words that follow it. */
typedef struct context {
    uint32_t count;
    followers after;
} context;

/* A pair of the target at a word of a text. */
typedef struct pair_place {
    uint32_t place, pair;
} pair_place;

typedef struct language {
    context *word;          /* [n_words] */
    block *pairs, *triples; /* bit sets over all pair and triple numbers */
    context *pair;          /* of the target's pairs, in ascending order of their numbers */
    uint32_t *triple;       /* count of each triple of the target, in the same order */
    double total, n_types;  /* words counted, and different words among them */
    windows of_target, of_sources;
    occurrence *occurrence; /* [n_occurrences] of windows of the sources, in the order of texts */
    size_t n_occurrences, occurrence_cap;
    size_t n_used; /* of the texts that were counted */
    /* of the text that is being counted: its words that are marked, and the pairs that the target
     * holds */
    uint8_t *marked;  /* [longest text] */
    pair_place *held; /* [n_held] in text order; as many as the longest text has words */
    size_t n_held;
} language;

/* ---- Repetitions ----------------------------------------------------------------------------- */

static trib_status windows_init(windows *w, trib_error *error) {
    static const uint32_t dim[] = {UINT32_MAX, UINT32_MAX};
    return trib_hacoo_init(&w->hash, 2, dim, NULL, error);
}

static void windows_release(windows *w) {
    trib_hacoo_release(&w->hash);
    trib_free(w->list);
}

/* Finds the window of n words that begins at `word`, or adds it. *number is TRIB_NO_NUMBER when a
 * window of other words has the same hash. */
static trib_status windows_find(uint32_t *number, windows *w, const uint32_t *word, size_t n,
                                trib_error *error) {
    const size_t n_bytes = n * sizeof *word;
    const uint64_t hash = trib_hash_bytes(word, n_bytes);
    const uint32_t index[] = {(uint32_t)(hash >> 33), (uint32_t)hash >> 1};
    size_t e = trib_hacoo_find(&w->hash, index);
    if (e == TRIB_NO_ENTRY) {
        e = w->hash.nnz;
        trib_status status = trib_hacoo_add(&w->hash, index, 1, error);
        if (status == TRIB_OK)
            status = TRIB_GROW(&w->list, &w->cap, e + 1, "windows of words", error);
        if (status != TRIB_OK) return status;
        w->list[e] = (window){.word = word};
    }
    *number = memcmp(w->list[e].word, word, n_bytes) == 0 ? (uint32_t)e : TRIB_NO_NUMBER;
    return TRIB_OK;
}

/* Counts an occurrence in a source, from 1 on. */
static void see_window(window *w, uint32_t document) {
    if (w->document != document) w->n_here = 0;
    w->document = document;
    w->n_here++;
    if (w->most_document != document && w->n_here > w->n_most) {
        w->n_second = w->n_most;
        w->most_document = document;
    }
    if (w->most_document == document) w->n_most = w->n_here;
    else if (w->n_here > w->n_second) w->n_second = w->n_here;
}

/* Whether the target holds the pair or triple `number`; *place is then its rank among the
 * target's. */
TRIB_INLINE bool find_number(const block *blocks, uint32_t number, size_t *place) {
    const block *b = &blocks[number / 64];
    const uint64_t bit = UINT64_C(1) << number % 64;
    *place = b->n_before + (size_t)__builtin_popcountll(b->of_target & (bit - 1));
    return b->of_target & bit;
}

/* Lists the windows of a source that can occur again and hold a triple of the target, because no
 * others matter. */
static trib_status list_occurrences(language *l, const trib_word_order *order, uint32_t document,
                                    trib_error *error) {
    trib_status status = TRIB_OK;
    size_t checked = 0, held = 0, place; /* words looked at; after the last triple of the target */
    for (size_t k = 0; k < order->n_recurring && status == TRIB_OK; k++) {
        const size_t end = (size_t)order->recurring[k] + 2, from = end - SOURCE_WINDOW;
        uint32_t number;
        for (size_t i = checked > from + 2 ? checked : from + 2; i < end; i++)
            if (find_number(l->triples, order->triple[i], &place)) held = i + 1;
        checked = end;
        if (held < from + 3) continue;
        status = windows_find(&number, &l->of_sources, order->word + from, SOURCE_WINDOW, error);
        if (status == TRIB_OK)
            status = TRIB_GROW(&l->occurrence, &l->occurrence_cap, l->n_occurrences + 1,
                               "the common language", error);
        if (status != TRIB_OK || number == TRIB_NO_NUMBER) continue;
        see_window(&l->of_sources.list[number], document);
        l->occurrence[l->n_occurrences++] = (occurrence){document, (uint32_t)end - 1, number};
    }
    return status;
}

/* Marks the words of the target's windows that occurred before. */
static trib_status mark_target(language *l, const trib_word_order *order, trib_error *error) {
    trib_status status = TRIB_OK;
    size_t run = 0; /* words up to this one since the last break */
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        uint32_t number;
        run = order->word[i] == TRIB_BREAK ? 0 : run + 1;
        if (run < TARGET_WINDOW) continue;
        status = windows_find(&number, &l->of_target, order->word + i + 1 - TARGET_WINDOW,
                              TARGET_WINDOW, error);
        if (status != TRIB_OK || number == TRIB_NO_NUMBER) continue;
        if (l->of_target.list[number].n_kept++ > 0)
            memset(l->marked + i + 1 - TARGET_WINDOW, 1, TARGET_WINDOW);
    }
    return status;
}

/* Marks the words of a source's windows that are repetitions. */
static void mark_source(language *l, uint32_t document) {
    for (; l->n_used < l->n_occurrences; l->n_used++) {
        const occurrence at = l->occurrence[l->n_used];
        if (at.document != document) break;
        window *w = &l->of_sources.list[at.window];
        const uint32_t most = w->n_second > 1 ? w->n_second : 1;
        if (w->n_kept < most) w->n_kept++;
        else memset(l->marked + at.place + 1 - SOURCE_WINDOW, 1, SOURCE_WINDOW);
    }
}

/* ---- Counts ---------------------------------------------------------------------------------- */

/* Marks a pair or triple number as counted. Returns 1 at its first occurrence, then 0. */
TRIB_INLINE uint32_t see_number(block *b, uint32_t number) {
    const uint64_t seen = b->seen;
    b->seen = seen | UINT64_C(1) << number % 64;
    return !(seen >> number % 64 & 1);
}

/* Makes the bit set over n_numbers numbers, with the target's number[n] set. *n_places is the count
 * of different numbers among them. */
static trib_status list_numbers(block **blocks, size_t *n_places, size_t n_numbers,
                                const uint32_t number[], size_t n, trib_error *error) {
    const size_t n_blocks = n_numbers / 64 + 1;
    const trib_status status = TRIB_NEW(blocks, n_blocks, "the common language", error);
    *n_places = 0;
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < n; i++)
        if (number[i] != TRIB_NO_NUMBER)
            (*blocks)[number[i] / 64].of_target |= UINT64_C(1) << number[i] % 64;
    for (size_t b = 0; b < n_blocks; b++) {
        (*blocks)[b].n_before = (uint32_t)*n_places;
        *n_places += (size_t)__builtin_popcountll((*blocks)[b].of_target);
    }
    return TRIB_OK;
}

/* For texts of at most `longest` words. */
static trib_status language_init(language *l, const trib_word_orders *orders,
                                 const trib_word_order *target, size_t longest, uint32_t n_words,
                                 trib_error *error) {
    static const char what[] = "the common language";
    size_t n_pairs = 0, n_triples = 0;
    *l = (language){0};
    trib_status status = TRIB_NEW(&l->word, n_words, what, error);
    if (status == TRIB_OK)
        status = list_numbers(&l->pairs, &n_pairs, orders->n_pairs, target->pair, target->n, error);
    if (status == TRIB_OK)
        status = list_numbers(&l->triples, &n_triples, orders->n_triples, target->triple, target->n,
                              error);
    if (status == TRIB_OK) status = TRIB_NEW(&l->pair, n_pairs, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&l->triple, n_triples, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&l->marked, longest + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&l->held, longest + 1, what, error);
    if (status == TRIB_OK) status = windows_init(&l->of_target, error);
    return status == TRIB_OK ? windows_init(&l->of_sources, error) : status;
}

static void language_release(language *l) {
    windows_release(&l->of_target);
    windows_release(&l->of_sources);
    TRIB_FREE(l->word, l->pairs, l->triples, l->pair, l->triple, l->occurrence, l->marked, l->held);
}

/* Counts the words of a text, and how often each follows the word before it. Lists the pairs of the
 * target. Marked TRIB_KERNEL because newer processors count bits with one instruction. */
TRIB_KERNEL(void, count_words, (language * l, const trib_word_order *order), (l, order)) {
    const uint8_t *const marked = l->marked;
    uint32_t n_types = 0;
    size_t n_held = 0, n = 0;
    for (size_t i = 0; i < order->n; i++) {
        const uint32_t word = order->word[i], pair = order->pair[i];
        if (word == TRIB_BREAK) continue;
        if (!marked[i]) {
            n_types += l->word[word].count++ == 0;
            n++;
        }
        if (pair == TRIB_NO_NUMBER) continue;
        block *b = &l->pairs[pair / 64];
        l->held[n_held] = (pair_place){(uint32_t)i, pair};
        n_held += b->of_target >> pair % 64 & 1;
        if (marked[i] & marked[i - 1]) continue;
        followers *after = &l->word[order->word[i - 1]].after;
        after->count++;
        after->types += see_number(b, pair);
    }
    l->n_types += n_types;
    l->total += (double)n;
    l->n_held = n_held;
}

/* Counts the pairs of the target in a text, and the words that follow them. */
TRIB_KERNEL(void, count_pairs, (language * l, const trib_word_order *order, bool is_target),
            (l, order, is_target)) {
    const uint8_t *const marked = l->marked;
    for (size_t k = 0; k < l->n_held; k++) {
        const pair_place at = l->held[k];
        const size_t next = (size_t)at.place + 1;
        const bool is_marked = marked[at.place] & marked[at.place - 1];
        size_t place;
        (void)find_number(l->pairs, at.pair, &place);
        context *pair = &l->pair[place];
        pair->count += !is_marked;
        if (next == order->n || order->triple[next] == TRIB_NO_NUMBER) continue;
        if (is_marked && marked[next]) continue;
        if (!is_target && pair->after.count == 0) continue;
        const uint32_t triple = order->triple[next];
        pair->after.count++;
        pair->after.types += see_number(&l->triples[triple / 64], triple);
        if (find_number(l->triples, triple, &place)) l->triple[place]++;
    }
}

/* Counts a text whose repetitions are marked, and unmarks them. */
static void count_text(language *l, const trib_word_order *order, bool is_target) {
    count_words(l, order);
    count_pairs(l, order, is_target);
    memset(l->marked, 0, order->n);
}

/* ---- Chances --------------------------------------------------------------------------------- */

/* d3 of a triple counted `count` times with the occurrence at hand. */
static double discount_3(uint32_t count) { return DISCOUNT_3[count < 3 ? 0 : count < 4 ? 1 : 2]; }

/* One step of the interpolation for a word counted `count` times after a context counted
 * `in_context` times; both include the occurrence at hand, which is subtracted here. `shorter` is
 * the probability after the shorter context. The other words of the context are taken to be
 * discounted as this one is. At the end of a repetition a word can be counted where its context was
 * not; where two repetitions meet, the context where no word after it was. */
static double interpolate(double count, double in_context, followers after, double discount,
                          double shorter) {
    const double others = fmax(in_context, after.count) - 1;
    if (!(others > 0) || after.types == 0) return shorter;
    return fmax(count - 1 - discount, 0) / others +
           fmin(1, discount * after.types / others) * shorter;
}

static double chance_of(const language *l, const trib_word_order *target, size_t i) {
    const uint32_t *word = target->word + i;
    size_t place;
    if (word[0] == TRIB_BREAK) return 1;
    double p =
        (fmax(l->word[word[0]].count, 1) - 1 + ANYWHERE) / (l->total + ANYWHERE * l->n_types);
    if (target->pair[i] == TRIB_NO_NUMBER) return fmin(p, 1);
    const context *before = &l->word[word[-1]];
    (void)find_number(l->pairs, target->pair[i], &place);
    p = interpolate(l->pair[place].count, before->count, before->after, DISCOUNT_2, p);
    if (target->triple[i] == TRIB_NO_NUMBER) return fmin(p, 1);
    (void)find_number(l->pairs, target->pair[i - 1], &place);
    before = &l->pair[place];
    (void)find_number(l->triples, target->triple[i], &place);
    return fmin(interpolate(l->triple[place], before->count, before->after,
                            discount_3(l->triple[place]), p),
                1);
}

trib_status trib_word_chances(double *chance, const trib_word_orders *orders, uint32_t target,
                              const uint32_t source[], size_t n_sources, uint32_t n_words,
                              trib_error *error) {
    const trib_word_order *order = &orders->document[target];
    language l;
    size_t longest = order->n;
    for (size_t s = 0; s < n_sources; s++)
        if (orders->document[source[s]].n > longest) longest = orders->document[source[s]].n;
    trib_status status = language_init(&l, orders, order, longest, n_words, error);
    if (status == TRIB_OK) status = mark_target(&l, order, error);
    if (status == TRIB_OK) count_text(&l, order, true);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        if (source[s] != target)
            status = list_occurrences(&l, &orders->document[source[s]], (uint32_t)s + 1, error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++) {
        if (source[s] == target) continue;
        mark_source(&l, (uint32_t)s + 1);
        count_text(&l, &orders->document[source[s]], false);
    }
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) chance[i] = chance_of(&l, order, i);
    language_release(&l);
    return status;
}
