/* shared_words.h - the words of the documents when several processes do a run: each reads its own documents and counts their
 * vocabulary; the vocabularies are added, cut and numbered once; then words go from one process to another by their numbers.
 * A team of one has nothing to do here. All ranks call these in the same order. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_SHARED_WORDS_H
#define TRIBUTARY_STAGES_SHARED_WORDS_H

#include "pipeline/run/run.h"

/* Every rank has found something of its documents (trib_run_document.rank): why they are refused, or how many words they have
 * and about[d], [n_documents]. Afterwards all know it of all. */
trib_status trib_share_found_words(trib_run *run, trib_words_about *about, trib_error *error);

/* Adds the vocabularies that the ranks have in run->intern, word_count and word_documents: rank 0 then has that of the corpus,
 * its own words first. */
trib_status trib_share_added_vocabularies(trib_run *run, trib_error *error);

/* Rank 0 has run->vocab; the others take it over, and final_id[run->intern.n_words] of their own words as trib_vocab_build
 * gives it. */
trib_status trib_share_vocabulary(trib_run *run, uint32_t *final_id, trib_error *error);

/* Every rank gives the words of its documents, whose ids are the vocabulary's, to all: trib_run_words opens those of any
 * document afterwards. */
trib_status trib_comm_share_words(trib_run *run, trib_error *error);

#endif
