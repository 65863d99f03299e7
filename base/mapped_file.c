/* mapped_file.c - maps a file that is read in parts. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

trib_status trib_mapped_file_open(trib_mapped_file *file, const char *path, trib_error *error) {
    struct stat about;
    trib_status status = TRIB_OK;
    *file = (trib_mapped_file){0};
    const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0 || fstat(opened, &about) != 0)
        status = trib_fail(error, TRIB_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode) || about.st_size == 0)
        status = trib_fail(error, TRIB_INPUT, "%s: is empty or no file", path);
    if (status == TRIB_OK) {
        const size_t length = (size_t)about.st_size;
        void *bytes = mmap(NULL, length, PROT_READ, MAP_SHARED, opened, 0);
        if (bytes == MAP_FAILED)
            status = trib_fail(error, TRIB_MEMORY, "out of address space: %zu bytes of %s: %s",
                               length, path, strerror(errno));
        else *file = (trib_mapped_file){bytes, length};
    }
    if (opened >= 0) (void)close(opened);
    return status;
}

void trib_mapped_file_rest(const trib_mapped_file *file) {
    if (file->bytes) (void)madvise((void *)(uintptr_t)file->bytes, file->length, MADV_DONTNEED);
}

void trib_mapped_file_close(trib_mapped_file *file) {
    if (file->bytes) munmap((void *)(uintptr_t)file->bytes, file->length);
    *file = (trib_mapped_file){0};
}
