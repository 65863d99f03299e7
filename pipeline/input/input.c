/* input.c - the text in a document's file: plain, packed as a stream, or made from what it is
 * marked up in. */
#include "pipeline/input/input.h"
#include "pipeline/input/jsonl.h"
#include "pipeline/input/markup.h"
#include "pipeline/input/unreadable_formats.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Any file -------------------------------------------------------------------------------- */

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
    return trib_unpacked_read(&input->unpacked, bytes, size, got, error);
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
    const char *packing = stored->is_utf8 ? NULL : trib_packing_name(first, n);
    const trib_markup_row *markup = stored->is_utf8 ? NULL : trib_markup_find(path, first, n);
    const trib_unreadable *foreign = stored->is_utf8 ? NULL : trib_unreadable_named(path);
    snprintf(kind, TRIB_KIND_MAX, "%s%s%s", packing ? packing : "", packing ? " " : "",
             foreign           ? foreign->name
             : markup          ? markup->name
             : stored->is_utf8 ? "JSON Lines"
                               : "text");
}

/* Opens what is at an address and looks at its first bytes; *row is what makes its text, NULL where
 * it is one. */
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
    input->unpacked.reader = &input->stored.reader;
    status = trib_reader_peek(&input->stored.reader, first, sizeof first, &n, error);
    if (status != TRIB_OK || input->stored.is_utf8) return status;
    status = trib_unpacked_open(&input->unpacked, &input->stored.reader, error);
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
    trib_unpacked_close(&input->unpacked);
    trib_buffer_release(&input->head);
    trib_markup_release(&input->made);
    trib_byte_source_close(&input->stored);
    *input = (trib_input){.stored = {.reader = {.file = -1}}};
}
