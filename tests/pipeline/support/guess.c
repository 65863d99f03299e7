/* guess.c - tests of "did you mean" (names.c). */
#include "pipeline/support/names.h"

#include "tests/test.h"

static const char *guess(const char *word, const char *const *candidates) {
    static char found[64];
    trib_guess g = {.word = word};
    for (; *candidates; candidates++) trib_guess_try(&g, *candidates);
    snprintf(found, sizeof found, "%s", g.best);
    return found;
}

static void a_guess_needs_few_changes(void) {
    static const char *const words[] = {"threshold", "rank", "hals", "fibre", "lowe-2018", NULL};
    EXPECT_TEXT(guess("treshold", words), "threshold");
    EXPECT_TEXT(guess("thershold", words), "threshold");
    EXPECT_TEXT(guess("thresholds", words), "threshold");
    EXPECT_TEXT(guess("rnak", words), "rank");
    EXPECT_TEXT(guess("halz", words), "hals");
    EXPECT_TEXT(guess("lowe", words), "lowe-2018");
    EXPECT_TEXT(guess("xyz", words), "");
    EXPECT_TEXT(guess("x", words), "");
    EXPECT_TEXT(guess("", words), "");
    char long_word[200];
    memset(long_word, 'r', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    EXPECT_TEXT(guess(long_word, words), "");
}

CU_TestInfo trib_tests_support_guess[] = {
    {"a guess needs few changes", a_guess_needs_few_changes},
    CU_TEST_INFO_NULL,
};
