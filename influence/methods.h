/* methods.h - private to influence/: the functions that the table in methods.txt names. Each fills
 * share (zeroed by the caller), author and the other fields that its method has. The contract is
 * that of trib_influence_measure. */
#ifndef TRIBUTARY_INFLUENCE_METHODS_H
#define TRIBUTARY_INFLUENCE_METHODS_H

#include "influence/overlap.h"

/* A row's function, see trib_influence_method. */
typedef trib_status trib_influence_measuring(trib_influence *result, const trib_influence_case *c,
                                             const trib_influence_options *options,
                                             trib_error *error);
trib_influence_measuring trib_lowe_measure, trib_lowe_soft_measure, trib_lowe_matched_measure,
    trib_anchored_measure, trib_split_measure, trib_containment_measure, trib_runs_measure,
    trib_traced_measure, trib_extent_measure, trib_verbatim_measure;

/* method.c: fills result->listed[n_listed] with the positions of the `most` sources that have the
 * largest shares by `split`, ascending, ties by position. Lists all sources when there are no more
 * than `most` or `most` is 0; otherwise it also fills result->split. */
trib_status trib_shortlist_make(trib_influence *result, const trib_influence_case *c, uint32_t most,
                                trib_error *error);

/* groups.c */

/* Finds the groups of a result and their shares: result->group and ->group_share, both [n_sources],
 * are NULL if every source stands alone. A source joins another if more than half of what is
 * credited to it lies where the other holds a run of the target's words that is at least as long as
 * its own, unless it has less than a tenth of what the other has. Groups are the connected
 * components of this relation (union-find: Tarjan 1975); each is numbered by its first source.
 * credit[h] is the number of the target's n-grams that are credited to the source of
 * overlap->shared[h], as in trib_influence. Only the 256 sources with the most credit are compared.
 * O(n-grams * (sources that hold one)^2). Needs the target's sequence, else there are no groups.
 * TRIB_MEMORY. */
trib_status trib_groups_find(trib_influence *result, const trib_influence_document *target,
                             const struct trib_overlap *overlap, const double *credit,
                             trib_error *error);

/* The ends of an interval from the samples of a share: sample[n], which may be reordered, and the
 * share. */
typedef void (*trib_interval_ends)(const void *context, double *sample[], double share, double *low,
                                   double *high);

/* Makes result->low and ->high, both [n_sources], from the samples of the sources, and, if there
 * are groups, group_low and group_high with the ends of a group at each of its members: the samples
 * of the members are added, and `ends` makes an interval of the sums. sample[k][n_sources][n], k <
 * n_kinds <= 2, are reordered. TRIB_MEMORY. */
trib_status trib_intervals_make(trib_influence *result, double *const sample[], size_t n_kinds,
                                size_t n, trib_interval_ends ends, const void *context,
                                trib_error *error);

/* ---- The mixture ----------------------------------------------------------------------------- */

/* The model behind `anchored` (docs/model.md section 5). It explains the target's counts T as
 *
 *     mix(z) = sum_s pi_s P_s(z) + sum_b pi_b G_b(z) + pi_0 A(z)
 *
 * with the sources' relative frequencies P_s, rank-1 components G_b of the language common to all
 * documents, and a rank-1 author term A. */

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

/* Returns, for every pair h of x->overlap.shared, the number of the target's occurrences of that
 * n-gram that lie in a shared run: at least n consecutive n-grams that the source holds. O(n-grams
 * + pairs). The pool owns the array; NULL after a failure. */
uint32_t *trib_mixture_runs(const trib_mixture *x, trib_pool *pool);

/* Makes the 90 % intervals of every pi_s, and of the groups of the result, from n_resamples
 * resamples of the target in blocks of n-grams. Each is fitted starting from `x`. `high` is the 95
 * % quantile of the weights. `low` is the 5 % quantile of their parts in runs (trib_mixture_runs),
 * less one n-gram, and at least 0. The bits do not depend on n_threads. TRIB_MEMORY. */
trib_status trib_mixture_intervals(trib_influence *result, const trib_mixture *x,
                                   uint32_t n_resamples, uint64_t seed, int n_threads,
                                   trib_error *error);

/* ---- Quantiles of samples, for the ends of intervals ----------------------------------------- */

static inline int trib_by_number(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts numbers, none of them NaN, in ascending order. */
static inline void trib_sort_numbers(double *number, size_t n) {
    size_t k = 1;
    while (k < n && number[k - 1] <= number[k]) k++;
    if (k < n) qsort(number, n, sizeof *number, trib_by_number);
}

/* The q-quantile of sorted[n], n >= 1, 0 <= q <= 1, interpolated linearly. */
static inline double trib_quantile(const double *sorted, size_t n, double q) {
    const double place = q * (double)(n - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

#endif
