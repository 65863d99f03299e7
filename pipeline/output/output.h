/* output.h - the room `output`: the run directory, its tables, influence.json, graphs, and the
 * summary in the terminal. The room may use the rooms below it, from the stages down; it prints
 * what a stage made and computes nothing. A file that is written after a stage is a function of
 * files.c; a table of results is a row of result_files.c, where a new column of influence.csv goes;
 * result.c and its neighbours make influence.json, from which the pages are made.
 *
 * This header has what a finished run found, for those who write it. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_OUTPUT_H
#define TRIBUTARY_OUTPUT_OUTPUT_H

#include "pipeline/stages/evidence.h"

/* What was found about one target. */
typedef struct trib_target_results {
    const trib_target *about;
    const trib_shares *shares;
    const trib_findings *findings; /* its `evidence` is NULL when no method gives evidence */
} trib_target_results;

/* All of it is borrowed but the list of targets. */
typedef struct trib_run_results {
    trib_workers workers; /* who writes them */
    const trib_config *config;
    const trib_corpus *corpus;
    const trib_corpus_words *words;
    const trib_vocab *vocab;
    const trib_tensors *tensors;
    const trib_decomposition *decomposition; /* [n_documents]; without factors: empty ones */
    const trib_distances *distances;         /* empty when no method needs them */
    const trib_warnings *warnings;
    trib_target_results *target; /* [corpus->n_targets] */
} trib_run_results;

/* Of more sources than these, only some are listed (trib_share_rows), and what is quoted of a
 * target goes by its length: nothing grows with the square of the corpus. */
enum { TRIB_ALL_WRITTEN = 40, TRIB_LARGEST_WRITTEN = 20, TRIB_NOISE_PHRASES = 3 };
static inline bool trib_target_is_brief(const trib_target_results *target) {
    return target->about->n_sources > TRIB_ALL_WRITTEN;
}
/* Whether the page of a brief target is short, too: its phrases and passages show most of it, a
 * chart of them would be longer. */
enum { TRIB_SHORT_WORDS = 1500 };
bool trib_target_is_short(const trib_run_results *results, const trib_target_results *target);
/* How many sources of a target have their phrases in the report, and how many phrases (of a brief
 * target in phrases.csv, too) and passages of each source are listed there. */
typedef struct trib_extent {
    size_t sources, phrases, passages;
} trib_extent;
trib_extent trib_target_extent(const trib_run_results *results, const trib_target_results *target);

/* Which sources of a target have a row by one method, in every file and on every page. Up to
 * TRIB_ALL_WRITTEN sources all have one. Of more sources these have one: decoys, sources above the
 * noise floor of the headline, and the TRIB_LARGEST_WRITTEN with the largest shares by the method
 * (ties: the first ones) above 0. */
typedef struct trib_share_rows {
    double least;      /* the smallest of the largest shares, */
    size_t last;       /* and the last source that has it */
    size_t n_left_out; /* sources with a share above 0 and without a row */
    double left_out;   /* the sum of their shares */
} trib_share_rows;
/* The rule for one method, O(sources). */
trib_share_rows trib_share_rows_of(const trib_corpus *corpus, const trib_target_results *target,
                                   const trib_influence *influence);
/* Whether source s has a row. */
bool trib_has_row(const trib_corpus *corpus, const trib_target_results *target,
                  const trib_influence *influence, const trib_share_rows *rows, size_t s);

#endif
