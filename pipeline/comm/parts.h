/* parts.h - work that consists of parts (documents, targets), distributed over processes and
 * threads by size. Private to pipeline. */
#ifndef TRIBUTARY_COMM_PARTS_H
#define TRIBUTARY_COMM_PARTS_H

#include "pipeline/comm/comm.h"
#include "pipeline/support/log.h"

/* The processes and threads that do the work. */
typedef struct trib_workers {
    const trib_comm *comm; /* the processes */
    trib_log *log;         /* shows the progress and reports requests to stop */
    int n_threads;         /* threads of this process */
} trib_workers;

/* Does one part on at most n_threads threads. `progress` only returns whether to stop. `context` is
 * that of the caller of trib_parts_do. */
typedef trib_status (*trib_part_work)(void *context, uint32_t part, int n_threads,
                                      trib_progress progress, trib_error *error);
typedef uint64_t (*trib_part_size)(const void *context, uint32_t part);
/* A kind of work. */
typedef struct trib_part_row {
    trib_part_work work;
    trib_part_size size; /* proportional to the time of the part; NULL: all equal */
    /* Releases what `work` left behind when it lacked memory, so that the part can be repeated
     * alone. NULL: it cannot be repeated. */
    void (*forget)(void *context, uint32_t part);
    /* With several ranks: writes the result, and reads it on the others. NULL, without `owner`:
     * every rank does all parts. */
    void (*pack)(void *context, uint32_t part, struct trib_pack *pack);
    /* [n] the rank that does each part, whether or not it sends the result; NULL: by size */
    const int *owner;
    bool is_for_root; /* only rank 0 gets the results */
    /* Called before `work`, for one part at a time in the order of `order`, since a preparation may
     * build on earlier ones. NULL: none. */
    trib_part_work prepare;
    void *preparing;       /* the context of `prepare` */
    const uint32_t *order; /* [n] parts in the order of preparation */
} trib_part_row;

/* Does parts 0 .. n-1. Large parts run one after the other, each on all threads; the others run
 * concurrently, distributed over the ranks. Parts with a preparation are begun in their order.
 * Afterwards every rank has all results, unless the row says otherwise. Returns the first failure,
 * or the reason of a stop. `status` as in comm.h. */
trib_status trib_parts_do(const trib_workers *workers, trib_status status, uint32_t n,
                          const trib_part_row *row, void *context, trib_error *error);
/* Sends the results of parts 0 .. n-1 to all ranks, or to rank 0, from the ranks row->owner[n] that
 * have them, in messages of about 8 MiB. Uses only pack, owner and is_for_root of `row`. */
trib_status trib_parts_share(const trib_comm *comm, trib_status status, uint32_t n,
                             const trib_part_row *row, void *context, trib_error *error);
/* Assigns each part to one of n_ranks. The caller frees *owner [n]. */
trib_status trib_parts_owners(int n_ranks, uint32_t n, trib_part_size size, const void *context,
                              int **owner, trib_error *error);

/* Runs tasks 0 .. n-1 concurrently in this process only, begun in this order. Returns the failure
 * with the lowest number, as if they ran one after the other. Tasks after it may be skipped. */
typedef trib_status (*trib_task_work)(void *context, size_t task, trib_error *error);
trib_status trib_tasks_do(const trib_workers *workers, size_t n, trib_task_work work, void *context,
                          trib_error *error);

#endif
