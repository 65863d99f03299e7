/* answer.c - tests of the answer in words and its cautions. Every sentence depends on numbers
 * and is tried on both sides of its limit: in answer.txt stand the shares of a method, by source,
 * what else of the result is changed, and the sentences that are on the page (+) or not (-). */
#include "tests/test.h"

#include "tests/pipeline/report/page.h"

/* Writes rows as JSON: "ID SHARE LOW HIGH below decoy", of which all after the share may be
 * missing, with commas between them. */
static void write_rows(char *to, const char *from) {
    for (const char *end; *from; from = end + strspn(end, ", ")) {
        char row[80], id[16], share[16], low[16] = "null", high[16] = "null";
        end = from + strcspn(from, ",");
        snprintf(row, sizeof row, "%.*s", (int)(end - from), from);
        CHECK(sscanf(row, "%15s %15s %15[0-9.] %15[0-9.]", id, share, low, high) >= 2);
        to += sprintf(to,
                      "{'source':'%s','share':%s,'low':%s,'high':%s,'below_floor':%s,'decoy':%s}%s",
                      id, share, low, high, strstr(row, "below") ? "true" : "false",
                      strstr(row, "decoy") ? "true" : "false", *end ? "," : "");
    }
}

static void the_page_says(void) {
    char shares[2000] = "", changes[4000];
    write_rows(shares, trib_case_text("shares"));
    json_t *result = trib_page_result(trib_case_text("method"), shares, "");
    snprintf(changes, sizeof changes, "%s", trib_case_text("changes"));
    for (char *line = strtok(changes, "\n"); line; line = strtok(NULL, "\n"))
        trib_page_change(result, "%s", line);
    trib_page_lines(result, trib_case_text("sentences"));
}

static void a_long_passage_is_cut_in_the_answer(void) {
    char text[2048] = "";
    for (int w = 0; w < 400; w++) strcat(text, "word ");
    json_t *result = trib_page_result("anchored", "{'source':'a','share':0.2}", "");
    trib_page_change(result,
                     "targets/0/evidence=[{'source':'a','passages':[{'shared':400,'target':"
                     "{'first':1,'words':400,'text':['','%s','']},'source':{'first':1,"
                     "'words':400}}]}]",
                     text);
    char *page = trib_page_of(result);
    EXPECT(strstr(page, "word word</mark> \xE2\x80\xA6</blockquote>") != NULL);
    json_decref(result);
}

CU_TestInfo trib_tests_report_answer[] = {
    {"tests/pipeline/report/answer.txt [answer]", the_page_says},
    {"a long passage is cut in the answer", a_long_passage_is_cut_in_the_answer},
    CU_TEST_INFO_NULL,
};
