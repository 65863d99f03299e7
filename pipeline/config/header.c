/* header.c - completes a document that is a TEI file from its header, where the listing has no
 * title, author or date. Only files on disk are opened for that: to reach a member of an archive,
 * all before it would have to be unpacked. */
#include "pipeline/markup/header.h"

#include <string.h>
#include <sys/stat.h>

#include "pipeline/config/documents.h"
#include "pipeline/decoders/text_formats.h"

static bool is_date(const char *text) {
    double year, end;
    return *text && trib_date_read(text, &year, &end);
}

/* Reads the first bytes of a file, without its compression. A file that cannot be opened has none
 * here: it is reported when it is read. */
static trib_status read_first(const char *path, trib_buffer *first, trib_error *error) {
    const trib_input_options options = {.is_container = true};
    trib_input input;
    trib_error why = {0};
    size_t got = 1;
    trib_status status = trib_input_open(&input, path, NULL, &options, &why);
    const bool is_open = status == TRIB_OK;
    while (status == TRIB_OK && got > 0 && first->length < TRIB_HEADER_BYTES) {
        char block[1 << 14];
        status = trib_input_read(&input, block, sizeof block, &got, &why);
        if (status == TRIB_OK) status = trib_buffer_add(first, block, got, &why);
    }
    if (is_open) trib_input_close(&input);
    return status == TRIB_MEMORY ? trib_fail(error, status, "%s", why.message) : TRIB_OK;
}

static trib_status set(char **to, const char *text, trib_error *error) {
    trib_free(*to);
    *to = NULL;
    return trib_copy_text(to, text, strlen(text), error);
}

trib_status trib_listing_header(trib_listed *listed, trib_error *error) {
    trib_corpus_document *document = &listed->about;
    const trib_text_format *format = trib_text_format_named(document->path, NULL, 0);
    trib_tei_about about;
    trib_buffer first = {0};
    struct stat file;
    const bool is_tei =
        format && (strcmp(format->name, "TEI") == 0 || strcmp(format->name, "XML") == 0);
    if (!is_tei || (listed->has_title && document->author && document->date) ||
        stat(document->path, &file) != 0 || !S_ISREG(file.st_mode))
        return TRIB_OK;
    trib_status status = read_first(document->path, &first, error);
    if (status == TRIB_OK)
        status =
            trib_tei_header(&about, first.text ? first.text : "", first.length, is_date, error);
    trib_buffer_release(&first);
    if (status != TRIB_OK) return status;
    if (!listed->has_title && *about.title) {
        listed->has_title = true;
        status = set(&document->title, about.title, error);
    }
    if (!document->author && *about.author && status == TRIB_OK)
        status = set(&document->author, about.author, error);
    if (!document->date && *about.date && status == TRIB_OK) {
        (void)trib_date_read(about.date, &document->year, &document->year_end);
        status = set(&document->date, about.date, error);
    }
    return status;
}
