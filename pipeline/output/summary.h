/* summary.h - a result for the terminal, and as JSON. It computes nothing: evidence, shares and
 * phrases are read from the result, and laid out for the width of the terminal. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_SUMMARY_H
#define TRIBUTARY_OUTPUT_SUMMARY_H

#include "pipeline/result/result.h"

struct trib_pair_phrases;

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
    /* all phrases of `source` (phrases_file.h); NULL: those of the result */
    const struct trib_pair_phrases *all_phrases;
} trib_summary_options;

/* Writes, for each target, one line for each source with its share by the headline method, marked
 * if it is below the noise floor, and the strongest phrases. For more than 12 targets, it writes
 * the largest shares of all with the longest passages. TRIB_USAGE if options->target or
 * options->source is not in the run. */
trib_status trib_summary_write(const trib_result *result, const trib_summary_options *options,
                               trib_buffer *text, trib_error *error);
/* Makes the same as records of the targets, each with its shares, for any number of targets, in an
 * arena. options->top is the number of phrases of each source; 0: all. */
trib_status trib_summary_targets(const trib_result *result, const trib_summary_options *options,
                                 trib_summary_target_records *targets, trib_arena *arena,
                                 trib_error *error);

#endif
