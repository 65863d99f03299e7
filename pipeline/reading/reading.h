/* reading.h - the room `reading`: read/ID.json, the text of a target as its file spells it with the
 * runs of words that are traced to a source. The reading pages (pipeline/report/read.c) and
 * `tributary read` are made from that file. The room may use pipeline/output for quotations, and
 * the rooms below. What a traced run is decides traced_runs.c; where a paragraph ends,
 * decoded_text.c; the members of the file, which docs/run-directory.md describes, running_text.c.
 * Private to pipeline. */
#ifndef TRIBUTARY_READING_READING_H
#define TRIBUTARY_READING_READING_H

#include "pipeline/output/result.h"

/* Words of a target that are traced to words of one source. */
typedef struct trib_text_run {
    size_t first, n;               /* words of the target, from 0 */
    uint32_t source;               /* number of the document */
    size_t source_first, source_n; /* its words, from 0 */
    double probability;            /* mean probability that they were copied; NaN: not known */
} trib_text_run;

/* Lists the runs of target t, in the order of the target; no word is in two of them. The caller
 * frees *run (traced_runs.c). */
trib_status trib_text_runs_list(trib_text_run **run, size_t *n, trib_quotes *quotes, uint32_t t,
                                trib_error *error);
/* Marks the words of a run that agree: own[run->n] of the target and theirs[run->source_n] of the
 * source, both 0 before. Words that agree are in the same order in both. O(words). */
void trib_text_run_align(const trib_text_run *run, const trib_quotes *quotes, uint32_t target,
                         uint8_t *own, uint8_t *theirs);

/* Makes the contents of read/ID.json of target t. The caller releases *made with json_decref. */
trib_status trib_running_text_make(json_t **made, trib_quotes *quotes, uint32_t t,
                                   trib_error *error);
/* Reads RUN/read/ID.json. *made is NULL when there is no such file. TRIB_INPUT if the file is
 * damaged. */
trib_status trib_running_text_load(json_t **made, const char *run_directory, const char *target,
                                   trib_error *error);

#endif
