/* word_lines.c - tests of reading the words of a tensor. */
#include "pipeline/config/config.h"
#include "pipeline/program/tools.h"
#include "tests/test.h"

static trib_status read(trib_intern *words, const char *text, uint32_t n, trib_error *error) {
    const char *path = trib_write_scratch("x.words", text);
    *words = (trib_intern){0};
    return trib_word_lines_read(words, path, n, error);
}

static void line_i_is_index_i(void) {
    trib_intern words;
    trib_error error = {0};
    EXPECT_STATUS(read(&words, "the\n<other>\nof\n", 3, &error), TRIB_OK, error);
    EXPECT_TEXT(trib_intern_word(&words, 0), "the");
    EXPECT_TEXT(trib_intern_word(&words, 1), "<other>");
    EXPECT_TEXT(trib_intern_word(&words, 2), "of");
    trib_intern_release(&words);
    EXPECT_STATUS(read(&words, "", 0, &error), TRIB_OK, error);
    EXPECT(words.n_words == 0);
    trib_intern_release(&words);
}

static void errors_name_the_line(void) {
    static const struct {
        const char *text, *message;
    } wrong[] = {{"the\nof\n", "x.words:3: a word is missing: the tensor has 3"},
                 {"", "x.words:1: a word is missing: the tensor has 3"},
                 {"the\n\nof\n", "x.words:2: a word is missing: the tensor has 3"},
                 {"the\nof\nthe\n", "x.words:3: the same word as in line 1"},
                 {"the\nof\nand\na\n", "x.words: has more words than the tensor's 3"}};
    trib_intern words;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        trib_error error = {0};
        EXPECT_STATUS(read(&words, wrong[i].text, 3, &error), TRIB_INPUT, error);
        const char *name = strstr(error.message, "x.words");
        CHECK(name != NULL);
        EXPECT_TEXT(name, wrong[i].message);
        trib_intern_release(&words);
    }
    trib_error error = {0};
    words = (trib_intern){0};
    EXPECT(trib_word_lines_read(&words, trib_scratch("none.words"), 3, &error) != TRIB_OK);
    trib_intern_release(&words);
}

static trib_status attempt(void *context, trib_error *error) {
    trib_intern words;
    const trib_status status = read(&words, context, 3, error);
    trib_intern_release(&words);
    return status;
}

static void every_failing_allocation_is_reported(void) {
    char text[] = "the\nof\nand\n";
    EXPECT(trib_fail_every_allocation(attempt, text) > 1);
}

CU_TestInfo trib_tests_program_word_lines[] = {
    {"line i is index i", line_i_is_index_i},
    {"errors name the line", errors_name_the_line},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
