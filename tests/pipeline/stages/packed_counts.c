/* packed_counts.c - tests of pipeline/stages/packed_counts.c: counts in a scratch file that are
 * unpacked while they are held. */
#include "pipeline/stages/tensors.h"
#include "tests/test.h"

#include <unistd.h>

TESTS(stages, packed_counts);

enum { N = 5, LENGTH = 400 };

/* Makes the counts of document d, a text of its own. */
static void count(trib_counts *counts, uint32_t d) {
    trib_random random;
    trib_hacoo_stream stream;
    uint32_t id[LENGTH];
    const uint32_t n_local = 30 + 10 * d;
    *counts = (trib_counts){.n_local = n_local, .n_ngrams = LENGTH - 2};
    trib_random_seed(&random, d);
    CHECK(trib_new(&counts->word, n_local, sizeof *counts->word, "a test", NULL) == TRIB_OK);
    CHECK(trib_new(&counts->sequence, LENGTH, sizeof *counts->sequence, "a test", NULL) == TRIB_OK);
    for (uint32_t i = 0; i < n_local; i++) counts->word[i] = i * (d == 3 ? 70000 : 7) + d;
    for (uint32_t i = 0; i < LENGTH; i++) id[i] = (uint32_t)trib_random_below(&random, n_local);
    CHECK(trib_hacoo_init(&counts->ngrams, 3, (uint32_t[]){n_local, n_local, n_local}, NULL,
                          NULL) == TRIB_OK);
    trib_hacoo_stream_init(&stream, &counts->ngrams, counts->sequence);
    CHECK(trib_hacoo_stream_windows(&stream, LENGTH, id, NULL) == TRIB_OK);
    CHECK(trib_hacoo_stream_flush(&stream, NULL) == TRIB_OK);
}

/* Documents 0 .. N-2 in the scratch file, the last in memory; at most `most` bytes are unpacked. */
static void open_corpus(trib_tensors *tensors, uint64_t most) {
    *tensors = (trib_tensors){0};
    trib_corpus_words words = {0};
    CHECK(trib_new(&words.document, N, sizeof *words.document, "a test", NULL) == TRIB_OK);
    CHECK(trib_tensors_init(tensors, N, false, NULL) == TRIB_OK);
    tensors->is_packed = true;
    tensors->resting->most = most;
    for (uint32_t d = 0; d < N; d++) {
        trib_error error = {0};
        count(&tensors->document[d], d);
        if (d < N - 1)
            EXPECT_OK(trib_tensors_spill(tensors, d, 1, false, trib_scratch(""), &error));
    }
    trib_tensors_finish(tensors, &words);
    EXPECT(tensors->n_spilled == N - 1);
    trib_free(words.document);
}

/* The view of document d is as it was counted. */
static bool is_readable(const trib_tensors *tensors, uint32_t d) {
    const trib_influence_document *view = &tensors->view[d];
    GIVEN(trib_counts) same = {0};
    count(&same, d);
    const trib_hacoo *a = view->counts, *b = &same.ngrams;
    bool holds = view->word && view->sequence && a->entry && view->n_ngrams == same.n_ngrams &&
                 a->nnz == b->nnz && a->total == b->total &&
                 memcmp(view->word, same.word, same.n_local * sizeof *same.word) == 0 &&
                 memcmp(view->sequence, same.sequence, same.n_ngrams * sizeof *same.sequence) == 0;
    for (size_t e = 0; holds && e < b->nnz; e++) {
        uint32_t index[3];
        const uint32_t number = trib_hacoo_entry(b, e, index);
        holds = trib_hacoo_find(a, index) == e && trib_hacoo_count(a, e) == number;
    }
    return holds;
}

TEST(held_counts_are_those_that_were_packed) {
    for (uint64_t most = 0; most <= 1 << 20; most += 1 << 14) { /* none to all rest */
        GIVEN(trib_tensors) tensors = {0};
        trib_error error = {0};
        open_corpus(&tensors, most);
        for (uint32_t i = 0; i < 4 * N; i++) {
            const uint32_t d = i * i % N;
            EXPECT(d == N - 1 || !tensors.view[d].word);
            EXPECT_OK(trib_counts_hold(&tensors, d, &error));
            EXPECT(is_readable(&tensors, d));
            trib_counts_drop(&tensors, d);
        }
        EXPECT(tensors.resting->bytes <= most);
        trib_counts_forget(&tensors);
        EXPECT(tensors.resting->bytes == 0);
        EXPECT_OK(trib_counts_hold(&tensors, 1, &error));
        EXPECT(is_readable(&tensors, 1));
        trib_counts_drop(&tensors, 1);
        EXPECT(tensors.resting->bytes == 0);
        most *= 2;
    }
}

TEST(counts_stay_until_the_last_holder_drops_them) {
    static const uint32_t list[] = {0, 2, 0, N - 1};
    GIVEN(trib_tensors) tensors = {0};
    trib_error error = {0};
    open_corpus(&tensors, 0);
    EXPECT_OK(trib_counts_hold(&tensors, 2, &error));
    EXPECT_OK(trib_counts_hold_all(&tensors, 1, list, 4, &error));
    for (uint32_t d = 0; d < 3; d++) EXPECT(is_readable(&tensors, d));
    EXPECT(!tensors.view[3].word && is_readable(&tensors, N - 1));
    trib_counts_drop_all(&tensors, 1, list, 4);
    EXPECT(!tensors.view[0].word && !tensors.view[1].word && is_readable(&tensors, 2));
    trib_counts_drop(&tensors, 2);
    EXPECT(!tensors.view[2].word && tensors.resting->bytes == 0);
}

TEST(threads_may_hold_the_same_counts) {
    trib_tensors tensors;
    int n_wrong = 0;
    open_corpus(&tensors, 1 << 15);
#pragma omp parallel for num_threads(4) reduction(+ : n_wrong) schedule(dynamic)
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t d = i * 7 % 13 % N;
        const bool is_held = trib_counts_hold(&tensors, d, NULL) == TRIB_OK;
        n_wrong += !is_held || !is_readable(&tensors, d);
        if (is_held) trib_counts_drop(&tensors, d);
    }
    EXPECT(n_wrong == 0);
    trib_tensors_release(&tensors);
}

TEST(a_damaged_scratch_file_is_refused) {
    GIVEN(trib_tensors) tensors = {0};
    open_corpus(&tensors, 0);
    for (size_t at = 0; at < tensors.document[1].packed.size; at += 37) {
        trib_error error = {0};
        const uint64_t place =
            trib_spill_place(&tensors.spill, tensors.document[1].packed.bytes) + at;
        char byte = 0, other = 0;
        CHECK(pread(tensors.spill.writer.file, &byte, 1, (off_t)place) == 1);
        other = (char)(byte ^ 0x10);
        CHECK(pwrite(tensors.spill.writer.file, &other, 1, (off_t)place) == 1);
        EXPECT_STATUS(trib_counts_hold(&tensors, 1, &error), TRIB_INPUT, error);
        EXPECT_TEXT(error.message, "the scratch file of n-grams has changed since it was written");
        CHECK(pwrite(tensors.spill.writer.file, &byte, 1, (off_t)place) == 1);
    }
    EXPECT(trib_counts_hold(&tensors, 1, NULL) == TRIB_OK && is_readable(&tensors, 1));
    trib_counts_drop(&tensors, 1);
}

static trib_status hold_some(void *context, trib_error *error) {
    static const uint32_t list[] = {0, 2, 3};
    const trib_tensors *tensors = context;
    const trib_status status = trib_counts_hold_all(tensors, 1, list, 3, error);
    if (status == TRIB_OK) trib_counts_drop_all(tensors, 1, list, 3);
    for (uint32_t d = 0; d < N - 1; d++) EXPECT(!tensors->view[d].word);
    return status;
}

TEST(every_failing_allocation_leaves_nothing_held) {
    GIVEN(trib_tensors) tensors = {0};
    open_corpus(&tensors, 0);
    EXPECT(trib_fail_every_allocation(hold_some, &tensors) > 4);
    EXPECT(tensors.resting->bytes == 0);
}
