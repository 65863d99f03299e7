/* anchored.c - the method `anchored`. It fits a mixture to the target's n-gram counts. Its
 * components are each source's own n-grams, the language common to all documents, and the author's
 * own language. The weight of a source is its share (docs/model.md section 5; methods.h describes
 * the model).
 *
 * The EM of the mixture minimises the Kullback-Leibler divergence. Most of the time goes into the
 * background: B products per n-gram and round. A component has few words in every mode, so almost
 * all of these products are negligible. Only the others are listed, once if memory allows, and one
 * pass over the list gives both mix(z) and the sums of the update. */
#include "base/internal.h"
#include "influence/methods.h"

#include <omp.h>

enum {
    MAX_ROUNDS = 150,
    TILE = 64,       /* entries whose G_b are computed together */
    MAX_BLOCKS = 64, /* partial sums per component; the same for any number of threads */
    MIN_BLOCK = 1024 /* smallest number of entries in a block */
};

/* Lower bound of the probability of an n-gram. */
static const double SMALLEST = 1e-300;

/* A product below this fraction of the largest one of its n-gram is dropped. The sum has the same
 * bits without it, unless the weights differ by a factor of 100 or more. */
static const double NEGLIGIBLE = 1e-18;

/* The listed G_b(z) of consecutive entries. Entry e has value[i] of b = component[i], with i from
 * start[e] to start[e + 1] - 1. */
typedef struct products {
    size_t *start;
    uint32_t *component;
    double *value;
} products;

/* One thread's scratch for products. */
typedef struct em_tile {
    double *dense; /* [TILE][stride] all products */
    products made; /* [TILE + 1] starts, [TILE][stride] listed products */
} em_tile;

/* Scratch of the EM. */
typedef struct em_scratch {
    products cached;  /* of all entries; empty: they are computed in every round */
    em_tile *tile;    /* [n_threads] */
    double *own_mass; /* [n_entries] q(z) = pi_0 A(z) T(z) / mix(z) */
    double *partial;  /* [n_blocks][width] sums over a block: pi_b, pi_s, q, T log mix */
    size_t n_blocks, block, width;
    int n_threads;
} em_scratch;

/* Computes product[n][stride], G_b(z) of n entries. */
TRIB_KERNEL(void, multiply_rows,
            (double *restrict product, const uint32_t *restrict index, size_t n, uint32_t n_modes,
             size_t stride, double *const row[]),
            (product, index, n, n_modes, stride, row)) {
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

/* Lists the products of dense[n][stride] that are not negligible, from start[0] on. Rows are padded
 * to a multiple of eight, and most groups of eight are negligible as a whole. */
TRIB_KERNEL(void, list_products,
            (const double *restrict dense, size_t n, size_t stride, size_t *restrict start,
             uint32_t *restrict component, double *restrict value),
            (dense, n, stride, start, component, value)) {
    enum { LANES = 8 };
    size_t end = start[0];
    for (size_t e = 0; e < n; e++, dense += stride) {
        double most[LANES] = {0}, largest = 0;
        for (size_t b = 0; b < stride; b += LANES)
            for (size_t l = 0; l < LANES; l++)
                most[l] = dense[b + l] > most[l] ? dense[b + l] : most[l];
        for (size_t l = 0; l < LANES; l++) largest = most[l] > largest ? most[l] : largest;
        const double least = largest * NEGLIGIBLE;
        for (size_t b = 0; b < stride; b += LANES) {
            int64_t n_counting = 0;
            for (size_t l = 0; l < LANES; l++) n_counting += dense[b + l] > least;
            for (size_t l = 0; l < LANES && n_counting > 0; l++) {
                component[end] = (uint32_t)(b + l);
                value[end] = dense[b + l];
                end += dense[b + l] > least;
            }
        }
        start[e + 1] = end;
    }
}

/* Adds entries first .. end-1 to the right-hand sides of a round, sum[stride + n_sources + 2], laid
 * out as in em_scratch.partial. start[0] belongs to entry `first`. */
TRIB_KERNEL(void, add_entries,
            (const trib_mixture *x, size_t first, size_t end, const size_t *restrict start,
             const uint32_t *restrict component, const double *restrict value,
             double *restrict own_mass, double *restrict sum),
            (x, first, end, start, component, value, own_mass, sum)) {
    const trib_overlap *overlap = &x->overlap;
    const size_t stride = x->background.stride;
    double *restrict of_source = sum + stride, *restrict of_own = of_source + x->n_sources;
    const double *const *own = (const double *const *)x->own;
    double product = 1; /* of values of `mix` whose logarithm is still to be added */
    for (size_t e = first; e < end; e++) {
        const size_t from = start[e - first], to = start[e - first + 1];
        const trib_shared_ngram *shared = overlap->shared + overlap->start[e];
        const trib_shared_ngram *last = overlap->shared + overlap->start[e + 1];
        const double count = overlap->count[e];
        const double own_part = x->own_weight * trib_mixture_own(x, own, e);
        double mix = own_part;
        for (size_t i = from; i < to; i++) mix += x->background_weight[component[i]] * value[i];
        for (const trib_shared_ngram *h = shared; h < last; h++)
            mix += x->source_weight[h->document] * h->frequency;
        mix = fmax(mix, SMALLEST);
        x->mix[e] = mix;
        const double ratio = count / mix;
        for (size_t i = from; i < to; i++) sum[component[i]] += value[i] * ratio;
        for (const trib_shared_ngram *h = shared; h < last; h++)
            of_source[h->document] += h->frequency * ratio;
        own_mass[e] = own_part * ratio;
        of_own[0] += own_mass[e];
        if (count != 1 || mix < 1e-100) of_own[1] += count * trib_logarithm(mix);
        else product *= mix;
        if (product >= 1e-200 && (e - first) % TILE < TILE - 1) continue;
        of_own[1] += trib_logarithm(product);
        product = 1;
    }
    of_own[1] += trib_logarithm(product);
}

/* Computes the products of n entries from `first` on. */
static void make_tile(const em_tile *tile, const trib_mixture *x, size_t first, size_t n) {
    const size_t stride = x->background.stride;
    tile->made.start[0] = 0;
    if (stride > 0)
        multiply_rows(tile->dense, x->overlap.index + first * x->n_modes, n, x->n_modes, stride,
                      x->background.row);
    list_products(tile->dense, n, stride, tile->made.start, tile->made.component, tile->made.value);
}

static void add_block(const trib_mixture *x, const em_scratch *rounds, size_t block) {
    const em_tile *tile = &rounds->tile[omp_get_thread_num()];
    const products *cached = &rounds->cached, *made = &tile->made;
    const size_t first = block * rounds->block, left = x->n_entries - first;
    const size_t end = first + (left < rounds->block ? left : rounds->block);
    double *sum = rounds->partial + block * rounds->width;
    memset(sum, 0, rounds->width * sizeof *sum);
    if (cached->value) {
        add_entries(x, first, end, cached->start + first, cached->component, cached->value,
                    rounds->own_mass, sum);
        return;
    }
    for (size_t e = first; e < end; e += TILE) {
        const size_t n = end - e < TILE ? end - e : TILE;
        make_tile(tile, x, e, n);
        add_entries(x, e, e + n, made->start, made->component, made->value, rounds->own_mass, sum);
    }
}

static trib_status tile_begin(em_tile *tile, size_t stride, trib_error *error) {
    static const char what[] = "the mixture";
    size_t n = 0;
    if (!trib_multiply(TILE, stride, &n)) n = SIZE_MAX - 1;
    trib_status status = trib_new_aligned(&tile->dense, n + 1, sizeof *tile->dense, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&tile->made.start, TILE + 1, what, error);
    /* one element more, where unlisted products are written */
    if (status == TRIB_OK) status = TRIB_NEW(&tile->made.component, n + 1, what, error);
    return status == TRIB_OK ? TRIB_NEW(&tile->made.value, n + 1, what, error) : status;
}

static void products_release(products *p) {
    TRIB_FREE(p->start, p->component, p->value);
    *p = (products){0};
}

/* Appends the products of n entries from `first` on to the cache. */
static trib_status cache_tile(products *cached, size_t cap[2], const products *made, size_t first,
                              size_t n, trib_error *error) {
    static const char what[] = "the mixture";
    const size_t to = cached->start[first], n_made = made->start[n];
    trib_status status = TRIB_GROW(&cached->component, &cap[0], to + n_made, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&cached->value, &cap[1], to + n_made, what, error);
    if (status != TRIB_OK) return status;
    if (n_made > 0) { /* without any product so far, the lists are NULL */
        memcpy(cached->component + to, made->component, n_made * sizeof *cached->component);
        memcpy(cached->value + to, made->value, n_made * sizeof *cached->value);
    }
    for (size_t e = 0; e < n; e++) cached->start[first + e + 1] = to + made->start[e + 1];
    return status;
}

/* Caches the products of all entries, unless they take more than max_cached_bytes. Threads compute
 * tiles in parallel and append them in order. */
static trib_status cache_products(em_scratch *rounds, const trib_mixture *x,
                                  size_t max_cached_bytes, trib_error *error) {
    products *cached = &rounds->cached;
    const size_t most = max_cached_bytes / (sizeof *cached->value + sizeof *cached->component);
    const size_t n_tiles = (x->n_entries + TILE - 1) / TILE;
    size_t cap[2] = {0};
    bool fits = true;
    trib_status status = TRIB_NEW(&cached->start, x->n_entries + 1, "the mixture", error);
    if (status != TRIB_OK) return status;
#pragma omp parallel for ordered num_threads(rounds->n_threads) schedule(static, 1)
    for (size_t t = 0; t < n_tiles; t++) {
        const em_tile *tile = &rounds->tile[omp_get_thread_num()];
        const size_t first = t * TILE, left = x->n_entries - first;
        const size_t n = left < TILE ? left : TILE;
        bool wanted;
#pragma omp atomic read
        wanted = fits;
        if (wanted) make_tile(tile, x, first, n);
#pragma omp ordered
        if (fits && status == TRIB_OK) {
            const bool fit = tile->made.start[n] <= most - cached->start[first];
            if (fit) status = cache_tile(cached, cap, &tile->made, first, n, error);
#pragma omp atomic write
            fits = fit && status == TRIB_OK;
        }
    }
    if (status == TRIB_OK && fits) return status;
    TRIB_FREE(cached->component, cached->value);
    cached->component = NULL;
    cached->value = NULL;
    return status;
}

static trib_status rounds_begin(em_scratch *rounds, const trib_mixture *x, size_t max_cached_bytes,
                                int n_threads, trib_error *error) {
    const size_t stride = x->background.stride;
    rounds->n_threads = n_threads;
    rounds->block = (x->n_entries + MAX_BLOCKS - 1) / MAX_BLOCKS;
    if (rounds->block < MIN_BLOCK) rounds->block = MIN_BLOCK;
    rounds->n_blocks = (x->n_entries + rounds->block - 1) / rounds->block;
    rounds->width = stride + x->n_sources + 2;
    trib_status status =
        trib_new_aligned(&rounds->own_mass, x->n_entries, sizeof(double), "the mixture", error);
    if (status == TRIB_OK)
        status = trib_new(&rounds->partial, rounds->n_blocks * rounds->width, sizeof(double),
                          "the mixture", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&rounds->tile, (size_t)n_threads, "the mixture", error);
    for (int t = 0; t < n_threads && status == TRIB_OK; t++)
        status = tile_begin(&rounds->tile[t], stride, error);
    if (status == TRIB_OK && stride > 0)
        status = cache_products(rounds, x, max_cached_bytes, error);
    return status;
}

static void rounds_end(em_scratch *rounds) {
    for (int t = 0; rounds->tile && t < rounds->n_threads; t++) {
        trib_free(rounds->tile[t].dense);
        products_release(&rounds->tile[t].made);
    }
    trib_free(rounds->tile);
    products_release(&rounds->cached);
    TRIB_FREE(rounds->own_mass, rounds->partial);
}

/* One round of EM. All updates use the weights of the previous round. Returns the log likelihood of
 * those weights. */
static double advance(trib_mixture *x, const em_scratch *rounds, int n_threads) {
    const size_t stride = x->background.stride;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t block = 0; block < rounds->n_blocks; block++) add_block(x, rounds, block);
    double *sum = rounds->partial; /* the sum over all blocks, added in their order */
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

/* Sets the starting weights: half for the author, the other half evenly for sources and background.
 * a_m are the target's marginals. */
static trib_status start(trib_mixture *x, uint32_t n_background, trib_error *error) {
    const size_t stride = x->background.stride;
    trib_status status = trib_new(&x->own[0], trib_product(x->n_modes, x->n_local), sizeof(double),
                                  "the mixture", error);
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
    TRIB_FREE(x->source_weight, x->last_weight, x->background_weight, x->own[0], x->mix);
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

trib_status trib_mixture_fit(trib_mixture *x, size_t max_cached_bytes, int n_threads,
                             const trib_progress *progress, trib_error *error) {
    em_scratch rounds = {0};
    double before = -INFINITY;
    trib_status status = rounds_begin(&rounds, x, max_cached_bytes, n_threads, error);
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

/* ---- The method ------------------------------------------------------------------------------ */

/* Limit for cached products of the background's factors. */
static const size_t max_cached_bytes = (size_t)256 << 20;

/* The number of background components B: that of the case's background, else the option, else the
 * rule of docs/model.md section 5. */
static uint32_t n_components(const trib_influence_case *c, const trib_influence_options *options) {
    if (c->background) return c->background->n;
    if (options->background >= 0) return (uint32_t)options->background;
    const double n_words = (double)c->document[c->target].n_words;
    const double rule = rint(0.3 * sqrt(n_words * (double)c->n_sources));
    return rule < 1 ? 1 : rule > INT32_MAX ? INT32_MAX : (uint32_t)rule;
}

/* Fitting the background is the first half of the progress of a measurement, the EM the second
 * half. `context` is the caller's trib_progress. */
static bool tick_first_half(void *context, double done, double total) {
    return trib_progress_tick(context, total > 0 ? done / total / 2 : 0, 1);
}

static bool tick_second_half(void *context, double done, double total) {
    return trib_progress_tick(context, (1 + done / total) / 2, 1);
}

/* Finds the groups of sources by what the fit credits to each: T(z) pi_s P_s(z) / mix(z). */
static trib_status find_groups(trib_influence *result, const trib_mixture *x, trib_error *error) {
    const trib_overlap *overlap = &x->overlap;
    TRIB_FREED(double *) credit = NULL;
    const trib_status status =
        TRIB_NEW(&credit, overlap->start[overlap->n_entries], "groups", error);
    if (status != TRIB_OK) return status;
    for (size_t h = 0; h < overlap->start[overlap->n_entries]; h++) {
        const trib_shared_ngram *z = &overlap->shared[h];
        credit[h] = overlap->count[z->entry] * x->last_weight[z->document] * z->frequency /
                    x->mix[z->entry];
    }
    const trib_status found = trib_groups_find(result, x->target, overlap, credit, error);
    return found;
}

/* Copies the other fitted weights into the result. The arrays that evidence needs move from `x`
 * into the result, which then owns them. */
static void report(trib_influence *result, trib_mixture *x) {
    result->own = x->own_weight;
    result->common = 0;
    for (uint32_t b = 0; b < x->background.n; b++) result->common += x->background_weight[b];
    result->author = result->own + result->common;
    result->n_iterations = x->n_rounds;
    result->log_likelihood = x->log_likelihood;
    result->weight = x->last_weight;
    result->mix = x->mix;
    x->last_weight = x->mix = NULL;
}

trib_status trib_anchored_measure(trib_influence *result, const trib_influence_case *c,
                                  const trib_influence_options *options, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    trib_progress whole = options->progress;
    const trib_progress first = {tick_first_half, &whole}, second = {tick_second_half, &whole};
    TRIB_OWNED(trib_mixture) x = {0};
    result->background = n_components(c, options);
    trib_status status =
        trib_mixture_init(&x, c, result->background, options->n_threads, &first, error);
    if (status != TRIB_OK) return status;
    if (target->counts->total == 0) { /* an empty target is wholly its author's */
        x.own_weight = 1;
    } else {
        status = trib_mixture_fit(&x, max_cached_bytes, options->n_threads, &second, error);
        for (size_t s = 0; s < c->n_sources; s++) result->share[s] = x.source_weight[s];
        if (status == TRIB_OK) status = find_groups(result, &x, error);
        if (status == TRIB_OK && options->bootstrap > 0 && target->sequence)
            status = trib_mixture_intervals(result, &x, options->bootstrap, options->seed,
                                            options->n_threads, error);
    }
    if (status == TRIB_OK) report(result, &x);
    return status;
}
