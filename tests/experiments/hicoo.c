/* hicoo.c - the measurements of Li, Sun, Vuduc 2018: figures 6 to 11 and table IV, conversion,
 * and the prediction that they leave to future work. Blocks of 128 a side and rank 16, as there;
 * what is plain loops lies in hicoo_ways.c. */
#include "tests/experiments/hicoo.h"

const char *const hicoo_formats[HICOO_FORMATS] = {"coo-unsorted", "csf-all", "hicoo", "csf"};

/* What is timed: every mode in turn, or one. */
typedef struct product {
    const trib_tensor *tensor; /* by a format, or */
    const hicoo_lists *lists;  /* by a plain loop */
    void (*loop)(const hicoo_lists *x, uint32_t mode, const hicoo_factors *f);
    const hicoo_factors *factors;
    uint32_t first, last; /* modes */
    int n_threads;
} product;

static void multiply(const product *p) {
    for (uint32_t m = p->first; m < p->last; m++)
        if (p->tensor)
            trib_mttkrp(p->tensor, m, HICOO_RANK, p->factors->factor, p->factors->out,
                        p->n_threads);
        else p->loop(p->lists, m, p->factors);
}

static void note_seconds(double seconds[HICOO_THREADS]) {
#pragma omp parallel for schedule(static, 1) num_threads(HICOO_THREADS)
    for (int t = 0; t < HICOO_THREADS; t++) seconds[t] = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* The processor time of the thread with the most work, the least of three rounds: the time it
 * takes where each thread has a processor to itself, whoever else is at work here. */
static double time_of(const product *p) {
    double least = 0, before[HICOO_THREADS], after[HICOO_THREADS];
    for (int round = 0; round < (experiment_quick() ? 1 : 3); round++) {
        double most = 0;
        note_seconds(before);
        multiply(p);
        note_seconds(after);
        for (int t = 0; t < HICOO_THREADS; t++)
            if (after[t] - before[t] > most) most = after[t] - before[t];
        if (round == 0 || most < least) least = most;
    }
    return least;
}

static void make_factors(hicoo_factors *f, const trib_hacoo *table) {
    double *factor[TRIB_MAX_MODES];
    uint32_t longest = 0;
    f->out = experiment_factors(table, HICOO_RANK, factor);
    for (uint32_t m = 0; m < table->n_modes; m++) {
        f->factor[m] = factor[m];
        if (table->dim[m] > longest) longest = table->dim[m];
    }
    for (int t = 0; t + 1 < HICOO_THREADS; t++)
        f->own[t] = bench_new((size_t)longest * HICOO_RANK, sizeof *f->out);
}

static void release_factors(hicoo_factors *f) {
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) free((void *)(uintptr_t)f->factor[m]);
    free(f->out);
    for (int t = 0; t + 1 < HICOO_THREADS; t++) free(f->own[t]);
}

/* ---- One tensor ------------------------------------------------------------------------------ */

static void build(trib_tensor *tensor, const char *name, const trib_hacoo *table, uint32_t side,
                  int n_threads) {
    const trib_tensor_cut cut = {.block = HICOO_BLOCK, .superblock = side};
    bench_must(trib_tensor_build_cut(tensor, trib_format_find(name), cut, table, NULL, n_threads,
                                     &bench_error));
}

/* An iteration of CP-ALS, of three; in the short form of one. */
static double iteration_of(const trib_tensor *tensor) {
    const uint32_t n_iterations = experiment_quick() ? 1 : 3;
    trib_ktensor k;
    const trib_cp_options options = {.solver = trib_solver_find("als"),
                                     .rank = HICOO_RANK,
                                     .sweeps = 1,
                                     .iterations = n_iterations,
                                     .restarts = 1,
                                     .n_threads = 1};
    bench_must(trib_ktensor_init(&k, tensor->n_modes, tensor->dim, HICOO_RANK, &bench_error));
    bench_must(trib_start_find("random")->fill(&k, tensor, 1, &bench_error));
    const double start = experiment_processor();
    bench_must(trib_cp_solve(&k, tensor, &options, NULL, &bench_error));
    trib_ktensor_release(&k);
    return (experiment_processor() - start) / n_iterations;
}

/* Figures 6, 8 and 9, conversion: a format alone. */
static void try_format(hicoo_row *row, size_t f, const trib_hacoo *table,
                       const hicoo_factors *factors) {
    trib_tensor tensor, shared;
    const double start = experiment_processor();
    build(&tensor, hicoo_formats[f], table, 0, 1);
    row->build[f] = experiment_processor() - start;
    row->bytes[f] = (double)trib_tensor_bytes(&tensor) / (double)table->nnz;
    row->iteration[f] = iteration_of(&tensor);
    build(&shared, hicoo_formats[f], table, 0, HICOO_THREADS);
    for (uint32_t m = 0; m < table->n_modes; m++) {
        row->one[f][m] = time_of(&(product){&tensor, NULL, NULL, factors, m, m + 1, 1});
        row->two[f][m] = time_of(&(product){&shared, NULL, NULL, factors, m, m + 1, HICOO_THREADS});
        row->all[f] += row->one[f][m];
    }
    trib_tensor_release(&tensor);
    trib_tensor_release(&shared);
}

/* Figure 7, and both strategies alone. */
static void try_ways(hicoo_row *row, const trib_hacoo *sorted, const hicoo_factors *factors) {
    static void (*const loop[])(const hicoo_lists *, uint32_t, const hicoo_factors *) = {
        hicoo_atomic, hicoo_private, hicoo_sliced};
    const uint32_t d = sorted->n_modes;
    trib_tensor tensor;
    hicoo_lists x;
    build(&tensor, "coo-unsorted", sorted, 0, 1);
    hicoo_lists_of(&x, &tensor, 1024);
    row->step[0] = time_of(&(product){NULL, &x, hicoo_coordinates, factors, 0, d, 1});
    hicoo_lists_release(&x);
    trib_tensor_release(&tensor);
    build(&tensor, "hicoo", sorted, 0, 1);
    hicoo_lists_of(&x, &tensor, 1024);
    row->step[1] = time_of(&(product){NULL, &x, hicoo_coordinates, factors, 0, d, 1});
    row->step[2] = time_of(&(product){NULL, &x, hicoo_blocks, factors, 0, d, 1});
    row->step[3] = row->all[HICOO_ITSELF];
    for (size_t w = 0; w < 3; w++)
        row->way[w] = time_of(&(product){NULL, &x, loop[w], factors, 0, d, HICOO_THREADS});
    hicoo_lists_release(&x);
    trib_tensor_release(&tensor);
}

/* Figures 10 and 11, table IV, the prediction: blocks and superblocks. */
static void try_blocks(hicoo_row *row, const trib_hacoo *table, const hicoo_factors *factors) {
    trib_tensor tensor;
    trib_hicoo_report report;
    for (uint32_t l = 0; l < HICOO_SIDES; l++) {
        build(&tensor, "hicoo", table, UINT32_C(1) << (8 + 2 * l), HICOO_THREADS);
        row->side[l] =
            time_of(&(product){&tensor, NULL, NULL, factors, 0, table->n_modes, HICOO_THREADS});
        if (l == 0) bench_must(trib_hicoo_report_of(&tensor, HICOO_THREADS, &report, &bench_error));
        trib_tensor_release(&tensor);
    }
    row->alpha = report.block_ratio;
    row->c = report.slice_size;
    row->bound = (32.0 - 8.0) / (32.0 + 64.0 / table->n_modes);
    const double start = experiment_processor();
    bench_must(trib_hicoo_predict(table, HICOO_BLOCK, &row->predicted, &bench_error));
    row->prediction = experiment_processor() - start;
    /* F-COO, by its definition: for every mode the other indices, the value, flags and places of
     * partitions of 64 nonzeros */
    row->fcoo = table->n_modes * (4. * (table->n_modes - 1) + 8 + 12. / 64 + 8. / 4096);
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
    uint32_t *order = bench_new(from->nnz, sizeof *order), index[TRIB_MAX_MODES];
    for (size_t e = 0; e < from->nnz; e++) order[e] = (uint32_t)e;
    compared = from;
    qsort(order, from->nnz, sizeof *order, by_index);
    bench_must(trib_hacoo_init(sorted, from->n_modes, from->dim, NULL, &bench_error));
    for (size_t e = 0; e < from->nnz; e++) {
        const uint32_t count = trib_hacoo_entry(from, order[e], index);
        bench_must(trib_hacoo_add(sorted, index, count, &bench_error));
    }
    free(order);
}

static void try_tensor(hicoo_row *row, const char *name, const trib_hacoo *table) {
    trib_hacoo sorted;
    hicoo_factors factors = {{NULL}, NULL, {NULL}};
    *row = (hicoo_row){.name = name, .n_modes = table->n_modes, .nnz = table->nnz};
    memcpy(row->dim, table->dim, sizeof row->dim);
    make_factors(&factors, table);
    sort_table(table, &sorted);
    for (size_t f = 0; f < HICOO_FORMATS; f++) try_format(row, f, &sorted, &factors);
    try_ways(row, &sorted, &factors);
    try_blocks(row, &sorted, &factors);
    release_factors(&factors);
    trib_hacoo_release(&sorted);
}

void experiment_hicoo(const experiment_texts *texts) {
    static hicoo_row row[HICOO_MOST];
    size_t n = 0;
    trib_hacoo table;
    for (const synthetic *what = experiment_frostt; what->name && n < HICOO_MOST; what++) {
        experiment_tensor(&table, what, 1000000);
        try_tensor(&row[n++], what->name, &table);
        trib_hacoo_release(&table);
    }
    for (size_t t = 0; t < texts->n && n < HICOO_MOST; t++) {
        bench_ngrams(&table, &texts->text[t], 3, 0, texts->text[t].n_words);
        try_tensor(&row[n++], texts->text[t].name, &table);
        trib_hacoo_release(&table);
    }
    hicoo_print(row, n);
}
