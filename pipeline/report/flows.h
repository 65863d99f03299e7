/* flows.h - shares as a list of flows from sources into targets, for the pages that show many of
 * them together. Private to the report. */
#ifndef TRIBUTARY_REPORT_FLOWS_H
#define TRIBUTARY_REPORT_FLOWS_H

#include "pipeline/report/report.h"

/* What a source gives to a target in one of the runs; without a share, the author's part of it. */
typedef struct trib_flow {
    const trib_report_target *target;
    const trib_report_share *share; /* NULL: of the author */
    size_t run;
} trib_flow;

/* Returns whether a flow is that of a source above the noise floor. */
bool trib_flow_is_above_floor(const trib_flow *flow);
/* Lists every share of every target of n_runs runs, and the author's part, in an order of
 * trib_flow. The caller releases the list with trib_free; it is NULL after an error, which is
 * recorded in the writer. */
trib_flow *trib_flows_list(trib_html *html, const trib_report *report, size_t n_runs, size_t *n,
                           int (*order)(const void *, const void *));
/* Writes the cell of a share with its interval below, in parentheses when it is below the floor or
 * a decoy's; `flow` NULL: not a source, a dash. */
void trib_flow_cell(trib_html *html, const trib_flow *flow);

#endif
