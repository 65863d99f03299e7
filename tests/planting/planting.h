/* planting.h - targets whose true shares are known: their words are copied from given texts. */
#ifndef TRIBUTARY_PLANTING_H
#define TRIBUTARY_PLANTING_H

#include "base/arena.h"
#include "base/base.h"

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
    trib_arena arena;    /* of all these */
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

#endif
