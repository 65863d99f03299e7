/* reader.c - bytes from a file, standard input or memory. */
#include "base/internal.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static trib_status open_with(trib_reader *reader, const char *path, int flags, trib_error *error) {
    *reader = (trib_reader){.name = path, .file = trib_disk_open(path, O_RDONLY | flags)};
    return reader->file >= 0 ? TRIB_OK
                             : trib_fail(error, TRIB_INPUT, "%s: cannot be opened: %s", path,
                                         trib_disk_reason(errno));
}

trib_status trib_reader_open(trib_reader *reader, const char *path, trib_error *error) {
    if (strcmp(path, "-") != 0) return open_with(reader, path, 0, error);
    *reader = (trib_reader){.name = "standard input", .file = STDIN_FILENO};
    return TRIB_OK;
}

trib_status trib_reader_open_file(trib_reader *reader, const char *path, trib_error *error) {
    /* O_NONBLOCK, because opening a pipe would block */
    return open_with(reader, path, O_NONBLOCK, error);
}

void trib_reader_memory(trib_reader *reader, const char *name, const void *bytes, size_t length) {
    *reader = (trib_reader){.name = name, .file = -1, .memory = bytes, .length = length};
}

/* Like trib_reader_read, but reads the stored bytes without unpacking them. */
static trib_status read_packed(trib_reader *reader, void *bytes, size_t size, size_t *got,
                               trib_error *error) {
    *got = 0;
    if (reader->n_ahead > 0) {
        *got = size < reader->n_ahead ? size : reader->n_ahead;
        memcpy(bytes, reader->ahead, *got);
        reader->n_ahead -= (uint32_t)*got;
        memmove(reader->ahead, reader->ahead + *got, reader->n_ahead);
        return TRIB_OK;
    }
    if (reader->file < 0) {
        const size_t left = reader->length - reader->position;
        *got = size < left ? size : left;
        if (*got > 0) memcpy(bytes, reader->memory + reader->position, *got);
        reader->position += *got;
        return TRIB_OK;
    }
    ssize_t n;
    do n = read(reader->file, bytes, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return trib_fail(error, TRIB_INPUT, "%s: cannot be read: %s", reader->name,
                         trib_disk_reason(errno));
    *got = (size_t)n;
    return TRIB_OK;
}

trib_status trib_reader_read(trib_reader *reader, void *bytes, size_t size, size_t *got,
                             trib_error *error) {
    return reader->gunzip
               ? trib_gunzip_read(reader->gunzip, read_packed, reader, bytes, size, got, error)
               : read_packed(reader, bytes, size, got, error);
}

trib_status trib_reader_peek(trib_reader *reader, void *bytes, size_t size, size_t *got,
                             trib_error *error) {
    unsigned char ahead[sizeof reader->ahead] = {0};
    const size_t most = size < sizeof ahead ? size : sizeof ahead;
    size_t n = 0, more = 1;
    trib_status status = TRIB_OK;
    if (most > reader->n_ahead) {
        while (status == TRIB_OK && n < most && more > 0) {
            status = read_packed(reader, ahead + n, most - n, &more, error);
            n += more;
        }
        memcpy(reader->ahead, ahead, n);
        reader->n_ahead = (uint32_t)n;
    }
    *got = most < reader->n_ahead ? most : reader->n_ahead;
    memcpy(bytes, reader->ahead, *got);
    return status;
}

trib_status trib_reader_unpack(trib_reader *reader, trib_error *error) {
    unsigned char magic[2];
    size_t n = 0;
    const trib_status status = trib_reader_peek(reader, magic, sizeof magic, &n, error);
    if (status != TRIB_OK) return status;
    return n == 2 && magic[0] == 0x1f && magic[1] == 0x8b
               ? trib_gunzip_open(&reader->gunzip, reader->name, error)
               : TRIB_OK;
}

trib_status trib_reader_size(const trib_reader *reader, uint64_t *size, trib_error *error) {
    struct stat about;
    *size = reader->length;
    if (reader->file < 0) return TRIB_OK;
    if (fstat(reader->file, &about) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: cannot be read: %s", reader->name,
                         trib_disk_reason(errno));
    if (!S_ISREG(about.st_mode))
        return trib_fail(error, TRIB_INPUT, "%s: is not a seekable file", reader->name);
    *size = (uint64_t)about.st_size;
    return TRIB_OK;
}

trib_status trib_reader_at(const trib_reader *reader, uint64_t offset, void *bytes, size_t size,
                           trib_error *error) {
    size_t done = 0;
    if (reader->file < 0) {
        if (offset <= reader->length && size <= reader->length - offset) done = size;
        if (done > 0) memcpy(bytes, reader->memory + offset, size);
    } else {
        while (done < size) {
            const ssize_t n =
                pread(reader->file, (char *)bytes + done, size - done, (off_t)(offset + done));
            if (n == 0) break;
            if (n > 0) done += (size_t)n;
            else if (errno != EINTR)
                return trib_fail(error, TRIB_INPUT, "%s: cannot be read: %s", reader->name,
                                 trib_disk_reason(errno));
        }
    }
    if (done < size)
        return trib_fail(error, TRIB_INPUT, "%s: ends too early: %zu bytes expected at byte %llu",
                         reader->name, size, (unsigned long long)offset);
    return TRIB_OK;
}

void trib_reader_close(trib_reader *reader) {
    if (reader->file > STDIN_FILENO) close(reader->file);
    trib_gunzip_close(reader->gunzip);
    *reader = (trib_reader){.file = -1};
}

trib_status trib_reader_all(trib_reader *reader, trib_buffer *buffer, trib_error *error) {
    char block[1 << 14];
    size_t got = 0;
    trib_status status;
    do {
        status = trib_reader_read(reader, block, sizeof block, &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(buffer, block, got, error);
    } while (status == TRIB_OK && got > 0);
    return status;
}

trib_status trib_read_whole(const char *path, trib_buffer *buffer, trib_error *error) {
    TRIB_OPENED(trib_reader) reader = {0};
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    return trib_reader_all(&reader, buffer, error);
}
