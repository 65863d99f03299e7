/* passages.h - the room `passages`: the passages that a target shares with a source, and how rare
 * their words are; targets that copy nothing. find.c finds the passages of a target, notable.c the
 * parts of it in which a notable one can lie, and rates passages; decoy.c shuffles targets. */
#ifndef TRIBUTARY_INFLUENCE_PASSAGES_H
#define TRIBUTARY_INFLUENCE_PASSAGES_H

#include "influence/evidence.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A run of equal n-grams: those at target .. target+n-1 equal those at source .. source+n-1. */
typedef struct trib_shared_run {
    size_t target, source, n; /* positions in target and source, and number of n-grams */
} trib_shared_run;

/* A notable passage has at least TRIB_NOTABLE_WORDS shared words that are no formulas, one of which
 * is rare, and at least TRIB_NOTABLE_RUN shared words in succession. TRIB_RAREST is the largest
 * number of rarest words that are named (notable.c). */
enum { TRIB_NOTABLE_WORDS = 12, TRIB_NOTABLE_RUN = 5, TRIB_RAREST = 3 };

/* A passage: a segment of the target and a segment of a source that share runs in the same order,
 * with at most `gap` n-grams between two runs in either text. */
typedef struct trib_passage {
    size_t target, source;     /* positions of its first n-gram in both texts */
    size_t n_target, n_source; /* lengths in n-grams, including the gaps */
    size_t n_shared;           /* n-grams that lie in runs */
    size_t first_run, n_runs;  /* its runs are trib_passages.run[first_run ..] */
    double mass; /* part of the share of its n-grams; part of the target without evidence */
    /* set by trib_passages_rate: */
    size_t n_words;               /* words of the target that lie in runs */
    size_t n_telling;             /* of these, words of n-grams that are no formulas */
    size_t longest;               /* words of its longest run */
    double rarity;                /* the sum of trib_word_weight of the n_words words, in nats */
    uint32_t rarest[TRIB_RAREST]; /* [n_rarest] vocabulary ids of different shared words, the */
    uint32_t n_rarest;            /* rarest first */
    bool is_notable;              /* see TRIB_NOTABLE_WORDS */
    /* from 1 in the order of the target over all passages of the target; 0: not numbered. Set by
     * whoever lists the passages of all sources. */
    uint32_t number;
} trib_passage;

/* Whether a passage is listed as one: a passage of a single shared n-gram is a phrase. */
static inline bool trib_passage_is_listed(const trib_passage *passage) {
    return passage->n_shared > 1;
}

/* All passages of a target with one source. No n-gram of the target is in two of them. `{0}` is
 * empty. */
typedef struct trib_passages {
    uint32_t source;       /* document number */
    trib_passage *passage; /* [n] by descending mass, ties by position in the target */
    size_t n, cap;         /* passages used, of cap allocated */
    trib_shared_run *run;  /* [n_runs] in the order of the target */
    size_t n_runs;         /* runs of all passages */
} trib_passages;

/* A part of the target in which a notable passage with a source can lie. */
typedef struct trib_chain {
    uint32_t source;   /* position among the sources of the case */
    size_t first, end; /* its n-grams are first .. end-1 */
} trib_chain;

/* The chains of a target by source, then by place. `{0}` is empty. */
typedef struct trib_chains {
    trib_chain *chain; /* [n] */
    size_t n, cap;     /* chains used, of cap allocated */
} trib_chains;

/* Lists where the target can have notable passages with each source of the case, if all words were
 * rare, with at most `gap` n-grams between two runs and without n-grams with the vocabulary id
 * `wildcard` (UINT32_MAX: none). There are none elsewhere, nor with the target itself. Needs
 * `sequence` of the target. O(the sum over the target's n-grams of the documents that hold them).
 * TRIB_MEMORY. */
trib_status trib_passages_chains(trib_chains *chains, const trib_influence_case *c,
                                 uint32_t wildcard, size_t gap, trib_error *error);
void trib_chains_release(trib_chains *chains);

/* Which passages to look for. The pointers are borrowed. */
typedef struct trib_passages_wanted {
    const uint8_t *all;        /* [n_sources] 1: all passages with this source; 0: only those in */
    const trib_chains *chains; /* NULL: there are none */
    uint32_t wildcard; /* n-grams with this vocabulary id (UINT32_MAX: none) never match, since the
                        * id stands for different words */
    size_t gap;        /* the largest number of n-grams between two runs of a passage */
} trib_passages_wanted;

/* Finds the passages of the target with the sources of the case, and fills passages[n_sources],
 * which are empty at first; the caller releases them, also after a failure. Of a source for which
 * not all are wanted, passages that are too short to be notable are left out. `result`, of a method
 * with has_evidence or NULL, gives their masses, in which rare words count more. Needs `sequence`
 * of all these documents. For each source it takes O(n-grams + pairs of n-grams that the source
 * holds at most 64 times). The result does not depend on n_threads. TRIB_MEMORY; TRIB_INTERRUPTED
 * after a request to stop. */
trib_status trib_passages_find(trib_passages passages[], const trib_passages_wanted *wanted,
                               const trib_influence_case *c, const trib_influence *result,
                               int n_threads, trib_error *error);
void trib_passages_release(trib_passages *passages);

/* How often each word occurs in the corpus. All arrays are borrowed. */
typedef struct trib_word_frequencies {
    const uint32_t *n_documents; /* [vocabulary] documents that hold the word */
    const uint64_t *count;       /* [vocabulary] occurrences in all documents */
    uint32_t n_all_documents;    /* documents of the corpus */
    uint64_t n_tokens;           /* words of the corpus */
    uint32_t wildcard;           /* vocabulary id that stands for different words, or UINT32_MAX */
} trib_word_frequencies;
/* Whether a word is rare: at most a tenth of the documents hold it, or it occurs at most 4 times in
 * the corpus, or at most once in 10 000 of its words. The wildcard is not. */
bool trib_word_is_rare(const trib_word_frequencies *frequencies, uint32_t word);
/* The inverse document frequency ln((documents + 1) / documents that hold the word), above 0. */
double trib_word_weight(const trib_word_frequencies *frequencies, uint32_t word);

/* Sets the members of all passages of one target that trib_passages_rate sets: passages[n_sources]
 * of the case's target. Needs `sequence` of the target. O(words of the target and of the passages).
 * TRIB_MEMORY. */
trib_status trib_passages_rate(trib_passages passages[], size_t n_sources,
                               const trib_influence_case *c,
                               const trib_word_frequencies *frequencies, trib_error *error);
/* Drops the passages that `is_kept` rejects, and their runs. TRIB_MEMORY. */
typedef bool trib_passage_test(const trib_passage *passage);
trib_status trib_passages_keep(trib_passages *passages, trib_passage_test *is_kept,
                               trib_error *error);

/* ---- Shuffled targets (decoy.c) -------------------------------------------------------------- */

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

/* ---- Shares of a shuffled target ------------------------------------------------------------- */

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
