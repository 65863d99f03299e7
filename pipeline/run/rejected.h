/* rejected.h - documents of a run that cannot be used. Private to pipeline. */
#ifndef TRIBUTARY_RUN_REJECTED_H
#define TRIBUTARY_RUN_REJECTED_H

#include "pipeline/run/run.h"

/* When all texts were looked at: moves the rejected documents from the corpus to its list of them,
 * numbering documents, targets and sources anew. With `corpus.on_error: skip` each is a warning and
 * the run goes on, unless no target is left; else, and then, TRIB_INPUT, with inputs.tsv written
 * where the run directory is open. TRIB_OK, and nothing is done, when none is rejected. */
trib_status trib_run_finish_rejected(trib_run *run, trib_error *error);

#endif
