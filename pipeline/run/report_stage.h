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

#endif
