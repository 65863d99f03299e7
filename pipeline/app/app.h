/* app.h - the room app: `tributary app`, pages in the reader's own browser, served on the loopback
 * address by libmicrohttpd. It knows nothing of texts: it serves its own pages and the files of
 * finished runs, stores what is uploaded, writes the manifest and the experiment of a project, and
 * starts commands of the program as processes of their own, whose JSON it hands on. Every room may
 * be used. SECURITY.md says what it refuses. */
#ifndef TRIBUTARY_APP_APP_H
#define TRIBUTARY_APP_APP_H

#include "pipeline/support/path.h"

/* How the application is started. `{0}` is a start without a project. */
typedef struct trib_app_options {
    const char *folder;      /* project to open first; NULL: none */
    const char *program;     /* the program that does the work; NULL: this one */
    const char *address;     /* IPv4 address to listen on; NULL: 127.0.0.1 */
    uint16_t port;           /* 0: a free one */
    bool read_only;          /* finished runs only */
    bool no_browser;         /* opens no browser */
    bool has_publish;        /* the program has the command */
    unsigned most;           /* connections at a time; 0: 100 */
    double patience;         /* seconds that a request may take to arrive; 0: 20 */
    double alone;            /* seconds without a page until it ends; 0: 60 */
    uint64_t most_file_size; /* bytes of an uploaded file; 0: 1 GiB */
    int out;                 /* descriptor to which the address is written */
} trib_app_options;

/* Serves until a stop is asked for (trib_stop_ask), the reader quits, or a minute after the last
 * page was closed. TRIB_USAGE when libmicrohttpd is not there, or an option is refused. */
trib_status trib_app_serve(const trib_app_options *options, trib_error *error);

/* The files of files/, embedded by the build. Ends with a row whose name is NULL. */
extern const trib_embedded_file trib_app_files[];

#endif
