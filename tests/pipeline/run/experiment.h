/* experiment.h - for tests of what a run finds: an experiment from its file to its result. */
#ifndef TRIBUTARY_TEST_EXPERIMENT_H
#define TRIBUTARY_TEST_EXPERIMENT_H

#include <stdio.h>

#include "pipeline/config/config.h"
#include "pipeline/output/result.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"

/* influence.json of a run, which the caller releases by json_decref; NULL: it has none. */
static inline json_t *trib_experiment_result(const char *directory) {
    char path[4096];
    snprintf(path, sizeof path, "%s/influence.json", directory);
    return json_load_file(path, 0, NULL);
}

/* Does the experiment of a configuration into a directory, on one thread; *result, which is the
 * caller's to json_decref, is its influence.json. `result` may be NULL. */
static inline trib_status trib_experiment_do(json_t **result, const char *file,
                                             const char *directory, trib_error *error) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    const trib_run_options options = {.directory = {.path = directory, .resume = true},
                                      .n_threads = 1};
    trib_config config = {0};
    trib_log *log = NULL;
    trib_run run = {0};
    trib_json_open();
    trib_status status = trib_log_open(&log, &silent, error);
    if (status == TRIB_OK) status = trib_config_load(&config, file, NULL, 0, NULL, NULL, error);
    if (status == TRIB_OK) status = trib_run_execute(&run, &config, &options, log, error);
    if (status == TRIB_OK && result) *result = trib_experiment_result(directory);
    trib_run_release(&run);
    trib_config_release(&config);
    trib_log_close(log);
    return status;
}

#endif
