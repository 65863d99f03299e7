/* shared_words.h - the words of the documents when several processes do a run: each reads its own
 * documents and counts their vocabulary; the vocabularies are added, cut and numbered once; then
 * words go from one process to another by their numbers. A process alone has nothing to do here.
 * All ranks call these in the same order. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_SHARED_WORDS_H
#define TRIBUTARY_STAGES_SHARED_WORDS_H

#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* Every rank has found something of its documents (trib_document_words.rank): why they are
 * rejected, or how many words they have and about[d], [n_documents]. Afterwards all ranks know it
 * of all. */
trib_status trib_share_found_words(const trib_comm *comm, trib_corpus *corpus,
                                   trib_corpus_words *words, trib_words_about *about,
                                   trib_error *error);

/* Adds the word counts of the ranks: rank 0 then has those of the corpus, its own words first. */
trib_status trib_share_added_vocabularies(const trib_comm *comm, trib_word_counts *counts,
                                          trib_error *error);

/* Rank 0 has the vocabulary; the others take it over, and final_id[own->n_words] of their own words
 * as trib_vocab_build gives it. */
trib_status trib_share_vocabulary(const trib_comm *comm, const trib_intern *own, trib_vocab *vocab,
                                  uint32_t *final_id, trib_error *error);

/* Every rank gives the words of its documents, whose ids are the vocabulary's, to all:
 * trib_document_words_open opens those of any document afterwards. */
trib_status trib_share_words(const trib_comm *comm, trib_corpus_words *words, trib_error *error);

#endif
