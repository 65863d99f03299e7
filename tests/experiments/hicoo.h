/* hicoo.h - what is measured of a tensor for the figures of Li, Sun, Vuduc 2018 (hicoo.c), and
 * printed (hicoo_print.c). */
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

#endif
