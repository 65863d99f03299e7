/* ask.c - questions to the texts, the publication of a run, and the pages that are open. */
#include "pipeline/app/exchange.h"
#include "pipeline/support/signals.h"

/* Answers with the JSON of a command. */
static trib_status hand_on(trib_exchange *x, const char *input, trib_error *error,
                           const char *const words[]) {
    json_t *answer;
    const trib_status status = trib_app_program_json(x, &answer, input, error, words);
    return status == TRIB_OK ? trib_app_answer(x, error, "o", answer) : status;
}

/* The index of the project is as new as its texts. */
static trib_status keep_index(trib_exchange *x, trib_error *error) {
    const uint64_t state = trib_app_files_state(x);
    const bool has_yaml = trib_disk_is_file(trib_app_below(x, TRIB_APP_EXPERIMENT, ""));
    json_t *added = NULL;
    pthread_mutex_lock(&x->app->lock);
    const bool is_new = x->project->index_of == state;
    pthread_mutex_unlock(&x->app->lock);
    if (is_new) return TRIB_OK;
    const trib_status status = trib_app_program_json(
        x, &added, NULL, error,
        TRIB_WORDS("index", "add", "--json", ".index",
                   has_yaml ? TRIB_APP_EXPERIMENT : trib_app_texts_folder(x)));
    json_decref(added);
    pthread_mutex_lock(&x->app->lock);
    if (status == TRIB_OK) x->project->index_of = state;
    pthread_mutex_unlock(&x->app->lock);
    return status;
}

trib_status trib_app_ask(trib_exchange *x, trib_error *error) {
    const char *text = trib_json_get_text(x->json, "text");
    const char *run = trib_json_get_text(x->json, "run");
    if (!text[strspn(text, " \t\r\n")]) return trib_app_refuse(x, 400, error, "there are no words");
    if (strcmp(trib_json_get_text(x->json, "kind"), "word") == 0) {
        const char *folder = trib_app_run_folder(x, *run ? run : NULL);
        if (folder)
            return hand_on(x, NULL, error, TRIB_WORDS("kwic", "--json", "--", folder, text));
        return trib_app_refuse(x, 409, error,
                               "compare the texts first: words are looked up in a finished run");
    }
    const trib_status status = keep_index(x, error);
    return status == TRIB_OK ? hand_on(x, text, error, TRIB_WORDS("find", "--json", ".index"))
                             : status;
}

/* What a paper says of a run. */
trib_status trib_app_cite(trib_exchange *x, trib_error *error) {
    const char *folder = trib_app_run_folder(x, x->address.part[4]);
    if (!folder) return trib_app_refuse(x, 404, error, "there is no such run");
    return hand_on(x, NULL, error, TRIB_WORDS("cite", "--json", "--", folder));
}

/* Writes the site of a run, curated by its judgements when there are any. */
trib_status trib_app_publish(trib_exchange *x, trib_error *error) {
    const char *run = x->address.part[4], *folder = trib_app_run_folder(x, run);
    const char *site = trib_arena_print(&x->arena, "site/%s", run);
    const char *judged = trib_arena_print(&x->arena, "judgements/%s.csv", run);
    if (!folder) return trib_app_refuse(x, 404, error, "there is no such run");
    const trib_status status = trib_directory_create(trib_app_below(x, "site", ""), error);
    if (status != TRIB_OK) return status;
    return trib_disk_is_file(trib_app_below(x, judged, ""))
               ? hand_on(x, NULL, error,
                         TRIB_WORDS("publish", "--json", "-o", site, "--judgements", judged, "--",
                                    folder))
               : hand_on(x, NULL, error, TRIB_WORDS("publish", "--json", "-o", site, "--", folder));
}

/* ---- Pages that are open --------------------------------------------------------------------- */

trib_status trib_app_alive(trib_exchange *x, trib_error *error) {
    trib_app *app = x->app;
    const char *name = trib_json_get_text(x->json, "page");
    const bool closes = json_is_true(json_object_get(x->json, "closed"));
    size_t i = 0, free_one = TRIB_APP_PAGES;
    if (!*name || strlen(name) >= sizeof app->page[0].name)
        return trib_app_refuse(x, 400, error, "'page' is a name of 1 to 32 bytes");
    pthread_mutex_lock(&app->lock);
    for (; i < TRIB_APP_PAGES; i++) {
        if (app->page[i].seen == 0) free_one = i;
        else if (strcmp(app->page[i].name, name) == 0) break;
    }
    if (i == TRIB_APP_PAGES && !closes) i = free_one;
    if (i < TRIB_APP_PAGES) {
        const double now = trib_monotonic_seconds();
        snprintf(app->page[i].name, sizeof app->page[i].name, "%s", name);
        app->page[i].seen = closes ? 0 : now;
        if (closes) app->last_closed = now;
    }
    pthread_mutex_unlock(&app->lock);
    return trib_app_answer(x, error, "{}");
}

trib_status trib_app_quit(trib_exchange *x, trib_error *error) {
    x->app->is_quit = true;
    return trib_app_answer(x, error, "{}");
}
