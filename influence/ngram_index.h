/* ngram_index.h - private to influence/: the n-grams of a document in text order, as entries of the
 * target's counts. Where consecutive n-grams are consecutive in the target too, the two texts share
 * a run of words. */
#ifndef TRIBUTARY_NGRAM_INDEX_H
#define TRIBUTARY_NGRAM_INDEX_H

#include "influence/influence.h"

#define TRIB_NOT_INDEXED UINT32_MAX /* the target does not hold this n-gram */

/* Sets entry[n], n = document->n_ngrams, to the entry of the target's counts that equals each
 * n-gram of `document`, in text order, or TRIB_NOT_INDEXED. own_id[n_words] is the target's id of a
 * vocabulary word, or TRIB_NOT_INDEXED. The caller frees *entry. */
trib_status trib_ngram_index_build(uint32_t **entry, const trib_influence_document *target,
                                   const trib_influence_document *document, const uint32_t *own_id,
                                   trib_error *error);

/* Computes own_id for trib_ngram_index_build. The caller frees it. */
trib_status trib_ngram_index_words(uint32_t **own_id, const trib_influence_case *c,
                                   trib_error *error);

/* The n-grams of a text that the target holds. `{0}` is empty. */
typedef struct trib_held_ngrams {
    trib_text_ngram *list; /* [n] in text order; `ngram` is the entry of the target's counts */
    size_t n, cap;         /* used, of cap allocated */
} trib_held_ngrams;
void trib_held_ngrams_release(trib_held_ngrams *held);

/* Finds the target's n-grams in one text after another. `{0}` is empty. */
typedef struct trib_ngram_index {
    const trib_influence_case *c;
    /* By the n-gram numbers of the case's concordance: bit sets of 64 numbers each, and the
     * target's entries in ascending order of their numbers. NULL: it does not number all documents;
     * then own_id is used. */
    struct trib_number_block *block;
    uint32_t *entry;
    uint32_t *own_id; /* as in trib_ngram_index_words */
} trib_ngram_index;
/* TRIB_MEMORY. */
trib_status trib_ngram_index_open(trib_ngram_index *index, const trib_influence_case *c,
                                  trib_error *error);
void trib_ngram_index_close(trib_ngram_index *index);
/* Lists the n-grams of document number `document` of the case that the target holds, in place of
 * those listed before. Several threads may read from one index. TRIB_MEMORY; TRIB_INTERNAL when
 * documents differ in n. */
trib_status trib_ngram_index_read(trib_held_ngrams *held, const trib_ngram_index *index,
                                  uint32_t document, trib_error *error);

#endif
