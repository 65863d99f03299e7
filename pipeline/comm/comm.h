/* comm.h - the communicator: the processes that execute one run together.
 *
 * This room is the only place that knows of other processes. A run of ./tributary has one process
 * (alone.c); `make mpi` links mpi.c instead, and nothing else differs. Every process, called a rank
 * as in MPI, has the configuration, the list of documents and the vocabulary. The parts of a stage
 * (parts.h) are computed by one rank each, which sends the results to the others, or to rank 0
 * alone. What is large, the words and n-grams of the documents, lies in scratch files of a folder
 * that all ranks see, and the index of n-grams is divided between them (trib_comm_exchange). Only
 * rank 0 prints and writes the run directory. For another way of communication, write a file like
 * mpi.c.
 *
 * All ranks must call these functions in the same order, outside parallel regions. A function that
 * takes a status takes that of what this rank did before, with its error: unless all ranks come
 * with TRIB_OK it does nothing, and it returns the same status on every rank, that of the lowest
 * rank that failed. So a stage only hands its status on, and every rank learns of a failure at the
 * next call. */
#ifndef TRIBUTARY_COMM_COMM_H
#define TRIBUTARY_COMM_COMM_H

#include "base/base.h"

struct trib_pack;

typedef struct trib_comm {
    int size, rank; /* rank is 0 .. size-1; `{0}` is a single process, too */
} trib_comm;

/* Call it before the command line is read and before anything is written. It discards the standard
 * output and error of all ranks but 0. */
trib_status trib_comm_open(trib_comm *comm, int *argc, char ***argv, trib_error *error);
void trib_comm_close(trib_comm *comm);

/* Copies bytes[n] of rank `from` to all ranks; n < 2 GiB. */
void trib_comm_share(const trib_comm *comm, int from, void *bytes, size_t n);
/* Copies bytes[n] from one rank to another. Only these two call it, at the same time. */
void trib_comm_send(const trib_comm *comm, int to, const void *bytes, size_t n);
void trib_comm_receive(const trib_comm *comm, int from, void *bytes, size_t n);
/* Sends n_to[r] bytes, which begin at byte at[r] of `to`, to every rank r, and receives n_from[r]
 * bytes from every rank r at byte from_at[r] of `from`. Each array has comm->size numbers below
 * 2^31. */
void trib_comm_all_to_all(const trib_comm *comm, const void *to, const int n_to[], const int at[],
                          void *from, const int n_from[], const int from_at[]);
/* The smallest of the values of all ranks. */
uint64_t trib_comm_least(const trib_comm *comm, uint64_t value);

/* The number of bytes that this rank has sent so far; what it sends to all ranks counts once. */
uint64_t trib_comm_n_sent(const trib_comm *comm);

enum { TRIB_COMM_BLOCK = 8 << 20 }; /* bytes that a rank sends and receives at a time */
/* What a rank does with n items that it receives. */
typedef trib_status (*trib_comm_take)(void *context, const void *item, size_t n, trib_error *error);
/* Sends n[r] items of `size` bytes, item[r], to every rank r, in blocks: no rank receives more than
 * TRIB_COMM_BLOCK bytes at a time (a single item of each rank at least). `take` is called with the
 * items of each block, in the order of the ranks that sent them; alone, with all items. item[size]
 * and n[size] have an element for each rank (communicator.c). */
trib_status trib_comm_exchange(const trib_comm *comm, trib_status status, const void *const item[],
                               const size_t n[], size_t size, trib_comm_take take, void *context,
                               trib_error *error);

/* TRIB_OK if all ranks pass TRIB_OK; otherwise, on every rank, the status and error of the lowest
 * rank that failed (communicator.c). */
trib_status trib_comm_agree(const trib_comm *comm, trib_status status, trib_error *error);
/* Copies a text of any length from rank `from` to all. On the other ranks, *bytes is replaced. */
trib_status trib_comm_give(const trib_comm *comm, trib_status status, int from, trib_buffer *bytes,
                           trib_error *error);
/* Copies a text of any length from one rank to one other, where *bytes is replaced. Each rank names
 * the rank that it sends to or receives from; -1: none. */
trib_status trib_comm_move(const trib_comm *comm, trib_status status, int to, int from,
                           trib_buffer *bytes, trib_error *error);

/* Writes what rank `from` tells the others, and reads it on these. */
typedef void (*trib_message)(void *context, int from, struct trib_pack *pack);
/* Brings a message of rank `from` to the others, or, if is_for_root, to rank 0 alone. TRIB_INTERNAL
 * when it is invalid there. */
trib_status trib_comm_tell(const trib_comm *comm, trib_status status, int from, bool is_for_root,
                           trib_message message, void *context, trib_error *error);
/* The same from every rank in turn. */
trib_status trib_comm_tell_all(const trib_comm *comm, trib_status status, bool is_for_root,
                               trib_message message, void *context, trib_error *error);
/* The library that connects several ranks, such as "Open MPI v4.1.4"; NULL in a program for one
 * process. */
const char *trib_comm_library(void);

#endif
