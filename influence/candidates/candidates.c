/* candidates.c - ranks the sources of each target by their estimated share by `split`. */
#include "influence/candidates/candidates.h"
#include "base/internal.h"

#include <pthread.h>

enum { FRACTION_BITS = 32 }; /* of a sum */

void trib_candidate_list_release(trib_candidate_list *list) {
    trib_free(list->candidate);
    *list = (trib_candidate_list){0};
}

/* ---- Sums ------------------------------------------------------------------------------------ */

trib_status trib_candidate_sums_init(trib_candidate_sums *sums, uint32_t n_documents,
                                     trib_error *error) {
    static const char what[] = "the sums of sources";
    *sums = (trib_candidate_sums){.n = n_documents};
    trib_status status = TRIB_NEW(&sums->mass, n_documents, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&sums->n_runs, n_documents, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&sums->weight, n_documents, what, error);
    if (status == TRIB_OK) status = trib_new(&sums->flag, n_documents, 1, what, error);
    return status;
}

void trib_candidate_sums_release(trib_candidate_sums *sums) {
    TRIB_FREE(sums->mass, sums->n_runs, sums->weight, sums->flag);
    *sums = (trib_candidate_sums){0};
}

/* Sets the sums to 0 and finds the admissible sources of a target. */
static void begin(trib_candidate_sums *sums, const trib_candidate_search *search, uint32_t target) {
    const uint32_t *rank = search->rank;
    const uint64_t *n_ngrams = search->n_ngrams;
    memset(sums->mass, 0, sums->n * sizeof *sums->mass);
    memset(sums->n_runs, 0, sums->n * sizeof *sums->n_runs);
    for (uint32_t d = 0; d < sums->n; d++) sums->flag[d] = rank ? rank[d] < rank[target] : 1;
    sums->flag[target] = 0;
    if (search->restrict_sources) search->restrict_sources(search->context, target, sums->flag);
    for (uint32_t d = 0; d < sums->n; d++)
        sums->weight[d] = sums->flag[d] && n_ngrams[d] > 0 ? 1 / (double)n_ngrams[d] : 0;
    sums->weight[target] = 0;
}

/* s_T: the rate at which a target is looked up. */
static uint32_t rate_of(const trib_candidate_search *search, uint32_t target) {
    const uint32_t rate = trib_sketch_rate(search->n_ngrams[target], search->ngrams->n_documents);
    return rate > search->rate || search->has_wanted ? rate : search->rate;
}

/* Divides T(z) of an n-gram z among its admissible holders; the target is one of holder[n]. */
static void divide(trib_candidate_sums *sums, const trib_holder holder[], size_t n,
                   uint32_t target) {
    double sum = 0, count = 0;
    for (size_t h = 0; h < n; h++) {
        sum += holder[h].count * sums->weight[holder[h].document];
        if (holder[h].document == target) count = holder[h].count;
    }
    if (sum <= 0) return;
    const double scale = count * (double)(UINT64_C(1) << FRACTION_BITS) / sum;
    for (size_t h = 0; h < n; h++)
        sums->mass[holder[h].document] +=
            (uint64_t)(holder[h].count * sums->weight[holder[h].document] * scale + .5);
}

/* Prefetches the holders of groups to come. */
TRIB_INLINE void fetch(const trib_sketch_groups *groups, uint32_t i, uint32_t end) {
    enum { NEAR = 4, FAR = 8 };
    if (i + FAR < end) __builtin_prefetch(&groups->start[groups->group[i + FAR]]);
    if (i + NEAR < end) __builtin_prefetch(&groups->holder[groups->start[groups->group[i + NEAR]]]);
}

/* Counts an equal fingerprint for each admissible one of holder[n]. */
static void count_runs(trib_candidate_sums *sums, const trib_holder holder[], size_t n) {
    for (size_t h = 0; h < n; h++) {
        const uint32_t d = holder[h].document;
        sums->n_runs[d] += sums->weight[d] > 0;
    }
}

/* Adds the groups of a target in one partition: those of runs, or of n-grams at its rate. */
static void add_groups(trib_candidate_sums *sums, const trib_sketch_groups *groups, uint32_t target,
                       bool are_runs, uint32_t rate) {
    const uint32_t end = groups->n_groups > 0 ? groups->first[target + 1] : 0;
    const uint8_t zeros = (uint8_t)__builtin_ctz(rate);
    for (uint32_t i = groups->n_groups > 0 ? groups->first[target] : 0; i < end; i++) {
        const uint32_t g = groups->group[i], n = groups->start[g + 1] - groups->start[g];
        const trib_holder *holder = groups->holder + groups->start[g];
        fetch(groups, i, end);
        if (are_runs) count_runs(sums, holder, n);
        else if (groups->zeros[g] >= zeros) divide(sums, holder, n, target);
    }
}

/* The bytes of a partition that a search reads. */
static size_t size_of(const trib_sketch_groups *groups, uint32_t n_documents) {
    return groups->n_groups * (sizeof *groups->start + 1) +
           groups->n_holders * (sizeof *groups->holder + sizeof *groups->group) +
           (groups->n_groups > 0 ? n_documents * sizeof *groups->first : 0);
}

/* Adds the partitions of one index, of n-grams or of runs. */
static void add_partitions(trib_candidate_sums sums[], const trib_candidate_search *search,
                           const trib_sketch_index *index, const uint32_t target[], size_t n) {
    enum { AT_ONCE = 16 << 20 }; /* bytes of partitions in memory */
    const int n_threads = search->n_threads > 1 ? search->n_threads : 1;
    size_t n_bytes = 0;
    for (uint32_t p = 0; p < index->n_partitions; p++) {
        const trib_sketch_groups *groups = &index->groups[p];
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
        for (size_t i = 0; i < n; i++)
            add_groups(&sums[i], groups, target[i], index == search->runs,
                       rate_of(search, target[i]));
        n_bytes += size_of(groups, index->n_documents);
        if (n_bytes < AT_ONCE && p + 1 < index->n_partitions) continue;
        trib_sketch_index_rest(index);
        n_bytes = 0;
    }
}

void trib_candidate_sums_of(trib_candidate_sums sums[], const trib_candidate_search *search,
                            const uint32_t target[], size_t n) {
    const int n_threads = search->n_threads > 1 ? search->n_threads : 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t i = 0; i < n; i++) begin(&sums[i], search, target[i]);
    add_partitions(sums, search, search->ngrams, target, n);
    if (search->runs) add_partitions(sums, search, search->runs, target, n);
}

/* ---- Choice ---------------------------------------------------------------------------------- */

/* A source while it is ranked. */
typedef struct ranked {
    uint64_t mass;
    uint32_t n_runs, document;
} ranked;

/* Descending mass, ties by document. */
TRIB_ORDER(by_mass, ranked, TRIB_DOWN(mass) ?: TRIB_UP(document));

/* Descending number of runs, then by mass. */
TRIB_ORDER(by_runs, ranked, TRIB_DOWN(n_runs) ?: by_mass(x, y));

/* The best of the sources that were offered. */
typedef struct best {
    ranked *source; /* [n] of cap */
    size_t n, most, cap;
    bool is_full;                               /* the first `most` are sorted */
    int (*compare)(const void *, const void *); /* negative: the first is better */
} best;

static trib_status best_init(best *b, uint32_t most, uint32_t n_documents,
                             int (*compare)(const void *, const void *), trib_error *error) {
    *b = (best){.most = most > 0 && most < n_documents ? most : n_documents, .compare = compare};
    b->cap = 2 * b->most < n_documents ? 2 * b->most : n_documents;
    return TRIB_NEW(&b->source, b->cap, "the candidates", error);
}

/* Sorts what was offered, and drops all but the best. */
static void sort_out(best *b) {
    if (b->n > 1) qsort(b->source, b->n, sizeof *b->source, b->compare);
    b->is_full = b->n >= b->most;
    if (b->is_full) b->n = b->most;
}

static void offer(best *b, ranked one) {
    if (b->is_full && b->compare(&b->source[b->most - 1], &one) < 0) return;
    if (b->n == b->cap) sort_out(b);
    b->source[b->n++] = one;
}

/* Fills `by_share` and then, from the other sources, `by_run`; both are sorted. flag[n_documents]
 * is scratch. */
static void choose(best *by_share, best *by_run, const trib_candidate_sums *sums) {
    for (uint32_t d = 0; d < sums->n; d++)
        if (sums->mass[d] > 0) offer(by_share, (ranked){sums->mass[d], sums->n_runs[d], d});
    sort_out(by_share);
    memset(sums->flag, 0, sums->n);
    for (size_t i = 0; i < by_share->n; i++) sums->flag[by_share->source[i].document] = 1;
    for (uint32_t d = 0; d < sums->n; d++)
        if (sums->n_runs[d] > 0 && !sums->flag[d])
            offer(by_run, (ranked){sums->mass[d], sums->n_runs[d], d});
    sort_out(by_run);
}

trib_status trib_candidate_sums_choose(trib_candidate_list *list, const trib_candidate_sums *sums,
                                       const trib_candidate_search *search, uint32_t target,
                                       trib_error *error) {
    best by_share = {0}, by_run = {0};
    const double total = (double)search->n_ngrams[target];
    trib_status status = best_init(&by_share, search->most, sums->n, by_mass, error);
    if (status == TRIB_OK)
        status = best_init(&by_run, search->most_by_runs, sums->n, by_runs, error);
    if (status == TRIB_OK) {
        choose(&by_share, &by_run, sums);
        status = TRIB_NEW(&list->candidate, by_share.n + by_run.n, "the candidates", error);
    }
    if (status == TRIB_OK) list->n = by_share.n + by_run.n;
    for (size_t i = 0; i < list->n; i++) {
        const ranked *source =
            i < by_share.n ? &by_share.source[i] : &by_run.source[i - by_share.n];
        const double mass = ldexp((double)source->mass, -FRACTION_BITS);
        list->candidate[i] = (trib_candidate){
            .document = source->document,
            .n_runs = source->n_runs,
            .share = total > 0 ? fmin(1, mass * rate_of(search, target) / total) : 0};
    }
    TRIB_FREE(by_share.source, by_run.source);
    return status;
}

/* ---- All targets ----------------------------------------------------------------------------- */

static trib_status check(const trib_candidate_search *search, const uint32_t target[],
                         size_t n_targets, trib_error *error) {
    const uint32_t n = search->ngrams->n_documents, rate = search->rate;
    if (search->runs && search->runs->n_documents != n)
        return trib_fail(error, TRIB_INTERNAL, "the indexes are of %u and %u documents", n,
                         search->runs->n_documents);
    if (rate == 0 || (rate & (rate - 1)) != 0)
        return trib_fail(error, TRIB_INTERNAL, "the rate %u of an index is no power of two", rate);
    for (size_t i = 0; i < n_targets; i++)
        if (target[i] >= n)
            return trib_fail(error, TRIB_INTERNAL, "target %u of %u documents", target[i], n);
    return TRIB_OK;
}

/* The targets of a block: their sums take BLOCK bytes, or there is one for each thread. */
static size_t block_size(const trib_candidate_search *search, size_t n_targets, int n_threads) {
    enum {
        BLOCK = 64 << 20,
        OF_DOCUMENT = sizeof(uint64_t) + sizeof(uint32_t) + sizeof(double) + 1
    };
    size_t n = BLOCK / (OF_DOCUMENT * ((size_t)search->ngrams->n_documents + 1));
    if (n < (size_t)n_threads) n = (size_t)n_threads;
    return n < n_targets ? n : n_targets;
}

/* The targets of a search that are done. */
typedef struct progress {
    const trib_candidate_search *search;
    size_t n_done, n_targets;
    bool goes_on;
} progress;

static pthread_mutex_t ticking = PTHREAD_MUTEX_INITIALIZER;

static bool tick(progress *to) {
    pthread_mutex_lock(&ticking);
    to->goes_on = to->goes_on && trib_progress_tick(&to->search->progress, (double)++to->n_done,
                                                    (double)to->n_targets);
    const bool goes_on = to->goes_on;
    pthread_mutex_unlock(&ticking);
    return goes_on;
}

static trib_status find_block(trib_candidate_list list[], trib_candidate_sums sums[],
                              const uint32_t target[], size_t n, progress *done, int n_threads,
                              trib_error *error) {
    size_t failed = SIZE_MAX;
    trib_status status = TRIB_OK;
    trib_candidate_sums_of(sums, done->search, target, n);
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t i = 0; i < n; i++) {
        trib_error failure = {0};
        trib_status one =
            trib_candidate_sums_choose(&list[i], &sums[i], done->search, target[i], &failure);
        if (one == TRIB_OK && !tick(done))
            one = trib_fail(&failure, TRIB_INTERRUPTED, "stopped while candidates were searched");
        trib_keep_first(i, one, &failure, &failed, &status, error);
    }
    return status;
}

trib_status trib_candidates_find(trib_candidate_list list[], const uint32_t target[],
                                 size_t n_targets, const trib_candidate_search *search,
                                 trib_error *error) {
    const int n_threads = search->n_threads > 1 ? search->n_threads : 1;
    const size_t most = block_size(search, n_targets, n_threads);
    trib_candidate_sums *sums = NULL; /* [most] */
    progress done = {.search = search, .n_targets = n_targets, .goes_on = true};
    trib_status status = check(search, target, n_targets, error);
    if (status == TRIB_OK) status = TRIB_NEW(&sums, most, "the sums of sources", error);
    for (size_t i = 0; i < most && status == TRIB_OK; i++)
        status = trib_candidate_sums_init(&sums[i], search->ngrams->n_documents, error);
    for (size_t first = 0, n; first < n_targets && status == TRIB_OK; first += n) {
        n = n_targets - first < most ? n_targets - first : most;
        status = find_block(list + first, sums, target + first, n, &done, n_threads, error);
    }
    for (size_t i = 0; sums && i < most; i++) trib_candidate_sums_release(&sums[i]);
    trib_free(sums);
    for (size_t i = 0; status != TRIB_OK && i < n_targets; i++)
        trib_candidate_list_release(&list[i]);
    return status;
}
