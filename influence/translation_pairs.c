/* translation_pairs.c - scores every unit of a target with every unit of a source. A row of scores
 * is added up from the units of the source that have the words for which those of its unit may
 * stand; the rows around it are in a ring, from which the sums along the diagonal are made. Of each
 * row the best 20 are kept and of each column the 5 best, so memory grows with the units. Random
 * orders of the source are scored from the same rows. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "influence/translations.h"

enum { NEAR = 2, RING = 2 * NEAR + 1, HUB = 5, ROW = 20, BLOCK = 64, ORDERS = 3, MORE_ORDERS = 7 };
static const uint64_t FEW = 1 << 22; /* pairs of units; of fewer there are more random orders */
static const char what[] = "the scores of units";

/* A unit, of the source at its place in an order, and a score; 0: there is none. */
typedef struct scored {
    uint32_t unit;
    float score;
} scored;

/* What one thread works with. */
typedef struct worker {
    float *query;    /* [n_words] what the words of a unit may stand for */
    uint32_t *asked; /* [n_words] the words in it */
    float *row;      /* [n_source] */
    float *ring;     /* [n_orders][RING][wide] */
    scored *hub;     /* [n_orders][n_source][HUB] the best of each column */
    bool has_scores[RING];
} worker;

typedef struct scoring {
    const trib_unit_texts *texts;
    const trib_word_table *table;
    uint32_t reach, n_orders, n_target, n_source;
    size_t wide;        /* a row with NEAR zeros before and after it */
    float *idf, *idf_t; /* [n_words] of the source, of the target */
    float *scale;       /* [n_source] makes the length of each unit 1 */
    size_t *post;       /* [n_words + 1] units of the source with each word */
    uint32_t *unit;     /* these units */
    uint32_t *place;    /* [n_orders][n_source] of each unit of the source; the first is as is */
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
    for (size_t o = 0; o < s->n_orders; o++)
        for (uint32_t j = 0, *place = s->place + o * s->n_source; j < s->n_source; j++) {
            const uint32_t k = o > 0 ? (uint32_t)trib_random_below(&random, (uint64_t)j + 1) : j;
            place[j] = place[k];
            place[k] = j;
        }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Adds up the scores of a row; false: there are none. */
static bool add_row(const scoring *s, worker *w, uint32_t i) {
    const trib_units *const units = s->texts->target;
    uint32_t n = 0;
    float length = 0;
    for (size_t k = units->start[i]; k < units->start[i + 1]; k++) {
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
    if (n > 0) memset(w->row, 0, s->n_source * sizeof *w->row);
    for (uint32_t a = 0; a < n; a++) {
        const uint32_t word = w->asked[a];
        const float x = length > 0 ? w->query[word] / sqrtf(length) * s->idf[word] : 0;
        w->query[word] = 0;
        for (size_t p = s->post[word]; p < s->post[word + 1]; p++) w->row[s->unit[p]] += x;
    }
    return n > 0;
}

/* Puts row i into the ring, in every order; a row outside the text is zero. */
static void put_row(const scoring *s, worker *w, int64_t i) {
    const size_t slot = (size_t)(i + RING) % RING;
    const bool had_scores = w->has_scores[slot];
    w->has_scores[slot] = i >= 0 && i < s->n_target && add_row(s, w, (uint32_t)i);
    for (size_t o = 0; o < s->n_orders && (had_scores || w->has_scores[slot]); o++) {
        float *const to = w->ring + (o * RING + slot) * s->wide + NEAR;
        const uint32_t *const place = s->place + o * s->n_source;
        for (uint32_t j = 0; j < s->n_source; j++)
            to[place[j]] = w->has_scores[slot] ? w->row[j] * s->scale[j] : 0;
    }
}

/* Adds half the rows around row i, each shifted as far as it is away, and keeps the best. */
static void sum_row(const scoring *s, worker *w, size_t o, uint32_t i) {
    const float *const ring = w->ring + o * RING * s->wide + NEAR;
    float *const sum = w->row;
    memcpy(sum, ring + i % RING * s->wide, s->n_source * sizeof *sum);
    for (uint32_t d = 1; d <= s->reach; d++) {
        const float *const before = ring + (i + RING - d) % RING * s->wide - d, *const after =
                                                                                    ring +
                                                                                    (i + d) % RING *
                                                                                        s->wide +
                                                                                    d;
        for (uint32_t j = 0; j < s->n_source; j++) sum[j] += (before[j] + after[j]) / 2;
    }
    scored *const best = s->best + (o * s->n_target + i) * ROW;
    scored *const hub = w->hub + o * s->n_source * HUB;
    for (uint32_t j = 0; j < s->n_source; j++) {
        put_best(best, ROW, j, sum[j]);
        put_best(hub + (size_t)j * HUB, HUB, i, sum[j]);
    }
}

static void score_block(const scoring *s, worker *w, int64_t from) {
    const int64_t reach = s->reach,
                  end = s->n_target - from > BLOCK ? from + BLOCK : (int64_t)s->n_target;
    for (int64_t r = from - reach; r < end + reach; r++) {
        bool has_scores = false;
        put_row(s, w, r);
        for (int k = 0; k < RING; k++) has_scores = has_scores || w->has_scores[k];
        for (size_t o = 0; o < s->n_orders && has_scores && r - reach >= from; o++)
            sum_row(s, w, o, (uint32_t)(r - reach));
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
    s->place = trib_pool_new(pool, n_orders * n_source, sizeof *s->place, what);
    s->best = trib_pool_new(pool, n_orders * s->n_target, ROW * sizeof *s->best, what);
    s->column = trib_pool_new(pool, n_source, sizeof *s->column, what);
    s->worker = trib_pool_new(pool, (size_t)s->texts->n_threads, sizeof *s->worker, what);
    for (int t = 0; t < s->texts->n_threads && pool->status == TRIB_OK; t++) {
        worker *const w = &s->worker[t];
        w->query = trib_pool_new(pool, n_words, sizeof *w->query, what);
        w->asked = trib_pool_new(pool, n_words, sizeof *w->asked, what);
        w->row = trib_pool_new(pool, n_source, sizeof *w->row, what);
        w->ring = trib_pool_new(pool, n_orders * RING * s->wide, sizeof *w->ring, what);
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
                 .wide = (size_t)n_source + RING - 1,
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
