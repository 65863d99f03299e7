/* kernel.h - the innermost loop of every MTTKRP, and how it is specialised. Private to
 * tensor/formats/.
 *
 *     out[r] += value * a[r] * b[r] * ...
 *
 * is the term of one nonzero, where a, b, ... are rows of the factors of the other modes.
 *
 * A kernel is an inline function of (n_modes, rank). The dispatch calls it with constants for
 * common shapes, and the compiler writes straight-line code for each of them. No source is
 * copied. */
#ifndef TRIBUTARY_KERNEL_H
#define TRIBUTARY_KERNEL_H

#include "base/internal.h"
#include "tensor/formats/format.h"

/* The arguments of a kernel: the terms of some items of a tensor are added to `out`. */
typedef struct trib_task {
    uint32_t mode, n_others;
    uint32_t other_mode[TRIB_MAX_MODES]; /* [n_others] all modes but `mode`, ascending */
    const double *other[TRIB_MAX_MODES]; /* [n_others] their factors */
    double *out;
    const uint32_t *items; /* items[first] .. items[last-1], or first .. last-1 when NULL */
    size_t first, last;
    bool copied; /* first .. last-1 are places among the copies of a format that has `copy` */
    /* The lengths of a row of the factors and of `out`. The first row of `out` is number
     * first_row. */
    size_t stride, out_stride;
    uint32_t first_row;
} trib_task;

/* The task of a lane whose items are listed, or of all n_items of them (TRIB_EVERY_LANE).
 * (building.c) */
trib_task trib_task_of(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                       const double *const factor[], double *out, uint32_t lane, size_t n_items);

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TRIB_PORTABLE)
/* The bits of `from` under the mask, packed together. This is an instruction of BMI2: call it only
 * if trib_can_gather is true. */
TRIB_INLINE uint64_t trib_gather(uint64_t from, uint64_t mask) {
    uint64_t bits;
    __asm__("pext %2, %1, %0" : "=r"(bits) : "r"(from), "r"(mask));
    return bits;
}

TRIB_INLINE bool trib_can_gather(void) { return trib_kernels > TRIB_PORTABLE_KERNELS; }
#else
/* Never called. */
TRIB_INLINE uint64_t trib_gather(uint64_t from, uint64_t mask) { return from & mask; }

TRIB_INLINE bool trib_can_gather(void) { return false; }
#endif

/* Prefetches a row of a factor. */
TRIB_INLINE void trib_fetch_row(const double *row, uint32_t rank) {
    enum { LINE = 8 }; /* doubles */
    for (uint32_t r = 0; r < rank; r += LINE) __builtin_prefetch(row + r);
}

/* How many nonzeros early factor rows are prefetched: 0 where the factors of the other modes fit in
 * the second-level cache, else so many that about 8 KiB of every factor are being loaded at a
 * time. */
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

/* With a constant n_rows the inner loop is straight-line code, and the outer loop runs over whole
 * registers of columns. `simd` says that `out` overlaps no row, so no check is needed per
 * nonzero. */
TRIB_INLINE void trib_add_term(double *restrict out, const double *const row[], uint32_t n_rows,
                               double value, uint32_t rank) {
    /* Doubles. The remaining columns of a rank have a loop of their own, so that they are not
     * computed one by one. */
    enum { REGISTER = 8 };
    const uint32_t whole = rank - rank % REGISTER;
#pragma omp simd
    for (uint32_t r = 0; r < whole; r++) {
        double term = value;
#pragma GCC unroll 8
        for (uint32_t k = 0; k < n_rows; k++) term *= row[k][r];
        out[r] += term;
    }
#pragma omp simd
    for (uint32_t r = whole; r < rank; r++) {
        double term = value;
#pragma GCC unroll 8
        for (uint32_t k = 0; k < n_rows; k++) term *= row[k][r];
        out[r] += term;
    }
}

/* Calls kernel(n_modes, rank, ...) with constants: up to five modes, and for 3-grams the usual
 * ranks. */
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
