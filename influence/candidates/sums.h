/* sums.h - how the holders of one hash add to the sums of a target. Private to this room. */
#ifndef TRIBUTARY_INFLUENCE_CANDIDATES_SUMS_H
#define TRIBUTARY_INFLUENCE_CANDIDATES_SUMS_H

#include "influence/candidates/candidates.h"

/* Sets the sums to 0 and finds the admissible sources of a target. */
void trib_candidate_sums_begin(trib_candidate_sums *sums, const trib_candidate_search *search,
                               uint32_t target);
/* Divides T(z) of an n-gram z among its admissible holders; the target is one of holder[n]. */
void trib_candidate_sums_split(trib_candidate_sums *sums, const trib_holder holder[], size_t n,
                               uint32_t target);
/* Counts an equal fingerprint for each admissible one of holder[n]. */
void trib_candidate_sums_count(trib_candidate_sums *sums, const trib_holder holder[], size_t n);

#endif
