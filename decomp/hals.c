/* hals.c - hierarchical alternating least squares: block coordinate descent on the least-squares
 * problem of als_loop.c, column by column: A_r = max(0, (M_r - l1 - sum over s != r of A_s G_sr) /
 * (G_rr + l2)) ([Liu]; Cichocki and Phan 2009, algorithm 2). The division is done once for all
 * sweeps: H_sr = G_sr / (G_rr + l2) with H_rr = 0, and likewise M.
 *
 * The rows of A are independent. Eight of them occupy the lanes of a register and go through all
 * sweeps while they are in the first-level cache. Columns are processed in blocks of eight, whose
 * sums stay in registers: first the contributions of the other blocks are subtracted, then, column
 * after column, those within the block. Between one column and the next there are only a maximum
 * and a multiplication.
 *
 * Factors of text are sparse: at rank 150 a word takes part in 9 % of the components, and eight
 * neighbouring words together in 42 %. Columns that are zero in all eight rows contribute nothing
 * to the others, so only the other columns are listed and used.
 *
 * The solver `ccd` does the same, but sweeps until the columns of the eight rows hardly change. */
#include "base/internal.h"
#include "decomp/loop.h"

enum { MAX_SWEEPS_FACTOR = 10 }; /* of ccd, as a multiple of those of hals */
#define CONVERGED .0001 /* ccd: limit of sum G_rr change^2 of a sweep, relative to the first */

/* Appends c + q to the list for each column q that is not zero in one of the n x 8 rows. */
TRIB_INLINE size_t list_columns(trib_eight column[][TRIB_EIGHT], size_t n_eights, size_t c,
                                uint32_t *list, size_t n) {
    typedef int8_t eight_bytes __attribute__((vector_size(TRIB_EIGHT)));
    /* sums of the lanes of two, four and eight columns at once; no value is negative */
    trib_eight v[TRIB_EIGHT];
    for (size_t q = 0; q < TRIB_EIGHT; q++)
        v[q] = n_eights > 1 ? column[0][q] + column[1][q] : column[0][q];
    for (size_t i = 0; i < 4; i++)
        v[i] = TRIB_LANES(v[2 * i], v[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
               TRIB_LANES(v[2 * i], v[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    for (size_t i = 0; i < 2; i++)
        v[i] = TRIB_LANES(v[2 * i], v[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
               TRIB_LANES(v[2 * i], v[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
    v[0] = TRIB_LANES(v[0], v[1], 0, 1, 2, 3, 8, 9, 10, 11) +
           TRIB_LANES(v[0], v[1], 4, 5, 6, 7, 12, 13, 14, 15);
    const eight_bytes used = __builtin_convertvector((trib_lane_bits)(v[0] > 0), eight_bytes);
    uint64_t bytes;
    memcpy(&bytes, &used, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    for (size_t q = 0; q < TRIB_EIGHT; q++, bytes >>= 8) {
        list[n] = (uint32_t)(c + q);
        n += bytes & 1;
    }
    return n;
}

enum { MAX_EIGHTS = 2 };

/* Eight or sixteen rows being solved, with rows in lanes. */
typedef struct lanes {
    size_t n; /* number of groups of eight rows */
    /* [stride][n] the rows, and (M - l1) / (G_rr + l2), or x where that is 0 / 0 */
    trib_eight *x, *y;
    uint32_t *used;  /* [stride + 8] columns not zero before this sweep, ascending */
    uint32_t *fresh; /* [stride + 8] columns not zero after this sweep, as far as it has come */
    size_t n_used, n_fresh;
} lanes;

enum { SCRATCH_PER_COLUMN = 2 * MAX_EIGHTS * TRIB_EIGHT + 1, SCRATCH_FIXED = TRIB_EIGHT };

TRIB_INLINE lanes lanes_in(double *scratch, size_t n, size_t stride) {
    uint32_t *lists = (uint32_t *)(scratch + 2 * MAX_EIGHTS * TRIB_EIGHT * stride);
    return (lanes){.n = n,
                   .x = (trib_eight *)scratch,
                   .y = (trib_eight *)scratch + MAX_EIGHTS * stride,
                   .used = lists,
                   .fresh = lists + stride + TRIB_EIGHT};
}

TRIB_INLINE void load_rows(lanes *w, size_t n, bool listed, const double *restrict a,
                           const double *restrict m, size_t stride, const double *restrict inverse,
                           double l1) {
    for (size_t c = 0; c < stride; c += TRIB_EIGHT) {
        trib_eight x[MAX_EIGHTS][TRIB_EIGHT], y[TRIB_EIGHT];
        for (size_t e = 0; e < n; e++) {
            for (size_t l = 0; l < TRIB_EIGHT; l++) {
                x[e][l] = *(const trib_eight *)(a + (e * TRIB_EIGHT + l) * stride + c);
                y[l] = *(const trib_eight *)(m + (e * TRIB_EIGHT + l) * stride + c);
            }
            trib_transpose(x[e]);
            trib_transpose(y);
            for (size_t q = 0; q < TRIB_EIGHT; q++) {
                w->x[(c + q) * n + e] = x[e][q];
                w->y[(c + q) * n + e] = inverse[c + q] > 0 ? (y[q] - l1) * inverse[c + q] : x[e][q];
            }
        }
        if (listed) w->n_used = list_columns(x, n, c, w->used, w->n_used);
    }
}

/* Prefetches eight columns of the n x 8 rows that are `doubles` elements ahead, or nothing at the
 * end of the rows. Rows are read from memory while the rows before them are solved. */
TRIB_INLINE void fetch_rows(size_t n, const double *a, const double *m, size_t doubles) {
    const uintptr_t a_later = (uintptr_t)(a) + doubles * sizeof *a;
    const uintptr_t m_later = (uintptr_t)(m) + doubles * sizeof *m;
    for (size_t i = 0; i < n * TRIB_EIGHT; i++) {
        __builtin_prefetch((const void *)(a_later + i * sizeof(trib_eight)), 1);
        __builtin_prefetch((const void *)(m_later + i * sizeof(trib_eight)));
    }
}

TRIB_INLINE void store_rows(const lanes *w, size_t n, double *restrict a, size_t stride) {
    for (size_t c = 0; c < stride; c += TRIB_EIGHT)
        for (size_t e = 0; e < n; e++) {
            trib_eight x[TRIB_EIGHT];
            for (size_t q = 0; q < TRIB_EIGHT; q++) x[q] = w->x[(c + q) * n + e];
            trib_transpose(x);
            for (size_t l = 0; l < TRIB_EIGHT; l++)
                *(trib_eight *)(a + (e * TRIB_EIGHT + l) * stride + c) = x[l];
        }
}

/* Subtracts H_s,c+q A_s from rest[.][q]; panel[s][8] is H of the columns c .. c+7. */
TRIB_INLINE void take_column(trib_eight rest[][TRIB_EIGHT], size_t n, const trib_eight *x, size_t s,
                             const double *restrict panel) {
    for (size_t e = 0; e < n; e++)
#pragma GCC unroll 8
        for (size_t q = 0; q < TRIB_EIGHT; q++)
            rest[e][q] -= panel[s * TRIB_EIGHT + q] * x[s * n + e];
}

/* The same for the listed columns; without a list, for columns first .. last-1. */
TRIB_INLINE void take_columns(trib_eight rest[][TRIB_EIGHT], size_t n, const trib_eight *x,
                              const uint32_t *list, size_t first, size_t last,
                              const double *restrict panel) {
    for (size_t u = first; u < last; u++) take_column(rest, n, x, list ? list[u] : u, panel);
}

/* Updates the columns c .. c+7. The columns after them are used[first ..]. */
TRIB_INLINE void sweep_block(lanes *w, size_t n, size_t stride, bool listed, size_t c, size_t first,
                             const double *restrict panel, const double *restrict inverse,
                             trib_eight *changed) {
    trib_eight rest[MAX_EIGHTS][TRIB_EIGHT], x[MAX_EIGHTS][TRIB_EIGHT];
    const double *own = panel + c * TRIB_EIGHT;
    for (size_t e = 0; e < n; e++)
        for (size_t q = 0; q < TRIB_EIGHT; q++) rest[e][q] = w->y[(c + q) * n + e];
    if (listed) take_columns(rest, n, w->x, w->used, first, w->n_used, panel);
    else take_columns(rest, n, w->x, NULL, c + TRIB_EIGHT, stride, panel);
    for (size_t e = 0; e < n; e++)
#pragma GCC unroll 8
        for (size_t q = 1; q < TRIB_EIGHT; q++)
#pragma GCC unroll 8
            for (size_t p = 0; p < q; p++)
                rest[e][p] -= own[q * TRIB_EIGHT + p] * w->x[(c + q) * n + e];
    if (listed) take_columns(rest, n, w->x, w->fresh, 0, w->n_fresh, panel);
    else take_columns(rest, n, w->x, NULL, 0, c, panel);
#pragma GCC unroll 8
    for (size_t q = 0; q < TRIB_EIGHT; q++)
        for (size_t e = 0; e < n; e++) {
            x[e][q] = (trib_eight)((trib_lane_bits)rest[e][q] & (rest[e][q] > 0));
#pragma GCC unroll 8
            for (size_t p = q + 1; p < TRIB_EIGHT; p++)
                rest[e][p] -= own[q * TRIB_EIGHT + p] * x[e][q];
        }
    for (size_t q = 0; q < TRIB_EIGHT; q++)
        for (size_t e = 0; e < n; e++) {
            const trib_eight change = x[e][q] - w->x[(c + q) * n + e];
            if (changed && inverse[c + q] > 0) *changed += change * change / inverse[c + q];
            w->x[(c + q) * n + e] = x[e][q];
        }
    if (listed) w->n_fresh = list_columns(x, n, c, w->fresh, w->n_fresh);
}

/* Sweeps over n x 8 rows of a[][stride]; m[][stride] is their MTTKRP. With `until_converged`, it
 * sweeps until sum G_rr change^2 of a sweep is small relative to the first sweep. */
TRIB_INLINE void solve_rows(size_t n, bool listed, double *restrict a, const double *restrict m,
                            size_t stride, const double *restrict h, const double *restrict inverse,
                            uint32_t sweeps, bool until_converged, double l1,
                            double *restrict scratch) {
    lanes w = lanes_in(scratch, n, stride);
    double first_change = 0;
    load_rows(&w, n, listed, a, m, stride, inverse, l1);
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        trib_eight changed = {0};
        size_t first = 0;
        w.n_fresh = 0;
        for (size_t c = 0; c < stride; c += TRIB_EIGHT) {
            while (listed && first < w.n_used && w.used[first] < c + TRIB_EIGHT) first++;
            if (sweep == 0) fetch_rows(n, a, m, n * TRIB_EIGHT * (stride + c));
            sweep_block(&w, n, stride, listed, c, first, h + c * stride, inverse,
                        until_converged ? &changed : NULL);
        }
        uint32_t *used = w.used;
        w.used = w.fresh;
        w.n_used = w.n_fresh;
        w.fresh = used;
        if (until_converged) {
            double sum = 0;
            for (size_t l = 0; l < TRIB_EIGHT; l++) sum += changed[l];
            if (sweep == 0) first_change = sum;
            if (sum <= CONVERGED * first_change) break;
        }
    }
    store_rows(&w, n, a, stride);
}

/* The remaining rows, and all rows of ccd: eight at a time. */
TRIB_KERNEL(void, solve_eights,
            (double *restrict a, const double *restrict m, size_t n_rows, size_t stride,
             const double *restrict h, const double *restrict inverse, uint32_t sweeps,
             bool until_converged, double l1, double *restrict scratch),
            (a, m, n_rows, stride, h, inverse, sweeps, until_converged, l1, scratch)) {
    for (size_t i = 0; i < n_rows; i += TRIB_EIGHT)
        solve_rows(1, true, a + i * stride, m + i * stride, stride, h, inverse, sweeps,
                   until_converged, l1, scratch);
}

/* Solves the rows sixteen at a time. With few columns, some of sixteen rows use each of them, so
 * columns are not listed. Returns the number of rows solved, at most 15 less than n_rows. */
TRIB_KERNEL(size_t, solve_sixteens,
            (double *restrict a, const double *restrict m, size_t n_rows, size_t stride,
             const double *restrict h, const double *restrict inverse, uint32_t sweeps, double l1,
             double *restrict scratch),
            (a, m, n_rows, stride, h, inverse, sweeps, l1, scratch)) {
    size_t i = 0;
    for (; i + 2 * TRIB_EIGHT <= n_rows; i += 2 * TRIB_EIGHT)
        if (stride == 16)
            solve_rows(2, false, a + i * 16, m + i * 16, 16, h, inverse, sweeps, false, l1,
                       scratch);
        else
            solve_rows(2, true, a + i * stride, m + i * stride, stride, h, inverse, sweeps, false,
                       l1, scratch);
    return i;
}

/* Prepares H as panels of eight columns [stride / 8][stride][8], then 1 / (G_rr + l2), or 0 where
 * that sum is 0: such a column does not change. */
static trib_status prepare(const trib_mode_problem *problem, trib_error *error) {
    const size_t stride = problem->stride;
    double *h = problem->prepared, *inverse = h + stride * stride;
    (void)error;
    for (size_t r = 0; r < stride; r++) {
        const double diagonal = problem->gram[r * stride + r] + problem->l2;
        inverse[r] = r < problem->rank && diagonal > 0 ? 1 / diagonal : 0;
    }
    for (size_t s = 0; s < stride; s++)
        for (size_t r = 0; r < stride; r++)
            h[(r / TRIB_EIGHT * stride + s) * TRIB_EIGHT + r % TRIB_EIGHT] =
                s != r ? problem->gram[s * stride + r] * inverse[r] : 0;
    return TRIB_OK;
}

static void hals_update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                        const double *restrict m, double *restrict kept, double *restrict scratch) {
    const size_t stride = problem->stride;
    const double *const h = problem->prepared, *const inverse = h + stride * stride;
    (void)kept;
    const size_t done =
        solve_sixteens(a, m, n_rows, stride, h, inverse, problem->sweeps, problem->l1, scratch);
    solve_eights(a + done * stride, m + done * stride, n_rows - done, stride, h, inverse,
                 problem->sweeps, false, problem->l1, scratch);
}

static void ccd_update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                       const double *restrict m, double *restrict kept, double *restrict scratch) {
    const size_t stride = problem->stride;
    (void)kept;
    solve_eights(a, m, n_rows, stride, problem->prepared, problem->prepared + stride * stride,
                 MAX_SWEEPS_FACTOR * problem->sweeps, true, problem->l1, scratch);
}

static size_t gram_and_row(size_t stride) { return stride * stride + stride; }
static size_t scratch_size(size_t stride) { return SCRATCH_PER_COLUMN * stride + SCRATCH_FIXED; }

const trib_least_squares trib_hals_rows = {.prepared_size = gram_and_row,
                                           .scratch_size = scratch_size,
                                           .prepare = prepare,
                                           .update = hals_update};
const trib_least_squares trib_ccd_rows = {.prepared_size = gram_and_row,
                                          .scratch_size = scratch_size,
                                          .prepare = prepare,
                                          .update = ccd_update};
