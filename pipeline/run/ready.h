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

#include "influence/frequent.h"
#include "pipeline/stages/candidates.h"
#include "pipeline/store/cache.h"

typedef struct trib_run trib_run;

/* The hashes that identify the text of a document in the cache (cached_texts.c). */
typedef struct trib_fingerprint {
    char counts[TRIB_SHA256_TEXT]; /* of its n-grams, their counts and its words */
    char order[TRIB_SHA256_TEXT];  /* also of the order of the n-grams; empty if not needed */
} trib_fingerprint;

/* Facts about a document of the corpus. */
typedef struct trib_ready_document {
    uint64_t n_tokens, n_ngrams, n_wildcard_ngrams, n_nonzeros;
    uint32_t n_words, n_local; /* different words, and those of them in the vocabulary */
    trib_fingerprint print;
    trib_words_about about;
} trib_ready_document;

/* A ready corpus. `{0}` is empty. */
typedef struct trib_ready {
    bool is_possible, is_taken;
    trib_buffer key;                     /* of the entry */
    trib_cache_mapped mapped;            /* the entry; what follows lies in it */
    const trib_ready_document *document; /* [n_documents] */
    trib_stored_indexes indexes;
    const trib_frequent_ngram *formula; /* [n_formula_slots] the table of formulas */
    size_t n_formula_slots, n_formulas;
    const trib_near *near; /* [n_near] */
    size_t n_near;
    /* Of a corpus that is not taken, until it is stored: */
    trib_indexes made;
    trib_near *found_near; /* [n_near] */
} trib_ready;
void trib_ready_release(trib_ready *ready);

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

/* ---- The entry (ready_entry.c) --------------------------------------------------------------- */

/* Takes the entry of run->ready.key: fills run->words, run->vocab and the
 * rest of run->ready. Without an entry, does nothing. */
trib_status trib_ready_entry_take(trib_run *run, trib_error *error);
/* Copies the formulas of the entry to run->index. */
trib_status trib_ready_entry_formulas(trib_run *run, trib_error *error);
/* Writes the entry of a run whose documents are all counted, from the indexes in run->ready.made
 * and the formulas in run->index. A full disk is only logged. */
trib_status trib_ready_entry_put(trib_run *run, trib_error *error);

/* ---- The run that is extended (base.c) ------------------------------------------------------- */

/* The finished run that a run adds texts to (`tributary run CONFIG --add-to RUN`), its
 * base. The ids and counts of its words, its formulas, its index and the rates of its samples stay
 * as they are; words that only the added texts have get further ids. So a target without an added
 * source has the results it has there. They come from the cache: the ready corpus of the base
 * (ready.h), and the cached shares and evidence of its targets. */

/* After stage corpus: compares the texts and settings with those of the run run->add_to, fills
 * run->corpus.base and makes it part of the run's hash. With run->only_changed, removes the targets
 * that no added text may be a source of. Does nothing without run->add_to. TRIB_USAGE if it is no
 * finished run, or one that was itself extended; TRIB_CONFIG for other settings, for a text of the
 * base that is missing, or has another date, role or language; TRIB_INPUT for one that was changed.
 */
trib_status trib_base_open(trib_run *run, trib_error *error);
/* Makes corpus->hash that of a run that extends another: another result. */
trib_status trib_base_hash(trib_run *run, trib_error *error);
/* After stage candidates: with only_changed, removes the targets of the base without an added
 * source. TRIB_CONFIG if none is left. */
trib_status trib_base_keep_changed(trib_run *run, trib_error *error);
/* The documents of the base as a corpus of their own, in its order; the caller frees its list
 * `document`. */
trib_status trib_base_view(const trib_corpus *corpus, trib_corpus *view, trib_error *error);

#endif
