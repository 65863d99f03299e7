/* lanes.h - sums over eight lanes. Number i is added to lane i % 8, and the lanes are added in one
 * order. A reduction by OpenMP has as many lanes as the registers of the processor; these sums have
 * the same bits on every processor. Not installed. */
#ifndef TRIBUTARY_LANES_H
#define TRIBUTARY_LANES_H

#include "base/base.h"

enum { TRIB_LANES = 8 };
/* They may be loaded from any address that is right for one number. */
typedef double trib_doubles
    __attribute__((vector_size(TRIB_LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef float trib_floats
    __attribute__((vector_size(TRIB_LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

/* The numbers x[8] as lanes. */
#define TRIB_DOUBLES(x) (*(const trib_doubles *)(x))
#define TRIB_FLOATS(x)  (*(const trib_floats *)(x))

/* The sum of the lanes of v: halves are added until one number is left. */
#define TRIB_SUM_OF_LANES(v)                                                                       \
    ((((v)[0] + (v)[4]) + ((v)[2] + (v)[6])) + (((v)[1] + (v)[5]) + ((v)[3] + (v)[7])))

/* The sum of a[i] b[i], for n a multiple of 8. */
TRIB_INLINE double trib_inner_product(const double *restrict a, const double *restrict b,
                                      size_t n) {
    trib_doubles sum = {0};
    for (size_t i = 0; i < n; i += TRIB_LANES) sum += TRIB_DOUBLES(a + i) * TRIB_DOUBLES(b + i);
    return TRIB_SUM_OF_LANES(sum);
}

#endif
