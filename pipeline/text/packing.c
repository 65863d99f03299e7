/* packing.c - the table of compression formats, and reading of compressed files. */
#include "pipeline/text/packing.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

enum { BLOCK = 1 << 16 };

#ifdef TRIB_WITH_ARCHIVE
#include <archive.h>
#define UNPACKS_BY(function) function
typedef int (*filter)(struct archive *archive);
#else
#define UNPACKS_BY(function) NULL
typedef int (*filter)(void *archive);
#endif

typedef struct packing_row {
    const char *name, *ending;
    unsigned char magic[8];
    size_t n_magic;
    filter unpack; /* NULL: trib_reader decompresses it, or this build cannot */
} packing_row;

static const packing_row packings[] = {
    {"gzip", ".gz", {0x1F, 0x8B}, 2, NULL},
    {"bzip2", ".bz2", "BZh", 3, UNPACKS_BY(archive_read_support_filter_bzip2)},
    {"xz", ".xz", {0xFD, '7', 'z', 'X', 'Z', 0}, 6, UNPACKS_BY(archive_read_support_filter_xz)},
    {"zstd", ".zst", {0x28, 0xB5, 0x2F, 0xFD}, 4, UNPACKS_BY(archive_read_support_filter_zstd)},
};

size_t trib_unpacked_name_length(const char *path) {
    const size_t length = strlen(path);
    for (size_t p = 0; p < sizeof packings / sizeof *packings; p++) {
        const size_t n = strlen(packings[p].ending);
        if (length > n && strcasecmp(path + length - n, packings[p].ending) == 0) return length - n;
    }
    return length;
}

/* "BZh", the block size, and the first half of "1AY&SY", which begins a block or ends an empty
 * file. */
static bool is_bzip2(const unsigned char *bytes, size_t n) {
    return n == 8 && bytes[3] >= '1' && bytes[3] <= '9' &&
           (memcmp(bytes + 4, "1AY&", 4) == 0 || memcmp(bytes + 4, "\x17\x72\x45\x38", 4) == 0);
}

static const packing_row *packing_of(const unsigned char *bytes, size_t n) {
    for (size_t p = 0; p < sizeof packings / sizeof *packings; p++)
        if (n >= packings[p].n_magic && memcmp(bytes, packings[p].magic, packings[p].n_magic) == 0)
            return packings[p].magic[0] == 'B' && !is_bzip2(bytes, n) ? NULL : &packings[p];
    return NULL;
}

/* ---- Through libarchive ---------------------------------------------------------------------- */

#ifdef TRIB_WITH_ARCHIVE

static la_ssize_t read_packed(struct archive *archive, void *context, const void **bytes) {
    trib_unpacked *u = context;
    size_t got = 0;
    *bytes = u->block;
    if (trib_reader_read(u->reader, u->block, BLOCK, &got, &u->failure) == TRIB_OK)
        return (la_ssize_t)got;
    archive_set_error(archive, EIO, "%s", u->failure.message);
    return -1;
}

static trib_status damaged(const trib_unpacked *u, trib_error *error) {
    const char *why = archive_error_string(u->archive);
    if (u->failure.status != TRIB_OK) /* the file could not be read */
        return trib_fail(error, u->failure.status, "%s", u->failure.message);
    return trib_fail(error, TRIB_INPUT, "%s: its %s data are damaged or cut%s%s", u->reader->name,
                     u->packing, why ? ": " : "", why ? why : "");
}

static trib_status open_packed(trib_unpacked *u, const packing_row *packing, trib_error *error) {
    struct archive_entry *entry;
    trib_status status = trib_new(&u->block, BLOCK, 1, "unpacking", error);
    if (status != TRIB_OK) return status;
    u->archive = archive_read_new();
    if (!u->archive)
        return trib_fail(error, TRIB_MEMORY, "%s: no memory to unpack it", u->reader->name);
    if (packing->unpack(u->archive) != ARCHIVE_OK) /* the filter would run a program */
        return trib_fail(error, TRIB_INPUT,
                         "%s: is packed by %s, which this libarchive cannot read; unpack it",
                         u->reader->name, packing->name);
    archive_read_support_format_raw(u->archive);
    archive_read_support_format_empty(u->archive);
    if (archive_read_open(u->archive, u, NULL, read_packed, NULL) != ARCHIVE_OK)
        return damaged(u, error);
    const int result = archive_read_next_header(u->archive, &entry);
    u->is_over = result == ARCHIVE_EOF; /* the file was not compressed */
    return result == ARCHIVE_OK || result == ARCHIVE_EOF ? TRIB_OK : damaged(u, error);
}

static trib_status unpack(trib_unpacked *u, void *bytes, size_t size, size_t *got,
                          trib_error *error) {
    if (u->is_over) return TRIB_OK;
    const la_ssize_t n = archive_read_data(u->archive, bytes, size);
    if (n < 0) return damaged(u, error);
    *got = (size_t)n;
    return TRIB_OK;
}

static void close_packed(trib_unpacked *u) {
    if (u->archive) archive_read_free(u->archive);
}

#else

static trib_status open_packed(trib_unpacked *u, const packing_row *packing, trib_error *error) {
    return trib_fail(error, TRIB_INPUT,
                     "%s: is packed by %s, which this build cannot read: install libarchive "
                     "(Debian: libarchive-dev) and build again, or unpack it",
                     u->reader->name, packing->name);
}

static trib_status unpack(trib_unpacked *u, void *bytes, size_t size, size_t *got,
                          trib_error *error) {
    return trib_reader_read(u->reader, bytes, size, got, error);
}

static void close_packed(trib_unpacked *u) { (void)u; }

#endif

/* ---- Any packing ----------------------------------------------------------------------------- */

const char *trib_packing_name(const unsigned char *first, size_t n) {
    const packing_row *packing = packing_of(first, n);
    return packing ? packing->name : NULL;
}

trib_status trib_unpacked_open(trib_unpacked *u, trib_reader *reader, trib_error *error) {
    unsigned char first[TRIB_PACKING_BYTES] = {0};
    size_t n = 0;
    *u = (trib_unpacked){.reader = reader};
    const trib_status status = trib_reader_peek(reader, first, sizeof first, &n, error);
    const packing_row *packing = status == TRIB_OK ? packing_of(first, n) : NULL;
    if (!packing) return status;
    u->packing = packing->name;
    /* the size of a pipe is unknown; only the limit on the total size applies */
    if (trib_reader_size(reader, &u->n_file, NULL) != TRIB_OK)
        u->n_file = TRIB_UNPACKED_MOST / TRIB_UNPACKED_RATIO;
    return packing == packings ? trib_reader_unpack(reader, error) : open_packed(u, packing, error);
}

trib_status trib_unpacked_read(trib_unpacked *u, void *bytes, size_t size, size_t *got,
                               trib_error *error) {
    *got = 0;
    const trib_status status = u->archive ? unpack(u, bytes, size, got, error)
                                          : trib_reader_read(u->reader, bytes, size, got, error);
    u->n_out += *got;
    return status == TRIB_OK && u->packing
               ? trib_unpacked_check(u->reader->name, u->n_file, u->n_out, error)
               : status;
}

trib_status trib_unpacked_add(trib_unpacked *unpacked, trib_buffer *to, size_t most,
                              trib_error *error) {
    char block[1 << 14];
    size_t got = 1;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && got > 0 && to->length < most) {
        const size_t left = most - to->length;
        status = trib_unpacked_read(unpacked, block, left < sizeof block ? left : sizeof block,
                                    &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(to, block, got, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
    }
    return status;
}

void trib_unpacked_close(trib_unpacked *u) {
    close_packed(u);
    trib_free(u->block);
    *u = (trib_unpacked){0};
}
