/* warnings.h - the warnings about a result: each is logged at once, counted for --strict by the
 * log, and kept for the report; and errors that differ only in names and numbers, reported once.
 * Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_WARNINGS_H
#define TRIBUTARY_SUPPORT_WARNINGS_H

#include "pipeline/support/log.h"

/* `{.log = log}` is empty. */
typedef struct trib_warnings {
    trib_log *log; /* borrowed */
    char **text;   /* [n] in the order in which they were added */
    size_t n, cap;
} trib_warnings;

/* Logs and stores a warning. TRIB_MEMORY. Not thread-safe. */
trib_status trib_warnings_add(trib_warnings *warnings, trib_error *error, const char *format, ...)
    TRIB_PRINTF(3, 4);
void trib_warnings_release(trib_warnings *warnings);

/* ---- Repeated errors ------------------------------------------------------------------------- */

/* Up to so many similar errors are reported each; of more, only the first, with their number. */
enum { TRIB_ALIKE_SAID = 3 };

/* The subject of an error. Where an error names it, the name is ignored when errors are compared.
 * Each field may be NULL. */
typedef struct trib_repeated_errors_about {
    const char *path, *id;
} trib_repeated_errors_about;

/* A group of similar errors: the first of them, and their number. */
typedef struct trib_repeated_errors_group {
    uint64_t kind;
    char *said[TRIB_ALIKE_SAID];
    size_t n;
} trib_repeated_errors_group;

/* The groups, in the order of their first errors. `{0}` is empty. */
typedef struct trib_repeated_errors {
    trib_repeated_errors_group *group; /* [n_groups] */
    size_t n_groups, cap;
} trib_repeated_errors;

/* A hash of an error without its digits and its subject; similar errors have the same hash. */
uint64_t trib_repeated_errors_kind(const char *sentence, const trib_repeated_errors_about *about);
/* Adds an error, worded as `sentence`. TRIB_MEMORY. */
trib_status trib_repeated_errors_add(trib_repeated_errors *alike, const char *sentence,
                                     const trib_repeated_errors_about *about, trib_error *error);
/* Reports each error of a small group; of a larger one, the first and the number of the others. */
void trib_repeated_errors_say(const trib_repeated_errors *alike,
                              void (*say)(void *context, const char *sentence), void *context);
void trib_repeated_errors_release(trib_repeated_errors *alike);

#endif
