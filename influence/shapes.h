/* shapes.h - private to influence/: diagonals of the copying model (trellis.h) that look the same
 * from the target. Two diagonals have the same shape when they begin at the same word of the
 * target, have the same length, and agree in which of their words are the same, close or other
 * ones. Whatever their sources, their forward probabilities are then in the ratio of the
 * probabilities to begin there, and their backward probabilities are equal. So the rounds of the
 * fit compute them once for each shape. A common phrase of three words has hundreds of diagonals
 * of one shape. */
#ifndef TRIBUTARY_INFLUENCE_SHAPES_H
#define TRIBUTARY_INFLUENCE_SHAPES_H

#include "influence/close.h"
#include "influence/order.h"

/* A segment of a diagonal: n words of the target from `first` on, and of the source from `at`
 * on. */
typedef struct trib_segment {
    uint32_t source, first, at, n;
} trib_segment;

/* A word of a shape. */
typedef struct trib_shape_node {
    uint32_t
        slot; /* its element of `copy` and `later`; the word before it has the element before */
    uint32_t shape_and_same; /* shape << 1 | whether the two words are the same, or close */
} trib_shape_node;

/* A shape, and how many diagonals of one source have it. */
typedef struct trib_shape_times {
    uint32_t shape, n;
} trib_shape_times;

/* `{0}` is empty. */
typedef struct trib_shapes {
    size_t n; /* shapes, in ascending order of their first words */
    /* [n + 1] shape g has the slots slot[g] .. slot[g + 1] - 1: one that is always 0, then one for
     * each word */
    uint32_t *slot;
    size_t *first; /* [words of the target + 1] word i has the nodes first[i] .. first[i+1]-1 */
    trib_shape_node *node; /* ascending by word, then by shape */
    float *close;          /* [slots] as in trib_trellis; NULL: no words are close */
    size_t *start;         /* [n_sources + 1] source s has times[start[s]] .. times[start[s+1]-1] */
    trib_shape_times *times;
    uint32_t *of; /* [segments] shape of each segment */
    /* [n] sum over the diagonals of the probability to begin; for each of them expected
     * beginnings divided by that probability */
    double *weight, *begun;
    /* [slots] forward probabilities divided by the probability to begin, and backward
     * probabilities */
    double *copy, *later;
} trib_shapes;

/* Finds the shapes of segment[n_segments], which ascend by source and have n_modes words, one
 * shared n-gram, or more. source[n_sources] are the texts of the sources. `close` may be NULL.
 * TRIB_MEMORY. */
trib_status trib_shapes_build(trib_shapes *shapes, const trib_segment segment[], size_t n_segments,
                              uint32_t n_modes, const trib_word_order *target,
                              const trib_word_order source[], size_t n_sources,
                              const trib_close_words *close, trib_error *error);
void trib_shapes_release(trib_shapes *shapes);

/* What a word of a segment, number k from its first, is to the target's. */
enum { TRIB_WORD_SAME = 2, TRIB_WORD_OTHER = 0 };

/* TRIB_WORD_SAME, TRIB_WORD_OTHER, or between them the chance of a close word. */
TRIB_INLINE float trib_segment_word(const trib_segment *s, size_t k, const trib_word_order *target,
                                    const trib_word_order source[], const trib_close_words *close) {
    const uint32_t theirs = source[s->source].word[s->at + k], ours = target->word[s->first + k];
    if (ours == theirs) return TRIB_WORD_SAME;
    return close ? trib_close_chance(close, theirs, ours) : TRIB_WORD_OTHER;
}

#endif
