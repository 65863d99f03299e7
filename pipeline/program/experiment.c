/* experiment.c - the experiment that `tributary run` is asked for: a configuration, or texts, for
 * which it writes one; and `tributary init`, which writes a commented one about the texts of a
 * folder, or the small corpus with its experiment where there are none. */
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/output/directory.h"
#include "pipeline/program/command.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"
#include "pipeline/text/input.h"

static const char file_name[] = "experiment.yaml";
static const char heading[] =
    "# An experiment: which texts flow into which, how much, and through which passages.\n"
    "# Written by `tributary run`. Change what you like here, and run this file:\n"
    "#\n"
    "#     tributary check experiment.yaml       find mistakes, and estimate time and memory\n"
    "#     tributary run experiment.yaml         the report is run/report.html\n"
    "#\n"
    "# Every other key has a default; `tributary help keys` lists all keys.\n";

static bool is_yaml_named(const char *path) {
    return trib_name_ends(path, strlen(path), ".yaml .yml");
}

/* ---- A configuration, or texts --------------------------------------------------------------- */

/* Finds the configuration that the only word of a command line names: the word itself, or
 * experiment.yaml in a folder. named->path stays NULL for texts. */
static trib_status find_config(trib_experiment_named *named, const char *word, trib_log *log,
                               trib_error *error) {
    const bool is_there = strcmp(word, "-") != 0 && trib_disk_has(word);
    if (is_there && trib_disk_is_folder(word)) {
        trib_status status = trib_path_join(&named->path, word, file_name, error);
        if (status == TRIB_OK && trib_draft_is_experiment(named->path)) {
            trib_log_say(log, TRIB_LOG_INFO, "%s: a folder with an experiment: %s", word,
                         named->path);
            return TRIB_OK;
        }
        trib_free(named->path);
        named->path = NULL;
        return status;
    }
    const bool is_text = is_there ? trib_disk_is_file(word) && !is_yaml_named(word) &&
                                        !trib_draft_is_experiment(word)
                                  : strcmp(word, "-") != 0 && trib_address_split(word) > 0;
    return is_text ? TRIB_OK : trib_copy(&named->path, word, error);
}

static trib_status check_all_texts(const trib_command_line *line, trib_error *error) {
    for (size_t i = 0; i < line->n_operands; i++)
        if (is_yaml_named(line->operand[i]) && trib_draft_is_experiment(line->operand[i]))
            return trib_fail(error, TRIB_USAGE,
                             "%s is an experiment, which lists its own texts; name it alone, or "
                             "only texts",
                             line->operand[i]);
    return TRIB_OK;
}

/* ---- The folder ------------------------------------------------------------------------------ */

/* Sets the name of an experiment about texts: that of the target, or of the folder of texts. */
static trib_status name_experiment(char **name, const char *text, trib_error *error) {
    char real[PATH_MAX];
    if (strcmp(text, "-") == 0) return trib_copy_text(name, "standard-input", 14, error);
    if (!trib_disk_is_folder(text)) return trib_path_stem(name, text, error);
    const char *whole = realpath(text, real) ? real : text, *slash = strrchr(whole, '/');
    const char *last = slash && slash[1] ? slash + 1 : "texts";
    return trib_copy(name, last, error);
}

/* Refuses a folder that holds something else. */
static trib_status check_folder(const trib_experiment_named *named, trib_error *error) {
    if (!trib_disk_has(named->folder) || trib_disk_has(named->path) ||
        trib_directory_is_empty(named->folder))
        return TRIB_OK;
    return trib_fail(error, TRIB_USAGE,
                     "%s: is not empty and holds no %s; choose another folder with -o",
                     named->folder, file_name);
}

/* Renames what is at `path` to experiment.1.yaml, or the first number that is free. */
static trib_status keep_old(const char *path, trib_log *log, trib_error *error) {
    char kept[TRIB_PATH_MAX];
    struct stat about;
    const char *dot = strrchr(path, '.');
    for (unsigned n = 1; n != 0; n++) {
        if (snprintf(kept, sizeof kept, "%.*s.%u%s", (int)(dot - path), path, n, dot) >=
            (int)sizeof kept)
            return trib_fail(error, TRIB_OUTPUT, "%s: path too long", path);
        if (trib_disk_about_name(kept, &about) != 0) break;
    }
    if (trib_disk_rename(path, kept) != 0)
        return trib_fail(error, TRIB_OUTPUT, "%s: cannot be renamed to %s: %s", path, kept,
                         strerror(errno));
    trib_log_say(log, TRIB_LOG_INFO, "%s: written anew; what it was is in %s", path, kept);
    return TRIB_OK;
}

/* Writes the YAML of a draft to a path. A file that is there with other contents is renamed. */
static trib_status write_draft(const trib_draft *draft, const char *path, trib_log *log,
                               trib_error *error) {
    trib_buffer old = {0};
    struct stat about;
    trib_status status = TRIB_OK;
    if (trib_disk_about_name(path, &about) == 0) {
        status = trib_read_whole(path, &old, error);
        const bool is_same = status == TRIB_OK && old.length == draft->yaml.length &&
                             memcmp(old.text, draft->yaml.text, old.length) == 0;
        trib_buffer_release(&old);
        if (is_same) return TRIB_OK;
        if (status == TRIB_OK) status = keep_old(path, log, error);
    }
    return status == TRIB_OK ? trib_write_whole(path, draft->yaml.text, draft->yaml.length, error)
                             : status;
}

/* ---- An experiment about texts --------------------------------------------------------------- */

/* Logs how many texts a draft has, which files are not read, and, unless a target was named, which
 * texts can be sources. */
static void tell_draft(const trib_draft *draft, const char *path, bool has_target, trib_log *log) {
    if (draft->n_left_out > 0)
        trib_log_say(log, TRIB_LOG_INFO, "%zu file%s beside the texts %s not read (%s%s)",
                     draft->n_left_out, draft->n_left_out == 1 ? "" : "s",
                     draft->n_left_out == 1 ? "is" : "are", draft->left_out.text,
                     draft->n_left_out == 1 ? "" : ", ...");
    if (has_target) trib_log_say(log, TRIB_LOG_INFO, "%s: %zu texts", path, draft->n_documents);
    else if (draft->is_by_date)
        trib_log_say(log, TRIB_LOG_INFO,
                     "%s: %zu texts, all with a date: only an older text can be a source", path,
                     draft->n_documents);
    else
        trib_log_say(log, TRIB_LOG_INFO,
                     "%s: %zu texts, %zu with a certain date: each can be a source of each", path,
                     draft->n_documents, draft->n_dated);
}

/* Makes the draft and, except in a dry run, writes it. */
static trib_status draft_texts(trib_experiment_named *named, const trib_command_line *line,
                               trib_error *error) {
    TRIB_FREED(char *) name = NULL;
    const bool is_new = !trib_disk_has(named->folder);
    trib_status status = check_folder(named, error);
    if (status == TRIB_OK) status = name_experiment(&name, line->operand[0], error);
    if (status == TRIB_OK) {
        const trib_draft_request request = {.text = line->operand,
                                            .n_texts = line->n_operands,
                                            .setting = line->setting,
                                            .n_settings = line->n_settings,
                                            .folder = named->folder,
                                            .makes_folder = !line->dry_run,
                                            .name = name,
                                            .output = "run",
                                            .heading = heading};
        status = trib_draft_make(&named->draft, &request, trib_config_log, line->log, error);
    }
    if (status == TRIB_OK && !line->dry_run)
        status = write_draft(&named->draft, named->path, line->log, error);
    if (status == TRIB_OK)
        tell_draft(&named->draft, named->path, line->n_operands > 1 && !named->draft.has_targets,
                   line->log);
    else if (is_new) (void)trib_disk_remove_folder(named->folder);
    return status;
}

trib_status trib_experiment_find(trib_experiment_named *named, const trib_command_line *line,
                                 trib_error *error) {
    char *name = NULL;
    trib_buffer folder = {0};
    *named = (trib_experiment_named){.path = NULL};
    trib_status status = line->n_operands > 1
                             ? check_all_texts(line, error)
                             : find_config(named, line->operand[0], line->log, error);
    if (status != TRIB_OK || named->path) return status;
    if (line->dry_run && line->comm.size > 1)
        return trib_fail(error, TRIB_USAGE, "--dry-run of texts is for one process");
    if (line->output) {
        status = trib_copy(&named->folder, line->output, error);
    } else {
        status = name_experiment(&name, line->operand[0], error);
        if (status == TRIB_OK) status = trib_buffer_print(&folder, error, "%s-influence", name);
        named->folder = folder.text;
    }
    if (status == TRIB_OK) status = trib_path_join(&named->path, named->folder, file_name, error);
    if (status == TRIB_OK && line->comm.rank == 0) status = draft_texts(named, line, error);
    trib_free(name);
    /* the others wait until rank 0 has written it */
    return trib_comm_give(&line->comm, status, 0, &(trib_buffer){0}, error);
}

void trib_experiment_named_release(trib_experiment_named *named) {
    TRIB_FREE(named->path, named->folder);
    trib_draft_release(&named->draft);
    *named = (trib_experiment_named){.path = NULL};
}

/* ---- init ------------------------------------------------------------------------------------ */

static trib_status refuse_existing(const char *path, trib_error *error) {
    struct stat about;
    return trib_disk_about_name(path, &about) != 0
               ? TRIB_OK
               : trib_fail(error, TRIB_USAGE, "%s: exists already; nothing was written", path);
}

static trib_status make_directory(const char *path, trib_error *error) {
    if (trib_disk_make_folder(path) == 0 || (errno == EEXIST && trib_disk_is_folder(path)))
        return TRIB_OK;
    return trib_fail(error, TRIB_OUTPUT, "%s: cannot be created: %s", path, strerror(errno));
}

/* Writes one file, and creates its directory when the name contains one. */
static trib_status write_file(trib_arena *arena, const char *path, const trib_embedded_file *file,
                              trib_error *error) {
    trib_status status = TRIB_OK;
    if (strchr(file->name, '/')) {
        const char *folder = trib_arena_copy(arena, path, (size_t)(strrchr(path, '/') - path));
        status = trib_arena_check(arena, error);
        if (status == TRIB_OK) status = make_directory(folder, error);
    }
    return status == TRIB_OK ? trib_write_whole(path, file->bytes, file->n_bytes, error) : status;
}

/* Writes the small corpus and its experiment to the paths of its files, all or none. */
static trib_status write_sample(trib_arena *arena, const char *directory, const char *const path[],
                                trib_error *error) {
    trib_status status = TRIB_OK;
    size_t n = 0;
    for (size_t i = 0; trib_small_corpus[i].name && status == TRIB_OK; i++)
        status = refuse_existing(path[i], error);
    if (status == TRIB_OK) status = make_directory(directory, error);
    for (; trib_small_corpus[n].name && status == TRIB_OK; n += status == TRIB_OK)
        status = write_file(arena, path[n], &trib_small_corpus[n], error);
    while (status != TRIB_OK && n > 0) (void)trib_disk_remove(path[--n]);
    return status;
}

static const char init_heading[] =
    "# An experiment: which of these texts flow into which, how much, and through which passages?\n"
    "#\n"
    "#     tributary check experiment.yaml       find mistakes, and estimate time and memory\n"
    "#     tributary run experiment.yaml         run it; the report is report.html in the run "
    "directory\n"
    "#\n"
    "# Everything but the documents and the target has a default; `tributary help keys` lists all "
    "keys.\n";

/* Writes an experiment about the texts of the folder. *has_texts is false when there are none. */
static trib_status write_own(const char *directory, const char *path, const trib_command_line *line,
                             bool *has_texts, trib_error *error) {
    TRIB_OWNED(trib_draft) draft = {.n_documents = 0};
    TRIB_FREED(char *) name = NULL;
    trib_error why = {0};
    trib_status status = name_experiment(&name, directory, error);
    if (status != TRIB_OK) return status;
    const trib_draft_request request = {.text = &directory,
                                        .n_texts = 1,
                                        .setting = line->setting,
                                        .n_settings = line->n_settings,
                                        .folder = directory,
                                        .name = name,
                                        .output = "runs/{name}",
                                        .heading = init_heading};
    status = trib_draft_make(&draft, &request, NULL, NULL, &why);
    *has_texts = draft.n_documents > 0;
    if (status != TRIB_OK && *has_texts) {
        trib_draft_release(&draft);
        status = trib_draft_make(&draft, &request, trib_config_log, line->log, error);
    }
    if (!*has_texts && status == TRIB_INPUT) status = TRIB_OK;
    else if (status == TRIB_OK) {
        status = write_draft(&draft, path, line->log, error);
        if (status == TRIB_OK) tell_draft(&draft, path, false, line->log);
    } else if (!*has_texts) status = trib_fail(error, status, "%s", why.message);
    return status;
}

/* Logs the command that runs the experiment, as the user can type it here. */
static trib_status tell_next(const char *path, const trib_command_line *line, trib_error *error) {
    char word[TRIB_PATH_MAX];
    TRIB_OWNED(trib_buffer) command = {0};
    /* a program that was started by its path may not be on the PATH */
    const char *program = strchr(line->program, '/') ? line->program : "tributary";
    trib_buffer_print(&command, error, "%s", trib_shell_word(word, sizeof word, program));
    if (line->directory)
        trib_buffer_print(&command, error, " -C %s",
                          trib_shell_word(word, sizeof word, line->directory));
    const trib_status status =
        trib_buffer_print(&command, error, " run %s", trib_shell_word(word, sizeof word, path));
    if (status == TRIB_OK) trib_log_say(line->log, TRIB_LOG_INFO, "now: %s", command.text);
    return status;
}

/* Prints the paths of the n files that were written. */
static trib_status tell_files(const char *const path[], size_t n, bool as_json, trib_writer *out,
                              trib_error *error) {
    json_t *files = as_json ? json_array() : NULL;
    for (size_t i = 0; i < n; i++)
        if (as_json) json_array_append_new(files, trib_json_text(path[i]));
        else trib_print(out, "%s\n", path[i]);
    return as_json ? trib_json_print(out, error, "{s:o}", "files", files) : TRIB_OK;
}

trib_status trib_command_init(const trib_command_line *line, trib_error *error) {
    const char *directory = line->n_operands > 0 ? line->operand[0] : ".";
    const char *begin = strcmp(directory, ".") == 0 ? "" : directory;
    struct {
        const char **path;
        size_t n;
    } files = {0}; /* of the small corpus */
    TRIB_OWNED(trib_arena) arena = {0};
    bool has_texts = false;
    const char *path = trib_arena_print(&arena, "%s%s%s", begin, *begin ? "/" : "", file_name);
    for (const trib_embedded_file *file = trib_small_corpus; file->name; file++) {
        TRIB_ADD(&arena, &files, const char *,
                 {trib_arena_print(&arena, "%s%s%s", begin, *begin ? "/" : "", file->name)});
    }
    trib_status status = trib_arena_check(&arena, error);
    if (status == TRIB_OK) status = refuse_existing(path, error);
    if (status == TRIB_OK && trib_disk_is_folder(directory))
        status = write_own(directory, path, line, &has_texts, error);
    if (status == TRIB_OK && !has_texts)
        status = write_sample(&arena, directory, files.path, error);
    if (status == TRIB_OK)
        status = tell_files(has_texts ? &path : files.path, has_texts ? 1 : files.n, line->json,
                            line->out, error);
    return status == TRIB_OK ? tell_next(path, line, error) : status;
}
