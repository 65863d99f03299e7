/* trace_file.h - trace/ID.runs: the traced runs of a target (docs/run-directory/reading.md).
 * Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_TRACE_FILE_H
#define TRIBUTARY_OUTPUT_TRACE_FILE_H

#include "pipeline/output/result.h"

/* A run of the file. Words are numbered from 1; offsets are bytes of the two files, UINT32_MAX
 * beyond 4 GiB. */
typedef struct trib_trace_run {
    uint32_t first, n_words, source_first;
    uint32_t source;      /* number among the sources of the file, from 0 */
    uint32_t probability; /* in millionths */
    uint32_t from, to;    /* of the target */
    uint32_t source_from, source_to;
} trib_trace_run;

/* The contents of a file. `{0}` is empty. */
typedef struct trib_trace {
    trib_trace_run *run; /* [n] in the order of the target; no word is in two */
    size_t n;
    const char **source; /* [n_sources] ids */
    size_t n_sources;
    char *names; /* what the ids point to */
} trib_trace;

/* Whether a run writes traces: with the format `trace` and the method `traced`. */
bool trib_traces_are_wanted(const trib_config *config);

/* The target whose trace is written. */
typedef struct trib_trace_of {
    trib_quotes *quotes;
    uint32_t t; /* number among the targets */
} trib_trace_of;
/* Writes the file of the trib_trace_of `what`. Errors as trib_quotes_prepare. */
trib_status trib_trace_write(const void *what, trib_writer *writer, trib_error *error);

/* Reads RUN/trace/ID.runs. TRIB_USAGE if the run did not write it; TRIB_INPUT if it is damaged. The
 * caller releases *trace, which is empty after a failure. */
trib_status trib_trace_read(trib_trace *trace, const char *run_directory, const char *target,
                            trib_error *error);
void trib_trace_release(trib_trace *trace);

#endif
