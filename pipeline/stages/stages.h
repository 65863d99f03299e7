/* stages.h - the room `stages`: one file per stage, which takes what earlier stages made and makes
 * one record of its own. The room may use the rooms support, comm, input, config and store, and the
 * folders below pipeline/. Each header declares the record that its stage makes, and functions
 * whose arguments say what goes in (const) and what comes out. No stage knows of the cache, of the
 * run directory, or of whether a run is resumed: pipeline/run adds these. To change what a stage
 * computes, change its file; for a new stage write a file and a header, and add a row to the table
 * in pipeline/run/stages.c.
 *
 * This header has what every stage works with. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_STAGES_H
#define TRIBUTARY_STAGES_STAGES_H

#include "pipeline/comm/parts.h"
#include "pipeline/config/config.h"
#include "pipeline/support/warnings.h"

/* All of it is borrowed. */
typedef struct trib_environment {
    const trib_config *config;
    trib_log *log;
    const trib_comm *comm; /* the processes that do this run */
    int n_threads;
    const char *scratch;     /* the folder of temporary files */
    trib_warnings *warnings; /* about the result */
} trib_environment;

static inline trib_workers trib_environment_workers(const trib_environment *env) {
    return (trib_workers){.comm = env->comm, .log = env->log, .n_threads = env->n_threads};
}

#endif
