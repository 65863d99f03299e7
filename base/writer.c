/* writer.c - writes a file that appears under its name only when it is complete: temporary name,
 * fsync, rename. */
#include "base/internal.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };
enum { N_SUFFIX = sizeof TRIB_WRITER_SUFFIX - 1 };

static const char *shown_name(const trib_writer *writer) {
    return strcmp(writer->path, "-") == 0 ? "standard output" : writer->path;
}

/* Devices such as /dev/full are written in place, since renaming would replace them, but where the
 * user did not name them. */
static bool in_place(const char *path) {
    return strcmp(path, "-") == 0 || (!trib_disk_is_sealed(path) && trib_disk_has(path) &&
                                      !trib_disk_is_file(path) && !trib_disk_is_folder(path));
}

trib_status trib_writer_open(trib_writer *writer, const char *path, trib_error *error) {
    static const char suffix[] = TRIB_WRITER_SUFFIX "XXXXXX";
    *writer = (trib_writer){.file = -1};
    const size_t length = strlen(path);
    trib_status status = trib_copy_text(&writer->path, path, length, error);
    if (status == TRIB_OK)
        status = trib_new(&writer->block, BLOCK, 1, "a file's pending bytes", error);
    if (status == TRIB_OK && !in_place(path)) {
        status = trib_new(&writer->temporary, length + sizeof suffix, 1, "a file name", error);
        if (status == TRIB_OK) {
            memcpy(writer->temporary, path, length);
            memcpy(writer->temporary + length, suffix, sizeof suffix);
        }
    }
    if (status == TRIB_OK) {
        writer->file = writer->temporary
                           ? trib_disk_create(writer->temporary, length + N_SUFFIX, false)
                       : strcmp(path, "-") == 0 ? STDOUT_FILENO
                                                : trib_disk_open(path, O_WRONLY);
        if (writer->file < 0) {
            trib_free(writer->temporary);
            writer->temporary = NULL;
            status = trib_fail(error, TRIB_OUTPUT, "%s: cannot be created: %s", path,
                               trib_disk_reason(errno));
        }
    }
    if (status != TRIB_OK) trib_writer_abandon(writer);
    return status;
}

trib_status trib_writer_scratch(trib_writer *writer, const char *directory, bool is_named,
                                trib_error *error) {
    static const char suffix[] = "/scratch" TRIB_WRITER_SUFFIX "XXXXXX";
    const size_t length = strlen(directory);
    *writer = (trib_writer){.file = -1, .is_scratch = true};
    trib_status status = trib_new(&writer->path, length + sizeof suffix, 1, "a file name", error);
    if (status == TRIB_OK)
        status = trib_new(&writer->block, BLOCK, 1, "a file's pending bytes", error);
    if (status == TRIB_OK) {
        memcpy(writer->path, directory, length);
        memcpy(writer->path + length, suffix, sizeof suffix);
        if (is_named) status = trib_copy(&writer->temporary, writer->path, error);
    }
    if (status == TRIB_OK) {
        writer->file = trib_disk_create(is_named ? writer->temporary : writer->path,
                                        length + sizeof "/scratch" - 1 + N_SUFFIX, true);
        if (writer->file < 0 || (!is_named && trib_disk_remove(writer->path) != 0))
            status = trib_fail(error, TRIB_OUTPUT, "%s: a file cannot be created there: %s",
                               directory, trib_disk_reason(errno));
        /* if the first attempt failed */
        if (status != TRIB_OK && writer->file >= 0 && !is_named)
            (void)trib_disk_remove(writer->path);
    }
    if (status != TRIB_OK) trib_writer_abandon(writer);
    return status;
}

static void put(trib_writer *writer, const char *bytes, size_t length) {
    size_t done = 0;
    while (done < length && writer->failure.status == TRIB_OK) {
        const ssize_t n = write(writer->file, bytes + done, length - done);
        if (n >= 0) done += (size_t)n;
        else if (errno != EINTR)
            trib_fail(&writer->failure, TRIB_OUTPUT, "%s: cannot be written: %s",
                      shown_name(writer), trib_disk_reason(errno));
    }
}

/* Packed, every block becomes a gzip member of its own; concatenated members are one gzip file. */
static void flush(trib_writer *writer) {
    void *packed = NULL;
    size_t n_packed = 0;
    if (!writer->is_scratch) trib_sha256_add(&writer->hash, writer->block, writer->n_pending);
    if (writer->failure.status == TRIB_OK && !writer->is_packed) {
        put(writer, writer->block, writer->n_pending);
    } else if (writer->failure.status == TRIB_OK &&
               trib_gzip_member(writer->block, writer->n_pending, &packed, &n_packed,
                                shown_name(writer), &writer->failure) == TRIB_OK) {
        put(writer, packed, n_packed);
        trib_free(packed);
    }
    writer->n_pending = 0;
}

trib_status trib_writer_flush(trib_writer *writer, trib_error *error) {
    flush(writer);
    if (writer->failure.status != TRIB_OK && error) *error = writer->failure;
    return writer->failure.status;
}

trib_status trib_writer_sync(trib_writer *writer, trib_error *error) {
    const trib_status status = trib_writer_flush(writer, error);
    if (status != TRIB_OK || fsync(writer->file) == 0) return status;
    return trib_fail(error, TRIB_OUTPUT, "%s: cannot be written: %s", shown_name(writer),
                     trib_disk_reason(errno));
}

trib_reader trib_writer_reader(const trib_writer *writer) {
    return (trib_reader){.name = writer->path, .file = writer->file};
}

void trib_writer_pack(trib_writer *writer) { writer->is_packed = true; }

void trib_write(trib_writer *writer, const void *bytes, size_t length) {
    const char *at = bytes;
    if (writer->failure.status != TRIB_OK || length == 0) return;
    writer->n_written += length;
    while (length > 0) {
        const size_t left = BLOCK - writer->n_pending, n = length < left ? length : left;
        memcpy(writer->block + writer->n_pending, at, n);
        writer->n_pending += n;
        at += n;
        length -= n;
        if (writer->n_pending == BLOCK) flush(writer);
    }
}

void trib_write_text(trib_writer *writer, const char *text) {
    trib_write(writer, text, strlen(text));
}

void trib_print(trib_writer *writer, const char *format, ...) {
    TRIB_OWNED(trib_buffer) piece = {0};
    char small[512];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int needed = vsnprintf(small, sizeof small, format, arguments);
    if (needed >= 0 && (size_t)needed < sizeof small) {
        trib_write(writer, small, (size_t)needed);
    } else if (needed >= 0 && writer->failure.status == TRIB_OK &&
               trib_grow(&piece.text, &piece.cap, (size_t)needed + 1, 1, "text",
                         &writer->failure) == TRIB_OK) {
        vsnprintf(piece.text, piece.cap, format, again);
        trib_write(writer, piece.text, (size_t)needed);
    }
    va_end(again);
    va_end(arguments);
}

/* Checks every number of a text or NPY file; numbers of JSON are checked by trib_json_real. */
static bool is_written(trib_writer *writer, double value) {
    if (!isfinite(value) && writer->failure.status == TRIB_OK)
        trib_fail(&writer->failure, TRIB_INTERNAL,
                  "%s: the number after byte %llu is not finite (%s)", shown_name(writer),
                  (unsigned long long)writer->n_written,
                  isnan(value) ? "nan"
                  : value > 0  ? "inf"
                               : "-inf");
    return writer->failure.status == TRIB_OK;
}

void trib_write_number(trib_writer *writer, double value) {
    char text[TRIB_NUMBER_MAX];
    if (is_written(writer, value)) trib_write_text(writer, trib_number(text, value));
}

void trib_write_double(trib_writer *writer, double value) {
    unsigned char bytes[sizeof value];
    uint64_t bits;
    if (!is_written(writer, value)) return;
    memcpy(&bits, &value, sizeof bits);
    for (size_t b = 0; b < sizeof bytes; b++) bytes[b] = (unsigned char)(bits >> 8 * b);
    trib_write(writer, bytes, sizeof bytes);
}

bool trib_writer_is_temporary(const char *name) {
    const size_t length = strlen(name), n_suffix = strlen(TRIB_WRITER_SUFFIX);
    enum { N_RANDOM = 6 };
    return length > n_suffix + N_RANDOM &&
           strncmp(name + length - N_RANDOM - n_suffix, TRIB_WRITER_SUFFIX, n_suffix) == 0 &&
           strcspn(name + length - N_RANDOM, "./-") == N_RANDOM;
}

/* Syncs the directory of a file. Failures are ignored, because some file systems cannot sync a
 * directory. */
void trib_sync_name(const char *path) {
    char directory[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    const size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof directory) return;
    if (length > 0) {
        memcpy(directory, path, length);
        directory[length] = '\0';
    }
    const int file = trib_disk_open(directory, O_RDONLY | O_DIRECTORY);
    if (file < 0) return;
    (void)fsync(file);
    close(file);
}

trib_status trib_writer_commit(trib_writer *writer, char sha256[TRIB_SHA256_TEXT],
                               trib_error *error) {
    flush(writer);
    if (writer->failure.status == TRIB_OK && writer->temporary) {
        int failed = fsync(writer->file) != 0 ? errno : 0;
        if (close(writer->file) != 0 && !failed) failed = errno;
        writer->file = -1;
        if (!failed && trib_disk_rename(writer->temporary, writer->path) != 0) failed = errno;
        if (failed)
            trib_fail(&writer->failure, TRIB_OUTPUT, "%s: cannot be written: %s", writer->path,
                      trib_disk_reason(failed));
        else {
            trib_sync_name(writer->path); /* makes the rename durable */
            trib_free(writer->temporary);
            writer->temporary = NULL;
        }
    }
    const trib_status status = writer->failure.status;
    if (status == TRIB_OK && sha256) trib_sha256_end(&writer->hash, sha256);
    if (status != TRIB_OK && error) *error = writer->failure;
    trib_writer_abandon(writer);
    return status;
}

void trib_writer_abandon(trib_writer *writer) {
    if (writer->temporary) {
        (void)trib_disk_remove(writer->temporary);
        trib_free(writer->temporary);
    }
    if (writer->file > STDERR_FILENO) close(writer->file);
    TRIB_FREE(writer->path, writer->block);
    *writer = (trib_writer){.file = -1};
}
