/* insertion.c - n random elements, one at a time, into HaCOO and into sorted coordinates: figures 4.1 to 4.3 of [C].*/
#include "tests/experiments/experiment.h"
#include "tests/experiments/sorted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entries of a table in random order, as [C] shuffles its files. */
static uint32_t *shuffled(const trib_hacoo *table) {
    uint32_t *index = bench_new(table->nnz * table->n_modes, sizeof *index);
    const uint32_t n_modes = table->n_modes;
    trib_random random;
    trib_random_seed(&random, 7);
    for (size_t e = 0; e < table->nnz; e++) {
        const size_t at = (size_t)trib_random_below(&random, e + 1);
        memcpy(index + e * n_modes, index + at * n_modes, n_modes * sizeof *index);
        trib_hacoo_entry(table, e, index + at * n_modes);
    }
    return index;
}

static void try_tensor(const synthetic *what) {
    static const size_t steps[] = {1000, 5000, 10000, 25000, 50000, 100000};
    trib_hacoo from, table;
    sorted_coo sorted;
    trib_error error = {0};
    bench_check(synthetic_make(&from, what, 1, &error), &error);
    uint32_t *index = shuffled(&from);
    bench_check(trib_hacoo_init(&table, from.n_modes, from.dim, NULL, &error), &error);
    sorted_init(&sorted, from.n_modes, steps[5]);
    double in_hacoo = 0, in_sorted = 0;
    for (size_t s = 0, i = 0; s < sizeof steps / sizeof *steps; s++) {
        const size_t first = i;
        double start = experiment_processor();
        for (; i < steps[s]; i++)
            bench_check(trib_hacoo_add(&table, index + i * from.n_modes, 1, &error), &error);
        in_hacoo += experiment_processor() - start;
        start = experiment_processor();
        for (i = first; i < steps[s]; i++) sorted_add(&sorted, index + i * from.n_modes);
        in_sorted += experiment_processor() - start;
        printf("| %s | %zu | %.2f | %.2f | %.1f %% |\n", what->name, steps[s], 1e3 * in_hacoo,
               1e3 * in_sorted, 100 * (1 - in_hacoo / in_sorted));
    }
    if (sorted.nnz != table.nnz)
        bench_check(TRIB_INTERNAL, &(trib_error){.message = "sorted and hashed differ"});
    sorted_release(&sorted);
    trib_hacoo_release(&table);
    trib_hacoo_release(&from);
    free(index);
}

void experiment_insertion(const experiment_texts *texts) {
    (void)texts;
    puts("| tensor | elements | HaCOO, ms | sorted coordinates, ms | less by |");
    puts("| --- | --- | --- | --- | --- |");
    for (const synthetic *what = experiment_frostt; what->name; what++) try_tensor(what);
    puts("");
}
