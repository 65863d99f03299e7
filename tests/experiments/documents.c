/* documents.c - building the tensors of documents word by word, HaCOO against sorted coordinates: figures 5.3 to 5.6 of [C].
 * Seven stretches of the first text, as long together as the two corpora there. */
#include "tests/experiments/experiment.h"
#include "tests/experiments/sorted.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_DOCUMENTS = 7, ORDER = 3 };

typedef struct building {
    uint32_t *id;     /* of every word, below n_types */
    size_t n_words;   /* of one document */
    uint32_t n_types; /* of the vocabulary */
    size_t nnz;       /* of all tensors */
} building;

static void into_hacoo(void *context) {
    building *b = context;
    const uint32_t dim[ORDER] = {b->n_types, b->n_types, b->n_types};
    trib_error error = {0};
    b->nnz = 0;
    for (size_t d = 0; d < N_DOCUMENTS; d++) {
        trib_hacoo table;
        const uint32_t *id = b->id + d * b->n_words;
        bench_check(trib_hacoo_init(&table, ORDER, dim, NULL, &error), &error);
        for (size_t i = 0; i + ORDER <= b->n_words; i++)
            bench_check(trib_hacoo_add(&table, id + i, 1, &error), &error);
        b->nnz += table.nnz;
        trib_hacoo_release(&table);
    }
}

static void into_sorted(void *context) {
    building *b = context;
    b->nnz = 0;
    for (size_t d = 0; d < N_DOCUMENTS; d++) {
        sorted_coo x;
        const uint32_t *id = b->id + d * b->n_words;
        sorted_init(&x, ORDER, b->n_words);
        for (size_t i = 0; i + ORDER <= b->n_words; i++) sorted_add(&x, id + i);
        b->nnz += x.nnz;
        sorted_release(&x);
    }
}

/* `n_kept`: words of the vocabulary, the last standing for all others; 0: all. */
static void try_corpus(const bench_text *text, const char *name, size_t n_words, uint32_t n_kept) {
    building b = {.n_words = n_words / N_DOCUMENTS};
    if (b.n_words * N_DOCUMENTS > text->n_words) b.n_words = text->n_words / N_DOCUMENTS;
    b.n_types = n_kept > 0 && n_kept < text->n_types ? n_kept : text->n_types;
    b.id = bench_new(b.n_words * N_DOCUMENTS, sizeof *b.id);
    for (size_t i = 0; i < b.n_words * N_DOCUMENTS; i++)
        b.id[i] = text->id[i] < b.n_types ? text->id[i] : b.n_types - 1;
    experiment_way way[] = {{into_hacoo, &b, 0}, {into_sorted, &b, 0}};
    experiment_time(way, 2, 5);
    printf("| %s | %zu | %s | %zu | %.2f | %.2f | %.1f %% |\n", name, b.n_words * N_DOCUMENTS,
           n_kept > 0 ? "600" : "all", b.nnz, 1e3 * way[0].processor, 1e3 * way[1].processor,
           100 * (1 - way[0].processor / way[1].processor));
    free(b.id);
}

void experiment_documents(const experiment_texts *texts) {
    const bench_text *text = &texts->text[0];
    puts("| as long as | words | vocabulary | nonzeros | HaCOO, ms | sorted coordinates, ms | less "
         "by |");
    puts("| --- | --- | --- | --- | --- | --- | --- |");
    try_corpus(text, "Conference", 45152, 600);
    try_corpus(text, "Conference", 45152, 0);
    try_corpus(text, "Shakespeare", 181760, 600);
    try_corpus(text, "Shakespeare", 181760, 0);
    puts("");
}
