/* synth.h - targets whose true shares are known: planted ones, whose words are copied from given
 * texts, and shuffled ones, which copy nothing. */
#ifndef TRIBUTARY_SYNTH_H
#define TRIBUTARY_SYNTH_H

#include "influence/influence.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Planted corpora (synth.c) --------------------------------------------------------------- */

/* The words of a text in order, as ids. Borrowed. */
typedef struct trib_synth_text {
    const uint32_t *word; /* [n] ids */
    size_t n;             /* words */
} trib_synth_text;

/* The plan of a planted target of n_words words. It has rint(fraction[s] n_words) words from source
 * s, in runs of run_length words (cells of a grid over the source, drawn without replacement while
 * they last), and otherwise consecutive runs of the author's own text. Each copied run is quoted
 * `repeats` times, and each quotation is altered by itself: words are replaced (`noise`), left out
 * (`deleted`) and inserted (`inserted`), then the pieces of the run are shuffled (`piece`). At last
 * all runs are shuffled. Words left out and inserted change the length of the target. All arrays
 * are borrowed. */
typedef struct trib_synth_plan {
    const trib_synth_text *source; /* [n_sources] not empty */
    const double *fraction;        /* [n_sources] each 0 .. 1, with a sum of at most 1 */
    size_t n_sources;              /* texts to copy from */
    trib_synth_text own;           /* not a document of the corpus */
    size_t n_words;                /* of the target, at least 1 */
    size_t run_length;             /* words, at least 1 */
    /* 0 .. 1: probability that a copied word is replaced by a random word of the author's text */
    double noise;
    double deleted;  /* 0 .. 1: probability that a copied word is left out */
    double inserted; /* 0 .. 1: probability that a random word of the author's text follows it */
    size_t piece;    /* words of the pieces of a run that are shuffled; 0: none */
    size_t repeats;  /* quotations of each copied run; 0 and 1: one */
    uint64_t seed;   /* of random numbers */
} trib_synth_plan;

/* A run of consecutive words of a planted target that come from one text. */
typedef struct trib_synth_run {
    uint32_t source; /* number of the source; n_sources: the author's own text */
    size_t first, n; /* position and number of its words in the target */
    size_t place;    /* position in the source at which copying began */
} trib_synth_run;

/* A planted target, and the origin of each of its words. `{0}` is empty. */
typedef struct trib_synth {
    uint32_t *word;      /* [n_words] ids */
    uint8_t *altered;    /* [n_words] 1: replaced or inserted */
    uint32_t *place;     /* [n_words] position in the run's source, unless altered */
    size_t n_words;      /* words of the target */
    trib_synth_run *run; /* [n_runs] in order of the target */
    size_t n_runs;       /* runs of the target */
} trib_synth;

/* Generates the target of a plan. The same plan gives the same target on every machine. TRIB_USAGE
 * for an inconsistent plan; TRIB_MEMORY. */
trib_status trib_synth_plant(trib_synth *synth, const trib_synth_plan *plan, trib_error *error);
void trib_synth_release(trib_synth *synth);
/* Computes the true shares, the author's last. words[n_sources + 1] are shares of the words.
 * ngrams[n_sources + 1] are shares of the windows of n words: a window belongs to a source when it
 * lies within unaltered words of one run that follow each other in that source, otherwise to the
 * author, since a window across two runs or with an altered word was not copied as a whole. Each
 * array sums to 1, or to 0 when there is no window. */
void trib_synth_truth(const trib_synth *synth, size_t n_sources, uint32_t n, double *words,
                      double *ngrams);

/* ---- Shuffled targets (synth.c) -------------------------------------------------------------- */

/* A target with its words in another order. It must not be moved, since `document` points to the
 * other members. `{0}` is empty. */
typedef struct trib_decoy {
    trib_influence_document document; /* its array `word` is that of the target */
    trib_hacoo counts;                /* n-grams of the new order */
    uint32_t *sequence;               /* [n_ngrams of the target] */
    size_t n_blocks;                  /* blocks that were permuted */
} trib_decoy;

/* Cuts the words of a target into blocks of common language and permutes the blocks (Fisher and
 * Yates 1938). Two words of the target stay together when they stand together in the sources after
 * two different words and before two different words: they are then a turn of phrase, and no part
 * of a passage that was copied. A block has at most 4 words. The decoy has as many words and
 * n-grams as the target. The same case and seed give the same decoy. Target and sources need their
 * sequences, else TRIB_INTERNAL; TRIB_MEMORY. O(words). */
trib_status trib_decoy_make(trib_decoy *decoy, const trib_influence_case *c, uint64_t seed,
                            trib_error *error);
void trib_decoy_release(trib_decoy *decoy);

/* ---- Shares of a shuffled target (null.c) ---------------------------------------------------- */

/* The shares of a decoy. `{0}` is empty: not measured. */
typedef struct trib_influence_null {
    bool is_measured; /* false: no other member is set */
    uint32_t source;  /* position of the source with the largest share; UINT32_MAX: none has one */
    double largest, mean; /* share of that source or of its group, and mean share; 0 .. 1 */
    uint64_t n_blocks;    /* blocks of words that were permuted */
    uint64_t seed;        /* of their order */
} trib_influence_null;

/* Measures a decoy in the place of the target, with the same sources and options but without
 * intervals. With `tables` the case also needs a concordance and word orders of all documents. The
 * shares of the method say what the words of the target alone would receive. Leaves
 * *null empty for a method that needs factors, since a decoy has none. Errors as trib_decoy_make
 * and trib_influence_measure. */
trib_status trib_influence_null_measure(trib_influence_null *null,
                                        const trib_influence_method *method,
                                        const trib_influence_case *c,
                                        const trib_influence_options *options, trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
