/* checkpoints.h - checkpoints of decompositions, in DIRECTORY/checkpoints/NAME.checkpoint. A run
 * that resumes from one gives the same bits. Private to pipeline. */
#ifndef TRIBUTARY_STORE_CHECKPOINTS_H
#define TRIBUTARY_STORE_CHECKPOINTS_H

#include "decomp/decomp.h"
#include "pipeline/config/document.h"
#include "pipeline/support/log.h"
#include "pipeline/support/path.h"

/* Where the checkpoints of a run are. All of it is borrowed. */
typedef struct trib_checkpoints {
    const char *directory; /* of the run; NULL: no checkpoints */
    const char *hash;      /* of the run */
    trib_log *log;
} trib_checkpoints;

/* The checkpoint of one decomposition. `{0}` is empty. */
typedef struct trib_kept_checkpoint {
    trib_log *log;
    char path[TRIB_PATH_MAX];
    trib_buffer work;           /* identifies the work: program, kernels, run, name */
    trib_checkpoint checkpoint; /* the one to resume from, or empty */
    double saved, cost;         /* seconds: time of the last write, duration of it */
} trib_kept_checkpoint;

/* Sets options->hook, and options->resume if there is a checkpoint of exactly this work; others are
 * ignored. The hook writes a checkpoint when the run is asked to stop, and otherwise at most every
 * 10 seconds and for at most a fiftieth of the time. `kept` must not be moved until the
 * decomposition is done. Does nothing without a directory. */
trib_status trib_checkpoints_begin(trib_kept_checkpoint *kept, const trib_checkpoints *checkpoints,
                                   const char *name, trib_cp_options *options, trib_error *error);
void trib_kept_checkpoint_release(trib_kept_checkpoint *kept);
/* Removes the checkpoints of a run directory once all its decompositions are done. TRIB_OUTPUT when
 * a path is too long. */
trib_status trib_checkpoints_remove(const char *directory, trib_error *error);

#endif
