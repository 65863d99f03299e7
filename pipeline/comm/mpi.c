/* mpi.c - the communicator of the processes that mpirun started (MPI 3.1). Only `make mpi` links
 * it. */
#include "base/system.h"
#include "pipeline/comm/comm.h"

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

/* When an MPI call fails, MPI ends all processes (MPI_ERRORS_ARE_FATAL). Therefore results are not
 * checked. */

/* Discards the standard output and error of all ranks but 0, which prints for all. */
static void fall_silent(void) {
    const int nowhere = trib_disk_open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    if (nowhere > STDERR_FILENO) close(nowhere);
}

trib_status trib_comm_open(trib_comm *comm, int *argc, char ***argv, trib_error *error) {
    int provided = 0;
    *comm = (trib_comm){.size = 1};
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return trib_fail(error, TRIB_INTERNAL, "MPI does not start; start it by mpirun");
    MPI_Comm_size(MPI_COMM_WORLD, &comm->size);
    MPI_Comm_rank(MPI_COMM_WORLD, &comm->rank);
    if (comm->rank > 0) fall_silent();
    if (provided < MPI_THREAD_FUNNELED)
        return trib_fail(error, TRIB_INTERNAL, "this MPI allows no threads beside its own");
    return TRIB_OK;
}

void trib_comm_close(trib_comm *comm) {
    MPI_Finalize();
    *comm = (trib_comm){.size = 1};
}

static uint64_t n_sent; /* bytes; only one thread communicates */

uint64_t trib_comm_n_sent(const trib_comm *comm) {
    (void)comm;
    return n_sent;
}

void trib_comm_share(const trib_comm *comm, int from, void *bytes, size_t n) {
    if (comm->size > 1 && comm->rank == from) n_sent += n;
    if (comm->size > 1) MPI_Bcast(bytes, (int)n, MPI_BYTE, from, MPI_COMM_WORLD);
}

enum { MOST = 1 << 30 }; /* largest number of bytes in one message */

void trib_comm_send(const trib_comm *comm, int to, const void *bytes, size_t n) {
    const char *at = bytes;
    for (size_t one; n > 0 && comm->size > 1; at += one, n -= one) {
        one = n < MOST ? n : MOST;
        MPI_Send(at, (int)one, MPI_BYTE, to, 0, MPI_COMM_WORLD);
        n_sent += one;
    }
}

void trib_comm_receive(const trib_comm *comm, int from, void *bytes, size_t n) {
    char *at = bytes;
    for (size_t one; n > 0 && comm->size > 1; at += one, n -= one) {
        one = n < MOST ? n : MOST;
        MPI_Recv(at, (int)one, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void trib_comm_all_to_all(const trib_comm *comm, const void *to, const int n_to[], const int at[],
                          void *from, const int n_from[], const int from_at[]) {
    for (int rank = 0; rank < comm->size; rank++)
        if (rank != comm->rank) n_sent += (uint64_t)n_to[rank];
    MPI_Alltoallv(to, n_to, at, MPI_BYTE, from, n_from, from_at, MPI_BYTE, MPI_COMM_WORLD);
}

/* The values are mapped to signed numbers in the same order, because MPICH 4.0 compares values of
 * the type MPI_UINT64_T as if they were signed. */
uint64_t trib_comm_least(const trib_comm *comm, uint64_t value) {
    const uint64_t middle = UINT64_C(1) << 63;
    int64_t own = (int64_t)(value - middle), least = own;
    if (comm->size > 1) MPI_Allreduce(&own, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return (uint64_t)least + middle;
}

const char *trib_comm_library(void) {
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(name, &length);
    name[strcspn(name, ",\n")] = '\0'; /* "Open MPI v4.1.4, ...", "MPICH Version:\t4.0.2\n..." */
    for (char *tab; (tab = strchr(name, '\t'));) *tab = ' ';
    return name;
}
