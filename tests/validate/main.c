/* main.c - validate LADDER POOLS TASKS CORPORA [ONLY]: measures every planted corpus of LADDER (texts in POOLS) and every
 * task of TASKS (texts in CORPORA) by every way, writes docs/validation.md to standard output and its plots beside it.
 * VALIDATE_ONLY: names of the ways wanted. */
#include "tests/validate/validate.h"

const way ways[] = {
    {"traced", "traced", NULL, 0},
    {"anchored", "anchored", NULL, 0},
    {"split", "split", NULL, 0},
    {"containment", "containment", NULL, 0},
    {"runs", "runs", NULL, 0},
    {"lowe", "lowe", "hals", 100},
    {"lowe-soft", "lowe-soft", "hals", 100},
    {"lowe/fibre", "lowe", "fibre", 0},
    {"lowe-soft/fibre", "lowe-soft", "fibre", 0},
    {NULL, NULL, NULL, 0},
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

int main(int argc, char **argv) {
    validation v = {0};
    if (argc < 5) {
        fprintf(stderr, "usage: validate LADDER POOLS TASKS CORPORA [ONLY]\n");
        return EXIT_FAILURE;
    }
    const char *only = argc > 5 && *argv[5] ? argv[5] : NULL;
    v.n_planted = read_ladder(&v.planted, argv[1], argv[2], only);
    v.n_real = read_tasks(&v.real, argv[3], argv[4], only);
    write_page(&v, stdout, NULL);
    free(v.planted);
    free(v.real);
    return EXIT_SUCCESS;
}
