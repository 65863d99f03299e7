/* trace.c - `tributary trace`: prints the traced runs of a target as a table. With --text the texts
 * of the run are read again, for offsets in characters, references and the words themselves. */
#include <string.h>

#include "pipeline/output/run_names.h"
#include "pipeline/output/trace_file.h"
#include "pipeline/program/command.h"
#include "pipeline/run/reread.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"

/* What the rows are made from. `{0}` is empty. */
typedef struct tracing {
    const char *target;
    trib_trace trace;
    trib_reread texts; /* with --text */
    trib_run_results results;
    trib_quotes quotes;
    const trib_quotes *quoted; /* NULL: without --text */
} tracing;

static void release(tracing *x) {
    trib_quotes_close(&x->quotes);
    trib_reread_close(&x->texts);
    trib_trace_release(&x->trace);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Adds where the words first .. last of a document stand: offsets in characters, and its
 * reference. */
static void add_place(json_t *row, const tracing *x, const char *side, uint32_t d, size_t first,
                      size_t last) {
    static const char *const name[] = {"from_character", "to_character"};
    const trib_quoted *quoted = &x->quoted->document[d];
    const size_t byte[] = {quoted->place[first].offset, quoted->place[last].end};
    char reference[TRIB_REFERENCE_MAX], key[40];
    for (size_t k = 0; k < 2; k++) {
        snprintf(key, sizeof key, "%s_%s", side, name[k]);
        if (quoted->text.n_lines == 0) json_object_set_new(row, key, json_null());
        else trib_json_set_count(row, key, trib_text_character_at(&quoted->text, byte[k]));
    }
    trib_quote_reference(reference, x->quoted, d, first, last);
    snprintf(key, sizeof key, "%s_reference", side);
    json_object_set_new(row, key, trib_json_text(reference));
}

static trib_status add_words(json_t *row, const tracing *x, const char *key, uint32_t d,
                             size_t first, size_t last, trib_error *error) {
    trib_buffer text = {0};
    trib_status status = trib_buffer_print(&text, error, "%s", "");
    if (status == TRIB_OK) status = trib_quote_plainly(&text, x->quoted, d, first, last, error);
    if (status == TRIB_OK) json_object_set_new(row, key, trib_json_text(text.text));
    trib_buffer_release(&text);
    return status;
}

static trib_status find_document(const tracing *x, const char *id, uint32_t *d, size_t last,
                                 trib_error *error) {
    const trib_corpus *corpus = x->results.corpus;
    for (*d = 0; *d < corpus->n_documents; ++*d)
        if (strcmp(corpus->document[*d].about->id, id) == 0) break;
    if (*d == corpus->n_documents || last >= x->results.words->document[*d].n_tokens)
        return trib_fail(error, TRIB_INPUT, "trace/%s.runs: is damaged: '%s' has no word %zu",
                         x->target, id, last + 1);
    return trib_quotes_prepare(&((tracing *)x)->quotes, *d, error);
}

static trib_status add_texts(json_t *row, const tracing *x, const trib_trace_run *run,
                             trib_error *error) {
    const size_t first = run->first - 1, last = first + run->n_words - 1,
                 source_first = run->source_first - 1,
                 source_last = source_first + run->n_words - 1;
    uint32_t own = 0, theirs = 0;
    trib_status status = find_document(x, x->target, &own, last, error);
    if (status == TRIB_OK)
        status = find_document(x, x->trace.source[run->source], &theirs, source_last, error);
    if (status != TRIB_OK) return status;
    add_place(row, x, "target", own, first, last);
    add_place(row, x, "source", theirs, source_first, source_last);
    status = add_words(row, x, "target_text", own, first, last, error);
    return status == TRIB_OK
               ? add_words(row, x, "source_text", theirs, source_first, source_last, error)
               : status;
}

/* Makes the row of a run, whose members are in the order of the columns. */
static trib_status make_row(json_t *row, const tracing *x, const trib_trace_run *run,
                            trib_error *error) {
    const struct {
        const char *name;
        uint32_t byte;
    } bytes[] = {{"target_from", run->from},
                 {"target_to", run->to},
                 {"source_from", run->source_from},
                 {"source_to", run->source_to}};
    json_object_set_new(row, "target", json_string(x->target));
    json_object_set_new(row, "source", json_string(x->trace.source[run->source]));
    trib_json_set_count(row, "target_word", run->first);
    trib_json_set_count(row, "source_word", run->source_first);
    trib_json_set_count(row, "words", run->n_words);
    trib_json_set_real(row, "probability", run->probability / 1e6);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        json_object_set_new(row, bytes[i].name,
                            bytes[i].byte < UINT32_MAX ? json_integer(bytes[i].byte) : json_null());
    return x->quoted ? add_texts(row, x, run, error) : TRIB_OK;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void write_header(trib_writer *out, bool with_text) {
    trib_write_text(out,
                    "target\tsource\ttarget_word\tsource_word\twords\tprobability\ttarget_from\t"
                    "target_to\tsource_from\tsource_to");
    if (with_text)
        trib_write_text(out, "\ttarget_from_character\ttarget_to_character\ttarget_reference\t"
                             "source_from_character\tsource_to_character\tsource_reference\t"
                             "target_text\tsource_text");
    trib_write_text(out, "\n");
}

static void write_row(trib_writer *out, json_t *row) {
    const char *key, *separator = "";
    json_t *value;
    json_object_foreach(row, key, value) {
        trib_write_text(out, separator);
        separator = "\t";
        if (json_is_integer(value)) trib_print(out, "%lld", (long long)json_integer_value(value));
        else if (json_is_real(value)) trib_write_number(out, json_real_value(value));
        else if (json_is_string(value)) trib_write_tab_cell(out, json_string_value(value));
    }
    trib_write_text(out, "\n");
}

/* Writes the rows of one source, or of all if `source` is NULL; with --json adds them to `list`. */
static trib_status write_rows(const tracing *x, const char *source, json_t *list, trib_writer *out,
                              trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < x->trace.n && status == TRIB_OK; i++) {
        const trib_trace_run *run = &x->trace.run[i];
        if (source && strcmp(source, x->trace.source[run->source]) != 0) continue;
        json_t *row = json_object();
        status = make_row(row, x, run, error);
        if (status == TRIB_OK && list) json_array_append(list, row);
        else if (status == TRIB_OK) write_row(out, row);
        json_decref(row);
    }
    return status;
}

/* Reads the texts of the run again. */
static trib_status open_texts(tracing *x, const trib_command_line *line, const trib_result *result,
                              trib_error *error) {
    const trib_reread_options options = {"trace", line->operand[0], result, line->setting,
                                         line->n_settings};
    trib_status status = trib_reread_open(&x->texts, &options, line->log, error);
    if (status != TRIB_OK) return status;
    x->results = (trib_run_results){.config = &x->texts.config,
                                    .corpus = &x->texts.run.corpus,
                                    .words = &x->texts.run.words,
                                    .tensors = &x->texts.run.tensors};
    x->quoted = &x->quotes;
    return trib_quotes_open(&x->quotes, &x->results, error);
}

trib_status trib_command_trace(const trib_command_line *line, trib_error *error) {
    const char *run = line->operand[0], *source = NULL;
    const char *name = line->n_operands > 1 ? line->operand[1] : NULL;
    tracing x = {0};
    json_t *list = line->json ? json_array() : NULL;
    trib_result result;
    trib_status status = trib_result_open(&result, run, error);
    if (status == TRIB_OK) status = trib_result_find_target(&result, run, name, &x.target, error);
    if (status == TRIB_OK)
        status = trib_result_find_document(&result, run, line->source, &source, error);
    if (status == TRIB_OK) status = trib_trace_read(&x.trace, run, x.target, error);
    if (status == TRIB_OK && line->text) status = open_texts(&x, line, &result, error);
    if (status == TRIB_OK && !list) write_header(line->out, line->text);
    if (status == TRIB_OK) status = write_rows(&x, source, list, line->out, error);
    if (status == TRIB_OK && trib_json_failed())
        status = trib_fail(error, TRIB_MEMORY, "out of memory: the trace of '%s'", x.target);
    if (status == TRIB_OK && list)
        status = trib_json_print(line->out, error, "{s:s, s:O}", "target", x.target, "runs", list);
    release(&x);
    json_decref(list);
    trib_result_release(&result);
    return status;
}
