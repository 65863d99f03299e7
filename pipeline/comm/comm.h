/* comm.h - the communicator: the processes that execute one run together.
 *
 * This room is the only place that knows of other processes. A run of ./tributary has one process
 * (alone.c); `make mpi` links mpi.c instead, and nothing else differs. Every process, called a rank
 * as in MPI, has all data of the run. The parts of a stage (parts.h) are computed by one rank each,
 * which sends the results to the others. Only rank 0 writes files and prints. The room may use
 * support and base. For another way of communication, write a file like mpi.c.
 *
 * All ranks must call these functions in the same order, outside parallel regions. Only
 * trib_comm_send and trib_comm_receive concern two ranks. */
#ifndef TRIBUTARY_COMM_COMM_H
#define TRIBUTARY_COMM_COMM_H

#include "base/base.h"

typedef struct trib_comm {
    int size, rank; /* rank is 0 .. size-1; `{0}` is a single process, too */
} trib_comm;

/* Call it before the command line is read and before anything is written. It discards the standard
 * output and error of all ranks but 0. */
trib_status trib_comm_open(trib_comm *comm, int *argc, char ***argv, trib_error *error);
void trib_comm_close(trib_comm *comm);

/* Copies bytes[n] of rank `from` to all ranks; n < 2 GiB. */
void trib_comm_share(const trib_comm *comm, int from, void *bytes, size_t n);
/* The same for any n (communicator.c). */
void trib_comm_share_large(const trib_comm *comm, int from, void *bytes, size_t n);
/* Copies bytes[n] from one rank to another. Both must call at the same time. */
void trib_comm_send(const trib_comm *comm, int to, const void *bytes, size_t n);
void trib_comm_receive(const trib_comm *comm, int from, void *bytes, size_t n);
/* The smallest of the values of all ranks. */
uint64_t trib_comm_least(const trib_comm *comm, uint64_t value);

/* TRIB_OK if all ranks pass TRIB_OK; otherwise, on every rank, the status and error of the lowest
 * rank that failed (communicator.c). */
trib_status trib_comm_agree(const trib_comm *comm, trib_status status, trib_error *error);
/* Copies a text of any length from rank `from` to all. On the other ranks, *bytes is replaced.
 * TRIB_MEMORY, which is the same on all ranks. */
trib_status trib_comm_give(const trib_comm *comm, int from, trib_buffer *bytes, trib_error *error);
/* The library that connects several ranks, such as "Open MPI v4.1.4"; NULL in a program for one
 * process. */
const char *trib_comm_library(void);

#endif
