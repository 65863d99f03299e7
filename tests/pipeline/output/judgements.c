/* judgements.c - tests of judgements: a table reduces a result to the accepted passages, and a
 * wrong table is rejected with its line. */
#include "pipeline/output/result.h"
#include "tests/pipeline/report/page.h"
#include "tests/test.h"

TESTS(output, judgements);

#define HEADER "target,source,target_first,target_last,source_first,source_last,judgement,note\n"

#define PASSAGE(first, there)                                                                      \
    "{'shared':5,'mass':0.01,'target':{'first':" first ",'words':5,'text':['','here','']},"        \
    "'source':{'first':" there ",'words':6,'text':['','there','']}}"

/* Reads a result with two passages of t with a (words 10 to 14, 20 to 24) and one with b (30 to
 * 34), reduces it by a table, and reads its target. */
static trib_result result;
static trib_arena arena;
static const trib_target_record *target;

static trib_status judge(const char *rows, trib_error *error) {
    json_t *const json = trib_page_result(
        "anchored", "",
        ",'evidence':[{'source':'a','n_passages':7,'passages':[" PASSAGE("10", "110") "," PASSAGE(
            "20", "120") "]},{'source':'b','n_passages':1,'passages':[" PASSAGE("30", "130") "]}]");
    char *const text = json_dumps(json, 0);
    CHECK(text != NULL);
    CHECK(trib_result_read(&result, "x", text, strlen(text), error) == TRIB_OK);
    const trib_status status =
        trib_result_judge(&result, trib_write_scratch("judgements.csv", rows), error);
    free(text);
    json_decref(json);
    target = status == TRIB_OK ? trib_target_read(&result, 0, &arena) : NULL;
    return status;
}

static void end(void) {
    trib_arena_release(&arena);
    trib_result_release(&result);
}

TEST(only_accepted_passages_are_left) {
    trib_error error = {0};
    EXPECT_STATUS(judge(HEADER "t,a,20,24,120,125,accepted,\"see \"\"Q\"\",\nline 2\"\n"
                               "t,a,10,14,110,115,rejected,no\n\nt,b,30,34,130,135,,unsure\n",
                        &error),
                  TRIB_OK, error);
    const trib_evidence_record *const a = &target->evidence.item[0];
    CHECK(a->passages.n == 1);
    EXPECT(a->passages.item[0].target->first == 20 && a->n_passages == 1);
    EXPECT_TEXT(a->passages.item[0].note, "see \"Q\",\nline 2");
    EXPECT(target->evidence.item[1].passages.n == 0);
    EXPECT(result.judgements->accepted == 1 && result.judgements->rejected == 1);
    trib_page_says(&result, ", line 2", true);
    end();
}

TEST(columns_may_stand_in_any_order) {
    trib_error error = {0};
    EXPECT_STATUS(judge("\xEF\xBB\xBFjudgement;source;target;target_first;target_last;"
                        "source_first;source_last\r\naccepted;b;t;30;34;130;135\r\n",
                        &error),
                  TRIB_OK, error);
    EXPECT(target->evidence.item[0].passages.n == 0 && target->evidence.item[1].passages.n == 1);
    trib_page_says(&result, "1 were accepted, 0 were rejected", true);
    end();
}

TEST(a_formula_of_a_spreadsheet_is_text) {
    trib_error error = {0};
    EXPECT_STATUS(judge(HEADER "t,b,30,34,130,135,accepted,'=1+1\n", &error), TRIB_OK, error);
    trib_page_says(&result, "Note: =1+1", true);
    end();
}

TEST(a_wrong_table_names_its_line) {
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
        trib_error error = {0};
        EXPECT_STATUS(judge(wrong[w].rows, &error), TRIB_INPUT, error);
        if (!strstr(error.message, wrong[w].says)) EXPECT_TEXT(error.message, wrong[w].says);
        end();
    }
}

TEST(without_a_judgement_there_is_no_appendix) {
    trib_page_expect(trib_page_result("anchored", "", ""), "Accepted passages", false);
}
