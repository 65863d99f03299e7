/* source_cells.c - reads cells and reports their mistakes. */
#include "pipeline/config/source_cells.h"

trib_status trib_source_cells_next(trib_source_cells *t, trib_diagnostics *diagnostics,
                                   trib_error *error) {
    const trib_status status = trib_cells_next(&t->cells, error);
    t->place = (trib_place){t->source, t->cells.cell_line, t->cells.cell_column, 1};
    if (t->cells.complaint) trib_diagnose(diagnostics, t->place, "%s", t->cells.complaint);
    t->place.width = t->cells.cell_width;
    return status;
}
