/* words.c - `tributary tokens`: splits a text into words. */
#include "pipeline/program/command.h"
#include "pipeline/program/tools.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"

#include <string.h>

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
    return trib_json_write(json_pack("{s:i, s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:o}", "schema", 1,
                                     "text", trib_json_text(path), "encoding",
                                     words->about.encoding, "bytes", (json_int_t)counts->n_bytes,
                                     "tokens", (json_int_t)words->n_tokens, "types",
                                     (json_int_t)words->n_words, "dropped_numbers",
                                     (json_int_t)counts->n_dropped_numbers, "replaced",
                                     (json_int_t)counts->n_replaced, "words", list),
                           out, error);
}

trib_status trib_command_tokens(const trib_command_line *line, trib_log *log, trib_writer *out,
                                trib_error *error) {
    char *path = (char *)(uintptr_t)line->operand[0];
    const trib_corpus_document about = {.id = path, .file = path, .path = path};
    trib_config config = {0};
    trib_run run = {0};
    trib_words_cursor text = {0};
    trib_status status = trib_tensor_settings(&config, line, log, error);
    if (status == TRIB_OK) status = trib_text_run(&run, &config, &about, 1, log, error);
    if (status == TRIB_OK) status = trib_words_cursor_open(&text, &run.words.document[0], error);
    if (status == TRIB_OK) {
        trib_log_say(log, TRIB_LOG_INFO, "%s: %llu words, %lu different, %s", path,
                     (unsigned long long)text.words.n_tokens, (unsigned long)text.words.n_words,
                     text.words.about.encoding);
        status = line->json ? print_json(&text, path, out, error) : print_words(&text, out, error);
    }
    trib_words_cursor_close(&text);
    trib_run_release(&run);
    trib_config_release(&config);
    return status;
}

/* ---- The words of a tensor, one a line ------------------------------------------------------- */

static trib_status take_lines(trib_intern *words, const char *path, uint32_t n,
                              const trib_buffer *text, trib_error *error) {
    const char *at = text->text ? text->text : "", *end = at + text->length;
    for (uint32_t i = 0; i < n; i++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = stop ? (size_t)(stop - at) : 0;
        uint32_t id = 0;
        if (length == 0)
            return trib_fail(error, TRIB_INPUT, "%s:%u: a word is missing: the tensor has %u", path,
                             (unsigned)i + 1, (unsigned)n);
        const trib_status status = trib_intern_add(words, at, length, &id, error);
        if (status != TRIB_OK) return status;
        if (id < i)
            return trib_fail(error, TRIB_INPUT, "%s:%u: the same word as in line %u", path,
                             (unsigned)i + 1, (unsigned)id + 1);
        at = stop + 1;
    }
    if (at == end) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "%s: has more words than the tensor's %u", path,
                     (unsigned)n);
}

trib_status trib_word_lines_read(trib_intern *words, const char *path, uint32_t n,
                                 trib_error *error) {
    trib_buffer text = {0};
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK) status = take_lines(words, path, n, &text, error);
    trib_buffer_release(&text);
    return status;
}
