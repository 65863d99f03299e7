/* mixture.h - private to influence/: the model behind `anchored` (docs/model.md section 5). The
 * target's counts T are explained as
 *
 *     mix(z) = sum_s pi_s P_s(z) + sum_b pi_b G_b(z) + pi_0 A(z)
 *
 * the sources' own relative frequencies P_s, rank-1 factors G_b of the language all documents
 * share, and a rank-1 author term A. */
#ifndef TRIBUTARY_INFLUENCE_MIXTURE_H
#define TRIBUTARY_INFLUENCE_MIXTURE_H

#include "influence/influence.h"
#include "influence/overlap.h"

/* CP_APR(Y, rank) of Y = sum over the sources and the target of X_d / |X_d|, each document once
 * even when the target is one of its own sources. TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_background_build(trib_background *background, const trib_influence_case *c,
                                  uint32_t rank, int n_threads, const trib_progress *progress,
                                  trib_error *error);
/* The mixture and where its EM stands. own[m] are parts of one allocation, own[0]. */
typedef struct trib_mixture {
    const trib_influence_document *target;
    uint32_t n_modes, n_local;
    size_t n_entries, n_sources;
    trib_overlap overlap;       /* T and P_s */
    trib_background background; /* its rows are the case's when that has one */
    bool is_borrowed;
    double *source_weight;       /* [n_sources] pi_s */
    double *last_weight;         /* [n_sources] pi_s of the round that gave `mix` */
    double *background_weight;   /* [background.stride] pi_b */
    double own_weight;           /* pi_0 */
    double *own[TRIB_MAX_MODES]; /* [n_local] a_m: A(z) = prod_m own[m][z_m] */
    double *mix;                 /* [n_entries] of the last round */
    uint32_t n_rounds;
    double log_likelihood; /* sum T log mix, of `mix` */
} trib_mixture;

/* The mixture before its first round: half the weight to the author, half evenly to the sources and
 * `n_background` components (0: none); A is the product of the target's marginals. TRIB_INTERRUPTED
 * as trib_background_build. */
trib_status trib_mixture_init(trib_mixture *x, const trib_influence_case *c, uint32_t n_background,
                              int n_threads, const trib_progress *progress, trib_error *error);
void trib_mixture_release(trib_mixture *x);

/* At most 150 rounds of EM, until the likelihood changes by less than 1e-7 of itself. G_b(z) is
 * made once for all rounds if what counts of it takes at most `keep_at_most` bytes; neither that
 * nor n_threads changes a bit. The target must have an n-gram. TRIB_INTERRUPTED when progress asks
 * to stop. */
trib_status trib_mixture_fit(trib_mixture *x, size_t keep_at_most, int n_threads,
                             const trib_progress *progress, trib_error *error);

/* A(z) of entry e, for any a_m. */
TRIB_INLINE double trib_mixture_own(const trib_mixture *x, const double *const own[], size_t e) {
    const uint32_t *index = x->overlap.index + e * x->n_modes;
    double product = own[0][index[0]];
    for (uint32_t m = 1; m < x->n_modes; m++) product *= own[m][index[m]];
    return product;
}

/* (*in_runs)[h], for every pair h of x->overlap.shared: how many of the target's occurrences of
 * that n-gram stand in a run of at least n n-grams in a row that the source holds. O(n-grams +
 * pairs). The caller frees *in_runs. TRIB_MEMORY. */
trib_status trib_mixture_runs(uint32_t **in_runs, const trib_mixture *x, trib_error *error);

/* Ends of the 90 % interval of every pi_s, into low[n_sources] and high[n_sources]: the target is
 * resampled in blocks of n-grams and the fit goes on from `x`, n_resamples times. `high` is the 95
 * % quantile of the weights, `low` the 5 % quantile of their parts in runs (trib_mixture_runs),
 * less one n-gram, and not below 0. The bits do not depend on n_threads. TRIB_MEMORY. */
trib_status trib_mixture_intervals(const trib_mixture *x, uint32_t n_resamples, uint64_t seed,
                                   int n_threads, double *low, double *high, trib_error *error);

#endif
