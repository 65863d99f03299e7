/* hash.c - how well each hash spreads entries over buckets: tables 3.1 and 3.2 of [C], the table of [P].*/
#include "tests/experiments/experiment.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 1 << 16, LONGEST = 800000 /* words of a text */ };

/* Entries looked at to find entry e are one more than the entries before it in its bucket: chains are in order of arrival. */
static void print_spread(const char *name, const trib_hash *hash, const trib_hacoo *table) {
    uint32_t *in_bucket = bench_new(table->n_buckets, sizeof *in_bucket);
    size_t *n_deep = bench_new(DEEPEST + 1, sizeof *n_deep), largest = 0, median = 0, mode = 0;
    double sum = 0;
    for (size_t e = 0; e < table->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(table, e, index);
        const size_t depth = ++in_bucket[trib_hacoo_bucket(table, index)];
        n_deep[depth < DEEPEST ? depth : DEEPEST]++;
        sum += (double)depth;
        if (depth > largest) largest = depth;
    }
    for (size_t seen = 0; seen * 2 < table->nnz;) seen += n_deep[++median];
    for (size_t d = 1; d <= DEEPEST; d++)
        if (n_deep[d] > n_deep[mode]) mode = d;
    printf("| %s | %u | %zu | `%s` | %.2f %% | %.2f | %zu | %zu | %zu |\n", name, table->n_modes,
           table->nnz, hash->name, 100 * (1 - (double)n_deep[1] / (double)table->nnz),
           sum / (double)table->nnz, median, mode, largest);
    free(in_bucket);
    free(n_deep);
}

/* The entries of `from` in a table of another hash, its size chosen for their number as [P] does. */
static void try_hashes(const char *name, const trib_hacoo *from) {
    for (const trib_hash *hash = trib_hashes; hash->name; hash++) {
        const trib_hacoo_options options = {.hash = hash, .load = 0.7, .expected = from->nnz};
        trib_hacoo table;
        trib_error error = {0};
        bench_check(trib_hacoo_init(&table, from->n_modes, from->dim, &options, &error), &error);
        bench_check(trib_hacoo_merge(&table, from, NULL, &error), &error);
        print_spread(name, hash, &table);
        trib_hacoo_release(&table);
    }
}

void experiment_hash(const experiment_texts *texts) {
    trib_hacoo table;
    trib_error error = {0};
    puts("| tensor | modes | nonzeros | hash | collision rate | mean probes | median | mode | most "
         "|");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (const synthetic *what = experiment_frostt; what->name; what++) {
        bench_check(synthetic_make(&table, what, 1, &error), &error);
        try_hashes(what->name, &table);
        trib_hacoo_release(&table);
    }
    for (size_t t = 0; t < texts->n; t++) {
        const size_t n_words = texts->text[t].n_words;
        bench_ngrams(&table, &texts->text[t], 3, 0, n_words < LONGEST ? n_words : LONGEST);
        try_hashes(texts->text[t].name, &table);
        trib_hacoo_release(&table);
    }
    puts("");
}
