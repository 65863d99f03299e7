/* svg.c - tests of the charts' arithmetic, and of sentences with parts. The drawings are tested
 * with the whole page. */
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

/* What is written to a page, in a static buffer. */
static trib_html begin_page(trib_writer *writer) {
    trib_error error = {0};
    trib_html html;
    EXPECT_STATUS(trib_writer_open(writer, trib_scratch("page"), &error), TRIB_OK, error);
    trib_html_init(&html, writer);
    return html;
}

static char *end_page(trib_html *html) {
    static char text[1024];
    trib_error error = {0};
    trib_reader reader;
    trib_buffer page = {0};
    trib_writer *writer = html->writer;
    trib_html_release(html);
    EXPECT_STATUS(trib_writer_commit(writer, NULL, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reader_open(&reader, trib_scratch("page"), &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reader_all(&reader, &page, &error), TRIB_OK, error);
    trib_reader_close(&reader);
    snprintf(text, sizeof text, "%s", page.text ? page.text : "");
    trib_buffer_release(&page);
    return text;
}

/* Compares the label for a text in so many letters, without its element. */
static void expect_label(const char *text, unsigned letters, const char *wanted) {
    trib_writer writer;
    trib_html html = begin_page(&writer);
    trib_svg_label(&html, NULL, 0, 0, text, letters);
    char *page = end_page(&html), *from = strchr(page, '>'), *to = from ? strchr(from, '<') : NULL;
    CHECK(to != NULL);
    *to = '\0';
    EXPECT_TEXT(from + 1, wanted);
}

static void the_parts_of_a_sentence_stand_in_it(void) {
    trib_writer writer;
    trib_html html = begin_page(&writer);
    trib_report_say(&html, "{t} gives {p} of {n} words, by {c}; {s}{z}.", "<A>", 0.125, 12345.0,
                    "lowe", "no. ", (size_t)7);
    trib_report_say_in(&html, "p", "x", "100 % {s}", "&");
    trib_report_interval(&html, "small", 0.1, 0.2);
    trib_report_interval(&html, "small", (double)NAN, 0.2);
    EXPECT_TEXT(end_page(&html),
                "<bdi>&lt;A&gt;</bdi> gives <span class=\"n\">12.5\u202F%</span> of 12\u202F345 "
                "words, by <code>lowe</code>; no. 7.\n<p class=\"x\">100 % &amp;</p>"
                "<small class=\"n\">10.0\u202F% to 20.0\u202F%</small>");
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
    {"the parts of a sentence stand in it", the_parts_of_a_sentence_stand_in_it},
    {"labels are cut before their end", labels_are_cut_before_their_end},
    {"an axis contains its largest value", an_axis_contains_its_largest_value},
    {"shades change at their limits", shades_change_at_their_limits},
    CU_TEST_INFO_NULL,
};
