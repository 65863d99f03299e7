/* report_stage.h - stage report, and the files that are written after the other stages. Private to
 * pipeline. */
#ifndef TRIBUTARY_RUN_REPORT_STAGE_H
#define TRIBUTARY_RUN_REPORT_STAGE_H

#include "pipeline/run/run.h"

/* Writes the files that belong to a stage that is done. */
trib_status trib_run_write_files(trib_run *run, const char *stage, trib_error *error);
/* Stage report: makes run->result, and from it and the other records every file that is left. */
trib_status trib_run_report(trib_run *run, trib_error *error);

#endif
