/* run.c - initialises and releases the record of a run, and lends its parts to others. */
#include "pipeline/run/run.h"

#include "pipeline/config/config.h"
#include "pipeline/output/result.h"

void trib_run_init(trib_run *run, const trib_config *config, trib_log *log, int n_threads) {
    *run = (trib_run){
        .comm = {.size = 1}, .warnings = {.log = log}, .most_words = TRIB_WORDS_IN_MEMORY};
    run->env = (trib_environment){.config = config,
                                  .log = log,
                                  .comm = &run->comm,
                                  .n_threads = n_threads,
                                  .scratch = trib_path_temporary(),
                                  .warnings = &run->warnings};
    run->texts =
        (trib_read_texts){&run->env, &run->corpus, &run->words, &run->vocab, &run->tensors};
    run->directory = (trib_run_directory){
        .config = config, .corpus = &run->corpus, .log = log, .n_threads = n_threads};
}

trib_status trib_run_choose(trib_run *run, trib_error *error) {
    if (run->chosen) return TRIB_OK;
    const trib_status status = TRIB_NEW(&run->chosen, 1, "the settings", error);
    if (status != TRIB_OK) return status;
    *run->chosen = *run->env.config;
    run->env.config = run->directory.config = run->chosen;
    return TRIB_OK;
}

trib_status trib_run_begin_findings(trib_run *run, trib_error *error) {
    const uint32_t n = run->corpus.n_documents, n_targets = run->corpus.n_targets;
    trib_status status = TRIB_NEW(&run->fingerprint, n, "the documents", error);
    if (status == TRIB_OK) status = TRIB_NEW(&run->decomposition, n, "the documents", error);
    if (status == TRIB_OK) status = TRIB_NEW(&run->background, n_targets, "the targets", error);
    if (status == TRIB_OK) status = TRIB_NEW(&run->shares, n_targets, "the targets", error);
    return status == TRIB_OK ? TRIB_NEW(&run->findings, n_targets, "the targets", error) : status;
}

trib_measure_inputs trib_run_inputs(trib_run *run) {
    return (trib_measure_inputs){.texts = &run->texts,
                                 .env = &run->env,
                                 .corpus = &run->corpus,
                                 .tensors = &run->tensors,
                                 .n_words = run->vocab.n_words,
                                 .other = run->vocab.other,
                                 .distances = &run->distances,
                                 .index = &run->index,
                                 .frequencies = {.n_documents = run->vocab.n_documents,
                                                 .count = run->vocab.count,
                                                 .n_all_documents = run->corpus.n_documents,
                                                 .n_tokens = run->vocab.n_tokens,
                                                 .wildcard = run->vocab.other},
                                 .word = (const char *const *)run->vocab.word};
}

trib_checkpoints trib_run_checkpoints(const trib_run *run) {
    return (trib_checkpoints){.directory = run->directory.is_open ? run->directory.path : NULL,
                              .hash = run->corpus.hash,
                              .log = run->env.log};
}

trib_status trib_run_collect(const trib_run *run, trib_run_results *results, trib_error *error) {
    const uint32_t n = run->corpus.n_targets;
    *results = (trib_run_results){.workers = trib_environment_workers(&run->env),
                                  .config = run->env.config,
                                  .corpus = &run->corpus,
                                  .words = &run->words,
                                  .vocab = &run->vocab,
                                  .tensors = &run->tensors,
                                  .decomposition = run->decomposition,
                                  .distances = &run->distances,
                                  .warnings = &run->warnings,
                                  .spill = &run->findings_spill};
    const trib_status status = TRIB_NEW(&results->target, n, "the targets", error);
    for (uint32_t t = 0; t < n && status == TRIB_OK; t++)
        results->target[t] = (trib_target_results){
            &run->corpus.target[t], run->shares ? &run->shares[t] : NULL,
            run->findings ? &run->findings[t] : NULL, run->allusions ? &run->allusions[t] : NULL};
    return status;
}

trib_status trib_run_make_result(const trib_run *run, trib_result *result, trib_error *error) {
    trib_run_results results;
    TRIB_OWNED(trib_document_names) names = {0};
    TRIB_OWNED(trib_formulas) formulas = {0};
    trib_status status = trib_run_collect(run, &results, error);
    results.names = &names;
    results.formulas = &formulas;
    if (status == TRIB_OK) status = trib_formulas_find(&formulas, &run->texts, &run->index, error);
    if (status == TRIB_OK) status = trib_document_names_read(&names, &results, error);
    if (status == TRIB_OK) status = trib_result_make(result, &results, error);
    trib_free(results.target);
    return status;
}

void trib_run_release(trib_run *run) {
    for (uint32_t d = 0; run->decomposition && d < run->corpus.n_documents; d++)
        trib_decomposition_release(&run->decomposition[d]);
    for (uint32_t t = 0; t < run->corpus.n_targets; t++) {
        if (run->background) trib_background_release(&run->background[t]);
        if (run->shares) trib_shares_release(&run->shares[t]);
        if (run->findings) trib_findings_release(&run->findings[t]);
        if (run->allusions) trib_allusions_release(&run->allusions[t]);
    }
    TRIB_FREE(run->fingerprint, run->decomposition, run->background, run->shares, run->findings);
    trib_spill_close(&run->findings_spill);
    trib_free(run->allusions);
    trib_allusion_search_close(&run->search);
    trib_ktensor_release(&run->corpus_factors);
    trib_distances_release(&run->distances);
    trib_corpus_index_release(&run->index);
    trib_tensors_release(&run->tensors);
    trib_vocab_release(&run->vocab);
    trib_word_counts_release(&run->word_counts);
    trib_corpus_words_release(&run->words);
    trib_corpus_release(&run->corpus);
    trib_directory_release(&run->directory);
    trib_warnings_release(&run->warnings);
    trib_result_release(&run->result);
    trib_free(run->chosen);
    trib_chosen_texts_release(&run->library);
    *run = (trib_run){0};
}
