/* mixture.c - EM for the mixture behind `anchored`, that is, under the Kullback-Leibler divergence (docs/model.md section
 * 5). What costs is the background, B products per n-gram and round: they are made once when memory allows, and one
 * pass over them gives both mix(z) and the sums it divides. */
#include "influence/mixture.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    MAX_ROUNDS = 150,
    LANES = 8,       /* rows of the background are padded to a multiple */
    TILE = 64,       /* entries whose G_b are made at a time when all of them are too many */
    MAX_BLOCKS = 64, /* partial sums per component; the same for any number of threads */
    MIN_BLOCK = 1024 /* entries in a block, at least */
};

/* No n-gram is taken to be less likely. */
static const double SMALLEST = 1e-300;

/* Scratch of the EM. */
typedef struct em_scratch {
    double *product;  /* [n_entries][stride] G_b(z), or NULL: made again in every round */
    double *tile;     /* [n_threads][TILE][stride] when product is NULL */
    double *own_mass; /* [n_entries] q(z) = pi_0 A(z) T(z) / mix(z) */
    double *partial;  /* [n_blocks][width] sums over a block: per pi_b, per pi_s, q, T log mix */
    size_t n_blocks, block, width;
} em_scratch;

/* product[n][stride] = G_b(z) of n entries. */
TRIB_KERNEL static void multiply_rows(double *restrict product, const uint32_t *restrict index,
                                      size_t n, uint32_t n_modes, size_t stride,
                                      double *const row[]) {
    for (size_t e = 0; e < n; e++) {
        double *restrict out = product + e * stride;
        const double *restrict first = row[0] + index[e * n_modes] * stride;
        for (size_t b = 0; b < stride; b++) out[b] = first[b];
        for (uint32_t m = 1; m < n_modes; m++) {
            const double *restrict other = row[m] + index[e * n_modes + m] * stride;
            for (size_t b = 0; b < stride; b++) out[b] *= other[b];
        }
    }
}

/* sum_b weight_b g_b; n is a multiple of LANES. */
TRIB_INLINE double dot(const double *restrict weight, const double *restrict g, size_t n) {
    double lane[LANES] = {0};
    for (size_t b = 0; b < n; b += LANES)
        for (size_t l = 0; l < LANES; l++) lane[l] += weight[b + l] * g[b + l];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* The right-hand sides of one round, summed over entries first .. end-1: sum[stride + n_sources + 2] as in
 * rounds.partial; product holds their G_b. */
TRIB_KERNEL static void add_entries(const trib_mixture *x, size_t first, size_t end,
                                    const double *restrict product, double *restrict own_mass,
                                    double *restrict sum) {
    const trib_overlap *overlap = &x->overlap;
    const size_t stride = x->background.stride;
    double *restrict of_source = sum + stride, *restrict of_own = of_source + x->n_sources;
    const double *const *own = (const double *const *)x->own;
    for (size_t e = first; e < end; e++) {
        const double *restrict g = stride ? product + (e - first) * stride : NULL;
        const trib_shared_ngram *shared = overlap->shared + overlap->start[e];
        const trib_shared_ngram *last = overlap->shared + overlap->start[e + 1];
        const double count = overlap->count[e];
        const double own_part = x->own_weight * trib_mixture_own(x, own, e);
        double mix = dot(x->background_weight, g, stride) + own_part;
        for (const trib_shared_ngram *h = shared; h < last; h++)
            mix += x->source_weight[h->document] * h->frequency;
        mix = fmax(mix, SMALLEST);
        x->mix[e] = mix;
        const double ratio = count / mix;
        for (size_t b = 0; b < stride; b++) sum[b] += g[b] * ratio;
        for (const trib_shared_ngram *h = shared; h < last; h++)
            of_source[h->document] += h->frequency * ratio;
        own_mass[e] = own_part * ratio;
        of_own[0] += own_mass[e];
        of_own[1] += count * log(mix);
    }
}

static void add_block(const trib_mixture *x, const em_scratch *rounds, size_t block, double *tile) {
    const size_t stride = x->background.stride;
    const size_t first = block * rounds->block;
    const size_t left = x->n_entries - first;
    const size_t end = first + (left < rounds->block ? left : rounds->block);
    double *sum = rounds->partial + block * rounds->width;
    memset(sum, 0, rounds->width * sizeof *sum);
    if (rounds->product || stride == 0) {
        const double *product = stride ? rounds->product + first * stride : NULL;
        add_entries(x, first, end, product, rounds->own_mass, sum);
        return;
    }
    for (size_t e = first; e < end; e += TILE) {
        const size_t n = end - e < TILE ? end - e : TILE;
        multiply_rows(tile, x->overlap.index + e * x->n_modes, n, x->n_modes, stride,
                      x->background.row);
        add_entries(x, e, e + n, tile, rounds->own_mass, sum);
    }
}

static trib_status rounds_begin(em_scratch *rounds, const trib_mixture *x, size_t keep_at_most,
                                int n_threads, trib_error *error) {
    const size_t stride = x->background.stride;
    size_t n_products = 0;
    if (!trib_multiply(x->n_entries, stride, &n_products)) n_products = SIZE_MAX;
    rounds->block = (x->n_entries + MAX_BLOCKS - 1) / MAX_BLOCKS;
    if (rounds->block < MIN_BLOCK) rounds->block = MIN_BLOCK;
    rounds->n_blocks = (x->n_entries + rounds->block - 1) / rounds->block;
    rounds->width = stride + x->n_sources + 2;
    trib_status status =
        trib_new_aligned(&rounds->own_mass, x->n_entries, sizeof(double), "the mixture", error);
    if (status == TRIB_OK)
        status = trib_new(&rounds->partial, rounds->n_blocks * rounds->width, sizeof(double),
                          "the mixture", error);
    if (status != TRIB_OK || stride == 0) return status;
    if (n_products > keep_at_most / sizeof(double))
        return trib_new_aligned(&rounds->tile, (size_t)n_threads * TILE * stride, sizeof(double),
                                "the mixture", error);
    status = trib_new_aligned(&rounds->product, n_products, sizeof(double), "the mixture", error);
    if (status != TRIB_OK) return status;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t block = 0; block < rounds->n_blocks; block++) {
        const size_t first = block * rounds->block, left = x->n_entries - first;
        multiply_rows(rounds->product + first * stride, x->overlap.index + first * x->n_modes,
                      left < rounds->block ? left : rounds->block, x->n_modes, stride,
                      x->background.row);
    }
    return TRIB_OK;
}

static void rounds_end(em_scratch *rounds) {
    trib_free(rounds->product);
    trib_free(rounds->tile);
    trib_free(rounds->own_mass);
    trib_free(rounds->partial);
}

/* One round of the EM: every right-hand side uses the weights of the round before. Returns LL of those weights. */
static double advance(trib_mixture *x, const em_scratch *rounds, int n_threads) {
    const size_t stride = x->background.stride;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t block = 0; block < rounds->n_blocks; block++)
        add_block(x, rounds, block,
                  rounds->tile ? rounds->tile + (size_t)omp_get_thread_num() * TILE * stride
                               : NULL);
    double *sum = rounds->partial; /* of all blocks, in their order */
    for (size_t block = 1; block < rounds->n_blocks; block++)
        for (size_t i = 0; i < rounds->width; i++) sum[i] += sum[block * rounds->width + i];

    const double total = (double)x->target->counts->total;
    const double own = sum[rounds->width - 2];
    for (size_t b = 0; b < stride; b++) x->background_weight[b] *= sum[b] / total;
    for (size_t s = 0; s < x->n_sources; s++) x->source_weight[s] *= sum[stride + s] / total;
    x->own_weight = own / total;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint32_t m = 0; m < x->n_modes; m++) {
        memset(x->own[m], 0, x->n_local * sizeof(double));
        for (size_t e = 0; own > 0 && e < x->n_entries; e++)
            x->own[m][x->overlap.index[e * x->n_modes + m]] += rounds->own_mass[e] / own;
    }
    return sum[rounds->width - 1];
}

/* Half the weight to the author, the other half evenly to sources and background; a_m are the target's marginals. */
static trib_status start(trib_mixture *x, uint32_t n_background, trib_error *error) {
    const size_t stride = x->background.stride;
    size_t n_own = 0;
    if (!trib_multiply(x->n_modes, x->n_local, &n_own)) n_own = SIZE_MAX;
    trib_status status = trib_new(&x->own[0], n_own, sizeof(double), "the mixture", error);
    if (status == TRIB_OK)
        status = trib_new(&x->source_weight, x->n_sources, sizeof(double), "the mixture", error);
    if (status == TRIB_OK)
        status = trib_new(&x->last_weight, x->n_sources, sizeof(double), "the mixture", error);
    if (status == TRIB_OK)
        status =
            trib_new_aligned(&x->background_weight, stride, sizeof(double), "the mixture", error);
    if (status == TRIB_OK)
        status = trib_new(&x->mix, x->n_entries, sizeof(double), "the mixture", error);
    if (status != TRIB_OK) return status;
    const double even = 0.5 / ((double)x->n_sources + n_background);
    for (size_t s = 0; s < x->n_sources; s++) x->source_weight[s] = even;
    for (uint32_t b = 0; b < x->background.n; b++) x->background_weight[b] = even;
    x->own_weight = 0.5;
    const double total = (double)x->target->counts->total;
    for (uint32_t m = 0; x->n_local > 0 && m < x->n_modes; m++) {
        x->own[m] = x->own[0] + (size_t)m * x->n_local;
        for (size_t e = 0; e < x->n_entries; e++)
            x->own[m][x->overlap.index[e * x->n_modes + m]] += x->overlap.count[e] / total;
    }
    return TRIB_OK;
}

void trib_mixture_release(trib_mixture *x) {
    trib_overlap_release(&x->overlap);
    if (!x->is_borrowed) trib_background_release(&x->background);
    trib_free(x->source_weight);
    trib_free(x->last_weight);
    trib_free(x->background_weight);
    trib_free(x->own[0]);
    trib_free(x->mix);
    *x = (trib_mixture){0};
}

trib_status trib_mixture_init(trib_mixture *x, const trib_influence_case *c, uint32_t n_background,
                              int n_threads, const trib_progress *progress, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    *x = (trib_mixture){.target = target,
                        .n_modes = target->counts->n_modes,
                        .n_local = target->n_local,
                        .n_entries = target->counts->nnz,
                        .n_sources = c->n_sources};
    trib_status status = trib_overlap_build(&x->overlap, c, c->source, c->n_sources, error);
    if (c->background) {
        x->background = *c->background;
        x->is_borrowed = true;
    } else if (status == TRIB_OK && n_background > 0 && x->n_entries > 0)
        status = trib_background_build(&x->background, c, n_background, n_threads, progress, error);
    if (status == TRIB_OK) status = start(x, n_background, error);
    if (status != TRIB_OK) trib_mixture_release(x);
    return status;
}

trib_status trib_mixture_fit(trib_mixture *x, size_t keep_at_most, int n_threads,
                             const trib_progress *progress, trib_error *error) {
    em_scratch rounds = {0};
    double before = -INFINITY;
    trib_status status = rounds_begin(&rounds, x, keep_at_most, n_threads, error);
    while (status == TRIB_OK && x->n_rounds < MAX_ROUNDS) {
        for (size_t s = 0; s < x->n_sources; s++) x->last_weight[s] = x->source_weight[s];
        x->log_likelihood = advance(x, &rounds, n_threads);
        x->n_rounds++;
        if (fabs(x->log_likelihood - before) < 1e-7 * fabs(x->log_likelihood)) break;
        before = x->log_likelihood;
        if (!trib_progress_tick(progress, x->n_rounds, MAX_ROUNDS))
            status = trib_fail(error, TRIB_INTERRUPTED, "stopped while the mixture was fitted");
    }
    rounds_end(&rounds);
    return status;
}
