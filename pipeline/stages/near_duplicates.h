/* near_duplicates.h - documents that are nearly the same text. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_NEAR_DUPLICATES_H
#define TRIBUTARY_STAGES_NEAR_DUPLICATES_H

#include "pipeline/stages/tensors.h"

/* Two documents, first < second, and how many different n-grams each has, and both. */
typedef struct trib_near {
    uint32_t first, second;
    size_t n_first, n_second, n_both;
} trib_near;

/* The share of the different n-grams of two documents that both have (Broder 1997, resemblance). */
double trib_near_duplicate_resemblance(const trib_near *pair);
/* Pairs of documents whose resemblance is at least `threshold` > 0, ascending; n-grams that hold
 * the word `other` do not count. Sketches of 256 n-grams each find the candidates, whose n-grams
 * are then compared in full. The list is the caller's to free. */
trib_status trib_near_duplicates_find(const trib_tensors *tensors, uint32_t n_modes, uint32_t other,
                                      int n_threads, double threshold, trib_near **pair, size_t *n,
                                      trib_error *error);
/* A warning for every such pair (the first 20), as corpus.near_duplicate says. */
trib_status trib_near_duplicates_warn(const trib_environment *env, const trib_corpus *corpus,
                                      const trib_tensors *tensors, uint32_t other,
                                      trib_error *error);

#endif
