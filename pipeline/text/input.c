/* input.c - reads the text of a document's file: opens the bytes at its address, unpacks them, and
 * converts them from markup. */
#include "pipeline/text/input.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/support/path.h"
#include "pipeline/text/library.h"
#include "pipeline/text/spool.h"
#include "pipeline/text/table.h"
#include "pipeline/text/tei.h"
#include "pipeline/text/text_formats.h"

/* ---- Standard input -------------------------------------------------------------------------- */

/* Copies the bytes of a pipe or terminal to a temporary file, which becomes standard input. */
static trib_status spool_input(trib_error *error) {
    char block[1 << 14];
    trib_reader reader;
    size_t got = 0;
    uint64_t n = 0;
    int file = -1;
    trib_status status = trib_unnamed_file_open(&file, error);
    if (status == TRIB_OK) status = trib_reader_open(&reader, "-", error);
    while (status == TRIB_OK) {
        status = trib_reader_read(&reader, block, sizeof block, &got, error);
        if (status != TRIB_OK || got == 0) break;
        status = trib_unnamed_file_add(file, block, got, error);
        if ((n += got) > TRIB_UNPACKED_MOST)
            status = trib_fail(error, TRIB_INPUT, "standard input: is more than 64 GiB");
    }
    if (status == TRIB_OK && dup2(file, STDIN_FILENO) < 0)
        status =
            trib_fail(error, TRIB_INPUT, "standard input: cannot be copied to a temporary file: %s",
                      strerror(errno));
    if (file >= 0) close(file);
    return status;
}

static trib_status open_input(trib_byte_source *source, trib_error *error) {
    struct stat about;
    if (fstat(STDIN_FILENO, &about) != 0)
        return trib_fail(error, TRIB_INPUT, "standard input: cannot be read: %s", strerror(errno));
    trib_status status = S_ISREG(about.st_mode) ? TRIB_OK : spool_input(error);
    /* a file opened by this name has its own position, which begins at 0 */
    if (status == TRIB_OK) status = trib_reader_open(&source->reader, TRIB_INPUT_LINES, error);
    if (status == TRIB_OK) source->reader.name = "standard input";
    return status;
}

/* ---- Files and what is in them --------------------------------------------------------------- */

static trib_status open_part(trib_byte_source *source, const char *path, size_t n_file,
                             trib_spool_of_texts *spool, trib_error *error) {
    char file[4096];
    const char *part = path + n_file + 1;
    memcpy(file, path, n_file);
    file[n_file] = '\0';
    bool is_there = false;
    trib_status status = TRIB_OK;
    const bool is_stored = trib_library_is_at(file);
    const bool is_tei = trib_tei_file_is_named(file);
    const char *const kind = is_stored ? "text of a library" : trib_jsonl_kind(file);
    source->format = trib_text_format_called(is_tei ? "TEI" : kind);
    if (!source->format) source->kind = kind;
    const bool may_be_text = trib_archive_is_named(file) && trib_tei_file_split(part) > 0;
    if (spool) status = trib_spool_of_texts_take(spool, path, &source->bytes, &is_there, error);
    if (status != TRIB_OK || is_there) {
    } else if (is_stored) {
        status = trib_library_text(file, part, &source->bytes, error);
    } else if (kind) {
        status = trib_jsonl_text(file, part, &source->bytes, error);
    } else if (is_tei || may_be_text) {
        status = trib_tei_file_text(file, part, &source->bytes, error);
    } else if (trib_archive_is_named(file)) {
        status = trib_archive_member(file, part, &source->bytes, error);
    } else
        status = trib_fail(error, TRIB_INPUT,
                           "%s: there is no '%s' in a file that is neither an archive (.zip, "
                           ".tar), nor JSON Lines (.jsonl), nor a table (.csv, .tsv), nor TEI "
                           "(.xml, .tei), nor plain text with marks and several texts",
                           file, part);
    if (may_be_text && trib_tei_file_is_made(&source->bytes))
        source->format = trib_text_format_called("TEI");
    if (status == TRIB_OK)
        trib_reader_memory(&source->reader, path, source->bytes.text, source->bytes.length);
    return status;
}

trib_status trib_byte_source_open(trib_byte_source *source, const char *path,
                                  trib_spool_of_texts *spool, trib_error *error) {
    *source = (trib_byte_source){.reader = {.file = -1}, .stamp = trib_address_stamp(path)};
    const size_t n_file = strcmp(path, "-") == 0 ? 0 : trib_address_split(path);
    if (trib_pages_are_named(path)) {
        trib_reader_memory(&source->reader, path, "", 0);
        return TRIB_OK;
    }
    const trib_status status = strcmp(path, "-") == 0 ? open_input(source, error)
                               : n_file > 0 ? open_part(source, path, n_file, spool, error)
                                            : trib_reader_open(&source->reader, path, error);
    if (status != TRIB_OK) trib_byte_source_close(source);
    return status;
}

void trib_byte_source_close(trib_byte_source *source) {
    if (source->reader.name) trib_reader_close(&source->reader);
    trib_buffer_release(&source->bytes);
    trib_mets_release(&source->mets);
    *source = (trib_byte_source){.reader = {.file = -1}};
}

/* ---- Any file -------------------------------------------------------------------------------- */

/* Reads the whole file and converts it to text. */
static trib_status make_text(trib_input *input, const trib_text_format *row, trib_error *error) {
    TRIB_OWNED(trib_buffer) file = input->made.text;
    input->made.text = (trib_buffer){0};
    trib_status status = trib_unpacked_add(&input->unpacked, &file, SIZE_MAX, error);
    const trib_markup_bytes bytes = {input->source.reader.name, file.text ? file.text : "",
                                     file.length};
    input->made.format = row->name;
    input->made.is_file = !input->source.bytes.text && strcmp(bytes.name, "standard input") != 0;
    if (status == TRIB_OK) status = trib_decode_file(&input->made, row, bytes, error);
    input->kind = row->name;
    input->is_markup = input->is_made = true;
    return status;
}

/* Makes the text of the pages of a METS file or a folder. */
static trib_status make_pages(trib_input *input, const char *kind, trib_error *error) {
    const trib_mets *mets = &input->source.mets;
    const trib_markup_bytes bytes = {input->source.reader.name, input->source.bytes.text,
                                     input->source.bytes.length};
    if (!kind) kind = trib_text_format_named(mets->page[0].file, NULL, 0)->name;
    trib_buffer_clear(&input->made.text); /* of the METS file */
    input->made.is_page = true;
    const trib_status status = trib_decode_pages(&input->made, mets, bytes, error);
    if (mets->n_others > 0)
        snprintf(input->made.remark, sizeof input->made.remark,
                 "%zu pages are read; not %zu other files with text beside them", mets->n,
                 mets->n_others);
    input->kind = kind;
    input->is_markup = input->is_made = true;
    return status;
}

/* Reads the first bytes. Rejects formats that this program knows, by name or first bytes, but does
 * not read. *row becomes that of plain text with marks. */
static trib_status look_at_head(trib_input *input, const trib_text_format *named,
                                const trib_text_format **row, trib_error *error) {
    const char *const encoding = input->made.encoding;
    trib_status status =
        trib_unpacked_add(&input->unpacked, &input->made.text, TRIB_TEXT_FORMAT_BYTES, error);
    if (status != TRIB_OK) return status;
    const trib_buffer head = input->made.text;
    const char *const path = input->source.reader.name, *const first = head.text ? head.text : "";
    const bool is_plain = !named || named->use == TRIB_TEXT_FORMAT_TEXT;
    if (head.length == 0 && named && named->use == TRIB_TEXT_FORMAT_DECODED)
        return trib_fail(error, TRIB_INPUT, "%s: is empty", path);
    const trib_text_format *const marked =
        is_plain || named->read == trib_pandoc_text /* as heron.mARkdown, which is no Markdown */
            ? trib_text_format_marked(first, head.length, encoding)
            : NULL;
    if (marked && marked->use == TRIB_TEXT_FORMAT_DECODED) *row = marked;
    status = trib_text_format_check(marked ? marked : named, path, first, head.length, error);
    return status == TRIB_OK && is_plain && encoding
               ? trib_text_check_not_binary(path, first, head.length, encoding, error)
               : status;
}

/* Rejects an archive, which contains several texts. */
static trib_status check_container(const char *path, trib_error *error) {
    if (!trib_archive_is_named(path) || strcmp(path, "-") == 0 || !trib_disk_is_file(path))
        return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "%s: is an archive of texts; name one of them ('%s/...')",
                     path, path);
}

/* Whether an address is that of a whole table, or of all of JSON Lines. */
static bool is_of_rows(const char *path) {
    if (strcmp(path, "-") == 0 || !trib_jsonl_is_named(path)) return false;
    return trib_address_column(path) || trib_disk_is_file(path);
}

/* Appends the texts of all rows, each of which is a part of its own. A remark has the number of
 * rows without text; a blank line is none. */
static trib_status read_rows(trib_markup_text *to, trib_jsonl *rows, trib_error *error) {
    uint64_t n_empty = 0, first_empty = 0;
    trib_status status = TRIB_OK;
    bool is_there = true;
    while (status == TRIB_OK && (status = trib_jsonl_next(rows, &is_there, error)) == TRIB_OK &&
           is_there) {
        json_auto_t *row = NULL;
        status = trib_jsonl_object(rows, &row, error);
        const json_t *value = json_object_get(row, "text");
        const size_t n = json_string_length(value), from = to->text.length;
        if (row && n == 0 && n_empty++ == 0) first_empty = trib_jsonl_line(rows);
        if (n > 0) {
            trib_buffer_add(&to->text, json_string_value(value), n, error);
            trib_text_ranges_add(&to->parts, from, from + n, error);
            trib_text_end(&to->text, TRIB_FLOW_PARAGRAPH, error);
        }
    }
    if (n_empty > 0)
        snprintf(to->remark, sizeof to->remark,
                 "%llu %s no text that is read; the first is in line %llu",
                 (unsigned long long)n_empty, n_empty == 1 ? "row has" : "rows have",
                 (unsigned long long)first_empty);
    return status == TRIB_OK ? trib_markup_status(to) : status;
}

/* Makes the text of a whole table, or of all of JSON Lines. */
static trib_status make_rows(trib_input *input, const char *path, trib_error *error) {
    trib_jsonl rows;
    trib_status status = trib_jsonl_open(&rows, path, error);
    if (status != TRIB_OK) return status;
    input->kind = trib_jsonl_is_table(path) ? "table" : "JSON Lines";
    input->is_markup = input->is_made = true;
    status = read_rows(&input->made, &rows, error);
    trib_jsonl_close(&rows);
    if (status == TRIB_OK && input->made.text.length == 0)
        status = trib_fail(error, TRIB_INPUT, "%s: has no text in its rows", path);
    return status;
}

/* The format of the bytes at an address, or NULL. */
static const trib_text_format *format_of(const char *path, const trib_byte_source *source,
                                         const unsigned char *first, size_t n) {
    if (trib_pages_are_named(path) && source->mets.n > 0) path = source->mets.page[0].file;
    return source->format ? source->format : trib_text_format_named(path, first, n);
}

void trib_input_kind(char kind[TRIB_KIND_MAX], const char *path, const trib_byte_source *source,
                     const unsigned char *first, size_t n) {
    const char *packing = source->kind ? NULL : trib_packing_name(first, n);
    const trib_text_format *format = source->kind ? NULL : format_of(path, source, first, n);
    const bool is_known = format && (format->use == TRIB_TEXT_FORMAT_DECODED ||
                                     format->use == TRIB_TEXT_FORMAT_REFUSED);
    snprintf(kind, TRIB_KIND_MAX, "%s%s%s", packing ? packing : "", packing ? " " : "",
             is_known       ? format->name
             : source->kind ? source->kind
                            : "text");
}

/* Opens the bytes at an address and examines the first of them. *row becomes the decoder that makes
 * the text, if it is not plain text. */
static trib_status begin(trib_input *input, const char *path, struct trib_spool_of_texts *spool,
                         const trib_input_options *options, const trib_text_format **row,
                         trib_error *error) {
    unsigned char first[8] = {0};
    size_t n = 0;
    if (options) {
        input->made.notes = options->notes;
        input->made.edition = options->edition;
        input->made.on_invalid = options->on_invalid;
        input->made.encoding = options->encoding;
    }
    trib_status status = check_container(path, error);
    if (status == TRIB_OK && is_of_rows(path)) return make_rows(input, path, error);
    if (status == TRIB_OK) status = trib_byte_source_open(&input->source, path, spool, error);
    if (status == TRIB_OK)
        status = trib_byte_source_add_pages(&input->source, path, options && options->follows_links,
                                            error);
    if (status != TRIB_OK || trib_pages_are_named(path)) return status;
    input->is_markup = input->source.kind != NULL;
    input->unpacked.reader = &input->source.reader;
    status = trib_reader_peek(&input->source.reader, first, sizeof first, &n, error);
    if (status != TRIB_OK || input->source.kind) return status;
    status = trib_unpacked_open(&input->unpacked, &input->source.reader, error);
    const trib_text_format *format = format_of(path, &input->source, first, n);
    if (status != TRIB_OK) return status;
    if (format && format->use == TRIB_TEXT_FORMAT_DECODED) *row = format;
    return look_at_head(input, format, row, error);
}

/* ---- Texts that are kept --------------------------------------------------------------------- */

/* Reads the text of a document that was decoded before. */
static trib_status find_kept(trib_input *input, const char *path, trib_spool_of_texts *spool,
                             const trib_input_options *options, trib_error *error) {
    *input = (trib_input){.kind = "text", .source = {.reader = {.file = -1}}};
    if (!spool) return TRIB_OK;
    const trib_buffer *text = &input->made.text;
    trib_status status = trib_spool_of_texts_text(spool, path, &input->made, &input->is_markup,
                                                  &input->is_made, error);
    if (status == TRIB_OK && input->is_made && !input->is_markup && options && options->encoding)
        status = trib_text_check_not_binary(
            path, text->text,
            text->length < TRIB_TEXT_FORMAT_BYTES ? text->length : TRIB_TEXT_FORMAT_BYTES,
            options->encoding, error);
    return status;
}

/* Keeps a text that was decoded. Plain text is read here, unless it is longer than may be kept. */
static trib_status keep(trib_input *input, const char *path, trib_spool_of_texts *spool,
                        trib_error *error) {
    trib_status status = TRIB_OK;
    if (!spool || !trib_spool_of_texts_may_keep(spool, path)) return TRIB_OK;
    if (!input->is_made)
        status =
            trib_unpacked_add(&input->unpacked, &input->made.text, TRIB_SPOOL_LONGEST + 1, error);
    if (status != TRIB_OK || input->made.text.length > TRIB_SPOOL_LONGEST) return status;
    input->is_made = true;
    trib_spool_of_texts_keep(spool, path, &input->made, input->is_markup);
    return TRIB_OK;
}

/* Says that the text was encoded twice, or misread, by its first bytes. */
static void remark_encoded_twice(trib_input *input) {
    const trib_buffer *text = input->source.kind ? &input->source.bytes : &input->made.text;
    const size_t n = text->length < TRIB_TEXT_FORMAT_BYTES ? text->length : TRIB_TEXT_FORMAT_BYTES;
    const char *encoding = *input->made.remark || n == 0 ? NULL : trib_encoded_twice(text->text, n);
    if (encoding)
        snprintf(input->made.remark, sizeof input->made.remark,
                 "was encoded twice: its UTF-8 was read as %s and written as UTF-8 again; mend it "
                 "with `iconv -f UTF-8 -t %s`",
                 encoding, encoding);
    else if (!*input->made.remark && n > 0 && trib_is_misread(text->text, n))
        snprintf(input->made.remark, sizeof input->made.remark,
                 "nearly all letters have accents: it was in another encoding (perhaps "
                 "windows-1251) and was read as ISO-8859-1; convert it again");
}

trib_status trib_input_open(trib_input *input, const char *path, struct trib_spool_of_texts *spool,
                            const trib_input_options *options, trib_error *error) {
    const trib_text_format *row = NULL;
    trib_status status = find_kept(input, path, spool, options, error);
    if (status == TRIB_OK && input->is_made) return TRIB_OK;
    if (status == TRIB_OK) status = begin(input, path, spool, options, &row, error);
    if (status == TRIB_OK && input->source.mets.n > 0)
        status = make_pages(input, row ? row->name : NULL, error);
    else if (status == TRIB_OK && row) status = make_text(input, row, error);
    if (status == TRIB_OK) remark_encoded_twice(input);
    char *const kind = input->made.account.kind;
    if (!*kind || strcmp(input->kind, "XML") != 0) snprintf(kind, TRIB_KIND_MAX, "%s", input->kind);
    if (status == TRIB_OK) status = keep(input, path, spool, error);
    if (status != TRIB_OK) trib_input_close(input);
    return status;
}

trib_status trib_input_read(trib_input *input, void *bytes, size_t size, size_t *got,
                            trib_error *error) {
    const trib_buffer *text = &input->made.text;
    const size_t left = text->length - input->position;
    *got = size < left ? size : left;
    if (*got > 0) memcpy(bytes, text->text + input->position, *got);
    input->position += *got;
    return *got > 0 || input->is_made
               ? TRIB_OK
               : trib_unpacked_read(&input->unpacked, bytes, size, got, error);
}

trib_status trib_input_all(trib_input *input, trib_buffer *buffer, trib_error *error) {
    trib_buffer *const text = &input->made.text;
    trib_status status = TRIB_OK;
    if (!buffer->text && input->position == 0 && text->text) {
        *buffer = *text;
        *text = (trib_buffer){0};
    } else {
        status = trib_buffer_add(buffer, text->text ? text->text + input->position : "",
                                 text->length - input->position, error);
        input->position = text->length;
    }
    return status == TRIB_OK && !input->is_made
               ? trib_unpacked_add(&input->unpacked, buffer, SIZE_MAX, error)
               : status;
}

void trib_input_close(trib_input *input) {
    trib_unpacked_close(&input->unpacked);
    trib_markup_release(&input->made);
    trib_byte_source_close(&input->source);
    *input = (trib_input){.source = {.reader = {.file = -1}}};
}
