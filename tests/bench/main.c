/* main.c - bench [ONLY=KERNEL] [FILE...]: times the kernels on texts (without a file, or with an
 * empty one, on words drawn at random) and prints tab-separated values, or JSON Lines when
 * BENCH_JSON is set. BENCH_REPETITIONS: how often, 5 or more. BENCH_CLOCK=processor: the time of
 * the processor, for rows of one thread on a machine with other work. */
#include "tests/bench/bench.h"

static double now(void) {
    const char *clock = getenv("BENCH_CLOCK");
    const bool processor = clock && strcmp(clock, "processor") == 0;
    return bench_seconds(processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC);
}

void *bench_new(size_t n, size_t size) {
    void *pointer = calloc(n ? n : 1, size);
    if (!pointer) bench_fail("no memory");
    return pointer;
}

bool bench_wanted(const bench_text *text, const char *kernel) {
    return !text->only || strstr(kernel, text->only);
}

/* The median of the peer that runs on as many threads as `way`, or 0. */
static double median_of_peer(const contest *what, const contestant *way, size_t n,
                             const contestant *of, const double *median) {
    for (size_t c = 0; c < n && what->peer; c++)
        if (strcmp(way[c].name, what->peer) == 0 && way[c].threads == of->threads) return median[c];
    return 0;
}

static void print_line(const bench_text *text, const contest *what, const contestant *way,
                       const double *seconds, double first, double peer) {
    const size_t n = (size_t)text->repetitions;
    const double median = seconds[n / 2], least = seconds[0];
    const char *line =
        text->json
            ? "{\"kernel\": \"%s\", \"format\": \"%s\", \"rank\": %u, \"threads\": %d, \"tensor\": "
              "\"%s\", "
              "\"repetitions\": %zu, \"median_ms\": %.4f, \"least_ms\": %.4f, \"spread\": %.2f, "
              "\"units_per_s\": %.4g, \"ratio\": %.2f, \"against\": %.2f}\n"
            : "%s\t%s\t%u\t%d\t%s\t%zu\t%.4f\t%.4f\t%.2f\t%.4g\t%.2f\t%.2f\n";
    printf(line, what->kernel, way->name, way->rank, way->threads, what->tensor, n,
           1e3 * median / what->pieces, 1e3 * least / what->pieces,
           (seconds[n - 1] - least) / median, what->units / median, first / median, peer / median);
}

void bench_contest(const bench_text *text, const contest *what, const contestant *way, size_t n) {
    const size_t repetitions = (size_t)text->repetitions;
    double *seconds = bench_new(n * repetitions, sizeof *seconds);
    double *median = bench_new(n, sizeof *median);
    for (size_t i = 0; i < repetitions; i++)
        for (size_t c = 0; c < n; c++) {
            if (way[c].prepare) way[c].prepare(way[c].context);
            const double start = now();
            way[c].run(way[c].context);
            seconds[c * repetitions + i] = now() - start;
        }
    for (size_t c = 0; c < n; c++) median[c] = bench_median(seconds + c * repetitions, repetitions);
    for (size_t c = 0; c < n; c++)
        print_line(text, what, &way[c], seconds + c * repetitions, median[0],
                   median_of_peer(what, way, n, &way[c], median));
    fflush(stdout);
    free(seconds);
    free(median);
}

enum { LARGE = 2000000 }; /* words: fit and distances have smaller texts to show */

static void bench_text_file(const bench_text *how, const char *path) {
    bench_text text = *how;
    bench_text_open(&text, path);
    bench_words(&text);
    bench_text_to_tensor(&text);
    bench_streaming(&text, path);
    bench_counting(&text);
    bench_mttkrp(&text);
    bench_lanes(&text);
    bench_decomposing(&text);
    bench_solvers(&text);
    bench_exchange(&text);
    if (text.n_words < LARGE) {
        bench_fit(&text);
        bench_distances(&text);
    }
    bench_text_close(&text);
}

static bool is_empty(const char *path) {
    FILE *file = fopen(path, "r");
    const bool empty = !file || fgetc(file) == EOF;
    if (file) fclose(file);
    return empty;
}

int main(int argc, char **argv) {
    bench_text how = {.repetitions = 5, .json = getenv("BENCH_JSON") != NULL};
    const char *repetitions = getenv("BENCH_REPETITIONS");
    bool any = false;
    if (repetitions && atoi(repetitions) > how.repetitions) how.repetitions = atoi(repetitions);
    if (!how.json)
        puts("kernel\tformat\trank\tthreads\ttensor\trepetitions\tmedian_ms\tleast_ms\tspread\t"
             "units_per_s\tratio\tagainst");
    for (int a = 1; a < argc; a++)
        if (strncmp(argv[a], "ONLY=", 5) == 0) how.only = argv[a][5] ? argv[a] + 5 : NULL;
    for (int a = 1; a < argc; a++) {
        if (strncmp(argv[a], "ONLY=", 5) == 0 || is_empty(argv[a])) continue;
        bench_text_file(&how, argv[a]);
        any = true;
    }
    if (!any) bench_text_file(&how, NULL);
    bench_mttkrp_synthetic(&how);
    bench_decomposing_synthetic(&how);
    bench_parallels(&how);
    bench_candidates(&how);
    return EXIT_SUCCESS;
}
