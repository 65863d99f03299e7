/* bench.h - what the benchmarks share: one text in memory, and contests. A contest times several ways of doing the same
 * work in one run, interleaved, and prints a line of tab-separated values for each. Here alone in tests/ is the clock read. */
#ifndef TRIBUTARY_BENCH_H
#define TRIBUTARY_BENCH_H

#include "base/base.h"
#include "tensor/tensor.h"

/* The text all benchmarks work on. */
typedef struct bench_text {
    const char *name; /* kjv, or zipf when there is no text */
    trib_buffer bytes;
    uint32_t *id; /* [n_words] words by descending frequency */
    size_t n_words, cap;
    uint32_t n_types;
    int repetitions;  /* at least 5 */
    const char *only; /* part of the name of the kernels wanted, or NULL */
} bench_text;

/* One way of doing the work. `prepare` (may be NULL) runs before each timed run; both end the program on failure. */
typedef struct contestant {
    const char *name;
    uint32_t rank; /* 0: none */
    int threads;
    void (*prepare)(void *context);
    void (*run)(void *context);
    void *context;
} contestant;

enum { MAX_CONTESTANTS = 32 };

/* Runs all of them `repetitions` times, in turn, and prints kernel, format, rank, threads, tensor, repetitions, median in
 * milliseconds of one of the `pieces` of work, spread ((slowest - fastest) / median), units of work per second, and how many
 * times faster than the first contestant it is. */
void bench_contest(const bench_text *text, const char *kernel, const char *tensor,
                   const contestant *way, size_t n, double pieces, double units);
bool bench_wanted(const bench_text *text, const char *kernel);
/* Ends the program with the message of a failed call. */
void bench_check(trib_status status, const trib_error *error);
/* n * size bytes from malloc; ends the program when there are none. */
void *bench_new(size_t n, size_t size);

/* The n-grams of words first .. first+n_words-1 over all types. */
void bench_ngrams(trib_hacoo *table, const bench_text *text, uint32_t n, size_t first,
                  size_t n_words);

void bench_words(const bench_text *text);
void bench_counting(const bench_text *text);
void bench_mttkrp(const bench_text *text);
void bench_solvers(const bench_text *text);
void bench_distances(const bench_text *text);

#endif
