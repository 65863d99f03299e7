/* parts.c - tests of the printed parts of a target and of the passages that are shown first. */
#include "tests/test.h"

#include <math.h>

#include "pipeline/output/parts.h"
#include "pipeline/support/json.h"

/* Parses JSON; apostrophes stand for quotes. */
static json_t *parse(const char *text) {
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; *c; c++)
        if (*c == '\'') *c = '"';
    json_t *value = json_loads(copy, 0, NULL);
    CHECK(value != NULL);
    return value;
}

/* Rounds the shares of a method and returns the sum of what is printed. */
static double printed_sum(const char *text, trib_parts *parts) {
    json_t *method = parse(text);
    const json_t *rows = json_object_get(method, "shares");
    CHECK(trib_parts_make(parts, method, rows, NULL) == TRIB_OK);
    double sum = parts->below + (isnan(parts->author) ? 0 : parts->author) +
                 (isnan(parts->formula) ? 0 : parts->formula);
    for (size_t r = 0; r < parts->n_rows; r++)
        if (trib_row_flows(json_array_get(rows, r))) sum += parts->row[r];
    json_decref(method);
    return sum;
}

#define ROW(id, share) "{'source':'" id "','share':" share "}"
#define LOW(id, share) "{'source':'" id "','share':" share ",'below_floor':true}"

static void printed_parts_add_up_to_the_whole(void) {
    trib_parts parts;
    /* each alone would be rounded down: 33.3 + 33.3 + 33.3 */
    EXPECT_NEAR(printed_sum("{'author':0.3333333334,'shares':[" ROW("a", "0.3333333333") "," ROW(
                                "b", "0.3333333333") "]}",
                            &parts),
                1, 1e-12);
    EXPECT_NEAR(parts.author, 0.334, 1e-12); /* which lost most */
    trib_parts_release(&parts);
    EXPECT_NEAR(
        printed_sum(
            "{'author':0.8545,'formula':0.0006,'own':0.5428,'common':0.3117,"
            "'left_out':{'sources':3,'share':0.00005},'shares':[" ROW("a", "0.087") "," ROW(
                "b", "0.0529") "," LOW("c", "0.0038") "," LOW("d",
                                                              "0.0008") "," LOW("e",
                                                                                "0.00035") "]}",
            &parts),
        1, 1e-12);
    EXPECT_NEAR(parts.own + parts.common, parts.author, 1e-12);
    EXPECT_NEAR(parts.below, parts.row[2] + parts.row[3] + parts.row[4], 1e-12);
    EXPECT_NEAR(parts.row[0], 0.087, 1e-12);
    trib_parts_release(&parts);
}

static void shares_that_overlap_are_rounded_singly(void) {
    trib_parts parts;
    printed_sum("{'author':0.5,'shares':[" ROW("a", "0.4444") "," ROW("b", "0.5556") "]}", &parts);
    EXPECT_NEAR(parts.row[0], 0.444, 1e-12);
    EXPECT_NEAR(parts.row[1], 0.556, 1e-12);
    EXPECT_NEAR(parts.author, 0.5, 1e-12);
    trib_parts_release(&parts);
}

static void a_source_above_the_floor_is_never_printed_as_0(void) {
    trib_parts parts;
    EXPECT_NEAR(printed_sum("{'author':0.9996,'shares':[" ROW("a", "0.0004") "]}", &parts), 1,
                1e-12);
    EXPECT(parts.decimals == 2);
    EXPECT_NEAR(parts.row[0], 0.0004, 1e-12);
    trib_parts_release(&parts);
}

static void no_rows_and_no_numbers_are_no_error(void) {
    trib_parts parts;
    printed_sum("{'shares':[]}", &parts);
    EXPECT(parts.n_rows == 0 && parts.below == 0 && isnan(parts.author));
    trib_parts_release(&parts);
    printed_sum("{'author':null,'shares':[{'source':'a','share':null}]}", &parts);
    EXPECT(parts.row[0] == 0);
    trib_parts_release(&parts);
}

#define PASSAGE(first, words, shared, rarity, notable)                                             \
    "{'shared':" shared ",'rarity':" rarity ",'notable':" notable ",'target':{'first':" first      \
    ",'words':" words "},'source':{'first':1,'words':" words "}}"

static void expect_chosen(const char *evidence, const char *wanted, double longest, double rarest) {
    char text[4096];
    snprintf(text, sizeof text,
             "{'headline':'traced','targets':[{'target':'t','methods':{'traced':{'shares':["
             "{'source':'d','share':0,'decoy':true,'below_floor':true}]}},'evidence':[%s]}]}",
             evidence);
    json_t *result = parse(text);
    const json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    const trib_chosen_passages chosen = trib_passages_choose(result, target, wanted);
    EXPECT_NEAR(chosen.longest.passage ? trib_json_get_number(chosen.longest.passage, "shared") : 0,
                longest, 0);
    EXPECT_NEAR(chosen.rarest.passage ? trib_json_get_number(chosen.rarest.passage, "shared") : 0,
                rarest, 0);
    json_decref(result);
}

static void the_longest_and_the_rarest_passage_are_chosen(void) {
    static const char two[] =
        "{'source':'a','passages':[" PASSAGE("1", "40", "40", "80", "true") "," PASSAGE(
            "100", "13", "13", "65",
            "true") "," PASSAGE("200", "8", "8", "80",
                                "false") "]},"
                                         "{'source':'b','passages':[" PASSAGE(
                                             "300", "30", "30", "90",
                                             "true") "," PASSAGE("20", "14", "14", "140",
                                                                 "true") "]}";
    /* 14 words of b have rarer words, but stand in the longest passage */
    expect_chosen(two, NULL, 40, 13);
    expect_chosen(two, "b", 30, 14);
    /* a passage that is not notable says nothing for a source that is not above the floor */
    expect_chosen("{'source':'a','passages':[" PASSAGE("1", "9", "9", "80", "false") "]}", NULL, 0,
                  0);
    expect_chosen(two, "c", 0, 0);
    expect_chosen("", NULL, 0, 0);
}

static void decoys_give_no_passage(void) {
    expect_chosen("{'source':'d','passages':[" PASSAGE("1", "40", "40", "80", "true") "]}", NULL, 0,
                  0);
}

static void of_equal_passages_the_one_with_rarer_words_comes_first(void) {
    static const char equal[] = "{'source':'a','passages':[" PASSAGE(
        "1", "20", "20", "20", "true") "]},"
                                       "{'source':'b','passages':[" PASSAGE("1", "20", "20", "40",
                                                                            "true") "]}";
    char text[2048];
    snprintf(text, sizeof text,
             "{'headline':'traced','targets':[{'target':'t','methods':{},'evidence':[%s]}]}",
             equal);
    json_t *result = parse(text);
    const json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    const trib_chosen_passages chosen = trib_passages_choose(result, target, NULL);
    EXPECT_TEXT(chosen.longest.source, "b");
    EXPECT(chosen.n_notable == 2);
    json_decref(result);
}

CU_TestInfo trib_tests_output_parts[] = {
    {"printed parts add up to the whole", printed_parts_add_up_to_the_whole},
    {"shares that overlap are rounded singly", shares_that_overlap_are_rounded_singly},
    {"a source above the floor is never printed as 0",
     a_source_above_the_floor_is_never_printed_as_0},
    {"no rows and no numbers are no error", no_rows_and_no_numbers_are_no_error},
    {"the longest and the rarest passage are chosen",
     the_longest_and_the_rarest_passage_are_chosen},
    {"decoys give no passage", decoys_give_no_passage},
    {"of equal passages the one with rarer words comes first",
     of_equal_passages_the_one_with_rarer_words_comes_first},
    CU_TEST_INFO_NULL,
};
