/* experiment.h - an experiment from its configuration to its run directory, for programs that use
 * the library.
 *
 *     trib_experiment *experiment;
 *     trib_results *results;
 *     trib_error error = {0};
 *     if (trib_experiment_load(&experiment, "experiment.yaml", NULL, NULL, &error) == TRIB_OK) {
 *         if (trib_experiment_run(experiment, NULL, &results, &error) == TRIB_OK) ...
 *         trib_experiment_close(experiment);
 *     }
 *
 * Nothing here prints, ends the program or changes its signal handlers. No call leaves anything
 * behind that a later call could notice. While a run lasts, its memory limit (resources.memory)
 * holds for all memory that this library allocates in the process, and OpenBLAS uses one thread.
 *
 * Different threads may run different experiments at the same time, into different directories. */
#ifndef TRIBUTARY_LIBRARY_EXPERIMENT_H
#define TRIBUTARY_LIBRARY_EXPERIMENT_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The version of the library at run time, for instance "0.1.0"; TRIB_VERSION is that of the
 * headers. */
const char *trib_version(void);

/* Functions of the caller that are called while an experiment is loaded or run. Each may be NULL.
 * They are called by one thread at a time, not always the thread that called the library, and may
 * not call functions on the same experiment. */
typedef struct trib_callbacks {
    /* Receives a message. `level` is "error", "warning", "info" or "debug". `text` is UTF-8 without
     * a final newline, may have several lines, and is valid during the call. */
    void (*message)(void *context, const char *level, const char *text);
    /* Is told how much of a stage ("tokens", "factors", ...) is done, `share` from 0 to 1: when a
     * stage begins, when it ends, and at most ten times a second in between. Returns false to stop
     * the run. */
    bool (*progress)(void *context, const char *stage, double share);
    /* The first argument of both functions. */
    void *context;
} trib_callbacks;

/* A configuration that was read and checked. It does not change any more, so several threads may
 * use it at the same time. */
typedef struct trib_experiment trib_experiment;

/* Reads a configuration from the file `path`, and the list of documents that it names. The texts
 * themselves are not opened.
 *
 * `settings` holds texts "KEY=VALUE", such as "cp.rank=50", and ends with NULL; it may be NULL. A
 * setting overrides the file, a later setting an earlier one. docs/configuration.md lists the keys.
 * `callbacks` may be NULL; all errors and warnings go to `message`. Everything is borrowed during
 * the call only.
 *
 * TRIB_CONFIG when there is any error in the configuration: the message of `error` counts them and
 * quotes the first. TRIB_USAGE for a setting without '='. TRIB_MEMORY. On failure *experiment is
 * NULL. */
trib_status trib_experiment_load(trib_experiment **experiment, const char *path,
                                 const char *const settings[], const trib_callbacks *callbacks,
                                 trib_error *error);

/* The same from the YAML text `yaml`, which ends with a NUL. `name` stands for the path of a file,
 * which need not exist: messages name it, and relative paths in `yaml` start in its folder. */
trib_status trib_experiment_parse(trib_experiment **experiment, const char *name, const char *yaml,
                                  const char *const settings[], const trib_callbacks *callbacks,
                                  trib_error *error);

/* Releases an experiment; NULL is legal. */
void trib_experiment_close(trib_experiment *experiment);

/* Writes the configuration as YAML: every key with its value, all documents. Loaded again as a file
 * beside the original, this text is the same experiment. Failures are kept by the writer. */
void trib_experiment_write(const trib_experiment *experiment, trib_writer *writer);

/* How to run an experiment. `{0}` is valid: a new run directory, as many threads as there are
 * processors, no cache. All texts are borrowed during the call. */
typedef struct trib_experiment_options {
    /* The run directory. NULL: `output` of the configuration, seen from the current directory. */
    const char *directory;
    /* The cache directory, which is made when it is missing. Results of earlier runs are taken from
     * it. NULL: nothing is cached. */
    const char *cache;
    /* The name of the last stage to run, such as "factors". NULL: all stages. */
    const char *until;
    /* Go on with an incomplete run in this directory instead of refusing it. */
    bool resume;
    /* How many threads to use; 0: `resources.threads` of the configuration. The results do not
     * depend on it. */
    int n_threads;
    /* Receives messages and progress. NULL: nobody does. */
    const trib_callbacks *callbacks;
} trib_experiment_options;

/* Results of a run; see results.h. */
typedef struct trib_results trib_results;

/* Runs an experiment: writes its run directory and, unless `results` is NULL, opens it. A directory
 * that already holds the complete results of the same texts and settings is opened as it is.
 * `options` may be NULL. Opening needs the format `json` among report.formats (it is by default)
 * and the last stage.
 *
 * TRIB_INPUT for a text that cannot be used. TRIB_USAGE for a directory that holds something else,
 * or an incomplete run without `resume`. TRIB_INTERRUPTED when `progress` asked to stop,
 * TRIB_REQUEUE when `resources.time` was over: both leave a directory that `resume` goes on with.
 * TRIB_MEMORY, TRIB_OUTPUT. On failure *results is NULL. */
trib_status trib_experiment_run(const trib_experiment *experiment,
                                const trib_experiment_options *options, trib_results **results,
                                trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
