/* files.c - the files of the run directory that are written as soon as their stage has finished. */
#include "base/internal.h"

#include <unicode/uvernum.h>

#include "pipeline/config/config.h"
#include "pipeline/output/output.h"
#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"
#include "pipeline/support/tables.h"

/* Writes one file for a document: DIRECTORY/ID.EXTENSION. */
static trib_status per_document(trib_run_directory *directory, const char *pattern, uint32_t d,
                                trib_file_write *write, const void *what, trib_error *error) {
    const char *const id = directory->corpus->document[d].about->id;
    char name[TRIB_PATH_MAX];
    if (snprintf(name, sizeof name, pattern, id) >= (int)sizeof name)
        return trib_fail(error, TRIB_OUTPUT, "%s: name too long", id);
    return trib_directory_write(directory, name, write, what, error);
}

/* ---- After stages corpus and vocabulary ------------------------------------------------------ */

static trib_status write_config(const void *what, trib_writer *writer, trib_error *error) {
    (void)error;
    trib_config_write(what, writer, TRIB_CONFIG_MARKED | TRIB_CONFIG_RESULT);
    return TRIB_OK;
}

static trib_status write_manifest(const void *what, trib_writer *writer, trib_error *error) {
    const trib_corpus *corpus = what;
    TRIB_OWNED(trib_arena) arena = {0};
    trib_manifest_record manifest = {.schema = 1,
                                     .program = "tributary",
                                     .version = TRIB_VERSION,
                                     .commit = *trib_commit ? trib_commit : NULL,
                                     .icu = U_ICU_VERSION,
                                     .hash = corpus->hash};
    for (uint32_t d = 0; d < corpus->n_documents; d++) {
        const trib_document *const document = &corpus->document[d];
        TRIB_ADD(&arena, &manifest.inputs, trib_input_record,
                 {document->about->id, trib_result_utf8(&arena, document->about->file),
                  document->n_bytes, document->rejected ? NULL : document->sha256});
    }
    trib_status status = trib_arena_check(&arena, error);
    return status == TRIB_OK ? trib_manifest_write(&manifest, writer, error) : status;
}

trib_status trib_files_of_corpus(trib_run_directory *directory, trib_error *error) {
    const trib_status status = trib_directory_write(directory, "config.resolved.yaml", write_config,
                                                    directory->config, error);
    return status == TRIB_OK ? trib_directory_write(directory, "manifest.json", write_manifest,
                                                    directory->corpus, error)
                             : status;
}

static trib_status write_vocab(const void *what, trib_writer *writer, trib_error *error) {
    (void)error;
    trib_vocab_write(what, writer);
    return TRIB_OK;
}

trib_status trib_files_of_vocabulary(trib_run_directory *directory, const trib_vocab *vocab,
                                     trib_error *error) {
    return trib_directory_write(directory, "vocab.tsv", write_vocab, vocab, error);
}

/* ---- inputs.tsv ------------------------------------------------------------------------------ */

/* The data of the table. */
typedef struct inputs {
    const trib_config *config;
    const trib_corpus *corpus;
    const trib_corpus_words *words;
    bool has_languages; /* a last column with the languages of the texts */
} inputs;

/* Whether the list of documents names the language of any. */
static bool has_languages(const trib_config *config) {
    bool has = false;
    for (uint32_t d = 0; d < config->corpus.n_documents && !has; d++)
        has = config->corpus.document[d].language != NULL;
    return has;
}

static void write_part(trib_writer *writer, const trib_cut *cut, const char *where, bool *any) {
    if (cut->n_bytes == 0) return;
    trib_print(writer, "%s%llu bytes (%llu lines) %s", *any ? ", " : "stripped ",
               (unsigned long long)cut->n_bytes, (unsigned long long)cut->n_lines, where);
    *any = true;
}

/* Ends the row of a document, in a table with languages after a cell for its own. */
static void end_input(trib_writer *writer, const inputs *t, const trib_corpus_document *about,
                      const trib_account *account) {
    for (size_t i = 0; i < TRIB_ACCOUNT_COLUMNS; i++) {
        char text[TRIB_ACCOUNT_TEXT] = "";
        if (account) trib_account_cell(text, account, i);
        trib_write_text(writer, "\t");
        trib_write_tab_cell(writer, text);
    }
    if (t->has_languages)
        trib_print(writer, "\t%s", about ? trib_config_language(t->config, about) : "");
    trib_write_text(writer, "\n");
}

static void write_document(trib_writer *writer, const inputs *t, const trib_document *document,
                           const trib_document_words *words) {
    const trib_cuts *cuts = &words->cuts;
    const uint64_t n_cut = cuts->before.n_bytes + cuts->between.n_bytes + cuts->after.n_bytes;
    bool any = false;
    trib_write_tab_cell(writer, document->about->file);
    trib_write_text(writer, "\t");
    trib_write_tab_cell(writer, document->about->id);
    trib_print(writer, "\t%s\t%s\t%s\t%llu\t%llu\t%llu\t", n_cut > 0 ? "cut" : "read",
               trib_document_kind(document, words), words->encoding,
               (unsigned long long)document->n_bytes, (unsigned long long)n_cut,
               (unsigned long long)words->n_tokens);
    write_part(writer, &cuts->before, "before the text", &any);
    write_part(writer, &cuts->between, "between texts", &any);
    write_part(writer, &cuts->after, "behind the text", &any);
    if (words->counts.n_replaced > 0)
        trib_print(writer, "%s%llu invalid byte sequences became U+FFFD", any ? "; " : "",
                   (unsigned long long)words->counts.n_replaced);
    if (document->about->link) {
        trib_print(writer, "%sa link to ", any || words->counts.n_replaced > 0 ? "; " : "");
        trib_write_tab_cell(writer, document->about->link);
    }
    end_input(writer, t, document->about, &words->account);
}

static void write_rejected(trib_writer *writer, const inputs *t, const trib_rejected *rejected) {
    trib_write_tab_cell(writer, rejected->about->file);
    trib_write_text(writer, "\t");
    trib_write_tab_cell(writer, rejected->about->id);
    trib_print(writer, "\trefused\t%s\t\t%llu\t\t\t", rejected->kind,
               (unsigned long long)rejected->n_bytes);
    trib_write_tab_cell(writer, rejected->why);
    end_input(writer, t, rejected->about, NULL);
}

static trib_status write_inputs(const void *what, trib_writer *writer, trib_error *error) {
    static const trib_document_words none;
    const inputs *t = what;
    const trib_corpus *corpus = t->corpus;
    (void)error;
    trib_write_text(writer, "file\tdocument\twas\tkind\tencoding\tbytes\tcut\twords\twhy");
    for (size_t i = 0; i < TRIB_ACCOUNT_COLUMNS; i++)
        trib_print(writer, "\t%s", trib_account_columns[i].name);
    trib_write_text(writer, t->has_languages ? "\tlanguage\n" : "\n");
    uint32_t d = 0, r = 0; /* both are in the order of the corpus */
    while (d < corpus->n_documents || r < corpus->n_rejected) {
        const bool is_next =
            r == corpus->n_rejected ||
            (d < corpus->n_documents && corpus->document[d].about < corpus->rejected[r].about);
        if (!is_next) {
            write_rejected(writer, t, &corpus->rejected[r++]);
            continue;
        }
        const bool is_read = d < t->words->n_documents;
        write_document(writer, t, &corpus->document[d], is_read ? &t->words->document[d] : &none);
        d++;
    }
    for (size_t i = 0; i < t->config->corpus.n_left_out; i++) {
        const trib_left_out *out = &t->config->corpus.left_out[i];
        trib_write_tab_cell(writer, out->file);
        trib_print(writer, "\t\tnot read\t\t\t\t\t\t%s", out->why);
        end_input(writer, t, NULL, NULL);
    }
    return TRIB_OK;
}

trib_status trib_inputs_write(trib_run_directory *directory, const trib_corpus_words *words,
                              trib_error *error) {
    const inputs t = {directory->config, directory->corpus, words,
                      has_languages(directory->config)};
    return trib_directory_write(directory, "inputs.tsv", write_inputs, &t, error);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* The words, tensor or factors of one document. */
typedef struct counted {
    const trib_run_directory *directory;
    uint32_t d;
    const trib_counts *counts;
    const trib_ktensor *factors;
    const trib_vocab *vocab;
} counted;

static trib_status write_tensor(const void *what, trib_writer *writer, trib_error *error) {
    const counted *c = what;
    const trib_config *config = c->directory->config;
    const trib_hacoo *ngrams = trib_counts_table(c->counts);
    char reason[TRIB_REASON_MAX];
    const trib_fragment_options options = {.organisation = trib_organisation_choose(
                                               config->tensor.fragment, config->tensor.reads,
                                               ngrams->n_modes, ngrams->dim, ngrams->nnz, reason)};
    if (reason[0])
        trib_log_say(c->directory->log, TRIB_LOG_INFO, "%s: tensor.fragment auto is %s: %s",
                     c->directory->corpus->document[c->d].about->id, options.organisation->name,
                     reason);
    return trib_fragment_write(ngrams, &options, writer, error);
}

static trib_status write_words(const void *what, trib_writer *writer, trib_error *error) {
    const counted *c = what;
    (void)error;
    for (uint32_t i = 0; i < c->counts->n_local; i++)
        trib_print(writer, "%s\n", trib_vocab_name(c->vocab, c->counts->word[i]));
    return TRIB_OK;
}

trib_status trib_files_of_tensor(trib_run_directory *directory, uint32_t d,
                                 const trib_counts *counts, const trib_vocab *vocab,
                                 trib_error *error) {
    const counted c = {.directory = directory, .d = d, .counts = counts, .vocab = vocab};
    if (!directory->config->report.tensors) return TRIB_OK;
    const trib_status status =
        per_document(directory, "tensors/%s.fragment", d, write_tensor, &c, error);
    return status == TRIB_OK
               ? per_document(directory, "tensors/%s.words", d, write_words, &c, error)
               : status;
}

/* ---- Factors --------------------------------------------------------------------------------- */

static trib_status write_ktensor(const void *what, trib_writer *writer, trib_error *error) {
    const counted *c = what;
    const char **word = NULL;
    trib_status status = TRIB_NEW(&word, c->counts->n_local, "a document's words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < c->counts->n_local; i++)
        word[i] = trib_vocab_name(c->vocab, c->counts->word[i]);
    if (c->directory->corpus->n_documents > TRIB_ALL_WRITTEN + 1)
        trib_ktns_write_packed(c->factors, word, writer);
    else trib_ktns_write(c->factors, word, writer);
    trib_free(word);
    return TRIB_OK;
}

static trib_status write_ktensor_text(const void *what, trib_writer *writer, trib_error *error) {
    const counted *c = what;
    (void)error;
    trib_ktensor_write_text(c->factors, writer);
    return TRIB_OK;
}

/* Writes what the rows and columns of the factor matrices are: words and components. */
static trib_status write_factor_names(const void *what, trib_writer *writer, trib_error *error) {
    const counted *c = what;
    (void)error;
    trib_write_text(writer, "axis\tnumber\tword\tlambda\n");
    for (uint32_t i = 0; i < c->counts->n_local; i++) {
        trib_print(writer, "row\t%u\t", (unsigned)i + 1);
        trib_write_tab_cell(writer, trib_vocab_name(c->vocab, c->counts->word[i]));
        trib_write_text(writer, "\t\n");
    }
    for (uint32_t r = 0; r < c->factors->rank; r++) {
        trib_print(writer, "column\t%u\t\t", (unsigned)r + 1);
        trib_write_number(writer, c->factors->lambda[r]);
        trib_write_text(writer, "\n");
    }
    return TRIB_OK;
}

/* A matrix for an NPY file. */
typedef struct matrix {
    const double *value;
    uint32_t n_modes; /* 1: a vector; 2: a matrix */
    size_t dim[2];    /* a document may have no components */
} matrix;

static trib_status write_matrix(const void *what, trib_writer *writer, trib_error *error) {
    const matrix *m = what;
    (void)error;
    trib_npy_write_array(writer, m->value, m->n_modes, m->dim);
    return TRIB_OK;
}

/* Writes the factors as matrices, with one row for each word of the document and one column for
 * each component. */
static trib_status write_matrices(trib_run_directory *directory, const counted *c,
                                  trib_error *error) {
    const trib_ktensor *k = c->factors;
    const matrix lambda = {k->lambda, 1, {k->rank, 0}};
    trib_status status =
        per_document(directory, "factors/%s.lambda.npy", c->d, write_matrix, &lambda, error);
    for (uint32_t m = 0; m < k->n_modes && status == TRIB_OK; m++) {
        const matrix factor = {k->factor[m], 2, {k->dim[m], k->rank}};
        char pattern[32];
        snprintf(pattern, sizeof pattern, "factors/%%s.mode%u.npy", (unsigned)m + 1);
        status = per_document(directory, pattern, c->d, write_matrix, &factor, error);
    }
    return status;
}

static trib_status write_factors(trib_run_directory *directory, const counted *c,
                                 trib_error *error) {
    const trib_config *config = directory->config;
    trib_status status = TRIB_OK;
    if (config->report.factors)
        status = per_document(directory, "factors/%s.ktns", c->d, write_ktensor, c, error);
    if (status == TRIB_OK && config->report.ktensor)
        status = per_document(directory, "factors/%s.ktensor", c->d, write_ktensor_text, c, error);
    if (!config->report.npy && !config->report.ktensor) return status;
    if (status == TRIB_OK)
        status = per_document(directory, "factors/%s.words", c->d, write_words, c, error);
    if (status == TRIB_OK)
        status =
            per_document(directory, "factors/%s.names.tsv", c->d, write_factor_names, c, error);
    return status == TRIB_OK && config->report.npy ? write_matrices(directory, c, error) : status;
}

/* The ranks tried in the search of each document. */
typedef struct ranks {
    const trib_corpus *corpus;
    const trib_decomposition *decomposition;
} ranks;

/* Writes the ranks tried for every document, from which a scree plot can be drawn. */
static trib_status write_ranks_csv(const void *what, trib_writer *writer, trib_error *error) {
    const ranks *r = what;
    (void)error;
    trib_write_ranks_header("document,", writer);
    for (uint32_t d = 0; d < r->corpus->n_documents; d++)
        for (size_t i = 0; i < r->decomposition[d].search.n; i++) {
            trib_write_cell(writer, r->corpus->document[d].about->id);
            trib_write_text(writer, ",");
            trib_write_ranks_row(&r->decomposition[d].search, i, writer);
        }
    return TRIB_OK;
}

/* Documents are written in parallel, because formatting factors as text often takes longer than the
 * decomposition. */
trib_status trib_files_of_factors(trib_run_directory *directory, const trib_tensors *tensors,
                                  const trib_decomposition decomposition[], const trib_vocab *vocab,
                                  trib_error *error) {
    const trib_config *config = directory->config;
    const ranks tried = {directory->corpus, decomposition};
    size_t failed = SIZE_MAX; /* the first document that failed */
    trib_status status = TRIB_OK;
    if (TRIB_RANK_IS_SEARCHED(config->cp.rank))
        status = trib_directory_write(directory, "ranks.csv", write_ranks_csv, &tried, error);
    if (!config->report.factors && !config->report.npy && !config->report.ktensor) return status;
    if (status == TRIB_OK) status = trib_directory_make(directory, "factors", error);
    if (status != TRIB_OK) return status;
#pragma omp parallel for schedule(dynamic, 1) num_threads(directory->n_threads)
    for (uint32_t d = 0; d < tensors->n_documents; d++) {
        if (decomposition[d].factors.n_modes == 0) continue; /* it is not measured */
        const counted c = {directory, d, &tensors->document[d], &decomposition[d].factors, vocab};
        trib_error failure = {0};
        const trib_status one = write_factors(directory, &c, &failure);
        trib_keep_first(d, one, &failure, &failed, &status, error);
    }
    return status;
}

/* ---- Distances ------------------------------------------------------------------------------- */

/* The names of the rows and columns of nearest.npy or distances.npy. */
typedef struct matrix_names {
    const trib_corpus *corpus;
    const trib_factors *factors;
    const bool *row;   /* [factors] */
    bool to_documents; /* columns: true: documents, false: factors */
} matrix_names;

static void write_factor_name(const matrix_names *names, const char *axis, size_t number,
                              size_t factor, trib_writer *writer) {
    trib_print(writer, "%s\t%zu\t%s\t%u\n", axis, number,
               names->corpus->document[names->factors->document[factor]].about->id,
               (unsigned)names->factors->component[factor] + 1);
}

static trib_status write_names(const void *what, trib_writer *writer, trib_error *error) {
    const matrix_names *names = what;
    const trib_corpus *corpus = names->corpus;
    size_t n_rows = 0;
    (void)error;
    trib_write_text(writer, "axis\tnumber\tdocument\tcomponent\n");
    for (size_t f = 0; f < names->factors->n; f++)
        if (names->row[f]) write_factor_name(names, "row", ++n_rows, f, writer);
    for (size_t f = 0; f < names->factors->n && !names->to_documents; f++)
        write_factor_name(names, "column", f + 1, f, writer);
    for (uint32_t d = 0; d < corpus->n_documents && names->to_documents; d++)
        trib_print(writer, "column\t%u\t%s\t\n", (unsigned)d + 1, corpus->document[d].about->id);
    return TRIB_OK;
}

/* Writes the rows of value[factors][n_columns] that belong to targets, and the names of rows and
 * columns. */
static trib_status write_rows(trib_run_directory *directory, const char *name, double *value,
                              size_t n_columns, const matrix_names *names, trib_error *error) {
    char file[32];
    size_t n_rows = 0;
    for (size_t f = 0; f < names->factors->n; f++)
        if (names->row[f])
            memmove(value + n_rows++ * n_columns, value + f * n_columns, n_columns * sizeof *value);
    const matrix rows = {value, 2, {n_rows, n_columns}};
    snprintf(file, sizeof file, "%s.npy", name);
    trib_status status = trib_directory_write(directory, file, write_matrix, &rows, error);
    snprintf(file, sizeof file, "%s.names.tsv", name);
    return status == TRIB_OK ? trib_directory_write(directory, file, write_names, names, error)
                             : status;
}

static trib_status write_nearest(trib_run_directory *directory, const trib_distances *distances,
                                 const matrix_names *names, trib_error *error) {
    const size_t width = directory->corpus->n_documents, n = distances->factors.n;
    TRIB_FREED(double *) nearest = NULL;
    trib_status status = trib_new(&nearest, n, width * sizeof *nearest, "the distances", error);
    if (status != TRIB_OK) return status;
    if (n > 0) memcpy(nearest, distances->nearest.nearest, n * width * sizeof *nearest);
    return write_rows(directory, "nearest", nearest, width, names, error);
}

trib_status trib_files_of_distances(trib_run_directory *directory, const trib_distances *distances,
                                    double *all, trib_error *error) {
    const trib_corpus *corpus = directory->corpus;
    const trib_factors *factors = &distances->factors;
    const trib_run_results results = {
        .config = directory->config, .corpus = corpus, .distances = distances};
    TRIB_FREED(bool *) row = NULL;
    trib_status status = trib_result_file_write(directory, &trib_result_distances, &results, error);
    if (status != TRIB_OK || !directory->config->report.npy) return status;
    status = TRIB_NEW(&row, factors->n, "the distances", error);
    for (size_t f = 0; f < factors->n && status == TRIB_OK; f++)
        row[f] =
            trib_config_is_target(directory->config, corpus->document[factors->document[f]].about);
    matrix_names names = {corpus, factors, row, true};
    if (status == TRIB_OK) status = write_nearest(directory, distances, &names, error);
    names.to_documents = false;
    if (status == TRIB_OK && all)
        status = write_rows(directory, "distances", all, factors->n, &names, error);
    return status;
}
