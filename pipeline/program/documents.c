/* documents.c - `tributary documents`: writes the table of the documents of an experiment, or of
 * files and folders, with what is known of each, to be corrected and named as corpus.manifest. */
#include <errno.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/config/yaml.h"
#include "pipeline/program/command.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"
#include "tokenizer/language.h"

enum { SETTINGS = 4 };

/* ---- The documents --------------------------------------------------------------------------- */

static bool is_experiment(const trib_command_line *line, size_t first) {
    return line->n_operands == first + 1 &&
           trib_name_ends(line->operand[first], strlen(line->operand[first]), ".yaml .yml");
}

static trib_status write_experiment(trib_buffer *yaml, const trib_command_line *line, size_t first,
                                    trib_error *error) {
    trib_status status = trib_buffer_print(
        yaml, error, "tributary: 1\nname: documents\ncorpus:\n  target: all\n  documents:\n");
    for (size_t i = first; i < line->n_operands && status == TRIB_OK; i++) {
        trib_buffer_print(yaml, error, "    - ");
        trib_yaml_quote(yaml, line->operand[i], false, error);
        status = trib_buffer_print(yaml, error, "\n");
    }
    return status;
}

trib_status trib_texts_load(trib_config *config, const trib_command_line *line, size_t first,
                            const trib_setting *more, size_t n_more, trib_error *error) {
    TRIB_OWNED(trib_buffer) yaml = {0};
    TRIB_FREED(trib_setting *) setting = NULL;
    trib_guesser guesser = {0};
    size_t n = 0;
    trib_status status =
        TRIB_NEW(&setting, n_more + line->n_settings + SETTINGS, "settings", error);
    const bool is_own = !is_experiment(line, first);
    if (status == TRIB_OK && is_own) status = write_experiment(&yaml, line, first, error);
    if (status == TRIB_OK) {
        setting[n++] =
            (trib_setting){"corpus.order", "any", "documents"}; /* dates may be missing */
        setting[n++] = (trib_setting){"corpus.on_error", "skip", "documents"};
        setting[n++] = (trib_setting){"tensor.n", "1", "documents"}; /* short texts */
        if (is_own && first == 0 && trib_guesser_open(&guesser, NULL) == TRIB_OK)
            setting[n++] = (trib_setting){"tokens.locale", "auto", "documents"};
        trib_guesser_close(&guesser);
        for (size_t i = 0; i < n_more; i++) setting[n++] = more[i];
        for (size_t i = 0; i < line->n_settings; i++) setting[n++] = line->setting[i];
        status = is_own ? trib_config_parse(config, "documents", yaml.text, setting, n,
                                            trib_config_log, line->log, error)
                        : trib_config_load(config, line->operand[first], setting, n,
                                           trib_config_log, line->log, error);
    }
    return status == TRIB_OK ? trib_documents_infer(config, true, error) : status;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* A table that is being written. */
typedef struct table {
    const trib_run *run;
    const char *folder; /* of the file that is written: names in the table start there */
    bool has_tabs, has_roles, has_references, has_encodings, has_columns;
} table;

/* A cell of a row, with the name of its column. */
typedef struct cell {
    const char *name, *text; /* NULL: empty */
} cell;
enum { COLUMNS = 16 };

static const char *from(const char *value, trib_from from) {
    return value && *value ? trib_from_text(from) : NULL;
}

/* Makes the row of a document; returns the number of its cells. */
static size_t make_row(cell row[COLUMNS], const table *t, uint32_t d, const char *file,
                       const char *words) {
    const trib_corpus_document *about = t->run->corpus.document[d].about;
    const bool is_weak = about->date_from == TRIB_FROM_PROPERTIES;
    const char *date = is_weak ? NULL : about->date;
    size_t n = 0;
    row[n++] = (cell){"id", about->id};
    row[n++] = (cell){"file", file};
    row[n++] = (cell){"title", about->title};
    row[n++] = (cell){"author", about->author};
    row[n++] = (cell){"date", date};
    row[n++] = (cell){"language", trib_config_language(t->run->env.config, about)};
    if (t->has_roles) row[n++] = (cell){"role", trib_role_names[about->role]};
    if (t->has_references) row[n++] = (cell){"reference", about->reference};
    if (t->has_encodings) row[n++] = (cell){"encoding", about->encoding};
    if (t->has_columns) row[n++] = (cell){"columns", about->columns};
    row[n++] = (cell){"words", words};
    row[n++] = (cell){"title_from", from(about->title, about->title_from)};
    row[n++] = (cell){"author_from", from(about->author, about->author_from)};
    row[n++] = (cell){"date_from", from(date, about->date_from)};
    row[n++] = (cell){"language_from",
                      about->language ? trib_from_text(about->language_from) : "tokens.locale"};
    row[n++] = (cell){"file_date", is_weak ? about->date : NULL};
    return n;
}

static void put(const table *t, trib_writer *out, size_t column, const char *text) {
    if (column > 0) trib_write_text(out, t->has_tabs ? "\t" : ",");
    if (t->has_tabs) trib_write_tab_cell(out, text ? text : "");
    else trib_write_cell(out, text ? text : "");
}

/* The name of a file as the table has it: seen from the folder of the table, or as an absolute path
 * when it does not lie below. */
static trib_status name_file(const table *t, const trib_corpus_document *about, char **name,
                             trib_error *error) {
    if (strcmp(about->path, "-") == 0) return trib_copy_text(name, "-", 1, error);
    const trib_status status = trib_path_relative(name, t->folder, about->path, error);
    if (status != TRIB_OK || !trib_path_leads_out(*name)) return status;
    char here[TRIB_PATH_MAX];
    if (!getcwd(here, sizeof here))
        return trib_fail(error, TRIB_INPUT, "cannot name the current folder: %s", strerror(errno));
    trib_free(*name);
    *name = NULL;
    return trib_path_join(name, here, about->path, error);
}

/* Adds a row to a list of JSON, in which words is a number. */
static void add_object(json_t *list, const cell *row, size_t n, uint64_t n_words) {
    json_t *object = json_object();
    for (size_t c = 0; c < n; c++)
        if (strcmp(row[c].name, "words") == 0) trib_json_set_count(object, "words", n_words);
        else if (row[c].text) json_object_set_new(object, row[c].name, trib_json_text(row[c].text));
    json_array_append_new(list, object);
}

/* Writes the row of a document, or adds it to `list`. */
static trib_status put_document(const table *t, trib_writer *out, json_t *list, uint32_t d,
                                trib_error *error) {
    const uint64_t n_words = t->run->words.document[d].n_tokens;
    char words[32], *file = NULL;
    cell row[COLUMNS];
    const trib_status status = name_file(t, t->run->corpus.document[d].about, &file, error);
    if (status != TRIB_OK) return status;
    snprintf(words, sizeof words, "%llu", (unsigned long long)n_words);
    const size_t n = make_row(row, t, d, file, words);
    if (list) add_object(list, row, n, n_words);
    for (size_t c = 0; c < n && !list && d == 0; c++) put(t, out, c, row[c].name);
    if (!list && d == 0) trib_write_text(out, "\n");
    for (size_t c = 0; c < n && !list; c++) put(t, out, c, row[c].text);
    if (!list) trib_write_text(out, "\n");
    trib_free(file);
    return status;
}

/* Writes the table, or one document of JSON. */
static trib_status put_table(table *t, trib_writer *out, bool is_json, trib_error *error) {
    const trib_corpus *corpus = &t->run->corpus;
    json_t *list = is_json ? json_array() : NULL;
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < corpus->n_documents; d++) {
        t->has_roles = t->has_roles || corpus->document[d].about->role != TRIB_ROLE_BOTH;
        t->has_references = t->has_references || corpus->document[d].about->reference;
        t->has_encodings = t->has_encodings || corpus->document[d].about->encoding;
        t->has_columns = t->has_columns || corpus->document[d].about->columns;
    }
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++)
        status = put_document(t, out, list, d, error);
    if (!is_json) return status;
    if (status == TRIB_OK) return trib_json_print(out, error, "{s:o}", "documents", list);
    json_decref(list);
    return status;
}

/* Writes the table to a file. The mark at its beginning shows spreadsheets that it is UTF-8. */
static trib_status write_file(table *t, const char *path, bool is_json, trib_error *error) {
    trib_writer file;
    trib_status status = trib_writer_open(&file, path, error);
    if (status != TRIB_OK) return status;
    if (!is_json) trib_write_text(&file, "\xEF\xBB\xBF");
    status = put_table(t, &file, is_json, error);
    return trib_writer_end(&file, status, NULL, error);
}

/* Counts the words of all documents. Which of them are targets does not matter. */
static trib_status count_words(trib_run *run, trib_error *error) {
    const trib_config *config = run->env.config;
    const uint32_t n = config->corpus.n_documents;
    const trib_status status = TRIB_NEW(&run->corpus.document, n, "documents", error);
    if (status != TRIB_OK) return status;
    run->corpus.n_documents = n;
    for (uint32_t d = 0; d < n; d++) run->corpus.document[d].about = &config->corpus.document[d];
    return trib_run_stage(run, "tokens", error);
}

/* Counts the documents that have no date but that of their file, or none at all. */
static void say_dates(const trib_run *run, trib_log *log) {
    size_t n = 0;
    for (uint32_t d = 0; d < run->corpus.n_documents; d++) {
        const trib_corpus_document *about = run->corpus.document[d].about;
        n += !about->date || about->date_from == TRIB_FROM_PROPERTIES;
    }
    if (n > 0)
        trib_log_say(
            log, TRIB_LOG_INFO,
            "%zu of %u texts have no date; the column file_date says when their files were "
            "made, as far as they do",
            n, (unsigned)run->corpus.n_documents);
}

trib_status trib_command_documents(const trib_command_line *line, trib_error *error) {
    const char *output = line->output && strcmp(line->output, "-") != 0 ? line->output : NULL;
    TRIB_OWNED(trib_config) config = {0};
    TRIB_OWNED(trib_run) run = {0};
    TRIB_FREED(char *) folder = NULL;
    trib_status status = trib_texts_load(&config, line, 0, NULL, 0, error);
    if (status == TRIB_OK) {
        trib_command_limit_memory(line, &config);
        trib_run_init(&run, &config, line->log, trib_command_threads(line, &config));
    }
    if (status == TRIB_OK) status = count_words(&run, error);
    if (status == TRIB_OK) status = trib_path_directory(&folder, output ? output : "x", error);
    if (status == TRIB_OK) {
        table t = {.run = &run, .folder = folder};
        t.has_tabs = output && trib_name_ends(output, strlen(output), ".tsv .tab");
        status = output ? write_file(&t, output, line->json, error)
                        : put_table(&t, line->out, line->json, error);
    }
    if (status == TRIB_OK && output) {
        trib_print(line->out, "%s\n", output);
        say_dates(&run, line->log);
    }
    return status;
}
