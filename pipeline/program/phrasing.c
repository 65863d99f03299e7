/* phrasing.c - `tributary phrasing`: reads the texts of a run again and shows its families of
 * phrasing, as a page, as a table or as JSON. */

#include "pipeline/stages/phrasing.h"
#include "pipeline/program/command.h"
#include "pipeline/result/result.h"
#include "pipeline/run/reread.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"

/* In tables and JSON. */
static const char *const kinds[TRIB_N_PHRASING_KINDS] = {
    [TRIB_PHRASING_WORD] = "word",
    [TRIB_PHRASING_PHRASE] = "phrase",
    [TRIB_PHRASING_TEXT] = "text",
    [TRIB_PHRASING_PLACE] = "in its place",
};

/* Lists the words of the run; the bytes that number a language are left out. */
static trib_status list_names(const trib_word_counts *counts, const char ***name,
                              trib_error *error) {
    const size_t prefix = trib_spellings_prefix(&counts->spellings);
    const trib_status status = TRIB_NEW(name, counts->intern.n_words, "words", error);
    for (uint32_t i = 0; status == TRIB_OK && i < counts->intern.n_words; i++)
        (*name)[i] = trib_intern_word(&counts->intern, i) + prefix;
    return status;
}

/* Writes "LABEL: item 12, item 8" of the rows of one kind from *i on, and moves *i behind them. */
static void write_kind(trib_writer *out, const trib_phrasing *p, size_t *i, const char *label) {
    const trib_phrasing_row first = p->row[*i];
    const char *separator = ": ";
    trib_print(out, "  %s", label);
    for (; *i < p->n_rows && p->row[*i].family == first.family && p->row[*i].kind == first.kind;
         ++*i) {
        const trib_phrasing_row *row = &p->row[*i];
        trib_print(out, "%s%s", separator, row->item);
        if (row->kind == TRIB_PHRASING_PHRASE) trib_print(out, " %.0f", row->value);
        if (row->kind == TRIB_PHRASING_TEXT) trib_print(out, " %.0f %%", 100 * row->value);
        separator = row->kind == TRIB_PHRASING_WORD ? " " : ", ";
    }
    trib_write_text(out, "\n");
}

static void write_page(trib_writer *out, const trib_phrasing *p) {
    static const char *const label[] = {"words", "phrases", "texts", "in each other's place"};
    trib_print(out, "%u families of phrasing: %zu pairs of %u words in %u texts\n",
               (unsigned)p->n_families, p->n_pairs, (unsigned)p->n_words, (unsigned)p->n_texts);
    for (size_t i = 0; i < p->n_rows;) {
        const uint32_t r = p->row[i].family;
        const trib_phrasing_family *family = &p->family[r];
        trib_print(out, "\n%u  %.1f %%", (unsigned)r + 1, 100 * family->share);
        if (!isnan(family->first_year))
            trib_print(out, ", %.0f to %.0f", family->first_year, family->last_year);
        trib_write_text(out, "\n");
        while (i < p->n_rows && p->row[i].family == r)
            write_kind(out, p, &i, label[p->row[i].kind]);
    }
    if (!isnan(p->agreement))
        trib_print(out, "\nThe families of other starts share %.0f %% of their words with these.",
                   100 * p->agreement);
    trib_print(out, "\n%s\n", trib_phrasing_caveat);
}

static json_t *year_json(double year) {
    return isnan(year) ? json_null() : json_integer((json_int_t)year);
}

static json_t *family_json(const trib_phrasing *p, uint32_t r, size_t *i) {
    json_t *family = json_pack(
        "{s:o, s:o, s:o}", "share", trib_json_real("share", p->family[r].share), "first_year",
        year_json(p->family[r].first_year), "last_year", year_json(p->family[r].last_year));
    for (int kind = 0; kind < TRIB_N_PHRASING_KINDS; kind++)
        json_object_set_new(family, kinds[kind], json_array());
    for (; *i < p->n_rows && p->row[*i].family == r; ++*i)
        json_array_append_new(json_object_get(family, kinds[p->row[*i].kind]),
                              json_pack("{s:o, s:o}", "item", trib_json_text(p->row[*i].item),
                                        "value", trib_json_real("value", p->row[*i].value)));
    return family;
}

static trib_status write_json(trib_writer *out, const trib_phrasing *p, trib_error *error) {
    json_t *families = json_array();
    for (size_t r = 0, i = 0; r < p->n_families; r++)
        json_array_append_new(families, family_json(p, (uint32_t)r, &i));
    return trib_json_print(
        out, error, "{s:i, s:i, s:I, s:o, s:o, s:o, s:s}", "texts", (int)p->n_texts, "words",
        (int)p->n_words, "pairs", (json_int_t)p->n_pairs, "divergence",
        trib_json_real("divergence", p->divergence), "agreement",
        isnan(p->agreement) ? json_null() : trib_json_real("agreement", p->agreement), "families",
        families, "cannot_show", trib_phrasing_caveat);
}

/* Writes the rows as a table with tabs: family, kind, item, value. */
static void write_rows(const trib_phrasing *phrasing, trib_writer *writer) {
    trib_write_text(writer, "family\tkind\titem\tvalue\n");
    for (size_t i = 0; i < phrasing->n_rows; i++) {
        const trib_phrasing_row *row = &phrasing->row[i];
        trib_print(writer, "%u\t%s\t", (unsigned)row->family + 1, kinds[row->kind]);
        trib_write_tab_cell(writer, row->item);
        trib_write_text(writer, "\t");
        trib_write_number(writer, row->value);
        trib_write_text(writer, "\n");
    }
}

static trib_status write_table(const char *path, const trib_phrasing *p, trib_error *error) {
    trib_writer writer;
    const trib_status status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    write_rows(p, &writer);
    return trib_writer_commit(&writer, NULL, error);
}

trib_status trib_command_phrasing(const trib_command_line *line, trib_error *error) {
    trib_reread texts = {0};
    trib_phrasing phrasing = {0};
    trib_result result;
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
            .spelling = counts->spellings.norms ? counts->spellings.spelling : NULL};
        const trib_phrasing_options options = {.rank = (uint32_t)line->top,
                                               .seed = texts.config.cp.seed,
                                               .n_threads =
                                                   trib_command_threads(line, &texts.config),
                                               .progress = trib_log_progress(line->log)};
        status = trib_phrasing_make(&phrasing, &texts.run.corpus, &texts.run.words, &names,
                                    &options, error);
    }
    if (status == TRIB_OK && line->output) status = write_table(line->output, &phrasing, error);
    else if (status == TRIB_OK && line->json) status = write_json(line->out, &phrasing, error);
    else if (status == TRIB_OK) write_page(line->out, &phrasing);
    trib_phrasing_release(&phrasing);
    trib_free(name);
    trib_reread_close(&texts);
    trib_result_release(&result);
    return status;
}
