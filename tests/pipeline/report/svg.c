/* svg.c - tests of the charts' arithmetic, and of sentences with parts. The drawings are tested
 * with the whole page. */
#include "tests/test.h"

#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

TESTS(report, svg);

TEST(an_axis_contains_its_largest_value) {
    EXPECT_NEAR(trib_svg_axis(0), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(NAN), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(0.05), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(0.051), 0.1, 1e-12);
    EXPECT_NEAR(trib_svg_axis(0.3), 0.3, 1e-12);
    EXPECT_NEAR(trib_svg_axis(0.97), 1, 0);
    EXPECT_NEAR(trib_svg_axis(3), 1, 0);
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
    static char text[16384];
    trib_error error = {0};
    trib_buffer page = {0};
    trib_writer *writer = html->writer;
    trib_html_release(html);
    EXPECT_STATUS(trib_writer_commit(writer, NULL, &error), TRIB_OK, error);
    trib_read_bytes(trib_scratch("page"), &page);
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

TEST(the_parts_of_a_sentence_stand_in_it) {
    trib_writer writer;
    trib_html html = begin_page(&writer);
    trib_report_say(&html, "{t} gives {p} of {n} words, by {c}; {s}{z}.", "<A>", 0.125, 12345.0,
                    "lowe", "no. ", (size_t)7);
    trib_report_say(&html, "<p class='x' id='{s}-{z}' lang>100 % {s}<path d='{f1}'/></p>", "\"",
                    (size_t)1, "&", 2.0);
    html.language = "la";
    trib_report_say(&html, "<q lang>{p2}", 0.5);
    trib_report_cells(&html, "{s}|#{n}", "A|B", 1000.0);
    trib_report_say(&html, "</q>");
    trib_report_interval(&html, "small", 0.1, 0.2);
    trib_report_interval(&html, "small", (double)NAN, 0.2);
    EXPECT_TEXT(end_page(&html),
                "<bdi>&lt;A&gt;</bdi> gives <span class=\"n\">12.5\u202F%</span> of 12\u202F345 "
                "words, by <code>lowe</code>; no. 7.\n<p class=\"x\" id=\"&quot;-1\">100 % &amp;\n"
                "<path d=\"2.0\"/></p><q lang=\"la\">50.00\u202F%\n<td>A|B</td>\n"
                "<td class=\"n\">1\u202F000</td></q>"
                "<small class=\"n\">10.0\u202F% to 20.0\u202F%</small>");
}

TEST(labels_are_cut_before_their_end) {
    /* e with a combining accent counts as one letter and is not split; a letter of East Asia counts
     * as two */
    static const struct {
        const char *text;
        unsigned letters;
        const char *wanted;
    } cases[] = {{"", 7, ""},
                 {"Alpha 1", 7, "Alpha 1"},
                 {"License 1.1", 7, "Lic\u20261.1"},
                 {"General License 1", 15, "General L\u2026nse 1"},
                 {"abcdefgh", 3, "ab\u2026"},
                 {"abc", 0, "\u2026"},
                 {"abcdefge\u0301", 8, "abcdefge\u0301"},
                 {"abcdefge\u0301", 7, "abc\u2026fge\u0301"},
                 {"\u4E00\u4E00\u4E00\u4E00", 7, "\u4E00\u2026\u4E00"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_label(cases[i].text, cases[i].letters, cases[i].wanted);
}

static void open_arc(void *context, size_t arc) {
    trib_html *html = context;
    trib_html_begin(html, "a");
    trib_html_attribute(html, "href", "#%zu", arc);
}

/* The markup of three texts and two arcs, the second with half the share of the first. */
static char *time_of(const double when[3], const char *last) {
    trib_writer writer;
    trib_html html = begin_page(&writer);
    const trib_svg_event event[] = {{"Alpha", when[0]}, {"Beta", when[1]}, {last, when[2]}};
    const trib_svg_arc arc[] = {{.from = 0, .to = 2, .share = 0.2},
                                {.from = 2, .to = 1, .share = 0.1, .backward = true}};
    const trib_svg_time time = {.n_events = 3,
                                .n_arcs = 2,
                                .event = event,
                                .arc = arc,
                                .open_link = open_arc,
                                .context = &html,
                                .id = "time",
                                .title = "Time",
                                .description = "Arcs"};
    trib_svg_time_draw(&html, &time);
    return end_page(&html);
}

/* The y of the n-th point on the axis. */
static double point_of(const char *page, int n) {
    for (const char *at = page; (at = strstr(at, "cy=\"")) != NULL; at++)
        if (n-- == 0) return atof(at + 4);
    return NAN;
}

TEST(texts_stand_at_their_dates) {
    char *page = time_of((const double[]){1800, 1810, 1900}, "Gamma");
    const double first = point_of(page, 0), second = point_of(page, 1), third = point_of(page, 2);
    EXPECT_NEAR((second - first) / (third - first), 0.1, 0.01);
    EXPECT(strstr(page, ">1850<") && strstr(page, ">1900<"));
    page = time_of((const double[]){1800, NAN, 1900}, "Gamma");
    EXPECT_NEAR(point_of(page, 1) - point_of(page, 0), point_of(page, 2) - point_of(page, 1), 0.11);
    EXPECT(!strstr(page, "class=\"year\"") && !strstr(page, "nan"));
    page = time_of((const double[]){-99, -49, 51}, "Gamma");
    EXPECT(strstr(page, ">60 BC<") && strstr(page, ">1<") && strstr(page, ">40<"));
}

TEST(arcs_are_as_wide_as_their_shares_and_links) {
    char *page = time_of((const double[]){1800, 1810, 1900}, "Gamma");
    EXPECT(strstr(page, "stroke-width=\"16.0\"") && strstr(page, "stroke-width=\"8.0\""));
    EXPECT(strstr(page, "href=\"#0\"") && strstr(page, "href=\"#1\""));
    EXPECT(strstr(page, "class=\"arc\"") && strstr(page, "class=\"arc back\""));
    EXPECT(strstr(page, "<title id=\"time-title\">Time</title>") != NULL);
    EXPECT(strstr(page, "<desc id=\"time-desc\">Arcs</desc>") != NULL);
}

TEST(a_long_title_has_two_lines) {
    const double when[] = {1800, 1810, 1900};
    char *page = time_of(when, "The second part of the history of Henry the Fourth, his death");
    EXPECT(strstr(page, ">The second part of the history<") != NULL);
    EXPECT(strstr(page, ">of Henry the Fourth, his death<") != NULL);
}
