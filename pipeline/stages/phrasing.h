/* phrasing.h - families of phrasing: the pairs of words that stand at most three words apart, as a
 * tensor text x first word x second word, decomposed into a few components. Private to pipeline.
 *
 * A family is a component. It says that its words stand together in its texts, and neither who took
 * them from whom nor what they mean. */
#ifndef TRIBUTARY_STAGES_PHRASING_H
#define TRIBUTARY_STAGES_PHRASING_H

#include "base/arena.h"
#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* How families are looked for; a number that is 0 has a default. */
typedef struct trib_phrasing_options {
    uint32_t rank;   /* families; 0: TRIB_PHRASING_RANK */
    uint32_t starts; /* decompositions, of which the closest is used; 0: TRIB_PHRASING_STARTS */
    uint64_t seed;   /* of the first start; the next ones add 1, 2, ... */
    int n_threads;   /* does not change the result */
    trib_progress progress;
} trib_phrasing_options;
enum { TRIB_PHRASING_RANK = 30, TRIB_PHRASING_STARTS = 3, TRIB_PHRASING_REACH = 3 };

/* What a row says of its family. */
typedef enum trib_phrasing_kind {
    TRIB_PHRASING_WORD,   /* a word; value: its part of the family */
    TRIB_PHRASING_PHRASE, /* words as a text has them; value: how often in the corpus */
    TRIB_PHRASING_TEXT,   /* the id of a text; value: its part of the family */
    TRIB_PHRASING_PLACE,  /* "x: y", words with the same neighbours; value: their cosine */
    TRIB_N_PHRASING_KINDS
} trib_phrasing_kind;

typedef struct trib_phrasing_row {
    uint32_t family; /* from 0 */
    trib_phrasing_kind kind;
    const char *item;
    double value;
} trib_phrasing_row;

typedef struct trib_phrasing_family {
    double share; /* of all pairs */
    /* between which the texts of the middle 80 % of it were written; NaN: too few have a date */
    double first_year, last_year;
} trib_phrasing_family;

/* `{0}` is empty. */
typedef struct trib_phrasing {
    uint32_t n_families, n_words, n_texts;
    size_t n_pairs;               /* different pairs, text by text */
    double divergence;            /* Kullback-Leibler, of the start that is used */
    double agreement;             /* mean overlap of its families with those of the other starts */
    trib_phrasing_family *family; /* [n_families] the largest first */
    trib_phrasing_row *row;       /* [n_rows] family by family, the largest values first */
    size_t n_rows, cap;
    trib_arena arena; /* of the texts of rows */
} trib_phrasing;

/* What the ids of words stand for. All arrays are borrowed. */
typedef struct trib_phrasing_words {
    const char *const *name;       /* [n] by the number of a word */
    uint32_t n;                    /* words */
    const trib_spelling *spelling; /* by id: its norm is the number; NULL: ids are numbers */
} trib_phrasing_words;

/* Finds the families of texts, whose words are in `words` (after stage tokens). TRIB_INPUT when
 * fewer than TRIB_PHRASING_LEAST_WORDS words return often enough. The caller releases it, also
 * after a failure. */
enum { TRIB_PHRASING_LEAST_WORDS = 20 };
trib_status trib_phrasing_make(trib_phrasing *phrasing, const trib_corpus *corpus,
                               const trib_corpus_words *words, const trib_phrasing_words *names,
                               const trib_phrasing_options *options, trib_error *error);
void trib_phrasing_release(trib_phrasing *phrasing);
/* What the families cannot show, in a paragraph. */
extern const char trib_phrasing_caveat[];

#endif
