/* files.c - checks the files that keys name, besides the texts; and finds the file that a wrong
 * name probably means. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/config/loading.h"

static void check_file(trib_loading *l, const char *key, uint32_t item, const char *path) {
    struct stat about;
    int why = 0;
    if (!path) return;
    if (stat(path, &about) != 0 || access(path, R_OK) != 0) why = errno;
    else if (S_ISDIR(about.st_mode)) why = EISDIR;
    if (why != 0)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, key, item),
                      "'%s' names a file that cannot be read: %s: %s; write the file or correct "
                      "its path",
                      key, path, strerror(why));
}

void trib_loading_check_files(trib_loading *l) {
    const trib_config *config = l->config;
    const trib_stop_list *stop = &config->tokens.stop;
    check_file(l, "tokens.transform", 0, config->tokens.transform_path);
    check_file(l, "tokens.variants", 0, config->tokens.variants_path);
    for (uint32_t i = 0; i < stop->n; i++) check_file(l, "tokens.stop", i, stop->item[i].path);
    check_file(l, "vocabulary.file", 0, config->vocabulary.path);
    check_file(l, "parallels.lemmas", 0, config->parallels.lemmas_path);
    check_file(l, "report.commonplaces", 0, config->report.commonplaces_path);
}

const char *trib_nearest_file(const char *path, char hint[TRIB_NEAREST_MAX]) {
    char folder[TRIB_PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    trib_guess guess = {.word = name};
    hint[0] = '\0';
    const size_t n = slash ? (size_t)(name - path) : 0;
    if (n >= sizeof folder || !*name) return hint;
    snprintf(folder, sizeof folder, "%.*s", n > 0 ? (int)n : 1, n > 0 ? path : ".");
    DIR *directory = opendir(folder);
    /* the order of a folder is no order: of two equally near names the smaller one is taken */
    for (struct dirent *entry; directory && (entry = readdir(directory)) != NULL;) {
        if (trib_listing_is_hidden(entry->d_name)) continue;
        trib_guess one = {.word = name};
        trib_guess_try(&one, entry->d_name);
        if (*one.best && (!*guess.best || one.distance < guess.distance ||
                          (one.distance == guess.distance && strcmp(one.best, guess.best) < 0)))
            guess = one;
    }
    if (directory) closedir(directory);
    if (*guess.best)
        snprintf(hint, TRIB_NEAREST_MAX, "; did you mean '%.*s%s'?", (int)(n < 200 ? n : 0), path,
                 guess.best);
    return hint;
}
