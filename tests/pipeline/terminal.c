/* terminal.c - widths, padding and words for a shell. */
#include "pipeline/terminal.h"
#include "tests/test.h"

static void columns_are_those_of_the_terminal(void) {
    EXPECT(trib_columns("") == 0 && trib_columns("abc") == 3);
    EXPECT(trib_columns("\u00e9t\u00e9") == 3 && trib_columns("e\u0301") == 1);
    EXPECT(trib_columns("\u6f22\u5b57") == 4 && trib_columns("\xFF") == 1);
    EXPECT(trib_columns("a\u200bb") == 2);
}

static void padding_gives_exactly_the_columns_asked_for(void) {
    char out[64];
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9", 6, false), "caf\u00e9  ");
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9", 6, true), "  caf\u00e9");
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9s", 4, false), "caf\u2026");
    EXPECT_TEXT(trib_pad(out, sizeof out, "\u6f22\u5b57\u6f22", 4, false), "\u6f22\u2026 ");
    EXPECT_TEXT(trib_pad(out, sizeof out, "abc", 0, false), "");
    EXPECT_TEXT(trib_pad(out, sizeof out, "e\u0301e\u0301", 2, false), "e\u0301e\u0301");
    EXPECT_TEXT(trib_pad(out, 4, "abcd", 6, false), "");
}

static void a_shell_reads_a_word_back(void) {
    char out[32];
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "runs/a-1.yaml"), "runs/a-1.yaml");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "my run"), "'my run'");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "it's"), "'it'\\''s'");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, ""), "''");
    EXPECT_TEXT(trib_shell_word(out, 8, "a b c d e f"), "'a'");
}

CU_TestInfo trib_tests_terminal[] = {
    {"columns are those of the terminal", columns_are_those_of_the_terminal},
    {"padding gives exactly the columns asked for", padding_gives_exactly_the_columns_asked_for},
    {"a shell reads a word back", a_shell_reads_a_word_back},
    CU_TEST_INFO_NULL};
