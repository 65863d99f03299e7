/* intervals.c - 90 % intervals of the shares of `anchored`. Two things are uncertain. First, the
 * choice of passages in the target: a block bootstrap measures it (Efron and Tibshirani 1993,
 * section 8.6). It draws blocks because neighbouring n-grams depend on each other: a passage is
 * copied as a whole. Second, whether a phrase in both texts was copied at all. Resampling cannot
 * show this, because isolated n-grams are shared by chance as well as by copying. The share is only
 * known to lie between the part in runs of at least n n-grams and the whole. The interval therefore
 * reaches from the 5 % quantile of the former to the 95 % quantile of the latter (Imbens and Manski
 * 2004 on intervals for partially identified parameters). */
#include "base/internal.h"
#include "base/lanes.h"
#include "influence/methods.h"

#include <float.h>
#include <omp.h>

enum {
    BLOCK = 100, /* n-grams in a block; in a shorter text, a tenth of its n-grams */
    ROUNDS = 40  /* EM rounds at most, starting from the fitted weights */
};

/* The rounds end when no source's weight changes by more than this: a hundredth of the noise floor
 * at most. */
static const double CONVERGED = 1e-4;

/* An n-gram that at least one source holds: A(z), G(z), T*(z), and its sources. */
typedef struct held_entry {
    double own, common, drawn;
    size_t first, end; /* range of x->overlap.shared */
    uint32_t entry;
} held_entry;

/* Data that all resamples share. The distributions stay as fitted: the background is one component,
 * G = sum_b pi_b G_b / sum_b pi_b, and A is the author's term of the fit. Refitting them to every
 * resample would take many times as long and change the shares of the sources far less than
 * resampling does. Only the weights of the sources, the background and the author's term are
 * refitted. */
typedef struct shapes {
    const trib_mixture *x;
    double *own, *common; /* [n_entries] A(z), G(z) */
    held_entry *held;     /* [n_held] entries that a source holds, with `drawn` 0 */
    uint32_t *bare;       /* [n_bare] the other entries, ascending */
    double *ratio;        /* [n_bare] A(z) / G(z) of these */
    size_t n_held, n_bare;
    uint32_t *source;     /* [pairs] document of each x->overlap.shared */
    double *frequency;    /* [pairs] frequency of each x->overlap.shared */
    uint32_t *in_runs;    /* [pairs] occurrences within shared runs */
    double common_weight; /* sum_b pi_b */
} shapes;

/* The scratch of one thread: the n-grams drawn. Those that no source holds are listed apart,
 * because only their ratio A(z) / G(z) matters. */
typedef struct resample {
    uint32_t *drawn;       /* [n_entries] T*(z), the number of draws */
    held_entry *held;      /* [n_held] drawn entries that a source holds */
    double *count, *ratio; /* [n_bare] T*(z) and A(z) / G(z) of the other drawn entries */
    double *weight, *sum;  /* [n_sources] */
    size_t n_held, n_bare;
    double n_in_bare; /* sum of `count` */
    double common_weight, own_weight;
} resample;

static const char WHAT[] = "resampling";

/* Each list has one element more than it needs, where entries that were not drawn are written. */
static void resample_init(resample *r, const shapes *s, trib_pool *pool) {
    const trib_mixture *x = s->x;
    const size_t n_held = s->n_held + 1, n_bare = s->n_bare + 1;
    r->drawn = trib_pool_new(pool, x->n_entries, sizeof *r->drawn, WHAT);
    r->held = trib_pool_new(pool, n_held, sizeof *r->held, WHAT);
    r->count = trib_pool_new(pool, n_bare, sizeof *r->count, WHAT);
    r->ratio = trib_pool_new(pool, n_bare, sizeof *r->ratio, WHAT);
    r->weight = trib_pool_new(pool, x->n_sources, sizeof *r->weight, WHAT);
    r->sum = trib_pool_new(pool, x->n_sources, sizeof *r->sum, WHAT);
}

/* The probability of an n-gram z in the common language: the sum of pi_b G_b(z) over its components
 * b (docs/model.md). The rows of G_b are padded with zeros to a multiple of eight. */
TRIB_KERNEL(double, common_sum, (const trib_mixture *x, const uint32_t *index), (x, index)) {
    enum { LANES = 8 };
    const size_t stride = x->background.stride;
    double sum[LANES] = {0}, all = 0;
    for (size_t b = 0; b < stride; b += LANES) {
        double product[LANES];
        for (size_t l = 0; l < LANES; l++) product[l] = x->background_weight[b + l];
        for (uint32_t m = 0; m < x->n_modes; m++) {
            const double *row = x->background.row[m] + index[m] * stride + b;
            for (size_t l = 0; l < LANES; l++) product[l] *= row[l];
        }
        for (size_t l = 0; l < LANES; l++) sum[l] += product[l];
    }
    for (size_t l = 0; l < LANES; l++) all += sum[l];
    return all;
}

/* Computes A(z) and G(z) of one entry. G is 0 without a background. */
static void fix_entry(shapes *s, size_t e) {
    const double *const *own = (const double *const *)s->x->own;
    s->own[e] = trib_mixture_own(s->x, own, e);
    if (s->common_weight > 0)
        s->common[e] = common_sum(s->x, s->x->overlap.index + e * s->x->n_modes) / s->common_weight;
}

/* Lists the entries that sources hold, and the others, with the values that each resample reads. */
static void list_entries(shapes *s, trib_pool *pool) {
    const size_t *start = s->x->overlap.start, n = s->x->n_entries;
    for (size_t e = 0; e < n; e++) s->n_held += start[e] < start[e + 1];
    s->held = trib_pool_new(pool, s->n_held, sizeof *s->held, WHAT);
    s->bare = trib_pool_new(pool, n - s->n_held, sizeof *s->bare, WHAT);
    s->ratio = trib_pool_new(pool, n - s->n_held, sizeof *s->ratio, WHAT);
    s->n_held = 0;
    if (pool->status != TRIB_OK) return;
    for (size_t e = 0; e < n; e++)
        if (start[e] < start[e + 1])
            s->held[s->n_held++] = (held_entry){.own = s->own[e],
                                                .common = s->common[e],
                                                .first = start[e],
                                                .end = start[e + 1],
                                                .entry = (uint32_t)e};
        else if (s->x->overlap.count[e] > 0) { /* not a formula */ s->bare[s->n_bare] = (uint32_t)e;
            s->ratio[s->n_bare++] = fmin(s->own[e] / fmax(s->common[e], DBL_MIN), DBL_MAX);
        }
}

static void shapes_init(shapes *s, const trib_mixture *x, int n_threads, trib_pool *pool) {
    const size_t n_pairs = x->overlap.start[x->n_entries];
    *s = (shapes){.x = x};
    s->own = trib_pool_new(pool, x->n_entries, sizeof *s->own, WHAT);
    s->common = trib_pool_new(pool, x->n_entries, sizeof *s->common, WHAT);
    s->source = trib_pool_new(pool, n_pairs, sizeof *s->source, WHAT);
    s->frequency = trib_pool_new(pool, n_pairs, sizeof *s->frequency, WHAT);
    s->in_runs = trib_mixture_runs(x, pool);
    if (pool->status != TRIB_OK) return;
    for (uint32_t b = 0; b < x->background.n; b++) s->common_weight += x->background_weight[b];
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t e = 0; e < x->n_entries; e++) fix_entry(s, e);
    for (size_t h = 0; h < n_pairs; h++) {
        s->source[h] = x->overlap.shared[h].document;
        s->frequency[h] = x->overlap.shared[h].frequency;
    }
    list_entries(s, pool);
}

/* Draws as many n-grams as the target has, in blocks that start at any n-gram (Kuensch 1989), and
 * lists the entries drawn. */
static void draw(resample *r, const shapes *s, uint64_t seed) {
    const trib_mixture *x = s->x;
    const size_t n = x->target->n_ngrams;
    const size_t tenth = n / 10 > 0 ? n / 10 : 1;
    const size_t block = tenth < BLOCK ? tenth : BLOCK;
    trib_random random;
    trib_random_seed(&random, seed);
    memset(r->drawn, 0, x->n_entries * sizeof *r->drawn);
    for (size_t drawn = 0; drawn < n;) {
        const uint32_t *from = x->target->sequence + trib_random_below(&random, n - block + 1);
        for (size_t i = 0; i < block && drawn < n; i++, drawn++) r->drawn[from[i]]++;
    }
    size_t n_held = 0, n_bare = 0, n_in_bare = 0; /* no branch depends on what was drawn */
    for (size_t i = 0; i < s->n_held; i++) {
        const uint32_t n_times = r->drawn[s->held[i].entry];
        r->held[n_held] = s->held[i];
        r->held[n_held].drawn = n_times;
        n_held += n_times > 0;
    }
    for (size_t i = 0; i < s->n_bare; i++) {
        const uint32_t n_times = r->drawn[s->bare[i]];
        r->count[n_bare] = n_times;
        r->ratio[n_bare] = s->ratio[i];
        n_bare += n_times > 0;
        n_in_bare += n_times;
    }
    r->n_held = n_held;
    r->n_bare = n_bare;
    r->n_in_bare = (double)n_in_bare;
}

/* The number of n n-grams without a source that the background explains when the author's term has
 * `odds` times its weight: sum of T*(z) G(z) / (G(z) + odds A(z)). */
TRIB_KERNEL(double, bare_common,
            (const double *restrict count, const double *restrict ratio, size_t n, double odds),
            (count, ratio, n, odds)) {
    trib_doubles sum = {0};
    size_t i = 0;
    for (; i + TRIB_LANES <= n; i += TRIB_LANES)
        sum += TRIB_DOUBLES(count + i) / (1 + odds * TRIB_DOUBLES(ratio + i));
    for (size_t l = 0; i < n; i++, l++) sum[l] += count[i] / (1 + odds * ratio[i]);
    return TRIB_SUM_OF_LANES(sum);
}

/* T*(z) / mix(z) of an entry that sources hold; *own_part is set to pi_0 A(z). */
TRIB_INLINE double ratio_at(const resample *r, const shapes *s, const held_entry *e,
                            double *own_part) {
    *own_part = r->own_weight * e->own;
    double mix = *own_part + r->common_weight * e->common;
    for (size_t h = e->first; h < e->end; h++) mix += r->weight[s->source[h]] * s->frequency[h];
    return e->drawn / (mix > 1e-300 ? mix : 1e-300);
}

/* One round of EM over the n-grams drawn. Returns the largest change of a source's weight. */
static double advance(resample *r, const shapes *s) {
    const double n = (double)s->x->target->n_ngrams;
    double of_common = 0, of_own = 0, change = 0;
    for (size_t i = 0; i < s->x->n_sources; i++) r->sum[i] = 0;
    for (size_t i = 0; i < r->n_held; i++) {
        const held_entry *e = &r->held[i];
        double own_part;
        const double ratio = ratio_at(r, s, e, &own_part);
        for (size_t h = e->first; h < e->end; h++) r->sum[s->source[h]] += s->frequency[h] * ratio;
        of_common += r->common_weight * e->common * ratio;
        of_own += own_part * ratio;
    }
    if (r->common_weight > 0) {
        const double bare = bare_common(r->count, r->ratio, r->n_bare,
                                        fmin(r->own_weight / r->common_weight, DBL_MAX));
        of_common += bare;
        of_own += r->n_in_bare - bare;
    } else if (r->own_weight > 0) of_own += r->n_in_bare;
    for (size_t i = 0; i < s->x->n_sources; i++) {
        const double before = r->weight[i];
        r->weight[i] *= r->sum[i] / n;
        change = fmax(change, fabs(r->weight[i] - before));
    }
    r->common_weight = of_common / n;
    r->own_weight = of_own / n;
    return change;
}

/* Sets sum[n_sources] to the part of each source's weight that lies in shared runs. */
static void weigh_runs(resample *r, const shapes *s) {
    for (size_t i = 0; i < s->x->n_sources; i++) r->sum[i] = 0;
    for (size_t i = 0; i < r->n_held; i++) {
        const held_entry *e = &r->held[i];
        double own_part;
        const double ratio = ratio_at(r, s, e, &own_part) / s->x->overlap.count[e->entry];
        for (size_t h = e->first; h < e->end; h++)
            r->sum[s->source[h]] +=
                r->weight[s->source[h]] * s->frequency[h] * ratio * s->in_runs[h];
    }
    for (size_t i = 0; i < s->x->n_sources; i++) r->sum[i] /= (double)s->x->target->n_ngrams;
}

uint32_t *trib_mixture_runs(const trib_mixture *x, trib_pool *pool) {
    static const char what[] = "shared runs";
    const trib_overlap *overlap = &x->overlap;
    const size_t longest = x->n_modes;
    uint32_t *in_runs = trib_pool_new(pool, overlap->start[x->n_entries], sizeof *in_runs, what);
    /* [n_sources] n-gram that would continue its run, and the run's length */
    size_t *next = trib_pool_new(pool, x->n_sources, sizeof *next, what);
    size_t *length = trib_pool_new(pool, x->n_sources, sizeof *length, what);
    for (size_t k = 0; pool->status == TRIB_OK && k < x->target->n_ngrams; k++) {
        const uint32_t e = x->target->sequence[k];
        for (size_t h = overlap->start[e]; h < overlap->start[e + 1]; h++) {
            const uint32_t s = overlap->shared[h].document;
            length[s] = next[s] == k ? length[s] + 1 : 1;
            next[s] = k + 1;
            in_runs[h] += length[s] >= longest;
            /* the run just became long enough */
            for (size_t i = 1; length[s] == longest && i < longest; i++) {
                size_t before = overlap->start[x->target->sequence[k - i]];
                while (overlap->shared[before].document != s) before++;
                in_runs[before]++;
            }
        }
    }
    return in_runs;
}

/* Draws and fits one resample. Source i stores its weight at weight[i * stride] and its part in
 * runs at held[i * stride]. */
static void resample_once(resample *r, const shapes *s, uint64_t seed, double *weight, double *held,
                          size_t stride) {
    const trib_mixture *x = s->x;
    r->common_weight = s->common_weight;
    r->own_weight = x->own_weight;
    for (size_t i = 0; i < x->n_sources; i++) r->weight[i] = x->source_weight[i];
    draw(r, s, seed);
    for (int round = 0; round < ROUNDS && advance(r, s) > CONVERGED; round++) {}
    weigh_runs(r, s);
    for (size_t i = 0; i < x->n_sources; i++) {
        weight[i * stride] = r->weight[i];
        held[i * stride] = r->sum[i];
    }
}

/* What the ends of an interval depend on. */
typedef struct drawn_from {
    size_t n_resamples;
    double n_ngrams; /* of the target */
} drawn_from;

/* Computes the ends of an interval from resamples, which are sorted: sample[0] are weights,
 * sample[1] their parts in runs. */
static void find_ends(const void *context, double *sample[], double share, double *low,
                      double *high) {
    const drawn_from *from = context;
    (void)share;
    trib_sort_numbers(sample[0], from->n_resamples);
    trib_sort_numbers(sample[1], from->n_resamples);
    /* less than one n-gram counts as none */
    *low = fmax(0, trib_quantile(sample[1], from->n_resamples, 0.05) - 1 / from->n_ngrams);
    *high = trib_quantile(sample[0], from->n_resamples, 0.95);
}

trib_status trib_mixture_intervals(trib_influence *result, const trib_mixture *x,
                                   uint32_t n_resamples, uint64_t seed, int n_threads,
                                   trib_error *error) {
    const drawn_from from = {n_resamples, (double)x->target->n_ngrams};
    const size_t n_weights = trib_product(x->n_sources, n_resamples);
    TRIB_OWNED(trib_pool) pool = {.error = error};
    shapes s;
    if (x->n_sources == 0) return TRIB_OK;
    shapes_init(&s, x, n_threads, &pool);
    double *weight = trib_pool_new(&pool, n_weights, sizeof *weight, WHAT); /* and held: */
    double *held = trib_pool_new(&pool, n_weights, sizeof *held, WHAT); /* [n_sources][resamples] */
    resample *scratch = trib_pool_new(&pool, (size_t)n_threads, sizeof *scratch, WHAT);
    for (int t = 0; scratch && t < n_threads; t++) resample_init(&scratch[t], &s, &pool);
    if (pool.status != TRIB_OK) return pool.status;

#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint32_t i = 0; i < n_resamples; i++) /* each resample has its own random stream */
        if (!trib_stop_asked())
            resample_once(&scratch[omp_get_thread_num()], &s,
                          seed + (i + 1) * UINT64_C(0xD1342543DE82EF95), weight + i, held + i,
                          n_resamples);
    const trib_status status = trib_stop_check(error);
    return status == TRIB_OK ? trib_intervals_make(result, (double *[]){weight, held}, 2,
                                                   n_resamples, find_ends, &from, error)
                             : status;
}
