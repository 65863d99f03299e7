/* hicoo.c - what sorting along the curve and compressing do for MTTKRP, and the storage of formats beside the block ratio:
 * figure 7 and table IV of [H].*/
#include "tests/experiments/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK = 16, BLOCK = 128 };

/* Every mode in turn, one thread. */
typedef struct product {
    trib_tensor tensor;
    const double *factor[TRIB_MAX_MODES];
    double *out;
} product;

static void multiply(void *context) {
    product *p = context;
    for (uint32_t m = 0; m < p->tensor.n_modes; m++)
        trib_mttkrp(&p->tensor, m, RANK, p->factor, p->out, 1);
}

static const trib_hacoo *compared; /* by qsort */
static int by_index(const void *a, const void *b) {
    uint32_t x[TRIB_MAX_MODES], y[TRIB_MAX_MODES];
    trib_hacoo_entry(compared, *(const uint32_t *)a, x);
    trib_hacoo_entry(compared, *(const uint32_t *)b, y);
    for (uint32_t m = 0; m < compared->n_modes; m++)
        if (x[m] != y[m]) return x[m] < y[m] ? -1 : 1;
    return 0;
}

/* The same table, its entries in the order of their indices. */
static void sort_table(const trib_hacoo *from, trib_hacoo *sorted) {
    trib_error error = {0};
    uint32_t *order = bench_new(from->nnz, sizeof *order), index[TRIB_MAX_MODES];
    for (size_t e = 0; e < from->nnz; e++) order[e] = (uint32_t)e;
    compared = from;
    qsort(order, from->nnz, sizeof *order, by_index);
    bench_check(trib_hacoo_init(sorted, from->n_modes, from->dim, NULL, &error), &error);
    for (size_t e = 0; e < from->nnz; e++) {
        const uint32_t count = trib_hacoo_entry(from, order[e], index);
        bench_check(trib_hacoo_add(sorted, index, count, &error), &error);
    }
    free(order);
}

/* The tensor cut into blocks of 128 a side: [H] section IV.C. */
typedef struct blocks {
    double alpha_b; /* blocks that hold something / nonzeros */
    double c_b;     /* geometric mean of the nonzeros of such a block / 128 */
} blocks;

static blocks blocks_of(const trib_hacoo *table) {
    uint32_t dim[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    trib_hacoo block;
    trib_error error = {0};
    double logs = 0;
    for (uint32_t m = 0; m < table->n_modes; m++) dim[m] = (table->dim[m] - 1) / BLOCK + 1;
    bench_check(trib_hacoo_init(&block, table->n_modes, dim, NULL, &error), &error);
    for (size_t e = 0; e < table->nnz; e++) {
        trib_hacoo_entry(table, e, index);
        for (uint32_t m = 0; m < table->n_modes; m++) index[m] /= BLOCK;
        bench_check(trib_hacoo_add(&block, index, 1, &error), &error);
    }
    for (size_t b = 0; b < block.nnz; b++) logs += log(trib_hacoo_count(&block, b));
    const double n = (double)block.nnz;
    trib_hacoo_release(&block);
    return (blocks){n / (double)table->nnz, exp(logs / n) / BLOCK};
}

static void print_storage(const char *name, const trib_hacoo *table) {
    static const char *const names[] = {"coo-unsorted", "csf",    "csf-all", "fcoo",
                                        "alto",         "linear", "hicoo"};
    printf("| %s | %u | %zu |", name, table->n_modes, table->nnz);
    double coo = 0, hicoo = 0;
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        const trib_format *format = trib_format_find(names[f]);
        trib_tensor tensor = {0};
        trib_error error = {0};
        if (format) bench_check(trib_tensor_build(&tensor, format, table, NULL, 1, &error), &error);
        const double each = format ? (double)trib_tensor_bytes(&tensor) / (double)table->nnz : 0;
        if (f == 0) coo = each;
        hicoo = each;
        printf(" %.1f |", each);
        if (format) trib_tensor_release(&tensor);
    }
    const blocks b = blocks_of(table);
    printf(" %.2f | %.3f | %.4f |\n", coo / hicoo, b.alpha_b, b.c_b);
}

static void print_speed(const char *name, const trib_hacoo *table) {
    trib_hacoo sorted;
    trib_random random;
    trib_error error = {0};
    double *factor[TRIB_MAX_MODES] = {NULL};
    product p[3] = {{.out = NULL}};
    experiment_way way[3];
    uint32_t largest = 0;
    trib_random_seed(&random, 3);
    for (uint32_t m = 0; m < table->n_modes; m++) {
        if (table->dim[m] > largest) largest = table->dim[m];
        factor[m] = bench_new((size_t)table->dim[m] * RANK, sizeof *factor[m]);
        for (size_t i = 0; i < (size_t)table->dim[m] * RANK; i++)
            factor[m][i] = trib_random_unit(&random);
    }
    double *out = bench_new((size_t)largest * RANK, sizeof *out);
    sort_table(table, &sorted);
    static const char *const names[] = {"coo-unsorted", "coo", "hicoo"};
    for (int f = 0; f < 3; f++) {
        bench_check(
            trib_tensor_build(&p[f].tensor, trib_format_find(names[f]), &sorted, NULL, 1, &error),
            &error);
        memcpy(p[f].factor, factor, sizeof factor);
        p[f].out = out;
        way[f] = (experiment_way){multiply, &p[f], 0};
    }
    experiment_time(way, 3, 5);
    printf("| %s | %.2f | %.2f | %.2f | %+.0f %% | %+.0f %% | %.2f |\n", name,
           1e3 * way[0].processor, 1e3 * way[1].processor, 1e3 * way[2].processor,
           100 * (way[0].processor / way[1].processor - 1),
           100 * (way[1].processor / way[2].processor - 1), way[0].processor / way[2].processor);
    for (int f = 0; f < 3; f++) trib_tensor_release(&p[f].tensor);
    for (uint32_t m = 0; m < table->n_modes; m++) free(factor[m]);
    free(out);
    trib_hacoo_release(&sorted);
}

static void every_tensor(const experiment_texts *texts,
                         void (*print)(const char *name, const trib_hacoo *table)) {
    trib_hacoo table;
    trib_error error = {0};
    for (const synthetic *what = experiment_frostt; what->name; what++) {
        synthetic smaller = *what;
        if (smaller.nnz > 1000000) smaller.nnz = 1000000;
        bench_check(synthetic_make(&table, &smaller, 1, &error), &error);
        print(what->name, &table);
        trib_hacoo_release(&table);
    }
    for (size_t t = 0; t < texts->n; t++) {
        bench_ngrams(&table, &texts->text[t], 3, 0, texts->text[t].n_words);
        print(texts->text[t].name, &table);
        trib_hacoo_release(&table);
    }
    puts("");
}

void experiment_hicoo(const experiment_texts *texts) {
    puts("| tensor | sorted coordinates, ms | along the curve | compressed | by the curve | by "
         "compression | both, times |");
    puts("| --- | --- | --- | --- | --- | --- | --- |");
    every_tensor(texts, print_speed);
    puts("| tensor | modes | nonzeros | coo, bytes per nonzero | csf | csf-all | fcoo | alto | "
         "linear | hicoo "
         "| coo / hicoo | alpha_b | c_b |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    every_tensor(texts, print_storage);
}
