/* norms.c - tests of norms: transforms, tables of variants, stems and lists of words. */
#include "tokenizer/norms.h"
#include "tests/test.h"
#include "tokenizer/language.h"

static const trib_token_options folded = {.normalize = TRIB_NORMALIZE_NFC,
                                          .letter_case = TRIB_CASE_FOLD};

static const char *write_table(const char *name, const char *text) {
    FILE *file = fopen(trib_scratch(name), "wb");
    CHECK(file != NULL);
    CHECK(fwrite(text, 1, strlen(text), file) == strlen(text) && fclose(file) == 0);
    return trib_scratch(name);
}

/* Expects the norm of a word by options. */
static void expect_norm(const trib_norm_options *options, const char *word, const char *wanted) {
    trib_norm_options asked = *options;
    trib_norms *norms = NULL;
    trib_error error = {0};
    const char *norm = NULL;
    size_t n = 0;
    asked.tokens = folded;
    EXPECT_STATUS(trib_norms_open(&norms, &asked, &error), TRIB_OK, error);
    CHECK(norms != NULL);
    EXPECT_STATUS(trib_norms_of(norms, TRIB_ANY_LANGUAGE, word, strlen(word), &norm, &n, &error),
                  TRIB_OK, error);
    EXPECT_TEXT(norm, wanted);
    EXPECT(n == strlen(wanted));
    trib_norms_close(norms);
}

static void expect_transformed(const char *transform, const char *word, const char *wanted) {
    expect_norm(&(trib_norm_options){.transform = transform}, word, wanted);
}

static void without_options_a_word_is_its_own_norm(void) {
    expect_norm(&(trib_norm_options){0}, "haue", "haue");
    expect_norm(&(trib_norm_options){.stem = "none"}, "running", "running");
}

static void presets_rewrite_the_letters_they_name(void) {
    static const struct {
        const char *preset, *word, *wanted;
    } rows[] = {
        {"latin", "virum", "uirum"},
        {"latin", "iam", "iam"},
        {"latin", "jam", "iam"},
        {"early-english",
         "\xC5\xBF"
         "ea",
         "sea"},
        {"early-english", "haue", "have"},
        {"early-english", "vpon", "upon"},
        {"early-english", "vvith", "with"},
        {"early-english", "iustice", "justice"},
        {"early-english", "very", "very"},
        {"early-english", "queen", "queen"},
        {"early-english", "in", "in"},
        {"early-english", "y\xE1\xB5\x89", "the"},
        {"early-english", "y\xE1\xB5\x97", "that"},
        {"early-english", "w\xE1\xB5\x97", "with"},
        {"early-english", "w\xE1\xB6\x9C\xCA\xB0", "which"},
        {"fold-accents", "\xC3\xA9t\xC3\xA9", "ete"},
        {"greek-bare", "\xCE\xBB\xCF\x8C\xCE\xB3\xCE\xBF\xCF\x82",
         "\xCE\xBB\xCE\xBF\xCE\xB3\xCE\xBF\xCF\x83"},
        {"greek-bare", "\xE1\xBC\xA6\xE1\xBE\xB3", "\xCE\xB7\xCE\xB1"},
        {"arabic-bare", "\xD9\x83\xD9\x90\xD8\xAA\xD9\x8E\xD8\xA7\xD8\xA8",
         "\xD9\x83\xD8\xAA\xD8\xA7\xD8\xA8"},
        {"arabic-bare", "\xD8\xA3\xD9\x84\xD9\x89", "\xD8\xA7\xD9\x84\xD9\x8A"},
        {"hebrew-bare", "\xD7\x91\xD6\xB0\xD6\xBC\xD7\xA8\xD6\xB5", "\xD7\x91\xD7\xA8"},
        {"Latin-ASCII",
         "stra\xC3\x9F"
         "e",
         "strasse"},
        {"NFD; [:M:] Remove; NFC", "\xC3\xA9", "e"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_transformed(rows[i].preset, rows[i].word, rows[i].wanted);
    for (const trib_transform_preset *p = trib_transform_presets; p->name; p++)
        expect_transformed(p->name, "a", "a");
}

static void a_word_of_which_nothing_is_left_stays(void) {
    expect_transformed("[a] Remove", "aa", "aa");
    expect_transformed("[a] Remove", "aab", "b");
}

static void a_word_may_grow_beyond_its_room(void) {
    const char *path = write_table(
        "norms_grow.rules", "a > bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb ;");
    expect_norm(&(trib_norm_options){.transform = "x.rules", .transform_path = path}, "aa",
                "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
                "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
}

static void wrong_transforms_are_errors(void) {
    trib_transform *transform = NULL;
    trib_error error = {0};
    EXPECT_STATUS(trib_transform_open(&transform, "early-englsh", NULL, &error), TRIB_CONFIG,
                  error);
    EXPECT(transform == NULL && strstr(error.message, "early-english"));
    const char *path = write_table("norms_wrong.rules", "a > b;\nc > [d;\n");
    EXPECT_STATUS(trib_transform_open(&transform, "wrong.rules", path, &error), TRIB_CONFIG, error);
    EXPECT(transform == NULL && strstr(error.message, path));
    EXPECT_STATUS(
        trib_transform_open(&transform, "no.rules", trib_scratch("norms_none.rules"), &error),
        TRIB_INPUT, error);
}

static void tables_of_all_forms_are_read(void) {
    static const struct {
        const char *table, *word, *wanted;
    } rows[] = {
        {"haue\thave\nLoue\tLove\n", "loue", "love"},
        {"\xEF\xBB\xBF# a comment\r\nhaue\thave\r\n", "haue", "have"},
        {"lemma\tpos\tform\nbe\tV\twas\n", "was", "be"},
        {"haue\thave\t3\nhaue\thaven\t5\n", "haue", "haven"},
        {"haue\thave\nhaue\thaven\n", "haue", "have"},
        {"haue\thave\nhaue\thaven\nhaue\thaven\n", "haue", "haven"},
        {"was\tVBD\tbe\nfoo\tNN\t<unknown>\n", "was", "be"},
        {"was\tVBD\tbe\nfoo\tNN\t<unknown>\n", "foo", "foo"},
        {"lay\tV\tlie|lay\n", "lay", "lie"},
        {"1\tWas\tbe\tVERB\t_\t_\t0\troot\t_\t_\n", "was", "be"},
        {"shalbe\tshall be\n", "shalbe", "shall be"},
        {"to day\ttoday\nthou\tyou\n", "to", "to"},
        {"haue\thave\n", "hauen", "hauen"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = write_table("norms_variants.tsv", rows[i].table);
        expect_norm(&(trib_norm_options){.variants = path}, rows[i].word, rows[i].wanted);
    }
}

static void transform_variants_and_stem_apply_in_this_order(void) {
    const char *path = write_table("norms_order.tsv", "loues\tloves\nseruantes\tservants\n");
    const trib_norm_options all = {.transform = "early-english", .variants = path, .stem = "en"};
    expect_norm(&all, "loues", "love");
    expect_norm(&all,
                "\xC5\xBF"
                "eruantes",
                "servant");
    expect_norm(&all, "loves", "love");
}

static void tables_that_are_none_are_errors_with_their_line(void) {
    static const struct {
        const char *table, *wanted;
    } rows[] = {
        {"haue\n", ":1: not a table"},
        {"a\tb\nhaue\n", ":2: has 1 columns"},
        {"# nothing\n", "no variant"},
        {"a\tb\n\xFF\tb\n", ":2: not UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = write_table("norms_bad.tsv", rows[i].table);
        trib_norms *norms = NULL;
        trib_error error = {0};
        EXPECT_STATUS(trib_norms_open(
                          &norms, &(trib_norm_options){.variants = path, .tokens = folded}, &error),
                      TRIB_CONFIG, error);
        EXPECT(norms == NULL && strstr(error.message, rows[i].wanted));
    }
}

static void a_list_has_the_norms_of_its_words(void) {
    const char *path =
        write_table("norms_stop.txt", "The | an article\n# comment\nvpon, and\n\nTHE\n");
    trib_norms *norms = NULL;
    trib_intern list = {0};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_norms_open(
            &norms, &(trib_norm_options){.transform = "early-english", .tokens = folded}, &error),
        TRIB_OK, error);
    EXPECT_STATUS(trib_norms_read_list(norms, TRIB_ANY_LANGUAGE, path, &list, &error), TRIB_OK,
                  error);
    EXPECT(list.n_words == 3);
    EXPECT_TEXT(trib_intern_word(&list, 1), "upon");
    trib_intern_release(&list);
    path = write_table("norms_stop.txt", "# nothing\n");
    EXPECT_STATUS(trib_norms_read_list(norms, TRIB_ANY_LANGUAGE, path, &list, &error), TRIB_CONFIG,
                  error);
    trib_intern_release(&list);
    trib_norms_close(norms);
}

CU_TestInfo trib_tests_tokenizer_norms[] = {
    {"without options a word is its own norm", without_options_a_word_is_its_own_norm},
    {"presets rewrite the letters they name", presets_rewrite_the_letters_they_name},
    {"a word of which nothing is left stays", a_word_of_which_nothing_is_left_stays},
    {"a word may grow beyond its room", a_word_may_grow_beyond_its_room},
    {"wrong transforms are errors", wrong_transforms_are_errors},
    {"tables of all forms are read", tables_of_all_forms_are_read},
    {"transform, variants and stem apply in this order",
     transform_variants_and_stem_apply_in_this_order},
    {"tables that are none are errors with their line",
     tables_that_are_none_are_errors_with_their_line},
    {"a list has the norms of its words", a_list_has_the_norms_of_its_words},
    CU_TEST_INFO_NULL,
};
