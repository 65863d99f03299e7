/* eights.h - eight doubles at a time. Private to decomp/. */
#ifndef TRIBUTARY_EIGHTS_H
#define TRIBUTARY_EIGHTS_H

#include "base/base.h"

/* Rows and columns are padded to multiples of eight: one cache line, one AVX-512 register, two of
 * AVX2. */
enum { TRIB_EIGHT = 8 };
typedef double trib_eight __attribute__((vector_size(TRIB_EIGHT * sizeof(double))));

typedef int64_t trib_lane_bits
    __attribute__((vector_size(TRIB_EIGHT * sizeof(int64_t)), may_alias));

/* A shuffle of the lanes of a (0 .. 7) and b (8 .. 15). */
#ifdef __clang__
#define TRIB_LANES(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define TRIB_LANES(a, b, ...) __builtin_shuffle(a, b, (trib_lane_bits){__VA_ARGS__})
#endif

/* Transposes v: v[i][j] becomes v[j][i]. */
TRIB_INLINE void trib_transpose(trib_eight v[TRIB_EIGHT]) {
    trib_eight w[TRIB_EIGHT];
    for (size_t i = 0; i < TRIB_EIGHT; i += 2) {
        w[i] = TRIB_LANES(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        w[i + 1] = TRIB_LANES(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (size_t i = 0; i < TRIB_EIGHT; i += 4)
        for (size_t j = i; j < i + 2; j++) {
            v[j] = TRIB_LANES(w[j], w[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            v[j + 2] = TRIB_LANES(w[j], w[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (size_t i = 0; i < 4; i++) {
        w[i] = TRIB_LANES(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        w[i + 4] = TRIB_LANES(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (size_t i = 0; i < TRIB_EIGHT; i++) v[i] = w[i];
}

#endif
