/* overlap.h - private to influence/: the n-grams of the target that other documents hold. All
 * methods based on counts start from it. */
#ifndef TRIBUTARY_INFLUENCE_OVERLAP_H
#define TRIBUTARY_INFLUENCE_OVERLAP_H

#include "influence/influence.h"

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

#endif
