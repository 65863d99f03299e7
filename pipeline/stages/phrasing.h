/* phrasing.h - families of phrasing: the pairs of words that stand at most three words apart, as a
 * tensor text x first word x second word, decomposed into a few components. Private to pipeline.
 *
 * A family is a component. It says that its words stand together in its texts, and neither who took
 * them from whom nor what they mean. */
#ifndef TRIBUTARY_STAGES_PHRASING_H
#define TRIBUTARY_STAGES_PHRASING_H

#include "pipeline/result/record.h"
#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* How families are looked for. */
typedef struct trib_phrasing_options {
    uint32_t rank; /* families; 0: TRIB_PHRASING_RANK */
    uint64_t seed; /* of the first start; the next ones add 1, 2, ... */
    int n_threads; /* does not change the result */
    trib_progress progress;
} trib_phrasing_options;
enum { TRIB_PHRASING_RANK = 30, TRIB_PHRASING_REACH = 3 };

/* What the ids of words stand for. All arrays are borrowed. */
typedef struct trib_phrasing_words {
    const char *const *name;       /* [n] by the number of a word */
    uint32_t n;                    /* words */
    uint32_t other;                /* the id of words without a name; UINT32_MAX: none */
    const trib_spelling *spelling; /* by id: its norm is the number; NULL: ids are numbers */
} trib_phrasing_words;

/* Finds the families of texts, whose words are in `words` (after stage tokens). TRIB_INPUT when
 * fewer than TRIB_PHRASING_LEAST_WORDS words return often enough. What is found lies in the arena,
 * and points to names and to the corpus. */
enum { TRIB_PHRASING_LEAST_WORDS = 20 };
trib_status trib_phrasing_make(trib_phrasing_record *phrasing, trib_arena *arena,
                               const trib_corpus *corpus, const trib_corpus_words *words,
                               const trib_phrasing_words *names,
                               const trib_phrasing_options *options, trib_error *error);

#endif
