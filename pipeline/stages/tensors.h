/* tensors.h - stage tensors: the n-grams of every document, counted. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_TENSORS_H
#define TRIBUTARY_STAGES_TENSORS_H

#include "influence/influence.h"
#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* The n-grams of one document. Where there are many documents, its arrays are in a file. */
typedef struct trib_counts {
    uint32_t *word; /* [n_local] vocabulary id of the document's own ids, commonest first */
    uint32_t n_local;
    trib_hacoo ngrams; /* over the document's own ids */
    /* [n_ngrams] entry of `ngrams` at each n-gram in order; NULL when no method asks */
    uint32_t *sequence;
    size_t n_ngrams;
    uint64_t n_wildcard_ngrams; /* that hold <other> */
} trib_counts;

/* The n-grams of all documents. `{0}` is empty. */
typedef struct trib_tensors {
    trib_counts *document; /* [n_documents] */
    uint32_t n_documents;
    uint64_t n_wildcard_ngrams, n_ngrams;
    trib_influence_document *view; /* [n_documents] what the methods see */
    trib_spill spill;              /* the file that holds some of them */
    uint32_t n_spilled;            /* documents in it */
} trib_tensors;

/* How they are wanted. */
typedef struct trib_tensors_options {
    bool in_order; /* with `sequence` */
    bool are_last; /* no stage follows that needs them: each is released after it was seen */
    uint64_t spill_beyond; /* bytes in use, beyond which they go to a file; 0: never */
    /* Called with every document's counts, by several threads; NULL: nobody looks. */
    trib_status (*see)(void *context, uint32_t d, const trib_counts *counts, trib_error *error);
    void *context;
} trib_tensors_options;

/* corpus, words, vocabulary -> tensors, which are empty. With several ranks all words are given to
 * all ranks first. */
trib_status trib_stage_tensors(const trib_environment *env, const trib_corpus *corpus,
                               trib_corpus_words *words, const trib_vocab *vocab,
                               const trib_tensors_options *options, trib_tensors *tensors,
                               trib_error *error);
trib_status trib_tensors_init(trib_tensors *tensors, uint32_t n_documents, trib_error *error);
/* Adds up what was counted, and fills in `view` of every document with its number of words. */
void trib_tensors_finish(trib_tensors *tensors, const trib_corpus_words *words);
void trib_tensors_release(trib_tensors *tensors);

/* Whether a method needs the n-grams of texts in their order. */
bool trib_config_wants_order(const trib_config *config);
/* The size of a document, for trib_part_row; the context is its tensors. */
uint64_t trib_tensors_size(const void *tensors, uint32_t d);

#endif
