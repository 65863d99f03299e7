/* intervals.c - how sure a share is. Two things are unsure. Which passages the target happens to hold: a block bootstrap
 * of it (Efron and Tibshirani 1993, section 8.6; blocks because neighbouring n-grams depend on each other: a copied
 * passage is copied as a whole). And whether a phrase both texts hold was copied at all, which no resampling tells: n-grams
 * that stand alone are shared by chance as well as by copying, so the share is known only to lie between the part in
 * runs of n n-grams and more, and all of it. The interval reaches from the 5 % quantile of the one to the 95 % quantile
 * of the other (Imbens and Manski 2004: intervals for what is identified in part). */
#include "influence/mixture.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 100, /* n-grams in a block; a tenth of a shorter text */
    ROUNDS = 40  /* of EM, from where the fit stands */
};

/* What one thread works with. The background is one component here, G = sum_b pi_b G_b / sum_b pi_b, whose weight is
 * refitted but whose shape is not: B components would cost B times as much and move the shares of the sources by far
 * less than resampling does. Sources, background and author's own term all start from the fit. */
typedef struct resample {
    uint32_t *drawn;                       /* [n_entries] T*(z) */
    uint32_t *entry;                       /* [n_entries] those with T*(z) > 0 */
    double *mass;                          /* [n_entries] q(z) of `entry` */
    double *own;                           /* [n_modes][n_local] a_m */
    const double *own_row[TRIB_MAX_MODES]; /* of `own` */
    double *weight, *sum;                  /* [n_sources] */
    double common_weight, own_weight;
} resample;

static void resample_release(resample *r) {
    trib_free(r->drawn);
    trib_free(r->entry);
    trib_free(r->mass);
    trib_free(r->own);
    trib_free(r->weight);
    trib_free(r->sum);
}

static trib_status resample_init(resample *r, const trib_mixture *x, trib_error *error) {
    static const char what[] = "resampling";
    const size_t n_own = (size_t)x->n_modes * x->n_local; /* as large as x->own, which exists */
    trib_status status = trib_new(&r->drawn, x->n_entries, sizeof *r->drawn, what, error);
    if (status == TRIB_OK)
        status = trib_new(&r->entry, x->n_entries, sizeof *r->entry, what, error);
    if (status == TRIB_OK) status = trib_new(&r->mass, x->n_entries, sizeof *r->mass, what, error);
    if (status == TRIB_OK) status = trib_new(&r->own, n_own, sizeof *r->own, what, error);
    for (uint32_t m = 0; status == TRIB_OK && m < x->n_modes; m++)
        r->own_row[m] = r->own + (size_t)m * x->n_local;
    if (status == TRIB_OK)
        status = trib_new(&r->weight, x->n_sources, sizeof *r->weight, what, error);
    if (status == TRIB_OK) status = trib_new(&r->sum, x->n_sources, sizeof *r->sum, what, error);
    return status;
}

/* common[n_entries] = G(z), and its weight; zeros without a background. */
static double fix_background(double *common, const trib_mixture *x) {
    const trib_background *background = &x->background;
    double total = 0;
    for (uint32_t b = 0; b < background->n; b++) total += x->background_weight[b];
    for (size_t e = 0; total > 0 && e < x->n_entries; e++) {
        const uint32_t *index = x->overlap.index + e * x->n_modes;
        for (uint32_t b = 0; b < background->n; b++) {
            double product = x->background_weight[b];
            for (uint32_t m = 0; m < x->n_modes; m++)
                product *= background->row[m][(size_t)index[m] * background->stride + b];
            common[e] += product / total;
        }
    }
    return total;
}

/* Draws as many n-grams as the target has, in blocks that may start anywhere (Kuensch 1989). Returns how many of its
 * entries came up; *n_drawn is |T*|. */
static size_t draw(resample *r, const trib_mixture *x, uint64_t seed) {
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
    size_t n_present = 0;
    for (size_t e = 0; e < x->n_entries; e++)
        if (r->drawn[e] > 0) r->entry[n_present++] = (uint32_t)e;
    return n_present;
}

/* T*(z) / mix(z) of entry e; *own_part is pi_0 A(z). */
static double ratio_at(const resample *r, const trib_mixture *x, const double *common, size_t e,
                       double *own_part) {
    const trib_shared_ngram *first = x->overlap.shared + x->overlap.start[e];
    const trib_shared_ngram *last = x->overlap.shared + x->overlap.start[e + 1];
    *own_part = r->own_weight * trib_mixture_own(x, r->own_row, e);
    double mix = *own_part + r->common_weight * common[e];
    for (const trib_shared_ngram *h = first; h < last; h++)
        mix += r->weight[h->document] * h->frequency;
    return r->drawn[e] / (mix > 1e-300 ? mix : 1e-300);
}

/* One round of EM over the n-grams drawn, as in mixture.c but for the background. */
static void advance(resample *r, const trib_mixture *x, const double *common, size_t n_present) {
    double of_common = 0, of_own = 0;
    for (size_t s = 0; s < x->n_sources; s++) r->sum[s] = 0;
    for (size_t i = 0; i < n_present; i++) {
        const size_t e = r->entry[i];
        const trib_shared_ngram *first = x->overlap.shared + x->overlap.start[e];
        const trib_shared_ngram *last = x->overlap.shared + x->overlap.start[e + 1];
        double own_part;
        const double ratio = ratio_at(r, x, common, e, &own_part);
        for (const trib_shared_ngram *h = first; h < last; h++)
            r->sum[h->document] += h->frequency * ratio;
        of_common += common[e] * ratio;
        r->mass[i] = own_part * ratio;
        of_own += r->mass[i];
    }
    const double n = (double)x->target->n_ngrams;
    for (size_t s = 0; s < x->n_sources; s++) r->weight[s] *= r->sum[s] / n;
    r->common_weight *= of_common / n;
    r->own_weight = of_own / n;
    memset(r->own, 0, (size_t)x->n_modes * x->n_local * sizeof *r->own);
    for (size_t i = 0; of_own > 0 && i < n_present; i++) {
        const uint32_t *index = x->overlap.index + (size_t)r->entry[i] * x->n_modes;
        for (uint32_t m = 0; m < x->n_modes; m++)
            r->own[(size_t)m * x->n_local + index[m]] += r->mass[i] / of_own;
    }
}

/* sum[n_sources]: the part of each weight that stands in runs, counts of which are in_runs[pairs]. */
static void weigh_runs(resample *r, const trib_mixture *x, const double *common,
                       const uint32_t *in_runs, size_t n_present) {
    for (size_t s = 0; s < x->n_sources; s++) r->sum[s] = 0;
    for (size_t i = 0; i < n_present; i++) {
        const size_t e = r->entry[i];
        double own_part;
        const double ratio = ratio_at(r, x, common, e, &own_part) / x->overlap.count[e];
        for (size_t h = x->overlap.start[e]; h < x->overlap.start[e + 1]; h++) {
            const trib_shared_ngram *shared = &x->overlap.shared[h];
            r->sum[shared->document] +=
                r->weight[shared->document] * shared->frequency * ratio * in_runs[h];
        }
    }
    for (size_t s = 0; s < x->n_sources; s++) r->sum[s] /= (double)x->target->n_ngrams;
}

trib_status trib_mixture_runs(uint32_t **in_runs, const trib_mixture *x, trib_error *error) {
    const trib_overlap *overlap = &x->overlap;
    const size_t longest = x->n_modes;
    size_t *next = NULL, *length = NULL; /* [n_sources] where its run would go on; so far */
    *in_runs = NULL;
    trib_status status =
        trib_new(in_runs, overlap->start[x->n_entries], sizeof **in_runs, "shared runs", error);
    if (status == TRIB_OK)
        status = trib_new(&next, x->n_sources, sizeof *next, "shared runs", error);
    if (status == TRIB_OK)
        status = trib_new(&length, x->n_sources, sizeof *length, "shared runs", error);
    for (size_t k = 0; status == TRIB_OK && k < x->target->n_ngrams; k++) {
        const uint32_t e = x->target->sequence[k];
        for (size_t h = overlap->start[e]; h < overlap->start[e + 1]; h++) {
            const uint32_t s = overlap->shared[h].document;
            length[s] = next[s] == k ? length[s] + 1 : 1;
            next[s] = k + 1;
            (*in_runs)[h] += length[s] >= longest;
            for (size_t i = 1; length[s] == longest && i < longest; i++) { /* long enough now */
                size_t before = overlap->start[x->target->sequence[k - i]];
                while (overlap->shared[before].document != s) before++;
                (*in_runs)[before]++;
            }
        }
    }
    trib_free(next);
    trib_free(length);
    if (status != TRIB_OK) {
        trib_free(*in_runs);
        *in_runs = NULL;
    }
    return status;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The q-quantile of sorted[n], between its neighbours in proportion. */
static double quantile(const double *sorted, size_t n, double q) {
    const double place = q * (double)(n - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

/* One resample, fitted. Source s leaves its weight at weight[s * stride], its part in runs at held[s * stride]. */
static void resample_once(resample *r, const trib_mixture *x, const double *common,
                          double common_weight, const uint32_t *in_runs, uint64_t seed,
                          double *weight, double *held, size_t stride) {
    r->common_weight = common_weight;
    r->own_weight = x->own_weight;
    for (size_t s = 0; s < x->n_sources; s++) r->weight[s] = x->source_weight[s];
    memcpy(r->own, x->own[0], (size_t)x->n_modes * x->n_local * sizeof *r->own);
    const size_t n_present = draw(r, x, seed);
    for (int round = 0; round < ROUNDS; round++) advance(r, x, common, n_present);
    weigh_runs(r, x, common, in_runs, n_present);
    for (size_t s = 0; s < x->n_sources; s++) {
        weight[s * stride] = r->weight[s];
        held[s * stride] = r->sum[s];
    }
}

trib_status trib_mixture_intervals(const trib_mixture *x, uint32_t n_resamples, uint64_t seed,
                                   int n_threads, double *low, double *high, trib_error *error) {
    double *common = NULL, *weight = NULL, *held = NULL; /* both [n_sources][n_resamples] */
    uint32_t *in_runs = NULL;
    resample *scratch = NULL; /* [n_threads] */
    size_t n_weights = 0;
    if (!trib_multiply(x->n_sources, n_resamples, &n_weights)) n_weights = SIZE_MAX;
    trib_status status = trib_new(&common, x->n_entries, sizeof *common, "resampling", error);
    if (status == TRIB_OK)
        status = trib_new(&weight, n_weights, sizeof *weight, "resampling", error);
    if (status == TRIB_OK) status = trib_new(&held, n_weights, sizeof *held, "resampling", error);
    if (status == TRIB_OK) status = trib_mixture_runs(&in_runs, x, error);
    if (status == TRIB_OK)
        status = trib_new(&scratch, (size_t)n_threads, sizeof *scratch, "resampling", error);
    for (int t = 0; status == TRIB_OK && t < n_threads; t++)
        status = resample_init(&scratch[t], x, error);
    if (status != TRIB_OK) goto done;
    const double common_weight = fix_background(common, x);

#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint32_t i = 0; i < n_resamples; i++) /* each has its own stream, whoever draws it */
        resample_once(&scratch[omp_get_thread_num()], x, common, common_weight, in_runs,
                      seed + (i + 1) * UINT64_C(0xD1342543DE82EF95), weight + i, held + i,
                      n_resamples);
    for (size_t s = 0; s < x->n_sources; s++) {
        double *sorted = weight + s * n_resamples, *in_run = held + s * n_resamples;
        qsort(sorted, n_resamples, sizeof *sorted, by_value);
        qsort(in_run, n_resamples, sizeof *in_run, by_value);
        /* shares are of whole n-grams: less than one is none */
        const double least = quantile(in_run, n_resamples, 0.05) - 1 / (double)x->target->n_ngrams;
        low[s] = least > 0 ? least : 0;
        high[s] = quantile(sorted, n_resamples, 0.95);
    }
done:
    for (int t = 0; scratch && t < n_threads; t++) resample_release(&scratch[t]);
    trib_free(scratch);
    trib_free(in_runs);
    trib_free(held);
    trib_free(weight);
    trib_free(common);
    return status;
}
