/* client.h - a server of the application in a process of its own, and raw requests to it. */
#ifndef TRIBUTARY_TESTS_APP_CLIENT_H
#define TRIBUTARY_TESTS_APP_CLIENT_H

#include <sys/types.h>

#include "pipeline/app/exchange.h"
#include "tests/test.h"

typedef struct client {
    pid_t process;
    int port, runs; /* ports: of the application, of the runs */
    char token[TRIB_APP_SECRET], change[TRIB_APP_SECRET];
    char id[17]; /* of the project that was opened first */
} client;

/* Starts a server whose state is in the scratch directory; its files may not be larger than `most`
 * bytes (0: any size). Returns false, and the test is skipped, without libmicrohttpd. */
bool client_start(client *c, const trib_app_options *options, uint64_t most);
/* Ends it as a crash would; asks it to end, and returns its exit status. */
void client_kill(const client *c);
int client_quit(const client *c);

/* Opens a connection, sends bytes, and reads the whole answer, a status and a body; 0: the server
 * closed without an answer. Waits for events alone; a limit of minutes only ends a hang. */
int client_open(int port);
bool client_send(int line, const char *bytes, size_t n);
int client_read(int line, trib_buffer *answer);
int client_raw(int port, const char *bytes, size_t n, trib_buffer *answer);
/* Sends a request with the cookie, the header and `more` headers ("Name: value\r\n"; NULL: none);
 * `answer` (NULL: not wanted) gets the body. */
int client_ask(const client *c, const char *method, const char *path, const char *more,
               const char *body, trib_buffer *answer);
/* The same for a path below the project, of an answer in JSON, which the caller releases. */
json_t *client_json(const client *c, const char *method, const char *path, const char *body,
                    int status);

#endif
