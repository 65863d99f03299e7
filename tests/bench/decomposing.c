/* decomposing.c - a tensor built in a format and decomposed in ten iterations: what a format costs
 * from beginning to end. */
#include "decomp/decomp.h"
#include "tests/bench/bench.h"
#include "tests/bench/synthetic.h"

#include <stdio.h>
#include <string.h>

enum { RANK = 16, ITERATIONS = 10, MAX_THREADS = 2 };

typedef struct work {
    const trib_hacoo *counts;
    const trib_format *format;
    const trib_solver *solver;
    const trib_ktensor *start; /* NULL: the tensor is built, nothing else */
    trib_ktensor *k;           /* of the start's size */
    int n_threads;
} work;

static void copy_start(void *context) {
    const work *w = context;
    if (!w->start) return;
    memcpy(w->k->lambda, w->start->lambda, RANK * sizeof *w->k->lambda);
    for (uint32_t m = 0; m < w->start->n_modes; m++)
        memcpy(w->k->factor[m], w->start->factor[m],
               (size_t)w->start->dim[m] * RANK * sizeof *w->k->factor[m]);
}

static void build_and_solve(void *context) {
    const work *w = context;
    trib_tensor x = {0};
    trib_error error = {0};
    char reason[TRIB_REASON_MAX];
    const trib_format *format = trib_format_choose(w->format, w->counts, RANK, ITERATIONS, reason);
    const trib_cp_options options = {.solver = w->solver,
                                     .rank = RANK,
                                     .sweeps = 2,
                                     .iterations = ITERATIONS,
                                     .restarts = 1,
                                     .n_threads = w->n_threads};
    bench_check(trib_tensor_build(&x, format, w->counts, NULL, w->n_threads, &error), &error);
    if (w->start) bench_check(trib_cp_solve(w->k, &x, &options, NULL, &error), &error);
    trib_tensor_release(&x);
}

/* The first row is what the others are measured against: unconstrained least squares over one copy
 * of the coordinates. */
static const struct {
    const char *format, *solver, *name;
} rows[] = {{"alto", "als", "alto-als"},
            {"alto", "hals", "alto-hals"},
            {"rows", "hals", "rows-hals"},
            {"auto", "hals", "auto-hals"}};
enum { N_ROWS = sizeof rows / sizeof *rows };

static void decompose(const bench_text *text, const char *tensor, const trib_hacoo *counts) {
    trib_tensor x = {0};
    trib_ktensor start, k;
    trib_error error = {0};
    bench_check(trib_tensor_build(&x, trib_format_find("coo-unsorted"), counts, NULL, 1, &error),
                &error);
    bench_check(trib_ktensor_init(&start, x.n_modes, x.dim, RANK, &error), &error);
    bench_check(trib_ktensor_init(&k, x.n_modes, x.dim, RANK, &error), &error);
    bench_check(trib_start_find("random")->fill(&start, &x, 1, &error), &error);
    work of[2 * N_ROWS * MAX_THREADS];
    contestant way[2 * N_ROWS * MAX_THREADS];
    for (size_t what = 0, n = 0; what < 2; what++, n = 0) {
        const char *kernel = what ? "decomposing" : "decomposing-build";
        if (!bench_wanted(text, kernel)) continue;
        for (size_t i = 0; i < N_ROWS; i++)
            for (int t = 1; t <= MAX_THREADS; t++, n++) {
                of[n] = (work){.counts = counts,
                               .format = trib_format_find(rows[i].format),
                               .solver = trib_solver_find(rows[i].solver),
                               .start = what ? &start : NULL,
                               .k = &k,
                               .n_threads = t};
                way[n] = (contestant){what ? rows[i].name : rows[i].format,
                                      RANK,
                                      t,
                                      copy_start,
                                      build_and_solve,
                                      &of[n]};
            }
        const contest contested = {kernel, tensor, what ? "alto-als" : "alto", 1,
                                   (double)counts->nnz};
        bench_contest(text, &contested, way, n);
    }
    trib_ktensor_release(&start);
    trib_ktensor_release(&k);
    trib_tensor_release(&x);
}

void bench_decomposing(const bench_text *text) {
    if (!bench_wanted(text, "decomposing-build")) return;
    char tensor[300];
    trib_hacoo counts;
    snprintf(tensor, sizeof tensor, "%s3", text->name);
    bench_ngrams(&counts, text, 3, 0, text->n_words);
    decompose(text, tensor, &counts);
    trib_hacoo_release(&counts);
}

void bench_decomposing_synthetic(const bench_text *how) {
    static const char *const wanted[] = {"uber-like", "nell2-like-5M"};
    if (!bench_wanted(how, "decomposing-build")) return;
    for (const synthetic *what = synthetic_tensors; what->name; what++)
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            trib_hacoo counts;
            trib_error error = {0};
            if (strcmp(what->name, wanted[i]) != 0) continue;
            bench_check(synthetic_make(&counts, what, 1, &error), &error);
            decompose(how, what->name, &counts);
            trib_hacoo_release(&counts);
        }
}
