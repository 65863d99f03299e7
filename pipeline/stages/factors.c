/* factors.c - stage factors: every document decomposed. */
#include "pipeline/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/run/checkpoints.h"
#include "pipeline/stages/factors.h"
#include "pipeline/store/cached.h"

uint32_t trib_config_rank(const trib_config *config) {
    return config->cp.rank == TRIB_RANK_AUTO ? config->cp.max_rank : config->cp.rank;
}

trib_cp_options trib_config_cp_options(const trib_config *config, int n_threads,
                                       trib_progress progress) {
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
        .single = config->cp.single,
        .extrapolation = config->cp.extrapolation,
        .n_threads = n_threads,
        .progress = progress,
    };
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++)
        if (config->cp.fixed[m]) options.fixed |= 1U << m;
    for (uint32_t m = 0; m < config->tensor.n; m++) {
        options.l1[m] = config->cp.l1.item[config->cp.l1.n > 1 ? m : 0];
        options.l2[m] = config->cp.l2.item[config->cp.l2.n > 1 ? m : 0];
    }
    return options;
}

/* ---- One decomposition for all documents: cp.start: corpus --------------------------------------------------------- */

static bool starts_from_corpus(const trib_config *config) {
    return config->cp.start == trib_start_find("corpus") && config->cp.solver->needs_start;
}

/* counts = the sum of all documents' n-grams, over the vocabulary. */
static trib_status pool_documents(const trib_run *run, trib_hacoo *counts, trib_error *error) {
    uint32_t dim[TRIB_MAX_MODES];
    trib_hacoo_options options = {0};
    const uint32_t n_modes = run->config->tensor.n;
    for (uint32_t m = 0; m < n_modes; m++) dim[m] = run->vocab.n_words;
    for (uint32_t d = 0; d < run->n_documents; d++) options.expected += run->document[d].ngrams.nnz;
    trib_status status = trib_hacoo_init(counts, n_modes, dim, &options, error);
    for (uint32_t d = 0; d < run->n_documents; d++) {
        const trib_run_document *document = &run->document[d];
        for (size_t e = 0; status == TRIB_OK && e < document->ngrams.nnz; e++) {
            uint32_t index[TRIB_MAX_MODES];
            const uint32_t count = trib_hacoo_entry(&document->ngrams, e, index);
            for (uint32_t m = 0; m < n_modes; m++) index[m] = document->word[index[m]];
            status = trib_hacoo_add(counts, index, count, error);
        }
    }
    return status;
}

static trib_status decompose_corpus(trib_run *run, trib_error *error) {
    trib_hacoo counts = {0};
    trib_tensor tensor = {0};
    trib_cp_options options =
        trib_config_cp_options(run->config, run->n_threads, trib_log_progress(run->log));
    options.start = NULL;
    options.rank = trib_config_rank(run->config);
    trib_checkpoints underway = {0};
    char reason[TRIB_REASON_MAX];
    trib_status status = pool_documents(run, &counts, error);
    if (status == TRIB_OK)
        status =
            trib_tensor_build_cut(&tensor,
                                  trib_format_choose(run->config->tensor.format, &counts,
                                                     options.rank, options.iterations, reason),
                                  run->config->tensor.cut, &counts, NULL, run->n_threads, error);
    if (status == TRIB_OK)
        status = trib_checkpoints_begin(&underway, run, "corpus~", &options, error);
    if (status == TRIB_OK) status = trib_cp(&run->corpus_factors, &tensor, &options, NULL, error);
    if (status == TRIB_OK) status = trib_log_stopped(run->log, error);
    trib_checkpoints_release(&underway);
    trib_tensor_release(&tensor);
    trib_hacoo_release(&counts);
    return status;
}

/* The corpus' components at the words of one document, with its share of the mass. */
static trib_status map_corpus(trib_ktensor *k, const trib_run *run,
                              const trib_run_document *document, trib_error *error) {
    const trib_ktensor *from = &run->corpus_factors;
    uint32_t dim[TRIB_MAX_MODES];
    uint64_t total = 0;
    for (uint32_t d = 0; d < run->n_documents; d++) total += run->document[d].ngrams.total;
    for (uint32_t m = 0; m < from->n_modes; m++) dim[m] = document->n_local;
    const trib_status status = trib_ktensor_init(k, from->n_modes, dim, from->rank, error);
    if (status != TRIB_OK) return status;
    for (uint32_t r = 0; r < k->rank; r++)
        k->lambda[r] = from->lambda[r] * (double)document->ngrams.total / (double)total;
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t i = 0; i < document->n_local; i++)
            memcpy(k->factor[m] + (size_t)i * k->rank,
                   from->factor[m] + (size_t)document->word[i] * k->rank, k->rank * sizeof(double));
    return status;
}

/* ---- Every document -------------------------------------------------------------------------------------------------- */

trib_status trib_run_decompose(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                               trib_error *error) {
    const trib_config *config = run->config;
    trib_run_document *document = &run->document[d];
    trib_cp_options options = trib_config_cp_options(config, n_threads, progress);
    trib_tensor tensor = {0};
    trib_ktensor from = {0};
    trib_checkpoints underway = {0};
    char reason[TRIB_REASON_MAX];
    const trib_format *format =
        trib_format_choose(config->tensor.format, &document->ngrams, trib_config_rank(config),
                           config->cp.iterations, reason);
    if (reason[0])
        trib_log_say(run->log, TRIB_LOG_INFO, "%s: tensor.format auto is %s: %s",
                     document->about->id, format->name, reason);
    trib_status status = trib_tensor_build_cut(&tensor, format, config->tensor.cut,
                                               &document->ngrams, NULL, n_threads, error);
    if (status == TRIB_OK && run->corpus_factors.rank > 0) {
        status = map_corpus(&from, run, document, error);
        options.from = &from;
    }
    if (status == TRIB_OK)
        status = trib_checkpoints_begin(&underway, run, document->about->id, &options, error);
    if (status == TRIB_OK)
        status = config->cp.rank == TRIB_RANK_AUTO
                     ? trib_cp_search(&document->factors, &tensor, &options, config->cp.max_rank,
                                      &document->search, &document->trace, error)
                     : trib_cp(&document->factors, &tensor, &options, &document->trace, error);
    if (status == TRIB_OK)
        status = trib_judge_factors(&document->judged, &document->factors, &tensor, error);
    trib_checkpoints_release(&underway);
    trib_ktensor_release(&from);
    trib_tensor_release(&tensor);
    return status;
}

/* Above this congruence two components say the same thing. */
#define COLLINEAR 0.97
enum { MOST_COMPARED = 4096 }; /* components whose pairs are looked at */

trib_status trib_judge_factors(trib_judgement *judged, const trib_ktensor *k, const trib_tensor *x,
                               trib_error *error) {
    *judged = (trib_judgement){.l1_error = trib_ktensor_l1_error(k, x),
                               .more_than_nonzeros = k->rank > x->nnz};
    if (k->rank > MOST_COMPARED) return TRIB_OK;
    return trib_ktensor_congruence(k, COLLINEAR, &judged->congruence, &judged->n_collinear, error);
}

/* Warns where the factors say less than they seem to. */
static trib_status judge(trib_run *run, trib_error *error) {
    enum { ZERO, COLLINEAR_PAIRS, WORSE_THAN_NOTHING, MORE_THAN_NONZEROS, N_FAULTS };
    uint32_t n_documents[N_FAULTS] = {0}, n_zero = 0, n_collinear = 0;
    for (uint32_t d = 0; d < run->n_documents; d++) {
        const trib_run_document *document = &run->document[d];
        const trib_judgement *judged = &document->judged;
        n_zero += document->trace.n_zero;
        n_collinear += judged->n_collinear;
        n_documents[ZERO] += document->trace.n_zero > 0;
        n_documents[COLLINEAR_PAIRS] += judged->n_collinear > 0;
        n_documents[WORSE_THAN_NOTHING] += judged->l1_error > 1;
        n_documents[MORE_THAN_NONZEROS] += judged->more_than_nonzeros;
    }
    trib_status status = TRIB_OK;
    for (int f = 0; f < N_FAULTS && status == TRIB_OK; f++) {
        const unsigned n = n_documents[f];
        const char *s = n == 1 ? "" : "s";
        if (n == 0) continue;
        if (f == ZERO)
            status = trib_run_warn(
                run, error, "%u of the factors of %u document%s came out zero and were dropped",
                (unsigned)n_zero, n, s);
        if (f == COLLINEAR_PAIRS)
            status = trib_run_warn(
                run, error,
                "%u of the factors of %u document%s say nearly the same as another one (congruence "
                "above %.2f); a smaller cp.rank would do",
                (unsigned)n_collinear, n, s, COLLINEAR);
        if (f == WORSE_THAN_NOTHING)
            status = trib_run_warn(
                run, error,
                "the factors of %u document%s are further from the text, word by word, than no "
                "factors at all (L1 error above 1); a larger cp.rank would do better",
                n, s);
        if (f == MORE_THAN_NONZEROS)
            status =
                trib_run_warn(run, error, "%u document%s %s more factors than different n-grams", n,
                              s, n == 1 ? "has" : "have");
    }
    return status;
}

static trib_status decompose(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                             trib_error *error) {
    return trib_cached_part(run, &trib_cached_factors, d, n_threads, progress, error);
}

uint64_t trib_document_size(const trib_run *run, uint32_t d) { return run->document[d].ngrams.nnz; }

trib_status trib_stage_factors(trib_run *run, trib_error *error) {
    const trib_part_row parts = {.work = decompose,
                                 .size = trib_document_size,
                                 .forget = trib_cached_factors.forget,
                                 .pack = trib_cached_factors.pack,
                                 .unpack = trib_cached_factors.unpack};
    trib_status status = TRIB_OK;
    if (run->config->cp.single) trib_log_say(run->log, TRIB_LOG_INFO, "%s", TRIB_SINGLE_NOTE);
    if (starts_from_corpus(run->config)) status = decompose_corpus(run, error);
    status = trib_comm_agree(&run->team, status, error);
    if (status == TRIB_OK) status = trib_run_parts(run, run->n_documents, &parts, error);
    trib_ktensor_release(&run->corpus_factors);
    if (status == TRIB_OK) status = trib_checkpoints_over(run, error);
    return status == TRIB_OK ? judge(run, error) : status;
}
