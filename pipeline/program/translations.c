/* translations.c - `tributary translations`: finds the passages of a text that are translated from
 * others, and what the same procedure finds where there is nothing; writes them as a page, a table
 * or JSON, and the table of words that two texts teach. */
#include "pipeline/stages/translations.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/program/command.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"
#include "pipeline/support/terminal.h"

enum { TOP = 10, COLUMNS = 7 };

/* A target and a source that are compared. */
typedef struct comparison {
    const trib_command_line *line;
    const trib_corpus_document *about[2];
    trib_translated_pair pair;
} comparison;

/* ---- Results --------------------------------------------------------------------------------- */

/* Sets the members PREFIX_reference, _units and _text of a passage. */
static trib_status add_place(json_t *passage, const char *prefix, const trib_unit_text *u,
                             uint32_t first, uint32_t last, trib_error *error) {
    char key[32], reference[TRIB_REFERENCE_MAX];
    TRIB_OWNED(trib_buffer) text = {0};
    trib_text_reference(reference, &u->text, u->from[first], u->end[last]);
    trib_status status = trib_text_quote(&text, &u->text, u->from[first], u->end[last], error);
    if (status == TRIB_OK) status = trib_buffer_add(&text, "", 0, error);
    snprintf(key, sizeof key, "%s_reference", prefix);
    json_object_set_new(passage, key, trib_json_text(reference));
    snprintf(key, sizeof key, "%s_units", prefix);
    json_object_set_new(passage, key,
                        json_pack("[I, I]", (json_int_t)first + 1, (json_int_t)last + 1));
    snprintf(key, sizeof key, "%s_text", prefix);
    if (status == TRIB_OK) json_object_set_new(passage, key, trib_json_text(text.text));
    return status;
}

static trib_status add_result(const comparison *c, json_t *results, trib_error *error) {
    const trib_translations *const f = &c->pair.found;
    const trib_translated *const a = &c->pair.about;
    TRIB_OWNED(trib_buffer) sentence = {0};
    json_t *const passages = json_array(), *const best = json_array();
    trib_status status = trib_translated_say(&sentence, a, c->about[0]->id, c->about[1]->id, error);
    for (size_t k = 0; k < f->n && a->is_evidence && status == TRIB_OK; k++) {
        const trib_translated_passage *const p = &f->passage[k];
        json_t *const passage = json_object();
        status = add_place(passage, "target", &c->pair.text[0], p->first, p->last, error);
        if (status == TRIB_OK)
            status = add_place(passage, "source", &c->pair.text[1], p->from, p->to, error);
        trib_json_set_count(passage, "pairs", p->n_pairs);
        json_array_append_new(passages, passage);
    }
    for (uint32_t i = 0; f->best && i < a->n_units[0]; i++)
        json_array_append_new(best, json_integer((json_int_t)(uint32_t)(f->best[i] + 1)));
    json_array_append_new(
        results,
        json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "target",
                  trib_json_text(c->about[0]->id), "source", trib_json_text(c->about[1]->id),
                  "sentence", trib_json_text(sentence.text ? sentence.text : ""), "target_units",
                  (json_int_t)a->n_units[0], "source_units", (json_int_t)a->n_units[1],
                  "verbatim_units", (json_int_t)a->n_verbatim, "found", (json_int_t)a->n_passages,
                  "covered_units", (json_int_t)a->n_covered, "found_by_chance",
                  (json_int_t)a->n_by_chance, "covered_by_chance",
                  (json_int_t)a->n_covered_by_chance, "with_counterpart",
                  trib_json_real("with_counterpart", a->seeded), "passages", passages,
                  "best_source_units", best));
    return status;
}

/* Writes the sentences and the first passages of each source. */
static void write_page(const json_t *results, trib_writer *out, uint64_t top) {
    static const char *const texts[] = {"target_text", "source_text"};
    const size_t columns = trib_page_columns(STDOUT_FILENO) - 4;
    const json_t *result, *passage;
    size_t i, k;
    json_array_foreach(results, i, result) {
        const json_t *const passages = json_object_get(result, "passages");
        trib_print(out, "%s%s\n", i > 0 ? "\n" : "", trib_json_get_text(result, "sentence"));
        json_array_foreach(passages, k, passage) {
            if (k == top) break;
            trib_print(out, "\n  %s, from %s\n", trib_json_get_text(passage, "target_reference"),
                       trib_json_get_text(passage, "source_reference"));
            for (int j = 0; j < 2; j++) {
                const char *const text = trib_json_get_text(passage, texts[j]);
                char clean[1024], padded[4096];
                trib_clean(clean, sizeof clean, text, strlen(text), false);
                trib_pad(padded, sizeof padded, clean, columns, false);
                trib_print(out, "    %s\n", padded);
            }
        }
        if (json_array_size(passages) > top)
            trib_print(out, "\n  %zu more: --top N, or -o FILE.tsv\n",
                       json_array_size(passages) - (size_t)top);
    }
}

static trib_status write_table(const char *path, const json_t *results, trib_error *error) {
    static const char *const column[COLUMNS] = {
        "target",           "source",      "pairs",      "target_reference",
        "source_reference", "target_text", "source_text"};
    const json_t *result, *passage;
    size_t i, k;
    trib_writer out;
    const trib_status status = trib_writer_open(&out, path, error);
    if (status != TRIB_OK) return status;
    for (int j = 0; j < COLUMNS; j++)
        trib_print(&out, "%s%c", column[j], j + 1 < COLUMNS ? '\t' : '\n');
    json_array_foreach(results, i, result) json_array_foreach(
        json_object_get(result, "passages"), k, passage) for (int j = 0; j < COLUMNS; j++) {
        const json_t *const value = json_object_get(j < 2 ? result : passage, column[j]);
        if (json_is_string(value)) trib_write_tab_cell(&out, json_string_value(value));
        else trib_print(&out, "%lld", (long long)json_integer_value(value));
        trib_write_text(&out, j + 1 < COLUMNS ? "\t" : "\n");
    }
    return trib_writer_commit(&out, NULL, error);
}

/* Writes the table of words that was learnt, as trib_dictionary_read reads it. */
static trib_status write_learnt(const comparison *c, trib_error *error) {
    const trib_intern *const words = &c->pair.words;
    trib_writer out;
    if (!c->pair.about.is_evidence)
        return trib_fail(error, TRIB_INPUT,
                         "%s: not written, since %s and %s teach no words: no translated passages "
                         "were found; a dictionary of the languages would help (--dictionary)",
                         c->line->learn, c->about[0]->id, c->about[1]->id);
    const trib_status status = trib_writer_open(&out, c->line->learn, error);
    if (status != TRIB_OK) return status;
    trib_print(&out, "# learnt by tributary translations from %s and %s\n", c->about[0]->id,
               c->about[1]->id);
    for (size_t i = 0; i < c->pair.found.learnt.n; i++) {
        const trib_word_pair *const pair = &c->pair.found.learnt.pair[i];
        trib_print(&out, "%s\t", trib_intern_word(words, pair->target));
        trib_print(&out, "%s\t%.4f\n", trib_intern_word(words, pair->source), (double)pair->weight);
    }
    return trib_writer_commit(&out, NULL, error);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Finds the document that a file is; n_documents if it is none, such as a folder. */
static trib_status find_document(const trib_run *run, const char *file, uint32_t *d,
                                 trib_error *error) {
    char *wanted = NULL;
    trib_status status = trib_address_settle(&wanted, file, error);
    for (*d = 0; *d < run->corpus.n_documents && status == TRIB_OK; ++*d) {
        char *address = NULL;
        status = trib_address_settle(&address, run->corpus.document[*d].about->path, error);
        const bool is_it = status == TRIB_OK && strcmp(address, wanted) == 0;
        trib_free(address);
        if (is_it) break;
    }
    trib_free(wanted);
    return status;
}

/* Reads the texts and finds the target. */
static trib_status read_texts(trib_run *run, const trib_command_line *line, uint32_t *target,
                              trib_error *error) {
    const char *const file = line->operand[0];
    trib_status status = trib_run_stage(run, "corpus", error);
    if (status == TRIB_OK) status = trib_run_stage(run, "tokens", error);
    if (status == TRIB_OK) status = find_document(run, file, target, error);
    const uint32_t n = run->corpus.n_documents;
    if (status == TRIB_OK && (*target == n || n < 2 || (line->learn && n > 2)))
        status = trib_fail(error, TRIB_USAGE, "'%s': give one text as the target, and %s", file,
                           line->learn ? "for --learn one as the source" : "at least one source");
    if (status == TRIB_OK && run->corpus.document[*target].rejected)
        status = trib_fail(error, TRIB_INPUT, "%s", run->corpus.document[*target].rejected);
    return status;
}

static trib_status compare(const trib_command_line *line, const trib_run *run, uint32_t target,
                           uint32_t source, json_t *results, trib_error *error) {
    const char *const dictionary[] = {line->dictionary, line->learnt};
    const trib_corpus_document *const about[] = {run->corpus.document[target].about,
                                                 run->corpus.document[source].about};
    comparison c = {.line = line, .about = {about[0], about[1]}};
    trib_status status =
        trib_translated_find(&c.pair, run->env.config, &run->corpus, &run->words, target, source,
                             dictionary, run->env.n_threads, error);
    if (status == TRIB_OK) status = add_result(&c, results, error);
    if (status == TRIB_OK && line->learn) status = write_learnt(&c, error);
    trib_translated_release(&c.pair);
    return status;
}

trib_status trib_command_translations(const trib_command_line *line, trib_error *error) {
    TRIB_OWNED(trib_config) config = {0};
    trib_run run = {0};
    uint32_t target = 0;
    json_t *results = json_array();
    trib_status status = trib_texts_load(&config, line, 0, NULL, 0, error);
    if (status == TRIB_OK) {
        trib_command_limit_memory(line, &config);
        trib_run_init(&run, &config, line->log, trib_command_threads(line, &config));
        status = read_texts(&run, line, &target, error);
    }
    for (uint32_t d = 0; d < run.corpus.n_documents && status == TRIB_OK; d++)
        if (d != target && !run.corpus.document[d].rejected)
            status = compare(line, &run, target, d, results, error);
    if (status == TRIB_OK && trib_json_failed())
        status = trib_fail(error, TRIB_MEMORY, "out of memory: translated passages");
    if (status == TRIB_OK && line->output) status = write_table(line->output, results, error);
    if (status == TRIB_OK && line->json)
        status = trib_json_print(line->out, error, "{s:O}", "results", results);
    else if (status == TRIB_OK) write_page(results, line->out, line->top > 0 ? line->top : TOP);
    json_decref(results);
    trib_run_release(&run);
    return status;
}
