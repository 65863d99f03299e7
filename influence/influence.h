/* influence.h - how much of a target each source explains, and through which phrases.
 *
 * Two roads lead to a share. By factors (Lowe): decompose every document, measure the L1 distance
 * between all rank-1 factors, give each target factor to the nearest source. By counts
 * (containment, split, anchored): explain the target's n-grams directly by the sources' own. Every
 * road is a row of the table of methods.
 *
 * Sources: [L] Lowe 2018; the rest is docs/model.md section 5. */
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

/* The rank-1 factors of several documents in vocabulary ids, every vector sparse and sorted by id.
 * `{0}` is empty. */
typedef struct trib_factors {
    uint32_t n_modes;    /* of every factor */
    size_t n, cap;       /* factors */
    uint32_t *document;  /* [n] number of the document it comes from, ascending */
    uint32_t *component; /* [n] its number there */
    double *lambda;      /* [n] its mass there */
    /* [n * n_modes + 1] factor f, mode m holds start[f*n_modes+m] .. start[f*n_modes+m+1]-1 of: */
    size_t *start;
    size_t start_cap;                     /* allocated */
    uint32_t *word;                       /* vocabulary ids, ascending within a vector */
    double *value;                        /* positive */
    size_t n_values, word_cap, value_cap; /* entries of all vectors, and what is allocated */
    double *sum; /* [n * n_modes] of every vector; exactly 1 when it is 1 within 1e-12 */
} trib_factors;

/* Appends all components of `k`; word[i] is the vocabulary id of index i of every mode (NULL: i
 * itself), all different. Zero values are left out. Components with lambda 0 must have been
 * dropped. Documents come in ascending order, and all have the same number of modes. */
trib_status trib_factors_add(trib_factors *factors, uint32_t document, const trib_ktensor *k,
                             const uint32_t *word, trib_error *error);
void trib_factors_release(trib_factors *factors);

/* Scratch for one thread. `{0}` is empty; grows as needed. */
typedef struct trib_distance_scratch {
    void *memory; /* owned */
    size_t size;  /* bytes of it */
} trib_distance_scratch;
void trib_distance_scratch_release(trib_distance_scratch *scratch);

/* *distance = ||P - Q||_1 of factors p of `a` and q of `b`, each the outer product of its vectors,
 * lambda ignored; exact: sum P + sum Q - 2 sum min(P, Q) over the intersected supports by the
 * two-pointer sweep (docs/model.md section 4); below 1e-14 |P| it is 0. In [0, 2] for normalised
 * factors, exactly 2 for disjoint ones. Within one set it is symmetric to the bit. It depends on
 * the two factors alone, not on how words are numbered. */
trib_status trib_factor_distance(const trib_factors *a, size_t p, const trib_factors *b, size_t q,
                                 double *distance, trib_distance_scratch *scratch,
                                 trib_error *error);
/* Bounds of the same for normalised factors: *lower <= distance <= *upper, at the cost of the
 * intersections alone. */
void trib_factor_bounds(const trib_factors *a, size_t p, const trib_factors *b, size_t q,
                        double *lower, double *upper);
/* matrix[a->n][b->n], row-major. The bits do not depend on n_threads. */
trib_status trib_factor_matrix(const trib_factors *a, const trib_factors *b, double *matrix,
                               int n_threads, trib_error *error);
/* The same of one set, but for the pairs of documents d <= e < n_documents with known[d *
 * n_documents + e]: what stands in matrix[p][q], p <= q, of their factors is taken for right. */
trib_status trib_factor_matrix_rest(const trib_factors *factors, double *matrix, const bool *known,
                                    size_t n_documents, int n_threads, trib_error *error);

/* For every factor of `a` and every document of `b` the smallest distance and the factor that has
 * it. `{0}` is empty. */
typedef struct trib_factor_distances {
    size_t n_factors;   /* of a */
    size_t n_documents; /* columns */
    double *nearest;    /* [n_factors][n_documents]; 2 where the document has no factor */
    /* [n_factors][n_documents] factor of b, ties to the smallest; UINT32_MAX where none */
    uint32_t *which;
    uint64_t n_exact; /* exact sums computed, of a->n * b->n */
} trib_factor_distances;

/* Both sets normalised (TRIB_INTERNAL when not). Finds them without computing most distances: an
 * index from words to factors leaves only pairs whose supports meet in every mode, and a
 * best-first search by lower bound ends each row early. Equals the row minima of
 * trib_factor_matrix exactly. */
trib_status trib_factor_distances_find(trib_factor_distances *found, const trib_factors *a,
                                       const trib_factors *b, size_t n_documents, int n_threads,
                                       trib_error *error);
/* The same by parts: all 0 at first, then those of the factors f of `a` with row[f] to the
 * documents d of `b` with column[d] (NULL: all), at the cost of these alone. TRIB_INTERRUPTED when
 * it is to stop. */
trib_status trib_factor_distances_init(trib_factor_distances *found, size_t n_factors,
                                       size_t n_documents, trib_error *error);
trib_status trib_factor_distances_fill(trib_factor_distances *found, const trib_factors *a,
                                       const trib_factors *b, const bool *row, const bool *column,
                                       int n_threads, trib_progress progress, trib_error *error);
void trib_factor_distances_release(trib_factor_distances *found);

/* ---- Influence (method.c has the table) ------------------------------------------------------ */

/* One document as influence sees it. Everything is borrowed. */
typedef struct trib_influence_document {
    const trib_hacoo *counts; /* its n-grams over its own ids, all modes alike */
    const uint32_t *word;     /* [n_local] vocabulary id of each of its own ids */
    uint32_t n_local;         /* different words */
    uint64_t n_words;         /* its tokens */
    /* [n_ngrams] entry of `counts` at each n-gram of the text in order; NULL: no intervals, and no
     * method that needs it */
    const uint32_t *sequence;
    size_t n_ngrams; /* n-grams, one for each place */
} trib_influence_document;

/* An n-gram in a document. */
typedef struct trib_holder {
    uint32_t document, count; /* number of the document, and occurrences there */
} trib_holder;

/* Which documents of a corpus hold each n-gram: what every target asks, looked up once. `{0}` is
 * empty. */
typedef struct trib_concordance {
    size_t n_documents, n_ngrams; /* documents, and different n-grams */
    size_t *first;       /* [n_documents + 1] entry e of document d's counts is the n-gram */
    uint32_t *number;    /* ... number[first[d] + e], numbered from 0 as they first appear */
    size_t *start;       /* [n_ngrams + 1] n-gram g is held by start[g] .. start[g+1]-1 of: */
    trib_holder *holder; /* ascending by document */
} trib_concordance;

/* O(all nonzeros). Words are below n_words. TRIB_INTERNAL when documents differ in n; TRIB_MEMORY;
 * TRIB_INPUT beyond 2^32-1 n-grams or 128-bit keys. */
trib_status trib_concordance_build(trib_concordance *concordance,
                                   const trib_influence_document document[], size_t n_documents,
                                   uint32_t n_words, trib_error *error);
/* Only which of the documents among[n_among], ascending (NULL: of all), hold the n-grams of one
 * target, at the cost of these alone; other documents have no numbers. n_threads changes no bit.
 * Errors as above. */
trib_status trib_concordance_of_target(trib_concordance *concordance,
                                       const trib_influence_document document[], size_t n_documents,
                                       uint32_t n_words, uint32_t target, const uint32_t *among,
                                       size_t n_among, int n_threads, trib_error *error);
void trib_concordance_release(trib_concordance *concordance);

/* The words of documents in order, and every two and three words that stand side by side numbered
 * across all of them: what `traced` reads of a target and of its sources. `{0}` is empty. */
typedef struct trib_word_orders {
    size_t n_documents;               /* documents, those that are empty among them */
    struct trib_word_order *document; /* [n_documents] (influence/order.h) */
    size_t n_pairs, n_triples;        /* different ones */
} trib_word_orders;

/* Of the documents among[n_among] (NULL: of all), which need their sequences; the others stay
 * empty. O(words). TRIB_MEMORY; TRIB_INPUT beyond 2^32-1 triples. */
trib_status trib_word_orders_build(trib_word_orders *orders,
                                   const trib_influence_document document[], size_t n_documents,
                                   const uint32_t *among, size_t n_among, uint32_t n_words,
                                   trib_error *error);
void trib_word_orders_release(trib_word_orders *orders);

/* The common language, as far as one document's words go. `{0}` is empty: no background. */
typedef struct trib_background {
    uint32_t n;      /* components found; at most the B asked for */
    uint32_t stride; /* n rounded up to a multiple of 8; what pads a row is 0 */
    /* [n_local of the target][stride] bg_m, so G_b(z) = prod_m row[m][z_m][b] */
    double *row[TRIB_MAX_MODES];
} trib_background;
void trib_background_release(trib_background *background);

/* Expected counts of one word in every component, by modes. */
typedef struct trib_language_row {
    float *mass; /* [n_modes][n] */
    uint32_t n;  /* components when it was counted last; in later ones the word has none */
} trib_language_row;

/* One background for many targets, kept up to date document by document. */
typedef struct trib_common_language {
    uint32_t n_modes, n_words, n; /* n: components */
    uint32_t *row_of;             /* [n_words] row of a vocabulary word, UINT32_MAX: none */
    trib_language_row *row;       /* [n_rows] in the order in which words arrived */
    uint32_t n_rows;              /* rows used, of row_cap allocated */
    size_t row_cap;               /* rows allocated */
    double *total;                /* [n] mass of a component; together the number of documents */
    size_t n_documents;           /* documents added */
    uint64_t n_tokens;            /* of these documents */
} trib_common_language;

/* Empty, for vocabulary ids below n_words. */
trib_status trib_common_language_init(trib_common_language *language, uint32_t n_modes,
                                      uint32_t n_words, trib_error *error);
/* Adds a document, by incremental EM (Neal and Hinton 1998): what earlier documents contributed
 * stays, so the bits depend on the documents added, in their order, and on nothing else.
 * n_components at least, -1: max(1, rint(0.3 sqrt(tokens before this document))); never fewer than
 * before. One without n-grams changes nothing. O(nnz components). After a failure it can only be
 * released. TRIB_INTERRUPTED when progress asks to stop, TRIB_MEMORY. */
trib_status trib_common_language_add(trib_common_language *language,
                                     const trib_influence_document *document, int32_t n_components,
                                     const trib_progress *progress, trib_error *error);
/* The same from all documents at once, by CP-APR of their relative frequencies added up: it does
 * not depend on their order beyond rounding. n_components -1: max(1, rint(0.3 sqrt(tokens of all
 * but an average one))). */
trib_status trib_common_language_fit(trib_common_language *language,
                                     const trib_influence_document document[], size_t n_documents,
                                     uint32_t n_words, int32_t n_components, int n_threads,
                                     const trib_progress *progress, trib_error *error);
/* A row for every word of the document that has none yet, empty: the first step of adding it. */
trib_status trib_common_language_number(trib_common_language *language,
                                        const trib_influence_document *document, trib_error *error);
/* What it says of a document's words. */
trib_status trib_common_language_rows(trib_background *rows, const trib_common_language *language,
                                      const trib_influence_document *target, trib_error *error);
void trib_common_language_release(trib_common_language *language);

/* What a method works on: one target and its admissible sources. Everything is borrowed. */
typedef struct trib_influence_case {
    const trib_influence_document *document; /* [n_documents] */
    size_t n_documents;                      /* of the corpus */
    uint32_t n_words;                        /* vocabulary size: ids are below it */
    uint32_t target;                         /* number of a document */
    const uint32_t *source; /* [n_sources] documents, ascending; the target may be among them */
    size_t n_sources;       /* admissible ones */
    const trib_factors *factors;            /* of all documents; NULL when no method asks */
    const trib_factor_distances *distances; /* of `factors` to the documents; likewise NULL */
    const trib_concordance *concordance;    /* of all documents or of this target; may be NULL */
    const trib_word_orders *orders;         /* traced: of all documents; NULL: read for this case */
    const trib_background *background;      /* anchored: of the target's words; NULL: fitted here */
    const struct trib_influence *other;     /* of another method: its `split` is reused; or NULL */
    const struct trib_overlap *overlap;     /* evidence, passages: of the listed; NULL: made anew */
} trib_influence_case;

/* How a method measures; `{0}` is valid. */
typedef struct trib_influence_options {
    double threshold; /* lowe: largest distance that counts as a match, 0 .. 2 */
    /* anchored: common-language components B; -1: max(1, rint(0.3 sqrt(words S))); 0: none */
    int32_t background;
    uint32_t bootstrap; /* traced: traces drawn for 90 % intervals; anchored: resamples; 0: none */
    uint32_t run;       /* runs: shortest shared run, in words; at least n */
    /* rows with takes_shortlist: at most so many sources are weighed, those of the largest shares
     * by split; the others have none. 0: all */
    uint32_t shortlist;
    uint64_t seed;          /* of random numbers */
    int n_threads;          /* changes no bit */
    trib_progress progress; /* is told how much is done, and may stop */
} trib_influence_options;

typedef struct trib_influence_method trib_influence_method;

/* What one method says of one target. `{0}` is empty. A quantity a method does not have is NaN. */
typedef struct trib_influence {
    const trib_influence_method *method; /* that measured */
    uint32_t target;                     /* number of the document */
    size_t n_sources;                    /* as in the case */
    uint32_t *source;                    /* [n_sources] document numbers, as in the case */
    double *share;                       /* [n_sources] of the target, 0 .. 1 */
    double *low, *high; /* [n_sources] ends of the 90 % interval; NULL when not computed */
    uint32_t *listed;   /* [n_listed] positions of the sources that were weighed, ascending */
    size_t n_listed;    /* sources that were weighed */
    double *split;      /* [n_sources] shares by `split`, which made the list; NULL: it holds all */
    double split_author; /* the author's part by `split` */
    double author;       /* the author's own and the common language */
    /* The two parts of author; traced: in no source, and by chance; anchored: pi_0, sum of pi_b. */
    double own, common;
    double explained;      /* lowe: mass of the target's factors / |T| */
    double matched;        /* lowe: share of the target's factor mass that found a source */
    uint32_t background;   /* anchored: B used */
    uint32_t n_iterations; /* traced, anchored */
    double log_likelihood; /* traced, anchored */
    /* anchored: what evidence needs. explained_by[n_entries][n_sources] would be large, so its two
     * parts: */
    double *weight; /* [n_sources] pi_s of the round that gave `mix` */
    double *mix;    /* [nnz of the target] share[s] = sum T(z) weight[s] P_s(z) / mix(z) / |T| */
    /* traced: the same, for every pair of an entry of the target and a listed source that holds
     * it, ascending by entry, then by source: how many of the target's n-grams of that entry are
     * copies from that source. */
    double *credit;
    bool is_brief; /* read from where shares alone were kept: has none of these three */
} trib_influence;

/* A row of the table of methods. */
struct trib_influence_method {
    /* traced | lowe | lowe-soft | lowe-matched | anchored | split | containment | runs */
    const char *name;
    const char *help;      /* one line */
    bool needs_factors;    /* case->factors and ->distances */
    bool needs_order;      /* the sequence of the target and of every source */
    bool reads_words;      /* case->orders, when there are some for all targets */
    bool needs_background; /* case->background, when there is one for all targets */
    bool sums_to_one;      /* shares and author together */
    bool has_evidence;     /* fills weight and mix, or credit */
    bool takes_shortlist;  /* weighs the sources of a shortlist alone */
    /* Fills `result`, whose arrays are allocated and whose numbers are NaN or 0. */
    trib_status (*measure)(trib_influence *result, const trib_influence_case *c,
                           const trib_influence_options *options, trib_error *error);
};
/* ends with a row whose name is NULL */
extern const trib_influence_method trib_influence_methods[];
const trib_influence_method *trib_influence_method_find(const char *name);

/* Measures: allocates source, share and sets everything else to "does not have", then calls the
 * row. The result does not depend on the order of documents beyond 1e-12, nor on n_threads at all.
 * TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_influence_measure(trib_influence *result, const trib_influence_method *method,
                                   const trib_influence_case *c,
                                   const trib_influence_options *options, trib_error *error);
void trib_influence_release(trib_influence *result);

/* What contradicts what every result promises, or NULL: shares and ends of intervals are finite
 * and not negative, an interval holds its share, and the shares sum to one where the method says
 * so. trib_influence_measure gives no other. */
const char *trib_influence_fault(const trib_influence *result);

/* Shares of `lowe` at another threshold from stored distances alone: share[n_sources] and *author.
 * Distances within 1e-9 are equal, to each other and to the threshold. A target without factors is
 * all its author's. */
trib_status trib_lowe_at(const trib_influence_case *c, double threshold, double *share,
                         double *author, trib_error *error);

/* ---- Evidence (evidence.c) ------------------------------------------------------------------- */

/* An n-gram that occurs in target and source. */
typedef struct trib_phrase {
    uint32_t word[TRIB_MAX_MODES]; /* vocabulary ids */
    uint32_t in_target, in_source; /* counts */
    uint32_t n_other_documents;    /* documents besides these two that hold it */
    double mass;                   /* its part of the share: E_s(z) / |T| */
} trib_phrase;

/* A fibre of E_s: phrases that differ in one word. */
typedef struct trib_evidence_factor {
    double mass;                    /* its part of the share */
    uint32_t free_mode;             /* the mode in which the phrases differ */
    uint32_t fixed[TRIB_MAX_MODES]; /* vocabulary ids; fixed[free_mode] is TRIB_NO_FREE_WORD */
    size_t first, n; /* its words: evidence->free_word and ->free_mass [first .. first+n-1] */
} trib_evidence_factor;
/* The place of the free mode among the fixed words of a factor. */
#define TRIB_NO_FREE_WORD UINT32_MAX

/* Why a source has its share of a target: E_s(z) = T(z) pi_s P_s(z) / mix(z), only n-grams that
 * occur in both texts. `{0}` is empty. */
typedef struct trib_evidence {
    uint32_t target, source; /* document numbers */
    double share;            /* the sum of all masses */
    trib_phrase *phrase;     /* [n_phrases] descending mass, ties as they come in the target */
    size_t n_phrases, n_all_phrases; /* kept, and found: the same until it is cut */
    /* [n_factors] the fibre cover of E_s, masses descending; they add up to share */
    trib_evidence_factor *factor;
    size_t n_factors, n_all_factors; /* factors kept, and found */
    uint32_t *free_word;             /* vocabulary ids of the words that the factors differ in */
    double *free_mass;               /* the part of the share of each */
} trib_evidence;

/* The target's n-grams in the listed sources of a result, for trib_influence_case.overlap.
 * *overlap is NULL on failure. */
trib_status trib_overlap_of_listed(struct trib_overlap **overlap, const trib_influence_case *c,
                                   const trib_influence *result, trib_error *error);
void trib_overlap_free(struct trib_overlap *overlap);

/* Fills evidence[n_sources], one for each source of the result's list, from a method with
 * has_evidence. On failure some may be filled: all are to be released. n_threads changes no bit. */
trib_status trib_evidence_build(trib_evidence *evidence, const trib_influence_case *c,
                                const trib_influence *result, int n_threads, trib_error *error);
/* What stands in no source of the case: the author's own phrases, the most frequent first, and
 * their cover. `source` is the target itself; in_source is 0, a mass is the phrase's part of the
 * target. */
trib_status trib_evidence_of_author(trib_evidence *evidence, const trib_influence_case *c,
                                    trib_error *error);
/* How telling a phrase of target and source is in a corpus of n_documents: its inverse document
 * frequency log((n_documents + 1) / documents that hold it), these two among them (Spaerck Jones
 * 1972; the 1 keeps what all hold above 0). The fewer hold it, the fewer it can be from. */
double trib_phrase_weight(const trib_phrase *phrase, size_t n_documents);
/* (*order)[n_phrases]: the phrases in the order in which they are to be shown, by descending mass
 * times trib_phrase_weight, ties by number, that is by mass and then as they come in the target.
 * The caller frees *order. TRIB_MEMORY. */
trib_status trib_evidence_rank(size_t **order, const trib_evidence *evidence, size_t n_documents,
                               trib_error *error);
/* Keeps only the strongest `most` phrases and factors, and frees the memory of the others. */
void trib_evidence_cut(trib_evidence *evidence, size_t most);
void trib_evidence_release(trib_evidence *evidence);

/* ---- Passages (passages.c) ------------------------------------------------------------------- */

/* Equal n-grams in a row: target .. target+n-1 are source .. source+n-1. */
typedef struct trib_shared_run {
    size_t target, source, n; /* places in target and source, and number of n-grams */
} trib_shared_run;

/* A stretch of the target and the stretch of a source it runs along: runs in the same order, with
 * at most `gap` n-grams between them in either text. */
typedef struct trib_passage {
    size_t target, source;     /* number of its first n-gram in either text */
    size_t n_target, n_source; /* n-grams from there, the gaps among them */
    size_t n_shared;           /* n-grams in runs */
    size_t first_run, n_runs;  /* trib_passages.run[first_run ..] */
    double mass; /* their part of the share; of the target where there is no evidence */
} trib_passage;

/* All passages of a target with one source, no n-gram of the target in two of them. `{0}` is
 * empty. */
typedef struct trib_passages {
    uint32_t source;       /* document number */
    trib_passage *passage; /* [n] descending mass, ties by place in the target */
    size_t n, cap;         /* passages used, of cap allocated */
    trib_shared_run *run;  /* [n_runs] in the order of the target */
    size_t n_runs;         /* runs of all passages */
} trib_passages;

/* Finds the passages with source s of the case's list. `result` (of a method with has_evidence, or
 * NULL) weighs them: rare words count more. n-grams with the vocabulary id `wildcard` (UINT32_MAX:
 * none) are never equal, since different words hide behind it. Needs `sequence` of both documents;
 * O(n-grams + pairs of n-grams that the source holds at most 64 times). TRIB_MEMORY. */
trib_status trib_passages_find(trib_passages *passages, const trib_influence_case *c,
                               const trib_influence *result, size_t s, uint32_t wildcard,
                               size_t gap, trib_error *error);
void trib_passages_release(trib_passages *passages);

/* Mass that factor f of `factors` puts on n-grams its document does not hold, over all its mass: 1
 * minus the sum over the document's n-grams z of the factor's value at z (docs/model.md section
 * 6). */
double trib_phantom_mass(const trib_factors *factors, size_t f,
                         const trib_influence_document *document);
/* Mass that factor f puts on n-grams that hold a word (the wildcard, behind which different words
 * look the same), over all its mass: 1 - prod over the modes of (1 - its value there); 0 for a
 * factor without mass. */
double trib_mass_with_word(const trib_factors *factors, size_t f, uint32_t word);

/* ---- Planted corpora (synth.c) --------------------------------------------------------------- */

/* The words of a text in order, as ids. Borrowed. */
typedef struct trib_synth_text {
    const uint32_t *word; /* [n] */
    size_t n;             /* words */
} trib_synth_text;

/* A target of n_words words is made of runs: of source s rint(fraction[s] n_words) words in runs
 * of run_length (cells of a grid over it, drawn without replacement while they last), the rest in
 * consecutive runs of the author's own text. Runs are shuffled. Everything is borrowed. */
typedef struct trib_synth_plan {
    const trib_synth_text *source; /* [n_sources] none empty */
    const double *fraction;        /* [n_sources] each 0 .. 1, together at most 1 */
    size_t n_sources;              /* texts to copy from */
    trib_synth_text own;           /* no document of the corpus */
    size_t n_words;                /* of the target, at least 1 */
    size_t run_length;             /* words, at least 1 */
    double noise;  /* 0 .. 1: probability that a copied word becomes some word of the author's */
    uint64_t seed; /* of random numbers */
} trib_synth_plan;

/* Words of a planted target that stand in a row and come from one text. */
typedef struct trib_synth_run {
    uint32_t source; /* n_sources: the author's own */
    size_t first, n; /* its words in the target */
    size_t place;    /* of its first word in the source */
} trib_synth_run;

/* A planted target and where every word of it is from. `{0}` is empty. */
typedef struct trib_synth {
    uint32_t *word;      /* [n_words] */
    uint8_t *altered;    /* [n_words] 1: noise replaced it by another word */
    size_t n_words;      /* words of the target */
    trib_synth_run *run; /* [n_runs] in order */
    size_t n_runs;       /* runs of the target */
} trib_synth;

/* The same plan gives the same target everywhere. TRIB_USAGE for a plan that contradicts itself;
 * TRIB_MEMORY. */
trib_status trib_synth_plant(trib_synth *synth, const trib_synth_plan *plan, trib_error *error);
void trib_synth_release(trib_synth *synth);
/* The truth, the author last: words[n_sources + 1], shares of the words by whose run they stand
 * in; ngrams[n_sources + 1], shares of the windows of n words: a source's are those wholly inside
 * unaltered words of one run of it, the author's all others, since a window across a border or
 * with an altered word was copied from nowhere. Each adds up to 1 (to 0 when there is no
 * window). */
void trib_synth_truth(const trib_synth *synth, size_t n_sources, uint32_t n, double *words,
                      double *ngrams);

/* ---- The graph of influence (graph.c) -------------------------------------------------------- */

/* `share` of document `to` comes from `from`, 0 .. 1. */
typedef struct trib_edge {
    uint32_t from, to; /* numbers of nodes */
    double share;      /* 0 to 1 */
} trib_edge;

/* Documents as nodes, and a chronology. `{0}` is empty. */
typedef struct trib_graph {
    uint32_t n_nodes;   /* documents */
    size_t n_edges;     /* shares */
    trib_edge *edge;    /* [n_edges] by `to`, then by `from` */
    size_t *start;      /* [n_nodes + 1] the edges into u are start[u] .. start[u+1]-1 */
    uint32_t *order;    /* [n_nodes] the nodes, the earliest first */
    uint32_t *position; /* [n_nodes] of every node in it */
} trib_graph;

/* Copies the edges (at most one from a node to another, none to itself: TRIB_INTERNAL) and finds a
 * chronology. A node whose year_end is at most another's year comes before it (NaN: the time is
 * unknown; both arrays may be NULL). Where that leaves a choice, few and weak edges run backward:
 * the greedy heuristic of Eades, Lin and Smyth 1993 with weights, ties by number, then every node
 * sifted to its best place, in turn, while that gains. A graph without cycles is in topological
 * order. O(nodes^2 + edges) and the same for every round of sifting. TRIB_MEMORY. */
trib_status trib_graph_build(trib_graph *graph, uint32_t n_nodes, const trib_edge *edge,
                             size_t n_edges, const double *year, const double *year_end,
                             trib_error *error);
void trib_graph_release(trib_graph *graph);
/* Whether an edge contradicts the chronology. */
bool trib_graph_is_backward(const trib_graph *graph, const trib_edge *edge);

/* How much of a document one other explains along the edges that run forward: a walk that begins
 * at a place of the document and goes to a source with its share as probability passes the other
 * with probability direct + through. */
typedef struct trib_reach {
    double direct; /* the share of its edge; 0: there is none */
    /* the sum over all paths of two edges and more of the product of their shares */
    double through;
    double best;   /* the largest of these products */
    uint32_t via;  /* the node after this one on that path; UINT32_MAX: there is none */
    uint32_t next; /* the node after this one on the best path of any length */
} trib_reach;
/* reach[n_nodes]: every node's part of `to`; 0 for `to` itself. The best path of two edges and
 * more from u is u, via, its next, its next ... `to`; of equal ones the one through the later
 * nodes. O(nodes + edges). */
void trib_graph_reach(const trib_graph *graph, uint32_t to, trib_reach *reach);

/* Sets held[p] to 1 where document `by` holds phrase p of the evidence, too; leaves the others as
 * they are. n_words is the size of the vocabulary. TRIB_MEMORY. */
trib_status trib_evidence_held(const trib_evidence *evidence, const trib_influence_document *by,
                               uint32_t n_words, uint8_t *held, trib_error *error);
/* Their part of the evidence's mass, 0 .. 1: what of a share could have come through `by`. */
double trib_evidence_held_share(const trib_evidence *evidence, const uint8_t *held);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
