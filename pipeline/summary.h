/* summary.h - a result as a person reads it in a terminal of 80 columns, and the same as JSON. Private to pipeline. */
#ifndef TRIBUTARY_SUMMARY_H
#define TRIBUTARY_SUMMARY_H

#include <jansson.h>

#include "base/base.h"

/* How much of a result is wanted. */
typedef struct trib_summary_options {
    bool colors;
    bool phrases; /* the attested phrases behind every share, not only the strongest */
    const char
        *source; /* only this source, with every phrase stored; NULL: all, five phrases each */
} trib_summary_options;

/* Per target: a line for each source with its share by the headline method, what lies below the noise floor marked, and
 * the strongest phrases; `result` is an influence.json (result.h). TRIB_USAGE when options->source is in no target's
 * list. */
trib_status trib_summary_write(const json_t *result, const trib_summary_options *options,
                               trib_buffer *text, trib_error *error);
/* The same as an array of targets, the caller's to json_decref. */
trib_status trib_summary_json(const json_t *result, const trib_summary_options *options,
                              json_t **targets, trib_error *error);

#endif
