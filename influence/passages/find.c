/* find.c - finds runs of n-grams that target and source share, and joins them into passages.
 *
 * A pair of equal n-grams, i in the target and j in the source, lies on the diagonal j - i. A run
 * is a series of consecutive pairs on one diagonal. Every run is found from its first n-gram that
 * is rare enough in the source to be a seed, so the work is bounded by the number of seeds, not of
 * pairs. Where several runs cover the same words of the target, the longest wins. The remaining
 * runs are joined as long as both texts continue within `gap` n-grams. */
#include "base/internal.h"
#include "influence/overlap.h"
#include "influence/passages/passages.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* An n-gram that occurs more often in the source is not a seed. */
enum { MAX_SEEDS = 64 };

typedef struct runs {
    trib_shared_run *run;
    size_t n, cap;
} runs;

/* The n-grams of a source that the target holds, and where each of the target's entries is among
 * them. Numbers are 1 + the number in `held`; 0: none. One thread reuses it for all its sources, so
 * what was set for one is cleared afterwards. */
typedef struct places {
    trib_held_ngrams held;
    uint32_t *first;  /* [nnz of the target] the entry's first place in the source */
    uint32_t *number; /* [nnz of the target] its places in the source */
    uint32_t *next;   /* [held.n] the next place of the same entry */
    size_t cap;
} places;

static void places_release(places *list) {
    trib_held_ngrams_release(&list->held);
    TRIB_FREE(list->first, list->number, list->next);
}

/* Lists the places in the source that `held` is of. */
static trib_status list_places(places *list, size_t nnz, trib_error *error) {
    const trib_text_ngram *held = list->held.list;
    trib_status status = TRIB_OK;
    if (!list->first) status = TRIB_NEW(&list->first, nnz, "passages", error);
    if (status == TRIB_OK && !list->number)
        status = TRIB_NEW(&list->number, nnz, "passages", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&list->next, &list->cap, list->held.n, "passages", error);
    if (status != TRIB_OK) {
        list->held.n = 0;
        return status;
    }
    for (size_t p = list->held.n; p-- > 0;) {
        list->next[p] = list->first[held[p].ngram];
        list->first[held[p].ngram] = (uint32_t)p + 1;
        list->number[held[p].ngram]++;
    }
    return TRIB_OK;
}

static void clear_places(places *list) {
    for (size_t p = 0; p < list->held.n; p++) {
        const uint32_t e = list->held.list[p].ngram;
        list->first[e] = list->number[e] = 0;
    }
    list->held.n = 0;
}

static bool starts_runs(const places *list, uint32_t e) { return list->number[e] <= MAX_SEEDS; }

/* Whether n-gram i of the target equals n-gram j of the source, which is number p of `held`, if it
 * is held at all. */
static bool are_equal(const places *list, const trib_influence_document *target, size_t i, size_t p,
                      size_t j) {
    return list->held.list[p].place == j && list->held.list[p].ngram == target->sequence[i];
}

/* Adds the run through the seed of the target's n-gram i and number p of `held`, unless an earlier
 * n-gram of the run is a seed too: that one found it already. */
static trib_status add_run(runs *found, const trib_influence_document *target, const places *list,
                           size_t i, size_t p, trib_error *error) {
    const size_t j = list->held.list[p].place;
    size_t before = 0, n = 1;
    while (before < i && before < p &&
           are_equal(list, target, i - before - 1, p - before - 1, j - before - 1)) {
        before++;
        if (starts_runs(list, list->held.list[p - before].ngram)) return TRIB_OK;
    }
    while (i + n < target->n_ngrams && p + n < list->held.n &&
           are_equal(list, target, i + n, p + n, j + n))
        n++;
    const trib_status status = TRIB_GROW(&found->run, &found->cap, found->n + 1, "passages", error);
    if (status == TRIB_OK)
        found->run[found->n++] = (trib_shared_run){i - before, j - before, before + n};
    return status;
}

/* Finds the runs through the target's n-grams first .. end-1. */
static trib_status find_runs(runs *found, const trib_influence_document *target, const places *list,
                             size_t first, size_t end, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = first; i < end && status == TRIB_OK; i++) {
        const uint32_t e = target->sequence[i];
        if (!starts_runs(list, e)) continue;
        for (size_t p = list->first[e]; p > 0 && status == TRIB_OK; p = list->next[p - 1])
            status = add_run(found, target, list, i, p - 1, error);
    }
    return status;
}

/* Longest first, ties by position in the target, then in the source. */
static int by_length(const void *a, const void *b) {
    const trib_shared_run *x = a, *y = b;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return (x->source > y->source) - (x->source < y->source);
}

static int by_target(const void *a, const void *b) {
    const trib_shared_run *x = a, *y = b;
    return (x->target > y->target) - (x->target < y->target);
}

/* Reduces every run to the longest part that no longer run covers, and removes runs without such a
 * part. */
static trib_status select_longest(runs *found, size_t n_ngrams, trib_error *error) {
    uint8_t *covered = NULL;
    size_t n_left = 0;
    const trib_status status = trib_new(&covered, n_ngrams, 1, "passages", error);
    if (status != TRIB_OK) return status;
    if (found->n > 1) qsort(found->run, found->n, sizeof *found->run, by_length);
    for (size_t r = 0; r < found->n; r++) {
        const trib_shared_run all = found->run[r];
        size_t best = 0, n_best = 0;
        for (size_t k = 0, free_from = 0; k <= all.n; k++) {
            if (k < all.n && !covered[all.target + k]) continue;
            if (k - free_from > n_best) best = free_from, n_best = k - free_from;
            free_from = k + 1;
        }
        if (n_best == 0) continue;
        memset(covered + all.target + best, 1, n_best);
        found->run[n_left++] = (trib_shared_run){all.target + best, all.source + best, n_best};
    }
    found->n = n_left;
    if (n_left > 1) qsort(found->run, n_left, sizeof *found->run, by_target);
    trib_free(covered);
    return TRIB_OK;
}

/* Whether the run `next` continues the passage within `gap` n-grams in both texts. */
static bool goes_on(const trib_passage *passage, const trib_shared_run *next, size_t gap) {
    const size_t target_end = passage->target + passage->n_target,
                 source_end = passage->source + passage->n_source;
    return next->target - target_end <= gap && next->source >= source_end &&
           next->source - source_end <= gap;
}

static trib_status join(trib_passages *passages, const runs *found, size_t gap, const double *mass,
                        const uint32_t *sequence, trib_error *error) {
    trib_passage *last = NULL;
    for (size_t r = 0; r < found->n; r++) {
        const trib_shared_run *next = &found->run[r];
        if (!last || !goes_on(last, next, gap)) {
            const trib_status status =
                TRIB_GROW(&passages->passage, &passages->cap, passages->n + 1, "passages", error);
            if (status != TRIB_OK) return status;
            last = &passages->passage[passages->n++];
            *last = (trib_passage){.target = next->target, .source = next->source, .first_run = r};
        }
        last->n_target = next->target + next->n - last->target;
        last->n_source = next->source + next->n - last->source;
        last->n_shared += next->n;
        last->n_runs++;
        for (size_t k = 0; k < next->n; k++) last->mass += mass[sequence[next->target + k]];
    }
    return TRIB_OK;
}

/* The position of source s among the listed ones, or their number. */
static size_t listed_place(const trib_influence *result, size_t s) {
    size_t low = 0, high = result->n_listed;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (result->listed[middle] < s) low = middle + 1;
        else high = middle;
    }
    return low < result->n_listed && result->listed[low] == s ? low : result->n_listed;
}

/* Sets mass[e] from posterior samples: the credit of the source for entry e, divided by the
 * occurrences of e in the target. 0 for an entry that the source does not hold. */
static trib_status weigh_by_credit(double *mass, const trib_influence_case *c,
                                   const trib_influence *result, size_t s, const places *list,
                                   trib_error *error) {
    const double target_total = (double)c->document[c->target].counts->total;
    const size_t d = listed_place(result, s);
    trib_overlap *own = NULL;
    trib_status status = c->overlap ? TRIB_OK : trib_overlap_of_listed(&own, c, result, error);
    const trib_overlap *overlap = c->overlap ? c->overlap : own;
    for (size_t p = 0; status == TRIB_OK && d < result->n_listed && p < list->held.n; p++) {
        const size_t e = list->held.list[p].ngram;
        if (list->first[e] != p + 1) continue; /* not the first place of e */
        size_t low = overlap->start[e], high = overlap->start[e + 1];
        while (low < high) { /* ascending by document */
            const size_t middle = (low + high) / 2;
            if (overlap->shared[middle].document < d) low = middle + 1;
            else high = middle;
        }
        if (low < overlap->start[e + 1] && overlap->shared[low].document == d)
            mass[e] = result->credit[low] / overlap->count[e] / target_total;
    }
    trib_overlap_free(own);
    return status;
}

/* Sets mass[e] to the part of the target that one n-gram of entry e contributes to the source's
 * share. */
static trib_status weigh(double **mass, const trib_influence_case *c, const trib_influence *result,
                         size_t s, const places *list, trib_error *error) {
    const trib_hacoo *counts = c->document[c->target].counts;
    const double target_total = (double)counts->total,
                 source_total = (double)c->document[c->source[s]].counts->total;
    trib_status status = TRIB_NEW(mass, counts->nnz, "passages", error);
    if (status == TRIB_OK && result && result->credit)
        return weigh_by_credit(*mass, c, result, s, list, error);
    for (size_t e = 0; status == TRIB_OK && e < counts->nnz; e++) {
        const double in_source = list->number[e];
        (*mass)[e] = 1 / target_total;
        if (result && result->weight)
            (*mass)[e] *=
                result->weight[s] * in_source / source_total / fmax(result->mix[e], 1e-300);
    }
    return status;
}

static int by_mass(const void *a, const void *b) {
    const trib_passage *x = a, *y = b;
    if (x->mass != y->mass) return x->mass > y->mass ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

/* What is the same for all sources of a target. */
typedef struct search {
    const trib_influence_case *c;
    const trib_passages_wanted *wanted;
    const trib_influence *result; /* or NULL */
    trib_ngram_index index;
    uint8_t *is_wild; /* [nnz of the target] 1: has the wildcard */
    int n_threads;
    places *list; /* [n_threads] */
} search;

static trib_status search_open(search *with, trib_error *error) {
    const trib_influence_document *target = &with->c->document[with->c->target];
    const trib_hacoo *counts = target->counts;
    trib_status status = trib_ngram_index_open(&with->index, with->c, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&with->list, (size_t)with->n_threads, "passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&with->is_wild, counts->nnz, "passages", error);
    for (size_t e = 0; status == TRIB_OK && e < counts->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(counts, e, index);
        for (uint32_t m = 0; m < counts->n_modes; m++)
            if (target->word[index[m]] == with->wanted->wildcard) with->is_wild[e] = 1;
    }
    return status;
}

static void search_close(search *with) {
    for (int i = 0; with->list && i < with->n_threads; i++) places_release(&with->list[i]);
    trib_free(with->list);
    trib_ngram_index_close(&with->index);
    trib_free(with->is_wild);
}

/* Finds the target's n-grams in source s. */
static trib_status read_source(places *list, const search *with, size_t s, trib_error *error) {
    const trib_influence_case *c = with->c;
    trib_held_ngrams *held = &list->held;
    size_t n = 0;
    const trib_status status = trib_ngram_index_read(held, &with->index, c->source[s], error);
    for (size_t p = 0; status == TRIB_OK && p < held->n; p++)
        if (!with->is_wild[held->list[p].ngram]) held->list[n++] = held->list[p];
    held->n = n;
    return status == TRIB_OK ? list_places(list, c->document[c->target].counts->nnz, error)
                             : status;
}

/* Gives back the memory of the runs that are left: at first there were many more. */
static trib_status copy_runs(trib_passages *passages, const runs *found, trib_error *error) {
    const trib_status status = TRIB_NEW(&passages->run, found->n, "passages", error);
    if (status != TRIB_OK) return status;
    if (found->n > 0) memcpy(passages->run, found->run, found->n * sizeof *found->run);
    passages->n_runs = found->n;
    return TRIB_OK;
}

/* The number of the first chain of source s or of a later one. */
static size_t first_chain(const trib_chains *chains, size_t s) {
    size_t low = 0, high = chains ? chains->n : 0;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (chains->chain[middle].source < s) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Finds the runs with source s, in the whole target or in its chains. Without a run that is long
 * enough for a notable passage, there are none in the chains. */
static trib_status find_wanted(runs *found, const search *with, size_t s, const places *list,
                               trib_error *error) {
    const trib_influence_case *c = with->c;
    const trib_influence_document *target = &c->document[c->target];
    const trib_chains *chains = with->wanted->chains;
    bool is_long = false;
    trib_status status = TRIB_OK;
    if (with->wanted->all[s]) return find_runs(found, target, list, 0, target->n_ngrams, error);
    for (size_t i = first_chain(chains, s); i < first_chain(chains, s + 1); i++)
        if (status == TRIB_OK)
            status =
                find_runs(found, target, list, chains->chain[i].first, chains->chain[i].end, error);
    for (size_t r = 0; r < found->n; r++)
        if (found->run[r].n + target->counts->n_modes > TRIB_NOTABLE_RUN) is_long = true;
    if (!is_long) found->n = 0;
    return status;
}

/* Drops the passages with too few words to be notable. */
static void keep_long(trib_passages *passages, uint32_t n_modes) {
    size_t n = 0;
    for (size_t p = 0; p < passages->n; p++) {
        const trib_passage *passage = &passages->passage[p];
        if (passage->n_shared + passage->n_runs * (n_modes - 1) >= TRIB_NOTABLE_WORDS)
            passages->passage[n++] = *passage;
    }
    passages->n = n;
}

static trib_status find_pair(trib_passages *passages, const search *with, size_t s, places *list,
                             trib_error *error) {
    const trib_influence_case *c = with->c;
    const trib_influence_document *target = &c->document[c->target];
    double *mass = NULL;
    runs found = {0};
    *passages = (trib_passages){.source = c->source[s]};
    trib_status status = read_source(list, with, s, error);
    if (status == TRIB_OK) status = find_wanted(&found, with, s, list, error);
    if (status == TRIB_OK && found.n == 0) goto done;
    if (status == TRIB_OK) status = select_longest(&found, target->n_ngrams, error);
    if (status == TRIB_OK) status = weigh(&mass, c, with->result, s, list, error);
    if (status == TRIB_OK)
        status = join(passages, &found, with->wanted->gap, mass, target->sequence, error);
    if (!with->wanted->all[s]) keep_long(passages, target->counts->n_modes);
    if (status == TRIB_OK && passages->n > 1)
        qsort(passages->passage, passages->n, sizeof *passages->passage, by_mass);
    if (passages->n > 0 && status == TRIB_OK) status = copy_runs(passages, &found, error);
    if (passages->n == 0) trib_passages_release(passages);
    passages->source = c->source[s];
done:
    TRIB_FREE(found.run, mass);
    clear_places(list);
    if (status != TRIB_OK) trib_passages_release(passages);
    return status;
}

trib_status trib_passages_find(trib_passages passages[], const trib_passages_wanted *wanted,
                               const trib_influence_case *c, const trib_influence *result,
                               int n_threads, trib_error *error) {
    search with = {.c = c, .wanted = wanted, .result = result, .n_threads = n_threads};
    size_t failed = SIZE_MAX; /* the first source that failed */
    trib_status status = search_open(&with, error);
    const size_t n_sources = status == TRIB_OK ? c->n_sources : 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t s = 0; s < n_sources; s++) {
        trib_error failure = {0};
        const trib_chains *chains = wanted->chains;
        if (!wanted->all[s] && first_chain(chains, s) == first_chain(chains, s + 1)) continue;
        trib_status one = trib_stop_check(&failure);
        if (one == TRIB_OK)
            one = find_pair(&passages[s], &with, s, &with.list[omp_get_thread_num()], &failure);
        trib_keep_first(s, one, &failure, &failed, &status, error);
    }
    search_close(&with);
    return status;
}

void trib_passages_release(trib_passages *passages) {
    TRIB_FREE(passages->passage, passages->run);
    *passages = (trib_passages){0};
}
