/* init.c - `tributary init`: writes a commented experiment.yaml and the small corpus. It
 * overwrites nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/cli/cli.h"
#include "pipeline/command/command.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

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

static trib_status tell(const char *directory, const trib_command_line *line, trib_log *log,
                        trib_writer *out, trib_error *error) {
    trib_buffer path = {0};
    char word[1024];
    trib_status status = TRIB_OK;
    json_t *files = line->json ? json_array() : NULL;
    for (const trib_embedded_file *file = trib_small_corpus; file->name && status == TRIB_OK;
         file++) {
        status = path_of(&path, directory, file->name, error);
        if (status != TRIB_OK) break;
        if (!line->json) trib_print(out, "%s\n", path.text);
        else json_array_append_new(files, trib_json_text(path.text));
    }
    if (status == TRIB_OK && line->json)
        status = trib_json_write(json_pack("{s:i, s:O}", "schema", 1, "files", files), out, error);
    if (status == TRIB_OK) status = path_of(&path, directory, "experiment.yaml", error);
    if (status == TRIB_OK)
        trib_log_say(log, TRIB_LOG_INFO, "now: tributary run %s",
                     trib_shell_word(word, sizeof word, path.text));
    json_decref(files);
    trib_buffer_release(&path);
    return status;
}

trib_status trib_command_init(const trib_command_line *line, trib_log *log, trib_writer *out,
                              trib_error *error) {
    const char *directory = line->n_operands > 0 ? line->operand[0] : ".";
    trib_buffer path = {0};
    const trib_embedded_file *file = trib_small_corpus;
    trib_status status = refuse_existing(&path, directory, error);
    if (status == TRIB_OK) status = make_directory(directory, error);
    for (; file->name && status == TRIB_OK; file++)
        status = write_file(&path, directory, file, error);
    if (status == TRIB_OK) {
        status = tell(directory, line, log, out, error);
    } else if (file > trib_small_corpus) { /* after an error, remove the files that were written */
        for (file -= 2; file >= trib_small_corpus; file--)
            if (path_of(&path, directory, file->name, NULL) == TRIB_OK) (void)unlink(path.text);
    }
    trib_buffer_release(&path);
    return status;
}
