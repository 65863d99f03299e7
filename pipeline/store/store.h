/* store.h - the room `store`: what is on disk between stages and between runs. The room may use the
 * rooms support, comm, input and config, and the folders below pipeline/.
 *
 *     words.h        the words of one document in a file, read in blocks
 *     cache.h        results kept between runs, by the hash of what they depend on
 *     checkpoints.h  decompositions that a resumed run goes on from
 *
 * Each of these files has a version. What the cache holds of a stage, and what that depends on, is
 * decided in pipeline/run/cached*.c. Private to pipeline. */
#ifndef TRIBUTARY_STORE_STORE_H
#define TRIBUTARY_STORE_STORE_H

#include "pipeline/store/cache.h"
#include "pipeline/store/checkpoints.h"
#include "pipeline/store/words.h"

#endif
