/* routes.c - the table of what is answered, and who is let in. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "pipeline/app/exchange.h"

#define PROJECT "api/projects/*"

static const trib_app_route routes[] = {
    {"GET", "", trib_app_page, TRIB_APP_ALWAYS},
    {"GET", "help/*", trib_app_page, TRIB_APP_ALWAYS},
    {"GET", "run/*/*/**", trib_app_run_file, TRIB_APP_ALWAYS | TRIB_APP_OF_RUNS},
    {"GET", "api/state", trib_app_state, TRIB_APP_ALWAYS},
    {"GET", "api/keys", trib_app_keys, 0},
    {"GET", "api/folders", trib_app_folders, 0},
    {"POST", "api/alive", trib_app_alive, TRIB_APP_NO_TOKEN},
    {"POST", "api/quit", trib_app_quit, 0},
    {"POST", "api/projects", trib_app_projects_post, 0},
    {"GET", PROJECT, trib_app_project_get, TRIB_APP_ALWAYS},
    {"DELETE", PROJECT, trib_app_project_delete, 0},
    {"PUT", PROJECT "/files/*", trib_app_file_put, 0},
    {"DELETE", PROJECT "/files/*", trib_app_file_delete, 0},
    {"POST", PROJECT "/restore", trib_app_file_restore, 0},
    {"GET", PROJECT "/texts", trib_app_texts_get, 0},
    {"PUT", PROJECT "/texts", trib_app_texts_put, 0},
    {"GET", PROJECT "/text/**", trib_app_text_get, 0},
    {"GET", PROJECT "/yaml", trib_app_yaml_get, 0},
    {"PUT", PROJECT "/yaml", trib_app_yaml_put, 0},
    {"GET", PROJECT "/check", trib_app_check_get, 0},
    {"POST", PROJECT "/run", trib_app_run_post, 0},
    {"GET", PROJECT "/job", trib_app_job_get, 0},
    {"POST", PROJECT "/job", trib_app_job_post, 0},
    {"POST", PROJECT "/ask", trib_app_ask, 0},
    {"GET", PROJECT "/runs/*/judgements", trib_app_judgements_get, TRIB_APP_ALWAYS},
    {"PUT", PROJECT "/runs/*/judgements", trib_app_judgements_put, 0},
    {"GET", PROJECT "/runs/*/cite", trib_app_cite, 0},
    {"POST", PROJECT "/runs/*/publish", trib_app_publish, 0},
    {"GET", "*", trib_app_page, TRIB_APP_ALWAYS},
    {NULL, NULL, NULL, 0}};

static bool matches(const char *path, const trib_app_address *address) {
    size_t i = 0;
    for (const char *at = path; *at; i++) {
        const size_t n = strcspn(at, "/");
        if (strcmp(at, "**") == 0) return i < address->n_parts;
        if (i >= address->n_parts) return false;
        if (strncmp(at, "*", n) != 0 &&
            (strlen(address->part[i]) != n || strncmp(at, address->part[i], n) != 0))
            return false;
        at += n + (at[n] == '/');
    }
    return i == address->n_parts;
}

static trib_status find_route(trib_exchange *x, const char *method, trib_error *error) {
    bool is_path = false;
    for (const trib_app_route *r = routes; r->method && !x->route; r++) {
        const bool is_of_runs = (r->flags & TRIB_APP_OF_RUNS) != 0;
        if (is_of_runs != x->is_of_runs || !matches(r->path, &x->address)) continue;
        is_path = true;
        if (strcmp(r->method, method) == 0) x->route = r;
    }
    if (x->route) return TRIB_OK;
    return is_path ? trib_app_refuse(x, 405, error, "%s is not answered here", method)
                   : trib_app_refuse(x, 404, error, "there is no such page");
}

/* Whether a request has what it must, whatever it asks for. A browser says by the header
 * Sec-Fetch-Site which pages made it ask: only those of runs are framed from another origin. */
static trib_status check_origin(trib_exchange *x, const trib_app_headers *h, trib_error *error) {
    const uint16_t port = x->app->port[x->is_of_runs];
    if (!trib_app_host_is_ours(x->host, port, x->app->options.address))
        return trib_app_refuse(x, 403, error,
                               "this server is 127.0.0.1:%u, and answers to no "
                               "other name",
                               (unsigned)port);
    const bool is_near = !h->site || strcmp(h->site, "same-origin") == 0 ||
                         strcmp(h->site, "none") == 0 ||
                         (x->is_of_runs && strcmp(h->site, "same-site") == 0);
    if (is_near && trib_app_origin_is_ours(h->origin, x->host)) return TRIB_OK;
    return trib_app_refuse(x, 403, error, "a page of another site asked for this");
}

trib_status trib_app_admit(trib_exchange *x, const trib_app_headers *h, trib_error *error) {
    trib_app *app = x->app;
    const trib_app_address *a = &x->address;
    const char *given = trib_app_parameter_of(a, "token");
    const bool enters = a->n_parts == 0 && trib_app_same(given, app->token);
    trib_status status = check_origin(x, h, error);
    if (status == TRIB_OK) status = find_route(x, h->method, error);
    if (status != TRIB_OK) return status;
    const bool changes = strcmp(h->method, "GET") != 0;
    if (!enters && !trib_app_same(h->cookie, app->token))
        return trib_app_refuse(x, 403, error,
                               "this page needs the whole address that `tributary app` printed; "
                               "start it again, or copy the address from the terminal");
    if (app->options.read_only && !(x->route->flags & TRIB_APP_ALWAYS))
        return trib_app_refuse(x, changes ? 405 : 403, error,
                               "only finished runs are served here (--read-only)");
    if (changes && !(x->route->flags & TRIB_APP_NO_TOKEN) && !trib_app_same(h->change, app->change))
        return trib_app_refuse(x, 403, error,
                               "the header X-Tributary is missing or old; load the page again");
    const size_t at = a->n_parts > 1 && strcmp(a->part[0], "run") == 0        ? 1
                      : a->n_parts > 2 && strcmp(a->part[1], "projects") == 0 ? 2
                                                                              : 0;
    if (at > 0) x->project = trib_app_project(app, a->part[at]);
    if (at == 0 || x->project) return TRIB_OK;
    return trib_app_refuse(x, 404, error, "this project is not open; open its folder");
}

trib_status trib_app_secret(char secret[TRIB_APP_SECRET], trib_error *error) {
    unsigned char bytes[(TRIB_APP_SECRET - 1) / 2];
    const int file = trib_disk_open("/dev/urandom", O_RDONLY);
    const ssize_t n = file >= 0 ? read(file, bytes, sizeof bytes) : -1;
    if (file >= 0) close(file);
    if (n != (ssize_t)sizeof bytes)
        return trib_fail(error, TRIB_INTERNAL, "/dev/urandom: cannot be read: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    return TRIB_OK;
}
