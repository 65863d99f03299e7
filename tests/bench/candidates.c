/* candidates.c - candidate sources of documents of 18 000 words: sketches, their index on disk, and
 * the candidates of all documents. Words, and phrases of 3 to 6 words that make a third of the
 * text, are drawn by Zipf's law. BENCH_DOCUMENTS: number of documents, 1000 unless told. */
#include "influence/candidates/candidates.h"
#include "tests/bench/bench.h"

enum { LENGTH = 18000, TYPES = 60000, PHRASES = 300000, RATE = 8, COMMON = 200 };

/* What the ways work on. */
typedef struct drawn {
    trib_hacoo counts; /* of the last document */
    trib_influence_document document;
    uint32_t word[LENGTH], local[LENGTH], stream[LENGTH], own[TYPES]; /* words; own ids */
    uint8_t is_common[TYPES];
    trib_sketch sketch;
    trib_sketch_entry *entry; /* [n] of all documents, at RATE */
    size_t n, cap;
    uint32_t n_documents;
    uint64_t *n_ngrams;        /* [n_documents] */
    uint32_t *number;          /* [n_documents] ranks and targets: 0, 1, ... */
    trib_candidate_list *list; /* [n_documents] */
    trib_sketch_index index;
} drawn;

/* A way to do the work. */
typedef struct way {
    drawn *drawn;
    uint32_t rate;
    int n_threads;
} way;

static uint32_t draw_rank(trib_random *random, double n) {
    return (uint32_t)exp(trib_random_unit(random) * log(n)) - 1;
}

static void draw_words(uint32_t word[LENGTH], trib_random *random) {
    for (size_t i = 0; i < LENGTH;) {
        if (trib_random_below(random, 8) > 0) {
            word[i++] = draw_rank(random, TYPES);
            continue;
        }
        trib_random phrase = {draw_rank(random, PHRASES)};
        for (uint64_t k = 3 + trib_random_below(&phrase, 4); k > 0 && i < LENGTH; k--)
            word[i++] = draw_rank(&phrase, TYPES);
    }
}

/* Counts the words with own ids in order of first appearance. */
static void count_words(drawn *x) {
    uint32_t n = 0;
    for (size_t i = 0; i < LENGTH; i++) {
        const uint32_t w = x->word[i];
        if (x->own[w] == 0) {
            x->local[n] = w;
            x->own[w] = ++n;
        }
        x->stream[i] = x->own[w] - 1;
    }
    for (uint32_t i = 0; i < n; i++) x->own[x->local[i]] = 0;
    trib_hacoo_stream stream;
    trib_hacoo_release(&x->counts);
    bench_must(trib_hacoo_init(&x->counts, 3, (const uint32_t[]){n, n, n},
                               &(trib_hacoo_options){.expected = LENGTH}, &bench_error));
    trib_hacoo_stream_init(&stream, &x->counts, NULL);
    bench_must(trib_hacoo_stream_windows(&stream, LENGTH, x->stream, &bench_error));
    bench_must(trib_hacoo_stream_flush(&stream, &bench_error));
    x->document = (trib_influence_document){
        .counts = &x->counts, .word = x->local, .n_local = n, .n_words = LENGTH};
}

static void sketch(void *context) {
    const way *w = context;
    bench_must(trib_sketch_build(&w->drawn->sketch, &w->drawn->document, 0,
                                 &(trib_sketch_options){.rate = w->rate}, &bench_error));
}

static void sketch_runs(void *context) {
    const way *w = context;
    bench_must(trib_sketch_runs(&w->drawn->sketch, w->drawn->word, LENGTH, 0, NULL,
                                w->drawn->is_common, &bench_error));
}

static void draw_all(drawn *x) {
    trib_random random;
    trib_random_seed(&random, 1);
    for (uint32_t i = 0; i < COMMON; i++) x->is_common[i] = 1;
    for (uint32_t d = 0; d < x->n_documents; d++) {
        draw_words(x->word, &random);
        count_words(x);
        bench_must(trib_sketch_build(&x->sketch, &x->document, d,
                                     &(trib_sketch_options){.rate = RATE}, &bench_error));
        bench_must(trib_grow(&x->entry, &x->cap, x->n + x->sketch.n, sizeof *x->entry, "sketches",
                             &bench_error));
        memcpy(x->entry + x->n, x->sketch.entry, x->sketch.n * sizeof *x->entry);
        x->n += x->sketch.n;
        x->n_ngrams[d] = x->counts.total;
        x->number[d] = d;
    }
}

static void build_index(void *context) {
    const way *w = context;
    drawn *x = w->drawn;
    const char *directory = getenv("TMPDIR");
    const trib_sketch_index_options options = {.directory = directory ? directory : "/tmp",
                                               .n_documents = x->n_documents,
                                               .n_expected = x->n,
                                               .most_holders = TRIB_SKETCH_MOST_HOLDERS};
    trib_sketch_index_close(&x->index);
    bench_must(trib_sketch_index_open(&x->index, &options, &bench_error));
    bench_must(trib_sketch_index_add(&x->index, x->entry, x->n, &bench_error));
    bench_must(trib_sketch_index_build(&x->index, w->n_threads, &bench_error));
}

static void find(void *context) {
    const way *w = context;
    drawn *x = w->drawn;
    bench_must(trib_candidates_find(x->list, x->number, x->n_documents,
                                    &(trib_candidate_search){.ngrams = &x->index,
                                                             .n_ngrams = x->n_ngrams,
                                                             .rate = RATE,
                                                             .rank = x->number,
                                                             .most = TRIB_CANDIDATES,
                                                             .n_threads = w->n_threads},
                                    &bench_error));
    for (size_t t = 0; t < x->n_documents; t++) trib_candidate_list_release(&x->list[t]);
}

/* Pairs of a target and a document that share a sampled n-gram, over all n-grams. */
static double n_increments(const trib_sketch_index *index) {
    double n = 0;
    for (uint32_t p = 0; p < index->n_partitions; p++)
        for (size_t g = 0; g < index->groups[p].n_groups; g++) {
            const double holders = index->groups[p].start[g + 1] - index->groups[p].start[g];
            n += holders * holders;
        }
    return n;
}

void bench_candidates(const bench_text *how) {
    if (!bench_wanted(how, "candidates")) return;
    drawn *x = bench_new(1, sizeof *x);
    const char *n_documents = getenv("BENCH_DOCUMENTS");
    x->n_documents = n_documents && atoi(n_documents) > 0 ? (uint32_t)atoi(n_documents) : 1000;
    x->n_ngrams = bench_new(x->n_documents, sizeof *x->n_ngrams);
    x->number = bench_new(x->n_documents, sizeof *x->number);
    x->list = bench_new(x->n_documents, sizeof *x->list);
    draw_all(x);
    way all = {x, 1, 1}, some = {x, RATE, 1}, two = {x, RATE, 2};
    const contestant sketching[] = {{"s-1", 0, 1, NULL, sketch, &all},
                                    {"s-8", 0, 1, NULL, sketch, &some},
                                    {"runs", 0, 1, NULL, sketch_runs, &some}};
    const contestant building[] = {{"disk", 0, 1, NULL, build_index, &some},
                                   {"disk", 0, 2, NULL, build_index, &two}};
    const contestant finding[] = {{"split", 0, 1, NULL, find, &some},
                                  {"split", 0, 2, NULL, find, &two}};
    bench_contest(how, &(contest){"candidates-sketch", "drawn", NULL, 1, LENGTH}, sketching, 3);
    bench_contest(how, &(contest){"candidates-index", "drawn", NULL, 1, (double)x->n}, building, 2);
    build_index(&some);
    const contest all_targets = {"candidates", "drawn", NULL, 1, n_increments(&x->index)};
    bench_contest(how, &all_targets, finding, 2);
    trib_sketch_index_close(&x->index);
    trib_sketch_release(&x->sketch);
    trib_hacoo_release(&x->counts);
    trib_free(x->entry);
    free(x->n_ngrams);
    free(x->number);
    free(x->list);
    free(x);
}
