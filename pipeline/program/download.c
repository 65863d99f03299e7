/* download.c - downloads one file. */
#include "base/system.h"
#include "pipeline/program/fetch.h"
#include "pipeline/support/signals.h"

#include <errno.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef TRIB_WITH_CURL
#include <curl/curl.h>

/* ---- libcurl --------------------------------------------------------------------------------- */

#define CURL_FUNCTIONS(F)                                                                          \
    F(curl_global_init)                                                                            \
    F(curl_global_cleanup)                                                                         \
    F(curl_easy_init)                                                                              \
    F(curl_easy_reset)                                                                             \
    F(curl_easy_setopt)                                                                            \
    F(curl_easy_perform)                                                                           \
    F(curl_easy_getinfo)                                                                           \
    F(curl_easy_strerror)                                                                          \
    F(curl_easy_cleanup)

/* curl.h replaces these by macros of the same names, which check types. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

/* Where the build knows the file of libcurl (TRIB_CURL), load_api loads it, for one thread at a
 * time; otherwise it is linked. */
#ifdef TRIB_CURL
TRIB_LOADED(CURL_FUNCTIONS, TRIB_CURL)
#else
TRIB_LINKED(CURL_FUNCTIONS)
#endif

/* ---- A download ------------------------------------------------------------------------------ */

/* A download. */
typedef struct transfer {
    trib_fetch *fetch;
    const char *url;
    char at[2048];     /* where a redirect led; url at first */
    double end;        /* when the file must be there */
    bool is_trap;      /* a public address led to a private one */
    trib_buffer *text; /* the body received */
    bool is_page;      /* the answer is text/html */
    trib_error *error;
    char problem[CURL_ERROR_SIZE];
} transfer;

static void pause_for(double seconds) {
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    /* a stop was requested */
    while (seconds > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) break;
}

/* ---- libcurl's callbacks --------------------------------------------------------------------- */

static bool field_is(const char *line, size_t n, const char *name) {
    return n > strlen(name) && strncasecmp(line, name, strlen(name)) == 0;
}

static size_t take_header(char *line, size_t size, size_t n, void *context) {
    transfer *t = context;
    n *= size;
    if (n > 5 && strncmp(line, "HTTP/", 5) == 0) t->is_page = false; /* of another answer */
    t->is_page |= field_is(line, n, "content-type: text/html");
    return n;
}

static size_t take_body(char *bytes, size_t size, size_t n, void *context) {
    transfer *t = context;
    long code = 0;
    api.curl_easy_getinfo(t->fetch->curl, CURLINFO_RESPONSE_CODE, &code);
    n *= size;
    if (code != 200) return n; /* the body of an error message */
    if (t->is_page) return 0;
    t->fetch->n_bytes += n;
    if (t->fetch->n_bytes > TRIB_FETCH_ALL) return 0;
    if (trib_buffer_add(t->text, bytes, n, t->error) != TRIB_OK) return 0;
    return t->text->length <= TRIB_FETCH_MOST ? n : 0;
}

static int look_up(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    const transfer *t = context;
    (void)a, (void)b, (void)c, (void)d;
    return trib_log_stopped(t->fetch->log, NULL) != TRIB_OK;
}

/* A name may have other addresses than it had before, so the address itself is looked at. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *to) {
    transfer *t = context;
    trib_fetch *fetch = t->fetch;
    const bool is_private = trib_address_is_private(&to->addr);
    (void)purpose;
    if (!fetch->is_led) fetch->is_public = !is_private;
    t->is_trap = fetch->is_led && fetch->is_public && is_private;
    return t->is_trap ? CURL_SOCKET_BAD : socket(to->family, to->socktype, to->protocol);
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* Names the certificates of this system where libcurl would look for them in vain: a program that
 * was built on another system knows the place of that one only. */
static void find_certificates(CURL *curl) {
#if LIBCURL_VERSION_NUM >= 0x075400
    static const char *const places[] = {"/etc/ssl/certs/ca-certificates.crt",
                                         "/etc/pki/tls/certs/ca-bundle.crt",
                                         "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};
    const char *own = NULL;
    if (api.curl_easy_getinfo(curl, CURLINFO_CAINFO, &own) == CURLE_OK && own &&
        trib_disk_may(own, R_OK))
        return;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (trib_disk_may(places[i], R_OK)) {
            api.curl_easy_setopt(curl, CURLOPT_CAINFO, places[i]);
            return;
        }
#else
    (void)curl;
#endif
}

static void set_up(transfer *t) {
    CURL *curl = t->fetch->curl;
    const double left = t->end - trib_monotonic_seconds();
    api.curl_easy_reset(curl);
    api.curl_easy_setopt(curl, CURLOPT_URL, t->at);
#if LIBCURL_VERSION_NUM >= 0x075500
    api.curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    api.curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    find_certificates(curl);
    api.curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, left > .001 ? (long)(1000 * left) : 1L);
    api.curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L); /* each address is looked at */
    api.curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    api.curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, t);
    api.curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    api.curl_easy_setopt(curl, CURLOPT_USERAGENT,
                         "tributary/" TRIB_VERSION " (text analysis; one request at a time)");
    api.curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, t->fetch->timeout);
    api.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)TRIB_FETCH_SLOWEST);
    api.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, t->fetch->timeout);
    api.curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, t->problem);
    api.curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    api.curl_easy_setopt(curl, CURLOPT_HEADERDATA, t);
    api.curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    api.curl_easy_setopt(curl, CURLOPT_WRITEDATA, t);
    api.curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look_up);
    api.curl_easy_setopt(curl, CURLOPT_XFERINFODATA, t);
    api.curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
}

typedef enum { WHOLE, ABSENT, AGAIN, REFUSED, MOVED } outcome;

/* Determines the outcome of a request. Sets t->problem to the reason of a failure, and *wait to the
 * seconds before the next attempt. */
static outcome judge(transfer *t, CURLcode result, double *wait) {
    long code = 0;
    curl_off_t after = 0;
    api.curl_easy_getinfo(t->fetch->curl, CURLINFO_RESPONSE_CODE, &code);
    api.curl_easy_getinfo(t->fetch->curl, CURLINFO_RETRY_AFTER, &after);
    char *why = t->problem;
    const size_t n = sizeof t->problem;
    if (t->is_page && code == 200) {
        snprintf(why, n, "the answer is a web page, not a text; is this address a mirror?");
        return REFUSED;
    }
    if (t->text->failure != TRIB_OK) return REFUSED;
    if (t->is_trap) {
        snprintf(why, n, "it leads from a public address to a private one (%.80s)", t->at);
        return REFUSED;
    }
    if (t->fetch->n_bytes > TRIB_FETCH_ALL) {
        snprintf(why, n, "more than 16 GiB were fetched; go on with another command");
        return REFUSED;
    }
    if (trib_monotonic_seconds() >= t->end) {
        snprintf(why, n, "it took more than %g seconds in all; raise --timeout", t->fetch->whole);
        return REFUSED;
    }
    if (t->text->length > TRIB_FETCH_MOST) {
        snprintf(why, n, "it is larger than %d MiB", TRIB_FETCH_MOST >> 20);
        return REFUSED;
    }
    if (result == CURLE_PARTIAL_FILE || result == CURLE_RECV_ERROR || result == CURLE_GOT_NOTHING ||
        result == CURLE_OPERATION_TIMEDOUT)
        return AGAIN;
    if (result != CURLE_OK) {
        if (!*why) snprintf(why, n, "%s", api.curl_easy_strerror(result));
        return REFUSED;
    }
    if (code == 200) return WHOLE;
    if (code == 404 || code == 410) return ABSENT;
    if (code == 301 || code == 302 || code == 303 || code == 307 || code == 308) return MOVED;
    snprintf(why, n, "the server answers with status %ld", code);
    if (code != 429 && code != 500 && code != 502 && code != 503 && code != 504) return REFUSED;
    if (after > (curl_off_t)*wait) *wait = (double)after;
    if (after <= TRIB_FETCH_PATIENCE) return AGAIN;
    snprintf(why, n, "the server asks to try again in %lld seconds", (long long)after);
    return REFUSED;
}

/* Sends one request. */
static outcome ask(transfer *t, double *wait) {
    t->problem[0] = '\0';
    t->is_page = false;
    trib_buffer_clear(t->text);
    if (t->fetch->has_asked) pause_for(t->fetch->wait);
    t->fetch->has_asked = true;
    set_up(t);
    const CURLcode result = api.curl_easy_perform(t->fetch->curl);
    api.curl_easy_getinfo(t->fetch->curl, CURLINFO_RESPONSE_CODE, &t->fetch->code);
    return judge(t, result, wait);
}

/* Goes where the answer leads, if it may. */
static outcome follow(transfer *t) {
    trib_fetch *fetch = t->fetch;
    const char *to = NULL;
    trib_error error = {0};
    const bool was_led = fetch->is_led, was_safe = strncasecmp(t->at, "https:", 6) == 0;
    bool may = true;
    api.curl_easy_getinfo(fetch->curl, CURLINFO_REDIRECT_URL, &to);
    if (!to || strncasecmp(to, was_safe ? "https:" : "http", was_safe ? 6 : 4) != 0 ||
        snprintf(t->at, sizeof t->at, "%s", to) >= (int)sizeof t->at) {
        snprintf(t->problem, sizeof t->problem, "it is redirected to what is not fetched: %.100s",
                 to ? to : "nothing");
        return REFUSED;
    }
    fetch->is_led = true;
    if (!fetch->is_rules && fetch->may && fetch->may(fetch, t->at, &may, &error) != TRIB_OK)
        may = false;
    fetch->is_led = was_led;
    if (may) return MOVED;
    snprintf(t->problem, sizeof t->problem, "it leads to %.100s, %.100s", t->at,
             *error.message ? error.message : "which the robots.txt there forbids");
    return REFUSED;
}

/* Sends a request, and those that its answers lead to. */
static outcome ask_all(transfer *t, double *wait) {
    enum { HOPS = 5 };
    trib_fetch *fetch = t->fetch;
    const bool was_led = fetch->is_led;
    snprintf(t->at, sizeof t->at, "%s", t->url);
    outcome result = ask(t, wait);
    for (int hop = 0; result == MOVED && hop < HOPS; hop++) {
        result = follow(t);
        fetch->is_led = true;
        if (result == MOVED) result = ask(t, wait);
        fetch->is_led = was_led;
    }
    if (result != MOVED) return result;
    snprintf(t->problem, sizeof t->problem, "it is redirected more than %d times", HOPS);
    return REFUSED;
}

trib_status trib_fetch_get(trib_fetch *fetch, const char *url, trib_buffer *text, bool *is_there,
                           trib_error *error) {
    transfer t = {.fetch = fetch, .url = url, .text = text, .error = error};
    t.end = trib_monotonic_seconds() + fetch->whole;
    *is_there = false;
    double wait = fetch->wait;
    outcome result = AGAIN;
    for (int attempt = 0; attempt < fetch->attempts && result == AGAIN; attempt++) {
        const trib_status stopped = trib_log_stopped(fetch->log, error);
        if (stopped != TRIB_OK) return stopped;
        if (attempt > 0) {
            trib_log_say(fetch->log, TRIB_LOG_INFO, "%s: %s; trying again", url, t.problem);
            pause_for(wait);
            wait *= 2;
        }
        result = ask_all(&t, &wait);
    }
    const trib_status stopped = trib_log_stopped(fetch->log, error);
    if (stopped != TRIB_OK) return stopped;
    if (result == ABSENT) return TRIB_OK;
    if (text->failure != TRIB_OK) return text->failure;
    if (result != WHOLE)
        return trib_fail(error, TRIB_INPUT, "%s: cannot be fetched: %s", url, t.problem);
    *is_there = true;
    return TRIB_OK;
}

trib_status trib_fetch_open(trib_fetch *fetch, trib_log *log, double wait, long timeout,
                            trib_error *error) {
    *fetch = (trib_fetch){.log = log,
                          .wait = wait,
                          .timeout = timeout,
                          .whole = TRIB_FETCH_WHOLE * (double)timeout,
                          .attempts = TRIB_FETCH_ATTEMPTS};
    const trib_status status = load_api(error);
    if (status != TRIB_OK) return status;
    if (api.curl_global_init(CURL_GLOBAL_DEFAULT) == 0) fetch->curl = api.curl_easy_init();
    return fetch->curl ? TRIB_OK
                       : trib_fail(error, TRIB_MEMORY, "libcurl cannot be started: out of memory?");
}

void trib_fetch_close(trib_fetch *fetch) {
    if (fetch->curl) {
        api.curl_easy_cleanup(fetch->curl);
        api.curl_global_cleanup();
    }
    for (size_t i = 0; i < TRIB_FETCH_SITES; i++) trib_buffer_release(&fetch->site[i].rules);
    *fetch = (trib_fetch){0};
}

#else

trib_status trib_fetch_open(trib_fetch *fetch, trib_log *log, double wait, long timeout,
                            trib_error *error) {
    (void)log, (void)wait, (void)timeout;
    *fetch = (trib_fetch){0};
    return trib_fail(error, TRIB_USAGE,
                     "this build cannot fetch: install libcurl (Debian: libcurl4-openssl-dev) and "
                     "build again, or copy the texts there by hand");
}

void trib_fetch_close(trib_fetch *fetch) { *fetch = (trib_fetch){0}; }

trib_status trib_fetch_get(trib_fetch *fetch, const char *url, trib_buffer *text, bool *is_there,
                           trib_error *error) {
    (void)fetch, (void)text;
    *is_there = false;
    return trib_fail(error, TRIB_INTERNAL, "%s: nothing can be fetched", url);
}

#endif
