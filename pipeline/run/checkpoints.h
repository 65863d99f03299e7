/* checkpoints.h - decompositions that leave checkpoints in their run directory: RUN/checkpoints/NAME.checkpoint, which a resumed
 * run goes on from to the same bits. Private to pipeline. */
#ifndef TRIBUTARY_RUN_CHECKPOINTS_H
#define TRIBUTARY_RUN_CHECKPOINTS_H

#include "pipeline/run/run.h"

/* One of them. `{0}` is empty. */
typedef struct trib_checkpoints {
    const trib_run *run;
    char path[TRIB_PATH_MAX];
    trib_buffer work;           /* what it is a checkpoint of: program, kernels, run, name */
    trib_checkpoint checkpoint; /* gone on from; empty when there was none */
    double saved, cost;         /* seconds: when the last was written, how long that took */
} trib_checkpoints;

/* Sets options->hook, and ->resume where there is a checkpoint of this very work (any other is passed over). The
 * hook writes one whenever a fiftieth of the time since the last pays for it, after ten seconds at the soonest, and when the run is
 * asked to stop. `underway` stays where it is until the decomposition is done. Does nothing outside a run directory. */
trib_status trib_checkpoints_begin(trib_checkpoints *underway, const trib_run *run,
                                   const char *name, trib_cp_options *options, trib_error *error);
void trib_checkpoints_release(trib_checkpoints *underway);
/* All decompositions of a run are done: their checkpoints go. */
trib_status trib_checkpoints_over(const trib_run *run, trib_error *error);
/* The same of a run directory that was found complete: where a removal failed or power was lost, they are still there. */
trib_status trib_checkpoints_forget(const trib_run *run, trib_error *error);

#endif
