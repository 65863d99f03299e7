/* mixture.h - private to influence/: the model behind `anchored` (docs/model.md section 5). It
 * explains the target's counts T as
 *
 *     mix(z) = sum_s pi_s P_s(z) + sum_b pi_b G_b(z) + pi_0 A(z)
 *
 * with the sources' relative frequencies P_s, rank-1 components G_b of the language common to all
 * documents, and a rank-1 author term A. */
#ifndef TRIBUTARY_INFLUENCE_MIXTURE_H
#define TRIBUTARY_INFLUENCE_MIXTURE_H

#include "influence/influence.h"
#include "influence/overlap.h"

/* Fits CP_APR(Y, rank) to Y, the sum over the sources and the target of X_d / |X_d|. A target that
 * is one of its own sources counts once. TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_background_build(trib_background *background, const trib_influence_case *c,
                                  uint32_t rank, int n_threads, const trib_progress *progress,
                                  trib_error *error);
/* The mixture and the state of its EM. The arrays own[m] are parts of one allocation, which begins
 * at own[0]. */
typedef struct trib_mixture {
    const trib_influence_document *target;
    uint32_t n_modes, n_local;
    size_t n_entries, n_sources;
    trib_overlap overlap;       /* T and P_s */
    trib_background background; /* its rows belong to the case when is_borrowed */
    bool is_borrowed;
    double *source_weight;       /* [n_sources] pi_s */
    double *last_weight;         /* [n_sources] pi_s of the round that computed `mix` */
    double *background_weight;   /* [background.stride] pi_b */
    double own_weight;           /* pi_0 */
    double *own[TRIB_MAX_MODES]; /* [n_local] a_m: A(z) = prod_m own[m][z_m] */
    double *mix;                 /* [n_entries] mix(z) in the last round */
    uint32_t n_rounds;
    double log_likelihood; /* sum T log mix, with `mix` */
} trib_mixture;

/* Prepares the mixture for the first round: half the weight for the author, half evenly for the
 * sources and `n_background` components (0: none). A is the product of the target's marginals.
 * TRIB_INTERRUPTED as trib_background_build. */
trib_status trib_mixture_init(trib_mixture *x, const trib_influence_case *c, uint32_t n_background,
                              int n_threads, const trib_progress *progress, trib_error *error);
void trib_mixture_release(trib_mixture *x);

/* Runs at most 150 rounds of EM, until the likelihood changes by less than 1e-7 of its value. The
 * products G_b(z) are computed once for all rounds if those that matter take at most
 * `max_cached_bytes` bytes. Neither that limit nor n_threads changes the bits of the result. The
 * target must have an n-gram. TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_mixture_fit(trib_mixture *x, size_t max_cached_bytes, int n_threads,
                             const trib_progress *progress, trib_error *error);

/* A(z) of entry e, for any vectors a_m. */
TRIB_INLINE double trib_mixture_own(const trib_mixture *x, const double *const own[], size_t e) {
    const uint32_t *index = x->overlap.index + e * x->n_modes;
    double product = own[0][index[0]];
    for (uint32_t m = 1; m < x->n_modes; m++) product *= own[m][index[m]];
    return product;
}

/* Sets (*in_runs)[h], for every pair h of x->overlap.shared, to the number of the target's
 * occurrences of that n-gram that lie in a shared run: at least n consecutive n-grams that the
 * source holds. O(n-grams + pairs). The caller frees *in_runs. TRIB_MEMORY. */
trib_status trib_mixture_runs(uint32_t **in_runs, const trib_mixture *x, trib_error *error);

/* Computes the ends of the 90 % interval of every pi_s, result->low and ->high, both [n_sources],
 * and of the groups of the result, from n_resamples resamples of the target in blocks of n-grams.
 * Each is fitted starting from `x`. `high` is the 95 % quantile of the weights. `low` is the 5 %
 * quantile of their parts in runs (trib_mixture_runs), less one n-gram, and at least 0. The bits do
 * not depend on n_threads. TRIB_MEMORY. */
trib_status trib_mixture_intervals(trib_influence *result, const trib_mixture *x,
                                   uint32_t n_resamples, uint64_t seed, int n_threads,
                                   trib_error *error);

#endif
