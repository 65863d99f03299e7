/* judgements.c - tests of judgements: a table reduces a result to the accepted passages, and a
 * wrong table is rejected with its line. */
#include "pipeline/output/result.h"
#include "tests/pipeline/report/page.h"
#include "tests/test.h"

#define HEADER "target,source,target_first,target_last,source_first,source_last,judgement,note\n"

static json_t *passage(int first, int words) {
    return json_pack("{s:i,s:f,s:{s:i,s:i,s:[s,s,s]},s:{s:i,s:i,s:[s,s,s]}}", "shared", words,
                     "mass", 0.01, "target", "first", first, "words", words, "text", "", "here", "",
                     "source", "first", first + 100, "words", words + 1, "text", "", "there", "");
}

/* A result with two passages of t with a (words 10 to 14, 20 to 24) and one with b (30 to 34). */
static json_t *three_passages(void) {
    json_t *result = trib_page_result("anchored", "", "");
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_object_set_new(target, "evidence",
                        json_pack("[{s:s,s:i,s:[o,o]},{s:s,s:i,s:[o]}]", "source", "a",
                                  "n_passages", 7, "passages", passage(10, 5), passage(20, 5),
                                  "source", "b", "n_passages", 1, "passages", passage(30, 5)));
    return result;
}

static const json_t *evidence_of(const json_t *result, size_t e) {
    return json_array_get(
        json_object_get(json_array_get(json_object_get(result, "targets"), 0), "evidence"), e);
}

static trib_status judge(json_t *result, const char *rows, trib_error *error) {
    const char *path = trib_scratch("judgements.csv");
    trib_writer writer;
    CHECK(trib_writer_open(&writer, path, error) == TRIB_OK);
    trib_write_text(&writer, rows);
    CHECK(trib_writer_commit(&writer, NULL, error) == TRIB_OK);
    return trib_result_judge(result, path, error);
}

static void only_accepted_passages_are_left(void) {
    json_t *result = three_passages();
    trib_error error = {0};
    EXPECT_STATUS(judge(result,
                        HEADER "t,a,20,24,120,125,accepted,\"see \"\"Q\"\",\nline 2\"\n"
                               "t,a,10,14,110,115,rejected,no\n\nt,b,30,34,130,135,,unsure\n",
                        &error),
                  TRIB_OK, error);
    const json_t *left = json_object_get(evidence_of(result, 0), "passages");
    CHECK(json_array_size(left) == 1);
    EXPECT_TEXT(trib_json_get_text(json_array_get(left, 0), "note"), "see \"Q\",\nline 2");
    EXPECT(trib_json_get_number(evidence_of(result, 0), "n_passages") == 1);
    EXPECT(json_array_size(json_object_get(evidence_of(result, 1), "passages")) == 0);
    const json_t *judgements = json_object_get(result, "judgements");
    EXPECT(trib_json_get_number(judgements, "accepted") == 1);
    EXPECT(trib_json_get_number(judgements, "rejected") == 1);
    trib_page_expect(result, ", line 2", true);
}

static void columns_may_stand_in_any_order(void) {
    json_t *result = three_passages();
    trib_error error = {0};
    EXPECT_STATUS(judge(result,
                        "\xEF\xBB\xBFjudgement;source;target;target_first;target_last;"
                        "source_first;source_last\r\naccepted;b;t;30;34;130;135\r\n",
                        &error),
                  TRIB_OK, error);
    EXPECT(json_array_size(json_object_get(evidence_of(result, 0), "passages")) == 0);
    EXPECT(json_array_size(json_object_get(evidence_of(result, 1), "passages")) == 1);
    trib_page_expect(result, "1 were accepted, 0 were rejected", true);
}

static void a_formula_of_a_spreadsheet_is_text(void) {
    json_t *result = three_passages();
    trib_error error = {0};
    EXPECT_STATUS(judge(result, HEADER "t,b,30,34,130,135,accepted,'=1+1\n", &error), TRIB_OK,
                  error);
    trib_page_expect(result, "Note: =1+1", true);
}

static void a_wrong_table_names_its_line(void) {
    static const struct {
        const char *rows, *says;
    } wrong[] = {
        {"", ":1: no column 'target'"},
        {"target,source,target_first\n", ":1: no column 'target_last'"},
        {HEADER "t,b,30,34,130,135,yes,\n", ":2: 'yes' is no judgement; write accepted or"},
        {HEADER "t,b,30,x,130,135,accepted,\n", ":2: 'x' in column target_last is not"},
        {HEADER "t,b,30,34.5,130,135,accepted,\n", ":2: '34.5' in column target_last is not"},
        {HEADER "t,b,30,34,0,135,accepted,\n", ":2: '0' in column source_first is not"},
        {HEADER "t,b,30,34,130,135,accepted\n", ":2: 7 cells, but the first line has 8"},
        {HEADER "\nt,b,30,34,130,135,accepted,\"open\n", ":3: the quote of a cell is not closed"},
        {HEADER "t,b,30,34,130,135,accepted,\nt,b,30,34,130,135,rejected,\n",
         ":3: line 2 judges the same passage"},
        {HEADER "t,b,30,34,130,135,accepted,\nt,c,1,2,3,4,,x\nt,d,1,2,3,4,rejected,\n",
         ":3: the report of this run lists no such passage"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        json_t *result = three_passages();
        trib_error error = {0};
        EXPECT_STATUS(judge(result, wrong[w].rows, &error), TRIB_INPUT, error);
        if (!strstr(error.message, wrong[w].says)) EXPECT_TEXT(error.message, wrong[w].says);
        json_decref(result);
    }
}

static void without_a_judgement_there_is_no_appendix(void) {
    trib_page_expect(three_passages(), "Accepted passages", false);
}

CU_TestInfo trib_tests_output_judgements[] = {
    {"only accepted passages are left", only_accepted_passages_are_left},
    {"columns may stand in any order", columns_may_stand_in_any_order},
    {"a formula of a spreadsheet is text", a_formula_of_a_spreadsheet_is_text},
    {"a wrong table names its line", a_wrong_table_names_its_line},
    {"without a judgement there is no appendix", without_a_judgement_there_is_no_appendix},
    CU_TEST_INFO_NULL,
};
