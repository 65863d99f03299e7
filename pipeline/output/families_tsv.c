/* families_tsv.c - families.tsv: a row for every place of a target that sources hold, with its
 * witnesses. */
#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"

static trib_status put_family(trib_rows *rows, const trib_quotes *quotes, uint32_t target,
                              const trib_findings *findings, size_t f, bool is_short,
                              trib_error *error) {
    const trib_family_member *const best =
        &findings->families.member[findings->families.family[f].first];
    const char *const id = quotes->results->corpus->document[target].about->id, *list = "";
    trib_family_record *family = NULL;
    trib_buffer text = {0};
    trib_arena arena = {0};
    trib_status status = trib_family_make(&family, &arena, quotes, target, findings, f, error);
    if (status == TRIB_OK && !is_short)
        status = trib_quote_plainly(&text, quotes, target, family->first - 1,
                                    family->first + family->words - 2, error);
    for (size_t i = 0; status == TRIB_OK && i < family->witnesses.n; i++)
        list =
            trib_arena_print(&arena, "%s%s%s", list, i > 0 ? "; " : "", family->witnesses.item[i]);
    const char *const passage =
        trib_arena_print(&arena, "%s:%u", id,
                         (unsigned)findings->passages[best->source].passage[best->passage].number);
    if (status == TRIB_OK) status = trib_arena_check(&arena, error);
    if (status == TRIB_OK)
        TRIB_PUT_ROW(
            rows, trib_text_cell(id), trib_count_cell(family->number),
            trib_count_cell(family->first), trib_count_cell(family->words), trib_text_cell(passage),
            trib_count_cell(findings->families.family[f].n_places),
            trib_count_cell(findings->families.family[f].n), trib_count_cell(family->witnesses.n),
            trib_text_cell(list), trib_count_cell(family->documents), trib_text_cell(family->said),
            trib_text_cell(family->by), trib_text_cell(text.text));
    trib_buffer_release(&text);
    trib_arena_release(&arena);
    return status;
}

static trib_status write_families(const trib_run_results *results, trib_rows *rows,
                                  trib_error *error) {
    trib_quotes quotes;
    trib_status status = trib_quotes_open(&quotes, results, error);
    for (uint32_t t = 0; t < results->corpus->n_targets && status == TRIB_OK; t++) {
        const trib_findings *const findings = results->target[t].findings;
        const uint32_t d = results->target[t].about->document;
        if (findings->families.n == 0 || !results->words->document[d].file) continue;
        const bool is_short =
            rows->leaves_out && trib_target_is_short(results, &results->target[t]);
        trib_quotes_enter(&quotes);
        status = trib_quotes_prepare(&quotes, d, error);
        for (size_t f = 0; f < findings->families.n && status == TRIB_OK; f++)
            status = put_family(rows, &quotes, d, findings, f, is_short, error);
        trib_quotes_leave(&quotes);
        trib_results_rest(results, t);
    }
    trib_quotes_close(&quotes);
    return status;
}

const trib_result_table trib_table_families = {
    {TRIB_TEXT("target"), TRIB_COUNT("family"), TRIB_COUNT("word"), TRIB_COUNT("words"),
     TRIB_TEXT("passage"), TRIB_COUNT("places"), TRIB_COUNT("passages"), TRIB_COUNT("sources"),
     TRIB_TEXT("witnesses"), TRIB_COUNT("documents"), TRIB_TEXT("said"), TRIB_TEXT("by"),
     TRIB_TEXT("text")},
    trib_passage_files_are_there,
    write_families,
    true};
