/* chance.c - how likely each word of the target is in the language all documents have in common: an interpolated
 * trigram model with absolute discounting (Ney, Essen and Kneser 1994),
 *
 *     p(w | u v) = max(c(u v w) - d3, 0) / c(u v) + min(1, d3 types(u v) / c(u v)) p(w | v)
 *
 * and likewise p(w | v) with d2. Counts are of the target and its sources together, less the occurrence asked about. A
 * passage copied once from one source then has c(u v w) = 1, of which d3 leaves next to nothing: copying does not make a
 * phrase common, repetition does.
 *
 * A passage that the target quotes several times, or that several sources hold, is still one passage. A word in the
 * middle of such a repetition is not counted again, else the passage would look like common language. */
#include "influence/order.h"

#include <math.h>
#include <string.h>

/* d2 = 1 and d3 < 1 were chosen on one half of the planted corpora (docs/validation.md). */
static const double DISCOUNT_2 = 1, DISCOUNT_3 = 0.95, ANYWHERE = 0.5;

/* A word is in the middle of a repetition when the window of so many words that ends one word after it has stood in the
 * target before, or in another source as often. Shorter windows would take turns of phrase for repetitions. */
enum { TARGET_WINDOW = 6, SOURCE_WINDOW = 8 };

/* A window of words, by where it stood first: how often it stands in the document at hand, and most often in any. */
typedef struct window {
    const uint32_t *word;
    size_t document;
    uint32_t n_here, n_most;
} window;

typedef struct windows {
    size_t n_words;  /* in a window */
    trib_hacoo hash; /* an entry for each hash of a window */
    window *list;    /* [hash.nnz] */
    size_t cap;
} windows;

/* What follows a context: words that are counted, and how many different ones. */
typedef struct followers {
    uint32_t count, types;
} followers;

typedef struct language {
    uint32_t *count; /* [n_words] of each word */
    trib_hacoo pairs, triples;
    followers *after_word; /* [n_words] */
    followers *after_pair; /* [pairs.nnz] */
    size_t cap;
    double total, n_types; /* words, and different ones */
    size_t n_target;       /* triples of the target, which come first */
    windows of_target, of_sources;
} language;

static trib_status windows_init(windows *w, size_t n_words, trib_error *error) {
    static const uint32_t dim[] = {UINT32_MAX, UINT32_MAX};
    *w = (windows){.n_words = n_words};
    return trib_hacoo_init(&w->hash, 2, dim, NULL, error);
}

static void windows_release(windows *w) {
    trib_hacoo_release(&w->hash);
    trib_free(w->list);
}

/* The window at `word`, added unless it is there. NULL: other words of the same hash are. */
static trib_status windows_find(window **found, windows *w, const uint32_t *word,
                                trib_error *error) {
    const size_t n = w->hash.nnz, n_bytes = w->n_words * sizeof *word;
    const uint64_t hash = trib_hash_bytes(word, n_bytes);
    const uint32_t index[] = {(uint32_t)(hash >> 33), (uint32_t)hash >> 1};
    trib_status status = trib_hacoo_add(&w->hash, index, 1, error);
    *found = NULL;
    if (status == TRIB_OK && w->hash.nnz > n) {
        status = trib_grow(&w->list, &w->cap, n + 1, sizeof *w->list, "windows of words", error);
        if (status == TRIB_OK) w->list[n] = (window){.word = word};
    }
    if (status != TRIB_OK) return status;
    window *at = &w->list[trib_hacoo_find(&w->hash, index)];
    if (memcmp(at->word, word, n_bytes) == 0) *found = at;
    return TRIB_OK;
}

static trib_status language_init(language *l, uint32_t n_words, trib_error *error) {
    const uint32_t dim[] = {n_words, n_words, n_words};
    *l = (language){0};
    static const char what[] = "the common language";
    trib_status status = trib_new(&l->count, n_words, sizeof *l->count, what, error);
    if (status == TRIB_OK)
        status = trib_new(&l->after_word, n_words, sizeof *l->after_word, what, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&l->pairs, 2, dim, NULL, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&l->triples, 3, dim, NULL, error);
    if (status == TRIB_OK) status = windows_init(&l->of_target, TARGET_WINDOW, error);
    if (status == TRIB_OK) status = windows_init(&l->of_sources, SOURCE_WINDOW, error);
    return status;
}

static void language_release(language *l) {
    trib_free(l->count);
    trib_free(l->after_word);
    trib_free(l->after_pair);
    trib_hacoo_release(&l->pairs);
    trib_hacoo_release(&l->triples);
    windows_release(&l->of_target);
    windows_release(&l->of_sources);
}

/* Whether word i, which ends `run` words without a break, is in the middle of a repetition (document 0: the target). */
static trib_status find_repetition(bool *repeats, language *l, const trib_word_order *order,
                                   size_t document, size_t i, size_t run, trib_error *error) {
    windows *w = document == 0 ? &l->of_target : &l->of_sources;
    const uint32_t *next = order->word + i + 1;
    window *found;
    *repeats = false;
    if (run + 1 < w->n_words || i + 1 == order->n || *next == TRIB_BREAK) return TRIB_OK;
    /* Of the sources only triples of the target matter: TRIB_NO_ENTRY is larger than all. */
    if (document > 0 && trib_hacoo_find(&l->triples, next - 3) >= l->n_target) return TRIB_OK;
    const trib_status status = windows_find(&found, w, next + 1 - w->n_words, error);
    if (!found) return status;
    if (found->document != document) found->n_here = 0;
    found->document = document;
    *repeats = document == 0 ? found->n_most > 0 : found->n_here < found->n_most;
    found->n_here++;
    if (!*repeats) found->n_most++;
    return status;
}

/* Counts a word after the words before it, `run` words without a break with it. Of a source, only what follows a pair
 * of the target's is of interest. */
static trib_status add_word(language *l, const uint32_t *word, size_t run, bool is_target,
                            trib_error *error) {
    l->n_types += l->count[word[0]]++ == 0;
    l->total++;
    if (run < 2) return TRIB_OK;
    const size_t n_pairs = l->pairs.nnz, n_triples = l->triples.nnz;
    trib_status status = trib_hacoo_add(&l->pairs, word - 1, 1, error);
    l->after_word[word[-1]].count++;
    if (status == TRIB_OK && l->pairs.nnz > n_pairs) {
        l->after_word[word[-1]].types++;
        status = trib_grow(&l->after_pair, &l->cap, n_pairs + 1, sizeof *l->after_pair,
                           "the common language", error);
        if (status == TRIB_OK) l->after_pair[n_pairs] = (followers){0};
    }
    if (status != TRIB_OK || run < 3) return status;
    followers *after = &l->after_pair[trib_hacoo_find(&l->pairs, word - 2)];
    if (!is_target && after->count == 0) return TRIB_OK;
    status = trib_hacoo_add(&l->triples, word - 2, 1, error);
    after->count++;
    after->types += l->triples.nnz > n_triples;
    return status;
}

/* Adds document 0, the target, or a source. Whatever is left out of a repetition was counted where it stood first. */
static trib_status add_document(language *l, const trib_word_order *order, size_t document,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    size_t run = 0; /* words without a break */
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        bool repeats;
        run = order->word[i] == TRIB_BREAK ? 0 : run + 1;
        if (run == 0) continue;
        status = find_repetition(&repeats, l, order, document, i, run, error);
        if (status == TRIB_OK && !repeats)
            status = add_word(l, order->word + i, run, document == 0, error);
    }
    return status;
}

/* One step of the interpolation, of words that are counted so many times after a context that is, both less this
 * occurrence. At the end of a repetition a word may be counted where its context is not. */
static double interpolate(double count, double in_context, followers after, double discount,
                          double shorter) {
    const double others = fmax(in_context, after.count) - 1;
    if (!(others > 0)) return shorter;
    return fmax(count - 1 - discount, 0) / others +
           fmin(1, discount * after.types / others) * shorter;
}

static double chance_of(const language *l, const trib_word_order *target, size_t i) {
    const uint32_t *word = target->word + i;
    if (word[0] == TRIB_BREAK) return 1;
    double p = (l->count[word[0]] - 1 + ANYWHERE) / (l->total + ANYWHERE * l->n_types);
    if (i >= 1 && word[-1] != TRIB_BREAK)
        p = interpolate(trib_hacoo_get(&l->pairs, word - 1), l->count[word[-1]],
                        l->after_word[word[-1]], DISCOUNT_2, p);
    if (i >= 2 && word[-1] != TRIB_BREAK && word[-2] != TRIB_BREAK)
        p = interpolate(trib_hacoo_get(&l->triples, word - 2), trib_hacoo_get(&l->pairs, word - 2),
                        l->after_pair[trib_hacoo_find(&l->pairs, word - 2)], DISCOUNT_3, p);
    return fmin(p, 1);
}

trib_status trib_word_chances(double *chance, const trib_word_order *target,
                              const trib_word_order *const source[], size_t n_sources,
                              uint32_t n_words, trib_error *error) {
    language l;
    trib_status status = language_init(&l, n_words, error);
    if (status == TRIB_OK) status = add_document(&l, target, 0, error);
    l.n_target = l.triples.nnz;
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        status = add_document(&l, source[s], s + 1, error);
    for (size_t i = 0; i < target->n && status == TRIB_OK; i++)
        chance[i] = chance_of(&l, target, i);
    language_release(&l);
    return status;
}
