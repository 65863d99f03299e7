/* alone.c - the communicator of a single process. */
#include "pipeline/comm/comm.h"

trib_status trib_comm_open(trib_comm *comm, int *argc, char ***argv, trib_error *error) {
    (void)argc;
    (void)argv;
    (void)error;
    *comm = (trib_comm){.size = 1};
    return TRIB_OK;
}

void trib_comm_close(trib_comm *comm) { (void)comm; }

void trib_comm_share(const trib_comm *comm, int from, void *bytes, size_t n) {
    (void)comm;
    (void)from;
    (void)bytes;
    (void)n;
}

void trib_comm_send(const trib_comm *comm, int to, const void *bytes, size_t n) {
    (void)comm;
    (void)to;
    (void)bytes;
    (void)n;
}

void trib_comm_receive(const trib_comm *comm, int from, void *bytes, size_t n) {
    (void)comm;
    (void)from;
    (void)bytes;
    (void)n;
}

void trib_comm_all_to_all(const trib_comm *comm, const void *to, const int n_to[], const int at[],
                          void *from, const int n_from[], const int from_at[]) {
    (void)comm;
    (void)n_from;
    if (n_to[0] > 0) memcpy((char *)from + from_at[0], (const char *)to + at[0], (size_t)n_to[0]);
}

uint64_t trib_comm_n_sent(const trib_comm *comm) {
    (void)comm;
    return 0;
}

uint64_t trib_comm_least(const trib_comm *comm, uint64_t value) {
    (void)comm;
    return value;
}

const char *trib_comm_library(void) { return NULL; }
