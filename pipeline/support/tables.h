/* tables.h - tables: cells of CSV, the trace of a decomposition's iterations, the ranks a search
 * tried. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_TABLES_H
#define TRIBUTARY_SUPPORT_TABLES_H

#include <jansson.h>

#include "decomp/decomp.h"

/* One CSV cell of text (RFC 4180). What a spreadsheet would take for a formula is marked as text by
 * an apostrophe. */
void trib_write_cell(trib_writer *writer, const char *text);

/* "iteration,fit,objective,kl,kkt,mttkrp,dense,other": a row per iteration, the last three in
 * seconds; empty where nothing was computed. */
void trib_write_trace_csv(const trib_cp_trace *trace, trib_writer *writer);

/* "rank,components,error,l1_error,core_consistency,iterations,chosen"; the header after the columns
 * a caller puts before them. */
void trib_write_ranks_header(const char *header, trib_writer *writer);
void trib_write_ranks_row(const trib_rank_search *search, size_t i, trib_writer *writer);
/* The same as an array of objects. */
json_t *trib_ranks_json(const trib_rank_search *search);
/* A measure of a decomposition; null when it was not computed (NaN) or has no bound. */
json_t *trib_number_json(double value);

#endif
