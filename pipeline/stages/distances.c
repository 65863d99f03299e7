/* distances.c - stage distances: compares the factors of targets with the documents that may be
 * their sources. */
#include "pipeline/stages/distances.h"
#include "pipeline/config/config.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool trib_distances_asks(const trib_config *config, const trib_corpus *corpus, uint32_t d,
                         uint32_t e) {
    const uint32_t t = trib_corpus_target_of(corpus, d);
    if (t == corpus->n_targets) return false;
    if (config->report.npy) return true;
    const trib_target *target = &corpus->target[t];
    return target->n_sources > 0 && bsearch(&e, target->source, target->n_sources,
                                            sizeof *target->source, by_number) != NULL;
}

trib_status trib_distances_begin(trib_distances *distances, const trib_tensors *tensors,
                                 const trib_decomposition decomposition[], trib_error *error) {
    const uint32_t n = tensors->n_documents;
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++)
        if (decomposition[d].factors.n_modes > 0) /* with candidates, some are not decomposed */
            status = trib_factors_add(&distances->factors, d, &decomposition[d].factors,
                                      tensors->document[d].word, error);
    return status == TRIB_OK
               ? trib_factor_distances_init(&distances->nearest, distances->factors.n, n, error)
               : status;
}

trib_status trib_distances_measure(const trib_environment *env, trib_distances *distances,
                                   const bool *row, const bool *column, trib_error *error) {
    const trib_factors *factors = &distances->factors;
    return trib_factor_distances_fill(&distances->nearest, factors, factors, row, column,
                                      env->n_threads, trib_log_progress(env->log), error);
}

void trib_distances_release(trib_distances *distances) {
    trib_factors_release(&distances->factors);
    trib_factor_distances_release(&distances->nearest);
    *distances = (trib_distances){0};
}
