/* kernel.h - the innermost loop of every MTTKRP, and how it is specialised; private to tensor/formats/.
 *
 *     out[r] += value * a[r] * b[r] * ...      one nonzero's term, a, b, ... the rows of the other modes' factors
 *
 * A kernel is an inline function of (n_modes, rank); the dispatch calls it with constants for the shapes that are hot,
 * and the compiler makes each its own straight-line code. Nothing is copied. */
#ifndef TRIBUTARY_KERNEL_H
#define TRIBUTARY_KERNEL_H

#include "tensor/formats/formats.h"
#include "tensor/formats/lanes.h"

/* What a kernel works on: the terms of some items of a tensor, added to `out`. */
typedef struct trib_task {
    uint32_t mode, n_others;
    uint32_t other_mode[TRIB_MAX_MODES]; /* [n_others] all but `mode`, ascending */
    const double *other[TRIB_MAX_MODES]; /* [n_others] their factors */
    double *out;
    const uint32_t *items; /* items[first] .. items[last-1], or first .. last-1 when NULL */
    size_t first, last;
    size_t stride, out_stride; /* from row to row of the factors and of `out`, */
    uint32_t first_row;        /* whose first row is this one */
} trib_task;

TRIB_INLINE trib_task trib_task_of(const trib_tensor *tensor, uint32_t mode,
                                   const double *const factor[], double *out, uint32_t lane,
                                   size_t n_items) {
    trib_task task = {.mode = mode, .out = out};
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (m != mode) {
            task.other_mode[task.n_others] = m;
            task.other[task.n_others++] = factor[m];
        }
    task.items = trib_lane_items(tensor, mode, lane, n_items, &task.first, &task.last);
    return task;
}

/* For kernels that are given stretches and rows as they come: see schedule.h. */
TRIB_INLINE trib_task trib_task_whole(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                                      const double *const factor[], double *out) {
    trib_task task = {.mode = mode, .out = out, .stride = rank, .out_stride = rank};
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (m != mode) {
            task.other_mode[task.n_others] = m;
            task.other[task.n_others++] = factor[m];
        }
    task.last = tensor->nnz;
    return task;
}

/* Asks for a row of a factor. */
TRIB_INLINE void trib_fetch_row(const double *row, uint32_t rank) {
    enum { LINE = 8 }; /* doubles */
    for (uint32_t r = 0; r < rank; r += LINE) __builtin_prefetch(row + r);
}

/* How many nonzeros early the rows of the factors are fetched: none where the factors of the other modes fit a cache of
 * the second level, else so many that about 8 KiB of every factor are on their way. */
TRIB_INLINE uint32_t trib_fetch_ahead(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                                      uint32_t most) {
    enum { CACHED = 4 << 20, ON_THEIR_WAY = 8 << 10 };
    uint64_t n_rows = 0;
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (m != mode) n_rows += tensor->dim[m];
    const uint64_t row = rank * sizeof(double);
    if (n_rows * row < CACHED) return 0;
    const uint64_t ahead = ON_THEIR_WAY / row;
    return ahead < 4 ? 4 : ahead > most ? most : (uint32_t)ahead;
}

/* With n_rows constant the inner loop is straight-line code, and the outer one runs over whole registers of columns:
 * `simd` says that `out` overlaps no row, without a check per nonzero. */
TRIB_INLINE void trib_add_term(double *restrict out, const double *const row[], uint32_t n_rows,
                               double value, uint32_t rank) {
    enum { REGISTER = 8 }; /* doubles; what a rank leaves over is not computed one by one */
    const uint32_t whole = rank - rank % REGISTER;
#pragma omp simd
    for (uint32_t r = 0; r < whole; r++) {
        double term = value;
        for (uint32_t k = 0; k < n_rows; k++) term *= row[k][r];
        out[r] += term;
    }
#pragma omp simd
    for (uint32_t r = whole; r < rank; r++) {
        double term = value;
        for (uint32_t k = 0; k < n_rows; k++) term *= row[k][r];
        out[r] += term;
    }
}

/* Calls kernel(n_modes, rank, ...) with constants: up to five modes, and for 3-grams the usual ranks. */
#define TRIB_SPECIALISE(kernel, n_modes, rank, ...)                                                \
    do {                                                                                           \
        if ((n_modes) == 3 && (rank) == 16) kernel(3, 16, __VA_ARGS__);                            \
        else if ((n_modes) == 3 && (rank) == 50) kernel(3, 50, __VA_ARGS__);                       \
        else if ((n_modes) == 3 && (rank) == 56) kernel(3, 56, __VA_ARGS__);                       \
        else if ((n_modes) == 3 && (rank) == 104) kernel(3, 104, __VA_ARGS__);                     \
        else if ((n_modes) == 3 && (rank) == 152) kernel(3, 152, __VA_ARGS__);                     \
        else if ((n_modes) == 1) kernel(1, rank, __VA_ARGS__);                                     \
        else if ((n_modes) == 2) kernel(2, rank, __VA_ARGS__);                                     \
        else if ((n_modes) == 3) kernel(3, rank, __VA_ARGS__);                                     \
        else if ((n_modes) == 4) kernel(4, rank, __VA_ARGS__);                                     \
        else if ((n_modes) == 5) kernel(5, rank, __VA_ARGS__);                                     \
        else kernel(n_modes, rank, __VA_ARGS__);                                                   \
    } while (0)

#endif
