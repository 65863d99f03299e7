/* format.h - what the formats share: the rows of their table, how a tensor is built, search in an
 * order of indices, and superblocks. Private to tensor/formats/. */
#ifndef TRIBUTARY_FORMAT_H
#define TRIBUTARY_FORMAT_H

#include "tensor/entry.h"
#include "tensor/formats/formats.h"

/* The rows of the table, each in the file of its format. */
extern const trib_format trib_format_coo, trib_format_coo_unsorted, trib_format_hacoo,
    trib_format_hicoo, trib_format_rows, trib_format_alto, trib_format_linear, trib_format_gcsr,
    trib_format_gcsc, trib_format_csf, trib_format_csf_two, trib_format_csf_all;

/* ---- Building (building.c) ------------------------------------------------------------------- */

/* A tensor that is being built. The first failure stays in `status`: a format makes all its arrays,
 * then looks once. */
typedef struct trib_building {
    trib_tensor *tensor;
    const trib_hacoo *table;
    const double *values; /* [nnz] instead of the counts; NULL: the counts */
    uint32_t *order; /* [nnz] the entries as trib_building_sort sorted them; NULL: as inserted */
    trib_status status;
    trib_error *error;
} trib_building;

/* Makes an array of zeros, which is released with the tensor and counted in its bytes. NULL for a
 * size of 0 and after a failure. Threads may call it with buildings of their own. */
void *trib_tensor_array(trib_building *b, size_t n, size_t size, const char *what);
/* Hands an array that was allocated elsewhere over to the tensor. */
void trib_tensor_keep(trib_building *b, void *array, size_t bytes);
/* Sorts the entries by the modes mode[n_modes] in turn, or with NULL in the order that the row of
 * the format names. */
void trib_building_sort(trib_building *b, const uint32_t mode[]);

/* Writes the index of the i-th entry of the order, and returns its value. */
TRIB_INLINE double trib_building_take(const trib_building *b, size_t i, uint32_t index[]) {
    if (b->order) trib_entry_fetch(b->table, b->order, i);
    const size_t e = b->order ? b->order[i] : i;
    const uint32_t count = trib_hacoo_entry(b->table, e, index);
    return b->values ? b->values[e] : count;
}

/* Divides the rows of every mode into lanes: fills lanes.n and lanes.row. For one thread there are
 * no lanes. */
void trib_lanes_cut(trib_building *b);
/* Lists the nonzeros of each lane, in the order of `read`: fills lanes.first and lanes.order. */
void trib_lanes_collect(trib_building *b);

/* ---- Search (building.c) --------------------------------------------------------------------- */

/* The place of the first of n ascending numbers that is not below i. */
uint32_t trib_place_of(const uint32_t *ascending, size_t n, uint32_t i);
/* The range that holds i: the last of the n ranges, which begin at start[], that begins at or
 * before it. */
uint32_t trib_range_of(const uint32_t *start, size_t n, size_t i);

/* ---- Superblocks and how threads share them: both strategies of [H] section V.B (schedule.c) - */

/* Nonzeros along the Morton curve are in superblocks of 2^l indices along each side; each
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

/* Some superblocks of one slice of a mode, which follow each other along the curve within the
 * slice. */
typedef struct trib_slice_task {
    uint32_t row, n_rows; /* of the slice */
    /* The number of its buffer of private rows, or UINT32_MAX: it adds to the result itself, as the
     * first task of a slice does. */
    uint32_t buffer;
    uint32_t slot; /* the number of the slice among those with private rows */
} trib_slice_task;

/* The first member of the data of a format that is `scheduled`. */
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
    double *buffer;       /* [n_buffers][buffer_rows][columns] */
} trib_schedule;

/* For a tensor whose format reads its nonzeros along the Morton curve. `side` is the number of
 * indices along each side of a superblock, a power of two; 0: chosen. */
void trib_schedule_build(trib_building *b, uint32_t side);
/* Computes the MTTKRP of one mode. Only one call at a time may use a schedule. */
void trib_schedule_run(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                       const double *const factor[], double *out, int n_threads);

#endif
