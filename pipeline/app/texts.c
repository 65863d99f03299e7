/* texts.c - the texts of a project: what `documents` and `check` say of them, what the reader makes
 * of it (manifest.csv, left-out.csv, experiment.yaml), and one text as it was read. */
#include <sys/stat.h>

#include "pipeline/app/exchange.h"
#include "pipeline/support/tables.h"

enum { TEXT_MOST = 1 << 20 }; /* bytes of a text that are shown */

#define LEFT_OUT "left-out.csv"
/* An experiment about the folder of the texts, whatever they are. */
static const char whole_folder[] = "tributary: 1\nname: documents\ncorpus:\n  target: all\n"
                                   "  order: any\n  on_error: skip\n  documents:\n    - %s\n"
                                   "tensor:\n  n: 1\n";

/* The names in the folder of the texts, as the table of texts has them; of a folder without an
 * experiment those of its files and folders. Hidden ones are left out. */
static trib_names list_files(trib_exchange *x) {
    const char *folder = trib_app_texts_folder(x);
    const bool is_whole = strcmp(folder, ".") == 0;
    trib_names names = {0};
    size_t n = 0;
    (void)trib_disk_list(trib_app_below(x, is_whole ? "" : folder, ""), &names, &x->arena);
    for (size_t i = 0; i < names.n; i++) {
        const char *name = names.name[i];
        if (name[0] == '.' ||
            (is_whole && (strcmp(name, LEFT_OUT) == 0 || strcmp(name, "manifest.csv") == 0)))
            continue;
        names.name[n++] = is_whole ? name : trib_arena_print(&x->arena, "texts/%s", name);
    }
    names.n = n;
    return names;
}

/* ---- What the files are like ----------------------------------------------------------------- */

static void add_file(trib_checksum_parts *sum, trib_exchange *x, const char *file) {
    struct stat about;
    const char *path = *file == '/' ? file : trib_app_below(x, file, "");
    if (trib_disk_about(path, &about) != 0) return;
    const int64_t of[] = {about.st_size, about.st_mtime, (int64_t)about.st_ino};
    trib_checksum_add(sum, file, strlen(file) + 1);
    trib_checksum_add(sum, of, sizeof of);
}

/* A checksum of the names, sizes and times of the files of the project, and of those that its last
 * table names elsewhere. */
uint64_t trib_app_files_state(trib_exchange *x) {
    static const char *const own[] = {TRIB_APP_EXPERIMENT, "manifest.csv", LEFT_OUT};
    trib_checksum_parts sum = {0};
    const trib_names names = list_files(x);
    for (size_t i = 0; i < 3; i++) add_file(&sum, x, own[i]);
    for (size_t i = 0; i < names.n; i++) add_file(&sum, x, names.name[i]);
    return trib_checksum_end(&sum);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* Answers with what `documents` and `check` say of the texts of the experiment, or of the folder of
 * the texts, in their own JSON: the page makes the table of it. */
static trib_status ask_program(trib_exchange *x, bool is_folder, trib_error *error) {
    const char *of = is_folder ? trib_app_texts_folder(x) : TRIB_APP_EXPERIMENT;
    const bool is_there = is_folder || trib_disk_is_file(trib_app_below(x, of, ""));
    const trib_names names = list_files(x);
    json_t *listed = NULL, *checked = NULL, *files = json_array();
    trib_buffer left_out = {0};
    trib_error wrong = {0};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < names.n; i++)
        json_array_append_new(files, trib_json_text(names.name[i]));
    if (is_there)
        (void)trib_app_program_json(x, &listed, NULL, &wrong,
                                    TRIB_WORDS("documents", "--json", of));
    if (is_there)
        status = trib_app_program_json(
            x, &checked, is_folder ? trib_arena_print(&x->arena, whole_folder, of) : NULL, error,
            TRIB_WORDS("check", "--json", is_folder ? "-" : of));
    (void)trib_read_whole(trib_app_below(x, LEFT_OUT, ""), &left_out, NULL);
    if (status == TRIB_OK)
        status = trib_app_answer(x, error, "{s:O?, s:O?, s:O, s:o, s:o}", "listed", listed,
                                 "checked", checked, "files", files, "left_out",
                                 trib_json_text(left_out.length > 0 ? left_out.text : ""), "wrong",
                                 trib_json_text(wrong.message));
    json_decref(listed);
    json_decref(checked);
    json_decref(files);
    trib_buffer_release(&left_out);
    return status;
}

trib_status trib_app_texts_get(trib_exchange *x, trib_error *error) {
    const bool is_folder = trib_app_parameter_of(&x->address, "folder") != NULL;
    struct trib_app_kept *kept = &x->project->texts[is_folder];
    const uint64_t state = trib_app_files_state(x);
    pthread_mutex_lock(&x->app->lock);
    const bool is_known = kept->answer.length > 0 && kept->of == state;
    if (is_known) (void)trib_buffer_add(&x->answer, kept->answer.text, kept->answer.length, error);
    pthread_mutex_unlock(&x->app->lock);
    x->type = "application/json; charset=utf-8";
    if (is_known) return x->answer.failure;
    const trib_status status = ask_program(x, is_folder, error);
    pthread_mutex_lock(&x->app->lock);
    trib_buffer_clear(&kept->answer);
    if (status == TRIB_OK &&
        trib_buffer_add(&kept->answer, x->answer.text, x->answer.length, NULL) == TRIB_OK)
        kept->of = state;
    pthread_mutex_unlock(&x->app->lock);
    return status;
}

/* ---- What the reader makes of it ------------------------------------------------------------- */

static const char *const columns[] = {"file", "id",       "title",     "author",  "date",
                                      "role", "language", "reference", "encoding"};
enum { COLUMNS = sizeof columns / sizeof *columns, LANGUAGE = 6 };

/* Whether a column is written: the first always, the others when a row has something there. */
static bool is_used(const json_t *rows, size_t c) {
    size_t i;
    json_t *row;
    if (c < LANGUAGE) return true;
    json_array_foreach(rows, i, row) if (*trib_json_get_text(row, columns[c])) return true;
    return false;
}

/* A file of a manifest lies in the project, or was listed by its whole path before. */
static bool is_fit(const json_t *row) {
    const char *file = trib_json_get_text(row, "file");
    return *file && !strchr(file, '\n') && (*file == '/' || !trib_path_leads_out(file));
}

static bool is_left_out(const json_t *row) {
    return strcmp(trib_json_get_text(row, "role"), "none") == 0;
}

static trib_status write_manifest(trib_exchange *x, const json_t *rows, trib_error *error) {
    trib_writer file;
    size_t i;
    json_t *row;
    trib_status status = trib_writer_open(&file, trib_app_below(x, "manifest.csv", ""), error);
    if (status != TRIB_OK) return status;
    for (size_t c = 0; c < COLUMNS; c++)
        if (is_used(rows, c)) trib_print(&file, "%s%s", c > 0 ? "," : "\xEF\xBB\xBF", columns[c]);
    trib_write_text(&file, "\n");
    json_array_foreach(rows, i, row) {
        for (size_t c = 0; c < COLUMNS && !is_left_out(row); c++) {
            if (!is_used(rows, c)) continue;
            if (c > 0) trib_write_text(&file, ",");
            trib_write_cell(&file, trib_json_get_text(row, columns[c]));
        }
        if (!is_left_out(row)) trib_write_text(&file, "\n");
    }
    return trib_writer_commit(&file, NULL, error);
}

/* The files that are left out, a line each. */
static trib_status write_left_out(trib_exchange *x, const json_t *rows, trib_error *error) {
    trib_buffer text = {0};
    size_t i;
    json_t *row;
    trib_status status = TRIB_OK;
    const char *path = trib_app_below(x, LEFT_OUT, "");
    json_array_foreach(rows, i, row) {
        if (is_left_out(row) && !json_is_true(json_object_get(row, "unread")))
            status = trib_buffer_print(&text, error, "%s\n", trib_json_get_text(row, "file"));
    }
    if (status == TRIB_OK && (text.length > 0 || trib_disk_has(path)))
        status = trib_write_whole(path, text.text, text.length, error);
    trib_buffer_release(&text);
    return status;
}

trib_status trib_app_texts_put(trib_exchange *x, trib_error *error) {
    json_t *rows = json_object_get(x->json, "rows"), *row;
    const char *yaml = trib_json_get_text(x->json, "yaml");
    size_t i;
    if (!json_is_array(rows)) return trib_app_refuse(x, 400, error, "'rows' is no list");
    json_array_foreach(rows, i, row) if (!is_fit(row)) return trib_app_refuse(
        x, 400, error, "row %zu: '%.200s' is no file of the project", i + 1,
        trib_json_get_text(row, "file"));
    pthread_mutex_lock(&x->app->lock);
    trib_status status = write_manifest(x, rows, error);
    if (status == TRIB_OK) status = write_left_out(x, rows, error);
    if (status == TRIB_OK && *yaml)
        status =
            trib_write_whole(trib_app_below(x, TRIB_APP_EXPERIMENT, ""), yaml, strlen(yaml), error);
    pthread_mutex_unlock(&x->app->lock);
    return status == TRIB_OK ? trib_app_check_get(x, error) : status;
}

/* ---- One text -------------------------------------------------------------------------------- */

trib_status trib_app_text_get(trib_exchange *x, trib_error *error) {
    const char *file = ".";
    bool is_there = false; /* the file, or an archive that holds it */
    for (size_t i = 4; i < x->address.n_parts; i++) {
        file = trib_arena_print(&x->arena, "%s/%s", file, x->address.part[i]);
        is_there = is_there || trib_disk_is_file(trib_app_below(x, file + 2, ""));
    }
    if (!is_there) return trib_app_refuse(x, 404, error, "there is no such file in the project");
    trib_buffer text = {0};
    trib_status status = trib_app_program(x, &text, TEXT_MOST + 1, NULL, error,
                                          TRIB_WORDS("ingest", "--quiet", "--", file));
    size_t n = text.length < TEXT_MOST ? text.length : TEXT_MOST;
    while (n > 0 && n < text.length && (text.text[n] & 0xC0) == 0x80) n--;
    if (status == TRIB_OK)
        status = trib_app_answer(x, error, "{s:o, s:b}", "text",
                                 json_stringn(n > 0 ? text.text : "", n), "cut", n < text.length);
    trib_buffer_release(&text);
    return status;
}

/* ---- The experiment -------------------------------------------------------------------------- */

/* Answers with what `check` says of a text of YAML (NULL: of the stored experiment), without its
 * list of the documents. */
static trib_status check_yaml(trib_exchange *x, const char *yaml, bool *is_right,
                              trib_error *error) {
    json_t *said;
    trib_error wrong = {0};
    if (trib_app_program_json(x, &said, yaml, &wrong,
                              TRIB_WORDS("check", "--json", yaml ? "-" : TRIB_APP_EXPERIMENT)) !=
        TRIB_OK)
        said = json_pack("{s:[o]}", "errors", trib_json_text(wrong.message));
    json_object_del(said, "documents");
    *is_right = json_array_size(json_object_get(said, "errors")) == 0;
    return trib_app_answer(x, error, "o", said);
}

trib_status trib_app_check_get(trib_exchange *x, trib_error *error) {
    bool is_right;
    return check_yaml(x, NULL, &is_right, error);
}

trib_status trib_app_yaml_get(trib_exchange *x, trib_error *error) {
    trib_buffer text = {0};
    const char *path = trib_app_below(x, TRIB_APP_EXPERIMENT, "");
    trib_status status = trib_disk_has(path) ? trib_read_whole(path, &text, error) : TRIB_OK;
    if (status == TRIB_OK)
        status = trib_app_answer(x, error, "{s:o}", "text",
                                 trib_json_text(text.length > 0 ? text.text : ""));
    trib_buffer_release(&text);
    return status;
}

trib_status trib_app_yaml_put(trib_exchange *x, trib_error *error) {
    const char *text = json_string_value(json_object_get(x->json, "text"));
    bool is_right = false;
    if (!text) return trib_app_refuse(x, 400, error, "'text' is missing");
    const trib_status status = check_yaml(x, text, &is_right, error);
    if (status != TRIB_OK || !is_right || !json_is_true(json_object_get(x->json, "save")))
        return status;
    return trib_write_whole(trib_app_below(x, TRIB_APP_EXPERIMENT, ""), text, strlen(text), error);
}
