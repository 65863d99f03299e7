/* alone.c - a team of one process. */
#include "pipeline/comm/communicator.h"

trib_status trib_team_open(trib_team *team, int *argc, char ***argv, trib_error *error) {
    (void)argc;
    (void)argv;
    (void)error;
    *team = (trib_team){.size = 1};
    return TRIB_OK;
}

void trib_team_close(trib_team *team) { (void)team; }

void trib_team_share(const trib_team *team, int from, void *bytes, size_t n) {
    (void)team;
    (void)from;
    (void)bytes;
    (void)n;
}

void trib_team_send(const trib_team *team, int to, const void *bytes, size_t n) {
    (void)team;
    (void)to;
    (void)bytes;
    (void)n;
}

void trib_team_receive(const trib_team *team, int from, void *bytes, size_t n) {
    (void)team;
    (void)from;
    (void)bytes;
    (void)n;
}

uint64_t trib_team_least(const trib_team *team, uint64_t value) {
    (void)team;
    return value;
}

const char *trib_team_library(void) { return NULL; }
