/* limits.c - threads and memory of the commands that are a single stage. */
#include <omp.h>

#include "pipeline/command/command.h"
#include "pipeline/support/memory_limit.h"

int trib_command_threads(const trib_command_line *line, const trib_config *config) {
    const int asked = line->n_threads ? (int)line->n_threads : config->resources.threads;
    return trib_memory_threads(asked > 0 ? asked : omp_get_max_threads());
}

void trib_command_limit_memory(const trib_command_line *line, const trib_config *config) {
    trib_memory_limit(
        trib_memory_allowed(config->resources.memory, trib_command_threads(line, config), 1));
}
