/* report_stage.h - stage report, and the files written after the other stages. Private to
 * pipeline. */
#ifndef TRIBUTARY_RUN_REPORT_STAGE_H
#define TRIBUTARY_RUN_REPORT_STAGE_H

#include "pipeline/run/run.h"

/* Writes the output files of a finished stage. */
trib_status trib_run_write_files(trib_run *run, const char *stage, trib_error *error);
/* Stage report: makes run->result, then writes all remaining files from it and the other
 * records. */
trib_status trib_run_report(trib_run *run, trib_error *error);

/* Call after all texts were read. Moves the rejected documents from the corpus to its list of them,
 * and renumbers documents, targets and sources. With `corpus.on_error: skip`, each rejected
 * document is a warning and the run continues. TRIB_INPUT when a document is rejected without that
 * setting, or when no document or no target is left; inputs.tsv is then written if the run
 * directory is open. Does nothing when no document is rejected. */
trib_status trib_run_finish_rejected(trib_run *run, trib_error *error);

#endif
