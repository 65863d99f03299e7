/* tei_file.c - reads the texts of a file of TEI. */
#include "pipeline/input/tei_file.h"

#include <string.h>

#include "pipeline/decoders/text_formats.h"
#include "pipeline/packing/packing.h"

bool trib_tei_file_is_named(const char *path) {
    const trib_text_format *format = trib_text_format_named(path, NULL, 0);
    return format && (strcmp(format->name, "TEI") == 0 || strcmp(format->name, "XML") == 0);
}

/* Reads decompressed bytes until there are `most` of them, or to the end of the file. */
static trib_status read_to(trib_unpacked *unpacked, trib_buffer *to, size_t most, bool *is_whole,
                           trib_error *error) {
    char block[1 << 14];
    size_t got = 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && !*is_whole && to->length < most) {
        status = trib_unpacked_read(unpacked, block, sizeof block, &got, error);
        *is_whole = status == TRIB_OK && got == 0;
        if (status == TRIB_OK) status = trib_buffer_add(to, block, got, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
    }
    return status;
}

static trib_tei_count count(const trib_buffer *file) {
    return trib_tei_texts_begin(file->text ? file->text : "", file->length);
}

trib_status trib_tei_file_open(trib_tei_texts *texts, trib_buffer *first, const char *path,
                               trib_error *error) {
    trib_reader reader;
    trib_unpacked unpacked = {0};
    bool is_whole = false;
    *texts = (trib_tei_texts){0};
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_unpacked_open(&unpacked, &reader, error);
    if (status == TRIB_OK) status = read_to(&unpacked, first, TRIB_HEADER_BYTES, &is_whole, error);
    if (status == TRIB_OK && count(first) != TRIB_TEI_ONE)
        status = read_to(&unpacked, first, SIZE_MAX, &is_whole, error);
    trib_unpacked_close(&unpacked);
    trib_reader_close(&reader);
    if (status != TRIB_OK || count(first) != TRIB_TEI_SEVERAL) return status;
    status =
        trib_tei_texts_open(texts, (trib_markup_bytes){path, first->text, first->length}, error);
    if (texts->n < 2) trib_tei_texts_close(texts);
    return status;
}

trib_status trib_tei_file_text(const char *path, const char *number, trib_buffer *to,
                               trib_error *error) {
    trib_tei_texts texts;
    trib_buffer first = {0};
    uint64_t wanted = 0;
    if (!trib_read_uint(number, &wanted) || wanted == 0)
        return trib_fail(error, TRIB_INPUT, "%s: '%s' is not the number of a text", path, number);
    trib_status status = trib_tei_file_open(&texts, &first, path, error);
    if (status == TRIB_OK && texts.n == 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: there is no text '%s' in it, since it is not TEI with several "
                           "texts (<teiCorpus>, <group>)",
                           path, number);
    else if (status == TRIB_OK && wanted > texts.n)
        status = trib_fail(error, TRIB_INPUT, "%s: has no text %s, but %zu texts", path, number,
                           texts.n);
    if (status == TRIB_OK) status = trib_tei_texts_add(&texts, (size_t)wanted - 1, to, error);
    trib_tei_texts_close(&texts);
    trib_buffer_release(&first);
    return status;
}
