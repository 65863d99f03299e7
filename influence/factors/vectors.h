/* vectors.h - private to influence/factors/: access to one vector of a factor, and distances with
 * preallocated scratch. */
#ifndef TRIBUTARY_FACTORS_VECTORS_H
#define TRIBUTARY_FACTORS_VECTORS_H

#include "influence/factors/factors.h"

/* Mode m of a factor: a sparse vector. */
typedef struct trib_factor_vector {
    const uint32_t *word; /* [n] ascending */
    const double *value;  /* [n] positive */
    size_t n;
    double sum;
} trib_factor_vector;

TRIB_INLINE trib_factor_vector trib_factor_vector_of(const trib_factors *factors, size_t f,
                                                     uint32_t m) {
    const size_t v = f * factors->n_modes + m;
    const size_t first = factors->start[v];
    return (trib_factor_vector){factors->word + first, factors->value + first,
                                factors->start[v + 1] - first, factors->sum[v]};
}

/* Grows the scratch so that it suffices for every pair of factors of `a` and `b`. */
trib_status trib_distance_scratch_reserve(trib_distance_scratch *scratch, const trib_factors *a,
                                          const trib_factors *b, trib_error *error);
/* Like trib_factor_distance with reserved scratch; of a distance above `most` perhaps only a lower
 * bound above `most`. It cannot fail; after a request to stop the result is meaningless. */
double trib_distance_of(const trib_factors *a, size_t p, const trib_factors *b, size_t q,
                        double most, trib_distance_scratch *scratch);

#endif
