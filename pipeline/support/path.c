/* path.c - joins and splits paths. A path written in a file is relative to the folder of that
 * file. */
#include "pipeline/support/path.h"
#include "base/internal.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

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

trib_status trib_path_relative(char **relative, const char *directory, const char *to,
                               trib_error *error) {
    char from[PATH_MAX], end[PATH_MAX];
    *relative = NULL;
    if (!realpath(directory, from) || !realpath(to, end)) return trib_copy(relative, to, error);
    size_t same = 0; /* length of the common folders of both, without the last slash */
    for (size_t i = 0;; i++) {
        const bool ends = (from[i] == '/' || !from[i]) && (end[i] == '/' || !end[i]);
        if (ends) same = i;
        if (!from[i] || !end[i] || from[i] != end[i]) break;
    }
    trib_buffer text = {0};
    trib_status status = TRIB_OK;
    for (const char *at = from + same; *at && at[1] && status == TRIB_OK; at++)
        if (*at == '/') status = trib_buffer_print(&text, error, "../");
    const char *rest = end[same] == '/' ? end + same + 1 : end + same;
    if (status == TRIB_OK)
        status = trib_buffer_print(&text, error, "%s", *rest || text.length > 0 ? rest : ".");
    *relative = text.text;
    return status;
}

trib_status trib_directory_create(const char *path, trib_error *error) {
    char part[TRIB_PATH_MAX];
    if (strlen(path) >= sizeof part)
        return trib_fail(error, TRIB_OUTPUT, "%s: path too long", path);
    strcpy(part, path);
    for (char *slash = part + 1;; slash++) {
        if (*slash != '/' && *slash != '\0') continue;
        const char end = *slash;
        *slash = '\0';
        if (trib_disk_make_folder(part) == 0) trib_sync_name(part);
        else if (errno != EEXIST)
            return trib_fail(error, TRIB_OUTPUT, "%s: cannot be made: %s", part,
                             trib_disk_reason(errno));
        *slash = end;
        if (end == '\0') break;
    }
    if (!trib_disk_is_folder(path))
        return trib_fail(error, TRIB_USAGE,
                         "%s: is a file; the output must be a directory (-o DIR)", path);
    return TRIB_OK;
}

const char *trib_path_temporary(void) {
    const char *asked = getenv("TMPDIR");
    return asked && *asked ? asked : "/tmp";
}

trib_status trib_write_whole(const char *path, const void *bytes, size_t length,
                             trib_error *error) {
    trib_writer writer;
    const trib_status status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    trib_write(&writer, bytes, length);
    return trib_writer_commit(&writer, NULL, error);
}

/* ---- Files without a name -------------------------------------------------------------------- */

trib_status trib_unnamed_file_open(int *file, trib_error *error) {
    char path[4096];
    const char *const directory = trib_path_temporary();
    *file = -1;
    const int n = snprintf(path, sizeof path, "%s/tributary-XXXXXX", directory);
    if (n < (int)sizeof path) *file = trib_disk_create(path, (size_t)n - 6, true);
    if (*file < 0)
        return trib_fail(error, TRIB_OUTPUT, "%s: no temporary file can be made: %s; set TMPDIR",
                         directory, strerror(errno));
    (void)trib_disk_remove(path);
    return TRIB_OK;
}

trib_status trib_unnamed_file_add(int file, const char *bytes, size_t length, trib_error *error) {
    for (size_t done = 0; done < length;) {
        const ssize_t n = write(file, bytes + done, length - done);
        if (n > 0) done += (size_t)n;
        else if (errno != EINTR)
            return trib_fail(error, TRIB_OUTPUT, "a temporary file cannot be written: %s",
                             strerror(errno));
    }
    return TRIB_OK;
}

trib_status trib_unnamed_file_write(int file, const void *bytes, size_t length, trib_error *error) {
    const trib_status status = trib_unnamed_file_add(file, bytes, length, error);
    if (status == TRIB_OK) lseek(file, 0, SEEK_SET);
    return status;
}
