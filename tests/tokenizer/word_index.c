/* word_index.c - tests of tokenizer/word_index.c: every word of a vocabulary is found, and no
 * other. */
#include "tests/test.h"
#include "tokenizer/word_runs.h"

#include <stdio.h>
#include <string.h>

TESTS(tokenizer, word_index);

enum { N = 3000 };

/* Makes a vocabulary of the words 0, 3, 6 ... and <other>. */
static void make_vocab(trib_vocab *vocab, uint32_t n) {
    trib_intern intern = {0};
    static uint64_t count[N];
    static uint32_t n_documents[N], final_id[N];
    uint32_t id = 0;
    for (uint32_t i = 0; i < n; i++) {
        char word[32];
        snprintf(word, sizeof word, "%u", (unsigned)(3 * i));
        CHECK(trib_intern_add(&intern, word, strlen(word), &id, NULL) == TRIB_OK);
        count[i] = i + 1;
        n_documents[i] = 1;
    }
    const trib_vocab_options options = {.wildcard = true, .min_count = 2};
    CHECK(trib_vocab_build(vocab, &intern, count, n_documents, &options, final_id, NULL) ==
          TRIB_OK);
    EXPECT(vocab->other == n - 1);
    trib_intern_release(&intern);
}

TEST(every_word_is_found_and_no_other) {
    static const uint32_t sizes[] = {2, 3, 5, 512, N};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        trib_vocab vocab;
        trib_word_index index;
        trib_error error = {0};
        make_vocab(&vocab, sizes[s]);
        EXPECT_STATUS(trib_word_index_open(&index, &vocab, trib_scratch(""), &error), TRIB_OK,
                      error);
        for (uint32_t i = 0; i < 3 * sizes[s]; i++) {
            char word[32];
            snprintf(word, sizeof word, "%u and more", (unsigned)i);
            const uint32_t id = trib_word_index_find(&index, word, strcspn(word, " "));
            EXPECT(i % 3 == 0 && i > 0 ? id == sizes[s] - 1 - i / 3 : id == TRIB_NO_WORD);
            EXPECT(trib_word_index_find(&index, word, strlen(word)) == TRIB_NO_WORD);
        }
        EXPECT(trib_word_index_find(&index, "", 0) == TRIB_NO_WORD);
        EXPECT(trib_word_index_find(&index, TRIB_OTHER_WORD, strlen(TRIB_OTHER_WORD)) ==
               TRIB_NO_WORD);
        trib_word_index_close(&index);
        trib_vocab_release(&vocab);
    }
}

TEST(a_folder_that_cannot_be_written_is_an_error) {
    trib_vocab vocab;
    trib_word_index index;
    trib_error error = {0};
    make_vocab(&vocab, 5);
    EXPECT(trib_word_index_open(&index, &vocab, "/nowhere/at/all", &error) == TRIB_OUTPUT);
    trib_word_index_close(&index);
    trib_vocab_release(&vocab);
}
