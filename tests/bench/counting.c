/* counting.c - how fast n-grams are counted: into HaCOO one by one, as a stream, with the number
 * known, and by others. */
#include "tests/bench/bench.h"
#include "tests/bench/tables.h"

enum { ORDER = 3 }; /* words of an n-gram */

typedef struct counting {
    const bench_text *text;
    bench_windows windows;
    const bench_table *other; /* who counts, when not we */
    uint32_t *entry;          /* [n-grams] room for entry numbers */
    size_t expected;          /* nonzeros, 0: not known */
    size_t n_distinct;
} counting;

static void start(const counting *c, trib_hacoo *table) {
    uint32_t dim[ORDER];
    for (int m = 0; m < ORDER; m++) dim[m] = c->text->n_types;
    bench_must(trib_hacoo_init(table, ORDER, dim, &(trib_hacoo_options){.expected = c->expected},
                               &bench_error));
}

static void end(counting *c, trib_hacoo *table) {
    c->n_distinct = table->nnz;
    trib_hacoo_release(table);
}

static void one_by_one(void *context) {
    counting *c = context;
    trib_hacoo table;
    start(c, &table);
    for (size_t p = 0; p < c->windows.passes; p++)
        for (size_t i = 0; i < c->windows.n; i++) {
            bench_must(trib_hacoo_add(&table, c->text->id + i, 1, &bench_error));
            if (c->entry) c->entry[i] = (uint32_t)trib_hacoo_find(&table, c->text->id + i);
        }
    end(c, &table);
}

static void streamed(void *context) {
    counting *c = context;
    trib_hacoo table;
    trib_hacoo_stream stream;
    start(c, &table);
    for (size_t p = 0; p < c->windows.passes; p++) {
        trib_hacoo_stream_init(&stream, &table, c->entry);
        bench_must(trib_hacoo_stream_windows(&stream, c->text->n_words, c->text->id, &bench_error));
        bench_must(trib_hacoo_stream_flush(&stream, &bench_error));
    }
    end(c, &table);
}

static void by_other(void *context) {
    counting *c = context;
    c->n_distinct = c->other->count(&c->windows);
}

/* Everybody finds the same number of n-grams, or the bench ends. */
static void expect_equal_numbers(const counting *of, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (of[i].n_distinct != of[0].n_distinct) bench_fail("counts differ");
}

/* Their lines and ours over so many passes; returns the number of distinct n-grams. */
static size_t count_passes(const counting *base, size_t passes, const char *tensor,
                           uint32_t *entry) {
    counting of[MAX_CONTESTANTS];
    contestant way[MAX_CONTESTANTS];
    size_t n = 0;
    for (const bench_table *other = bench_tables; other->name; other++, n++) {
        of[n] = *base;
        of[n].other = other;
        way[n] = (contestant){other->name, 0, 1, NULL, by_other, &of[n]};
    }
    const struct {
        const char *name;
        void (*run)(void *context);
        bool known, numbers;
    } ours[] = {{"hacoo-add", one_by_one, false, false},
                {"hacoo-stream", streamed, false, false},
                {"hacoo-stream-known", streamed, true, false},
                {"hacoo-add-find", one_by_one, false, true},
                {"hacoo-stream-numbers", streamed, false, true}};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++, n++) {
        of[n] = *base;
        of[n].expected = ours[i].known ? base->windows.n : 0;
        of[n].entry = ours[i].numbers ? entry : NULL;
        way[n] = (contestant){ours[i].name, 0, 1, NULL, ours[i].run, &of[n]};
    }
    for (size_t i = 0; i < n; i++) of[i].windows.passes = passes;
    const contest what = {"counting", tensor, "absl-flat-hash-map", 1,
                          (double)(base->windows.n * passes)};
    bench_contest(base->text, &what, way, n);
    expect_equal_numbers(of, n);
    return of[0].n_distinct;
}

enum { MANY = 10000000 }; /* n-grams: as many passes as give about these */

void bench_counting(const bench_text *text) {
    if (!bench_wanted(text, "counting") || text->n_words < ORDER) return;
    counting c = {.text = text,
                  .windows = {.id = text->id, .n = text->n_words - ORDER + 1, .bits = 1}};
    while (UINT64_C(1) << c.windows.bits < text->n_types) c.windows.bits++;
    uint32_t *entry = bench_new(text->n_words, sizeof *entry);
    char tensor[300];
    trib_hacoo table;
    bench_ngrams(&table, text, ORDER, 0, text->n_words);
    c.n_distinct = table.nnz;
    trib_hacoo_release(&table);
    snprintf(tensor, sizeof tensor, "%s3", text->name);
    count_passes(&c, 1, tensor, entry);
    snprintf(tensor, sizeof tensor, "%s3-10M", text->name);
    count_passes(&c, (MANY + c.windows.n - 1) / c.windows.n, tensor, entry);
    free(entry);
}
