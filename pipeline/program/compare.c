/* compare.c - `tributary compare`: lists the differences of two runs in program, settings, inputs
 * and shares; `tributary verify`: checks the files of a run directory against their checksums. */
#include <dirent.h>

#include "pipeline/program/command.h"
#include "pipeline/result/result.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

/* Shares that differ by less count as equal: processors round differently. */
#define SAME 1e-9

/* The differences: printed as they are found, or collected for JSON. */
typedef struct differences {
    trib_writer *out; /* NULL: collected only */
    json_t *list;
    const char *title; /* heading of the current part, until its first difference is printed */
} differences;

/* Prints a text of a run on one line of the terminal. */
static void print_text(trib_writer *out, const char *text) {
    char clean[1 << 14];
    const bool is_cut = trib_clean(clean, sizeof clean, text, strlen(text), false) < strlen(text);
    trib_print(out, "%s%s", clean, is_cut ? " ..." : "");
}

/* The number of decimals at which two numbers look different. */
static int decimals_of(const json_t *a, const json_t *b) {
    const bool are_near =
        json_is_real(a) && json_is_real(b) && fabs(json_real_value(a) - json_real_value(b)) < 1e-4;
    return are_near ? 10 : 4;
}

/* Prints a value for readers, which is shorter than its JSON. */
static void print_value(trib_writer *out, const json_t *value, int decimals) {
    if (!value) trib_write_text(out, "absent");
    else if (json_is_string(value)) print_text(out, json_string_value(value));
    else if (json_is_real(value)) trib_print(out, "%.*f", decimals, json_real_value(value));
    else trib_print(out, "%lld", (long long)json_integer_value(value));
}

/* Records a difference. Takes ownership of `a` and `b`; NULL stands for a value that is missing. */
static void differ(differences *d, const char *part, const char *what, json_t *a, json_t *b) {
    if (d->out) {
        if (!d->title || strcmp(d->title, part) != 0) trib_print(d->out, "%s\n", part);
        d->title = part;
        char clean[500], cell[1600];
        trib_clean(clean, sizeof clean, what, strlen(what), false);
        const bool is_long = trib_columns(clean) > 32;
        trib_print(d->out, "  %s ",
                   is_long ? clean : trib_pad(cell, sizeof cell, clean, 32, false));
        print_value(d->out, a, decimals_of(a, b));
        trib_write_text(d->out, " -> ");
        print_value(d->out, b, decimals_of(a, b));
        trib_write_text(d->out, "\n");
    }
    json_array_append_new(d->list,
                          json_pack("{s:s, s:s, s:o, s:o}", "part", part, "what", what, "first",
                                    a ? a : json_null(), "second", b ? b : json_null()));
}

/* Compares two values, which it takes ownership of. */
static void compare_value(differences *d, const char *part, const char *what, json_t *a,
                          json_t *b) {
    const bool are_equal = json_is_number(a) && json_is_number(b)
                               ? fabs(json_number_value(a) - json_number_value(b)) <= SAME
                               : json_equal(a, b) || (!a && !b);
    if (!are_equal) {
        differ(d, part, what, a, b);
        return;
    }
    json_decref(a);
    json_decref(b);
}

/* A value as JSON; NULL when there is none. */
static json_t *text_of(const char *text) { return text ? json_string(text) : NULL; }

static json_t *number_of(double value) {
    return isnan(value) ? NULL : trib_json_real("share", value);
}

static const char *setting_of(const trib_result *result, const char *key) {
    for (size_t i = 0; i < result->configuration.n; i++)
        if (strcmp(result->configuration.item[i].key, key) == 0)
            return result->configuration.item[i].value;
    return NULL;
}

/* The length of the section in a key; 0: it is in none. */
static size_t section_of(const char *key) {
    const char *const dot = strchr(key, '.');
    return dot ? (size_t)(dot - key) : 0;
}

/* Lists the settings of `b` in a section, or in none, that `a` lacks. */
static void compare_new(differences *d, const trib_result *a, const trib_result *b,
                        const char *section, size_t length) {
    for (size_t i = 0; i < b->configuration.n; i++) {
        const char *const key = b->configuration.item[i].key;
        if (section_of(key) == length && strncmp(key, section, length) == 0 && !setting_of(a, key))
            compare_value(d, "settings", key, NULL, text_of(b->configuration.item[i].value));
    }
}

/* Compares the settings key by key, section by section. */
static void compare_settings(differences *d, const trib_result *a, const trib_result *b) {
    const trib_setting_records *const list = &a->configuration;
    for (size_t i = 0; i < list->n; i++) {
        const char *const key = list->item[i].key;
        const size_t length = section_of(key);
        compare_value(d, "settings", key, text_of(list->item[i].value),
                      text_of(setting_of(b, key)));
        if (length > 0 && (i + 1 == list->n || section_of(list->item[i + 1].key) != length ||
                           strncmp(list->item[i + 1].key, key, length) != 0))
            compare_new(d, a, b, key, length);
    }
    compare_new(d, a, b, "", 0);
}

static void compare_documents(differences *d, const trib_result *a, const trib_result *b) {
    for (size_t i = 0; i < a->documents.n; i++) {
        const trib_document_record *const document = &a->documents.item[i],
                                          *other = trib_result_document_of(b, document->id);
        if (!other) differ(d, "inputs", document->id, json_string("there"), NULL);
        else if (strcmp(document->sha256, other->sha256) != 0)
            differ(d, "inputs", document->id, json_string(document->sha256),
                   json_string(other->sha256));
    }
    for (size_t i = 0; i < b->documents.n; i++)
        if (!trib_result_document_of(a, b->documents.item[i].id))
            differ(d, "inputs", b->documents.item[i].id, NULL, json_string("there"));
}

/* Compares the shares of one target by one method. */
static void compare_method(differences *d, const char *target, const trib_influence_record *a,
                           const trib_influence_record *b) {
    char what[400];
    for (size_t i = 0; i < a->shares.n; i++) {
        const char *const source = a->shares.item[i].source;
        const trib_share_record *const other = trib_method_share(b, source);
        snprintf(what, sizeof what, "%s %s %s", target, a->method, source);
        compare_value(d, "shares", what, number_of(a->shares.item[i].share),
                      other ? number_of(other->share) : NULL);
    }
    for (size_t i = 0; i < b->shares.n; i++) {
        const char *const source = b->shares.item[i].source;
        snprintf(what, sizeof what, "%s %s %s", target, a->method, source);
        if (!trib_method_share(a, source))
            compare_value(d, "shares", what, NULL, number_of(b->shares.item[i].share));
    }
    snprintf(what, sizeof what, "%s %s author", target, a->method);
    compare_value(d, "shares", what, number_of(a->author), number_of(b->author));
    snprintf(what, sizeof what, "%s %s formula", target, a->method);
    compare_value(d, "shares", what, number_of(a->formula), number_of(b->formula));
}

/* Compares two targets with one id, by every method that both have. */
static trib_status compare_target(differences *d, const trib_result *first, size_t t,
                                  const trib_result *second, size_t u, trib_error *error) {
    TRIB_OWNED(trib_arena) arena = {0};
    const trib_target_record *const a = trib_target_read(first, t, &arena);
    const trib_target_record *const b = trib_target_read(second, u, &arena);
    for (size_t m = 0; m < a->methods.n; m++) {
        const trib_influence_record *const same = trib_target_method(b, a->methods.item[m].method);
        if (same) compare_method(d, first->targets.item[t].id, &a->methods.item[m], same);
    }
    return trib_arena_check(&arena, error);
}

static trib_status compare_targets(differences *d, const trib_result *a, const trib_result *b,
                                   trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t t = 0; t < a->targets.n; t++) {
        const char *const id = a->targets.item[t].id;
        const size_t other = trib_result_target_place(b, id);
        if (other == b->targets.n) differ(d, "targets", id, json_string("there"), NULL);
        else if (status == TRIB_OK) status = compare_target(d, a, t, b, other, error);
    }
    for (size_t t = 0; t < b->targets.n; t++)
        if (trib_result_target_place(a, b->targets.item[t].id) == a->targets.n)
            differ(d, "targets", b->targets.item[t].id, NULL, json_string("there"));
    return status;
}

trib_status trib_command_compare(const trib_command_line *line, trib_error *error) {
    trib_result run[2] = {0};
    differences d = {.out = line->json ? NULL : line->out, .list = json_array()};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < 2 && status == TRIB_OK; i++)
        status = trib_result_open(&run[i], line->operand[i], error);
    if (status == TRIB_OK) {
        compare_value(&d, "program", "version", json_string(run[0].version),
                      json_string(run[1].version));
        compare_settings(&d, &run[0], &run[1]);
        compare_documents(&d, &run[0], &run[1]);
        status = compare_targets(&d, &run[0], &run[1], error);
        if (status == TRIB_OK && trib_json_failed()) /* the list of differences may be incomplete */
            status = trib_fail(error, TRIB_MEMORY, "out of memory: the differences");
    }
    if (status == TRIB_OK) {
        if (line->json) status = trib_json_print(line->out, error, "{s:O}", "differences", d.list);
        else if (json_array_size(d.list) == 0)
            trib_write_text(line->out, "the two runs say the same\n");
    }
    if (status == TRIB_OK && json_array_size(d.list) > 0)
        status = trib_fail(error, TRIB_DIFFERS, "%zu difference%s", json_array_size(d.list),
                           json_array_size(d.list) == 1 ? "" : "s");
    json_decref(d.list);
    for (size_t i = 0; i < 2; i++) trib_result_release(&run[i]);
    return status;
}

/* ---- verify ---------------------------------------------------------------------------------- */

enum { DIGITS = TRIB_SHA256_TEXT - 1, BLOCK = 1 << 16 };

/* The differences: printed as they are found, or collected for JSON. */
typedef struct verdict {
    trib_writer *out; /* NULL: collected only */
    json_t *wrong;
    size_t n_files, n_wrong, n_strange;
} verdict;

static void add_difference(verdict *v, const char *file, const char *what) {
    char shown[TRIB_PATH_MAX];
    trib_clean(shown, sizeof shown, file, strlen(file), false);
    if (v->out) trib_print(v->out, "%s: %s\n", shown, what);
    json_array_append_new(v->wrong,
                          json_pack("{s:o, s:s}", "file", trib_json_text(file), "what", what));
}

static trib_status hash_file(const char *path, char sha256[TRIB_SHA256_TEXT], trib_error *error) {
    TRIB_OPENED(trib_reader) reader = {0};
    trib_sha256 hash = {0};
    TRIB_FREED(char *) block = NULL;
    size_t got = 1;
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_new(&block, BLOCK, 1, "a block of a file", error);
    while (status == TRIB_OK && got > 0) {
        status = trib_reader_read(&reader, block, BLOCK, &got, error);
        if (status == TRIB_OK) trib_sha256_add(&hash, block, got);
    }
    trib_sha256_end(&hash, sha256);
    return status;
}

/* Reads a line of SHA256SUMS: 64 digits, two spaces, a name. */
static bool read_line(char *line, char **name) {
    if (strlen(line) < DIGITS + 3 || strncmp(line + DIGITS, "  ", 2) != 0) return false;
    if (strspn(line, "0123456789abcdef") != DIGITS) return false;
    line[DIGITS] = '\0';
    *name = line + DIGITS + 2;
    return !trib_path_leads_out(*name);
}

/* Checks every file that SHA256SUMS names, and adds the names to `named` as keys. */
static trib_status check_named(const char *directory, char *sums, json_t *named, verdict *v,
                               trib_error *error) {
    size_t number = 0;
    for (char *line = sums, *next; *line; line = next) {
        char path[TRIB_PATH_MAX], sha256[TRIB_SHA256_TEXT], *name;
        trib_error unread = {0};
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        number++;
        if (!read_line(line, &name))
            return trib_fail(error, TRIB_INPUT,
                             "%s/SHA256SUMS:%zu: not a line of checksums; the file was altered",
                             directory, number);
        json_object_set_new(named, name, json_true());
        v->n_files++;
        if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
            return trib_fail(error, TRIB_USAGE, "%s: path too long", directory);
        const trib_status status =
            trib_disk_is_file(path) ? hash_file(path, sha256, &unread) : TRIB_INPUT;
        if (status == TRIB_MEMORY) return trib_fail(error, status, "%s", unread.message);
        const char *what = status != TRIB_OK           ? "missing or unreadable"
                           : strcmp(sha256, line) != 0 ? "altered"
                                                       : NULL;
        if (what) add_difference(v, name, what);
        v->n_wrong += what != NULL;
    }
    return v->n_files > 0 ? TRIB_OK
                          : trib_fail(error, TRIB_INPUT,
                                      "%s/SHA256SUMS: is empty; the file was altered", directory);
}

/* Finds files that SHA256SUMS does not name, in `folder` below the run directory ("" for
 * itself). */
static void find_others(const char *directory, const char *folder, const json_t *named,
                        verdict *v) {
    /* the last is what `report --judgements` adds */
    static const char *const unsummed[] = {"SHA256SUMS", "log.jsonl", "status",
                                           "report-accepted.html"};
    char path[TRIB_PATH_MAX], name[TRIB_PATH_MAX];
    TRIB_OWNED(trib_arena) arena = {0};
    trib_names names;
    if (snprintf(path, sizeof path, "%s/%s", directory, folder) >= (int)sizeof path) return;
    (void)trib_disk_list(path, &names, &arena);
    for (size_t i = 0; i < names.n; i++) {
        const char *file = names.name[i];
        bool known = false;
        for (size_t u = 0; u < sizeof unsummed / sizeof *unsummed; u++)
            known = known || (!*folder && strcmp(file, unsummed[u]) == 0);
        if (!known &&
            snprintf(name, sizeof name, "%s%s%s", folder, *folder ? "/" : "", file) <
                (int)sizeof name &&
            snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path) {
            if (trib_disk_is_folder(path)) {
                find_others(directory, name, named, v);
            } else if (!json_object_get(named, name)) {
                add_difference(v, name, "not part of this run");
                v->n_strange++;
            }
        }
    }
}

trib_status trib_command_verify(const trib_command_line *line, trib_error *error) {
    const char *directory = line->operand[0];
    char path[TRIB_PATH_MAX];
    TRIB_OWNED(trib_buffer) sums = {0};
    json_auto_t *named = json_object();
    verdict v = {.out = line->json ? NULL : line->out, .wrong = json_array()};
    trib_status status = TRIB_OK;
    if (snprintf(path, sizeof path, "%s/SHA256SUMS", directory) >= (int)sizeof path)
        status = trib_fail(error, TRIB_USAGE, "%s: path too long", directory);
    else if (!trib_disk_has(path))
        status = trib_fail(error, TRIB_USAGE, "%s: not a finished run (no SHA256SUMS)", directory);
    else status = trib_read_whole(path, &sums, error);
    if (status == TRIB_OK)
        status = check_named(directory, sums.text ? sums.text : (char[]){""}, named, &v, error);
    if (status == TRIB_OK) {
        find_others(directory, "", named, &v);
        if (line->json)
            status = trib_json_print(line->out, error, "{s:I, s:O}", "files", (json_int_t)v.n_files,
                                     "wrong", v.wrong);
        else if (v.n_wrong + v.n_strange == 0)
            trib_print(line->out, "%zu files unchanged\n", v.n_files);
    }
    char strange[48] = "";
    if (v.n_strange > 0)
        snprintf(strange, sizeof strange, ", %zu %s not part of this run", v.n_strange,
                 v.n_strange == 1 ? "is" : "are");
    if (status == TRIB_OK && v.n_wrong + v.n_strange > 0)
        status =
            trib_fail(error, TRIB_DIFFERS, "%s: %zu of %zu files differ%s%s", directory, v.n_wrong,
                      v.n_files, strange,
                      v.n_wrong > 0 ? "; run the experiment again, into another directory (-o DIR)"
                                    : "; remove the files that are not part of it");
    json_decref(v.wrong);
    return status;
}
