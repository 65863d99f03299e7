/* tensors.h - stage tensors: counts the n-grams of every document. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_TENSORS_H
#define TRIBUTARY_STAGES_TENSORS_H

#include "influence/influence.h"
#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* The n-grams of one document. Large arrays may be spilled to a file. */
typedef struct trib_counts {
    uint32_t *word; /* [n_local] vocabulary id of the document's own ids, commonest first */
    uint32_t n_local;
    trib_hacoo ngrams; /* over the document's own ids */
    /* [n_ngrams] entry of `ngrams` at each n-gram in text order; NULL if no method needs it */
    uint32_t *sequence;
    size_t n_ngrams;
    uint64_t n_wildcard_ngrams; /* n-grams that contain <other> */
} trib_counts;

/* The n-grams of all documents. `{0}` is empty. */
typedef struct trib_tensors {
    trib_counts *document; /* [n_documents] */
    uint32_t n_documents;
    uint64_t n_wildcard_ngrams, n_ngrams;
    trib_influence_document *view; /* [n_documents] the view that the methods use */
    trib_spill spill;              /* the file of the spilled documents */
    uint32_t n_spilled;            /* number of documents in the file */
} trib_tensors;

/* Options of stage tensors. */
typedef struct trib_tensors_options {
    bool in_order;         /* fill `sequence` */
    bool are_last;         /* no later stage needs them: release each after `see` */
    uint64_t spill_beyond; /* spill to a file above this many bytes in use; 0: never */
    /* Called with the counts of each document, by several threads; may be NULL. */
    trib_status (*see)(void *context, uint32_t d, const trib_counts *counts, trib_error *error);
    void *context;
} trib_tensors_options;

/* Makes the tensors from corpus, words and vocabulary. `tensors` must be empty. With several ranks,
 * all words are first sent to all ranks. */
trib_status trib_stage_tensors(const trib_environment *env, const trib_corpus *corpus,
                               trib_corpus_words *words, const trib_vocab *vocab,
                               const trib_tensors_options *options, trib_tensors *tensors,
                               trib_error *error);
trib_status trib_tensors_init(trib_tensors *tensors, uint32_t n_documents, trib_error *error);
/* Sums the counts and fills `view` of every document, including its number of words. */
void trib_tensors_finish(trib_tensors *tensors, const trib_corpus_words *words);
void trib_tensors_release(trib_tensors *tensors);

/* Returns whether a method needs the n-grams of the texts in their order. */
bool trib_config_wants_order(const trib_config *config);
/* Returns the size of a document, for trib_part_row. The context is the tensors. */
uint64_t trib_tensors_size(const void *tensors, uint32_t d);

#endif
