/* shared_tensors.h - the n-grams of documents when several processes execute a run. Each process
 * counts its own documents into a scratch file of a folder that all see; the others map that file.
 * Private to pipeline. */
#ifndef TRIBUTARY_RUN_SHARED_TENSORS_H
#define TRIBUTARY_RUN_SHARED_TENSORS_H

#include "pipeline/stages/tensors.h"

/* Gives every rank the n-grams of all documents. Before, each rank has counted and spilled the
 * documents d with tensors->owner[d] equal to its rank. With one process it does nothing. All ranks
 * call it. TRIB_MEMORY when a document was not spilled; TRIB_INPUT when a file of another rank
 * cannot be opened, as without a shared folder. */
trib_status trib_share_tensors(const trib_environment *env, trib_tensors *tensors,
                               trib_error *error);

#endif
