/* summary.h - a result as a person reads it in a terminal, and the same as JSON. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_SUMMARY_H
#define TRIBUTARY_OUTPUT_SUMMARY_H

#include <jansson.h>

#include "base/base.h"

/* Of more targets than these the strongest finds of all are shown instead of each target. */
enum { TRIB_SUMMARY_TARGETS = 12 };

/* How much of a result is wanted. */
typedef struct trib_summary_options {
    bool colors;
    bool phrases; /* the attested phrases behind every share, not only the strongest */
    /* only this source, with every phrase there is; NULL: all, five phrases each */
    const char *source;
    const char *target; /* only this target; NULL: all */
    size_t top;         /* phrases of each source, or finds; 0: 5 or all of a source, 20 finds */
    size_t columns;     /* of the page, at least 40; 0: 80 */
} trib_summary_options;

/* Per target: a line for each source with its share by the headline method, what lies below the
 * noise floor marked, and the strongest phrases; of more than 12 targets the largest shares of all
 * with their strongest phrases. `result` is an influence.json (result.h). TRIB_USAGE when
 * options->target or source is none of the run's. */
trib_status trib_summary_write(const json_t *result, const trib_summary_options *options,
                               trib_buffer *text, trib_error *error);
/* The same as an array of targets, the caller's to json_decref: of many targets, too, each with its
 * shares. options->top is the number of phrases of each source; 0: all there are. */
trib_status trib_summary_json(const json_t *result, const trib_summary_options *options,
                              json_t **targets, trib_error *error);

#endif
