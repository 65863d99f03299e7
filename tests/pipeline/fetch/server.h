/* server.h - a server of e-texts for tests: slow, silent, breaking off, redirecting, lying, as the
 * number says that is asked for. */
#ifndef TRIBUTARY_TESTS_SERVER_H
#define TRIBUTARY_TESTS_SERVER_H

#include <sys/types.h>

#include "base/base.h"

/* The e-text of a number, as a mirror has it. */
void make_etext(trib_buffer *text, unsigned number);

typedef struct server {
    pid_t process;
    int port;
    char url[64];
} server;

/* Starts it in a process of its own on a port of this machine; every request becomes a line of
 * log_path. false (test skipped) where that cannot be. A busy one answers 503 to everything. */
bool start_server(server *s, const char *log_path);
bool start_busy_server(server *s, const char *log_path);
void stop_server(const server *s);

#endif
