/* groups.c - sources that cannot be told apart, such as two editions of a text: what the target has
 * from one could as well come from the other. The model divides it between them by small
 * differences, so each share alone is uncertain while their sum is not. */
#include "influence/methods.h"
#include "influence/overlap.h"

enum {
    MOST = 256,       /* sources compared: the others have at most 1/256 of the target each */
    LESS_BY = 10,     /* a source with a tenth of another's credit does not join it */
    NOT_COMPARED = -1 /* in `row` */
};

/* The sources compared. `{0}` is empty. */
typedef struct compared {
    size_t n;
    size_t source[MOST]; /* [n] positions, ascending */
    int *row;            /* [n_sources] index in `source`, or NOT_COMPARED */
    double *credit;      /* [n_sources] sum of the n-grams credited to a source */
    uint8_t *run;    /* [n][n_ngrams] n-grams of the run here that a source holds, at most 255 */
    double *also;    /* [n][n] part of a row's credit that the source of the column holds too */
    size_t of[MOST]; /* [n] parent in the forest of groups; a root is its own parent */
    size_t size;     /* n-grams of the target */
} compared;

/* Chooses the sources with the most credit, ties by position. */
static void choose(compared *x, size_t n_sources) {
    size_t largest[MOST] = {0};
    for (size_t s = 0; s < n_sources; s++) {
        x->row[s] = NOT_COMPARED;
        if (!(x->credit[s] > 0)) continue;
        if (x->n == MOST && x->credit[s] <= x->credit[largest[MOST - 1]]) continue;
        size_t at = x->n < MOST ? x->n++ : MOST - 1;
        for (; at > 0 && x->credit[largest[at - 1]] < x->credit[s]; at--)
            largest[at] = largest[at - 1];
        largest[at] = s;
    }
    for (size_t i = 0; i < x->n; i++) x->row[largest[i]] = 0;
    for (size_t s = 0, i = 0; s < n_sources; s++)
        if (x->row[s] != NOT_COMPARED) {
            x->row[s] = (int)i;
            x->source[i++] = s;
        }
}

static trib_status compared_init(compared *x, const trib_influence_document *target,
                                 const trib_overlap *overlap, const double *credit,
                                 size_t n_sources, trib_pool *pool) {
    static const char what[] = "groups of sources";
    *x = (compared){.size = target->n_ngrams};
    x->row = trib_pool_new(pool, n_sources, sizeof *x->row, what);
    x->credit = trib_pool_new(pool, n_sources, sizeof *x->credit, what);
    if (pool->status != TRIB_OK) return pool->status;
    for (size_t h = 0; h < overlap->start[overlap->n_entries]; h++)
        x->credit[overlap->shared[h].document] += credit[h];
    choose(x, n_sources);
    x->run = trib_pool_new(pool, trib_product(x->n, x->size), sizeof *x->run, what);
    x->also = trib_pool_new(pool, x->n * x->n, sizeof *x->also, what);
    return pool->status;
}

/* Sets run[i][k] to the number of consecutive n-grams around the target's k-th that source i
 * holds. */
static void find_runs(compared *x, const trib_influence_document *target,
                      const trib_overlap *overlap) {
    for (size_t k = 0; k < x->size; k++) {
        const size_t e = target->sequence[k];
        for (size_t h = overlap->start[e]; h < overlap->start[e + 1]; h++) {
            const int row = x->row[overlap->shared[h].document];
            if (row != NOT_COMPARED) x->run[(size_t)row * x->size + k] = 1;
        }
    }
    for (size_t i = 0; i < x->n; i++) {
        uint8_t *run = x->run + i * x->size;
        for (size_t k = 0; k < x->size;) {
            size_t end = k;
            while (end < x->size && run[end]) end++;
            const size_t length = end - k < UINT8_MAX ? end - k : UINT8_MAX;
            if (end > k) memset(run + k, (int)length, end - k);
            k = end + 1;
        }
    }
}

/* Adds up which part of each source's credit another source holds too: the n-grams at which its run
 * is as long. A shorter run shows that the two can be told apart there. */
static void compare_runs(compared *x, const trib_influence_document *target,
                         const trib_overlap *overlap, const double *credit) {
    for (size_t k = 0; k < x->size; k++) {
        const size_t e = target->sequence[k];
        for (size_t h = overlap->start[e]; h < overlap->start[e + 1]; h++) {
            const int own = x->row[overlap->shared[h].document];
            const double here = credit[h] / overlap->count[e];
            if (own == NOT_COMPARED || !(here > 0)) continue;
            const uint8_t run = x->run[(size_t)own * x->size + k];
            for (size_t g = overlap->start[e]; g < overlap->start[e + 1]; g++) {
                const int other = x->row[overlap->shared[g].document];
                if (other == NOT_COMPARED || other == own) continue;
                if (x->run[(size_t)other * x->size + k] >= run)
                    x->also[(size_t)own * x->n + (size_t)other] += here;
            }
        }
    }
}

static size_t root_of(compared *x, size_t i) {
    while (x->of[i] != i) i = x->of[i] = x->of[x->of[i]];
    return i;
}

/* Whether one of two sources has most of its credit from what the other holds too, and not much
 * less than the other. */
static bool are_alike(const compared *x, size_t i, size_t j) {
    const double one = x->credit[x->source[i]], other = x->credit[x->source[j]];
    return (x->also[i * x->n + j] > one / 2 && one * LESS_BY >= other) ||
           (x->also[j * x->n + i] > other / 2 && other * LESS_BY >= one);
}

/* Whether each member of one group is like each member of the other (complete linkage): else a row
 * of sources, each like the next, would be one group. */
static bool can_join(compared *x, size_t a, size_t b) {
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; root_of(x, i) == a && j < x->n; j++)
            if (root_of(x, j) == b && !are_alike(x, i, j)) return false;
    return true;
}

/* Joins the sources that cannot be told apart. The root of a group is its first source. Returns
 * whether there is a group. */
static bool join(compared *x) {
    bool is_any = false;
    for (size_t i = 0; i < x->n; i++) x->of[i] = i;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = i + 1; j < x->n; j++) {
            const size_t a = root_of(x, i), b = root_of(x, j);
            if (a == b || !are_alike(x, i, j) || !can_join(x, a, b)) continue;
            x->of[a > b ? a : b] = a > b ? b : a;
            is_any = true;
        }
    return is_any;
}

/* Writes the groups and the sums of their members' shares into the result. */
static trib_status report(trib_influence *result, compared *x, trib_error *error) {
    const size_t n = result->n_sources;
    trib_status status = TRIB_NEW(&result->group, n, "groups", error);
    if (status == TRIB_OK) status = TRIB_NEW(&result->group_share, n, "groups", error);
    if (status != TRIB_OK) return status;
    for (size_t s = 0; s < n; s++) {
        const bool is_compared = x->row[s] != NOT_COMPARED;
        result->group[s] = (uint32_t)(is_compared ? x->source[root_of(x, (size_t)x->row[s])] : s);
        result->group_share[result->group[s]] += result->share[s];
    }
    for (size_t s = 0; s < n; s++) result->group_share[s] = result->group_share[result->group[s]];
    return TRIB_OK;
}

trib_status trib_groups_find(trib_influence *result, const trib_influence_document *target,
                             const trib_overlap *overlap, const double *credit, trib_error *error) {
    TRIB_OWNED(trib_pool) pool = {.error = error};
    compared x;
    if (!target->sequence || result->n_sources < 2) return TRIB_OK;
    const trib_status status = compared_init(&x, target, overlap, credit, result->n_sources, &pool);
    if (status != TRIB_OK) return status;
    find_runs(&x, target, overlap);
    compare_runs(&x, target, overlap, credit);
    return join(&x) ? report(result, &x, error) : TRIB_OK;
}

/* ---- Intervals ------------------------------------------------------------------------------- */

/* Adds up the samples of the members of the group of source s. */
static void add_members(double *sum, const trib_influence *result, const double *sample, size_t n,
                        size_t s) {
    memset(sum, 0, n * sizeof *sum);
    for (size_t i = s; i < result->n_sources; i++)
        for (size_t p = 0; result->group[i] == s && p < n; p++) sum[p] += sample[i * n + p];
}

/* Makes the intervals of the groups. */
static trib_status of_groups(trib_influence *result, double *const sample[], size_t n_kinds,
                             size_t n, trib_interval_ends ends, const void *context,
                             trib_error *error) {
    enum { KINDS = 2 };
    const size_t n_sources = result->n_sources;
    TRIB_OWNED(trib_pool) pool = {.error = error};
    double *sum[KINDS] = {NULL, NULL};
    for (size_t k = 0; k < n_kinds; k++)
        sum[k] = trib_pool_new(&pool, n, sizeof *sum[k], "intervals");
    trib_status status = pool.status;
    if (status == TRIB_OK) status = TRIB_NEW(&result->group_low, n_sources, "intervals", error);
    if (status == TRIB_OK) status = TRIB_NEW(&result->group_high, n_sources, "intervals", error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++) {
        const uint32_t first = result->group[s];
        for (size_t k = 0; first == s && k < n_kinds; k++)
            add_members(sum[k], result, sample[k], n, s);
        if (first == s)
            ends(context, sum, result->group_share[s], &result->group_low[s],
                 &result->group_high[s]);
        result->group_low[s] = result->group_low[first];
        result->group_high[s] = result->group_high[first];
    }
    return status;
}

trib_status trib_intervals_make(trib_influence *result, double *const sample[], size_t n_kinds,
                                size_t n, trib_interval_ends ends, const void *context,
                                trib_error *error) {
    trib_status status = TRIB_NEW(&result->low, result->n_sources, "intervals", error);
    if (status == TRIB_OK) status = TRIB_NEW(&result->high, result->n_sources, "intervals", error);
    if (status == TRIB_OK && result->group) /* before the samples are reordered */
        status = of_groups(result, sample, n_kinds, n, ends, context, error);
    for (size_t s = 0; s < result->n_sources && status == TRIB_OK; s++)
        ends(context, (double *[]){sample[0] + s * n, sample[n_kinds - 1] + s * n},
             result->share[s], &result->low[s], &result->high[s]);
    return status;
}
