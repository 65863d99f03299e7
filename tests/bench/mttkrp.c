/* mttkrp.c - MTTKRP in every format, of texts and of tensors that are no text, against coordinates
 * in the order they came. */
#include "decomp/decomp.h"
#include "tests/bench/bench.h"
#include "tests/bench/synthetic.h"

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

/* The formula, over coordinates in the order they came. */
static void naively(void *context) {
    work *w = context;
    const uint32_t n_modes = w->counts->n_modes, rank = w->factors->rank;
    for (uint32_t mode = 0; mode < n_modes; mode++) {
        memset(w->out, 0, (size_t)w->counts->dim[mode] * rank * sizeof *w->out);
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
    size_t n = 1;
    memset(work_of, 0, sizeof work_of);
    double *out = largest_out(counts, rank);
    for (size_t f = 0; trib_formats[f]; f++)
        for (int t = 1; t <= MAX_THREADS && n < MAX_CONTESTANTS; t++, n++) {
            work_of[n].n_threads = t;
            bench_must(trib_tensor_build(&work_of[n].tensor, trib_formats[f], counts, NULL, t,
                                         &bench_error));
            way[n] =
                (contestant){trib_formats[f]->name, rank, t, in_format, in_format, &work_of[n]};
        }
    const trib_tensor *first = &work_of[1].tensor;
    bench_must(trib_ktensor_init(&factors, first->n_modes, first->dim, rank, &bench_error));
    bench_must(trib_start_find("random")->fill(&factors, first, 1, &bench_error));
    way[0] = (contestant){"naive-coo", rank, 1, naively, naively, &work_of[0]};
    for (size_t i = 0; i < n; i++) {
        work_of[i].counts = counts;
        work_of[i].index = index;
        work_of[i].factors = &factors;
        work_of[i].out = out;
    }
    const contest what = {"mttkrp", tensor, "alto", counts->n_modes,
                          (double)counts->nnz * counts->n_modes};
    bench_contest(text, &what, way, n);
    for (size_t i = 1; i < n; i++) trib_tensor_release(&work_of[i].tensor);
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
        bench_must(synthetic_make(&counts, what, 1, &bench_error));
        each_rank(how, what->name, &counts, how->only ? N_RANKS : 1);
        trib_hacoo_release(&counts);
    }
}
