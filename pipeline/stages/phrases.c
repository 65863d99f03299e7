/* phrases.c - reads the words of a text as a library has them. */
#include "pipeline/stages/phrases.h"

#include <strings.h>

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/stages/folds.h"
#include "pipeline/stages/text.h"
#include "pipeline/stages/tokens.h"

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    trib_word_reader *const reader = context;
    trib_hashed_words *const w = &reader->words;
    static const char what[] = "words of a text";
    char letters[TRIB_FOLD_MAX];
    size_t n = 0;
    trib_status status = trib_fold(reader->transform, token->text, letters, &n, error);
    if (status != TRIB_OK || n == 0) return status;
    status = TRIB_GROW(&w->hash, &w->cap, w->n + 1, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&w->from, &w->from_cap, w->n + 1, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&w->end, &w->end_cap, w->n + 1, what, error);
    if (status == TRIB_OK && w->spellings)
        status = TRIB_GROW(&w->spelling, &w->spelling_cap, w->n + 1, what, error);
    if (status != TRIB_OK) return status;
    if (w->spellings) w->spelling[w->n] = trib_arena_copy(w->spellings, token->text, token->length);
    w->hash[w->n] = (uint32_t)trib_fold_number(letters, n);
    w->from[w->n] = token->offset;
    w->end[w->n++] = token->offset + token->n_bytes;
    return TRIB_OK;
}

void trib_word_reader_close(trib_word_reader *reader) {
    trib_tokenizer_close(reader->tokenizer);
    trib_transform_close(reader->transform);
    trib_hashed_words_release(&reader->words);
    trib_buffer_release(&reader->references);
    trib_free(reader->encoding);
    *reader = (trib_word_reader){0};
}

/* Opens the tokenizer of an encoding, unless it is open. */
static trib_status open_tokenizer(trib_word_reader *r, const char *encoding, trib_error *error) {
    trib_token_options options = trib_config_token_options(r->config);
    trib_status status = TRIB_OK;
    if (!r->transform) status = trib_transform_open(&r->transform, "letters", NULL, error);
    if (status != TRIB_OK || (r->encoding && strcmp(r->encoding, encoding) == 0)) return status;
    trib_free(r->encoding);
    trib_tokenizer_close(r->tokenizer);
    r->tokenizer = NULL;
    options.encoding = encoding;
    if (strcmp(encoding, "UTF-8") == 0) options.on_invalid = TRIB_INVALID_REPLACE;
    status = trib_copy(&r->encoding, encoding, error);
    return status == TRIB_OK ? trib_tokenizer_open(&r->tokenizer, &options, error) : status;
}

trib_status trib_word_reader_read(trib_word_reader *r, const char *name, const char *encoding,
                                  const trib_buffer *bytes, uint64_t base, trib_error *error) {
    trib_hashed_words *const words = &r->words;
    trib_status status = open_tokenizer(r, encoding, error);
    words->n = 0;
    if (status != TRIB_OK) return status;
    trib_tokenizer_begin(r->tokenizer, name, take_word, r);
    status =
        trib_tokenizer_feed(r->tokenizer, bytes->text ? bytes->text : "", bytes->length, error);
    const trib_status ended =
        trib_tokenizer_end(r->tokenizer, NULL, status == TRIB_OK ? error : NULL);
    for (size_t i = 0; i < words->n; i++) words->from[i] += base, words->end[i] += base;
    return status == TRIB_OK ? ended : status;
}

/* Writes the references of a text as a library has them. */
static trib_status write_references(trib_word_reader *r, const trib_corpus_document *about,
                                    const trib_references *of_markup, const trib_buffer *text,
                                    trib_error *error) {
    const char *const pattern = trib_config_reference(r->config, about);
    TRIB_OWNED(trib_references) found = {0};
    const trib_references *const from = pattern ? &found : of_markup;
    trib_status status = TRIB_OK;
    trib_buffer_clear(&r->references);
    if (pattern)
        status = trib_references_find(&found, pattern, about->path, "UTF-8",
                                      text->text ? text->text : "", text->length, error);
    for (size_t i = 0; i < from->n && status == TRIB_OK; i++)
        status = trib_buffer_print(&r->references, error, "%zu %s\n", from->mark[i].from,
                                   from->labels.text + from->mark[i].label);
    return status;
}

/* Reads a text, without what is stripped, and its words. */
static trib_status read_input(trib_word_reader *r, const trib_corpus_document *about,
                              trib_input *input, trib_buffer *text, trib_error *error) {
    const char *encoding = about->encoding ? about->encoding : r->config->corpus.encoding;
    trib_text_ranges kept = {0};
    trib_cuts cuts;
    trib_buffer utf8 = {0};
    trib_status status = trib_input_all(input, text, error);
    if (status == TRIB_OK)
        status = trib_config_strip(r->config, about->path, text, &input->made.parts, &kept, &cuts,
                                   error);
    trib_text_ranges_release(&kept);
    if (status != TRIB_OK) return status;
    status = trib_word_reader_read(r, about->path, input->is_markup ? "UTF-8" : encoding, text, 0,
                                   error);
    if (status != TRIB_OK) return status;
    encoding = trib_tokenizer_encoding(r->tokenizer);
    if (strcasecmp(encoding, "UTF-8") == 0) return TRIB_OK;
    status = trib_excerpt(&utf8, encoding, text->text, text->length, error);
    trib_buffer_release(text);
    *text = utf8;
    return status == TRIB_OK ? trib_word_reader_read(r, about->path, "UTF-8", text, 0, error)
                             : status;
}

trib_status trib_word_reader_document(trib_word_reader *r, const trib_document *document,
                                      trib_spool_of_texts *spool, trib_buffer *text,
                                      trib_error *error) {
    const char *const path = document->about->path;
    const trib_input_options options = trib_config_input_options(r->config, document->about);
    trib_input input;
    if (document->rejected) return trib_fail(error, TRIB_INPUT, "%s", document->rejected);
    trib_status status = trib_input_open(&input, path, spool, &options, error);
    if (status != TRIB_OK) return status;
    status = read_input(r, document->about, &input, text, error);
    if (status == TRIB_OK)
        status = write_references(r, document->about, &input.made.references, text, error);
    trib_input_close(&input);
    if (status == TRIB_OK) status = trib_document_check_unchanged(document, error);
    return status == TRIB_OK && r->words.n == 0
               ? trib_fail(error, TRIB_INPUT, "%s: has no word with letters", path)
               : status;
}
