/* rejected.h - documents of a run that cannot be used. Private to pipeline. */
#ifndef TRIBUTARY_RUN_REJECTED_H
#define TRIBUTARY_RUN_REJECTED_H

#include "pipeline/run/run.h"

/* Notes why a document cannot be used; the first reason stays. TRIB_MEMORY. */
trib_status trib_run_reject(trib_run_document *document, const trib_error *why, trib_error *error);
/* How many are noted and still among the documents. */
uint32_t trib_run_count_rejected(const trib_run *run);
/* When all texts were looked at: moves what was refused from the documents to run->refused, numbering documents, targets and
 * sources anew. With `corpus.on_error: skip` each is a warning and the run goes on, unless no target is left; else, and then,
 * TRIB_INPUT, with inputs.tsv written where the run directory is open. TRIB_OK, and nothing is done, when none is refused. */
trib_status trib_run_finish_rejected(trib_run *run, trib_error *error);
void trib_run_release_rejected(trib_run *run);

#endif
