/* header.c - completes a document that is a file of TEI, or a text in one, from its header, where
 * the listing has no title, author or date. Only files on disk are opened for that: to reach a
 * member of an archive, all before it would have to be unpacked. */
#include <string.h>
#include <sys/stat.h>

#include "pipeline/config/documents.h"
#include "pipeline/input/tei_file.h"

static bool is_date(const char *text) {
    double year, end;
    return *text && trib_date_read(text, &year, &end);
}

static trib_status set(char **to, const char *text, trib_error *error) {
    trib_free(*to);
    *to = NULL;
    return trib_copy_text(to, text, strlen(text), error);
}

static trib_status complete(trib_listed *listed, const trib_tei_about *about, trib_error *error) {
    trib_corpus_document *document = &listed->about;
    trib_status status = TRIB_OK;
    if (!listed->has_title && *about->title) {
        listed->has_title = true;
        status = set(&document->title, about->title, error);
    }
    if (!document->author && *about->author && status == TRIB_OK)
        status = set(&document->author, about->author, error);
    if (!document->date && *about->date && status == TRIB_OK) {
        (void)trib_date_read(about->date, &document->year, &document->year_end);
        status = set(&document->date, about->date, error);
    }
    return status;
}

trib_status trib_listing_open_tei(trib_listing *listing, const char *path, trib_error *error) {
    trib_error why = {0};
    struct stat file;
    if (listing->tei_path && strcmp(listing->tei_path, path) == 0) return TRIB_OK;
    trib_listing_close_tei(listing);
    if (!trib_tei_file_is_named(path) || stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return TRIB_OK;
    trib_status status = trib_copy_text(&listing->tei_path, path, strlen(path), error);
    if (status == TRIB_OK)
        status = trib_tei_file_open(&listing->tei, &listing->tei_first, path, &why);
    /* a file that cannot be read is reported when it is read */
    if (status == TRIB_OK || status == TRIB_INPUT) return TRIB_OK;
    return trib_fail(error, status, "%s", why.message);
}

void trib_listing_close_tei(trib_listing *listing) {
    trib_tei_texts_close(&listing->tei);
    trib_buffer_release(&listing->tei_first);
    trib_free(listing->tei_path);
    listing->tei_path = NULL;
}

trib_status trib_listing_header(const trib_listing *listing, trib_listed *listed, size_t i,
                                trib_error *error) {
    const trib_buffer *first = &listing->tei_first;
    trib_tei_about about;
    if (first->length == 0 || (listed->has_title && listed->about.author && listed->about.date))
        return TRIB_OK;
    const trib_status status =
        listing->tei.n > 0
            ? trib_tei_texts_about(&listing->tei, i, &about, is_date, error)
            : trib_tei_header(&about, first->text,
                              first->length < TRIB_HEADER_BYTES ? first->length : TRIB_HEADER_BYTES,
                              is_date, error);
    return status == TRIB_OK ? complete(listed, &about, error) : status;
}
