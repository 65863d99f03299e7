/* server.h - a server of e-texts for tests. The requested number decides whether it is slow,
 * silent, interrupts its answers, redirects, or sends wrong data. */
#ifndef TRIBUTARY_TESTS_SERVER_H
#define TRIBUTARY_TESTS_SERVER_H

#include <sys/types.h>

#include "base/base.h"

/* The e-text with a number, as a mirror stores it. */
void make_etext(trib_buffer *text, unsigned number);

typedef struct server {
    pid_t process;
    int port;
    char url[64];
} server;

/* Starts the server in a process of its own, on a local port. Every request becomes a line of
 * log_path. Returns false, and the test is skipped, where that is impossible. A busy server answers
 * every request with status 503. */
bool start_server(server *s, const char *log_path);
/* The same for a server whose texts 37 and 38 are redirected to another one. */
bool start_leading_server(server *s, const char *log_path, const server *other);
bool start_busy_server(server *s, const char *log_path);
void stop_server(const server *s);

#endif
