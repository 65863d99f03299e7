/* decoy.h - targets that copy nothing: the words of a target in another order. */
#ifndef TRIBUTARY_INFLUENCE_PASSAGES_DECOY_H
#define TRIBUTARY_INFLUENCE_PASSAGES_DECOY_H

#include "influence/influence.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Shuffled targets (decoy.c) -------------------------------------------------------------- */

/* A target with its words in another order. It must not be moved, since `document` points to the
 * other members. `{0}` is empty. */
typedef struct trib_decoy {
    trib_influence_document document; /* its array `word` is that of the target */
    trib_hacoo counts;                /* n-grams of the new order */
    uint32_t *sequence;               /* [n_ngrams of the target] */
    size_t n_blocks;                  /* blocks that were permuted */
} trib_decoy;

/* Cuts the words of a target into blocks of common language and permutes the blocks (Fisher and
 * Yates 1938). Two words of the target stay together when they stand together in the sources after
 * two different words and before two different words: they are then a turn of phrase, and no part
 * of a passage that was copied. A block has at most 4 words. The decoy has as many words and
 * n-grams as the target. The same case and seed give the same decoy. Target and sources need their
 * sequences, else TRIB_INTERNAL; TRIB_MEMORY. O(words). */
trib_status trib_decoy_make(trib_decoy *decoy, const trib_influence_case *c, uint64_t seed,
                            trib_error *error);
void trib_decoy_release(trib_decoy *decoy);

/* ---- Shares of a shuffled target (null.c) ---------------------------------------------------- */

/* The shares of a decoy. `{0}` is empty: not measured. */
typedef struct trib_influence_null {
    bool is_measured; /* false: no other member is set */
    uint32_t source;  /* position of the source with the largest share; UINT32_MAX: none has one */
    double largest, mean; /* share of that source or of its group, and mean share; 0 .. 1 */
    uint64_t n_blocks;    /* blocks of words that were permuted */
    uint64_t seed;        /* of their order */
} trib_influence_null;

/* Measures a decoy in the place of the target, with the same sources and options but without
 * intervals. With `tables` the case also needs a concordance and word orders of all documents. The
 * shares of the method say what the words of the target alone would receive. Leaves
 * *null empty for a method that needs factors, since a decoy has none. Errors as trib_decoy_make
 * and trib_influence_measure. */
trib_status trib_influence_null_measure(trib_influence_null *null,
                                        const trib_influence_method *method,
                                        const trib_influence_case *c,
                                        const trib_influence_options *options, trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
