/* tokens.h - stages tokens and vocabulary: every text becomes words, once, and the words get their
 * numbers. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_TOKENS_H
#define TRIBUTARY_STAGES_TOKENS_H

#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* Where the words of a text may be had without reading it. take: copies those of document d to
 * where `out` stands, which `reader` reads; put: offers those that were made of it. Both may be
 * called by several threads. */
typedef struct trib_words_source {
    void *context;
    trib_status (*take)(void *context, uint32_t d, trib_writer *out, const trib_reader *reader,
                        bool *taken, uint64_t *n_words, trib_error *error);
    trib_status (*put)(void *context, uint32_t d, trib_error *error);
} trib_words_source;

/* corpus -> words, counts. `words` is empty. A document that cannot be read, or holds too few
 * words, is marked as rejected in the corpus. source NULL: every text is read. */
trib_status trib_stage_tokens(const trib_environment *env, trib_corpus *corpus,
                              const trib_words_source *source, trib_corpus_words *words,
                              trib_word_counts *counts, trib_error *error);

/* words, counts -> vocabulary. The ids in `words` become the vocabulary's; the counts are
 * released. */
trib_status trib_stage_vocabulary(const trib_environment *env, trib_corpus_words *words,
                                  trib_word_counts *counts, trib_vocab *vocab, trib_error *error);

/* Reports what there is to say of document d, whose words are there, and adds its vocabulary to the
 * counts. TRIB_INPUT when it holds no word. */
trib_status trib_words_join(const trib_environment *env, const trib_document *document,
                            trib_document_words *words, trib_word_counts *counts,
                            trib_error *error);

#endif
