/* chance.c - how likely each word of the target is in the language all documents have in common: an interpolated
 * trigram model with absolute discounting (Ney, Essen and Kneser 1994),
 *
 *     p(w | u v) = max(c(u v w) - d3, 0) / c(u v) + min(1, d3 types(u v) / c(u v)) p(w | v)
 *
 * and likewise p(w | v) with d2. Counts are of the target and its sources together, less the occurrence asked about. A
 * passage copied once from one source then has c(u v w) = 1, of which d3 leaves next to nothing: copying does not make a
 * phrase common, repetition does. */
#include "influence/order.h"

#include <math.h>

/* d2 = 1 and d3 < 1 were chosen on one half of the planted corpora (docs/validation.md). */
static const double DISCOUNT_2 = 1, DISCOUNT_3 = 0.95, ANYWHERE = 0.5;

/* A context: how often a word follows, and how many different ones do. */
typedef struct context {
    uint32_t count, types;
} context;

typedef struct language {
    context *word; /* [n_words] one word before; `count` is of the word itself */
    trib_hacoo pairs, triples;
    uint32_t *types; /* [pairs.nnz] words that follow a pair */
    size_t cap;
    double total, n_types; /* words, and different ones */
} language;

static trib_status language_init(language *l, uint32_t n_words, trib_error *error) {
    const uint32_t dim[] = {n_words, n_words, n_words};
    *l = (language){0};
    trib_status status = trib_new(&l->word, n_words, sizeof *l->word, "the common language", error);
    if (status == TRIB_OK) status = trib_hacoo_init(&l->pairs, 2, dim, NULL, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&l->triples, 3, dim, NULL, error);
    return status;
}

static void language_release(language *l) {
    trib_free(l->word);
    trib_free(l->types);
    trib_hacoo_release(&l->pairs);
    trib_hacoo_release(&l->triples);
}

/* Adds a document. After the target, which comes first, only what follows a pair of the target's is of interest. */
static trib_status add_document(language *l, const trib_word_order *order, bool is_target,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        const uint32_t *word = order->word + i;
        if (word[0] == TRIB_BREAK) continue;
        l->n_types += l->word[word[0]].count++ == 0;
        l->total++;
        if (i < 1 || word[-1] == TRIB_BREAK) continue;
        const size_t n_pairs = l->pairs.nnz, n_triples = l->triples.nnz;
        status = trib_hacoo_add(&l->pairs, word - 1, 1, error);
        if (status == TRIB_OK && l->pairs.nnz > n_pairs) {
            l->word[word[-1]].types++;
            status = trib_grow(&l->types, &l->cap, n_pairs + 1, sizeof *l->types,
                               "the common language", error);
            if (status == TRIB_OK) l->types[n_pairs] = 0;
        }
        if (status != TRIB_OK || i < 2 || word[-2] == TRIB_BREAK) continue;
        const size_t before = trib_hacoo_find(&l->pairs, word - 2);
        if (!is_target && l->types[before] == 0) continue;
        status = trib_hacoo_add(&l->triples, word - 2, 1, error);
        if (status == TRIB_OK && l->triples.nnz > n_triples) l->types[before]++;
    }
    return status;
}

/* One step of the interpolation: `count` times the words so far, `context` times what stands before the last, both less
 * this occurrence. */
static double interpolate(double count, double in_context, double types, double discount,
                          double shorter) {
    if (!(in_context > 1)) return shorter;
    return fmax(count - 1 - discount, 0) / (in_context - 1) +
           fmin(1, discount * types / (in_context - 1)) * shorter;
}

static double chance_of(const language *l, const trib_word_order *target, size_t i) {
    const uint32_t *word = target->word + i;
    if (word[0] == TRIB_BREAK) return 1;
    double p = (l->word[word[0]].count - 1 + ANYWHERE) / (l->total + ANYWHERE * l->n_types);
    if (i >= 1 && word[-1] != TRIB_BREAK)
        p = interpolate(trib_hacoo_get(&l->pairs, word - 1), l->word[word[-1]].count,
                        l->word[word[-1]].types, DISCOUNT_2, p);
    if (i >= 2 && word[-1] != TRIB_BREAK && word[-2] != TRIB_BREAK) {
        const size_t before = trib_hacoo_find(&l->pairs, word - 2);
        p = interpolate(trib_hacoo_get(&l->triples, word - 2), trib_hacoo_get(&l->pairs, word - 2),
                        l->types[before], DISCOUNT_3, p);
    }
    return fmin(p, 1);
}

trib_status trib_word_chances(double *chance, const trib_word_order *target,
                              const trib_word_order *const source[], size_t n_sources,
                              uint32_t n_words, trib_error *error) {
    language l;
    trib_status status = language_init(&l, n_words, error);
    if (status == TRIB_OK) status = add_document(&l, target, true, error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        status = add_document(&l, source[s], false, error);
    for (size_t i = 0; i < target->n && status == TRIB_OK; i++)
        chance[i] = chance_of(&l, target, i);
    language_release(&l);
    return status;
}
