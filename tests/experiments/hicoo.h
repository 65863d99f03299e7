/* hicoo.h - what is measured of a tensor for the figures of Li, Sun, Vuduc 2018 (hicoo.c), and
 * printed (hicoo_print.c); and MTTKRP as they take it apart (hicoo_ways.c): without SIMD step by
 * step, and its two ways of sharing the work among threads, each alone. */
#ifndef TRIBUTARY_HICOO_EXPERIMENT_H
#define TRIBUTARY_HICOO_EXPERIMENT_H

#include "decomp/decomp.h"
#include "tests/experiments/experiment.h"

enum {
    HICOO_MOST = 12, /* tensors */
    HICOO_FORMATS = 4,
    HICOO_COO = 0,
    HICOO_CSF_ALL = 1,
    HICOO_ITSELF = 2,
    HICOO_CSF_ONE = 3,
    HICOO_SIDES = 5, /* superblocks of 2^8, 2^10 ... a side */
};
extern const char *const hicoo_formats[HICOO_FORMATS];

/* Seconds, and bytes per nonzero. */
typedef struct hicoo_row {
    const char *name;
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    size_t nnz;
    double one[HICOO_FORMATS][TRIB_MAX_MODES], two[HICOO_FORMATS][TRIB_MAX_MODES]; /* threads */
    double all[HICOO_FORMATS]; /* modes, by one thread */
    double build[HICOO_FORMATS], bytes[HICOO_FORMATS], iteration[HICOO_FORMATS], fcoo;
    double step[4];           /* sorted coordinates, along the curve, in blocks; with SIMD */
    double way[3];            /* atomic, private, sliced */
    double side[HICOO_SIDES]; /* of a superblock */
    double alpha, c, bound;   /* c: c_b; bound: equation (14) */
    trib_hicoo_prediction predicted;
    double prediction; /* its time */
} hicoo_row;

void hicoo_print(const hicoo_row row[], size_t n);

/* ---- MTTKRP in plain loops (hicoo_ways.c) ---------------------------------------------------- */

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
