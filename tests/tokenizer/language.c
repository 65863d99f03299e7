/* language.c - tests of the languages of texts and of stemmers chosen by script. */
#include "tokenizer/language.h"
#include "tests/test.h"

static void a_language_is_a_tag_or_a_code(void) {
    static const char *const rows[][2] = {
        {"de", "de"},   {"de-AT", "de"}, {"pt_BR", "pt"},   {"deu", "de"},     {"lat", "la"},
        {"grc", "grc"}, {"ENG", "en"},   {"sr-Latn", "sr"}, {"zh-Hant", "zh"}, {"enm", "enm"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char code[TRIB_LANGUAGE_MAX];
        trib_error error = {0};
        EXPECT_STATUS(trib_language_check(rows[i][0], &error), TRIB_OK, error);
        trib_language_code(code, rows[i][0]);
        EXPECT_TEXT(code, rows[i][1]);
    }
}

static void an_unknown_language_is_an_error_with_the_nearest(void) {
    static const char *const rows[][2] = {
        {"German", "unknown language 'German'; did you mean 'de'?"},
        {"englsh", "unknown language 'englsh'; did you mean 'en'?"},
        {"x!", "unknown language 'x!'; write its tag, such as en or pt-BR"},
        {"", "unknown language ''; write its tag, such as en or pt-BR"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trib_error error = {0};
        EXPECT_STATUS(trib_language_check(rows[i][0], &error), TRIB_CONFIG, error);
        EXPECT_TEXT(error.message, rows[i][1]);
    }
}

/* Expects the stem of a word; "": it has none. */
static void expect_stem_of(const char *languages, uint32_t language, const char *word,
                           const char *wanted) {
    trib_stemmers stemmers = {0};
    trib_error error = {0};
    const char *stem = NULL;
    char found[64] = "";
    size_t n = 0;
    EXPECT_STATUS(trib_stemmers_open(&stemmers, languages, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_stemmers_stem(&stemmers, language, word, strlen(word), &stem, &n, &error),
                  TRIB_OK, error);
    if (n > 0) snprintf(found, sizeof found, "%.*s", (int)n, stem);
    EXPECT_TEXT(found, wanted);
    trib_stemmers_close(&stemmers);
}

static void expect_stem(const char *languages, const char *word, const char *wanted) {
    expect_stem_of(languages, TRIB_ANY_LANGUAGE, word, wanted);
}

static void of_several_languages_the_script_of_a_word_decides(void) {
    expect_stem("en", "lanterns", "lantern");
    expect_stem("en", "\u043a\u043d\u0438\u0433\u0430", "\u043a\u043d\u0438\u0433\u0430");
    expect_stem("en ru", "lanterns", "lantern");
    expect_stem("en ru", "\u043a\u043d\u0438\u0433\u0430", "\u043a\u043d\u0438\u0433");
    expect_stem("ru en", "'lanterns", "lantern");
    expect_stem("en ru", "\u03bb\u03cc\u03b3\u03bf\u03c2", "");
    expect_stem("ja en", "lanterns", "lantern");
    expect_stem("ja en", "\u5c71\u5ddd", "");
    expect_stem("en ru", "1840", "");
}

static void of_languages_in_one_script_that_of_the_text_decides(void) {
    expect_stem_of("en de", 0, "running", "run");
    expect_stem_of("en de", 1, "running", "running");
    expect_stem_of("en de", 1, "h\u00e4user", "haus");
    expect_stem_of("en de ru", 1, "\u043a\u043d\u0438\u0433\u0430", "\u043a\u043d\u0438\u0433");
    expect_stem_of("en de ru", 2, "running", "");
    expect_stem_of("en la", 1, "lanterns", "");
    expect_stem_of("en de", TRIB_ANY_LANGUAGE, "running", "");
    expect_stem_of("en enm", 1, "lanterns", "");
    expect_stem_of("en non", 1, "lanterns", "");
    expect_stem_of("el grc", 1, "\u03bb\u03cc\u03b3\u03bf\u03c2", "");
    expect_stem_of("de", 3, "h\u00e4user", "haus");
}

static void languages_without_any_stemmer_are_an_error(void) {
    trib_stemmers stemmers = {0};
    trib_error error = {0};
    EXPECT_STATUS(trib_stemmers_open(&stemmers, "la ja", &error), TRIB_CONFIG, error);
    EXPECT(strstr(error.message, "no stems for the language") && stemmers.n == 0);
}

static void languages_share_a_script_or_not(void) {
    EXPECT(trib_languages_share_script("de", "en") && trib_languages_share_script("la", "en"));
    EXPECT(trib_languages_share_script("ru", "sr") && trib_languages_share_script("ja", "zh"));
    EXPECT(trib_languages_share_script("el", "grc") && trib_languages_share_script("non", "en"));
    EXPECT(!trib_languages_share_script("ru", "en") && !trib_languages_share_script("el", "ar"));
    EXPECT(!trib_languages_share_script("ja", "en") && !trib_languages_share_script("he", "hi"));
}

/* Expects the language that is guessed for a text; "": none. */
static void expect_guess(const char *encoding, const char *text, const char *wanted) {
    trib_guesser guesser = {0};
    trib_error error = {0};
    char code[TRIB_LANGUAGE_MAX];
    if (trib_guesser_open(&guesser, &error) != TRIB_OK) {
        EXPECT(strstr(error.message, "libexttextcat") != NULL);
        trib_skip("this build cannot guess languages");
        return;
    }
    EXPECT_STATUS(trib_guesser_guess(&guesser, encoding, text, strlen(text), code, &error), TRIB_OK,
                  error);
    EXPECT_TEXT(code, wanted);
    trib_guesser_close(&guesser);
}

static void the_language_of_a_text_is_guessed(void) {
    static const char german[] =
        "Am Abend ging die Lehrerin \xFC"
        "ber die Br\xFC"
        "cke und z\xE4hlte die Boote, die noch nicht "
        "zur\xFC"
        "ckgekommen waren. Niemand wusste, warum das Licht im alten Haus brannte.";
    expect_guess("ISO-8859-1", german, "de");
    expect_guess(NULL,
                 "The keeper of the lamp walked down to the harbour and counted the boats that had "
                 "not yet come home, while the rain was falling on the roofs of the town.",
                 "en");
    expect_guess(
        NULL,
        "\u0412\u0435\u0447\u0435\u0440\u043e\u043c \u0441\u0442\u0430\u0440\u044b\u0439 "
        "\u0440\u044b\u0431\u0430\u043a \u0432\u0435\u0440\u043d\u0443\u043b\u0441\u044f "
        "\u0434\u043e\u043c\u043e\u0439 \u0438 \u0441\u043a\u0430\u0437\u0430\u043b, "
        "\u0447\u0442\u043e \u043e\u0437\u0435\u0440\u043e \u0437\u0430\u043c\u0451\u0440\u0437"
        "\u043b\u043e.",
        "ru");
    expect_guess(NULL, "1840", "");
    expect_guess(NULL, "", "");
}

CU_TestInfo trib_tests_tokenizer_language[] = {
    {"the language of a text is guessed", the_language_of_a_text_is_guessed},
    {"a language is a tag or a code", a_language_is_a_tag_or_a_code},
    {"an unknown language is an error with the nearest",
     an_unknown_language_is_an_error_with_the_nearest},
    {"of several languages the script of a word decides",
     of_several_languages_the_script_of_a_word_decides},
    {"of languages in one script that of the text decides",
     of_languages_in_one_script_that_of_the_text_decides},
    {"languages without any stemmer are an error", languages_without_any_stemmer_are_an_error},
    {"languages share a script or not", languages_share_a_script_or_not},
    CU_TEST_INFO_NULL,
};
