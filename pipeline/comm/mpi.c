/* mpi.c - a team of the processes that mpirun started (MPI 3.1). Linked by `make mpi` only. */
#include "pipeline/comm/communicator.h"

#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

/* MPI ends the whole team when one of its calls fails (MPI_ERRORS_ARE_FATAL): there is nothing to
 * check. */

/* Standard output and error of the others lead nowhere: what is to be said, rank 0 says. */
static void fall_silent(void) {
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    if (nowhere > STDERR_FILENO) close(nowhere);
}

trib_status trib_comm_open(trib_comm *team, int *argc, char ***argv, trib_error *error) {
    int provided = 0;
    *team = (trib_comm){.size = 1};
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return trib_fail(error, TRIB_INTERNAL, "MPI does not start; start it by mpirun");
    MPI_Comm_size(MPI_COMM_WORLD, &team->size);
    MPI_Comm_rank(MPI_COMM_WORLD, &team->rank);
    if (team->rank > 0) fall_silent();
    if (provided < MPI_THREAD_FUNNELED)
        return trib_fail(error, TRIB_INTERNAL, "this MPI allows no threads beside its own");
    return TRIB_OK;
}

void trib_comm_close(trib_comm *team) {
    MPI_Finalize();
    *team = (trib_comm){.size = 1};
}

void trib_comm_share(const trib_comm *team, int from, void *bytes, size_t n) {
    if (team->size > 1) MPI_Bcast(bytes, (int)n, MPI_BYTE, from, MPI_COMM_WORLD);
}

enum { MOST = 1 << 30 }; /* bytes in one message */

void trib_comm_send(const trib_comm *team, int to, const void *bytes, size_t n) {
    const char *at = bytes;
    for (size_t one; n > 0 && team->size > 1; at += one, n -= one) {
        one = n < MOST ? n : MOST;
        MPI_Send(at, (int)one, MPI_BYTE, to, 0, MPI_COMM_WORLD);
    }
}

void trib_comm_receive(const trib_comm *team, int from, void *bytes, size_t n) {
    char *at = bytes;
    for (size_t one; n > 0 && team->size > 1; at += one, n -= one) {
        one = n < MOST ? n : MOST;
        MPI_Recv(at, (int)one, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

uint64_t trib_comm_least(const trib_comm *team, uint64_t value) {
    uint64_t least = value;
    if (team->size > 1) MPI_Allreduce(&value, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least;
}

const char *trib_comm_library(void) {
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(name, &length);
    name[strcspn(name, ",\n")] = '\0';
    return name;
}
