/* files.h - what is written after a stage. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_FILES_H
#define TRIBUTARY_OUTPUT_FILES_H

#include "pipeline/run/run.h"

/* Writes the files that belong to a stage that is done. */
trib_status trib_outputs_write(trib_run *run, const char *stage, trib_error *error);
/* Writes the tensor of one document and its words, while the others are counted; from several threads. The folder exists. */
trib_status trib_outputs_tensor(trib_run *run, const trib_run_document *document,
                                trib_error *error);

#endif
