/* apr_single.c - the updates of CP-APR (apr.c) in single precision, which halves the memory
 * traffic. Very small entries of factors are treated as zero, so that no product of a few factors
 * leaves the range of normal numbers. */

typedef float real;
#define SMALLEST 1e-30F
#include "base/internal.h"
#include "decomp/apr_rows.h"

/* Smaller entries are treated as zero. The values decomposed are at least about 1e-7; the product
 * of three entries above this limit is above FLT_MIN. */
static const double NEXT_TO_NOTHING = 1e-12;

/* Written without a condition, so that the compiler can vectorise loops over it. */
TRIB_INLINE float in_single(double x) { return (float)(x * (double)!(x < NEXT_TO_NOTHING)); }

TRIB_KERNEL(void, round_to_single, (const double *restrict a, size_t n, float *restrict mirror),
            (a, n, mirror)) {
    for (size_t i = 0; i < n; i++) mirror[i] = in_single(a[i]);
}

void trib_apr_mirror(const double *a, size_t n, float *mirror) { round_to_single(a, n, mirror); }

TRIB_KERNEL(void, update_rows_single,
            (double *restrict factor, float *restrict mirror, const slices *slice, const others *o,
             size_t first, size_t end, size_t stride, const double *restrict scale,
             const double *restrict rescale, uint32_t sweeps, float *restrict scratch,
             double *restrict sum),
            (factor, mirror, slice, o, first, end, stride, scale, rescale, sweeps, scratch, sum)) {
    float *restrict w = scratch, *restrict phi = w + stride, *restrict pi = phi + stride;
    for (size_t i = first; i < end; i++) {
        double *restrict row = factor + i * stride;
        float *restrict rounded = mirror + i * stride;
        const size_t from = slice->first[i], to = slice->first[i + 1];
        for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
            const double *restrict by = sweep == 0 ? scale : rescale;
            for (size_t r = 0; r < stride; r++) w[r] = in_single(row[r] * by[r]);
            row_phi(slice, o, from, to, stride, sweep == 0, w, phi, pi);
            for (size_t r = 0; r < stride; r++) row[r] = (double)w[r] * (double)phi[r];
        }
        for (size_t r = 0; r < stride; r++) rounded[r] = in_single(row[r]);
        for (size_t r = 0; r < stride; r++) sum[r] += row[r];
    }
}

void trib_apr_rows_single(double *factor, float *const mirror[], uint32_t n_modes, uint32_t mode,
                          const slices *slice, size_t first, size_t end, size_t stride,
                          const double *scale, const double *rescale, uint32_t sweeps,
                          float *scratch, double *sum) {
    others o = {0};
    for (uint32_t m = 0; m < n_modes; m++)
        if (m != mode) o.factor[o.n++] = mirror[m];
    memset(sum, 0, stride * sizeof *sum);
    update_rows_single(factor, mirror[mode], slice, &o, first, end, stride, scale, rescale, sweeps,
                       scratch, sum);
}
