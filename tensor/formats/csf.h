/* csf.h - compressed sparse fibers: a tree whose levels are the modes; a node is an index, stored once for all nonzeros
 * below it. Private to tensor/formats/. */
#ifndef TRIBUTARY_CSF_H
#define TRIBUTARY_CSF_H

#include "tensor/formats/kernel.h"

typedef struct trib_csf_tree {
    uint32_t mode[TRIB_MAX_MODES];   /* [n_modes] of each level, the root first */
    size_t n_nodes[TRIB_MAX_MODES];  /* of each level */
    uint32_t *index[TRIB_MAX_MODES]; /* [n_nodes] */
    uint32_t *child
        [TRIB_MAX_MODES]; /* [n_nodes+1] node f has the nodes child[f] .. child[f+1]-1 of the next level */
    double *value;        /* [nnz], of the leaves */
} trib_csf_tree;

/* The nodes above node f of level t, into at[0 .. t-1]. */
void trib_csf_path(const trib_csf_tree *x, uint32_t t, size_t f, size_t at[]);

/* Adds the terms of the task's nodes of the mode's level to `out`. */
void trib_csf_add(const trib_tensor *tensor, const trib_csf_tree *x, uint32_t mode, uint32_t rank,
                  const double *const factor[], double *out, trib_task *task);

#endif
