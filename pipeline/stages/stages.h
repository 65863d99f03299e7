/* stages.h - the room `stages`: one file per stage, which reads the results of earlier stages and
 * produces one record of its own. Each header declares the record that its stage makes, and
 * functions whose parameters are inputs (const) or outputs. No stage uses the cache or the run
 * directory, or depends on whether a run is resumed: pipeline/run adds these. To change the
 * computation of a stage, change its file. To add a stage, write a file and a header, and add a row
 * to the table in pipeline/run/stages.c.
 *
 * This header declares the data that every stage needs. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_STAGES_H
#define TRIBUTARY_STAGES_STAGES_H

#include "pipeline/comm/parts.h"
#include "pipeline/config/document.h"
#include "pipeline/support/warnings.h"

/* The context of a stage. All pointers are borrowed. */
typedef struct trib_environment {
    const trib_config *config;
    trib_log *log;
    const trib_comm *comm; /* the processes that execute this run */
    int n_threads;
    const char *scratch;     /* the folder of temporary files */
    trib_warnings *warnings; /* about the result */
} trib_environment;

static inline trib_workers trib_environment_workers(const trib_environment *env) {
    return (trib_workers){.comm = env->comm, .log = env->log, .n_threads = env->n_threads};
}

#endif
