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

/* Word sequences of one length by number, and how often each is counted. */
typedef struct sequences {
    trib_hacoo number;
    uint32_t *count; /* [number.nnz] */
    size_t cap;
} sequences;

typedef struct language {
    uint32_t *count; /* [n_words] of each word */
    sequences pairs, triples;
    followers *after_word; /* [n_words] */
    followers *after_pair; /* [pairs] */
    size_t cap;
    double total, n_types; /* words, and different ones */
    size_t n_target;       /* triples of the target, which come first */
    uint8_t
        *in_target; /* [n_words] 1: of the target; what no such word begins is never asked for */
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

static void sequences_release(sequences *s) {
    trib_hacoo_release(&s->number);
    trib_free(s->count);
}

/* Counts words[..] once more; *entry is their number, or TRIB_NO_ENTRY when it is not known yet whether they have one. */
static trib_status sequences_count(sequences *s, const uint32_t *words, size_t *entry,
                                   trib_error *error) {
    if (*entry == TRIB_NO_ENTRY) *entry = trib_hacoo_find(&s->number, words);
    if (*entry == TRIB_NO_ENTRY) {
        *entry = s->number.nnz;
        trib_status status = trib_hacoo_add(&s->number, words, 1, error);
        if (status == TRIB_OK)
            status = trib_grow(&s->count, &s->cap, *entry + 1, sizeof *s->count,
                               "the common language", error);
        if (status != TRIB_OK) return status;
        s->count[*entry] = 0;
    }
    s->count[*entry]++;
    return TRIB_OK;
}

static double sequences_get(const sequences *s, const uint32_t *words) {
    const size_t entry = trib_hacoo_find(&s->number, words);
    return entry == TRIB_NO_ENTRY ? 0 : s->count[entry];
}

static trib_status language_init(language *l, uint32_t n_words, trib_error *error) {
    const uint32_t dim[] = {n_words, n_words, n_words};
    *l = (language){0};
    static const char what[] = "the common language";
    trib_status status = trib_new(&l->count, n_words, sizeof *l->count, what, error);
    if (status == TRIB_OK)
        status = trib_new(&l->after_word, n_words, sizeof *l->after_word, what, error);
    if (status == TRIB_OK) status = trib_new(&l->in_target, n_words, 1, what, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&l->pairs.number, 2, dim, NULL, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&l->triples.number, 3, dim, NULL, error);
    if (status == TRIB_OK) status = windows_init(&l->of_target, TARGET_WINDOW, error);
    if (status == TRIB_OK) status = windows_init(&l->of_sources, SOURCE_WINDOW, error);
    return status;
}

static void language_release(language *l) {
    trib_free(l->count);
    trib_free(l->after_word);
    trib_free(l->after_pair);
    trib_free(l->in_target);
    sequences_release(&l->pairs);
    sequences_release(&l->triples);
    windows_release(&l->of_target);
    windows_release(&l->of_sources);
}

/* Where a document is being read, and numbers that need not be looked up again. */
typedef struct reader {
    const trib_word_order *order;
    size_t document; /* 0: the target */
    size_t i, run;   /* the word, and how many without a break it ends */
    size_t pair;     /* of the word and the one before it, or TRIB_NO_ENTRY: not looked up */
    size_t triple;   /* of these and the one before them, likewise */
} reader;

/* Whether the word is in the middle of a repetition. */
static trib_status find_repetition(bool *repeats, language *l, reader *r, trib_error *error) {
    const size_t document = r->document;
    windows *w = document == 0 ? &l->of_target : &l->of_sources;
    const uint32_t *next = r->order->word + r->i + 1;
    window *found;
    *repeats = false;
    if (r->run + 1 < w->n_words || r->i + 1 == r->order->n || *next == TRIB_BREAK) return TRIB_OK;
    if (document > 0) { /* of the sources only triples of the target matter */
        if (!l->in_target[next[-3]] || !l->in_target[next[-2]] || !l->in_target[next[-1]])
            return TRIB_OK;
        r->triple = trib_hacoo_find(&l->triples.number, next - 3);
        if (r->triple >= l->n_target) return TRIB_OK; /* TRIB_NO_ENTRY is larger than all */
    }
    const trib_status status = windows_find(&found, w, next + 1 - w->n_words, error);
    if (!found) return status;
    if (found->document != document) found->n_here = 0;
    found->document = document;
    *repeats = document == 0 ? found->n_most > 0 : found->n_here < found->n_most;
    found->n_here++;
    if (!*repeats) found->n_most++;
    return status;
}

/* Counts the word after the words before it. Of a source, only what follows a word or a pair of the target's is of
 * interest. `before` is the pair that the word before ends, if it is known. */
static trib_status add_word(language *l, reader *r, size_t before, trib_error *error) {
    const uint32_t *word = r->order->word + r->i;
    const size_t n_pairs = l->pairs.number.nnz, n_triples = l->triples.number.nnz;
    l->n_types += l->count[word[0]]++ == 0;
    l->total++;
    if (r->run < 2 || !l->in_target[word[-1]]) return TRIB_OK;
    trib_status status = sequences_count(&l->pairs, word - 1, &r->pair, error);
    l->after_word[word[-1]].count++;
    if (status == TRIB_OK && l->pairs.number.nnz > n_pairs) {
        l->after_word[word[-1]].types++;
        status = trib_grow(&l->after_pair, &l->cap, n_pairs + 1, sizeof *l->after_pair,
                           "the common language", error);
        if (status == TRIB_OK) l->after_pair[n_pairs] = (followers){0};
    }
    if (status != TRIB_OK || r->run < 3 || !l->in_target[word[-2]]) return status;
    if (before == TRIB_NO_ENTRY) before = trib_hacoo_find(&l->pairs.number, word - 2);
    followers *after = &l->after_pair[before];
    if (r->document > 0 && after->count == 0) return TRIB_OK;
    status = sequences_count(&l->triples, word - 2, &r->triple, error);
    after->count++;
    after->types += l->triples.number.nnz > n_triples;
    return status;
}

/* Adds document 0, the target, or a source. Whatever is left out of a repetition was counted where it stood first. */
static trib_status add_document(language *l, const trib_word_order *order, size_t document,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    reader r = {.order = order, .document = document, .pair = TRIB_NO_ENTRY};
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        const size_t before = r.pair;
        bool repeats;
        r.pair = r.triple = TRIB_NO_ENTRY;
        r.i = i;
        r.run = order->word[i] == TRIB_BREAK ? 0 : r.run + 1;
        if (r.run == 0) continue;
        status = find_repetition(&repeats, l, &r, error);
        if (status == TRIB_OK && !repeats) status = add_word(l, &r, before, error);
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
        p = interpolate(sequences_get(&l->pairs, word - 1), l->count[word[-1]],
                        l->after_word[word[-1]], DISCOUNT_2, p);
    if (i >= 2 && word[-1] != TRIB_BREAK && word[-2] != TRIB_BREAK)
        p = interpolate(sequences_get(&l->triples, word - 2), sequences_get(&l->pairs, word - 2),
                        l->after_pair[trib_hacoo_find(&l->pairs.number, word - 2)], DISCOUNT_3, p);
    return fmin(p, 1);
}

trib_status trib_word_chances(double *chance, const trib_word_order *target,
                              const trib_word_order *const source[], size_t n_sources,
                              uint32_t n_words, trib_error *error) {
    language l;
    trib_status status = language_init(&l, n_words, error);
    for (size_t i = 0; i < target->n && status == TRIB_OK; i++)
        if (target->word[i] != TRIB_BREAK) l.in_target[target->word[i]] = 1;
    if (status == TRIB_OK) status = add_document(&l, target, 0, error);
    l.n_target = l.triples.number.nnz;
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        status = add_document(&l, source[s], s + 1, error);
    for (size_t i = 0; i < target->n && status == TRIB_OK; i++)
        chance[i] = chance_of(&l, target, i);
    language_release(&l);
    return status;
}
