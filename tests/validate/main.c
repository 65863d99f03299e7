/* main.c - measures every planted corpus of a ladder and every task by every way, and writes
 * docs/validation.md, its plots and its tables. The script `all` calls it. ONLY: part of the names
 * of the cases wanted. Environment: VALIDATE_ONLY, names of the ways wanted, separated by blanks;
 * VALIDATE_HALF, tune or judge, the other is left out. Exits with status 1 when a text was missing;
 * the page is written all the same. `plant DIR WORDS RUN SEED OWN FRACTION:SOURCE...` only writes a
 * planted corpus, for tests/floors. */
#include "tests/validate/validate.h"

#define PART "run20 run50 noise20 short800"

const way ways[] = {
    {.name = "extent", .method = "extent", .unit = IN_WORDS},
    {.name = "verbatim", .method = "verbatim", .unit = WORD_FOR_WORD},
    {.name = "traced", .method = "traced"},
    {.name = "anchored", .method = "anchored"},
    {.name = "anchored/corpus", .method = "anchored", .incremental = true},
    {.name = "split", .method = "split"},
    {.name = "containment", .method = "containment"},
    {.name = "runs", .method = "runs"},
    {.name = "lowe-matched", .method = "lowe-matched"},
    {.name = "lowe", .method = "lowe", .solver = "hals", .rank = 100, .rungs = PART},
    {.name = "lowe-soft", .method = "lowe-soft", .solver = "hals", .rank = 100, .rungs = PART},
    {.name = "lowe/fibre", .method = "lowe", .solver = "fibre", .rungs = PART},
    {.name = "lowe-soft/fibre", .method = "lowe-soft", .solver = "fibre", .rungs = PART},
    {.name = NULL},
};
_Static_assert(sizeof ways / sizeof *ways <= MAX_WAYS + 1, "known_case.found holds every way");

double way_floor(const way *w) { return trib_influence_method_find(w->method)->floor; }

size_t find_way(const char *name) {
    size_t w = 0;
    while (ways[w].name && strcmp(ways[w].name, name) != 0) w++;
    return w;
}

_Thread_local trib_error validate_error;

_Noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("validate: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    exit(EXIT_FAILURE);
}

void must(trib_status status) {
    if (status != TRIB_OK) fail("%s", validate_error.message);
}

void *new_array(size_t n, size_t size) {
    void *array = calloc(n > 0 ? n : 1, size);
    if (!array) fail("no memory");
    return array;
}

FILE *open_file(const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (!file) fail("cannot open %s", path);
    return file;
}

void close_file(FILE *file) {
    if (fclose(file) != 0) fail("cannot write a file");
}

/* Prints a line for each goal: judged on `judge`, or on `tune` when that alone was measured. */
static void tell_goals(const validation *v) {
    goal goals[MAX_GOALS];
    const size_t n = list_goals(v, goals, MAX_GOALS);
    for (size_t i = 0; i < n; i++) {
        const goal *g = &goals[i];
        const int half = isnan(g->found[1]) ? 0 : 1;
        if (isnan(g->found[half])) continue;
        printf("%s  %s: wanted %s; tune %s, judge %s\n", is_met(g, half) ? "MET   " : "MISSED",
               g->name, bound_of(g), digits(g->found[0], g->digits),
               digits(g->found[1], g->digits));
    }
}

/* How long each way took. */
static void tell_seconds(const validation *v) {
    for (size_t w = 0; ways[w].name; w++) {
        double seconds = 0;
        for (size_t i = 0; i < v->n_planted; i++) seconds += v->planted[i].found[w].seconds;
        fprintf(stderr, "validate: planted corpora by %s: %.0f s\n", ways[w].name, seconds);
    }
}

/* LADDER POOLS, then tasks and their texts twice, then where plots and tables go, and the template
 * with the page to write from it. */
int main(int argc, char **argv) {
    validation v = {0};
    if (argc > 6 && argc - 6 <= MAX_SOURCES + 1 && strcmp(argv[1], "plant") == 0) {
        write_planted(argv[2], (const char *const *)argv + 3, argv + 6, (size_t)argc - 6);
        return EXIT_SUCCESS;
    }
    if (argc < 10)
        fail("LADDER POOLS TASKS TEXTS TASKS TEXTS TABLES TEMPLATE PAGE [ONLY] are its operands");
    const char *only = argc > 10 ? argv[10] : NULL;
    v.n_planted = read_ladder(&v.planted, &v.pools, argv[1], argv[2], only);
    tell_seconds(&v);
    v.n_packaged = read_tasks(&v.packaged, argv[3], argv[4], only);
    v.n_shared = read_tasks(&v.shared, argv[5], argv[6], only);
    write_page(&v, argv[8], argv[9]);
    write_plots(&v, argv[7]);
    write_tables(&v, argv[7]);
    tell_goals(&v);
    bool is_missing = false;
    for (size_t i = 0; i < v.pools.n; i++) is_missing = is_missing || v.pools.pool[i].is_missing;
    release_pools(&v.pools);
    free(v.planted);
    free(v.packaged);
    free(v.shared);
    return is_missing ? EXIT_FAILURE : EXIT_SUCCESS;
}
