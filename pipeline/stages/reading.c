/* reading.c - reads a text from its file and splits it into words. Memory holds the largest piece
 * of the text that cannot be cut, or the whole text if parts of it are stripped or joined. */
#include "pipeline/config/documents.h"
#include "pipeline/stages/tokens.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/text/hyphens.h"
#include "pipeline/text/input.h"

/* Passes a file to the tokenizer in blocks. */
static trib_status feed_file(trib_tokenizer *tokenizer, trib_input *input, trib_error *error) {
    char block[1 << 16];
    size_t got = 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK &&
           (status = trib_input_read(input, block, sizeof block, &got, error)) == TRIB_OK &&
           got > 0 && (status = trib_stop_check(error)) == TRIB_OK)
        status = trib_tokenizer_feed(tokenizer, block, got, error);
    return status;
}

trib_status trib_config_strip(const trib_config *config, const char *path, trib_buffer *text,
                              const trib_text_ranges *parts, trib_text_ranges *kept,
                              trib_cuts *cuts, trib_error *error) {
    const trib_text_list *names = &config->corpus.strip;
    const size_t length = parts->n > 0 ? parts->range[0].to : text->length;
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < names->n && status == TRIB_OK; i++) {
        trib_text_ranges_release(kept);
        status = trib_strip(kept, cuts, trib_stripper_find(names->item[i]),
                            config->corpus.max_strip, path, text->text, length, error);
    }
    if (status == TRIB_OK && kept->n == 0 && length > 0)
        status = trib_text_ranges_add(kept, 0, length, error);
    for (size_t p = 1; p < parts->n && status == TRIB_OK; p++)
        status = trib_text_ranges_add(kept, parts->range[p].from, parts->range[p].to, error);
    return status;
}

/* Reads a whole file, strips it and joins its divided words as the configuration asks, and passes
 * it to the tokenizer. `kept` receives the parts that stripping left. */
static trib_status feed_whole(const trib_config *config, const char *path,
                              trib_tokenizer *tokenizer, trib_input *input, trib_text_ranges *kept,
                              trib_words_about *about, trib_error *error) {
    trib_buffer text = {0};
    trib_joined joined = {0};
    trib_status status = trib_input_all(input, &text, error);
    if (status == TRIB_OK && config->corpus.strip.n > 0)
        status =
            trib_config_strip(config, path, &text, &input->made.parts, kept, &about->cuts, error);
    if (status == TRIB_OK && config->corpus.join_hyphens)
        status = trib_join_hyphens(&joined, text.text, text.length, error);
    const char *remark = kept->remark ? kept->remark : joined.hyphens.remark;
    if (remark) snprintf(about->remark, sizeof about->remark, "%s", remark);
    about->remark_line = kept->line;
    if (status == TRIB_OK) status = trib_tokenizer_feed(tokenizer, text.text, text.length, error);
    trib_joined_release(&joined);
    trib_buffer_release(&text);
    return status;
}

static bool list_holds(const trib_text_list *list, const char *item) {
    for (uint32_t i = 0; i < list->n; i++)
        if (strcmp(list->item[i], item) == 0) return true;
    return false;
}

trib_token_options trib_config_token_options(const trib_config *config) {
    return (trib_token_options){
        .locale = config->tokens.locale,
        .encoding = config->corpus.encoding,
        .normalize = config->tokens.normalize,
        .letter_case = config->tokens.letter_case,
        .apostrophes = config->tokens.apostrophes,
        .hyphens = config->tokens.hyphens,
        .numbers = config->tokens.numbers,
        .break_at_sentence = list_holds(&config->tokens.break_at, "sentence"),
        .break_at_paragraph = list_holds(&config->tokens.break_at, "paragraph"),
        .on_invalid = config->corpus.on_invalid,
    };
}

static void close_tokenizers(trib_text_reader *reading) {
    trib_tokenizer_close(reading->file);
    trib_tokenizer_close(reading->utf8);
    reading->file = reading->utf8 = NULL;
    reading->language = reading->encoding = NULL;
}

/* Opens the tokenizers of a language and an encoding, unless they are open. */
static trib_status open_tokenizers(trib_text_reader *reading, const char *language,
                                   const char *encoding, trib_error *error) {
    trib_token_options options = trib_config_token_options(reading->config);
    if (reading->language && strcmp(reading->language, language) == 0 &&
        strcmp(reading->encoding, encoding) == 0)
        return TRIB_OK;
    close_tokenizers(reading);
    options.locale = language;
    options.encoding = encoding;
    trib_status status = trib_tokenizer_open(&reading->file, &options, error);
    options.encoding = NULL;
    if (status == TRIB_OK) status = trib_tokenizer_open(&reading->utf8, &options, error);
    reading->language = language;
    reading->encoding = encoding;
    if (status != TRIB_OK) close_tokenizers(reading);
    return status;
}

trib_status trib_reading_open(trib_text_reader *reading, const trib_config *config,
                              trib_error *error) {
    *reading = (trib_text_reader){.config = config};
    return open_tokenizers(reading, config->tokens.locale, config->corpus.encoding, error);
}

void trib_reading_close(trib_text_reader *reading) {
    close_tokenizers(reading);
    trib_words_writer_release(&reading->words);
    *reading = (trib_text_reader){0};
}

trib_status trib_reading_do(trib_text_reader *reading, const trib_corpus_document *document,
                            trib_writer *out, trib_error *error) {
    const char *path = document->path;
    trib_text_ranges kept = {0};
    trib_words_about about = {0};
    const bool strips = reading->config->corpus.strip.n > 0;
    trib_input_options options = trib_config_input_options(reading->config);
    options.encoding = trib_config_encoding(reading->config, document);
    trib_input input;
    trib_status status = open_tokenizers(reading, trib_config_language(reading->config, document),
                                         trib_config_encoding(reading->config, document), error);
    if (status == TRIB_OK) status = trib_input_open(&input, path, reading->spool, &options, error);
    if (status != TRIB_OK) return status;
    status = trib_words_begin(&reading->words, out, strips ? &kept : &input.made.parts, error);
    if (status != TRIB_OK) {
        trib_input_close(&input);
        return status;
    }
    trib_tokenizer *const tokenizer = input.is_markup ? reading->utf8 : reading->file;
    trib_tokenizer_begin(tokenizer, path, trib_words_add, &reading->words);
    status = strips || reading->config->corpus.join_hyphens
                 ? feed_whole(reading->config, path, tokenizer, &input, &kept, &about, error)
                 : feed_file(tokenizer, &input, error);
    const trib_status ended =
        trib_tokenizer_end(tokenizer, &about.counts, status == TRIB_OK ? error : NULL);
    if (status == TRIB_OK) status = ended;
    if (!*about.remark) { /* if stripping left no remark, use that of the input */
        snprintf(about.remark, sizeof about.remark, "%s", input.made.remark);
        about.remark_line = 0;
    }
    if (!*about.remark && trib_tokenizer_is_misread(tokenizer))
        snprintf(about.remark, sizeof about.remark,
                 "is UTF-8 but is read in %s, which changes every letter beyond ASCII; set "
                 "corpus.encoding to auto, or give this document `encoding: utf-8`",
                 options.encoding);
    about.counts.n_replaced += input.made.n_replaced;
    trib_input_close(&input);
    trib_text_ranges_release(&kept);
    if (status != TRIB_OK) return status;
    snprintf(about.encoding, sizeof about.encoding, "%s", trib_tokenizer_encoding(tokenizer));
    return trib_words_end(&reading->words, &about, error);
}
