/* checkpoints.h - checkpoints of decompositions: DIRECTORY/checkpoints/NAME.checkpoint, from which
 * a resumed run goes on to the same bits. Private to pipeline. */
#ifndef TRIBUTARY_STORE_CHECKPOINTS_H
#define TRIBUTARY_STORE_CHECKPOINTS_H

#include "decomp/decomp.h"
#include "pipeline/config/config.h"
#include "pipeline/support/log.h"
#include "pipeline/support/path.h"

/* Where they are, all of it borrowed. */
typedef struct trib_checkpoints {
    const char *directory; /* of the run; NULL: there are none */
    const char *hash;      /* of the run */
    trib_log *log;
} trib_checkpoints;

/* The checkpoint of one decomposition. `{0}` is empty. */
typedef struct trib_kept_checkpoint {
    trib_log *log;
    char path[TRIB_PATH_MAX];
    trib_buffer work;           /* what it is a checkpoint of: program, kernels, run, name */
    trib_checkpoint checkpoint; /* the one to go on from; empty when there was none */
    double saved, cost;         /* seconds: when the last was written, how long that took */
} trib_kept_checkpoint;

/* Sets options->hook, and ->resume where there is a checkpoint of this very work (any other is
 * passed over). The hook writes one whenever a fiftieth of the time since the last pays for it,
 * after ten seconds at the soonest, and when the run is asked to stop. `kept` stays where it is
 * until the decomposition is done. Does nothing without a directory. */
trib_status trib_checkpoints_begin(trib_kept_checkpoint *kept, const trib_checkpoints *checkpoints,
                                   const char *name, trib_cp_options *options, trib_error *error);
void trib_kept_checkpoint_release(trib_kept_checkpoint *kept);
/* Removes the checkpoints of a run directory, since all of its decompositions are done. TRIB_OUTPUT
 * when a path is too long. */
trib_status trib_checkpoints_remove(const char *directory, trib_error *error);

#endif
