/* frequent.h - the n-grams that many documents of a corpus hold: formulas (docs/model.md section
 * 5). In a large corpus they are found in bounded memory, without a list of all n-grams. */
#ifndef TRIBUTARY_FREQUENT_H
#define TRIBUTARY_FREQUENT_H

#include "influence/influence.h"

/* An n-gram that many documents hold. */
typedef struct trib_frequent_ngram {
    uint64_t hash;        /* of its vocabulary ids */
    uint32_t n_documents; /* documents that hold it; 0: an empty slot */
    uint32_t earliest;    /* the first of them */
} trib_frequent_ngram;

/* The frequent n-grams of a corpus. `{0}` is empty. */
typedef struct trib_frequent_ngrams {
    uint32_t more_than;        /* all listed n-grams are in more documents than this */
    trib_frequent_ngram *slot; /* [n_slots] a hash table with linear probing */
    size_t n_slots, n;         /* a power of two; listed n-grams */
} trib_frequent_ngrams;

/* Makes documents readable that are not in memory. */
typedef struct trib_documents_reading {
    /* document d is readable, and the view of it filled, until it is dropped */
    trib_status (*hold)(const void *context, uint32_t d, trib_error *error);
    void (*drop)(const void *context, uint32_t d);
    const void *context;
} trib_documents_reading;

/* Which n-grams are listed. */
typedef struct trib_frequent_options {
    uint32_t more_than;     /* those in more documents than this */
    uint32_t part, n_parts; /* of their hashes, part number `part` of n_parts; n_parts is 0: all */
    size_t most_bytes;      /* for the first count */
    /* [n_only] documents: n-grams that none of them holds may be left out; NULL: none are */
    const uint32_t *only;
    size_t n_only;
    int n_threads; /* does not change the result; `reading` is then called by several threads */
} trib_frequent_options;

/* Lists frequent n-grams of the documents order[n]; `earliest` is the first in that order. Reads
 * every document twice: first all n-grams that have the same short hash are counted together, so
 * that few remain for the second time, in which those few are counted exactly. Memory: at most
 * options->most_bytes for the first count, and what is frequent. Equal 64-bit hashes count as the
 * same n-gram. If the documents `only` are few, their n-grams are put into a table that takes no
 * more memory than the first count, and all documents are read once. `reading` (may be NULL) makes
 * each document readable. TRIB_MEMORY, TRIB_INTERRUPTED, and the errors of `reading`. */
trib_status trib_frequent_find(trib_frequent_ngrams *found,
                               const trib_influence_document document[], const uint32_t order[],
                               size_t n, const trib_frequent_options *options,
                               const trib_documents_reading *reading, trib_error *error);
/* Adds an n-gram of another part of the same documents. TRIB_MEMORY. */
trib_status trib_frequent_add(trib_frequent_ngrams *frequent, const trib_frequent_ngram *ngram,
                              trib_error *error);
/* Returns entry e of a document's counts among the frequent n-grams, or NULL. */
const trib_frequent_ngram *trib_frequent_entry(const trib_frequent_ngrams *frequent,
                                               const trib_influence_document *document, size_t e);
/* Returns an n-gram of n words of the vocabulary among the frequent n-grams, or NULL. */
const trib_frequent_ngram *trib_frequent_words(const trib_frequent_ngrams *frequent,
                                               const uint32_t word[], uint32_t n);
void trib_frequent_release(trib_frequent_ngrams *frequent);

#endif
