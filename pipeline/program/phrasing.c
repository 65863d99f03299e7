/* phrasing.c - `tributary phrasing`: reads the texts of a run again and shows its families of
 * phrasing, as a page, as a table or as JSON. */

#include "pipeline/stages/phrasing.h"
#include "pipeline/output/result_files.h"
#include "pipeline/program/command.h"
#include "pipeline/result/result.h"
#include "pipeline/run/reread.h"

/* Lists the words of the run; the bytes that number a language are left out. */
static trib_status list_names(const trib_word_counts *counts, const char ***name,
                              trib_error *error) {
    const size_t prefix = trib_spellings_prefix(&counts->spellings);
    const trib_status status = TRIB_NEW(name, counts->intern.n_words, "words", error);
    for (uint32_t i = 0; status == TRIB_OK && i < counts->intern.n_words; i++)
        (*name)[i] = trib_intern_word(&counts->intern, i) + prefix;
    return status;
}

/* Writes "LABEL: item 12, item 8"; nothing of an empty list. */
static void write_items(trib_writer *out, const char *label, const trib_item_records *list) {
    for (size_t i = 0; i < list->n; i++) {
        const trib_item_record *item = &list->item[i];
        trib_print(out, i > 0 ? "%s%s" : "  %s: %s",
                   i == 0          ? label
                   : *label == 'w' ? " "
                                   : ", ",
                   item->item);
        if (*label == 'p') trib_print(out, " %.0f", item->value);
        if (*label == 't') trib_print(out, " %.0f %%", 100 * item->value);
    }
    if (list->n > 0) trib_write_text(out, "\n");
}

static void write_page(trib_writer *out, const trib_phrasing_record *p) {
    trib_print(out, "%zu families of phrasing: %zu pairs of %zu words in %zu texts\n",
               p->families.n, (size_t)p->pairs, (size_t)p->words, (size_t)p->texts);
    for (size_t r = 0; r < p->families.n; r++) {
        const trib_phrasing_family_record *family = &p->families.item[r];
        trib_print(out, "\n%zu  %.1f %%", r + 1, 100 * family->share);
        if (!isnan(family->first_year))
            trib_print(out, ", %.0f to %.0f", family->first_year, family->last_year);
        trib_write_text(out, "\n");
        write_items(out, "words", &family->words);
        write_items(out, "phrases", &family->phrases);
        write_items(out, "texts", &family->texts);
        write_items(out, "in each other's place", &family->places);
    }
    if (!isnan(p->agreement))
        trib_print(out, "\nThe families of other starts share %.0f %% of their words with these.",
                   100 * p->agreement);
    trib_print(out, "\n%s\n", p->cannot_show);
}

static trib_status write_table(const char *path, const trib_result *result, trib_error *error) {
    const trib_run_results results = {.result = result};
    trib_writer writer;
    trib_status status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    status = trib_table_write(&trib_table_phrasing, &results, &writer, error);
    return trib_writer_commit(&writer, NULL, error);
}

trib_status trib_command_phrasing(const trib_command_line *line, trib_error *error) {
    TRIB_OPENED(trib_reread) texts = {0};
    trib_phrasing_record phrasing;
    TRIB_OWNED(trib_arena) arena = {0};
    TRIB_OWNED(trib_result) result = {0};
    const char **name = NULL;
    trib_status status = trib_result_open(&result, line->operand[0], error);
    const trib_reread_options reread = {"phrasing", line->operand[0], &result, line->setting,
                                        line->n_settings};
    if (status == TRIB_OK) status = trib_reread_open(&texts, &reread, line->log, error);
    const trib_word_counts *counts = &texts.run.word_counts;
    if (status == TRIB_OK) status = list_names(counts, &name, error);
    if (status == TRIB_OK) {
        const trib_phrasing_words names = {
            .name = name,
            .n = counts->intern.n_words,
            .other = UINT32_MAX,
            .spelling = counts->spellings.norms ? counts->spellings.spelling : NULL};
        const trib_phrasing_options options = {.rank = (uint32_t)line->top,
                                               .seed = texts.config.cp.seed,
                                               .n_threads =
                                                   trib_command_threads(line, &texts.config),
                                               .progress = trib_log_progress(line->log)};
        status = trib_phrasing_make(&phrasing, &arena, &texts.run.corpus, &texts.run.words, &names,
                                    &options, error);
    }
    if (status == TRIB_OK && line->output)
        status = write_table(line->output, &(trib_result){.phrasing = &phrasing}, error);
    else if (status == TRIB_OK && line->json)
        status = trib_phrasing_write(&phrasing, line->out, error);
    else if (status == TRIB_OK) write_page(line->out, &phrasing);
    trib_free(name);
    return status;
}
