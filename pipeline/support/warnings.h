/* warnings.h - the warnings about a result: each is logged at once, counted for --strict by the
 * log, and kept for the report. Private to pipeline. */
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

#endif
