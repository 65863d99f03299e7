/* bench.h - what the benchmarks share: a text in memory, and contests. A contest times several ways
 * of doing the same work in one run, interleaved, and prints a line for each. Here alone in tests/
 * is the clock read. */
#ifndef TRIBUTARY_BENCH_H
#define TRIBUTARY_BENCH_H

#include <time.h>

#include "base/base.h"
#include "tensor/formats/formats.h"
#include "tensor/tensor.h"

/* A text, and how to time what is done with it. */
typedef struct bench_text {
    const char *name; /* kjv, matt, gcide; zipf when there is no text; or synthetic */
    trib_buffer bytes;
    uint32_t *id; /* [n_words] words by descending frequency */
    size_t n_words, cap;
    uint32_t n_types;
    int repetitions;  /* at least 5 */
    const char *only; /* part of the name of the kernels wanted, or NULL */
    bool json;        /* JSON Lines instead of tab-separated values */
} bench_text;

/* One way of doing the work. `prepare` (may be NULL) runs before each timed run; both end the
 * program on failure. */
typedef struct contestant {
    const char *name;
    uint32_t rank; /* 0: none */
    int threads;
    void (*prepare)(void *context);
    void (*run)(void *context);
    void *context;
} contestant;

enum { MAX_CONTESTANTS = 64 };

/* What is contested. */
typedef struct contest {
    const char *kernel, *tensor;
    const char *peer; /* contestant `against` is measured with, at the same number of threads */
    double pieces;    /* of work in a run: times are of one of them */
    double units;     /* of work in a run: n-grams, nonzeros, bytes */
} contest;

/* Runs all of them `repetitions` times, in turn, and prints kernel, format, rank, threads, tensor,
 * repetitions, the median and the least time in milliseconds of one piece, spread ((slowest -
 * fastest) / median), units of work per second, and how many times faster it is than the first
 * contestant (ratio) and than the peer (against; 0: there is none). */
void bench_contest(const bench_text *text, const contest *what, const contestant *way, size_t n);
bool bench_wanted(const bench_text *text, const char *kernel);
/* What a failed call says, of calls that must not fail; and how the program ends with it. */
extern trib_error bench_error;
void bench_must(trib_status status);
/* Ends the program with a message. */
void bench_fail(const char *message);
double bench_seconds(clockid_t clock);
/* Sorts n numbers. */
double bench_median(double value[], size_t n);
/* n * size bytes from calloc; ends the program when there are none. */
void *bench_new(size_t n, size_t size);

/* Reads and numbers the words of a file, or of a text drawn by Zipf's law when `path` is NULL. The
 * words are the tokenizer's, their case folded; those of gcide are runs of letters. */
void bench_text_open(bench_text *text, const char *path);
void bench_text_close(bench_text *text);
/* Numbers the words of text->bytes: fills id, n_words and n_types. */
void bench_text_number(bench_text *text);
/* The n-grams of words first .. first+n_words-1 over all types. */
void bench_ngrams(trib_hacoo *table, const bench_text *text, uint32_t n, size_t first,
                  size_t n_words);

void bench_words(const bench_text *text);
void bench_text_to_tensor(const bench_text *text);
void bench_streaming(const bench_text *text, const char *path);
void bench_counting(const bench_text *text);
void bench_mttkrp(const bench_text *text);
/* What 16 threads would take, each of them timed alone. */
void bench_lanes(const bench_text *text);
void bench_mttkrp_synthetic(const bench_text *how);
void bench_solvers(const bench_text *text);
/* The fit of every solver after 0.1 to 10 seconds of processor: a table of its own, for ONLY=fit
 * alone. */
void bench_fit(const bench_text *text);
/* A format built and ten iterations over it, of a text and of what is no text. */
void bench_decomposing(const bench_text *text);
void bench_decomposing_synthetic(const bench_text *how);
void bench_distances(const bench_text *text);
void bench_exchange(const bench_text *text);
/* The search for possible allusions, in texts of its own. */
void bench_parallels(const bench_text *how);
/* Sketches, their index, and candidate sources, of drawn documents. */
void bench_candidates(const bench_text *how);

#endif
