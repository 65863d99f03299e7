/* summary.c - tests of the shares and phrases in the terminal: what is said at the boundaries of the numbers. */
#include "tests/test.h"

#include "pipeline/summary.h"

/* A result of one target and its shares; apostrophes stand for quotes. */
static json_t *result_of(const char *floor_from, const char *author, const char *shares) {
    char text[4096];
    snprintf(text, sizeof text,
             "{'headline':'anchored','documents':[{'id':'a','title':'Alpha'},{'id':'b','title':"
             "'Be\\u001b[31mta'},{'id':'t','title':'Target'}],'targets':[{'target':'t','floor':"
             "0.015,'floor_from':'%s','methods':{'anchored':{'author':%s,'shares':[%s]}},"
             "'evidence':[]}]}",
             floor_from, author, shares);
    for (char *c = text; *c; c++)
        if (*c == '\'') *c = '"';
    json_t *result = json_loads(text, 0, NULL);
    CHECK(result != NULL);
    return result;
}

#define ROW(id, share, low, below, decoy)                                                          \
    "{'source':'" id "','share':" share ",'low':" low ",'high':" low ",'below_floor':" below       \
    ",'decoy':" decoy "}"

static void expect_said(json_t *result, const char *words, bool said) {
    const trib_summary_options options = {.phrases = true};
    trib_buffer text = {0};
    CHECK(trib_summary_write(result, &options, &text, NULL) == TRIB_OK);
    if ((strstr(text.text, words) != NULL) != said)
        EXPECT_TEXT(text.text, said ? words : "a summary without it");
    trib_buffer_release(&text);
    json_decref(result);
}

static void a_target_without_sources_says_so(void) {
    static const char words[] = "no other text of this corpus may be its source";
    expect_said(result_of("rule", "1", ""), words, true);
    expect_said(result_of("rule", "1", ""), "nothing is found", false);
    expect_said(result_of("rule", "0.99", ROW("a", "0.01", "null", "true", "false")), words, false);
}

static void nothing_flows_from_below_the_floor(void) {
    static const char words[] = "nothing is found to flow into it";
    expect_said(result_of("rule", "0.99", ROW("a", "0.01", "null", "true", "false")), words, true);
    expect_said(result_of("rule", "0.985", ROW("a", "0.015", "null", "false", "false")), words,
                false);
    expect_said(result_of("rule", "0.99", ROW("a", "0.01", "null", "true", "false")),
                "Alpha                             1.0 %  below the noise floor\n", true);
}

static void larger_shares_come_first_and_ties_by_id(void) {
    expect_said(result_of("rule", "0.4",
                          ROW("b", "0.3", "null", "false", "false") "," ROW("a", "0.3", "null",
                                                                            "false", "false")),
                "Alpha                            30.0 %", true);
    expect_said(result_of("rule", "0.4",
                          ROW("b", "0.3", "null", "false", "false") "," ROW("a", "0.31", "null",
                                                                            "false", "false")),
                "interval\n  Alpha", false);
}

static void a_copy_leaves_nothing_to_the_author(void) {
    expect_said(result_of("rule", "0", ROW("a", "1", "null", "false", "false")),
                "the author's own and common       0.0 %", true);
    expect_said(result_of("rule", "0", ROW("a", "1", "null", "false", "false")), "100.0 %", true);
}

static void a_decoy_is_named_where_it_sets_the_floor(void) {
    json_t *result = result_of(
        "b", "0.9",
        ROW("a", "0.04", "null", "true", "false") "," ROW("b", "0.05", "null", "true", "true"));
    expect_said(json_incref(result), "the share of the decoy Be", true);
    expect_said(json_incref(result), "below the noise floor (decoy)", true);
    expect_said(json_incref(result), "\033", false);
    expect_said(result, "nothing is found to flow into it", true);
}

static void intervals_are_explained_where_there_are_any(void) {
    expect_said(result_of("rule", "0.8", ROW("a", "0.2", "0.19", "false", "false")),
                "a to b: the 90 % interval", true);
    expect_said(result_of("rule", "0.8", ROW("a", "0.2", "null", "false", "false")), "interval",
                false);
}

CU_TestInfo trib_tests_summary[] = {
    {"a target without sources says so", a_target_without_sources_says_so},
    {"nothing flows from below the floor", nothing_flows_from_below_the_floor},
    {"larger shares come first and ties by id", larger_shares_come_first_and_ties_by_id},
    {"a copy leaves nothing to the author", a_copy_leaves_nothing_to_the_author},
    {"a decoy is named where it sets the floor", a_decoy_is_named_where_it_sets_the_floor},
    {"intervals are explained where there are any", intervals_are_explained_where_there_are_any},
    CU_TEST_INFO_NULL,
};
