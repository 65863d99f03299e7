/* passage_files.h - the rows of passages.tsv in the forms of other programs
 * (docs/run-directory/other-files.md). Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_PASSAGE_FILES_H
#define TRIBUTARY_OUTPUT_PASSAGE_FILES_H

#include "pipeline/output/output.h"

/* Whether a run has found passages that can be listed. */
bool trib_passage_files_are_there(const trib_run_results *results);

/* Write passages.tei.xml and alignments.jsonl of the trib_run_results `what`. The TEI file needs
 * characters of the texts, so not report.text: none. Errors as trib_quotes_prepare. */
trib_status trib_passages_write_tei(const void *what, trib_writer *writer, trib_error *error);
trib_status trib_passages_write_alignments(const void *what, trib_writer *writer,
                                           trib_error *error);

#endif
