/* kwic.c - `tributary kwic`, keyword in context, reads the texts of a run again, which must be the
 * same as in the run, and lists every occurrence of a phrase as the files spell it. */
#include <unistd.h>

#include "pipeline/program/command.h"
#include "pipeline/result/result.h"
#include "pipeline/run/reread.h"
#include "pipeline/stages/text.h"
#include "pipeline/stages/tokens.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum {
    CONTEXT = 14,
    PLACE = 8,
    REFERENCE = 24,
    LINE_MAX_BYTES = 8192
}; /* words on each side; columns of the number of the occurrence, and at most of its reference */

/* The phrase and the texts to search. `{0}` is empty. */
typedef struct search {
    trib_reread texts;
    json_t *words; /* the words of the phrase */
    /* [n_phrase][n_languages] numbers in texts.run.word_counts.intern; UINT32_MAX: in no text */
    uint32_t *phrase;
    size_t n_phrase, phrase_cap;
    uint32_t n_languages, language; /* that of the text that is searched */
    trib_document_text text;        /* the one that is searched; empty until the phrase is found */
} search;

static void release(search *s) {
    trib_reread_close(&s->texts);
    json_decref(s->words);
    trib_free(s->phrase);
    trib_text_release(&s->text);
}

/* ---- The phrase ------------------------------------------------------------------------------ */

/* Adds a word of the phrase: for each language the number of its norm there. */
static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    search *s = context;
    trib_word_counts *counts = &s->texts.run.word_counts;
    trib_spellings *spellings = &counts->spellings;
    const uint32_t n_languages = spellings->norms ? spellings->n_languages : 1;
    trib_status status = TRIB_GROW(&s->phrase, &s->phrase_cap,
                                   (s->n_phrase + 1) * (size_t)n_languages, "the phrase", error);
    for (uint32_t k = 0; k < n_languages && status == TRIB_OK; k++) {
        const char *word = token->text;
        size_t n = token->length;
        if (spellings->norms) {
            status = trib_spellings_key(spellings, k, word, n, &word, &n, error);
            if (status == TRIB_OK)
                status = trib_spellings_norm(spellings, word, n, &word, &n, error);
        }
        if (status == TRIB_OK)
            s->phrase[s->n_phrase * n_languages + k] = trib_intern_find(&counts->intern, word, n);
    }
    if (status != TRIB_OK) return status;
    s->n_languages = n_languages;
    s->n_phrase++;
    json_array_append_new(s->words, json_string(token->text));
    return TRIB_OK;
}

/* Reads the operands after RUN into words by the run's own settings. */
static trib_status read_phrase(search *s, const trib_command_line *line, trib_error *error) {
    trib_token_options options = trib_config_token_options(&s->texts.config);
    trib_tokenizer *tokenizer = NULL;
    TRIB_OWNED(trib_buffer) text = {0};
    options.encoding = NULL; /* the command line is UTF-8, whatever the encoding of the texts */
    trib_status status = trib_tokenizer_open(&tokenizer, &options, error);
    for (size_t i = 1; i < line->n_operands && status == TRIB_OK; i++)
        status = trib_buffer_print(&text, error, "%s%s", i > 1 ? " " : "", line->operand[i]);
    if (status == TRIB_OK) {
        trib_tokenizer_begin(tokenizer, "the phrase", take_word, s);
        (void)trib_tokenizer_feed(tokenizer, text.text, text.length, error);
        status = trib_tokenizer_end(tokenizer, NULL, error); /* its failure, too */
    }
    trib_tokenizer_close(tokenizer);
    if (status == TRIB_OK && s->n_phrase == 0)
        status = trib_fail(error, TRIB_USAGE,
                           "'%s' contains no word by the settings of this run (section 'tokens' of "
                           "config.resolved.yaml)",
                           text.text);
    return status;
}

/* The number of the norm of a word, or of the word itself. */
static uint32_t norm_of(const search *s, uint32_t id) {
    const trib_spellings *spellings = &s->texts.run.word_counts.spellings;
    return spellings->norms ? spellings->spelling[id].norm : id;
}

/* Tells in *stands whether the phrase occurs at word i of the text. */
static trib_status stands_at(const search *s, trib_words_cursor *text, size_t i, bool *stands,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    *stands = i + s->n_phrase <= text->document->n_tokens;
    for (size_t k = 0; k < s->n_phrase && *stands; k++) {
        trib_placed_word word;
        status = trib_words_cursor_at(text, i + k, &word, error);
        if (status != TRIB_OK) return status;
        *stands = norm_of(s, word.id) == s->phrase[k * s->n_languages + s->language] &&
                  (k == 0 || !word.after_break);
    }
    return status;
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Appends an occurrence: {"first": number of its first word, "reference", "before", "keyword",
 * "after"}. */
static trib_status make_hit(const search *s, trib_words_cursor *text, size_t i, json_t *hits,
                            trib_error *error) {
    const trib_document_words *document = text->document;
    const size_t last = i + s->n_phrase - 1;
    const size_t place[] = {i > CONTEXT ? i - CONTEXT : 0, i, last,
                            last + CONTEXT < document->n_tokens ? last + CONTEXT
                                                                : document->n_tokens - 1};
    static const char *const name[] = {"before", "keyword", "after"};
    size_t byte[4] = {0};
    TRIB_OWNED(trib_buffer) line = {0};
    json_t *hit = json_pack("{s:I}", "first", (json_int_t)i + 1);
    trib_status status = TRIB_OK;
    for (size_t k = 0; k < 4 && status == TRIB_OK; k++) {
        trib_placed_word word = {0};
        status = trib_words_cursor_at(text, place[k], &word, error);
        byte[k] = k < 2 ? word.offset : word.end;
    }
    if (status == TRIB_OK) {
        char reference[TRIB_REFERENCE_MAX];
        trib_text_reference(reference, &s->text, byte[1], byte[2]);
        if (*reference) trib_json_set_text(hit, "reference", reference);
    }
    for (size_t k = 0; k < 3 && status == TRIB_OK; k++) {
        trib_buffer_clear(&line);
        status = trib_text_quote(&line, &s->text, byte[k], byte[k + 1], error);
        if (status == TRIB_OK) status = trib_buffer_add(&line, "", 0, error);
        if (status == TRIB_OK) json_object_set_new(hit, name[k], trib_json_text(line.text));
    }
    json_array_append_new(hits, hit);
    return status;
}

/* Finds all occurrences in one text; reads it only when there is one. */
static trib_status search_text(search *s, uint32_t d, json_t *hits, trib_error *error) {
    const trib_document_words *document = &s->texts.run.words.document[d];
    TRIB_OPENED(trib_words_cursor) text = {0};
    trib_status status = trib_words_cursor_open(&text, document, error);
    s->language = trib_spellings_language(&s->texts.run.word_counts.spellings, &s->texts.config,
                                          s->texts.run.corpus.document[d].about);
    trib_text_release(&s->text);
    for (size_t i = 0; status == TRIB_OK && i < document->n_tokens; i++) {
        bool stands = false;
        status = stands_at(s, &text, i, &stands, error);
        if (status != TRIB_OK || !stands) continue;
        if (s->text.n_lines == 0)
            status = trib_text_read(&s->text, &s->texts.config, &s->texts.run.corpus,
                                    &s->texts.run.words, d, error);
        if (status == TRIB_OK) status = make_hit(s, &text, i, hits, error);
    }
    return status;
}

/* Right-aligns a text in exactly `columns` columns, cutting its beginning when it is longer. */
static void pad_left(char *out, size_t size, const char *text, size_t columns) {
    if (trib_columns(text) <= columns) {
        trib_pad(out, size, text, columns, true);
        return;
    }
    while (*text && trib_columns(text) > columns - 1) do
            text++;
        while (((unsigned char)*text & 0xC0) == 0x80);
    char cut_text[LINE_MAX_BYTES];
    snprintf(cut_text, sizeof cut_text, "\u2026%.*s", LINE_MAX_BYTES - 8, text);
    trib_pad(out, size, cut_text, columns, true);
}

/* The columns of the longest reference of the hits, at most REFERENCE. */
static size_t reference_columns(const json_t *hits) {
    size_t most = 0;
    for (size_t h = 0; h < json_array_size(hits); h++) {
        const size_t n = trib_columns(trib_json_get_text(json_array_get(hits, h), "reference"));
        if (n > most) most = n;
    }
    return most < REFERENCE ? most : REFERENCE;
}

/* Writes an occurrence; `wide` are the columns of its reference. */
static void write_hit(trib_writer *out, const json_t *hit, size_t wide, size_t columns,
                      bool colors) {
    char piece[3][LINE_MAX_BYTES], right[2 * LINE_MAX_BYTES], padded[4 * LINE_MAX_BYTES];
    static const char *const name[] = {"before", "keyword", "after"};
    for (size_t k = 0; k < 3; k++) {
        const char *text = json_string_value(json_object_get(hit, name[k]));
        trib_clean(piece[k], sizeof piece[k], text ? text : "", text ? strlen(text) : 0, false);
    }
    const size_t left = (columns - PLACE - 2) * 2 / 5, right_columns = columns - PLACE - 2 - left;
    trib_print(out, "%*lld  ", PLACE, (long long)json_integer_value(json_object_get(hit, "first")));
    if (wide > 0) {
        const char *reference = trib_json_get_text(hit, "reference");
        trib_clean(right, sizeof right, reference, strlen(reference), false);
        trib_pad(padded, sizeof padded, right, wide, false);
        trib_print(out, "%s  ", padded);
    }
    pad_left(padded, sizeof padded, piece[0], left);
    snprintf(right, sizeof right, "%s%s", piece[1], piece[2]);
    /* the whole width is reordered, so that keywords stay below each other */
    const bool is_isolated = trib_is_right_to_left(right, strlen(right)) ||
                             trib_is_right_to_left(piece[0], strlen(piece[0]));
    if (is_isolated) trib_write_text(out, TRIB_ISOLATE);
    trib_write_text(out, padded);
    if (is_isolated || trib_columns(right) > right_columns)
        trib_pad(padded, sizeof padded, right, right_columns, false);
    else strcpy(padded, right);
    size_t n = strlen(padded), bold = strlen(piece[1]);
    if (strncmp(padded, piece[1], bold) != 0) bold = n; /* the keyword itself was cut */
    while (!is_isolated && n > bold && padded[n - 1] == ' ') n--;
    if (colors) trib_write_text(out, "\033[1m");
    trib_write(out, padded, bold);
    if (colors) trib_write_text(out, "\033[0m");
    trib_write(out, padded + bold, n - bold);
    trib_write_text(out, is_isolated ? TRIB_ISOLATE_END "\n" : "\n");
}

static void write_document(trib_writer *out, const json_t *document, size_t columns, bool colors) {
    const json_t *hits = json_object_get(document, "hits");
    char title[LINE_MAX_BYTES];
    const char *text = json_string_value(json_object_get(document, "title"));
    trib_clean(title, sizeof title, text ? text : "", text ? strlen(text) : 0, false);
    trib_print(out, "%s%.400s%s (%s): %zu in %lld words\n", colors ? "\033[1m" : "", title,
               colors ? "\033[0m" : "", json_string_value(json_object_get(document, "id")),
               json_array_size(hits),
               (long long)json_integer_value(json_object_get(document, "words")));
    const size_t wide = reference_columns(hits);
    for (size_t h = 0; h < json_array_size(hits); h++)
        write_hit(out, json_array_get(hits, h), wide, columns - (wide > 0 ? wide + 2 : 0), colors);
}

static void write_all(const json_t *documents, const trib_command_line *line) {
    const int color = line->color ? line->color - 1 : TRIB_COLOR_AUTO;
    const bool colors = trib_terminal_colors(STDOUT_FILENO, color);
    const size_t columns = trib_page_columns(STDOUT_FILENO);
    size_t n_hits = 0, n_holding = 0;
    for (size_t d = 0; d < json_array_size(documents); d++) {
        const json_t *document = json_array_get(documents, d);
        const size_t n = json_array_size(json_object_get(document, "hits"));
        if (n == 0) continue;
        if (n_holding++ > 0) trib_write_text(line->out, "\n");
        n_hits += n;
        write_document(line->out, document, columns, colors);
    }
    if (n_holding > 0) trib_write_text(line->out, "\n");
    trib_print(line->out, "%zu time%s in %zu of %zu texts\n", n_hits, n_hits == 1 ? "" : "s",
               n_holding, json_array_size(documents));
}

trib_status trib_command_kwic(const trib_command_line *line, trib_error *error) {
    search s = {.words = json_array()};
    json_auto_t *documents = json_array();
    TRIB_OWNED(trib_result) result = {0};
    trib_status status = trib_result_open(&result, line->operand[0], error);
    const trib_reread_options options = {"kwic", line->operand[0], &result, line->setting,
                                         line->n_settings};
    if (status == TRIB_OK) status = trib_reread_open(&s.texts, &options, line->log, error);
    if (status == TRIB_OK) status = read_phrase(&s, line, error);
    for (uint32_t d = 0; d < s.texts.run.corpus.n_documents && status == TRIB_OK; d++) {
        const trib_corpus_document *about = s.texts.run.corpus.document[d].about;
        json_t *hits = json_array();
        status = search_text(&s, d, hits, error);
        json_array_append_new(
            documents,
            json_pack("{s:s, s:s, s:I, s:o}", "id", about->id, "title", about->title, "words",
                      (json_int_t)s.texts.run.words.document[d].n_tokens, "hits", hits));
    }
    if (status == TRIB_OK && trib_json_failed()) /* the list of occurrences may be incomplete */
        status = trib_fail(error, TRIB_MEMORY, "out of memory: the occurrences of the phrase");
    if (status == TRIB_OK && line->json)
        status = trib_json_print(line->out, error, "{s:O, s:O}", "phrase", s.words, "documents",
                                 documents);
    else if (status == TRIB_OK) write_all(documents, line);
    release(&s);
    return status;
}
