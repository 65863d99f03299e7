/* cells.h - reads a table of text cell by cell. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_CELLS_H
#define TRIBUTARY_CONFIG_CELLS_H

#include "pipeline/config/diagnostic.h"

/* The state of reading a table. The caller sets the first block; line and column begin with 1. */
typedef struct trib_cells {
    const trib_source *source; /* named in messages; borrowed */
    const char *at, *end;      /* what is not yet read of its text */
    char separator;            /* '\t'; other separators allow quoted cells (RFC 4180) */
    uint32_t line, column;

    trib_place place; /* of the cell that was read last */
    trib_buffer cell; /* its text */
    bool row_ends;    /* the row ends after it */
} trib_cells;

/* Reads a cell into cells->cell and skips the separator or line end after it. Reports a quote that
 * is not closed, and text after the closing quote. TRIB_MEMORY. */
trib_status trib_cells_next(trib_cells *cells, trib_diagnostics *diagnostics, trib_error *error);
void trib_cells_skip_blank_lines(trib_cells *cells);
void trib_cells_release(trib_cells *cells);

#endif
