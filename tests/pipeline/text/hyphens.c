/* hyphens.c - tests of words divided at line ends, and of the heads of pages. */
#include "pipeline/text/strip.h"

#include "tests/test.h"

TESTS(text, hyphens);

/* Joins a text, and expects it without the bytes that divided words; heads are spaces. */
static void expect_joined(const char *text, const char *wanted) {
    GIVEN(trib_joined) joined = {0};
    trib_error error = {0};
    GIVEN(trib_buffer) bytes = {0}, clean = {0};
    const size_t length = strlen(text);
    CHECK(trib_buffer_add(&bytes, text, length, NULL) == TRIB_OK);
    EXPECT_OK(trib_join_hyphens(&joined, bytes.text, length, &error));
    size_t from = 0;
    for (size_t i = 0; i < joined.hyphens.n; i++) {
        const trib_range gap = joined.hyphens.range[i];
        EXPECT(gap.from >= from && gap.to >= gap.from + 2);
        CHECK(trib_buffer_add(&clean, bytes.text + from, gap.from - from, NULL) == TRIB_OK);
        for (size_t b = gap.from; b < gap.to; b++) EXPECT((unsigned char)bytes.text[b] >= 0x80);
        from = gap.to;
    }
    CHECK(trib_buffer_add(&clean, bytes.text + from, length - from, NULL) == TRIB_OK);
    EXPECT(bytes.length == length && joined.hyphens.n <= joined.n_divided);
    EXPECT_TEXT(clean.text, wanted);
}

CASES("tests/pipeline/text/hyphens.txt [joined]", divided_words_are_joined) {
    expect_joined(trib_case_text("text"), trib_case_text("joined"));
}

TEST(other_encodings_are_left_as_they_are) {
    char text[] = "caf\xE9 rep-\nresent";
    GIVEN(trib_joined) joined = {0};
    EXPECT(trib_join_hyphens(&joined, text, sizeof text - 1, NULL) == TRIB_OK);
    EXPECT_TEXT(text, "caf\xE9 rep-\nresent");
    EXPECT(joined.hyphens.remark != NULL && joined.n_divided == 0);
}

/* Whatever the blocks in which a text comes. */
TEST(lines_that_end_with_a_hyphen_are_counted) {
    static const char text[] = "rep-\nresent rep\xC2\xAD\r\n  resent, re\xE2\x80\x90\n\xC3\xA9\n"
                               "Rep-\nResent 12-\nthree --\nfour -\nfive six\xE2\xB8\x97\nseven\n";
    for (size_t block = 1; block <= sizeof text; block++) {
        trib_line_ends ends = {0};
        for (size_t at = 0; at < sizeof text - 1; at += block)
            trib_line_ends_count(&ends, text + at,
                                 block < sizeof text - 1 - at ? block : sizeof text - 1 - at);
        EXPECT(ends.n_lines == 10 && ends.n_divided == 4 && trib_line_ends_divide(&ends));
        ends.n_lines = 201;
        EXPECT(!trib_line_ends_divide(&ends));
    }
    static const char *const line_ends[] = {"\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t i = 0; i < sizeof line_ends / sizeof *line_ends; i++) {
        GIVEN(trib_buffer) long_text = {0};
        trib_line_ends ends = {0};
        for (int k = 0; k < 200; k++)
            trib_buffer_print(&long_text, NULL, "rep-%sresent%s", line_ends[i], line_ends[i]);
        trib_line_ends_count(&ends, long_text.text, long_text.length);
        EXPECT(ends.n_lines == 400 && ends.n_divided == 200);
    }
}
