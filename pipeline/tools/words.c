/* words.c - `tributary tokens` and `vocab`: splits a text into words, and joins the words of
 * several texts into a vocabulary. */
#include <string.h>

#include "pipeline/command/command.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/tools/tools.h"

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Whether a file, if it can be read more than once, is a file of words. */
static bool holds_words(const char *path) {
    char begin[8];
    size_t got = 0;
    trib_reader reader;
    if (strcmp(path, "-") == 0 || trib_reader_open(&reader, path, NULL) != TRIB_OK) return false;
    const bool read = trib_reader_peek(&reader, begin, sizeof begin, &got, NULL) == TRIB_OK;
    trib_reader_close(&reader);
    return read && got == sizeof begin && memcmp(begin, "TRIBWORD", sizeof begin) == 0;
}

/* Prints a line for every word: its spelling, the offset of its first byte in the file, its
 * length there in bytes, and 1 after a break. */
static trib_status print_words(trib_words_cursor *text, trib_writer *out, trib_error *error) {
    trib_status status = TRIB_OK;
    trib_write_text(out, "word\toffset\tbytes\tbreak\n");
    for (uint64_t i = 0; i < text->words.n_tokens && status == TRIB_OK; i++) {
        status = trib_words_at(&text->words, i, &text->block, error);
        if (status != TRIB_OK) break;
        const size_t k = (size_t)(i - text->block.first);
        trib_write_text(out, trib_words_spelling(&text->words, text->block.id[k]));
        trib_print(out, "\t%llu\t%lu\t%d\n", (unsigned long long)text->block.offset[k],
                   (unsigned long)text->block.length[k], text->block.after_break[k]);
    }
    return status;
}

/* Prints facts about a text, and its words with their counts in the order of their first
 * occurrence. */
static trib_status print_json(const trib_words_cursor *text, const char *path,
                              const trib_command_line *line, trib_writer *out, trib_error *error) {
    const trib_words *words = &text->words;
    const trib_token_counts *counts = &words->about.counts;
    json_t *list = json_array();
    for (uint32_t id = 0; id < words->n_words && !line->output; id++)
        json_array_append_new(list, json_pack("{s:s, s:I}", "word", trib_words_spelling(words, id),
                                              "count", (json_int_t)words->count[id]));
    json_t *document = json_pack(
        "{s:i, s:o, s:s, s:I, s:I, s:I, s:I, s:I}", "schema", 1, "text", trib_json_text(path),
        "encoding", words->about.encoding, "bytes", (json_int_t)counts->n_bytes, "tokens",
        (json_int_t)words->n_tokens, "types", (json_int_t)words->n_words, "dropped_numbers",
        (json_int_t)counts->n_dropped_numbers, "replaced", (json_int_t)counts->n_replaced);
    if (line->output) json_object_set_new(document, "file", trib_json_text(line->output));
    else json_object_set(document, "words", list);
    json_decref(list);
    return trib_json_write(document, out, error);
}

/* Writes the words in the form that the command line asks for. */
static trib_status give_words(const char *path, const trib_document_words *document,
                              const trib_command_line *line, trib_log *log, trib_writer *out,
                              trib_error *error) {
    const bool to_out = line->output && strcmp(line->output, "-") == 0;
    trib_words_cursor text;
    trib_writer file;
    trib_status status = trib_words_cursor_open(&text, document, error);
    if (status != TRIB_OK) return status;
    trib_log_say(log, TRIB_LOG_INFO, "%s: %llu words, %lu different, %s", path,
                 (unsigned long long)text.words.n_tokens, (unsigned long)text.words.n_words,
                 text.words.about.encoding);
    if (line->output && !to_out) {
        status = trib_writer_open(&file, line->output, error);
        if (status == TRIB_OK) {
            status = trib_words_copy(document->file, document->from, document->size, &file, error);
            if (status == TRIB_OK) status = trib_writer_commit(&file, NULL, error);
            else trib_writer_abandon(&file);
        }
    }
    if (status == TRIB_OK && to_out)
        status = trib_words_copy(document->file, document->from, document->size, out, error);
    else if (status == TRIB_OK && line->json) status = print_json(&text, path, line, out, error);
    else if (status == TRIB_OK && !line->output) status = print_words(&text, out, error);
    trib_words_cursor_close(&text);
    return status;
}

/* Opens a run of one document that no configuration lists. */
static trib_status open_run(trib_run *run, trib_config *config, const trib_command_line *line,
                            trib_log *log, uint32_t n_documents, trib_error *error) {
    trib_run_init(run, config, log, 1);
    trib_status status = trib_tensor_settings(config, line, log, error);
    if (status == TRIB_OK)
        status = trib_new(&run->corpus.document, n_documents, sizeof *run->corpus.document,
                          "documents", error);
    if (status == TRIB_OK) run->corpus.n_documents = n_documents;
    return status;
}

trib_status trib_command_tokens(const trib_command_line *line, trib_log *log, trib_writer *out,
                                trib_error *error) {
    char *path = (char *)(uintptr_t)line->operand[0];
    const trib_corpus_document about = {.id = path, .file = path, .path = path};
    const bool is_read = holds_words(path);
    trib_config config = {0};
    trib_run run;
    trib_reader reader = {.file = -1};
    trib_status status = open_run(&run, &config, line, log, 1, error);
    if (status == TRIB_OK) run.corpus.document[0].about = &about;
    if (status == TRIB_OK && !is_read) status = trib_run_stage(&run, "tokens", error);
    if (status == TRIB_OK && is_read) {
        status = trib_corpus_words_init(&run.words, 1, error);
        if (status == TRIB_OK) status = trib_reader_open(&reader, path, error);
        if (status == TRIB_OK) {
            run.words.document[0].file = &reader;
            status = trib_reader_size(&reader, &run.words.document[0].size, error);
        }
    }
    if (status == TRIB_OK) status = give_words(path, &run.words.document[0], line, log, out, error);
    if (is_read) trib_reader_close(&reader);
    trib_run_release(&run);
    trib_config_release(&config);
    return status;
}

/* ---- vocab ----------------------------------------------------------------------------------- */

/* Joins the vocabulary of one file of words. */
static trib_status join_file(trib_run *run, uint32_t d, trib_error *error) {
    const trib_document *document = &run->corpus.document[d];
    trib_document_words *words = &run->words.document[d];
    const bool is_input = strcmp(document->about->path, "-") == 0;
    trib_reader reader;
    /* the bytes of standard input, because words are read at random positions */
    trib_buffer held = {0};
    trib_status status = trib_reader_open(&reader, document->about->path, error);
    if (status != TRIB_OK) return status;
    if (is_input) {
        status = trib_reader_all(&reader, &held, error);
        trib_reader_memory(&reader, "standard input", held.text, held.length);
    }
    words->file = &reader;
    if (status == TRIB_OK) status = trib_reader_size(&reader, &words->size, error);
    if (status == TRIB_OK)
        status = trib_words_join(&run->env, &run->corpus, d, &run->words, &run->word_counts, error);
    if (status == TRIB_INPUT && !holds_words(document->about->path))
        trib_error_prefix(error, "vocab reads what `tributary tokens TEXT -o FILE` writes");
    trib_reader_close(&reader);
    trib_buffer_release(&held);
    words->file = NULL;
    return status;
}

/* Prints facts about a vocabulary, and its words unless a file was written. */
static trib_status write_vocab_json(const trib_vocab *vocab, const char *path, trib_writer *out,
                                    trib_error *error) {
    json_t *list = json_array();
    for (uint32_t id = 0; id < vocab->n_words && !path; id++)
        json_array_append_new(list, json_pack("{s:s, s:I, s:I}", "word", vocab->word[id], "count",
                                              (json_int_t)vocab->count[id], "documents",
                                              (json_int_t)vocab->n_documents[id]));
    json_t *document =
        json_pack("{s:i, s:I, s:I, s:I}", "schema", 1, "tokens", (json_int_t)vocab->n_tokens,
                  "types", (json_int_t)vocab->n_words, "other", (json_int_t)vocab->n_other);
    if (path) json_object_set_new(document, "file", trib_json_text(path));
    else json_object_set(document, "words", list);
    json_decref(list);
    return trib_json_write(document, out, error);
}

static trib_status write_vocab(const trib_vocab *vocab, const trib_command_line *line,
                               trib_log *log, trib_writer *out, trib_error *error) {
    const bool to_file = line->output && strcmp(line->output, "-") != 0;
    trib_writer file;
    trib_status status = TRIB_OK;
    trib_log_say(log, TRIB_LOG_INFO, "%lu words, %llu occurrences", (unsigned long)vocab->n_words,
                 (unsigned long long)vocab->n_tokens);
    if (to_file) {
        status = trib_writer_open(&file, line->output, error);
        if (status != TRIB_OK) return status;
        trib_vocab_write(vocab, &file);
        status = trib_writer_commit(&file, NULL, error);
    }
    if (status == TRIB_OK && line->json && (to_file || !line->output))
        status = write_vocab_json(vocab, line->output, out, error);
    else if (status == TRIB_OK && !to_file) trib_vocab_write(vocab, out);
    return status;
}

trib_status trib_command_vocab(const trib_command_line *line, trib_log *log, trib_writer *out,
                               trib_error *error) {
    trib_config config = {0};
    trib_run run;
    trib_corpus_document *about = NULL;
    trib_status status = open_run(&run, &config, line, log, (uint32_t)line->n_operands, error);
    if (status == TRIB_OK)
        status = trib_new(&about, line->n_operands, sizeof *about, "documents", error);
    if (status == TRIB_OK)
        status = trib_corpus_words_init(&run.words, run.corpus.n_documents, error);
    for (uint32_t d = 0; d < run.corpus.n_documents && status == TRIB_OK; d++) {
        char *path = (char *)(uintptr_t)line->operand[d];
        about[d] = (trib_corpus_document){.id = path, .file = path, .path = path};
        run.corpus.document[d].about = &about[d];
        status = join_file(&run, d, error);
    }
    if (status == TRIB_OK) status = trib_run_stage(&run, "vocabulary", error);
    if (status == TRIB_OK) status = write_vocab(&run.vocab, line, log, out, error);
    trib_run_release(&run);
    trib_free(about);
    trib_config_release(&config);
    return status;
}
