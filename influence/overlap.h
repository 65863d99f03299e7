/* overlap.h - private to influence/: which n-grams of the target other documents hold. Every road
 * by counts starts here. */
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

/* The target's n-grams and where else they occur. `{0}` is empty. */
typedef struct trib_overlap {
    uint32_t n_modes;
    size_t n_entries;          /* nonzeros of the target */
    uint32_t *index;           /* [n_entries][n_modes] in the target's own ids */
    uint32_t *count;           /* [n_entries] T(z) */
    size_t *start;             /* [n_entries + 1] entry e holds start[e] .. start[e+1]-1 of: */
    trib_shared_ngram *shared; /* by entry, then by document; never NULL */
} trib_overlap;

/* Looks every n-gram of the case's target up in document[n], ascending. O(n * nnz of the target);
 * with a concordance, O(what all documents share with the target). TRIB_INTERNAL when the documents
 * differ in n_modes; TRIB_MEMORY. */
trib_status trib_overlap_build(trib_overlap *overlap, const trib_influence_case *c,
                               const uint32_t *document, size_t n, trib_error *error);
void trib_overlap_release(trib_overlap *overlap);

#endif
