/* diagnostic.h - what is wrong with a configuration, and where: texts that are read for it, places
 * in them, and the sentences that name both. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_DIAGNOSTIC_H
#define TRIBUTARY_CONFIG_DIAGNOSTIC_H

#include "pipeline/config/config.h"

/* A text a configuration is made of: a YAML file, a list of documents, the value of --set. `{0}` is
 * empty. */
typedef struct trib_source {
    const char *name;  /* in messages; borrowed */
    trib_buffer text;  /* UTF-8 without byte order mark; empty: messages show no excerpt */
    bool is_elsewhere; /* its text is not kept, but places in it name their lines */
} trib_source;

typedef struct trib_place {
    const trib_source *source; /* NULL: nowhere in particular */
    uint32_t line, column;     /* from 1, columns in code points; line 0: the whole of it */
    uint32_t width;            /* code points to mark */
} trib_place;

enum { TRIB_COMPLAINTS_SAID = 100 }; /* errors, and warnings; the rest is counted */
enum { TRIB_COMPLAINTS_ALIKE = 10 }; /* of those that differ only in numbers and quoted names */

/* Where complaints go, and how many there were. */
typedef struct trib_diagnostics {
    trib_config_diagnostic complain; /* may be NULL */
    void *context;
    size_t n_errors, n_warnings;
    size_t n_said[2];                       /* warnings, errors */
    uint64_t said[2][TRIB_COMPLAINTS_SAID]; /* the kind of each (repeated_errors.h) */
} trib_diagnostics;

/* Reads a file of at most 16 MiB of UTF-8. When it cannot be read the reason is a complaint,
 * *readable is false and the status TRIB_OK; only TRIB_MEMORY is a failure. */
trib_status trib_source_read(trib_source *source, const char *path, bool *readable,
                             trib_diagnostics *complaints, trib_error *error);
void trib_source_release(trib_source *source);

/* "name:14:5: error: SENTENCE", the line and a marker under the place. Control bytes and bytes that
 * are not UTF-8 are shown as \xNN. Of more than TRIB_COMPLAINTS_ALIKE that are alike, and of more
 * than TRIB_COMPLAINTS_SAID, the rest is counted only. Allocates nothing. */
void trib_diagnose(trib_diagnostics *complaints, trib_place place, const char *format, ...)
    TRIB_PRINTF(3, 4);
void trib_warn(trib_diagnostics *complaints, trib_place place, const char *format, ...)
    TRIB_PRINTF(3, 4);
/* Says how many errors, and warnings, were counted only. */
void trib_diagnostics_end(trib_diagnostics *complaints);

/* The candidate that `word` was probably meant to be: fewest insertions, deletions, replacements
 * and swaps of neighbours, at most a third of the letters; or the word's own beginning. */
typedef struct trib_guess {
    const char *word, *best;
    size_t distance;
    char hint[96];
} trib_guess;
void trib_guess_try(trib_guess *guess, const char *candidate);
/* "; did you mean 'threshold'?" or "". */
const char *trib_guess_hint(trib_guess *guess);

/* `bytes` as UTF-8 to show: what is not UTF-8, and control bytes, as \xNN. */
trib_status trib_show_bytes(trib_buffer *shown, const char *bytes, size_t length,
                            trib_error *error);

#endif
