/* terminal.c - tests of widths, padding and quoting for a shell. */
#include "pipeline/support/terminal.h"
#include "tests/test.h"

static void widths_are_terminal_columns(void) {
    EXPECT(trib_columns("") == 0 && trib_columns("abc") == 3);
    EXPECT(trib_columns("\u00e9t\u00e9") == 3 && trib_columns("e\u0301") == 1);
    EXPECT(trib_columns("\u6f22\u5b57") == 4 && trib_columns("\xFF") == 1);
    EXPECT(trib_columns("a\u200bb") == 2);
}

static void padding_gives_the_exact_number_of_columns(void) {
    char out[64];
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9", 6, false), "caf\u00e9  ");
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9", 6, true), "  caf\u00e9");
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9s", 4, false), "caf\u2026");
    EXPECT_TEXT(trib_pad(out, sizeof out, "\u6f22\u5b57\u6f22", 4, false), "\u6f22\u2026 ");
    EXPECT_TEXT(trib_pad(out, sizeof out, "abc", 0, false), "");
    EXPECT_TEXT(trib_pad(out, sizeof out, "e\u0301e\u0301", 2, false), "e\u0301e\u0301");
    EXPECT_TEXT(trib_pad(out, 4, "abcd", 6, false), "");
}

static void quoted_words_are_read_back_by_a_shell(void) {
    char out[32];
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "runs/a-1.yaml"), "runs/a-1.yaml");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "my run"), "'my run'");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "it's"), "'it'\\''s'");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, ""), "''");
    EXPECT_TEXT(trib_shell_word(out, 8, "a b c d e f"), "'a'");
}

static void text_is_wrapped_before_the_last_column(void) {
    trib_buffer text = {0};
    CHECK(trib_wrap(&text, "one two three \u6f22\u5b57\u6f22 a-long-word-of-its-own end", 2, 10,
                    NULL) == TRIB_OK);
    EXPECT_TEXT(text.text, "one two\n  three\n  \u6f22\u5b57\u6f22\n  a-long-word-of-its-own\n"
                           "  end\n");
    trib_buffer_release(&text);
}

static void the_environment_sets_the_width_of_a_page(void) {
    static const struct {
        const char *said;
        size_t columns, page;
    } row[] = {
        {"100", 100, 100}, {"10", 10, 40}, {"9999", 9999, 400}, {"x", 80, 80}, {"0", 80, 80}};
    char *before = getenv("COLUMNS");
    if (before) CHECK(trib_copy_text(&before, before, strlen(before), NULL) == TRIB_OK);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        setenv("COLUMNS", row[i].said, 1);
        EXPECT(trib_terminal_columns(-1) == row[i].columns);
        EXPECT(trib_page_columns(-1) == row[i].page);
    }
    if (before) setenv("COLUMNS", before, 1);
    else unsetenv("COLUMNS");
    trib_free(before);
}

CU_TestInfo trib_tests_support_terminal[] = {
    {"text is wrapped before the last column", text_is_wrapped_before_the_last_column},
    {"the environment sets the width of a page", the_environment_sets_the_width_of_a_page},
    {"widths are terminal columns", widths_are_terminal_columns},
    {"padding gives the exact number of columns", padding_gives_the_exact_number_of_columns},
    {"quoted words are read back by a shell", quoted_words_are_read_back_by_a_shell},
    CU_TEST_INFO_NULL};
