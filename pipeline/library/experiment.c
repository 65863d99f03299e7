/* experiment.c - the thin layer between a program that uses the library and the run. */
#include "pipeline/library/experiment.h"

#include <pthread.h>

#include "pipeline/library/results.h"
#include "pipeline/library/settings_private.h"
#include "pipeline/run/run.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/json.h"

struct trib_experiment {
    trib_config config;
};

const char *trib_version(void) { return TRIB_VERSION; }

/* ---- Loading --------------------------------------------------------------------------------- */

static trib_status load(trib_experiment **experiment, const char *name, const char *yaml,
                        const char *const text[], const trib_callbacks *callbacks,
                        trib_error *error) {
    *experiment = NULL;
    trib_status status = TRIB_NEW(experiment, 1, "the experiment", error);
    if (status == TRIB_OK)
        status = trib_settings_read(&(*experiment)->config, name, yaml, text, callbacks, error);
    if (status == TRIB_OK) return TRIB_OK;
    trib_experiment_close(*experiment);
    *experiment = NULL;
    return status;
}

trib_status trib_experiment_load(trib_experiment **experiment, const char *path,
                                 const char *const settings[], const trib_callbacks *callbacks,
                                 trib_error *error) {
    return load(experiment, path, NULL, settings, callbacks, error);
}

trib_status trib_experiment_parse(trib_experiment **experiment, const char *name, const char *yaml,
                                  const char *const settings[], const trib_callbacks *callbacks,
                                  trib_error *error) {
    return load(experiment, name, yaml, settings, callbacks, error);
}

void trib_experiment_close(trib_experiment *experiment) {
    if (experiment) trib_config_release(&experiment->config);
    trib_free(experiment);
}

void trib_experiment_write(const trib_experiment *experiment, trib_writer *writer) {
    trib_config_write(&experiment->config, writer, 0);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* A run limits the memory of the whole process; the last of several puts back the limit of
 * before. */
static pthread_mutex_t limiting = PTHREAD_MUTEX_INITIALIZER;
static unsigned n_running;
static uint64_t limit_before;

static void begin_limit(void) {
    pthread_mutex_lock(&limiting);
    if (n_running++ == 0) limit_before = trib_memory_limit(0);
    pthread_mutex_unlock(&limiting);
}

static void end_limit(void) {
    pthread_mutex_lock(&limiting);
    if (--n_running == 0) (void)trib_memory_limit(limit_before);
    pthread_mutex_unlock(&limiting);
}

static trib_status execute(const trib_config *config, const trib_experiment_options *options,
                           trib_log *log, char **directory, trib_error *error) {
    trib_run_options how = {.directory = {.path = options->directory, .resume = options->resume},
                            .until = options->until,
                            .n_threads = options->n_threads};
    TRIB_OWNED(trib_run) run = {0};
    trib_status status = TRIB_OK;
    if (options->cache) status = trib_cache_open(&how.cache, options->cache, log, error);
    if (status == TRIB_OK) status = trib_run_execute(&run, config, &how, log, error);
    if (status == TRIB_OK && run.directory.path)
        status = trib_copy(directory, run.directory.path, error);
    trib_cache_close(how.cache);
    return status;
}

trib_status trib_experiment_run(const trib_experiment *experiment,
                                const trib_experiment_options *options, trib_results **results,
                                trib_error *error) {
    static const trib_experiment_options defaults = {0};
    const trib_experiment_options *o = options ? options : &defaults;
    const trib_callbacks *callbacks = o->callbacks;
    trib_log_sink sink = {0};
    trib_log *log = NULL;
    TRIB_FREED(char *) directory = NULL;
    if (results) *results = NULL;
    if (callbacks)
        sink = (trib_log_sink){callbacks->message, callbacks->progress, callbacks->context};
    trib_status status = trib_log_open_sink(&log, TRIB_LOG_DEBUG, &sink, error);
    if (status != TRIB_OK) return status;
    trib_log_limit(log, experiment->config.resources.time);
    begin_limit();
    status = execute(&experiment->config, o, log, &directory, error);
    end_limit();
    if (status == TRIB_OK && results) status = trib_results_open(results, directory, error);
    trib_log_close(log);
    return status;
}

/* ---- Settings -------------------------------------------------------------------------------- */

typedef struct setting_list {
    trib_setting *item;
    size_t n;
} setting_list;

/* What is wrong with a configuration: for the caller's function, and the errors for the message. */
typedef struct complaints {
    const trib_callbacks *callbacks; /* may be NULL */
    trib_buffer errors;
} complaints;

static void hear(void *context, bool is_error, const char *message) {
    complaints *c = context;
    const trib_callbacks *callbacks = c->callbacks;
    if (is_error && c->errors.length < TRIB_MESSAGE_MAX)
        (void)trib_buffer_print(&c->errors, NULL, "\n%s", message);
    if (callbacks && callbacks->message)
        callbacks->message(callbacks->context, is_error ? "error" : "warning", message);
}

/* Splits settings of the form "KEY=VALUE". */
static trib_status split_settings(setting_list *list, trib_arena *arena, const char *const text[],
                                  trib_error *error) {
    for (; text && *text; text++) {
        const char *const equals = strchr(*text, '=');
        if (!equals) return trib_fail(error, TRIB_USAGE, "setting '%s': is not KEY=VALUE", *text);
        const char *const key = trib_arena_copy(arena, *text, (size_t)(equals - *text));
        TRIB_ADD(arena, list, trib_setting, {key, equals + 1, *text});
    }
    return trib_arena_check(arena, error);
}

trib_status trib_settings_read(trib_config *config, const char *name, const char *yaml,
                               const char *const settings[], const trib_callbacks *callbacks,
                               trib_error *error) {
    setting_list list = {0};
    TRIB_OWNED(trib_arena) arena = {0};
    complaints c = {.callbacks = callbacks};
    trib_json_share(); /* every use of the library begins with settings */
    trib_status status = split_settings(&list, &arena, settings, error);
    if (status == TRIB_OK)
        status = yaml ? trib_config_parse(config, name, yaml, list.item, list.n, hear, &c, error)
                      : trib_config_load(config, name, list.item, list.n, hear, &c, error);
    if (status == TRIB_CONFIG && error && c.errors.length > 0)
        (void)trib_fail(error, status, "%s%s", error->message, c.errors.text);
    trib_buffer_release(&c.errors);
    return status;
}
