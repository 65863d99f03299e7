/* factors.h - stage factors: decompositions as a configuration asks for them, and what is wrong
 * with them; also for the command cp. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_FACTORS_H
#define TRIBUTARY_STAGES_FACTORS_H

#include "pipeline/stages/tensors.h"
#include "pipeline/store/checkpoints.h"

enum { TRIB_DISTANCES_MOST = 64 << 20 }; /* bytes of distances.npy; more are not written */

/* cp.rank; with auto the largest it may become. */
uint32_t trib_config_rank(const trib_config *config);
/* The keys of cp as options; cp.rank: auto stays TRIB_RANK_AUTO, which is for trib_cp_search. */
trib_cp_options trib_config_cp_options(const trib_config *config, int n_threads,
                                       trib_progress progress);

/* What stands beside every result of cp.precision: single. */
#define TRIB_SINGLE_NOTE                                                                           \
    "factors in single precision where they meet the tensor (cp.precision: single)"

/* What a reader of the factors should know. */
typedef struct trib_judgement {
    double l1_error;         /* above 1 the empty model is nearer */
    double congruence;       /* the largest of two components */
    uint32_t n_collinear;    /* components that say nearly the same as another one */
    bool more_than_nonzeros; /* more components than nonzeros */
} trib_judgement;

trib_status trib_judge_factors(trib_judgement *judged, const trib_ktensor *k, const trib_tensor *x,
                               trib_error *error);

/* The factors of one document; words in the document's own ids. `{0}` is empty. */
typedef struct trib_decomposition {
    trib_ktensor factors;
    trib_cp_trace trace;
    trib_rank_search search; /* with cp.rank: auto */
    trib_judgement judged;
} trib_decomposition;
void trib_decomposition_release(trib_decomposition *decomposition);

/* Whether all documents are decomposed together first: cp.start: corpus. */
bool trib_config_starts_from_corpus(const trib_config *config);
/* tensors -> the factors of all documents together, over the vocabulary. */
trib_status trib_decompose_corpus(const trib_environment *env, const trib_tensors *tensors,
                                  const trib_vocab *vocab, const trib_checkpoints *checkpoints,
                                  trib_ktensor *factors, trib_error *error);
/* tensors -> the factors of document d. from_corpus: those of all documents, or empty. Several
 * threads may each decompose one. */
typedef struct trib_decompose_call {
    const trib_environment *env;
    const trib_corpus *corpus;
    const trib_tensors *tensors;
    const trib_ktensor *from_corpus;
    const trib_checkpoints *checkpoints;
} trib_decompose_call;
trib_status trib_decompose_document(const trib_decompose_call *call, uint32_t d, int n_threads,
                                    trib_progress progress, trib_decomposition *decomposition,
                                    trib_error *error);
/* Warns where the factors of n documents say less than they seem to. */
trib_status trib_decompositions_warn(const trib_environment *env, uint32_t n,
                                     const trib_decomposition decomposition[], trib_error *error);

#endif
