/* verify.c - `tributary verify`: checks the files of a run directory against their checksums. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pipeline/config/documents.h"
#include "pipeline/program/command.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

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
    trib_reader reader;
    trib_sha256 *hash = NULL;
    char *block = NULL;
    size_t got = 1;
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_sha256_open(&hash, error);
    if (status == TRIB_OK) status = trib_new(&block, BLOCK, 1, "a block of a file", error);
    while (status == TRIB_OK && got > 0) {
        status = trib_reader_read(&reader, block, BLOCK, &got, error);
        if (status == TRIB_OK) trib_sha256_add(hash, block, got);
    }
    if (hash) trib_sha256_close(hash, sha256);
    trib_free(block);
    trib_reader_close(&reader);
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
    struct stat about;
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
        /* Regular files only: reading a pipe or device, in a directory from somebody else, may
         * never end. */
        const bool is_file = stat(path, &about) == 0 && S_ISREG(about.st_mode);
        const trib_status status = is_file ? hash_file(path, sha256, &unread) : TRIB_INPUT;
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
    static const char *const unsummed[] = {"SHA256SUMS", "log.jsonl", "status"};
    char path[TRIB_PATH_MAX], name[TRIB_PATH_MAX];
    struct stat about;
    struct dirent **entry = NULL;
    if (snprintf(path, sizeof path, "%s/%s", directory, folder) >= (int)sizeof path) return;
    const int n = scandir(path, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *file = entry[i]->d_name;
        bool known = strcmp(file, ".") == 0 || strcmp(file, "..") == 0;
        for (size_t u = 0; u < sizeof unsummed / sizeof *unsummed; u++)
            known = known || (!*folder && strcmp(file, unsummed[u]) == 0);
        known = known || (!*folder && (strncmp(file, "report-threshold-", 17) == 0 ||
                                       strncmp(file, "report-accepted", 15) == 0));
        if (!known &&
            snprintf(name, sizeof name, "%s%s%s", folder, *folder ? "/" : "", file) <
                (int)sizeof name &&
            snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path) {
            if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
                if (!*folder) find_others(directory, name, named, v);
            } else if (!json_object_get(named, name)) {
                add_difference(v, name, "not part of this run");
                v->n_strange++;
            }
        }
        free(entry[i]);
    }
    free(entry);
}

trib_status trib_command_verify(const trib_command_line *line, trib_error *error) {
    const char *directory = line->operand[0];
    char path[TRIB_PATH_MAX];
    trib_reader reader;
    trib_buffer sums = {0};
    json_t *named = json_object();
    verdict v = {.out = line->json ? NULL : line->out, .wrong = json_array()};
    trib_status status = TRIB_OK;
    if (snprintf(path, sizeof path, "%s/SHA256SUMS", directory) >= (int)sizeof path)
        status = trib_fail(error, TRIB_USAGE, "%s: path too long", directory);
    else if (trib_reader_open(&reader, path, NULL) != TRIB_OK)
        status = trib_fail(error, TRIB_USAGE, "%s: not a finished run (no SHA256SUMS)", directory);
    else {
        status = trib_reader_all(&reader, &sums, error);
        trib_reader_close(&reader);
    }
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
    trib_buffer_release(&sums);
    json_decref(v.wrong);
    json_decref(named);
    return status;
}
