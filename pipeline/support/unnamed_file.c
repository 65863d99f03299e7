/* unnamed_file.c - temporary files that are unlinked as soon as they are created, so that they
 * vanish with the process. */
#include "pipeline/support/unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/support/path.h"

trib_status trib_unnamed_file_open(int *file, trib_error *error) {
    char path[4096];
    const char *const directory = trib_path_temporary();
    *file = -1;
    if (snprintf(path, sizeof path, "%s/tributary-XXXXXX", directory) < (int)sizeof path)
        *file = mkstemp(path);
    if (*file < 0)
        return trib_fail(error, TRIB_OUTPUT, "%s: no temporary file can be made: %s; set TMPDIR",
                         directory, strerror(errno));
    unlink(path);
    fcntl(*file, F_SETFD, FD_CLOEXEC);
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
