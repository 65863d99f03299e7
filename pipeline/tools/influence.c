/* influence.c - `tributary influence`: runs the stages influence and evidence for one target, on
 * files of words, n-grams or factors that other commands and runs wrote. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/command/command.h"
#include "pipeline/config/documents.h"
#include "pipeline/output/result.h"
#include "pipeline/run/run.h"
#include "pipeline/summary/summary.h"
#include "pipeline/support/terminal.h"
#include "pipeline/tools/factor_files.h"
#include "pipeline/tools/tools.h"
#include "pipeline/tools/word_lines.h"
#include "tokenizer/word_runs.h"

typedef struct kind kind;

typedef struct job {
    const trib_command_line *line;
    trib_log *log;
    trib_config config;
    trib_run run;
    const kind *kind;
    trib_corpus_document *about; /* [n] by id */
    const char **path;           /* [n] */
    trib_reader *words;          /* [n] files of words */
    trib_intern names;           /* the words of tensors and factors, by id */
} job;

/* The contents that a file may have. All files of one call must be of one kind. */
struct kind {
    const char *name, *begin; /* how such a file begins */
    /* what these files do not contain and some methods need; NULL: nothing */
    const char *lacks;
    bool (*serves)(const trib_influence_method *method);
    trib_status (*read)(job *j, trib_error *error);
};

/* ---- Words ----------------------------------------------------------------------------------- */

static bool serves_all(const trib_influence_method *method) {
    (void)method;
    return true;
}

/* Reads files of words with the stages of a run from the vocabulary on. */
static trib_status read_words(job *j, trib_error *error) {
    trib_run *run = &j->run;
    trib_status status =
        trib_new(&j->words, run->corpus.n_documents, sizeof *j->words, "words", error);
    if (status == TRIB_OK)
        status = trib_corpus_words_init(&run->words, run->corpus.n_documents, error);
    for (uint32_t d = 0; status == TRIB_OK && d < run->corpus.n_documents; d++)
        j->words[d].file = -1;
    for (uint32_t d = 0; status == TRIB_OK && d < run->corpus.n_documents; d++) {
        status = trib_reader_open(&j->words[d], j->path[d], error);
        if (status != TRIB_OK) break;
        run->words.document[d].file = &j->words[d];
        status = trib_reader_size(&j->words[d], &run->words.document[d].size, error);
        if (status == TRIB_OK)
            status =
                trib_words_join(&run->env, &run->corpus, d, &run->words, &run->word_counts, error);
    }
    if (status == TRIB_OK) status = trib_run_stage(run, "vocabulary", error);
    return status == TRIB_OK ? trib_run_stage(run, "tensors", error) : status;
}

/* ---- N-grams --------------------------------------------------------------------------------- */

static bool serves_counts(const trib_influence_method *method) { return !method->needs_order; }

/* Reads the words of a run from its vocab.tsv, which numbers them as the run does. */
static trib_status read_names(job *j, trib_error *error) {
    if (!j->config.vocabulary.path) return TRIB_OK;
    return trib_vocab_read_file(&j->names, j->config.vocabulary.path, error);
}

/* Adds the words of x.words, the file beside x.fragment, to the names. */
static trib_status read_lines(job *j, uint32_t d, trib_error *error) {
    trib_counts *document = &j->run.tensors.document[d];
    trib_buffer path = {0};
    trib_intern here = {0};
    const char *ending = strstr(j->path[d], ".fragment"), *next;
    while (ending && (next = strstr(ending + 1, ".fragment"))) ending = next;
    const size_t stem = ending ? (size_t)(ending - j->path[d]) : strlen(j->path[d]);
    trib_status status = trib_buffer_print(&path, error, "%.*s.words", (int)stem, j->path[d]);
    if (status == TRIB_OK) {
        status = trib_word_lines_read(&here, path.text, document->n_local, error);
        if (status != TRIB_OK && access(path.text, F_OK) != 0)
            trib_error_prefix(error, "%s: its words are missing", j->path[d]);
    }
    if (status == TRIB_OK)
        status = trib_new(&document->word, document->n_local, sizeof *document->word,
                          "a document's words", error);
    for (uint32_t i = 0; status == TRIB_OK && i < document->n_local; i++) {
        const char *word = trib_intern_word(&here, i);
        status = trib_intern_add(&j->names, word, strlen(word), &document->word[i], error);
    }
    trib_intern_release(&here);
    trib_buffer_release(&path);
    return status;
}

static trib_status read_tensor(job *j, uint32_t d, trib_error *error) {
    trib_counts *document = &j->run.tensors.document[d];
    trib_tensor_file file;
    trib_status status =
        trib_tensor_file_load(&file, j->path[d], j->line, &j->config, j->log, error);
    if (status != TRIB_OK) return status;
    document->ngrams = file.tensor.place; /* the values of a fragment are counts */
    file.tensor.place = (trib_hacoo){0};
    trib_tensor_file_release(&file);
    const trib_hacoo *x = &document->ngrams;
    for (uint32_t m = 1; m < x->n_modes; m++)
        if (x->dim[m] != x->dim[0])
            return trib_fail(error, TRIB_INPUT,
                             "%s: its modes have different sizes, so it does not count n-grams",
                             j->path[d]);
    if (d > 0 && x->n_modes != j->run.tensors.document[0].ngrams.n_modes)
        return trib_fail(error, TRIB_INPUT, "%s: has %u-grams, and %s has %u-grams", j->path[d],
                         (unsigned)x->n_modes, j->path[0],
                         (unsigned)j->run.tensors.document[0].ngrams.n_modes);
    if (x->total == 0) return trib_fail(error, TRIB_INPUT, "%s: contains no n-gram", j->path[d]);
    document->n_local = x->dim[0];
    document->n_ngrams = (size_t)x->total;
    /* the length of a text without breaks */
    j->run.words.document[d].n_tokens = (size_t)x->total + x->n_modes - 1;
    return read_lines(j, d, error);
}

/* Puts the words into a vocabulary by their ids. The files do not contain the counts of words. */
static trib_status name_words(trib_vocab *vocab, const trib_intern *names, trib_error *error) {
    const uint32_t n = names->n_words;
    *vocab = (trib_vocab){.other = TRIB_NO_WORD};
    trib_status status = trib_vocab_allocate(vocab, n, names->n_text, false, NULL, error);
    if (status != TRIB_OK) return status;
    if (names->n_text > 0) memcpy(vocab->text, names->text, names->n_text);
    vocab->n_words = n;
    for (uint32_t id = 0; id < n; id++) {
        vocab->word[id] = vocab->text + names->start[id];
        if (strcmp(vocab->word[id], "<other>") == 0) vocab->other = id;
    }
    return TRIB_OK;
}

/* Allocates what the stages up to tensors would have made. */
static trib_status begin_tensors(trib_run *run, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    trib_status status = trib_corpus_words_init(&run->words, n, error);
    if (status == TRIB_OK) status = trib_tensors_init(&run->tensors, n, false, error);
    return status == TRIB_OK ? trib_run_begin_findings(run, error) : status;
}

/* Fills in the documents for the methods; the order of the n-grams is not known. */
static void show_documents(trib_run *run) {
    trib_tensors_finish(&run->tensors, &run->words);
    for (uint32_t d = 0; d < run->corpus.n_documents; d++) {
        run->vocab.n_tokens += run->words.document[d].n_tokens;
        run->tensors.view[d].n_ngrams = 0;
    }
}

static trib_status read_tensors(job *j, trib_error *error) {
    trib_run *run = &j->run;
    trib_status status = begin_tensors(run, error);
    if (status == TRIB_OK) status = read_names(j, error);
    for (uint32_t d = 0; d < run->corpus.n_documents && status == TRIB_OK; d++)
        status = read_tensor(j, d, error);
    if (status == TRIB_OK) j->config.tensor.n = run->tensors.document[0].ngrams.n_modes;
    if (status == TRIB_OK) status = name_words(&run->vocab, &j->names, error);
    if (status == TRIB_OK) show_documents(run);
    return status;
}

/* ---- Factors --------------------------------------------------------------------------------- */

static bool serves_factors(const trib_influence_method *method) {
    return method->needs_factors && !method->needs_order && !method->has_evidence;
}

static trib_status read_factors(job *j, trib_error *error) {
    trib_run *run = &j->run;
    trib_factor_files files;
    trib_status status =
        trib_factor_files_read(&files, j->path, run->corpus.n_documents, &j->config, error);
    if (status == TRIB_OK) status = begin_tensors(run, error);
    for (uint32_t d = 0; d < run->corpus.n_documents && status == TRIB_OK; d++) {
        trib_counts *document = &run->tensors.document[d];
        run->decomposition[d].factors = files.k[d];
        document->word = files.word[d];
        document->n_local = files.n_indices[d];
        files.k[d] = (trib_ktensor){0};
        files.word[d] = NULL;
    }
    if (status == TRIB_OK) status = name_words(&run->vocab, &files.words, error);
    if (status == TRIB_OK) j->config.tensor.n = files.factors.n_modes;
    /* near-duplicates are found by n-grams, which are not here */
    j->config.corpus.near_duplicate = 0;
    trib_factor_files_release(&files);
    if (status == TRIB_OK) show_documents(run);
    return status;
}

static const kind kinds[] = {
    {"words", "TRIBWORD", NULL, serves_all, read_words},
    {"n-grams", "TRIBFRAG", "the words in their order", serves_counts, read_tensors},
    {"factors", "ktensor ", "the n-grams themselves", serves_factors, read_factors},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* ---- Documents and methods ------------------------------------------------------------------- */

static trib_status find_kind(const char *path, const kind **found, trib_error *error) {
    char begin[8];
    size_t got = 0;
    trib_reader reader;
    *found = NULL;
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_reader_peek(&reader, begin, sizeof begin, &got, error);
    trib_reader_close(&reader);
    for (int i = 0; i < N_KINDS && status == TRIB_OK && got == sizeof begin; i++)
        if (memcmp(begin, kinds[i].begin, got) == 0) *found = &kinds[i];
    if (status != TRIB_OK || *found) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%s: neither the words of a text (`tributary tokens TEXT -o FILE`) nor a "
                     "fragment nor factors (.ktns)",
                     path);
}

static int by_id(const void *a, const void *b) {
    return strcmp(((const trib_corpus_document *)a)->id, ((const trib_corpus_document *)b)->id);
}

/* Names the documents after the files, or by their paths where two names are equal; orders them
 * as a run does. */
static trib_status list_documents(job *j, trib_error *error) {
    const trib_command_line *line = j->line;
    const uint32_t n = (uint32_t)line->n_operands;
    bool alike = false;
    trib_status status = trib_new(&j->about, n, sizeof *j->about, "documents", error);
    if (status == TRIB_OK) status = trib_new(&j->path, n, sizeof *j->path, "documents", error);
    for (int with_path = 0; with_path < 2 && status == TRIB_OK; with_path++) {
        for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
            char *path = (char *)(uintptr_t)line->operand[d];
            trib_free(j->about[d].id);
            j->about[d] = (trib_corpus_document){.file = path, .path = path};
            status = with_path ? trib_copy_text(&j->about[d].id, path, strlen(path), error)
                               : trib_path_stem(&j->about[d].id, path, error);
        }
        if (status != TRIB_OK) break;
        qsort(j->about, n, sizeof *j->about, by_id);
        alike = false;
        for (uint32_t d = 1; d < n; d++) alike |= by_id(&j->about[d - 1], &j->about[d]) == 0;
        if (!alike) break;
    }
    for (uint32_t d = 1; d < n && alike && status == TRIB_OK; d++)
        if (by_id(&j->about[d - 1], &j->about[d]) == 0)
            status = trib_fail(error, TRIB_USAGE, "%s is named twice", j->about[d].path);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        const kind *found = NULL;
        j->path[d] = j->about[d].path;
        status = find_kind(j->path[d], &found, error);
        if (status == TRIB_OK && j->kind && found != j->kind)
            status = trib_fail(error, TRIB_INPUT,
                               "%s contains %s, and %s contains %s; give files of one kind",
                               j->path[d], found->name, j->path[0], j->kind->name);
        j->kind = found;
    }
    return status;
}

static bool is_set(const trib_command_line *line, const char *key) {
    for (size_t i = 0; i < line->n_settings; i++)
        if (strcmp(line->setting[i].key, key) == 0) return true;
    return false;
}

/* The first method whose result has phrases, or else the first method. */
static const trib_influence_method *with_phrases(const trib_config *config) {
    const trib_influence_method *method = trib_method_of_evidence(config);
    return method ? method : config->influence.method[0];
}

/* Removes the methods that these files cannot serve. A method that was asked for by name must
 * remain, else it is an error. */
static trib_status choose_methods(job *j, trib_error *error) {
    trib_config *config = &j->config;
    uint32_t n = 0;
    bool has_headline = false;
    for (uint32_t i = 0; i < config->influence.n_methods; i++) {
        const trib_influence_method *method = config->influence.method[i];
        if (j->kind->serves(method)) {
            if (method->needs_factors && config->cp.solver->negative &&
                j->kind->read != read_factors)
                return trib_fail(error, TRIB_CONFIG,
                                 "influence method %s needs a nonnegative solver such as hals, not "
                                 "%s",
                                 method->name, config->cp.solver->name);
            config->influence.method[n++] = method;
            has_headline |= method == config->influence.headline;
        } else if (is_set(j->line, "influence.methods")) {
            return trib_fail(error, TRIB_USAGE,
                             "influence.methods: %s needs %s, which files of %s do not contain; "
                             "`tributary tokens` writes files that serve every method",
                             method->name, j->kind->lacks, j->kind->name);
        }
    }
    const uint32_t n_asked = config->influence.n_methods;
    for (const trib_influence_method *m = trib_influence_methods; m->name && n == 0; m++)
        if (j->kind->serves(m)) config->influence.method[n++] = m;
    config->influence.n_methods = n;
    if (!has_headline) config->influence.headline = NULL;
    if (!has_headline) config->influence.headline = with_phrases(config);
    if (n < n_asked)
        trib_log_say(
            j->log, TRIB_LOG_INFO,
            "files of %s do not contain %s: %u of %u methods remain, and the headline is %s",
            j->kind->name, j->kind->lacks, (unsigned)n, (unsigned)n_asked,
            config->influence.headline->name);
    return TRIB_OK;
}

/* Opens a run of these documents: the first operand is the target, the others are sources. */
static trib_status open_run(job *j, trib_error *error) {
    const uint32_t n = (uint32_t)j->line->n_operands;
    trib_run *run = &j->run;
    trib_run_init(run, &j->config, j->log, trib_command_threads(j->line, &j->config));
    if (j->config.corpus.order == TRIB_ORDER_BY_DATE)
        return trib_fail(error, TRIB_USAGE,
                         "corpus.order: files have no dates; name the target's "
                         "sources alone");
    trib_corpus *corpus = &run->corpus;
    trib_status status =
        trib_new(&corpus->document, n, sizeof *corpus->document, "documents", error);
    if (status == TRIB_OK) corpus->n_documents = n;
    if (status == TRIB_OK)
        status = trib_new(&corpus->target, 1, sizeof *corpus->target, "targets", error);
    if (status != TRIB_OK) return status;
    corpus->n_targets = 1;
    status =
        trib_new(&corpus->target[0].source, n, sizeof *corpus->target[0].source, "sources", error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        j->about[d].title = j->about[d].id;
        corpus->document[d].about = &j->about[d];
        if (j->about[d].path == j->line->operand[0]) corpus->target[0].document = d;
        else corpus->target[0].source[corpus->target[0].n_sources++] = d;
    }
    return status == TRIB_OK ? trib_corpus_order(&j->config, corpus, error) : status;
}

/* ---- The stages ------------------------------------------------------------------------------ */

static trib_status measure(job *j, trib_error *error) {
    trib_run *run = &j->run;
    const bool has_evidence = trib_method_of_evidence(&j->config) != NULL;
    bool needs_factors = false;
    for (uint32_t i = 0; i < j->config.influence.n_methods; i++)
        needs_factors |= j->config.influence.method[i]->needs_factors;
    trib_status status = TRIB_OK;
    const bool are_read = run->tensors.document[0].ngrams.nnz == 0;
    if (needs_factors && !are_read) status = trib_run_stage(run, "factors", error);
    if (needs_factors && status == TRIB_OK) status = trib_run_stage(run, "distances", error);
    if (status == TRIB_OK) status = trib_run_stage(run, "influence", error);
    if (status == TRIB_OK && has_evidence) status = trib_run_stage(run, "evidence", error);
    for (uint32_t i = 0; status == TRIB_OK && are_read && i < j->config.influence.n_methods; i++)
        run->shares[0].influence[i].explained = NAN; /* it needs the text, which is not here */
    return status;
}

static trib_status write_result(const job *j, json_t *result, trib_writer *out, trib_error *error) {
    const trib_command_line *line = j->line;
    const int color = line->color ? line->color - 1 : TRIB_COLOR_AUTO;
    const trib_summary_options options = {.colors = trib_terminal_colors(1, color),
                                          .phrases = true};
    const bool to_out = line->output && strcmp(line->output, "-") == 0;
    trib_writer file;
    trib_buffer text = {0};
    if (to_out || (line->json && !line->output))
        return trib_json_write(json_incref(result), out, error);
    trib_status status = TRIB_OK;
    if (line->output) {
        status = trib_writer_open(&file, line->output, error);
        if (status != TRIB_OK) return status;
        status = trib_json_write(json_incref(result), &file, error);
        if (status == TRIB_OK) status = trib_writer_commit(&file, NULL, error);
        else trib_writer_abandon(&file);
        if (status == TRIB_OK && line->json)
            status = trib_json_write(
                json_pack("{s:i, s:o}", "schema", 1, "file", trib_json_text(line->output)), out,
                error);
        return status;
    }
    status = trib_summary_write(result, &options, &text, error);
    if (status == TRIB_OK) trib_write(out, text.text, text.length);
    trib_buffer_release(&text);
    return status;
}

static void release(job *j) {
    const uint32_t n = (uint32_t)j->line->n_operands;
    for (uint32_t d = 0; d < n && j->words; d++) trib_reader_close(&j->words[d]);
    trib_run_release(&j->run);
    for (uint32_t d = 0; d < n && j->about; d++) trib_free(j->about[d].id);
    trib_free(j->words);
    trib_free(j->path);
    trib_free(j->about);
    trib_intern_release(&j->names);
    trib_config_release(&j->config);
}

trib_status trib_command_influence(const trib_command_line *line, trib_log *log, trib_writer *out,
                                   trib_error *error) {
    job j = {.line = line, .log = log};
    json_t *result = NULL;
    trib_log_catch_signals(log, 0);
    trib_status status = trib_tensor_settings(&j.config, line, log, error);
    if (status == TRIB_OK) status = list_documents(&j, error);
    if (status == TRIB_OK) status = choose_methods(&j, error);
    j.config.report.text = TRIB_TEXT_NONE; /* the texts are not here */
    if (status == TRIB_OK) status = open_run(&j, error);
    if (status == TRIB_OK) status = j.kind->read(&j, error);
    if (status == TRIB_OK) status = measure(&j, error);
    if (status == TRIB_OK) status = trib_run_make_result(&j.run, &result, error);
    if (status == TRIB_OK) status = write_result(&j, result, out, error);
    json_decref(result);
    release(&j);
    return status;
}
