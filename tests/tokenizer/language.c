/* language.c - tests of the languages of texts and of stemmers chosen by script. */
#include "tokenizer/language.h"
#include "tests/test.h"

TESTS(tokenizer, language);

CASES("tests/tokenizer/language.txt [tag]", a_language_is_a_tag_or_a_code) {
    char code[TRIB_LANGUAGE_MAX];
    trib_error error = {0};
    EXPECT_OK(trib_language_check(trib_case_text("tag"), &error));
    trib_language_code(code, trib_case_text("tag"));
    EXPECT_TEXT(code, trib_case_text("code"));
}

CASES("tests/tokenizer/language.txt [unknown]", a_language_is_unknown) {
    trib_error error = {0};
    EXPECT_STATUS(trib_language_check(trib_case_text("tag"), &error), TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, trib_case_text("says"));
}

/* "": it has none. */
CASES("tests/tokenizer/language.txt [stem]", a_word_has_a_stem) {
    const char *word = trib_case_text("word"), *language = trib_case_text("language"), *stem = NULL;
    OPENED(trib_stemmers) stemmers = {0};
    trib_error error = {0};
    char found[64] = "";
    size_t n = 0;
    EXPECT_OK(trib_stemmers_open(&stemmers, trib_case_text("languages"), &error));
    EXPECT_OK(trib_stemmers_stem(
        &stemmers, *language ? (uint32_t)strtoul(language, NULL, 10) : TRIB_ANY_LANGUAGE, word,
        strlen(word), &stem, &n, &error));
    if (n > 0) snprintf(found, sizeof found, "%.*s", (int)n, stem);
    EXPECT_TEXT(found, trib_case_text("stem"));
}

/* "": none. */
CASES("tests/tokenizer/language.txt [guess]", a_language_is_guessed) {
    const char *encoding = trib_case_text("encoding"), *text = trib_case_text("text");
    OPENED(trib_guesser) guesser = {0};
    trib_error error = {0};
    char code[TRIB_LANGUAGE_MAX];
    if (trib_guesser_open(&guesser, &error) != TRIB_OK) {
        EXPECT(strstr(error.message, "libexttextcat") != NULL);
        trib_skip("this build cannot guess languages");
        return;
    }
    EXPECT_OK(trib_guesser_guess(&guesser, *encoding ? encoding : NULL, text, strlen(text), code,
                                 &error));
    EXPECT_TEXT(code, trib_case_text("language"));
}

TEST(languages_without_any_stemmer_are_an_error) {
    trib_stemmers stemmers = {0};
    trib_error error = {0};
    EXPECT_STATUS(trib_stemmers_open(&stemmers, "la ja", &error), TRIB_CONFIG, error);
    EXPECT(strstr(error.message, "no stems for the language") && stemmers.n == 0);
}

TEST(languages_share_a_script_or_not) {
    EXPECT(trib_languages_share_script("de", "en") && trib_languages_share_script("la", "en"));
    EXPECT(trib_languages_share_script("ru", "sr") && trib_languages_share_script("ja", "zh"));
    EXPECT(trib_languages_share_script("el", "grc") && trib_languages_share_script("non", "en"));
    EXPECT(!trib_languages_share_script("ru", "en") && !trib_languages_share_script("el", "ar"));
    EXPECT(!trib_languages_share_script("ja", "en") && !trib_languages_share_script("he", "hi"));
}
