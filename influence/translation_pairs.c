/* translation_pairs.c - scores every unit of a target with every unit of a source. A row of scores
 * is added up from the units of the source that have the words for which those of its unit may
 * stand; sums along the diagonal are made of the rows of a block. Of each row the best 20 are kept
 * and of each column the 5 best, so memory grows with the units. Random orders of the source are
 * scored from the same rows. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "influence/translations.h"

enum { NEAR = 2, HUB = 5, ROW = 20, BLOCK = 64, ORDERS = 3, MORE_ORDERS = 7 };
static const uint64_t FEW = 1 << 22; /* pairs of units; of fewer there are more random orders */
static const char what[] = "the scores of units";

/* A unit, of the source at its place in an order, and a score; 0: there is none. */
typedef struct scored {
    uint32_t unit;
    float score;
} scored;

/* What one thread works with. */
typedef struct worker {
    float *query;                      /* [n_words] what the words of a unit may stand for */
    uint32_t *asked;                   /* [n_words] the words in it */
    float *row;                        /* [BLOCK + 2 NEAR][wide] of a block, and those around it */
    scored *hub;                       /* [n_orders][n_source][HUB] the best of each column */
    bool has_scores[BLOCK + 2 * NEAR]; /* of each row */
} worker;

typedef struct scoring {
    const trib_unit_texts *texts;
    const trib_word_table *table;
    uint32_t reach, n_orders, n_target, n_source;
    size_t wide;        /* n_source + 1: a row, and a zero for what is outside the source */
    float *idf, *idf_t; /* [n_words] of the source, of the target */
    float *scale;       /* [n_source] makes the length of each unit 1 */
    size_t *post;       /* [n_words + 1] units of the source with each word */
    uint32_t *unit;     /* these units */
    uint32_t *at;       /* [n_orders][NEAR + n_source + NEAR] the source; the first is as is */
    scored *best;       /* [n_orders][n_target][ROW] */
    scored *column;     /* [n_source] the best row */
    worker *worker;     /* [n_threads] */
    trib_pool pool;
} scoring;

/* Puts a score among the n best, descending; of equal ones the first stays first. */
TRIB_INLINE void put_best(scored best[], int n, uint32_t unit, float score) {
    int k = n - 1;
    if (!(score > best[k].score)) return;
    for (; k > 0 && score > best[k - 1].score; k--) best[k] = best[k - 1];
    best[k] = (scored){unit, score};
}

static float mean(const scored best[]) {
    float sum = 0;
    for (int k = 0; k < HUB; k++) sum += best[k].score;
    return sum / HUB;
}

/* ---- Weights --------------------------------------------------------------------------------- */

/* The logarithm of all units over those that have a word. `number` is scratch, [n_words]. */
static void find_idf(const trib_units *units, uint32_t n_words, float idf[], uint32_t number[]) {
    memset(number, 0, n_words * sizeof *number);
    for (size_t w = 0; w < units->start[units->n]; w++) number[units->word[w]]++;
    for (uint32_t w = 0; w < n_words; w++)
        if (number[w] > 0) idf[w] = (float)trib_logarithm((double)units->n / number[w]);
}

/* Finds the weights of words, the units of the source with each word, and the orders. */
static void weigh(scoring *s, uint64_t seed) {
    const trib_units *const units = s->texts->source;
    const uint32_t n_words = s->texts->n_words;
    trib_random random;
    trib_random_seed(&random, seed);
    find_idf(s->texts->target, n_words, s->idf_t, s->worker[0].asked);
    find_idf(units, n_words, s->idf, s->worker[0].asked);
    for (size_t w = 0; w < units->start[units->n]; w++) s->post[units->word[w] + 1]++;
    for (uint32_t w = 0; w < n_words; w++) s->post[w + 1] += s->post[w];
    for (uint32_t u = 0; u < units->n; u++) {
        float length = 0;
        for (size_t w = units->start[u]; w < units->start[u + 1]; w++) {
            length += s->idf[units->word[w]] * s->idf[units->word[w]];
            s->unit[s->post[units->word[w]]++] = u;
        }
        s->scale[u] = length > 0 ? 1 / sqrtf(length) : 0;
    }
    memmove(s->post + 1, s->post, n_words * sizeof *s->post);
    s->post[0] = 0;
    for (size_t k = 0; k < s->n_orders * (units->n + 2 * NEAR); k++) s->at[k] = units->n;
    for (size_t o = 0; o < s->n_orders; o++) {
        uint32_t *const at = s->at + o * (units->n + 2 * NEAR) + NEAR;
        for (uint32_t j = 0; j < units->n; j++) { /* `column` is not in use yet */
            const uint32_t k = o > 0 ? (uint32_t)trib_random_below(&random, (uint64_t)j + 1) : j;
            s->column[j].unit = s->column[k].unit;
            s->column[k].unit = j;
        }
        for (uint32_t j = 0; j < units->n; j++) at[s->column[j].unit] = j;
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Makes row i of the scores in row r of the block; it has none outside the text. */
static void make_row(const scoring *s, worker *w, int64_t i, uint32_t r) {
    float *const row = w->row + r * s->wide;
    const trib_units *const units = s->texts->target;
    const bool is_inside = i >= 0 && i < s->n_target;
    const size_t first = is_inside ? units->start[i] : 0, end = is_inside ? units->start[i + 1] : 0;
    uint32_t n = 0;
    float length = 0;
    if (w->has_scores[r]) memset(row, 0, s->wide * sizeof *row);
    for (size_t k = first; k < end; k++) {
        const size_t *const entry = s->table->start + units->word[k];
        for (size_t e = entry[0]; e < entry[1]; e++) {
            const uint32_t word = s->table->pair[e].source;
            const float x = s->idf_t[units->word[k]] * s->table->pair[e].weight * s->idf[word];
            if (!(x > 0)) continue;
            if (!(w->query[word] > 0)) w->asked[n++] = word;
            w->query[word] += x;
        }
    }
    for (uint32_t a = 0; a < n; a++) length += w->query[w->asked[a]] * w->query[w->asked[a]];
    for (uint32_t a = 0; a < n; a++) {
        const uint32_t word = w->asked[a];
        const float x = length > 0 ? w->query[word] / sqrtf(length) * s->idf[word] : 0;
        w->query[word] = 0;
        for (size_t p = s->post[word]; p < s->post[word + 1]; p++) row[s->unit[p]] += x;
    }
    w->has_scores[r] = n > 0;
    for (uint32_t j = 0; j < s->n_source && n > 0; j++) row[j] *= s->scale[j];
}

/* In each order of the source: adds half the scores along the diagonal to those of each row of a
 * block, and keeps the best. */
static void score_block(const scoring *s, worker *w, uint32_t from) {
    const uint32_t n = s->n_target - from < BLOCK ? s->n_target - from : BLOCK;
    for (uint32_t r = 0; r < n + 2 * NEAR; r++) make_row(s, w, (int64_t)from + r - NEAR, r);
    for (size_t o = 0; o < s->n_orders; o++) {
        const uint32_t *const at = s->at + o * (s->n_source + 2 * NEAR) + NEAR;
        scored *const hub = w->hub + o * s->n_source * HUB;
        for (uint32_t r = 0; r < n; r++) {
            const float *const row = w->row + (r + NEAR) * s->wide;
            scored *const best = s->best + (o * s->n_target + from + r) * ROW;
            bool has_scores = false;
            for (uint32_t k = 0; k <= 2 * NEAR; k++) has_scores |= w->has_scores[r + k];
            for (uint32_t j = 0; j < s->n_source && has_scores; j++) {
                float sum = row[at[j]];
                for (uint32_t d = 1; d <= s->reach; d++)
                    sum += ((row - d * s->wide)[(at - d)[j]] + (row + d * s->wide)[at[j + d]]) / 2;
                put_best(best, ROW, j, sum);
                put_best(hub + (size_t)j * HUB, HUB, from + r, sum);
            }
        }
    }
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

/* Lists the pairs of an order that are each other's best, once the means are taken off. */
static size_t list_pairs(scoring *s, size_t o, trib_unit_pair pair[], uint32_t first[]) {
    scored *const hub = s->worker[0].hub + o * s->n_source * HUB;
    size_t n = 0;
    for (int t = 1; t < s->texts->n_threads; t++)
        for (size_t h = 0; h < (size_t)s->n_source * HUB; h++)
            put_best(hub + h / HUB * HUB, HUB, 0,
                     s->worker[t].hub[o * s->n_source * HUB + h].score);
    for (uint32_t j = 0; j < s->n_source; j++) s->column[j] = (scored){0, -INFINITY};
    for (uint32_t i = 0; i < s->n_target; i++) {
        const scored *const best = s->best + (o * s->n_target + i) * ROW;
        const float of_row = mean(best);
        float highest = -INFINITY;
        first[i] = UINT32_MAX;
        for (int k = 0; k < ROW && best[k].score > 0; k++) {
            const uint32_t j = best[k].unit;
            const float x = best[k].score - (of_row + mean(hub + (size_t)j * HUB)) / 2;
            if (x > s->column[j].score) s->column[j] = (scored){i, x};
            if (!(x > highest)) continue;
            highest = x;
            first[i] = j;
        }
    }
    for (uint32_t i = 0; i < s->n_target; i++)
        if (first[i] != UINT32_MAX && s->column[first[i]].unit == i)
            pair[n++] = (trib_unit_pair){i, first[i], s->column[first[i]].score};
    return n;
}

TRIB_ORDER(by_score, trib_unit_pair, TRIB_DOWN(score) ?: TRIB_UP(target));

/* Lists the pairs of all orders and keeps those of the first that random orders seldom reach. */
static void keep_pairs(scoring *s, trib_unit_pairs *pairs, trib_unit_pair chance[], double rate) {
    const size_t n_random = s->n_orders - 1;
    size_t n_chance = 0, kept = 0, at = 0;
    for (size_t o = n_random; o > 0; o--)
        n_chance += list_pairs(s, o, chance + n_chance, pairs->best);
    const size_t n = list_pairs(s, 0, pairs->pair, pairs->best);
    qsort(chance, n_chance, sizeof *chance, by_score);
    qsort(pairs->pair, n, sizeof *pairs->pair, by_score);
    for (size_t i = 0; i < n; i++) {
        while (at < n_chance && chance[at].score >= pairs->pair[i].score) at++;
        if ((double)at <= rate * (double)((i + 1) * n_random)) kept = i + 1;
    }
    pairs->n = kept;
}

static void allocate(scoring *s) {
    const size_t n_words = s->texts->n_words, n_orders = s->n_orders, n_source = s->n_source;
    trib_pool *const pool = &s->pool;
    s->idf = trib_pool_new(pool, n_words, sizeof *s->idf, what);
    s->idf_t = trib_pool_new(pool, n_words, sizeof *s->idf_t, what);
    s->scale = trib_pool_new(pool, n_source, sizeof *s->scale, what);
    s->post = trib_pool_new(pool, n_words + 1, sizeof *s->post, what);
    s->unit = trib_pool_new(pool, s->texts->source->start[n_source], sizeof *s->unit, what);
    s->at = trib_pool_new(pool, n_orders * (n_source + 2 * NEAR), sizeof *s->at, what);
    s->best = trib_pool_new(pool, n_orders * s->n_target, ROW * sizeof *s->best, what);
    s->column = trib_pool_new(pool, n_source, sizeof *s->column, what);
    s->worker = trib_pool_new(pool, (size_t)s->texts->n_threads, sizeof *s->worker, what);
    for (int t = 0; t < s->texts->n_threads && pool->status == TRIB_OK; t++) {
        worker *const w = &s->worker[t];
        w->query = trib_pool_new(pool, n_words, sizeof *w->query, what);
        w->asked = trib_pool_new(pool, n_words, sizeof *w->asked, what);
        w->row = trib_pool_new(pool, (BLOCK + 2 * NEAR) * s->wide, sizeof *w->row, what);
        w->hub = trib_pool_new(pool, n_orders * n_source, HUB * sizeof *w->hub, what);
    }
}

trib_status trib_unit_pairs_find(trib_unit_pairs *pairs, const trib_unit_texts *texts,
                                 const trib_word_table *table, uint32_t reach, uint64_t seed,
                                 double rate, trib_error *error) {
    const uint32_t n_target = texts->target->n, n_source = texts->source->n;
    const bool are_few = (uint64_t)n_target * n_source < FEW;
    scoring s = {texts,
                 table,
                 reach,
                 are_few ? MORE_ORDERS : ORDERS,
                 n_target,
                 n_source,
                 .wide = (size_t)n_source + 1,
                 .pool = {.error = error}};
    if (n_target == 0 || n_source == 0) return TRIB_OK;
    allocate(&s);
    trib_unit_pair *const chance =
        trib_pool_new(&s.pool, (size_t)n_target * s.n_orders, sizeof *chance, what);
    trib_status status = s.pool.status;
    if (status == TRIB_OK) status = TRIB_NEW(&pairs->pair, n_target, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&pairs->best, n_target, what, error);
    if (status == TRIB_OK) {
        weigh(&s, seed);
#pragma omp parallel for schedule(dynamic, 1) num_threads(texts->n_threads)
        for (uint32_t from = 0; from < n_target; from += BLOCK)
            if (!trib_stop_asked()) score_block(&s, &s.worker[omp_get_thread_num()], from);
        status = trib_stop_check(error);
    }
    if (status == TRIB_OK) keep_pairs(&s, pairs, chance, rate);
    trib_pool_release(&s.pool);
    return status;
}

void trib_unit_pairs_release(trib_unit_pairs *pairs) {
    TRIB_FREE(pairs->pair, pairs->best);
    *pairs = (trib_unit_pairs){0};
}
