/* influence.h - computes how much of a target each source explains, and through which passages.
 *
 * There are two kinds of methods. Methods by factors (Lowe) decompose every document, measure the
 * L1 distances between all rank-1 factors, and give each factor of the target to the nearest
 * source. Methods by counts (traced, anchored, split, containment, runs) explain the target's
 * n-grams by those of the sources. Every method is a row of the table of methods. Sources: [L] Lowe
 * 2018; docs/model.md section 5 describes the others. */
#ifndef TRIBUTARY_INFLUENCE_H
#define TRIBUTARY_INFLUENCE_H

#include "base/base.h"
#include "influence/factors/factors.h"
#include "tensor/hacoo.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Influence (methods.txt is the table) ---------------------------------------------------- */

/* One document of a case. All arrays are borrowed. */
typedef struct trib_influence_document {
    /* n-grams over the document's own ids; all modes have the same dimension */
    const trib_hacoo *counts;
    const uint32_t *word; /* [n_local] vocabulary id of each of its own ids */
    uint32_t n_local;     /* number of the document's own ids */
    uint64_t n_words;     /* number of its tokens */
    /* [n_ngrams] entry of `counts` at each n-gram of the text in order; NULL: no intervals, and no
     * method that needs it */
    const uint32_t *sequence;
    size_t n_ngrams; /* number of n-grams in the text */
} trib_influence_document;

/* An n-gram in a document. */
typedef struct trib_holder {
    uint32_t document, count; /* number of the document, and occurrences in it */
} trib_holder;

/* An n-gram at a place of a text. */
typedef struct trib_text_ngram {
    uint32_t place, ngram; /* number of the n-gram in the text, and which n-gram it is */
} trib_text_ngram;

/* The documents that hold each n-gram of a corpus. It is built once and read for every target.
 * `{0}` is empty. */
typedef struct trib_concordance {
    size_t n_documents, n_ngrams; /* documents, and different n-grams */
    size_t *first;                /* [n_documents + 1] start of each document in `number` */
    /* number[first[d] + e]: n-gram of entry e of document d, numbered from 0 by first appearance */
    uint32_t *number;
    size_t *start;       /* [n_ngrams + 1] n-gram g has holder[start[g]] .. holder[start[g+1]-1] */
    trib_holder *holder; /* ascending by document */
    /* The n-grams of the text of document d that other documents hold too, in text order:
     * common[first_common[d]] .. common[first_common[d+1]-1]; NULL: not listed. */
    size_t *first_common;    /* [n_documents + 1] */
    trib_text_ngram *common; /* see first_common */
} trib_concordance;

/* Builds the concordance of all documents, in O(all nonzeros). Vocabulary ids must be below
 * n_words. TRIB_INTERNAL when documents differ in n; TRIB_MEMORY; TRIB_INPUT beyond 2^32-1 n-grams
 * or 128-bit keys. */
trib_status trib_concordance_build(trib_concordance *concordance,
                                   const trib_influence_document document[], size_t n_documents,
                                   uint32_t n_words, trib_error *error);
/* Builds the concordance of one target: which of the documents among[n_among], ascending (NULL:
 * all), hold its n-grams. Only these documents are read, and n-grams of other documents get no
 * numbers. The result does not depend on n_threads. Errors as trib_concordance_build. */
trib_status trib_concordance_of_target(trib_concordance *concordance,
                                       const trib_influence_document document[], size_t n_documents,
                                       uint32_t n_words, uint32_t target, const uint32_t *among,
                                       size_t n_among, int n_threads, trib_error *error);
void trib_concordance_release(trib_concordance *concordance);

/* The words of documents in order, with numbers for every pair and triple of adjacent words, shared
 * by all documents. The method `traced` reads them. `{0}` is empty. */
typedef struct trib_word_orders {
    size_t n_documents;               /* documents, including those left empty */
    struct trib_word_order *document; /* [n_documents] defined in influence/order.h */
    size_t n_pairs, n_triples;        /* numbers of different pairs and triples */
    struct trib_folded_texts *folded; /* for extent: the same documents; NULL: read for each case */
} trib_word_orders;

/* Restores the words in text order of the documents among[n_among] (NULL: of all); each of them
 * must have its `sequence`. The others stay empty. O(words). TRIB_MEMORY; TRIB_INPUT when the
 * documents have more than 2^32-1 different triples of words. */
trib_status trib_word_orders_build(trib_word_orders *orders,
                                   const trib_influence_document document[], size_t n_documents,
                                   const uint32_t *among, size_t n_among, uint32_t n_words,
                                   trib_error *error);
void trib_word_orders_release(trib_word_orders *orders);
struct trib_folds;
/* Reads the documents of the orders for `extent`, as words that `folds` tells apart. TRIB_MEMORY:
 * each case reads its own then. */
trib_status trib_word_orders_fold(trib_word_orders *orders, const struct trib_folds *folds,
                                  trib_error *error);

/* The common language, restricted to the words of one document. `{0}` is empty: no background. */
typedef struct trib_background {
    uint32_t n;      /* number of components; at most the requested number B */
    uint32_t stride; /* n rounded up to a multiple of 8; the padding of a row is 0 */
    /* [n_local of the target][stride] bg_m, so G_b(z) = prod_m row[m][z_m][b] */
    double *row[TRIB_MAX_MODES];
} trib_background;
void trib_background_release(trib_background *background);

/* Expected counts of one word in every component, for each mode. */
typedef struct trib_language_row {
    float *mass; /* [n_modes][n] */
    uint32_t n;  /* number of components at the last update; the word has no counts in later ones */
} trib_language_row;

/* A background shared by many targets, which can be updated document by document. */
typedef struct trib_common_language {
    uint32_t n_modes, n_words, n; /* modes, vocabulary size, and components */
    uint32_t *row_of;             /* [n_words] row of a vocabulary word; UINT32_MAX: none */
    trib_language_row *row;       /* [n_rows] in the order in which words first occurred */
    uint32_t n_rows;              /* rows used */
    size_t row_cap;               /* rows allocated */
    /* [n] mass of each component; the sum is the number of documents */
    double *total;
    size_t n_documents; /* documents added */
    uint64_t n_tokens;  /* tokens of the documents added */
} trib_common_language;

/* Initialises an empty background for vocabulary ids below n_words. TRIB_MEMORY. */
trib_status trib_common_language_init(trib_common_language *language, uint32_t n_modes,
                                      uint32_t n_words, trib_error *error);
/* Adds a document by incremental EM (Neal and Hinton 1998). The contributions of earlier documents
 * stay fixed, so the bits depend only on the documents added and their order. The background then
 * has at least n_components components, never fewer than before; -1 means max(1, rint(0.3
 * sqrt(tokens before this document))). A document without n-grams changes nothing. O(nnz
 * components). After a failure the background can only be released. TRIB_INTERRUPTED when progress
 * asks to stop, TRIB_MEMORY. */
trib_status trib_common_language_add(trib_common_language *language,
                                     const trib_influence_document *document, int32_t n_components,
                                     const trib_progress *progress, trib_error *error);
/* Fits the background to all documents at once, by CP-APR of the sum of their relative frequencies.
 * The result does not depend on their order beyond rounding. n_components -1 means max(1, rint(0.3
 * sqrt(tokens of all documents but an average one))). */
trib_status trib_common_language_fit(trib_common_language *language,
                                     const trib_influence_document document[], size_t n_documents,
                                     uint32_t n_words, int32_t n_components, int n_threads,
                                     const trib_progress *progress, trib_error *error);
/* Adds an empty row for every word of the document that has none: the first step of adding the
 * document. TRIB_MEMORY. */
trib_status trib_common_language_number(trib_common_language *language,
                                        const trib_influence_document *document, trib_error *error);
/* Copies the rows of the target's words out of the background. TRIB_MEMORY. */
trib_status trib_common_language_rows(trib_background *rows, const trib_common_language *language,
                                      const trib_influence_document *target, trib_error *error);
void trib_common_language_release(trib_common_language *language);

/* The input of a method: one target and its admissible sources. All arrays are borrowed. */
typedef struct trib_influence_case {
    const trib_influence_document *document; /* [n_documents] all documents */
    size_t n_documents;                      /* number of documents in the corpus */
    uint32_t n_words;                        /* vocabulary size; vocabulary ids are below it */
    uint32_t target;                         /* number of the target's document */
    /* [n_sources] document numbers, ascending; the target may be among them */
    const uint32_t *source;
    size_t n_sources; /* number of admissible sources */
    /* An n-gram that more than this number of documents hold is a formula, which belongs to no
     * single source. 0: none is. Without `frequent` the concordance must be of all documents, or
     * NULL. */
    uint32_t formula;
    /* the formulas of the corpus; NULL: found in the concordance */
    const struct trib_frequent_ngrams *frequent;
    const trib_factors *factors; /* of all documents; NULL when no method needs them */
    /* from `factors` to the documents; NULL when no method needs them */
    const trib_factor_distances *distances;
    /* of all documents or of this target; NULL: computed when needed */
    const trib_concordance *concordance;
    /* for traced: of all documents; NULL: read for this case */
    const trib_word_orders *orders;
    /* for anchored: of the target's words; NULL: fitted for this case */
    const trib_background *background;
    /* for extent: the words of the vocabulary without what spellings differ in */
    const struct trib_folds *folds;
    /* result of another method, whose `split` or `twin` is reused; or NULL */
    const struct trib_influence *other;
    /* for evidence and passages: with the listed sources; NULL: computed when needed */
    const struct trib_overlap *overlap;
} trib_influence_case;

/* Builds the concordance of the case's target and its sources alone. The case must have
 * `frequent`, or no formulas. Errors as trib_concordance_build. */
trib_status trib_concordance_of_case(trib_concordance *concordance, const trib_influence_case *c,
                                     int n_threads, trib_error *error);

/* Options of the methods; `{0}` is valid. */
typedef struct trib_influence_options {
    double threshold; /* lowe: largest distance of a match, 0 .. 2 */
    /* anchored: common-language components B; -1: max(1, rint(0.3 sqrt(words S))); 0: none */
    int32_t background;
    /* 90 % intervals: posterior samples (traced) or resamples (anchored); 0: none */
    uint32_t bootstrap;
    uint32_t run; /* runs: shortest shared run in words, at least n */
    /* for methods with takes_shortlist: number of sources weighed, those with the largest shares by
     * `split`; the others have no share. 0: all */
    uint32_t shortlist;
    uint64_t seed;          /* seed of random numbers */
    int n_threads;          /* does not change the result */
    trib_progress progress; /* receives the progress and may stop the method */
} trib_influence_options;

typedef struct trib_influence_method trib_influence_method;

/* A run of words of the target that `traced` finds to be copied from as many words of one source.
 * Its n-grams are consecutive in both texts; its first and last word equal those of the source. */
typedef struct trib_traced_run {
    uint32_t target; /* number of its first n-gram in the target */
    uint32_t place;  /* number of its first n-gram in the source */
    uint32_t n;      /* n-grams, at least 1; of words it has one less than the order more */
    uint32_t source; /* position of the source in the case */
    /* mean over its words of the probability that the word was copied from this source */
    double probability;
} trib_traced_run;

/* The result of one method for one target. `{0}` is empty. A quantity that the method does not have
 * is NaN. */
typedef struct trib_influence {
    const trib_influence_method *method; /* the method */
    uint32_t target;                     /* document number of the target */
    size_t n_sources;                    /* number of sources in the case */
    uint32_t *source;                    /* [n_sources] document numbers, as in the case */
    double *share;                       /* [n_sources] share of the target, 0 .. 1 */
    double *low, *high; /* [n_sources] ends of the 90 % interval; NULL when not computed */
    uint32_t *listed;   /* [n_listed] positions of the sources that were weighed, ascending */
    size_t n_listed;    /* number of sources that were weighed */
    /* [n_sources] shares by `split`, used for the shortlist; NULL: all sources are listed */
    double *split;
    double split_author; /* the author's share by `split` */
    double author;       /* the author's share: own and common language */
    /* part of the target's n-grams, or words of passages, that are formulas; NaN: the case has no
     * formulas, or the method counts neither */
    double formula;
    /* The two parts of `author`. traced: n-grams that no source holds, and those explained by
     * chance; anchored: pi_0, and the sum of pi_b. */
    double own, common;
    double explained;      /* lowe: mass of the target's factors / |T| */
    double matched;        /* lowe: share of the target's factor mass with a match */
    uint32_t background;   /* anchored: number of components B used */
    uint32_t n_iterations; /* traced, anchored: rounds of EM */
    double log_likelihood; /* traced, anchored: of the fit */
    /* For evidence with anchored: the shares in two factors, because
     * explained_by[n_entries][n_sources] would be large. */
    double *weight; /* [n_sources] pi_s in the round that computed `mix` */
    double *mix;    /* [nnz of the target] share[s] = sum T(z) weight[s] P_s(z) / mix(z) / |T| */
    /* For evidence with traced: the number of the target's n-grams that are copies from a source,
     * for every pair of an entry of the target and a listed source that holds it, ascending by
     * entry, then by source. */
    double *credit;
    /* traced: the traced runs, in the order of the target; no word is in two */
    trib_traced_run *trace; /* [n_trace] */
    size_t n_trace;         /* number of traced runs */
    /* Groups of sources that cannot be told apart (traced, anchored): all [n_sources], NULL: every
     * source stands alone. group[s] is the position of the first member of the group of s, which is
     * s itself if it stands alone. The others have the same value for all members of a group:
     * the sum of their shares, and the ends of its 90 % interval. */
    uint32_t *group;
    double *group_share; /* the sum of the members' shares */
    double *group_low;   /* the lower end of the interval of that sum */
    double *group_high;  /* its upper end */
    /* extent, verbatim: the shares by the other of the two, and the ends of their intervals, which
     * the same passages give: [3][n_twin], sources as they were weighed, then the author's share
     * and the part of formulas; NULL: not computed */
    double *twin;
    size_t n_twin; /* sources of `twin` */
    /* extent, verbatim: the passages that the target shares with each source that has any, in the
     * order of the sources; see evidence.h. NULL: not listed, as in the second of the two */
    struct trib_passages *passages;
    size_t n_passages; /* sources of `passages` */
    /* read from a stored result with shares only: weight, mix, credit, trace and passages are
     * missing */
    bool is_brief;
} trib_influence;

/* Options and parts of a case that a method must name to be given them. */
enum {
    TRIB_READS_THRESHOLD = 1,
    TRIB_READS_BACKGROUND = 2,
    TRIB_READS_BOOTSTRAP = 4, /* and the seed */
    TRIB_READS_RUN = 8,
    TRIB_READS_FOLDS = 16 /* folded words of the case; shares are of words, not of n-grams */
};

/* A row of the table of methods. */
struct trib_influence_method {
    /* traced | lowe | lowe-soft | lowe-matched | anchored | split | containment | runs | extent |
     * verbatim */
    const char *name;
    const char *help; /* one line */
    /* Its noise floor: at most 1 % of the unrelated sources of planted corpora reach this share
     * (docs/measured/floors.tsv). */
    double floor;
    bool needs_factors;    /* needs case->factors and ->distances */
    bool needs_order;      /* needs the sequence of the target and of every source */
    bool reads_words;      /* uses case->orders, if present */
    bool needs_background; /* uses case->background, if present */
    bool sums_to_one;      /* shares, author and formula sum to 1 */
    bool has_evidence;     /* fills weight and mix, or credit */
    bool takes_shortlist;  /* weighs only the sources of a shortlist */
    unsigned reads;        /* TRIB_READS_*: the other options are 0 for it */
    /* Fills `result`, whose arrays are allocated and whose numbers are NaN or 0. */
    trib_status (*measure)(trib_influence *result, const trib_influence_case *c,
                           const trib_influence_options *options, trib_error *error);
};
/* ends with a row whose name is NULL */
extern const trib_influence_method trib_influence_methods[];
const trib_influence_method *trib_influence_method_find(const char *name);

/* The options that a method is given: those that it does not read are 0. */
trib_influence_options trib_influence_options_given(const trib_influence_method *method,
                                                    const trib_influence_options *options);
/* Measures one target with a method: allocates source and share, sets all other fields to 0 or NaN,
 * and calls the method. The result does not depend on the order of documents beyond 1e-12, nor on
 * n_threads. TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_influence_measure(trib_influence *result, const trib_influence_method *method,
                                   const trib_influence_case *c,
                                   const trib_influence_options *options, trib_error *error);
void trib_influence_release(trib_influence *result);
/* Returns the share of the group of source s: its own share if it stands alone. */
double trib_influence_group_share(const trib_influence *result, size_t s);
/* Returns the number of members of the group of source s: 1 if it stands alone. O(n_sources). */
size_t trib_group_size(const trib_influence *result, size_t s);

/* Sets *formulas to an array [nnz of the target] in which 1 marks the n-grams that more than
 * c->formula documents of the whole corpus hold, and *n to their number in the text. *formulas is
 * NULL, and *n is 0, when c->formula is 0 or the corpus has no more documents than that. The caller
 * frees *formulas. TRIB_MEMORY. */
trib_status trib_formula_find(uint8_t **formulas, uint64_t *n, const trib_influence_case *c,
                              trib_error *error);
/* Whether the case has formulas at all: c->formula is below the number of documents, and above
 * 0. */
bool trib_formula_is_possible(const trib_influence_case *c);

/* Checks a result; returns the error as text, or NULL. Shares and ends of intervals must be finite
 * and not negative, an interval must contain its share, and the shares must sum to one for methods
 * with sums_to_one. Results of trib_influence_measure always pass. */
const char *trib_influence_fault(const trib_influence *result);

/* Computes the shares of `lowe` at another threshold from stored distances: share[n_sources] and
 * *author. Distances within 1e-9 count as equal, to each other and to the threshold. A target
 * without factors is wholly its author's. */
trib_status trib_lowe_at(const trib_influence_case *c, double threshold, double *share,
                         double *author, trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
