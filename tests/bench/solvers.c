/* solvers.c - one iteration of every solver side by side; how far each of them gets in 0.1 to 10
 * seconds. */
#include "decomp/decomp.h"
#include "tests/bench/bench.h"

static const uint32_t ranks[] = {16, 50};
enum { N_RANKS = 2, MAX_THREADS = 2, ITERATIONS = 5, WARMING = 10, LARGE = 2000000 /* words */ };

/* Seconds of processor, of all threads: what else runs does not count. */
static double processor(void *context) {
    (void)context;
    return bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- One iteration --------------------------------------------------------------------------- */

/* What is measured of one solver on some threads: milliseconds an iteration. */
enum { BY_WALL, BY_PROCESSOR, MTTKRP, DENSE, N_MEASURES };
typedef struct way {
    const trib_solver *solver;
    int threads;
    double *ms[N_MEASURES]; /* [repetitions], then sorted */
} way;

static void copy_factors(trib_ktensor *to, const trib_ktensor *from) {
    memcpy(to->lambda, from->lambda, from->rank * sizeof *from->lambda);
    for (uint32_t m = 0; m < from->n_modes; m++)
        memcpy(to->factor[m], from->factor[m],
               (size_t)from->dim[m] * from->rank * sizeof *from->factor[m]);
}

/* A run of some iterations, and their mean without the first, which finds the caches empty; by the
 * wall, of all with what goes before. */
static void run_once(way *w, size_t repetition, const trib_tensor *x, trib_ktensor *k) {
    trib_cp_trace trace;
    const trib_cp_options options = {.solver = w->solver,
                                     .rank = k->rank,
                                     .sweeps = 2,
                                     .iterations = ITERATIONS,
                                     .restarts = 1,
                                     .n_threads = w->threads,
                                     .clock = {processor, NULL}};
    const double begun = bench_seconds(CLOCK_MONOTONIC);
    double sum[N_MEASURES] = {0};
    bench_must(trib_cp_solve(k, x, &options, &trace, &bench_error));
    const double elapsed = bench_seconds(CLOCK_MONOTONIC) - begun;
    for (size_t i = 1; i < trace.n_steps; i++) {
        const trib_cp_step *step = &trace.step[i];
        sum[BY_PROCESSOR] += step->mttkrp + step->dense + step->other;
        sum[MTTKRP] += step->mttkrp;
        sum[DENSE] += step->dense;
    }
    for (int v = 0; v < N_MEASURES; v++)
        w->ms[v][repetition] = 1e3 * sum[v] / (double)(trace.n_steps - 1);
    w->ms[BY_WALL][repetition] = 1e3 * elapsed / (double)trace.n_steps;
    trib_cp_trace_release(&trace);
}

/* Some iterations of hals from a random start: factors as sparse as they are most of the time. */
static void warm_up(trib_ktensor *k, const trib_tensor *x, uint32_t rank) {
    const trib_cp_options options = {.solver = trib_solver_find("hals"),
                                     .rank = rank,
                                     .sweeps = 2,
                                     .iterations = WARMING,
                                     .restarts = 1,
                                     .n_threads = 1};
    bench_must(trib_ktensor_init(k, x->n_modes, x->dim, rank, &bench_error));
    bench_must(trib_start_find("random")->fill(k, x, 1, &bench_error));
    bench_must(trib_cp_solve(k, x, &options, NULL, &bench_error));
}

/* als, which the others are measured by, then they; of large texts only the quick ones, on one
 * thread. */
static size_t ways_of(way *list, const bench_text *text) {
    size_t n = 0;
    for (int first = 1; first >= 0; first--)
        for (const trib_solver *solver = trib_solvers; solver->name; solver++)
            for (int t = 1; t <= MAX_THREADS && solver->needs_start; t++) {
                const bool slow = !solver->rows || strcmp(solver->name, "bpp") == 0;
                if ((strcmp(solver->name, "als") == 0) != first) continue;
                if (text->n_words >= LARGE && (slow || t > 1)) continue;
                list[n] = (way){.solver = solver, .threads = t};
                for (int v = 0; v < N_MEASURES; v++)
                    list[n].ms[v] = bench_new((size_t)text->repetitions, sizeof(double));
                n++;
            }
    return n;
}

/* `times`: how many times faster than als, by the processor's clock and by the wall's, with as many
 * threads. */
static void print_way(const bench_text *text, uint32_t rank, const way *w, const way *als) {
    const size_t half = (size_t)text->repetitions / 2;
    const char *line =
        text->json
            ? "{\"kernel\": \"solvers\", \"solver\": \"%s\", \"rank\": %u, \"threads\": %d, "
              "\"tensor\": \"%s\", \"repetitions\": %d, \"processor_ms\": %.4f, \"mttkrp_ms\": "
              "%.4f, \"dense_ms\": %.4f, \"wall_ms\": %.4f, \"times\": %.2f, \"times_wall\": "
              "%.2f}\n"
            : "solvers\t%s\t%u\t%d\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\t%.2f\n";
    printf(line, w->solver->name, rank, w->threads, text->name, text->repetitions,
           w->ms[BY_PROCESSOR][half], w->ms[MTTKRP][half], w->ms[DENSE][half], w->ms[BY_WALL][half],
           als->ms[BY_PROCESSOR][half] / w->ms[BY_PROCESSOR][half],
           als->ms[BY_WALL][half] / w->ms[BY_WALL][half]);
}

static void iterations_of(const bench_text *text, const trib_tensor tensor[MAX_THREADS],
                          uint32_t rank) {
    static way list[MAX_CONTESTANTS];
    trib_ktensor start, k;
    const size_t n = ways_of(list, text);
    warm_up(&start, &tensor[0], rank);
    bench_must(trib_ktensor_init(&k, start.n_modes, start.dim, rank, &bench_error));
    for (int i = 0; i < text->repetitions; i++)
        for (size_t c = 0; c < n; c++) {
            copy_factors(&k, &start);
            run_once(&list[c], (size_t)i, &tensor[list[c].threads - 1], &k);
        }
    for (size_t c = 0; c < n; c++) {
        for (int v = 0; v < N_MEASURES; v++)
            (void)bench_median(list[c].ms[v], (size_t)text->repetitions);
        print_way(text, rank, &list[c], &list[list[c].threads - 1]);
    }
    for (size_t c = 0; c < n; c++)
        for (int v = 0; v < N_MEASURES; v++) free(list[c].ms[v]);
    fflush(stdout);
    trib_ktensor_release(&start);
    trib_ktensor_release(&k);
}

void bench_solvers(const bench_text *text) {
    trib_hacoo counts;
    trib_tensor tensor[MAX_THREADS] = {0};
    if (!bench_wanted(text, "solvers")) return;
    bench_ngrams(&counts, text, 3, 0, text->n_words);
    for (int t = 0; t < MAX_THREADS; t++)
        bench_must(trib_tensor_build(&tensor[t], trib_format_find("rows"), &counts, NULL, t + 1,
                                     &bench_error));
    if (!text->json)
        puts("kernel\tsolver\trank\tthreads\ttensor\trepetitions\tprocessor_ms\tmttkrp_ms\tdense_ms"
             "\twall_ms\ttimes\ttimes_wall");
    for (int r = 0; r < N_RANKS; r++) iterations_of(text, tensor, ranks[r]);
    for (int t = 0; t < MAX_THREADS; t++) trib_tensor_release(&tensor[t]);
    trib_hacoo_release(&counts);
}

/* ---- The fit after some seconds -------------------------------------------------------------- */

static const double moments[] = {.1, .5, 2, 10};
enum { N_MOMENTS = 4, WITHOUT_END = 1000000 };

/* A solver as the table has it, or with one of its settings. */
typedef struct manner {
    const char *name, *solver;
    bool extrapolation, single;
} manner;
static const manner settings[] = {{"hals, nesterov", "hals", .extrapolation = true},
                                  {"ccd, nesterov", "ccd", .extrapolation = true},
                                  {"hals, single", "hals", .single = true},
                                  {"hals, both", "hals", .extrapolation = true, .single = true}};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

static void fit_of(const bench_text *text, const trib_tensor *x, const manner *how,
                   const trib_start *start, uint32_t rank) {
    trib_ktensor k;
    trib_cp_trace trace;
    const trib_cp_options options = {.solver = trib_solver_find(how->solver),
                                     .start = start,
                                     .rank = rank,
                                     .sweeps = 2,
                                     .iterations = WITHOUT_END,
                                     .time = moments[N_MOMENTS - 1],
                                     .restarts = 1,
                                     .seed = 1,
                                     .lift = .01,
                                     .single = how->single,
                                     .extrapolation = how->extrapolation,
                                     .n_threads = 1,
                                     .clock = {processor, NULL}};
    bench_must(trib_cp(&k, x, &options, &trace, &bench_error));
    double fit[N_MOMENTS] = {NAN, NAN, NAN, NAN}, elapsed = 0;
    for (size_t i = 0; i < trace.n_steps; i++) {
        const trib_cp_step *step = &trace.step[i];
        elapsed += step->mttkrp + step->dense + step->other;
        for (int t = 0; t < N_MOMENTS; t++)
            if (elapsed <= moments[t]) fit[t] = step->fit;
    }
    printf("fit\t%s\t%s\t%u\t%s\t%.4f\t%.4f\t%.4f\t%.4f\t%zu\t%.4g\n", how->name, start->name, rank,
           text->name, fit[0], fit[1], fit[2], fit[3], trace.n_steps,
           1e3 * elapsed / (double)trace.n_steps);
    fflush(stdout);
    trib_ktensor_release(&k);
    trib_cp_trace_release(&trace);
}

void bench_fit(const bench_text *text) {
    trib_hacoo counts;
    trib_tensor x = {0};
    if (!text->only || strcmp(text->only, "fit") != 0) return;
    bench_ngrams(&counts, text, 3, 0, text->n_words);
    bench_must(trib_tensor_build(&x, trib_format_find("rows"), &counts, NULL, 1, &bench_error));
    puts("kernel\tsolver\tstart\trank\ttensor\t0.1 s\t0.5 s\t2 s\t10 s\titerations\tms");
    const trib_start *start = trib_start_find("greedy");
    for (int r = 0; r < N_RANKS; r++) {
        for (const trib_solver *solver = trib_solvers; solver->name; solver++)
            if (solver->needs_start)
                fit_of(text, &x, &(manner){.name = solver->name, .solver = solver->name}, start,
                       ranks[r]);
        for (size_t i = 0; i < N_SETTINGS; i++) fit_of(text, &x, &settings[i], start, ranks[r]);
    }
    trib_tensor_release(&x);
    trib_hacoo_release(&counts);
}
