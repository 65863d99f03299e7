/* factors.c - stages factors and distances: every document decomposed, every rank-1 factor measured against every
 * document. */
#include "pipeline/run.h"

#include <stdlib.h>

/* One document decomposed on `n_threads`. */
static trib_status decompose(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                             trib_error *error) {
    const trib_config *config = run->config;
    trib_run_document *document = &run->document[d];
    trib_cp_options options = {
        .solver = config->cp.solver,
        .start = config->cp.start,
        .rank = config->cp.rank,
        .sweeps = config->cp.sweeps,
        .iterations = config->cp.iterations,
        .tolerance = config->cp.tolerance,
        .kkt = config->cp.kkt,
        .lift = config->cp.lift,
        .restarts = config->cp.restarts,
        .seed = config->cp.seed,
        .n_threads = n_threads,
        .progress = progress,
    };
    for (uint32_t m = 0; m < config->tensor.n; m++) {
        options.l1[m] = config->cp.l1.item[config->cp.l1.n > 1 ? m : 0];
        options.l2[m] = config->cp.l2.item[config->cp.l2.n > 1 ? m : 0];
    }
    trib_tensor tensor = {0};
    char reason[TRIB_REASON_MAX];
    const trib_format *format =
        trib_format_choose(config->tensor.format, &document->ngrams, config->cp.rank, reason);
    if (reason[0])
        trib_log_say(run->log, TRIB_LOG_INFO, "%s: tensor.format auto is %s: %s",
                     document->about->id, format->name, reason);
    trib_status status =
        trib_tensor_build(&tensor, format, &document->ngrams, NULL, n_threads, error);
    if (status == TRIB_OK)
        status = trib_cp(&document->factors, &tensor, &options, &document->trace, error);
    trib_tensor_release(&tensor);
    return status;
}

/* Warns where the factors say less than they seem to. */
static trib_status judge(trib_run *run, trib_error *error) {
    trib_status status = TRIB_OK;
    uint32_t n_zero = 0, n_with_zero = 0;
    for (uint32_t d = 0; d < run->n_documents; d++) {
        n_zero += run->document[d].trace.n_zero;
        n_with_zero += run->document[d].trace.n_zero > 0;
    }
    if (n_zero > 0)
        status = trib_run_warn(
            run, error, "%u of the factors of %u document%s came out zero and were dropped",
            (unsigned)n_zero, (unsigned)n_with_zero, n_with_zero == 1 ? "" : "s");
    return status;
}

trib_status trib_stage_factors(trib_run *run, trib_error *error) {
    uint32_t *order = NULL;
    trib_status status =
        trib_new(&order, run->n_documents, sizeof *order, "the order of documents", error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < run->n_documents;
         d++) { /* insertion by descending size: largest first */
        uint32_t at = d;
        for (; at > 0 && run->document[order[at - 1]].ngrams.nnz < run->document[d].ngrams.nnz;
             at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
    status = trib_run_parts(run, order, run->n_documents, decompose, error);
    trib_free(order);
    return status == TRIB_OK ? judge(run, error) : status;
}

trib_status trib_stage_distances(trib_run *run, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++)
        status = trib_factors_add(&run->factors, d, &run->document[d].factors,
                                  run->document[d].word, error);
    if (status == TRIB_OK)
        status = trib_factor_distances_find(&run->distances, &run->factors, &run->factors,
                                            run->n_documents, run->n_threads, error);
    return status;
}
