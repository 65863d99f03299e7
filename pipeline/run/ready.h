/* ready.h - the ready corpus: what the stages before influence make of a large corpus, as one
 * mapped entry of the cache (folder "corpus"). With it, a run reads and counts only its targets,
 * their candidates, and documents that first held their formulas. It does not depend on which
 * documents are targets. Private to pipeline.
 *
 * The entry has a header and sections, each at a multiple of 64 bytes: facts about each document;
 * the vocabulary; the entries of both indexes; the formulas; the pairs of near duplicates. It is in
 * the byte order and layout of this program, whose checksum is in the key. */
#ifndef TRIBUTARY_RUN_READY_H
#define TRIBUTARY_RUN_READY_H

#include "pipeline/run/run.h"

/* Sets run->ready.is_possible: the run has candidates, a cache and one process, and no stage or
 * file needs the n-grams of every document. Then looks for the ready corpus and, if the cache has
 * it, fills run->words (without files) and run->vocab; run->ready.is_taken says whether it did.
 * Comes before stage tokens. */
trib_status trib_ready_take(trib_run *run, trib_error *error);
/* In place of stage tensors, with a ready corpus: prepares the records of the documents. */
trib_status trib_ready_tensors(trib_run *run, trib_error *error);
/* In place of stage candidates, with a ready corpus: chooses the sources, and reads and counts the
 * documents that the run needs. */
trib_status trib_ready_candidates(trib_run *run, trib_error *error);
/* Finds the near duplicates of the corpus, or takes the list of the ready corpus; warns. Fills
 * run->index.formulas from the ready corpus. Comes before trib_corpus_index_build. `status` as in
 * comm.h; a failure may be that of this rank alone. */
trib_status trib_ready_pairs(trib_run *run, trib_status status, trib_error *error);
/* Stores the ready corpus, unless a document was rejected or the disk is full, and closes the
 * indexes that stage candidates made. Comes after trib_corpus_index_build. */
trib_status trib_ready_put(trib_run *run, trib_error *error);

#endif
