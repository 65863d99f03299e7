/* tei_file.c - reads the texts of a file of TEI. */
#include "pipeline/text/tei_file.h"

#include <string.h>

#include "pipeline/text/packing.h"
#include "pipeline/text/text_formats.h"

bool trib_tei_file_is_named(const char *path) {
    const trib_text_format *format = trib_text_format_named(path, NULL, 0);
    return format && (strcmp(format->name, "TEI") == 0 || strcmp(format->name, "XML") == 0);
}

static trib_tei_count count(const trib_buffer *file) {
    return trib_tei_texts_begin(file->text ? file->text : "", file->length);
}

/* Takes ownership of `reader`. */
static trib_status open_reader(trib_tei_texts *texts, trib_buffer *first, trib_reader *reader,
                               const char *name, trib_error *error) {
    trib_unpacked unpacked = {0};
    *texts = (trib_tei_texts){0};
    trib_status status = trib_unpacked_open(&unpacked, reader, error);
    if (status == TRIB_OK) status = trib_unpacked_add(&unpacked, first, TRIB_HEADER_BYTES, error);
    if (status == TRIB_OK && count(first) != TRIB_TEI_ONE)
        status = trib_unpacked_add(&unpacked, first, SIZE_MAX, error);
    trib_unpacked_close(&unpacked);
    trib_reader_close(reader);
    if (status != TRIB_OK || count(first) != TRIB_TEI_SEVERAL) return status;
    status =
        trib_tei_texts_open(texts, (trib_markup_bytes){name, first->text, first->length}, error);
    if (texts->n < 2) trib_tei_texts_close(texts);
    return status;
}

trib_status trib_tei_file_open(trib_tei_texts *texts, trib_buffer *first, const char *path,
                               trib_error *error) {
    trib_reader reader;
    *texts = (trib_tei_texts){0};
    const trib_status status = trib_reader_open(&reader, path, error);
    return status == TRIB_OK ? open_reader(texts, first, &reader, path, error) : status;
}

/* The same of a file in memory. */
static trib_status open_bytes(trib_tei_texts *texts, trib_buffer *first, const trib_buffer *file,
                              const char *name, trib_error *error) {
    trib_reader reader;
    trib_reader_memory(&reader, name, file->text ? file->text : "", file->length);
    return open_reader(texts, first, &reader, name, error);
}

trib_status trib_tei_member_open(trib_tei_texts *texts, trib_buffer *first, trib_archive *archive,
                                 const char *name, trib_error *error) {
    trib_buffer file = {0};
    *texts = (trib_tei_texts){0};
    trib_status status = trib_archive_read_some(archive, &file, TRIB_HEADER_BYTES, error);
    /* a file that is not TEI is left after its first bytes; a packed one must be whole */
    if (status == TRIB_OK && file.length > 0 &&
        (count(&file) != TRIB_TEI_ONE ||
         trib_packing_name((const unsigned char *)file.text, file.length)))
        status = trib_archive_read(archive, &file, error);
    if (status == TRIB_OK) status = open_bytes(texts, first, &file, name, error);
    trib_buffer_release(&file);
    return status;
}

/* Appends text `number` of a file that was opened. */
static trib_status add_text(const trib_tei_texts *texts, const char *name, const char *number,
                            trib_buffer *to, trib_error *error) {
    uint64_t wanted = 0;
    if (!trib_read_uint(number, &wanted) || wanted == 0)
        return trib_fail(error, TRIB_INPUT, "%s: '%s' is not the number of a text", name, number);
    if (texts->n == 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: there is no text '%s' in it, since it is not TEI with several texts "
                         "(<teiCorpus>, <group>, or more than one <text>)",
                         name, number);
    if (wanted > texts->n)
        return trib_fail(error, TRIB_INPUT, "%s: has no text %s, but %zu texts", name, number,
                         texts->n);
    return trib_tei_texts_add(texts, (size_t)wanted - 1, to, error);
}

size_t trib_tei_file_split(const char *path) {
    char file[4096];
    uint64_t number = 0;
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) : 0;
    if (n == 0 || n >= sizeof file || !trib_read_uint(slash + 1, &number)) return 0;
    memcpy(file, path, n);
    file[n] = '\0';
    return trib_tei_file_is_named(file) ? n : 0;
}

/* Opens the file of a text in an archive; `name` gets its address. When there is only a member
 * with the name of the text, that is appended, and `texts` stays empty. */
static trib_status open_member(trib_tei_texts *texts, const char *path, const char *part,
                               trib_buffer *name, trib_buffer *to, bool *is_member,
                               trib_error *error) {
    trib_buffer first = {0}, file = {0};
    trib_error why = {0};
    const size_t before = to->length;
    trib_status status =
        trib_buffer_print(name, error, "%s/%.*s", path, (int)trib_tei_file_split(part), part);
    if (status == TRIB_OK)
        status = trib_archive_member(path, name->text + strlen(path) + 1, &file, &why);
    *is_member = status == TRIB_INPUT && trib_archive_member(path, part, to, NULL) == TRIB_OK;
    if (status == TRIB_OK) status = open_bytes(texts, &first, &file, name->text, error);
    else if (*is_member) status = TRIB_OK;
    else if (*why.message) {
        to->length = before;
        status = trib_fail(error, status, "%s", why.message);
    }
    trib_buffer_release(&first);
    trib_buffer_release(&file);
    return status;
}

trib_status trib_tei_file_text(const char *path, const char *part, trib_buffer *to,
                               trib_error *error) {
    trib_tei_texts texts = {0};
    trib_buffer first = {0}, name = {0};
    const size_t n_member = trib_tei_file_split(part);
    bool is_member = false;
    trib_status status = n_member > 0
                             ? open_member(&texts, path, part, &name, to, &is_member, error)
                             : trib_tei_file_open(&texts, &first, path, error);
    if (status == TRIB_OK && !is_member)
        status = add_text(&texts, n_member > 0 ? name.text : path,
                          n_member > 0 ? part + n_member + 1 : part, to, error);
    trib_tei_texts_close(&texts);
    trib_buffer_release(&first);
    trib_buffer_release(&name);
    return status;
}

bool trib_tei_file_is_made(const trib_buffer *bytes) {
    static const char begin[] = "<?xml";
    return bytes->length >= sizeof begin - 1 && memcmp(bytes->text, begin, sizeof begin - 1) == 0;
}
