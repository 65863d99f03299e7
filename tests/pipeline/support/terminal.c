/* terminal.c - tests of widths, padding and quoting for a shell. */
#include "pipeline/support/terminal.h"
#include "pipeline/support/tables.h"
#include "tests/test.h"

TESTS(support, terminal);

TEST(widths_are_terminal_columns) {
    EXPECT(trib_columns("") == 0 && trib_columns("abc") == 3);
    EXPECT(trib_columns("\u00e9t\u00e9") == 3 && trib_columns("e\u0301") == 1);
    EXPECT(trib_columns("\u6f22\u5b57") == 4 && trib_columns("\xFF") == 1);
    EXPECT(trib_columns("a\u200bb") == 2);
}

TEST(padding_gives_the_exact_number_of_columns) {
    char out[64];
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9", 6, false), "caf\u00e9  ");
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9", 6, true), "  caf\u00e9");
    EXPECT_TEXT(trib_pad(out, sizeof out, "caf\u00e9s", 4, false), "caf\u2026");
    EXPECT_TEXT(trib_pad(out, sizeof out, "\u6f22\u5b57\u6f22", 4, false), "\u6f22\u2026 ");
    EXPECT_TEXT(trib_pad(out, sizeof out, "abc", 0, false), "");
    EXPECT_TEXT(trib_pad(out, sizeof out, "e\u0301e\u0301", 2, false), "e\u0301e\u0301");
    EXPECT_TEXT(trib_pad(out, 4, "abcd", 6, false), "");
}

TEST(quoted_words_are_read_back_by_a_shell) {
    char out[32];
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "runs/a-1.yaml"), "runs/a-1.yaml");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "my run"), "'my run'");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, "it's"), "'it'\\''s'");
    EXPECT_TEXT(trib_shell_word(out, sizeof out, ""), "''");
    EXPECT_TEXT(trib_shell_word(out, 8, "a b c d e f"), "'a'");
}

TEST(text_is_wrapped_before_the_last_column) {
    GIVEN(trib_buffer) text = {0};
    CHECK(trib_wrap(&text, "one two three \u6f22\u5b57\u6f22 a-long-word-of-its-own end", 2, 10,
                    NULL) == TRIB_OK);
    EXPECT_TEXT(text.text, "one two\n  three\n  \u6f22\u5b57\u6f22\n  a-long-word-of-its-own\n"
                           "  end\n");
}

TEST(the_environment_sets_the_width_of_a_page) {
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

TEST(text_from_right_to_left_is_known) {
    static const char hebrew[] = "1. \u05d0\u05d2\u05dd", arabic[] = "\u0628\u062d\u0631";
    EXPECT(trib_is_right_to_left(hebrew, strlen(hebrew)) && !trib_is_right_to_left(hebrew, 3));
    EXPECT(trib_is_right_to_left(arabic, strlen(arabic)) && !trib_is_right_to_left("a (b)", 5));
    EXPECT(trib_columns(TRIB_ISOLATE "\u05d0" TRIB_ISOLATE_END) == 1);
}

/* Expects the text with a bar at each break. */
static void expect_breaks(const char *text, const char *wanted) {
    trib_line_breaks *breaks = NULL;
    GIVEN(trib_buffer) barred = {0};
    const size_t length = strlen(text);
    CHECK(trib_line_breaks_open(&breaks, text, length, NULL) == TRIB_OK);
    for (size_t from = 0, to; from < length; from = to) {
        to = trib_line_breaks_next(breaks, from, length);
        CHECK(to > from && to <= length);
        CHECK(trib_buffer_print(&barred, NULL, "%s%.*s", from > 0 ? "|" : "", (int)(to - from),
                                text + from) == TRIB_OK);
    }
    EXPECT_TEXT(barred.text ? barred.text : "", wanted);
    trib_line_breaks_close(breaks);
}

TEST(no_line_begins_with_a_comma_or_ends_with_a_bracket) {
    expect_breaks("\u6e56\u3068\u5c71\u3001\u300c\u6751\u300d\u3002",
                  "\u6e56|\u3068|\u5c71\u3001|\u300c\u6751\u300d\u3002");
}

TEST(a_word_of_a_dictionary_is_not_broken) {
    expect_breaks("\u0e1b\u0e25\u0e32\u0e43\u0e19\u0e17\u0e30\u0e40\u0e25",
                  "\u0e1b\u0e25\u0e32|\u0e43\u0e19|\u0e17\u0e30\u0e40\u0e25");
}

TEST(words_of_other_scripts_stay_whole) {
    expect_breaks("", "");
    expect_breaks("well-known", "well-known");
    expect_breaks("\u05d0\u05d2\u05dd-\u05d4\u05e8", "\u05d0\u05d2\u05dd-\u05d4\u05e8");
    expect_breaks("\ud638\uc218", "\ud638\uc218");
    expect_breaks("\xFF", "\xFF");
}

TEST(scripts_without_spaces_join_their_words) {
    EXPECT(trib_words_run_on("\u6e56", "\u306e"));
    EXPECT(trib_words_run_on("\u0e1b\u0e25\u0e32", "\u0e19"));
    EXPECT(trib_words_run_on("\u30c7\u30fc\u30bf\u30fc", "\u3092"));
    EXPECT(!trib_words_run_on("lake", "\u6e56") && !trib_words_run_on("\u6e56", "12"));
    EXPECT(!trib_words_run_on("\ud638\uc218", "\uc0b0") && !trib_words_run_on("a", "b"));
    EXPECT(!trib_words_run_on("", "\u6e56") && !trib_words_run_on("\u6e56", ""));
}

/* One rule in the terminal, in tables and in HTML (html.c). */
CASES("tests/pipeline/support/terminal.txt [cells]", cells_hold_nothing_that_controls_a_terminal) {
    for (int k = 0; k < 2; k++) {
        trib_writer writer = {0};
        GIVEN(trib_buffer) written = {0};
        CHECK(trib_writer_open(&writer, trib_scratch("cell"), NULL) == TRIB_OK);
        (k ? trib_write_tab_cell : trib_write_cell)(&writer, trib_case_text("text"));
        CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
        trib_read_bytes(trib_scratch("cell"), &written);
        EXPECT_TEXT(written.text, trib_case_text(k ? "tsv" : "csv"));
    }
}
