/* loading.h - loads configurations from texts in a test and keeps what is complained about. */
#ifndef TRIBUTARY_TESTS_LOADING_H
#define TRIBUTARY_TESTS_LOADING_H

#include "pipeline/config/loading.h"
#include "tests/test.h"

/* What became of a load. */
typedef struct loaded {
    trib_config config;
    trib_status status;
    trib_error error;
    /* every complaint, a line end after each; paths without the scratch directory; never NULL */
    char *said;
    size_t n_errors, n_warnings;
} loaded;

/* Writes a file into the scratch directory. */
void write_scratch(const char *name, const void *bytes, size_t length);
/* Loads a file, or text written to `name` in the scratch directory. */
void load_file(loaded *result, const char *path, const trib_setting *setting, size_t n_settings);
void load_text(loaded *result, const char *name, const char *text, const trib_setting *setting,
               size_t n_settings);
void release_loaded(loaded *result);
/* Loads text as e.yaml and expects exactly these complaints. */
void expect_complaints(const char *text, const char *wanted);
/* The same of a good text and one setting. */
void expect_setting(const char *key, const char *value, const char *wanted);

/* The shortest good configuration, in one line per section, corpus last. */
#define GOOD "tributary: 1\ncorpus:\n  documents: [a.txt, b.txt]\n  target: a\n"

#endif
