/* candidates.h - the room `candidates`: the sources that a target may draw on, in a corpus too
 * large to compare every pair.
 *
 * Documents are sampled (sketch.h), the samples are sorted by n-gram, and the sources of
 * each target are ranked by their estimated share by `split`. The exact methods then weigh the
 * candidates alone. Sources that share a run of 12 uncommon words with the target are candidates,
 * too, however small their share.
 *
 *     trib_sketch_index index;    // and `runs`, likewise, from trib_sketch_runs
 *     trib_sketch_rate_of_corpus(&s, n_ngrams, NULL, n, most_entries, error);
 *     trib_sketch_index_open(&index, &(trib_sketch_index_options){
 *         .directory = scratch, .n_documents = n, .n_expected = sum_of_n_ngrams / s,
 *         .most_holders = n > TRIB_SKETCH_COMPLETE ? TRIB_SKETCH_MOST_HOLDERS : 0}, error);
 *     for each document d, in any thread:
 *         trib_sketch_build(&sketch, &document, d, &(trib_sketch_options){.rate = s}, error);
 *         trib_sketch_index_add(&index, sketch.entry, sketch.n, error);
 *     trib_sketch_index_build(&index, n_threads, error);
 *     trib_candidates_find(list, target, n_targets, &(trib_candidate_search){
 *         .ngrams = &index, .runs = &runs, .n_ngrams = n_ngrams, .rate = s, .rank = rank,
 *         .most = TRIB_CANDIDATES, .most_by_runs = TRIB_CANDIDATES_BY_RUNS,
 *         .n_threads = n_threads}, error);
 *
 * Targets too short for s (trib_sketch_rate(n_ngrams[t], n) < s) need a pass before: sketch them at
 * their own rate, add the sketches to a trib_wanted_hashes, give it to every trib_sketch_build as
 * `wanted`, and set `has_wanted` in the search. */
#ifndef TRIBUTARY_INFLUENCE_CANDIDATES_CANDIDATES_H
#define TRIBUTARY_INFLUENCE_CANDIDATES_CANDIDATES_H

#include "influence/candidates/sketch.h"

enum { TRIB_CANDIDATES = 160, TRIB_CANDIDATES_BY_RUNS = 40 };

/* A source that a target may draw on. */
typedef struct trib_candidate {
    uint32_t document; /* number of the source */
    uint32_t n_runs;   /* equal fingerprints of runs of words */
    double share;      /* estimated share by `split`, 0 .. 1 */
} trib_candidate;

/* The candidates of one target. `{0}` is empty. */
typedef struct trib_candidate_list {
    /* [n] descending by share, ties ascending by document; then those chosen by runs, descending by
     * n_runs, then as before */
    trib_candidate *candidate;
    size_t n;
} trib_candidate_list;
void trib_candidate_list_release(trib_candidate_list *list);

/* What is searched. All arrays are borrowed. */
typedef struct trib_candidate_search {
    const trib_sketch_index *ngrams; /* built; of all documents */
    const trib_sketch_index *runs;   /* built, of fingerprints of runs; NULL: none */
    const uint64_t *n_ngrams;        /* [n_documents] |X_d|, n-grams (tokens) of each document */
    uint32_t rate;                   /* s of the index */
    /* whether the index holds the n-grams of targets too short for `rate` (`wanted`) */
    bool has_wanted;
    /* [n_documents] a source is admissible if its rank is below the target's; NULL: all but the
     * target are */
    const uint32_t *rank;
    /* Clears is_source[d] of documents that are not admissible for the target; at first, those that
     * `rank` admits are set. Called by several threads. NULL: nothing is cleared. */
    void (*restrict_sources)(void *context, uint32_t target, uint8_t *is_source);
    void *context;         /* the first argument of restrict_sources */
    uint32_t most;         /* largest number of candidates by share; 0: no limit */
    uint32_t most_by_runs; /* largest number of further candidates by runs; 0: no limit */
    int n_threads;         /* does not change the result */
    trib_progress progress;
} trib_candidate_search;

/* Finds the candidates of target[n_targets] into list[n_targets], which must be empty.
 *
 * With sampled n-grams z, at the rate s_T of the target (trib_sketch_rate, but no smaller than the
 * index's), the share of a source is estimated by the formula of `split` (docs/model.md section 5):
 * s_T / |T| times the sum over z of T(z) P_s(z) / sum_r P_r(z), over the admissible sources r that
 * hold z. With s = 1 and all hashes kept it is the exact share, within 1e-9. Sums are of whole
 * numbers in units of 2^-32 n-grams, so any partitions and threads give the same bits.
 *
 * O(holders of the target's n-grams + n_documents) for each target. Targets are taken in blocks;
 * memory: 64 MiB for the sums of a block, or 21 n_documents bytes for each thread if that is more,
 * some partitions of the index, and the lists. TRIB_INTERNAL when the indexes do not fit;
 * TRIB_INTERRUPTED; TRIB_MEMORY. After a failure the lists are empty. */
trib_status trib_candidates_find(trib_candidate_list list[], const uint32_t target[],
                                 size_t n_targets, const trib_candidate_search *search,
                                 trib_error *error);

/* ---- In parts, for several processes --------------------------------------------------------- */

/* The sums of one target over all sources. A process adds what its partitions hold; the sums of
 * all processes are added (whole numbers, so in any order), and the candidates chosen. */
typedef struct trib_candidate_sums {
    uint64_t *mass;   /* [n_documents] sum over z of T(z) P_s(z) / sum_r P_r(z), in 2^-32 */
    uint32_t *n_runs; /* [n_documents] equal fingerprints */
    double *weight;   /* [n_documents] 1 / |X_d| of admissible sources, otherwise 0 */
    uint8_t *flag;    /* [n_documents] admissible; scratch */
    uint32_t n;       /* documents */
} trib_candidate_sums;

/* Allocates the arrays for a search. TRIB_MEMORY. */
trib_status trib_candidate_sums_init(trib_candidate_sums *sums, uint32_t n_documents,
                                     trib_error *error);
/* Sets sums[n] to those of target[n] by the index's partitions, which are read one after another
 * for all of these targets, so that memory holds few of them at a time. */
void trib_candidate_sums_of(trib_candidate_sums sums[], const trib_candidate_search *search,
                            const uint32_t target[], size_t n);
/* Chooses the candidates. TRIB_MEMORY. */
trib_status trib_candidate_sums_choose(trib_candidate_list *list, const trib_candidate_sums *sums,
                                       const trib_candidate_search *search, uint32_t target,
                                       trib_error *error);
void trib_candidate_sums_release(trib_candidate_sums *sums);

#endif
