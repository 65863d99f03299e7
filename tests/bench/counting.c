/* counting.c - how fast n-grams are counted: into HaCOO one by one, as a stream, with the number known; by sorting; and in
 * a chained table of allocated nodes, as std::unordered_map is one. Keys are made of the word ids by everyone anew. */
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { ORDER = 3, DIGIT = 11 }; /* words of an n-gram; bits a pass of the radix sort takes */

typedef struct counting {
    const bench_text *text;
    size_t passes;   /* over the text: later ones find every n-gram */
    uint32_t bits;   /* of a word id */
    uint32_t *entry; /* [n-grams] room for entry numbers */
    size_t n_distinct;
} counting;

static size_t n_ngrams(const counting *c) { return c->text->n_words - ORDER + 1; }

static uint64_t key_of(const counting *c, const uint32_t *id) {
    uint64_t key = 0;
    for (int m = 0; m < ORDER; m++) key = key << c->bits | id[m];
    return key;
}

static void start(const counting *c, trib_hacoo *table) {
    trib_error error = {0};
    uint32_t dim[ORDER];
    for (int m = 0; m < ORDER; m++) dim[m] = c->text->n_types;
    bench_check(trib_hacoo_init(table, ORDER, dim, NULL, &error), &error);
}

static void end(counting *c, trib_hacoo *table) {
    c->n_distinct = table->nnz;
    trib_hacoo_release(table);
}

static void one_by_one(void *context) {
    counting *c = context;
    trib_error error = {0};
    trib_hacoo table;
    start(c, &table);
    for (size_t p = 0; p < c->passes; p++)
        for (size_t i = 0; i < n_ngrams(c); i++)
            bench_check(trib_hacoo_add(&table, c->text->id + i, 1, &error), &error);
    end(c, &table);
}

/* As the tensors stage did without a stream: each n-gram looked up again for its number. */
static void one_by_one_numbered(void *context) {
    counting *c = context;
    trib_error error = {0};
    trib_hacoo table;
    start(c, &table);
    for (size_t p = 0; p < c->passes; p++)
        for (size_t i = 0; i < n_ngrams(c); i++) {
            bench_check(trib_hacoo_add(&table, c->text->id + i, 1, &error), &error);
            c->entry[i] = (uint32_t)trib_hacoo_find(&table, c->text->id + i);
        }
    end(c, &table);
}

static void push_all(counting *c, trib_hacoo *table, uint32_t *entry) {
    trib_error error = {0};
    trib_hacoo_stream stream;
    for (size_t p = 0; p < c->passes; p++) {
        trib_hacoo_stream_init(&stream, table, entry);
        for (size_t i = 0; i < n_ngrams(c); i++)
            bench_check(trib_hacoo_stream_push(&stream, c->text->id + i, 1, &error), &error);
        bench_check(trib_hacoo_stream_flush(&stream, &error), &error);
    }
}

static void streamed(void *context) {
    counting *c = context;
    trib_hacoo table;
    start(c, &table);
    push_all(c, &table, NULL);
    end(c, &table);
}

static void streamed_numbered(void *context) {
    counting *c = context;
    trib_hacoo table;
    start(c, &table);
    push_all(c, &table, c->entry);
    end(c, &table);
}

static void streamed_known(void *context) {
    counting *c = context;
    trib_error error = {0};
    trib_hacoo table;
    uint32_t dim[ORDER];
    for (int m = 0; m < ORDER; m++) dim[m] = c->text->n_types;
    bench_check(trib_hacoo_init(&table, ORDER, dim,
                                &(trib_hacoo_options){.expected = c->n_distinct}, &error),
                &error);
    push_all(c, &table, NULL);
    end(c, &table);
}

static void sorted(void *context) {
    counting *c = context;
    const size_t n = n_ngrams(c) * c->passes;
    uint64_t *key = bench_new(n, sizeof *key), *other = bench_new(n, sizeof *other);
    for (size_t p = 0; p < c->passes; p++)
        for (size_t i = 0; i < n_ngrams(c); i++)
            key[p * n_ngrams(c) + i] = key_of(c, c->text->id + i);
    for (uint32_t shift = 0; shift < ORDER * c->bits; shift += DIGIT) {
        size_t place[1 << DIGIT] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++) place[key[i] >> shift & ((1 << DIGIT) - 1)]++;
        for (size_t d = 0; d < 1 << DIGIT; d++) {
            const size_t count = place[d];
            place[d] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            other[place[key[i] >> shift & ((1 << DIGIT) - 1)]++] = key[i];
        uint64_t *swap = key;
        key = other;
        other = swap;
    }
    size_t n_runs = 0;
    for (size_t i = 0; i < n;) { /* the run lengths take the place of the other array */
        size_t j = i + 1;
        while (j < n && key[j] == key[i]) j++;
        key[n_runs] = key[i];
        other[n_runs++] = j - i;
        i = j;
    }
    c->n_distinct = n_runs;
    free(key);
    free(other);
}

typedef struct node {
    struct node *next;
    uint64_t key;
    uint32_t count;
} node;

/* std::unordered_map: the key is its own hash, the number of buckets a number without small divisors, the load at most 1. */
static node **rehash(node **bucket, size_t *n_buckets) {
    const size_t n = 2 * *n_buckets + 1;
    node **grown = bench_new(n, sizeof(node *));
    for (size_t b = 0; b < *n_buckets; b++)
        for (node *at = bucket[b]; at;) {
            node *next = at->next;
            at->next = grown[at->key % n];
            grown[at->key % n] = at;
            at = next;
        }
    free(bucket);
    *n_buckets = n;
    return grown;
}

static void chained_nodes(void *context) {
    counting *c = context;
    size_t n_buckets = 13, n = 0;
    node **bucket = bench_new(n_buckets, sizeof(node *));
    for (size_t p = 0; p < c->passes; p++)
        for (size_t i = 0; i < n_ngrams(c); i++) {
            const uint64_t key = key_of(c, c->text->id + i);
            node *at = bucket[key % n_buckets];
            while (at && at->key != key) at = at->next;
            if (!at) {
                if (n == n_buckets) bucket = rehash(bucket, &n_buckets);
                at = bench_new(1, sizeof *at);
                *at = (node){.next = bucket[key % n_buckets], .key = key};
                bucket[key % n_buckets] = at;
                n++;
            }
            at->count++;
        }
    c->n_distinct = n;
    for (size_t b = 0; b < n_buckets; b++)
        for (node *at = bucket[b]; at;) {
            node *next = at->next;
            free(at);
            at = next;
        }
    free(bucket);
}

void bench_counting(const bench_text *text) {
    if (!bench_wanted(text, "counting") || text->n_words < ORDER) return;
    counting c = {.text = text, .bits = 1};
    while (UINT64_C(1) << c.bits < text->n_types) c.bits++;
    c.entry = bench_new(text->n_words, sizeof *c.entry);
    const contestant way[] = {{"chained-nodes", 0, 1, NULL, chained_nodes, &c},
                              {"radix-sort", 0, 1, NULL, sorted, &c},
                              {"hacoo-add", 0, 1, NULL, one_by_one, &c},
                              {"hacoo-stream", 0, 1, NULL, streamed, &c},
                              {"hacoo-stream-known", 0, 1, NULL, streamed_known, &c},
                              {"hacoo-add-find", 0, 1, NULL, one_by_one_numbered, &c},
                              {"hacoo-stream-numbers", 0, 1, NULL, streamed_numbered, &c}};
    for (c.passes = 1; c.passes <= 8; c.passes *= 8)
        bench_contest(text, "counting", c.passes == 1 ? "3-grams" : "3-grams-8-times", way,
                      sizeof way / sizeof *way, 1, (double)(n_ngrams(&c) * c.passes));
    free(c.entry);
}
