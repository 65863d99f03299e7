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

static json_t *make_passage(const trib_run_results *results, const trib_formula *passage) {
    const trib_corpus_document *first = about(results, passage->earliest);
    json_t *object = json_object();
    trib_json_set_count(object, "words", passage->n_words);
    trib_json_set_count(object, "documents", passage->n_documents);
    trib_json_set_count(object, "targets", passage->n_targets);
    trib_json_set_text(object, "first", first->id);
    if (first->date) trib_json_set_text(object, "date", first->date);
    trib_json_set_text(object, "target", about(results, passage->document)->id);
    trib_json_set_count(object, "word", passage->first_word + 1);
    json_object_set_new(object, "text", trib_json_text(passage->text));
    return object;
}

void trib_result_add_formulas(json_t *result, const trib_run_results *results) {
    if (!trib_results_have_formulas(results)) return;
    const trib_formulas *formulas = results->formulas;
    json_t *list = json_array();
    for (size_t p = 0; p < formulas->n && p < LONGEST; p++)
        json_array_append_new(list, make_passage(results, &formulas->passage[p]));
    trib_json_set_count(result, "n_formulas", formulas->n_all);
    json_object_set_new(result, "formulas", list);
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
