/* environment.h - what every stage works with, and none of them changes but by a warning. Private
 * to pipeline. */
#ifndef TRIBUTARY_STAGES_ENVIRONMENT_H
#define TRIBUTARY_STAGES_ENVIRONMENT_H

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
