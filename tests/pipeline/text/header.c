/* header.c - tests of the header of TEI files. */
#include "pipeline/text/tei.h"
#include "tests/test.h"

TESTS(text, header);

/* Stands for the dates of the configuration: four digits, perhaps with more. */
static bool is_date(const char *text) {
    return strspn(text, "0123456789-/.") == strlen(text) && *text;
}

CASES("tests/pipeline/text/header.txt [about]", a_header_says_what_the_text_is) {
    trib_tei_about about;
    trib_error error = {0};
    const char *bytes = trib_case_text("bytes");
    EXPECT_OK(trib_tei_header(&about, bytes, strlen(bytes), is_date, &error));
    EXPECT_TEXT(about.title, trib_case_text("title"));
    EXPECT_TEXT(about.author, trib_case_text("author"));
    EXPECT_TEXT(about.date, trib_case_text("date"));
}

TEST(a_long_title_is_cut_at_a_space) {
    GIVEN(trib_buffer) text = {0};
    trib_tei_about about;
    CHECK(trib_buffer_print(&text, NULL, "<TEI><teiHeader><titleStmt><title>") == TRIB_OK);
    for (int i = 0; i < 100; i++) CHECK(trib_buffer_print(&text, NULL, "heron ") == TRIB_OK);
    CHECK(trib_buffer_print(&text, NULL, "</title></titleStmt></teiHeader>") == TRIB_OK);
    EXPECT(trib_tei_header(&about, text.text, text.length, is_date, NULL) == TRIB_OK);
    const size_t n = strlen(about.title);
    EXPECT(n > 150 && n <= TRIB_TITLE_MOST + 3);
    EXPECT_TEXT(about.title + n - 8, "heron\xE2\x80\xA6");
}
