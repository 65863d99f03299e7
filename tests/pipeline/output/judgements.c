/* judgements.c - tests of judgements: a table reduces a result to the accepted passages, and a
 * wrong table is rejected with its line. */
#include "pipeline/output/result.h"
#include "tests/pipeline/report/page.h"
#include "tests/test.h"

TESTS(output, judgements);

#define HEADER "target,source,target_first,target_last,source_first,source_last,judgement,note\n"

#define HEADER_JUDGE                                                                               \
    "target,source,target_first,target_last,source_first,source_last,judgement,note,judge\n"

#define PASSAGE(first, there)                                                                      \
    "{'shared':5,'mass':0.01,'target':{'first':" first ",'words':5,'text':['','here','']},"        \
    "'source':{'first':" there ",'words':6,'text':['','there','']}}"

/* Reads a result with two passages of t with a (words 10 to 14, 20 to 24) and one with b (30 to
 * 34), reduces it by a table, and reads its target. */
static trib_result result;
static trib_arena arena;
static const trib_target_record *target;

static trib_status judge_shares(const char *files, trib_error *error) {
    json_t *const json = trib_page_result(
        "anchored",
        "{'source':'a','share':0.05,'low':0.04,'high':0.06,'below_floor':false,'decoy':false},"
        "{'source':'b','share':0.3,'low':null,'high':null,'below_floor':false,'decoy':false}",
        ",'evidence':[{'source':'a','n_passages':7,'passages':[" PASSAGE("10", "110") "," PASSAGE(
            "20", "120") "]},{'source':'b','n_passages':1,'passages':[" PASSAGE("30", "130") "]}]");
    char *const text = json_dumps(json, 0);
    CHECK(text != NULL);
    CHECK(trib_result_read(&result, "x", text, strlen(text), error) == TRIB_OK);
    const trib_status status = trib_result_judge(&result, files, error);
    free(text);
    json_decref(json);
    target = status == TRIB_OK ? trib_target_read(&result, 0, &arena) : NULL;
    return status;
}

static trib_status judge(const char *rows, trib_error *error) {
    return judge_shares(trib_write_scratch("judgements.csv", rows), error);
}

static void end(void) {
    trib_arena_release(&arena);
    trib_result_release(&result);
}

TEST(only_accepted_passages_are_left) {
    trib_error error = {0};
    EXPECT_OK(judge(HEADER "t,a,20,24,120,125,accepted,\"see \"\"Q\"\",\nline 2\"\n"
                           "t,a,10,14,110,115,rejected,no\n\nt,b,30,34,130,135,,unsure\n",
                    &error));
    const trib_evidence_record *const a = &target->evidence.item[0];
    CHECK(a->passages.n == 1);
    EXPECT(a->passages.item[0].target->first == 20 && a->n_passages == 1);
    EXPECT_TEXT(a->passages.item[0].note, "see \"Q\",\nline 2");
    EXPECT(target->evidence.item[1].passages.n == 0);
    EXPECT(result.judgements->accepted == 1 && result.judgements->rejected == 1);
    trib_page_says(&result, ", line 2", true);
    trib_page_says(&result, "Of 3 passages 2 were judged: 1 were accepted, 1 were rejected.", true);
    end();
}

/* 0.02 of the 0.05 with a was rejected; b is judged by two, who disagree. */
TEST(what_was_rejected_counts_for_nothing) {
    trib_error error = {0};
    char files[4096];
    snprintf(files, sizeof files, "%s,",
             trib_write_scratch("one.csv", HEADER_JUDGE
                                "t,a,20,24,120,125,rejected,,AB\nt,a,10,14,110,115,accepted,,AB\n"
                                "t,b,30,34,130,135,accepted,,AB\n"));
    snprintf(files + strlen(files), sizeof files - strlen(files), "%s",
             trib_write_scratch("two.csv", HEADER
                                "t,a,20,24,120,125,rejected,\n"
                                "t,a,10,14,110,115,accepted,\nt,b,30,34,130,135,rejected,\n"));
    EXPECT_OK(judge_shares(files, &error));
    const trib_influence_record *const method = trib_target_headline(&result, target);
    EXPECT(fabs(method->shares.item[0].share - 0.04) < 1e-9 && isnan(method->shares.item[0].low));
    EXPECT(!method->shares.item[0].below_floor && fabs(method->author - 0.51) < 1e-9);
    EXPECT(method->shares.item[1].share == 0.3);
    EXPECT(result.judgements->accepted == 1 && result.judgements->rejected == 1 &&
           result.judgements->disputed == 1 && result.judgements->both == 3);
    EXPECT(fabs(result.judgements->kappa - 0.4) < 1e-9);
    trib_page_says(&result,
                   "Of 3 passages 3 were judged by AB and two.csv: 1 were accepted, 1 were "
                   "rejected, and of 1 the judges disagree. Both judged 3 of them, with an "
                   "agreement of kappa 0.40.",
                   true);
    end();
}

/* Both pairs of places of a target that may be allusions; one is accepted, with a note and tags. */
TEST(possible_allusions_are_judged_as_passages_are) {
#define PLACE(first) "{'first':" first ",'words':5,'text':['','here','']}"
#define PAIR(first, there)                                                                         \
    "{'rank':1,'score':9,'source':'a','shared':[],'distance':null,'cosine':0,'in_target':" PLACE(  \
        first) ",'in_source':" PLACE(there) "}"
    trib_error error = {0};
    json_t *const json = trib_page_result(
        "anchored", "",
        ",'n_parallels':2,'parallels':[" PAIR("10", "110") "," PAIR("20", "120") "]");
    char *const text = json_dumps(json, 0);
    CHECK(text && trib_result_read(&result, "x", text, strlen(text), &error) == TRIB_OK);
    EXPECT_OK(trib_result_judge(
        &result,
        trib_write_scratch("judgements.csv", "target,source,target_first,target_last,source_first,"
                                             "source_last,judgement,note,judge,tags\n"
                                             "t,a,10,14,110,114,rejected,,AB,\n"
                                             "t,a,20,24,120,124,accepted,why,AB,\"sea, storm\"\n"),
        &error));
    target = trib_target_read(&result, 0, &arena);
    CHECK(target->parallels.n == 1 && target->n_parallels == 1);
    EXPECT(target->parallels.item[0].in_target->first == 20);
    EXPECT_TEXT(target->parallels.item[0].note, "why [sea, storm]");
    trib_page_says(&result, "Note: why [sea, storm]", true);
    free(text);
    json_decref(json);
    end();
}

/* Passages that are not listed are weaker than those that are. */
TEST(a_source_without_all_its_passages_has_no_share) {
    trib_error error = {0};
    EXPECT_OK(judge(HEADER "t,b,30,34,130,135,rejected,\n", &error));
    const trib_influence_record *const method = trib_target_method(target, "anchored");
    EXPECT(method->shares.item[1].share == 0 && method->shares.item[0].share == 0.05);
    end();
}

TEST(columns_may_stand_in_any_order) {
    trib_error error = {0};
    EXPECT_OK(judge("\xEF\xBB\xBFjudgement;source;target;target_first;target_last;"
                    "source_first;source_last\r\naccepted;b;t;30;34;130;135\r\n",
                    &error));
    EXPECT(target->evidence.item[0].passages.n == 0 && target->evidence.item[1].passages.n == 1);
    trib_page_says(&result, "1 were accepted, 0 were rejected", true);
    end();
}

TEST(a_formula_of_a_spreadsheet_is_text) {
    trib_error error = {0};
    EXPECT_OK(judge(HEADER "t,b,30,34,130,135,accepted,'=1+1\n", &error));
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
         "judges the same passage for the same judge; remove one"},
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
