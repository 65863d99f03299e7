/* mttkrp.c - MTTKRP in every mode, HaCOO against coordinates: figures 4.4 and 4.5 of [C]; and our
 * other formats. */
#include "tests/experiments/experiment.h"

enum { RANK = 16, N_FORMATS = 5, ROUNDS = 3, MOST = 10000000, OMITTED = 3000000 };

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

/* How much longer HaCOO takes than coordinates, over the tensors that [C] measures. */
typedef struct overhead {
    double sum, most;
    size_t n, n_longer; /* modes; those where it takes longer by over 2 % */
    const char *name;   /* of the most */
    uint32_t mode;
} overhead;

static void add_overhead(overhead *seen, const char *name, uint32_t mode, double percent) {
    if (seen->n == 0 || percent > seen->most) {
        seen->most = percent;
        seen->name = name;
        seen->mode = mode;
    }
    seen->sum += percent;
    seen->n++;
    seen->n_longer += percent > 2;
}

/* `seen` NULL: not a tensor of the figures. */
static void try_tensor(const char *name, const trib_hacoo *table, bool is_file, overhead *seen) {
    trib_tensor tensor[N_FORMATS];
    product p[N_FORMATS] = {{0}};
    double *factor[TRIB_MAX_MODES] = {NULL};
    double *out = experiment_factors(table, RANK, factor);
    for (size_t f = 0; f < N_FORMATS; f++) {
        const trib_format *format = trib_format_find(names[f]);
        if (!format) bench_fail("a format is missing");
        bench_must(trib_tensor_build(&tensor[f], format, table, NULL, 1, &bench_error));
        p[f] = (product){.tensor = &tensor[f], .out = out};
        for (uint32_t m = 0; m < table->n_modes; m++) p[f].factor[m] = factor[m];
    }
    for (uint32_t m = 0; m < table->n_modes; m++) {
        experiment_way way[N_FORMATS];
        for (size_t f = 0; f < N_FORMATS; f++) {
            p[f].mode = m;
            way[f] = (experiment_way){multiply, &p[f], 0, 0};
        }
        experiment_time(way, N_FORMATS, ROUNDS);
        printf("| %s%s | %zu | %u | %u |", name, is_file ? " (file)" : "", table->nnz,
               (unsigned)m + 1, (unsigned)table->dim[m]);
        printf(" %.2f, %.2f |", 1e3 * way[0].wall, 1e3 * way[1].wall);
        for (size_t f = 0; f < N_FORMATS; f++) printf(" %.2f |", 1e3 * way[f].processor);
        const double over = 100 * (way[1].processor / way[0].processor - 1);
        printf(" %+.1f %% |\n", over);
        if (seen) add_overhead(seen, name, m, over);
    }
    for (size_t f = 0; f < N_FORMATS; f++) trib_tensor_release(&tensor[f]);
    for (uint32_t m = 0; m < table->n_modes; m++) free(factor[m]);
    free(out);
}

void experiment_mttkrp(const experiment_texts *texts) {
    trib_hacoo table;
    overhead seen = {.n = 0};
    puts("| tensor | nonzeros | mode | its size | figure 4.4, wall-clock: coordinates, HaCOO | "
         "figure 4.5, processor: "
         "`coo-unsorted` | `hacoo` | `coo` | `hicoo` | `rows` | `hacoo` over `coo-unsorted` |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (const synthetic *what = experiment_frostt; what->name; what++) {
        const bool is_omitted = what->nnz > MOST;
        const bool is_file = experiment_tensor(&table, what, is_omitted ? OMITTED : 0);
        try_tensor(what->name, &table, is_file, is_omitted ? NULL : &seen);
        trib_hacoo_release(&table);
    }
    bench_ngrams(&table, &texts->text[0], 3, 0, texts->text[0].n_words);
    try_tensor(texts->text[0].name, &table, false, NULL);
    trib_hacoo_release(&table);
    printf("\nPublished: HaCOO takes 26.78 %% longer on average, 77.88 %% at most (chicago, mode "
           "4), for "
           "collecting the\nentries from the buckets. Here %+.1f %% on average over the %zu modes "
           "of the "
           "same tensors, %+.1f %% at most\n(%s, mode %u), and longer by over 2 %% in %zu modes: "
           "that HaCOO "
           "takes longer %s.\nThe entries lie in one array here, so no bucket is visited.\n",
           seen.sum / (double)seen.n, seen.n, seen.most, seen.name, (unsigned)seen.mode + 1,
           seen.n_longer, experiment_verdict(seen.n_longer, seen.n));
}
