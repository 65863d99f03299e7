/* decomposing.c - a tensor built in a format and decomposed in ten iterations: what a format costs
 * from beginning to end; and the distances of the factors of seven documents. */
#include "decomp/decomp.h"
#include "influence/influence.h"
#include "tests/bench/bench.h"
#include "tests/bench/synthetic.h"

enum { RANK = 16, ITERATIONS = 10, MAX_THREADS = 2 };

typedef struct work {
    const trib_hacoo *counts;
    const trib_format *format;
    const trib_solver *solver;
    const trib_ktensor *start; /* NULL: the tensor is built, nothing else */
    trib_ktensor *k;           /* of the start's size */
    int n_threads;
} work;

static void copy_start(void *context) {
    const work *w = context;
    if (!w->start) return;
    memcpy(w->k->lambda, w->start->lambda, RANK * sizeof *w->k->lambda);
    for (uint32_t m = 0; m < w->start->n_modes; m++)
        memcpy(w->k->factor[m], w->start->factor[m],
               (size_t)w->start->dim[m] * RANK * sizeof *w->k->factor[m]);
}

static void build_and_solve(void *context) {
    const work *w = context;
    trib_tensor x = {0};
    char reason[TRIB_REASON_MAX];
    const trib_format *format = trib_format_choose(w->format, w->counts, RANK, ITERATIONS, reason);
    const trib_cp_options options = {.solver = w->solver,
                                     .rank = RANK,
                                     .sweeps = 2,
                                     .iterations = ITERATIONS,
                                     .restarts = 1,
                                     .n_threads = w->n_threads};
    bench_must(trib_tensor_build(&x, format, w->counts, NULL, w->n_threads, &bench_error));
    if (w->start) bench_must(trib_cp_solve(w->k, &x, &options, NULL, &bench_error));
    trib_tensor_release(&x);
}

/* The first row is what the others are measured against: unconstrained least squares over one copy
 * of the coordinates. */
static const struct {
    const char *format, *solver, *name;
} rows[] = {{"alto", "als", "alto-als"},
            {"alto", "hals", "alto-hals"},
            {"rows", "hals", "rows-hals"},
            {"auto", "hals", "auto-hals"}};
enum { N_ROWS = sizeof rows / sizeof *rows };

static void decompose(const bench_text *text, const char *tensor, const trib_hacoo *counts) {
    trib_tensor x = {0};
    trib_ktensor start, k;
    bench_must(
        trib_tensor_build(&x, trib_format_find("coo-unsorted"), counts, NULL, 1, &bench_error));
    bench_must(trib_ktensor_init(&start, x.n_modes, x.dim, RANK, &bench_error));
    bench_must(trib_ktensor_init(&k, x.n_modes, x.dim, RANK, &bench_error));
    bench_must(trib_start_find("random")->fill(&start, &x, 1, &bench_error));
    work of[2 * N_ROWS * MAX_THREADS];
    contestant way[2 * N_ROWS * MAX_THREADS];
    for (size_t what = 0, n = 0; what < 2; what++, n = 0) {
        const char *kernel = what ? "decomposing" : "decomposing-build";
        if (!bench_wanted(text, kernel)) continue;
        for (size_t i = 0; i < N_ROWS; i++)
            for (int t = 1; t <= MAX_THREADS; t++, n++) {
                of[n] = (work){.counts = counts,
                               .format = trib_format_find(rows[i].format),
                               .solver = trib_solver_find(rows[i].solver),
                               .start = what ? &start : NULL,
                               .k = &k,
                               .n_threads = t};
                way[n] = (contestant){what ? rows[i].name : rows[i].format,
                                      RANK,
                                      t,
                                      copy_start,
                                      build_and_solve,
                                      &of[n]};
            }
        const contest contested = {kernel, tensor, what ? "alto-als" : "alto", 1,
                                   (double)counts->nnz};
        bench_contest(text, &contested, way, n);
    }
    trib_ktensor_release(&start);
    trib_ktensor_release(&k);
    trib_tensor_release(&x);
}

void bench_decomposing(const bench_text *text) {
    if (!bench_wanted(text, "decomposing-build")) return;
    char tensor[300];
    trib_hacoo counts;
    snprintf(tensor, sizeof tensor, "%s3", text->name);
    bench_ngrams(&counts, text, 3, 0, text->n_words);
    decompose(text, tensor, &counts);
    trib_hacoo_release(&counts);
}

void bench_decomposing_synthetic(const bench_text *how) {
    static const char *const wanted[] = {"uber-like", "nell2-like-5M"};
    if (!bench_wanted(how, "decomposing-build")) return;
    for (const synthetic *what = synthetic_tensors; what->name; what++)
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            trib_hacoo counts;
            if (strcmp(what->name, wanted[i]) != 0) continue;
            bench_must(synthetic_make(&counts, what, 1, &bench_error));
            decompose(how, what->name, &counts);
            trib_hacoo_release(&counts);
        }
}

/* ---- Seven documents of 45 000 words in all, R 150 each, as in [L] --------------------------- */

enum { DOCUMENTS = 7, WORDS = 6430, FACTORS = 150 };

typedef struct distances {
    trib_factors factors;
    double *matrix;
    int n_threads;
} distances;

/* A stretch of the text, over ids of its own, decomposed. */
static void add_document(trib_factors *factors, const bench_text *text, uint32_t d) {
    uint32_t *local = bench_new(text->n_types, sizeof *local), *id = bench_new(WORDS, sizeof *id);
    uint32_t *word = bench_new(WORDS, sizeof *word);
    bench_text part = {.id = id};
    size_t first = text->n_words / DOCUMENTS * d;
    for (; part.n_words < WORDS && first < text->n_words; first++) {
        uint32_t *own = &local[text->id[first]];
        if (*own == 0) {
            word[part.n_types] = text->id[first];
            *own = ++part.n_types;
        }
        id[part.n_words++] = *own - 1;
    }
    trib_hacoo counts;
    trib_tensor x = {0};
    trib_ktensor k;
    const trib_cp_options options = {
        .rank = FACTORS, .sweeps = 2, .iterations = 5, .restarts = 1, .n_threads = 1};
    bench_ngrams(&counts, &part, 3, 0, part.n_words);
    bench_must(trib_tensor_build(&x, trib_format_find("coo"), &counts, NULL, 1, &bench_error));
    bench_must(trib_cp(&k, &x, &options, NULL, &bench_error));
    bench_must(trib_factors_add(factors, d, &k, word, &bench_error));
    trib_tensor_release(&x);
    trib_ktensor_release(&k);
    trib_hacoo_release(&counts);
    free(local);
    free(id);
    free(word);
}

static void every_pair(void *context) {
    distances *d = context;
    bench_must(trib_factor_matrix(&d->factors, &d->factors, NULL, d->matrix, d->n_threads,
                                  (trib_progress){0}, &bench_error));
}

static void nearest_only(void *context) {
    distances *d = context;
    trib_factor_distances found = {0};
    bench_must(trib_factor_distances_find(&found, &d->factors, &d->factors, DOCUMENTS, d->n_threads,
                                          &bench_error));
    trib_factor_distances_release(&found);
}

void bench_distances(const bench_text *text) {
    if (!bench_wanted(text, "distances") || text->n_words < (size_t)DOCUMENTS * WORDS) return;
    distances one = {.n_threads = 1};
    for (uint32_t d = 0; d < DOCUMENTS; d++) add_document(&one.factors, text, d);
    const size_t n = one.factors.n;
    one.matrix = bench_new(n * n, sizeof *one.matrix);
    distances two = one;
    two.n_threads = 2;
    const contestant way[] = {{"matrix", FACTORS, 1, NULL, every_pair, &one},
                              {"matrix", FACTORS, 2, NULL, every_pair, &two},
                              {"nearest", FACTORS, 1, NULL, nearest_only, &one},
                              {"nearest", FACTORS, 2, NULL, nearest_only, &two}};
    const contest what = {"distances", "7-documents", NULL, 1, (double)(n * n)};
    bench_contest(text, &what, way, sizeof way / sizeof *way);
    free(one.matrix);
    trib_factors_release(&one.factors);
}
