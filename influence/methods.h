/* methods.h - private to influence/: the functions that the table in method.c calls. Each fills
 * share (zeroed by the caller), author and the other fields that its method has. The contract is
 * that of trib_influence_measure. */
#ifndef TRIBUTARY_INFLUENCE_METHODS_H
#define TRIBUTARY_INFLUENCE_METHODS_H

#include <stdlib.h>

#include "influence/influence.h"

/* shortlist.c: fills result->listed[n_listed] with the positions of the `most` sources that have
 * the largest shares by `split`, ascending, ties by position. Lists all sources when there are no
 * more than `most` or `most` is 0; otherwise it also fills result->split. */
trib_status trib_shortlist_make(trib_influence *result, const trib_influence_case *c, uint32_t most,
                                trib_error *error);
/* lowe.c */
trib_status trib_lowe_measure(trib_influence *result, const trib_influence_case *c,
                              const trib_influence_options *options, trib_error *error);
trib_status trib_lowe_soft_measure(trib_influence *result, const trib_influence_case *c,
                                   const trib_influence_options *options, trib_error *error);
/* matched.c */
trib_status trib_lowe_matched_measure(trib_influence *result, const trib_influence_case *c,
                                      const trib_influence_options *options, trib_error *error);
/* anchored.c */
trib_status trib_anchored_measure(trib_influence *result, const trib_influence_case *c,
                                  const trib_influence_options *options, trib_error *error);
/* counts.c */
trib_status trib_split_measure(trib_influence *result, const trib_influence_case *c,
                               const trib_influence_options *options, trib_error *error);
trib_status trib_containment_measure(trib_influence *result, const trib_influence_case *c,
                                     const trib_influence_options *options, trib_error *error);
/* runs.c */
trib_status trib_runs_measure(trib_influence *result, const trib_influence_case *c,
                              const trib_influence_options *options, trib_error *error);
/* traced.c */
trib_status trib_traced_measure(trib_influence *result, const trib_influence_case *c,
                                const trib_influence_options *options, trib_error *error);

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

/* The ends of an interval from the samples of a sum: sample[n], which may be reordered, and the sum
 * of the shares. */
typedef void (*trib_groups_ends)(const void *context, double *sample[], double share, double *low,
                                 double *high);

/* Computes group_low and group_high, both [n_sources] with the ends of a group at each of its
 * members, from the same samples as the intervals of single sources: the samples of the members are
 * added, and `ends` makes an interval of the sums. sample[k][n_sources][n], k < n_kinds <= 2, are
 * not changed. Does nothing if there are no groups. TRIB_MEMORY. */
trib_status trib_groups_intervals(trib_influence *result, double *const sample[], size_t n_kinds,
                                  size_t n, trib_groups_ends ends, const void *context,
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
