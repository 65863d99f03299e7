/* parts.h - work that falls into parts (documents, targets), spread over processes and threads by
 * size. Private to pipeline. */
#ifndef TRIBUTARY_COMM_PARTS_H
#define TRIBUTARY_COMM_PARTS_H

#include "pipeline/comm/communicator.h"
#include "pipeline/support/log.h"

struct trib_pack;
struct trib_unpack;

/* Who does the work. */
typedef struct trib_workers {
    const trib_comm *comm; /* the processes */
    trib_log *log;         /* shows the progress, and knows whether to stop */
    int n_threads;         /* of this process */
} trib_workers;

/* Does one part on at most n_threads threads; its progress only asks whether to stop. `context` is
 * what the caller passed. */
typedef trib_status (*trib_part_work)(void *context, uint32_t part, int n_threads,
                                      trib_progress progress, trib_error *error);
typedef uint64_t (*trib_part_size)(const void *context, uint32_t part);
/* What the parts are. */
typedef struct trib_part_row {
    trib_part_work work;
    trib_part_size size; /* in proportion to the time it takes; NULL: all alike */
    /* Releases what `work` left that failed for memory, so that it can be done again alone; NULL:
     * it cannot. */
    void (*forget)(void *context, uint32_t part);
    /* With several ranks: the result as bytes, and back. NULL: every rank does all parts itself. */
    void (*pack)(const void *context, uint32_t part, struct trib_pack *out);
    trib_status (*unpack)(void *context, uint32_t part, struct trib_unpack *in, trib_error *error);
    trib_part_work prepare; /* NULL: none; else done before `work`, for one part at a time, */
    const uint32_t *order;  /* [n] in this order, since it may build on earlier preparations */
} trib_part_row;

/* Does parts 0 .. n-1, the large ones one after the other with threads inside, the others side by
 * side, and spread over the ranks; those that are prepared in their order. Afterwards every rank
 * has all results. Returns the first failure, or why it was stopped. */
trib_status trib_parts_do(const trib_workers *workers, uint32_t n, const trib_part_row *row,
                          void *context, trib_error *error);
/* Which of n_ranks does which part: *owner[n] is the caller's to free. */
trib_status trib_parts_owners(int n_ranks, uint32_t n, trib_part_size size, const void *context,
                              int **owner, trib_error *error);

/* Work of this process alone, whatever its rank: tasks 0 .. n-1 side by side, begun in this order.
 * Returns the failure of the first that fails, as if they were done one after the other; those
 * after it may be left out. */
typedef trib_status (*trib_task_work)(void *context, size_t task, trib_error *error);
trib_status trib_tasks_do(const trib_workers *workers, size_t n, trib_task_work work, void *context,
                          trib_error *error);

#endif
