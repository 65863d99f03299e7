/* factors.c - stage factors: decomposes every document; and stage distances: compares the factors
 * of targets with the documents that may be their sources. */
#include "pipeline/stages/factors.h"
#include "base/internal.h"

#include "pipeline/config/config.h"

uint32_t trib_config_rank(const trib_config *config, size_t nnz) {
    const uint32_t rank = config->cp.rank;
    if (rank == TRIB_RANK_LOWE) return trib_rank_first(nnz, config->tensor.n);
    if (rank == TRIB_RANK_BUDGET) return trib_rank_in_budget(nnz);
    return TRIB_RANK_IS_SEARCHED(rank) ? config->cp.max_rank : rank;
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
        .extrapolation = config->cp.extrapolation == TRIB_EXTRAPOLATE_NESTEROV,
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

/* ---- One decomposition for all documents (cp.start: corpus) ---------------------------------- */

bool trib_config_starts_from_corpus(const trib_config *config) {
    return config->cp.start == trib_start_find("corpus") && config->cp.solver->needs_start;
}

/* Adds the n-grams of all documents into `counts`, indexed by the ids of the vocabulary. */
static trib_status pool_documents(const trib_tensors *tensors, const trib_vocab *vocab,
                                  uint32_t n_modes, trib_hacoo *counts, trib_error *error) {
    uint32_t dim[TRIB_MAX_MODES];
    trib_hacoo_options options = {0};
    for (uint32_t m = 0; m < n_modes; m++) dim[m] = vocab->n_words;
    for (uint32_t d = 0; d < tensors->n_documents; d++)
        options.expected += trib_counts_table(&tensors->document[d])->nnz;
    trib_status status = trib_hacoo_init(counts, n_modes, dim, &options, error);
    for (uint32_t d = 0; d < tensors->n_documents; d++) {
        const trib_counts *document = &tensors->document[d];
        const trib_hacoo *of_document = trib_counts_table(document);
        for (size_t e = 0; status == TRIB_OK && e < of_document->nnz; e++) {
            uint32_t index[TRIB_MAX_MODES];
            const uint32_t count = trib_hacoo_entry(of_document, e, index);
            for (uint32_t m = 0; m < n_modes; m++) index[m] = document->word[index[m]];
            status = trib_hacoo_add(counts, index, count, error);
        }
    }
    return status;
}

trib_status trib_decompose_corpus(const trib_environment *env, const trib_tensors *tensors,
                                  const trib_vocab *vocab, const trib_checkpoints *checkpoints,
                                  trib_ktensor *factors, trib_error *error) {
    const trib_config *config = env->config;
    TRIB_OWNED(trib_hacoo) counts = {0};
    TRIB_OWNED(trib_tensor) tensor = {0};
    trib_cp_options options =
        trib_config_cp_options(config, env->n_threads, trib_log_progress(env->log));
    options.start = NULL;
    trib_kept_checkpoint kept = {0};
    char reason[TRIB_REASON_MAX];
    trib_status status = pool_documents(tensors, vocab, config->tensor.n, &counts, error);
    options.rank = trib_config_rank(config, counts.nnz);
    if (status == TRIB_OK)
        status = trib_tensor_build_cut(&tensor,
                                       trib_format_choose(config->tensor.format, &counts,
                                                          options.rank, options.iterations, reason),
                                       config->tensor.cut, &counts, NULL, env->n_threads, error);
    if (status == TRIB_OK)
        status = trib_checkpoints_begin(&kept, checkpoints, "corpus~", &options, error);
    if (status == TRIB_OK) status = trib_cp(factors, &tensor, &options, NULL, error);
    if (status == TRIB_OK) status = trib_log_stopped(env->log, error);
    trib_kept_checkpoint_release(&kept);
    return status;
}

/* Restricts the components of the corpus to the words of one document and scales their weights by
 * the document's share of all n-grams. */
static trib_status map_corpus(trib_ktensor *k, const trib_ktensor *from,
                              const trib_tensors *tensors, const trib_counts *document,
                              trib_error *error) {
    uint32_t dim[TRIB_MAX_MODES];
    uint64_t total = 0;
    for (uint32_t d = 0; d < tensors->n_documents; d++)
        total += trib_counts_table(&tensors->document[d])->total;
    for (uint32_t m = 0; m < from->n_modes; m++) dim[m] = document->n_local;
    const trib_status status = trib_ktensor_init(k, from->n_modes, dim, from->rank, error);
    if (status != TRIB_OK) return status;
    for (uint32_t r = 0; r < k->rank; r++)
        k->lambda[r] = from->lambda[r] * (double)trib_counts_table(document)->total / (double)total;
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t i = 0; i < document->n_local; i++)
            memcpy(k->factor[m] + (size_t)i * k->rank,
                   from->factor[m] + (size_t)document->word[i] * k->rank, k->rank * sizeof(double));
    return status;
}

/* ---- Every document -------------------------------------------------------------------------- */

trib_status trib_decompose_document(const trib_decompose_call *call, uint32_t d, int n_threads,
                                    trib_progress progress, trib_decomposition *decomposition,
                                    trib_error *error) {
    const trib_config *config = call->env->config;
    const trib_counts *counts = &call->tensors->document[d];
    const trib_hacoo *ngrams = trib_counts_table(counts);
    const char *const id = call->corpus->document[d].about->id;
    trib_cp_options options = trib_config_cp_options(config, n_threads, progress);
    TRIB_OWNED(trib_tensor) tensor = {0};
    TRIB_OWNED(trib_ktensor) from = {0};
    trib_kept_checkpoint kept = {0};
    char reason[TRIB_REASON_MAX];
    const trib_format *format =
        trib_format_choose(config->tensor.format, ngrams, trib_config_rank(config, ngrams->nnz),
                           config->cp.iterations, reason);
    if (reason[0])
        trib_log_say(call->env->log, TRIB_LOG_INFO, "%s: tensor.format auto is %s: %s", id,
                     format->name, reason);
    trib_status status =
        trib_tensor_build_cut(&tensor, format, config->tensor.cut, ngrams, NULL, n_threads, error);
    if (status == TRIB_OK && call->from_corpus->rank > 0) {
        status = map_corpus(&from, call->from_corpus, call->tensors, counts, error);
        options.from = &from;
    }
    if (status == TRIB_OK)
        status = trib_checkpoints_begin(&kept, call->checkpoints, id, &options, error);
    if (status == TRIB_OK)
        status =
            TRIB_RANK_IS_SEARCHED(config->cp.rank)
                ? trib_cp_search(&decomposition->factors, &tensor, &options, config->cp.max_rank,
                                 &decomposition->search, &decomposition->trace, error)
                : trib_cp(&decomposition->factors, &tensor, &options, &decomposition->trace, error);
    if (status == TRIB_OK)
        status =
            trib_judge_factors(&decomposition->judged, &decomposition->factors, &tensor, error);
    trib_kept_checkpoint_release(&kept);
    return status;
}

void trib_decomposition_release(trib_decomposition *decomposition) {
    trib_ktensor_release(&decomposition->factors);
    trib_cp_trace_release(&decomposition->trace);
    trib_rank_search_release(&decomposition->search);
    *decomposition = (trib_decomposition){0};
}

/* Two components with a larger congruence are reported as nearly the same. */
#define COLLINEAR 0.97
enum { MOST_COMPARED = 4096 }; /* with more components, pairs are not compared */

trib_status trib_judge_factors(trib_judgement *judged, const trib_ktensor *k, const trib_tensor *x,
                               trib_error *error) {
    *judged = (trib_judgement){.l1_error = trib_ktensor_l1_error(k, x),
                               .more_than_nonzeros = k->rank > x->nnz};
    if (k->rank > MOST_COMPARED) return TRIB_OK;
    return trib_ktensor_congruence(k, COLLINEAR, &judged->congruence, &judged->n_collinear, error);
}

trib_status trib_decompositions_warn(const trib_environment *env, uint32_t n_all,
                                     const trib_decomposition decomposition[], trib_error *error) {
    uint32_t least = TRIB_CP_RANK;
    enum { ZERO, COLLINEAR_PAIRS, WORSE_THAN_NOTHING, MORE_THAN_NONZEROS, N_FAULTS };
    uint32_t n_documents[N_FAULTS] = {0}, n_zero = 0, n_collinear = 0;
    for (uint32_t d = 0; d < n_all; d++) {
        const trib_judgement *judged = &decomposition[d].judged;
        const uint32_t rank = decomposition[d].factors.rank + decomposition[d].trace.n_zero;
        if (rank > 0 && rank < least) least = rank;
        n_zero += decomposition[d].trace.n_zero;
        n_collinear += judged->n_collinear;
        n_documents[ZERO] += decomposition[d].trace.n_zero > 0;
        n_documents[COLLINEAR_PAIRS] += judged->n_collinear > 0;
        n_documents[WORSE_THAN_NOTHING] +=
            judged->l1_error > 1 && strcmp(env->config->cp.solver->name, "apr") != 0;
        n_documents[MORE_THAN_NONZEROS] += judged->more_than_nonzeros;
    }
    if (env->config->cp.rank == TRIB_RANK_BUDGET && least < TRIB_CP_RANK)
        trib_log_say(env->log, TRIB_LOG_INFO,
                     "the longest texts have %u factors each (cp.rank: budget)", (unsigned)least);
    /* the quality of the factors stands in the report; it is a warning where shares depend on it */
    if (!env->config->influence.headline->needs_factors) return TRIB_OK;
    trib_status status = TRIB_OK;
    for (int f = 0; f < N_FAULTS && status == TRIB_OK; f++) {
        const unsigned n = n_documents[f];
        const char *s = n == 1 ? "" : "s";
        if (n == 0) continue;
        if (f == ZERO)
            status = trib_warnings_add(
                env->warnings, error,
                "%u of the factors of %u document%s came out zero and were dropped",
                (unsigned)n_zero, n, s);
        if (f == COLLINEAR_PAIRS)
            status = trib_warnings_add(
                env->warnings, error,
                "%u of the factors of %u document%s say nearly the same as another one (congruence "
                "above %.2f); a smaller cp.rank would do",
                (unsigned)n_collinear, n, s, COLLINEAR);
        if (f == WORSE_THAN_NOTHING)
            status = trib_warnings_add(
                env->warnings, error,
                "the factors of %u document%s are further from the text, word by word, than no "
                "factors at all (L1 error above 1); a larger cp.rank would do better",
                n, s);
        if (f == MORE_THAN_NONZEROS)
            status = trib_warnings_add(env->warnings, error,
                                       "%u document%s %s more factors than different n-grams", n, s,
                                       n == 1 ? "has" : "have");
    }
    return status;
}

/* ---- Distances ------------------------------------------------------------------------------- */

bool trib_distances_asks(const trib_config *config, const trib_corpus *corpus, uint32_t d,
                         uint32_t e) {
    const uint32_t t = trib_corpus_target_of(corpus, d);
    if (t == corpus->n_targets) return false;
    if (config->report.npy) return true;
    const trib_target *target = &corpus->target[t];
    return target->n_sources > 0 && bsearch(&e, target->source, target->n_sources,
                                            sizeof *target->source, trib_by_uint32) != NULL;
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
