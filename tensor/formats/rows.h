/* rows.h - the nonzeros of the format `rows` (rows.c), and the sums of its MTTKRP (rows_sum.c).
 * Private to tensor/formats/. */
#ifndef TRIBUTARY_ROWS_H
#define TRIBUTARY_ROWS_H

#include "tensor/formats/kernel.h"

/* The nonzeros by the rows of one mode. Only rows with nonzeros have a place. Row row[i] holds
 * nonzeros start[i] .. start[i+1]-1. The last of them have the values value_start[i] ..
 * value_start[i+1]-1; those before them have value 1. */
typedef struct trib_rows_side {
    uint32_t n_rows;
    uint32_t *row;         /* [n_rows] ascending */
    uint32_t *start;       /* [n_rows+1] */
    uint32_t *value_start; /* [n_rows+1] */
    /* [nnz+TRIB_ROWS_MOST_AHEAD][n_modes-1] The indices of the other modes, ascending. */
    void *index;
    double *value; /* [value_start[n_rows]] */
} trib_rows_side;

/* The largest number of nonzeros between the one whose rows are prefetched and the one that is
 * added. */
enum { TRIB_ROWS_MOST_AHEAD = 64 };

TRIB_INLINE uint32_t trib_rows_index(const void *index, size_t at, bool narrow) {
    return narrow ? ((const uint16_t *)index)[at] : ((const uint32_t *)index)[at];
}

/* The arguments of a sum: the rows of the result at places first .. last-1. */
typedef struct trib_rows_job {
    /* The factors of the other modes, ascending: double or float. */
    const void *other[TRIB_MAX_MODES];
    double *out;
    size_t first, last;
} trib_rows_job;

/* Computes the rows of the result at places task->first .. task->last-1 of mode x, of a tensor of
 * n_others+1 modes. `narrow`: indices are uint16_t. `single`: the factors are float. `ahead` is
 * that of trib_fetch_ahead. */
void trib_rows_sum(uint32_t n_others, uint32_t rank, const trib_rows_side *x,
                   const trib_rows_job *task, uint32_t ahead, bool narrow, bool single);

#endif
