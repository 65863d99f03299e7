/* summary.h - a result for the terminal, and as JSON. It computes nothing: evidence, shares and
 * phrases are read from the result, and laid out for the width of the terminal. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_SUMMARY_H
#define TRIBUTARY_OUTPUT_SUMMARY_H

#include "pipeline/result/result.h"

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
    /* all phrases of `source` (below); NULL: those of the result */
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

/* ---- Every phrase of a pair of texts, from the phrases.csv of a run (phrases_file.c) --------- */

/* The phrases of a target and the source. */
typedef struct trib_phrases_of_pair {
    const char *target;
    trib_phrase_records phrases;
} trib_phrases_of_pair;

/* All phrases of a source. `{0}` may be released. */
typedef struct trib_pair_phrases {
    const char *source;
    trib_phrases_of_pair *item; /* [n] as in the file */
    size_t n;
    trib_arena arena;
} trib_pair_phrases;

/* Reads the phrases of `source`, which is borrowed, and `target` (NULL: every target) in
 * DIRECTORY/phrases.csv; none if the file does not exist. TRIB_INPUT if the file is damaged. The
 * caller releases them, also after a failure. */
trib_status trib_phrases_read(trib_pair_phrases *pairs, const char *directory, const char *target,
                              const char *source, trib_error *error);
void trib_phrases_release(trib_pair_phrases *pairs);
/* Replaces the phrases in the evidence of a target, if it is from the source, by all of the file,
 * sorted in the same way (trib_evidence_rank). If the file lists fewer, those of the result
 * remain. */
void trib_phrases_put(const trib_pair_phrases *pairs, const char *target,
                      trib_evidence_record *evidence, size_t n_documents, trib_arena *arena);

#endif
