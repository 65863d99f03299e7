/* exchange.h - a request and its answer, and what the server knows. Private to the room. */
#ifndef TRIBUTARY_APP_EXCHANGE_H
#define TRIBUTARY_APP_EXCHANGE_H

#include <pthread.h>

#include "base/arena.h"
#include "pipeline/app/app.h"
#include "pipeline/support/json.h"

enum {
    TRIB_APP_PARTS = 12,         /* parts of a path */
    TRIB_APP_BODY = 16 << 20,    /* bytes of JSON in a request */
    TRIB_APP_OUTPUT = 256 << 20, /* bytes of JSON that a command answers */
    TRIB_APP_FILES = 5000,       /* texts of a project */
    TRIB_APP_SECRET = 65,        /* 32 random bytes as hexadecimal digits */
    TRIB_APP_NAME = 200,         /* bytes of the name of an uploaded file */
    TRIB_APP_PAGES = 64          /* open pages that are counted */
};
/* The configuration of a project. */
#define TRIB_APP_EXPERIMENT "experiment.yaml"

/* A folder with texts, an experiment and runs. It lives as long as the server, and is sealed. */
typedef struct trib_project {
    char id[17];    /* checksum of its path */
    char *path;     /* without links */
    bool is_listed; /* among the recent ones */
    bool is_paused; /* its run */
    /* the last answers about the texts of the experiment, and of the folder; the state of the files
     * (trib_app_files_state) that they tell of */
    struct trib_app_kept {
        trib_buffer answer;
        uint64_t of;
    } texts[2];
    uint64_t index_of; /* and of the index */
} trib_project;

/* The server. The lock guards all that changes. */
typedef struct trib_app {
    trib_app_options options;
    trib_arena arena;
    pthread_mutex_t lock;
    const char *home, *state;                             /* folders: the user's, and our own */
    char token[TRIB_APP_SECRET], change[TRIB_APP_SECRET]; /* of the cookie; of the header */
    uint16_t port[2];       /* of the application; of the runs, whose pages others wrote */
    trib_project **project; /* [n_projects], most recent first */
    size_t n_projects, projects_cap;
    const char *first; /* id of the project that the command names; NULL: none */
    struct {
        char name[33];
        double seen; /* 0: free */
    } page[TRIB_APP_PAGES];
    double last_closed; /* when a page closed last; 0: none has */
    bool is_quit;       /* the reader asked for the end */
} trib_app;

/* The address of a request: the parts of its path, decoded, and its parameters. */
typedef struct trib_app_address {
    const char *part[TRIB_APP_PARTS];
    size_t n_parts;
    struct trib_app_parameter {
        const char *name, *value;
    } * parameter; /* [n_parameters] */
    size_t n_parameters;
} trib_app_address;

/* A request and its answer. The arena holds what both need. */
typedef struct trib_exchange {
    trib_app *app;
    bool is_of_runs; /* it came to the port of the runs */
    trib_arena arena;
    trib_app_address address;
    const struct trib_app_route *route;
    trib_project *project; /* that the address names */
    const char *host, *if_match;
    trib_buffer body;
    json_t *json;       /* the body, unless it is a file */
    trib_writer upload; /* a file that is being stored */
    trib_error failure; /* of the body */
    bool is_upload, is_begun;
    /* the answer */
    unsigned status;    /* 0: 200, or what the error says */
    const char *type;   /* media type */
    trib_buffer answer; /* its body, unless it is one of the next two */
    const void *fixed;  /* [n_fixed] */
    size_t n_fixed;
    int file; /* descriptor of a file; -1: none */
    const char *location, *cookie, *etag, *disposition;
} trib_exchange;

/* Does the work of a request. */
typedef trib_status trib_app_work(trib_exchange *x, trib_error *error);

/* A kind of request. In a path, * is one part, and ** the rest; that after "projects" or "run" is
 * the id of a project. */
typedef struct trib_app_route {
    const char *method, *path;
    trib_app_work *work;
    enum {
        TRIB_APP_ALWAYS = 1,   /* answered with --read-only, too */
        TRIB_APP_NO_TOKEN = 2, /* changes something, but needs the cookie alone */
        TRIB_APP_OF_RUNS = 4   /* answered at the port of the runs, and there alone */
    } flags;
} trib_app_route;

/* ---- Requests (request.c) -------------------------------------------------------------------- */

/* Reads the address of a request line, "/run/3f/q/report.html?a=b". TRIB_USAGE for one that is not
 * ours: parts that are empty, . or .., that hold / or NUL, or are not UTF-8. */
trib_status trib_app_address_read(trib_app_address *address, trib_arena *arena, const char *text,
                                  trib_error *error);
/* The value of a parameter; NULL when there is none. */
const char *trib_app_parameter_of(const trib_app_address *address, const char *name);
/* Whether a Host header names this server (`port`; `is_open`: by any address of numbers), and an
 * Origin header its pages. */
bool trib_app_host_is_ours(const char *host, uint16_t port, bool is_open);
bool trib_app_origin_is_ours(const char *origin, const char *host);
/* Whether two secrets are equal; NULL equals none. Takes the same time for all. */
bool trib_app_same(const char *given, const char *secret);
/* A name under which an uploaded file is stored: without folders, control characters, marks that
 * reorder text, and what file systems refuse. */
const char *trib_app_clean_name(trib_arena *arena, const char *name);

/* ---- Answers (answer.c) ---------------------------------------------------------------------- */

/* Reads the body as an object of JSON. TRIB_USAGE. */
trib_status trib_app_json_read(trib_exchange *x, trib_error *error);
/* Sets the answer to a JSON value; the format and its arguments are those of json_pack. */
trib_status trib_app_answer(trib_exchange *x, trib_error *error, const char *format, ...);
/* Fails with a status of HTTP. */
trib_status trib_app_refuse(trib_exchange *x, unsigned status, trib_error *error,
                            const char *format, ...) TRIB_PRINTF(4, 5);

/* ---- Who is let in (routes.c) ---------------------------------------------------------------- */

/* Fills a secret. */
trib_status trib_app_secret(char secret[TRIB_APP_SECRET], trib_error *error);
/* Headers of a request; all but the method may be NULL. */
typedef struct trib_app_headers {
    const char *method, *origin, *site, *cookie, *change;
} trib_app_headers;
/* Finds the route of a request and checks what every request must have. TRIB_USAGE with
 * x->status. */
trib_status trib_app_admit(trib_exchange *x, const trib_app_headers *headers, trib_error *error);

/* ---- Processes (child.c) --------------------------------------------------------------------- */

/* Runs a command of the program in the folder of the project, `words` ended by NULL, with `input`
 * (NULL: none). Appends its output, about `most` bytes of it. TRIB_INPUT with its message, when it
 * failed without output. */
trib_status trib_app_program(trib_exchange *x, trib_buffer *output, size_t most, const char *input,
                             trib_error *error, const char *const words[]);
/* The same for a command that writes JSON; *answer is NULL after a failure. */
trib_status trib_app_program_json(trib_exchange *x, json_t **answer, const char *input,
                                  trib_error *error, const char *const words[]);
/* The words of a command. */
#define TRIB_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
/* Starts a process with these descriptors as 0, 1, 2 and, unless it is -1, 3. A program that is
 * NULL is this one, which gets the words after "-C FOLDER". */
trib_status trib_app_start(int *process, trib_exchange *x, const char *program,
                           const char *const words[], const int file[4], trib_error *error);

/* ---- Projects (projects.c) ------------------------------------------------------------------- */

trib_status trib_app_projects_open(trib_app *app, trib_error *error);
void trib_app_projects_close(trib_app *app);
trib_project *trib_app_project(trib_app *app, const char *id); /* NULL: none that was opened */
/* A path below the project; either may be "". */
const char *trib_app_below(trib_exchange *x, const char *folder, const char *name);
/* The folder of a run by its name (NULL: the newest finished run), relative to the project. NULL:
 * there is none. */
const char *trib_app_run_folder(trib_exchange *x, const char *name);
trib_app_work trib_app_state, trib_app_folders, trib_app_projects_post, trib_app_project_delete,
    trib_app_project_get, trib_app_keys;

/* ---- Files (files.c) ------------------------------------------------------------------------- */

trib_status trib_app_upload_begin(trib_exchange *x, trib_error *error);
trib_app_work trib_app_page, trib_app_run_file, trib_app_file_put, trib_app_file_delete,
    trib_app_file_restore, trib_app_judgements_get, trib_app_judgements_put;

/* ---- Texts and the experiment (texts.c), runs (job.c), questions (ask.c) --------------------- */

/* The folder of the texts, below the project: "texts", where files are put; or "." when a folder of
 * texts was opened that has no experiment yet. */
const char *trib_app_texts_folder(trib_exchange *x);
/* A checksum of the names, sizes and times of the files that the table of texts is made from. */
uint64_t trib_app_files_state(trib_exchange *x);
trib_app_work trib_app_texts_get, trib_app_texts_put, trib_app_text_get, trib_app_yaml_get,
    trib_app_yaml_put, trib_app_check_get, trib_app_run_post, trib_app_job_get, trib_app_job_post,
    trib_app_ask, trib_app_cite, trib_app_publish, trib_app_alive, trib_app_quit;

#endif
