/* ngram.c - tests of tokenizer/ngram.c. */
#include "tests/test.h"
#include "tokenizer/tokenizer.h"

TESTS(tokenizer, ngram);

/* Counts the windows of `ids` by the definition, looking back from every position. */
static size_t count_windows(const uint32_t *ids, size_t length, uint32_t n) {
    size_t n_windows = 0;
    for (size_t end = n; end <= length; end++) {
        bool whole = true;
        for (size_t i = end - n; i < end; i++) whole = whole && ids[i] != TRIB_NO_WORD;
        n_windows += whole;
    }
    return n_windows;
}

TEST(a_text_of_l_words_has_l_minus_n_plus_1_windows) {
    for (uint32_t n = 1; n <= TRIB_MAX_NGRAM; n++)
        for (uint32_t length = 0; length < 12; length++) {
            trib_ngram window;
            trib_ngram_init(&window, n);
            uint32_t n_windows = 0;
            for (uint32_t i = 0; i < length; i++) {
                if (!trib_ngram_push(&window, i)) continue;
                n_windows++;
                for (uint32_t m = 0; m < n; m++) EXPECT(window.id[m] == i + 1 - n + m);
            }
            EXPECT(n_windows == (length >= n ? length - n + 1 : 0));
        }
}

TEST(a_break_starts_the_window_afresh) {
    trib_ngram window;
    trib_ngram_init(&window, 2);
    EXPECT(!trib_ngram_push(&window, 1) && trib_ngram_push(&window, 2));
    trib_ngram_break(&window);
    EXPECT(!trib_ngram_push(&window, 3));
    EXPECT(trib_ngram_push(&window, 4) && window.id[0] == 3 && window.id[1] == 4);
    EXPECT(!trib_ngram_push(&window, TRIB_NO_WORD) && window.n_held == 0);
    EXPECT(!trib_ngram_push(&window, 5) && trib_ngram_push(&window, 6));
}

TEST(random_breaks_give_the_windows_of_the_definition) {
    enum { LENGTH = 400 };
    uint32_t ids[LENGTH];
    trib_random random;
    trib_random_seed(&random, 3);
    for (size_t i = 0; i < LENGTH; i++)
        ids[i] = trib_random_below(&random, 6) == 0 ? TRIB_NO_WORD
                                                    : (uint32_t)trib_random_below(&random, 9);
    for (uint32_t n = 1; n <= TRIB_MAX_NGRAM; n++) {
        trib_ngram window;
        trib_ngram_init(&window, n);
        size_t n_windows = 0;
        for (size_t i = 0; i < LENGTH; i++)
            if (trib_ngram_push(&window, ids[i])) {
                n_windows++;
                EXPECT(memcmp(window.id, ids + i + 1 - n, n * sizeof *ids) == 0);
            }
        EXPECT(n_windows == count_windows(ids, LENGTH, n));
    }
}

/* Every gap at every place, by the definition, in a text with breaks longer than the window. */
TEST(skip_grams_are_those_of_the_definition) {
    enum { LENGTH = 400 };
    uint32_t ids[LENGTH], found[TRIB_MAX_NGRAM];
    trib_random random;
    trib_random_seed(&random, 5);
    for (size_t i = 0; i < LENGTH; i++)
        ids[i] = trib_random_below(&random, 90) == 0 ? TRIB_NO_WORD : (uint32_t)i;
    for (uint32_t n = 1; n <= TRIB_MAX_NGRAM; n++) {
        trib_skip_ngrams window;
        trib_skip_init(&window, n);
        for (size_t i = 0; i < LENGTH; i++) {
            if (ids[i] == TRIB_NO_WORD) trib_skip_break(&window);
            else trib_skip_push(&window, ids[i]);
            for (uint32_t gap = 0; gap <= TRIB_MAX_SKIP; gap++) {
                const size_t back = (size_t)(n - 1) * (gap + 1);
                bool whole = i >= back;
                for (size_t k = 0; k <= back && whole; k++) whole = ids[i - k] != TRIB_NO_WORD;
                if (ids[i] == TRIB_NO_WORD) whole = false;
                EXPECT(trib_skip_read(&window, gap, found) == whole);
                for (uint32_t m = 0; m < n && whole; m++)
                    EXPECT(found[m] == ids[i - back + m * (gap + 1)]);
            }
        }
    }
}
