/* report_stage.c - writes the output files of each stage, and the report; and says which documents
 * cannot be used. */

#include "pipeline/config/documents.h"
#include "pipeline/output/output.h"
#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"
#include "pipeline/report/pages.h"
#include "pipeline/report/reading.h"
#include "pipeline/run/cached.h"
#include "pipeline/stages/phrasing.h"
#include "pipeline/support/warnings.h"

/* ---- After a stage --------------------------------------------------------------------------- */

/* All distances between two factors of which at least one belongs to a target:
 * matrix[factors][factors], initially 0. */
static trib_status measure_all(const trib_run *run, double *matrix, trib_error *error) {
    const trib_factors *factors = &run->distances.factors;
    TRIB_FREED(bool *) is_target = NULL;
    trib_status status = TRIB_NEW(&is_target, run->corpus.n_documents, "the targets", error);
    for (uint32_t t = 0; t < run->corpus.n_targets && status == TRIB_OK; t++)
        is_target[run->corpus.target[t].document] = true;
    return status == TRIB_OK
               ? trib_factor_matrix(factors, factors, is_target, matrix, run->env.n_threads,
                                    trib_log_progress(run->env.log), error)
               : status;
}

/* Only distances.npy needs all distances. */
static trib_status after_distances(trib_run *run, trib_error *error) {
    const size_t n = run->distances.factors.n;
    TRIB_FREED(double *) all = NULL;
    size_t bytes = 0;
    trib_status status = TRIB_OK;
    if (run->env.config->report.npy && trib_multiply(n, n * sizeof *all, &bytes) &&
        bytes <= TRIB_DISTANCES_MOST) {
        status = TRIB_NEW(&all, n * n, "the distances", error);
        if (status == TRIB_OK) status = measure_all(run, all, error);
    }
    return status == TRIB_OK ? trib_files_of_distances(&run->directory, &run->distances, all, error)
                             : status;
}

trib_status trib_run_write_files(trib_run *run, const char *stage, trib_error *error) {
    trib_run_directory *directory = &run->directory;
    if (strcmp(stage, "corpus") == 0) return trib_files_of_corpus(directory, error);
    if (strcmp(stage, "tensors") == 0) /* when the words of all texts are known */
        return trib_inputs_write(directory, &run->words, error);
    if (strcmp(stage, "vocabulary") == 0)
        return trib_files_of_vocabulary(directory, &run->vocab, error);
    if (strcmp(stage, "factors") == 0)
        return trib_files_of_factors(directory, &run->tensors, run->decomposition, &run->vocab,
                                     error);
    return strcmp(stage, "distances") == 0 ? after_distances(run, error) : TRIB_OK;
}

/* ---- Stage report ---------------------------------------------------------------------------- */

/* The state of stage report. */
typedef struct writing {
    trib_run_directory *directory;
    trib_run_results results;
    trib_result_work work;
    size_t n_traces; /* traces that are written: of all targets, or none */
    uint32_t *text;  /* [n_texts] the documents whose running texts are written */
    size_t n_texts;
    trib_report *report; /* NULL: no HTML report */
} writing;

static trib_status write_text(const void *what, trib_writer *writer, trib_error *error) {
    return trib_running_text_write(what, false, writer, error);
}

/* Writes read/ID.json of a document. */
static trib_status write_running_text(writing *w, size_t i, trib_error *error) {
    TRIB_OWNED(trib_buffer) name = {0};
    TRIB_OWNED(trib_arena) arena = {0};
    trib_running_text text;
    trib_quotes_enter(&w->work.quotes);
    trib_status status = trib_running_text_make(&text, &arena, &w->work.quotes, w->text[i], error);
    trib_quotes_leave(&w->work.quotes);
    if (status == TRIB_OK) status = trib_buffer_print(&name, error, "read/%s.json", text.target);
    if (status == TRIB_OK)
        status = trib_directory_write(w->directory, name.text, write_text, &text, error);
    trib_results_rest(&w->results, (uint32_t)i);
    return status;
}

static trib_status write_trace(writing *w, uint32_t t, trib_error *error) {
    const trib_corpus *corpus = w->results.corpus;
    const trib_trace_of of = {&w->work.quotes, t};
    TRIB_OWNED(trib_buffer) name = {0};
    trib_status status = trib_buffer_print(&name, error, "trace/%s.runs",
                                           corpus->document[corpus->target[t].document].about->id);
    trib_quotes_enter(&w->work.quotes);
    if (status == TRIB_OK)
        status = trib_directory_write(w->directory, name.text, trib_trace_write, &of, error);
    trib_quotes_leave(&w->work.quotes);
    trib_results_rest(&w->results, t);
    return status;
}

/* Writes a table, makes one target of the result, or writes its trace or a running text. None
 * depends on another. */
static trib_status make_part(void *context, size_t i, trib_error *error) {
    writing *w = context;
    const size_t n_targets = w->results.corpus->n_targets;
    if (i < TRIB_RESULT_TABLES)
        return trib_result_file_write(w->directory, &trib_result_tables[i], &w->results, error);
    i -= TRIB_RESULT_TABLES;
    if (i < n_targets) return trib_result_target(&w->work, (uint32_t)i, error);
    i -= n_targets;
    return i < w->n_traces ? write_trace(w, (uint32_t)i, error)
                           : write_running_text(w, i - w->n_traces, error);
}

/* The context of writing one page of the report. */
typedef struct report_page {
    const trib_report *report;
    size_t page;
} report_page;

static trib_status write_html(const void *what, trib_writer *writer, trib_error *error) {
    const report_page *page = what;
    return trib_report_write_page(page->report, page->page, writer, error);
}

static trib_status write_page(const writing *w, size_t page, trib_error *error) {
    const report_page one = {w->report, page};
    TRIB_OWNED(trib_buffer) name = {0};
    trib_status status = trib_report_page_name(w->report, page, &name, error);
    return status == TRIB_OK
               ? trib_directory_write(w->directory, name.text, write_html, &one, error)
               : status;
}

static trib_status write_part(void *context, size_t i, trib_error *error) {
    writing *w = context;
    return i < TRIB_RESULT_GRAPHS
               ? trib_result_file_write(w->directory, &trib_result_graphs[i], &w->results, error)
           : trib_report_page_is_written(w->report, i - TRIB_RESULT_GRAPHS)
               ? write_page(w, i - TRIB_RESULT_GRAPHS, error)
               : TRIB_OK;
}

/* Writes the files that are made from the result: the graphs and the pages of the report. */
static trib_status write_rest(writing *w, trib_error *error) {
    trib_status status = TRIB_OK;
    if (w->results.config->report.html)
        status =
            trib_report_open(&w->report, w->results.result, NULL, "report.html", "targets", error);
    if (w->report && w->n_texts > 0)
        status = trib_report_reads(w->report, w->directory->path, true, error);
    const size_t n_pages = w->report ? trib_report_n_pages(w->report) : 0;
    if (status == TRIB_OK && w->report && trib_report_has_folder(w->report))
        status = trib_directory_make(w->directory, "targets", error);
    if (status == TRIB_OK)
        status =
            trib_tasks_do(&w->results.workers, TRIB_RESULT_GRAPHS + n_pages, write_part, w, error);
    trib_report_close(w->report);
    return status;
}

/* Counts the traces and running texts, and creates the folders that they need. */
static trib_status make_folders(writing *w, size_t n_targets, trib_error *error) {
    trib_status status = trib_running_texts_list(&w->text, &w->n_texts, &w->results, error);
    if (trib_traces_are_wanted(w->results.config)) w->n_traces = n_targets;
    if (status == TRIB_OK && w->n_traces > 0)
        status = trib_directory_make(w->directory, "trace", error);
    if (status == TRIB_OK && w->n_texts > 0)
        status = trib_directory_make(w->directory, "read", error);
    return status == TRIB_OK && w->n_texts > 0 ? trib_directory_make(w->directory, "data", error)
                                               : status;
}

static void say_no_texts(const trib_run *run, const writing *w) {
    const trib_config *config = run->env.config;
    if (w->n_texts > 0 || !config->report.html || config->report.text != TRIB_TEXT_FULL ||
        !trib_config_has_target_pages(config, run->corpus.n_targets))
        return;
    trib_log_say(run->env.log, TRIB_LOG_INFO,
                 "report: no pages to read (read/), since the targets have less than %d words on "
                 "average and their pages quote them; report.target_pages: all writes them",
                 TRIB_SHORT_WORDS);
}

/* Where neither the file nor pages nor a summary is wanted of many targets, only the shares are
 * made, from which the map is. */
static bool is_brief(const trib_run *run) {
    const trib_config *config = run->env.config;
    return run->corpus.n_targets > TRIB_ALL_WRITTEN && !config->report.json &&
           !config->report.html && !run->has_summary;
}

/* Finds families of phrasing, where they are asked for; texts with too few words have none. */
static trib_status find_phrasing(trib_run *run, trib_error *error) {
    trib_result *result = &run->result;
    const trib_phrasing_words names = {(const char *const *)run->vocab.word, run->vocab.n_words,
                                       run->vocab.other, NULL};
    const trib_phrasing_options options = {.seed = run->env.config->cp.seed,
                                           .n_threads = run->env.n_threads,
                                           .progress = trib_log_progress(run->env.log)};
    if (!run->env.config->report.phrasing) return TRIB_OK;
    result->phrasing = trib_arena_new(&result->arena, 1, sizeof *result->phrasing);
    if (!result->phrasing) return trib_arena_check(&result->arena, error);
    const trib_status status = trib_phrasing_make(result->phrasing, &result->arena, &run->corpus,
                                                  &run->words, &names, &options, error);
    if (status != TRIB_INPUT) return status;
    trib_log_say(run->env.log, TRIB_LOG_WARNING, "report.formats: no phrasing: %s", error->message);
    *error = (trib_error){0};
    result->phrasing = NULL;
    return TRIB_OK;
}

trib_status trib_run_report(trib_run *run, trib_error *error) {
    writing w = {.directory = &run->directory};
    TRIB_OWNED(trib_document_names) names = {0};
    TRIB_OWNED(trib_formulas) formulas = {0};
    trib_status status = trib_run_collect(run, &w.results, error);
    w.results.names = &names;
    w.results.formulas = &formulas;
    if (status == TRIB_OK) status = trib_document_names_read(&names, &w.results, error);
    if (status == TRIB_OK) status = trib_formulas_find(&formulas, &run->texts, &run->index, error);
    if (status != TRIB_OK) {
        trib_free(w.results.target);
        return status;
    }
    const size_t n_targets = run->corpus.n_targets;
    status = trib_result_begin(&w.work, &w.results, run->env.scratch, is_brief(run), error);
    if (status == TRIB_OK) status = make_folders(&w, n_targets, error);
    if (status == TRIB_OK) say_no_texts(run, &w);
    if (status == TRIB_OK)
        status = trib_tasks_do(&w.results.workers,
                               TRIB_RESULT_TABLES + n_targets + w.n_traces + w.n_texts, make_part,
                               &w, error);
    status = trib_result_end(&w.work, &run->result, status, error);
    if (status == TRIB_OK) status = find_phrasing(run, error);
    w.results.result = &run->result;
    if (status == TRIB_OK) status = trib_versions_write(&run->directory, &w.results, error);
    if (status == TRIB_OK) status = write_rest(&w, error);
    if (status == TRIB_OK) status = trib_directory_sums(&run->directory, error);
    run->directory.is_whole = status == TRIB_OK;
    TRIB_FREE(w.results.target, w.text);
    return status;
}

/* ---- Documents that cannot be used ----------------------------------------------------------- */

/* Moves the rejected documents to their list, and the others up. to[d] is the new number of a
 * remaining document d. */
static void move_documents(trib_corpus *corpus, trib_corpus_words *words, uint32_t *to) {
    uint32_t kept = 0;
    for (uint32_t d = 0; d < corpus->n_documents; d++) {
        const trib_document *document = &corpus->document[d];
        const bool is_read = d < words->n_documents;
        to[d] = kept;
        if (document->rejected) {
            trib_rejected *rejected = &corpus->rejected[corpus->n_rejected++];
            *rejected = (trib_rejected){document->about, document->n_bytes, "", document->rejected};
            memcpy(rejected->kind, document->kind, sizeof rejected->kind);
            if (is_read) trib_free(words->document[d].joined);
        } else if (kept++ < d) {
            corpus->document[to[d]] = *document;
            if (is_read) words->document[to[d]] = words->document[d];
        }
    }
    for (uint32_t d = kept; d < corpus->n_documents; d++) corpus->document[d] = (trib_document){0};
    corpus->n_documents = kept;
    if (words->n_documents > kept) words->n_documents = kept;
}

/* Renumbers list[n] and drops the rejected documents. The order stays the same. */
static uint32_t renumber(uint32_t *list, uint32_t n, const bool *is_gone, const uint32_t *to) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!is_gone[list[i]]) list[kept++] = to[list[i]];
    return kept;
}

static trib_status move_targets(trib_corpus *corpus, const bool *is_gone, const uint32_t *to,
                                trib_warnings *warnings, trib_error *error) {
    uint32_t kept = 0;
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < corpus->n_targets; t++) {
        trib_target *target = &corpus->target[t];
        if (is_gone[target->document]) {
            trib_free(target->source);
            continue;
        }
        const uint32_t before = target->n_sources;
        target->document = to[target->document];
        target->n_sources = renumber(target->source, before, is_gone, to);
        if (before > 0 && target->n_sources == 0 && status == TRIB_OK)
            status = trib_warnings_add(warnings, error,
                                       "'%s' has no source left: all of it counts as the author's",
                                       corpus->document[target->document].about->id);
        corpus->target[kept++] = *target;
    }
    for (uint32_t t = kept; t < corpus->n_targets; t++) corpus->target[t] = (trib_target){0};
    corpus->n_targets = kept;
    return status;
}

/* Adds a warning for each skipped document, up to NAMED of them, and one for the rest. */
static trib_status report_skipped(const trib_corpus *corpus, trib_warnings *warnings,
                                  trib_error *error) {
    enum { NAMED = 20 };
    trib_status status = TRIB_OK;
    for (uint32_t r = 0; r < corpus->n_rejected && r < NAMED && status == TRIB_OK; r++)
        status = trib_warnings_add(warnings, error, "'%s' is left out: %s",
                                   corpus->rejected[r].about->id, corpus->rejected[r].why);
    if (status == TRIB_OK && corpus->n_rejected > NAMED)
        status = trib_warnings_add(warnings, error,
                                   "%u more documents are left out; inputs.tsv has them all",
                                   (unsigned)corpus->n_rejected - NAMED);
    return status;
}

static void say_error(void *context, const char *sentence) {
    trib_log_say(context, TRIB_LOG_ERROR, "%s", sentence);
}

/* Fails with the reason of a single rejected document, or with their number. With several, the
 * reasons are logged first, equal ones together. */
static trib_status fail_rejected(const trib_environment *env, const trib_corpus *corpus,
                                 uint32_t n_all, trib_error *error) {
    char obtain[TRIB_OBTAIN_MAX];
    trib_repeated_errors alike = {0};
    trib_status status = TRIB_OK;
    trib_config_obtain(env->config, obtain);
    if (corpus->n_rejected == 1)
        return trib_fail(error, TRIB_INPUT, "%s%s", corpus->rejected[0].why, obtain);
    for (uint32_t r = 0; r < corpus->n_rejected && status == TRIB_OK; r++) {
        const trib_corpus_document *about = corpus->rejected[r].about;
        status =
            trib_repeated_errors_add(&alike, corpus->rejected[r].why,
                                     &(trib_repeated_errors_about){about->path, about->id}, error);
    }
    if (status == TRIB_OK) trib_repeated_errors_say(&alike, say_error, env->log);
    trib_repeated_errors_release(&alike);
    if (status != TRIB_OK) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%u of %u documents cannot be used; mend or remove them, or go on without "
                     "them by corpus.on_error: skip%s",
                     (unsigned)corpus->n_rejected, (unsigned)n_all, obtain);
}

/* Moves the rejected documents to the list of rejected documents, and renumbers the rest. */
static trib_status take_out(const trib_environment *env, trib_corpus *corpus,
                            trib_corpus_words *words, trib_error *error) {
    const uint32_t n = corpus->n_documents, n_targets = corpus->n_targets;
    char obtain[TRIB_OBTAIN_MAX];
    TRIB_FREED(uint32_t *) to = NULL;
    TRIB_FREED(bool *) is_gone = NULL;
    trib_status status = TRIB_NEW(&to, n, "documents", error);
    if (status == TRIB_OK) status = TRIB_NEW(&is_gone, n, "documents", error);
    if (status == TRIB_OK)
        status =
            TRIB_NEW(&corpus->rejected, trib_corpus_count_rejected(corpus), "documents", error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < n; d++) is_gone[d] = corpus->document[d].rejected != NULL;
    move_documents(corpus, words, to);
    status = env->config->corpus.skips_refused ? report_skipped(corpus, env->warnings, error)
                                               : fail_rejected(env, corpus, n, error);
    if (status != TRIB_OK) return status;
    if (corpus->arrival) renumber(corpus->arrival, n, is_gone, to);
    status = move_targets(corpus, is_gone, to, env->warnings, error);
    if (status == TRIB_OK &&
        (corpus->n_documents == 0 || (n_targets > 0 && corpus->n_targets == 0)))
        status = trib_fail(error, TRIB_INPUT, "no %s is left: corpus.on_error: skip left out %s%s",
                           n_targets > 0 ? "target" : "document",
                           (n_targets > 0 ? n_targets : n) > 1 ? "all of them" : "the only one",
                           trib_config_obtain(env->config, obtain));
    return status;
}

trib_status trib_run_finish_rejected(trib_run *run, trib_error *error) {
    if (trib_corpus_count_rejected(&run->corpus) == 0) return TRIB_OK;
    trib_status status = take_out(&run->env, &run->corpus, &run->words, error);
    if (status != TRIB_INPUT || !run->directory.is_open || run->comm.rank > 0) return status;
    trib_error failure = {0};
    const trib_status written = trib_inputs_write(&run->directory, &run->words, &failure);
    return written == TRIB_OK ? status : trib_fail(error, written, "%s", failure.message);
}
