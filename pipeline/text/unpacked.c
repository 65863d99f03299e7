/* unpacked.c - reads compressed files: gzip by zlib, the others by libarchive. */
#include "pipeline/support/path.h"
#include "pipeline/text/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <strings.h>
#include <unistd.h>

bool trib_name_ends(const char *name, size_t length, const char *endings) {
    for (const char *at = endings; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        if (length > n && strncasecmp(name + length - n, at, n) == 0) return true;
        at += n;
    }
    return false;
}

/* ---- The table of compressions --------------------------------------------------------------- */

typedef struct packing_row {
    const char *name, *ending;
    unsigned char magic[8];
    size_t n_magic;
    int (*unpack)(struct archive *archive); /* NULL: trib_reader decompresses it */
    int code;                               /* of the filter */
} packing_row;

static const packing_row packings[] = {
    {"gzip", ".gz", {0x1F, 0x8B}, 2, NULL, 0},
    {"bzip2", ".bz2", "BZh", 3, archive_read_support_filter_bzip2, ARCHIVE_FILTER_BZIP2},
    {"xz",
     ".xz",
     {0xFD, '7', 'z', 'X', 'Z', 0},
     6,
     archive_read_support_filter_xz,
     ARCHIVE_FILTER_XZ},
    {"zstd",
     ".zst",
     {0x28, 0xB5, 0x2F, 0xFD},
     4,
     archive_read_support_filter_zstd,
     ARCHIVE_FILTER_ZSTD},
};

size_t trib_unpacked_name_length(const char *path) {
    const size_t length = strlen(path);
    for (size_t p = 0; p < sizeof packings / sizeof *packings; p++)
        if (trib_name_ends(path, length, packings[p].ending))
            return length - strlen(packings[p].ending);
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

/* ---- By libarchive --------------------------------------------------------------------------- */

enum { BLOCK = 1 << 16, AT_ONCE = 1 << 18 }; /* bytes given to libarchive, and asked for apart */

static la_ssize_t read_packed(struct archive *archive, void *context, const void **bytes) {
    trib_unpacked *u = context;
    size_t got = 0;
    *bytes = u->block;
    if (trib_reader_read(u->reader, u->block, BLOCK, &got, &u->failure) == TRIB_OK)
        return (la_ssize_t)got;
    archive_set_error(archive, EIO, "%s", u->failure.message);
    return -1;
}

static trib_status damaged_packing(const trib_unpacked *u, trib_error *error) {
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
    /* one filter alone; the other one would run a program */
    if (packing->unpack(u->archive) != ARCHIVE_OK ||
        archive_read_append_filter(u->archive, packing->code) != ARCHIVE_OK)
        return trib_fail(error, TRIB_INPUT,
                         "%s: is packed by %s, which this libarchive cannot read; unpack it",
                         u->reader->name, packing->name);
    archive_read_support_format_raw(u->archive);
    archive_read_support_format_empty(u->archive);
    /* libarchive takes damage at the beginning for the end */
    if (archive_read_open(u->archive, u, NULL, read_packed, NULL) != ARCHIVE_OK ||
        archive_errno(u->archive) != 0)
        return damaged_packing(u, error);
    const int result = archive_read_next_header(u->archive, &entry);
    u->is_over = result == ARCHIVE_EOF; /* the file was not compressed */
    return result == ARCHIVE_OK || result == ARCHIVE_EOF ? TRIB_OK : damaged_packing(u, error);
}

static trib_status unpack(trib_unpacked *u, void *bytes, size_t size, size_t *got,
                          trib_error *error) {
    if (u->is_over) return TRIB_OK;
    const la_ssize_t n = archive_read_data(u->archive, bytes, size);
    if (n < 0) return damaged_packing(u, error);
    *got = (size_t)n;
    return TRIB_OK;
}

/* ---- Apart (apart.h) ------------------------------------------------------------------------- */

static trib_status work_open(void *record, trib_markup_bytes file, trib_error *error) {
    static trib_reader mapped;
    trib_reader_memory(&mapped, file.name, file.at, file.length);
    return trib_unpacked_open(record, &mapped, error);
}

static trib_status work_unpack(void *record, trib_markup_bytes file, trib_error *error) {
    trib_unpacked *const u = record;
    u->reader->name = file.name;
    trib_buffer_clear(&u->bytes);
    const trib_status status =
        trib_grow(&u->bytes.text, &u->bytes.cap, AT_ONCE, 1, "unpacking", error);
    return status == TRIB_OK ? unpack(u, u->bytes.text, AT_ONCE, &u->bytes.length, error) : status;
}

static void pack_bytes(trib_pack *pack, void *record) {
    trib_pack_buffer(pack, &((trib_unpacked *)record)->bytes);
}

static void release(void *record) { trib_unpacked_close(record); }

static const trib_apart_work apart_open = {work_open, .release = release,
                                           .size = sizeof(trib_unpacked), .leaves = true};
static const trib_apart_work apart_unpack = {work_unpack,        .answer = pack_bytes,
                                             .release = release, .size = sizeof(trib_unpacked),
                                             .goes_on = true,    .leaves = true};

/* Sends the file or, where it is none of the disk, a copy of its bytes. */
static trib_status open_apart(trib_unpacked *u, trib_error *error) {
    TRIB_OWNED(trib_buffer) bytes = {0};
    uint64_t size = 0;
    int copy = -1;
    trib_status status = TRIB_OK;
    if (u->reader->file < 0 || trib_reader_size(u->reader, &size, NULL) != TRIB_OK) {
        status = trib_reader_all(u->reader, &bytes, error);
        if (status == TRIB_OK) status = trib_unnamed_file_open(&copy, error);
        if (status == TRIB_OK)
            status = trib_unnamed_file_write(copy, bytes.text, size = bytes.length, error);
    }
    const trib_markup_bytes file = {u->reader->name, "", (size_t)size};
    if (status == TRIB_OK)
        status = trib_apart_continue(&u->apart, &apart_open, u, file,
                                     copy >= 0 ? copy : u->reader->file, error);
    if (copy >= 0) close(copy);
    return status;
}

static trib_status unpack_apart(trib_unpacked *u, void *bytes, size_t size, size_t *got,
                                trib_error *error) {
    const trib_markup_bytes file = {u->reader->name, "", 0};
    trib_status status = TRIB_OK;
    if (u->n_given == u->bytes.length) {
        trib_buffer_clear(&u->bytes);
        u->n_given = 0;
        status = trib_apart_continue(&u->apart, &apart_unpack, u, file, -1, error);
    }
    const size_t left = u->bytes.length - u->n_given;
    *got = status != TRIB_OK ? 0 : left < size ? left : size;
    if (*got > 0) memcpy(bytes, u->bytes.text + u->n_given, *got);
    u->n_given += *got;
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

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
    if (packing == packings) return trib_reader_unpack(reader, error);
    const trib_status opened = trib_apart_open(&u->apart, error);
    return opened != TRIB_OK ? opened
           : u->apart        ? open_apart(u, error)
                             : open_packed(u, packing, error);
}

trib_status trib_unpacked_read(trib_unpacked *u, void *bytes, size_t size, size_t *got,
                               trib_error *error) {
    *got = 0;
    const trib_status status = u->apart     ? unpack_apart(u, bytes, size, got, error)
                               : u->archive ? unpack(u, bytes, size, got, error)
                                            : trib_reader_read(u->reader, bytes, size, got, error);
    u->n_out += *got;
    return status == TRIB_OK && u->packing
               ? trib_unpacked_check(u->reader->name, u->n_file, u->n_out, *got, error)
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
    if (u->archive) archive_read_free(u->archive);
    trib_free(u->block);
    trib_apart_close(&u->apart);
    trib_buffer_release(&u->bytes);
    *u = (trib_unpacked){0};
}
