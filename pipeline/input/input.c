/* input.c - the text in a document's file: plain, packed as a stream, or made from what it is marked up in. */
#include "pipeline/input/input.h"
#include "pipeline/input/archive.h"
#include "pipeline/input/jsonl.h"
#include "pipeline/input/markup.h"
#include "pipeline/input/unreadable_formats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

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
    const char *name, *ending;
    unsigned char magic[8];
    size_t n_magic;
    filter unpack; /* NULL: this build cannot, or the reader does */
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
    if (trib_reader_read(&input->stored.reader, input->block, BLOCK, &got, &input->failure) ==
        TRIB_OK)
        return (la_ssize_t)got;
    archive_set_error(archive, EIO, "%s", input->failure.message);
    return -1;
}

static trib_status damaged(const trib_input *input, trib_error *error) {
    const char *why = archive_error_string(input->archive);
    if (input->failure.status != TRIB_OK) /* the file could not be read */
        return trib_fail(error, input->failure.status, "%s", input->failure.message);
    return trib_fail(error, TRIB_INPUT, "%s: its %s data are damaged or cut%s%s",
                     input->stored.reader.name, input->packing, why ? ": " : "", why ? why : "");
}

static trib_status open_packed(trib_input *input, const packing_row *packing, trib_error *error) {
    struct archive_entry *entry;
    trib_status status = trib_new(&input->block, BLOCK, 1, "unpacking", error);
    if (status != TRIB_OK) return status;
    input->archive = archive_read_new();
    if (!input->archive)
        return trib_fail(error, TRIB_MEMORY, "%s: no memory to unpack it",
                         input->stored.reader.name);
    if (packing->unpack(input->archive) != ARCHIVE_OK) /* it would run a program */
        return trib_fail(error, TRIB_INPUT,
                         "%s: is packed by %s, which this libarchive cannot read; unpack it",
                         input->stored.reader.name, packing->name);
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
                     input->stored.reader.name, packing->name);
}

static trib_status unpack(trib_input *input, void *bytes, size_t size, size_t *got,
                          trib_error *error) {
    return trib_reader_read(&input->stored.reader, bytes, size, got, error);
}

static void close_packed(trib_input *input) { (void)input; }

#endif

/* ---- Any file -------------------------------------------------------------------------------------------------------------- */

/* The file, unpacked: first what was read to look at it. */
static trib_status read_file(trib_input *input, void *bytes, size_t size, size_t *got,
                             trib_error *error) {
    const size_t ahead = input->head.length - input->head_at;
    *got = ahead < size ? ahead : size;
    if (*got > 0) {
        memcpy(bytes, input->head.text + input->head_at, *got);
        input->head_at += *got;
        return TRIB_OK;
    }
    const trib_status status =
        input->archive ? unpack(input, bytes, size, got, error)
                       : trib_reader_read(&input->stored.reader, bytes, size, got, error);
    input->n_out += *got;
    return status == TRIB_OK && input->packing
               ? trib_unpacked_check(input->stored.reader.name, input->n_file, input->n_out, error)
               : status;
}

/* Reads the whole file for its text. */
static trib_status make_text(trib_input *input, const trib_markup_row *row, trib_error *error) {
    char block[1 << 14];
    trib_buffer file = {0};
    size_t got = 0;
    trib_status status;
    do {
        status = read_file(input, block, sizeof block, &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(&file, block, got, error);
    } while (status == TRIB_OK && got > 0);
    const trib_markup_bytes bytes = {input->stored.reader.name, file.text ? file.text : "",
                                     file.length};
    if (status == TRIB_OK) status = row->read(&input->made, bytes, error);
    if (status == TRIB_OK) status = trib_markup_finish(&input->made, error);
    input->kind = row->name;
    input->is_markup = input->is_made = true;
    trib_buffer_release(&file);
    return status;
}

/* A zip that is none of the formats that are known to be one, under another name. */
static trib_status check_zip(const trib_input *input, trib_error *error) {
    const char *first = input->head.text;
    if (input->head.length < 4 ||
        (memcmp(first, "PK\3\4", 4) != 0 && memcmp(first, "PK\5\6", 4) != 0))
        return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "%s: is a zip; give it a name that ends in .zip",
                     input->stored.reader.name);
}

/* Reads the first bytes, and refuses what is known by them, or by its name, and not read. */
static trib_status look_at_head(trib_input *input, const char *path, bool is_named,
                                trib_error *error) {
    char block[TRIB_FOREIGN_BYTES];
    trib_buffer head = {0};
    size_t got = 1;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && got > 0 && head.length < TRIB_FOREIGN_BYTES) {
        status = read_file(input, block, TRIB_FOREIGN_BYTES - head.length, &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(&head, block, got, error);
    }
    input->head = head;
    if (status != TRIB_OK) return status;
    const trib_unreadable *foreign =
        trib_unreadable_find(path, is_named, head.text ? head.text : "", head.length);
    if (foreign) return trib_unreadable_refuse(foreign, input->stored.reader.name, error);
    return is_named ? TRIB_OK : check_zip(input, error);
}

/* What stands for several texts is not one. */
static trib_status check_container(const char *path, trib_error *error) {
    struct stat about;
    const bool is_lines = trib_jsonl_is_named(path);
    if ((!is_lines && !trib_archive_is_named(path)) || strcmp(path, "-") == 0 ||
        stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "%s: %s; name one of them ('%s/%s')", path,
                     is_lines ? "has a text on every line" : "is an archive of texts", path,
                     is_lines ? "1" : "...");
}

void trib_input_kind(char kind[TRIB_KIND_MAX], const char *path, const trib_byte_source *stored,
                     const unsigned char *first, size_t n) {
    const packing_row *packing = stored->is_utf8 ? NULL : packing_of(first, n);
    const trib_markup_row *markup = stored->is_utf8 ? NULL : trib_markup_find(path, first, n);
    const trib_unreadable *foreign = stored->is_utf8 ? NULL : trib_unreadable_named(path);
    snprintf(kind, TRIB_KIND_MAX, "%s%s%s", packing ? packing->name : "", packing ? " " : "",
             foreign           ? foreign->name
             : markup          ? markup->name
             : stored->is_utf8 ? "JSON Lines"
                               : "text");
}

trib_input_options trib_config_input_options(const trib_config *config) {
    return (trib_input_options){.notes = config->corpus.notes,
                                .on_invalid = config->corpus.on_invalid};
}

/* Opens what is at an address and looks at its first bytes; *row is what makes its text, NULL where it is one. */
static trib_status begin(trib_input *input, const char *path, struct trib_spool_of_texts *shelf,
                         const trib_input_options *options, const trib_markup_row **row,
                         trib_error *error) {
    unsigned char first[8] = {0};
    size_t n = 0;
    *input = (trib_input){.kind = "text"};
    *row = NULL;
    if (options) {
        input->made.notes = options->notes;
        input->made.on_invalid = options->on_invalid;
    }
    trib_status status = options && options->is_container ? TRIB_OK : check_container(path, error);
    if (status == TRIB_OK) status = trib_byte_source_open(&input->stored, path, shelf, error);
    else input->stored.reader.file = -1;
    if (status != TRIB_OK) return status;
    input->is_markup = input->stored.is_utf8;
    status = trib_reader_peek(&input->stored.reader, first, sizeof first, &n, error);
    if (status != TRIB_OK || input->stored.is_utf8) return status;
    const packing_row *packing = packing_of(first, n);
    if (packing) {
        input->packing = packing->name;
        /* of a pipe the size is not known: only the limit of all holds */
        if (trib_reader_size(&input->stored.reader, &input->n_file, NULL) != TRIB_OK)
            input->n_file = TRIB_UNPACKED_MOST / TRIB_UNPACKED_RATIO;
        status = packing == packings ? trib_reader_unpack(&input->stored.reader, error)
                                     : open_packed(input, packing, error);
    }
    *row = trib_markup_find(path, first, n);
    if (status != TRIB_OK || (options && options->is_container)) return status;
    return look_at_head(input, path, *row != NULL, error);
}

trib_status trib_input_open(trib_input *input, const char *path, struct trib_spool_of_texts *shelf,
                            const trib_input_options *options, trib_error *error) {
    const trib_markup_row *row = NULL;
    trib_status status = begin(input, path, shelf, options, &row, error);
    if (status == TRIB_OK && row) status = make_text(input, row, error);
    if (status != TRIB_OK) trib_input_close(input);
    return status;
}

trib_status trib_input_check(const char *path, struct trib_spool_of_texts *shelf,
                             trib_error *error) {
    trib_input input;
    const trib_markup_row *row = NULL;
    const trib_status status = begin(&input, path, shelf, NULL, &row, error);
    trib_input_close(&input);
    return status;
}

trib_status trib_input_read(trib_input *input, void *bytes, size_t size, size_t *got,
                            trib_error *error) {
    if (!input->is_made) return read_file(input, bytes, size, got, error);
    const trib_buffer *text = &input->made.text;
    const size_t left = text->length - input->position;
    *got = size < left ? size : left;
    if (*got > 0) memcpy(bytes, text->text + input->position, *got);
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
    trib_buffer_release(&input->head);
    trib_markup_release(&input->made);
    trib_byte_source_close(&input->stored);
    *input = (trib_input){.stored = {.reader = {.file = -1}}};
}
