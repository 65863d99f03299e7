/* overlap.h - private to influence/: the n-grams of the target that other documents hold. All
 * methods based on counts start from it. */
#ifndef TRIBUTARY_INFLUENCE_OVERLAP_H
#define TRIBUTARY_INFLUENCE_OVERLAP_H

#include "influence/influence.h"

/* Lists the sources of a case and its target: (*document)[n], ascending. The caller frees it.
 * TRIB_MEMORY. */
trib_status trib_case_documents(uint32_t **document, size_t *n, const trib_influence_case *c,
                                trib_error *error);

/* Sets *k to the case's concordance, or to one of its target among the documents among[n] (NULL:
 * all) that is built in *own. */
trib_status trib_case_concordance(const trib_concordance **k, trib_concordance *own,
                                  const trib_influence_case *c, const uint32_t *among, size_t n,
                                  trib_error *error);

/* One n-gram of the target in one of the listed documents. */
typedef struct trib_shared_ngram {
    uint32_t entry;    /* of the target's counts */
    uint32_t document; /* position in the list */
    uint32_t count;    /* X_d(z), in that document */
    double frequency;  /* P_d(z) = X_d(z) / |X_d| */
} trib_shared_ngram;

/* The target's n-grams and the listed documents that hold them. `{0}` is empty. */
typedef struct trib_overlap {
    uint32_t n_modes;
    size_t n_entries;   /* nonzeros of the target */
    uint32_t *index;    /* [n_entries][n_modes] in the target's own ids */
    uint32_t *count;    /* [n_entries] T(z); 0 for a formula, which has no documents either */
    uint64_t n_formula; /* n-grams of the target's text that are formulas */
    /* [n_entries + 1] entry e has shared[start[e]] .. shared[start[e+1]-1] */
    size_t *start;
    trib_shared_ngram *shared; /* ascending by entry, then by document; never NULL */
} trib_overlap;

/* Looks up every n-gram of the case's target in document[n], which must ascend. O(n * nnz of the
 * target); with a concordance, O(all n-grams shared with the target). TRIB_INTERNAL when the
 * documents differ in n_modes; TRIB_MEMORY. */
trib_status trib_overlap_build(trib_overlap *overlap, const trib_influence_case *c,
                               const uint32_t *document, size_t n, trib_error *error);
void trib_overlap_release(trib_overlap *overlap);

/* ---- In text order --------------------------------------------------------------------------- */

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
