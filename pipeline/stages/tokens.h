/* tokens.h - stages tokens and vocabulary: splits every text into words once and numbers the words.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_TOKENS_H
#define TRIBUTARY_STAGES_TOKENS_H

#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* A source of the words of texts that were read before, such as the cache. take: copies the words
 * of document d to the position of `out`, a file that `reader` reads. put: offers the words made
 * from document d. Several threads may call both. */
typedef struct trib_words_source {
    void *context;
    trib_status (*take)(void *context, uint32_t d, trib_writer *out, const trib_reader *reader,
                        bool *taken, uint64_t *n_words, trib_error *error);
    trib_status (*put)(void *context, uint32_t d, trib_error *error);
} trib_words_source;

/* Makes words and counts from the corpus. A document that cannot be read or has too few words is
 * marked as rejected in the corpus. source NULL: every text is read. is_wanted, in a run of one
 * process: only documents d with is_wanted[d]; the other records of `words`, which may have been
 * read before, stay as they are. With counts NULL only the files of the words are filled in: the
 * vocabularies are not joined. */
trib_status trib_stage_tokens(const trib_environment *env, trib_corpus *corpus,
                              const trib_words_source *source, const bool is_wanted[],
                              trib_corpus_words *words, trib_word_counts *counts,
                              trib_error *error);

/* Makes the vocabulary from words and counts. The ids in `words` become those of the vocabulary;
 * the counts are released. */
trib_status trib_stage_vocabulary(const trib_environment *env, trib_corpus_words *words,
                                  trib_word_counts *counts, trib_vocab *vocab, trib_error *error);

/* Fills in what `about` says of a document of words->n_tokens words, and reports on it.
 * TRIB_INPUT if it has no word. */
trib_status trib_words_report(const trib_environment *env, const trib_document *document,
                              trib_document_words *words, const trib_words_about *about,
                              trib_error *error);

/* ---- Reading a text (reading.c) -------------------------------------------------------------- */

/* A reader of texts, for one text at a time; each thread has its own. `{0}` is closed. */
typedef struct trib_text_reader {
    const trib_config *config;   /* borrowed: corpus and tokens */
    trib_tokenizer *file, *utf8; /* utf8: for texts extracted from markup */
    const char *language;        /* of the tokenizers; borrowed from the configuration */
    const char *encoding;        /* of `file`; borrowed from the configuration */
    trib_spool_of_texts *spool;  /* borrowed; NULL: none */
    trib_words_writer words;
} trib_text_reader;

/* Returns the configured options of the tokenizer; borrows from `config`. */
trib_token_options trib_config_token_options(const trib_config *config);

/* Strips the body of a whole text as the configuration asks; the other `parts` of the text, such
 * as notes, follow the body and are not stripped (n 0: the body is all of it). `kept` must be empty
 * and receives the parts that remain; the caller releases it, also after a failure. Errors as
 * trib_strip. */
trib_status trib_config_strip(const trib_config *config, const char *path, trib_buffer *text,
                              const trib_text_ranges *parts, trib_text_ranges *kept,
                              trib_cuts *cuts, trib_error *error);

trib_status trib_reading_open(trib_text_reader *reading, const trib_config *config,
                              trib_error *error);
void trib_reading_close(trib_text_reader *reading);
/* Reads the text of a document and writes its words to `out`. Warnings about the text are written
 * to the same file, so that they can be reported in the order of the documents. TRIB_INPUT and the
 * errors of input.h, strip.h and tokenizer.h; `out` then contains part of a file. */
trib_status trib_reading_do(trib_text_reader *reading, const trib_corpus_document *document,
                            trib_writer *out, trib_error *error);

#endif
