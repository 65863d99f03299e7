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
 * marked as rejected in the corpus. source NULL: every text is read. */
trib_status trib_stage_tokens(const trib_environment *env, trib_corpus *corpus,
                              const trib_words_source *source, trib_corpus_words *words,
                              trib_word_counts *counts, trib_error *error);

/* Makes the vocabulary from words and counts. The ids in `words` become those of the vocabulary;
 * the counts are released. */
trib_status trib_stage_vocabulary(const trib_environment *env, trib_corpus_words *words,
                                  trib_word_counts *counts, trib_vocab *vocab, trib_error *error);
/* Adds to words->taken which notices texts have, and which words most of them begin, or end, with
 * (noticed.c). */
trib_status trib_notice(const trib_corpus *corpus, trib_corpus_words *words, trib_error *error);
/* Counts the words of each document of a rank that occur once in the corpus, in its account; those
 * of a limited vocabulary are not known. O(words). */
trib_status trib_count_alone(trib_corpus_words *words, const trib_vocab *vocab, int rank,
                             trib_error *error);

/* Looks at the words of a document (looks.c). */
void trib_words_look(const trib_words *words, trib_looks *looks);
/* Chooses what `tokens.transform: auto` stands for, from all documents, into words->taken. All
 * ranks call it and get the same. */
trib_status trib_looks_choose(const trib_environment *env, trib_status status,
                              const trib_corpus *corpus, trib_corpus_words *words,
                              trib_error *error);
/* Counts the words again after env->config was given the transform that was chosen. */
trib_status trib_tokens_count_again(const trib_environment *env, trib_corpus *corpus,
                                    trib_corpus_words *words, trib_word_counts *counts,
                                    trib_error *error);

/* The remark on a text with the licence of Project Gutenberg. */
extern const char trib_licence_remark[];
/* Fills in what `about` says of a document of words->n_tokens words, and reports on it.
 * TRIB_INPUT if it has no word. */
trib_status trib_words_report(const trib_environment *env, const trib_document *document,
                              trib_document_words *words, const trib_words_about *about,
                              trib_error *error);

/* Returns the configured options of the tokenizer; borrows from `config`. */
trib_token_options trib_config_token_options(const trib_config *config);

#endif
