/* cells.c - reads a table of text cell by cell: separated by tabs, or as RFC 4180 says. */
#include "pipeline/config/cells.h"

static void step(trib_cells *t) {
    if (*t->at == '\n') {
        t->line++;
        t->column = 1;
    } else if (((unsigned char)*t->at & 0xC0) != 0x80) {
        t->column++;
    }
    t->at++;
}

/* Reads a quoted cell, in which a quote is written twice. Reports a quote that is not closed. */
static trib_status next_quoted(trib_cells *t, trib_diagnostics *diagnostics, trib_error *error) {
    trib_status status = TRIB_OK;
    for (step(t); t->at < t->end && status == TRIB_OK; step(t)) {
        if (*t->at == '"') {
            if (t->at + 1 == t->end || t->at[1] != '"') break;
            step(t);
        }
        status = trib_buffer_add(&t->cell, t->at, 1, error);
    }
    if (t->at == t->end) trib_diagnose(diagnostics, t->place, "the quote of a cell is not closed");
    else if (status == TRIB_OK) step(t);
    return status;
}

trib_status trib_cells_next(trib_cells *t, trib_diagnostics *diagnostics, trib_error *error) {
    trib_buffer_clear(&t->cell);
    t->place = (trib_place){t->source, t->line, t->column, 1};
    trib_status status = trib_buffer_add(&t->cell, "", 0, error);
    const char *start = t->at;
    if (status == TRIB_OK && t->separator != '\t' && t->at < t->end && *t->at == '"')
        status = next_quoted(t, diagnostics, error);
    const bool quoted = t->at > start;
    bool reported = false;
    while (status == TRIB_OK && t->at < t->end && *t->at != t->separator && *t->at != '\n') {
        const bool ends_line = *t->at == '\r' && (t->at + 1 == t->end || t->at[1] == '\n');
        if (quoted && !ends_line && !reported) {
            trib_diagnose(diagnostics, t->place, "text after the closing quote of a cell");
            reported = true;
        }
        if (!ends_line) status = trib_buffer_add(&t->cell, t->at, 1, error);
        step(t);
    }
    if (!quoted && t->line == t->place.line && t->column > t->place.column)
        t->place.width = t->column - t->place.column;
    t->row_ends = t->at == t->end || *t->at == '\n';
    if (t->at < t->end) step(t);
    return status;
}

void trib_cells_skip_blank_lines(trib_cells *t) {
    while (t->at < t->end && (*t->at == '\n' || *t->at == '\r')) step(t);
}

void trib_cells_release(trib_cells *t) { trib_buffer_release(&t->cell); }
