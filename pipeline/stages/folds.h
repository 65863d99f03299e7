/* folds.h - makes the folded words of a vocabulary (influence/folds.h). Private to pipeline. */
#ifndef TRIBUTARY_STAGES_FOLDS_H
#define TRIBUTARY_STAGES_FOLDS_H

#include "base/base.h"
#include "influence/folds.h"
#include "tokenizer/norms.h"

enum { TRIB_FOLD_MAX = 4 * TRIB_LETTERS };
/* Writes the letters of a word in UTF-8, at most TRIB_LETTERS, in lower case, u for v and i for j;
 * *n receives the bytes. `transform` does that with words that are not ASCII. TRIB_MEMORY. */
trib_status trib_fold(trib_transform *transform, const char *word, char to[TRIB_FOLD_MAX],
                      size_t *n, trib_error *error);
/* A folded word and what is said of it. */
typedef struct trib_sampled_fold {
    uint64_t number; /* trib_fold_number */
    uint32_t bits;
} trib_sampled_fold;
/* The folded words with the smallest numbers, whatever the order in which words are added. */
typedef struct trib_fold_sample {
    trib_sampled_fold *word;
    size_t n, cap;
    uint64_t below; /* the numbers that are taken; all: UINT64_MAX */
} trib_fold_sample;
/* The number of a folded word, the same on every machine. */
uint64_t trib_fold_number(const char *letters, size_t n);
trib_status trib_fold_sample_add(trib_fold_sample *sample, const trib_sampled_fold *word,
                                 trib_error *error);
/* Joins what is said of each word; then each is there once. */
void trib_fold_sample_settle(trib_fold_sample *sample);
/* What a settled sample says of a word; 0: nothing. */
uint32_t trib_fold_sample_find(const trib_fold_sample *sample, uint64_t number);

/* Folds the words word[n] in UTF-8; word `other` is none (UINT32_MAX: all are). TRIB_MEMORY. */
trib_status trib_folds_make(trib_folds *folds, const char *const word[], uint32_t n, uint32_t other,
                            trib_error *error);
void trib_folds_release(trib_folds *folds);

#endif
