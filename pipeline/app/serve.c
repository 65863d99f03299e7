/* serve.c - libmicrohttpd: takes connections, reads requests, sends answers. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/app/exchange.h"
#include "pipeline/support/signals.h"

#ifdef TRIB_WITH_MICROHTTPD
#include <microhttpd.h>

/* ---- libmicrohttpd --------------------------------------------------------------------------- */

#define HTTP_FUNCTIONS(F)                                                                          \
    F(MHD_start_daemon)                                                                            \
    F(MHD_stop_daemon)                                                                             \
    F(MHD_get_daemon_info)                                                                         \
    F(MHD_get_connection_info)                                                                     \
    F(MHD_lookup_connection_value)                                                                 \
    F(MHD_create_response_from_buffer)                                                             \
    F(MHD_create_response_from_fd64)                                                               \
    F(MHD_add_response_header)                                                                     \
    F(MHD_queue_response)                                                                          \
    F(MHD_destroy_response)

/* Loaded where the build knows the file of the library, else linked (as libcurl is, download.c). */
#ifdef TRIB_MICROHTTPD
TRIB_LOADED(HTTP_FUNCTIONS, TRIB_MICROHTTPD)
#else
TRIB_LINKED(HTTP_FUNCTIONS)
#endif

enum {
    CONNECTIONS = 100,
    PATIENCE = 20,      /* seconds for a request to arrive, or an idle connection */
    HURRY = 1,          /* at most, when half of the connections are taken */
    SLOWEST = 10000,    /* bytes a second, of a body */
    HEADERS = 32 << 10, /* bytes of the headers of a request */
    STACK = 1 << 20,
    ALONE = 60 /* seconds without a page until the server ends */
};

/* A connection. */
typedef struct line {
    int socket;       /* -1: free */
    double since;     /* when its request began to arrive, or it became idle */
    uint64_t n_bytes; /* of the body */
    bool is_busy;     /* its request is being answered */
} line;

/* A port: that of the application, or that of the runs. */
typedef struct door {
    struct server *server;
    bool is_of_runs;
    struct MHD_Daemon *daemon;
} door;

typedef struct server {
    trib_app app;
    door door[2];
    pthread_mutex_t lock; /* of the lines */
    line *line;           /* [n_lines] */
    size_t n_lines;
} server;

/* ---- Slow connections ------------------------------------------------------------------------ */

static void note_line(void *context, struct MHD_Connection *connection, void **line_of,
                      enum MHD_ConnectionNotificationCode what) {
    server *s = ((door *)context)->server;
    pthread_mutex_lock(&s->lock);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *about =
            api.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        for (size_t i = 0; about && !*line_of && i < s->n_lines; i++)
            if (s->line[i].socket < 0) {
                s->line[i] = (line){.socket = about->connect_fd, .since = trib_monotonic_seconds()};
                *line_of = &s->line[i];
            }
    } else if (*line_of) ((line *)*line_of)->socket = -1;
    pthread_mutex_unlock(&s->lock);
}

static void mark(server *s, struct MHD_Connection *connection, bool is_busy, size_t n_bytes) {
    const union MHD_ConnectionInfo *about =
        api.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    line *l = about ? about->socket_context : NULL;
    if (!l) return;
    pthread_mutex_lock(&s->lock);
    if (l->is_busy != is_busy) l->since = trib_monotonic_seconds();
    l->is_busy = is_busy;
    l->n_bytes = n_bytes > 0 ? l->n_bytes + n_bytes : 0;
    pthread_mutex_unlock(&s->lock);
}

/* Ends connections whose request is slow to arrive: libmicrohttpd only ends silent ones. When half
 * of the places are taken, it must arrive sooner, so that who comes finds a place. */
static void end_slow(server *s) {
    const double now = trib_monotonic_seconds();
    double patience = s->app.options.patience;
    size_t n_taken = 0;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->n_lines; i++) n_taken += s->line[i].socket >= 0;
    if (2 * n_taken >= s->app.options.most && patience > HURRY) patience = HURRY;
    for (size_t i = 0; i < s->n_lines; i++) {
        const line *l = &s->line[i];
        if (l->socket >= 0 && !l->is_busy &&
            now - l->since > patience + (double)l->n_bytes / SLOWEST)
            shutdown(l->socket, SHUT_RDWR);
    }
    pthread_mutex_unlock(&s->lock);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* The policy of the pages: their own, and for those of runs, which carry theirs, who may frame
 * them. */
static const char *policy(trib_exchange *x) {
    const int n = (int)strcspn(x->host ? x->host : "", ":");
    const unsigned other = x->app->port[!x->is_of_runs];
    return x->is_of_runs
               ? trib_arena_print(&x->arena, "frame-ancestors 'self' http://%.*s:%u", n, x->host,
                                  other)
               : trib_arena_print(&x->arena,
                                  "default-src 'none'; script-src 'self'; style-src 'self'; "
                                  "img-src 'self' data:; connect-src 'self'; "
                                  "frame-src http://%.*s:%u; form-action 'none'; base-uri 'none'; "
                                  "frame-ancestors 'none'",
                                  n, x->host, other);
}

static enum MHD_Result send_answer(trib_exchange *x, struct MHD_Connection *connection) {
    struct stat about;
    struct MHD_Response *r = NULL;
    if (x->file >= 0 && fstat(x->file, &about) == 0) {
        r = api.MHD_create_response_from_fd64((uint64_t)about.st_size, x->file);
        x->file = r ? -1 : x->file; /* the response closes it */
    } else {
        const void *bytes = x->fixed ? x->fixed : x->answer.length > 0 ? x->answer.text : "";
        r = api.MHD_create_response_from_buffer(x->fixed ? x->n_fixed : x->answer.length,
                                                (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT);
    }
    if (!r) return MHD_NO;
    const char *const field[][2] = {{"Content-Type", x->type},
                                    {"Content-Security-Policy", policy(x)},
                                    {"X-Content-Type-Options", "nosniff"},
                                    {"Referrer-Policy", "no-referrer"},
                                    {"Cross-Origin-Resource-Policy", "same-origin"},
                                    {"Cache-Control", x->is_of_runs ? "no-cache" : "no-store"},
                                    {"Content-Disposition", x->disposition},
                                    {"Location", x->location},
                                    {"Set-Cookie", x->cookie},
                                    {"ETag", x->etag}};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        if (field[i][1]) api.MHD_add_response_header(r, field[i][0], field[i][1]);
    const enum MHD_Result result =
        api.MHD_queue_response(connection, x->status ? x->status : 200, r);
    api.MHD_destroy_response(r);
    return result;
}

/* An error in place of the answer. */
static void turn_to_error(trib_exchange *x, const trib_error *error) {
    static const char lacks[] = "{\"error\":\"out of memory\"}";
    static const unsigned codes[TRIB_N_STATUSES] = {
        [TRIB_OUTPUT] = 507, [TRIB_USAGE] = 400,  [TRIB_CONFIG] = 422,
        [TRIB_INPUT] = 422,  [TRIB_MEMORY] = 503, [TRIB_INTERRUPTED] = 503};
    if (x->status < 400) x->status = codes[error->status] ? codes[error->status] : 500;
    if (x->file >= 0) close(x->file);
    x->file = -1;
    trib_buffer_release(&x->answer);
    x->answer = (trib_buffer){0};
    const bool is_told =
        trib_app_answer(x, NULL, "{s:o}", "error", trib_json_text(error->message)) == TRIB_OK;
    x->fixed = is_told ? NULL : lacks;
    x->n_fixed = sizeof lacks - 1;
}

/* ---- Requests -------------------------------------------------------------------------------- */

static void *begin_request(void *context, const char *address, struct MHD_Connection *connection) {
    const door *d = context;
    trib_exchange *x = NULL;
    (void)connection;
    if (TRIB_NEW(&x, 1, "a request", NULL) != TRIB_OK) return NULL;
    x->app = &d->server->app;
    x->is_of_runs = d->is_of_runs;
    x->file = -1;
    x->upload.file = -1;
    if (trib_app_address_read(&x->address, &x->arena, address, &x->failure) != TRIB_OK)
        x->status = 400;
    return x;
}

static void end_request(void *context, struct MHD_Connection *connection, void **request,
                        enum MHD_RequestTerminationCode how) {
    trib_exchange *x = *request;
    (void)how;
    mark(((door *)context)->server, connection, false, 0);
    if (!x) return;
    if (x->is_upload) trib_writer_abandon(&x->upload);
    if (x->file >= 0) close(x->file);
    json_decref(x->json);
    trib_buffer_release(&x->body);
    trib_buffer_release(&x->answer);
    trib_arena_release(&x->arena);
    trib_free(x);
    *request = NULL;
}

static uint64_t most_of(const trib_exchange *x) {
    return x->is_upload ? x->app->options.most_file_size : TRIB_APP_BODY;
}

static trib_status refuse_size(trib_exchange *x, trib_error *error) {
    return trib_app_refuse(x, 413, error, "this is larger than %llu MiB",
                           (unsigned long long)(most_of(x) >> 20));
}

static trib_status begin(trib_exchange *x, struct MHD_Connection *connection, const char *method,
                         trib_error *error) {
#define FIELD(name) api.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name)
    const trib_app_headers headers = {
        method, FIELD("Origin"), FIELD("Sec-Fetch-Site"),
        api.MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, "tributary"),
        FIELD("X-Tributary")};
    const char *size = FIELD("Content-Length");
    uint64_t length = 0;
    x->host = FIELD("Host");
    x->if_match = FIELD("If-Match");
#undef FIELD
    trib_status status = x->status ? trib_fail(error, TRIB_USAGE, "%s", x->failure.message)
                                   : trib_app_admit(x, &headers, error);
    if (status != TRIB_OK) return status;
    x->is_upload = x->route->work == trib_app_file_put;
    if (size && trib_read_uint(size, &length) && length > most_of(x)) return refuse_size(x, error);
    if (x->is_upload) status = trib_app_upload_begin(x, error);
    x->is_upload = x->is_upload && status == TRIB_OK;
    return status;
}

/* Takes a part of a body. The first failure is told when all has arrived. */
static void take(trib_exchange *x, const char *bytes, size_t n) {
    if (x->failure.status != TRIB_OK) return;
    if ((x->is_upload ? x->upload.n_written : x->body.length) + n > most_of(x))
        (void)refuse_size(x, &x->failure);
    else if (x->is_upload) trib_write(&x->upload, bytes, n);
    else (void)trib_buffer_add(&x->body, bytes, n, &x->failure);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *bytes,
                              size_t *n_bytes, void **request) {
    server *s = ((door *)context)->server;
    trib_exchange *x = *request;
    trib_error error = {0};
    trib_status status = TRIB_OK;
    (void)url, (void)version;
    if (!x) return MHD_NO;
    if (!x->is_begun) {
        x->is_begun = true;
        mark(s, connection, false, 1);
        status = begin(x, connection, method, &error);
        if (status == TRIB_OK) return MHD_YES;
    } else if (*n_bytes > 0) {
        mark(s, connection, false, *n_bytes);
        take(x, bytes, *n_bytes);
        *n_bytes = 0;
        return MHD_YES;
    }
    mark(s, connection, true, 0);
    if (status == TRIB_OK && x->failure.status != TRIB_OK) {
        error = x->failure;
        status = error.status;
    }
    trib_json_begin();
    if (status == TRIB_OK && !x->is_upload && (strcmp(method, "GET") != 0))
        status = trib_app_json_read(x, &error);
    if (status == TRIB_OK) status = x->route->work(x, &error);
    if (status != TRIB_OK) turn_to_error(x, &error);
    return send_answer(x, connection);
}

/* ---- Start and end --------------------------------------------------------------------------- */

static size_t as_it_is(void *context, struct MHD_Connection *connection, char *text) {
    (void)context, (void)connection;
    return strlen(text);
}

static trib_status open_door(server *s, int which, struct sockaddr_in *at, trib_error *error) {
    const trib_app_options *o = &s->app.options;
    door *d = &s->door[which];
    *d = (door){.server = s, .is_of_runs = which == 1};
    at->sin_port = htons((uint16_t)(o->port > 0 ? o->port + which : 0));
    d->daemon = api.MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
            MHD_USE_ITC,
        0, NULL, NULL, handle, d, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)at,
        MHD_OPTION_NOTIFY_CONNECTION, note_line, d, MHD_OPTION_NOTIFY_COMPLETED, end_request, d,
        MHD_OPTION_URI_LOG_CALLBACK, begin_request, d, MHD_OPTION_UNESCAPE_CALLBACK, as_it_is, NULL,
        MHD_OPTION_CONNECTION_LIMIT, o->most, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK, MHD_OPTION_END);
    if (!d->daemon)
        return trib_fail(error, TRIB_USAGE, "port %u: cannot be served: %s; choose another --port",
                         (unsigned)ntohs(at->sin_port), strerror(errno));
    s->app.port[which] = api.MHD_get_daemon_info(d->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    return TRIB_OK;
}

static trib_status start(server *s, trib_error *error) {
    const trib_app_options *o = &s->app.options;
    struct sockaddr_in at = {.sin_family = AF_INET};
    if (inet_pton(AF_INET, o->address ? o->address : "127.0.0.1", &at.sin_addr) != 1)
        return trib_fail(error, TRIB_USAGE, "--listen: '%s' is no IPv4 address", o->address);
    if (ntohl(at.sin_addr.s_addr) >> 24 != 127 && !o->read_only)
        return trib_fail(error, TRIB_USAGE,
                         "--listen: others could change your files; add --read-only, which serves "
                         "finished runs only");
    trib_status status = load_api(error);
    if (status != TRIB_OK)
        trib_error_prefix(error, "the application needs libmicrohttpd (Debian: libmicrohttpd12); "
                                 "every other command works without it");
    if (status == TRIB_OK) status = TRIB_NEW(&s->line, s->n_lines, "connections", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < s->n_lines; i++) s->line[i].socket = -1;
    status = open_door(s, 0, &at, error);
    return status == TRIB_OK ? open_door(s, 1, &at, error) : status;
}

/* Whether nobody looks any more. */
static bool is_left(trib_app *app) {
    pthread_mutex_lock(&app->lock);
    const double now = trib_monotonic_seconds();
    bool is_open = false, was_open = app->last_closed > 0;
    for (size_t i = 0; i < sizeof app->page / sizeof *app->page; i++) {
        if (app->page[i].seen > 0 && now - app->page[i].seen > 3 * ALONE) {
            app->page[i].seen = 0; /* its browser was ended */
            app->last_closed = now;
        }
        is_open = is_open || app->page[i].seen > 0;
    }
    const bool left = was_open && !is_open && now - app->last_closed > app->options.alone;
    pthread_mutex_unlock(&app->lock);
    return left;
}

static void open_browser(trib_app *app, const char *address) {
    static const char *const openers[] = {"xdg-open", "open"};
    int process;
    trib_exchange none = {.app = app};
    for (size_t i = 0; i < 2; i++)
        if (trib_app_start(&process, &none, openers[i], TRIB_WORDS(address),
                           (int[]){-1, -1, -1, -1}, NULL) == TRIB_OK)
            return;
}

static void wait_for_end(server *s) {
    trib_app *app = &s->app;
    char address[160];
    snprintf(address, sizeof address, "http://%s:%u/?token=%s",
             app->options.address ? app->options.address : "127.0.0.1", (unsigned)app->port[0],
             app->token);
    dprintf(app->options.out, "%s\n", address);
    if (!app->options.no_browser) open_browser(app, address);
    while (!trib_stop_asked() && !app->is_quit && !is_left(app)) {
        end_slow(s);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
    trib_stop_ask(); /* for children */
}

trib_status trib_app_serve(const trib_app_options *options, trib_error *error) {
    server s = {.app = {.options = *options, .lock = PTHREAD_MUTEX_INITIALIZER},
                .lock = PTHREAD_MUTEX_INITIALIZER};
    trib_app_options *o = &s.app.options;
    if (o->most == 0) o->most = CONNECTIONS;
    if (o->patience <= 0) o->patience = PATIENCE;
    if (o->alone <= 0) o->alone = ALONE;
    if (o->most_file_size == 0) o->most_file_size = 1 << 30;
    s.n_lines = 2 * o->most + 8;
    trib_status status = trib_app_secret(s.app.token, error);
    if (status == TRIB_OK) status = trib_app_secret(s.app.change, error);
    if (status == TRIB_OK) status = trib_app_projects_open(&s.app, error);
    if (status == TRIB_OK) status = start(&s, error);
    if (status == TRIB_OK) wait_for_end(&s);
    for (int i = 0; i < 2; i++)
        if (s.door[i].daemon) api.MHD_stop_daemon(s.door[i].daemon);
    trib_app_projects_close(&s.app);
    trib_free(s.line);
    return status;
}

#else

trib_status trib_app_serve(const trib_app_options *options, trib_error *error) {
    (void)options;
    return trib_fail(error, TRIB_USAGE,
                     "this build has no application: install libmicrohttpd (Debian: "
                     "libmicrohttpd-dev) and build again; every other command works without it");
}

#endif
