/* many_targets.c - tests of the report of several targets: the sentences about all of them, and a
 * page for each. */
#include "tests/pipeline/report/page.h"
#include "tests/test.h"

TESTS(report, many_targets);

#define THIN "\xE2\x80\xAF"

/* A result with n targets, each a source of the others; target t draws on its first source with
 * `share(t)`. */
static json_t *result_of_many(int n, double (*share)(int t)) {
    json_t *result = trib_page_result("anchored", "", "");
    json_t *targets = json_array(), *documents = json_array();
    for (int t = 0; t < n; t++) {
        json_t *shares = json_array();
        for (int s = 0; s < n && s < 60; s++) {
            const double value = s == (t == 0) ? share(t) : 0.001;
            if (s != t)
                json_array_append_new(shares,
                                      json_pack("{s:o,s:f,s:n,s:n,s:b,s:b}", "source",
                                                json_sprintf("d%03d", s), "share", value, "low",
                                                "high", "below_floor", value < 0.015, "decoy", 0));
        }
        json_array_append_new(targets, json_pack("{s:o,s:f,s:s,s:{s:{s:f,s:o}}}", "target",
                                                 json_sprintf("d%03d", t), "floor", 0.015,
                                                 "floor_from", "rule", "methods", "anchored",
                                                 "author", 0.5, "shares", shares));
        json_array_append_new(documents, json_pack("{s:o,s:o}", "id", json_sprintf("d%03d", t),
                                                   "title", json_sprintf("Text %d", t)));
    }
    json_object_set_new(result, "targets", targets);
    json_object_set_new(result, "documents", documents);
    return result;
}

static double nothing(int t) { return t * 0.0; }
static double everywhere(int t) { return 0.1 + 0.001 * t; }
static double tied(int t) { return t < 2 ? 0.2 : 0.1; }
static double once(int t) { return t == 3 ? 0.3 : 0.0149; }

TEST(the_answer_for_many_counts_and_names_the_strongest) {
    trib_page_lines(
        result_of_many(20, nothing),
        "+ Of 20 targets, none shares words with other texts here above the noise floor.\n"
        "- largest share\n- No source shares with\n- The map of all texts");
    trib_page_lines(
        result_of_many(20, everywhere),
        "+ Of 20 targets, all share words with other texts here above the noise floor. The "
        "largest share is 11.9" THIN "%, of Text 19 with Text 0.\n"
        "- The grey part of a bar is formulas");
    trib_page_lines(result_of_many(20, tied),
                    "+ The largest shares are 20.0" THIN
                    "% each, of Text 0 with Text 1 and of Text 1 with Text 0.");
    json_t *result = result_of_many(20, once);
    trib_page_change(result, "documents/0/date='1800'");
    trib_page_change(result, "documents/3/date='1900'");
    trib_page_lines(result, "+ of Text 3 from Text 0.");
    trib_page_lines(
        result_of_many(20, once),
        "+ Of 20 targets, 1 shares words with other texts here above the noise floor. In 19 no "
        "source rises above it. The largest share is 30.0" THIN "%, of Text 3 with Text 0.");
}

TEST(of_very_many_targets_the_strongest_have_rows) {
    trib_page_lines(result_of_many(501, everywhere),
                    "+ 100 of 501 targets shown. All are in \n+ 100 of 501 texts shown. All are in "
                    "\n+ Text 450\n- Text 350");
    trib_page_lines(result_of_many(500, everywhere), "- targets shown. All are in");
}

TEST(the_bars_show_formulas) {
    json_t *result = result_of_many(20, everywhere);
    trib_page_change(result, "targets/7/methods/anchored/formula=0.25");
    trib_page_change(result, "configuration/influence={'formula':'100'}");
    char *page = trib_page_of(result);
    EXPECT(trib_page_count(page, "class=\"water formula\"") == 1);
    trib_page_lines(result, "+ The grey part of a bar is formulas");
}

/* From two targets on the first page is the same, and how it was made is closed. */
TEST(two_targets_have_pages) {
    json_t *result = result_of_many(2, everywhere);
    char *first = trib_page_number(result, NULL, 0, "report.html");
    EXPECT(strstr(first, "<a href=\"targets/d001.html\">") && strstr(first, "class=\"matrix"));
    EXPECT(!strstr(first, "evidence-1") && !strstr(first, "class=\"river\""));
    EXPECT(strstr(first, "<section id=\"limits\"") &&
           trib_page_count(first, "<details class=\"methods\">") == 1);
    char *page = trib_page_number(result, NULL, 2, "targets/d001.html");
    EXPECT(strstr(page, "class=\"river\"") && strstr(page, "href=\"../report.html#limits\""));
    json_decref(result);
}

TEST(every_one_of_many_targets_has_a_page) {
    json_t *result = result_of_many(60, everywhere);
    trib_buffer name = {0};
    char *first = trib_page_number(result, NULL, 0, "report.html");
    EXPECT(trib_page_count(first, "<a href=\"targets/d059.html\">") >= 2);
    EXPECT(trib_page_count(first, "<table class=\"matrix\">") == 2 && strlen(first) < 350000);
    EXPECT(strstr(first, "evidence-1") == NULL);
    for (size_t page = 1; page <= 60; page += 59) {
        char *text = trib_page_number(result, NULL, page,
                                      page == 1 ? "targets/d000.html" : "targets/d059.html");
        EXPECT(strstr(text, "href=\"../report.html#limits\"") != NULL);
        EXPECT((strstr(text, "Next: ") != NULL) == (page == 1));
        EXPECT((strstr(text, "Before: ") != NULL) == (page == 60));
        EXPECT(strstr(text, "of 59 sources are drawn") != NULL);
        EXPECT(strstr(text, "href=\"report.css\"") != NULL && strlen(text) < 8000);
    }
    const char *hostile = "</title><script>alert(1)</script>\xE2\x80\xAE";
    trib_page_change(result, "name='%s'", hostile);
    for (size_t d = 0; d < 60; d++)
        trib_page_change(result, "documents/%zu/title='%s'", d, hostile);
    for (size_t page = 0; page <= 2; page++) {
        static const char *const names[] = {"report.html", "targets/d000.html",
                                            "targets/d001.html"};
        char *text = trib_page_number(result, NULL, page, names[page]),
             *again = trib_page_number(result, NULL, page, names[page]);
        EXPECT(trib_page_count(text, "<script>") == 1 && trib_page_count(text, "<script") == 1 &&
               trib_page_count(text, "{src:'report.js'}") == (page > 0) &&
               trib_page_count(text, "</title>") == 1 && !strstr(text, "\xE2\x80\xAE"));
        EXPECT(strcmp(text, again) == 0);
    }
    trib_page_change(result, "targets/0/target='../x'");
    trib_report *report = NULL;
    trib_error error = {0};
    CHECK(trib_report_open(&report, trib_page_record(result), NULL, "report.html", "targets",
                           &error) == TRIB_OK);
    EXPECT(trib_report_n_pages(report) == 66); /* and the style sheets, scripts and finds */
    EXPECT_STATUS(trib_report_page_name(report, 61, &name, &error), TRIB_OK, error);
    EXPECT_TEXT(name.text, "targets/report.css");
    EXPECT_STATUS(trib_report_page_name(report, 62, &name, &error), TRIB_OK, error);
    EXPECT_TEXT(name.text, "targets/report.js");
    EXPECT_STATUS(trib_report_page_name(report, 1, &name, &error), TRIB_INPUT, error);
    trib_report_close(report);
    trib_buffer_release(&name);
    json_decref(result);
}

/* Pages on demand may not be there, so no page links to one. */
TEST(pages_on_demand_are_not_written_and_not_linked) {
    static const struct {
        const char *most;
        bool is_on_demand;
    } cases[] = {{"19", true}, {"20", false}, {"auto", false}, {"all", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *result = result_of_many(20, everywhere);
        trib_report *report = NULL;
        trib_error error = {0};
        trib_page_change(result, "configuration/report={'target_pages':'%s'}", cases[i].most);
        char *first = trib_page_number(result, NULL, 0, "report.html"),
             *page = trib_page_number(result, NULL, 2, "targets/d001.html");
        EXPECT((strstr(first, "href=\"targets/d") == NULL) == cases[i].is_on_demand);
        EXPECT((strstr(first, "tributary report RUN --target ID") != NULL) ==
               cases[i].is_on_demand);
        EXPECT((strstr(page, "href=\"d000.html") == NULL) == cases[i].is_on_demand);
        CHECK(trib_report_open(&report, trib_page_record(result), NULL, "report.html", "targets",
                               &error) == TRIB_OK);
        EXPECT(trib_pages_are_on_demand(trib_page_record(result)) == cases[i].is_on_demand);
        EXPECT(trib_report_page_is_written(report, 0) && trib_report_page_is_written(report, 21));
        EXPECT(trib_report_page_is_written(report, 20) == !cases[i].is_on_demand);
        EXPECT(trib_report_page_of(report, "d001") == 2 && !trib_report_page_of(report, "x"));
        trib_report_close(report);
        json_decref(result);
    }
}

/* Of a source below the noise floor a page shows its long passage, and not its phrases. */
TEST(a_source_below_the_floor_has_its_passage_alone) {
    json_t *result = result_of_many(20, once);
    trib_page_change(result, "targets/0/evidence=[{'source':'d001','share':0.001,"
                             "'phrases':[{'words':['weak'],'target_count':1,'source_count':1}],"
                             "'passages':[{'shared':14,'notable':true,"
                             "'target':{'first':3,'words':14,'text':['','long copy']},"
                             "'source':{'first':9,'words':14,'text':['','long copy']}}]},"
                             "{'source':'d002','share':0.001,'phrases':[{'words':['weaker']}]}]");
    char *page = trib_page_number(result, NULL, 1, "targets/d000.html");
    EXPECT(strstr(page, "id=\"d000:d001\"") && !strstr(page, "id=\"d000:d002\""));
    EXPECT(strstr(page, "long copy") && !strstr(page, "weak"));
    json_decref(result);
}
