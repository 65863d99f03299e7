/* hash.c - how well each hash spreads entries over buckets: tables 3.1 and 3.2 of [C], the table
 * of [P]. */
#include "tests/experiments/experiment.h"

enum {
    DEEPEST = UINT16_MAX,
    BATCH = 64,
    LONGEST = 800000, /* words of a text */
    N_HASHES = 5,
    N_TENSORS = 16,
    DENSE = 64,
    LARGE = 10000000 /* entries: of more only what is published is measured */
};
static const double load = 0.7;

/* What a hash makes of the entries. The chains are those of buckets that hold something: their mean
 * is what [C] calls the mean probe depth, as her rates show, of which it is 1 / (1 - rate). */
typedef struct probes {
    double collisions; /* part of the entries that are not the first of their bucket */
    double mean;       /* entries looked at to find an entry */
    double mean_chain;
    size_t median_chain, mode_chain, most;
} probes;

typedef struct tensor_row {
    const char *name;
    bool is_text, is_file;
    size_t nnz, n_aliases; /* of `digits` */
    double by_chance;      /* collisions of a hash that throws entries at random */
    uint32_t n_modes;
    probes of[N_HASHES];
    trib_fiber_class dense[N_HASHES][TRIB_MAX_MODES]; /* fibers of DENSE entries or more */
} tensor_row;

/* [C] tables 3.1 and 3.2; those of uber, nell-2, enron and nips in 3.1 are [P]'s, too. */
static const struct {
    const char *name;
    probes morton, digits;
} published[] = {
    {"uber", {.1643, 0, 1.20, 1, 1, 7}, {.1717, 0, 1.21, 1, 1, 7}},
    {"nell-2", {.2645, 0, 1.36, 1, 1, 11}, {.2387, 0, 1.31, 1, 1, 9}},
    {"enron", {.3753, 0, 1.60, 1, 1, 37}, {.1774, 0, 1.22, 1, 1, 8}},
    {"chicago", {.5727, 0, 25.95, 2, 1, 28}, {.2623, 0, 1.36, 1, 1, 8}},
    {"nips", {.7731, 0, 4.41, 4, 4, 29}, {.1640, 0, 1.20, 1, 1, 7}},
    {"lbnl", {.8939, 0, 9.43, 1, 1, 2994}, {.1713, 0, 1.21, 1, 1, 7}},
};
enum { N_PUBLISHED = sizeof published / sizeof *published };

static size_t hash_of(const char *name) { return (size_t)(trib_hash_find(name) - trib_hashes); }

/* 2^ceil(log2(nnz / load)): [P] equation 1. */
static size_t buckets_for(size_t nnz) {
    size_t n = 8;
    while ((double)n < (double)nnz / load) n *= 2;
    return n;
}

/* Collisions of a hash that throws n entries at random into B buckets: those that are not the
 * first of the B (1 - (1 - 1/B)^n) that are filled. */
static double chance(size_t n) {
    const double n_buckets = (double)buckets_for(n);
    return 1 + n_buckets * expm1((double)n * log1p(-1 / n_buckets)) / (double)n;
}

/* The buckets of entries first .. first+n-1 of `from`, fetched. */
static void find_buckets(const trib_hacoo *from, const trib_hacoo *empty, size_t first, size_t n,
                         const uint16_t *in_bucket, size_t bucket[]) {
    for (size_t i = 0; i < n; i++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(from, first + i, index);
        bucket[i] = trib_hacoo_bucket(empty, index);
        __builtin_prefetch(&in_bucket[bucket[i]], 1);
    }
}

/* n_deep[d]: entries with d - 1 before them in their bucket, so the chains of d entries or more. */
static void describe_chains(probes *p, const size_t n_deep[], size_t nnz) {
    const size_t n_chains = n_deep[1];
    size_t largest = 0;
    p->collisions = 1 - (double)n_chains / (double)nnz;
    p->mean_chain = (double)nnz / (double)n_chains;
    for (size_t d = 1; d <= p->most; d++) {
        const size_t n = n_deep[d] - n_deep[d + 1];
        if (n > largest) p->mode_chain = d;
        if (n > largest) largest = n;
        if (p->median_chain == 0 && 2 * (n_chains - n_deep[d + 1]) >= n_chains) p->median_chain = d;
    }
}

/* Entries looked at to find entry e are one more than the entries before it in its bucket: chains
 * are in order of arrival. Counted without a table, as [P] simulates one. */
static probes probes_of(const trib_hacoo *from, const trib_hash *hash) {
    const trib_hacoo_options options = {
        .hash = hash, .load = load, .n_buckets = buckets_for(from->nnz)};
    trib_hacoo empty;
    bench_must(trib_hacoo_init(&empty, from->n_modes, from->dim, &options, &bench_error));
    uint16_t *in_bucket = bench_new(empty.n_buckets, sizeof *in_bucket);
    size_t *n_deep = bench_new(DEEPEST + 2, sizeof *n_deep), sum = 0, bucket[BATCH];
    probes p = {0};
    for (size_t first = 0; first < from->nnz; first += BATCH) {
        const size_t n = from->nnz - first < BATCH ? from->nnz - first : BATCH;
        find_buckets(from, &empty, first, n, in_bucket, bucket);
        for (size_t i = 0; i < n; i++) {
            uint16_t *met = &in_bucket[bucket[i]];
            if (*met < DEEPEST) ++*met;
            n_deep[*met]++;
            sum += *met;
            if (*met > p.most) p.most = *met;
        }
    }
    p.mean = (double)sum / (double)from->nnz;
    describe_chains(&p, n_deep, from->nnz);
    free(in_bucket);
    free(n_deep);
    trib_hacoo_release(&empty);
    return p;
}

/* The chains of a table must tell the same as the count without one. Returns its aliases. */
static size_t check_with_table(const trib_hacoo *table, const probes *p) {
    trib_hacoo_spread spread;
    trib_hacoo_spread_of(table, &spread);
    size_t up_to_median = 0, below_median = 0;
    for (size_t b = 0; b < table->n_buckets; b++) {
        const size_t chain = trib_hacoo_chain(table, b);
        up_to_median += chain > 0 && chain <= p->median_chain;
        below_median += chain > 0 && chain < p->median_chain;
    }
    if (fabs(spread.collision_rate - p->collisions) > 1e-9 ||
        fabs(spread.mean_probes - p->mean) > 1e-6 || spread.max_probes != p->most ||
        2 * up_to_median < spread.n_used_buckets || 2 * below_median >= spread.n_used_buckets ||
        fabs(p->mean_chain * (double)spread.n_used_buckets - (double)table->nnz) > 1e-3)
        bench_fail("the probes and the chains differ");
    return spread.n_aliases;
}

static trib_fiber_class dense_fibers_of(const trib_hacoo *table, uint32_t mode) {
    trib_fiber_class class[TRIB_FIBER_CLASSES], dense = {0};
    bench_must(trib_hacoo_fibers_of(table, mode, class, &bench_error));
    for (size_t k = 0; k < TRIB_FIBER_CLASSES; k++) {
        if (trib_fiber_shortest[k] < DENSE) continue;
        dense.n_fibers += class[k].n_fibers;
        dense.n_entries += class[k].n_entries;
        dense.n_within += class[k].n_within;
        dense.by_chance += class[k].by_chance;
    }
    return dense;
}

/* The entries of `from` under each hash, the number of buckets chosen for theirs as [P] does. */
static tensor_row try_hashes(const char *name, const trib_hacoo *from) {
    tensor_row row = {.name = name, .nnz = from->nnz, .n_modes = from->n_modes};
    row.by_chance = chance(from->nnz);
    for (size_t h = 0; trib_hashes[h].name; h++) {
        const trib_hash *hash = &trib_hashes[h];
        const trib_hacoo_options options = {.hash = hash, .load = load, .expected = from->nnz};
        trib_hacoo table;
        const bool is_large = from->nnz > LARGE;
        if (is_large && h != hash_of("morton") && h != hash_of("digits")) continue;
        row.of[h] = probes_of(from, hash);
        if (is_large) continue;
        bench_must(trib_hacoo_init(&table, from->n_modes, from->dim, &options, &bench_error));
        bench_must(trib_hacoo_merge(&table, from, NULL, &bench_error));
        row.n_aliases += check_with_table(&table, &row.of[h]);
        for (uint32_t m = 0; m < from->n_modes; m++) row.dense[h][m] = dense_fibers_of(&table, m);
        trib_hacoo_release(&table);
    }
    return row;
}

/* As [C] has them. */
static void print_chains(const probes *p) {
    printf(" %.2f %%, %.2f, %zu, %zu, %zu |", 100 * p->collisions, p->mean_chain, p->median_chain,
           p->mode_chain, p->most);
}

static void print_probes(const probes *p) {
    if (p->most == 0) printf(" - |");
    else printf(" %.2f %%, %.2f, %zu |", 100 * p->collisions, p->mean, p->most);
}

/* Table 3.1 or 3.2, whose published values are the `field` of the rows above. */
static void print_published(const tensor_row row[], const char *hash, bool is_morton) {
    puts("| tensor | nonzeros, published | here | from | by chance | published | here |\n"
         "| --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < N_PUBLISHED; i++) {
        printf("| %s | %zu | %zu | %s | %.2f %% |", row[i].name, experiment_frostt[i].nnz,
               row[i].nnz, row[i].is_file ? "file" : "drawn", 100 * row[i].by_chance);
        print_chains(is_morton ? &published[i].morton : &published[i].digits);
        print_chains(&row[i].of[hash_of(hash)]);
        puts("");
    }
    puts("");
}

/* Whether what the two tables show is so here, tensor by tensor. */
static void compare(const tensor_row row[]) {
    const size_t digits = hash_of("digits"), morton = hash_of("morton");
    size_t n_worse = 0, n_worse_here = 0, n_same_morton = 0, n_even = 0, n_less = 0,
           n_less_here = 0, n_same_less = 0, n_longest = 0;
    double off = 0;
    for (size_t i = 0; i < N_PUBLISHED; i++) {
        const probes *m = &row[i].of[morton], *d = &row[i].of[digits];
        const bool worse = published[i].morton.collisions > chance(experiment_frostt[i].nnz) + .01;
        const bool worse_here = m->collisions > row[i].by_chance + .01;
        const bool less = published[i].digits.collisions + .001 <= published[i].morton.collisions;
        const bool less_here = d->collisions + .001 <= m->collisions;
        n_worse += worse;
        n_worse_here += worse_here;
        n_same_morton += worse == worse_here;
        n_even += fabs(d->collisions - row[i].by_chance) <= .01;
        n_longest += d->most == published[i].digits.most;
        off = fmax(off, fabs(d->collisions - published[i].digits.collisions));
        n_less += less;
        n_less_here += less_here;
        n_same_less += less == less_here;
    }
    printf("* Table 3.1: Morton codes collide more than a point above chance on %zu of %d tensors "
           "as published, on %zu\n  here: the shape %s.\n",
           n_worse, N_PUBLISHED, n_worse_here, experiment_verdict(n_same_morton, N_PUBLISHED));
    printf(
        "* Table 3.2: the digits are within a point of chance on all tensors as published, on %zu "
        "of %d here; no rate\n  is further than %.2f points from hers, and the longest chain is "
        "hers on %zu: the shape %s.\n",
        n_even, N_PUBLISHED, 100 * off, n_longest, experiment_verdict(n_even, N_PUBLISHED));
    printf(
        "* Both: the digits collide less often than Morton codes, by a tenth of a point or more, "
        "on %zu tensors as\n  published, on %zu here: the shape %s.\n\n",
        n_less, n_less_here, experiment_verdict(n_same_less, N_PUBLISHED));
}

static void print_hash_names(void) {
    for (const trib_hash *hash = trib_hashes; hash->name; hash++) printf(" `%s` |", hash->name);
}

static void print_all(const tensor_row row[], size_t n) {
    size_t n_less = 0, n_texts = 0;
    printf("| tensor | nonzeros | by chance |");
    print_hash_names();
    puts(" aliases of `digits` |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < n; i++) {
        printf("| %s | %zu | %.2f %% |", row[i].name, row[i].nnz, 100 * row[i].by_chance);
        for (size_t h = 0; trib_hashes[h].name; h++) print_probes(&row[i].of[h]);
        if (row[i].nnz > LARGE) puts(" - |");
        else printf(" %zu |\n", row[i].n_aliases);
        n_texts += row[i].is_text;
        n_less += row[i].is_text && row[i].of[hash_of("digits")].collisions + .001 <=
                                        row[i].of[hash_of("morton")].collisions;
    }
    printf("\nOn real text the digits collide less often than Morton codes in %zu of %zu cases: "
           "what [C] "
           "concludes %s.\n\n",
           n_less, n_texts, experiment_verdict(n_less, n_texts));
}

/* Entries that meet their own fiber in a bucket: what [C] suspects of dense fibers. */
static void print_dense(const tensor_row row[], size_t n) {
    size_t n_above = 0, n_compared = 0;
    printf("| tensor | mode | fibers of %d entries or more | entries in them | by chance |", DENSE);
    print_hash_names();
    puts("\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < n; i++)
        for (uint32_t m = 0; m < row[i].n_modes; m++) {
            const trib_fiber_class *first = &row[i].dense[0][m];
            if (first->n_fibers == 0) continue;
            const double percent = 100 / (double)first->n_entries;
            printf("| %s | %u | %zu | %zu | %.2f %% |", row[i].name, m + 1, first->n_fibers,
                   first->n_entries, percent * first->by_chance);
            for (size_t h = 0; trib_hashes[h].name; h++)
                printf(" %.2f %% |", percent * (double)row[i].dense[h][m].n_within);
            puts("");
            n_compared++;
            n_above += (double)row[i].dense[hash_of("morton")][m].n_within > 2 * first->by_chance;
        }
    printf("\nUnder Morton codes more than twice as many as by chance meet in %zu of %zu rows: "
           "what [C] "
           "suspects %s.\n",
           n_above, n_compared, experiment_verdict(n_above, n_compared));
}

void experiment_hash(const experiment_texts *texts) {
    static tensor_row row[N_TENSORS];
    size_t n = 0;
    trib_hacoo table;
    for (const synthetic *what = experiment_frostt; what->name; what++) {
        const bool is_file = experiment_tensor(&table, what, 0);
        row[n] = try_hashes(what->name, &table);
        row[n++].is_file = is_file;
        trib_hacoo_release(&table);
    }
    for (size_t t = 0; t < texts->n; t++) {
        const size_t n_words = texts->text[t].n_words;
        bench_ngrams(&table, &texts->text[t], 3, 0, n_words < LONGEST ? n_words : LONGEST);
        row[n] = try_hashes(texts->text[t].name, &table);
        row[n++].is_text = true;
        trib_hacoo_release(&table);
    }
    puts("## Table 3.1 of [C], and the table of [P]: Morton codes\n");
    print_published(row, "morton", true);
    puts("## Table 3.2 of [C]: digits\n");
    print_published(row, "digits", false);
    compare(row);
    puts("## All hashes\n");
    print_all(row, n);
    puts("## Dense fibers\n");
    print_dense(row, n);
}
