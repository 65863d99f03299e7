/* tensors.h - stage tensors: counts the n-grams of every document. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_TENSORS_H
#define TRIBUTARY_STAGES_TENSORS_H

#include "influence/influence.h"
#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* The counts of a document in few bytes, in the scratch file. */
typedef struct trib_packed_counts {
    const char *bytes; /* [size] the words, then the n-grams; NULL: the counts are not packed */
    size_t size;
    uint64_t checksum; /* of the bytes */
    size_t word_bytes; /* of each word */
    bool has_sequence;
    struct trib_unpacked_counts *unpacked; /* in memory, held or resting; NULL: not in memory */
} trib_packed_counts;

/* Unpacked counts that nobody holds, for the next reader. */
typedef struct trib_resting_counts {
    struct trib_unpacked_counts *newest, *oldest;
    uint64_t bytes; /* of all unpacked counts, those held too */
    uint64_t most;  /* with more bytes, the oldest are released */
} trib_resting_counts;

/* The n-grams of one document. Large arrays may be spilled to a file. */
typedef struct trib_counts {
    uint32_t *word; /* [n_local] vocabulary id of the document's own ids, commonest first */
    uint32_t n_local;
    trib_hacoo ngrams; /* over the document's own ids */
    /* [n_ngrams] entry of `ngrams` at each n-gram in text order; NULL if no method needs it */
    uint32_t *sequence;
    size_t n_ngrams;
    uint64_t n_wildcard_ngrams; /* n-grams that contain <other> */
    /* with tensor.skip: n-grams with gaps and without, over the same ids; else without modes */
    trib_hacoo skips;
    /* packed.bytes: the arrays above and those of `ngrams` can only be read while they are held */
    trib_packed_counts packed;
} trib_counts;

/* How large the counts of a document are. */
typedef struct trib_counts_size {
    uint32_t n_words;  /* different words: n_local */
    size_t n_nonzeros; /* different n-grams */
} trib_counts_size;

/* The n-grams of all documents. `{0}` is empty. */
typedef struct trib_tensors {
    trib_counts *document; /* [n_documents] */
    uint32_t n_documents;
    uint64_t n_wildcard_ngrams, n_ngrams;
    trib_influence_document *view; /* [n_documents] the view that the methods use */
    /* [n_documents] with tensor.skip, the view of the methods that count n-grams, without their
     * order; else NULL */
    trib_influence_document *skip_view;
    /* [n_documents] also of documents that are not counted, because nothing needs their n-grams;
     * of them, `document` has only n_ngrams and n_wildcard_ngrams */
    trib_counts_size *size;
    trib_spill spill; /* the file of the spilled documents */
    /* With several ranks, all documents are spilled, and the files of the other ranks are mapped
     * (packed_counts.c). */
    int *owner;         /* [n_documents] the rank that counts each document */
    trib_spill *shared; /* [n_shared] by rank; NULL: a single process */
    int n_shared;
    uint32_t n_spilled; /* number of documents in the file */
    bool is_packed;     /* the documents in the file are packed: what reads them must hold them */
    trib_resting_counts *resting;
} trib_tensors;

/* The records of the texts, which later stages read. All pointers are borrowed. */
typedef struct trib_read_texts {
    const trib_environment *env;
    const trib_corpus *corpus;
    const trib_corpus_words *words; /* for counting, on this rank (trib_share_words) */
    const trib_vocab *vocab;
    const trib_tensors *tensors;
} trib_read_texts;

/* Counts the n-grams of document d in `counts`, which must be empty, and with in_order fills its
 * `sequence`; several threads may count different documents. TRIB_INPUT if the text is shorter than
 * an n-gram. The caller releases `counts`, also after a failure. */
trib_status trib_tensors_count(const trib_read_texts *texts, bool in_order, uint32_t d,
                               trib_counts *counts, trib_error *error);
/* Moves document d to a file in the folder `scratch` if more than `beyond` bytes of memory are in
 * use; 0: never. is_shared: other processes can open the file by its name. Without memory for the
 * mapping, the document remains in memory. Several threads may call it. */
trib_status trib_tensors_spill(trib_tensors *tensors, uint32_t d, uint64_t beyond, bool is_shared,
                               const char *scratch, trib_error *error);
/* Takes the spilled documents out of memory until they are read again. */
void trib_tensors_rest(const trib_tensors *tensors);
/* The counts of methods that count n-grams, and of factors: with gaps if there are any. */
static inline const trib_hacoo *trib_counts_table(const trib_counts *counts) {
    return counts->skips.n_modes > 0 ? &counts->skips : &counts->ngrams;
}
/* [n_documents] The same as views. */
static inline const trib_influence_document *trib_tensors_counted(const trib_tensors *tensors) {
    return tensors->skip_view ? tensors->skip_view : tensors->view;
}
void trib_counts_release(trib_counts *counts); /* what is in a file is released with all tensors */
trib_status trib_tensors_init(trib_tensors *tensors, uint32_t n_documents, bool has_skips,
                              trib_error *error);
/* Sums the counts and fills `view` of every document, including its number of words. */
void trib_tensors_finish(trib_tensors *tensors, const trib_corpus_words *words);
/* Fills `view` and `size` of a document. */
void trib_tensors_finish_one(trib_tensors *tensors, const trib_corpus_words *words, uint32_t d);
void trib_tensors_release(trib_tensors *tensors);

/* Gives every rank the n-grams of all documents (packed_counts.c). Before, each rank has counted
 * and spilled the documents d with tensors->owner[d] equal to its rank. With one process it does
 * nothing. `status` as in comm.h. TRIB_MEMORY when a document was not spilled; TRIB_INPUT when a
 * file of another rank cannot be opened, as without a shared folder. */
trib_status trib_share_tensors(const trib_environment *env, trib_status status,
                               trib_tensors *tensors, trib_error *error);

/* TRIB_INPUT for a text of so many words that has no n-gram. */
trib_status trib_fail_no_ngram(const trib_config *config, const trib_corpus_document *about,
                               uint64_t n_words, trib_error *error);
/* Returns whether a method needs the n-grams of the texts in their order. */
bool trib_config_wants_order(const trib_config *config);
/* Returns the size of a document, for trib_part_row. The context is the tensors. */
uint64_t trib_tensors_size(const void *tensors, uint32_t d);

/* ---- Packed counts (packed_counts.c) --------------------------------------------------------- */

/* The n-grams of a large corpus are packed in a scratch file, and unpacked while they are read. */

/* Whether the n-grams of a run, which are many, are packed. Factors read them where they lie. */
bool trib_counts_are_packed(const trib_config *config);
/* Packs the counts of document d into the spill of the tensors. They can be read only between
 * trib_counts_hold and trib_counts_drop then. TRIB_INTERNAL when they cannot be packed; errors as
 * trib_spill_put. The counts are unchanged after a failure. One thread at a time. */
trib_status trib_counts_pack(trib_tensors *tensors, uint32_t d, trib_error *error);

/* Makes the counts of a document readable until as many calls of trib_counts_drop; counts that are
 * not packed are always readable. Any thread may call it. TRIB_MEMORY; TRIB_INPUT when the scratch
 * file has been damaged. */
trib_status trib_counts_hold(const trib_tensors *tensors, uint32_t d, trib_error *error);
void trib_counts_drop(const trib_tensors *tensors, uint32_t d);
/* The same for document `first` and those of list[n]. */
trib_status trib_counts_hold_all(const trib_tensors *tensors, uint32_t first, const uint32_t list[],
                                 size_t n, trib_error *error);
void trib_counts_drop_all(const trib_tensors *tensors, uint32_t first, const uint32_t list[],
                          size_t n);

/* Releases the counts that nobody holds, and from now on those that are dropped: later readers are
 * few. */
void trib_counts_forget(const trib_tensors *tensors);
/* Releases all unpacked counts, which nobody may hold. */
void trib_unpacked_release(trib_tensors *tensors);

#endif
