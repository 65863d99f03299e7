/* run_below.c - the run that a folder stands for: the only finished run in it or in its folder
 * `runs`, where `run` and the experiments of `init` put theirs. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pipeline/program/cli.h"

enum { NAMED = 8 }; /* runs that a message lists */

typedef struct runs {
    char **path; /* [n] */
    size_t n, cap;
} runs;

static bool has_file(const char *folder, const char *name) {
    char path[TRIB_PATH_MAX];
    struct stat about;
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static bool is_run(const char *folder) {
    return has_file(folder, "influence.json") || has_file(folder, "config.resolved.yaml");
}

static bool is_finished(const char *folder) {
    return has_file(folder, "influence.json") && has_file(folder, "SHA256SUMS");
}

/* Whether `path` is NAME.1 or the like beside a run NAME: the run that was there before. */
static bool is_older(const char *path) {
    char newer[TRIB_PATH_MAX];
    const char *dot = strrchr(path, '.');
    return dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")] &&
           snprintf(newer, sizeof newer, "%.*s", (int)(dot - path), path) < (int)sizeof newer &&
           is_finished(newer);
}

static trib_status add_runs(runs *list, const char *folder, trib_error *error) {
    trib_status status = TRIB_OK;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && status == TRIB_OK && (entry = readdir(directory));) {
        char *path = NULL;
        if (entry->d_name[0] == '.') continue;
        status = trib_path_join(&path, folder, entry->d_name, error);
        if (status == TRIB_OK && is_finished(path) && !is_older(path))
            status = TRIB_GROW(&list->path, &list->cap, list->n + 1, "the runs", error);
        else {
            trib_free(path);
            continue;
        }
        if (status == TRIB_OK) list->path[list->n++] = path;
        else trib_free(path);
    }
    if (directory) closedir(directory);
    return status;
}

static int by_path(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static trib_status fail_several(const runs *list, const char *folder, trib_error *error) {
    trib_buffer names = {0};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < list->n && i < NAMED && status == TRIB_OK; i++)
        status = trib_buffer_print(&names, error, "%s%s", i > 0 ? ", " : "", list->path[i]);
    if (status == TRIB_OK && list->n > NAMED)
        status = trib_buffer_print(&names, error, " and %zu more", list->n - NAMED);
    if (status == TRIB_OK)
        status = trib_fail(error, TRIB_USAGE, "%s: holds %zu runs: %s; name one of them", folder,
                           list->n, names.text);
    trib_buffer_release(&names);
    return status;
}

/* Replaces the word `i` of the command line by the run below it, if there is one. */
static trib_status find(trib_command_line *line, size_t i, trib_log *log, trib_error *error) {
    const char *folder = line->operand[i];
    struct stat about;
    runs list = {0};
    char *below = NULL;
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode) || is_run(folder)) return TRIB_OK;
    trib_status status = trib_path_join(&below, folder, "runs", error);
    if (status == TRIB_OK) status = add_runs(&list, folder, error);
    if (status == TRIB_OK) status = add_runs(&list, below, error);
    if (list.n > 0) qsort(list.path, list.n, sizeof *list.path, by_path);
    if (status == TRIB_OK && list.n > 1) status = fail_several(&list, folder, error);
    if (status == TRIB_OK && list.n == 1) {
        trib_log_say(log, TRIB_LOG_INFO, "%s: the run in it is %s", folder, list.path[0]);
        status = TRIB_GROW(&line->found, &line->found_cap, line->n_found + 1, "the runs", error);
        if (status == TRIB_OK) {
            line->operand[i] = line->found[line->n_found++] = list.path[0];
            list.path[0] = NULL;
        }
    }
    for (size_t r = 0; r < list.n; r++) trib_free(list.path[r]);
    TRIB_FREE(list.path, below);
    return status;
}

trib_status trib_runs_below(trib_command_line *line, const trib_command *command, trib_log *log,
                            trib_error *error) {
    trib_status status = TRIB_OK;
    const char *word = command->operands;
    for (size_t i = 0; i < line->n_operands && strncmp(word, "RUN", 3) == 0 && status == TRIB_OK;
         i++) {
        const bool repeats = strncmp(word + 3, "...", 3) == 0;
        if (!repeats && word[3] != ' ' && word[3] != '\0') break;
        status = find(line, i, log, error);
        if (!repeats) word += word[3] == ' ' ? 4 : 3;
    }
    return status;
}
