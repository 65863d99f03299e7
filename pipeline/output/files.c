/* files.c - the files of the run directory, a row each, written as soon as their stage is done. */
#include <stdio.h>
#include <string.h>
#include <unicode/uvernum.h>

#include "pipeline/output/directory.h"
#include "pipeline/output/files.h"
#include "pipeline/output/inputs.h"
#include "pipeline/output/result.h"
#include "pipeline/store/cached.h"
#include "pipeline/support/tables.h"

static trib_status write_config(const trib_run *run, const void *what, trib_writer *writer,
                                trib_error *error) {
    (void)what;
    (void)error;
    trib_config_write(run->config, writer, TRIB_CONFIG_MARKED | TRIB_CONFIG_RESULT);
    return TRIB_OK;
}

static trib_status write_manifest(const trib_run *run, const void *what, trib_writer *writer,
                                  trib_error *error) {
    (void)what;
    json_t *inputs = json_array();
    for (uint32_t d = 0; inputs && d < run->n_documents; d++) {
        const trib_run_document *document = &run->document[d];
        json_array_append_new(inputs, json_pack("{s:s, s:s, s:I, s:s?}", "id", document->about->id,
                                                "file", document->about->file, "bytes",
                                                (json_int_t)document->n_bytes, "sha256",
                                                document->refused ? NULL : document->sha256));
    }
    return trib_json_write(json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:o}", "schema", 1, "program",
                                     "tributary", "version", TRIB_VERSION, "icu", U_ICU_VERSION,
                                     "kernels", trib_kernel_set(), "hash", run->hash, "inputs",
                                     inputs),
                           writer, error);
}

static trib_status write_vocab(const trib_run *run, const void *what, trib_writer *writer,
                               trib_error *error) {
    (void)what;
    (void)error;
    trib_vocab_write(&run->vocab, writer);
    return TRIB_OK;
}

static trib_status write_tensor(const trib_run *run, const void *what, trib_writer *writer,
                                trib_error *error) {
    const trib_run_document *document = what;
    const trib_hacoo *ngrams = &document->ngrams;
    char reason[TRIB_REASON_MAX];
    const trib_fragment_options options = {
        .organisation =
            trib_organisation_choose(run->config->tensor.fragment, run->config->tensor.reads,
                                     ngrams->n_modes, ngrams->dim, ngrams->nnz, reason)};
    if (reason[0])
        trib_log_say(run->log, TRIB_LOG_INFO, "%s: tensor.fragment auto is %s: %s",
                     document->about->id, options.organisation->name, reason);
    return trib_fragment_write(ngrams, &options, writer, error);
}

static trib_status write_words(const trib_run *run, const void *what, trib_writer *writer,
                               trib_error *error) {
    const trib_run_document *document = what;
    (void)error;
    for (uint32_t i = 0; i < document->n_local; i++)
        trib_print(writer, "%s\n", run->vocab.word[document->word[i]]);
    return TRIB_OK;
}

static trib_status write_ktensor(const trib_run *run, const void *what, trib_writer *writer,
                                 trib_error *error) {
    const trib_run_document *document = what;
    const char **word = NULL;
    trib_status status =
        trib_new(&word, document->n_local, sizeof *word, "a document's words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < document->n_local; i++) word[i] = run->vocab.word[document->word[i]];
    if (run->n_documents > TRIB_ALL_WRITTEN + 1)
        trib_ktns_write_packed(&document->factors, word, writer);
    else trib_ktns_write(&document->factors, word, writer);
    trib_free(word);
    return TRIB_OK;
}

/* A matrix on its way into an NPY file. */
typedef struct matrix {
    const double *value;
    uint32_t n_modes; /* 1: a vector */
    size_t dim[2];    /* a document may have no components */
} matrix;

static trib_status write_matrix(const trib_run *run, const void *what, trib_writer *writer,
                                trib_error *error) {
    const matrix *m = what;
    (void)run;
    (void)error;
    trib_npy_write_array(writer, m->value, m->n_modes, m->dim);
    return TRIB_OK;
}

/* One file per document: DIRECTORY/ID.EXTENSION. */
static trib_status per_document(trib_run *run, const char *pattern, trib_file_write write,
                                const void *what, const trib_run_document *document,
                                trib_error *error) {
    char name[TRIB_PATH_MAX];
    if (snprintf(name, sizeof name, pattern, document->about->id) >= (int)sizeof name)
        return trib_fail(error, TRIB_OUTPUT, "%s: name too long", document->about->id);
    return trib_directory_write(run, name, write, what, error);
}

static trib_status after_corpus(trib_run *run, trib_error *error) {
    trib_status status =
        trib_directory_write(run, "config.resolved.yaml", write_config, NULL, error);
    return status == TRIB_OK
               ? trib_directory_write(run, "manifest.json", write_manifest, NULL, error)
               : status;
}

static trib_status after_tokens(trib_run *run, trib_error *error) {
    return trib_directory_write(run, "inputs.tsv", trib_inputs_write, NULL, error);
}

static trib_status after_vocabulary(trib_run *run, trib_error *error) {
    return trib_directory_write(run, "vocab.tsv", write_vocab, NULL, error);
}

trib_status trib_outputs_tensor(trib_run *run, const trib_run_document *document,
                                trib_error *error) {
    if (!run->config->report.tensors) return TRIB_OK;
    const trib_status status =
        per_document(run, "tensors/%s.fragment", write_tensor, document, document, error);
    return status == TRIB_OK
               ? per_document(run, "tensors/%s.words", write_words, document, document, error)
               : status;
}

/* The ranks tried for every document: what a scree plot shows. */
static trib_status write_ranks_csv(const trib_run *run, const void *what, trib_writer *writer,
                                   trib_error *error) {
    (void)what;
    (void)error;
    trib_write_ranks_header("document,", writer);
    for (uint32_t d = 0; d < run->n_documents; d++)
        for (size_t i = 0; i < run->document[d].search.n; i++) {
            trib_write_cell(writer, run->document[d].about->id);
            trib_write_text(writer, ",");
            trib_write_ranks_row(&run->document[d].search, i, writer);
        }
    return TRIB_OK;
}

/* The factors as matrices: a row for each word of the document, a column for each component. */
static trib_status write_matrices(trib_run *run, const trib_run_document *document,
                                  trib_error *error) {
    const trib_ktensor *k = &document->factors;
    const matrix lambda = {k->lambda, 1, {k->rank, 0}};
    trib_status status =
        per_document(run, "factors/%s.lambda.npy", write_matrix, &lambda, document, error);
    if (status == TRIB_OK)
        status = per_document(run, "factors/%s.words", write_words, document, document, error);
    for (uint32_t m = 0; m < k->n_modes && status == TRIB_OK; m++) {
        const matrix factor = {k->factor[m], 2, {k->dim[m], k->rank}};
        char pattern[32];
        snprintf(pattern, sizeof pattern, "factors/%%s.mode%u.npy", (unsigned)m + 1);
        status = per_document(run, pattern, write_matrix, &factor, document, error);
    }
    return status;
}

static trib_status write_factors(trib_run *run, const trib_run_document *document,
                                 trib_error *error) {
    trib_status status = TRIB_OK;
    if (run->config->report.factors)
        status = per_document(run, "factors/%s.ktns", write_ktensor, document, document, error);
    return status == TRIB_OK && run->config->report.npy ? write_matrices(run, document, error)
                                                        : status;
}

/* Documents side by side: their factors as text take longer than many a decomposition. */
static trib_status after_factors(trib_run *run, trib_error *error) {
    trib_status status = TRIB_OK;
    if (run->config->cp.rank == TRIB_RANK_AUTO)
        status = trib_directory_write(run, "ranks.csv", write_ranks_csv, NULL, error);
    if (!run->config->report.factors && !run->config->report.npy) return status;
    if (status == TRIB_OK) status = trib_directory_make(run, "factors", error);
    if (status != TRIB_OK) return status;
#pragma omp parallel for schedule(dynamic, 1) num_threads(run->n_threads)
    for (uint32_t d = 0; d < run->n_documents; d++) {
        trib_error failure = {0};
        const trib_status one = write_factors(run, &run->document[d], &failure);
#pragma omp critical(trib_outputs_status)
        if (one != TRIB_OK && status == TRIB_OK) {
            status = one;
            if (error) *error = failure;
        }
    }
    return status;
}

/* What the rows and columns of nearest.npy (`columns` NULL: the documents) or distances.npy are. */
typedef struct matrix_names {
    const bool *row; /* [factors] */
    bool to_documents;
} matrix_names;

static void write_factor_name(const trib_run *run, const char *axis, size_t number, size_t factor,
                              trib_writer *writer) {
    trib_print(writer, "%s\t%zu\t%s\t%u\n", axis, number,
               run->document[run->factors.document[factor]].about->id,
               (unsigned)run->factors.component[factor] + 1);
}

static trib_status write_names(const trib_run *run, const void *what, trib_writer *writer,
                               trib_error *error) {
    const matrix_names *names = what;
    size_t n_rows = 0;
    (void)error;
    trib_write_text(writer, "axis\tnumber\tdocument\tcomponent\n");
    for (size_t f = 0; f < run->factors.n; f++)
        if (names->row[f]) write_factor_name(run, "row", ++n_rows, f, writer);
    for (size_t f = 0; f < run->factors.n && !names->to_documents; f++)
        write_factor_name(run, "column", f + 1, f, writer);
    for (uint32_t d = 0; d < run->n_documents && names->to_documents; d++)
        trib_print(writer, "column\t%u\t%s\t\n", (unsigned)d + 1, run->document[d].about->id);
    return TRIB_OK;
}

/* Writes the rows of targets of value[factors][n_columns], and what the rows and columns are. */
static trib_status write_rows(trib_run *run, const char *name, double *value, size_t n_columns,
                              const matrix_names *names, trib_error *error) {
    char file[32];
    size_t n_rows = 0;
    for (size_t f = 0; f < run->factors.n; f++)
        if (names->row[f])
            memmove(value + n_rows++ * n_columns, value + f * n_columns, n_columns * sizeof *value);
    const matrix rows = {value, 2, {n_rows, n_columns}};
    snprintf(file, sizeof file, "%s.npy", name);
    trib_status status = trib_directory_write(run, file, write_matrix, &rows, error);
    snprintf(file, sizeof file, "%s.names.tsv", name);
    return status == TRIB_OK ? trib_directory_write(run, file, write_names, names, error) : status;
}

static trib_status write_nearest(trib_run *run, const bool *row, trib_error *error) {
    const size_t width = run->n_documents;
    double *nearest = NULL;
    trib_status status =
        trib_new(&nearest, run->factors.n, width * sizeof *nearest, "the distances", error);
    if (status != TRIB_OK) return status;
    if (run->factors.n > 0)
        memcpy(nearest, run->distances.nearest, run->factors.n * width * sizeof *nearest);
    status = write_rows(run, "nearest", nearest, width, &(matrix_names){row, true}, error);
    trib_free(nearest);
    return status;
}

static trib_status write_distances(trib_run *run, const bool *row, trib_error *error) {
    const size_t n = run->factors.n;
    double *distance = NULL;
    size_t bytes = 0;
    if (!trib_multiply(n, n * sizeof *distance, &bytes) || bytes > TRIB_DISTANCES_MOST)
        return TRIB_OK;
    trib_status status = trib_new(&distance, n * n, sizeof *distance, "the distances", error);
    if (status == TRIB_OK) status = trib_cached_matrix(run, distance, error);
    if (status == TRIB_OK)
        status = write_rows(run, "distances", distance, n, &(matrix_names){row, false}, error);
    trib_free(distance);
    return status;
}

static trib_status after_distances(trib_run *run, trib_error *error) {
    bool *row = NULL;
    if (!run->config->report.npy) return TRIB_OK;
    trib_status status = trib_new(&row, run->factors.n, sizeof *row, "the distances", error);
    for (size_t f = 0; f < run->factors.n && status == TRIB_OK; f++)
        row[f] = trib_config_is_target(run->config, run->document[run->factors.document[f]].about);
    if (status == TRIB_OK) status = write_nearest(run, row, error);
    if (status == TRIB_OK) status = write_distances(run, row, error);
    trib_free(row);
    return status;
}

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

static void write_share(trib_writer *writer, const char *target, const char *source,
                        const char *method, double share) {
    trib_write_cell(writer, target);
    trib_write_text(writer, ",");
    trib_write_cell(writer, source);
    trib_print(writer, ",%s,", method);
    trib_write_number(writer, share);
}

static trib_status write_influence_csv(const trib_run *run, const void *what, trib_writer *writer,
                                       trib_error *error) {
    (void)what;
    (void)error;
    trib_write_text(writer, "target,source,method,share,low,high,below_floor\n");
    for (uint32_t t = 0; t < run->n_targets; t++) {
        const trib_run_target *target = &run->target[t];
        const char *id = run->document[target->document].about->id;
        for (uint32_t i = 0; i < run->config->influence.n_methods; i++) {
            const trib_influence *influence = &target->influence[i];
            const trib_floor floor = trib_run_floor(run, influence);
            const trib_share_rows rows = trib_share_rows_of(run, target, influence);
            for (size_t s = 0; s < influence->n_sources; s++) {
                if (!trib_has_row(run, target, influence, &rows, s)) continue;
                write_share(writer, id, run->document[influence->source[s]].about->id,
                            influence->method->name, influence->share[s]);
                trib_write_text(writer, ",");
                if (influence->low) trib_write_number(writer, influence->low[s]);
                trib_write_text(writer, ",");
                if (influence->high) trib_write_number(writer, influence->high[s]);
                trib_write_text(writer, trib_floor_covers(&floor, influence->share[s])
                                            ? ",true\n"
                                            : ",false\n");
            }
            write_share(writer, id, "author", influence->method->name, influence->author);
            trib_write_text(writer, ",,,\n");
        }
    }
    return TRIB_OK;
}

/* How many phrases each source of a brief target has in phrases.csv: what all of them have goes by the length of the target. */
static size_t n_quoted(const trib_run *run, const trib_run_target *target) {
    enum { WORDS_PER_ROW = 10 };
    const size_t most = trib_target_extent(run, target).phrases;
    const size_t n_words = run->document[target->document].n_tokens;
    size_t n_weighed = 0, each;
    for (uint32_t s = 0; s < target->n_sources; s++)
        n_weighed += target->evidence[s].n_all_phrases > 0;
    if (!trib_target_is_brief(target) || n_weighed == 0 || most == 0) return most;
    each = n_words / WORDS_PER_ROW / n_weighed;
    return each < 1 ? 1 : each < most ? each : most;
}

/* The last column is how many phrases the pair has: below the noise floor the strongest alone are listed. */
static trib_status write_phrases_csv(const trib_run *run, const void *what, trib_writer *writer,
                                     trib_error *error) {
    (void)what;
    trib_buffer words = {0};
    trib_status status = TRIB_OK;
    trib_write_text(
        writer, "target,source,phrase,target_count,source_count,other_documents,mass,phrases\n");
    for (uint32_t t = 0; t < run->n_targets; t++) {
        const trib_run_target *target = &run->target[t];
        const size_t quoted = target->evidence ? n_quoted(run, target) : 0;
        for (uint32_t s = 0; target->evidence && s < target->n_sources; s++) {
            const trib_evidence *evidence = &target->evidence[s];
            const size_t few = quoted < TRIB_NOISE_PHRASES ? quoted : TRIB_NOISE_PHRASES;
            const size_t most = !trib_target_is_brief(target) ? SIZE_MAX
                                : trib_below_floor(target, s) ? few
                                                              : quoted;
            for (size_t p = 0; p < evidence->n_phrases && p < most && status == TRIB_OK; p++) {
                const trib_phrase *phrase = &evidence->phrase[p];
                trib_buffer_clear(&words);
                for (uint32_t m = 0; m < run->config->tensor.n && status == TRIB_OK; m++) {
                    const char *word = run->vocab.word[phrase->word[m]];
                    status = trib_buffer_add(&words, " ", m > 0, error);
                    if (status == TRIB_OK)
                        status = trib_buffer_add(&words, word, strlen(word), error);
                }
                if (status != TRIB_OK) break;
                trib_write_cell(writer, run->document[evidence->target].about->id);
                trib_write_text(writer, ",");
                trib_write_cell(writer, run->document[evidence->source].about->id);
                trib_write_text(writer, ",");
                trib_write_cell(writer, words.text);
                const uint32_t counts[] = {phrase->in_target, phrase->in_source,
                                           phrase->n_other_documents};
                for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                    trib_write_text(writer, ",");
                    trib_write_number(writer, counts[i]);
                }
                trib_write_text(writer, ",");
                trib_write_number(writer, phrase->mass);
                trib_print(writer, ",%zu\n", evidence->n_all_phrases);
            }
        }
    }
    trib_buffer_release(&words);
    return status;
}

/* Of many targets indentation would be an eighth of the bytes. */
static trib_status write_result(const trib_run *run, const void *what, trib_writer *writer,
                                trib_error *error) {
    enum { LINES_OF_MANY = 3 }; /* every part of a target is one line */
    const size_t lines = run->n_targets > TRIB_ALL_WRITTEN ? LINES_OF_MANY : TRIB_JSON_LINES;
    return trib_json_dump_lines(what, lines, writer, error);
}

/* A page of the report on its way into its file. */
typedef struct report_page {
    const trib_report *report;
    size_t page;
} report_page;

static trib_status write_html(const trib_run *run, const void *what, trib_writer *writer,
                              trib_error *error) {
    const report_page *page = what;
    (void)run;
    return trib_report_write_page(page->report, page->page, writer, error);
}

static trib_status write_page(trib_run *run, const trib_report *report, size_t page,
                              trib_error *error) {
    const report_page one = {report, page};
    trib_buffer name = {0};
    trib_status status = trib_report_page_name(report, page, &name, error);
    if (status == TRIB_OK) status = trib_directory_write(run, name.text, write_html, &one, error);
    trib_buffer_release(&name);
    return status;
}

static trib_status write_graphml(const trib_run *run, const void *what, trib_writer *writer,
                                 trib_error *error) {
    (void)run;
    return trib_graph_write_graphml(what, writer, error);
}

static trib_status write_dot(const trib_run *run, const void *what, trib_writer *writer,
                             trib_error *error) {
    (void)run;
    return trib_graph_write_dot(what, writer, error);
}

/* A file with all that was found, a row each; of the second table from the result. */
typedef struct output {
    const char *name;
    trib_file_write write;
    bool (*is_wanted)(const trib_run *run);
} output;

static bool wants_csv(const trib_run *run) { return run->config->report.csv; }
static bool wants_json(const trib_run *run) { return run->config->report.json; }
static bool is_network(const trib_run *run) {
    return run->n_targets > 1 && run->config->report.json; /* for programs, too */
}

static const output tables[] = {{"influence.csv", write_influence_csv, wants_csv},
                                {"phrases.csv", write_phrases_csv, wants_csv}};
static const output results[] = {{"influence.json", write_result, wants_json},
                                 {"influence.graphml", write_graphml, is_network},
                                 {"influence.dot", write_dot, is_network}};
enum { N_TABLES = sizeof tables / sizeof *tables, N_RESULTS = sizeof results / sizeof *results };

static trib_status write_output(trib_run *run, const output *row, const void *what,
                                trib_error *error) {
    return row->is_wanted(run) ? trib_directory_write(run, row->name, row->write, what, error)
                               : TRIB_OK;
}

/* The tables, which take nothing from the result, beside its targets. */
static trib_status make_part(trib_run *run, void *result, size_t i, trib_error *error) {
    return i < N_TABLES ? write_output(run, &tables[i], NULL, error)
                        : trib_result_target(result, (uint32_t)(i - N_TABLES), error);
}

static trib_status write_part(trib_run *run, void *report, size_t i, trib_error *error) {
    return i < N_RESULTS ? write_output(run, &results[i], run->result, error)
                         : write_page(run, report, i - N_RESULTS, error);
}

/* The tables beside the result, then what is made from it. */
trib_status trib_stage_report(trib_run *run, trib_error *error) {
    trib_result_work work;
    trib_report *report = NULL;
    trib_status status = trib_result_open(&work, run, error);
    if (status == TRIB_OK)
        status = trib_run_tasks(run, N_TABLES + run->n_targets, make_part, &work, error);
    status = trib_result_close(&work, &run->result, status, error);
    if (status == TRIB_OK && run->config->report.html)
        status = trib_report_open(&report, run->result, "report.html", "targets", error);
    const size_t n_pages = report ? trib_report_n_pages(report) : 0;
    if (n_pages > 1) status = trib_directory_make(run, "targets", error);
    if (status == TRIB_OK)
        status = trib_run_tasks(run, N_RESULTS + n_pages, write_part, report, error);
    trib_report_close(report);
    if (status == TRIB_OK) status = trib_directory_sums(run, error);
    run->is_whole = status == TRIB_OK;
    return status;
}

/* ---- The table -------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *stage;
    trib_status (*write)(trib_run *run, trib_error *error);
} outputs[] = {
    {"corpus", after_corpus},   {"tokens", after_tokens},       {"vocabulary", after_vocabulary},
    {"factors", after_factors}, {"distances", after_distances},
};

trib_status trib_outputs_write(trib_run *run, const char *stage, trib_error *error) {
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (strcmp(outputs[i].stage, stage) == 0) return outputs[i].write(run, error);
    return TRIB_OK;
}
