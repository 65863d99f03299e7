/* map.c - tests of the map of all texts: its scale, its cells and their links, and the two orders
 * that can be chosen without the script. */
#include "pipeline/report/report.h"
#include "tests/pipeline/report/page.h"
#include "tests/test.h"

TESTS(report, map);

#define THIN "\xE2\x80\xAF"

TEST(the_scale_changes_at_its_steps) {
    static const double steps[] = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
    EXPECT(trib_report_shade(0) == 0 && trib_report_shade(1) == 6);
    for (unsigned i = 0; i < 6; i++) {
        EXPECT(trib_report_shade(steps[i]) == i + 1);
        EXPECT(trib_report_shade(steps[i] * 0.999) == i);
    }
}

/* Three texts that are targets: c draws on a with a share above the floor, and on b below it. */
static json_t *three(const char *title) {
    json_t *result = trib_page_result("anchored", "", "");
    json_t *documents = json_pack("[{s:s,s:s,s:s},{s:s,s:s,s:s},{s:s,s:s,s:s}]", "id", "a", "title",
                                  title, "date", "1800", "id", "b", "title", "Beta", "date", "1900",
                                  "id", "c", "title", "Gamma", "date", "1950");
    json_t *targets =
        json_pack("[{s:s,s:f,s:{s:{s:f,s:[]}}},{s:s,s:f,s:{s:{s:f,s:[]}}},"
                  "{s:s,s:f,s:{s:{s:f,s:[{s:s,s:f,s:b},{s:s,s:f,s:b}]}},s:[{s:s,s:f,s:[],s:[]}]}]",
                  "target", "a", "floor", 0.015, "methods", "anchored", "author", 1.0, "shares",
                  "target", "b", "floor", 0.015, "methods", "anchored", "author", 1.0, "shares",
                  "target", "c", "floor", 0.015, "methods", "anchored", "author", 0.7, "shares",
                  "source", "a", "share", 0.25, "below_floor", 0, "source", "b", "share", 0.004,
                  "below_floor", 1, "evidence", "source", "a", "share", 0.25, "phrases", "factors");
    CHECK(documents && targets);
    json_object_set_new(result, "documents", documents);
    json_object_set_new(result, "targets", targets);
    return result;
}

/* The page of a result, which is released. */
static char *page_of(json_t *result) {
    char *page = trib_page_of(result);
    json_decref(result);
    return page;
}

TEST(a_cell_is_a_link_to_its_evidence) {
    char *page = page_of(three("Alpha"));
    EXPECT(trib_page_count(
               page, "<td class=\"s5\"><a href=\"targets/c.html#c:a\" title=\"Alpha \xE2\x86\x92 "
                     "Gamma: 25.0" THIN "%\">25.0</a></td>") == 2);
    /* no evidence is shown of a share below the floor */
    EXPECT(trib_page_count(page,
                           "<td class=\"u2\"><a href=\"targets/c.html\" title=\"Beta \xE2\x86\x92 "
                           "Gamma: 0.40" THIN "%\">(0.4)</a></td>") == 2);
}

TEST(two_orders_can_be_chosen_without_the_script) {
    char *page = page_of(three("Alpha"));
    EXPECT(trib_page_count(page, "type=\"radio\" name=\"map-order\"") == 2);
    EXPECT(trib_page_count(page, "checked=\"checked\"") == 1);
    const char *first = strstr(page, "class=\"by-time\""), *second = strstr(page, "by-likeness\"");
    CHECK(first && second);
    EXPECT(strstr(first, "in the order of time") != NULL);
    /* Gamma is beside Alpha, which it draws on */
    const char *rows = strstr(second, "<tbody>");
    CHECK(rows != NULL);
    EXPECT(strstr(rows, "Alpha") && strstr(rows, "Beta") && strstr(rows, "Gamma"));
    EXPECT(strstr(rows, "<bdi>Beta") > strstr(rows, "<bdi>Gamma"));
}

TEST(names_are_whole_and_escaped) {
    static const char title[] =
        "A <title> of one hundred letters and more, which stands in its row and in its column "
        "without an ellipsis & without a cut";
    char *page = page_of(three(title));
    EXPECT(trib_page_count(page, "<bdi>A &lt;title&gt; of one hundred letters and more, which "
                                 "stands in its row and in its column without an ellipsis &amp; "
                                 "without a cut</bdi>") >= 4);
}

TEST(where_nothing_is_shared_there_is_no_map) {
    json_t *result = three("Alpha");
    trib_page_change(result, "targets/2/methods/anchored/shares/0/below_floor=true");
    EXPECT(strstr(page_of(result), "id=\"map\"") == NULL);
}

TEST(one_target_has_no_map) {
    char *page = page_of(
        trib_page_result("anchored",
                         "{'source':'s','share':0.2,'low':null,'high':null,'below_floor':false,"
                         "'decoy':false}",
                         ""));
    EXPECT(strstr(page, "id=\"map\"") == NULL);
}
