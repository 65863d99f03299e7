/* path.c - where files are. A path in a file is seen from that file. */
#include "pipeline/documents.h"

#include <string.h>

trib_status trib_path_join(char **path, const char *directory, const char *name,
                           trib_error *error) {
    *path = NULL;
    const size_t n_directory = strlen(directory), n_name = strlen(name);
    if (name[0] == '/' || strcmp(directory, ".") == 0)
        return trib_copy_text(path, name, n_name, error);
    trib_buffer text = {0};
    const bool slash = n_directory > 0 && directory[n_directory - 1] == '/';
    const trib_status status =
        trib_buffer_print(&text, error, "%s%s%s", directory, slash ? "" : "/", name);
    *path = text.text;
    return status;
}

trib_status trib_path_directory(char **directory, const char *path, trib_error *error) {
    const char *slash = strrchr(path, '/');
    if (!slash) return trib_copy_text(directory, ".", 1, error);
    return trib_copy_text(directory, path, slash > path ? (size_t)(slash - path) : 1, error);
}

trib_status trib_path_stem(char **stem, const char *path, trib_error *error) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return trib_copy_text(stem, name, dot && dot > name ? (size_t)(dot - name) : strlen(name),
                          error);
}
