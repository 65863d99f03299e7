/* sorted.h - the baseline of insertion: coordinates kept in lexicographic order, found by
 * bisection, inserted by moving what is behind. */
#ifndef TRIBUTARY_SORTED_H
#define TRIBUTARY_SORTED_H

#include <stddef.h>
#include <stdint.h>

typedef struct sorted_coo {
    uint32_t n_modes;
    size_t nnz, cap;
    uint32_t *index; /* [nnz][n_modes] */
    double *value;   /* [nnz] */
} sorted_coo;

void sorted_init(sorted_coo *x, uint32_t n_modes, size_t cap); /* cap: the most there will be */
void sorted_add(sorted_coo *x, const uint32_t index[]);        /* adds 1 */
void sorted_release(sorted_coo *x);

#endif
