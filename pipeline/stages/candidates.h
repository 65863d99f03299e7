/* candidates.h - stage candidates: of a large corpus, the sources of each target that are worth
 * measuring. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_CANDIDATES_H
#define TRIBUTARY_STAGES_CANDIDATES_H

#include "influence/candidates/candidates.h"
#include "pipeline/stages/tensors.h"

/* What the stage reads. All pointers are borrowed. */
typedef struct trib_candidates_inputs {
    const trib_environment *env;
    const trib_corpus_words *words;
    const trib_vocab *vocab;
    const trib_tensors *tensors;
} trib_candidates_inputs;

/* The indexes of all documents, open. `{0}` is empty. */
typedef struct trib_indexes {
    trib_sketch_index ngrams, runs; /* with their entries */
    uint32_t rate;                  /* of the n-grams */
    bool has_wanted;                /* the n-grams of short documents are there at any rate */
} trib_indexes;
void trib_indexes_close(trib_indexes *indexes);

/* The entries of such indexes, stored. They are of the documents of corpus->base, if it has one,
 * in their order there. */
typedef struct trib_stored_indexes {
    trib_sketch_entries ngrams, runs;
    uint32_t rate;
    bool has_wanted;
} trib_stored_indexes;

/* Sets the sources of every target to its candidates and all admissible decoys, ascending, and
 * fills corpus->candidates. The sources depend only on the texts, their dates and roles.
 * TRIB_OUTPUT when scratch files cannot be written. `made` (NULL: they are closed) receives the
 * indexes, which do not depend on which documents are targets; the caller closes them. */
trib_status trib_stage_candidates(const trib_candidates_inputs *inputs, trib_corpus *corpus,
                                  trib_indexes *made, trib_error *error);
/* The same from stored indexes. Of `tensors`, only the targets are counted; of the other documents,
 * their number of n-grams is known. */
trib_status trib_stage_candidates_stored(const trib_candidates_inputs *inputs, trib_corpus *corpus,
                                         const trib_stored_indexes *stored, trib_error *error);

#endif
