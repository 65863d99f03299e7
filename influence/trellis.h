/* trellis.h - private to influence/: the model behind `traced` (docs/model.md section 5), a hidden
 * Markov model of a text that copies others (after Li and Stephens 2003, who trace genes to their
 * donors). Each word of the target is in one state: the author's own, or a copy of a certain word
 * of a certain source. A copy goes on to the next word of the source with probability 1 - end;
 * otherwise, and from the author's own with probability `leave`, the text goes elsewhere.
 *
 *     own     emits w with its chance in the common language;
 *             own -> any place of s : leave prior_s / words(s)
 *     copy    emits the source's word with 1 - alter, else w by chance; copy -> own : end (1 - again)
 *             copy -> any place of s : end again prior_s / words(s)
 *
 * Only places on a diagonal (target word i, source word i + constant) that holds a shared n-gram,
 * and between two of them at most GAP words apart, are states; elsewhere nothing is evidence of
 * copying. */
#ifndef TRIBUTARY_INFLUENCE_TRELLIS_H
#define TRIBUTARY_INFLUENCE_TRELLIS_H

#include "influence/order.h"

/* A word of the target as the copy of a word of a source: 8 bytes, since a small vocabulary makes a
 * hundred million. */
typedef struct trib_trellis_node {
    uint32_t previous;        /* the node of the word before on the same diagonal; nodes, if none */
    uint32_t source_and_same; /* no bit fields: the rounds read them as one number */
} trib_trellis_node;

/* Position among the case's sources. */
TRIB_INLINE uint32_t trib_trellis_source(trib_trellis_node node) {
    return node.source_and_same >> 1;
}
/* Whether the two words are the same. */
TRIB_INLINE bool trib_trellis_same(trib_trellis_node node) { return node.source_and_same & 1; }

/* The states and where the fit stands. `{0}` is empty. */
typedef struct trib_trellis {
    size_t n_sources;
    uint32_t n_modes;
    trib_word_order target, *source; /* [n_sources] borrowed from the case's orders or these: */
    trib_word_orders own_orders;     /* of the case alone, when it came without */
    double *chance;                  /* [target.n] */
    size_t *first;           /* [target.n + 1] word i has the nodes first[i] .. first[i+1]-1 */
    trib_trellis_node *node; /* ascending by word, then by source */
    double leave, end, again, alter;
    double *prior;      /* [n_sources] */
    double *begin;      /* [n_sources] prior / words of the source: that of each of its places */
    double *own, *copy; /* [target.n], [nodes + 1] forward probabilities, scaled to add up to 1 */
    double *entering;   /* [target.n] forward probability of a copy beginning here */
    double *scale;      /* [target.n] what they were divided by */
    double *onward;     /* [target.n] after the fit: of going on behind word i with the same word */
    double *ending;     /* [target.n] backward probability of a copy that ends here, scaled alike */
    double *later;      /* [nodes + 1] backward probabilities; during the rounds without `ending` */
    double log_likelihood;
} trib_trellis;

/* The states of a case, before the first round. */
trib_status trib_trellis_build(trib_trellis *x, const trib_influence_case *c, trib_error *error);
void trib_trellis_release(trib_trellis *x);

/* Fits leave, end, again, alter and the priors by Baum and Welch's rounds; `own`, `copy` and
 * `later` are those of the last parameters. TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_trellis_fit(trib_trellis *x, const trib_progress *progress, trib_error *error);

/* Ends of the 90 % interval of every source's share: what n_paths traces, drawn from all that the
 * model holds possible, give it, widened by what the model is known to miss. The bits do not depend
 * on n_threads. */
trib_status trib_trellis_intervals(const trib_trellis *x, const double *share, uint32_t n_paths,
                                   uint64_t seed, int n_threads, double *low, double *high,
                                   trib_error *error);

/* Probability that the n-gram which ends at node z was copied as a whole: 0 unless all its words
 * are the same. */
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
