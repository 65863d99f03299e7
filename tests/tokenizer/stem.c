/* stem.c - tests of stems. */
#include "tests/test.h"
#include "tokenizer/language.h"

TESTS(tokenizer, stem);

CASES("tests/tokenizer/stem.txt [stem]", a_word_has_a_stem) {
    const char *word = trib_case_text("word"), *stem = NULL;
    trib_stemmer *stemmer = NULL;
    trib_error error = {0};
    char found[64];
    size_t n = 0;
    EXPECT_OK(trib_stemmer_open(&stemmer, trib_case_text("language"), &error));
    CHECK(stemmer != NULL);
    EXPECT_OK(trib_stemmer_stem(stemmer, word, strlen(word), &stem, &n, &error));
    snprintf(found, sizeof found, "%.*s", (int)n, stem);
    EXPECT_TEXT(found, trib_case_text("stem"));
    trib_stemmer_close(stemmer);
}

TEST(a_language_without_rules_is_an_error_that_names_those_with_some) {
    static const char *const languages[] = {
        "la", "zh-Hant", "root",
        "",   "klingon", "a name that is longer than all names of languages"};
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        trib_stemmer *stemmer = NULL;
        trib_error error = {0};
        EXPECT_STATUS(trib_stemmer_open(&stemmer, languages[i], &error), TRIB_CONFIG, error);
        EXPECT(strstr(error.message, languages[i]) && strstr(error.message, "german, greek"));
        EXPECT(!stemmer);
    }
}
