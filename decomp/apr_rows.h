/* apr_rows.h - the sums of CP-APR over the nonzeros of a row (apr.c), in the precision of the type
 * `real`, which the including file defines together with SMALLEST, the lower bound of model
 * values. */
#ifndef TRIBUTARY_DECOMP_APR_ROWS_H
#define TRIBUTARY_DECOMP_APR_ROWS_H

#include "base/lanes.h"
#include "tensor/hacoo.h"

enum { PI_ROWS = 64, AHEAD = 6 };

typedef real lanes
    __attribute__((vector_size(TRIB_LANES * sizeof(real)), aligned(sizeof(real)), may_alias));
#define LANES_AT(x) (*(const lanes *)(x))

/* The nonzeros, grouped by slices of one mode. */
typedef struct slices {
    size_t *first;   /* [dim + 1] slice i has nonzeros first[i] .. first[i+1]-1 */
    uint32_t *other; /* [nnz + AHEAD][n_modes - 1] indices in the other modes, modes ascending */
    double *value;   /* [nnz] */
    /* [N_TASKS + 1] task t has slices task[t] .. task[t+1]-1, about nnz / N_TASKS nonzeros */
    uint32_t *task;
} slices;

/* The factors of the modes that are not being updated. */
typedef struct others {
    uint32_t n;
    const real *factor[TRIB_MAX_MODES];
} others;

/* Prefetches the factor rows of the nonzero AHEAD places after `index`, in this slice or a later
 * one, since the factors do not fit in a cache. */
TRIB_INLINE void fetch_ahead(const others *o, const uint32_t *restrict index, size_t stride) {
    enum { LINE = 64 / sizeof(real) };
    for (uint32_t k = 0; k < o->n; k++) {
        const real *row = o->factor[k] + index[(size_t)AHEAD * o->n + k] * stride;
        for (size_t r = 0; r < stride; r += LINE) __builtin_prefetch(row + r);
    }
}

/* Sets pi[0 .. n-1][stride] to the row products of the other factors at n nonzeros. */
TRIB_INLINE void row_products(const others *o, const uint32_t *restrict index, size_t n,
                              size_t stride, real *restrict pi) {
    for (size_t z = 0; z < n; z++, index += o->n, pi += stride) {
        fetch_ahead(o, index, stride);
        if (o->n < 2) {
            for (size_t r = 0; r < stride; r++)
                pi[r] = o->n > 0 ? o->factor[0][index[0] * stride + r] : 1;
            continue;
        }
        const real *restrict a = o->factor[0] + index[0] * stride;
        const real *restrict b = o->factor[1] + index[1] * stride;
        for (size_t r = 0; r < stride; r++) pi[r] = a[r] * b[r];
        for (uint32_t k = 2; k < o->n; k++) {
            const real *restrict c = o->factor[k] + index[k] * stride;
            for (size_t r = 0; r < stride; r++) pi[r] *= c[r];
        }
    }
}

TRIB_INLINE real quotient(double value, real model) {
    return (real)value / (model > SMALLEST ? model : SMALLEST);
}

/* Adds to phi the sum over n nonzeros of value / max(<w, pi>, SMALLEST) pi. */
TRIB_INLINE void add_phi(const real *restrict pi, const double *restrict value, size_t n,
                         size_t stride, const real *restrict w, real *restrict phi) {
    size_t z = 0;
    for (; z + 4 <= n; z += 4, pi += 4 * stride) {
        const real *p0 = pi, *p1 = pi + stride, *p2 = pi + 2 * stride, *p3 = pi + 3 * stride;
        lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (size_t r = 0; r < stride; r += TRIB_LANES) {
            const lanes x = LANES_AT(w + r);
            s0 += x * LANES_AT(p0 + r);
            s1 += x * LANES_AT(p1 + r);
            s2 += x * LANES_AT(p2 + r);
            s3 += x * LANES_AT(p3 + r);
        }
        const real d0 = quotient(value[z], TRIB_SUM_OF_LANES(s0)),
                   d1 = quotient(value[z + 1], TRIB_SUM_OF_LANES(s1)),
                   d2 = quotient(value[z + 2], TRIB_SUM_OF_LANES(s2)),
                   d3 = quotient(value[z + 3], TRIB_SUM_OF_LANES(s3));
        for (size_t r = 0; r < stride; r++)
            phi[r] += (d0 * p0[r] + d1 * p1[r]) + (d2 * p2[r] + d3 * p3[r]);
    }
    for (; z < n; z++, pi += stride) {
        lanes s = {0};
        for (size_t r = 0; r < stride; r += TRIB_LANES) s += LANES_AT(w + r) * LANES_AT(pi + r);
        const real d = quotient(value[z], TRIB_SUM_OF_LANES(s));
        for (size_t r = 0; r < stride; r++) phi[r] += d * pi[r];
    }
}

/* Computes phi from the nonzeros [from, to) of a row. Their row products are read from pi, unless
 * `afresh` is set or they do not fit there. */
TRIB_INLINE void row_phi(const slices *slice, const others *o, size_t from, size_t to,
                         size_t stride, bool afresh, const real *restrict w, real *restrict phi,
                         real *restrict pi) {
    for (size_t r = 0; r < stride; r++) phi[r] = 0;
    for (size_t z = from; z < to; z += PI_ROWS) {
        const size_t n = to - z < PI_ROWS ? to - z : PI_ROWS;
        if (afresh || to - from > PI_ROWS) row_products(o, slice->other + z * o->n, n, stride, pi);
        add_phi(pi, slice->value + z, n, stride, w, phi);
    }
}

/* Updates the rows [first, end) of a factor in single precision through `sweeps` sweeps: row = row
 * * by[.] * Phi, with `by` = `scale` in the first sweep and `rescale` in the others. mirror[m] is
 * the factor of mode m in single precision, with very small entries set to 0; the rows of
 * mirror[mode] are updated too. sum[stride] receives the column sums; scratch[(PI_ROWS + 2) *
 * stride]. */
void trib_apr_rows_single(double *factor, float *const mirror[], uint32_t n_modes, uint32_t mode,
                          const slices *slice, size_t first, size_t end, size_t stride,
                          const double *scale, const double *rescale, uint32_t sweeps,
                          float *scratch, double *sum);
/* Sets mirror[n] to a[n] in single precision, with very small values set to 0. */
void trib_apr_mirror(const double *a, size_t n, float *mirror);

#endif
