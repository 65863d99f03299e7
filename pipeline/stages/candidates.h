/* candidates.h - stage candidates: of a large corpus, the sources of each target that are worth
 * measuring; and documents that are nearly the same text. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_CANDIDATES_H
#define TRIBUTARY_STAGES_CANDIDATES_H

#include "influence/candidates/candidates.h"
#include "pipeline/stages/tensors.h"

/* Sets the sources of every target to its candidates and all admissible decoys, ascending, and
 * fills corpus->candidates. The sources depend only on the texts, their dates and roles.
 * TRIB_OUTPUT when scratch files cannot be written. */
trib_status trib_stage_candidates(const trib_read_texts *texts, trib_corpus *corpus,
                                  trib_error *error);

/* ---- Samples (sampling.c) -------------------------------------------------------------------- */

/* How the documents of a corpus are sampled. `{0}` is empty. */
typedef struct trib_sampling {
    const trib_read_texts *in;
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
trib_status trib_sampling_init(trib_sampling *s, const trib_read_texts *in,
                               const trib_corpus *corpus, trib_error *error);
void trib_sampling_release(trib_sampling *s);
/* Chooses the rate of the corpus, and what trib_sampling_document takes. With
 * few targets only what is also in a target is taken, since nothing else changes the candidates.
 * All ranks call it; `status` as in comm.h. */
trib_status trib_sampling_choose(trib_sampling *s, trib_status status, trib_error *error);
/* Samples the n-grams, or the runs, of document d for the indexes. Several threads may call
 * these. */
trib_status trib_sampling_ngrams(const trib_sampling *s, uint32_t d, trib_sketch *sketch,
                                 trib_error *error);
trib_status trib_sampling_runs(const trib_sampling *s, uint32_t d, trib_sketch *sketch,
                               trib_error *error);
/* Samples all n-grams of document d at a rate of its own. */
trib_status trib_sampling_at_rate(const trib_sampling *s, uint32_t d, uint32_t rate,
                                  trib_sketch *sketch, trib_error *error);

/* ---- Near duplicates (near_duplicates.c) ----------------------------------------------------- */

/* Two documents, first < second, with the number of distinct n-grams of each and of both. */
typedef struct trib_near {
    uint32_t first, second;
    size_t n_first, n_second, n_both;
} trib_near;

/* Lists the pairs of which at least corpus.near_duplicate (0: none) of the distinct n-grams are in
 * both, ascending. N-grams that contain the word `other` do not count. Sketches of 256 n-grams
 * find the candidate pairs, whose n-grams are then compared in full. With several ranks each takes
 * the sketches of its documents, and rank 0 alone gets the pairs. The caller frees the list.
 * `status` as in comm.h; a failure may be that of this rank alone. */
trib_status trib_near_duplicates_list(const trib_environment *env, trib_status status,
                                      const trib_tensors *tensors, uint32_t other, trib_near **pair,
                                      size_t *n, trib_error *error);
/* Warns about pair[n]; names at most 20 of them. */
trib_status trib_near_duplicates_warn(const trib_environment *env, const trib_corpus *corpus,
                                      const trib_near pair[], size_t n, trib_error *error);

#endif
