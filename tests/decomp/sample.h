/* sample.h - tensors for the tests of decomp/: by hand, at random, from a text. */
#ifndef TRIBUTARY_TESTS_SAMPLE_H
#define TRIBUTARY_TESTS_SAMPLE_H

#include "decomp/decomp.h"
#include "tests/test.h"

typedef struct sample {
    trib_hacoo counts;
    double *value; /* [nnz] used instead of the counts, or NULL */
    trib_tensor x; /* in format coo by default */
} sample;

void sample_release(sample *s);
/* n entries: n_modes indices and a count each, one after the other. */
sample sample_by_hand(uint32_t n_modes, const uint32_t dim[], const uint32_t *entry, size_t n);
/* About n nonzeros at random places with counts 1 .. most, skewed towards small indices. */
sample sample_at_random(uint64_t seed, uint32_t n_modes, const uint32_t dim[], size_t n,
                        uint32_t most);
/* All 3-grams of a text under the shared corpora: runs of ASCII letters, lower-cased, numbered by
 * descending frequency, ties by code point. false (test skipped) when it is not there. */
bool sample_text(sample *s, const char *path);
/* The same tensor in another format. */
void sample_in_format(sample *s, const trib_format *format);

/* Options of a single thread that starts once. */
#define OPTIONS(...) ((trib_cp_options){.restarts = 1, .n_threads = 1, __VA_ARGS__})

/* trib_cp with every allocation failing in turn; the number of the last. */
size_t fail_every_allocation_of_cp(const trib_tensor *x, const trib_cp_options *options);
/* The result of trib_cp, of trib_fibre_cover_build; all zeros. */
trib_ktensor cp_of(const trib_tensor *x, const trib_cp_options *options, trib_cp_trace *trace);
trib_fibre_cover cover_of(const trib_tensor *x, size_t limit);
trib_ktensor zero_ktensor(uint32_t n_modes, const uint32_t dim[], uint32_t rank);
/* Whether two Kruskal tensors hold the same bits. */
bool same_ktensor(const trib_ktensor *a, const trib_ktensor *b);

#endif
