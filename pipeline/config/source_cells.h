/* source_cells.h - the cells of a table (cells.h) with their places in a file of the configuration.
 * Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_SOURCE_CELLS_H
#define TRIBUTARY_CONFIG_SOURCE_CELLS_H

#include "pipeline/config/diagnostic.h"
#include "pipeline/input/cells.h"

typedef struct trib_source_cells {
    trib_cells cells;
    const trib_source *source; /* named in messages; borrowed */
    trib_place place;          /* of the cell that was read last */
} trib_source_cells;

/* Reads a cell as trib_cells_next does, and reports what is wrong with it. TRIB_MEMORY. */
trib_status trib_source_cells_next(trib_source_cells *cells, trib_diagnostics *diagnostics,
                                   trib_error *error);

#endif
