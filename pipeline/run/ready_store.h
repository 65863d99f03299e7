/* ready_store.h - the records of a ready corpus (ready.h). Private to pipeline. */
#ifndef TRIBUTARY_RUN_READY_STORE_H
#define TRIBUTARY_RUN_READY_STORE_H

#include "influence/frequent.h"
#include "pipeline/stages/candidates.h"
#include "pipeline/stages/near_duplicates.h"
#include "pipeline/store/cache.h"

/* The hashes that identify the text of a document in the cache (cached_tensors.c). */
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

#endif
