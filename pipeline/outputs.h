/* outputs.h - what is written after a stage. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUTS_H
#define TRIBUTARY_OUTPUTS_H

#include "pipeline/run.h"

/* Writes the files that belong to a stage that is done. */
trib_status trib_outputs_write(trib_run *run, const char *stage, trib_error *error);

#endif
