/* address.c - splits an address into the path of a file and the name of a text inside it. Only
 * names and the file system are examined, and of contents the first line of a library. */
#include "base/internal.h"
#include "base/system.h"
#include "pipeline/text/input.h"
#include "pipeline/text/library.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

const char *trib_address_column(const char *path) {
    char file[4096];
    const char *sign = strrchr(path, '#'), *slash = strrchr(path, '/');
    const size_t n = sign ? (size_t)(sign - path) : 0;
    if (n == 0 || n >= sizeof file || sign[1] == '\0' || (slash && slash > sign) ||
        trib_disk_has(path))
        return NULL;
    memcpy(file, path, n);
    file[n] = '\0';
    return trib_disk_is_file(file) ? sign + 1 : NULL;
}

/* Length of the folder of a library that is followed by the id of a text; otherwise 0. */
static size_t in_library(const char *path) {
    char folder[4096];
    const char *const slash = strrchr(path, '/');
    if (!slash || slash == path || !slash[1]) return 0;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    const int failure = errno;
    const bool is_library = trib_library_is_at(folder);
    errno = failure;
    return is_library ? (size_t)(slash - path) : 0;
}

size_t trib_address_split(const char *path) {
    struct stat about;
    char part[4096];
    const size_t length = strlen(path);
    if (length >= sizeof part || trib_disk_has(path)) return 0;
    if (errno == ENOENT && in_library(path) > 0) return in_library(path);
    if (errno != ENOTDIR && !strchr(path, '#')) return 0;
    for (size_t i = 1; i < length; i++) {
        if (path[i] != '/') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (trib_disk_about(part, &about) != 0) return trib_address_column(part) ? i : 0;
        if (!S_ISDIR(about.st_mode)) return i;
    }
    return 0;
}

trib_status trib_address_settle(char **settled, const char *path, trib_error *error) {
    char file[4096], real[PATH_MAX];
    const size_t n = trib_address_split(path), length = n > 0 ? n : strlen(path);
    trib_buffer whole = {0};
    if (length >= sizeof file || strcmp(path, "-") == 0) return trib_copy(settled, path, error);
    memcpy(file, path, length);
    file[length] = '\0';
    const trib_status status =
        trib_buffer_print(&whole, error, "%s%s", realpath(file, real) ? real : file, path + length);
    *settled = whole.text;
    return status;
}

bool trib_address_is_there(const char *path) {
    return strcmp(path, "-") == 0 || trib_disk_may(path, R_OK) || trib_address_split(path) > 0 ||
           trib_address_column(path) != NULL;
}

/* Calls stat on the file part of an address; false when there is no such file. */
static bool stat_file(const char *path, struct stat *about) {
    char file[4096];
    const size_t n_file = trib_address_split(path), length = n_file > 0 ? n_file : strlen(path);
    if (snprintf(file, sizeof file, "%.*s", (int)length, path) >= (int)sizeof file) return false;
    const char *column = trib_address_column(file);
    if (column) file[column - 1 - file] = '\0';
    return trib_disk_about(file, about) == 0;
}

trib_status trib_address_check(const char *path, trib_error *error) {
    struct stat about;
    if (strcmp(path, "-") == 0 || !stat_file(path, &about) || S_ISREG(about.st_mode) ||
        S_ISDIR(about.st_mode))
        return TRIB_OK;
    return trib_fail(error, TRIB_INPUT,
                     "%s: is a pipe or a device, which cannot be read twice; copy its text into a "
                     "file, or name '-' and give it on standard input",
                     path);
}

uint64_t trib_address_stamp(const char *path) {
    struct stat about;
    if (!stat_file(path, &about)) return 0;
    int64_t what[5] = {about.st_size};
    trib_file_times(&about, what + 1);
    return trib_hash_bytes(what, sizeof what);
}
