/* main.c - bench [FILE [KERNEL]]: times the kernels on a text (FILE; none: words drawn at random by Zipf's law) and prints
 * tab-separated values. BENCH_REPETITIONS: how often, 5 or more. */
#include "tests/bench/bench.h"
#include "tokenizer/tokenizer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_check(trib_status status, const trib_error *error) {
    if (status == TRIB_OK) return;
    fprintf(stderr, "bench: %s\n", error->message);
    exit(EXIT_FAILURE);
}

void *bench_new(size_t n, size_t size) {
    void *pointer = calloc(n, size);
    if (!pointer) bench_check(TRIB_MEMORY, &(trib_error){.message = "no memory"});
    return pointer;
}

bool bench_wanted(const bench_text *text, const char *kernel) {
    return !text->only || strstr(kernel, text->only);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_contest(const bench_text *text, const char *kernel, const char *tensor,
                   const contestant *way, size_t n, double pieces, double units) {
    const size_t repetitions = (size_t)text->repetitions;
    double *seconds = bench_new(n * repetitions, sizeof *seconds), baseline = 0;
    for (size_t i = 0; i < repetitions; i++)
        for (size_t c = 0; c < n; c++) {
            if (way[c].prepare) way[c].prepare(way[c].context);
            const double start = now();
            way[c].run(way[c].context);
            seconds[c * repetitions + i] = now() - start;
        }
    for (size_t c = 0; c < n; c++) {
        double *s = seconds + c * repetitions;
        qsort(s, repetitions, sizeof *s, ascending);
        const double median = s[repetitions / 2];
        if (c == 0) baseline = median;
        printf("%s\t%s\t%u\t%d\t%s\t%zu\t%.4f\t%.2f\t%.4g\t%.2f\n", kernel, way[c].name,
               way[c].rank, way[c].threads, tensor, repetitions, 1e3 * median / pieces,
               (s[repetitions - 1] - s[0]) / median, units / median, baseline / median);
    }
    fflush(stdout);
    free(seconds);
}

void bench_ngrams(trib_hacoo *table, const bench_text *text, uint32_t n, size_t first,
                  size_t n_words) {
    trib_error error = {0};
    uint32_t dim[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < n; m++) dim[m] = text->n_types;
    bench_check(trib_hacoo_init(table, n, dim, NULL, &error), &error);
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, table, NULL);
    for (size_t i = first; i + n <= first + n_words; i++)
        bench_check(trib_hacoo_stream_push(&stream, text->id + i, 1, &error), &error);
    bench_check(trib_hacoo_stream_flush(&stream, &error), &error);
}

/* 800 000 words, the r-th commonest of 12 000 with probability about 1/r, spelt in letters. */
static void draw_text(bench_text *text) {
    trib_error error = {0};
    trib_random random;
    trib_random_seed(&random, 1);
    text->name = "zipf";
    for (int i = 0; i < 800000; i++) {
        char word[8];
        size_t length = 0;
        uint32_t r = (uint32_t)exp(trib_random_unit(&random) * log(12000));
        for (; r > 0; r /= 26) word[length++] = (char)('a' + r % 26);
        word[length++] = i % 12 == 11 ? '\n' : ' ';
        bench_check(trib_buffer_add(&text->bytes, word, length, &error), &error);
    }
}

typedef struct counting {
    trib_intern intern;
    bench_text *text;
} counting;

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    counting *c = context;
    bench_text *text = c->text;
    const trib_status status =
        trib_grow(&text->id, &text->cap, text->n_words + 1, sizeof *text->id, "words", error);
    if (status != TRIB_OK) return status;
    return trib_intern_add(&c->intern, token->text, token->length, &text->id[text->n_words++],
                           error);
}

/* Words by descending frequency. */
static void number_words(bench_text *text) {
    counting c = {.text = text};
    trib_tokenizer *tokenizer = NULL;
    trib_vocab vocab = {0};
    trib_error error = {0};
    const trib_token_options options = {.on_invalid = TRIB_INVALID_REPLACE};
    bench_check(trib_tokenizer_open(&tokenizer, &options, &error), &error);
    trib_tokenizer_begin(tokenizer, text->name, take_word, &c);
    bench_check(trib_tokenizer_feed(tokenizer, text->bytes.text, text->bytes.length, &error),
                &error);
    bench_check(trib_tokenizer_end(tokenizer, NULL, &error), &error);
    trib_tokenizer_close(tokenizer);
    const size_t n = c.intern.n_words;
    uint64_t *count = bench_new(n, sizeof *count);
    uint32_t *n_documents = bench_new(n, sizeof *n_documents), *final = bench_new(n, sizeof *final);
    for (size_t i = 0; i < text->n_words; i++) count[text->id[i]]++;
    for (size_t i = 0; i < n; i++) n_documents[i] = 1;
    bench_check(trib_vocab_build(&vocab, &c.intern, count, n_documents, &(trib_vocab_options){0},
                                 final, &error),
                &error);
    for (size_t i = 0; i < text->n_words; i++) text->id[i] = final[text->id[i]];
    text->n_types = vocab.n_words;
    trib_vocab_release(&vocab);
    trib_intern_release(&c.intern);
    free(count);
    free(n_documents);
    free(final);
}

int main(int argc, char **argv) {
    bench_text text = {.name = "kjv", .repetitions = 5};
    trib_error error = {0};
    const char *repetitions = getenv("BENCH_REPETITIONS");
    if (repetitions && atoi(repetitions) > text.repetitions) text.repetitions = atoi(repetitions);
    if (argc > 2) text.only = argv[2];
    if (argc > 1 && *argv[1]) {
        trib_reader reader;
        bench_check(trib_reader_open(&reader, argv[1], &error), &error);
        bench_check(trib_reader_all(&reader, &text.bytes, &error), &error);
        trib_reader_close(&reader);
    }
    if (text.bytes.length == 0) draw_text(&text);
    number_words(&text);
    fprintf(stderr, "%s: %zu bytes, %zu words, %u types; kernels: %s\n", text.name,
            text.bytes.length, text.n_words, text.n_types, trib_kernel_set());
    puts("kernel\tformat\trank\tthreads\ttensor\trepetitions\tmedian_ms\tspread\tunits_per_"
         "s\tratio");
    bench_words(&text);
    bench_counting(&text);
    bench_mttkrp(&text);
    bench_solvers(&text);
    bench_distances(&text);
    trib_free(text.id);
    trib_buffer_release(&text.bytes);
    return EXIT_SUCCESS;
}
