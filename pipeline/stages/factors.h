/* factors.h - stage factors: decompositions with the options of a configuration, and warnings about
 * their quality, also used by the command cp; and stage distances: the distance of every rank-1
 * factor of every target to the documents that may be its sources. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_FACTORS_H
#define TRIBUTARY_STAGES_FACTORS_H

#include "pipeline/stages/tensors.h"
#include "pipeline/store/checkpoints.h"

enum { TRIB_DISTANCES_MOST = 64 << 20 }; /* bytes of distances.npy; a larger file is not written */

/* Returns cp.rank for a tensor of nnz nonzeros; with cp.rank: auto the largest rank that may be
 * chosen. */
uint32_t trib_config_rank(const trib_config *config, size_t nnz);
/* Returns the options of trib_cp from the cp keys. With cp.rank: auto the rank is TRIB_RANK_AUTO,
 * which only trib_cp_search accepts. */
trib_cp_options trib_config_cp_options(const trib_config *config, int n_threads,
                                       trib_progress progress);

/* The note beside every result of cp.precision: single. */
#define TRIB_SINGLE_NOTE                                                                           \
    "factors in single precision where they meet the tensor (cp.precision: single)"

/* Measures of the quality of the factors of a document. */
typedef struct trib_judgement {
    double l1_error;         /* above 1 the empty model fits better */
    double congruence;       /* the largest between two components */
    uint32_t n_collinear;    /* components that are nearly the same as another one */
    bool more_than_nonzeros; /* more components than nonzeros */
} trib_judgement;

trib_status trib_judge_factors(trib_judgement *judged, const trib_ktensor *k, const trib_tensor *x,
                               trib_error *error);

/* The factors of one document, over the document's own word ids. `{0}` is empty. */
typedef struct trib_decomposition {
    trib_ktensor factors;
    trib_cp_trace trace;
    trib_rank_search search; /* with cp.rank: auto */
    trib_judgement judged;
} trib_decomposition;
void trib_decomposition_release(trib_decomposition *decomposition);

/* Returns whether all documents are first decomposed together (cp.start: corpus). */
bool trib_config_starts_from_corpus(const trib_config *config);
/* Decomposes all documents together, over the vocabulary. */
trib_status trib_decompose_corpus(const trib_environment *env, const trib_tensors *tensors,
                                  const trib_vocab *vocab, const trib_checkpoints *checkpoints,
                                  trib_ktensor *factors, trib_error *error);
/* Arguments for decomposing document d. from_corpus: the factors of all documents together, or
 * empty. Several threads may each decompose one document. */
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
/* Warns about poor factors among the n decompositions: zero, collinear, a worse fit than the empty
 * model, or more factors than nonzeros. */
trib_status trib_decompositions_warn(const trib_environment *env, uint32_t n,
                                     const trib_decomposition decomposition[], trib_error *error);

/* ---- Distances ------------------------------------------------------------------------------- */

/* `{0}` is empty. */
typedef struct trib_distances {
    trib_factors factors;          /* of all documents, in vocabulary ids */
    trib_factor_distances nearest; /* from the factors of targets to their sources */
} trib_distances;

/* Allocates distances for the given tensors and decompositions; none is measured yet. */
trib_status trib_distances_begin(trib_distances *distances, const trib_tensors *tensors,
                                 const trib_decomposition decomposition[], trib_error *error);
/* Measures the distances of the factors f with row[f] to the documents e with column[e]. */
trib_status trib_distances_measure(const trib_environment *env, trib_distances *distances,
                                   const bool *row, const bool *column, trib_error *error);
void trib_distances_release(trib_distances *distances);

/* Returns whether the nearest factors in document e are needed for each factor of document d: d is
 * a target and e is one of its sources, or the distances of targets to all documents are written
 * (report.formats: npy). */
bool trib_distances_asks(const trib_config *config, const trib_corpus *corpus, uint32_t d,
                         uint32_t e);

#endif
