/* norms.c - tests of norms: transforms, tables of variants, stems and lists of words. */
#include "tokenizer/norms.h"
#include "tests/test.h"

#include <unicode/ustring.h>

#include "tokenizer/language.h"

TESTS(tokenizer, norms);

static const trib_token_options folded = {.normalize = TRIB_NORMALIZE_NFC,
                                          .letter_case = TRIB_CASE_FOLD};

CASES("tests/tokenizer/norms.txt [norm]", a_word_has_a_norm) {
    const char *transform = trib_case_text("transform"), *stem = trib_case_text("stem"),
               *word = trib_case_text("word"), *norm = NULL;
    const char *rules = trib_write_scratch("norms.rules", transform),
               *variants = trib_write_scratch("norms.tsv", trib_case_text("variants"));
    const bool has_rules = strchr(transform, '>') != NULL;
    trib_norms *norms = NULL;
    trib_error error = {0};
    size_t n = 0;
    const trib_norm_options options = {.transform = has_rules    ? "norms.rules"
                                                    : *transform ? transform
                                                                 : NULL,
                                       .transform_path = has_rules ? rules : NULL,
                                       .variants = *trib_case_text("variants") ? variants : NULL,
                                       .stem = *stem ? stem : NULL,
                                       .tokens = folded};
    EXPECT_OK(trib_norms_open(&norms, &options, &error));
    CHECK(norms != NULL);
    EXPECT_OK(trib_norms_of(norms, TRIB_ANY_LANGUAGE, word, strlen(word), &norm, &n, &error));
    EXPECT_TEXT(norm, trib_case_text("norm"));
    EXPECT(n == strlen(trib_case_text("norm")));
    trib_norms_close(norms);
}

TEST(every_preset_leaves_a_letter_alone) {
    for (const trib_transform_preset *p = trib_transform_presets; p->name; p++) {
        trib_norms *norms = NULL;
        const char *norm = NULL;
        size_t n = 0;
        const trib_norm_options options = {.transform = p->name, .tokens = folded};
        CHECK(trib_norms_open(&norms, &options, NULL) == TRIB_OK);
        CHECK(trib_norms_of(norms, TRIB_ANY_LANGUAGE, "a", 1, &norm, &n, NULL) == TRIB_OK);
        EXPECT_TEXT(norm, "a");
        trib_norms_close(norms);
    }
}

/* A word of ASCII alone takes a way of its own: the same as beside a letter that stays. */
TEST(ascii_is_transformed_as_beside_other_letters) {
    for (const trib_transform_preset *p = trib_transform_presets; p->name; p++)
        for (char c = '!'; p->ascii && c <= '~'; c++) {
            trib_transform *transform = NULL;
            const char word[] = {c, '\xD7', '\x90', '\0'}, *to = NULL;
            char alone[8] = "";
            size_t n = 0;
            CHECK(trib_transform_open(&transform, p->name, NULL, NULL) == TRIB_OK);
            CHECK(trib_transform_do(transform, word, 1, &to, &n, NULL) == TRIB_OK && n == 1);
            snprintf(alone, sizeof alone, "%s\xD7\x90", to);
            CHECK(trib_transform_do(transform, word, 3, &to, &n, NULL) == TRIB_OK);
            EXPECT_TEXT(to, alone);
            trib_transform_close(transform);
        }
}

/* `letters` has a way of its own, too, which needs no rules of ICU: that of its rules. */
TEST(letters_are_those_of_their_rules) {
    const trib_transform_preset *p = trib_transform_presets;
    while (strcmp(p->name, "letters") != 0) p++;
    const char *const path = trib_write_scratch("letters.rules", p->rules);
    trib_transform *own = NULL, *ruled = NULL;
    trib_random random = {0};
    CHECK(trib_transform_open(&own, "letters", NULL, NULL) == TRIB_OK);
    CHECK(trib_transform_open(&ruled, "letters.rules", path, NULL) == TRIB_OK);
    trib_random_seed(&random, 7);
    for (UChar32 c = 1; c < 0x20000; c++) {
        const UChar32 letter[] = {c, (UChar32)(1 + trib_random_below(&random, 0x2FFF)), 0x3A3, 'V'};
        UErrorCode code = U_ZERO_ERROR;
        char word[32], a[128], b[128];
        int32_t n = 0;
        size_t n_a = 0, n_b = 0;
        const char *to = NULL;
        UChar units[8];
        if (c >= 0xD800 && c < 0xE000) continue; /* surrogates */
        u_strFromUTF32(units, 8, &n, letter, 1 + c % 4, &code);
        u_strToUTF8(word, sizeof word, &n, units, n, &code);
        CHECK(U_SUCCESS(code));
        CHECK(trib_transform_do(own, word, (size_t)n, &to, &n_a, NULL) == TRIB_OK);
        snprintf(a, sizeof a, "%s", to);
        CHECK(trib_transform_do(ruled, word, (size_t)n, &to, &n_b, NULL) == TRIB_OK);
        snprintf(b, sizeof b, "%s", to);
        CHECK(n_a == n_b);
        EXPECT_TEXT(a, b);
    }
    trib_transform_close(own);
    trib_transform_close(ruled);
}

TEST(wrong_transforms_are_errors) {
    trib_transform *transform = NULL;
    trib_error error = {0};
    EXPECT_STATUS(trib_transform_open(&transform, "early-englsh", NULL, &error), TRIB_CONFIG,
                  error);
    EXPECT(transform == NULL && strstr(error.message, "early-english"));
    const char *path = trib_write_scratch("norms_wrong.rules", "a > b;\nc > [d;\n");
    EXPECT_STATUS(trib_transform_open(&transform, "wrong.rules", path, &error), TRIB_CONFIG, error);
    EXPECT(transform == NULL && strstr(error.message, path));
    EXPECT_STATUS(
        trib_transform_open(&transform, "no.rules", trib_scratch("norms_none.rules"), &error),
        TRIB_INPUT, error);
}

TEST(tables_that_are_none_are_errors_with_their_line) {
    static const struct {
        const char *table, *wanted;
    } rows[] = {
        {"haue\n", ":1: not a table"},
        {"a\tb\nhaue\n", ":2: has 1 columns"},
        {"# nothing\n", "no variant"},
        {"a\tb\n\xFF\tb\n", ":2: not UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = trib_write_scratch("norms_bad.tsv", rows[i].table);
        trib_norms *norms = NULL;
        trib_error error = {0};
        EXPECT_STATUS(trib_norms_open(
                          &norms, &(trib_norm_options){.variants = path, .tokens = folded}, &error),
                      TRIB_CONFIG, error);
        EXPECT(norms == NULL && strstr(error.message, rows[i].wanted));
    }
}

TEST(a_list_has_the_norms_of_its_words) {
    const char *path =
        trib_write_scratch("norms_stop.txt", "The | an article\n# comment\nvpon, and\n\nTHE\n");
    trib_norms *norms = NULL;
    GIVEN(trib_intern) list = {0};
    trib_error error = {0};
    EXPECT_OK(trib_norms_open(
        &norms, &(trib_norm_options){.transform = "early-english", .tokens = folded}, &error));
    EXPECT_OK(trib_norms_read_list(norms, TRIB_ANY_LANGUAGE, path, &list, &error));
    EXPECT(list.n_words == 3);
    EXPECT_TEXT(trib_intern_word(&list, 1), "upon");
    trib_intern_release(&list);
    path = trib_write_scratch("norms_stop.txt", "# nothing\n");
    EXPECT_STATUS(trib_norms_read_list(norms, TRIB_ANY_LANGUAGE, path, &list, &error), TRIB_CONFIG,
                  error);
    trib_norms_close(norms);
}
