/* diagnostic.h - errors and warnings about a configuration: the texts it is read from, places in
 * these texts, and messages that name both. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_DIAGNOSTIC_H
#define TRIBUTARY_CONFIG_DIAGNOSTIC_H

#include "pipeline/config/document.h"
#include "pipeline/support/names.h"
#include "pipeline/text/table.h"

/* A text that a configuration is read from: a YAML file, a list of documents, or the value of
 * --set. `{0}` is empty. */
typedef struct trib_source {
    const char *name;  /* used in messages; borrowed */
    trib_buffer text;  /* UTF-8 without byte order mark; when empty, messages show no excerpt */
    bool is_elsewhere; /* `text` is not in memory, but messages still give line numbers */
} trib_source;

typedef struct trib_place {
    const trib_source *source; /* NULL: no file is named */
    uint32_t line, column;     /* from 1, columns in code points; line 0: the whole file */
    uint32_t width;            /* code points to underline */
} trib_place;

/* errors reported, and warnings reported; further ones are only counted */
enum { TRIB_DIAGNOSTICS_MAX = 100 };
/* At most so many messages are reported that differ only in numbers and quoted names. */
enum { TRIB_DIAGNOSTICS_ALIKE_MAX = 10 };

/* Receives errors and warnings, and counts them. */
typedef struct trib_diagnostics {
    trib_config_diagnostic report; /* may be NULL */
    void *context;
    size_t n_errors, n_warnings;
    size_t n_reported[2];                       /* [is_error]: warnings, errors */
    uint64_t reported[2][TRIB_DIAGNOSTICS_MAX]; /* hash of each message's kind (warnings.h) */
} trib_diagnostics;

/* Reads a file of at most 16 MiB of UTF-8. When it cannot be read, the reason is reported,
 * *readable is false and the status is TRIB_OK. The only other status is TRIB_MEMORY. */
trib_status trib_source_read(trib_source *source, const char *path, bool *readable,
                             trib_diagnostics *diagnostics, trib_error *error);
void trib_source_release(trib_source *source);

/* Reports an error or a warning as "name:14:5: error: SENTENCE", followed by the source line and a
 * marker under the place. Control bytes and bytes that are not UTF-8 appear as \xNN. Messages
 * beyond TRIB_DIAGNOSTICS_ALIKE_MAX of one kind, or beyond TRIB_DIAGNOSTICS_MAX, are only counted.
 * Allocates nothing. */
void trib_diagnose(trib_diagnostics *diagnostics, trib_place place, const char *format, ...)
    TRIB_PRINTF(3, 4);
void trib_warn(trib_diagnostics *diagnostics, trib_place place, const char *format, ...)
    TRIB_PRINTF(3, 4);
/* Whether a call succeeded that may find a mistake in the configuration. A mistake, a failure of
 * that status, is reported with `before` before its message; another is kept in `failure`. */
bool trib_settled(trib_diagnostics *diagnostics, trib_place place, const char *before,
                  trib_status mistake, const trib_error *why, trib_error *failure);
/* Reports how many errors and warnings were counted but not reported. */
void trib_diagnostics_end(trib_diagnostics *diagnostics);

/* Writes `bytes` as printable UTF-8: control bytes and bytes that are not UTF-8 become \xNN. */
trib_status trib_show_bytes(trib_buffer *shown, const char *bytes, size_t length,
                            trib_error *error);

typedef struct trib_source_cells {
    trib_cells cells;
    const trib_source *source; /* named in messages; borrowed */
    trib_place place;          /* of the cell that was read last */
} trib_source_cells;

/* Reads a cell as trib_cells_next does, and reports what is wrong with it. TRIB_MEMORY. */
trib_status trib_source_cells_next(trib_source_cells *cells, trib_diagnostics *diagnostics,
                                   trib_error *error);

#endif
