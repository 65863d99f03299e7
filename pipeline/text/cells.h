/* cells.h - reads a table of text cell by cell. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_CELLS_H
#define TRIBUTARY_TEXT_CELLS_H

#include "base/base.h"

/* The state of reading a table. */
typedef struct trib_cells {
    const char *at, *end; /* what is not yet read of the text */
    char separator;       /* '\t'; other separators allow quoted cells (RFC 4180) */
    uint32_t line, column;

    /* of the cell that was read last: where it begins, and its width in characters, 1 when it is
     * quoted or empty */
    uint32_t cell_line, cell_column, cell_width;
    trib_buffer cell;      /* its text */
    bool row_ends;         /* the row ends after it */
    const char *complaint; /* what is wrong with it, or NULL; static */
} trib_cells;

/* When the first line ends in "\r" alone, as old programs for the Macintosh wrote it, makes each
 * "\r" of the text "\n". `has_quotes`: line ends in quoted cells do not count. */
void trib_cells_unify_lines(trib_buffer *text, bool has_quotes);
/* Begins to read a text, which is borrowed. `separator` 0: the character after "sep=", when the
 * text begins with such a line, which is skipped; else the comma, the semicolon or the tab that the
 * first line has most of. */
void trib_cells_begin(trib_cells *cells, const char *text, size_t length, char separator);
/* Reads a cell into cells->cell and skips the separator or line end after it. A quote that is not
 * closed, and text after the closing quote, are complaints; the cell is then what was read.
 * TRIB_MEMORY. */
trib_status trib_cells_next(trib_cells *cells, trib_error *error);
void trib_cells_skip_blank_lines(trib_cells *cells);
void trib_cells_release(trib_cells *cells);

#endif
