/* result_corpus.c - the members of a result that say what was measured: the configuration, the
 * documents with their factors, and the methods. */

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"

/* A measure that is absent when it was not computed, or infinite. */
static double measure(double value) { return isfinite(value) ? value : (double)NAN; }

/* ---- Configuration --------------------------------------------------------------------------- */

static void add_setting(void *context, const char *key, const char *value, bool is_default,
                        bool changes_result) {
    trib_result *const result = context;
    if (!changes_result) return; /* may differ between equal runs */
    const char *const name = trib_arena_text(&result->arena, key);
    TRIB_ADD(&result->arena, &result->configuration, trib_setting_record,
             {name, trib_arena_text(&result->arena, value)});
    if (is_default) return;
    TRIB_ADD(&result->arena, &result->changed, const char *, {name});
}

/* ---- Corpus and documents -------------------------------------------------------------------- */

static double share_of(uint64_t part, uint64_t all) {
    return all > 0 ? (double)part / (double)all : 0;
}

static void add_refused(trib_refused_records *list, trib_arena *arena, const char *id,
                        const char *file, const char *why) {
    TRIB_ADD(arena, list, trib_refused_record,
             {id, trib_result_utf8(arena, file), trib_arena_text(arena, why)});
}

static trib_corpus_record *make_corpus(trib_arena *arena, const trib_run_results *results) {
    const trib_corpus *const about = results->corpus;
    const trib_vocab *const vocab = results->vocab;
    trib_corpus_record *const corpus = trib_arena_new(arena, 1, sizeof *corpus);
    if (!corpus) return NULL;
    *corpus = (trib_corpus_record){
        .tokens = vocab->n_tokens,
        .vocabulary = vocab->n_words,
        .wildcard_tokens =
            share_of(vocab->other == TRIB_NO_WORD ? 0 : vocab->n_other, vocab->n_tokens),
        .wildcard_ngrams =
            share_of(results->tensors->n_wildcard_ngrams, results->tensors->n_ngrams)};
    if (about->candidates.most > 0)
        corpus->candidates = trib_arena_new(arena, 1, sizeof *corpus->candidates);
    if (corpus->candidates)
        *corpus->candidates =
            (trib_candidates_record){about->candidates.most, about->candidates.rate};
    for (uint32_t r = 0; r < about->n_rejected; r++)
        add_refused(&corpus->refused, arena, about->rejected[r].about->id,
                    about->rejected[r].about->file, about->rejected[r].why);
    for (size_t i = 0; i < results->config->corpus.n_left_out; i++) {
        const trib_left_out *out = &results->config->corpus.left_out[i];
        add_refused(&corpus->left_out, arena, NULL, out->file, out->why);
    }
    for (size_t i = 0; i < results->words->taken.n; i++)
        trib_texts_add(arena, &corpus->read_as,
                       trib_result_utf8(arena, results->words->taken.line[i]));
    return corpus;
}

static void add_ranks(trib_rank_records *list, trib_arena *arena, const trib_rank_search *search) {
    for (size_t i = 0; i < search->n; i++) {
        const trib_rank_step *const step = &search->step[i];
        TRIB_ADD(arena, list, trib_rank_record,
                 {step->rank, step->n_components, measure(step->error), measure(step->l1_error),
                  measure(step->core_consistency), step->n_iterations, i == search->chosen});
    }
}

/* Fills in what is known where the factors were made here, not read without their tensor. */
static void fill_trace(trib_factors_record *record, trib_arena *arena, const trib_config *config,
                       const trib_hacoo *ngrams, const trib_decomposition *found) {
    const trib_cp_trace *const trace = &found->trace;
    char reason[TRIB_REASON_MAX];
    double mass = 0;
    for (uint32_t r = 0; r < found->factors.rank; r++) mass += found->factors.lambda[r];
    record->iterations = trace->n_steps;
    record->stop = trib_stop_text(trace->stop);
    trib_arena_list(arena, &record->fits);
    for (size_t i = 0; i < trace->n_steps; i++) {
        TRIB_ADD(arena, &record->fits, double, {measure(trace->step[i].fit)});
    }
    if (trace->n_restarts > 1) {
        record->restarts = trace->n_restarts;
        record->worst_fit = trace->worst_fit;
        record->match = trace->mean_match;
        record->least_match = trace->least_match;
    }
    record->zero = trace->n_zero;
    record->mass = mass / (double)ngrams->total;
    record->format =
        trib_format_choose(config->tensor.format, ngrams, trib_config_rank(config, ngrams->nnz),
                           config->cp.iterations, reason)
            ->name;
    if (reason[0]) record->format_reason = trib_arena_text(arena, reason);
    record->l1_error = measure(found->judged.l1_error);
    record->congruence = measure(found->judged.congruence);
    add_ranks(&record->ranks, arena, &found->search);
    if (found->search.n > 0) record->rank_end = trib_rank_end_text(found->search.end);
}

static trib_factors_record *make_factors(trib_arena *arena, const trib_config *config,
                                         const trib_hacoo *ngrams,
                                         const trib_decomposition *found) {
    const trib_ktensor *const k = &found->factors;
    trib_factors_record *const record =
        k->rank > 0 ? trib_arena_new(arena, 1, sizeof *record) : NULL;
    if (!record) return NULL;
    *record = (trib_factors_record){.rank = k->rank,
                                    .fit = measure(k->fit),
                                    .precision = k->single ? "single" : NULL,
                                    .restarts = TRIB_ABSENT,
                                    .worst_fit = (double)NAN,
                                    .match = (double)NAN,
                                    .least_match = (double)NAN};
    if (ngrams->nnz > 0) fill_trace(record, arena, config, ngrams, found);
    return record;
}

static trib_account_record *make_account(trib_arena *arena, const trib_account *account) {
    trib_account_record *const record = trib_arena_new(arena, 1, sizeof *record);
    if (!record) return NULL;
    *record = (trib_account_record){0};
    memcpy(record, &account->counts, sizeof account->counts);
    const char **const text[] = {&record->left_out, &record->unknown, &record->begins,
                                 &record->ends};
    for (size_t i = TRIB_ACCOUNT_ROWS; i < TRIB_ACCOUNT_COLUMNS; i++) {
        char cell[TRIB_ACCOUNT_TEXT];
        trib_account_cell(cell, account, i);
        if (*cell) *text[i - TRIB_ACCOUNT_ROWS] = trib_arena_text(arena, cell);
    }
    return record;
}

static void fill_document(trib_document_record *record, trib_arena *arena,
                          const trib_run_results *results, uint32_t d) {
    const trib_document *document = &results->corpus->document[d];
    const trib_document_words *words = &results->words->document[d];
    const trib_counts *counts = &results->tensors->document[d];
    const trib_counts_size *size = &results->tensors->size[d];
    const trib_corpus_document *about = document->about;
    *record = (trib_document_record){
        .id = about->id,
        .title = about->title ? about->title : about->id,
        .author = about->author ? about->author : "",
        .date = about->date,
        .date_from = about->date && about->date_from >= TRIB_FROM_FILE_NAME
                         ? trib_from_text(about->date_from)
                         : NULL,
        .role = trib_role_names[about->role],
        .file = trib_result_utf8(arena, about->file),
        .sha256 = document->sha256,
        .bytes = document->n_bytes,
        .kind = trib_document_kind(document, words),
        .encoding = words->encoding,
        .language = about->language,
        .columns = about->columns,
        .words = words->n_tokens,
        .vocabulary = size->n_words,
        .ngrams = counts->n_ngrams,
        .nonzeros = size->n_nonzeros,
        .wildcard_ngrams = share_of(counts->n_wildcard_ngrams, counts->n_ngrams),
        .replaced = words->counts.n_replaced,
        .account = make_account(arena, &words->account),
        .factors = make_factors(arena, results->config, trib_counts_table(counts),
                                &results->decomposition[d])};
}

/* What makes two words the same word, and the most frequent changes. */
static trib_same_words_record *make_same_words(trib_arena *arena,
                                               const trib_word_changes *changes) {
    trib_same_words_record *const record = trib_arena_new(arena, 1, sizeof *record);
    if (!record) return NULL;
    *record = (trib_same_words_record){changes->n_spellings,
                                       changes->n_words,
                                       changes->n_changed,
                                       changes->n_changed_tokens,
                                       changes->n_left_out,
                                       changes->n_left_out_tokens,
                                       {0}};
    for (uint32_t i = 0; i < changes->n; i++) {
        const trib_change *const change = &changes->change[i];
        TRIB_ADD(arena, &record->changes, trib_change_record,
                 {change->from, change->norm, change->shown, change->count});
    }
    return record;
}

trib_status trib_result_add_corpus(trib_result *result, const trib_run_results *results,
                                   trib_error *error) {
    trib_arena *const arena = &result->arena;
    const trib_config *const config = results->config;
    const trib_status status = trib_config_each(config, add_setting, result, error);
    result->corpus = make_corpus(arena, results);
    if (results->words->changes.has_norms)
        result->same_words = make_same_words(arena, &results->words->changes);
    for (uint32_t d = 0; d < results->corpus->n_documents; d++) {
        trib_document_record *const document =
            trib_arena_append(arena, &result->documents, sizeof *document);
        if (document) fill_document(document, arena, results, d);
    }
    for (uint32_t i = 0; i < config->influence.n_methods; i++) {
        const trib_influence_method *const method = config->influence.method[i];
        TRIB_ADD(arena, &result->methods, trib_method_record,
                 {method->name, method->help, method->sums_to_one});
    }
    return status;
}

/* ---- Formulas -------------------------------------------------------------------------------- */

enum { LONGEST = 20 };

static const trib_corpus_document *about(const trib_run_results *results, uint32_t document) {
    return results->corpus->document[document].about;
}

static bool have_formulas(const trib_run_results *results) {
    return results->formulas && results->formulas->n > 0;
}

void trib_result_add_formulas(trib_result *result, const trib_run_results *results) {
    const trib_formulas *const formulas = results->formulas;
    trib_arena *const arena = &result->arena;
    if (!have_formulas(results)) return;
    result->n_formulas = formulas->n;
    for (size_t p = 0; p < formulas->n && p < LONGEST; p++) {
        const trib_formula *const passage = &formulas->passage[p];
        const trib_corpus_document *const first = about(results, passage->earliest);
        TRIB_ADD(arena, &result->formulas, trib_formula_record,
                 {.words = passage->n_words,
                  .documents = passage->n_documents,
                  .targets = passage->n_targets,
                  .first = first->id,
                  .date = first->date,
                  .target = about(results, passage->document)->id,
                  .word = passage->first_word + 1,
                  .text = trib_result_utf8(arena, passage->text)});
    }
}

static trib_status write_formulas(const trib_run_results *results, trib_rows *rows,
                                  trib_error *error) {
    (void)error;
    for (size_t p = 0; p < results->formulas->n; p++) {
        const trib_formula *passage = &results->formulas->passage[p];
        const trib_corpus_document *first = about(results, passage->earliest);
        TRIB_PUT_ROW(rows, trib_count_cell(passage->n_words), trib_count_cell(passage->n_documents),
                     trib_count_cell(passage->n_targets), trib_text_cell(first->id),
                     trib_text_cell(first->date),
                     trib_text_cell(about(results, passage->document)->id),
                     trib_count_cell(passage->first_word + 1), trib_text_cell(passage->text));
    }
    return TRIB_OK;
}

const trib_result_table trib_table_formulas = {
    "#words #documents #targets first date target #word text", have_formulas, write_formulas, true};
