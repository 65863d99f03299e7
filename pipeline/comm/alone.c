/* alone.c - a team of one process. */
#include "pipeline/comm/communicator.h"

trib_status trib_comm_open(trib_comm *team, int *argc, char ***argv, trib_error *error) {
    (void)argc;
    (void)argv;
    (void)error;
    *team = (trib_comm){.size = 1};
    return TRIB_OK;
}

void trib_comm_close(trib_comm *team) { (void)team; }

void trib_comm_share(const trib_comm *team, int from, void *bytes, size_t n) {
    (void)team;
    (void)from;
    (void)bytes;
    (void)n;
}

void trib_comm_send(const trib_comm *team, int to, const void *bytes, size_t n) {
    (void)team;
    (void)to;
    (void)bytes;
    (void)n;
}

void trib_comm_receive(const trib_comm *team, int from, void *bytes, size_t n) {
    (void)team;
    (void)from;
    (void)bytes;
    (void)n;
}

uint64_t trib_comm_least(const trib_comm *team, uint64_t value) {
    (void)team;
    return value;
}

const char *trib_comm_library(void) { return NULL; }
