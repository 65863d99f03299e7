/* files.c - the pages of the application, the files of runs, and files that are stored. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "pipeline/app/exchange.h"

/* ---- Files that are served ------------------------------------------------------------------- */

static const char *media_type(const char *name) {
    static const char *const types[][2] = {{"html", "text/html; charset=utf-8"},
                                           {"css", "text/css; charset=utf-8"},
                                           {"js", "text/javascript; charset=utf-8"},
                                           {"svg", "image/svg+xml"},
                                           {"png", "image/png"},
                                           {"json", "application/json; charset=utf-8"},
                                           {"csv", "text/csv; charset=utf-8"},
                                           {"tsv", "text/tab-separated-values; charset=utf-8"},
                                           {"xml", "application/xml"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot + 1, types[i][0]) == 0) return types[i][1];
    return dot && (strcmp(dot, ".txt") == 0 || strcmp(dot, ".md") == 0 ||
                   strcmp(dot, ".yaml") == 0 || strcmp(dot, ".bib") == 0)
               ? "text/plain; charset=utf-8"
               : "application/octet-stream";
}

static trib_status serve_own(trib_exchange *x, const char *name, trib_error *error) {
    for (const trib_embedded_file *file = trib_app_files; file->name; file++)
        if (strcmp(file->name, name) == 0) {
            x->fixed = file->bytes;
            x->n_fixed = file->n_bytes;
            x->type = media_type(name);
            return TRIB_OK;
        }
    return trib_app_refuse(x, 404, error, "there is no such page");
}

/* The first page; with the token, the way to it. */
trib_status trib_app_page(trib_exchange *x, trib_error *error) {
    if (!trib_app_parameter_of(&x->address, "token")) return serve_own(x, "app.html", error);
    x->status = 303;
    x->location = "/";
    x->type = "text/plain";
    x->cookie = trib_arena_print(&x->arena, "tributary=%s; SameSite=Strict; HttpOnly; Path=/",
                                 x->app->token);
    return trib_arena_check(&x->arena, error);
}

trib_status trib_app_page_file(trib_exchange *x, trib_error *error) {
    return serve_own(x, x->address.part[0], error);
}

trib_status trib_app_help(trib_exchange *x, trib_error *error) {
    return serve_own(x, trib_arena_print(&x->arena, "%s.md", x->address.part[1]), error);
}

trib_status trib_app_run_file(trib_exchange *x, trib_error *error) {
    const char *folder = trib_app_run_folder(x, x->address.part[2]);
    if (!folder) return trib_app_refuse(x, 404, error, "there is no such run");
    const char *path = trib_app_below(x, folder, "");
    for (size_t i = 3; i < x->address.n_parts; i++)
        path = trib_arena_print(&x->arena, "%s/%s", path, x->address.part[i]);
    x->file = trib_disk_open(path, O_RDONLY | O_NONBLOCK);
    if (x->file < 0) return trib_app_refuse(x, 404, error, "%s", trib_disk_reason(errno));
    x->type = media_type(path);
    x->is_of_run = true;
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
    if (status == TRIB_OK) status = trib_writer_open(&x->upload, path, error);
    return status;
}

static bool has_same_bytes(const char *path, uint64_t n_bytes, const char *sha256) {
    struct stat about;
    trib_mapped_file file = {0};
    trib_sha256 *hash = NULL;
    char text[TRIB_SHA256_TEXT] = "";
    if (trib_disk_about(path, &about) != 0 || (uint64_t)about.st_size != n_bytes) return false;
    if (n_bytes > 0 && trib_mapped_file_open(&file, path, NULL) != TRIB_OK) return false;
    if (trib_sha256_open(&hash, NULL) == TRIB_OK) {
        trib_sha256_add(hash, n_bytes > 0 ? file.bytes : "", (size_t)n_bytes);
        trib_sha256_close(hash, text);
    }
    trib_mapped_file_close(&file);
    return strcmp(text, sha256) == 0;
}

/* The file has arrived: it gets its name, or another when one with other bytes has that. */
trib_status trib_app_file_put(trib_exchange *x, trib_error *error) {
    const char *name = trib_app_clean_name(&x->arena, x->address.part[4]), *given = name;
    const char *stored = trib_arena_copy(&x->arena, x->upload.path, strlen(x->upload.path));
    const uint64_t n_bytes = x->upload.n_written;
    char sha256[TRIB_SHA256_TEXT];
    bool is_there = false;
    x->is_upload = false;
    trib_status status = trib_writer_commit(&x->upload, sha256, error);
    if (status == TRIB_OK) status = trib_arena_check(&x->arena, error);
    if (status != TRIB_OK) return status;
    pthread_mutex_lock(&x->app->lock);
    for (int n = 2; n < 10000; n++) {
        const char *path = trib_app_below(x, "texts", name);
        is_there = has_same_bytes(path, n_bytes, sha256);
        if (is_there || !trib_disk_has(path)) break;
        name = with_number(&x->arena, given, n);
    }
    const char *path = trib_app_below(x, "texts", name);
    if ((is_there ? trib_disk_remove(stored) : trib_disk_rename(stored, path)) != 0)
        status = trib_fail(error, TRIB_OUTPUT, "%s: cannot be stored: %s", name, strerror(errno));
    pthread_mutex_unlock(&x->app->lock);
    if (status != TRIB_OK) return status;
    return trib_app_answer(x,
                           json_pack("{s:o, s:I, s:b, s:b}", "name", trib_json_text(name), "bytes",
                                     (json_int_t)n_bytes, "renamed",
                                     strcmp(name, x->address.part[4]) != 0, "same", is_there),
                           error);
}

static trib_status move(trib_exchange *x, const char *name, const char *from, const char *to,
                        trib_error *error) {
    trib_status status = trib_directory_create(trib_app_below(x, to, ""), error);
    if (status != TRIB_OK) return status;
    if (!*name || strchr(name, '/') || name[0] == '.' ||
        !trib_disk_is_file(trib_app_below(x, from, name)))
        return trib_app_refuse(x, 404, error, "there is no such file");
    pthread_mutex_lock(&x->app->lock);
    const char *as = name;
    for (int n = 2; trib_disk_has(trib_app_below(x, to, as)) && n < 10000; n++)
        as = with_number(&x->arena, name, n);
    if (trib_disk_rename(trib_app_below(x, from, name), trib_app_below(x, to, as)) != 0)
        status = trib_fail(error, TRIB_OUTPUT, "%s: cannot be moved: %s", name, strerror(errno));
    pthread_mutex_unlock(&x->app->lock);
    return status == TRIB_OK
               ? trib_app_answer(x, json_pack("{s:o}", "name", trib_json_text(as)), error)
               : status;
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
    trib_buffer had = {0};
    json_t *csv = json_object_get(x->json, "csv");
    if (!trib_app_run_folder(x, x->address.part[4]))
        return trib_app_refuse(x, 404, error, "there is no such run");
    pthread_mutex_lock(&x->app->lock);
    trib_status status = read_judgements(x, &had, error);
    if (status == TRIB_OK && (!x->if_match || strcmp(x->if_match, x->etag) != 0))
        status = trib_app_refuse(x, 412, error,
                                 "the judgements have changed since this page read "
                                 "them");
    if (status == TRIB_OK)
        status = trib_directory_create(trib_app_below(x, "judgements", ""), error);
    if (status == TRIB_OK && json_is_string(csv))
        status = trib_write_whole(judgements_path(x, ".csv"), json_string_value(csv),
                                  json_string_length(csv), error);
    if (status == TRIB_OK) {
        json_object_del(x->json, "csv");
        status = trib_app_answer(x, json_incref(x->json), error);
    }
    if (status == TRIB_OK)
        status =
            trib_write_whole(judgements_path(x, ".json"), x->answer.text, x->answer.length, error);
    trib_buffer_clear(&x->answer);
    if (status == TRIB_OK) status = read_judgements(x, &x->answer, error);
    pthread_mutex_unlock(&x->app->lock);
    trib_buffer_release(&had);
    return status;
}
