/* mttkrp.c - MTTKRP in every mode, HaCOO against coordinates: figures 4.4 and 4.5 of [C]; and our other formats. */
#include "tests/experiments/experiment.h"

#include <stdio.h>
#include <stdlib.h>

enum { RANK = 16, N_FORMATS = 5 };

static const char *const names[N_FORMATS] = {"coo-unsorted", "hacoo", "coo", "hicoo", "rows"};

typedef struct product {
    const trib_tensor *tensor;
    uint32_t mode;
    const double *factor[TRIB_MAX_MODES];
    double *out;
} product;

static void multiply(void *context) {
    const product *p = context;
    trib_mttkrp(p->tensor, p->mode, RANK, p->factor, p->out, 1);
}

static void try_tensor(const char *name, const trib_hacoo *table) {
    trib_tensor tensor[N_FORMATS];
    product p[N_FORMATS] = {{0}};
    double *factor[TRIB_MAX_MODES] = {NULL};
    trib_random random;
    trib_error error = {0};
    trib_random_seed(&random, 3);
    uint32_t largest = 0;
    for (uint32_t m = 0; m < table->n_modes; m++) {
        factor[m] = bench_new((size_t)table->dim[m] * RANK, sizeof *factor[m]);
        for (size_t i = 0; i < (size_t)table->dim[m] * RANK; i++)
            factor[m][i] = trib_random_unit(&random);
        if (table->dim[m] > largest) largest = table->dim[m];
    }
    double *out = bench_new((size_t)largest * RANK, sizeof *out);
    for (size_t f = 0; f < N_FORMATS; f++) {
        const trib_format *format = trib_format_find(names[f]);
        if (!format) bench_check(TRIB_INTERNAL, &(trib_error){.message = "a format is missing"});
        bench_check(trib_tensor_build(&tensor[f], format, table, NULL, 1, &error), &error);
        p[f] = (product){.tensor = &tensor[f], .out = out};
        for (uint32_t m = 0; m < table->n_modes; m++) p[f].factor[m] = factor[m];
    }
    for (uint32_t m = 0; m < table->n_modes; m++) {
        experiment_way way[N_FORMATS];
        for (size_t f = 0; f < N_FORMATS; f++) {
            p[f].mode = m;
            way[f] = (experiment_way){multiply, &p[f], 0};
        }
        experiment_time(way, N_FORMATS, 5);
        printf("| %s | %u | %u |", name, (unsigned)m + 1, (unsigned)table->dim[m]);
        for (size_t f = 0; f < N_FORMATS; f++) printf(" %.2f |", 1e3 * way[f].processor);
        printf(" %+.1f %% |\n", 100 * (way[1].processor / way[0].processor - 1));
    }
    for (size_t f = 0; f < N_FORMATS; f++) trib_tensor_release(&tensor[f]);
    for (uint32_t m = 0; m < table->n_modes; m++) free(factor[m]);
    free(out);
}

void experiment_mttkrp(const experiment_texts *texts) {
    trib_hacoo table;
    trib_error error = {0};
    puts("| tensor | mode | its size | `coo-unsorted`, ms | `hacoo` | `coo` | `hicoo` | `rows` | "
         "`hacoo` over `coo-unsorted` |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (const synthetic *what = experiment_frostt; what->name; what++) {
        synthetic smaller = *what;
        if (smaller.nnz > 1000000) smaller.nnz = 1000000;
        bench_check(synthetic_make(&table, &smaller, 1, &error), &error);
        try_tensor(what->name, &table);
        trib_hacoo_release(&table);
    }
    bench_ngrams(&table, &texts->text[0], 3, 0, texts->text[0].n_words);
    try_tensor(texts->text[0].name, &table);
    trib_hacoo_release(&table);
    puts("");
}
