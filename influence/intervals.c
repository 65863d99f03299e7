/* intervals.c - how sure a share is: a block bootstrap of the target (Efron and Tibshirani 1993, section 8.6; blocks
 * because neighbouring n-grams depend on each other: a copied passage is copied as a whole). */
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
    uint32_t *drawn;      /* [n_entries] T*(z) */
    uint32_t *entry;      /* [n_entries] those with T*(z) > 0 */
    double *mass;         /* [n_entries] q(z) of `entry` */
    double *own;          /* [n_modes][n_local] a_m */
    double *weight, *sum; /* [n_sources] */
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

/* One round of EM over the n-grams drawn, as in mixture.c but for the background. */
static void advance(resample *r, const trib_mixture *x, const double *common, size_t n_present,
                    double *common_weight, double *own_weight) {
    const double *own[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < x->n_modes; m++) own[m] = r->own + (size_t)m * x->n_local;
    double of_common = 0, of_own = 0;
    for (size_t s = 0; s < x->n_sources; s++) r->sum[s] = 0;
    for (size_t i = 0; i < n_present; i++) {
        const size_t e = r->entry[i];
        const trib_shared_ngram *first = x->overlap.shared + x->overlap.start[e];
        const trib_shared_ngram *last = x->overlap.shared + x->overlap.start[e + 1];
        const double own_part = *own_weight * trib_mixture_own(x, own, e);
        double mix = own_part + *common_weight * common[e];
        for (const trib_shared_ngram *h = first; h < last; h++)
            mix += r->weight[h->document] * h->frequency;
        const double ratio = r->drawn[e] / (mix > 1e-300 ? mix : 1e-300);
        for (const trib_shared_ngram *h = first; h < last; h++)
            r->sum[h->document] += h->frequency * ratio;
        of_common += common[e] * ratio;
        r->mass[i] = own_part * ratio;
        of_own += r->mass[i];
    }
    const double n = (double)x->target->n_ngrams;
    for (size_t s = 0; s < x->n_sources; s++) r->weight[s] *= r->sum[s] / n;
    *common_weight *= of_common / n;
    *own_weight = of_own / n;
    memset(r->own, 0, (size_t)x->n_modes * x->n_local * sizeof *r->own);
    for (size_t i = 0; of_own > 0 && i < n_present; i++) {
        const uint32_t *index = x->overlap.index + (size_t)r->entry[i] * x->n_modes;
        for (uint32_t m = 0; m < x->n_modes; m++)
            r->own[(size_t)m * x->n_local + index[m]] += r->mass[i] / of_own;
    }
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

trib_status trib_mixture_intervals(const trib_mixture *x, uint32_t n_resamples, uint64_t seed,
                                   int n_threads, double *low, double *high, trib_error *error) {
    double *common = NULL, *weight = NULL; /* weight[n_sources][n_resamples] */
    resample *scratch = NULL;              /* [n_threads] */
    size_t n_weights = 0;
    if (!trib_multiply(x->n_sources, n_resamples, &n_weights)) n_weights = SIZE_MAX;
    trib_status status = trib_new(&common, x->n_entries, sizeof *common, "resampling", error);
    if (status == TRIB_OK)
        status = trib_new(&weight, n_weights, sizeof *weight, "resampling", error);
    if (status == TRIB_OK)
        status = trib_new(&scratch, (size_t)n_threads, sizeof *scratch, "resampling", error);
    for (int t = 0; status == TRIB_OK && t < n_threads; t++)
        status = resample_init(&scratch[t], x, error);
    if (status != TRIB_OK) goto done;
    const double common_start = fix_background(common, x);

#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint32_t i = 0; i < n_resamples; i++) {
        resample *r = &scratch[omp_get_thread_num()];
        double common_weight = common_start, own_weight = x->own_weight;
        for (size_t s = 0; s < x->n_sources; s++) r->weight[s] = x->source_weight[s];
        memcpy(r->own, x->own[0], (size_t)x->n_modes * x->n_local * sizeof *r->own);
        /* every resample has its own stream, whichever thread draws it */
        const size_t n_present = draw(r, x, seed + (i + 1) * UINT64_C(0xD1342543DE82EF95));
        for (int round = 0; round < ROUNDS; round++)
            advance(r, x, common, n_present, &common_weight, &own_weight);
        for (size_t s = 0; s < x->n_sources; s++) weight[s * n_resamples + i] = r->weight[s];
    }
    for (size_t s = 0; s < x->n_sources; s++) {
        double *sorted = weight + s * n_resamples;
        qsort(sorted, n_resamples, sizeof *sorted, by_value);
        low[s] = quantile(sorted, n_resamples, 0.05);
        high[s] = quantile(sorted, n_resamples, 0.95);
    }
done:
    for (int t = 0; scratch && t < n_threads; t++) resample_release(&scratch[t]);
    trib_free(scratch);
    trib_free(weight);
    trib_free(common);
    return status;
}
