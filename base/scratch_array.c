/* scratch_array.c - memory whose pages lie in a scratch file. The room is reserved on the disk
 * first: a full disk would otherwise end the program when a page is written. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif
#include "base/base.h"
#include "base/system.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

trib_status trib_scratch_array_open(trib_scratch_array *array, size_t count, size_t size,
                                    const char *directory, trib_error *error) {
    trib_writer file;
    *array = (trib_scratch_array){0};
    if (size > 0 && count > (size_t)INT64_MAX / size)
        return trib_fail(error, TRIB_MEMORY, "out of address space: %zu times %zu bytes", count,
                         size);
    const size_t length = count * size > 0 ? count * size : 1;
    trib_status status = trib_writer_scratch(&file, directory, error);
    if (status != TRIB_OK) return status;
    const int why = trib_reserve_file(file.file, length);
    void *bytes = NULL;
    if (why != 0)
        status = trib_fail(error, TRIB_OUTPUT, "%s: no room for %zu bytes: %s", directory, length,
                           strerror(why));
    else bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.file, 0);
    if (bytes == MAP_FAILED)
        status = trib_fail(error, TRIB_MEMORY, "out of address space: %zu bytes in %s: %s", length,
                           directory, strerror(errno));
    trib_writer_abandon(&file); /* the mapping holds the file */
    if (status == TRIB_OK) *array = (trib_scratch_array){bytes, length};
    return status;
}

void trib_scratch_array_rest(const trib_scratch_array *array) {
    if (array->bytes) (void)madvise(array->bytes, array->size, MADV_DONTNEED);
}

void trib_scratch_array_close(trib_scratch_array *array) {
    if (array->bytes) munmap(array->bytes, array->size);
    *array = (trib_scratch_array){0};
}
