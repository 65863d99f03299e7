/* store.h - the room `store`: the data on disk between stages and between runs.
 *
 *     words.h        the words of one document in a file, read in blocks
 *     cache.h        results of earlier runs, under the hash of what they depend on
 *     checkpoints.h  decompositions that a resumed run continues
 *
 * Each of these files has a version. pipeline/run/cached*.c decide what the cache holds of a stage
 * and what that depends on. Private to pipeline. */
#ifndef TRIBUTARY_STORE_STORE_H
#define TRIBUTARY_STORE_STORE_H

#include "pipeline/store/cache.h"
#include "pipeline/store/checkpoints.h"
#include "pipeline/store/words.h"

#endif
