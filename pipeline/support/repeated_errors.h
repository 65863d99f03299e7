/* repeated_errors.h - errors that differ only in names and numbers, said together. Private to
 * pipeline. */
#ifndef TRIBUTARY_SUPPORT_REPEATED_ERRORS_H
#define TRIBUTARY_SUPPORT_REPEATED_ERRORS_H

#include "base/base.h"

enum {
    TRIB_ALIKE_SAID = 3
}; /* of errors that are alike are said each; of more only the first, with their number */

/* What one error is about: every place that names it is ignored when two errors are compared. Each
 * may be NULL. */
typedef struct trib_repeated_errors_about {
    const char *path, *id;
} trib_repeated_errors_about;

/* Errors that are alike: the first few of them, and how many there are. */
typedef struct trib_repeated_errors_group {
    uint64_t kind;
    char *said[TRIB_ALIKE_SAID];
    size_t n;
} trib_repeated_errors_group;

/* Groups in the order of their first errors. `{0}` is empty. */
typedef struct trib_repeated_errors {
    trib_repeated_errors_group *group; /* [n_groups] */
    size_t n_groups, cap;
} trib_repeated_errors;

/* A hash of a sentence without its digits and what it is about: equal for errors that are alike. */
uint64_t trib_repeated_errors_kind(const char *sentence, const trib_repeated_errors_about *about);
/* Adds an error, said as `sentence`. TRIB_MEMORY. */
trib_status trib_repeated_errors_add(trib_repeated_errors *alike, const char *sentence,
                                     const trib_repeated_errors_about *about, trib_error *error);
/* Says every error of a small group; of a larger one the first, and how many more there are. */
void trib_repeated_errors_say(const trib_repeated_errors *alike,
                              void (*say)(void *context, const char *sentence), void *context);
void trib_repeated_errors_release(trib_repeated_errors *alike);

#endif
