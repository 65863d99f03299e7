/* mapped.c - files in memory: a file that is read in parts, arrays that are stored in a scratch
 * file and read again later, and memory whose pages lie in a scratch file. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif
#include "base/base.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

trib_status trib_mapped_file_open(trib_mapped_file *file, const char *path, trib_error *error) {
    struct stat about;
    trib_status status = TRIB_OK;
    *file = (trib_mapped_file){0};
    const int opened = trib_disk_open(path, O_RDONLY | O_NONBLOCK);
    if (opened < 0 || fstat(opened, &about) != 0)
        status =
            trib_fail(error, TRIB_INPUT, "%s: cannot be read: %s", path, trib_disk_reason(errno));
    else if (about.st_size == 0) status = trib_fail(error, TRIB_INPUT, "%s: is empty", path);
    if (status == TRIB_OK) {
        const size_t length = (size_t)about.st_size;
        void *bytes = mmap(NULL, length, PROT_READ, MAP_SHARED, opened, 0);
        if (bytes == MAP_FAILED)
            status = trib_fail(error, TRIB_MEMORY, "out of address space: %zu bytes of %s: %s",
                               length, path, trib_disk_reason(errno));
        else *file = (trib_mapped_file){bytes, length};
    }
    if (opened >= 0) (void)close(opened);
    return status;
}

void trib_mapped_file_rest(const trib_mapped_file *file) {
    if (file->bytes) (void)madvise((void *)(uintptr_t)file->bytes, file->length, MADV_DONTNEED);
}

void trib_mapped_file_scatter(const trib_mapped_file *file, bool is_scattered) {
    const int advice = is_scattered ? MADV_RANDOM : MADV_NORMAL;
    if (file->bytes) (void)madvise((void *)(uintptr_t)file->bytes, file->length, advice);
}

void trib_mapped_file_announce(const trib_mapped_file *file, uint64_t from, uint64_t size) {
    const uint64_t start = from - from % (uint64_t)sysconf(_SC_PAGESIZE);
    if (from >= file->length) return;
    if (size > file->length - from) size = file->length - from;
    (void)madvise((void *)((uintptr_t)file->bytes + start), (size_t)(from + size - start),
                  MADV_WILLNEED);
}

void trib_mapped_file_close(trib_mapped_file *file) {
    if (file->bytes) munmap((void *)(uintptr_t)file->bytes, file->length);
    *file = (trib_mapped_file){0};
}

/* ---- Writable memory ------------------------------------------------------------------------- */

trib_status trib_scratch_array_open(trib_scratch_array *array, size_t count, size_t size,
                                    const char *directory, trib_error *error) {
    trib_writer file;
    *array = (trib_scratch_array){0};
    if (size > 0 && count > (size_t)INT64_MAX / size)
        return trib_fail(error, TRIB_MEMORY, "out of address space: %zu times %zu bytes", count,
                         size);
    const size_t length = count * size > 0 ? count * size : 1;
    trib_status status = trib_writer_scratch(&file, directory, false, error);
    if (status != TRIB_OK) return status;
    /* A full disk would otherwise end the program when a page is written. */
    const int why = trib_reserve_file(file.file, length);
    void *bytes = NULL;
    if (why != 0)
        status = trib_fail(error, TRIB_OUTPUT, "%s: no room for %zu bytes: %s", directory, length,
                           trib_disk_reason(why));
    else bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.file, 0);
    if (bytes == MAP_FAILED)
        status = trib_fail(error, TRIB_MEMORY, "out of address space: %zu bytes in %s: %s", length,
                           directory, trib_disk_reason(errno));
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

/* ---- Arrays in segments of a scratch file ---------------------------------------------------- */

/* Many arrays share one mapping, because systems allow only some ten thousand. */
enum { SEGMENT = 8 << 20, LINE = 64 };

typedef struct trib_segment {
    void *start;
    size_t size;
    uint64_t from; /* place of the first byte in the file */
} trib_segment;

static size_t rounded(size_t size, size_t to) { return (size + to - 1) / to * to; }

/* Writes zeros up to a multiple of `to`, which is at most a page. */
static void pad(trib_writer *writer, size_t to) {
    static const char zero[LINE];
    while (writer->failure.status == TRIB_OK && writer->n_written % to != 0)
        trib_write(writer, zero, LINE - writer->n_written % LINE);
}

trib_status trib_spill_open(trib_spill *spill, const char *directory, bool is_named,
                            trib_error *error) {
    *spill = (trib_spill){0};
    return trib_writer_scratch(&spill->writer, directory, is_named, error);
}

/* Maps a segment at the end of the file, before any bytes are written there. */
static trib_status add_segment(trib_spill *spill, size_t size, trib_error *error) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    trib_status status =
        TRIB_GROW(&spill->segment, &spill->cap, spill->n_segments + 1, "a scratch file", error);
    if (status != TRIB_OK) return status;
    pad(&spill->writer, page);
    size = size > SEGMENT ? rounded(size, page) : SEGMENT;
    void *start =
        mmap(NULL, size, PROT_READ, MAP_SHARED, spill->writer.file, (off_t)spill->writer.n_written);
    if (start == MAP_FAILED)
        return trib_fail(error, TRIB_MEMORY, "out of address space: %zu bytes of %s: %s", size,
                         spill->writer.path, trib_disk_reason(errno));
    spill->segment[spill->n_segments++] = (trib_segment){start, size, spill->writer.n_written};
    spill->next = start;
    spill->left = size;
    return TRIB_OK;
}

trib_status trib_spill_put(trib_spill *spill, const void *array, size_t size, void *kept,
                           trib_error *error) {
    trib_status status = TRIB_OK;
    const size_t taken = rounded(size, LINE);
    if (spill->left < taken) status = add_segment(spill, taken, error);
    if (status != TRIB_OK) return status;
    trib_write(&spill->writer, array, size);
    pad(&spill->writer, LINE);
    status = trib_writer_flush(&spill->writer, error);
    if (status != TRIB_OK) return status;
    memcpy(kept, &spill->next, sizeof spill->next);
    if (taken > 0) spill->next += taken; /* before the first segment, spill->next is NULL */
    spill->left -= taken;
    return TRIB_OK;
}

uint64_t trib_spill_place(const trib_spill *spill, const void *kept) {
    const uintptr_t at = (uintptr_t)kept;
    for (size_t i = spill->n_segments; i-- > 0;) {
        const trib_segment *segment = &spill->segment[i];
        const uintptr_t start = (uintptr_t)segment->start;
        if (at >= start && at - start < segment->size) return segment->from + (at - start);
    }
    return 0; /* an empty array before the first segment */
}

trib_status trib_spill_attach(trib_spill *spill, const char *path, uint64_t size,
                              trib_error *error) {
    struct stat about;
    void *start = MAP_FAILED;
    *spill = (trib_spill){.writer = {.file = -1}};
    if (size == 0) return TRIB_OK;
    trib_status status = TRIB_GROW(&spill->segment, &spill->cap, 1, "a scratch file", error);
    if (status != TRIB_OK) return status;
    const int file = trib_disk_open(path, O_RDONLY | O_NONBLOCK);
    if (file >= 0 && fstat(file, &about) == 0 && (uint64_t)about.st_size >= size)
        start = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, file, 0);
    else if (file >= 0) errno = ENODATA;
    if (start == MAP_FAILED)
        status = trib_fail(error, TRIB_INPUT, "%s, a scratch file of another process: %s", path,
                           trib_disk_reason(errno));
    else spill->segment[spill->n_segments++] = (trib_segment){start, (size_t)size, 0};
    if (file >= 0) close(file);
    if (status != TRIB_OK) trib_spill_close(spill);
    return status;
}

void *trib_spill_array(const trib_spill *spill, uint64_t place, uint64_t n, size_t size) {
    const uint64_t there = spill->n_segments > 0 ? spill->segment[0].size : 0;
    if (place > there || place % LINE != 0 || n > (there - place) / size) return NULL;
    return there > 0 ? (char *)spill->segment[0].start + place : NULL;
}

void trib_spill_rest(const trib_spill *spill) {
    for (size_t i = 0; i < spill->n_segments; i++)
        (void)madvise(spill->segment[i].start, spill->segment[i].size, MADV_DONTNEED);
}

void trib_spill_rest_array(const trib_spill *spill, const void *array, size_t size) {
    enum { NEAR = 1 << 16 }; /* with a page, the system maps others near it */
    const uintptr_t at = (uintptr_t)array;
    for (size_t i = spill->n_segments; i-- > 0;) {
        const trib_segment *segment = &spill->segment[i];
        const uintptr_t start = (uintptr_t)segment->start, end = start + segment->size;
        if (at < start || at >= end) continue;
        const uintptr_t from = at / NEAR * NEAR, to = (at + size + NEAR - 1) / NEAR * NEAR;
        const uintptr_t first = from > start ? from : start, last = to < end ? to : end;
        (void)madvise((void *)first, last - first, MADV_DONTNEED);
        return;
    }
}

void trib_spill_close(trib_spill *spill) {
    for (size_t i = 0; i < spill->n_segments; i++)
        munmap(spill->segment[i].start, spill->segment[i].size);
    trib_free(spill->segment);
    trib_writer_abandon(&spill->writer);
    *spill = (trib_spill){0};
}
