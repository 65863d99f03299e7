/* repeated_errors.h - errors that differ only in names and numbers, said together. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_REPEATED_ERRORS_H
#define TRIBUTARY_SUPPORT_REPEATED_ERRORS_H

#include "base/base.h"

enum {
    TRIB_ALIKE_SAID = 3
}; /* of errors that are alike are said each; of more only the first, with their number */

/* What one error is about: every place that names it is ignored when two errors are compared. Each may be NULL. */
typedef struct trib_alike_about {
    const char *path, *id;
} trib_alike_about;

/* Errors that are alike: the first few of them, and how many there are. */
typedef struct trib_alike_group {
    uint64_t kind;
    char *said[TRIB_ALIKE_SAID];
    size_t n;
} trib_alike_group;

/* Groups in the order of their first errors. `{0}` is empty. */
typedef struct trib_alike {
    trib_alike_group *group; /* [n_groups] */
    size_t n_groups, cap;
} trib_alike;

/* A hash of a sentence without its digits and what it is about: equal for errors that are alike. */
uint64_t trib_alike_kind(const char *sentence, const trib_alike_about *about);
/* Adds an error, said as `sentence`. TRIB_MEMORY. */
trib_status trib_alike_add(trib_alike *alike, const char *sentence, const trib_alike_about *about,
                           trib_error *error);
/* Says every error of a small group; of a larger one the first, and how many more there are. */
void trib_alike_say(const trib_alike *alike, void (*say)(void *context, const char *sentence),
                    void *context);
void trib_alike_release(trib_alike *alike);

#endif
