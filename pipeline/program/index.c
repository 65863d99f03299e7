/* index.c - `tributary index`: makes and keeps a library of texts; `tributary find` looks a passage
 * up in it. */

#include "pipeline/index/index.h"
#include "pipeline/program/command.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"
#include "pipeline/support/terminal.h"
#include "tokenizer/language.h"

/* ---- index ----------------------------------------------------------------------------------- */

/* Records the settings of a new library, or compares them with those of one that is there. */
static trib_status settle(trib_index *index, const trib_command_line *line, bool is_new,
                          trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < line->n_settings && status == TRIB_OK; i++) {
        const trib_setting *const asked = &line->setting[i];
        bool is_known = false;
        if (strncmp(asked->key, "tokens.", 7) != 0) continue; /* of this addition alone */
        for (size_t k = 0; k < index->n_set; k++)
            is_known = is_known || (strcmp(index->set[k].key, asked->key) == 0 &&
                                    strcmp(index->set[k].value, asked->value) == 0);
        if (is_known) continue;
        if (!is_new)
            return trib_fail(error, TRIB_USAGE,
                             "%s: this library was made without %s=%s; leave it out, or make "
                             "another library with it",
                             index->folder, asked->key, asked->value);
        status = trib_index_set(index, asked->key, asked->value, error);
    }
    return status;
}

static trib_status add_texts(trib_index *index, const trib_command_line *line, trib_error *error) {
    TRIB_OWNED(trib_config) config = {0};
    TRIB_OWNED(trib_run) run = {0};
    trib_index_added added = {0};
    trib_status status = trib_texts_load(&config, line, 1, index->set, index->n_set, error);
    if (status == TRIB_OK) {
        trib_command_limit_memory(line, &config);
        trib_run_init(&run, &config, line->log, trib_command_threads(line, &config));
        status = trib_index_add(index, &run, &added, error);
    }
    if (status == TRIB_OK && line->json)
        status =
            trib_json_print(line->out, error, "{s:I, s:I, s:I, s:I}", "added",
                            (json_int_t)added.added, "changed", (json_int_t)added.changed, "same",
                            (json_int_t)added.same, "refused", (json_int_t)added.refused);
    else if (status == TRIB_OK)
        trib_print(line->out, "%s: %llu texts added, %llu changed, %llu as before, %llu refused\n",
                   index->folder, (unsigned long long)added.added,
                   (unsigned long long)added.changed, (unsigned long long)added.same,
                   (unsigned long long)added.refused);
    return status;
}

/* Lists the texts of a library. */
static trib_status list(const trib_index *index, const trib_command_line *line, trib_error *error) {
    json_t *all = line->json ? json_array() : NULL;
    trib_status status = TRIB_OK;
    if (!line->json) trib_write_text(line->out, "id\tdate\twords\ttitle\tfile\n");
    for (size_t i = 0; i < index->n; i++)
        for (size_t k = 0; k < index->segment[i].end.n_texts && status == TRIB_OK; k++) {
            trib_indexed_text about;
            const uint64_t n = index->segment[i].text[k].n_words;
            if (index->segment[i].is_removed[k]) continue;
            status = trib_segment_about(&index->segment[i], k, &about, error);
            if (status != TRIB_OK) break;
            if (line->json)
                json_array_append_new(
                    all,
                    json_pack("{s:o, s:o, s:o, s:I, s:o}", "id", trib_json_text(about.id), "title",
                              trib_json_text(about.title), "date", trib_json_text(about.date),
                              "words", (json_int_t)n, "file", trib_json_text(about.file)));
            else {
                const char *const cell[] = {about.id, about.date, NULL, about.title, about.file};
                for (size_t c = 0; c < sizeof cell / sizeof *cell; c++) {
                    if (c > 0) trib_write_text(line->out, "\t");
                    if (cell[c]) trib_write_tab_cell(line->out, cell[c]);
                    else trib_print(line->out, "%llu", (unsigned long long)n);
                }
                trib_write_text(line->out, "\n");
            }
        }
    if (status == TRIB_OK && line->json)
        return trib_json_print(line->out, error, "{s:o}", "texts", all);
    json_decref(all);
    return status;
}

trib_status trib_command_index_add(const trib_command_line *line, trib_error *error) {
    TRIB_OPENED(trib_index) index = {0};
    trib_status status = trib_index_open(&index, line->operand[0], TRIB_INDEX_WRITE, error);
    if (status != TRIB_OK) return status;
    status = settle(&index, line, index.n == 0, error);
    return status == TRIB_OK ? add_texts(&index, line, error) : status;
}

trib_status trib_command_index_remove(const trib_command_line *line, trib_error *error) {
    TRIB_OPENED(trib_index) index = {0};
    trib_status status = trib_index_open(&index, line->operand[0], TRIB_INDEX_WRITE, error);
    for (size_t i = 1; i < line->n_operands && status == TRIB_OK; i++)
        status = trib_index_remove(&index, line->operand[i], error);
    return status == TRIB_OK ? trib_index_commit(&index, error) : status;
}

trib_status trib_command_index_ls(const trib_command_line *line, trib_error *error) {
    TRIB_OPENED(trib_index) index = {0};
    trib_status status = trib_index_open(&index, line->operand[0], TRIB_INDEX_READ, error);
    return status == TRIB_OK ? list(&index, line, error) : status;
}

trib_status trib_command_index_check(const trib_command_line *line, trib_error *error) {
    TRIB_OPENED(trib_index) index = {0};
    TRIB_OWNED(trib_config) config = {0};
    uint64_t n_damaged = 0;
    trib_status status = trib_index_open(&index, line->operand[0],
                                         line->repair ? TRIB_INDEX_REPAIR : TRIB_INDEX_READ, error);
    if (status == TRIB_OK)
        status = trib_config_load(&config, NULL, index.set, index.n_set, trib_config_log, line->log,
                                  error);
    if (status == TRIB_OK)
        status =
            trib_index_check(&index, line->repair ? &config : NULL, line->log, &n_damaged, error);
    if (status == TRIB_OK && n_damaged == 0) trib_print(line->out, "%s: whole\n", line->operand[0]);
    else if (status == TRIB_OK && !line->repair)
        status = trib_fail(error, TRIB_DIFFERS,
                           "%s: damaged in %llu places; `tributary index check --repair %s` keeps "
                           "what is whole",
                           line->operand[0], (unsigned long long)n_damaged, line->operand[0]);
    else if (status == TRIB_OK)
        trib_print(line->out, "%s: repaired; add the texts that were damaged again\n",
                   line->operand[0]);
    return status;
}

trib_status trib_command_index_gc(const trib_command_line *line, trib_error *error) {
    TRIB_OPENED(trib_index) index = {0};
    trib_status status = trib_index_open(&index, line->operand[0], TRIB_INDEX_WRITE, error);
    if (status == TRIB_OK) status = trib_index_merge(&index, true, error);
    return status == TRIB_OK ? trib_index_commit(&index, error) : status;
}

/* ---- find ------------------------------------------------------------------------------------ */

enum { SHOWN = 20 };

static void write_clean(trib_writer *out, const char *text) {
    trib_write_clean(out, text, strlen(text), "");
}

static json_t *found_json(const trib_findings_list *l, const trib_found *f,
                          const trib_indexed_text *about) {
    json_t *runs = json_array();
    for (size_t r = 0; r < f->n_runs && !l->is_translated; r++) {
        const trib_found_run *const run = &l->run[f->first_run + r];
        json_array_append_new(runs, json_pack("[I, I, I]", (json_int_t)run->asked + 1,
                                              (json_int_t)run->word + 1, (json_int_t)run->n));
    }
    json_t *const one = json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}",
        "family", (json_int_t)f->family + 1, "id", trib_json_text(about->id), "title",
        trib_json_text(about->title), "author", trib_json_text(about->author), "date",
        trib_json_text(about->date), "file", trib_json_text(about->file), "equal",
        (json_int_t)f->n_equal, "first", (json_int_t)f->asked + 1, "last",
        (json_int_t)(f->asked + f->n_asked), "words", (json_int_t)f->n_words, "from",
        (json_int_t)f->from, "end", (json_int_t)f->end, "line", (json_int_t)f->line, "reference",
        trib_json_text(f->reference), "runs", runs, "text", trib_json_text(f->quote));
    if (l->is_translated) json_object_set_new(one, "in_translation", json_true());
    return one;
}

static void print_found(trib_writer *out, const trib_findings_list *l, const trib_found *f,
                        const trib_indexed_text *about) {
    write_clean(out, *about->title ? about->title : about->id);
    if (*about->date) {
        trib_write_text(out, " (");
        write_clean(out, about->date);
        trib_write_text(out, ")");
    }
    if (*f->reference) trib_write_text(out, ", "), write_clean(out, f->reference);
    else if (f->line > 0) trib_print(out, ", line %llu", (unsigned long long)f->line);
    trib_print(out, ": %u of %u words%s\n    ", (unsigned)f->n_equal, (unsigned)l->passage.words.n,
               l->is_translated ? ", in translation" : "");
    write_clean(out, f->quote);
    trib_write_text(out, "\n    ");
    write_clean(out, about->file);
    trib_write_text(out, "\n");
}

static trib_status write_frequent(const trib_findings_list *l, const trib_frequent_phrase *phrase,
                                  json_t *list, const trib_command_line *line, trib_error *error) {
    TRIB_OWNED(trib_buffer) words = {0};
    trib_status status = TRIB_OK;
    for (uint32_t k = 0; k < TRIB_PHRASE_WORDS; k++)
        status = trib_buffer_print(&words, error, "%s%s", k > 0 ? " " : "",
                                   l->passage.words.spelling[phrase->asked + k]);
    if (status == TRIB_OK && line->json)
        json_array_append_new(
            list, json_pack("{s:s, s:I}", "phrase", words.text, "places", (json_int_t)phrase->n));
    else if (status == TRIB_OK) {
        trib_print(line->out, "%llu places hold \"", (unsigned long long)phrase->n);
        write_clean(line->out, words.text);
        trib_write_text(line->out, "\"; they are not listed\n");
    }
    return status;
}

/* Writes what was found: families, the best first, and in each its texts. */
static trib_status write_found(trib_findings_list *l, const trib_command_line *line,
                               trib_error *error) {
    const uint64_t most = line->top > 0 ? line->top : SHOWN;
    json_t *found = line->json ? json_array() : NULL, *frequent = line->json ? json_array() : NULL;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < l->n && status == TRIB_OK; i++) {
        trib_indexed_text about;
        if (i >= most) break;
        status = trib_segment_about(l->found[i].segment, l->found[i].text, &about, error);
        if (status == TRIB_OK) status = trib_found_quote(l, &l->found[i], error);
        if (status != TRIB_OK) break;
        if (line->json) json_array_append_new(found, found_json(l, &l->found[i], &about));
        else print_found(line->out, l, &l->found[i], &about);
    }
    for (size_t i = 0; i < l->n_frequent && status == TRIB_OK; i++)
        status = write_frequent(l, &l->frequent[i], frequent, line, error);
    if (line->json && status == TRIB_OK)
        return trib_json_print(line->out, error, "{s:I, s:I, s:o, s:o, s:I}", "words",
                               (json_int_t)l->passage.words.n, "n", (json_int_t)l->n, "found",
                               found, "frequent", frequent, "unread", (json_int_t)l->n_unread);
    json_decref(found);
    json_decref(frequent);
    if (status == TRIB_OK && l->n == 0)
        trib_write_text(line->out,
                        l->is_translated
                            ? "No translation of this passage was found. Longer passages, a "
                              "dictionary and a table help (--dictionary, --table).\n"
                            : "No text of the library holds this passage.\n");
    else if (status == TRIB_OK && l->n > most)
        trib_print(line->out, "%zu more; --top N shows more of them\n", l->n - (size_t)most);
    return status;
}

/* Reads the passage: the words of the command line, or the one file that they name; without any, or
 * for "-", standard input. */
static trib_status read_passage(trib_buffer *passage, const trib_command_line *line,
                                trib_error *error) {
    const char *const first = line->n_operands > 1 ? line->operand[1] : "-";
    if (line->n_operands <= 2 && (strcmp(first, "-") == 0 || trib_disk_is_file(first)))
        return trib_read_whole(first, passage, error);
    trib_status status = TRIB_OK;
    for (size_t i = 1; i < line->n_operands && status == TRIB_OK; i++)
        status = trib_buffer_print(passage, error, "%s%s", i > 1 ? " " : "", line->operand[i]);
    return status;
}

trib_status trib_command_index_find(const trib_command_line *line, trib_error *error) {
    TRIB_OPENED(trib_index) index = {0};
    TRIB_OWNED(trib_config) config = {0};
    TRIB_OWNED(trib_buffer) passage = {0};
    TRIB_OWNED(trib_findings_list) found = {0};
    const char *const dictionary[] = {line->dictionary, line->learnt};
    trib_error why = {0};
    if (!line->from && (line->dictionary || line->learnt))
        return trib_fail(error, TRIB_USAGE,
                         "--dictionary and --table translate a passage; name its language with "
                         "--from, such as --from fr");
    if (line->from && trib_language_check(line->from, &why) != TRIB_OK)
        return trib_fail(error, TRIB_USAGE, "--from: %s", why.message);
    trib_status status = trib_index_open(&index, line->operand[0], TRIB_INDEX_READ, error);
    if (status != TRIB_OK) return status;
    status =
        trib_config_load(&config, NULL, index.set, index.n_set, trib_config_log, line->log, error);
    if (status == TRIB_OK) status = read_passage(&passage, line, error);
    if (status == TRIB_OK && line->from)
        status = trib_index_find_translated(&index, &config, &passage, line->from, dictionary,
                                            &found, error);
    else if (status == TRIB_OK) status = trib_index_find(&index, &config, &passage, &found, error);
    return status == TRIB_OK ? write_found(&found, line, error) : status;
}
