/* init.c - `tributary init`: writes a commented experiment.yaml about the texts of a folder; where
 * there are none, the small corpus and its experiment. It overwrites nothing. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/program/cli.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

static const char experiment[] = "experiment.yaml";

static trib_status path_of(trib_buffer *path, const char *directory, const char *name,
                           trib_error *error) {
    trib_buffer_clear(path);
    return strcmp(directory, ".") == 0 ? trib_buffer_print(path, error, "%s", name)
                                       : trib_buffer_print(path, error, "%s/%s", directory, name);
}

static trib_status refuse_existing(trib_buffer *path, const char *directory, trib_error *error) {
    trib_status status = TRIB_OK;
    for (const trib_embedded_file *file = trib_small_corpus; file->name && status == TRIB_OK;
         file++) {
        struct stat about;
        status = path_of(path, directory, file->name, error);
        if (status == TRIB_OK && lstat(path->text, &about) == 0)
            status =
                trib_fail(error, TRIB_USAGE, "%s: exists already; nothing was written", path->text);
    }
    return status;
}

static trib_status make_directory(const char *path, trib_error *error) {
    struct stat about;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return TRIB_OK;
    return trib_fail(error, TRIB_OUTPUT, "%s: cannot be created: %s", path, strerror(errno));
}

/* Writes one file, and creates its directory when the name contains one. */
static trib_status write_file(trib_buffer *path, const char *directory,
                              const trib_embedded_file *file, trib_error *error) {
    trib_writer writer = {.file = -1};
    const char *slash = strrchr(file->name, '/');
    trib_status status = path_of(path, directory, file->name, error);
    if (status == TRIB_OK && slash) {
        char *end = strrchr(path->text, '/');
        *end = '\0';
        status = make_directory(path->text, error);
        *end = '/';
    }
    if (status == TRIB_OK) status = trib_writer_open(&writer, path->text, error);
    if (status == TRIB_OK) {
        trib_write(&writer, file->bytes, file->n_bytes);
        status = trib_writer_commit(&writer, NULL, error);
    }
    return status;
}

/* ---- The next command ------------------------------------------------------------------------ */

/* Logs the command that runs the experiment, as the user can type it here. */
static trib_status tell_next(const char *path, const trib_command_line *line, trib_log *log,
                             trib_error *error) {
    char word[TRIB_PATH_MAX];
    trib_buffer command = {0};
    /* a program that was started by its path may not be on the PATH */
    const char *program = strchr(line->program, '/') ? line->program : "tributary";
    trib_status status =
        trib_buffer_print(&command, error, "%s", trib_shell_word(word, sizeof word, program));
    if (status == TRIB_OK && line->directory)
        status = trib_buffer_print(&command, error, " -C %s",
                                   trib_shell_word(word, sizeof word, line->directory));
    if (status == TRIB_OK)
        status =
            trib_buffer_print(&command, error, " run %s", trib_shell_word(word, sizeof word, path));
    if (status == TRIB_OK) trib_log_say(log, TRIB_LOG_INFO, "now: %s", command.text);
    trib_buffer_release(&command);
    return status;
}

static trib_status tell(const char *directory, const trib_embedded_file *file,
                        const trib_command_line *line, trib_log *log, trib_writer *out,
                        trib_error *error) {
    trib_buffer path = {0};
    trib_status status = TRIB_OK;
    json_t *files = line->json ? json_array() : NULL;
    for (; file->name && status == TRIB_OK; file++) {
        status = path_of(&path, directory, file->name, error);
        if (status != TRIB_OK) break;
        if (!line->json) trib_print(out, "%s\n", path.text);
        else json_array_append_new(files, trib_json_text(path.text));
    }
    if (status == TRIB_OK && line->json)
        status = trib_json_write(json_pack("{s:i, s:O}", "schema", 1, "files", files), out, error);
    if (status == TRIB_OK) status = path_of(&path, directory, experiment, error);
    if (status == TRIB_OK) status = tell_next(path.text, line, log, error);
    json_decref(files);
    trib_buffer_release(&path);
    return status;
}

/* ---- The experiment -------------------------------------------------------------------------- */

static const char heading[] =
    "# An experiment: which of these texts flow into which, how much, and through which phrases?\n"
    "#\n"
    "#     tributary check experiment.yaml       find mistakes, and estimate time and memory\n"
    "#     tributary run experiment.yaml         run it; the report is report.html in the run "
    "directory\n"
    "#\n"
    "# Everything but the documents and the target has a default; `tributary help keys` lists all "
    "keys.\n";

/* Writes an experiment about the texts of the folder. *has_texts is false when there are none. */
static trib_status write_own(const char *directory, const trib_command_line *line, bool *has_texts,
                             trib_log *log, trib_error *error) {
    trib_buffer path = {0};
    trib_draft draft = {.n_documents = 0};
    char *name = NULL;
    trib_error why = {0};
    trib_status status = trib_experiment_name(&name, directory, error);
    if (status == TRIB_OK) status = path_of(&path, directory, experiment, error);
    if (status == TRIB_OK) {
        const trib_draft_request request = {.text = &directory,
                                            .n_texts = 1,
                                            .setting = line->setting,
                                            .n_settings = line->n_settings,
                                            .folder = directory,
                                            .name = name,
                                            .output = "runs/{name}",
                                            .heading = heading};
        status = trib_draft_make(&draft, &request, NULL, NULL, &why);
        *has_texts = draft.n_documents > 0;
        if (status != TRIB_OK && *has_texts) {
            trib_draft_release(&draft);
            status = trib_draft_make(&draft, &request, trib_config_log, log, error);
        }
        if (!*has_texts && status == TRIB_INPUT) status = TRIB_OK;
        else if (status == TRIB_OK) {
            status = trib_experiment_write_draft(&draft, path.text, log, error);
            if (status == TRIB_OK) trib_experiment_tell(&draft, path.text, false, log);
        } else if (!*has_texts) status = trib_fail(error, status, "%s", why.message);
    }
    trib_draft_release(&draft);
    trib_buffer_release(&path);
    trib_free(name);
    return status;
}

/* Writes the small corpus and its experiment. */
static trib_status write_sample(const char *directory, trib_error *error) {
    trib_buffer path = {0};
    const trib_embedded_file *file = trib_small_corpus;
    trib_status status = refuse_existing(&path, directory, error);
    if (status == TRIB_OK) status = make_directory(directory, error);
    for (; file->name && status == TRIB_OK; file++)
        status = write_file(&path, directory, file, error);
    if (status != TRIB_OK && file > trib_small_corpus) {
        /* after an error, remove the files that were written */
        for (file -= 2; file >= trib_small_corpus; file--)
            if (path_of(&path, directory, file->name, NULL) == TRIB_OK) (void)unlink(path.text);
    }
    trib_buffer_release(&path);
    return status;
}

trib_status trib_command_init(const trib_command_line *line, trib_log *log, trib_writer *out,
                              trib_error *error) {
    static const trib_embedded_file own[] = {{.name = experiment}, {.name = NULL}};
    const char *directory = line->n_operands > 0 ? line->operand[0] : ".";
    struct stat about;
    trib_buffer path = {0};
    bool has_texts = false;
    trib_status status = path_of(&path, directory, experiment, error);
    if (status == TRIB_OK && lstat(path.text, &about) == 0)
        status = trib_fail(error, TRIB_USAGE, "%s: exists already; nothing was written", path.text);
    if (status == TRIB_OK && stat(directory, &about) == 0 && S_ISDIR(about.st_mode))
        status = write_own(directory, line, &has_texts, log, error);
    if (status == TRIB_OK && !has_texts) status = write_sample(directory, error);
    if (status == TRIB_OK)
        status = tell(directory, has_texts ? own : trib_small_corpus, line, log, out, error);
    trib_buffer_release(&path);
    return status;
}
