/* extent.h - private to influence/: the words of a target that stand in passages taken from its
 * sources, copied, altered, moved or misread (docs/model/methods.md).
 *
 * A passage is a chain of words that the target and a source share. A link of a chain costs more
 * the further the two texts drift apart and the more words lie between, and each shared word gains
 * as much as it is rare. What unrelated texts share by chance is measured for each source, and
 * gives every piece the belief that it is no chance. order.c reads the texts, extent_rates.c says
 * how rare words are, extent_chain.c finds the pieces of one source, extent_words.c aligns their
 * words, extent_passages.c joins them to passages, and extent.c divides the words of the target
 * among the sources. */
#ifndef TRIBUTARY_INFLUENCE_EXTENT_H
#define TRIBUTARY_INFLUENCE_EXTENT_H

#include "base/arena.h"
#include "influence/evidence.h"
#include "influence/folds.h"

#define TRIB_NONE UINT32_MAX /* no number */

/* A window of 6 stems that the texts hold more than once. */
typedef struct trib_window {
    uint32_t end;    /* its last word */
    uint32_t number; /* the same in all texts */
    uint16_t nth;    /* how often the text holds it before */
} trib_window;

/* A text as the chains read it: its words that have letters, in order. */
typedef struct trib_folded_text {
    uint32_t *word, *stem; /* [n] numbers of the folded word and of its stem */
    uint32_t *order;       /* [n] number of the word among all words of the text */
    uint32_t n;
    trib_window *window; /* [n_windows] in their order */
    uint32_t n_windows;
    uint32_t *sorted; /* [n] places by the TRIB_LONGEST stems from there on */
    /* [n_own] its different stems, ascending; [n_own + 1] where in `sorted` their places begin */
    uint32_t *own, *begin;
    uint32_t n_own;
    /* of a case: [n] numbers of the pair and triple of stems that end with the word; TRIB_NONE:
     * fewer words precede, or the target does not hold it */
    uint32_t *pair, *triple;
} trib_folded_text;

/* The words of a window of so many stems that was seen before are a copy, and are not counted
 * again. */
enum { TRIB_LONGEST = 5, TRIB_WINDOW = 6 };

/* Texts that are read once: those of a case, or of all documents of a run. */
typedef struct trib_folded_texts {
    const trib_folds *folds; /* of the case, or `own`: every word is one of its own */
    trib_folds own;
    trib_folded_text *text; /* [n_texts] */
    size_t n_texts;
    uint32_t n_windows; /* numbers of windows */
    trib_arena arena;   /* owns all */
} trib_folded_texts;

/* The texts of a case, and how rare the words of the target are in all of them. */
typedef struct trib_extent_texts {
    trib_folded_texts read;  /* where the run has not read them */
    const trib_folds *folds; /* of the texts */
    trib_folded_text *text;  /* [n_texts] the target, then the sources in the order of the case */
    size_t n_texts;
    uint32_t n_windows, n_pairs, n_triples;
    struct trib_stem_counts *of_target; /* counts of the target alone */
    /* [n_windows] how often the target holds a window, and how often it counts in all texts */
    uint16_t *of_target_times, *keep;
    double *rate, *rate_after;   /* [n] chance of each word of the target, alone and after two */
    double *tells, *tells_after; /* [n] what they tell: -ln of them */
    uint32_t *own;               /* [n] which of the target's stems the word has */
    double n_source_words;
    trib_arena arena; /* owns all */
} trib_extent_texts;

/* Reads the texts of a case. Without folds every word is its own fold and its own stem.
 * TRIB_MEMORY. */
trib_status trib_extent_texts_read(trib_extent_texts *texts, const trib_influence_case *c,
                                   trib_error *error);
void trib_extent_texts_release(trib_extent_texts *texts);
/* Reads the target and the sources of a case, or takes those that the run has read: the first step
 * of trib_extent_texts_read. */
trib_status trib_extent_texts_fold(trib_extent_texts *texts, const trib_influence_case *c,
                                   trib_error *error);

/* Places of the source, in the order of its `sorted`, that begin with the same stems. */
typedef struct trib_places {
    uint32_t low, high;  /* from low to high - 1 */
    uint32_t n, n_after; /* of these, how often the stems count, and how often what follows them */
} trib_places;

/* How much each word of the target tells if the source holds it, in nats, for one source: the word
 * alone, and the word after the two before it (0: the source does not hold the pair); [n] each.
 * Words of a subject that the target and this source share tell less: the counts of the two alone
 * are read, too. */
typedef struct trib_word_gains {
    double *alone, *after;
    double *passed;    /* [n + 1] sums of what it costs to pass over the words before */
    trib_places *stem; /* [n_own + 1] of the target's stems, and of all others */
    trib_places *pair; /* [n_pairs] */
} trib_word_gains;
void trib_extent_gains(trib_word_gains *gains, const trib_extent_texts *texts, size_t source,
                       trib_arena *arena);

/* The most that a word tells, in nats. */
static const double TRIB_MOST_GAIN = 11;

/* A piece: a chain of shared words. */
typedef struct trib_piece {
    uint32_t source;             /* position in the case */
    uint32_t target, target_end; /* words from target up to before target_end */
    uint32_t at, at_end;         /* the same in the source */
    uint32_t n;                  /* words of the chain */
    uint32_t *word, *place;      /* [n] words of target and source, in the target's order */
    double score;                /* nats */
    double belief;               /* 0 .. 1 */
    uint32_t passage;            /* see trib_extent_merge */
    uint32_t n_next;             /* links that go on to the next word of both texts */
    bool has_run;                /* such links follow each other as in few chance pieces */
    /* words between it and the piece of its passage before it: misread or reworded, maybe */
    uint32_t n_between;
    unsigned char *kind;                /* [target_end - target] enum trib_word_kind */
    uint32_t *aligned;                  /* [target_end - target] word of the source or TRIB_NONE */
    uint32_t n_kind[TRIB_REPLACED + 1]; /* words of each kind */
} trib_piece;

/* The pieces of one source, by falling score. */
typedef struct trib_pieces {
    trib_piece *piece;
    size_t n;
    double inside; /* the part of the target in believed ones; see trib_extent_give_back */
} trib_pieces;

/* Finds the pieces of text `source` that score at least `least`, into `arena`. */
void trib_extent_chains(trib_pieces *pieces, const trib_extent_texts *texts, size_t source,
                        const trib_word_gains *gains, double least, trib_arena *arena);
/* Sets the belief of each piece against the chance pieces of its source. */
void trib_extent_believe(trib_pieces *pieces, const trib_extent_texts *texts, size_t source,
                         trib_arena *arena);
/* Aligns the words of a piece with those of its source. */
void trib_extent_align(trib_piece *piece, const trib_extent_texts *texts, trib_arena *arena);
/* Makes those words between the shared ones of aligned pieces the author's own that were not taken
 * and altered. Sets `inside`. */
void trib_extent_give_back(trib_pieces *pieces, const trib_extent_texts *texts);
/* Joins the aligned pieces of text `source` that are parts of one passage: sets `passage` of each
 * to the number of its passage, in the order of the target from 0; TRIB_NONE: it is in none, as it
 * may be chance or is no more than a turn of phrase. Words between two pieces of a passage count in
 * no share. */
void trib_extent_merge(trib_pieces *pieces, const trib_extent_texts *texts, size_t source,
                       trib_arena *arena);
/* A word of the target in a piece of a source. */
typedef struct trib_claim {
    uint32_t word, source, piece;
    float belief;   /* that it stands in a passage of the source */
    float evidence; /* around the word, in nats */
    float words;    /* its part that falls to the source */
    bool is_verbatim;
} trib_claim;

/* Lists the passages of a result from the pieces and their words, claim[n_claims], of each source
 * at most one for a word. A piece that is in no passage is one of its own. TRIB_MEMORY. */
trib_status trib_extent_passages(trib_influence *result, const trib_influence_case *c,
                                 const trib_extent_texts *texts, const trib_pieces pieces[],
                                 const trib_claim claim[], size_t n_claims, trib_error *error);
/* Finds the pieces of all sources, believes, aligns and joins them: pieces[n_texts - 1] and
 * arena[n_texts - 1], in the order of the sources, `{0}` at first. The caller releases the arenas,
 * also after a failure. TRIB_MEMORY; TRIB_INTERRUPTED. */
trib_status trib_extent_find(trib_pieces pieces[], trib_arena arena[],
                             const trib_extent_texts *texts, int n_threads, trib_error *error);

#endif
