/* quantile.h - quantiles of samples, for the ends of intervals. Private to influence/. */
#ifndef TRIBUTARY_INFLUENCE_QUANTILE_H
#define TRIBUTARY_INFLUENCE_QUANTILE_H

#include <stdlib.h>

static inline int trib_by_number(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts numbers, none of them NaN, in ascending order. */
static inline void trib_sort_numbers(double *number, size_t n) {
    if (n > 1) qsort(number, n, sizeof *number, trib_by_number);
}

/* The q-quantile of sorted[n], n >= 1, 0 <= q <= 1, interpolated linearly. */
static inline double trib_quantile(const double *sorted, size_t n, double q) {
    const double place = q * (double)(n - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

#endif
