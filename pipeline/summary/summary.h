/* summary.h - the room `summary`: a result for the terminal, and as JSON. It may use output for the
 * result and the rooms below. It computes nothing: evidence, shares and phrases are read from the
 * result, and laid out for the width of the terminal. Private to pipeline. */
#ifndef TRIBUTARY_SUMMARY_SUMMARY_H
#define TRIBUTARY_SUMMARY_SUMMARY_H

#include <jansson.h>

#include "base/base.h"

struct trib_stored_targets;

/* With more targets than this, the largest shares of all targets are shown instead of each
 * target. */
enum { TRIB_SUMMARY_TARGETS = 12 };

/* Options of the summary. */
typedef struct trib_summary_options {
    bool colors;
    bool phrases; /* list the attested phrases of every share, not only the strongest */
    /* only this source, with all its phrases; NULL: all sources, with five phrases each */
    const char *source;
    const char *target; /* only this target; NULL: all */
    /* phrases of each source, or shares in the list of finds; 0: 5 phrases or all of one source, 20
     * finds */
    size_t top;
    size_t columns; /* of the page, at least 40; 0: 80 */
    /* the details of the targets, which the result lacks (stored_result.h); NULL or empty: it has
     * them */
    const struct trib_stored_targets *stored;
} trib_summary_options;

/* Writes, for each target, one line for each source with its share by the headline method, marked
 * if it is below the noise floor, and the strongest phrases. For more than 12 targets, it writes
 * the largest shares of all with the longest passages. `result` is an influence.json (result.h).
 * TRIB_USAGE if options->target or options->source is not in the run. */
trib_status trib_summary_write(const json_t *result, const trib_summary_options *options,
                               trib_buffer *text, trib_error *error);
/* Makes the same as an array of targets, each with its shares, for any number of targets. The
 * caller releases it with json_decref. options->top is the number of phrases of each source; 0:
 * all. */
trib_status trib_summary_json(const json_t *result, const trib_summary_options *options,
                              json_t **targets, trib_error *error);

#endif
