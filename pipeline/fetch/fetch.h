/* fetch.h - texts from the network, politely, through libcurl. Private to pipeline.
 *
 * One request at a time, a pause between two, our name in each; what was begun is gone on with
 * where it broke off, if it is still the same (ETag or date); a server that is busy is waited for
 * as it asks. Only http and https, never from the second back to the first. */
#ifndef TRIBUTARY_FETCH_FETCH_H
#define TRIBUTARY_FETCH_FETCH_H

#include "pipeline/config/config.h"
#include "pipeline/support/log.h"

enum {
    TRIB_FETCH_ATTEMPTS = 4,
    TRIB_FETCH_MOST = 256 << 20, /* bytes of one file */
    TRIB_FETCH_SLOWEST = 100,    /* bytes a second, over the timeout: less is as good as nothing */
    TRIB_FETCH_PATIENCE = 120    /* seconds at most that a busy server is waited for */
};

typedef struct trib_fetch {
    trib_log *log;     /* borrowed */
    double wait;       /* seconds between two requests */
    long timeout;      /* seconds with less than TRIB_FETCH_SLOWEST, or without a connection */
    int attempts;      /* of one file; TRIB_FETCH_ATTEMPTS after open */
    void *curl;        /* libcurl's */
    bool has_asked;    /* a request was made */
    long code;         /* the status of its answer; 0: there was none */
    bool knows_rules;  /* the mirror was asked for its robots.txt, */
    trib_buffer rules; /* which is this */
} trib_fetch;

/* TRIB_USAGE, naming the package, in a build without libcurl. */
trib_status trib_fetch_open(trib_fetch *fetch, trib_log *log, double wait, long timeout,
                            trib_error *error);
void trib_fetch_close(trib_fetch *fetch); /* `{0}` is legal */

/* Appends what is at `url` to `text`, through the files `part` and `part`.about, which stay when it
 * breaks off and are gone when it is whole. *is_there is false, and the status TRIB_OK, when the
 * server has no such thing. TRIB_INPUT with the reason otherwise; a web page is refused. */
trib_status trib_fetch_get(trib_fetch *fetch, const char *url, const char *part, trib_buffer *text,
                           bool *is_there, trib_error *error);

/* ---- Project Gutenberg (gutenberg_library.c) ------------------------------------------------- */

/* What the head of an e-text says of it. `{0}` is empty. */
typedef struct trib_etext {
    char *title, *author; /* UTF-8, or NULL */
} trib_etext;
void trib_etext_release(trib_etext *etext);

/* Looks whether text[length] is the whole e-text `number`, and reads its head. TRIB_INPUT, with
 * `name`, when it is no text of Project Gutenberg, has no end, or is another one. */
trib_status trib_etext_check(trib_etext *etext, const char *name, uint64_t number, const char *text,
                             size_t length, trib_error *error);

/* Fetches DIRECTORY/pgNUMBER.txt unless it is there, and adds it to DIRECTORY/gutenberg.yaml unless
 * it is in it. The mirror is asked first for its robots.txt, once for a trib_fetch, and for nothing
 * that forbids. */
trib_status trib_fetch_etext(trib_fetch *fetch, const char *mirror, const char *directory,
                             uint64_t number, trib_error *error);

#endif
