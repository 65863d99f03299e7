/* text_units.c - cuts a document into the units that the search for allusions compares: phrases,
 * lines, sentences or windows of words. The words were found before; the text between two words
 * says whether a unit ends there. */
#include <string.h>
#include <strings.h>

#include "pipeline/config/config.h"
#include "pipeline/stages/allusions.h"
#include "pipeline/stages/text.h"

/* A phrase without an end, as in a list or a table, is cut after so many words. */
enum { LONGEST = 200 };

/* Whether UTF-8 text contains one of the marks, which are separated by spaces. */
static bool has_mark(const char *text, size_t length, const char *marks) {
    for (const char *mark = marks; *mark; mark += *mark == ' ') {
        const size_t n = strcspn(mark, " ");
        for (size_t i = 0; i + n <= length; i++)
            if (text[i] == *mark && memcmp(text + i, mark, n) == 0) return true;
        mark += n;
    }
    return false;
}

/* Whether a line without words lies in the text. */
static bool has_empty_line(const char *text, size_t length) {
    const char *first = length > 0 ? memchr(text, '\n', length) : NULL;
    return first && memchr(first + 1, '\n', length - (size_t)(first + 1 - text));
}

/* The marks of the end of a sentence, and those that end a phrase besides, in Latin, Greek, Arabic,
 * Devanagari, Chinese and Japanese. */
static const char full_stops[] = ". ? ! \xCD\xBE \xD8\x9F \xDB\x94 \xE0\xA5\xA4 \xE3\x80\x82 "
                                 "\xEF\xBC\x81 \xEF\xBC\x9F \xE2\x80\xA6",
                  half_stops[] = "; : \xC2\xB7 \xCE\x87 \xD8\x9B \xEF\xBC\x9A \xEF\xBC\x9B";

/* Whether the text between two words ends a unit. */
static bool ends_unit(trib_unit unit, const char *between, size_t length) {
    switch (unit) {
    case TRIB_UNIT_LINES:
        return length > 0 && memchr(between, '\n', length);
    case TRIB_UNIT_PHRASES:
        if (has_mark(between, length, half_stops)) return true;
        return has_mark(between, length, full_stops) || has_empty_line(between, length);
    case TRIB_UNIT_SENTENCES:
        return has_mark(between, length, full_stops) || has_empty_line(between, length);
    case TRIB_UNIT_WINDOWS:
    case TRIB_UNIT_NONE:
        break;
    }
    return false;
}

/* A document while it is cut. */
typedef struct cutting {
    const trib_config *config;
    const char *encoding;    /* NULL: UTF-8 */
    trib_document_text text; /* its bytes */
    trib_buffer decoded;     /* scratch */
    trib_text_units *units;
    uint32_t n_units;
    size_t unit_cap;
} cutting;

static trib_status look_between(cutting *c, size_t from, size_t to, bool *ends, trib_error *error) {
    trib_status status = TRIB_OK;
    if (to > c->text.bytes.length) to = c->text.bytes.length;
    if (from + 1 >= to) { /* a space at most; but lines may end */
        *ends = from < to && c->text.bytes.text[from] == '\n' &&
                c->config->parallels.unit == TRIB_UNIT_LINES;
        return TRIB_OK;
    }
    const char *between = c->text.bytes.text + from;
    size_t length = to - from;
    if (c->encoding) {
        trib_buffer_clear(&c->decoded);
        status = trib_excerpt(&c->decoded, c->encoding, between, length, error);
        between = c->decoded.text ? c->decoded.text : "";
        length = c->decoded.length;
    }
    *ends = ends_unit(c->config->parallels.unit, between, length);
    return status;
}

static trib_status add_unit(cutting *c, size_t first, size_t n, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&c->units->unit, &c->unit_cap, (size_t)c->n_units + 1, "units", error);
    if (status == TRIB_OK)
        c->units->unit[c->n_units++] = (trib_parallel_unit){(uint32_t)first, (uint32_t)n};
    return status;
}

/* Cuts the text into windows that overlap by half. */
static trib_status add_windows(cutting *c, size_t n_words, trib_error *error) {
    const size_t n = c->config->parallels.window, step = n / 2;
    trib_status status = TRIB_OK;
    for (size_t first = 0; status == TRIB_OK && first < n_words; first += step) {
        status = add_unit(c, first, n < n_words - first ? n : n_words - first, error);
        if (first + n >= n_words) break; /* the rest would lie within this window */
    }
    return status;
}

/* Reads the words, and ends a unit wherever the text between two words says so. */
static trib_status cut(cutting *c, const trib_document_words *words, trib_error *error) {
    const bool is_window = c->config->parallels.unit == TRIB_UNIT_WINDOWS;
    trib_words_cursor cursor = {0};
    trib_placed_word word;
    size_t first = 0, end = 0;
    trib_status status = trib_words_cursor_open(&cursor, words, error);
    for (size_t i = 0; status == TRIB_OK && i < words->n_tokens; i++) {
        status = trib_words_cursor_at(&cursor, i, &word, error);
        if (status != TRIB_OK) break;
        bool ends = i - first >= LONGEST || (i > 0 && word.after_break);
        if (i > 0 && !is_window && !ends) status = look_between(c, end, word.offset, &ends, error);
        if (status == TRIB_OK && ends && !is_window) {
            status = add_unit(c, first, i - first, error);
            first = i;
        }
        end = word.end;
        c->units->form[i] = word.id;
    }
    if (status == TRIB_OK && is_window) status = add_windows(c, words->n_tokens, error);
    else if (status == TRIB_OK && first < words->n_tokens)
        status = add_unit(c, first, words->n_tokens - first, error);
    trib_words_cursor_close(&cursor);
    return status;
}

trib_status trib_text_units_read(trib_text_units *units, const trib_config *config,
                                 const trib_corpus *corpus, const trib_corpus_words *words,
                                 uint32_t d, trib_error *error) {
    const trib_document_words *document = &words->document[d];
    cutting c = {.config = config, .units = units};
    if (strcasecmp(document->encoding, "UTF-8") != 0) c.encoding = document->encoding;
    *units = (trib_text_units){0};
    if (document->n_tokens >= UINT32_MAX)
        return trib_fail(error, TRIB_INPUT, "%s: parallels reads texts of at most %u words",
                         corpus->document[d].about->path, (unsigned)UINT32_MAX - 1);
    trib_status status = TRIB_NEW(&units->form, document->n_tokens, "words", error);
    if (status == TRIB_OK && config->parallels.unit != TRIB_UNIT_WINDOWS)
        status = trib_text_read_bytes(&c.text, config, corpus, d, error);
    if (status == TRIB_OK) status = cut(&c, document, error);
    trib_text_release(&c.text);
    trib_buffer_release(&c.decoded);
    if (status != TRIB_OK) {
        trib_text_units_release(units);
        return status;
    }
    units->text = (trib_parallel_text){units->form, document->n_tokens, units->unit, c.n_units};
    units->is_read = true;
    return TRIB_OK;
}

void trib_text_units_release(trib_text_units *units) {
    TRIB_FREE(units->form, units->unit);
    *units = (trib_text_units){0};
}
