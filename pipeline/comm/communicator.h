/* communicator.h - the processes that do one run together. `./tributary` is a team of one
 * (alone.c); `make mpi` links mpi.c instead, and nothing else differs: no stage knows of MPI. Every
 * rank holds the whole record of the run; parts of stages are done by one rank each and given to
 * the others (parts.c), and rank 0 alone writes and is heard. Private to pipeline.
 *
 * All ranks call these in the same order (send and receive: two of them), none from within a
 * parallel region. */
#ifndef TRIBUTARY_COMM_COMMUNICATOR_H
#define TRIBUTARY_COMM_COMMUNICATOR_H

#include "base/base.h"

typedef struct trib_comm {
    int size, rank; /* rank is 0 .. size-1; `{0}` is one process, too */
} trib_comm;

/* Before anything is read of the command line, and before anything is written. All ranks but 0 are
 * silent from now on. */
trib_status trib_comm_open(trib_comm *team, int *argc, char ***argv, trib_error *error);
void trib_comm_close(trib_comm *team);

/* What rank `from` has in bytes[n] is then there on every rank. */
void trib_comm_share(const trib_comm *team, int from, void *bytes, size_t n); /* n < 2 GiB */
void trib_comm_share_large(const trib_comm *team, int from, void *bytes,
                           size_t n); /* communicator.c */
/* bytes[n] go from one rank to another: both call at the same time, the others need not. */
void trib_comm_send(const trib_comm *team, int to, const void *bytes, size_t n);
void trib_comm_receive(const trib_comm *team, int from, void *bytes, size_t n);
/* The least of the numbers that all ranks have, on every rank. */
uint64_t trib_comm_least(const trib_comm *team, uint64_t value);

/* Whether all are well: the status and error of the lowest rank that is not, on every rank
 * (communicator.c). */
trib_status trib_comm_agree(const trib_comm *team, trib_status status, trib_error *error);
/* Rank `from` gives a text of any length to all; on the others *bytes is replaced. TRIB_MEMORY, the
 * same on all. */
trib_status trib_comm_give(const trib_comm *team, int from, trib_buffer *bytes, trib_error *error);
/* What carries a team of several ranks: "Open MPI v4.1.4"; NULL when this program is a team of
 * one. */
const char *trib_comm_library(void);

#endif
