/* texts.c - the table of the texts of a project: what `documents` and `check` say of them, and what
 * the reader makes of it: manifest.csv, left-out.csv and the experiment. */
#include <sys/stat.h>

#include "pipeline/app/exchange.h"
#include "pipeline/config/yaml.h"
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

static json_t *row_of(const json_t *rows, const char *key, const char *value) {
    size_t i;
    json_t *row;
    json_array_foreach(rows, i,
                       row) if (strcmp(trib_json_get_text(row, key), value) == 0) return row;
    return NULL;
}

/* Turns a document of `documents` into a row. */
static void make_row(json_t *row, json_t *account) {
    json_t *file_date = json_object_get(row, "file_date");
    if (!json_object_get(row, "role")) json_object_set_new(row, "role", json_string("both"));
    if (strcmp(trib_json_get_text(row, "date_from"), "list") == 0)
        json_object_set_new(row, "date_from", json_string("manifest"));
    if (file_date && !json_object_get(row, "date")) {
        json_object_set(row, "date", file_date);
        json_object_set_new(row, "date_from", json_string("properties"));
    }
    if (!account) return;
    json_object_set(row, "account", account);
    json_object_set_new(row, "kind", json_string(trib_json_get_text(account, "read_as")));
}

static void append_all(json_t *to, const json_t *list) {
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) json_array_append(to, one);
}

/* Adds the rows that a configuration makes (NULL: the experiment of the project). Files that the
 * table has already are passed over. What cannot be read is a message. */
static trib_status add_rows(trib_exchange *x, json_t *table, const char *yaml, trib_error *error) {
    json_t *listed = NULL, *checked = NULL, *rows = json_object_get(table, "rows"), *row;
    json_t *messages = json_object_get(table, "messages");
    size_t i;
    trib_error wrong = {0};
    trib_status status = trib_app_program_json(
        x, &listed, NULL, &wrong,
        TRIB_WORDS("documents", "--json", yaml ? trib_app_texts_folder(x) : TRIB_APP_EXPERIMENT));
    if (status != TRIB_OK) json_array_append_new(messages, trib_json_text(wrong.message));
    status = trib_app_program_json(x, &checked, yaml, error,
                                   TRIB_WORDS("check", "--json", yaml ? "-" : TRIB_APP_EXPERIMENT));
    const json_t *accounts = json_object_get(checked, "documents");
    json_array_foreach(json_object_get(listed, "documents"), i, row) {
        const json_t *about = row_of(accounts, "id", trib_json_get_text(row, "id"));
        if (row_of(rows, "file", trib_json_get_text(row, "file"))) continue;
        make_row(row, json_object_get(about, "account"));
        json_array_append(rows, row);
    }
    if (!yaml) append_all(messages, json_object_get(checked, "errors"));
    append_all(messages, json_object_get(checked, "warnings"));
    append_all(json_object_get(table, "not_read"), json_object_get(checked, "not_read"));
    json_decref(listed);
    json_decref(checked);
    return status;
}

/* Gives the rows that were left out their role. */
static void mark_left_out(trib_exchange *x, json_t *table) {
    trib_buffer text = {0};
    trib_error ignored;
    if (trib_read_whole(trib_app_below(x, LEFT_OUT, ""), &text, &ignored) == TRIB_OK) {
        for (char *at = text.text, *end; at && *at; at = end) {
            end = at + strcspn(at, "\n");
            if (*end) *end++ = '\0';
            json_t *row = row_of(json_object_get(table, "rows"), "file", at);
            if (row) json_object_set_new(row, "role", json_string("none"));
        }
    }
    trib_buffer_release(&text);
}

/* Gives each row the messages that name its file. */
static void share_messages(const json_t *table) {
    size_t i, k;
    json_t *row, *message;
    json_array_foreach(json_object_get(table, "rows"), i, row) {
        json_t *own = json_array();
        const char *file = trib_json_get_text(row, "file");
        json_array_foreach(json_object_get(table, "messages"), k,
                           message) if (strstr(json_string_value(message), file))
            json_array_append(own, message);
        json_object_set_new(row, "warnings", own);
    }
}

/* Whether a row tells of a file, or of what an archive holds. */
static bool is_told(const json_t *rows, const char *file) {
    const size_t length = strlen(file);
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) {
        const char *known = trib_json_get_text(row, "file");
        if (strncmp(known, file, length) == 0 && strchr("/", known[length])) return true;
    }
    return false;
}

/* A list with a row for each file of the folder that no row tells of. */
static json_t *list_untold(trib_exchange *x, const json_t *rows) {
    const trib_names names = list_files(x);
    json_t *list = json_array();
    for (size_t i = 0; i < names.n; i++) {
        const char *file = names.name[i];
        if (!is_told(rows, file))
            json_array_append_new(list,
                                  json_pack("{s:o, s:s, s:i, s:b}", "file", trib_json_text(file),
                                            "role", "none", "words", 0, "unread", true));
    }
    return list;
}

static trib_status make_table(trib_exchange *x, trib_error *error) {
    json_t *table =
        json_pack("{s:[sssssssss], s:[], s:[], s:[]}", "columns", "file", "id", "title", "author",
                  "date", "language", "words", "kind", "role", "rows", "messages", "not_read");
    json_t *rows = json_object_get(table, "rows"), *untold;
    trib_status status = TRIB_OK;
    if (trib_disk_is_file(trib_app_below(x, TRIB_APP_EXPERIMENT, "")))
        status = add_rows(x, table, NULL, error);
    untold = list_untold(x, rows);
    if (status == TRIB_OK && json_array_size(untold) > 0)
        status = add_rows(
            x, table, trib_arena_print(&x->arena, whole_folder, trib_app_texts_folder(x)), error);
    json_decref(untold);
    mark_left_out(x, table);
    untold = list_untold(x, rows); /* what cannot be read */
    append_all(rows, untold);
    json_decref(untold);
    share_messages(table);
    if (status == TRIB_OK) return trib_app_answer(x, error, "o", table);
    json_decref(table);
    return status;
}

trib_status trib_app_texts_get(trib_exchange *x, trib_error *error) {
    trib_project *p = x->project;
    const uint64_t state = trib_app_files_state(x);
    pthread_mutex_lock(&x->app->lock);
    const bool is_known = p->texts.length > 0 && p->texts_of == state;
    if (is_known) (void)trib_buffer_add(&x->answer, p->texts.text, p->texts.length, error);
    pthread_mutex_unlock(&x->app->lock);
    x->type = "application/json; charset=utf-8";
    if (is_known) return x->answer.failure;
    const trib_status status = make_table(x, error);
    pthread_mutex_lock(&x->app->lock);
    trib_buffer_clear(&p->texts);
    if (status == TRIB_OK &&
        trib_buffer_add(&p->texts, x->answer.text, x->answer.length, NULL) == TRIB_OK)
        p->texts_of = state;
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

/* The experiment names the manifest; all else in it stays. */
static trib_status write_experiment(trib_exchange *x, trib_error *error) {
    static const char *const edits[][2] = {{"documents", NULL},
                                           {"glob", NULL},
                                           {"root", NULL},
                                           {"manifest", "manifest.csv"},
                                           {"target", "all"}};
    const char *path = trib_app_below(x, TRIB_APP_EXPERIMENT, ""),
               *name = strrchr(x->project->path, '/');
    trib_buffer text = {0}, edited = {0};
    trib_status status = TRIB_OK;
    if (trib_disk_has(path)) status = trib_read_whole(path, &text, error);
    else {
        trib_buffer_print(&text, error,
                          "# Which of the texts in manifest.csv flow into which. The application "
                          "changes the keys of corpus;\n# comments and other keys stay as you "
                          "write them.\ntributary: 1\nname: ");
        trib_yaml_quote(&text, name && name[1] ? name + 1 : "experiment", true, error);
        status = trib_buffer_print(&text, error,
                                   "\n\ncorpus:\n  order: any\n\n"
                                   "output: \"runs/{name}\"\n");
    }
    for (size_t i = 0; i < sizeof edits / sizeof *edits && status == TRIB_OK; i++) {
        trib_buffer_clear(&edited);
        status = trib_app_yaml_set(&edited, text.text, edits[i][0], edits[i][1], error);
        const trib_buffer swapped = text;
        text = edited;
        edited = swapped;
    }
    if (status == TRIB_OK) status = trib_write_whole(path, text.text, text.length, error);
    trib_buffer_release(&text);
    trib_buffer_release(&edited);
    return status;
}

trib_status trib_app_texts_put(trib_exchange *x, trib_error *error) {
    json_t *rows = json_object_get(x->json, "rows"), *row;
    size_t i;
    bool is_right;
    if (!json_is_array(rows)) return trib_app_refuse(x, 400, error, "'rows' is no list");
    json_array_foreach(rows, i, row) if (!is_fit(row)) return trib_app_refuse(
        x, 400, error, "row %zu: '%.200s' is no file of the project", i + 1,
        trib_json_get_text(row, "file"));
    pthread_mutex_lock(&x->app->lock);
    trib_status status = write_manifest(x, rows, error);
    if (status == TRIB_OK) status = write_left_out(x, rows, error);
    if (status == TRIB_OK) status = write_experiment(x, error);
    pthread_mutex_unlock(&x->app->lock);
    return status == TRIB_OK ? trib_app_check_answer(x, NULL, &is_right, error) : status;
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
    trib_status status =
        trib_app_program(x, &text, NULL, error, TRIB_WORDS("ingest", "--quiet", "--", file));
    size_t n = text.length < TEXT_MOST ? text.length : TEXT_MOST;
    while (n > 0 && n < text.length && (text.text[n] & 0xC0) == 0x80) n--;
    if (status == TRIB_OK)
        status = trib_app_answer(x, error, "{s:o, s:b}", "text",
                                 json_stringn(n > 0 ? text.text : "", n), "cut", n < text.length);
    trib_buffer_release(&text);
    return status;
}
