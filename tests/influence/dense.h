/* dense.h - rank-1 tensors written out in full, for the tests of distances: constructs them, adds
 * them to factors, and compares them entry by entry. */
#ifndef TRIBUTARY_TEST_DENSE_H
#define TRIBUTARY_TEST_DENSE_H

#include "influence/influence.h"
#include "tests/test.h"

enum { DENSE_DIM = 64 };

/* One rank-1 tensor, all modes of one dimension. */
typedef struct dense {
    uint32_t n_modes, dim;
    double lambda;
    double value[TRIB_MAX_MODES][DENSE_DIM];
} dense;

/* A tensor with the same two values in every mode: (x, y) o (x, y) o ... */
static inline dense dense_pair(uint32_t n_modes, double x, double y) {
    dense d = {.n_modes = n_modes, .dim = 2, .lambda = 1};
    for (uint32_t m = 0; m < n_modes; m++) d.value[m][0] = x, d.value[m][1] = y;
    return d;
}

static inline void dense_normalize(dense *d) {
    for (uint32_t m = 0; m < d->n_modes; m++) {
        double sum = 0;
        for (uint32_t i = 0; i < d->dim; i++) sum += d->value[m][i];
        for (uint32_t i = 0; i < d->dim && sum > 0; i++) d->value[m][i] /= sum;
    }
}

/* Random values that are often zero, and often in equal ratios: products of 1, 1/2, 1/4, or
 * anything in [0, 1). */
static inline dense dense_random(trib_random *random, uint32_t n_modes, uint32_t dim) {
    dense d = {.n_modes = n_modes, .dim = dim, .lambda = 1 + trib_random_unit(random)};
    const bool ties = trib_random_below(random, 2) == 0;
    const uint64_t zeros = trib_random_below(random, 4);
    for (uint32_t m = 0; m < n_modes; m++) {
        for (uint32_t i = 0; i < dim; i++) {
            const double one = ldexp(1, -(int)trib_random_below(random, 3));
            d.value[m][i] = trib_random_below(random, 4) < zeros ? 0
                            : ties                               ? one
                                                                 : trib_random_unit(random);
        }
        d.value[m][trib_random_below(random, dim)] = 1;
    }
    return d;
}

/* Index i is word[i]; NULL: i itself. */
static inline trib_status dense_add_words(trib_factors *factors, uint32_t document, const dense *d,
                                          const uint32_t *word, trib_error *error) {
    double lambda = d->lambda;
    trib_ktensor k = {.n_modes = d->n_modes, .rank = 1, .lambda = &lambda};
    for (uint32_t m = 0; m < d->n_modes; m++) {
        k.dim[m] = d->dim;
        k.factor[m] = (double *)d->value[m];
    }
    return trib_factors_add(factors, document, &k, word, error);
}

static inline trib_status dense_add(trib_factors *factors, uint32_t document, const dense *d,
                                    trib_error *error) {
    return dense_add_words(factors, document, d, NULL, error);
}

/* ||P - Q||_1 summed over every entry, in long double: equal terms round the same way, and a
 * quarter of a million of them add up to an error of 1e-11. */
static inline double dense_distance(const dense *p, const dense *q) {
    uint32_t at[TRIB_MAX_MODES] = {0};
    long double distance = 0;
    for (uint32_t m = 0; m < p->n_modes;) {
        double x = 1, y = 1;
        for (uint32_t n = 0; n < p->n_modes; n++) {
            x *= p->value[n][at[n]];
            y *= q->value[n][at[n]];
        }
        distance += fabs(x - y);
        for (m = 0; m < p->n_modes && ++at[m] == p->dim; m++) at[m] = 0;
    }
    return (double)distance;
}

/* The distance computed by the library. */
static inline double exact_distance(const dense *p, const dense *q) {
    trib_factors factors = {0};
    trib_distance_scratch scratch = {0};
    double distance = NAN;
    CHECK(dense_add(&factors, 0, p, NULL) == TRIB_OK && dense_add(&factors, 0, q, NULL) == TRIB_OK);
    CHECK(trib_factor_distance(&factors, 0, &factors, 1, &distance, &scratch, NULL) == TRIB_OK);
    trib_distance_scratch_release(&scratch);
    trib_factors_release(&factors);
    return distance;
}

#endif
