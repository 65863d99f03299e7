/* distances.h - stage distances: measures the distance of every rank-1 factor of every target to
 * the documents that may be its sources. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_DISTANCES_H
#define TRIBUTARY_STAGES_DISTANCES_H

#include "pipeline/stages/factors.h"

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
