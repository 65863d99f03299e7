/* files.c - checks the files that keys name, besides the texts. */
#include <errno.h>
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
