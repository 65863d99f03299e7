/* svg.c - tests of the charts' arithmetic. The drawings are tested with the whole page. */
#include "tests/test.h"

#include "pipeline/report/svg.h"

static void an_axis_contains_its_largest_value(void) {
    EXPECT_NEAR(trib_svg_axis(0), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(NAN), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(0.05), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(0.051), 0.1, 1e-12);
    EXPECT_NEAR(trib_svg_axis(0.3), 0.3, 1e-12);
    EXPECT_NEAR(trib_svg_axis(0.97), 1, 0);
    EXPECT_NEAR(trib_svg_axis(3), 1, 0);
}

static void shades_change_at_their_limits(void) {
    static const double limits[] = {0.01, 0.025, 0.05, 0.1, 0.2, 0.4};
    EXPECT(trib_svg_shade(0) == 0 && trib_svg_shade(1) == 6);
    for (unsigned i = 0; i < 6; i++) {
        EXPECT(trib_svg_shade(limits[i]) == i + 1);
        EXPECT(trib_svg_shade(limits[i] * 0.999) == i);
    }
}

/* Compares the label for a text in so many letters, without its element. */
static void expect_label(const char *text, unsigned letters, const char *wanted) {
    trib_error error = {0};
    trib_writer writer;
    trib_html html;
    trib_reader reader;
    trib_buffer page = {0};
    EXPECT_STATUS(trib_writer_open(&writer, trib_scratch("label"), &error), TRIB_OK, error);
    trib_html_init(&html, &writer);
    trib_svg_label(&html, NULL, 0, 0, text, letters);
    trib_html_release(&html);
    EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reader_open(&reader, trib_scratch("label"), &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reader_all(&reader, &page, &error), TRIB_OK, error);
    trib_reader_close(&reader);
    char *from = strchr(page.text, '>'), *to = from ? strchr(from, '<') : NULL;
    CHECK(to != NULL);
    *to = '\0';
    EXPECT_TEXT(from + 1, wanted);
    trib_buffer_release(&page);
}

static void labels_are_cut_before_their_end(void) {
    expect_label("", 7, "");
    expect_label("Alpha 1", 7, "Alpha 1");
    expect_label("License 1.1", 7,
                 "Lic\xE2\x80\xA6"
                 "1.1");
    expect_label("General License 1", 15,
                 "General L\xE2\x80\xA6"
                 "nse 1");
    expect_label("abcdefgh", 3, "ab\xE2\x80\xA6");
    expect_label("abc", 0, "\xE2\x80\xA6");
    /* e with a combining accent counts as one letter and is not split; a letter of East Asia
     * counts as two */
    expect_label("abcdefge\xCC\x81", 8, "abcdefge\xCC\x81");
    expect_label("abcdefge\xCC\x81", 7,
                 "abc\xE2\x80\xA6"
                 "fge\xCC\x81");
    expect_label("\xE4\xB8\x80\xE4\xB8\x80\xE4\xB8\x80\xE4\xB8\x80", 7,
                 "\xE4\xB8\x80\xE2\x80\xA6\xE4\xB8\x80");
}

CU_TestInfo trib_tests_report_svg[] = {
    {"labels are cut before their end", labels_are_cut_before_their_end},
    {"an axis contains its largest value", an_axis_contains_its_largest_value},
    {"shades change at their limits", shades_change_at_their_limits},
    CU_TEST_INFO_NULL,
};
