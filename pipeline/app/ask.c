/* ask.c - questions to the texts, the publication of a run, and the pages that are open. */
#include <sys/stat.h>

#include "pipeline/app/exchange.h"
#include "pipeline/support/signals.h"

/* The index of the project is as new as its texts. */
static trib_status keep_index(trib_exchange *x, trib_error *error) {
    const uint64_t state = trib_app_files_state(x);
    const bool has_yaml = trib_disk_is_file(trib_app_below(x, "experiment.yaml", ""));
    pthread_mutex_lock(&x->app->lock);
    const bool is_new = x->project->index_of == state;
    pthread_mutex_unlock(&x->app->lock);
    if (is_new) return TRIB_OK;
    trib_app_child child = {
        .argument = {"index", "add", "--json", ".index", has_yaml ? "experiment.yaml" : "texts"}};
    trib_status status = trib_app_run_child(&child, x->app, x->project->path, error);
    if (status == TRIB_OK && child.result != 0 && child.output.length == 0) {
        x->status = 422;
        status = trib_fail(error, TRIB_INPUT, "%s", trib_app_child_says(&x->arena, &child));
    }
    trib_app_child_release(&child);
    pthread_mutex_lock(&x->app->lock);
    if (status == TRIB_OK) x->project->index_of = state;
    pthread_mutex_unlock(&x->app->lock);
    return status;
}

trib_status trib_app_ask(trib_exchange *x, trib_error *error) {
    const char *text = trib_json_get_text(x->json, "text");
    const char *run = trib_json_get_text(x->json, "run");
    const bool is_word = strcmp(trib_json_get_text(x->json, "kind"), "word") == 0;
    trib_app_child child = {.argument = {"find", "--json", ".index"}, .input = text};
    if (!text[strspn(text, " \t\r\n")]) return trib_app_refuse(x, 400, error, "there are no words");
    trib_status status = TRIB_OK;
    if (is_word) {
        const char *folder = strchr(run, '/') || *run == '.' ? NULL
                             : *run                          ? trib_app_run_folder(x, run)
                                                             : trib_app_newest_run(x);
        if (!folder)
            return trib_app_refuse(
                x, 409, error, "compare the texts first: words are looked up in a finished run");
        child = (trib_app_child){.argument = {"kwic", "--json", "--", folder, text}};
    } else status = keep_index(x, error);
    if (status == TRIB_OK) status = trib_app_run_child(&child, x->app, x->project->path, error);
    if (status == TRIB_OK) status = trib_app_hand_on(x, &child, error);
    trib_app_child_release(&child);
    return status;
}

trib_status trib_app_publish(trib_exchange *x, trib_error *error) {
    const char *folder = trib_app_run_folder(x, x->address.part[4]);
    if (!folder) return trib_app_refuse(x, 404, error, "there is no such run");
    trib_app_child child = {.argument = {"publish", "--json", "--", folder}};
    trib_status status = trib_app_run_child(&child, x->app, x->project->path, error);
    if (status == TRIB_OK) status = trib_app_hand_on(x, &child, error);
    trib_app_child_release(&child);
    return status;
}

/* ---- Pages that are open --------------------------------------------------------------------- */

trib_status trib_app_alive(trib_exchange *x, trib_error *error) {
    trib_app *app = x->app;
    const char *name = trib_json_get_text(x->json, "page");
    const bool closes = json_is_true(json_object_get(x->json, "closed"));
    const size_t n = sizeof app->page / sizeof *app->page;
    size_t i = 0, free_one = n;
    if (!*name || strlen(name) >= sizeof app->page[0].name)
        return trib_app_refuse(x, 400, error, "'page' is a name of 1 to 32 bytes");
    pthread_mutex_lock(&app->lock);
    const double now = trib_monotonic_seconds();
    for (; i < n; i++) {
        if (app->page[i].seen == 0) free_one = i;
        else if (strcmp(app->page[i].name, name) == 0) break;
    }
    if (i == n) i = closes ? n : free_one;
    if (i < n) {
        snprintf(app->page[i].name, sizeof app->page[i].name, "%s", name);
        app->page[i].seen = closes ? 0 : now;
        app->last_closed = closes ? now : app->last_closed;
    }
    pthread_mutex_unlock(&app->lock);
    return trib_app_answer(x, json_object(), error);
}

trib_status trib_app_quit(trib_exchange *x, trib_error *error) {
    x->app->is_quit = true;
    return trib_app_answer(x, json_object(), error);
}
