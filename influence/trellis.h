/* trellis.h - private to influence/: the copying model behind `traced` (docs/model.md section 5), a
 * hidden Markov model of a text that copies from others (after Li and Stephens 2003, who trace
 * genes to their donors). Each word of the target is in one state: the author's own text, or a copy
 * of a certain word of a certain source. A copy continues with the next word of the source with
 * probability 1 - end. Otherwise, and after the author's own text with probability `leave`, the
 * state changes as follows:
 *
 *     own     emits w with its probability in the common language;
 *             own -> any place of s : leave prior_s / words(s)
 *     copy    emits the source's word with 1 - alter, otherwise w with its probability in the
 * language;
 *             copy -> own : end (1 - again)
 *             copy -> any place of s : end again prior_s / words(s)
 *
 * A diagonal holds the pairs (target word i, source word i + constant). Its states are the words of
 * shared n-grams, and the words between two shared n-grams at most GAP words apart. All other pairs
 * are no evidence of copying and have no state. */
#ifndef TRIBUTARY_INFLUENCE_TRELLIS_H
#define TRIBUTARY_INFLUENCE_TRELLIS_H

#include "influence/order.h"

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* Diagonals of the copying model that look the same from the target. Two diagonals have the same
 * shape when they begin at the same word of the target, have the same length, and agree in which of
 * their words are the same. Whatever their sources, their forward
 * probabilities are then in the ratio of the probabilities to begin there, and their backward
 * probabilities are equal. So the rounds of the fit compute them once for each shape. A common
 * phrase of three words has hundreds of diagonals of one shape. */

/* A segment of a diagonal: n words of the target from `first` on, and of the source from `at`
 * on. */
typedef struct trib_segment {
    uint32_t source, first, at, n;
} trib_segment;

/* A word of a shape. */
typedef struct trib_shape_node {
    uint32_t
        slot; /* its element of `copy` and `later`; the word before it has the element before */
    uint32_t shape_and_same; /* shape << 1 | whether the two words are the same */
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
 * shared n-gram, or more. source[n_sources] are the texts of the sources. TRIB_MEMORY. */
trib_status trib_shapes_build(trib_shapes *shapes, const trib_segment segment[], size_t n_segments,
                              uint32_t n_modes, const trib_word_order *target,
                              const trib_word_order source[], size_t n_sources, trib_error *error);
void trib_shapes_release(trib_shapes *shapes);

/* Whether word k of a segment, from its first, is the target's. */
TRIB_INLINE bool trib_segment_same(const trib_segment *s, size_t k, const trib_word_order *target,
                                   const trib_word_order source[]) {
    return source[s->source].word[s->at + k] == target->word[s->first + k];
}

/* ---- The model ------------------------------------------------------------------------------- */

/* A word of the target as the copy of a word of a source. It takes 8 bytes, because texts with a
 * small vocabulary have a hundred million nodes. */
typedef struct trib_trellis_node {
    /* node of the previous word on the same diagonal; the number of nodes when there is none */
    uint32_t previous;
    uint32_t source_and_same; /* not bit fields, because the rounds read both as one number */
} trib_trellis_node;

/* Position among the case's sources. */
TRIB_INLINE uint32_t trib_trellis_source(trib_trellis_node node) {
    return node.source_and_same >> 1;
}
/* Whether the two words are the same. */
TRIB_INLINE bool trib_trellis_same(trib_trellis_node node) { return node.source_and_same & 1; }

/* The states of the model and the results of the fit. `{0}` is empty. */
typedef struct trib_trellis {
    size_t n_sources;
    uint32_t n_modes;
    trib_word_order target, *source; /* [n_sources] borrowed from the case's orders, or from: */
    trib_word_orders own_orders;     /* the orders of this case alone, when the case has none */
    /* [target.n] probability of each word in the common language */
    double *chance;
    /* [nnz of the target] 1: the n-gram is a formula, which is no evidence of copying; NULL: none
     * is */
    uint8_t *formula;
    uint8_t *formula_at;     /* [target.n] 1: a formula begins at the word; NULL with `formula` */
    size_t *first;           /* [target.n + 1] word i has the nodes first[i] .. first[i+1]-1 */
    trib_trellis_node *node; /* ascending by word, then by source */
    /* place in its source of every node without a previous one, in the order of the nodes */
    uint32_t *begun;
    uint32_t *begun_shape; /* shape of the diagonal of each of these nodes */
    trib_shapes shapes;    /* what the rounds of the fit work on */
    double leave, end, again, alter;
    double *prior; /* [n_sources] */
    /* [n_sources] prior / words of the source: the probability to begin at one of its places */
    double *begin;
    /* [target.n], [nodes + 1] forward probabilities, scaled to sum to 1 at each word; `copy` after
     * the fit */
    double *own, *copy;
    double *entering; /* [target.n] forward probability of a copy beginning here */
    double *scale;    /* [target.n] divisor of the forward probabilities of each word */
    /* [target.n] after the fit: factor for copying word i unaltered after a copy of word i - 1 */
    double *onward;
    double *ending; /* [target.n] scaled backward probability of a copy that ends here */
    double *later;  /* [nodes + 1] after the fit: backward probabilities */
    double log_likelihood;
} trib_trellis;

/* Builds the states of a case, for the first round. */
trib_status trib_trellis_build(trib_trellis *x, const trib_influence_case *c, trib_error *error);
void trib_trellis_release(trib_trellis *x);

/* Fits leave, end, again, alter and the priors by Baum-Welch rounds. Afterwards `own`, `copy` and
 * `later` belong to the final parameters. TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_trellis_fit(trib_trellis *x, const trib_progress *progress, trib_error *error);

/* Computes the ends of the 90 % interval of every source's share, result->low and ->high, and of
 * the groups of the result, from n_paths posterior samples, widened by the known errors of the
 * model. The bits do not depend on n_threads. */
trib_status trib_trellis_intervals(trib_influence *result, const trib_trellis *x, uint32_t n_paths,
                                   uint64_t seed, int n_threads, trib_error *error);

/* Finds result->trace of the fitted model (posterior.c). Its sources are numbered as in the case.
 * O(nodes). TRIB_MEMORY. */
trib_status trib_trellis_trace(trib_influence *result, const trib_trellis *x, trib_error *error);

/* The probability that the n-gram that ends at node z of word i was copied as a whole; 0 unless all
 * its words equal the source's. */
TRIB_INLINE double trib_trellis_ngram(const trib_trellis *x, size_t i, uint32_t z) {
    double p = x->later[z];
    for (uint32_t m = 0; m < x->n_modes; m++) {
        if (z == x->first[x->target.n] || !trib_trellis_same(x->node[z])) return 0;
        if (m + 1 == x->n_modes) return p * x->copy[z];
        p *= x->onward[i--];
        z = x->node[z].previous;
    }
    return 0;
}

#endif
