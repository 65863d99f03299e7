/* corpus.h - many small documents of drawn words, for the tests of influence/candidates. */
#ifndef TRIBUTARY_TEST_CANDIDATES_CORPUS_H
#define TRIBUTARY_TEST_CANDIDATES_CORPUS_H

#include "influence/candidates/candidates.h"
#include "tests/test.h"

/* Documents over the vocabulary ids 0 .. n_words-1. */
typedef struct drawn_corpus {
    uint32_t n, n_words;
    uint32_t **word; /* [n][length[d]] in text order */
    size_t *length;
    trib_hacoo *counts;
    trib_influence_document *document;
    uint64_t *n_ngrams; /* [n] */
} drawn_corpus;

/* Draws n texts of up to `length` words, small numbers more often than large ones. They are there
 * until the next call but one. */
drawn_corpus *drawn_corpus_init(uint64_t seed, uint32_t n, uint32_t n_words, size_t length);
/* Copies n words at `place` of one text to the same place of another. */
void drawn_corpus_plant(drawn_corpus *corpus, uint32_t from, uint32_t to, size_t place, size_t n);
/* Counts the n-grams of n_modes words of all texts. */
void drawn_corpus_count(drawn_corpus *corpus, uint32_t n_modes);

/* Indexes in a scratch directory. */
typedef struct drawn_index {
    trib_sketch_index ngrams, runs;
} drawn_index;
/* The index of the corpus at a rate, and one of runs. They are there until the next call but
 * one. */
drawn_index *drawn_corpus_index(const drawn_corpus *corpus, uint32_t rate, uint32_t most_holders,
                                uint32_t n_partitions, int n_threads);

#endif
