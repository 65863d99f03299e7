/* exchange.h - a request and its answer, and what the server knows. Private to the room. */
#ifndef TRIBUTARY_APP_EXCHANGE_H
#define TRIBUTARY_APP_EXCHANGE_H

#include <pthread.h>

#include "base/arena.h"
#include "pipeline/app/app.h"
#include "pipeline/support/json.h"

enum {
    TRIB_APP_PARTS = 12,      /* parts of a path */
    TRIB_APP_BODY = 16 << 20, /* bytes of JSON in a request */
    TRIB_APP_FILES = 5000,    /* texts of a project */
    TRIB_APP_SECRET = 65,     /* 32 random bytes as hexadecimal digits */
    TRIB_APP_NAME = 200,      /* bytes of the name of an uploaded file */
    TRIB_APP_ID = 17
};

/* A folder with texts, an experiment and runs. It lives as long as the server, and is sealed. */
typedef struct trib_project {
    char id[TRIB_APP_ID]; /* checksum of its path */
    char *path;           /* without links */
    bool is_listed;       /* among the recent ones */
    trib_buffer texts;    /* the last answer about its texts */
    uint64_t texts_of;    /* checksum of the sizes and times of the files that it tells of */
    uint64_t index_of;    /* the same of its index */
    bool is_paused;       /* its run */
} trib_project;

/* The server. The lock guards the projects, the pages and what a project holds. */
typedef struct trib_app {
    trib_app_options options;
    trib_arena arena;
    pthread_mutex_t lock;
    const char *home, *state;     /* folders: of the user; of the state of the application */
    char token[TRIB_APP_SECRET];  /* of the cookie */
    char change[TRIB_APP_SECRET]; /* of the header of what changes anything */
    uint16_t port;
    trib_project **project; /* [n_projects], most recent first */
    size_t n_projects, projects_cap;
    struct {
        char name[33];
        double seen; /* 0: free */
    } page[64];
    double last_closed; /* when a page closed last; 0: none has */
    bool is_quit;       /* the reader asked for the end */
} trib_app;

/* A parameter of an address. */
typedef struct trib_app_parameter {
    const char *name, *value;
} trib_app_parameter;

/* The address of a request: the parts of its path, decoded, and its parameters. */
typedef struct trib_app_address {
    const char *part[TRIB_APP_PARTS];
    size_t n_parts;
    trib_app_parameter *parameter; /* [n_parameters] */
    size_t n_parameters;
} trib_app_address;

/* A request and its answer. The arena holds what both need. */
typedef struct trib_exchange {
    trib_app *app;
    trib_arena arena;
    trib_app_address address;
    const struct trib_app_route *route;
    trib_project *project; /* that the address names */
    const char *if_match;  /* header; NULL: none */
    trib_buffer body;
    json_t *json;       /* the body, when it is JSON */
    trib_writer upload; /* a file that is being stored; of its size: n_written */
    trib_error failure; /* of the upload */
    bool is_upload, is_begun;
    /* the answer */
    unsigned status;    /* 0: 200, or what the error says */
    const char *type;   /* media type */
    trib_buffer answer; /* its body, unless it is one of the next two */
    const void *fixed;  /* [n_fixed] */
    size_t n_fixed;
    int file; /* descriptor of a file; -1: none */
    const char *location, *cookie, *etag;
    bool is_of_run; /* a file of a run, which carries its own policy */
} trib_exchange;

/* Does the work of a request. */
typedef trib_status trib_app_work(trib_exchange *x, trib_error *error);

/* What a route may do without. */
enum {
    TRIB_APP_ALWAYS = 1,   /* answered with --read-only, too */
    TRIB_APP_NO_TOKEN = 2, /* changes, but needs the cookie alone */
    TRIB_APP_OPEN = 4      /* does not even need the cookie */
};
/* A kind of request. In a path, * is one part, and ** the rest; that after "projects" or "run" is
 * the id of a project. */
typedef struct trib_app_route {
    const char *method, *path;
    trib_app_work *work;
    unsigned flags;
} trib_app_route;

/* ---- Requests (request.c) -------------------------------------------------------------------- */

/* Reads the address of a request line, "/run/3f/q/report.html?a=b". TRIB_USAGE for one that is not
 * ours: parts that are empty, . or .., that hold / or NUL, or are not UTF-8. */
trib_status trib_app_address_read(trib_app_address *address, trib_arena *arena, const char *text,
                                  trib_error *error);
/* The value of a parameter; NULL when there is none. */
const char *trib_app_parameter_of(const trib_app_address *address, const char *name);
/* Whether a Host header names this server, and an Origin header its pages. */
bool trib_app_host_is_ours(const trib_app *app, const char *host);
bool trib_app_origin_is_ours(const char *origin, const char *host);
/* Whether two secrets are equal; NULL equals none. Takes the same time for all. */
bool trib_app_same(const char *given, const char *secret);
/* A name under which an uploaded file is stored: without folders, control characters, marks that
 * reorder text, and what file systems refuse. */
const char *trib_app_clean_name(trib_arena *arena, const char *name);
/* ---- Answers (answer.c) ---------------------------------------------------------------------- */

/* Reads the body as JSON; an object. TRIB_USAGE. */
trib_status trib_app_json_read(trib_exchange *x, trib_error *error);
/* Sets the answer to a JSON value, which is released. */
trib_status trib_app_answer(trib_exchange *x, json_t *value, trib_error *error);
/* Fails with a status of HTTP. */
trib_status trib_app_refuse(trib_exchange *x, unsigned status, trib_error *error,
                            const char *format, ...) TRIB_PRINTF(4, 5);

/* ---- Who is let in (routes.c) ---------------------------------------------------------------- */

/* Fills a secret. */
trib_status trib_app_secret(char secret[TRIB_APP_SECRET], trib_error *error);

/* Finds the route of a request and checks what every request must have. *x is the request, whose
 * address was read; the headers may be NULL. TRIB_USAGE with x->status. */
typedef struct trib_app_headers {
    const char *method, *host, *origin, *cookie, *change, *length;
} trib_app_headers;
trib_status trib_app_admit(trib_exchange *x, const trib_app_headers *headers, trib_error *error);

/* ---- Processes (child.c) --------------------------------------------------------------------- */

/* A command of the program. */
typedef struct trib_app_child {
    const char *argument[16]; /* after the name of the program, ended by NULL */
    const char *input;        /* standard input; NULL: none */
    trib_buffer output, messages;
    int result; /* exit status; 128 + signal when it was killed */
} trib_app_child;
/* Runs it in the folder of the project (NULL: anywhere), and waits. TRIB_MEMORY when it cannot be
 * started; a result that is not 0 is no error. */
trib_status trib_app_run_child(trib_app_child *child, const trib_app *app, const char *folder,
                               trib_error *error);
void trib_app_child_release(trib_app_child *child);
/* Starts a process with these descriptors as 0, 1, 2 and, unless it is -1, 3. */
trib_status trib_app_start(int *process, const char *program, const char *const argument[],
                           const int file[4], trib_error *error);
/* The last line of messages of a child, for an error. */
const char *trib_app_child_says(trib_arena *arena, const trib_app_child *child);
/* Answers with the JSON of a child. TRIB_INPUT, with its message, when it wrote none. */
trib_status trib_app_hand_on(trib_exchange *x, trib_app_child *child, trib_error *error);

/* ---- Projects (projects.c) ------------------------------------------------------------------- */

trib_status trib_app_projects_open(trib_app *app, trib_error *error);
void trib_app_projects_close(trib_app *app);
trib_project *trib_app_project(trib_app *app, const char *id); /* NULL: none that was opened */
trib_status trib_app_project_add(trib_app *app, const char *path, trib_project **added,
                                 trib_error *error);
/* A path below the project; the parts are not NULL, the last may be "". */
const char *trib_app_below(trib_exchange *x, const char *folder, const char *name);
/* The folder of a run by its name, relative to the project. NULL: there is none. */
const char *trib_app_run_folder(trib_exchange *x, const char *name);
/* The newest finished run. */
const char *trib_app_newest_run(trib_exchange *x);
trib_app_work trib_app_state, trib_app_folders, trib_app_projects_post, trib_app_project_delete,
    trib_app_project_get, trib_app_keys;

/* ---- Files (files.c) ------------------------------------------------------------------------- */

trib_status trib_app_upload_begin(trib_exchange *x, trib_error *error);
trib_app_work trib_app_page, trib_app_page_file, trib_app_help, trib_app_run_file,
    trib_app_file_put, trib_app_file_delete, trib_app_file_restore, trib_app_judgements_get,
    trib_app_judgements_put;

/* ---- Texts (texts.c), the experiment (yaml.c), runs (job.c), questions (ask.c) --------------- */

trib_app_work trib_app_texts_get, trib_app_texts_put, trib_app_text_get, trib_app_yaml_get,
    trib_app_yaml_put, trib_app_estimate, trib_app_run_post, trib_app_job_get, trib_app_job_post,
    trib_app_ask, trib_app_publish, trib_app_alive, trib_app_quit;
/* A checksum of the names, sizes and times of the files that the table of texts is made from. */
uint64_t trib_app_files_state(trib_exchange *x);
/* What is known of the run of a project; NULL JSON when there was none. */
json_t *trib_app_job(trib_exchange *x);

#endif
