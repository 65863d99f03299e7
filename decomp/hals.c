/* hals.c - hierarchical alternating least squares: block coordinate descent on the least squares of als_loop.c, column by
 * column A_r = max(0, A_r + (M_r - A G_r - l1 - l2 A_r) / (G_rr + l2)) ([Liu]; Cichocki and Phan 2009, algorithm 2).
 *
 * The rows of A are independent, so eight of them lie in the lanes of a register and are solved to the end, all sweeps,
 * while they are in the first-level cache. Columns go in blocks of eight: M - A G of a block is a small matrix product
 * with every sum in a register, and within the block a change of column r mends the sums of the columns after it, which is
 * the column-by-column method exactly.
 *
 * `ccd` is the same with as many sweeps as it takes: until the columns of the eight rows hardly change. */
#include "decomp/loop.h"

enum { MOST_SWEEPS = 10 }; /* of ccd, times those of hals */
#define SETTLED .0001      /* ccd: sum G_rr change^2 of a sweep over that of the first */

typedef int64_t lane_mask __attribute__((vector_size(TRIB_EIGHT * sizeof(int64_t)), may_alias));

TRIB_INLINE bool any(const lane_mask *mask) {
    int64_t bits = 0;
    for (size_t l = 0; l < TRIB_EIGHT; l++) bits |= (*mask)[l];
    return bits != 0;
}

/* Eight rows being solved, with rows in lanes; and which columns have anything in them. Factors of text are sparse: at
 * rank 150 a word takes part in 5 % of the components, eight neighbours together in 28 %. */
typedef struct eight_rows {
    trib_eight *x, *y;  /* [stride] the rows and their MTTKRP */
    lane_mask *is_zero; /* [stride / 8] -1 where a column of x is not in `used` */
    uint64_t *used;     /* [stride + 1] columns that are not zero (or were when the sweep began) */
    size_t n_used;
} eight_rows;

enum { SCRATCH_PER_COLUMN = 2 * TRIB_EIGHT + 3 };

TRIB_INLINE eight_rows rows_in(double *scratch, size_t stride) {
    return (eight_rows){.x = (trib_eight *)scratch,
                        .y = (trib_eight *)scratch + stride,
                        .is_zero = (lane_mask *)(scratch + 2 * TRIB_EIGHT * stride),
                        .used = (uint64_t *)(scratch + (2 * TRIB_EIGHT + 1) * stride)};
}

/* Puts the columns c .. c+7 on the list where `now_used` (of columns) says so. */
TRIB_INLINE void use_columns(eight_rows *w, size_t c, const lane_mask *now_used) {
    w->is_zero[c / TRIB_EIGHT] &= ~*now_used;
    for (size_t q = 0; q < TRIB_EIGHT; q++) {
        w->used[w->n_used] = c + q;
        w->n_used += (*now_used)[q] != 0;
    }
}

TRIB_INLINE void load_rows(eight_rows *w, const double *restrict a, const double *restrict m,
                           size_t stride) {
    for (size_t c = 0; c < stride; c += TRIB_EIGHT) {
        lane_mask bits = {0};
        for (size_t l = 0; l < TRIB_EIGHT; l++) bits |= *(const lane_mask *)(a + l * stride + c);
        const lane_mask now_used = bits != 0;
        w->is_zero[c / TRIB_EIGHT] = ~now_used;
        use_columns(w, c, &now_used);
        for (size_t r = c; r < c + TRIB_EIGHT; r++)
            for (size_t l = 0; l < TRIB_EIGHT; l++) {
                w->x[r][l] = a[l * stride + r];
                w->y[r][l] = m[l * stride + r];
            }
    }
}

/* Sweeps over eight rows a[8][stride]; m[8][stride] is their MTTKRP. Where `settle` is not 0, until sum G_rr change^2 of a
 * sweep is at most so much of the first one's; `inverse` is 1 / (G_rr + l2). */
TRIB_INLINE void solve_rows(double *restrict a, const double *restrict m, size_t stride,
                            const double *restrict g, const double *restrict inverse,
                            uint32_t sweeps, double settle, double l1, double l2,
                            double *restrict scratch) {
    eight_rows w = rows_in(scratch, stride);
    double first_change = 0;
    load_rows(&w, a, m, stride);
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        trib_eight changed = {0};
        for (size_t c = 0; c < stride; c += TRIB_EIGHT) {
            trib_eight rest[TRIB_EIGHT]; /* M_r - A G_r - l1 of the columns of this block */
            for (size_t q = 0; q < TRIB_EIGHT; q++) rest[q] = w.y[c + q] - l1;
            for (size_t u = 0; u < w.n_used; u++) {
                const trib_eight column = w.x[w.used[u]];
                const double *row = g + w.used[u] * stride + c;
                for (size_t q = 0; q < TRIB_EIGHT; q++) rest[q] -= row[q] * column;
            }
            lane_mask new_in[TRIB_EIGHT], any_new = {0};
#pragma GCC unroll 8
            for (size_t q = 0; q < TRIB_EIGHT; q++) {
                const trib_eight old = w.x[c + q];
                const trib_eight moved = old + (rest[q] - l2 * old) * inverse[c + q];
                const trib_eight fresh = (trib_eight)((lane_mask)moved & (moved > 0));
                const trib_eight change = fresh - old;
                w.x[c + q] = fresh;
                if (settle > 0 && inverse[c + q] > 0) changed += change * change / inverse[c + q];
                new_in[q] = (moved > 0) & w.is_zero[c / TRIB_EIGHT][q];
                any_new |= new_in[q];
#pragma GCC unroll 8
                for (size_t p = q + 1; p < TRIB_EIGHT; p++)
                    rest[p] -= g[(c + q) * stride + c + p] * change;
            }
            if (any(&any_new)) {
                lane_mask now_used = {0};
                for (size_t q = 0; q < TRIB_EIGHT; q++) now_used[q] = any(&new_in[q]) ? -1 : 0;
                use_columns(&w, c, &now_used);
            }
        }
        if (settle > 0) {
            double sum = 0;
            for (size_t l = 0; l < TRIB_EIGHT; l++) sum += changed[l];
            if (sweep == 0) first_change = sum;
            if (sum <= settle * first_change) break;
        }
    }
    for (size_t r = 0; r < stride; r++)
        for (size_t l = 0; l < TRIB_EIGHT; l++) a[l * stride + r] = w.x[r][l];
}

TRIB_KERNEL
static void hals_rows(double *restrict a, const double *restrict m, size_t stride,
                      const double *restrict g, const double *restrict inverse, uint32_t sweeps,
                      double l1, double l2, double *restrict scratch) {
    solve_rows(a, m, stride, g, inverse, sweeps, 0, l1, l2, scratch);
}

TRIB_KERNEL
static void ccd_rows(double *restrict a, const double *restrict m, size_t stride,
                     const double *restrict g, const double *restrict inverse, uint32_t sweeps,
                     double l1, double l2, double *restrict scratch) {
    solve_rows(a, m, stride, g, inverse, sweeps, SETTLED, l1, l2, scratch);
}

/* 1 / (G_rr + l2), 0 where that is 0. */
static trib_status prepare(const trib_mode_problem *problem, trib_error *error) {
    (void)error;
    for (size_t r = 0; r < problem->stride; r++) {
        const double diagonal = problem->gram[r * problem->stride + r] + problem->l2;
        problem->prepared[r] = r < problem->rank && diagonal > 0 ? 1 / diagonal : 0;
    }
    return TRIB_OK;
}

static void hals_update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                        const double *restrict m, double *restrict kept, double *restrict scratch) {
    const size_t stride = problem->stride;
    (void)kept;
    for (size_t i = 0; i < n_rows; i += TRIB_EIGHT)
        hals_rows(a + i * stride, m + i * stride, stride, problem->gram, problem->prepared,
                  problem->sweeps, problem->l1, problem->l2, scratch);
}

static void ccd_update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                       const double *restrict m, double *restrict kept, double *restrict scratch) {
    const size_t stride = problem->stride;
    (void)kept;
    for (size_t i = 0; i < n_rows; i += TRIB_EIGHT)
        ccd_rows(a + i * stride, m + i * stride, stride, problem->gram, problem->prepared,
                 MOST_SWEEPS * problem->sweeps, problem->l1, problem->l2, scratch);
}

static size_t one_row(size_t stride) { return stride; }
static size_t lanes(size_t stride) { return SCRATCH_PER_COLUMN * stride; }

const trib_least_squares trib_hals_rows = {
    .prepared_size = one_row, .scratch_size = lanes, .prepare = prepare, .update = hals_update};
const trib_least_squares trib_ccd_rows = {
    .prepared_size = one_row, .scratch_size = lanes, .prepare = prepare, .update = ccd_update};
