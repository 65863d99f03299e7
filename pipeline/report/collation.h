/* collation.h - the collation of versions as files for other programs, and as text. Private to
 * pipeline. */
#ifndef TRIBUTARY_REPORT_COLLATION_H
#define TRIBUTARY_REPORT_COLLATION_H

#include "pipeline/output/directory.h"
#include "pipeline/stages/versions.h"
#include "pipeline/support/html.h"

/* Write the trib_collation `what`: CSV with a row for each place of variation, and a column for
 * each witness; TEI by parallel segmentation; the alignment table of CollateX for Python. */
trib_file_write trib_collation_write_csv, trib_collation_write_tei, trib_collation_write_json;
/* Writes the paragraphs of the first witness with the readings of all: as TEI, or for a page, with
 * the sigils of those that have a reading as its classes, and an apparatus below each paragraph. */
void trib_collation_write_text(trib_html *html, const trib_collation *collation, bool is_tei);

#endif
