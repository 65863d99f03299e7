/* nearest.c - for every factor of one set, finds the nearest factor of each document of another set
 * without computing most distances (docs/model.md section 4).
 *
 * For one factor p and all factors q at once, an index from words to factors sums the terms of the
 * lower bound max(max_m d_m, 2(1 - prod BC_m)): in mode m, the shared mass sum min(p_m, q_m), which
 * gives the distance d_m = 2 - 2 sum min, and the affinity BC_m = sum sqrt(p_m q_m). A factor q
 * that shares no word in some mode has distance 2 and needs no computation. The other factors of
 * each document are measured, in the order of their lower bounds, until the next bound exceeds the
 * smallest distance found; a measurement ends where what is left cannot bring it below that. */
#include "influence/factors/vectors.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

/* Bounds are loosened by this amount, which exceeds the rounding errors of bounds and distances. */
static const double slack = 1e-12;

/* A factor of `b` that holds a word in some mode. */
typedef struct posting {
    uint32_t factor;
    double value, root; /* root = sqrt(value) */
} posting;

/* The postings of every word of one mode. `{0}` is empty. */
typedef struct word_index {
    uint32_t n_words;
    size_t *start; /* [n_words + 1] */
    posting *posting;
} word_index;

/* Data that all rows of the search read. */
typedef struct plan {
    const trib_factors *a, *b;
    const bool *column;               /* [n_documents] the requested documents of b; NULL: all */
    word_index index[TRIB_MAX_MODES]; /* of b */
    size_t *first;                    /* [n_documents + 1] first factor of b of each document */
    size_t n_documents;
} plan;

/* One thread's sums over the factors of `b`, and its scratch. `{0}` is empty. */
typedef struct search {
    double *shared, *affinity; /* [b->n] of the current mode */
    double *largest;           /* [b->n] largest distance in one mode so far */
    double *bound;             /* [b->n] product of the affinities, then the lower bound */
    trib_distance_scratch scratch;
} search;

/* ---- The index ------------------------------------------------------------------------------- */

static void word_index_release(word_index *index) {
    TRIB_FREE(index->start, index->posting);
    *index = (word_index){0};
}

static bool is_asked(const plan *p, size_t q) { return !p->column || p->column[p->b->document[q]]; }

/* Sorts mode m of all requested factors by word, with a counting sort; within a word, factors
 * ascend. */
static trib_status word_index_build(word_index *index, const plan *p, uint32_t m,
                                    trib_error *error) {
    const trib_factors *b = p->b;
    size_t n_postings = 0;
    for (size_t q = 0; q < b->n; q++) {
        if (!is_asked(p, q)) continue;
        const trib_factor_vector y = trib_factor_vector_of(b, q, m);
        n_postings += y.n;
        if (y.n > 0 && y.word[y.n - 1] >= index->n_words) index->n_words = y.word[y.n - 1] + 1;
    }
    trib_status status =
        TRIB_NEW(&index->start, (size_t)index->n_words + 2, "the index of words", error);
    if (status != TRIB_OK) return status;
    status = TRIB_NEW(&index->posting, n_postings, "the index of words", error);
    if (status != TRIB_OK) return status;
    /* First start[w + 2] counts word w. After the sums, start[w + 1] is the place of its next
     * posting. After the postings are written, start[w] is the first posting of w. */
    size_t *const next = index->start + 1;
    for (size_t q = 0; q < b->n; q++) {
        const trib_factor_vector y = trib_factor_vector_of(b, q, m);
        for (size_t i = 0; i < y.n && is_asked(p, q); i++) next[y.word[i] + 1]++;
    }
    for (uint32_t w = 0; w < index->n_words; w++) next[w + 1] += next[w];
    for (size_t q = 0; q < b->n; q++) {
        const trib_factor_vector y = trib_factor_vector_of(b, q, m);
        for (size_t i = 0; i < y.n && is_asked(p, q); i++)
            index->posting[next[y.word[i]]++] =
                (posting){(uint32_t)q, y.value[i], sqrt(y.value[i])};
    }
    return TRIB_OK;
}

static void plan_release(plan *p) {
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) word_index_release(&p->index[m]);
    trib_free(p->first);
    *p = (plan){0};
}

/* Bounds and ties require that every vector sums to 1, and columns that documents are in range. */
static trib_status check_factors(const trib_factors *factors, size_t n_documents,
                                 trib_error *error) {
    for (size_t v = 0; v < factors->n * factors->n_modes; v++)
        if (factors->sum[v] != 1)
            return trib_fail(error, TRIB_INTERNAL, "mode %zu of factor %zu sums to %g, not to 1",
                             v % factors->n_modes, v / factors->n_modes, factors->sum[v]);
    if (factors->n > 0 && factors->document[factors->n - 1] >= n_documents)
        return trib_fail(error, TRIB_INTERNAL,
                         "a factor belongs to document %u, but there are only %zu documents",
                         factors->document[factors->n - 1], n_documents);
    return TRIB_OK;
}

static trib_status plan_build(plan *p, const trib_factors *a, const trib_factors *b,
                              size_t n_documents, const bool *column, trib_error *error) {
    *p = (plan){.a = a, .b = b, .column = column, .n_documents = n_documents};
    trib_status status = check_factors(a, SIZE_MAX, error);
    if (status == TRIB_OK) status = check_factors(b, n_documents, error);
    if (status == TRIB_OK && a->n > 0 && b->n > 0 && a->n_modes != b->n_modes)
        status = trib_fail(error, TRIB_INTERNAL, "factors of %u modes against factors of %u",
                           a->n_modes, b->n_modes);
    for (uint32_t m = 0; m < b->n_modes && status == TRIB_OK; m++)
        status = word_index_build(&p->index[m], p, m, error);
    if (status == TRIB_OK) status = TRIB_NEW(&p->first, n_documents + 1, "documents", error);
    if (status != TRIB_OK) return status;
    for (size_t q = 0; q < b->n; q++) p->first[b->document[q] + 1]++;
    for (size_t d = 0; d < n_documents; d++) p->first[d + 1] += p->first[d];
    return TRIB_OK;
}

/* ---- One factor against all ------------------------------------------------------------------ */

static void search_release(search *s) {
    trib_free(s->shared);
    trib_distance_scratch_release(&s->scratch);
    *s = (search){0};
}

static trib_status search_init(search *s, const plan *p, trib_error *error) {
    const trib_status status =
        trib_new(&s->shared, p->b->n, 4 * sizeof *s->shared, "the nearest factors", error);
    if (status != TRIB_OK || p->b->n == 0) return status;
    s->affinity = s->shared + p->b->n;
    s->largest = s->affinity + p->b->n;
    s->bound = s->largest + p->b->n;
    return trib_distance_scratch_reserve(&s->scratch, p->a, p->b, error);
}

/* Computes shared[q] and affinity[q] of one mode. */
static void meet(const word_index *index, trib_factor_vector x, double *restrict shared,
                 double *restrict affinity) {
    for (size_t i = 0; i < x.n && x.word[i] < index->n_words; i++) {
        const double value = x.value[i], root = sqrt(value);
        const posting *const end = index->posting + index->start[x.word[i] + 1];
        for (const posting *at = index->posting + index->start[x.word[i]]; at < end; at++) {
            shared[at->factor] += at->value < value ? at->value : value;
            affinity[at->factor] += at->root * root;
        }
    }
}

/* Computes the lower bounds of factor f of `a` against all factors of `b`; infinite where the
 * distance is 2. */
static void find_bounds(search *s, const plan *p, size_t f) {
    const size_t n = p->b->n;
    for (size_t q = 0; q < n; q++) s->largest[q] = 0, s->bound[q] = 1;
    for (uint32_t m = 0; m < p->b->n_modes; m++) {
        memset(s->shared, 0, 2 * n * sizeof *s->shared);
        meet(&p->index[m], trib_factor_vector_of(p->a, f, m), s->shared, s->affinity);
        for (size_t q = 0; q < n; q++) {
            s->largest[q] = fmax(s->largest[q], 2 - 2 * s->shared[q]);
            s->bound[q] *= s->affinity[q];
        }
    }
    for (size_t q = 0; q < n; q++)
        s->bound[q] = s->bound[q] > 0 ? fmax(s->largest[q], 2 - 2 * s->bound[q]) - slack : INFINITY;
}

/* Finds the nearest factor of one document by best-first search. It also measures factors whose
 * bound equals the smallest distance found, because a factor with a smaller number may have that
 * distance too. Returns the number of exact distances computed. */
static uint64_t find_nearest(search *s, const plan *p, size_t f, size_t document, double *nearest,
                             uint32_t *which) {
    const size_t first = p->first[document], end = p->first[document + 1];
    uint64_t n_exact = 0;
    *nearest = 2;
    *which = first < end ? (uint32_t)first : UINT32_MAX;
    while (first < end) {
        size_t next = first;
        for (size_t q = first + 1; q < end; q++)
            if (s->bound[q] < s->bound[next]) next = q;
        if (s->bound[next] > *nearest) break;
        const double distance = trib_distance_of(p->a, f, p->b, next, *nearest, &s->scratch);
        n_exact++;
        s->bound[next] = INFINITY;
        if (distance < *nearest || (distance == *nearest && next < *which)) {
            *nearest = distance;
            *which = (uint32_t)next;
        }
    }
    return n_exact;
}

trib_status trib_factor_distances_init(trib_factor_distances *found, size_t n_factors,
                                       size_t n_documents, trib_error *error) {
    *found = (trib_factor_distances){.n_factors = n_factors, .n_documents = n_documents};
    trib_status status = trib_new(&found->nearest, n_factors, n_documents * sizeof *found->nearest,
                                  "the nearest factors", error);
    if (status == TRIB_OK)
        status = trib_new(&found->which, n_factors, n_documents * sizeof *found->which,
                          "the nearest factors", error);
    if (status != TRIB_OK) trib_factor_distances_release(found);
    return status;
}

static pthread_mutex_t ticking = PTHREAD_MUTEX_INITIALIZER;

trib_status trib_factor_distances_fill(trib_factor_distances *found, const trib_factors *a,
                                       const trib_factors *b, const bool *row, const bool *column,
                                       int n_threads, trib_progress progress, trib_error *error) {
    const size_t n_documents = found->n_documents;
    plan p = {0};
    search *s = NULL;
    uint64_t n_exact = 0;
    size_t n_done = 0, n_rows = 0;
    atomic_bool stopped = false;
    for (size_t f = 0; f < a->n; f++) n_rows += !row || row[f];
    trib_status status = plan_build(&p, a, b, n_documents, column, error);
    if (status == TRIB_OK) status = TRIB_NEW(&s, (size_t)n_threads, "threads", error);
    for (int t = 0; t < n_threads && status == TRIB_OK; t++) status = search_init(&s[t], &p, error);
    if (status != TRIB_OK) goto done;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) reduction(+ : n_exact)
    for (size_t f = 0; f < a->n; f++) {
        search *const mine = &s[omp_get_thread_num()];
        if ((row && !row[f]) || atomic_load(&stopped)) continue;
        find_bounds(mine, &p, f);
        for (size_t d = 0; d < n_documents && !trib_stop_asked(); d++)
            if (!column || column[d])
                n_exact += find_nearest(mine, &p, f, d, &found->nearest[f * n_documents + d],
                                        &found->which[f * n_documents + d]);
        pthread_mutex_lock(&ticking);
        if (!trib_progress_tick(&progress, (double)++n_done, (double)n_rows))
            atomic_store(&stopped, true);
        pthread_mutex_unlock(&ticking);
    }
    if (atomic_load(&stopped))
        status = trib_fail(error, TRIB_INTERRUPTED, "stopped while distances were measured");
    found->n_exact += n_exact;
done:
    for (int t = 0; s && t < n_threads; t++) search_release(&s[t]);
    trib_free(s);
    plan_release(&p);
    return status;
}

trib_status trib_factor_distances_find(trib_factor_distances *found, const trib_factors *a,
                                       const trib_factors *b, size_t n_documents, int n_threads,
                                       trib_error *error) {
    trib_status status = trib_factor_distances_init(found, a->n, n_documents, error);
    if (status == TRIB_OK)
        status = trib_factor_distances_fill(found, a, b, NULL, NULL, n_threads, (trib_progress){0},
                                            error);
    if (status != TRIB_OK) trib_factor_distances_release(found);
    return status;
}

void trib_factor_distances_release(trib_factor_distances *found) {
    TRIB_FREE(found->nearest, found->which);
    *found = (trib_factor_distances){0};
}
