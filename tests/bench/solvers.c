/* solvers.c - one iteration of every solver side by side; how far each of them gets in 0.1 to 10 seconds. */
#include "decomp/decomp.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint32_t ranks[] = {16, 50};
enum { N_RANKS = 2, MAX_THREADS = 2, ITERATIONS = 5, WARMING = 10 };

/* ---- One iteration ------------------------------------------------------------------------------------------------------- */

/* Who works on what; the factors are those of whoever runs. */
typedef struct work {
    const trib_tensor *tensor;
    trib_cp_options options;
    const trib_ktensor *start; /* factors, where every run begins */
    trib_ktensor *k;
} work;

static void copy_start(void *context) {
    work *w = context;
    const trib_ktensor *from = w->start;
    memcpy(w->k->lambda, from->lambda, from->rank * sizeof *from->lambda);
    for (uint32_t m = 0; m < from->n_modes; m++)
        memcpy(w->k->factor[m], from->factor[m],
               (size_t)from->dim[m] * from->rank * sizeof *from->factor[m]);
}

static void iterate(void *context) {
    work *w = context;
    trib_error error = {0};
    bench_check(trib_cp_solve(w->k, w->tensor, &w->options, NULL, &error), &error);
}

/* Some iterations of hals from a random start: factors as sparse as they are most of the time. */
static void warm_up(trib_ktensor *k, const trib_tensor *x, uint32_t rank) {
    trib_error error = {0};
    const trib_cp_options options = {.solver = trib_solver_find("hals"),
                                     .rank = rank,
                                     .sweeps = 2,
                                     .iterations = WARMING,
                                     .restarts = 1,
                                     .n_threads = 1};
    bench_check(trib_ktensor_init(k, x->n_modes, x->dim, rank, &error), &error);
    bench_check(trib_start_find("random")->fill(k, x, 1, &error), &error);
    bench_check(trib_cp_solve(k, x, &options, NULL, &error), &error);
}

static void iterations_of(const bench_text *text, const trib_tensor tensor[MAX_THREADS],
                          uint32_t rank) {
    static work work_of[MAX_CONTESTANTS];
    contestant way[MAX_CONTESTANTS];
    trib_ktensor start, k;
    trib_error error = {0};
    size_t n = 0;
    warm_up(&start, &tensor[0], rank);
    bench_check(trib_ktensor_init(&k, start.n_modes, start.dim, rank, &error), &error);
    for (int first = 1; first >= 0; first--) /* als, which the others are measured by, then they */
        for (const trib_solver *solver = trib_solvers; solver->name; solver++)
            for (int t = 0; t < MAX_THREADS && solver->needs_start; t++) {
                if ((strcmp(solver->name, "als") == 0) != first) continue;
                const trib_cp_options options = {.solver = solver,
                                                 .rank = rank,
                                                 .sweeps = 2,
                                                 .iterations = ITERATIONS,
                                                 .restarts = 1,
                                                 .n_threads = t + 1};
                work_of[n] = (work){&tensor[t], options, &start, &k};
                way[n] = (contestant){solver->name, rank, t + 1, copy_start, iterate, &work_of[n]};
                n++;
            }
    const contest what = {"solvers", text->name, "als", ITERATIONS, ITERATIONS};
    bench_contest(text, &what, way, n);
    trib_ktensor_release(&start);
    trib_ktensor_release(&k);
}

void bench_solvers(const bench_text *text) {
    trib_hacoo counts;
    trib_tensor tensor[MAX_THREADS] = {0};
    trib_error error = {0};
    if (!bench_wanted(text, "solvers")) return;
    bench_ngrams(&counts, text, 3, 0, text->n_words);
    for (int t = 0; t < MAX_THREADS; t++)
        bench_check(
            trib_tensor_build(&tensor[t], trib_format_find("rows"), &counts, NULL, t + 1, &error),
            &error);
    for (int r = 0; r < N_RANKS; r++) iterations_of(text, tensor, ranks[r]);
    for (int t = 0; t < MAX_THREADS; t++) trib_tensor_release(&tensor[t]);
    trib_hacoo_release(&counts);
}

/* ---- The fit after some seconds -------------------------------------------------------------------------------------------- */

static const double moments[] = {.1, .5, 2, 10};
enum { N_MOMENTS = 4, WITHOUT_END = 1000000 };

/* Seconds of processor: what else runs does not count. */
static double processor(void *context) {
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fit_of(const bench_text *text, const trib_tensor *x, const trib_solver *solver,
                   const trib_start *start, uint32_t rank) {
    trib_ktensor k;
    trib_cp_trace trace;
    trib_error error = {0};
    const trib_cp_options options = {.solver = solver,
                                     .start = start,
                                     .rank = rank,
                                     .sweeps = 2,
                                     .iterations = WITHOUT_END,
                                     .time = moments[N_MOMENTS - 1],
                                     .restarts = 1,
                                     .seed = 1,
                                     .lift = .01,
                                     .n_threads = 1,
                                     .clock = {processor, NULL}};
    bench_check(trib_cp(&k, x, &options, &trace, &error), &error);
    double fit[N_MOMENTS] = {NAN, NAN, NAN, NAN}, elapsed = 0;
    for (size_t i = 0; i < trace.n_steps; i++) {
        const trib_cp_step *step = &trace.step[i];
        elapsed += step->mttkrp + step->dense + step->other;
        for (int t = 0; t < N_MOMENTS; t++)
            if (elapsed <= moments[t]) fit[t] = step->fit;
    }
    printf("fit\t%s\t%s\t%u\t%s\t%.4f\t%.4f\t%.4f\t%.4f\t%zu\t%.4g\n", solver->name, start->name,
           rank, text->name, fit[0], fit[1], fit[2], fit[3], trace.n_steps,
           1e3 * elapsed / (double)trace.n_steps);
    fflush(stdout);
    trib_ktensor_release(&k);
    trib_cp_trace_release(&trace);
}

void bench_fit(const bench_text *text) {
    trib_hacoo counts;
    trib_tensor x = {0};
    trib_error error = {0};
    if (!text->only || strcmp(text->only, "fit") != 0) return;
    bench_ngrams(&counts, text, 3, 0, text->n_words);
    bench_check(trib_tensor_build(&x, trib_format_find("rows"), &counts, NULL, 1, &error), &error);
    puts("kernel\tsolver\tstart\trank\ttensor\t0.1 s\t0.5 s\t2 s\t10 s\titerations\tms");
    for (int r = 0; r < N_RANKS; r++)
        for (const trib_solver *solver = trib_solvers; solver->name; solver++)
            if (solver->needs_start) fit_of(text, &x, solver, trib_start_find("greedy"), ranks[r]);
    trib_tensor_release(&x);
    trib_hacoo_release(&counts);
}
