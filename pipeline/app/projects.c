/* projects.c - the folders that were opened: their list, and what is in them. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/app/exchange.h"
#include "pipeline/config/keys.h"

/* ---- The list -------------------------------------------------------------------------------- */

trib_project *trib_app_project(trib_app *app, const char *id) {
    trib_project *found = NULL;
    pthread_mutex_lock(&app->lock);
    for (size_t i = 0; i < app->n_projects && !found; i++)
        if (strcmp(app->project[i]->id, id) == 0) found = app->project[i];
    pthread_mutex_unlock(&app->lock);
    return found;
}

static trib_status new_project(trib_app *app, const char *path, trib_error *error) {
    trib_project *p = NULL;
    trib_status status =
        TRIB_GROW(&app->project, &app->projects_cap, app->n_projects + 1, "projects", error);
    if (status == TRIB_OK) status = TRIB_NEW(&p, 1, "a project", error);
    if (status == TRIB_OK) status = trib_copy(&p->path, path, error);
    if (status == TRIB_OK) status = trib_disk_seal(path, error);
    if (status != TRIB_OK) {
        if (p) trib_free(p->path);
        trib_free(p);
        return status;
    }
    snprintf(p->id, sizeof p->id, "%016llx", (unsigned long long)trib_checksum(path, strlen(path)));
    app->project[app->n_projects++] = p;
    return TRIB_OK;
}

static const char *list_path(trib_app *app) {
    return app->state ? trib_arena_print(&app->arena, "%s/projects.json", app->state) : NULL;
}

/* The caller holds the lock. */
static trib_status write_list(trib_app *app, trib_error *error) {
    json_t *paths = json_array();
    trib_writer file = {.file = -1};
    for (size_t i = 0; i < app->n_projects; i++)
        if (app->project[i]->is_listed)
            json_array_append_new(paths, trib_json_text(app->project[i]->path));
    const bool is_kept = app->state && !app->options.read_only;
    trib_status status = is_kept ? trib_directory_create(app->state, error) : TRIB_OK;
    if (status == TRIB_OK && is_kept) status = trib_writer_open(&file, list_path(app), error);
    if (status == TRIB_OK && is_kept) {
        status = trib_json_print(&file, error, "{s:O}", "projects", paths);
        if (status == TRIB_OK) status = trib_writer_commit(&file, NULL, error);
        else trib_writer_abandon(&file);
    }
    json_decref(paths);
    return status;
}

static trib_status add_project(trib_app *app, const char *path, trib_project **added,
                               trib_error *error) {
    char real[TRIB_PATH_MAX];
    size_t i = 0;
    const char *why = !realpath(path, real)               ? strerror(errno)
                      : !trib_disk_is_folder(real)        ? "it is no folder"
                      : !trib_disk_may(real, R_OK | X_OK) ? strerror(EACCES)
                                                          : NULL;
    if (why)
        return trib_fail(error, TRIB_USAGE, "%s: cannot be opened: %s; name a folder", path, why);
    pthread_mutex_lock(&app->lock);
    while (i < app->n_projects && strcmp(app->project[i]->path, real) != 0) i++;
    trib_status status = i < app->n_projects ? TRIB_OK : new_project(app, real, error);
    if (status == TRIB_OK) {
        trib_project *const first = *added = app->project[i];
        memmove(app->project + 1, app->project, i * sizeof(trib_project *));
        app->project[0] = first;
        first->is_listed = true;
        status = write_list(app, error);
    }
    pthread_mutex_unlock(&app->lock);
    return status;
}

/* Opens the projects of the list that are still there. */
static trib_status read_list(trib_app *app, trib_error *error) {
    json_t *list = NULL;
    size_t i;
    json_t *path;
    trib_status status = TRIB_OK;
    if (!app->state || !trib_disk_is_file(list_path(app))) return TRIB_OK;
    if (trib_json_load(&list, list_path(app), NULL) != TRIB_OK) return TRIB_OK;
    json_array_foreach(json_object_get(list, "projects"), i, path) {
        const char *name = json_string_value(path);
        if (status != TRIB_OK || !name || *name != '/' || !trib_disk_is_folder(name)) continue;
        status = new_project(app, name, error);
        if (status == TRIB_OK) app->project[app->n_projects - 1]->is_listed = true;
    }
    json_decref(list);
    return status;
}

trib_status trib_app_projects_open(trib_app *app, trib_error *error) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    trib_project *first = NULL;
    app->home = home && *home == '/' ? home : "/";
    if (state && *state == '/') app->state = trib_arena_print(&app->arena, "%s/tributary", state);
    else if (home && *home == '/')
        app->state = trib_arena_print(&app->arena, "%s/.local/state/tributary", home);
    trib_status status = trib_arena_check(&app->arena, error);
    if (status == TRIB_OK && app->options.read_only && !app->options.folder)
        return trib_fail(error, TRIB_USAGE,
                         "--read-only: name the folder whose runs are to be served");
    if (status == TRIB_OK && !app->options.read_only) status = read_list(app, error);
    if (status == TRIB_OK && app->options.folder)
        status = add_project(app, app->options.folder, &first, error);
    app->first = first ? first->id : NULL;
    return status;
}

void trib_app_projects_close(trib_app *app) {
    for (size_t i = 0; i < app->n_projects; i++) {
        trib_disk_unseal(app->project[i]->path);
        for (int k = 0; k < 2; k++) trib_buffer_release(&app->project[i]->texts[k].answer);
        trib_free(app->project[i]->path);
        trib_free(app->project[i]);
    }
    trib_free(app->project);
    trib_arena_release(&app->arena);
}

/* ---- What is in a project -------------------------------------------------------------------- */

const char *trib_app_below(trib_exchange *x, const char *folder, const char *name) {
    return trib_arena_print(&x->arena, "%s/%s%s%s", x->project->path, folder,
                            *folder && *name ? "/" : "", name);
}

static size_t count_files(trib_arena *arena, const char *folder) {
    trib_names names;
    size_t n = 0;
    if (!trib_disk_list(folder, &names, arena)) return 0;
    for (size_t i = 0; i < names.n; i++)
        n += names.name[i][0] != '.' &&
             trib_disk_is_file(trib_arena_print(arena, "%s/%s", folder, names.name[i]));
    return n;
}

static const char *texts_of(trib_arena *arena, const trib_project *p) {
    const bool is_new =
        !trib_disk_is_file(trib_arena_print(arena, "%s/" TRIB_APP_EXPERIMENT, p->path));
    const bool has_texts = trib_disk_is_folder(trib_arena_print(arena, "%s/texts", p->path));
    return is_new && (!has_texts || count_files(arena, p->path) > 0) ? "." : "texts";
}

const char *trib_app_texts_folder(trib_exchange *x) { return texts_of(&x->arena, x->project); }

static size_t count_texts(trib_arena *arena, const trib_project *p) {
    const char *texts = trib_arena_print(arena, "%s/texts", p->path);
    return trib_disk_is_folder(texts) && strcmp(texts_of(arena, p), ".") != 0
               ? count_files(arena, texts)
               : count_files(arena, p->path);
}

/* Adds the run in a folder to a list, if one is there. */
static void add_run(trib_exchange *x, json_t *list, const char *folder, const char *name) {
    struct stat about;
    json_t *state = NULL;
    const char *below = trib_arena_print(&x->arena, "%s%s%s", folder, *folder ? "/" : "", name);
    const char *path = trib_app_below(x, below, "status");
    if (name[0] == '.' || trib_disk_about(path, &about) != 0 ||
        trib_json_load(&state, path, NULL) != TRIB_OK)
        return;
    const bool is_whole = strcmp(trib_json_get_text(state, "state"), "complete") == 0;
    const char *report = trib_app_below(x, below, "report.html");
    const bool has = is_whole && trib_disk_is_file(report);
    json_array_append_new(list, json_pack("{s:o, s:o, s:b, s:I, s:s?}", "name",
                                          trib_json_text(name), "folder", trib_json_text(below),
                                          "finished", is_whole, "time", (json_int_t)about.st_mtime,
                                          "report", has ? "report.html" : NULL));
    json_decref(state);
}

static json_t *list_runs(trib_exchange *x) {
    static const char *const places[] = {"runs", ""};
    json_t *list = json_array();
    trib_names names;
    for (size_t p = 0; p < 2; p++) {
        if (!trib_disk_list(trib_app_below(x, places[p], ""), &names, &x->arena)) continue;
        for (size_t i = 0; i < names.n; i++) add_run(x, list, places[p], names.name[i]);
    }
    return list;
}

const char *trib_app_run_folder(trib_exchange *x, const char *name) {
    const char *found = NULL;
    json_int_t newest = -1;
    if (name && !strchr(name, '/') && name[0] != '.') {
        found = trib_arena_print(&x->arena, "runs/%s", name);
        if (trib_disk_is_file(trib_app_below(x, found, "status"))) return found;
        return trib_disk_is_file(trib_app_below(x, name, "status")) ? name : NULL;
    }
    json_t *runs = name ? NULL : list_runs(x), *run;
    size_t i;
    json_array_foreach(runs, i, run) {
        const json_int_t time = json_integer_value(json_object_get(run, "time"));
        if (!json_is_true(json_object_get(run, "finished")) || time <= newest) continue;
        newest = time;
        found = trib_arena_print(&x->arena, "%s", trib_json_get_text(run, "folder"));
    }
    json_decref(runs);
    return found;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* What both pages tell of a project. */
static json_t *describe(trib_exchange *x, const trib_project *p) {
    return json_pack("{s:s, s:o, s:o, s:I}", "id", p->id, "path", trib_json_text(p->path), "name",
                     trib_json_text(name_of(p->path)), "n_texts",
                     (json_int_t)count_texts(&x->arena, p));
}

trib_status trib_app_project_get(trib_exchange *x, trib_error *error) {
    json_t *about = describe(x, x->project);
    json_object_set_new(about, "runs", list_runs(x));
    return trib_app_answer(x, error, "o", about);
}

trib_status trib_app_project_delete(trib_exchange *x, trib_error *error) {
    pthread_mutex_lock(&x->app->lock);
    x->project->is_listed = false;
    const trib_status status = write_list(x->app, error);
    pthread_mutex_unlock(&x->app->lock);
    return status == TRIB_OK ? trib_app_answer(x, error, "{}") : status;
}

/* Makes the folder of an example that is not there yet, and fills it. */
static trib_status make_example(trib_exchange *x, const char **path, trib_error *error) {
    const char *folder = trib_arena_print(&x->arena, "%s/tributary", x->app->home);
    trib_buffer output = {0};
    *path = trib_arena_print(&x->arena, "%s/carrow-bay", folder);
    for (int n = 2; trib_disk_has(*path) && n < 1000; n++)
        *path = trib_arena_print(&x->arena, "%s/carrow-bay-%d", folder, n);
    trib_status status = trib_directory_create(folder, error);
    if (status == TRIB_OK)
        status = trib_app_program(x, &output, 0, NULL, error, TRIB_WORDS("init", *path));
    trib_buffer_release(&output);
    return status;
}

trib_status trib_app_projects_post(trib_exchange *x, trib_error *error) {
    trib_project *added = NULL;
    const char *path = trib_json_get_text(x->json, "path");
    trib_status status = TRIB_OK;
    if (json_is_true(json_object_get(x->json, "example"))) status = make_example(x, &path, error);
    else if (strcmp(path, "~") == 0 || strncmp(path, "~/", 2) == 0)
        path = trib_arena_print(&x->arena, "%s%s", x->app->home, path + 1);
    if (status == TRIB_OK && *path != '/')
        return trib_app_refuse(x, 400, error,
                               "'%.200s' is no whole path; write it from / on, or from ~/", path);
    if (status == TRIB_OK && json_is_true(json_object_get(x->json, "create")))
        status = trib_directory_create(path, error);
    if (status == TRIB_OK) status = add_project(x->app, path, &added, error);
    return status == TRIB_OK ? trib_app_answer(x, error, "{s:s}", "id", added->id) : status;
}

trib_status trib_app_folders(trib_exchange *x, trib_error *error) {
    const char *path = trib_app_parameter_of(&x->address, "path");
    char real[TRIB_PATH_MAX];
    trib_names names;
    json_t *list = json_array();
    if (!path || !*path) path = x->app->home;
    const bool is_there = realpath(path, real) && trib_disk_list(real, &names, &x->arena);
    for (size_t i = 0; is_there && i < names.n; i++) {
        const char *below = trib_arena_print(&x->arena, "%s/%s", real, names.name[i]);
        if (names.name[i][0] != '.' && trib_disk_is_folder(below) &&
            trib_disk_may(below, R_OK | X_OK))
            json_array_append_new(list, trib_json_text(names.name[i]));
    }
    if (!is_there) {
        json_decref(list);
        return trib_app_refuse(x, 404, error, "%.200s: %s", path, strerror(errno));
    }
    const char *parent = trib_arena_copy(&x->arena, real, (size_t)(strrchr(real, '/') - real));
    return trib_app_answer(x, error, "{s:o, s:o, s:o, s:I}", "path", trib_json_text(real), "parent",
                           trib_json_text(*parent ? parent : "/"), "folders", list, "n_texts",
                           (json_int_t)count_files(&x->arena, real));
}

/* ---- The application ------------------------------------------------------------------------- */

trib_status trib_app_state(trib_exchange *x, trib_error *error) {
    trib_app *app = x->app;
    const trib_app_options *o = &app->options;
    json_t *list = json_array();
    pthread_mutex_lock(&app->lock);
    for (size_t i = 0; i < app->n_projects; i++)
        if (app->project[i]->is_listed) json_array_append_new(list, describe(x, app->project[i]));
    pthread_mutex_unlock(&app->lock);
    const char *runs = trib_arena_print(&x->arena, "http://%.*s:%u", (int)strcspn(x->host, ":"),
                                        x->host, (unsigned)app->port[1]);
    return trib_app_answer(x, error, "{s:s, s:s, s:s, s:b, s:o, s:{s:I, s:i}, s:o, s:{s:b}}",
                           "version", TRIB_VERSION, "change_token", app->change, "runs_origin",
                           runs, "read_only", o->read_only, "home", trib_json_text(app->home),
                           "limits", "file_bytes", (json_int_t)o->most_file_size, "files",
                           TRIB_APP_FILES, "projects", list, "commands", "publish", o->has_publish);
}

trib_status trib_app_keys(trib_exchange *x, trib_error *error) {
    json_t *list = json_array();
    for (const trib_key *key = trib_keys; key->path; key++) {
        json_t *choices = json_array();
        for (size_t i = 0; trib_key_choice_at(key, i).name; i++)
            json_array_append_new(choices,
                                  json_pack("{s:s, s:s?}", "name", trib_key_choice_at(key, i).name,
                                            "help", trib_key_choice_at(key, i).help));
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s?, s:o, s:s}", "key", key->path, "kind",
                                        key->type->what, "default", key->standard, "word",
                                        key->word, "choices", choices, "help", key->help));
    }
    return trib_app_answer(x, error, "o", list);
}
