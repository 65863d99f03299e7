/* cells.c - reads a table of text cell by cell: separated by tabs, or as RFC 4180 says. */
#include "pipeline/text/cells.h"

#include <string.h>
#include <strings.h>

static void step(trib_cells *t) {
    if (*t->at == '\n') {
        t->line++;
        t->column = 1;
    } else if (((unsigned char)*t->at & 0xC0) != 0x80) {
        t->column++;
    }
    t->at++;
}

/* Reads a quoted cell, in which a quote is written twice. */
static trib_status next_quoted(trib_cells *t, trib_error *error) {
    trib_status status = TRIB_OK;
    for (step(t); t->at < t->end && status == TRIB_OK; step(t)) {
        if (*t->at == '"') {
            if (t->at + 1 == t->end || t->at[1] != '"') break;
            step(t);
        }
        status = trib_buffer_add(&t->cell, t->at, 1, error);
    }
    if (t->at == t->end) t->complaint = "the quote of a cell is not closed";
    else if (status == TRIB_OK) step(t);
    return status;
}

trib_status trib_cells_next(trib_cells *t, trib_error *error) {
    trib_buffer_clear(&t->cell);
    t->cell_line = t->line;
    t->cell_column = t->column;
    t->cell_width = 1;
    t->complaint = NULL;
    trib_status status = trib_buffer_add(&t->cell, "", 0, error);
    const char *start = t->at;
    if (status == TRIB_OK && t->separator != '\t' && t->at < t->end && *t->at == '"')
        status = next_quoted(t, error);
    const bool quoted = t->at > start;
    while (status == TRIB_OK && t->at < t->end && *t->at != t->separator && *t->at != '\n') {
        const bool ends_line = *t->at == '\r' && (t->at + 1 == t->end || t->at[1] == '\n');
        if (quoted && !ends_line) t->complaint = "text after the closing quote of a cell";
        if (!ends_line) status = trib_buffer_add(&t->cell, t->at, 1, error);
        step(t);
    }
    if (!quoted && t->line == t->cell_line && t->column > t->cell_column)
        t->cell_width = t->column - t->cell_column;
    t->row_ends = t->at == t->end || *t->at == '\n';
    if (t->at < t->end) step(t);
    return status;
}

void trib_cells_skip_blank_lines(trib_cells *t) {
    while (t->at < t->end && (*t->at == '\n' || *t->at == '\r')) step(t);
}

/* Whether lines end in "\r" alone, as old programs for the Macintosh wrote them: the first line
 * does. */
static bool ends_in_cr(const trib_buffer *text, bool has_quotes) {
    bool is_in_quotes = false;
    for (size_t i = 0; i < text->length && text->text[i] != '\0'; i++) {
        const char c = text->text[i];
        if (has_quotes && c == '"') is_in_quotes = !is_in_quotes;
        if (!is_in_quotes && (c == '\n' || c == '\r'))
            return c == '\r' && (i + 1 == text->length || text->text[i + 1] != '\n');
    }
    return false;
}

void trib_cells_unify_lines(trib_buffer *text, bool has_quotes) {
    if (!ends_in_cr(text, has_quotes)) return;
    for (size_t i = 0; i < text->length; i++)
        if (text->text[i] == '\r') text->text[i] = '\n';
}

/* Finds the separator of a table in its first line. Spreadsheets write ';' in languages whose
 * decimal sign is a comma, and tabs in their "Unicode text". */
static char find_separator(const char *text, size_t length) {
    size_t n_commas = 0, n_semicolons = 0, n_tabs = 0;
    for (size_t i = 0; i < length && text[i] != '\n'; i++) {
        n_commas += text[i] == ',';
        n_semicolons += text[i] == ';';
        n_tabs += text[i] == '\t';
    }
    if (n_commas + n_semicolons == 0 && n_tabs > 0) return '\t';
    return n_semicolons > n_commas ? ';' : ',';
}

void trib_cells_begin(trib_cells *cells, const char *text, size_t length, char separator) {
    const bool says = length >= 5 && strncasecmp(text, "sep=", 4) == 0;
    *cells = (trib_cells){.at = text, .end = text + length, .line = 1, .column = 1};
    cells->separator = separator ? separator : says ? text[4] : find_separator(text, length);
    if (!says) return;
    const char *end = memchr(text, '\n', length); /* the line is not the header */
    cells->at = end ? end + 1 : text + length;
    cells->line = 2;
}

void trib_cells_release(trib_cells *t) { trib_buffer_release(&t->cell); }
