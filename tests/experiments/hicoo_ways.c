/* hicoo_ways.c - MTTKRP in plain loops. */
#include "tests/experiments/hicoo.h"

#ifdef __clang__
#define PLAIN      _Pragma("clang loop vectorize(disable) interleave(disable)")
#define NO_VECTORS __attribute__((noinline))
#else
#define PLAIN
#define NO_VECTORS __attribute__((noinline, optimize("no-tree-vectorize", "no-tree-slp-vectorize")))
#endif

static void cut(hicoo_lists *x) {
    const uint32_t d = x->n_modes;
    for (int pass = 0; pass < 2; pass++) {
        size_t n = 0;
        for (size_t i = 0; i < x->nnz; i++) {
            const uint32_t *at = x->index + i * d;
            bool new = i == 0;
            for (uint32_t m = 0; m < d && !new; m++)
                new = at[m] / HICOO_BLOCK != *(at + m - d) / HICOO_BLOCK;
            for (uint32_t m = 0; m < d && pass; m++) {
                if (new) x->block[n * d + m] = at[m] / HICOO_BLOCK;
                x->offset[i * d + m] = (uint8_t)(at[m] % HICOO_BLOCK);
            }
            if (new &&pass) x->start[n] = (uint32_t)i;
            n += new;
        }
        if (pass) x->start[n] = (uint32_t)x->nnz;
        else {
            x->n_blocks = n;
            x->start = bench_new(n + 1, sizeof *x->start);
            x->block = bench_new(n * d, sizeof *x->block);
            x->offset = bench_new(x->nnz * d, sizeof *x->offset);
        }
    }
}

/* Nonzeros by their slice of a mode, in order within it. */
static void slice(hicoo_lists *x, uint32_t m, uint32_t side) {
    const uint32_t d = x->n_modes, n = (x->dim[m] - 1) / side + 1;
    uint32_t *next = bench_new(n + 1, sizeof *next);
    x->n_slices[m] = n;
    x->by_slice[m] = bench_new(x->nnz, sizeof **x->by_slice);
    x->slice[m] = bench_new(n + 1, sizeof **x->slice);
    for (size_t i = 0; i < x->nnz; i++) x->slice[m][x->index[i * d + m] / side + 1]++;
    for (uint32_t s = 0; s < n; s++) x->slice[m][s + 1] += x->slice[m][s];
    memcpy(next, x->slice[m], n * sizeof *next);
    for (size_t i = 0; i < x->nnz; i++)
        x->by_slice[m][next[x->index[i * d + m] / side]++] = (uint32_t)i;
    free(next);
}

void hicoo_lists_of(hicoo_lists *x, const trib_tensor *tensor, uint32_t side) {
    *x = (hicoo_lists){.n_modes = tensor->n_modes, .nnz = tensor->nnz};
    memcpy(x->dim, tensor->dim, sizeof x->dim);
    x->index = bench_new(x->nnz * x->n_modes, sizeof *x->index);
    x->value = bench_new(x->nnz, sizeof *x->value);
    trib_tensor_read(tensor, 0, x->nnz, x->index, x->value);
    cut(x);
    for (uint32_t m = 0; m < x->n_modes; m++) slice(x, m, side);
}

void hicoo_lists_release(hicoo_lists *x) {
    free(x->index);
    free(x->value);
    free(x->start);
    free(x->block);
    free(x->offset);
    for (uint32_t m = 0; m < x->n_modes; m++) {
        free(x->by_slice[m]);
        free(x->slice[m]);
    }
    *x = (hicoo_lists){0};
}

static void clear(const hicoo_lists *x, uint32_t mode, double *out) {
    memset(out, 0, (size_t)x->dim[mode] * HICOO_RANK * sizeof *out);
}

/* The loop for a constant number of factors, as a specialised kernel has it. */
#define ADD_TERM(n)                                                                                \
    case n:                                                                                        \
        PLAIN                                                                                      \
        for (uint32_t r = 0; r < HICOO_RANK; r++) {                                                \
            double term = value;                                                                   \
            for (uint32_t k = 0; k < (n); k++) term *= row[k][r];                                  \
            out[r] += term;                                                                        \
        }                                                                                          \
        break;

NO_VECTORS static void add_plain(double *restrict out, const double *const row[], uint32_t n_rows,
                                 double value) {
    switch (n_rows) {
        ADD_TERM(1)
        ADD_TERM(2)
        ADD_TERM(3)
        ADD_TERM(4)
        ADD_TERM(5)
    default:
        for (uint32_t r = 0; r < HICOO_RANK; r++) {
            double term = value;
            for (uint32_t k = 0; k < n_rows; k++) term *= row[k][r];
            out[r] += term;
        }
    }
}

void hicoo_coordinates(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f) {
    clear(x, mode, f->out);
    for (size_t i = 0; i < x->nnz; i++) {
        const uint32_t *at = x->index + i * x->n_modes;
        const double *row[TRIB_MAX_MODES];
        uint32_t n = 0;
        for (uint32_t m = 0; m < x->n_modes; m++)
            if (m != mode) row[n++] = f->factor[m] + (size_t)at[m] * HICOO_RANK;
        add_plain(f->out + (size_t)at[mode] * HICOO_RANK, row, n, x->value[i]);
    }
}

void hicoo_blocks(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f) {
    enum { BLOCK_ROW = HICOO_BLOCK * HICOO_RANK };
    clear(x, mode, f->out);
    for (size_t b = 0; b < x->n_blocks; b++) {
        const uint32_t *block = x->block + b * x->n_modes;
        const double *base[TRIB_MAX_MODES], *row[TRIB_MAX_MODES];
        double *out = f->out + (size_t)block[mode] * BLOCK_ROW;
        for (uint32_t m = 0; m < x->n_modes; m++)
            base[m] = f->factor[m] + (size_t)block[m] * BLOCK_ROW;
        for (size_t i = x->start[b]; i < x->start[b + 1]; i++) {
            const uint8_t *at = x->offset + i * x->n_modes;
            uint32_t n = 0;
            for (uint32_t m = 0; m < x->n_modes; m++)
                if (m != mode) row[n++] = base[m] + (size_t)at[m] * HICOO_RANK;
            add_plain(out + (size_t)at[mode] * HICOO_RANK, row, n, x->value[i]);
        }
    }
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* The term of nonzero i. */
static void term_of(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f, size_t i,
                    double term[HICOO_RANK]) {
    for (uint32_t r = 0; r < HICOO_RANK; r++) term[r] = x->value[i];
    for (uint32_t m = 0; m < x->n_modes; m++) {
        if (m == mode) continue;
        const double *row = f->factor[m] + (size_t)x->index[i * x->n_modes + m] * HICOO_RANK;
        for (uint32_t r = 0; r < HICOO_RANK; r++) term[r] *= row[r];
    }
}

static void add_nonzero(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f, size_t i,
                        double *out) {
    double term[HICOO_RANK];
    double *row = out + (size_t)x->index[i * x->n_modes + mode] * HICOO_RANK;
    term_of(x, mode, f, i, term);
    for (uint32_t r = 0; r < HICOO_RANK; r++) row[r] += term[r];
}

void hicoo_atomic(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f) {
    clear(x, mode, f->out);
#pragma omp parallel for schedule(static) num_threads(HICOO_THREADS)
    for (size_t i = 0; i < x->nnz; i++) {
        double term[HICOO_RANK];
        double *row = f->out + (size_t)x->index[i * x->n_modes + mode] * HICOO_RANK;
        term_of(x, mode, f, i, term);
        for (uint32_t r = 0; r < HICOO_RANK; r++) {
#pragma omp atomic
            row[r] += term[r];
        }
    }
}

void hicoo_private(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f) {
#pragma omp parallel for schedule(static, 1) num_threads(HICOO_THREADS)
    for (int t = 0; t < HICOO_THREADS; t++) {
        double *out = t == 0 ? f->out : f->own[t - 1];
        const size_t first = x->nnz * (size_t)t / HICOO_THREADS;
        const size_t last = x->nnz * (size_t)(t + 1) / HICOO_THREADS;
        clear(x, mode, out);
        for (size_t i = first; i < last; i++) add_nonzero(x, mode, f, i, out);
    }
#pragma omp parallel for schedule(static) num_threads(HICOO_THREADS)
    for (size_t i = 0; i < (size_t)x->dim[mode] * HICOO_RANK; i++)
        for (int t = 1; t < HICOO_THREADS; t++) f->out[i] += f->own[t - 1][i];
}

void hicoo_sliced(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f) {
    const uint32_t *first = x->slice[mode];
    clear(x, mode, f->out);
#pragma omp parallel for schedule(dynamic, 1) num_threads(HICOO_THREADS)
    for (uint32_t s = 0; s < x->n_slices[mode]; s++)
        for (uint32_t i = first[s]; i < first[s + 1]; i++)
            add_nonzero(x, mode, f, x->by_slice[mode][i], f->out);
}
