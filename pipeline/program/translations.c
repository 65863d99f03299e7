/* translations.c - `tributary translations`: finds the passages of a text that are translated from
 * others, and what the same procedure finds where there is nothing; and `tributary table`, which
 * writes the words that two texts teach, and joins such tables. */
#include "pipeline/stages/translations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/internal.h"
#include "pipeline/program/command.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum { TOP = 10 };

/* ---- Texts ----------------------------------------------------------------------------------- */

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

/* The texts of a command, of which one is the target. `{0}` is empty. */
typedef struct texts {
    trib_config config;
    trib_run run;
    uint32_t target;
} texts;

static trib_status open_texts(texts *t, const trib_command_line *line, trib_error *error) {
    const char *const file = line->operand[0];
    trib_status status = trib_texts_load(&t->config, line, 0, NULL, 0, error);
    if (status != TRIB_OK) return status;
    trib_command_limit_memory(line, &t->config);
    trib_run_init(&t->run, &t->config, line->log, trib_command_threads(line, &t->config));
    status = trib_run_stage(&t->run, "corpus", error);
    if (status == TRIB_OK) status = trib_run_stage(&t->run, "tokens", error);
    if (status == TRIB_OK) status = find_document(&t->run, file, &t->target, error);
    const trib_corpus *const corpus = &t->run.corpus;
    if (status == TRIB_OK && (t->target == corpus->n_documents || corpus->n_documents < 2))
        status = trib_fail(error, TRIB_USAGE,
                           "'%s': give one text as the target, and at least one source", file);
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++)
        if (corpus->document[d].rejected && (d == t->target || corpus->n_documents == 2))
            status = trib_fail(error, TRIB_INPUT, "%s", corpus->document[d].rejected);
    return status;
}

static void close_texts(texts *t) {
    trib_run_release(&t->run);
    trib_config_release(&t->config);
}

static trib_status compare(trib_translated_pair *pair, const trib_command_line *line,
                           const texts *t, uint32_t source, const char *id[2], trib_error *error) {
    const char *const dictionary[] = {line->dictionary, line->learnt};
    id[0] = t->run.corpus.document[t->target].about->id;
    id[1] = t->run.corpus.document[source].about->id;
    return trib_translated_find(pair, t->run.env.config, &t->run.corpus, &t->run.words, t->target,
                                source, dictionary, t->run.env.n_threads, error);
}

/* ---- Passages -------------------------------------------------------------------------------- */

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

static trib_status add_result(const trib_translated_pair *pair, const char *const id[2],
                              json_t *results, trib_error *error) {
    const trib_translations *const f = &pair->found;
    const trib_translated *const a = &pair->about;
    TRIB_OWNED(trib_buffer) sentence = {0};
    json_t *const passages = json_array(), *const best = json_array();
    trib_status status = trib_translated_say(&sentence, a, id[0], id[1], error);
    for (size_t k = 0; k < f->n && a->is_evidence && status == TRIB_OK; k++) {
        const trib_translated_passage *const p = &f->passage[k];
        json_t *const passage = json_object();
        status = add_place(passage, "target", &pair->text[0], p->first, p->last, error);
        if (status == TRIB_OK)
            status = add_place(passage, "source", &pair->text[1], p->from, p->to, error);
        trib_json_set_count(passage, "pairs", p->n_pairs);
        json_array_append_new(passages, passage);
    }
    for (uint32_t i = 0; f->best && i < a->n_units[0]; i++)
        json_array_append_new(best, json_integer((json_int_t)(uint32_t)(f->best[i] + 1)));
    json_array_append_new(
        results, json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}",
                           "target", trib_json_text(id[0]), "source", trib_json_text(id[1]),
                           "sentence", trib_json_text(sentence.text ? sentence.text : ""),
                           "target_units", (json_int_t)a->n_units[0], "source_units",
                           (json_int_t)a->n_units[1], "verbatim_units", (json_int_t)a->n_verbatim,
                           "found", (json_int_t)a->n_passages, "covered_units",
                           (json_int_t)a->n_covered, "found_by_chance", (json_int_t)a->n_by_chance,
                           "covered_by_chance", (json_int_t)a->n_covered_by_chance,
                           "with_counterpart", trib_json_real("with_counterpart", a->seeded),
                           "passages", passages, "best_source_units", best));
    return status;
}

/* Writes the sentences and the first passages of each source. */
static void write_page(const json_t *results, trib_writer *out, uint64_t top) {
    static const char *const sides[] = {"target_text", "source_text"};
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
                const char *const text = trib_json_get_text(passage, sides[j]);
                char clean[1024], padded[4096];
                trib_clean(clean, sizeof clean, text, strlen(text), false);
                trib_pad(padded, sizeof padded, clean, columns, false);
                trib_print(out, "    %s\n", padded);
            }
        }
        if (json_array_size(passages) > top)
            trib_print(out, "\n  %zu more: --top N or --json\n",
                       json_array_size(passages) - (size_t)top);
    }
}

trib_status trib_command_translations(const trib_command_line *line, trib_error *error) {
    texts t = {.target = 0};
    const trib_corpus *const corpus = &t.run.corpus;
    json_t *results = json_array();
    trib_status status = open_texts(&t, line, error);
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++) {
        trib_translated_pair pair = {0};
        const char *id[2];
        if (d == t.target || corpus->document[d].rejected) continue;
        status = compare(&pair, line, &t, d, id, error);
        if (status == TRIB_OK) status = add_result(&pair, id, results, error);
        trib_translated_release(&pair);
    }
    if (status == TRIB_OK && trib_json_failed())
        status = trib_fail(error, TRIB_MEMORY, "out of memory: translated passages");
    if (status == TRIB_OK && line->json)
        status = trib_json_print(line->out, error, "{s:O}", "results", results);
    else if (status == TRIB_OK) write_page(results, line->out, line->top > 0 ? line->top : TOP);
    json_decref(results);
    close_texts(&t);
    return status;
}

/* ---- Tables of words ------------------------------------------------------------------------- */

/* A line of a table: the words up to the weight. */
typedef struct row {
    const char *words;
    double weight;
} row;
TRIB_RECORD_LIST(rows, row);
TRIB_ORDER(by_words, row, strcmp(x->words, y->words) ?: TRIB_DOWN(weight));

/* What is joined: the table that is read. */
typedef struct joining {
    const char *path;
    trib_arena arena;
    rows rows;
} joining;

/* Writes a table as trib_dictionary_read reads it: of equal rows the one with the largest weight.
 * `made`: how, for its first line. */
static trib_status write_rows(const trib_command_line *line, rows *list, const char *made,
                              trib_error *error) {
    trib_writer file = {0}, *const out = line->output ? &file : line->out;
    if (list->n > 1) qsort(list->item, list->n, sizeof *list->item, by_words);
    const trib_status status =
        line->output ? trib_writer_open(&file, line->output, error) : TRIB_OK;
    if (status != TRIB_OK) return status;
    trib_print(out, "# %s\n", made);
    for (size_t i = 0; i < list->n; i++)
        if (i == 0 || strcmp(list->item[i - 1].words, list->item[i].words) != 0)
            trib_print(out, "%s\t%.4f\n", list->item[i].words, list->item[i].weight);
    return line->output ? trib_writer_commit(out, NULL, error) : out->failure.status;
}

trib_status trib_command_table_learn(const trib_command_line *line, trib_error *error) {
    texts t = {.target = 0};
    trib_translated_pair pair = {0};
    joining made = {.path = line->output};
    const trib_word_table *const learnt = &pair.found.learnt;
    const char *id[2] = {NULL, NULL};
    trib_status status = open_texts(&t, line, error);
    if (status == TRIB_OK && t.run.corpus.n_documents > 2)
        status = trib_fail(error, TRIB_USAGE, "'table learn' takes two texts, no folder");
    if (status == TRIB_OK) status = compare(&pair, line, &t, 1 - t.target, id, error);
    if (status == TRIB_OK && !pair.about.is_evidence)
        status = trib_fail(error, TRIB_INPUT,
                           "%s and %s teach no words: no translated passages were found; a "
                           "dictionary of the languages would help (--dictionary)",
                           id[0], id[1]);
    for (size_t i = 0; i < learnt->n && status == TRIB_OK; i++) {
        row *const one = trib_arena_append(&made.arena, &made.rows, sizeof *one);
        const char *const word = trib_intern_word(&pair.words, learnt->pair[i].target),
                          *const other = trib_intern_word(&pair.words, learnt->pair[i].source);
        if (one)
            *one = (row){trib_arena_print(&made.arena, "%s\t%s", word, other),
                         (double)learnt->pair[i].weight};
    }
    if (status == TRIB_OK) status = trib_arena_check(&made.arena, error);
    if (status == TRIB_OK)
        status = write_rows(
            line, &made.rows,
            trib_arena_print(&made.arena, "learnt by tributary table from %s and %s", id[0], id[1]),
            error);
    trib_arena_release(&made.arena);
    trib_translated_release(&pair);
    close_texts(&t);
    return status;
}

static trib_status take_row(void *context, const char *line, size_t length, size_t number,
                            trib_error *error) {
    joining *const j = context;
    const char *const copy = trib_arena_copy(&j->arena, line, length);
    char *const tab = copy ? strrchr(copy, '\t') : NULL;
    row *const one = trib_arena_append(&j->arena, &j->rows, sizeof *one);
    if (!one || !copy) return trib_arena_check(&j->arena, error);
    *one = (row){copy, 0};
    if (!tab || !memchr(copy, '\t', (size_t)(tab - copy)) ||
        !trib_read_double(tab + 1, &one->weight))
        return trib_fail(error, TRIB_INPUT,
                         "%s:%zu: is no line of a learnt table: word, tab, word, tab, weight",
                         j->path, number);
    *tab = '\0';
    return TRIB_OK;
}

trib_status trib_command_table_join(const trib_command_line *line, trib_error *error) {
    joining j = {.path = NULL};
    const char *made = "joined by tributary table from";
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < line->n_operands && status == TRIB_OK; i++) {
        j.path = line->operand[i];
        made = trib_arena_print(&j.arena, "%s%s %s", made, i > 0 ? "," : "", j.path);
        status = trib_table_lines(j.path, take_row, &j, error);
    }
    if (status == TRIB_OK) status = trib_arena_check(&j.arena, error);
    if (status == TRIB_OK) status = write_rows(line, &j.rows, made, error);
    trib_arena_release(&j.arena);
    return status;
}
