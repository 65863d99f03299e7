/* text_lines.c - the lines of a text. Characters are counted from the start of a line, so that no
 * list of all characters is needed. */
#include "pipeline/output/text_lines.h"

#include <string.h>

#include "tokenizer/tokenizer.h"

static bool is_utf8(const char *encoding) {
    return !encoding || strcmp(encoding, "UTF-8") == 0 || strcmp(encoding, "US-ASCII") == 0;
}

/* Whether a byte 10 is a line feed. */
static bool has_lines(const char *encoding) {
    return is_utf8(encoding) ||
           (strncmp(encoding, "UTF-16", 6) != 0 && strncmp(encoding, "UTF-32", 6) != 0);
}

/* Counts the characters of UTF-8: all bytes but those that continue one. */
static size_t count_characters(const char *utf8, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) n += ((unsigned char)utf8[i] & 0xC0) != 0x80;
    return n;
}

static trib_status count_in(size_t *n, const char *encoding, const char *text, size_t length,
                            trib_error *error) {
    trib_buffer decoded = {0};
    if (is_utf8(encoding)) {
        *n = count_characters(text, length);
        return TRIB_OK;
    }
    const trib_status status = trib_excerpt(&decoded, encoding, text, length, error);
    *n = status == TRIB_OK ? count_characters(decoded.text, decoded.length) : 0;
    trib_buffer_release(&decoded);
    return status;
}

static trib_status add_line(trib_text_lines *lines, size_t byte, size_t character,
                            trib_error *error) {
    static const char what[] = "the lines of a text";
    trib_status status =
        trib_grow(&lines->byte, &lines->byte_cap, lines->n + 1, sizeof *lines->byte, what, error);
    if (status == TRIB_OK)
        status = trib_grow(&lines->character, &lines->character_cap, lines->n + 1,
                           sizeof *lines->character, what, error);
    if (status != TRIB_OK) return status;
    lines->byte[lines->n] = byte;
    lines->character[lines->n++] = character;
    return TRIB_OK;
}

trib_status trib_text_lines_read(trib_text_lines *lines, const char *encoding, const char *text,
                                 size_t length, trib_error *error) {
    size_t character = 0, n = 0;
    trib_status status = add_line(lines, 0, 0, error);
    for (size_t from = 0; status == TRIB_OK && has_lines(encoding);) {
        const char *end = from < length ? memchr(text + from, '\n', length - from) : NULL;
        if (!end) break;
        const size_t next = (size_t)(end - text) + 1;
        status = count_in(&n, encoding, text + from, next - from, error);
        character += n;
        from = next;
        if (status == TRIB_OK) status = add_line(lines, from, character, error);
    }
    if (status != TRIB_OK) trib_text_lines_release(lines);
    return status;
}

void trib_text_lines_release(trib_text_lines *lines) {
    trib_free(lines->byte);
    trib_free(lines->character);
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

trib_status trib_text_character_at(const trib_text_lines *lines, const char *encoding,
                                   const char *text, size_t byte, size_t *character,
                                   trib_error *error) {
    const size_t line = trib_text_line_at(lines, byte) - 1;
    const size_t from = lines->byte[line];
    const trib_status status = count_in(character, encoding, text + from, byte - from, error);
    *character += lines->character[line];
    return status;
}
