/* experiment.h - for tests of what a run finds: an experiment from its file to its result. */
#ifndef TRIBUTARY_TEST_EXPERIMENT_H
#define TRIBUTARY_TEST_EXPERIMENT_H

#include "pipeline/config/config.h"
#include "pipeline/output/result.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/support/path.h"
#include "tests/test.h"

/* influence.json of a run, which the caller releases by json_decref; NULL: it has none. */
static inline json_t *trib_experiment_result(const char *directory) {
    char *path = NULL;
    CHECK(trib_path_join(&path, directory, "influence.json", NULL) == TRIB_OK);
    json_t *result = json_load_file(path, 0, NULL);
    trib_free(path);
    return result;
}

/* A configuration, its log and its run. */
typedef struct trib_experiment {
    trib_config config;
    trib_log *log;
    trib_run run;
} trib_experiment;

static inline void trib_experiment_release(trib_experiment *e) {
    trib_run_release(&e->run);
    trib_config_release(&e->config);
    trib_log_close(e->log);
}

static inline void trib_experiment_complain(void *context, bool is_error, const char *message) {
    (void)context;
    (void)is_error;
    fprintf(stderr, "%s\n", message);
}

static inline trib_status trib_experiment_begin(trib_experiment *e, trib_error *error) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    *e = (trib_experiment){0};
    trib_json_open();
    return trib_log_open(&e->log, &silent, error);
}

/* Prepares a run of YAML that stands for a file in the scratch folder. */
static inline void trib_experiment_open(trib_experiment *e, const char *yaml, int n_threads) {
    trib_error error = {0};
    EXPECT_STATUS(trib_experiment_begin(e, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_config_parse(&e->config, trib_scratch("experiment.yaml"), yaml, NULL, 0,
                                    trib_experiment_complain, NULL, &error),
                  TRIB_OK, error);
    trib_run_init(&e->run, &e->config, e->log, n_threads);
}

/* Does stages[n] of such a run. */
static inline trib_status trib_experiment_stages(trib_run *run, const char *const stages[],
                                                 size_t n, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = trib_run_stage(run, stages[i], error);
    return status;
}

/* Does the experiment of a file into a directory. */
static inline trib_status trib_experiment_start(trib_experiment *e, const char *file,
                                                const trib_setting *setting, size_t n_settings,
                                                const char *directory, int n_threads,
                                                trib_error *error) {
    const trib_run_options options = {.directory = {.path = directory, .resume = true},
                                      .n_threads = n_threads};
    trib_status status = trib_experiment_begin(e, error);
    if (status == TRIB_OK)
        status = trib_config_load(&e->config, file, setting, n_settings, NULL, NULL, error);
    return status == TRIB_OK ? trib_run_execute(&e->run, &e->config, &options, e->log, error)
                             : status;
}

/* The shares of the first target by a method. */
static inline const trib_influence *trib_experiment_shares(const trib_experiment *e,
                                                           const char *method) {
    for (uint32_t i = 0; i < e->config.influence.n_methods; i++)
        if (strcmp(e->config.influence.method[i]->name, method) == 0)
            return &e->run.shares[0].influence[i];
    return NULL;
}

/* Does the experiment of a file on one thread; *result, which is the caller's to json_decref, is
 * its influence.json. `result` may be NULL. */
static inline trib_status trib_experiment_do(json_t **result, const char *file,
                                             const char *directory, trib_error *error) {
    trib_experiment e;
    const trib_status status = trib_experiment_start(&e, file, NULL, 0, directory, 1, error);
    if (status == TRIB_OK && result) *result = trib_experiment_result(directory);
    trib_experiment_release(&e);
    return status;
}

/* Does an experiment, whose YAML is given, into the folder `name` of the scratch directory (NULL: a
 * new one), and returns its result as above. */
static inline json_t *trib_experiment_of(const char *name, const char *yaml) {
    static int n_new;
    char new_name[32], directory[4096];
    json_t *result = NULL;
    trib_error error = {0};
    snprintf(new_name, sizeof new_name, "experiment %d", n_new++);
    snprintf(directory, sizeof directory, "%s", trib_scratch(name ? name : new_name));
    EXPECT_STATUS(
        trib_experiment_do(&result, trib_write_scratch("e.yaml", yaml), directory, &error), TRIB_OK,
        error);
    CHECK(result != NULL);
    return result;
}

#endif
