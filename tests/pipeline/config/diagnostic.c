/* diagnostic.c - tests of pipeline/config/diagnostic.c. */
#include "pipeline/config/diagnostic.h"
#include "pipeline/support/utf8.h"
#include "tests/test.h"

TESTS(config, diagnostic);

static char heard[8192];

static void hear(void *context, bool is_error, const char *message) {
    (void)context;
    (void)is_error;
    snprintf(heard, sizeof heard, "%s", message);
}

TEST(a_place_is_shown_with_its_line_and_a_marker) {
    GIVEN(trib_source) source = {.name = "e.yaml"};
    trib_diagnostics diagnostics = {.report = hear};
    const char *text = "one\n  tw\xC3\xB6 three\r\n";
    trib_buffer_add(&source.text, text, strlen(text), NULL);
    trib_diagnose(&diagnostics, (trib_place){&source, 2, 7, 5}, "not %d", 3);
    EXPECT_TEXT(heard, "e.yaml:2:7: error: not 3\n"
                       "    2 |   tw\xC3\xB6 three\n"
                       "      |       ^~~~~");
    trib_warn(&diagnostics, (trib_place){&source, 1, 4, 1}, "ends");
    EXPECT_TEXT(heard, "e.yaml:1:4: warning: ends\n    1 | one\n      |    ^");
    trib_diagnose(&diagnostics, (trib_place){&source, 9, 1, 1}, "after the end");
    EXPECT_TEXT(heard, "e.yaml:9:1: error: after the end");
    trib_diagnose(&diagnostics, (trib_place){.source = &source}, "all of it");
    EXPECT_TEXT(heard, "e.yaml: error: all of it");
    trib_diagnose(&diagnostics, (trib_place){.line = 0}, "nowhere");
    EXPECT_TEXT(heard, "error: nowhere");
    EXPECT(diagnostics.n_errors == 4 && diagnostics.n_warnings == 1);
}

TEST(part_of_a_long_line_is_shown) {
    GIVEN(trib_source) source = {.name = "e"};
    trib_diagnostics diagnostics = {.report = hear};
    for (int i = 0; i < 300; i++) trib_buffer_add(&source.text, i == 199 ? "X" : ".", 1, NULL);
    trib_diagnose(&diagnostics, (trib_place){&source, 1, 200, 1}, "x");
    const char *line = strstr(heard, " | "), *marker = strstr(heard, "\n      | ");
    CHECK(line && marker);
    CHECK(strchr(line, 'X') && strchr(marker, '^'));
    EXPECT(strchr(line, 'X') - line - 3 == strchr(marker, '^') - marker - 9);
    EXPECT(marker - line < 140);
}

TEST(unprintable_bytes_are_escaped) {
    trib_diagnostics diagnostics = {.report = hear};
    const trib_source source = {.name = "a\xFF\033b"};
    trib_diagnose(&diagnostics, (trib_place){.source = &source}, "'%s'", "\xC3\xA9\n\xC3");
    EXPECT_TEXT(heard, "a\\xff\\x1bb: error: '\xC3\xA9\\x0a\\xc3'");
    GIVEN(trib_buffer) shown = {0};
    CHECK(trib_show_bytes(&shown, "\xED\xA0\x80z\x7F", 5, NULL) == TRIB_OK);
    EXPECT_TEXT(shown.text, "\\xed\\xa0\\x80z\\x7f");
}

TEST(errors_beyond_a_hundred_are_counted_only) {
    trib_diagnostics diagnostics = {.report = hear};
    for (int i = 1; i <= 103; i++)
        trib_diagnose(&diagnostics, (trib_place){.line = 0}, "%c%c", 'a' + i / 26, 'a' + i % 26);
    EXPECT_TEXT(heard, "error: dw");
    trib_diagnostics_end(&diagnostics);
    EXPECT_TEXT(heard, "error: and 3 more errors");
    EXPECT(diagnostics.n_errors == 103);
}

TEST(errors_beyond_ten_of_a_kind_are_counted_only) {
    trib_diagnostics diagnostics = {.report = hear};
    for (int i = 0; i < 1000; i++)
        trib_diagnose(&diagnostics, (trib_place){.line = 0}, "id '%c%d' on line %d", 'a' + i % 26,
                      i, i);
    EXPECT_TEXT(heard, "error: id 'j9' on line 9");
    trib_diagnose(&diagnostics, (trib_place){.line = 0}, "another");
    EXPECT_TEXT(heard, "error: another");
    trib_warn(&diagnostics, (trib_place){.line = 0}, "id 'a' on line 1");
    EXPECT_TEXT(heard, "warning: id 'a' on line 1");
    trib_diagnostics_end(&diagnostics);
    EXPECT_TEXT(heard, "error: and 990 more errors");
    diagnostics = (trib_diagnostics){.report = hear};
    for (int i = 0; i < 11; i++) trib_warn(&diagnostics, (trib_place){.line = 0}, "%d", i);
    trib_diagnostics_end(&diagnostics);
    EXPECT_TEXT(heard, "warning: and 1 more warning");
}

TEST(only_well_formed_utf8_counts) {
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {{"a", 1},
                 {"\xC3\xA9", 2},
                 {"\xE2\x82\xAC", 3},
                 {"\xF0\x9F\x98\x80", 4},
                 {"\xC0\x80", 0},
                 {"\xE0\x80\x80", 0},
                 {"\xED\xA0\x80", 0},
                 {"\xF4\x90\x80\x80", 0},
                 {"\xF8\x88\x80", 0},
                 {"\x80", 0},
                 {"\xC3", 0},
                 {"\xF0\x80\x80\x80", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT(trib_utf8_length(cases[i].bytes, strlen(cases[i].bytes)) == cases[i].length);
    EXPECT(trib_utf8_length("\xE2\x82\xAC", 2) == 0 && trib_utf8_length("", 0) == 0);
}
