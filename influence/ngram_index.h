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

/* The same map by the n-gram numbers of the case's concordance, without a hash lookup per n-gram.
 * `{0}` is empty. */
typedef struct trib_ngram_index_numbers {
    /* bit sets of 64 numbers each; NULL: the concordance does not number all documents */
    struct trib_number_block *block;
    uint32_t *entry; /* [nnz] the target's entries in ascending order of their numbers */
} trib_ngram_index_numbers;
/* Fills `numbers` for the case's target. `block` stays NULL when the case has no concordance of all
 * documents. TRIB_MEMORY. */
trib_status trib_ngram_index_numbers_init(trib_ngram_index_numbers *numbers,
                                          const trib_influence_case *c, trib_error *error);
void trib_ngram_index_numbers_release(trib_ngram_index_numbers *numbers);
/* Like trib_ngram_index_build, for document number `document` of the case. */
trib_status trib_ngram_index_build_numbered(uint32_t **entry, const trib_influence_case *c,
                                            uint32_t document,
                                            const trib_ngram_index_numbers *numbers,
                                            trib_error *error);

#endif
