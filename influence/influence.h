/* influence.h - computes how much of a target each source explains, and through which phrases.
 *
 * There are two kinds of methods. Methods by factors (Lowe) decompose every document, measure the
 * L1 distances between all rank-1 factors, and give each factor of the target to the nearest
 * source. Methods by counts (traced, anchored, split, containment, runs) explain the target's
 * n-grams by those of the sources. Every method is a row of the table of methods. Sources: [L] Lowe
 * 2018; docs/model.md section 5 describes the others. */
#ifndef TRIBUTARY_INFLUENCE_H
#define TRIBUTARY_INFLUENCE_H

#include "base/base.h"
#include "decomp/decomp.h"
#include "tensor/hacoo.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Rank-1 factors and their distances (factors.c, distance.c, nearest.c) ------------------- */

/* The rank-1 factors of several documents in vocabulary ids. Every vector is sparse and sorted by
 * id. `{0}` is empty. */
typedef struct trib_factors {
    uint32_t n_modes;    /* of every factor */
    size_t n, cap;       /* factors used, and allocated */
    uint32_t *document;  /* [n] number of each factor's document, ascending */
    uint32_t *component; /* [n] number of each factor within its document */
    double *lambda;      /* [n] mass of each factor in its document */
    /* [n * n_modes + 1] factor f, mode m holds start[f*n_modes+m] .. start[f*n_modes+m+1]-1 of: */
    size_t *start;
    size_t start_cap;                     /* elements allocated for `start` */
    uint32_t *word;                       /* vocabulary ids, ascending within a vector */
    double *value;                        /* positive */
    size_t n_values, word_cap, value_cap; /* entries of all vectors, and entries allocated */
    double *sum; /* [n * n_modes] sum of every vector; exactly 1 when within 1e-12 of 1 */
} trib_factors;

/* Appends all components of `k`. word[i] is the vocabulary id of index i in every mode (NULL: i
 * itself); all must differ. Zero values are left out. Components with lambda 0 must have been
 * dropped. Documents must come in ascending order and have the same number of modes. TRIB_INTERNAL
 * when they do not; TRIB_MEMORY. */
trib_status trib_factors_add(trib_factors *factors, uint32_t document, const trib_ktensor *k,
                             const uint32_t *word, trib_error *error);
void trib_factors_release(trib_factors *factors);

/* Scratch of one thread for distances. `{0}` is empty; it grows as needed. */
typedef struct trib_distance_scratch {
    void *memory; /* owned */
    size_t size;  /* bytes of it */
} trib_distance_scratch;
void trib_distance_scratch_release(trib_distance_scratch *scratch);

/* Sets *distance to ||P - Q||_1 of factors p of `a` and q of `b`, each the outer product of its
 * vectors, without lambda. It is exact: sum P + sum Q - 2 sum min(P, Q) over the common support, by
 * a sweep with two pointers (docs/model.md section 4). A distance below 1e-14 |P| becomes 0.
 * Normalised factors have distances in [0, 2], exactly 2 when they are disjoint. Within one set the
 * distance is symmetric to the bit. It depends on the two factors alone, not on the numbering of
 * words. TRIB_MEMORY; TRIB_INTERRUPTED after a request to stop. */
trib_status trib_factor_distance(const trib_factors *a, size_t p, const trib_factors *b, size_t q,
                                 double *distance, trib_distance_scratch *scratch,
                                 trib_error *error);
/* Computes distances into matrix[a->n][b->n], row-major: of all pairs, or, unless `wanted` is NULL,
 * of the pairs of which one factor belongs to a document d with wanted[d]; the other entries stay.
 * The bits do not depend on n_threads. */
trib_status trib_factor_matrix(const trib_factors *a, const trib_factors *b, const bool *wanted,
                               double *matrix, int n_threads, trib_error *error);

/* For every factor of `a` and every document of `b`: the smallest distance, and the factor that has
 * it. `{0}` is empty. */
typedef struct trib_factor_distances {
    size_t n_factors;   /* factors of a */
    size_t n_documents; /* documents of b, the columns */
    /* [n_factors][n_documents] smallest distances; 2 where the document has no factor */
    double *nearest;
    /* [n_factors][n_documents] factor of b, ties to the smallest; UINT32_MAX where none */
    uint32_t *which;
    uint64_t n_exact; /* exact distances computed, of a->n * b->n */
} trib_factor_distances;

/* Finds the nearest factors without computing most distances: an index from words to factors finds
 * the pairs whose supports meet in every mode, and a best-first search by lower bounds ends each
 * row early. The result equals the row minima of trib_factor_matrix exactly. Both sets must be
 * normalised (else TRIB_INTERNAL). */
trib_status trib_factor_distances_find(trib_factor_distances *found, const trib_factors *a,
                                       const trib_factors *b, size_t n_documents, int n_threads,
                                       trib_error *error);
/* The same in parts: `init` sets all distances to 0, `fill` computes those of the factors f of `a`
 * with row[f] to the documents d of `b` with column[d] (NULL: all) and visits only these.
 * TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_factor_distances_init(trib_factor_distances *found, size_t n_factors,
                                       size_t n_documents, trib_error *error);
trib_status trib_factor_distances_fill(trib_factor_distances *found, const trib_factors *a,
                                       const trib_factors *b, const bool *row, const bool *column,
                                       int n_threads, trib_progress progress, trib_error *error);
void trib_factor_distances_release(trib_factor_distances *found);

/* ---- Influence (method.c has the table) ------------------------------------------------------ */

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

/* The documents that hold each n-gram of a corpus. It is built once and read for every target.
 * `{0}` is empty. */
typedef struct trib_concordance {
    size_t n_documents, n_ngrams; /* documents, and different n-grams */
    size_t *first;                /* [n_documents + 1] start of each document in `number` */
    /* number[first[d] + e]: n-gram of entry e of document d, numbered from 0 by first appearance */
    uint32_t *number;
    size_t *start;       /* [n_ngrams + 1] n-gram g has holder[start[g]] .. holder[start[g+1]-1] */
    trib_holder *holder; /* ascending by document */
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
} trib_word_orders;

/* Restores the words in text order of the documents among[n_among] (NULL: of all); each of them
 * must have its `sequence`. The others stay empty. O(words). TRIB_MEMORY; TRIB_INPUT when the
 * documents have more than 2^32-1 different triples of words. */
trib_status trib_word_orders_build(trib_word_orders *orders,
                                   const trib_influence_document document[], size_t n_documents,
                                   const uint32_t *among, size_t n_among, uint32_t n_words,
                                   trib_error *error);
void trib_word_orders_release(trib_word_orders *orders);

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
     * single source. 0: none is. The concordance must then be of all documents, or NULL. */
    uint32_t formula;
    const trib_factors *factors; /* of all documents; NULL when no method needs them */
    /* from `factors` to the documents; NULL when no method needs them */
    const trib_factor_distances *distances;
    /* of all documents or of this target; NULL: computed when needed */
    const trib_concordance *concordance;
    /* for traced: of all documents; NULL: read for this case */
    const trib_word_orders *orders;
    /* for anchored: of the target's words; NULL: fitted for this case */
    const trib_background *background;
    /* result of another method, whose `split` is reused; or NULL */
    const struct trib_influence *other;
    /* for evidence and passages: with the listed sources; NULL: computed when needed */
    const struct trib_overlap *overlap;
} trib_influence_case;

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
    /* part of the target's n-grams that are formulas; NaN: the case has no formulas, or the method
     * does not count n-grams */
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
    /* Groups of sources that cannot be told apart (traced, anchored): all [n_sources], NULL: every
     * source stands alone. group[s] is the position of the first member of the group of s, which is
     * s itself if it stands alone. The others have the same value for all members of a group:
     * the sum of their shares, and the ends of its 90 % interval. */
    uint32_t *group;
    double *group_share; /* the sum of the members' shares */
    double *group_low;   /* the lower end of the interval of that sum */
    double *group_high;  /* its upper end */
    /* read from a stored result with shares only: weight, mix and credit are missing */
    bool is_brief;
} trib_influence;

/* A row of the table of methods. */
struct trib_influence_method {
    /* traced | lowe | lowe-soft | lowe-matched | anchored | split | containment | runs */
    const char *name;
    const char *help; /* one line */
    /* Its noise floor: at most 1 % of the unrelated sources of planted corpora reach this share
     * (docs/measured/floors.md). */
    double floor;
    bool needs_factors;    /* needs case->factors and ->distances */
    bool needs_order;      /* needs the sequence of the target and of every source */
    bool reads_words;      /* uses case->orders, if present */
    bool needs_background; /* uses case->background, if present */
    bool sums_to_one;      /* shares, author and formula sum to 1 */
    bool has_evidence;     /* fills weight and mix, or credit */
    bool takes_shortlist;  /* weighs only the sources of a shortlist */
    /* Fills `result`, whose arrays are allocated and whose numbers are NaN or 0. */
    trib_status (*measure)(trib_influence *result, const trib_influence_case *c,
                           const trib_influence_options *options, trib_error *error);
};
/* ends with a row whose name is NULL */
extern const trib_influence_method trib_influence_methods[];
const trib_influence_method *trib_influence_method_find(const char *name);

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

/* ---- Evidence (evidence.c) ------------------------------------------------------------------- */

/* An n-gram that occurs in target and source. */
typedef struct trib_phrase {
    uint32_t word[TRIB_MAX_MODES]; /* vocabulary ids of its words */
    uint32_t in_target, in_source; /* occurrences in the target and in the source */
    uint32_t n_other_documents;    /* number of other documents that hold it */
    double mass;                   /* part of the share: E_s(z) / |T| */
} trib_phrase;

/* Phrases of the evidence that differ in one word only: a fibre of E_s, see trib_evidence. */
typedef struct trib_evidence_factor {
    double mass;                    /* part of the share */
    uint32_t free_mode;             /* the mode in which the phrases differ */
    uint32_t fixed[TRIB_MAX_MODES]; /* vocabulary ids; fixed[free_mode] is TRIB_NO_FREE_WORD */
    size_t first, n; /* its words: free_word and free_mass [first .. first+n-1] of the evidence */
} trib_evidence_factor;
/* The value of `fixed` in the free mode. */
#define TRIB_NO_FREE_WORD UINT32_MAX

/* The phrases that give a source its share of a target: E_s(z) = T(z) pi_s P_s(z) / mix(z) for the
 * n-grams that occur in both texts. `{0}` is empty. */
typedef struct trib_evidence {
    uint32_t target, source; /* document numbers */
    double share;            /* the sum of all masses */
    trib_phrase *phrase;     /* [n_phrases] by descending mass, ties in the order of the target */
    /* phrases listed, and phrases found before trib_evidence_cut */
    size_t n_phrases, n_all_phrases;
    /* [n_factors] the fibre cover of E_s, masses descending; they add up to share */
    trib_evidence_factor *factor;
    size_t n_factors, n_all_factors; /* factors listed, and factors found before the cut */
    uint32_t *free_word;             /* vocabulary ids in the free modes of the factors */
    double *free_mass;               /* part of the share of each of these words */
} trib_evidence;

/* Computes the overlap of the target with the listed sources of a result, for
 * trib_influence_case.overlap. *overlap is NULL on failure. Release it with trib_overlap_free. */
trib_status trib_overlap_of_listed(struct trib_overlap **overlap, const trib_influence_case *c,
                                   const trib_influence *result, trib_error *error);
void trib_overlap_free(struct trib_overlap *overlap);

/* Fills evidence[n_sources] for the listed sources of a result of a method with has_evidence. The
 * caller releases all of them, also after a failure. The result does not depend on n_threads. */
trib_status trib_evidence_build(trib_evidence *evidence, const trib_influence_case *c,
                                const trib_influence *result, int n_threads, trib_error *error);
/* Collects the author's own phrases, which no source of the case holds and which are no formulas,
 * the most frequent first, and their cover. `source` is then the target itself, in_source is 0, and
 * a mass is the phrase's part of the target. */
trib_status trib_evidence_of_author(trib_evidence *evidence, const trib_influence_case *c,
                                    trib_error *error);
/* The inverse document frequency of a phrase of target and source in a corpus of n_documents:
 * log((n_documents + 1) / number of documents that hold it, including these two) (Spaerck Jones
 * 1972). The 1 keeps the weight of phrases in all documents above 0. The rarer a phrase, the more
 * it tells about its source. */
double trib_phrase_weight(const trib_phrase *phrase, size_t n_documents);
/* Sorts phrases for display: (*order)[n_phrases] lists them by descending mass times
 * trib_phrase_weight, ties by number. The caller frees *order. TRIB_MEMORY. */
trib_status trib_evidence_rank(size_t **order, const trib_evidence *evidence, size_t n_documents,
                               trib_error *error);
/* Keeps the `most` phrases and factors of largest mass and frees the memory of the others. */
void trib_evidence_cut(trib_evidence *evidence, size_t most);
void trib_evidence_release(trib_evidence *evidence);

/* ---- Passages (passages.c) ------------------------------------------------------------------- */

/* A run of equal n-grams: those at target .. target+n-1 equal those at source .. source+n-1. */
typedef struct trib_shared_run {
    size_t target, source, n; /* positions in target and source, and number of n-grams */
} trib_shared_run;

/* A passage: a segment of the target and a segment of a source that share runs in the same order,
 * with at most `gap` n-grams between two runs in either text. */
typedef struct trib_passage {
    size_t target, source;     /* positions of its first n-gram in both texts */
    size_t n_target, n_source; /* lengths in n-grams, including the gaps */
    size_t n_shared;           /* n-grams that lie in runs */
    size_t first_run, n_runs;  /* its runs are trib_passages.run[first_run ..] */
    double mass; /* part of the share of its n-grams; part of the target without evidence */
} trib_passage;

/* All passages of a target with one source. No n-gram of the target is in two of them. `{0}` is
 * empty. */
typedef struct trib_passages {
    uint32_t source;       /* document number */
    trib_passage *passage; /* [n] by descending mass, ties by position in the target */
    size_t n, cap;         /* passages used, of cap allocated */
    trib_shared_run *run;  /* [n_runs] in the order of the target */
    size_t n_runs;         /* runs of all passages */
} trib_passages;

/* Finds the passages of the target with source s of the case. `result`, of a method with
 * has_evidence or NULL, gives their masses, in which rare words count more. n-grams with the
 * vocabulary id `wildcard` (UINT32_MAX: none) never match, since the id stands for different words.
 * Needs `sequence` of both documents. O(n-grams + pairs of n-grams that the source holds at most 64
 * times). TRIB_MEMORY. */
trib_status trib_passages_find(trib_passages *passages, const trib_influence_case *c,
                               const trib_influence *result, size_t s, uint32_t wildcard,
                               size_t gap, trib_error *error);
void trib_passages_release(trib_passages *passages);

/* The fraction of the mass of factor f that lies on n-grams its document does not hold: 1 - the sum
 * over the document's n-grams z of the factor's value at z (docs/model.md section 6). */
double trib_phantom_mass(const trib_factors *factors, size_t f,
                         const trib_influence_document *document);
/* The fraction of the mass of factor f that lies on n-grams with a given word, such as the
 * wildcard, which stands for different words: 1 - prod over the modes of (1 - the factor's value at
 * the word). 0 for a factor without mass. */
double trib_mass_with_word(const trib_factors *factors, size_t f, uint32_t word);

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

/* The shares of a decoy. `{0}` is empty: not measured. */
typedef struct trib_influence_null {
    bool is_measured; /* false: no other member is set */
    uint32_t source;  /* position of the source with the largest share; UINT32_MAX: none has one */
    double largest, mean; /* share of that source or of its group, and mean share; 0 .. 1 */
    uint64_t n_blocks;    /* blocks of words that were permuted */
    uint64_t seed;        /* of their order */
} trib_influence_null;

/* Measures a decoy in the place of the target, with the same sources and options but without
 * intervals. The shares of the method say what the words of the target alone would receive. Leaves
 * *null empty for a method that needs factors, since a decoy has none. Errors as trib_decoy_make
 * and trib_influence_measure. */
trib_status trib_influence_null_measure(trib_influence_null *null,
                                        const trib_influence_method *method,
                                        const trib_influence_case *c,
                                        const trib_influence_options *options, trib_error *error);

/* ---- The graph of influence (graph.c) -------------------------------------------------------- */

/* An edge: the share of document `to` that comes from document `from`. */
typedef struct trib_edge {
    uint32_t from, to; /* numbers of nodes */
    double share;      /* 0 to 1 */
} trib_edge;

/* A graph with documents as nodes, and a chronology. `{0}` is empty. */
typedef struct trib_graph {
    uint32_t n_nodes;   /* documents */
    size_t n_edges;     /* number of edges */
    trib_edge *edge;    /* [n_edges] by `to`, then by `from` */
    size_t *start;      /* [n_nodes + 1] the edges into u are start[u] .. start[u+1]-1 */
    uint32_t *order;    /* [n_nodes] the nodes, the earliest first */
    uint32_t *position; /* [n_nodes] position of every node in `order` */
} trib_graph;

/* Copies the edges and finds a chronology. There must be at most one edge from a node to another
 * and none from a node to itself (else TRIB_INTERNAL). A node whose year_end is at most another
 * node's year comes before it (NaN: unknown; both arrays may be NULL). Otherwise the order is
 * chosen so that few and weak edges run backward: by the greedy heuristic of Eades, Lin and Smyth
 * 1993 with weights, ties by number; then every node is moved to its best position, in turn, while
 * that gains anything. A graph without cycles gets a topological order. O(nodes^2 + edges), and the
 * same for every round of moves. TRIB_MEMORY. */
trib_status trib_graph_build(trib_graph *graph, uint32_t n_nodes, const trib_edge *edge,
                             size_t n_edges, const double *year, const double *year_end,
                             trib_error *error);
void trib_graph_release(trib_graph *graph);
/* Whether an edge contradicts the chronology. */
bool trib_graph_is_backward(const trib_graph *graph, const trib_edge *edge);

/* How much of a document another one explains along edges that run forward. Consider a random walk
 * that begins in the document and goes on to each source with its share as probability: it passes
 * through the other document with probability direct + through. */
typedef struct trib_reach {
    double direct; /* share of the direct edge; 0: there is none */
    /* the sum over all paths of two edges and more of the product of their shares */
    double through;
    double best;   /* the largest of these products */
    uint32_t via;  /* next node after this one on that path; UINT32_MAX: there is none */
    uint32_t next; /* next node after this one on the best path of any length */
} trib_reach;
/* Computes reach[n_nodes]: for every node u, the part of `to` that u explains, directly and through
 * other nodes; 0 for `to` itself. The best path of two or more edges from u goes to reach[u].via
 * and from there to the `next` of each node until `to`; of equal paths it is the one through later
 * nodes. O(nodes + edges). */
void trib_graph_reach(const trib_graph *graph, uint32_t to, trib_reach *reach);

/* Sets held[p] to 1 for every phrase p of the evidence that document `by` also holds, and leaves
 * the other elements unchanged. n_words is the size of the vocabulary. TRIB_MEMORY. */
trib_status trib_evidence_held(const trib_evidence *evidence, const trib_influence_document *by,
                               uint32_t n_words, uint8_t *held, trib_error *error);
/* The fraction of the evidence's mass on phrases with held[p] set, 0 .. 1: the part of a share that
 * could have come through another document. */
double trib_evidence_held_share(const trib_evidence *evidence, const uint8_t *held);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
