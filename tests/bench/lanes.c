/* lanes.c - how evenly the lanes of MTTKRP are divided among more threads than this machine has
 * cores: each lane is timed alone, and given to the thread that is free first. */
#include "tensor/formats/kernel.h"

#include "decomp/decomp.h"
#include "tests/bench/bench.h"

enum { RANK = 16, THREADS = 16 };

static void keep_least(double *least, double seconds) {
    if (*least == 0 || seconds < *least) *least = seconds;
}

static double seconds_of_lane(const trib_tensor *x, uint32_t mode, const double *const factor[],
                              double *out, uint32_t lane) {
    const uint32_t *row = x->lanes.row + mode * (x->lanes.n + 1) + lane;
    const double begun = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
    memset(out + (size_t)row[0] * RANK, 0, (size_t)(row[1] - row[0]) * RANK * sizeof *out);
    if (x->format->mttkrp) {
        x->format->mttkrp(x, mode, RANK, factor, out, lane);
    } else {
        const trib_task task = trib_task_of(x, mode, RANK, factor, out, lane, x->nnz);
        x->format->add(x, &task, RANK);
    }
    return bench_seconds(CLOCK_THREAD_CPUTIME_ID) - begun;
}

/* The time of the last of the threads. */
static double longest_of(const double seconds[], uint32_t n) {
    double load[THREADS] = {0}, longest = 0;
    for (uint32_t lane = 0; lane < n; lane++) {
        uint32_t free = 0;
        for (uint32_t t = 1; t < THREADS; t++)
            if (load[t] < load[free]) free = t;
        load[free] += seconds[lane];
        if (load[free] > longest) longest = load[free];
    }
    return longest;
}

/* Prints a line as bench_contest does, of all modes together and of the least times. */
static void measure(const bench_text *text, const trib_hacoo *counts, const char *format) {
    trib_tensor x;
    trib_ktensor factors = {0};
    double one = 0, longest = 0;
    bench_must(
        trib_tensor_build(&x, trib_format_find(format), counts, NULL, THREADS, &bench_error));
    bench_must(trib_ktensor_init(&factors, x.n_modes, x.dim, RANK, &bench_error));
    bench_must(trib_start_find("random")->fill(&factors, &x, 1, &bench_error));
    const double *const *factor = (const double *const *)factors.factor;
    double *out = bench_new((size_t)x.dim[0] * RANK, sizeof *out);
    for (uint32_t mode = 0; mode < x.n_modes; mode++) {
        double *lane = bench_new(x.lanes.n, sizeof *lane), alone = 0;
        for (int i = 0; i < text->repetitions; i++) {
            const double begun = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
            trib_mttkrp(&x, mode, RANK, factor, out, 1);
            keep_least(&alone, bench_seconds(CLOCK_THREAD_CPUTIME_ID) - begun);
            for (uint32_t l = 0; l < x.lanes.n; l++)
                keep_least(&lane[l], seconds_of_lane(&x, mode, factor, out, l));
        }
        one += alone;
        longest += longest_of(lane, x.lanes.n);
        free(lane);
    }
    printf("lanes\t%s\t%u\t%d\t%s3\t%d\t%.4f\t%.4f\t0\t%.4g\t%.2f\t0\n", format, RANK, THREADS,
           text->name, text->repetitions, longest * 1e3 / x.n_modes, longest * 1e3 / x.n_modes,
           (double)counts->nnz * x.n_modes / longest, one / longest);
    free(out);
    trib_ktensor_release(&factors);
    trib_tensor_release(&x);
}

void bench_lanes(const bench_text *text) {
    trib_hacoo counts;
    if (!bench_wanted(text, "lanes") || text->json) return;
    bench_ngrams(&counts, text, 3, 0, text->n_words);
    measure(text, &counts, "hacoo");
    measure(text, &counts, "rows");
    trib_hacoo_release(&counts);
}
