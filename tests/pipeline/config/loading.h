/* loading.h - loads configurations from texts and collects the errors and warnings. */
#ifndef TRIBUTARY_TESTS_LOADING_H
#define TRIBUTARY_TESTS_LOADING_H

#include "pipeline/config/config.h"
#include "pipeline/config/loading.h"
#include "tests/test.h"

/* The result of loading. */
typedef struct loaded {
    trib_config config;
    trib_status status;
    trib_error error;
    /* all errors and warnings, one per line; paths without the scratch directory; never NULL */
    char *said;
    size_t n_errors, n_warnings;
} loaded;

/* Writes a file into the scratch directory. */
void write_scratch(const char *name, const void *bytes, size_t length);
/* Loads a file, or text written to `name` in the scratch directory. */
void load_file(loaded *result, const char *path, const trib_setting *setting, size_t n_settings);
void load_text(loaded *result, const char *name, const char *text, const trib_setting *setting,
               size_t n_settings);
/* The same for a run. */
void load_for_run(loaded *result, const char *name, const char *text, const trib_setting *setting,
                  size_t n_settings);
void release_loaded(loaded *result);
/* A result that is released at the end of its block. */
#define LOADED(name) __attribute__((cleanup(release_loaded))) loaded name = {.status = TRIB_OK}
/* Loads text as e.yaml and expects exactly these errors and warnings. */
void expect_diagnostics(const char *text, const char *wanted);
/* Expects that the first line that is said of e.yaml, d.yaml or x.yaml, without this name, is
 * `wanted`, that of the only error. */
void expect_one_error(const loaded *result, const char *wanted);

/* The shortest valid configuration. `corpus` is the last section, so that lines can be appended to
 * it. */
#define GOOD "tributary: 1\ncorpus:\n  documents: [a.txt, b.txt]\n  target: a\n"

#endif
