/* ingest.c - a text as a run reads it: `tributary ingest` writes it as the clean UTF-8 text whose
 * words a run counts, and `tributary tokens` splits it into words. */
#include <strings.h>

#include "pipeline/config/documents.h"
#include "pipeline/program/command.h"
#include "pipeline/program/tools.h"
#include "pipeline/run/run.h"
#include "pipeline/stages/text.h"
#include "pipeline/stages/tokens.h"
#include "pipeline/support/json.h"
#include "pipeline/text/input.h"
#include "pipeline/text/strip.h"

/* A text and its states. `{0}` is empty. */
typedef struct clean_text {
    const char *path;
    trib_config config;
    trib_buffer bytes;      /* the bytes of the file, those that were cut replaced by blanks */
    trib_text_ranges uncut; /* the ranges to write */
    trib_joined joined;     /* what was joined in `bytes` */
    trib_words_about about;
    trib_buffer clean; /* UTF-8 */
} clean_text;

static void release(clean_text *t) {
    trib_config_release(&t->config);
    trib_buffer_release(&t->bytes);
    trib_buffer_release(&t->clean);
    trib_text_ranges_release(&t->uncut);
    trib_joined_release(&t->joined);
}

static trib_status ignore(void *context, const trib_token *token, trib_error *error) {
    (void)context, (void)token, (void)error;
    return TRIB_OK;
}

/* Lets the tokenizer read the text: that finds the encoding and rejects a text that the
 * tokenizer would reject. */
static trib_status look_through(clean_text *t, bool is_markup, trib_error *error) {
    trib_token_options options = trib_config_token_options(&t->config);
    trib_tokenizer *tokenizer = NULL;
    if (is_markup) options.encoding = NULL;
    trib_status status = trib_tokenizer_open(&tokenizer, &options, error);
    if (status != TRIB_OK) return status;
    trib_tokenizer_begin(tokenizer, t->path, ignore, NULL);
    (void)trib_tokenizer_feed(tokenizer, t->bytes.text, t->bytes.length, error);
    status = trib_tokenizer_end(tokenizer, &t->about.counts, error); /* its failure, too */
    snprintf(t->about.encoding, sizeof t->about.encoding, "%s", trib_tokenizer_encoding(tokenizer));
    trib_tokenizer_close(tokenizer);
    return status;
}

static trib_status read_file(clean_text *t, trib_error *error) {
    const trib_input_options options =
        trib_config_input_options(&t->config, &(trib_corpus_document){.path = NULL});
    TRIB_OPENED(trib_input) input = {0};
    trib_status status = trib_input_open(&input, t->path, NULL, &options, error);
    if (status != TRIB_OK) return status;
    status = trib_input_all(&input, &t->bytes, error);
    if (status == TRIB_OK)
        status = trib_config_strip(&t->config, t->path, &t->bytes, &input.made.parts, &t->uncut,
                                   &t->about.cuts, error);
    if (status == TRIB_OK && t->config.corpus.join_hyphens == TRIB_JOIN_ALL)
        status = trib_join_hyphens(&t->joined, t->bytes.text, t->bytes.length, error);
    if (status == TRIB_OK) status = look_through(t, input.is_markup, error);
    t->about.counts.n_replaced += input.made.n_replaced;
    const char *remark = t->joined.hyphens.remark;
    snprintf(t->about.remark, sizeof t->about.remark, "%s", remark ? remark : input.made.remark);
    return status;
}

/* Adds bytes of a text in UTF-8, without those that divide joined words. */
static trib_status add_joined(clean_text *t, size_t from, size_t to, trib_error *error) {
    const trib_text_ranges *hyphens = &t->joined.hyphens;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < hyphens->n && status == TRIB_OK; i++) {
        const trib_range gap = hyphens->range[i];
        if (gap.from < from || gap.to > to) continue;
        status = trib_buffer_add(&t->clean, t->bytes.text + from, gap.from - from, error);
        from = gap.to;
    }
    return status == TRIB_OK ? trib_buffer_add(&t->clean, t->bytes.text + from, to - from, error)
                             : status;
}

/* Writes the ranges that were not cut in UTF-8, with an empty line between two. */
static trib_status clean(clean_text *t, trib_error *error) {
    const bool is_utf8 = strcasecmp(t->about.encoding, "utf-8") == 0;
    const bool as_it_is = is_utf8 && t->about.counts.n_replaced == 0;
    const trib_cuts *const cuts = &t->about.cuts;
    const bool is_cut =
        t->uncut.n > 1 || cuts->before.n_bytes + cuts->between.n_bytes + cuts->after.n_bytes > 0;
    trib_status status = TRIB_OK;
    for (size_t r = 0; r < t->uncut.n && status == TRIB_OK; r++) {
        const char *at = t->bytes.text + t->uncut.range[r].from;
        size_t length = t->uncut.range[r].to - t->uncut.range[r].from;
        if (is_utf8 && t->uncut.range[r].from == 0 && length >= 3 &&
            memcmp(at, "\xEF\xBB\xBF", 3) == 0)
            at += 3, length -= 3;
        if (r > 0) status = trib_buffer_add(&t->clean, "\n", 1, error);
        if (status == TRIB_OK)
            status = as_it_is ? add_joined(t, (size_t)(at - t->bytes.text),
                                           (size_t)(at - t->bytes.text) + length, error)
                              : trib_excerpt(&t->clean, is_utf8 ? NULL : t->about.encoding, at,
                                             length, error);
        if (status == TRIB_OK && is_cut && t->clean.length > 0 &&
            t->clean.text[t->clean.length - 1] != '\n') /* the end of its last line was cut */
            status = trib_buffer_add(&t->clean, "\n", 1, error);
    }
    return status;
}

static json_t *cut_json(const trib_cut *cut) {
    return json_pack("{s:I, s:I}", "bytes", (json_int_t)cut->n_bytes, "lines",
                     (json_int_t)cut->n_lines);
}

static trib_status write_json(const clean_text *t, const trib_command_line *line,
                              trib_error *error) {
    const trib_cuts *cuts = &t->about.cuts;
    json_t *document =
        json_pack("{s:i, s:o, s:s, s:I, s:I, s:I, s:{s:o, s:o, s:o}}", "schema", 1, "text",
                  trib_json_text(t->path), "encoding", t->about.encoding, "bytes",
                  (json_int_t)t->bytes.length, "replaced", (json_int_t)t->about.counts.n_replaced,
                  "texts", (json_int_t)(t->uncut.n), "cut", "before", cut_json(&cuts->before),
                  "between", cut_json(&cuts->between), "behind", cut_json(&cuts->after));
    if (*t->about.remark) json_object_set_new(document, "remark", trib_json_text(t->about.remark));
    if (line->output) json_object_set_new(document, "file", trib_json_text(line->output));
    else json_object_set_new(document, "clean", trib_json_text(t->clean.text ? t->clean.text : ""));
    return trib_json_write(document, line->out, error);
}

static void tell(const clean_text *t, trib_log *log) {
    const trib_cuts *cuts = &t->about.cuts;
    const trib_cut *const cut[] = {&cuts->before, &cuts->between, &cuts->after};
    static const char *const where[] = {"before the text", "between its texts", "behind it"};
    trib_log_say(log, TRIB_LOG_INFO, "%s: %zu bytes, %s", t->path, t->bytes.length,
                 t->about.encoding);
    for (size_t i = 0; i < 3; i++)
        if (cut[i]->n_bytes > 0)
            trib_log_say(log, TRIB_LOG_INFO, "%s: cut %llu bytes (%llu lines) %s", t->path,
                         (unsigned long long)cut[i]->n_bytes, (unsigned long long)cut[i]->n_lines,
                         where[i]);
    if (t->joined.n_divided > 0)
        trib_log_say(log, TRIB_LOG_INFO, "%s: %zu of %llu words divided at line ends are joined",
                     t->path, t->joined.hyphens.n, (unsigned long long)t->joined.n_divided);
    if (t->uncut.remark && t->uncut.line > 0)
        trib_log_say(log, TRIB_LOG_WARNING, "%s:%llu: %s", t->path,
                     (unsigned long long)t->uncut.line, t->uncut.remark);
    else if (*t->about.remark)
        trib_log_say(log, TRIB_LOG_WARNING, "%s: %s", t->path, t->about.remark);
    if (t->about.counts.n_replaced > 0)
        trib_log_say(log, TRIB_LOG_WARNING,
                     "%s: %llu invalid byte sequences were replaced by U+FFFD", t->path,
                     (unsigned long long)t->about.counts.n_replaced);
}

/* ---- A run on one text ----------------------------------------------------------------------- */

trib_status trib_text_run(trib_run *run, trib_config *config, const trib_corpus_document *about,
                          size_t n_stages, trib_log *log, trib_error *error) {
    static const char *const stage[] = {"tokens", "vocabulary", "tensors"};
    trib_run_init(run, config, log, 1);
    trib_status status = TRIB_NEW(&run->corpus.document, 1, "the document", error);
    if (status != TRIB_OK) return status;
    run->corpus.n_documents = 1;
    run->corpus.document[0].about = about;
    for (size_t i = 0; i < n_stages && status == TRIB_OK; i++)
        status = trib_run_stage(run, stage[i], error);
    return status;
}

/* ---- The account ----------------------------------------------------------------------------- */

json_t *trib_account_json(const trib_account *account) {
    json_t *object = json_object();
    trib_json_set_text(object, "read_as", account->kind);
    for (size_t i = 0; i < TRIB_ACCOUNT_COLUMNS; i++) {
        const char *name = trib_account_columns[i].name;
        char text[TRIB_ACCOUNT_TEXT];
        trib_account_cell(text, account, i);
        if (i < TRIB_ACCOUNT_ROWS && strcmp(text, "0") != 0)
            trib_json_set_count(object, name, trib_account_count(&account->counts, i));
        else if (i >= TRIB_ACCOUNT_ROWS && *text) trib_json_set_text(object, name, text);
    }
    return object;
}

/* Prints what was read of a text, and what was left out. */
static trib_status print_account(const trib_command_line *line, trib_error *error) {
    char *path = (char *)(uintptr_t)line->operand[0], text[TRIB_ACCOUNT_TEXT];
    const trib_corpus_document about = {.id = path, .file = path, .path = path};
    TRIB_OWNED(trib_config) config = {0};
    TRIB_OWNED(trib_run) run = {0};
    trib_status status = trib_tensor_settings(&config, line, error);
    if (status == TRIB_OK) status = trib_text_run(&run, &config, &about, 1, line->log, error);
    const trib_document_words *words = run.words.document;
    if (status == TRIB_OK && line->json) {
        status = trib_json_print(
            line->out, error, "{s:o, s:s, s:I, s:I, s:o}", "text", trib_json_text(path), "encoding",
            words->encoding, "bytes", (json_int_t)words->counts.n_bytes, "words",
            (json_int_t)words->n_tokens, "account", trib_account_json(&words->account));
    } else if (status == TRIB_OK) {
        trib_print(line->out, "read as        %s, %s\nwords          %zu\n", words->account.kind,
                   words->encoding, words->n_tokens);
        for (size_t i = 0; i < TRIB_ACCOUNT_COLUMNS; i++) {
            const trib_account_column *column = &trib_account_columns[i];
            trib_account_cell(text, &words->account, i);
            if (*text && strcmp(text, "0") != 0)
                trib_print(line->out, i < TRIB_ACCOUNT_ROWS ? "%-13s  %-6s  %s\n" : "%-13s  %s\n",
                           column->name, text, column->what);
        }
    }
    return status;
}

trib_status trib_command_ingest(const trib_command_line *line, trib_error *error) {
    if (line->account) return print_account(line, error);
    clean_text t = {.path = line->operand[0]};
    const bool to_file = line->output && strcmp(line->output, "-") != 0;
    trib_status status = trib_tensor_settings(&t.config, line, error);
    if (status == TRIB_OK) status = read_file(&t, error);
    if (status == TRIB_OK && t.uncut.remark)
        snprintf(t.about.remark, sizeof t.about.remark, "%s", t.uncut.remark);
    if (status == TRIB_OK) status = clean(&t, error);
    if (status == TRIB_OK) tell(&t, line->log);
    if (status == TRIB_OK && t.clean.length == 0)
        status = trib_fail(error, TRIB_INPUT, "%s: contains no text", t.path);
    if (status == TRIB_OK && to_file)
        status = trib_write_whole(line->output, t.clean.text, t.clean.length, error);
    if (status == TRIB_OK && line->json && (to_file || !line->output))
        status = write_json(&t, line, error);
    else if (status == TRIB_OK && !to_file) trib_write(line->out, t.clean.text, t.clean.length);
    release(&t);
    return status;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Prints a line for every word: its spelling, the offset of its first byte in the file, its
 * length there in bytes, and 1 after a break. */
static trib_status print_words(trib_words_cursor *text, trib_writer *out, trib_error *error) {
    trib_placed_word word;
    trib_status status = TRIB_OK;
    trib_write_text(out, "word\toffset\tbytes\tbreak\n");
    for (size_t i = 0; i < text->words.n_tokens && status == TRIB_OK; i++) {
        status = trib_words_cursor_at(text, i, &word, error);
        if (status == TRIB_OK)
            trib_print(out, "%s\t%zu\t%zu\t%d\n", trib_words_spelling(&text->words, word.id),
                       word.offset, word.end - word.offset, word.after_break);
    }
    return status;
}

/* Prints facts about a text, and its words with their counts in the order of their first
 * occurrence. */
static trib_status print_json(const trib_words_cursor *text, const char *path, trib_writer *out,
                              trib_error *error) {
    const trib_words *words = &text->words;
    const trib_token_counts *counts = &words->about.counts;
    json_t *list = json_array();
    for (uint32_t id = 0; id < words->n_words; id++)
        json_array_append_new(list, json_pack("{s:s, s:I}", "word", trib_words_spelling(words, id),
                                              "count", (json_int_t)words->count[id]));
    return trib_json_print(out, error, "{s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:o}", "text",
                           trib_json_text(path), "encoding", words->about.encoding, "bytes",
                           (json_int_t)counts->n_bytes, "tokens", (json_int_t)words->n_tokens,
                           "types", (json_int_t)words->n_words, "dropped_numbers",
                           (json_int_t)counts->n_dropped_numbers, "replaced",
                           (json_int_t)counts->n_replaced, "words", list);
}

trib_status trib_command_tokens(const trib_command_line *line, trib_error *error) {
    char *path = (char *)(uintptr_t)line->operand[0];
    const trib_corpus_document about = {.id = path, .file = path, .path = path};
    TRIB_OWNED(trib_config) config = {0};
    TRIB_OWNED(trib_run) run = {0};
    TRIB_OPENED(trib_words_cursor) text = {0};
    trib_status status = trib_tensor_settings(&config, line, error);
    if (status == TRIB_OK) status = trib_text_run(&run, &config, &about, 1, line->log, error);
    if (status == TRIB_OK) status = trib_words_cursor_open(&text, &run.words.document[0], error);
    if (status == TRIB_OK) {
        trib_log_say(line->log, TRIB_LOG_INFO, "%s: %llu words, %lu different, %s", path,
                     (unsigned long long)text.words.n_tokens, (unsigned long)text.words.n_words,
                     text.words.about.encoding);
        status = line->json ? print_json(&text, path, line->out, error)
                            : print_words(&text, line->out, error);
    }
    return status;
}
