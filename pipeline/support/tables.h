/* tables.h - writes CSV cells, the iterations of a decomposition, and the ranks that a rank search
 * tried. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_TABLES_H
#define TRIBUTARY_SUPPORT_TABLES_H

#include "decomp/decomp.h"

/* Writes a text as one CSV cell (RFC 4180). An apostrophe is put before a text that a spreadsheet
 * would take for a formula, unless trib_cells_guard(false) was called. What could control a
 * terminal is written as trib_clean does. */
void trib_cells_guard(bool guard);
void trib_write_cell(trib_writer *writer, const char *text);

/* Writes a text as a cell of a tab-separated table. Control characters are written as \xNN. An
 * apostrophe precedes text that a spreadsheet would take for a formula or for a quoted cell. */
void trib_write_tab_cell(trib_writer *writer, const char *text);

/* Writes "iteration,fit,objective,kl,kkt,mttkrp,dense,other", a row per iteration. The last three
 * are in seconds. A cell is empty when its value was not computed. */
void trib_write_trace_csv(const trib_cp_trace *trace, trib_writer *writer);

/* Writes "rank,components,error,l1_error,core_consistency,iterations,chosen". `header` has the
 * columns that the caller writes before these. */
void trib_write_ranks_header(const char *header, trib_writer *writer);
void trib_write_ranks_row(const trib_rank_search *search, size_t i, trib_writer *writer);

#endif
