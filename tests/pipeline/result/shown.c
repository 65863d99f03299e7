/* shown.c - tests of the printed shares of a target and of the passages that are shown first. */
#include "pipeline/result/shown.h"

#include "tests/test.h"

TESTS(result, shown);

/* A result of one target, and its record; apostrophes in its JSON stand for quotes. */
static trib_result result;
static trib_arena arena;
static const trib_target_record *target;

static void begin(const char *methods, const char *evidence) {
    static char text[8192];
    trib_error error = {0};
    snprintf(text, sizeof text,
             "{'schema':1,'headline':'traced','targets':[{'target':'t','methods':{%s},"
             "'evidence':[%s]}]}",
             methods, evidence);
    for (char *c = text; *c; c++)
        if (*c == '\'') *c = '"';
    EXPECT_OK(trib_result_read(&result, "x", text, strlen(text), &error));
    target = trib_target_read(&result, 0, &arena);
    EXPECT_OK(trib_arena_check(&arena, &error));
}

static void end(void) {
    trib_arena_release(&arena);
    trib_result_release(&result);
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Rounds the shares of a method, and checks that what is printed adds up to `sum`. The rows are
 * valid until end(). */
static trib_shown_shares shown_of(const char *method, double sum) {
    char methods[4096];
    snprintf(methods, sizeof methods, "'traced':{%s}", method);
    begin(methods, "");
    const trib_shown_shares shown =
        trib_shown_shares_make(&result, trib_target_headline(&result, target), true, &arena);
    double printed = shown.below + (isnan(shown.author) ? 0 : shown.author) +
                     (isnan(shown.formula) ? 0 : shown.formula);
    for (size_t r = 0; r < shown.n; r++)
        if (trib_row_is_above(&shown.row[r])) printed += shown.row[r].printed;
    EXPECT_NEAR(printed, sum, 1e-12);
    return shown;
}

#define ROW(id, share) "{'source':'" id "','share':" share "}"
#define LOW(id, share) "{'source':'" id "','share':" share ",'below_floor':true}"

TEST(printed_parts_add_up_to_the_whole) {
    /* each alone would be rounded down: 33.3 + 33.3 + 33.3 */
    trib_shown_shares shown = shown_of("'author':0.3333333334,'shares':[" ROW(
                                           "a", "0.3333333333") "," ROW("b", "0.3333333333") "]",
                                       1);
    EXPECT_NEAR(shown.author, 0.334, 1e-12); /* which lost most */
    end();
    shown = shown_of(
        "'author':0.8545,'formula':0.0006,'own':0.5428,'common':0.3117,"
        "'left_out':{'sources':3,'share':0.00005},'shares':[" ROW("a", "0.087") "," ROW(
            "b", "0.0529") "," LOW("c", "0.0038") "," LOW("d", "0.0008") "," LOW("e",
                                                                                 "0.00035") "]",
        1);
    EXPECT_NEAR(shown.own + shown.common, shown.author, 1e-12);
    EXPECT_NEAR(shown.below, shown.row[2].printed + shown.row[3].printed + shown.row[4].printed,
                1e-12);
    EXPECT_NEAR(shown.row[0].printed, 0.087, 1e-12);
    end();
}

TEST(a_group_is_one_row) {
    const trib_shown_shares shown =
        shown_of("'author':0.50988,'own':0.3,'common':0.20988,'groups':[{'members':['a','b'],"
                 "'share':0.45679}],'shares':[{'source':'a','share':0.33334,'group':'a'},"
                 "{'source':'b','share':0.12345,'group':'a'}," LOW(
                     "c", "0.02222") ",{'source':'d',"
                                     "'share':0.01111,'decoy':true}]",
                 1);
    CHECK(shown.n == 3 && shown.row[0].n_members == 2 && shown.decimals == 1);
    EXPECT_TEXT(shown.row[0].title, "a or b");
    EXPECT_TEXT(shown.row[0].source, "a");
    EXPECT_NEAR(shown.row[1].printed + shown.row[2].printed, shown.below, 1e-12);
    EXPECT_NEAR(shown.own + shown.common, shown.author, 1e-12);
    EXPECT(trib_shown_shares_make(&result, &target->methods.item[0], false, &arena).n == 4);
    EXPECT(trib_shown_shares_make(&result, NULL, true, &arena).n == 0);
    end();
}

TEST(shares_that_overlap_are_rounded_singly) {
    const trib_shown_shares shown =
        shown_of("'author':0.5,'shares':[" ROW("a", "0.4444") "," ROW("b", "0.5556") "]", 1.5);
    EXPECT_NEAR(shown.row[0].printed, 0.444, 1e-12);
    EXPECT_NEAR(shown.row[1].printed, 0.556, 1e-12);
    EXPECT_NEAR(shown.author, 0.5, 1e-12);
    end();
}

TEST(a_source_above_the_floor_is_never_printed_as_0) {
    const trib_shown_shares shown =
        shown_of("'author':0.9996,'shares':[" ROW("a", "0.0004") "]", 1);
    EXPECT(shown.decimals == 2);
    EXPECT_NEAR(shown.row[0].printed, 0.0004, 1e-12);
    end();
}

TEST(no_rows_and_no_numbers_are_no_error) {
    trib_shown_shares shown = shown_of("'shares':[]", 0);
    EXPECT(shown.n == 0 && shown.below == 0 && isnan(shown.author));
    end();
    shown = shown_of("'author':null,'shares':[{'source':'a','share':null}]", 0);
    EXPECT(shown.row[0].printed == 0);
    end();
}

/* ---- Passages -------------------------------------------------------------------------------- */

#define PASSAGE(first, words, rarity, notable)                                                     \
    "{'shared':" words ",'rarity':" rarity ",'notable':" notable ",'target':{'first':" first       \
    ",'words':" words "},'source':{'first':1,'words':" words "}}"
#define FROM(source, passages) "{'source':'" source "','passages':[" passages "]}"

/* Checks the shared words of the chosen passages; 0: there is none. */
static void expect_chosen(const char *evidence, const char *wanted, uint64_t longest,
                          uint64_t rarest) {
    begin("'traced':{'shares':[{'source':'d','share':0,'decoy':true,'below_floor':true}]}",
          evidence);
    const trib_shown_passages chosen = trib_shown_passages_choose(&result, target, wanted);
    EXPECT((chosen.longest.passage ? chosen.longest.passage->shared : 0) == longest);
    EXPECT((chosen.rarest.passage ? chosen.rarest.passage->shared : 0) == rarest);
    end();
}

TEST(the_longest_and_the_rarest_passage_are_chosen) {
    static const char two[] = FROM(
        "a", PASSAGE("1", "40", "80", "true") "," PASSAGE("100", "13", "65", "true") "," PASSAGE(
                 "200", "8", "80",
                 "false")) "," FROM("b", PASSAGE("300", "30", "90",
                                                 "true") "," PASSAGE("20", "14", "140", "true"));
    /* 14 words of b have rarer words, but stand in the longest passage */
    expect_chosen(two, NULL, 40, 13);
    expect_chosen(two, "b", 30, 14);
    expect_chosen(two, "c", 0, 0);
    expect_chosen("", NULL, 0, 0);
    /* a passage that is not notable says nothing for a source that is not above the floor; a decoy
     * gives none */
    expect_chosen(FROM("a", PASSAGE("1", "9", "80", "false")), NULL, 0, 0);
    expect_chosen(FROM("d", PASSAGE("1", "40", "80", "true")), NULL, 0, 0);
}

TEST(of_equal_passages_the_one_with_rarer_words_comes_first) {
    begin("", FROM("a", PASSAGE("1", "20", "20", "true")) "," FROM(
                  "b", PASSAGE("1", "20", "40", "true")));
    const trib_shown_passages chosen = trib_shown_passages_choose(&result, target, NULL);
    EXPECT_TEXT(chosen.longest.source, "b");
    EXPECT(chosen.n_notable == 2);
    end();
}

/* A list keeps the passages that can be chosen. */
TEST(of_many_targets_the_same_passages_are_chosen) {
    begin(
        "'traced':{'shares':[{'source':'x','share':0.5}]}",
        FROM("x", PASSAGE("9", "9", "9", "false") "," PASSAGE("30", "30", "9", "false") "," PASSAGE(
                      "14", "14", "9", "true") "," PASSAGE("20", "20", "9", "true")));
    trib_passage_records *const kept = &target->evidence.item[0].passages;
    trib_passages_keep_longest(kept);
    CHECK(kept->n == 2);
    EXPECT(kept->item[0].shared == 30 && kept->item[1].shared == 20);
    EXPECT(trib_shown_passages_choose(&result, target, NULL).longest.passage->shared == 30);
    end();
}
