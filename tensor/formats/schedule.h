/* schedule.h - superblocks, and how threads share them: both strategies of [H] section V.B; private to tensor/formats/.
 *
 * Nonzeros along the Morton curve fall into superblocks of 2^l indices a side, each a stretch of the curve. For the MTTKRP of a
 * mode, superblocks with the same place in it (a slice) write to the same rows, others never do. So slices are computed
 * independently (superblock scheduling), and a slice with too much of the work is cut into tasks that add to rows of
 * their own, added up afterwards (privatisation). What is cut and in which order it is added depends on the tensor alone,
 * so the bits do not depend on the threads.
 *
 * A thread goes along the whole curve and stops at the superblocks of its own tasks: one after the other along the curve finds
 * the rows of all modes in the caches, slice after slice only those of one. */
#ifndef TRIBUTARY_SCHEDULE_H
#define TRIBUTARY_SCHEDULE_H

#include "tensor/formats/kernel.h"

enum {
    TRIB_PRIVATE_COLUMNS = 56, /* of private rows; more are computed piece by piece */
    TRIB_SCHEDULE_PARTS = 16   /* no task has much more than this part of the nonzeros */
};
#define TRIB_NO_BUFFER UINT32_MAX

/* Some superblocks of one slice of a mode, which follow each other along the curve as far as the slice goes. */
typedef struct trib_slice_task {
    uint32_t row, n_rows; /* of the slice */
    uint32_t
        buffer; /* its private rows, or TRIB_NO_BUFFER: the first of a slice adds to the result */
    uint32_t slot; /* the slice's number among those with private rows */
} trib_slice_task;

typedef struct trib_schedule {
    uint32_t side_bits;     /* l */
    uint32_t n_superblocks; /* those with too much of the work are several */
    uint32_t *start; /* [n_superblocks+1] superblock s holds nonzeros start[s] .. start[s+1]-1 */
    uint32_t *task_of[TRIB_MAX_MODES];     /* [n_superblocks] of each mode */
    trib_slice_task *task[TRIB_MAX_MODES]; /* by slice, then along the curve */
    uint32_t n_tasks[TRIB_MAX_MODES], n_slices[TRIB_MAX_MODES], n_private[TRIB_MAX_MODES];
    uint32_t n_iterations[TRIB_MAX_MODES]; /* the most superblocks of any slice */
    uint32_t n_buffers; /* one for every private task, or where one thread computes, for every slice
                           with such tasks, which share it one after the other */
    uint32_t buffer_rows; /* of each */
    double *buffer;       /* [n_buffers][buffer_rows][TRIB_PRIVATE_COLUMNS] */
} trib_schedule;

/* Of a tensor whose format reads its nonzeros along the Morton curve. `side` is the number of indices a side of a
 * superblock, a power of two; 0: chosen. TRIB_MEMORY. */
trib_status trib_schedule_build(trib_schedule *schedule, const trib_tensor *tensor, uint32_t side,
                                int n_threads, trib_error *error);
void trib_schedule_release(trib_schedule *schedule);
size_t trib_schedule_bytes(const trib_schedule *schedule, uint32_t n_modes);

/* Adds the terms of nonzeros task->first .. task->last-1 to task->out: `width` columns of the row of index i go to row
 * i - task->first_row, whose length is task->out_stride; rows of the factors have the length task->stride. */
typedef void trib_add_terms(const trib_tensor *tensor, const trib_task *task, uint32_t width);

/* The MTTKRP of one mode. One call at a time on one schedule. */
void trib_schedule_run(const trib_schedule *schedule, const trib_tensor *tensor, uint32_t mode,
                       uint32_t rank, const double *const factor[], double *out, int n_threads,
                       trib_add_terms *add);

#endif
