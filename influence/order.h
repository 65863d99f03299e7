/* order.h - private to influence/: the words of documents in order, put together again from their
 * n-grams. */
#ifndef TRIBUTARY_INFLUENCE_ORDER_H
#define TRIBUTARY_INFLUENCE_ORDER_H

#include "influence/influence.h"

#define TRIB_BREAK     UINT32_MAX /* no word: two n-grams that stand side by side do not overlap */
#define TRIB_NO_NUMBER UINT32_MAX /* the text begins, or a break is among them */

/* `{0}` is empty. */
typedef struct trib_word_order {
    uint32_t *word; /* [n] vocabulary ids, TRIB_BREAK among them */
    size_t n;
    size_t *place; /* [n_ngrams] of the document's k-th n-gram: where its first word stands */
    size_t n_ngrams;
    uint32_t *pair, *triple; /* [n] number of the two, the three words that end here, or
                                TRIB_NO_NUMBER; NULL: they are not numbered */
} trib_word_order;

/* The document needs its sequence. Two n-grams in a row are taken to overlap when all words but the
 * first of one are all but the last of the other. */
trib_status trib_word_order_read(trib_word_order *order, const trib_influence_document *document,
                                 trib_error *error);
void trib_word_order_release(trib_word_order *order);

/* How likely each word of document `target` is in the common language: chance[target's n], 1 at a
 * break. It is the share of its occurrences after the same two words, then after the same one, then
 * anywhere, in the target and all sources together, each less this very occurrence and less a
 * discount (absolute discounting, Ney, Essen and Kneser 1994) that leaves nothing to what only one
 * text holds once: what is common must occur again. A passage that the target repeats, or that
 * several sources hold, counts as one occurrence. source[n_sources] numbers documents, the target
 * not among them. */
trib_status trib_word_chances(double *chance, const trib_word_orders *orders, uint32_t target,
                              const uint32_t source[], size_t n_sources, uint32_t n_words,
                              trib_error *error);

#endif
