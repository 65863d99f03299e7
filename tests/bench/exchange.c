/* exchange.c - reading and writing tensors as text: a naive reader, the stream of nonzeros, whole
 * tables. */
#include "tests/bench/bench.h"

#include <unistd.h>

typedef struct exchange {
    const trib_hacoo *table;
    double *values;    /* [nnz] that are no counts */
    trib_buffer *text; /* what is read */
    double sum;        /* of all values read: so that none is left out */
} exchange;

/* A line at a time, numbers by strtoul and strtod, as many readers do. */
static void read_naively(void *context) {
    exchange *e = context;
    const uint32_t n_modes = e->table->n_modes;
    e->sum = 0;
    for (char *at = e->text->text; *at; at++) {
        if (*at == '#') {
            at = strchr(at, '\n');
            continue;
        }
        unsigned long index = 0;
        for (uint32_t m = 0; m < n_modes; m++) index += strtoul(at, &at, 10);
        e->sum += strtod(at, &at) + (double)(index & 1);
    }
}

static void scan(void *context) {
    exchange *e = context;
    trib_reader reader;
    trib_tns_scan text;
    e->sum = 0;
    trib_reader_memory(&reader, "memory", e->text->text, e->text->length);
    bench_must(trib_tns_open(&text, &reader, NULL, &bench_error));
    do {
        bench_must(trib_tns_next(&text, &bench_error));
        for (size_t i = 0; i < text.n; i++) e->sum += text.value[i];
    } while (text.n > 0);
    trib_tns_close(&text);
}

static void read_table(void *context) {
    exchange *e = context;
    trib_reader reader;
    trib_hacoo table;
    double *values;
    trib_reader_memory(&reader, "memory", e->text->text, e->text->length);
    bench_must(trib_tns_read(&table, &values, &reader, NULL, NULL, &bench_error));
    trib_free(values);
    trib_hacoo_release(&table);
}

static void write_to(const exchange *e, const char *path) {
    trib_writer writer;
    bench_must(trib_writer_open(&writer, path, &bench_error));
    bench_must(trib_tns_write(e->table, e->values, &writer, &bench_error));
    bench_must(trib_writer_commit(&writer, NULL, &bench_error));
}

static void write_text(void *context) { write_to(context, "/dev/null"); }

/* The text of a table, with its header or without. */
static void make_text(trib_buffer *text, const exchange *e, bool header) {
    char path[] = "/tmp/tributary-bench-XXXXXX";
    const int made = mkstemp(path);
    trib_buffer once = {0};
    if (made >= 0) close(made);
    write_to(e, path);
    bench_must(trib_read_whole(path, &once, &bench_error));
    remove(path);
    const char *first = header ? once.text : strchr(once.text, '\n') + 1;
    bench_must(trib_buffer_add(text, first, strlen(first), &bench_error));
    trib_buffer_release(&once);
}

/* Counts, and values with five digits behind the point. */
void bench_exchange(const bench_text *text) {
    if (!bench_wanted(text, "exchange")) return;
    trib_hacoo table;
    bench_ngrams(&table, text, 3, 0, text->n_words);
    double *values = bench_new(table.nnz, sizeof *values);
    for (size_t i = 0; i < table.nnz; i++)
        values[i] = (double)trib_hacoo_count(&table, i) + 1e-5 * (double)(i * 7919 % 100000);
    for (int real = 0; real < 2; real++) {
        char name[64];
        trib_buffer plain = {0}, headed = {0};
        exchange with = {.table = &table, .values = real ? values : NULL, .text = &plain},
                 whole = with;
        whole.text = &headed;
        make_text(&plain, &with, false);
        make_text(&headed, &with, true);
        snprintf(name, sizeof name, "%s3%s", text->name, real ? " real" : "");
        const contestant way[] = {{"strtod", 0, 1, NULL, read_naively, &with},
                                  {"scan", 0, 1, NULL, scan, &with},
                                  {"read", 0, 1, NULL, read_table, &with},
                                  {"read header", 0, 1, NULL, read_table, &whole},
                                  {"write", 0, 1, NULL, write_text, &with}};
        const contest what = {"exchange", name, NULL, 1, (double)plain.length};
        bench_contest(text, &what, way, sizeof way / sizeof *way);
        trib_buffer_release(&plain);
        trib_buffer_release(&headed);
    }
    free(values);
    trib_hacoo_release(&table);
}
