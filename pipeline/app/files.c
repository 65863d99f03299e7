/* files.c - the pages of the application, the files of runs, and files that are stored. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "pipeline/app/exchange.h"

/* ---- Files that are served ------------------------------------------------------------------- */

static const char *media_type(const char *name) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"},
                                           {".json", "application/json; charset=utf-8"},
                                           {".csv", "text/csv; charset=utf-8"},
                                           {".tsv", "text/tab-separated-values; charset=utf-8"},
                                           {".txt", "text/plain; charset=utf-8"},
                                           {".md", "text/plain; charset=utf-8"},
                                           {".yaml", "text/plain; charset=utf-8"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i][0]) == 0) return types[i][1];
    return "application/octet-stream";
}

/* A page of the application, or of the help; with the token, the way to the first. */
trib_status trib_app_page(trib_exchange *x, trib_error *error) {
    const trib_app_address *a = &x->address;
    const char *name = a->n_parts == 0   ? "app.html"
                       : a->n_parts == 1 ? a->part[0]
                                         : trib_arena_print(&x->arena, "%s.md", a->part[1]);
    const trib_embedded_file *file = trib_app_files;
    if (a->n_parts == 0 && trib_app_parameter_of(a, "token")) {
        x->status = 303;
        x->location = x->app->first && !x->app->options.read_only
                          ? trib_arena_print(&x->arena, "/#/%s/texts", x->app->first)
                          : "/";
        x->cookie = trib_arena_print(&x->arena, "tributary=%s; SameSite=Strict; HttpOnly; Path=/",
                                     x->app->token);
        return trib_arena_check(&x->arena, error);
    }
    while (file->name && strcmp(file->name, name) != 0) file++;
    if (!file->name) return trib_app_refuse(x, 404, error, "there is no such page");
    x->fixed = file->bytes;
    x->n_fixed = file->n_bytes;
    x->type = media_type(name);
    return TRIB_OK;
}

trib_status trib_app_run_file(trib_exchange *x, trib_error *error) {
    const char *path = trib_app_run_folder(x, x->address.part[2]);
    if (!path) return trib_app_refuse(x, 404, error, "there is no such run");
    for (size_t i = 3; i < x->address.n_parts; i++)
        path = trib_arena_print(&x->arena, "%s/%s", path, x->address.part[i]);
    x->file = trib_disk_open(trib_app_below(x, path, ""), O_RDONLY | O_NONBLOCK);
    if (x->file < 0) return trib_app_refuse(x, 404, error, "%s", trib_disk_reason(errno));
    x->type = media_type(path);
    if (trib_app_parameter_of(&x->address, "save")) x->disposition = "attachment";
    return TRIB_OK;
}

/* ---- Uploads --------------------------------------------------------------------------------- */

static const char *with_number(trib_arena *arena, const char *name, int n) {
    const char *dot = strchr(name + 1, '.');
    const int stem = dot ? (int)(dot - name) : (int)strlen(name);
    return n < 2 ? name : trib_arena_print(arena, "%.*s-%d%s", stem, name, n, dot ? dot : "");
}

trib_status trib_app_upload_begin(trib_exchange *x, trib_error *error) {
    trib_names names = {0};
    const char *folder = trib_app_below(x, "texts", "");
    trib_status status = trib_directory_create(folder, error);
    if (status == TRIB_OK && trib_disk_list(folder, &names, &x->arena) && names.n >= TRIB_APP_FILES)
        return trib_app_refuse(x, 413, error,
                               "a project takes %d files here; put more of them into "
                               "an archive, or use the command line",
                               TRIB_APP_FILES);
    const char *path = trib_arena_print(&x->arena, "%s/.upload-%p", folder, (void *)x);
    if (status == TRIB_OK) status = trib_arena_check(&x->arena, error);
    if (status == TRIB_OK) status = trib_writer_open(&x->upload, path, error);
    return status;
}

static bool has_same_bytes(const char *path, const char *other) {
    trib_mapped_file one = {0}, two = {0};
    const bool is_same = trib_mapped_file_open(&one, path, NULL) == TRIB_OK &&
                         trib_mapped_file_open(&two, other, NULL) == TRIB_OK &&
                         one.length == two.length && memcmp(one.bytes, two.bytes, one.length) == 0;
    trib_mapped_file_close(&one);
    trib_mapped_file_close(&two);
    return is_same;
}

/* Gives a file below `from` its name below `to`, or one with a number when that is taken; *is_same:
 * by a file with the same bytes, so that it is removed. The caller holds the lock. */
static const char *give_name(trib_exchange *x, const char *from, const char *to, const char *name,
                             bool *is_same, trib_error *error) {
    const char *as = name;
    for (int n = 2; trib_disk_has(trib_app_below(x, to, as)) && n < 10000; n++) {
        *is_same = has_same_bytes(trib_app_below(x, to, as), from);
        if (*is_same) break;
        as = with_number(&x->arena, name, n);
    }
    if ((*is_same ? trib_disk_remove(from) : trib_disk_rename(from, trib_app_below(x, to, as))) !=
        0)
        (void)trib_fail(error, TRIB_OUTPUT, "%s: cannot be stored: %s", name, strerror(errno));
    return as;
}

/* The file has arrived. */
trib_status trib_app_file_put(trib_exchange *x, trib_error *error) {
    const char *name = trib_app_clean_name(&x->arena, x->address.part[4]);
    const char *stored = trib_arena_print(&x->arena, "%s", x->upload.path);
    const uint64_t n_bytes = x->upload.n_written;
    bool is_same = false;
    x->is_upload = false;
    trib_status status = trib_writer_commit(&x->upload, NULL, error);
    if (status != TRIB_OK) return status;
    pthread_mutex_lock(&x->app->lock);
    const char *as = give_name(x, stored, "texts", name, &is_same, error);
    pthread_mutex_unlock(&x->app->lock);
    return error->status != TRIB_OK
               ? error->status
               : trib_app_answer(x, error, "{s:o, s:I, s:b, s:b}", "name", trib_json_text(as),
                                 "bytes", (json_int_t)n_bytes, "renamed",
                                 strcmp(as, x->address.part[4]) != 0, "same", is_same);
}

static trib_status move(trib_exchange *x, const char *name, const char *from, const char *to,
                        trib_error *error) {
    bool is_same = false;
    const char *path = trib_app_below(x, from, name);
    if (!*name || strchr(name, '/') || name[0] == '.' || !trib_disk_is_file(path))
        return trib_app_refuse(x, 404, error,
                               "the folder '%s' has no such file; a text that lies elsewhere can "
                               "be left out instead",
                               from);
    trib_status status = trib_directory_create(trib_app_below(x, to, ""), error);
    if (status != TRIB_OK) return status;
    pthread_mutex_lock(&x->app->lock);
    const char *as = give_name(x, path, to, name, &is_same, error);
    pthread_mutex_unlock(&x->app->lock);
    return error->status != TRIB_OK
               ? error->status
               : trib_app_answer(x, error, "{s:o}", "name", trib_json_text(as));
}

trib_status trib_app_file_delete(trib_exchange *x, trib_error *error) {
    return move(x, x->address.part[4], "texts", "removed", error);
}

trib_status trib_app_file_restore(trib_exchange *x, trib_error *error) {
    return move(x, trib_json_get_text(x->json, "name"), "removed", "texts", error);
}

/* ---- Judgements ------------------------------------------------------------------------------ */

static const char *judgements_path(trib_exchange *x, const char *ending) {
    return trib_app_below(x, "judgements",
                          trib_arena_print(&x->arena, "%s%s", x->address.part[4], ending));
}

/* Reads the stored judgements, "{}" when there are none, and their tag. */
static trib_status read_judgements(trib_exchange *x, trib_buffer *text, trib_error *error) {
    const char *path = judgements_path(x, ".json");
    x->etag = "\"0\"";
    if (!trib_disk_has(path)) return trib_buffer_print(text, error, "{}");
    const trib_status status = trib_read_whole(path, text, error);
    if (status == TRIB_OK)
        x->etag = trib_arena_print(&x->arena, "\"%016llx\"",
                                   (unsigned long long)trib_checksum(text->text, text->length));
    return status;
}

trib_status trib_app_judgements_get(trib_exchange *x, trib_error *error) {
    x->type = "application/json; charset=utf-8";
    return read_judgements(x, &x->answer, error);
}

/* Stores them unless they have changed since the page read them: then it merges both. */
trib_status trib_app_judgements_put(trib_exchange *x, trib_error *error) {
    json_t *csv = json_object_get(x->json, "csv");
    trib_buffer had = {0};
    if (!trib_app_run_folder(x, x->address.part[4]))
        return trib_app_refuse(x, 404, error, "there is no such run");
    pthread_mutex_lock(&x->app->lock);
    trib_status status = read_judgements(x, &had, error);
    if (status == TRIB_OK && (!x->if_match || strcmp(x->if_match, x->etag) != 0))
        status =
            trib_app_refuse(x, 412, error, "the judgements have changed since this page read them");
    if (status == TRIB_OK)
        status = trib_directory_create(trib_app_below(x, "judgements", ""), error);
    if (status == TRIB_OK && json_is_string(csv))
        status = trib_write_whole(judgements_path(x, ".csv"), json_string_value(csv),
                                  json_string_length(csv), error);
    json_object_del(x->json, "csv");
    if (status == TRIB_OK) status = trib_app_answer(x, error, "O", x->json);
    if (status == TRIB_OK)
        status =
            trib_write_whole(judgements_path(x, ".json"), x->answer.text, x->answer.length, error);
    trib_buffer_clear(&had);
    if (status == TRIB_OK) status = read_judgements(x, &had, error);
    pthread_mutex_unlock(&x->app->lock);
    trib_buffer_release(&had);
    return status;
}
