/* text_lines.c - the lines and the characters of a text. A bit for every byte says whether a
 * character begins there, so that the characters before any byte are counted in constant time. */
#include "pipeline/output/text_lines.h"

#include <stdio.h>
#include <string.h>
#include <unicode/ucnv.h>

static bool is_utf8(const char *encoding) {
    return !encoding || strcmp(encoding, "UTF-8") == 0 || strcmp(encoding, "US-ASCII") == 0;
}

/* Whether a byte 10 is a line feed. */
static bool has_lines(const char *encoding) {
    return is_utf8(encoding) ||
           (strncmp(encoding, "UTF-16", 6) != 0 && strncmp(encoding, "UTF-32", 6) != 0);
}

/* Marks the characters of UTF-8: all bytes but those that continue one. */
static void mark_utf8(trib_text_lines *lines, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        lines->begins[i / 64] |= (uint64_t)(((unsigned char)text[i] & 0xC0) != 0x80) << i % 64;
}

/* Where the same bytes stand for two characters, the second counts as beginning a byte later. */
static void mark(trib_text_lines *lines, size_t byte) {
    const bool is_second = lines->begins[byte / 64] >> byte % 64 & 1;
    byte += is_second;
    lines->begins[byte / 64] |= (uint64_t)1 << byte % 64;
}

/* Marks the characters of a text by the offsets of its UTF-16 units. A unit without an offset
 * belongs to bytes that were read before. */
static trib_status mark_converted(trib_text_lines *lines, const char *encoding, const char *text,
                                  size_t length, trib_error *error) {
    enum { PIECE = 1 << 20, N_UNITS = 4096 };
    const char *at = text, *const end = text + length;
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(encoding, &code);
    UChar before = 0;
    while (U_SUCCESS(code)) {
        UChar unit[N_UNITS], *last = unit;
        int32_t offset[N_UNITS];
        const char *const from = at, *const stop = end - at > PIECE ? at + PIECE : end;
        ucnv_toUnicode(converter, &last, unit + N_UNITS, &at, stop, offset, stop == end, &code);
        for (const UChar *u = unit; u < last; before = *u++) {
            const int32_t o = offset[u - unit];
            if (U16_IS_TRAIL(*u) && U16_IS_LEAD(before)) continue;
            mark(lines, (size_t)(from - text) + (size_t)(o >= 0 ? o : from > text ? -1 : 0));
        }
        if (code == U_BUFFER_OVERFLOW_ERROR) code = U_ZERO_ERROR;
        else if (at == end) break;
    }
    if (converter) ucnv_close(converter);
    if (U_SUCCESS(code)) return TRIB_OK;
    return trib_fail(error, TRIB_INTERNAL, "a text cannot be decoded as %s: %s", encoding,
                     u_errorName(code));
}

static trib_status find_characters(trib_text_lines *lines, const char *encoding, const char *text,
                                   size_t length, trib_error *error) {
    static const char what[] = "the characters of a text";
    const size_t n = length / 64 + 1;
    trib_status status = trib_new(&lines->begins, n, sizeof *lines->begins, what, error);
    if (status == TRIB_OK)
        status = trib_new(&lines->n_before, n, sizeof *lines->n_before, what, error);
    if (status == TRIB_OK && is_utf8(encoding)) mark_utf8(lines, text, length);
    else if (status == TRIB_OK && length > 0)
        status = mark_converted(lines, encoding, text, length, error);
    for (size_t i = 1; i < n && status == TRIB_OK; i++)
        lines->n_before[i] =
            lines->n_before[i - 1] + (size_t)__builtin_popcountll(lines->begins[i - 1]);
    return status;
}

static trib_status add_line(trib_text_lines *lines, size_t byte, trib_error *error) {
    const trib_status status = trib_grow(&lines->byte, &lines->cap, lines->n + 1,
                                         sizeof *lines->byte, "the lines of a text", error);
    if (status == TRIB_OK) lines->byte[lines->n++] = byte;
    return status;
}

trib_status trib_text_lines_read(trib_text_lines *lines, const char *encoding, const char *text,
                                 size_t length, trib_error *error) {
    trib_status status = add_line(lines, 0, error);
    for (size_t from = 0; from < length && status == TRIB_OK && has_lines(encoding);) {
        const char *end = memchr(text + from, '\n', length - from);
        if (!end) break;
        from = (size_t)(end - text) + 1;
        status = add_line(lines, from, error);
    }
    if (status == TRIB_OK) status = find_characters(lines, encoding, text, length, error);
    if (status != TRIB_OK) trib_text_lines_release(lines);
    return status;
}

void trib_text_lines_release(trib_text_lines *lines) {
    trib_free(lines->byte);
    trib_free(lines->begins);
    trib_free(lines->n_before);
    trib_references_release(&lines->references);
    *lines = (trib_text_lines){0};
}

size_t trib_text_line_at(const trib_text_lines *lines, size_t byte) {
    size_t low = 0, high = lines->n;
    while (low < high) { /* the lines before `low` begin at or before the byte */
        const size_t middle = low + (high - low) / 2;
        if (lines->byte[middle] <= byte) low = middle + 1;
        else high = middle;
    }
    return low;
}

trib_status trib_text_lines_refer(trib_text_lines *lines, const char *pattern,
                                  trib_references *of_markup, const char *name,
                                  const char *encoding, const char *text, size_t length,
                                  trib_error *error) {
    const bool is_one = lines->n < 2 || (lines->n == 2 && lines->byte[1] == length);
    lines->has_numbers = !is_one && (!pattern || strcmp(pattern, "none") != 0);
    if (pattern)
        return trib_references_find(&lines->references, pattern, name, encoding, text, length,
                                    error);
    lines->references = *of_markup;
    *of_markup = (trib_references){0};
    return TRIB_OK;
}

void trib_text_reference(char reference[TRIB_REFERENCE_MAX], const trib_text_lines *lines,
                         size_t from, size_t end) {
    const char *first = trib_references_at(&lines->references, from),
               *last = trib_references_at(&lines->references, end > from ? end - 1 : from);
    reference[0] = '\0';
    if (*first && *last) trib_reference_join(reference, first, last);
    if (*reference || !lines->has_numbers) return;
    const size_t at = trib_text_line_at(lines, from),
                 to = trib_text_line_at(lines, end > from ? end - 1 : from);
    if (at == to) snprintf(reference, TRIB_REFERENCE_MAX, "line %zu", at);
    else snprintf(reference, TRIB_REFERENCE_MAX, "lines %zu\xE2\x80\x93%zu", at, to);
}

const char *trib_text_reference_at(const trib_text_lines *lines, size_t byte) {
    const char *reference = trib_references_at(&lines->references, byte);
    return *reference ? reference : NULL;
}

void trib_text_hide_references(const trib_text_lines *lines, trib_buffer *text) {
    for (size_t m = 0; m < lines->references.n; m++) {
        const trib_reference_mark *mark = &lines->references.mark[m];
        bool is_plain = mark->to <= text->length;
        for (size_t i = mark->from; i < mark->to && is_plain; i++) {
            const char c = text->text[i];
            is_plain = c >= ' ' && c < 0x7F && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        }
        if (is_plain && mark->to > mark->from)
            memset(text->text + mark->from, ' ', mark->to - mark->from);
    }
}

size_t trib_text_character_at(const trib_text_lines *lines, size_t byte) {
    const uint64_t before = ((uint64_t)1 << byte % 64) - 1;
    return lines->n_before[byte / 64] +
           (size_t)__builtin_popcountll(lines->begins[byte / 64] & before);
}
