/* decomposition.c - one iteration of the solvers, factor distances. */
#include "decomp/decomp.h"
#include "influence/influence.h"
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t ranks[] = {16, 50};
enum { N_RANKS = 2, MAX_THREADS = 2, ITERATIONS = 5 };

/* A tensor, factors, and who works on them. */
typedef struct work {
    trib_tensor tensor;
    trib_cp_options options;
    const trib_ktensor *start; /* factors, where every run begins */
    trib_ktensor k;
} work;

static void copy_start(void *context) {
    work *w = context;
    trib_error error = {0};
    const trib_ktensor *from = w->start;
    trib_ktensor_release(&w->k);
    bench_check(trib_ktensor_init(&w->k, from->n_modes, from->dim, from->rank, &error), &error);
    memcpy(w->k.lambda, from->lambda, from->rank * sizeof *from->lambda);
    for (uint32_t m = 0; m < from->n_modes; m++)
        memcpy(w->k.factor[m], from->factor[m],
               (size_t)from->dim[m] * from->rank * sizeof *from->factor[m]);
}

static void iterate(void *context) {
    work *w = context;
    trib_error error = {0};
    bench_check(trib_cp_solve(&w->k, &w->tensor, &w->options, NULL, &error), &error);
}

static void random_start(trib_ktensor *k, const trib_tensor *x, uint32_t rank) {
    trib_error error = {0};
    bench_check(trib_ktensor_init(k, x->n_modes, x->dim, rank, &error), &error);
    bench_check(trib_start_find("random")->fill(k, x, 1, &error), &error);
}

static void build(work *w, const char *format, const trib_hacoo *counts, int n_threads) {
    trib_error error = {0};
    bench_check(
        trib_tensor_build(&w->tensor, trib_format_find(format), counts, NULL, n_threads, &error),
        &error);
    w->options.n_threads = n_threads;
}

static void release(work *w) {
    trib_tensor_release(&w->tensor);
    trib_ktensor_release(&w->k);
}

static void solver_of(const bench_text *text, const trib_hacoo *counts, const trib_solver *solver) {
    for (int r = 0; r < N_RANKS; r++) {
        work work_of[MAX_THREADS] = {0};
        contestant way[MAX_THREADS];
        trib_ktensor start = {0};
        for (int t = 0; t < MAX_THREADS; t++) {
            work *w = &work_of[t];
            w->options = (trib_cp_options){.solver = solver,
                                           .rank = ranks[r],
                                           .sweeps = 2,
                                           .iterations = ITERATIONS,
                                           .restarts = 1};
            build(w, "coo", counts, t + 1);
            if (t == 0) random_start(&start, &w->tensor, ranks[r]);
            w->start = &start;
            way[t] = (contestant){"coo", ranks[r], t + 1, copy_start, iterate, w};
        }
        const contest what = {solver->name, text->name, NULL, ITERATIONS, ITERATIONS};
        bench_contest(text, &what, way, MAX_THREADS);
        for (int t = 0; t < MAX_THREADS; t++) release(&work_of[t]);
        trib_ktensor_release(&start);
    }
}

void bench_solvers(const bench_text *text) {
    trib_hacoo counts = {0};
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        if (!solver->needs_start || !bench_wanted(text, solver->name)) continue;
        if (!counts.nnz) bench_ngrams(&counts, text, 3, 0, text->n_words);
        solver_of(text, &counts, solver);
    }
    trib_hacoo_release(&counts);
}

/* ---- Seven documents of 45 000 words in all, R 150 each, as in [L] ------------------------------------------------ */

enum { DOCUMENTS = 7, WORDS = 6430, RANK = 150 };

typedef struct distances {
    trib_factors factors;
    double *matrix;
    int n_threads;
} distances;

/* A stretch of the text, over ids of its own, decomposed. */
static void add_document(trib_factors *factors, const bench_text *text, uint32_t d) {
    trib_error error = {0};
    uint32_t *local = bench_new(text->n_types, sizeof *local), *id = bench_new(WORDS, sizeof *id);
    uint32_t *word = bench_new(WORDS, sizeof *word);
    bench_text part = {.id = id};
    size_t first = text->n_words / DOCUMENTS * d;
    for (; part.n_words < WORDS && first < text->n_words; first++) {
        uint32_t *own = &local[text->id[first]];
        if (*own == 0) {
            word[part.n_types] = text->id[first];
            *own = ++part.n_types;
        }
        id[part.n_words++] = *own - 1;
    }
    trib_hacoo counts;
    work w = {0};
    const trib_cp_options options = {
        .rank = RANK, .sweeps = 2, .iterations = ITERATIONS, .restarts = 1, .n_threads = 1};
    bench_ngrams(&counts, &part, 3, 0, part.n_words);
    build(&w, "coo", &counts, 1);
    bench_check(trib_cp(&w.k, &w.tensor, &options, NULL, &error), &error);
    bench_check(trib_factors_add(factors, d, &w.k, word, &error), &error);
    release(&w);
    trib_hacoo_release(&counts);
    free(local);
    free(id);
    free(word);
}

static void every_pair(void *context) {
    distances *d = context;
    trib_error error = {0};
    bench_check(trib_factor_matrix(&d->factors, &d->factors, d->matrix, d->n_threads, &error),
                &error);
}

static void nearest_only(void *context) {
    distances *d = context;
    trib_error error = {0};
    trib_factor_distances found = {0};
    bench_check(trib_factor_distances_find(&found, &d->factors, &d->factors, DOCUMENTS,
                                           d->n_threads, &error),
                &error);
    trib_factor_distances_release(&found);
}

void bench_distances(const bench_text *text) {
    if (!bench_wanted(text, "distances") || text->n_words < (size_t)DOCUMENTS * WORDS) return;
    distances one = {.n_threads = 1};
    for (uint32_t d = 0; d < DOCUMENTS; d++) add_document(&one.factors, text, d);
    const size_t n = one.factors.n;
    one.matrix = bench_new(n * n, sizeof *one.matrix);
    distances two = one;
    two.n_threads = 2;
    const contestant way[] = {{"matrix", RANK, 1, NULL, every_pair, &one},
                              {"matrix", RANK, 2, NULL, every_pair, &two},
                              {"nearest", RANK, 1, NULL, nearest_only, &one},
                              {"nearest", RANK, 2, NULL, nearest_only, &two}};
    const contest what = {"distances", "7-documents", NULL, 1, (double)(n * n)};
    bench_contest(text, &what, way, sizeof way / sizeof *way);
    free(one.matrix);
    trib_factors_release(&one.factors);
}
