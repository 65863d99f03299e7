/* download.h - downloads texts from the network with libcurl, politely. Private to pipeline.
 *
 * This room implements `tributary fetch`. To add a library of texts, write a file like
 * gutenberg_library.c.
 *
 * Requests are sent one at a time, with a pause between them and the name of this program. An
 * interrupted download is resumed when the file is still the same (by ETag or date). When a server
 * is busy, the program waits as long as the server asks. Only http and https are used; a redirect
 * from https to http is not followed. */
#ifndef TRIBUTARY_PROGRAM_DOWNLOAD_H
#define TRIBUTARY_PROGRAM_DOWNLOAD_H

#include "pipeline/config/document.h"
#include "pipeline/support/log.h"

enum {
    TRIB_FETCH_ATTEMPTS = 4,
    TRIB_FETCH_MOST = 256 << 20, /* bytes of one file */
    /* bytes per second, averaged over the timeout; a slower server is abandoned */
    TRIB_FETCH_SLOWEST = 100,
    TRIB_FETCH_PATIENCE = 120 /* longest time in seconds to wait for a busy server */
};

typedef struct trib_fetch {
    trib_log *log;     /* borrowed */
    double wait;       /* seconds between two requests */
    long timeout;      /* seconds below TRIB_FETCH_SLOWEST, or without a connection */
    int attempts;      /* per file; TRIB_FETCH_ATTEMPTS after trib_fetch_open */
    void *curl;        /* handle of libcurl */
    bool has_asked;    /* a request was made */
    long code;         /* HTTP status of its answer; 0: no answer */
    bool knows_rules;  /* robots.txt of the mirror was requested */
    trib_buffer rules; /* contents of robots.txt */
} trib_fetch;

/* TRIB_USAGE, naming the package, in a build without libcurl. */
trib_status trib_fetch_open(trib_fetch *fetch, trib_log *log, double wait, long timeout,
                            trib_error *error);
void trib_fetch_close(trib_fetch *fetch); /* `{0}` is legal */

/* Downloads `url` and appends it to `text`. The files `part` and `part`.about store the progress:
 * they remain when the download is interrupted, and are deleted when it is complete. *is_there is
 * false, with TRIB_OK, when the server has no such file. Otherwise TRIB_INPUT with the reason; also
 * when the answer is a web page. */
trib_status trib_fetch_get(trib_fetch *fetch, const char *url, const char *part, trib_buffer *text,
                           bool *is_there, trib_error *error);

/* ---- Project Gutenberg (gutenberg_library.c) ------------------------------------------------- */

/* The description at the head of an e-text. `{0}` is empty. */
typedef struct trib_etext {
    char *title, *author; /* UTF-8, or NULL */
} trib_etext;
void trib_etext_release(trib_etext *etext);

/* Checks that text[length] is the complete e-text `number`, and reads its head. TRIB_INPUT, with
 * `name`, when it is not a text of Project Gutenberg, lacks its end, or has another number. */
trib_status trib_etext_check(trib_etext *etext, const char *name, uint64_t number, const char *text,
                             size_t length, trib_error *error);

/* Downloads DIRECTORY/pgNUMBER.txt unless it exists, and adds it to DIRECTORY/gutenberg.yaml unless
 * it is listed there. robots.txt of the mirror is requested first, once per trib_fetch, and paths
 * that it forbids are not requested. */
trib_status trib_fetch_etext(trib_fetch *fetch, const char *mirror, const char *directory,
                             uint64_t number, trib_error *error);

/* Appends the path of text `number`. In `layout`, N stands for the number and D for its digits but
 * the last, as folders: "D/N/N-0.txt" gives "1/2/3/1234/1234-0.txt", and "0/5/5-0.txt". */
trib_status trib_gutenberg_path(trib_buffer *path, uint64_t number, const char *layout,
                                trib_error *error);

#endif
