/* stages.c - the program on one page: the table of stages, and the input and output of each.
 *
 *     stage       input                                       output
 *     corpus      configuration                               corpus: documents, targets, sources
 *     tokens      corpus                                      words of each document, word counts
 *     vocabulary  words, word counts                          vocabulary, ids of the words
 *     tensors     corpus, words, vocabulary                   tensors: n-grams of each document
 *     candidates  words, vocabulary, tensors              the sources of each target
 *     factors     tensors                                     decompositions
 *     distances   corpus, tensors, decompositions             distances between factors
 *     influence   corpus, tensors, vocabulary, distances      index of n-grams, shares
 *     evidence    the same, index and shares                  findings: phrases and passages
 *     parallels   corpus, words, vocabulary                   possible allusions
 *     report      all of these                                influence.json and the other files
 *
 * The functions here add what the files of the stages do not handle: the cache, the dry run, and
 * the distribution of cached parts over processes. */
#include "pipeline/run/run.h"

#include "pipeline/output/output.h"
#include "pipeline/output/result.h"
#include "pipeline/run/cached.h"
#include "pipeline/stages/allusions.h"
#include "pipeline/stages/document_words.h"
#include "pipeline/stages/tensors.h"

static bool needs_factors(const trib_config *config) {
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        if (config->influence.method[i]->needs_factors) return true;
    return false;
}

static bool has_evidence(const trib_config *config) {
    return trib_method_of_evidence(config) != NULL;
}

static bool has_parallels(const trib_config *config) {
    return config->parallels.unit != TRIB_UNIT_NONE;
}

static bool chooses_candidates(const trib_config *config) {
    return trib_config_candidates(config) > 0;
}

static bool has_candidates(const trib_run *run) { return run->corpus.candidates.most > 0; }

static trib_status do_corpus(trib_run *run, trib_error *error) {
    const trib_config *config = run->env.config;
    const bool chooses = config->tokens.transform && !trib_config_transform(config);
    const bool may_join = config->corpus.join_hyphens == TRIB_JOIN_AUTO;
    trib_status status = trib_stage_corpus(&run->env, &run->corpus, error);
    if (chooses || may_join)
        snprintf(run->corpus.asked, sizeof run->corpus.asked, "%s%s%s", run->corpus.hash,
                 chooses ? "t" : "", may_join ? "j" : "");
    return status == TRIB_OK ? trib_corpus_find_sources(&run->env, &run->corpus, error) : status;
}

/* Reports the documents in which words were joined by `join_hyphens: auto`. */
static trib_status list_joined(trib_run *run, trib_error *error) {
    trib_taken *taken = &run->words.taken;
    const char *first = NULL;
    uint64_t n_words = 0;
    TRIB_OWNED(trib_buffer) text = {0};
    for (uint32_t d = 0; d < run->corpus.n_documents; d++) {
        n_words += run->words.document[d].n_divided;
        if (run->words.document[d].n_divided == 0) continue;
        if (taken->n_joined++ == 0) first = run->corpus.document[d].about->id;
    }
    if (!first) return TRIB_OK;
    trib_buffer_print(&text, error,
                      "corpus.join_hyphens: %llu words divided at line ends are "
                      "joined in %s",
                      (unsigned long long)n_words, first);
    if (taken->n_joined > 1)
        trib_buffer_print(&text, error, " and %u more", (unsigned)(taken->n_joined - 1));
    trib_buffer_print(&text, error, "; `corpus.join_hyphens: false` undoes it");
    trib_status status = text.failure;
    return status == TRIB_OK ? trib_taken_say(taken, text.text, error) : status;
}

/* Reports what `equivalence: plain` has made the same in words. */
static trib_status list_plain(trib_run *run, trib_error *error) {
    static const char *const what[] = {"invisible characters left out", "apostrophes made one",
                                       "hyphens made one", "line ends or spaces within words"};
    uint64_t n[4] = {0};
    TRIB_OWNED(trib_buffer) text = {0};
    for (uint32_t d = 0; d < run->corpus.n_documents; d++) {
        const trib_token_counts *one = &run->words.document[d].counts;
        const uint64_t of_one[] = {one->n_unseen, one->n_apostrophes, one->n_hyphens,
                                   one->n_joined};
        for (size_t i = 0; i < 4; i++) n[i] += of_one[i];
    }
    for (size_t i = 0; i < 4; i++)
        if (n[i] > 0)
            trib_buffer_print(
                &text, error, "%s %llu %s",
                text.length > 0 ? "," : "tokens.equivalence:", (unsigned long long)n[i], what[i]);
    if (text.length > 0) trib_buffer_print(&text, error, "; `tokens.equivalence: none` undoes it");
    trib_status status = text.failure;
    if (status == TRIB_OK && text.length > 0)
        status = trib_taken_say(&run->words.taken, text.text, error);
    return status;
}

/* Gives the stages that follow the configuration with what was chosen for `auto`, counts the words
 * again if it changes them, and writes the files anew that say so. */
static trib_status settle(trib_run *run, trib_error *error) {
    const trib_taken *taken = &run->words.taken;
    trib_status status = list_joined(run, error);
    if (status == TRIB_OK) status = list_plain(run, error);
    if (status == TRIB_OK) status = trib_notice(&run->corpus, &run->words, error);
    for (size_t i = 0; i < taken->n; i++)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "%s", taken->line[i]);
    if (status != TRIB_OK || taken->n == 0) return status;
    status = trib_run_choose(run, error);
    if (status != TRIB_OK) return status;
    run->chosen->corpus.has_joined = taken->n_joined > 0;
    if (taken->transform) run->chosen->tokens.transform = taken->transform;
    status = trib_config_hash(run->chosen, error);
    if (status == TRIB_OK) status = trib_corpus_hash(run->chosen, &run->corpus, error);
    if (status == TRIB_OK && taken->transform)
        status =
            trib_tokens_count_again(&run->env, &run->corpus, &run->words, &run->word_counts, error);
    if (status != TRIB_OK || !run->directory.is_open) return status;
    return trib_files_of_corpus(&run->directory, error);
}

static trib_status do_tokens(trib_run *run, trib_error *error) {
    const trib_words_source cached = trib_cached_words(run);
    run->word_counts.most_words = run->most_words;
    run->word_counts.runs.is_named = run->comm.size > 1;
    trib_status status = trib_stage_tokens(&run->env, &run->corpus, run->cache ? &cached : NULL,
                                           &run->words, &run->word_counts, error);
    if (status == TRIB_OK) status = settle(run, error);
    return status == TRIB_OK ? trib_run_finish_rejected(run, error) : status;
}

/* Reads the lists that later stages need, so that a mistake in them ends a run at once. */
static trib_status check_lists(const trib_run *run, trib_error *error) {
    const trib_config *config = run->env.config;
    TRIB_OPENED(trib_stop_phrases) commonplaces = {0};
    trib_status status = trib_lemmas_check(config, error);
    return status == TRIB_OK ? trib_stop_phrases_open(&commonplaces, config, &run->vocab,
                                                      run->corpus.n_documents, error)
                             : status;
}

static trib_status do_vocabulary(trib_run *run, trib_error *error) {
    trib_status status =
        trib_stage_vocabulary(&run->env, &run->words, &run->word_counts, &run->vocab, error);
    const trib_config *config = run->env.config;
    if (status == TRIB_OK)
        status = trib_count_alone(&run->words, &run->vocab, run->comm.rank, error);
    if (status == TRIB_OK) status = check_lists(run, error);
    const bool is_printed = status == TRIB_OK && run->cache && has_parallels(config);
    return is_printed ? trib_cached_print_lexicon(run, error) : status;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static uint64_t n_tokens(const void *run, uint32_t d) {
    return ((const trib_run *)run)->words.document[d].n_tokens;
}

static void forget_counts(void *run, uint32_t d) {
    trib_counts_release(&((trib_run *)run)->tensors.document[d]);
}

/* Counts a document, writes its tensor, and keeps it for the later stages, if there are any. */
static trib_status count_document(void *context, uint32_t d, int n_threads, trib_progress progress,
                                  trib_error *error) {
    trib_run *run = context;
    const trib_environment *env = &run->env;
    trib_counts *counts = &run->tensors.document[d];
    const bool in_order = !run->tensors_are_last && trib_config_wants_order(env->config);
    (void)n_threads;
    (void)progress;
    trib_status status = trib_tensors_count(&run->texts, in_order, d, counts, error);
    if (status == TRIB_OK && run->directory.is_open)
        status = trib_files_of_tensor(&run->directory, d, counts, &run->vocab, error);
    const bool is_shared = env->comm->size > 1;
    if (run->tensors_are_last && !is_shared) trib_counts_release(counts);
    else if (status == TRIB_OK)
        status = trib_tensors_spill(&run->tensors, d, is_shared ? 1 : run->spill_beyond, is_shared,
                                    env->scratch, error);
    return status;
}

/* Rank 0 writes the tensors that other ranks counted. */
static trib_status write_tensor(void *context, size_t d, trib_error *error) {
    trib_run *run = context;
    if (run->tensors.owner[d] == 0 || !run->env.config->report.tensors) return TRIB_OK;
    trib_status status = trib_counts_hold(&run->tensors, (uint32_t)d, error);
    if (status != TRIB_OK) return status;
    status = trib_files_of_tensor(&run->directory, (uint32_t)d, &run->tensors.document[d],
                                  &run->vocab, error);
    trib_counts_drop(&run->tensors, (uint32_t)d);
    return status;
}

static void report_spilled(const trib_run *run) {
    const trib_tensors *tensors = &run->tensors;
    const bool is_shared = run->comm.size > 1;
    if (tensors->n_spilled == 0) return;
    trib_log_say(run->env.log, TRIB_LOG_INFO,
                 "tensors: %s; %u of %u lie in a scratch file of %.0f MiB in %s%s",
                 chooses_candidates(run->env.config) ? "not kept in memory, as there are many"
                 : is_shared                         ? "read by all processes"
                                                     : "more than a quarter of the memory",
                 tensors->n_spilled, tensors->n_documents,
                 (double)tensors->spill.writer.n_written / 1048576, run->env.scratch,
                 is_shared ? ", the rest in those of the other processes" : "");
}

/* Until candidates are chosen, every document is read in turn, so unpacked counts are of little use
 * later: they may take this fraction of the memory that they may take afterwards. */
enum { FEW_REST = 16 };

/* Each rank counts the documents that it read. */
static trib_status count_documents(trib_run *run, trib_status status, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    const trib_workers workers = trib_environment_workers(&run->env);
    trib_tensors *tensors = &run->tensors;
    if (status == TRIB_OK)
        status = trib_tensors_init(tensors, n, run->env.config->tensor.skip > 0, error);
    tensors->is_packed = trib_counts_are_packed(run->env.config);
    if (status == TRIB_OK) tensors->resting->most = run->most_resting / FEW_REST;
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++)
        tensors->owner[d] = run->words.document[d].rank;
    const trib_part_row documents = {
        .work = count_document, .size = n_tokens, .forget = forget_counts, .owner = tensors->owner};
    status = trib_share_words(&run->comm, status, &run->words, run->env.scratch, error);
    status = trib_parts_do(&workers, status, n, &documents, run, error);
    status = trib_share_tensors(&run->env, status, tensors, error);
    if (status == TRIB_OK && run->comm.size > 1 && run->directory.is_open)
        status = trib_tasks_do(&workers, n, write_tensor, run, error);
    if (status == TRIB_OK) trib_tensors_finish(tensors, &run->words);
    report_spilled(run);
    return status;
}

static trib_status do_tensors(trib_run *run, trib_error *error) {
    const bool writes = run->directory.is_open && run->env.config->report.tensors;
    const bool are_needed = run->cache && !run->tensors_are_last;
    bool is_known = false;
    trib_status status = trib_run_begin_findings(run, error);
    if (status == TRIB_OK && run->is_dry && run->cache && !chooses_candidates(run->env.config))
        status = trib_cached_take_all(run, &trib_cached_tensors, &is_known, error);
    if (is_known) return status; /* the report of the dry run needs no counts */
    if (status == TRIB_OK && writes)
        status = trib_directory_make(&run->directory, "tensors", error);
    status = count_documents(run, status, error);
    return are_needed ? trib_cached_parts(run, status, &trib_cached_tensors, error) : status;
}

/* Warns about documents that are nearly the same text. `status` as in comm.h. */
static trib_status find_near(trib_run *run, trib_status status, trib_error *error) {
    TRIB_FREED(trib_near *) pair = NULL;
    size_t n = 0;
    status = trib_near_duplicates_list(&run->env, status, &run->tensors, run->vocab.other, &pair,
                                       &n, error);
    return status == TRIB_OK ? trib_near_duplicates_warn(&run->env, &run->corpus, pair, n, error)
                             : status;
}

/* Formulas are found here, too: with candidates, the keys of the cache depend on them. */
static trib_status do_candidates(trib_run *run, trib_error *error) {
    const trib_measure_inputs measured = trib_run_inputs(run);
    trib_status status = trib_stage_candidates(&run->texts, &run->corpus, error);
    status = find_near(run, status, error);
    status = trib_corpus_index_build(&measured, status, error);
    run->tensors.resting->most = run->most_resting;
    return status;
}

static trib_status do_factors(trib_run *run, trib_error *error) {
    const trib_checkpoints checkpoints = trib_run_checkpoints(run);
    trib_status status = TRIB_OK;
    if (run->env.config->cp.single)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "%s", TRIB_SINGLE_NOTE);
    if (trib_config_starts_from_corpus(run->env.config))
        status = trib_decompose_corpus(&run->env, &run->tensors, &run->vocab, &checkpoints,
                                       &run->corpus_factors, error);
    status = trib_cached_parts(run, status, &trib_cached_factors, error);
    trib_ktensor_release(&run->corpus_factors);
    if (status == TRIB_OK && checkpoints.directory)
        status = trib_checkpoints_remove(checkpoints.directory, error);
    return status == TRIB_OK ? trib_decompositions_warn(&run->env, run->corpus.n_documents,
                                                        run->decomposition, error)
                             : status;
}

static trib_status do_distances(trib_run *run, trib_error *error) {
    const trib_status status =
        trib_distances_begin(&run->distances, &run->tensors, run->decomposition, error);
    return trib_cached_measure_distances(run, status, error);
}

/* With candidates, the shares of a target are explained at once. */
static trib_status do_influence(trib_run *run, trib_error *error) {
    const trib_measure_inputs inputs = trib_run_inputs(run);
    const bool explains = has_candidates(run) && has_evidence(run->env.config);
    trib_status status = TRIB_OK;
    if (!has_candidates(run)) { /* otherwise stage candidates has done it */
        status = find_near(run, status, error);
        status = trib_corpus_index_build(&inputs, status, error);
    }
    status = trib_run_targets(run, status, true, explains, error);
    trib_corpus_index_forget_orders(&run->index);
    trib_counts_forget(&run->tensors);
    trib_memory_trim();
    return status == TRIB_OK && run->comm.rank == 0 /* it has the shares of all targets */
               ? trib_shares_warn(&run->env, &run->corpus, run->shares, error)
               : status;
}

static trib_status do_evidence(trib_run *run, trib_error *error) {
    const trib_status status =
        has_candidates(run) ? TRIB_OK : trib_run_targets(run, TRIB_OK, false, true, error);
    trib_corpus_index_forget_orders(&run->index);
    return status;
}

static trib_status do_parallels(trib_run *run, trib_error *error) {
    trib_status status = TRIB_NEW(&run->allusions, run->corpus.n_targets, "the targets", error);
    if (status == TRIB_OK)
        status = trib_allusion_search_open(&run->search, &run->env, &run->corpus, &run->words,
                                           &run->vocab, error);
    status = trib_cached_parts(run, status, &trib_cached_parallels, error);
    trib_allusion_search_close(&run->search);
    return status;
}

/* ---- The table ------------------------------------------------------------------------------- */

const trib_stage_row trib_stage_rows[] = {
    {"corpus", "hash the documents, choose targets and admissible sources", NULL, NULL, do_corpus,
     true, "the contents of the files decide which cached results are valid"},
    {"tokens", "cut every text into words, once", NULL, NULL, do_tokens, true, NULL},
    {"vocabulary", "number the words, commonest first", NULL, NULL, do_vocabulary, true,
     "it depends on all texts together"},
    {"tensors", "count every document's n-grams into HaCOO", NULL, NULL, do_tensors, true, NULL},
    {"candidates", "choose the sources worth measuring in a large corpus", NULL, chooses_candidates,
     do_candidates, true, "the sources of a target depend on all texts together"},
    {"factors", "decompose every document's tensor", "no method asked for needs factors",
     needs_factors, do_factors, false, NULL},
    {"distances", "measure the L1 distance between factors", "no method asked for needs factors",
     needs_factors, do_distances, false, NULL},
    {"influence", "share of every target explained by every source", NULL, NULL, do_influence,
     false, NULL},
    {"evidence", "the phrases behind every share", "no method asked for gives evidence",
     has_evidence, do_evidence, false, NULL},
    {"parallels", "rank possible allusions", NULL, has_parallels, do_parallels, false, NULL},
    {"report", "write the run directory", NULL, NULL, trib_run_report, false,
     "it depends on all texts together"},
    {NULL, NULL, NULL, NULL, NULL, false, NULL},
};

trib_status trib_run_stage(trib_run *run, const char *name, trib_error *error) {
    const trib_stage_row *row = trib_stage_rows;
    while (row->name && strcmp(row->name, name) != 0) row++;
    return row->name ? row->work(run, error)
                     : trib_fail(error, TRIB_INTERNAL, "no stage '%s'", name);
}
