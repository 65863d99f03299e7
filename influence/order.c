/* order.c - restores the words of a document from its n-grams in text order: each n-gram adds its
 * last word to the previous one. Pairs and triples of adjacent words are numbered once for all
 * documents, so that they can be counted in plain arrays. That gives the probability of each word
 * of the target in the language common to all documents. */
#include "influence/order.h"
#include "base/internal.h"

#include <math.h>
#include <string.h>

enum { MOST_EXPECTED = 1 << 20 };

trib_status trib_word_order_read(trib_word_order *order, const trib_influence_document *document,
                                 trib_error *error) {
    const uint32_t n_modes = document->counts->n_modes;
    uint32_t last[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    size_t cap = 0;
    *order = (trib_word_order){.n_ngrams = document->n_ngrams};
    if (!trib_multiply(document->n_ngrams, (size_t)n_modes + 1, &cap)) cap = SIZE_MAX;
    trib_status status = TRIB_NEW(&order->word, cap, "words in order", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&order->place, document->n_ngrams, "words in order", error);
    if (status != TRIB_OK) {
        trib_word_order_release(order);
        return status;
    }
    for (size_t k = 0; k < document->n_ngrams; k++) {
        trib_hacoo_entry(document->counts, document->sequence[k], index);
        const bool overlaps = k > 0 && memcmp(last + 1, index, (n_modes - 1) * sizeof *index) == 0;
        if (k > 0 && !overlaps) order->word[order->n++] = TRIB_BREAK;
        for (uint32_t m = overlaps ? n_modes - 1 : 0; m < n_modes; m++)
            order->word[order->n++] = document->word[index[m]];
        order->place[k] = order->n - n_modes;
        memcpy(last, index, n_modes * sizeof *index);
    }
    return TRIB_OK;
}

void trib_word_order_release(trib_word_order *order) {
    TRIB_FREE(order->word, order->place, order->pair, order->triple, order->recurring);
    *order = (trib_word_order){0};
}

/* ---- Of many documents ----------------------------------------------------------------------- */

/* Reads one document into arrays of exactly its size, because they live as long as the run. */
static trib_status read_exactly(trib_word_order *order, const trib_influence_document *document,
                                trib_error *error) {
    static const char what[] = "words in order";
    trib_word_order wide = {0};
    trib_status status = trib_word_order_read(&wide, document, error);
    *order = (trib_word_order){.n = wide.n, .n_ngrams = wide.n_ngrams, .place = wide.place};
    wide.place = NULL;
    if (status == TRIB_OK) status = trib_new(&order->word, wide.n, sizeof *wide.word, what, error);
    if (status == TRIB_OK) status = trib_new(&order->pair, wide.n, sizeof *wide.pair, what, error);
    if (status == TRIB_OK)
        status = trib_new(&order->triple, wide.n, sizeof *wide.triple, what, error);
    if (status == TRIB_OK && wide.n > 0) memcpy(order->word, wide.word, wide.n * sizeof *wide.word);
    trib_word_order_release(&wide);
    return status;
}

/* Sets number[i] to the number of the pair (before[i - 1], word i). With words in `before` it
 * numbers pairs of words, with pairs it numbers triples. */
static trib_status number_words(trib_hacoo *table, const trib_word_order *order,
                                const uint32_t before[], uint32_t number[], trib_error *error) {
    trib_hacoo_stream stream;
    trib_status status = TRIB_OK;
    trib_hacoo_stream_init(&stream, table, number);
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        uint32_t index[] = {i > 0 ? before[i - 1] : TRIB_NO_NUMBER, order->word[i]};
        const bool is_whole = index[0] != TRIB_NO_NUMBER && index[1] != TRIB_BREAK;
        if (!is_whole) index[0] = index[1] = 0; /* pushed with count 0, so it gets no number */
        status = trib_hacoo_stream_push(&stream, index, is_whole, error);
    }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

/* Lists the words in the middle of windows that can occur again. */
static trib_status find_recurring(trib_word_order *order, const trib_hacoo *triples,
                                  trib_error *error) {
    size_t n_triples = 0, cap = 0; /* triples in a row up to this word that occur again */
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        const uint32_t triple = order->triple[i];
        n_triples =
            triple != TRIB_NO_NUMBER && trib_hacoo_count(triples, triple) > 1 ? n_triples + 1 : 0;
        if (n_triples < TRIB_RECURRING - 2) continue;
        status =
            TRIB_GROW(&order->recurring, &cap, order->n_recurring + 1, "words in order", error);
        if (status == TRIB_OK) order->recurring[order->n_recurring++] = (uint32_t)i - 1;
    }
    return status;
}

static trib_status number_all(trib_word_orders *orders, uint32_t n_words, trib_error *error) {
    const uint32_t n = n_words > 0 ? n_words : 1;
    trib_hacoo pairs = {0}, triples = {0};
    trib_hacoo_options options = {0};
    for (size_t d = 0; d < orders->n_documents; d++) options.expected += orders->document[d].n;
    if (options.expected > MOST_EXPECTED) options.expected = MOST_EXPECTED;
    trib_status status = trib_hacoo_init(&pairs, 2, (const uint32_t[]){n, n}, &options, error);
    if (status == TRIB_OK)
        status = trib_hacoo_init(&triples, 2, (const uint32_t[]){UINT32_MAX, n}, &options, error);
    for (size_t d = 0; d < orders->n_documents && status == TRIB_OK; d++) {
        trib_word_order *order = &orders->document[d];
        status = number_words(&pairs, order, order->word, order->pair, error);
        if (status == TRIB_OK)
            status = number_words(&triples, order, order->pair, order->triple, error);
    }
    for (size_t d = 0; d < orders->n_documents && status == TRIB_OK; d++)
        status = find_recurring(&orders->document[d], &triples, error);
    orders->n_pairs = pairs.nnz;
    orders->n_triples = triples.nnz;
    trib_hacoo_release(&pairs);
    trib_hacoo_release(&triples);
    return status;
}

trib_status trib_word_orders_build(trib_word_orders *orders,
                                   const trib_influence_document document[], size_t n_documents,
                                   const uint32_t *among, size_t n_among, uint32_t n_words,
                                   trib_error *error) {
    *orders = (trib_word_orders){.n_documents = n_documents};
    trib_status status = TRIB_NEW(&orders->document, n_documents, "texts", error);
    for (size_t i = 0; i < (among ? n_among : n_documents) && status == TRIB_OK; i++) {
        const size_t d = among ? among[i] : i;
        status = read_exactly(&orders->document[d], &document[d], error);
    }
    if (status == TRIB_OK) status = number_all(orders, n_words, error);
    if (status != TRIB_OK) trib_word_orders_release(orders);
    return status;
}

void trib_word_orders_release(trib_word_orders *orders) {
    for (size_t d = 0; orders->document && d < orders->n_documents; d++)
        trib_word_order_release(&orders->document[d]);
    trib_free(orders->document);
    *orders = (trib_word_orders){0};
}

/* ---- Chances --------------------------------------------------------------------------------- */

/* The probability of each word of the target in the language common to all documents, by an
 * interpolated trigram model with absolute discounting (Ney, Essen and Kneser 1994):
 *
 *     p(w | u v) = max(c(u v w) - d3, 0) / c(u v) + min(1, d3 types(u v) / c(u v)) p(w | v)
 *
 * and likewise p(w | v) with d2. The counts c come from the target and its sources together,
 * without the occurrence whose probability is computed. The discount d3 depends on c(u v w), as in
 * Chen and Goodman 1998, and takes almost all of a small count: a passage copied from a source that
 * holds it once, twice or three times does not become a common phrase by that. What comes again and
 * again does.
 *
 * A passage that the target quotes several times, or that several sources hold, is still one
 * passage. A word in the middle of such a repetition is counted once only; otherwise the passage
 * would look like common language. */

/* d2, and d3 of the counts 1, 2 and all larger ones, were chosen on one half of the planted corpora
 * (docs/validation.md). */
static const double DISCOUNT_2 = 1, DISCOUNT_3[] = {0.96, 1.7, 2.2}, ANYWHERE = 0.5;

/* A word is in the middle of a repetition when the window of this many words that ends one word
 * after it occurred earlier in the target, or at least as often in another source. Shorter windows
 * would take ordinary turns of phrase for repetitions. */
enum { TARGET_WINDOW = 6, SOURCE_WINDOW = TRIB_RECURRING };

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
    /* of the text that is being counted: words in the middle of repetitions, and the pairs that the
     * target holds */
    uint32_t *repeated; /* [n_repeated] ascending; then a place after all words */
    pair_place *held;   /* [n_held] in text order */
    size_t n_repeated, repeated_cap, n_held, held_cap;
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
            status = TRIB_GROW(&w->list, &w->cap, e + 1, "windows of words", error);
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

static trib_status language_init(language *l, const trib_word_orders *orders,
                                 const trib_word_order *target, uint32_t n_words,
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
    if (status == TRIB_OK) status = windows_init(&l->of_target, TARGET_WINDOW, error);
    return status == TRIB_OK ? windows_init(&l->of_sources, SOURCE_WINDOW, error) : status;
}

static void language_release(language *l) {
    TRIB_FREE(l->word, l->pairs, l->triples, l->pair, l->triple);
    windows_release(&l->of_target);
    windows_release(&l->of_sources);
    TRIB_FREE(l->repeated, l->held);
}

/* Adds word i of a text to l->repeated, if the window that it is in the middle of is repeated. */
static trib_status add_repeated(language *l, const trib_word_order *order, size_t document,
                                size_t i, trib_error *error) {
    windows *w = document == 0 ? &l->of_target : &l->of_sources;
    window *found;
    trib_status status = windows_find(&found, w, order->word + i + 2 - w->n_words, error);
    if (!found) return status;
    if (found->document != document) found->n_here = 0;
    found->document = document;
    const bool repeats = document == 0 ? found->n_most > 0 : found->n_here < found->n_most;
    found->n_here++;
    if (!repeats) {
        found->n_most++;
        return status;
    }
    status =
        TRIB_GROW(&l->repeated, &l->repeated_cap, l->n_repeated + 1, "the common language", error);
    if (status == TRIB_OK) l->repeated[l->n_repeated++] = (uint32_t)i;
    return status;
}

/* Lists the words of a text that are in the middle of repetitions. In sources only the triples of
 * the target matter, and only windows that can occur again. */
static trib_status find_repetitions(language *l, const trib_word_order *order, size_t document,
                                    trib_error *error) {
    trib_status status = TRIB_OK;
    size_t run = 0, place; /* words up to this one since the last break */
    l->n_repeated = 0;
    for (size_t i = 0; document == 0 && i + 1 < order->n && status == TRIB_OK; i++) {
        run = order->word[i] == TRIB_BREAK ? 0 : run + 1;
        if (run + 1 >= TARGET_WINDOW && order->word[i + 1] != TRIB_BREAK)
            status = add_repeated(l, order, document, i, error);
    }
    for (size_t k = 0; document > 0 && k < order->n_recurring && status == TRIB_OK; k++)
        if (find_number(l->triples, order->triple[order->recurring[k]], &place))
            status = add_repeated(l, order, document, order->recurring[k], error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&l->repeated, &l->repeated_cap, l->n_repeated + 1, "the common language",
                           error);
    if (status == TRIB_OK) l->repeated[l->n_repeated] = UINT32_MAX;
    return status;
}

/* Counts the words of a text, and how often each follows the word before it. Lists the pairs of the
 * target. Marked TRIB_KERNEL because newer processors count bits with one instruction. */
TRIB_KERNEL static void count_words(language *l, const trib_word_order *order) {
    const uint32_t *repeated = l->repeated;
    uint32_t n_types = 0;
    size_t n_held = 0, n = 0;
    for (size_t i = 0; i < order->n; i++) {
        const uint32_t word = order->word[i], pair = order->pair[i];
        const bool is_counted = i != *repeated;
        if (!is_counted) repeated++;
        if (word == TRIB_BREAK) continue;
        if (is_counted) {
            n_types += l->word[word].count++ == 0;
            n++;
        }
        if (pair == TRIB_NO_NUMBER) continue;
        block *b = &l->pairs[pair / 64];
        l->held[n_held] = (pair_place){(uint32_t)i, pair};
        n_held += b->of_target >> pair % 64 & 1;
        if (!is_counted) continue;
        followers *after = &l->word[order->word[i - 1]].after;
        after->count++;
        after->types += see_number(b, pair);
    }
    l->n_types += n_types;
    l->total += (double)n;
    l->n_held = n_held;
}

/* Counts the pairs of the target in a text, and the words that follow them. */
TRIB_KERNEL static void count_pairs(language *l, const trib_word_order *order, bool is_target) {
    const uint32_t *repeated = l->repeated;
    for (size_t k = 0; k < l->n_held; k++) {
        const pair_place at = l->held[k];
        const size_t next = (size_t)at.place + 1;
        size_t place;
        (void)find_number(l->pairs, at.pair, &place);
        context *pair = &l->pair[place];
        while (*repeated < at.place) repeated++;
        pair->count += *repeated != at.place;
        if (next == order->n || order->triple[next] == TRIB_NO_NUMBER) continue;
        if ((repeated[*repeated == at.place]) == next) continue;
        if (!is_target && pair->after.count == 0) continue;
        const uint32_t triple = order->triple[next];
        pair->after.count++;
        pair->after.types += see_number(&l->triples[triple / 64], triple);
        if (find_number(l->triples, triple, &place)) l->triple[place]++;
    }
}

/* Counts the words of a document (0: the target, otherwise a source). Words in the middle of a
 * repetition are skipped, because their first occurrence was counted. */
static trib_status count_text(language *l, const trib_word_order *order, size_t document,
                              trib_error *error) {
    trib_status status = find_repetitions(l, order, document, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&l->held, &l->held_cap, order->n + 1, "the common language", error);
    if (status != TRIB_OK) return status;
    count_words(l, order);
    count_pairs(l, order, document == 0);
    return TRIB_OK;
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
        if (source[s] != target)
            status = count_text(&l, &orders->document[source[s]], s + 1, error);
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) chance[i] = chance_of(&l, order, i);
    language_release(&l);
    return status;
}
