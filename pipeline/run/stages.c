/* stages.c - the program on one page: the table of stages, and the loop over it. */
#include "pipeline/run/run.h"

#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/output/directory.h"
#include "pipeline/output/files.h"
#include "pipeline/run/checkpoints.h"
#include "pipeline/run/estimate.h"
#include "pipeline/run/rejected.h"
#include "pipeline/store/cached.h"
#include "pipeline/support/json.h"
#include "pipeline/support/memory_limit.h"

static bool needs_factors(const trib_run *run) {
    for (uint32_t i = 0; i < run->config->influence.n_methods; i++)
        if (run->config->influence.method[i]->needs_factors) return true;
    return false;
}

static bool has_evidence(const trib_run *run) {
    for (uint32_t i = 0; i < run->config->influence.n_methods; i++)
        if (run->config->influence.method[i]->has_evidence) return true;
    return false;
}

const trib_stage_row trib_stage_rows[] = {
    {"corpus", "hash the documents, choose targets and admissible sources", NULL, NULL,
     trib_stage_corpus, true, "the contents of the files decide which cached results are valid"},
    {"tokens", "cut every text into words, once", NULL, NULL, trib_stage_tokens, true, NULL},
    {"vocabulary", "number the words, commonest first", NULL, NULL, trib_stage_vocabulary, true,
     "it depends on all texts together"},
    {"tensors", "count every document's n-grams into HaCOO", NULL, NULL, trib_stage_tensors, true,
     NULL},
    {"factors", "decompose every document's tensor", "no method asked for needs factors",
     needs_factors, trib_stage_factors, false, NULL},
    {"distances", "measure the L1 distance between factors", "no method asked for needs factors",
     needs_factors, trib_stage_distances, false, NULL},
    {"influence", "share of every target explained by every source", NULL, NULL,
     trib_stage_influence, false, NULL},
    {"evidence", "the phrases behind every share", "no method asked for gives evidence",
     has_evidence, trib_stage_evidence, false, NULL},
    {"report", "write the run directory", NULL, NULL, trib_stage_report, false,
     "it depends on all texts together"},
    {NULL, NULL, NULL, NULL, NULL, false, NULL},
};

trib_status trib_run_warn(trib_run *run, trib_error *error, const char *format, ...) {
    trib_error text = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text.message, sizeof text.message, format, arguments);
    va_end(arguments);
    trib_status status = trib_grow(&run->warning, &run->warning_cap, run->n_warnings + 1,
                                   sizeof *run->warning, "warnings", error);
    if (status == TRIB_OK)
        status = trib_copy_text(&run->warning[run->n_warnings], text.message, strlen(text.message),
                                error);
    if (status != TRIB_OK) return status;
    run->n_warnings++;
    trib_log_say(run->log, TRIB_LOG_WARNING, "%s", text.message);
    return TRIB_OK;
}

static bool is_before(const char *stage, const char *bound) {
    for (const trib_stage_row *row = trib_stage_rows; row->name && strcmp(row->name, bound) != 0;
         row++)
        if (strcmp(row->name, stage) == 0) return true;
    return false;
}

/* What a dry run says of a stage. What it keeps is known by the n-grams of the texts: with a cache they are read and
 * counted, which takes a second for a million words. */
static trib_status tell(trib_run *run, const trib_stage_row *row, trib_error *error) {
    const bool has_reason = run->cache && row->why_anew;
    bool is_kept = false;
    trib_status status = TRIB_OK;
    for (const trib_cached_row *const *kept = trib_cached_rows; run->cache && *kept; kept++) {
        const char *stage = (*kept)->within ? (*kept)->within : (*kept)->stage;
        if (status != TRIB_OK || strcmp(stage, row->name) != 0) continue;
        status = trib_cached_report(run, *kept, error);
        is_kept = true;
    }
    if (!is_kept)
        trib_log_say(run->log, TRIB_LOG_INFO, "%s: to do: %s%s%s%s", row->name, row->help,
                     has_reason ? " (never cached: " : "", has_reason ? row->why_anew : "",
                     has_reason ? ")" : "");
    return status == TRIB_OK && run->cache && row->is_before_kept ? row->work(run, error) : status;
}

static void tell_taken(trib_run *run, const char *stage) {
    unsigned n_asked = 0, n_found = 0;
    const trib_cached_row *const *kept = trib_cached_rows;
    if (!run->cache) return;
    trib_cache_tally(run->cache, &n_asked, &n_found);
    run->n_taken += n_found;
    while (*kept && strcmp((*kept)->stage, stage) != 0) kept++;
    const char *note = *kept ? (*kept)->note : NULL;
    if (n_found > 0)
        trib_log_say(run->log, note ? TRIB_LOG_DEBUG : TRIB_LOG_INFO,
                     "%s: %u of %u taken from the cache%s%s%s", stage, n_found, n_asked,
                     note ? " (" : "", note ? note : "", note ? ")" : "");
}

/* Rank 0 opens it; all know whether there is anything to do. */
static trib_status open_directory(trib_run *run, const trib_run_options *options, bool *complete,
                                  trib_error *error) {
    trib_status status = TRIB_OK;
    if (run->team.rank == 0) status = trib_directory_open(run, options, complete, error);
    if (status == TRIB_OK && *complete) status = trib_checkpoints_forget(run, error);
    status = trib_comm_agree(&run->team, status, error);
    trib_comm_share(&run->team, 0, complete, sizeof *complete);
    return status;
}

/* What would pass resources.memory is refused before anything is computed or written. */
static trib_status check_memory(const trib_run *run, trib_error *error) {
    const uint64_t most = run->config->resources.memory;
    trib_estimate estimate;
    uint64_t *n_bytes = NULL;
    if (most == 0 || run->n_documents != run->config->corpus.n_documents) return TRIB_OK;
    trib_status status = trib_new(&n_bytes, run->n_documents, sizeof *n_bytes, "sizes", error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < run->n_documents; d++) n_bytes[d] = run->document[d].n_bytes;
    trib_estimate_make(&estimate, run->config, n_bytes);
    trib_free(n_bytes);
    if (estimate.memory <= (double)most) return TRIB_OK;
    return trib_fail(error, TRIB_MEMORY,
                     "this run would take about %.0f MiB, more than resources.memory allows (%.0f "
                     "MiB); raise it, or choose a smaller cp.rank or vocabulary.size, or methods "
                     "that need less (`tributary check` shows the estimate)",
                     estimate.memory / 1048576, (double)most / 1048576);
}

static trib_status work_through(trib_run *run, const trib_run_options *options, trib_error *error) {
    trib_status status = TRIB_OK;
    for (const trib_stage_row *row = trib_stage_rows; row->name && status == TRIB_OK; row++) {
        if (options->until && is_before(options->until, row->name)) break;
        if (row->is_needed && !row->is_needed(run)) {
            trib_log_say(run->log, TRIB_LOG_INFO, "%s: skipped, %s", row->name, row->why_not);
            continue;
        }
        if (options->dry_run) {
            status = tell(run, row, error);
            if (status == TRIB_OK && *run->hash && row->work == trib_stage_corpus) {
                bool complete = false;
                status = trib_directory_look(run, options, &complete, error);
                if (complete) return status;
            }
            continue;
        }
        const bool writes = run->team.rank == 0; /* the others have nothing to write */
        trib_log_stage_begin(run->log, row->name);
        if (writes || row->work != trib_stage_report) status = row->work(run, error);
        if (row->work == trib_stage_corpus && status == TRIB_OK) status = check_memory(run, error);
        status = trib_comm_agree(&run->team, status, error);
        if (row->work == trib_stage_corpus && status == TRIB_OK) {
            bool complete =
                false; /* the hash of corpus and configuration names the run directory */
            status = open_directory(run, options, &complete, error);
            /* with a text that cannot be read it may be another run's: the text is what is wrong */
            if (status == TRIB_USAGE && trib_run_count_rejected(run) > 0)
                status = trib_run_finish_rejected(run, error);
            if (complete) return status;
        }
        if (status == TRIB_OK && writes) status = trib_outputs_write(run, row->name, error);
        tell_taken(run, row->name);
        status = trib_comm_agree(&run->team, status, error);
        trib_log_stage_end(run->log);
    }
    return status;
}

static trib_status check_stage(const char *name, const char *flag, trib_error *error) {
    for (const trib_stage_row *row = trib_stage_rows; name && row->name; row++)
        if (strcmp(row->name, name) == 0) return TRIB_OK;
    return name ? trib_fail(error, TRIB_USAGE,
                            "%s: no stage '%s'; `tributary help stages` lists them", flag, name)
                : TRIB_OK;
}

trib_status trib_run_execute(trib_run *run, const trib_config *config,
                             const trib_run_options *options, trib_log *log, trib_error *error) {
    *run = (trib_run){
        .config = config, .log = log, .cache = options->cache, .is_dry = options->dry_run};
    run->team = options->team ? *options->team : (trib_comm){.size = 1};
    run->n_threads = options->n_threads > 0 ? options->n_threads : config->resources.threads;
    if (run->n_threads <= 0) run->n_threads = omp_get_max_threads();
    run->tensors_are_last = options->until && strcmp(options->until, "tensors") == 0;
    run->n_threads = trib_memory_threads(run->n_threads);
    const int n_processes = run->team.size > 1 ? run->team.size : 1;
    const uint64_t limit =
        trib_memory_allowed(config->resources.memory, run->n_threads, n_processes);
    trib_memory_limit(limit);
    run->spill_beyond = (limit > 0 ? limit : trib_memory_machine() / (uint64_t)n_processes) / 4;
    trib_status status = check_stage(options->until, "--until", error);
    if (status == TRIB_OK) status = work_through(run, options, error);
    if (status ==
        TRIB_INTERRUPTED) { /* what was stopped knows that it was; the log also knows by what */
        const trib_status why = trib_log_stopped(run->log, error);
        if (why != TRIB_OK) status = why;
    }
    return trib_directory_close(run, status, error);
}

static void release_document(trib_run_document *document) {
    trib_free(document->refused);
    trib_free(document->id);
    if (!document->ngrams.is_spilled) {
        trib_free(document->word);
        trib_free(document->sequence);
    }
    trib_hacoo_release(&document->ngrams);
    trib_ktensor_release(&document->factors);
    trib_cp_trace_release(&document->trace);
    trib_rank_search_release(&document->search);
}

static void release_target(trib_run_target *target, uint32_t n_methods) {
    for (uint32_t i = 0; target->influence && i < n_methods; i++)
        trib_influence_release(&target->influence[i]);
    for (uint32_t s = 0; target->evidence && s < target->n_sources; s++)
        trib_evidence_release(&target->evidence[s]);
    for (uint32_t s = 0; target->passages && s < target->n_sources; s++)
        trib_passages_release(&target->passages[s]);
    trib_background_release(&target->background);
    trib_free(target->influence);
    trib_free(target->evidence);
    trib_free(target->passages);
    trib_evidence_release(&target->own);
    trib_free(target->source);
}

void trib_run_release(trib_run *run) {
    for (uint32_t d = 0; d < run->n_documents; d++) release_document(&run->document[d]);
    for (uint32_t t = 0; t < run->n_targets; t++)
        release_target(&run->target[t], run->config->influence.n_methods);
    for (size_t w = 0; w < run->n_warnings; w++) trib_free(run->warning[w]);
    trib_run_release_rejected(run);
    if (run->shelf) trib_spool_of_texts_close(run->shelf);
    trib_free(run->shelf);
    trib_free(run->document);
    trib_free(run->target);
    trib_free(run->warning);
    trib_free(run->view);
    for (int s = 0; s < run->n_spills; s++) trib_writer_abandon(&run->spill[s].writer);
    trib_free(run->spill);
    trib_spill_close(&run->tensors);
    trib_run_forget_provisional(run);
    trib_vocab_release(&run->vocab);
    trib_concordance_release(&run->concordance);
    trib_word_orders_release(&run->orders);
    trib_common_language_release(&run->language);
    trib_free(run->arrival);
    trib_factors_release(&run->factors);
    trib_factor_distances_release(&run->distances);
    json_decref(run->result);
    trib_free(run->directory);
    *run = (trib_run){0};
}
