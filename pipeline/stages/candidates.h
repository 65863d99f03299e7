/* candidates.h - stage candidates: of a large corpus, the sources of each target that are worth
 * measuring. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_CANDIDATES_H
#define TRIBUTARY_STAGES_CANDIDATES_H

#include "pipeline/stages/tensors.h"

/* What the stage reads. All pointers are borrowed. */
typedef struct trib_candidates_inputs {
    const trib_environment *env;
    const trib_corpus_words *words;
    const trib_vocab *vocab;
    const trib_tensors *tensors;
} trib_candidates_inputs;

/* Sets the sources of every target to its candidates and all admissible decoys, ascending, and
 * fills corpus->candidates. The sources depend only on the texts, their dates and roles.
 * TRIB_OUTPUT when scratch files cannot be written. */
trib_status trib_stage_candidates(const trib_candidates_inputs *inputs, trib_corpus *corpus,
                                  trib_error *error);

#endif
