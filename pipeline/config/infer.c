/* infer.c - what no list says of a document: its date from its file name, and title, author and
 * date from the properties of its file. */
#include <stdio.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/text/byte_source.h"
#include "pipeline/text/header.h"
#include "pipeline/text/spool.h"

const char *trib_from_text(trib_from from) {
    static const char *const texts[] = {"list", "header", "file name", "properties", "text"};
    return texts[from];
}

/* ---- File names ------------------------------------------------------------------------------ */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Reads digits and the hyphens between them as a date from the year 1000 to 2099: "1843",
 * "1843-03-05", "1843-44", or "18430305". */
static bool read_number(char date[TRIB_DATE_FROM_NAME], const char *at, size_t n) {
    double first, last;
    if (n < 4 || n > 10 || (at[0] != '1' && strncmp(at, "20", 2) != 0)) return false;
    if (n == 8 && !memchr(at, '-', n))
        snprintf(date, TRIB_DATE_FROM_NAME, "%.4s-%.2s-%.2s", at, at + 4, at + 6);
    else snprintf(date, TRIB_DATE_FROM_NAME, "%.*s", (int)n, at);
    if (strcspn(date, "-") != 4) return false;
    return trib_date_years(date, &first, &last) && first >= 1000 && last < 2100;
}

bool trib_date_of_name(char date[TRIB_DATE_FROM_NAME], const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    size_t n_dates = 0;
    bool has_letters = false, is_whole = false;
    for (size_t i = 0, n; i < length; i += n) {
        n = 1;
        has_letters = has_letters || is_letter(name[i]);
        if (!is_digit(name[i]) || (i > 0 && is_letter(name[i - 1]))) continue;
        while (i + n < length && (is_digit(name[i + n]) ||
                                  (name[i + n] == '-' && i + n + 1 < length && /* not at the end */
                                   is_digit(name[i + n + 1]))))
            n++;
        char found[TRIB_DATE_FROM_NAME];
        if ((i + n < length && is_letter(name[i + n])) || !read_number(found, name + i, n))
            continue;
        if (n_dates++ == 0) strcpy(date, found);
        is_whole = strlen(found) == 10;
    }
    /* a number alone, such as "1342.txt", may be that of the text in a library */
    return n_dates == 1 && (has_letters || is_whole);
}

/* ---- Properties ------------------------------------------------------------------------------ */

static bool is_date(const char *text) {
    double year, end;
    return *text && trib_date_read(text, &year, &end);
}

/* Reads the properties of the file of a document; there are none when it cannot be read, which is
 * reported when its words are read. */
static trib_status read_properties(trib_tei_about *about, const trib_corpus_document *document,
                                   trib_spool_of_texts *spool, trib_error *error) {
    trib_byte_source source = {0};
    trib_buffer bytes = {0};
    trib_error why = {0};
    char first[5] = "";
    size_t n = 0;
    *about = (trib_tei_about){0};
    trib_status status = trib_byte_source_open(&source, document->path, spool, &why);
    if (status == TRIB_OK) status = trib_reader_peek(&source.reader, first, sizeof first, &n, &why);
    const bool has_some =
        n == sizeof first && (memcmp(first, "PK\3\4", 4) == 0 || memcmp(first, "%PDF-", 5) == 0);
    if (status == TRIB_OK && has_some) status = trib_reader_all(&source.reader, &bytes, &why);
    if (status == TRIB_OK && bytes.length > 0)
        status = trib_file_properties(
            about, (trib_markup_bytes){document->path, bytes.text, bytes.length}, is_date, &why);
    trib_byte_source_close(&source);
    trib_buffer_release(&bytes);
    return status == TRIB_MEMORY ? trib_fail(error, status, "%s", why.message) : TRIB_OK;
}

/* ---- Documents ------------------------------------------------------------------------------- */

static trib_status set(char **to, trib_from *origin, trib_from from, const char *text,
                       trib_error *error) {
    trib_free(*to);
    *to = NULL;
    *origin = from;
    return trib_copy(to, text, error);
}

static trib_status set_date(trib_corpus_document *document, trib_from from, const char *text,
                            trib_error *error) {
    (void)trib_date_read(text, &document->year, &document->year_end);
    return set(&document->date, &document->date_from, from, text, error);
}

static bool has_file(const trib_corpus_document *document) {
    return document->file && document->path && strcmp(document->file, "-") != 0;
}

trib_status trib_document_name_date(trib_corpus_document *document, trib_error *error) {
    char date[TRIB_DATE_FROM_NAME];
    if (!has_file(document) || document->date || !trib_date_of_name(date, document->file))
        return TRIB_OK;
    return set_date(document, TRIB_FROM_FILE_NAME, date, error);
}

static trib_status infer_from_file(trib_corpus_document *document, bool is_all,
                                   trib_spool_of_texts *spool, trib_error *error) {
    trib_tei_about about;
    trib_status status = read_properties(&about, document, spool, error);
    if (status == TRIB_OK && !document->date && *about.date)
        status = set_date(document, TRIB_FROM_PROPERTIES, about.date, error);
    if (status == TRIB_OK && is_all && !document->author && *about.author)
        status = set(&document->author, &document->author_from, TRIB_FROM_PROPERTIES, about.author,
                     error);
    if (status == TRIB_OK && is_all && document->title_from == TRIB_FROM_FILE_NAME && *about.title)
        status =
            set(&document->title, &document->title_from, TRIB_FROM_PROPERTIES, about.title, error);
    return status;
}

trib_status trib_documents_infer(trib_config *config, bool is_all, trib_error *error) {
    trib_spool_of_texts spool = {0};
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < config->corpus.n_documents && status == TRIB_OK; d++) {
        trib_corpus_document *document = &config->corpus.document[d];
        if (!has_file(document)) continue;
        status = trib_document_name_date(document, error);
        if (status == TRIB_OK && (is_all || !document->date))
            status = trib_spool_of_texts_add(&spool, document->path, error);
    }
    trib_spool_of_texts_arrange(&spool);
    for (uint32_t d = 0; d < config->corpus.n_documents && status == TRIB_OK; d++) {
        trib_corpus_document *document = &config->corpus.document[d];
        if (has_file(document) && (is_all || !document->date))
            status = infer_from_file(document, is_all, &spool, error);
    }
    trib_spool_of_texts_close(&spool);
    return status;
}
