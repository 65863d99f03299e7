/* parallels.h - pairs of places of two texts that may allude to each other: they share few words,
 * but rare ones that stand close together. An allusion seldom shares an n-gram, so the methods that
 * count n-grams cannot see it. A pair gets a score, never a share.
 *
 * The texts come cut into units (phrases, lines, sentences or windows of words). Two words are the
 * same if they share a feature: a lemma, a stem, their first letters, or their spelling. The score
 * of a pair of units is
 *
 *     S = i1 + i2 - w ln d + 20 c m / (m + 1) + .7 max(n - 2, 0)
 *
 *     n       words that are matched. The features that both units hold are visited, the rarest
 *             first; each takes the first free word with it on each side. n >= 1
 *     i1, i2  the information -ln f of the first two of these features, f = occurrences / words of
 *             the corpus
 *     d       the smallest distance in words of two words with these two features in the target,
 *             plus that in the source: 2 for neighbours on both sides
 *     c       cosine of the two units' 4-grams of characters, each weighed (1 + ln count) times
 *             ln(units / units that hold it)
 *     m       words of the shorter unit: a unit of one word resembles too many
 *     w       the weight of the distance, an option
 *
 * With n = 1, i2 = 4 and d = 20. docs/model.md, "Possible allusions", gives the sources.
 * parallels_score.c reads the texts and scores a pair, parallels_search.c finds the best. Private
 * to the program. */
#ifndef TRIBUTARY_INFLUENCE_PASSAGES_PARALLELS_H
#define TRIBUTARY_INFLUENCE_PASSAGES_PARALLELS_H

#include "base/base.h"

/* The words of a corpus: which features and which 4-grams each has. All arrays are borrowed.
 * Features and 4-grams are numbers whose order must not depend on anything but the corpus, since
 * equal frequencies are ordered by them. */
typedef struct trib_parallel_lexicon {
    uint32_t n_forms, n_features, n_grams;
    const size_t *features_from; /* [n_forms + 1] form f has feature[features_from[f]] .. */
    const uint32_t *feature;     /* each at most once in a form */
    const uint64_t *count;       /* [n_features] occurrences in the corpus */
    uint64_t n_words;            /* words of the corpus, at least 1 */
    const size_t *grams_from;    /* [n_forms + 1] form f has gram[grams_from[f]] .. */
    const uint32_t *gram;        /* in the order of the word, repeated where the word repeats it */
} trib_parallel_lexicon;

/* A unit: the words first .. first + n - 1 of a text, n >= 1. */
typedef struct trib_parallel_unit {
    uint32_t first, n;
} trib_parallel_unit;

/* A word without features, as one that the vocabulary leaves out. */
#define TRIB_NO_FORM UINT32_MAX

/* A text in units. Arrays are borrowed. */
typedef struct trib_parallel_text {
    const uint32_t *form; /* [n_words] below n_forms, or TRIB_NO_FORM */
    size_t n_words;
    const trib_parallel_unit *unit; /* [n_units] in the order of the text */
    uint32_t n_units;
} trib_parallel_text;

typedef struct trib_parallel_options {
    double distance; /* w, at least 0; 0 suits prose, whose allusions are less compact */
    size_t top;      /* number of pairs to list, at least 1 */
    /* neighbouring units overlap: a pair is listed only if none of its 8 neighbours (the unit
     * before, the same or the one after, on each side) is better */
    bool overlap;
    int n_threads;
} trib_parallel_options;

/* Two words that a pair matches. */
typedef struct trib_parallel_match {
    uint32_t target, source; /* numbers of the words in their texts */
    uint32_t feature;        /* the feature that they share */
} trib_parallel_match;

/* A pair of units. */
typedef struct trib_parallel {
    double score, cosine;    /* S and c */
    uint32_t target, source; /* numbers of the units */
    uint32_t distance;       /* d; 0 when n_matches is 1 */
    uint32_t n_matches;      /* n */
    size_t first_match;      /* its matches are match[first_match] .., the rarest first */
} trib_parallel;

/* The best pairs of two texts. `{0}` is empty. */
typedef struct trib_parallels {
    /* [n] by descending score, ties by target, then by source */
    trib_parallel *pair;
    size_t n;
    trib_parallel_match *match; /* [n_matches] of all pairs, one pair after the other */
    size_t n_matches;
    uint64_t n_scored; /* pairs of units that share a feature */
} trib_parallels;

/* Finds the best pairs of two texts. The result is that of scoring every pair, bit for bit, for any
 * number of threads. An index from features to units finds the pairs that share one, and an upper
 * bound of the score skips most of them. Time O(words + shared features of all pairs + 4-grams of
 * the target's units times units of the source that hold them), memory O(words + features + 4-grams
 * + threads (units of the source + top)). TRIB_MEMORY; TRIB_INTERRUPTED when `progress` or a signal
 * asks to stop. */
trib_status trib_parallels_find(trib_parallels *found, const trib_parallel_lexicon *lexicon,
                                const trib_parallel_text *target, const trib_parallel_text *source,
                                const trib_parallel_options *options, trib_progress progress,
                                trib_error *error);
void trib_parallels_release(trib_parallels *found);

#endif
