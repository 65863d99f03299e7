/* sampling.h - what stage candidates samples of each document: n-grams, and runs of words. Private
 * to pipeline. */
#ifndef TRIBUTARY_STAGES_SAMPLING_H
#define TRIBUTARY_STAGES_SAMPLING_H

#include "pipeline/stages/candidates.h"

/* How the documents of a corpus are sampled. `{0}` is empty. */
typedef struct trib_sampling {
    const trib_candidates_inputs *in;
    const trib_corpus *corpus;
    uint64_t *n_ngrams;  /* [n_documents] */
    uint64_t *word_hash; /* [n_words] of their norms */
    uint8_t *is_common;  /* [n_words] */
    uint32_t *own;       /* [n_own] the documents that this rank samples, ascending */
    uint32_t n_own;
    uint32_t rate;   /* of the corpus; set by trib_sampling_choose */
    bool has_wanted; /* n-grams of short documents are there at any rate */
    /* trib_sampling_document takes: n-grams at the rate `least`, and those `wanted` */
    uint32_t least;
    trib_wanted_hashes wanted;
    /* of them, the samples of the targets alone */
    bool has_few; /* targets */
    trib_wanted_hashes ngrams, runs;
} trib_sampling;

/* Prepares the sampling; the arguments are borrowed. TRIB_MEMORY. */
trib_status trib_sampling_init(trib_sampling *s, const trib_candidates_inputs *in,
                               const trib_corpus *corpus, trib_error *error);
void trib_sampling_release(trib_sampling *s);
/* Chooses the rate of the corpus, and what trib_sampling_document takes. are_stored: the samples
 * serve any choice of targets; otherwise, with few targets, only what is also in a target is taken,
 * since nothing else changes the candidates. All ranks call it; `status` as in comm.h. */
trib_status trib_sampling_choose(trib_sampling *s, trib_status status, bool are_stored,
                                 trib_error *error);
/* Samples the n-grams, or the runs, of document d for the indexes. Several threads may call
 * these. */
trib_status trib_sampling_ngrams(const trib_sampling *s, uint32_t d, trib_sketch *sketch,
                                 trib_error *error);
trib_status trib_sampling_runs(const trib_sampling *s, uint32_t d, trib_sketch *sketch,
                               trib_error *error);
/* Samples all n-grams of document d at a rate of its own. */
trib_status trib_sampling_at_rate(const trib_sampling *s, uint32_t d, uint32_t rate,
                                  trib_sketch *sketch, trib_error *error);

#endif
