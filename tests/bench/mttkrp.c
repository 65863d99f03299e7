/* mttkrp.c - MTTKRP in every format, of texts and of tensors that are no text, against coordinates
 * in the order they came and a walk over the buckets. */
#include "base/internal.h"
#include "decomp/decomp.h"
#include "tensor/entry.h"
#include "tensor/formats/kernel.h"
#include "tests/bench/bench.h"
#include "tests/bench/synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_RANKS = 2, MAX_THREADS = 2 };
static const uint32_t ranks[N_RANKS] = {16, 50};

/* Who computes what. */
typedef struct work {
    trib_tensor tensor; /* in a format; or */
    const trib_hacoo *counts;
    const uint32_t *index; /* [nnz][n_modes] */
    const trib_ktensor *factors;
    double *out;
    int n_threads;
} work;

static void in_format(void *context) {
    work *w = context;
    for (uint32_t m = 0; m < w->tensor.n_modes; m++)
        trib_mttkrp(&w->tensor, m, w->factors->rank, (const double *const *)w->factors->factor,
                    w->out, w->n_threads);
}

static void clear(const work *w, uint32_t mode) {
    memset(w->out, 0, (size_t)w->counts->dim[mode] * w->factors->rank * sizeof *w->out);
}

/* The formula, over coordinates in the order they came. */
static void naively(void *context) {
    work *w = context;
    const uint32_t n_modes = w->counts->n_modes, rank = w->factors->rank;
    for (uint32_t mode = 0; mode < n_modes; mode++) {
        clear(w, mode);
        for (size_t e = 0; e < w->counts->nnz; e++) {
            const uint32_t *index = w->index + e * n_modes;
            for (uint32_t r = 0; r < rank; r++) {
                double term = trib_hacoo_count(w->counts, e);
                for (uint32_t m = 0; m < n_modes; m++)
                    if (m != mode) term *= w->factors->factor[m][(size_t)index[m] * rank + r];
                w->out[(size_t)index[mode] * rank + r] += term;
            }
        }
    }
}

/* As HaCOO was published: bucket by bucket, entry by entry; the terms through our own inner
 * loop. */
TRIB_INLINE void walk(uint32_t n_modes, uint32_t rank, const work *w, uint32_t mode, bool wide) {
    const trib_hacoo *x = w->counts;
    uint32_t index[TRIB_MAX_MODES];
    const double *row[TRIB_MAX_MODES];
    for (size_t b = 0; b < x->n_buckets; b++)
        for (uint32_t e = x->head[b]; e != TRIB_CHAIN_END;
             e = *trib_entry_next(x->entry, e, wide)) {
            trib_key_unpack(x->bits, n_modes, trib_entry_key(x->entry, e, wide), index, wide);
            for (uint32_t m = 0, k = 0; m < n_modes; m++)
                if (m != mode) row[k++] = w->factors->factor[m] + (size_t)index[m] * rank;
            trib_add_term(w->out + (size_t)index[mode] * rank, row, n_modes - 1,
                          *trib_entry_count(x->entry, e, wide), rank);
        }
}

TRIB_KERNEL static void walk_buckets(uint32_t n_modes, uint32_t rank, const work *w,
                                     uint32_t mode) {
    if (trib_is_wide(w->counts)) walk(n_modes, rank, w, mode, true);
    else TRIB_SPECIALISE(walk, n_modes, rank, w, mode, false);
}

static void bucket_by_bucket(void *context) {
    work *w = context;
    for (uint32_t mode = 0; mode < w->counts->n_modes; mode++) {
        clear(w, mode);
        walk_buckets(w->counts->n_modes, w->factors->rank, w, mode);
    }
}

static void random_factors(trib_ktensor *k, const trib_tensor *x, uint32_t rank) {
    trib_error error = {0};
    bench_check(trib_ktensor_init(k, x->n_modes, x->dim, rank, &error), &error);
    bench_check(trib_start_find("random")->fill(k, x, 1, &error), &error);
}

static double *largest_out(const trib_hacoo *counts, uint32_t rank) {
    uint32_t largest = 0;
    for (uint32_t m = 0; m < counts->n_modes; m++)
        if (counts->dim[m] > largest) largest = counts->dim[m];
    return bench_new((size_t)largest * rank, sizeof(double));
}

static void all_ways(const bench_text *text, const char *tensor, const trib_hacoo *counts,
                     const uint32_t *index, uint32_t rank) {
    static work work_of[MAX_CONTESTANTS];
    contestant way[MAX_CONTESTANTS];
    trib_ktensor factors = {0};
    trib_error error = {0};
    size_t n = 2;
    memset(work_of, 0, sizeof work_of);
    double *out = largest_out(counts, rank);
    for (size_t f = 0; trib_formats[f]; f++)
        for (int t = 1; t <= MAX_THREADS && n < MAX_CONTESTANTS; t++, n++) {
            work_of[n].n_threads = t;
            bench_check(
                trib_tensor_build(&work_of[n].tensor, trib_formats[f], counts, NULL, t, &error),
                &error);
            way[n] =
                (contestant){trib_formats[f]->name, rank, t, in_format, in_format, &work_of[n]};
        }
    random_factors(&factors, &work_of[2].tensor, rank);
    way[0] = (contestant){"naive-coo", rank, 1, naively, naively, &work_of[0]};
    way[1] = (contestant){"bucket-walk", rank, 1, bucket_by_bucket, bucket_by_bucket, &work_of[1]};
    for (size_t i = 0; i < n; i++) {
        work_of[i].counts = counts;
        work_of[i].index = index;
        work_of[i].factors = &factors;
        work_of[i].out = out;
    }
    const contest what = {"mttkrp", tensor, "alto", counts->n_modes,
                          (double)counts->nnz * counts->n_modes};
    bench_contest(text, &what, way, n);
    for (size_t i = 2; i < n; i++) trib_tensor_release(&work_of[i].tensor);
    trib_ktensor_release(&factors);
    free(out);
}

static void each_rank(const bench_text *text, const char *tensor, const trib_hacoo *counts,
                      int n_ranks) {
    uint32_t *index = bench_new(counts->nnz * counts->n_modes, sizeof *index);
    for (size_t e = 0; e < counts->nnz; e++)
        trib_hacoo_entry(counts, e, index + e * counts->n_modes);
    for (int r = 0; r < n_ranks; r++) all_ways(text, tensor, counts, index, ranks[r]);
    free(index);
}

enum { LARGE = 2000000 }; /* words: 4-grams of smaller texts have been shown */

void bench_mttkrp(const bench_text *text) {
    if (!bench_wanted(text, "mttkrp")) return;
    for (uint32_t n = 3; n <= (text->n_words < LARGE ? 4 : 3); n++) {
        char tensor[300];
        trib_hacoo counts;
        snprintf(tensor, sizeof tensor, "%s%u", text->name, n);
        bench_ngrams(&counts, text, n, 0, text->n_words);
        each_rank(text, tensor, &counts, N_RANKS);
        trib_hacoo_release(&counts);
    }
}

/* Of the whole bench the first rank is enough. */
void bench_mttkrp_synthetic(const bench_text *how) {
    if (!bench_wanted(how, "mttkrp-synthetic")) return;
    for (const synthetic *what = synthetic_tensors; what->name; what++) {
        trib_hacoo counts;
        trib_error error = {0};
        bench_check(synthetic_make(&counts, what, 1, &error), &error);
        each_rank(how, what->name, &counts, how->only ? N_RANKS : 1);
        trib_hacoo_release(&counts);
    }
}
