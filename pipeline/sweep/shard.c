/* shard.c - the part of a sweep that one process runs: from the command line, or from Slurm's
 * variables for the task of an array. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/sweep/sweep.h"

static bool slurm_number(const char *name, uint64_t standard, uint64_t *number) {
    const char *text = getenv(name);
    *number = standard;
    return !text || !*text || trib_read_uint(text, number);
}

trib_status trib_shard_read(trib_shard *shard, const char *text, bool *from_slurm,
                            trib_error *error) {
    char number[24] = "";
    uint64_t id, least, step;
    const char *slash = text ? strchr(text, '/') : NULL;
    *shard = (trib_shard){1, 1};
    *from_slurm = false;
    if (text) {
        if (slash && (size_t)(slash - text) < sizeof number)
            snprintf(number, sizeof number, "%.*s", (int)(slash - text), text);
        if (!slash || !trib_read_uint(number, &shard->number) ||
            !trib_read_uint(slash + 1, &shard->n) || shard->number < 1 || shard->number > shard->n)
            return trib_fail(error, TRIB_USAGE,
                             "--shard needs I/N, the I-th of N parts, as in 1/3, not '%s'", text);
        return TRIB_OK;
    }
    if (!getenv("SLURM_ARRAY_TASK_ID")) return TRIB_OK;
    *from_slurm = true;
    if (slurm_number("SLURM_ARRAY_TASK_ID", 1, &id) &&
        slurm_number("SLURM_ARRAY_TASK_MIN", 1, &least) &&
        slurm_number("SLURM_ARRAY_TASK_STEP", 1, &step) &&
        slurm_number("SLURM_ARRAY_TASK_COUNT", 1, &shard->n) && step > 0 && id >= least &&
        (id - least) / step < shard->n) {
        shard->number = (id - least) / step + 1;
        return TRIB_OK;
    }
    return trib_fail(
        error, TRIB_USAGE,
        "SLURM_ARRAY_TASK_ID '%s' is not within SLURM_ARRAY_TASK_MIN and _COUNT; give --shard I/N",
        getenv("SLURM_ARRAY_TASK_ID"));
}
