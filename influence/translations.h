/* translations.h - passages of a target that are translated from a source, found from the words of
 * both texts alone.
 *
 * A few words that are alike (names, numbers, a dictionary) give each pair of units a score. Units
 * in the same order support each other, and pairs that are each other's best teach a table of
 * words, which gives better scores. How many pairs are kept is decided by the same scores with the
 * units of the source in random order. A passage is a chain of pairs; single units are no
 * evidence. */
#ifndef TRIBUTARY_INFLUENCE_TRANSLATIONS_H
#define TRIBUTARY_INFLUENCE_TRANSLATIONS_H

#include "base/base.h"

/* The units of a text, such as verses or sentences; some may have no words. `{0}` is empty. */
typedef struct trib_units {
    size_t *start;  /* [n + 1] of the words of each unit */
    uint32_t *word; /* [start[n]] ids, which the texts have in common */
    uint32_t n;     /* units */
} trib_units;

/* A word of the target that may stand for one of the source, and how surely: more than 0. */
typedef struct trib_word_pair {
    uint32_t target, source;
    float weight;
} trib_word_pair;

/* Pairs of words. `{0}` is empty. */
typedef struct trib_word_table {
    trib_word_pair *pair; /* [n] */
    size_t *start;        /* [n_words + 1] by the word of the target; NULL: not settled */
    size_t n, cap;
} trib_word_table;
/* Adds a pair to a table that is not settled. TRIB_MEMORY. */
trib_status trib_word_table_add(trib_word_table *table, uint32_t target, uint32_t source,
                                float weight, trib_error *error);
/* Orders the pairs by target and source, and adds up the weights of equal pairs. TRIB_MEMORY. */
trib_status trib_word_table_settle(trib_word_table *table, uint32_t n_words, trib_error *error);
void trib_word_table_release(trib_word_table *table);

/* Two texts whose units have no word twice; borrowed. */
typedef struct trib_unit_texts {
    const trib_units *target, *source;
    uint32_t n_words; /* ids are below it */
    int n_threads;    /* does not change a result */
} trib_unit_texts;

/* Two units that are each other's best. */
typedef struct trib_unit_pair {
    uint32_t target, source;
    float score;
} trib_unit_pair;

/* The pairs of units that are kept, by descending score. `{0}` is empty. */
typedef struct trib_unit_pairs {
    trib_unit_pair *pair; /* [n] */
    size_t n;
    uint32_t *best; /* [target->n] the best unit of the source; UINT32_MAX: none has a score */
} trib_unit_pairs;
/* Scores all units by a settled table: the cosine of the words, with half the cosines of the units
 * up to `reach` (1 or 2) before and after, less half the means of the 5 best of row and column. So
 * many of the pairs are kept that random orders of `seed` give at most `rate` as many. TRIB_MEMORY;
 * TRIB_INTERRUPTED when it was stopped. */
trib_status trib_unit_pairs_find(trib_unit_pairs *pairs, const trib_unit_texts *texts,
                                 const trib_word_table *table, uint32_t reach, uint64_t seed,
                                 double rate, trib_error *error);
void trib_unit_pairs_release(trib_unit_pairs *pairs);
/* Adds to a table what the pairs teach: the root of p(s|t) p(t|s), each by 5 steps of IBM model 1
 * (Brown et al. 1993). Errors as trib_unit_pairs_find. */
trib_status trib_word_table_learn(trib_word_table *table, const trib_unit_texts *texts,
                                  const trib_unit_pairs *pairs, trib_error *error);

/* Units first .. last of the target, which translate units from .. to of the source. */
typedef struct trib_translated_passage {
    uint32_t first, last, from, to;
    uint32_t n_pairs;  /* at least 2 */
    size_t first_pair; /* of trib_translations.pair */
} trib_translated_passage;

/* What was found. `{0}` is empty. */
typedef struct trib_translations {
    trib_translated_passage *passage; /* [n] in the order of the target */
    size_t n;
    trib_unit_pair *pair; /* of one passage after the other, in the order of both texts */
    uint32_t n_covered;   /* units of the target that stand in them */
    /* passages, and their units of the target, that the same procedure found when it was taught on
     * the source with its units in random order */
    size_t n_by_chance;
    uint32_t n_covered_by_chance;
    uint32_t *best;         /* as in trib_unit_pairs, with reach 2; NULL: nothing was found */
    trib_word_table learnt; /* not settled */
} trib_translations;
/* Finds the passages; words may stand in a unit repeatedly. `seeds` is settled. Errors as
 * trib_unit_pairs_find. The caller releases `found`, also after a failure. */
trib_status trib_translations_find(trib_translations *found, const trib_unit_texts *texts,
                                   const trib_word_table *seeds, trib_error *error);
void trib_translations_release(trib_translations *found);

#endif
