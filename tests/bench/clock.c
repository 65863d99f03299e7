/* clock.c - what everything that measures shares: clocks, medians, and how it ends on a failure. */
#include "tests/bench/bench.h"

trib_error bench_error;

void bench_fail(const char *message) {
    fflush(stdout);
    fprintf(stderr, "measuring: %s\n", message);
    exit(EXIT_FAILURE);
}

void bench_must(trib_status status) {
    if (status != TRIB_OK) bench_fail(bench_error.message);
}

double bench_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double value[], size_t n) {
    qsort(value, n, sizeof *value, ascending);
    return value[n / 2];
}
