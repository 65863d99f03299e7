/* stem.c - tests of stems. */
#include "tokenizer/stem.h"
#include "tests/test.h"

/* Expects the stem of a word in a language. */
static void expect_stem(const char *language, const char *word, const char *wanted) {
    trib_stemmer *stemmer = NULL;
    trib_error error = {0};
    const char *stem = NULL;
    char found[64];
    size_t n = 0;
    EXPECT_STATUS(trib_stemmer_open(&stemmer, language, &error), TRIB_OK, error);
    CHECK(stemmer != NULL);
    EXPECT_STATUS(trib_stemmer_stem(stemmer, word, strlen(word), &stem, &n, &error), TRIB_OK,
                  error);
    snprintf(found, sizeof found, "%.*s", (int)n, stem);
    EXPECT_TEXT(found, wanted);
    trib_stemmer_close(stemmer);
}

static void a_language_has_a_name_or_a_locale(void) {
    expect_stem("english", "lanterns", "lantern");
    expect_stem("en", "running", "run");
    expect_stem("en_US", "running", "run");
    expect_stem("EN-GB", "running", "run");
    expect_stem("de-AT", "h\xC3\xA4user", "haus");
    expect_stem("German", "katzen", "katz");
    expect_stem("fr", "chevaux", "cheval");
    expect_stem("en", "", "");
}

static void a_language_without_rules_is_an_error_that_names_those_with_some(void) {
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

CU_TestInfo trib_tests_tokenizer_stem[] = {
    {"a language has a name or a locale", a_language_has_a_name_or_a_locale},
    {"a language without rules is an error that names those with some",
     a_language_without_rules_is_an_error_that_names_those_with_some},
    CU_TEST_INFO_NULL,
};
