/* near_duplicates.h - documents that are nearly the same text. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_NEAR_DUPLICATES_H
#define TRIBUTARY_STAGES_NEAR_DUPLICATES_H

#include "pipeline/stages/tensors.h"

/* Two documents, first < second, with the number of distinct n-grams of each and of both. */
typedef struct trib_near {
    uint32_t first, second;
    size_t n_first, n_second, n_both;
} trib_near;

/* Returns the share of the distinct n-grams of two documents that both contain (Broder 1997,
 * resemblance). */
double trib_near_duplicate_resemblance(const trib_near *pair);
/* Lists the pairs with a resemblance of at least `threshold` > 0, ascending. N-grams that contain
 * the word `other` do not count. Sketches of 256 n-grams find the candidate pairs, whose n-grams
 * are then compared in full. The caller frees the list. With several ranks each takes the sketches
 * of its documents, and rank 0 alone gets the pairs. */
trib_status trib_near_duplicates_find(const trib_tensors *tensors, uint32_t n_modes, uint32_t other,
                                      const trib_workers *workers, double threshold,
                                      trib_near **pair, size_t *n, trib_error *error);
/* Lists the pairs with a resemblance of at least corpus.near_duplicate; 0: none. is_added: only
 * those with such a document; NULL: all. Documents that are not counted have no pair. The caller
 * frees the list. `status` as in comm.h; a failure may be that of this rank alone. */
trib_status trib_near_duplicates_list(const trib_environment *env, trib_status status,
                                      const trib_tensors *tensors, uint32_t other,
                                      const bool is_added[], trib_near **pair, size_t *n,
                                      trib_error *error);
/* Warns about pair[n]; names at most 20 of them. */
trib_status trib_near_duplicates_warn(const trib_environment *env, const trib_corpus *corpus,
                                      const trib_near pair[], size_t n, trib_error *error);

#endif
