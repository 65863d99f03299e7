/* hals.c - nonnegative CP by hierarchical alternating least squares: block coordinate descent on
 *
 *     1/2 |X - model|^2 + sum over modes of l1 sum(A) + l2/2 |A|^2,
 *
 * column by column A_r = max(0, A_r + (M_r - A G_r - l1 - l2 A_r) / (G_rr + l2)), M the MTTKRP and G the elementwise product
 * of the other Gram matrices ([Liu]; Cichocki and Phan 2009, algorithm 2).
 *
 * The rows of A are independent, so eight of them lie in the lanes of a register and are solved to the end, all sweeps,
 * while they are in the first-level cache. Columns go in blocks of eight: M - A G of a block is a small matrix product
 * with every sum in a register, and within the block a change of column r mends the sums of the columns after it, which is
 * the column-by-column method exactly. A chunk's share of the new Gram matrix follows while its rows are still near. */
#include "decomp/decomp.h"
#include "decomp/dense.h"
#include "decomp/loop.h"

#include <math.h>
#include <omp.h>
#include <string.h>

typedef int64_t lane_mask __attribute__((vector_size(TRIB_EIGHT * sizeof(int64_t)), may_alias));

typedef struct hals {
    trib_dense dense;
    double *mttkrp;   /* [most rows][stride] */
    double *hadamard; /* [stride][stride] G */
    double *inverse;  /* [stride] 1 / (G_rr + l2), 0 where that is 0 */
    double *scratch;  /* [n_threads][SCRATCH_PER_COLUMN][stride] */
    double *inner;    /* [chunks] <A, M> of each */
    double l1, l2;
    uint32_t sweeps;
} hals;

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

/* Sweeps over eight rows a[8][stride]; m[8][stride] is their MTTKRP. */
TRIB_KERNEL
static void solve_rows(double *restrict a, const double *restrict m, size_t stride,
                       const double *restrict g, const double *restrict inverse, uint32_t sweeps,
                       double l1, double l2, double *restrict scratch) {
    eight_rows w = rows_in(scratch, stride);
    load_rows(&w, a, m, stride);
    for (uint32_t sweep = 0; sweep < sweeps; sweep++)
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
    for (size_t r = 0; r < stride; r++)
        for (size_t l = 0; l < TRIB_EIGHT; l++) a[l * stride + r] = w.x[r][l];
}

TRIB_KERNEL
static double inner_product_of_rows(const double *restrict a, const double *restrict b, size_t n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static trib_status prepare(hals *h, const trib_ktensor *k, const trib_cp_options *options,
                           trib_error *error) {
    *h = (hals){.l1 = options->l1, .l2 = options->l2, .sweeps = options->sweeps};
    trib_status status = trib_dense_init(&h->dense, k, options->n_threads, error);
    const size_t stride = h->dense.stride;
    size_t n_rows = 0, n_chunks = 0;
    for (uint32_t m = 0; status == TRIB_OK && m < k->n_modes; m++) {
        const size_t chunks = trib_dense_n_chunks(&h->dense, m);
        if (h->dense.n_rows[m] > n_rows) n_rows = h->dense.n_rows[m];
        if (chunks > n_chunks) n_chunks = chunks;
    }
    const size_t row = stride * sizeof(double);
    if (status == TRIB_OK) status = trib_new_aligned(&h->mttkrp, n_rows, row, "MTTKRP", error);
    if (status == TRIB_OK) status = trib_new_aligned(&h->hadamard, stride, row, "HALS", error);
    if (status == TRIB_OK) status = trib_new_aligned(&h->inverse, 1, row, "HALS", error);
    if (status == TRIB_OK)
        status = trib_new_aligned(&h->scratch, (size_t)options->n_threads, SCRATCH_PER_COLUMN * row,
                                  "HALS", error);
    if (status == TRIB_OK) status = trib_new(&h->inner, n_chunks, sizeof(double), "HALS", error);
    return status;
}

static void release(hals *h) {
    trib_dense_release(&h->dense);
    trib_free(h->mttkrp);
    trib_free(h->hadamard);
    trib_free(h->inverse);
    trib_free(h->scratch);
    trib_free(h->inner);
}

/* Shares the scale of each component between the modes: lambda becomes 1. */
static void share_scale(hals *h, trib_ktensor *k) {
    for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = pow(k->lambda[r], 1.0 / k->n_modes);
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t i = 0; i < k->dim[m]; i++)
            for (uint32_t r = 0; r < k->rank; r++)
                h->dense.factor[m][i * h->dense.stride + r] *= k->lambda[r];
    for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = 1;
}

/* One mode: MTTKRP, then chunk by chunk the sweeps, <A, M> and the chunk's Gram matrix. Returns <X, model>. */
static double update_mode(hals *h, const trib_tensor *x, uint32_t m) {
    trib_dense *dense = &h->dense;
    const size_t stride = dense->stride, n_rows = dense->n_rows[m];
    const size_t rows = trib_dense_chunk_rows(dense, m);
    const long n_chunks = (long)trib_dense_n_chunks(dense, m);
    trib_dense_hadamard(dense, m, h->hadamard);
    for (size_t r = 0; r < stride; r++) {
        const double diagonal = h->hadamard[r * stride + r] + h->l2;
        h->inverse[r] = r < dense->rank && diagonal > 0 ? 1 / diagonal : 0;
    }
    trib_mttkrp(x, m, (uint32_t)stride, (const double *const *)dense->factor, h->mttkrp,
                dense->n_threads);
    memset(h->mttkrp + dense->dim[m] * stride, 0,
           (n_rows - dense->dim[m]) * stride * sizeof(double));
#pragma omp parallel for schedule(static) num_threads(dense->n_threads)
    for (long chunk = 0; chunk < n_chunks; chunk++) {
        double *scratch = h->scratch + SCRATCH_PER_COLUMN * stride * (size_t)omp_get_thread_num();
        const size_t first = (size_t)chunk * rows;
        const size_t end = first + rows < n_rows ? first + rows : n_rows;
        for (size_t i = first; i < end; i += TRIB_EIGHT)
            solve_rows(dense->factor[m] + i * stride, h->mttkrp + i * stride, stride, h->hadamard,
                       h->inverse, h->sweeps, h->l1, h->l2, scratch);
        h->inner[chunk] = inner_product_of_rows(dense->factor[m] + first * stride,
                                                h->mttkrp + first * stride, (end - first) * stride);
        trib_dense_gram_chunk(dense, m, (size_t)chunk);
    }
    trib_dense_gram_sum(dense, m);
    double inner = 0;
    for (long chunk = 0; chunk < n_chunks; chunk++) inner += h->inner[chunk];
    return inner;
}

/* sum over modes of l1 sum(A) + l2/2 |A|^2 */
static double penalty(const hals *h) {
    double sum = 0;
    if (h->l1 == 0 && h->l2 == 0) return 0;
    for (uint32_t m = 0; m < h->dense.n_modes; m++) {
        for (size_t i = 0; i < h->dense.n_rows[m] * h->dense.stride; i++)
            sum += h->l1 * h->dense.factor[m][i];
        for (size_t r = 0; r < h->dense.rank; r++)
            sum += h->l2 / 2 * h->dense.gram[m][r * h->dense.stride + r];
    }
    return sum;
}

trib_status trib_hals_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                            trib_cp_trace *trace, trib_error *error) {
    hals h;
    trib_cp_loop loop = {.options = options, .trace = trace};
    trib_status status = prepare(&h, k, options, error);
    if (status != TRIB_OK) goto done;
    share_scale(&h, k);
    for (uint32_t m = 1; m < k->n_modes; m++) trib_dense_gram(&h.dense, m);
    for (bool more = true; status == TRIB_OK && more;) {
        double inner = 0;
        for (uint32_t m = 0; m < k->n_modes; m++) inner = update_mode(&h, x, m);
        const double norm = trib_dense_squared_norm(&h.dense, NULL);
        const double residual = fmax(0, x->norm * x->norm - 2 * inner + norm);
        status = trib_cp_loop_step(&loop, trib_fit(x->norm, inner, norm),
                                   residual / 2 + penalty(&h), &more, error);
    }
    for (uint32_t m = 0; m < k->n_modes; m++) trib_dense_copy_back(&h.dense, m, NULL, k);
    k->fit = loop.fit;
done:
    release(&h);
    return status;
}
