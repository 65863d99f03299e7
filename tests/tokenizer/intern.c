/* intern.c - tests of tokenizer/intern.c. */
#include "tests/test.h"
#include "tokenizer/tokenizer.h"

TESTS(tokenizer, intern);

TEST(ids_are_given_in_order_of_first_appearance) {
    GIVEN(trib_intern) intern = {0};
    trib_error error = {0};
    static const char *const words[] = {"the", "cat", "", "the", "c", "cat", ""};
    static const uint32_t wanted[] = {0, 1, 2, 0, 3, 1, 2};
    for (size_t i = 0; i < 7; i++) {
        uint32_t id = 99;
        EXPECT_OK(trib_intern_add(&intern, words[i], strlen(words[i]), &id, &error));
        EXPECT(id == wanted[i]);
    }
    EXPECT(intern.n_words == 4);
    EXPECT_TEXT(trib_intern_word(&intern, 1), "cat");
    EXPECT_TEXT(trib_intern_word(&intern, 2), "");
    EXPECT(trib_intern_find(&intern, "cats", 3) == 1);
    EXPECT(trib_intern_find(&intern, "cats", 4) == TRIB_NO_WORD);
    trib_intern_release(&intern);
    EXPECT(intern.n_words == 0 && trib_intern_find(&intern, "cat", 3) == TRIB_NO_WORD);
}

TEST(growing_keeps_every_word) {
    enum { N = 50000 };
    GIVEN(trib_intern) intern = {0};
    char word[32];
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < N; i++) {
            uint32_t id = 0;
            const int length = snprintf(word, sizeof word, "%lu", (unsigned long)i * 7919);
            CHECK(trib_intern_add(&intern, word, (size_t)length, &id, NULL) == TRIB_OK);
            CHECK(id == i);
        }
    EXPECT(intern.n_words == N);
    for (uint32_t i = 0; i < N; i++) {
        const int length = snprintf(word, sizeof word, "%lu", (unsigned long)i * 7919);
        CHECK(trib_intern_find(&intern, word, (size_t)length) == i);
        CHECK(strcmp(trib_intern_word(&intern, i), word) == 0);
        word[length - 1] ^= 0x40;
        CHECK(trib_intern_find(&intern, word, (size_t)length) == TRIB_NO_WORD);
    }
}

TEST(clearing_removes_every_word) {
    GIVEN(trib_intern) intern = {0};
    uint32_t id = 9;
    trib_intern_clear(&intern);
    for (uint32_t turn = 0; turn < 2; turn++) {
        EXPECT(trib_intern_add(&intern, "the", 3, &id, NULL) == TRIB_OK && id == 0);
        EXPECT(trib_intern_add(&intern, turn ? "dog" : "cat", 3, &id, NULL) == TRIB_OK && id == 1);
        EXPECT(trib_intern_find(&intern, turn ? "cat" : "dog", 3) == TRIB_NO_WORD);
        trib_intern_clear(&intern);
        EXPECT(intern.n_words == 0 && trib_intern_find(&intern, "the", 3) == TRIB_NO_WORD);
    }
}

static trib_status intern_many(void *context, trib_error *error) {
    (void)context;
    GIVEN(trib_intern) intern = {0};
    trib_status status = TRIB_OK;
    char word[32];
    uint32_t n_good = 0;
    for (uint32_t i = 0; i < 2000 && status == TRIB_OK; i++) {
        uint32_t id = 0;
        const int length = snprintf(word, sizeof word, "word %lu", (unsigned long)i);
        status = trib_intern_add(&intern, word, (size_t)length, &id, error);
        if (status == TRIB_OK) n_good++;
        else EXPECT(trib_intern_find(&intern, word, (size_t)length) == TRIB_NO_WORD);
    }
    EXPECT(intern.n_words == n_good);
    if (n_good > 0) EXPECT(trib_intern_find(&intern, "word 0", 6) == 0);
    return status;
}

TEST(every_failing_allocation_is_reported_and_keeps_the_words) {
    EXPECT(trib_fail_every_allocation(intern_many, NULL) > 10);
}
