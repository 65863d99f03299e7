/* execute.c - runs the stages in order. Decides which stages are skipped, what a dry run reports,
 * and when files are written. */
#include <omp.h>

#include "pipeline/output/output.h"
#include "pipeline/run/cached.h"
#include "pipeline/support/memory_limit.h"

const trib_cached_row *const trib_cached_rows[] = {
    &trib_cached_factors,   &trib_cached_influence, &trib_cached_evidence,  &trib_cached_tokens,
    &trib_cached_distances, &trib_cached_tensors,   &trib_cached_parallels, NULL};

static bool is_before(const char *stage, const char *bound) {
    for (const trib_stage_row *row = trib_stage_rows; row->name && strcmp(row->name, bound) != 0;
         row++)
        if (strcmp(row->name, stage) == 0) return true;
    return false;
}

/* Reports what a run would do in this stage. The keys of the cache identify texts by their n-grams.
 * So with a cache, a dry run also reads the texts and counts their n-grams, which takes a second
 * for a million words. */
static trib_status report_dry(trib_run *run, const trib_stage_row *row, trib_error *error) {
    const bool has_reason = run->cache && row->why_anew;
    bool is_kept = false;
    trib_status status = TRIB_OK;
    for (const trib_cached_row *const *kept = trib_cached_rows; run->cache && *kept; kept++) {
        if (status != TRIB_OK || strcmp((*kept)->stage, row->name) != 0) continue;
        status = trib_cached_report(run, *kept, error);
        is_kept = true;
    }
    if (!is_kept)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "%s: to do: %s%s%s%s", row->name, row->help,
                     has_reason ? " (never cached: " : "", has_reason ? row->why_anew : "",
                     has_reason ? ")" : "");
    return status == TRIB_OK && run->cache && row->is_before_cached ? row->work(run, error)
                                                                    : status;
}

static void report_taken(trib_run *run, const char *stage) {
    unsigned n_asked = 0, n_found = 0;
    const trib_cached_row *const *kept = trib_cached_rows;
    if (!run->cache) return;
    trib_cache_tally(run->cache, &n_asked, &n_found);
    run->n_taken += n_found;
    while (*kept && strcmp((*kept)->stage, stage) != 0) kept++;
    const char *note = *kept ? (*kept)->note : NULL;
    if (n_found > 0)
        trib_log_say(run->env.log, note ? TRIB_LOG_DEBUG : TRIB_LOG_INFO,
                     "%s: %u of %u taken from the cache%s%s%s", stage, n_found, n_asked,
                     note ? " (" : "", note ? note : "", note ? ")" : "");
}

/* Scratch files lie in the run directory, which all ranks must see. Only rank 0 has opened it. */
static trib_status place_scratch(trib_run *run, trib_error *error) {
    const char *const path = run->directory.path;
    TRIB_OWNED(trib_buffer) name = {0};
    trib_status status = TRIB_OK;
    if (run->comm.rank == 0) status = trib_buffer_print(&name, error, "%s", path);
    status = trib_comm_give(&run->comm, status, 0, &name, error);
    if (status == TRIB_OK && run->comm.rank > 0)
        status = trib_copy_text(&run->directory.path, name.text, name.length, error);
    if (status == TRIB_OK) run->env.scratch = run->directory.path;
    return trib_comm_agree(&run->comm, status, error);
}

/* Rank 0 opens the run directory; all ranks receive *complete. */
static trib_status open_directory(trib_run *run, const trib_run_options *options, bool *complete,
                                  trib_error *error) {
    trib_status status = TRIB_OK;
    trib_directory_options how = options->directory;
    /* when a text is unreadable, the hash may be that of another run: see after_corpus */
    how.keeps_other |= trib_corpus_count_rejected(&run->corpus) > 0;
    if (run->comm.rank == 0) status = trib_directory_open(&run->directory, &how, complete, error);
    if (status == TRIB_OK && *complete)
        status = trib_checkpoints_remove(run->directory.path, error);
    status = trib_comm_agree(&run->comm, status, error);
    trib_comm_share(&run->comm, 0, complete, sizeof *complete);
    return status == TRIB_OK && !*complete ? place_scratch(run, error) : status;
}

trib_status trib_run_estimate(const trib_run *run, trib_estimate *estimate, trib_error *error) {
    const trib_config *config = run->env.config;
    TRIB_FREED(uint64_t *) n_bytes = NULL;
    trib_status status = TRIB_NEW(&n_bytes, config->corpus.n_documents, "sizes", error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < run->corpus.n_documents; d++) {
        const trib_document *document = &run->corpus.document[d];
        n_bytes[document->about - config->corpus.document] =
            trib_estimate_bytes(document->about->path, document->n_bytes);
    }
    trib_estimate_make(estimate, config, n_bytes);
    for (uint32_t d = 0; d < run->words.n_documents; d++) /* when they were read */
        trib_estimate_add_words(estimate, config,
                                n_bytes[run->corpus.document[d].about - config->corpus.document],
                                run->words.document[d].n_words);
    return TRIB_OK;
}

/* Rejects a run that would exceed resources.memory before anything is computed or written. */
static trib_status check_memory(const trib_run *run, trib_error *error) {
    const uint64_t most = run->env.config->resources.memory;
    trib_estimate estimate;
    if (most == 0) return TRIB_OK;
    const trib_status status = trib_run_estimate(run, &estimate, error);
    if (status != TRIB_OK || estimate.memory <= (double)most) return status;
    return trib_fail(error, TRIB_MEMORY,
                     "this run would take about %.0f MiB, more than resources.memory allows (%.0f "
                     "MiB); raise it, or choose a smaller cp.rank or vocabulary.size, or methods "
                     "that need less (`tributary check` shows the estimate)",
                     estimate.memory / 1048576, (double)most / 1048576);
}

/* Opens the run directory after stage corpus, whose hash names it. *complete: the directory already
 * holds the complete run. */
static trib_status after_corpus(trib_run *run, const trib_run_options *options, bool *complete,
                                trib_error *error) {
    if (options->dry_run)
        return *run->corpus.hash
                   ? trib_directory_look(&run->directory, &options->directory, complete, error)
                   : TRIB_OK;
    const trib_status status = open_directory(run, options, complete, error);
    /* If a text is unreadable, the hash may be that of another run: report the text, not the
     * directory. */
    return status == TRIB_USAGE && trib_corpus_count_rejected(&run->corpus) > 0
               ? trib_run_finish_rejected(run, error)
               : status;
}

static trib_status do_stages(trib_run *run, const trib_run_options *options, trib_error *error) {
    const bool writes = run->comm.rank == 0; /* the other ranks write nothing */
    trib_status status = TRIB_OK;
    bool complete = false;
    for (const trib_stage_row *row = trib_stage_rows; row->name && status == TRIB_OK; row++) {
        const bool is_corpus = row == trib_stage_rows, is_report = row->work == trib_run_report;
        if (options->until && is_before(options->until, row->name)) break;
        if (row->is_needed && !row->is_needed(run->env.config)) {
            if (row->why_not)
                trib_log_say(run->env.log, TRIB_LOG_INFO, "%s: skipped, %s", row->name,
                             row->why_not);
            continue;
        }
        if (options->dry_run) {
            status = report_dry(run, row, error);
            if (status == TRIB_OK && is_corpus)
                status = after_corpus(run, options, &complete, error);
            if (complete) return status;
            continue;
        }
        trib_log_stage_begin(run->env.log, row->name);
        if (writes || !is_report) status = row->work(run, error);
        if (is_corpus && status == TRIB_OK) status = check_memory(run, error);
        status = trib_comm_agree(&run->comm, status, error);
        if (is_corpus && status == TRIB_OK) status = after_corpus(run, options, &complete, error);
        if (complete) return status;
        if (status == TRIB_OK && writes) status = trib_run_write_files(run, row->name, error);
        report_taken(run, row->name);
        status = trib_comm_agree(&run->comm, status, error);
        trib_log_stage_end(run->env.log);
    }
    if (status == TRIB_OK && writes && !options->dry_run && options->until &&
        is_before(options->until, "tensors"))
        status = trib_inputs_write(&run->directory, &run->words, error);
    return status;
}

static trib_status check_stage(const char *name, const char *flag, trib_error *error) {
    for (const trib_stage_row *row = trib_stage_rows; name && row->name; row++)
        if (strcmp(row->name, name) == 0) return TRIB_OK;
    return name ? trib_fail(error, TRIB_USAGE,
                            "%s: no stage '%s'; `tributary help stages` lists them", flag, name)
                : TRIB_OK;
}

/* Bytes of trib_run.most_resting of all processes, at most. */
enum { RESTING = 256 << 20 };

/* Prepares the record of a run and the limits of the process. */
static void prepare(trib_run *run, const trib_config *config, const trib_run_options *options,
                    trib_log *log) {
    int n_threads = options->n_threads > 0 ? options->n_threads : config->resources.threads;
    if (n_threads <= 0) n_threads = omp_get_max_threads();
    trib_run_init(run, config, log, trib_memory_threads(n_threads));
    run->cache = options->cache;
    run->is_dry = options->dry_run;
    run->has_summary = options->has_summary;
    if (options->most_words > 0) run->most_words = options->most_words;
    if (options->comm && !options->dry_run) run->comm = *options->comm;
    run->tensors_are_last = options->until && strcmp(options->until, "tensors") == 0;
    const int n_processes = run->comm.size > 1 ? run->comm.size : 1;
    const uint64_t limit =
        trib_memory_allowed(config->resources.memory, run->env.n_threads, n_processes);
    trib_memory_limit(limit);
    const uint64_t memory = limit > 0 ? limit : trib_memory_machine() / (uint64_t)n_processes;
    run->memory = memory;
    run->spill_beyond = memory / 4;
    const uint64_t most = RESTING / (uint64_t)n_processes;
    run->most_resting = memory / 16 < most ? memory / 16 : most;
    /* a large corpus is not kept in memory */
    if (trib_config_candidates(config) > 0) run->spill_beyond = 1;
}

/* Leaves out the texts of a library that the run does not need. Few texts are kept in memory. */
static trib_status choose_texts(trib_run *run, trib_error *error) {
    enum { KEPT = 500 };
    trib_status status = trib_chosen_texts_find(&run->library, &run->env, error);
    if (status != TRIB_OK || run->library.n == 0) return status;
    status = trib_run_choose(run, error);
    if (status != TRIB_OK) return status;
    run->chosen->corpus.document = run->library.document;
    run->chosen->corpus.n_documents = run->library.n;
    run->chosen->corpus.is_chosen = true;
    status = trib_config_hash(run->chosen, error);
    if (run->library.n <= KEPT) run->spill_beyond = run->memory / 4;
    return status;
}

/* A stopped stage does not know the reason; the log knows it. */
static trib_status why_stopped(trib_log *log, trib_status status, trib_error *error) {
    if (status != TRIB_INTERRUPTED) return status;
    const trib_status why = trib_log_stopped(log, error);
    return why != TRIB_OK ? why : status;
}

/* Rank 0 makes a dry run alone. */
static bool is_for_this_rank(const trib_run_options *options) {
    return !options->dry_run || !options->comm || options->comm->rank == 0;
}

trib_status trib_run_execute(trib_run *run, const trib_config *config,
                             const trib_run_options *options, trib_log *log, trib_error *error) {
    const trib_comm alone = {.size = 1}, *const all = options->comm ? options->comm : &alone;
    prepare(run, config, options, log);
    trib_status status = check_stage(options->until, "--until", error);
    if (status == TRIB_OK) status = trib_comm_agree(all, choose_texts(run, error), error);
    if (status == TRIB_OK && is_for_this_rank(options)) status = do_stages(run, options, error);
    status = why_stopped(log, status, error);
    return trib_comm_agree(all, trib_directory_close(&run->directory, status, error), error);
}

trib_status trib_run_read(trib_run *run, const trib_config *config, const trib_run_options *options,
                          trib_log *log, trib_error *error) {
    const trib_comm alone = {.size = 1}, *const all = options->comm ? options->comm : &alone;
    trib_run_options reading = *options;
    reading.dry_run = true;
    reading.until = "tensors";
    prepare(run, config, &reading, log);
    trib_status status = trib_comm_agree(all, choose_texts(run, error), error);
    for (const trib_stage_row *row = trib_stage_rows;
         is_for_this_rank(&reading) && status == TRIB_OK && !is_before(reading.until, row->name);
         row++) {
        if (row->is_needed && !row->is_needed(run->env.config)) continue;
        trib_log_stage_begin(log, row->name);
        status = row->work(run, error);
        if (status == TRIB_OK && row == trib_stage_rows) status = check_memory(run, error);
        trib_log_stage_end(log);
    }
    return trib_comm_agree(all, why_stopped(log, status, error), error);
}
