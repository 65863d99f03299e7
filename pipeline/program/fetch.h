/* fetch.h - `tributary fetch`: downloads texts from the network with libcurl, politely, and makes a
 * manifest from the catalogue of a library. Private to pipeline.
 *
 * To add a library of texts, write a file like gutenberg_library.c.
 *
 * Requests are sent one at a time, with a pause between them and the name of this program. When a
 * server is busy, the program waits as long as the server asks. Only http and https are used. A
 * redirect is followed when the robots.txt of its site allows it, but not from https to http, and
 * not from a public address to a private one. */
#ifndef TRIBUTARY_PROGRAM_FETCH_H
#define TRIBUTARY_PROGRAM_FETCH_H

#include "base/arena.h"
#include "pipeline/config/diagnostic.h"
#include "pipeline/support/log.h"

#define TRIB_GUTENBERG_MIRROR "https://aleph.pglaf.org"

/* A piece of a text that stays where it is; the piece without the white space around it. */
typedef struct trib_span {
    const char *at;
    size_t n;
} trib_span;
trib_span trib_trimmed(trib_span span);

enum {
    TRIB_FETCH_ATTEMPTS = 4,
    TRIB_FETCH_MOST = 256 << 20, /* bytes of one file */
    /* bytes per second, averaged over the timeout; a slower server is abandoned */
    TRIB_FETCH_SLOWEST = 100,
    TRIB_FETCH_PATIENCE = 120, /* longest time in seconds to wait for a busy server */
    TRIB_FETCH_WHOLE = 10,     /* a file may take so many times the timeout, attempts together */
    TRIB_FETCH_SITES = 2
};
#define TRIB_FETCH_ALL (UINT64_C(1) << 34) /* bytes of all files of a command */

/* A site and its rules. */
typedef struct trib_fetch_site {
    char name[256];    /* "https://host:port"; "": none */
    trib_buffer rules; /* contents of robots.txt */
} trib_fetch_site;

typedef struct trib_fetch {
    trib_log *log;  /* borrowed */
    double wait;    /* seconds between two requests */
    long timeout;   /* seconds below TRIB_FETCH_SLOWEST, or without a connection */
    double whole;   /* seconds that a file may take, all attempts together */
    int attempts;   /* per file; TRIB_FETCH_ATTEMPTS after trib_fetch_open */
    void *curl;     /* handle of libcurl */
    bool has_asked; /* a request was made */
    long code;      /* HTTP status of its answer; 0: no answer */
    trib_fetch_site site[TRIB_FETCH_SITES]; /* the mirror, and the last one that it led to */
    uint64_t n_bytes;                       /* of all answers */
    bool is_led;                            /* a redirect led to the address that is requested */
    bool is_public;                         /* the one that was asked for is no private address */
    bool is_rules;                          /* robots.txt itself is requested */
    /* Whether an address to which a redirect leads may be requested; NULL: all may. TRIB_INPUT when
     * its site cannot say so. */
    trib_status (*may)(struct trib_fetch *fetch, const char *url, bool *may, trib_error *error);
} trib_fetch;

/* TRIB_USAGE, naming the package, in a build without libcurl. */
trib_status trib_fetch_open(trib_fetch *fetch, trib_log *log, double wait, long timeout,
                            trib_error *error);
void trib_fetch_close(trib_fetch *fetch); /* `{0}` is legal */

/* Downloads `url` to `text`, which is cleared. *is_there is false, with TRIB_OK, when the server
 * has no such file. Otherwise TRIB_INPUT with the reason; also when the answer is a web page. */
trib_status trib_fetch_get(trib_fetch *fetch, const char *url, trib_buffer *text, bool *is_there,
                           trib_error *error);

/* ---- Project Gutenberg (gutenberg_library.c) ------------------------------------------------- */

/* The description at the head of an e-text. */
typedef struct trib_etext {
    const char *title, *author; /* UTF-8, in an arena; NULL: there is none */
} trib_etext;

/* Checks that text[length] is the complete e-text `number`, and reads its head. TRIB_INPUT, with
 * `name`, when it is not a text of Project Gutenberg, lacks its end, or has another number. */
trib_status trib_etext_check(trib_etext *etext, const char *name, uint64_t number, const char *text,
                             size_t length, trib_arena *arena, trib_error *error);

/* Downloads DIRECTORY/pgNUMBER.txt unless it exists, and adds it to DIRECTORY/gutenberg.yaml unless
 * it is listed there. robots.txt of the mirror is requested first, once per trib_fetch, and paths
 * that it forbids are not requested. */
trib_status trib_fetch_etext(trib_fetch *fetch, const char *mirror, const char *directory,
                             uint64_t number, trib_error *error);

/* The path of text `number`. In `layout`, N stands for the number and D for its digits but the
 * last, as folders: "D/N/N-0.txt" gives "1/2/3/1234/1234-0.txt", and "0/5/5-0.txt". */
const char *trib_gutenberg_path(trib_arena *arena, uint64_t number, const char *layout);

/* The rules of a server's robots.txt for a program (RFC 9309). */
typedef struct trib_robots_word {
    bool is_allowed;
    double delay; /* seconds between two requests; 0: not specified */
} trib_robots_word;

/* Applies robots.txt, text[length], to a path that begins with '/'. The groups of `agent` apply, or
 * those of "*" when there are none. The longest matching rule decides; among equally long ones, one
 * that allows. In rules, `*` matches any text and `$` the end. Invalid lines are skipped. Without a
 * matching rule, the path is allowed. */
trib_robots_word trib_robots_ask(const char *text, size_t length, const char *agent,
                                 const char *path);

/* ---- The catalogue of Project Gutenberg, pg_catalog.csv (catalogue.c) ------------------------ */

/* An author at this age has written half of what he wrote, roughly. */
enum { TRIB_CATALOGUE_AGE = 30 };

/* One row of the catalogue. */
typedef struct trib_catalogue_entry {
    uint64_t number;
    uint32_t line;       /* of the catalogue */
    const char *title;   /* on one line; may be empty */
    const char *author;  /* "Dickens, Charles; Collins, Wilkie", without years; may be empty */
    const char *same;    /* equal for the editions of a work: its people and title, normalised */
    const char *file;    /* NULL until it was looked for, or when it is not there */
    bool is_dated;       /* `born` is known */
    int born;            /* latest year of birth of authors and translators; 0 is 1 BC */
    uint64_t edition_of; /* the smaller number of another edition; 0: none */
} trib_catalogue_entry;

typedef struct trib_catalogue {
    trib_catalogue_entry *entry; /* [n] by number; a list in the arena, with its texts */
    size_t n;
    trib_arena arena;
    size_t n_bad, n_other_type, n_other_language; /* rows that are not in it */
} trib_catalogue;

/* Reads the rows of type Text whose only language is `language` (NULL: any). A row that cannot be
 * used is a warning that names its line. TRIB_INPUT, with the place, when the file cannot be read,
 * is no such catalogue, or has a quote that is not closed. */
trib_status trib_catalogue_read(trib_catalogue *catalogue, const char *path, const char *language,
                                trib_log *log, trib_error *error);
/* The same from text in memory, without a byte order mark; `log` may be NULL. */
trib_status trib_catalogue_parse(trib_catalogue *catalogue, const trib_source *source,
                                 const char *language, trib_log *log, trib_error *error);
void trib_catalogue_release(trib_catalogue *catalogue); /* `{0}` is legal */

/* Of the entries that have a file, marks all but the first of the same authors, translators and
 * title. */
trib_status trib_catalogue_group(trib_catalogue *catalogue, trib_error *error);

#endif
