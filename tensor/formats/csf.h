/* csf.h - compressed sparse fibers: a tree with one level per mode. A node is an index, which is
 * stored once for all nonzeros below it. Private to tensor/formats/. */
#ifndef TRIBUTARY_CSF_H
#define TRIBUTARY_CSF_H

#include "tensor/formats/kernel.h"

typedef struct trib_csf_tree {
    uint32_t mode[TRIB_MAX_MODES];   /* [n_modes] of each level, the root first */
    size_t n_nodes[TRIB_MAX_MODES];  /* of each level */
    uint32_t *index[TRIB_MAX_MODES]; /* [n_nodes] */
    /* [n_nodes+1] Node f has the nodes child[f] .. child[f+1]-1 of the next level. */
    uint32_t *child[TRIB_MAX_MODES];
    double *value; /* [nnz], of the leaves */
} trib_csf_tree;

/* Finds the nodes above node f of level t; at[0 .. t-1] receives their numbers. */
void trib_csf_path(const trib_csf_tree *x, uint32_t t, size_t f, size_t at[]);

/* Adds to `out` the terms of the nodes of the task, which are on the level of the mode. */
void trib_csf_add(const trib_tensor *tensor, const trib_csf_tree *x, uint32_t mode, uint32_t rank,
                  const double *const factor[], double *out, trib_task *task);

#endif
