/* input.c - the text in a document's file: plain, or packed as a stream. */
#include "pipeline/input.h"
#include "pipeline/markup.h"

#include <errno.h>
#include <string.h>

#ifdef TRIB_WITH_ARCHIVE
#include <archive.h>
#define UNPACKS_BY(function) function
typedef int (*filter)(struct archive *archive);
#else
#define UNPACKS_BY(function) NULL
typedef int (*filter)(void *archive);
#endif

enum { BLOCK = 1 << 16 };

typedef struct packing_row {
    const char *name;
    unsigned char magic[8];
    size_t n_magic;
    filter unpack; /* NULL: this build cannot, or the reader does */
} packing_row;

static const packing_row packings[] = {
    {"gzip", {0x1F, 0x8B}, 2, NULL},
    {"bzip2", "BZh", 3, UNPACKS_BY(archive_read_support_filter_bzip2)},
    {"xz", {0xFD, '7', 'z', 'X', 'Z', 0}, 6, UNPACKS_BY(archive_read_support_filter_xz)},
    {"zstd", {0x28, 0xB5, 0x2F, 0xFD}, 4, UNPACKS_BY(archive_read_support_filter_zstd)},
};

/* "BZh", the size of a block, and the first half of "1AY&SY": a block, or the end of an empty file. */
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

/* ---- Through libarchive ------------------------------------------------------------------------------------------------- */

#ifdef TRIB_WITH_ARCHIVE

static la_ssize_t read_packed(struct archive *archive, void *context, const void **bytes) {
    trib_input *input = context;
    size_t got = 0;
    *bytes = input->block;
    if (trib_reader_read(&input->reader, input->block, BLOCK, &got, &input->failure) == TRIB_OK)
        return (la_ssize_t)got;
    archive_set_error(archive, EIO, "%s", input->failure.message);
    return -1;
}

static trib_status damaged(const trib_input *input, trib_error *error) {
    const char *why = archive_error_string(input->archive);
    if (input->failure.status != TRIB_OK) /* the file could not be read */
        return trib_fail(error, input->failure.status, "%s", input->failure.message);
    return trib_fail(error, TRIB_INPUT, "%s: its %s data are damaged or cut%s%s",
                     input->reader.name, input->packing, why ? ": " : "", why ? why : "");
}

static trib_status open_packed(trib_input *input, const packing_row *packing, trib_error *error) {
    struct archive_entry *entry;
    trib_status status = trib_new(&input->block, BLOCK, 1, "unpacking", error);
    if (status != TRIB_OK) return status;
    input->archive = archive_read_new();
    if (!input->archive)
        return trib_fail(error, TRIB_MEMORY, "%s: no memory to unpack it", input->reader.name);
    if (packing->unpack(input->archive) != ARCHIVE_OK) /* it would run a program */
        return trib_fail(error, TRIB_INPUT,
                         "%s: is packed by %s, which this libarchive cannot read; unpack it",
                         input->reader.name, packing->name);
    archive_read_support_format_raw(input->archive);
    archive_read_support_format_empty(input->archive);
    if (archive_read_open(input->archive, input, NULL, read_packed, NULL) != ARCHIVE_OK)
        return damaged(input, error);
    const int result = archive_read_next_header(input->archive, &entry);
    input->is_over = result == ARCHIVE_EOF; /* nothing was packed */
    return result == ARCHIVE_OK || result == ARCHIVE_EOF ? TRIB_OK : damaged(input, error);
}

static trib_status unpack(trib_input *input, void *bytes, size_t size, size_t *got,
                          trib_error *error) {
    if (input->is_over) return TRIB_OK;
    const la_ssize_t n = archive_read_data(input->archive, bytes, size);
    if (n < 0) return damaged(input, error);
    *got = (size_t)n;
    return TRIB_OK;
}

static void close_packed(trib_input *input) {
    if (input->archive) archive_read_free(input->archive);
}

#else

static trib_status open_packed(trib_input *input, const packing_row *packing, trib_error *error) {
    return trib_fail(error, TRIB_INPUT,
                     "%s: is packed by %s, which this build cannot read: install libarchive "
                     "(Debian: libarchive-dev) and build again, or unpack it",
                     input->reader.name, packing->name);
}

static trib_status unpack(trib_input *input, void *bytes, size_t size, size_t *got,
                          trib_error *error) {
    return trib_reader_read(&input->reader, bytes, size, got, error);
}

static void close_packed(trib_input *input) { (void)input; }

#endif

/* ---- Any file -------------------------------------------------------------------------------------------------------------- */

static trib_status check_size(const trib_input *input, trib_error *error) {
    const char *name = input->reader.name;
    if (input->n_out > TRIB_UNPACKED_MOST)
        return trib_fail(error, TRIB_INPUT, "%s: unpacks to more than 64 GiB; is this a text?",
                         name);
    if (input->n_out > TRIB_UNPACKED_FREE && input->n_out / TRIB_UNPACKED_RATIO > input->n_file)
        return trib_fail(error, TRIB_INPUT,
                         "%s: unpacks to more than %llu times its size; if it is a text, unpack it "
                         "by hand",
                         name, (unsigned long long)TRIB_UNPACKED_RATIO);
    return TRIB_OK;
}

/* The file, unpacked. */
static trib_status read_file(trib_input *input, void *bytes, size_t size, size_t *got,
                             trib_error *error) {
    *got = 0;
    const trib_status status = input->archive
                                   ? unpack(input, bytes, size, got, error)
                                   : trib_reader_read(&input->reader, bytes, size, got, error);
    input->n_out += *got;
    return status == TRIB_OK && input->packing ? check_size(input, error) : status;
}

/* Reads the whole file for the text between its tags. */
static trib_status read_markup(trib_input *input, trib_markup_reader read, trib_error *error) {
    char block[1 << 14];
    trib_buffer file = {0};
    size_t got = 0;
    trib_status status;
    do {
        status = read_file(input, block, sizeof block, &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(&file, block, got, error);
    } while (status == TRIB_OK && got > 0);
    if (status == TRIB_OK)
        status =
            read(&input->text, input->reader.name, file.text ? file.text : "", file.length, error);
    input->is_markup = true;
    trib_buffer_release(&file);
    return status;
}

trib_status trib_input_open(trib_input *input, const char *path, trib_error *error) {
    unsigned char first[8] = {0};
    size_t n = 0;
    *input = (trib_input){0};
    trib_status status = trib_reader_open(&input->reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_reader_peek(&input->reader, first, sizeof first, &n, error);
    const packing_row *packing = status == TRIB_OK ? packing_of(first, n) : NULL;
    if (packing) {
        input->packing = packing->name;
        /* of a pipe the size is not known: only the limit of all holds */
        if (trib_reader_size(&input->reader, &input->n_file, NULL) != TRIB_OK)
            input->n_file = TRIB_UNPACKED_MOST / TRIB_UNPACKED_RATIO;
        status = packing == packings ? trib_reader_unpack(&input->reader, error)
                                     : open_packed(input, packing, error);
    }
    const trib_markup_reader markup = trib_markup_find(path);
    if (status == TRIB_OK && markup) status = read_markup(input, markup, error);
    if (status != TRIB_OK) trib_input_close(input);
    return status;
}

trib_status trib_input_read(trib_input *input, void *bytes, size_t size, size_t *got,
                            trib_error *error) {
    if (!input->is_markup) return read_file(input, bytes, size, got, error);
    const size_t left = input->text.length - input->position;
    *got = size < left ? size : left;
    if (*got > 0) memcpy(bytes, input->text.text + input->position, *got);
    input->position += *got;
    return TRIB_OK;
}

trib_status trib_input_all(trib_input *input, trib_buffer *buffer, trib_error *error) {
    char block[1 << 14];
    size_t got = 0;
    trib_status status;
    do {
        status = trib_input_read(input, block, sizeof block, &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(buffer, block, got, error);
    } while (status == TRIB_OK && got > 0);
    return status;
}

void trib_input_close(trib_input *input) {
    close_packed(input);
    trib_free(input->block);
    trib_buffer_release(&input->text);
    if (input->reader.name) trib_reader_close(&input->reader);
    *input = (trib_input){0};
}
