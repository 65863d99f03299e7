/* values.c - the values of a model at one index or at many. Eight of many occupy the lanes of a
 * register: their products are computed with the columns in lanes, transposed, and added column
 * after column. trib_ktensor_value adds them in this order too, so the bits are the same. */
#include "base/internal.h"
#include "decomp/dense.h"

#include <string.h>

double trib_ktensor_value(const trib_ktensor *k, const uint32_t index[]) {
    enum { LANES = 8 }; /* products side by side, added in order */
    double value = 0;
    uint32_t r = 0;
    for (; r + LANES <= k->rank; r += LANES) {
        double product[LANES];
        for (int l = 0; l < LANES; l++) product[l] = k->lambda[r + (uint32_t)l];
        for (uint32_t m = 0; m < k->n_modes; m++) {
            const double *row = k->factor[m] + (size_t)index[m] * k->rank + r;
            for (int l = 0; l < LANES; l++) product[l] *= row[l];
        }
        for (int l = 0; l < LANES; l++) value += product[l];
    }
    for (; r < k->rank; r++) {
        double product = k->lambda[r];
        for (uint32_t m = 0; m < k->n_modes; m++)
            product *= k->factor[m][(size_t)index[m] * k->rank + r];
        value += product;
    }
    return value;
}

/* Loads the first n <= 8 doubles at `from`, then zeros. */
TRIB_INLINE void load(trib_eight *x, const double *from, uint32_t n) {
    *x = (trib_eight){0};
    memcpy(x, from, (n >= TRIB_EIGHT ? TRIB_EIGHT : n) * sizeof *from);
}

/* Adds the terms of columns c .. c+width-1 to the values of eight indices. */
TRIB_INLINE void add_columns(const trib_ktensor *k, uint32_t n_modes, const uint32_t *index,
                             uint32_t c, uint32_t width, trib_eight *value) {
    trib_eight product[TRIB_EIGHT], lambda, row;
    load(&lambda, k->lambda + c, width);
    for (size_t i = 0; i < TRIB_EIGHT; i++) {
        product[i] = lambda;
        for (uint32_t m = 0; m < n_modes; m++) {
            load(&row, k->factor[m] + (size_t)index[i * n_modes + m] * k->rank + c, width);
            product[i] *= row;
        }
    }
    trib_transpose(product);
#pragma GCC unroll 8
    for (uint32_t l = 0; l < TRIB_EIGHT; l++)
        if (l < width) *value += product[l];
}

TRIB_INLINE void eight_values(const trib_ktensor *k, uint32_t n_modes, const uint32_t *index,
                              double *value) {
    trib_eight sum = {0};
    uint32_t c = 0;
    for (; c + TRIB_EIGHT <= k->rank; c += TRIB_EIGHT)
        add_columns(k, n_modes, index, c, TRIB_EIGHT, &sum);
    if (c < k->rank) add_columns(k, n_modes, index, c, k->rank - c, &sum);
    memcpy(value, &sum, sizeof sum);
}

/* Prefetches the rows of eight indices. */
TRIB_INLINE void fetch(const trib_ktensor *k, uint32_t n_modes, const uint32_t *index) {
    for (size_t i = 0; i < TRIB_EIGHT; i++)
        for (uint32_t m = 0; m < n_modes; m++)
            for (uint32_t c = 0; c < k->rank; c += TRIB_EIGHT)
                __builtin_prefetch(k->factor[m] + (size_t)index[i * n_modes + m] * k->rank + c);
}

TRIB_KERNEL
static void model_values(const trib_ktensor *k, size_t n, const uint32_t *restrict index,
                         double *restrict value, bool far) {
    enum { AHEAD = 2 * TRIB_EIGHT };
    for (size_t i = 0; i < n; i += TRIB_EIGHT) {
        const uint32_t *at = index + i * k->n_modes;
        if (far && i + AHEAD < n) fetch(k, k->n_modes, at + AHEAD * k->n_modes);
        if (k->n_modes == 3) eight_values(k, 3, at, value + i);
        else if (k->n_modes == 4) eight_values(k, 4, at, value + i);
        else eight_values(k, k->n_modes, at, value + i);
    }
}

void trib_ktensor_values(const trib_ktensor *k, size_t n, const uint32_t *index, double *value) {
    enum { CACHED = 1 << 20 }; /* bytes of factors that need not be prefetched */
    size_t n_rows = 0;
    for (uint32_t m = 0; m < k->n_modes; m++) n_rows += k->dim[m];
    const size_t whole = n - n % TRIB_EIGHT;
    model_values(k, whole, index, value, n_rows * k->rank * sizeof(double) > CACHED);
    for (size_t i = whole; i < n; i++) value[i] = trib_ktensor_value(k, index + i * k->n_modes);
}
