/* main.c - measures every planted corpus of a ladder and every task by every way, and writes
 * docs/validation.md and its plots. The script `all` calls it. VALIDATE_ONLY: names of the ways
 * wanted, separated by blanks; ONLY: part of the names of the cases wanted. */
#include "tests/validate/validate.h"

const way ways[] = {
    {.name = "traced", .method = "traced"},
    {.name = "anchored", .method = "anchored"},
    {.name = "anchored/corpus", .method = "anchored", .incremental = true},
    {.name = "split", .method = "split"},
    {.name = "containment", .method = "containment"},
    {.name = "runs", .method = "runs"},
    {.name = "lowe-matched", .method = "lowe-matched"},
    {.name = "lowe", .method = "lowe", .solver = "hals", .rank = 100, .most_sources = 8},
    {.name = "lowe-soft", .method = "lowe-soft", .solver = "hals", .rank = 100, .most_sources = 8},
    {.name = "lowe/fibre",
     .method = "lowe",
     .solver = "fibre",
     .most_sources = 8,
     .judge_only = true},
    {.name = "lowe-soft/fibre",
     .method = "lowe-soft",
     .solver = "fibre",
     .most_sources = 8,
     .judge_only = true},
    {.name = NULL},
};

void check(trib_status status, const trib_error *error) {
    if (status == TRIB_OK) return;
    fprintf(stderr, "validate: %s\n", error->message);
    exit(EXIT_FAILURE);
}

void *new_array(size_t n, size_t size) {
    void *array = calloc(n > 0 ? n : 1, size);
    if (!array) check(TRIB_MEMORY, &(trib_error){.message = "no memory"});
    return array;
}

/* LADDER POOLS, then tasks and their texts twice, then where plots, template and page are. */
int main(int argc, char **argv) {
    validation v = {0};
    if (argc < 10) {
        fprintf(stderr, "usage: validate LADDER POOLS TASKS TEXTS TASKS TEXTS PLOTS TEMPLATE PAGE "
                        "[ONLY]\n");
        return EXIT_FAILURE;
    }
    const char *only = argc > 10 ? argv[10] : NULL;
    v.n_planted = read_ladder(&v.planted, argv[1], argv[2], only);
    v.n_packaged = read_tasks(&v.packaged, argv[3], argv[4], only);
    v.n_shared = read_tasks(&v.shared, argv[5], argv[6], only);
    write_page(&v, argv[8], argv[9]);
    write_plots(&v, argv[7]);
    free(v.planted);
    free(v.packaged);
    free(v.shared);
    return EXIT_SUCCESS;
}
