/* decomposition.c - distances of the factors of seven documents. */
#include "decomp/decomp.h"
#include "influence/influence.h"
#include "tests/bench/bench.h"

#include <stdlib.h>

/* ---- Seven documents of 45 000 words in all, R 150 each, as in [L] --------------------------- */

enum { DOCUMENTS = 7, WORDS = 6430, RANK = 150, ITERATIONS = 5 };

typedef struct distances {
    trib_factors factors;
    double *matrix;
    int n_threads;
} distances;

/* A stretch of the text, over ids of its own, decomposed. */
static void add_document(trib_factors *factors, const bench_text *text, uint32_t d) {
    trib_error error = {0};
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
        .rank = RANK, .sweeps = 2, .iterations = ITERATIONS, .restarts = 1, .n_threads = 1};
    bench_ngrams(&counts, &part, 3, 0, part.n_words);
    bench_check(trib_tensor_build(&x, trib_format_find("coo"), &counts, NULL, 1, &error), &error);
    bench_check(trib_cp(&k, &x, &options, NULL, &error), &error);
    bench_check(trib_factors_add(factors, d, &k, word, &error), &error);
    trib_tensor_release(&x);
    trib_ktensor_release(&k);
    trib_hacoo_release(&counts);
    free(local);
    free(id);
    free(word);
}

static void every_pair(void *context) {
    distances *d = context;
    trib_error error = {0};
    bench_check(trib_factor_matrix(&d->factors, &d->factors, NULL, d->matrix, d->n_threads,
                                   (trib_progress){0}, &error),
                &error);
}

static void nearest_only(void *context) {
    distances *d = context;
    trib_error error = {0};
    trib_factor_distances found = {0};
    bench_check(trib_factor_distances_find(&found, &d->factors, &d->factors, DOCUMENTS,
                                           d->n_threads, &error),
                &error);
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
    const contestant way[] = {{"matrix", RANK, 1, NULL, every_pair, &one},
                              {"matrix", RANK, 2, NULL, every_pair, &two},
                              {"nearest", RANK, 1, NULL, nearest_only, &one},
                              {"nearest", RANK, 2, NULL, nearest_only, &two}};
    const contest what = {"distances", "7-documents", NULL, 1, (double)(n * n)};
    bench_contest(text, &what, way, sizeof way / sizeof *way);
    free(one.matrix);
    trib_factors_release(&one.factors);
}
