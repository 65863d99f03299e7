/* formulas.c - the passages that are formulas, in influence.json and formulas.tsv, once for the
 * corpus. */
#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"

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
        trib_formula_record *const row = trib_arena_append(arena, &result->formulas, sizeof *row);
        if (row)
            *row = (trib_formula_record){.words = passage->n_words,
                                         .documents = passage->n_documents,
                                         .targets = passage->n_targets,
                                         .first = first->id,
                                         .date = first->date,
                                         .target = about(results, passage->document)->id,
                                         .word = passage->first_word + 1,
                                         .text = trib_result_utf8(arena, passage->text)};
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
    {TRIB_COUNT("words"), TRIB_COUNT("documents"), TRIB_COUNT("targets"), TRIB_TEXT("first"),
     TRIB_TEXT("date"), TRIB_TEXT("target"), TRIB_COUNT("word"), TRIB_TEXT("text")},
    have_formulas,
    write_formulas,
    true};
