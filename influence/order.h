/* order.h - private to influence/: the words of documents in text order, restored from their
 * n-grams. */
#ifndef TRIBUTARY_INFLUENCE_ORDER_H
#define TRIBUTARY_INFLUENCE_ORDER_H

#include "influence/influence.h"

/* not a word: marks two consecutive n-grams that do not overlap */
#define TRIB_BREAK     UINT32_MAX
#define TRIB_NO_NUMBER UINT32_MAX /* fewer words precede, or a break is among them */

/* The words of one document. `{0}` is empty. */
typedef struct trib_word_order {
    uint32_t *word; /* [n] vocabulary ids, or TRIB_BREAK between words */
    size_t n;
    size_t *place; /* [n_ngrams] position of the first word of the document's k-th n-gram */
    size_t n_ngrams;
    /* [n] number of the pair and of the triple of words that end here, or TRIB_NO_NUMBER; NULL:
     * not numbered */
    uint32_t *pair, *triple;
    /* [n_recurring] places of the last words but one of the windows of TRIB_RECURRING words each of
     * whose triples occurs again in the documents; ascending; set with the numbers */
    uint32_t *recurring;
    size_t n_recurring;
} trib_word_order;

enum { TRIB_RECURRING = 8 };

/* Reads a document, which needs its sequence. Two consecutive n-grams overlap when all words but
 * the first of one equal all but the last of the other. */
trib_status trib_word_order_read(trib_word_order *order, const trib_influence_document *document,
                                 trib_error *error);
void trib_word_order_release(trib_word_order *order);

/* Computes the probability of each word of document `target` in the common language:
 * chance[target's n], 1 at a break. The probability interpolates the relative frequencies of the
 * word after the same two words, after the same one word, and anywhere, in the target and all
 * sources together. Each count is without this occurrence and less a discount (absolute
 * discounting, Ney, Essen and Kneser 1994), so an expression that occurs only once elsewhere has
 * almost no probability of being common language. A passage that the target or one source repeats,
 * or that several sources hold, counts as one occurrence. source[n_sources] are document numbers;
 * the target among them counts once. */
trib_status trib_word_chances(double *chance, const trib_word_orders *orders, uint32_t target,
                              const uint32_t source[], size_t n_sources, uint32_t n_words,
                              trib_error *error);

#endif
