/* directory.c - the run directory. The file `status` records the state of the run. `status` and
 * log.jsonl contain everything that may differ between two equal runs, and are not listed in
 * SHA256SUMS. */
#include "pipeline/output/directory.h"
#include "base/internal.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"
#include "pipeline/config/config.h"
#include "pipeline/support/json.h"
#include "pipeline/support/signals.h"

trib_status trib_directory_path(const trib_run_directory *dir, char path[TRIB_PATH_MAX],
                                trib_error *error, const char *format, ...) {
    va_list arguments;
    const int used = snprintf(path, TRIB_PATH_MAX, "%s/", dir->path);
    if (used < 0 || used >= TRIB_PATH_MAX)
        return trib_fail(error, TRIB_OUTPUT, "%s: path too long", dir->path);
    va_start(arguments, format);
    const int more = vsnprintf(path + used, (size_t)(TRIB_PATH_MAX - used), format, arguments);
    va_end(arguments);
    return more >= 0 && more < TRIB_PATH_MAX - used
               ? TRIB_OK
               : trib_fail(error, TRIB_OUTPUT, "%s: the path is too long for a file in it",
                           dir->path);
}

/* Sets dir->path from config.output with {name} and {hash8} replaced, relative to the configuration
 * file, or from `asked`, and seals it. */
static trib_status name_directory(trib_run_directory *dir, const char *asked, trib_error *error) {
    trib_buffer text = {0};
    trib_status status = TRIB_OK;
    if (asked) status = trib_buffer_print(&text, error, "%s", asked);
    else if (dir->config->output[0] != '/')
        status = trib_buffer_print(&text, error, "%s/", dir->config->directory);
    for (const char *at = asked ? "" : dir->config->output; *at && status == TRIB_OK;) {
        if (strncmp(at, "{name}", 6) == 0) {
            status = trib_buffer_print(&text, error, "%s", dir->config->name);
            at += 6;
        } else if (strncmp(at, "{hash8}", 7) == 0) {
            status = trib_buffer_print(&text, error, "%.8s", dir->corpus->hash);
            at += 7;
        } else {
            status = trib_buffer_add(&text, at++, 1, error);
        }
    }
    if (status == TRIB_OK) status = trib_disk_seal(text.text ? text.text : "", error);
    if (status != TRIB_OK) trib_buffer_release(&text);
    dir->path = text.text;
    return status;
}

/* Calls `visit` with every name in a directory. */
static void each_name(const char *path, void (*visit)(void *context, const char *name),
                      void *context) {
    TRIB_OWNED(trib_arena) arena = {0};
    trib_names names;
    (void)trib_disk_list(path, &names, &arena);
    for (size_t i = 0; i < names.n; i++) visit(context, names.name[i]);
}

/* Clears *empty unless the file is the log or a temporary file, the only files of a run that ended
 * before it wrote its status. */
static void look(void *context, const char *name) {
    bool *empty = context;
    if (strcmp(name, "log.jsonl") != 0 && !trib_writer_is_temporary(name)) *empty = false;
}

bool trib_directory_is_empty(const char *path) {
    bool empty = true;
    each_name(path, look, &empty);
    return empty;
}

/* Clears *is_early if the file is not one that a run writes before it computes anything from its
 * texts. */
static void look_beyond_texts(void *context, const char *name) {
    static const char *const early[] = {"config.resolved.yaml", "manifest.json", "inputs.tsv",
                                        "status"};
    bool *is_early = context;
    for (size_t i = 0; i < sizeof early / sizeof *early; i++)
        if (strcmp(name, early[i]) == 0) return;
    look(is_early, name);
}

static bool ended_for_its_texts(const char *path, const char *state) {
    bool is_early = strcmp(state, trib_status_get(TRIB_INPUT)->name) == 0;
    if (is_early) each_name(path, look_beyond_texts, &is_early);
    return is_early;
}

/* A folder in which temporary files, or all files, are removed. */
typedef struct sweeping {
    const char *path;
    bool all, is_below; /* is_below: a folder in the run directory */
} sweeping;

/* Removes an entry of a run directory, except the log, which is locked. */
static void remove_entry(void *context, const char *name) {
    const sweeping *in = context;
    char path[TRIB_PATH_MAX];
    struct stat about;
    if (snprintf(path, sizeof path, "%s/%s", in->path, name) >= (int)sizeof path ||
        trib_disk_about_name(path, &about) != 0 ||
        (!in->is_below && strcmp(name, "log.jsonl") == 0))
        return;
    if (S_ISREG(about.st_mode) && (in->all || trib_writer_is_temporary(name)))
        (void)trib_disk_remove(path);
    if (!S_ISDIR(about.st_mode) || in->is_below) return;
    each_name(path, remove_entry, &(sweeping){path, in->all, true});
    if (in->all) (void)trib_disk_remove_folder(path);
}

/* Finds the folder in which the names of the documents begin, relative to the run directory: the
 * part of a document's path before its name. */
static trib_status texts_of(const trib_run_directory *dir, char **texts, trib_error *error) {
    char root[TRIB_PATH_MAX] = ".";
    const trib_corpus_document *about =
        dir->config->corpus.n_documents > 0 ? dir->config->corpus.document : NULL;
    const size_t n = about ? strlen(about->path) : 0, n_file = about ? strlen(about->file) : 0;
    if (n > n_file && strcmp(about->path + n - n_file, about->file) == 0 &&
        snprintf(root, sizeof root, "%.*s", (int)(n - n_file), about->path) >= (int)sizeof root)
        return trib_fail(error, TRIB_OUTPUT, "%s: name too long", about->path);
    return trib_path_relative(texts, dir->path, root, error);
}

static trib_status write_status(const trib_run_directory *dir, const char *state,
                                trib_error *error) {
    char path[TRIB_PATH_MAX], host[256] = "";
    trib_writer writer;
    TRIB_FREED(char *) texts = NULL;
    TRIB_FREED(char *) settings = NULL;
    if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
    trib_status status = trib_directory_path(dir, path, error, "status");
    if (status == TRIB_OK) status = texts_of(dir, &texts, error);
    if (status == TRIB_OK)
        status = trib_path_relative(&settings, dir->path, dir->config->directory, error);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    const char *const asked = *dir->corpus->asked ? dir->corpus->asked : NULL;
    status = trib_json_write(
        json_pack("{s:s, s:s, s:o, s:s, s:i, s:o, s:I, s:s, s:o, s:o}", "state", state, "hash",
                  dir->corpus->hash, "asked", trib_json_text(asked), "host", host, "threads",
                  dir->n_threads, "seconds", trib_json_real("seconds", trib_log_seconds(dir->log)),
                  "peak_bytes", (json_int_t)trib_peak_memory(), "kernels", trib_kernel_set(),
                  "texts", trib_json_text(texts), "settings", trib_json_text(settings)),
        &writer, error);
    return trib_writer_end(&writer, status, NULL, error);
}

/* Reads the file `status` of a directory; *state is empty if there is no such file or it was not
 * written by this program. *is_same: it is of a run of the same texts and settings. */
static trib_status read_status(const trib_run_directory *dir, const char *path, char state[16],
                               bool *is_same, trib_error *error) {
    json_t *text;
    const trib_status status = trib_json_load(&text, path, error);
    const char *is = json_string_value(json_object_get(text, "state"));
    const char *asked = dir->corpus->asked;
    const char *of = json_string_value(json_object_get(text, *asked ? "asked" : "hash"));
    snprintf(state, 16, "%s", is ? is : "");
    *is_same = of && strcmp(of, *asked ? asked : dir->corpus->hash) == 0;
    json_decref(text);
    return status;
}

trib_status trib_directory_missing(const char *directory, char missing[TRIB_PATH_MAX],
                                   trib_error *error) {
    char path[TRIB_PATH_MAX];
    TRIB_OWNED(trib_buffer) sums = {0};
    strcpy(missing, "SHA256SUMS");
    if (snprintf(path, sizeof path, "%s/%s", directory, missing) >= (int)sizeof path ||
        !trib_disk_is_file(path))
        return TRIB_OK;
    trib_status status = trib_read_whole(path, &sums, error);
    missing[0] = '\0';
    /* Each line is a sum, two spaces and a name. Other lines are skipped; the command verify
     * reports them. */
    for (char *line = sums.text, *end; status == TRIB_OK && line && (end = strchr(line, '\n'));
         line = end + 1) {
        *end = '\0';
        const char *name = end - line > TRIB_SHA256_TEXT ? line + TRIB_SHA256_TEXT + 1 : "";
        if (snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path &&
            !trib_disk_is_file(path)) {
            snprintf(missing, TRIB_PATH_MAX, "%s", name);
            break;
        }
    }
    return status;
}

/* Checks that all files of a complete run exist. If one is missing, the run is repeated with
 * --resume, otherwise the function fails. */
static trib_status check_complete(const trib_run_directory *dir,
                                  const trib_directory_options *options, bool *complete,
                                  trib_error *error) {
    char missing[TRIB_PATH_MAX];
    const trib_status status = trib_directory_missing(dir->path, missing, error);
    if (status != TRIB_OK) return status;
    *complete = !*missing;
    if (*complete) trib_log_say(dir->log, TRIB_LOG_INFO, "%s: complete, nothing to do", dir->path);
    else if (!options->resume)
        return trib_fail(error, TRIB_USAGE,
                         "%s: was complete, but %s is missing; make it anew with --resume",
                         dir->path, missing);
    return TRIB_OK;
}

trib_status trib_directory_look(trib_run_directory *dir, const trib_directory_options *options,
                                bool *complete, trib_error *error) {
    char path[TRIB_PATH_MAX], state[16] = "", missing[TRIB_PATH_MAX];
    bool is_same = false;
    *complete = false;
    trib_status status = name_directory(dir, options->path, error);
    if (status == TRIB_OK) status = trib_directory_path(dir, path, error, "status");
    if (status == TRIB_OK) status = read_status(dir, path, state, &is_same, error);
    if (status == TRIB_OK && strcmp(state, "complete") == 0 && is_same) {
        status = trib_directory_missing(dir->path, missing, error);
        *complete = status == TRIB_OK && !*missing;
    }
    if (*complete) trib_log_say(dir->log, TRIB_LOG_INFO, "%s: complete, nothing to do", dir->path);
    trib_disk_unseal(dir->path); /* a look writes nothing there */
    trib_free(dir->path);
    dir->path = NULL;
    return status;
}

/* Called when the program is terminated before it could stop: removes temporary files and writes
 * the status, as after a normal stop. */
static void end_early(void *context, trib_status status) {
    const trib_run_directory *dir = context;
    each_name(dir->path, remove_entry, &(sweeping){dir->path, false, false});
    (void)write_status(dir, trib_status_get(status)->name, NULL);
}

/* Renames the directory, which holds another run, to NAME.1 or the first number that is free, and
 * creates it anew. Whenever the process is killed, both runs have all their files. */
static trib_status set_aside(const trib_run_directory *dir, const char *what, trib_error *error) {
    char aside[TRIB_PATH_MAX], path[TRIB_PATH_MAX];
    struct stat about;
    size_t n = strlen(dir->path);
    int lock = -1;
    while (n > 1 && dir->path[n - 1] == '/') n--;
    unsigned number = 1;
    do {
        if (snprintf(aside, sizeof aside, "%.*s.%u", (int)n, dir->path, number++) >=
            (int)sizeof aside)
            return trib_fail(error, TRIB_OUTPUT, "%s: path too long", dir->path);
    } while (trib_disk_about_name(aside, &about) == 0);
    trib_status status = trib_directory_path(dir, path, error, "log.jsonl");
    if (status == TRIB_OK) status = trib_log_lock(path, &lock, error);
    if (status != TRIB_OK) return status;
    if (trib_disk_rename(dir->path, aside) != 0)
        status = trib_fail(error, TRIB_USAGE,
                           "%s: holds another run (%s), and cannot be renamed: %s; choose another "
                           "directory with -o",
                           dir->path, what, strerror(errno));
    if (lock >= 0) close(lock);
    if (status == TRIB_OK) status = trib_directory_create(dir->path, error);
    if (status == TRIB_OK)
        trib_log_say(dir->log, TRIB_LOG_INFO, "%s: a new run (%s); the one before is now %s",
                     dir->path, what, aside);
    return status;
}

/* Deals with a run of other texts or settings in the directory: it is set aside, or refused. */
static trib_status replace_other(const trib_run_directory *dir,
                                 const trib_directory_options *options, trib_error *error) {
    TRIB_OWNED(trib_arena) arena = {0};
    const char *const what = trib_directory_change(&arena, dir);
    trib_status status = trib_arena_check(&arena, error);
    if (status == TRIB_OK && options->keeps_other)
        status = trib_fail(error, TRIB_USAGE, "%s: holds another run (%s); choose another with -o",
                           dir->path, what);
    return status == TRIB_OK ? set_aside(dir, what, error) : status;
}

/* Decides what becomes of the run that the directory holds. *is_other: it is another run; then: its
 * files are removed. */
static trib_status look_at_old(const trib_run_directory *dir, const trib_directory_options *options,
                               const char *state, bool *is_other, bool *complete,
                               trib_error *error) {
    char path[TRIB_PATH_MAX];
    int lock = -1;
    if (state[0] == '\0')
        return trib_fail(error, TRIB_USAGE,
                         "%s: is not empty and no run directory; choose another with -o",
                         dir->path);
    if (*is_other && options->renew) {
        trib_log_say(dir->log, TRIB_LOG_INFO, "%s: the texts have changed: all of it anew",
                     dir->path);
    } else if (*is_other) {
        *is_other = false;
        return replace_other(dir, options, error);
    } else if (strcmp(state, "complete") == 0) {
        const trib_status status = check_complete(dir, options, complete, error);
        if (*complete || status != TRIB_OK) return status;
    }
    if (options->resume) return TRIB_OK;
    trib_status status = trib_directory_path(dir, path, error, "log.jsonl");
    if (status == TRIB_OK) status = trib_log_lock(path, &lock, error);
    if (lock >= 0) close(lock);
    return status != TRIB_OK
               ? status
               : trib_fail(error, TRIB_USAGE,
                           "%s: holds this run, but not all of it; finish it with --resume",
                           dir->path);
}

trib_status trib_directory_open(trib_run_directory *dir, const trib_directory_options *options,
                                bool *complete, trib_error *error) {
    char path[TRIB_PATH_MAX], state[16] = "";
    bool is_other = false, is_same = false;
    *complete = false;
    trib_status status = name_directory(dir, options->path, error);
    if (status == TRIB_OK) status = trib_directory_create(dir->path, error);
    if (status == TRIB_OK) status = trib_directory_path(dir, path, error, "status");
    if (status != TRIB_OK) return status;
    const bool has_some = !trib_directory_is_empty(dir->path);
    if (has_some) status = read_status(dir, path, state, &is_same, error);
    if (status != TRIB_OK) return status;
    is_other = !is_same;
    if (has_some && !ended_for_its_texts(dir->path, state))
        status = look_at_old(dir, options, state, &is_other, complete, error);
    else is_other = false;
    if (*complete || status != TRIB_OK) return status;
    status = trib_directory_path(dir, path, error, "log.jsonl");
    /* locks the directory */
    if (status == TRIB_OK) status = trib_log_to_file(dir->log, path, error);
    if (status == TRIB_OK)
        each_name(dir->path, remove_entry, &(sweeping){dir->path, is_other, false});
    if (status == TRIB_OK) status = write_status(dir, "running", error);
    dir->is_open = status == TRIB_OK;
    if (dir->is_open) trib_signals_tidy(end_early, dir);
    return status;
}

trib_status trib_directory_close(trib_run_directory *dir, trib_status how, trib_error *error) {
    if (!dir->is_open) return how;
    trib_signals_tidy(NULL, NULL);
    const char *state = how != TRIB_OK  ? trib_status_get(how)->name
                        : dir->is_whole ? "complete"
                                        : "partial";
    const trib_status written = write_status(dir, state, how == TRIB_OK ? error : NULL);
    dir->is_open = false;
    trib_arena_release(&dir->files);
    dir->file = NULL;
    dir->n_files = 0;
    return how == TRIB_OK ? written : how;
}

void trib_directory_release(trib_run_directory *dir) {
    trib_arena_release(&dir->files);
    trib_disk_unseal(dir->path);
    trib_free(dir->path);
    *dir = (trib_run_directory){0};
}

trib_status trib_directory_make(const trib_run_directory *dir, const char *name,
                                trib_error *error) {
    char path[TRIB_PATH_MAX];
    const trib_status status = trib_directory_path(dir, path, error, "%s", name);
    return status == TRIB_OK ? trib_directory_create(path, error) : status;
}

enum { EARLY = 3 }; /* files of the stages corpus and tokens */

static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER;

trib_status trib_directory_write(trib_run_directory *dir, const char *name, trib_file_write *write,
                                 const void *what, trib_error *error) {
    char path[TRIB_PATH_MAX], sha256[TRIB_SHA256_TEXT];
    trib_writer writer;
    trib_status status = trib_directory_path(dir, path, error, "%s", name);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    status = write(what, &writer, error);
    status = trib_writer_end(&writer, status, sha256, error);
    if (status != TRIB_OK) return status;
    pthread_mutex_lock(&listing);
    size_t n = 0; /* the first files may be written again */
    while (n < EARLY && n < dir->n_files && strcmp(dir->file[n].name, name) != 0) n++;
    trib_written_file *const file = n < EARLY && n < dir->n_files
                                        ? &dir->file[n]
                                        : trib_arena_append(&dir->files, &dir->file, sizeof *file);
    if (file) {
        file->name = trib_arena_text(&dir->files, name);
        memcpy(file->sha256, sha256, sizeof sha256);
    }
    status = trib_arena_check(&dir->files, error);
    if (status != TRIB_OK) { /* the file may be written again when memory is less short */
        dir->n_files -= file != NULL;
        dir->files.failure = (trib_error){0};
    }
    pthread_mutex_unlock(&listing);
    return status;
}

TRIB_ORDER(by_name, trib_written_file, strcmp(x->name, y->name));

static trib_status write_sums(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_directory *dir = what;
    (void)error;
    for (size_t f = 0; f < dir->n_files; f++)
        trib_print(writer, "%s  %s\n", dir->file[f].sha256, dir->file[f].name);
    return TRIB_OK;
}

/* Lists a file once that was written twice with the same bytes, as a part of a stage does that is
 * repeated because memory was short. */
static void list_once(trib_run_directory *dir) {
    size_t n = 0;
    for (size_t f = 0; f < dir->n_files; f++)
        if (n == 0 || strcmp(dir->file[n - 1].name, dir->file[f].name) != 0)
            dir->file[n++] = dir->file[f];
    dir->n_files = n;
}

trib_status trib_directory_sums(trib_run_directory *dir, trib_error *error) {
    qsort(dir->file, dir->n_files, sizeof *dir->file, by_name);
    list_once(dir);
    return trib_directory_write(dir, "SHA256SUMS", write_sums, dir, error);
}
