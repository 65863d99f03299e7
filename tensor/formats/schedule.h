/* schedule.h - superblocks and how threads share them: both strategies of [H] section V.B. Private
 * to tensor/formats/.
 *
 * Nonzeros along the Morton curve are in superblocks of 2^l indices along each side; each
 * superblock is a segment of the curve. The superblocks with the same position in a mode are a
 * slice of that mode. In its MTTKRP they write to the same rows, and other superblocks never do. So
 * slices are computed independently (superblock scheduling). A slice with too much work is divided
 * into tasks that add to rows of their own, which are added together at the end (privatisation).
 * The division and the order of additions depend on the tensor alone, so the bits do not depend on
 * the number of threads.
 *
 * A thread follows the whole curve and computes the superblocks of its own tasks. In this order it
 * finds the rows of all modes in the caches; slice by slice it would find only those of one
 * mode. */
#ifndef TRIBUTARY_SCHEDULE_H
#define TRIBUTARY_SCHEDULE_H

#include "tensor/formats/kernel.h"

enum {
    /* Columns of private rows; further columns are computed in another pass. */
    TRIB_PRIVATE_COLUMNS = 56,
    /* No task has much more than 1 / TRIB_SCHEDULE_PARTS of the nonzeros. */
    TRIB_SCHEDULE_PARTS = 16
};
#define TRIB_NO_BUFFER UINT32_MAX

/* Some superblocks of one slice of a mode, which follow each other along the curve within the
 * slice. */
typedef struct trib_slice_task {
    uint32_t row, n_rows; /* of the slice */
    /* The number of its buffer of private rows, or TRIB_NO_BUFFER: it adds to the result itself, as
     * the first task of a slice does. */
    uint32_t buffer;
    uint32_t slot; /* the number of the slice among those with private rows */
} trib_slice_task;

typedef struct trib_schedule {
    uint32_t side_bits;     /* l */
    uint32_t n_superblocks; /* a position with too much work has several */
    uint32_t *start; /* [n_superblocks+1] superblock s holds nonzeros start[s] .. start[s+1]-1 */
    uint32_t *task_of[TRIB_MAX_MODES];     /* [n_superblocks] of each mode */
    trib_slice_task *task[TRIB_MAX_MODES]; /* by slice, then along the curve */
    uint32_t n_tasks[TRIB_MAX_MODES], n_slices[TRIB_MAX_MODES], n_private[TRIB_MAX_MODES];
    uint32_t n_iterations[TRIB_MAX_MODES]; /* the most superblocks of any slice */
    /* One per private task or, for a single thread, one per slice with such tasks, which use it one
     * after the other. */
    uint32_t n_buffers;
    uint32_t buffer_rows; /* of each */
    double *buffer;       /* [n_buffers][buffer_rows][TRIB_PRIVATE_COLUMNS] */
} trib_schedule;

/* For a tensor whose format reads its nonzeros along the Morton curve. `side` is the number of
 * indices along each side of a superblock, a power of two; 0: chosen. TRIB_MEMORY. */
trib_status trib_schedule_build(trib_schedule *schedule, const trib_tensor *tensor, uint32_t side,
                                int n_threads, trib_error *error);
void trib_schedule_release(trib_schedule *schedule);
size_t trib_schedule_bytes(const trib_schedule *schedule, uint32_t n_modes);

/* Adds the terms of nonzeros task->first .. task->last-1 to task->out. `width` columns of the row
 * of index i go to row i - task->first_row, whose length is task->out_stride. Rows of the factors
 * have the length task->stride. */
typedef void trib_add_terms(const trib_tensor *tensor, const trib_task *task, uint32_t width);

/* Computes the MTTKRP of one mode. Only one call at a time may use a schedule. */
void trib_schedule_run(const trib_schedule *schedule, const trib_tensor *tensor, uint32_t mode,
                       uint32_t rank, const double *const factor[], double *out, int n_threads,
                       trib_add_terms *add);

#endif
