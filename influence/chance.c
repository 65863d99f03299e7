/* chance.c - the probability of each word of the target in the language common to all documents, by
 * an interpolated trigram model with absolute discounting (Ney, Essen and Kneser 1994):
 *
 *     p(w | u v) = max(c(u v w) - d3, 0) / c(u v) + min(1, d3 types(u v) / c(u v)) p(w | v)
 *
 * and likewise p(w | v) with d2. The counts c come from the target and its sources together,
 * without the occurrence whose probability is computed. The discount d3 depends on c(u v w), as
 * in Chen and Goodman 1998, and takes almost all of a small count: a passage copied from a source
 * that holds it once, twice or three times does not become a common phrase by that. What comes
 * again and again does.
 *
 * A passage that the target quotes several times, or that several sources hold, is still one
 * passage. A word in the middle of such a repetition is counted once only; otherwise the passage
 * would look like common language. */
#include "base/internal.h"
#include "influence/order.h"

#include <math.h>
#include <string.h>

/* d2, and d3 of the counts 1, 2 and all larger ones, were chosen on one half of the planted corpora
 * (docs/validation.md). */
static const double DISCOUNT_2 = 1, DISCOUNT_3[] = {0.96, 1.7, 2.2}, ANYWHERE = 0.5;

/* A word is in the middle of a repetition when the window of this many words that ends one word
 * after it occurred earlier in the target, or at least as often in another source. Shorter windows
 * would take ordinary turns of phrase for repetitions. */
enum { TARGET_WINDOW = 6, SOURCE_WINDOW = 8 };

/* A distinct window of words: its first occurrence, the number of its occurrences in the current
 * document, and the largest number in any document so far. */
typedef struct window {
    const uint32_t *word;
    size_t document;
    uint32_t n_here, n_most;
} window;

typedef struct windows {
    size_t n_words;  /* length of a window */
    trib_hacoo hash; /* one entry per hash value of a window */
    window *list;    /* [hash.nnz] */
    size_t cap;
} windows;

/* The words that follow a context: how many occurrences were counted, and how many different
 * words. */
typedef struct followers {
    uint32_t count, types;
} followers;

/* A bit set over 64 consecutive pair or triple numbers: which of them occur in the target, and
 * which of the others were counted already. */
typedef struct block {
    uint64_t of_target, seen;
    uint32_t n_before; /* numbers set in `of_target` of all earlier blocks */
} block;

/* A word, or a pair of words of the target: its count, and the words that follow it. */
typedef struct context {
    uint32_t count;
    followers after;
    /* for words: whether the target holds it; the followers of other words are not counted */
    bool in_target;
} context;

typedef struct language {
    context *word;          /* [n_words] */
    block *pairs, *triples; /* bit sets over all pair and triple numbers */
    context *pair;          /* of the target's pairs, in ascending order of their numbers */
    uint32_t *triple;       /* count of each triple of the target, in the same order */
    double total, n_types;  /* words counted, and different words among them */
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

/* Finds the window that begins at `word`, or adds it. *found is NULL when a window of other words
 * has the same hash. */
static trib_status windows_find(window **found, windows *w, const uint32_t *word,
                                trib_error *error) {
    const size_t n_bytes = w->n_words * sizeof *word;
    const uint64_t hash = trib_hash_bytes(word, n_bytes);
    const uint32_t index[] = {(uint32_t)(hash >> 33), (uint32_t)hash >> 1};
    size_t e = trib_hacoo_find(&w->hash, index);
    *found = NULL;
    if (e == TRIB_NO_ENTRY) {
        e = w->hash.nnz;
        trib_status status = trib_hacoo_add(&w->hash, index, 1, error);
        if (status == TRIB_OK)
            status =
                trib_grow(&w->list, &w->cap, e + 1, sizeof *w->list, "windows of words", error);
        if (status != TRIB_OK) return status;
        w->list[e] = (window){.word = word};
    }
    if (memcmp(w->list[e].word, word, n_bytes) == 0) *found = &w->list[e];
    return TRIB_OK;
}

/* Whether the target holds the pair or triple `number`; *place is then its rank among the
 * target's. */
TRIB_INLINE bool find_number(const block *blocks, uint32_t number, size_t *place) {
    const block *b = &blocks[number / 64];
    const uint64_t bit = UINT64_C(1) << number % 64;
    *place = b->n_before + (size_t)__builtin_popcountll(b->of_target & (bit - 1));
    return b->of_target & bit;
}

/* Marks a pair or triple number that the target does not hold. True at its first occurrence. */
static bool see_number(block *blocks, uint32_t number) {
    const uint64_t bit = UINT64_C(1) << number % 64, seen = blocks[number / 64].seen;
    blocks[number / 64].seen = seen | bit;
    return !(seen & bit);
}

/* Makes the bit set over n_numbers numbers, with the target's number[n] set. *n_places is the count
 * of different numbers among them. */
static trib_status list_numbers(block **blocks, size_t *n_places, size_t n_numbers,
                                const uint32_t number[], size_t n, trib_error *error) {
    const size_t n_blocks = n_numbers / 64 + 1;
    const trib_status status =
        trib_new(blocks, n_blocks, sizeof **blocks, "the common language", error);
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

static trib_status language_init(language *l, const trib_word_orders *orders,
                                 const trib_word_order *target, uint32_t n_words,
                                 trib_error *error) {
    static const char what[] = "the common language";
    size_t n_pairs = 0, n_triples = 0;
    *l = (language){0};
    trib_status status = trib_new(&l->word, n_words, sizeof *l->word, what, error);
    if (status == TRIB_OK)
        status = list_numbers(&l->pairs, &n_pairs, orders->n_pairs, target->pair, target->n, error);
    if (status == TRIB_OK)
        status = list_numbers(&l->triples, &n_triples, orders->n_triples, target->triple, target->n,
                              error);
    if (status == TRIB_OK) status = trib_new(&l->pair, n_pairs, sizeof *l->pair, what, error);
    if (status == TRIB_OK) status = trib_new(&l->triple, n_triples, sizeof *l->triple, what, error);
    if (status == TRIB_OK) status = windows_init(&l->of_target, TARGET_WINDOW, error);
    if (status == TRIB_OK) status = windows_init(&l->of_sources, SOURCE_WINDOW, error);
    for (size_t i = 0; i < target->n && status == TRIB_OK; i++)
        if (target->word[i] != TRIB_BREAK) l->word[target->word[i]].in_target = true;
    return status;
}

static void language_release(language *l) {
    trib_free(l->word);
    trib_free(l->pairs);
    trib_free(l->triples);
    trib_free(l->pair);
    trib_free(l->triple);
    windows_release(&l->of_target);
    windows_release(&l->of_sources);
}

/* The position in a document that is being read. */
typedef struct reader {
    const trib_word_order *order;
    size_t document; /* 0: the target */
    size_t i, run;   /* the current word, and the number of words up to it since the last break */
    /* Of the pair before the current word, and of the pair and the triple that end with it: whether
     * the target holds them, and then their ranks among the target's. */
    bool holds_before, holds_pair, holds_triple;
    size_t before, pair, triple;
} reader;

/* Moves to the next word. Every number is looked up once, and a triple only where the target holds
 * the pair before the word, because the look-ups are most of the work. */
TRIB_INLINE void read_word(reader *r, const language *l) {
    const trib_word_order *order = r->order;
    r->run = order->word[r->i] == TRIB_BREAK ? 0 : r->run + 1;
    r->holds_before = r->run > 2 && r->holds_pair;
    r->before = r->pair;
    r->holds_pair = r->run > 1 && find_number(l->pairs, order->pair[r->i], &r->pair);
    r->holds_triple = r->holds_before && find_number(l->triples, order->triple[r->i], &r->triple);
}

/* Sets *repeats to whether the current word is in the middle of a repetition. */
TRIB_INLINE trib_status find_repetition(bool *repeats, language *l, const reader *r,
                                        trib_error *error) {
    const size_t document = r->document;
    windows *w = document == 0 ? &l->of_target : &l->of_sources;
    const uint32_t *next = r->order->word + r->i + 1;
    window *found;
    *repeats = false;
    if (r->run + 1 < w->n_words || r->i + 1 == r->order->n || *next == TRIB_BREAK) return TRIB_OK;
    if (!r->holds_triple) return TRIB_OK; /* in sources only the triples of the target matter */
    const trib_status status = windows_find(&found, w, next + 1 - w->n_words, error);
    if (!found) return status;
    if (found->document != document) found->n_here = 0;
    found->document = document;
    *repeats = document == 0 ? found->n_most > 0 : found->n_here < found->n_most;
    found->n_here++;
    if (!*repeats) found->n_most++;
    return status;
}

/* Counts the current word and its occurrence after the words before it. Contexts that the target
 * does not hold are skipped. */
TRIB_INLINE void add_word(language *l, const reader *r) {
    const uint32_t *word = r->order->word + r->i;
    l->n_types += l->word[word[0]].count++ == 0;
    l->total++;
    if (r->run < 2 || !l->word[word[-1]].in_target) return;
    followers *after = &l->word[word[-1]].after;
    after->count++;
    after->types +=
        r->holds_pair ? l->pair[r->pair].count++ == 0 : see_number(l->pairs, r->order->pair[r->i]);
    if (!r->holds_before) return;
    after = &l->pair[r->before].after;
    if (r->document > 0 && after->count == 0) return;
    after->count++;
    after->types += r->holds_triple ? l->triple[r->triple]++ == 0
                                    : see_number(l->triples, r->order->triple[r->i]);
}

/* Counts the words of a document (0: the target, otherwise a source). Words in the middle of a
 * repetition are skipped, because their first occurrence was counted. Marked TRIB_KERNEL because
 * newer processors count bits with one instruction. */
TRIB_KERNEL static trib_status count_text(language *l, const trib_word_order *order,
                                          size_t document, trib_error *error) {
    trib_status status = TRIB_OK;
    reader r = {.order = order, .document = document};
    for (r.i = 0; r.i < order->n && status == TRIB_OK; r.i++) {
        bool repeats;
        read_word(&r, l);
        if (r.run == 0) continue;
        status = find_repetition(&repeats, l, &r, error);
        if (status == TRIB_OK && !repeats) add_word(l, &r);
    }
    return status;
}

/* d3 of a triple counted `count` times with the occurrence at hand. */
static double discount_3(uint32_t count) { return DISCOUNT_3[count < 3 ? 0 : count < 4 ? 1 : 2]; }

/* One step of the interpolation for a word counted `count` times after a context counted
 * `in_context` times; both include the occurrence at hand, which is subtracted here. `shorter` is
 * the probability after the shorter context. The other words of the context are taken to be
 * discounted as this one is. At the end of a repetition a word can be counted where its context was
 * not. */
static double interpolate(double count, double in_context, followers after, double discount,
                          double shorter) {
    const double others = fmax(in_context, after.count) - 1;
    if (!(others > 0)) return shorter;
    return fmax(count - 1 - discount, 0) / others +
           fmin(1, discount * after.types / others) * shorter;
}

static double chance_of(const language *l, const trib_word_order *target, size_t i) {
    const uint32_t *word = target->word + i;
    size_t place;
    if (word[0] == TRIB_BREAK) return 1;
    double p = (l->word[word[0]].count - 1 + ANYWHERE) / (l->total + ANYWHERE * l->n_types);
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
    trib_status status = language_init(&l, orders, order, n_words, error);
    if (status == TRIB_OK) status = count_text(&l, order, 0, error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        status = count_text(&l, &orders->document[source[s]], s + 1, error);
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) chance[i] = chance_of(&l, order, i);
    language_release(&l);
    return status;
}
