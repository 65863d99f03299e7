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

#include <string.h>

#include "pipeline/allusions/allusions.h"
#include "pipeline/output/files.h"
#include "pipeline/output/stop_phrases.h"
#include "pipeline/run/base.h"
#include "pipeline/run/cached.h"
#include "pipeline/run/ready.h"
#include "pipeline/run/rejected.h"
#include "pipeline/run/report_stage.h"
#include "pipeline/run/shared_language.h"
#include "pipeline/run/shared_tensors.h"
#include "pipeline/stages/packed_counts.h"
#include "pipeline/stages/shared_words.h"

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
    trib_status status = trib_stage_corpus(&run->env, &run->corpus, error);
    if (status == TRIB_OK) status = trib_base_open(run, error);
    return status == TRIB_OK ? trib_corpus_find_sources(&run->env, &run->corpus, error) : status;
}

static trib_status do_tokens(trib_run *run, trib_error *error) {
    const trib_words_source cached = trib_cached_words(run);
    run->word_counts.most_words = run->most_words;
    run->word_counts.runs.is_named = run->comm.size > 1;
    trib_status status = trib_ready_take(run, error);
    if (status == TRIB_OK && !run->ready.is_taken)
        status = trib_stage_tokens(&run->env, &run->corpus, run->cache ? &cached : NULL,
                                   &run->words, &run->word_counts, error);
    return status == TRIB_OK ? trib_run_finish_rejected(run, error) : status;
}

/* Reads the lists that later stages need, so that a mistake in them ends a run at once. */
static trib_status check_lists(const trib_run *run, trib_error *error) {
    const trib_config *config = run->env.config;
    trib_stop_phrases commonplaces = {0};
    trib_status status = trib_lemmas_check(config, error);
    if (status == TRIB_OK)
        status = trib_stop_phrases_open(&commonplaces, config, &run->vocab, run->corpus.n_documents,
                                        error);
    trib_stop_phrases_close(&commonplaces);
    return status;
}

static trib_status do_vocabulary(trib_run *run, trib_error *error) {
    if (run->ready.is_taken) return check_lists(run, error);
    trib_status status =
        trib_stage_vocabulary(&run->env, &run->words, &run->word_counts, &run->vocab, error);
    const trib_config *config = run->env.config;
    if (status == TRIB_OK) status = check_lists(run, error);
    const bool is_printed =
        status == TRIB_OK && run->cache && (has_parallels(config) || config->influence.close);
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
    const trib_tensors_inputs inputs = {env, &run->corpus, &run->words, &run->vocab,
                                        !run->tensors_are_last &&
                                            trib_config_wants_order(env->config)};
    (void)n_threads;
    (void)progress;
    trib_status status = trib_tensors_count(&inputs, d, counts, error);
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

/* Until candidates are chosen, every document is read in turn, so unpacked counts are of little use
 * later: they may take this fraction of the memory that they may take afterwards. */
enum { FEW_REST = 16 };

/* Each rank counts the documents that it read. */
static trib_status count_documents(trib_run *run, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    const trib_workers workers = trib_environment_workers(&run->env);
    trib_tensors *tensors = &run->tensors;
    trib_status status = trib_tensors_init(tensors, n, run->env.config->tensor.skip > 0, error);
    tensors->is_packed = trib_counts_are_packed(run->env.config);
    if (status == TRIB_OK) tensors->resting->most = run->most_resting / FEW_REST;
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++)
        tensors->owner[d] = run->words.document[d].rank;
    status = trib_comm_agree(&run->comm, status, error);
    const trib_part_row documents = {
        .work = count_document, .size = n_tokens, .forget = forget_counts, .owner = tensors->owner};
    if (status == TRIB_OK)
        status = trib_share_words(&run->comm, &run->words, run->env.scratch, error);
    if (status == TRIB_OK) status = trib_parts_do(&workers, n, &documents, run, error);
    if (status == TRIB_OK) status = trib_share_tensors(&run->env, tensors, error);
    if (status == TRIB_OK && run->comm.size > 1 && run->directory.is_open)
        status = trib_tasks_do(&workers, n, write_tensor, run, error);
    if (status == TRIB_OK) trib_tensors_finish(tensors, &run->words);
    if (tensors->n_spilled > 0)
        trib_log_say(run->env.log, TRIB_LOG_INFO,
                     "tensors: %s; %u of %u lie in a scratch file of %.0f MiB in %s%s",
                     trib_config_candidates(run->env.config) > 0
                         ? "not kept in memory, as there are many"
                     : run->comm.size > 1 ? "read by all processes"
                                          : "more than a quarter of the memory",
                     tensors->n_spilled, tensors->n_documents,
                     (double)tensors->spill.writer.n_written / 1048576, run->env.scratch,
                     run->comm.size > 1 ? ", the rest in those of the other processes" : "");
    return status;
}

static trib_status do_tensors(trib_run *run, trib_error *error) {
    const bool writes = run->directory.is_open && run->env.config->report.tensors;
    bool is_known = false;
    trib_status status = trib_run_begin_findings(run, error);
    if (status == TRIB_OK && run->ready.is_taken) return trib_ready_tensors(run, error);
    if (status == TRIB_OK && run->is_dry && run->cache && !chooses_candidates(run->env.config))
        status = trib_cached_take_all(run, &trib_cached_tensors, &is_known, error);
    if (is_known) return status; /* the report of the dry run needs no counts */
    if (status == TRIB_OK && writes)
        status = trib_directory_make(&run->directory, "tensors", error);
    status = trib_comm_agree(&run->comm, status, error);
    if (status == TRIB_OK) status = count_documents(run, error);
    status = trib_comm_agree(&run->comm, status, error);
    const bool are_needed = run->cache && !run->tensors_are_last;
    return status == TRIB_OK && are_needed ? trib_cached_parts(run, &trib_cached_tensors, error)
                                           : status;
}

/* Formulas are found here, too: with candidates, the keys of the cache depend on them. */
static trib_status do_candidates(trib_run *run, trib_error *error) {
    const trib_candidates_inputs inputs = {&run->env, &run->words, &run->vocab, &run->tensors};
    const trib_measure_inputs measured = trib_run_inputs(run);
    trib_status status =
        run->ready.is_taken
            ? trib_ready_candidates(run, error)
            : trib_stage_candidates(&inputs, &run->corpus,
                                    run->ready.is_possible ? &run->ready.made : NULL, error);
    if (status == TRIB_OK) status = trib_ready_pairs(run, error);
    status = trib_comm_agree(&run->comm, status, error);
    if (status == TRIB_OK) status = trib_corpus_index_build(&measured, error);
    run->tensors.resting->most = run->most_resting;
    return status == TRIB_OK ? trib_ready_put(run, error) : status;
}

/* ---- Factors and distances ------------------------------------------------------------------- */

static trib_status do_factors(trib_run *run, trib_error *error) {
    const trib_checkpoints checkpoints = trib_run_checkpoints(run);
    trib_status status = TRIB_OK;
    if (run->env.config->cp.single)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "%s", TRIB_SINGLE_NOTE);
    if (trib_config_starts_from_corpus(run->env.config))
        status = trib_decompose_corpus(&run->env, &run->tensors, &run->vocab, &checkpoints,
                                       &run->corpus_factors, error);
    status = trib_comm_agree(&run->comm, status, error);
    if (status == TRIB_OK) status = trib_cached_parts(run, &trib_cached_factors, error);
    trib_ktensor_release(&run->corpus_factors);
    if (status == TRIB_OK && checkpoints.directory)
        status = trib_checkpoints_remove(checkpoints.directory, error);
    return status == TRIB_OK ? trib_decompositions_warn(&run->env, run->corpus.n_documents,
                                                        run->decomposition, error)
                             : status;
}

static trib_status do_distances(trib_run *run, trib_error *error) {
    trib_status status =
        trib_distances_begin(&run->distances, &run->tensors, run->decomposition, error);
    status = trib_comm_agree(&run->comm, status, error);
    return status == TRIB_OK ? trib_cached_measure_distances(run, error) : status;
}

/* ---- Influence and evidence ------------------------------------------------------------------ */

static uint64_t target_size(const void *context, uint32_t t) {
    const trib_run *run = context;
    return run->tensors.document[run->corpus.target[t].document].n_ngrams;
}

static trib_status measure_target(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                                  trib_error *error) {
    const trib_config *config = run->env.config;
    const uint32_t n_methods = config->influence.n_methods;
    trib_status status = trib_shares_init(&run->shares[t], config, error);
    for (uint32_t i = 0; i < n_methods && status == TRIB_OK; i++)
        status = trib_cached_part(run, &trib_cached_influence, t * n_methods + i, n_threads,
                                  progress, error);
    if (status == TRIB_OK) trib_shares_finish(&run->shares[t], config, &run->corpus);
    return status;
}

/* A background is large, so it is released at once. */
static trib_status measure_shares(void *context, uint32_t t, int n_threads, trib_progress progress,
                                  trib_error *error) {
    trib_run *run = context;
    const trib_status status = measure_target(run, t, n_threads, progress, error);
    trib_background_release(&run->background[t]);
    return status;
}

static void forget_shares(void *run, uint32_t t) {
    trib_shares_release(&((trib_run *)run)->shares[t]);
}

/* The ranks exchange what the cache stores of a target's methods. Evidence needs more than that,
 * but both stages assign the targets to the same ranks, so the rank that needs the rest has it
 * already. */
static void pack_shares(const void *context, uint32_t t, trib_pack *out) {
    const trib_run *run = context;
    const uint32_t n_methods = run->env.config->influence.n_methods;
    for (uint32_t i = 0; i < n_methods; i++)
        trib_cached_influence.pack(run, t * n_methods + i, out);
}

static trib_status unpack_shares(void *context, uint32_t t, trib_unpack *in, trib_error *error) {
    trib_run *run = context;
    const trib_config *config = run->env.config;
    const uint32_t n_methods = config->influence.n_methods;
    trib_status status = trib_shares_init(&run->shares[t], config, error);
    for (uint32_t i = 0; i < n_methods && status == TRIB_OK; i++)
        status = trib_cached_influence.unpack(run, t * n_methods + i, in, error);
    if (status == TRIB_OK && !in->is_wrong)
        trib_shares_finish(&run->shares[t], config, &run->corpus);
    return status;
}

/* With more targets, their findings are moved to a scratch file. */
enum { FEW_TARGETS = 40 };

/* Moves what was measured of a target out of memory. */
static trib_status rest_shares(trib_run *run, uint32_t t, trib_error *error) {
    return trib_shares_spill(&run->shares[t], &run->findings_spill, run->env.scratch, error);
}

/* Completes the findings of a target, which no later stage changes. */
static trib_status finish_findings(trib_run *run, uint32_t t, trib_error *error) {
    const trib_measure_inputs inputs = trib_run_inputs(run);
    trib_findings *findings = &run->findings[t];
    const trib_status status = trib_findings_finish(&inputs, t, &run->shares[t], findings, error);
    return status == TRIB_OK && (has_candidates(run) || run->corpus.n_targets > FEW_TARGETS)
               ? trib_findings_spill(findings, &run->findings_spill, run->env.scratch, error)
               : status;
}

static trib_status find_evidence(void *context, uint32_t t, int n_threads, trib_progress progress,
                                 trib_error *error) {
    trib_run *run = context;
    trib_status status =
        trib_cached_part(run, &trib_cached_evidence, t, n_threads, progress, error);
    if (status == TRIB_OK) status = finish_findings(run, t, error);
    trib_background_release(&run->background[t]);
    return status;
}

static void forget_findings(void *run, uint32_t t) { trib_cached_evidence.forget(run, t); }

static void pack_findings(const void *run, uint32_t t, trib_pack *out) {
    trib_cached_evidence.pack(run, t, out);
}

/* Only rank 0, which writes the files, needs the findings of the other ranks. */
static trib_status unpack_findings(void *context, uint32_t t, trib_unpack *in, trib_error *error) {
    trib_run *run = context;
    const trib_status status = trib_cached_evidence.unpack(run, t, in, error);
    return status == TRIB_OK && !in->is_wrong ? finish_findings(run, t, error) : status;
}

/* ---- Targets as a whole ---------------------------------------------------------------------- */

/* With candidates, a target's evidence is found as soon as its shares are measured, and nothing
 * large outlives it. */
static trib_status measure_and_explain(void *context, uint32_t t, int n_threads,
                                       trib_progress progress, trib_error *error) {
    trib_run *run = context;
    const trib_target *target = &run->corpus.target[t];
    trib_status status = trib_counts_hold_all(&run->tensors, target->document, target->source,
                                              target->n_sources, error);
    if (status != TRIB_OK) return status;
    status = measure_target(run, t, n_threads, progress, error);
    if (status == TRIB_OK && has_evidence(run->env.config))
        status = trib_cached_part(run, &trib_cached_evidence, t, n_threads, progress, error);
    if (status == TRIB_OK) status = finish_findings(run, t, error);
    if (status == TRIB_OK) status = rest_shares(run, t, error);
    trib_background_release(&run->background[t]);
    trib_target_index_release(&run->index, t);
    trib_counts_drop_all(&run->tensors, target->document, target->source, target->n_sources);
    trib_tensors_rest(&run->tensors);
    return status;
}

static void forget_target(void *run, uint32_t t) {
    forget_shares(run, t);
    forget_findings(run, t);
}

static void pack_target(const void *context, uint32_t t, trib_pack *out) {
    const trib_run *run = context;
    const uint32_t d = run->corpus.target[t].document;
    pack_shares(run, t, out);
    if (!has_evidence(run->env.config) ||
        trib_counts_hold(&run->tensors, d, &out->failure) != TRIB_OK)
        return;
    pack_findings(run, t, out);
    trib_counts_drop(&run->tensors, d);
}

static trib_status unpack_target(void *context, uint32_t t, trib_unpack *in, trib_error *error) {
    trib_run *run = context;
    const uint32_t d = run->corpus.target[t].document;
    trib_status status = unpack_shares(run, t, in, error);
    if (status == TRIB_OK && has_evidence(run->env.config)) {
        status = trib_counts_hold(&run->tensors, d, error);
        if (status != TRIB_OK) return status;
        status = unpack_findings(run, t, in, error);
        trib_counts_drop(&run->tensors, d);
    }
    return status == TRIB_OK && !in->is_wrong ? rest_shares(run, t, error) : status;
}

static const trib_part_row whole_targets = {.work = measure_and_explain,
                                            .size = target_size,
                                            .forget = forget_target,
                                            .pack = pack_target,
                                            .unpack = unpack_target,
                                            .is_for_root = true};

static trib_status do_influence(trib_run *run, trib_error *error) {
    static const trib_part_row targets = {.work = measure_shares,
                                          .size = target_size,
                                          .forget = forget_shares,
                                          .pack = pack_shares,
                                          .unpack = unpack_shares};
    const trib_measure_inputs inputs = trib_run_inputs(run);
    trib_status status = TRIB_OK;
    if (!has_candidates(run)) { /* otherwise stage candidates has done it */
        status = trib_comm_agree(&run->comm, trib_ready_pairs(run, error), error);
        if (status == TRIB_OK) status = trib_corpus_index_build(&inputs, error);
    }
    status = trib_comm_agree(&run->comm, status, error);
    if (status == TRIB_OK)
        status = trib_run_targets(run, &trib_cached_influence,
                                  has_candidates(run) ? &whole_targets : &targets, error);
    trib_corpus_index_forget_orders(&run->index);
    trib_counts_forget(&run->tensors);
    trib_memory_trim();
    return status == TRIB_OK && run->comm.rank == 0 /* it has the shares of all targets */
               ? trib_shares_warn(&run->env, &run->corpus, run->shares, error)
               : status;
}

static trib_status do_evidence(trib_run *run, trib_error *error) {
    static const trib_part_row targets = {.work = find_evidence,
                                          .size = target_size,
                                          .forget = forget_findings,
                                          .pack = pack_findings,
                                          .unpack = unpack_findings,
                                          .is_for_root = true};
    const trib_status status = has_candidates(run)
                                   ? TRIB_OK /* found together with the shares */
                                   : trib_run_targets(run, &trib_cached_evidence, &targets, error);
    trib_corpus_index_forget_orders(&run->index);
    return trib_comm_agree(&run->comm, status, error);
}

/* ---- Parallels ------------------------------------------------------------------------------- */

static trib_status do_parallels(trib_run *run, trib_error *error) {
    trib_status status = trib_new(&run->allusions, run->corpus.n_targets, sizeof *run->allusions,
                                  "the targets", error);
    if (status == TRIB_OK)
        status = trib_allusion_search_open(&run->search, &run->env, &run->corpus, &run->words,
                                           &run->vocab, error);
    status = trib_comm_agree(&run->comm, status, error);
    if (status == TRIB_OK) status = trib_cached_parts(run, &trib_cached_parallels, error);
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
