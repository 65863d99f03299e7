/* hicoo_ways.h - MTTKRP as Li, Sun, Vuduc 2018 takes it apart: without SIMD step by step, and
 * its two ways of sharing the work among threads, each alone. Rank 16, all in plain loops. */
#ifndef TRIBUTARY_HICOO_WAYS_H
#define TRIBUTARY_HICOO_WAYS_H

#include "tests/experiments/experiment.h"

enum { HICOO_RANK = 16, HICOO_BLOCK = 128, HICOO_THREADS = 2 };

/* The factors of a tensor, and room for a result. */
typedef struct hicoo_factors {
    const double *factor[TRIB_MAX_MODES];
    double *out;                    /* [the longest mode][HICOO_RANK] */
    double *own[HICOO_THREADS - 1]; /* the same, of the other threads */
} hicoo_factors;

/* The nonzeros of a tensor in the order of its format, once with whole indices, once cut into
 * blocks. */
typedef struct hicoo_lists {
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    size_t nnz, n_blocks;
    uint32_t *index; /* [nnz][n_modes] */
    double *value;
    uint32_t *start, *block; /* [n_blocks+1], [n_blocks][n_modes] */
    uint8_t *offset;         /* [nnz][n_modes] */
    uint32_t *by_slice[TRIB_MAX_MODES], *slice[TRIB_MAX_MODES], n_slices[TRIB_MAX_MODES];
} hicoo_lists;

/* `side`: indices a side of a superblock. */
void hicoo_lists_of(hicoo_lists *x, const trib_tensor *tensor, uint32_t side);
void hicoo_lists_release(hicoo_lists *x);

/* One mode, one thread, no SIMD: over coordinates, over blocks. */
void hicoo_coordinates(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f);
void hicoo_blocks(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f);

/* One mode, all threads, who each take: */
void hicoo_atomic(const hicoo_lists *x, uint32_t mode,
                  const hicoo_factors *f); /* a stretch, and add atomically: no superblocks */
void hicoo_private(const hicoo_lists *x, uint32_t mode,
                   const hicoo_factors *f); /* a stretch, and add to rows of their own */
void hicoo_sliced(const hicoo_lists *x, uint32_t mode,
                  const hicoo_factors *f); /* slices of superblocks, which share no row */

#endif
