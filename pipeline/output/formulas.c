/* formulas.c - the passages that are formulas, in influence.json and formulas.tsv, once for the
 * corpus. */
#include "pipeline/output/result.h"
#include "pipeline/support/tables.h"

enum { LONGEST = 20 };

static const trib_corpus_document *about(const trib_run_results *results, uint32_t document) {
    return results->corpus->document[document].about;
}

bool trib_results_have_formulas(const trib_run_results *results) {
    return results->formulas && results->formulas->n > 0;
}

void trib_result_add_formulas(trib_result *result, const trib_run_results *results) {
    const trib_formulas *const formulas = results->formulas;
    trib_arena *const arena = &result->arena;
    if (!trib_results_have_formulas(results)) return;
    result->n_formulas = formulas->n_all;
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

trib_status trib_formulas_write(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_results *results = what;
    const trib_formulas *formulas = results->formulas;
    (void)error;
    trib_write_text(writer, "words\tdocuments\ttargets\tfirst\tdate\ttarget\tword\ttext\n");
    for (size_t p = 0; p < formulas->n; p++) {
        const trib_formula *passage = &formulas->passage[p];
        const trib_corpus_document *first = about(results, passage->earliest);
        trib_print(writer, "%zu\t%u\t%u\t", passage->n_words, (unsigned)passage->n_documents,
                   (unsigned)passage->n_targets);
        trib_write_tab_cell(writer, first->id);
        trib_write_text(writer, "\t");
        if (first->date) trib_write_tab_cell(writer, first->date);
        trib_write_text(writer, "\t");
        trib_write_tab_cell(writer, about(results, passage->document)->id);
        trib_print(writer, "\t%zu\t", passage->first_word + 1);
        trib_write_tab_cell(writer, passage->text);
        trib_write_text(writer, "\n");
    }
    return TRIB_OK;
}
