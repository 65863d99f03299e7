/* shared_words.h - exchanges the words of the documents when several processes execute a run. Each
 * process reads its own documents and counts their vocabulary; the vocabularies are added, cut and
 * numbered once; then each process writes its words as numbers where the others can read them.
 * With one process they do nothing, apart from trib_share_word_runs. All ranks call them in the
 * same order; `status` is that of comm.h. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_SHARED_WORDS_H
#define TRIBUTARY_STAGES_SHARED_WORDS_H

#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* Sends the results of reading the documents from each rank (trib_document_words.rank) to all: why
 * a document is rejected, or its number of words and about[d], [n_documents]. */
trib_status trib_share_found_words(const trib_comm *comm, trib_status status, trib_corpus *corpus,
                                   trib_corpus_words *words, trib_words_about *about,
                                   trib_error *error);

/* Adds the word counts of all ranks, whose words have no norms. Rank 0 then has those of the
 * corpus, beginning with its own words. */
trib_status trib_share_added_vocabularies(const trib_comm *comm, trib_word_counts *counts,
                                          trib_error *error);

/* The number of words of all ranks together, each counted once for every rank and run that has it:
 * whether they all go to files. */
uint64_t trib_share_n_words(const trib_comm *comm, const trib_word_counts *counts);
/* Makes a vocabulary of runs; *final_id receives the ids of their words, [runs->n_ids]. */
typedef trib_status (*trib_runs_merge)(void *context, const trib_word_runs *runs, trib_vocab *vocab,
                                       trib_scratch_array *final_id, trib_error *error);
/* Rank 0 makes the vocabulary of the runs of all ranks, which are named with several of them
 * (shared_runs.c). *final_id receives the ids of the words of this rank, [own->n_ids]. The ranks
 * share the file of the vocabulary, in the folder `scratch`. */
trib_status trib_share_word_runs(const trib_comm *comm, trib_status status, trib_word_runs *own,
                                 trib_runs_merge merge, void *context, const char *scratch,
                                 trib_vocab *vocab, trib_scratch_array *final_id,
                                 trib_error *error);

/* Sends the vocabulary of rank 0 to the others. Each of them receives the vocabulary ids of its own
 * words, final_id[own->intern.n_words], as trib_vocab_build returns it. */
trib_status trib_share_vocabulary(const trib_comm *comm, trib_status status,
                                  const trib_word_counts *own, trib_vocab *vocab,
                                  uint32_t *final_id, trib_error *error);

/* Each rank writes the words of its documents, as ids of the vocabulary, to a file in the folder
 * `scratch`, which all ranks must see. Afterwards trib_document_words_open opens the words of any
 * document. TRIB_OUTPUT; TRIB_INPUT when the file of another rank cannot be opened. */
trib_status trib_share_words(const trib_comm *comm, trib_status status, trib_corpus_words *words,
                             const char *scratch, trib_error *error);

#endif
