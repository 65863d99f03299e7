/* answer.c - tests of the answer in words and its cautions. Every sentence depends on numbers
 * and is tried on both sides of its limit. */
#include "tests/test.h"

#include "tests/pipeline/report/page.h"

#define THIN "\xE2\x80\xAF"

#define ROW(id, share)                                                                             \
    "{'source':'" id "','share':" share ",'low':null,'high':null,'below_floor':false,'decoy':"     \
    "false}"
#define LOW_ROW(id, share)                                                                         \
    "{'source':'" id "','share':" share ",'low':null,'high':null,'below_floor':true,'decoy':"      \
    "false}"

static void sources_are_named_by_descending_share(void) {
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.1") "," ROW("b", "0.3"), ""),
                     "Target draws 30.0" THIN "% of its 3-grams from Beta and 10.0" THIN
                     "% from Alpha. 50.0" THIN
                     "% are the author&#39;s own and the common language.",
                     true);
}

static void intervals_follow_their_source(void) {
    trib_page_expect(
        trib_page_result("anchored",
                         "{'source':'a','share':0.2,'low':0.18,'high':0.23,'below_floor':false,"
                         "'decoy':false}",
                         ""),
        "from Alpha (90 % interval 18.0" THIN "% to 23.0" THIN "%).", true);
}

static void equal_shares_are_printed_once(void) {
    trib_page_expect(
        trib_page_result("anchored", ROW("a", "0.2") "," ROW("b", "0.2") "," ROW("c", "0.1"), ""),
        "Target draws 20.0" THIN "% of its 3-grams each from Alpha and Beta and 10.0" THIN
        "% from Gamma.",
        true);
}

static void sources_below_the_floor_never_flow(void) {
    static const char sentence[] =
        "Nothing is found to flow into Target: no source rises above the "
        "noise floor of 1.5" THIN "%.";
    trib_page_expect(trib_page_result("anchored", LOW_ROW("a", "0.01"), ""), sentence, true);
    trib_page_expect(trib_page_result("anchored", LOW_ROW("a", "0.01"), ""), "draws", false);
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.2") "," LOW_ROW("b", "0.014"), ""),
                     sentence, false);
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.2") "," LOW_ROW("b", "0.014"), ""),
                     "1.4" THIN "% fall to 1 other source below the noise floor of 1.5" THIN
                     "%, where a share cannot be told from chance.",
                     true);
}

static void a_target_without_sources_says_so(void) {
    trib_page_expect(
        trib_page_result("anchored", "", ""),
        "Nothing can be said of Target: no other text of this corpus may be its source.", true);
}

static void a_copy_leaves_nothing_to_the_author(void) {
    json_t *result = trib_page_result("anchored", ROW("a", "1"), "");
    json_t *method = json_object_get(
        json_object_get(json_array_get(json_object_get(result, "targets"), 0), "methods"),
        "anchored");
    json_object_set_new(method, "author", json_real(0));
    json_incref(result);
    trib_page_expect(result,
                     "draws 100" THIN "% of its 3-grams from Alpha. Nothing is left to the author.",
                     true);
    trib_page_expect(result, "Alpha explains nearly all of it.", true);
}

static void overlapping_shares_are_not_said_to_add_up(void) {
    trib_page_expect(trib_page_result("containment", ROW("a", "0.4") "," ROW("b", "0.5"), ""),
                     "Target shares 50.0" THIN "% of its 3-grams with Beta and 40.0" THIN
                     "% with Alpha. 50.0" THIN "% occur in no source.",
                     true);
    trib_page_expect(trib_page_result("containment", ROW("a", "0.4") "," ROW("b", "0.5"), ""),
                     "These shares overlap and do not add up.", true);
}

static void many_sources_are_counted(void) {
    trib_page_expect(
        trib_page_result(
            "anchored",
            ROW("a", "0.1") "," ROW("b", "0.09") "," ROW("c", "0.08") "," ROW("d", "0.07") "," ROW(
                "e", "0.06") "," ROW("f", "0.05") "," ROW("g", "0.04"),
            ""),
        "6.0" THIN "% from e and 9.0" THIN "% from 2 more together.", true);
}

static void sources_below_the_floor_are_one_number(void) {
#define FOUR                                                                                       \
    LOW_ROW("b", "0.014")                                                                          \
    "," LOW_ROW("c", "0.013") "," LOW_ROW("d", "0.012") "," LOW_ROW("e", "0.01")
    static const char together[] = "4.9" THIN "% fall to 4 other sources below the noise floor of "
                                   "1.5" THIN "%, where their share cannot be told from chance.";
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.2") "," FOUR, ""), together, true);
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.2") "," FOUR, ""),
                     "4 sources below the noise floor, together 4.9" THIN "%", true);
    trib_page_expect(trib_page_result("anchored", LOW_ROW("a", "0.0149"), ""),
                     "The only source gets 1.5" THIN "%, which cannot be told from chance.", true);
    trib_page_expect(trib_page_result("anchored", FOUR "," LOW_ROW("f", "0"), ""),
                     "All 5 sources together get 4.9" THIN "%, which cannot be told from chance.",
                     true);
    trib_page_expect(trib_page_result("containment", ROW("a", "0.2") "," FOUR, ""),
                     " 4 other sources stay below the noise floor of 1.5" THIN "%, where", true);
#undef FOUR
}

/* A result with one source and the given shares of the author and the source. */
static json_t *result_of_two(double share, double author) {
    json_t *result = trib_page_result("anchored", ROW("a", "0.5"), "");
    json_t *method = json_object_get(
        json_object_get(json_array_get(json_object_get(result, "targets"), 0), "methods"),
        "anchored");
    json_object_set_new(method, "author", json_real(author));
    json_object_set_new(json_array_get(json_object_get(method, "shares"), 0), "share",
                        json_real(share));
    return result;
}

static void each_sentence_changes_at_its_limit(void) {
    static const char copy[] = "explains nearly all of it",
                      none[] = "Nothing is left to the author";
    trib_page_expect(result_of_two(0.95, 0.05), copy, true);
    trib_page_expect(result_of_two(0.9499, 0.0501), copy, false);
    trib_page_expect(result_of_two(0.9996, 0.0004), none, true);
    trib_page_expect(result_of_two(0.9994, 0.0006), none, false);
    trib_page_expect(result_of_two(0.9994, 0.0006), "0.1" THIN "% are the author", true);
    trib_page_expect(result_of_two(0.0150, 0.985), "draws 1.5" THIN "% of its", true);
}

static void intervals_that_do_not_touch_add_no_caveat(void) {
    static const char first[] = "{'source':'a','share':0.2,'low':0.15,'high':0.25,'below_floor':"
                                "false,'decoy':false}";
    char shares[600];
    snprintf(shares, sizeof shares,
             "%s,{'source':'b','share':0.14,'low':0.1,'high':0.1499,'below_floor':false,'decoy':"
             "false}",
             first);
    trib_page_expect(trib_page_result("anchored", shares, ""), "which of the two is larger", false);
    trib_page_expect(trib_page_result("anchored", first, ""), "which of the two is larger", false);
}

static void the_strongest_phrase_is_exclusive_only_when_no_other_text_has_it(void) {
    json_t *result = trib_page_result("anchored", ROW("a", "0.2"), "");
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_object_set_new(target, "evidence",
                        json_pack("[{s:s,s:f,s:i,s:[{s:[s,s,s],s:i,s:i,s:i,s:f}]}]", "source", "a",
                                  "share", 0.2, "n_phrases", 1, "phrases", "words", "of", "the",
                                  "sea", "target_count", 3, "source_count", 5, "other_documents", 1,
                                  "mass", 0.01));
    trib_page_expect(json_incref(result),
                     "The strongest phrase it shares with Alpha is of the sea, 3\xC3\x97 in Target "
                     "and 5\xC3\x97 in Alpha.",
                     true);
    trib_page_expect(result, "that only these two texts share", false);
}

/* Adds evidence to the target of a result: two passages shared with Alpha, of 24 and 13 words. */
static json_t *with_passages(json_t *result) {
    static const char text[] =
        "[{\"source\":\"a\",\"share\":0.01,\"phrases\":[],\"passages\":["
        "{\"shared\":13,\"mass\":0.001,\"rarity\":90,\"notable\":true,"
        "\"target\":{\"first\":500,\"words\":13,\"text\":[\"before \",\"quills <of> whin\",\"\"]},"
        "\"source\":{\"first\":20,\"words\":13,\"text\":[\"\",\"Quills of whin\",\" after\"]}},"
        "{\"shared\":24,\"mass\":0.002,\"rarity\":30,\"notable\":true,"
        "\"target\":{\"first\":100,\"words\":25,\"text\":[\"\",\"and the tide went out\",\"\"]},"
        "\"source\":{\"first\":7,\"words\":25,\"text\":[\"\",\"And the tide went out\",\"\"]}}]}]";
    json_t *evidence = json_loads(text, 0, NULL);
    CHECK(evidence != NULL);
    json_object_set_new(json_array_get(json_object_get(result, "targets"), 0), "evidence",
                        evidence);
    return result;
}

static void passages_are_below_the_sentence(void) {
    json_t *result = with_passages(trib_page_result("anchored", ROW("a", "0.2"), ""));
    json_incref(result);
    json_incref(result);
    trib_page_expect(result,
                     "The longest shared passage: 24 words in common with Alpha and the tide went "
                     "out Target, words 100 to 124 of",
                     true);
    trib_page_expect(result,
                     "The shared passage with the rarest words: 13 words in common with Alpha "
                     "before quills &lt;of&gt; whin Target, words 500 to 512",
                     true);
    trib_page_expect(result, "The strongest phrase", false);
}

static void nothing_is_not_said_where_a_passage_is_shared(void) {
    json_t *result = with_passages(trib_page_result("anchored", LOW_ROW("a", "0.01"), ""));
    json_incref(result);
    json_incref(result);
    trib_page_expect(result,
                     "No source gives Target more than 1.5" THIN
                     "% of its 3-grams, the noise floor; the longest shared passage has 24 words "
                     "(Alpha).",
                     true);
    trib_page_expect(result, "The longest shared passage: 24 words in common with Alpha", true);
    trib_page_expect(result, "Nothing is found", false);
    trib_page_expect(with_passages(trib_page_result("containment", LOW_ROW("a", "0.01"), "")),
                     "No source shares with Target more than 1.5" THIN "% of its 3-grams", true);
}

static void a_long_passage_is_cut_in_the_answer(void) {
    char text[4096] = "";
    for (int w = 0; w < 400; w++) strcat(text, "word ");
    json_t *result = with_passages(trib_page_result("anchored", ROW("a", "0.2"), ""));
    json_t *evidence =
        json_object_get(json_array_get(json_object_get(result, "targets"), 0), "evidence");
    json_t *passages = json_object_get(json_array_get(evidence, 0), "passages");
    json_t *side = json_object_get(json_array_get(passages, 1), "target");
    json_array_set_new(json_object_get(side, "text"), 1, json_string(text));
    char *page = trib_page_of(result);
    EXPECT(strstr(page, "word word</mark> \xE2\x80\xA6</blockquote>") != NULL);
    free(page);
    json_decref(result);
}

static void a_decoy_above_a_source_is_a_caveat(void) {
    json_t *result = trib_page_result(
        "anchored",
        ROW("a", "0.2") "," LOW_ROW(
            "b", "0.02") ",{'source':'c','share':0.03,'below_floor':false,'decoy':true}",
        "");
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_object_set_new(target, "floor_from", json_string("c"));
    json_object_set_new(target, "floor", json_real(0.03));
    json_incref(result);
    trib_page_expect(result,
                     "Gamma was declared unrelated, yet gets 3.0" THIN
                     "%, no less than 1 of the sources: that share says nothing.",
                     true);
    trib_page_expect(result, "% from Gamma", false);
}

static void few_matched_factors_and_a_low_fit_are_caveats(void) {
    json_t *result = trib_page_result("lowe", ROW("a", "0.004"), "");
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_t *lowe = json_object_get(json_object_get(target, "methods"), "lowe");
    json_object_set_new(lowe, "matched", json_real(0.0099));
    json_object_set_new(json_array_get(json_object_get(result, "documents"), 3), "factors",
                        json_pack("{s:i,s:f}", "rank", 100, "fit", 0.31));
    for (int i = 0; i < 4; i++) json_incref(result);
    trib_page_expect(result, "lowe matched only 0.99" THIN "% of the factor mass", true);
    trib_page_expect(result, "Its 100 factors reproduce the text with a fit of 0.31", true);
    json_object_set_new(lowe, "matched", json_real(0.01));
    trib_page_expect(result, "matched only", false);
    json_object_set_new(lowe, "matched", json_real(0));
    trib_page_expect(result, "lowe matched no factor at all: it has no shares to speak of.", true);
    trib_page_expect(result, "matched only", false);
}

static void uncertain_and_contradicted_orders_are_caveats(void) {
    json_t *result =
        trib_page_result("anchored",
                         "{'source':'a','share':0.2,'low':0.15,'high':0.25,'below_floor':"
                         "false,'decoy':false},{'source':'b','share':0.14,'low':0.1,'high':"
                         "0.15,'below_floor':false,'decoy':false}",
                         "");
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_array_append_new(json_object_get(result, "methods"), json_pack("{s:s}", "name", "split"));
    json_object_set_new(json_object_get(target, "methods"), "split",
                        json_pack("{s:[{s:s,s:f},{s:s,s:f}]}", "shares", "source", "a", "share",
                                  0.1, "source", "b", "share", 0.2));
    json_incref(result);
    trib_page_expect(result, "The intervals of Alpha and Beta overlap", true);
    trib_page_expect(
        result, "The methods disagree: by split the strongest source is Beta, not Alpha.", true);
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.2") "," ROW("b", "0.2"), ""),
                     "overlap:", false);
}

/* Rounded singly, 68.62 % and three times 10.46 % would be 100.1 %. */
static void the_columns_of_every_method_add_up(void) {
    json_t *result = trib_page_result(
        "anchored", ROW("a", "0.1046") "," ROW("b", "0.1046") "," ROW("c", "0.1046"), "");
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_t *anchored = json_object_get(json_object_get(target, "methods"), "anchored");
    json_object_set_new(anchored, "author", json_real(0.6862));
    json_array_append_new(json_object_get(result, "methods"),
                          json_pack("{s:s,s:b}", "name", "split", "sums_to_one", 1));
    json_object_set_new(
        json_object_get(target, "methods"), "split",
        json_pack("{s:f,s:[{s:s,s:f}]}", "author", 0.55, "shares", "source", "a", "share", 0.2));
    json_incref(result);
    trib_page_expect(result,
                     "Gamma 10.4" THIN "% \xE2\x80\x93 All other sources 0" THIN "% 25.0" THIN
                     "% Author 68.6" THIN "% 55.0" THIN "%",
                     true);
    trib_page_expect(result, "Alpha 10.5" THIN "% 20.0" THIN "% Beta 10.5" THIN "%", true);
}

/* A result with the given factors of the target, and with lowe among the methods. */
static json_t *result_of_factors(const char *factors) {
    json_t *result = trib_page_result("lowe", ROW("a", "0.2"), "");
    json_t *parsed = json_loads(factors, JSON_DECODE_ANY, NULL);
    CHECK(parsed != NULL);
    json_object_set_new(json_array_get(json_object_get(result, "documents"), 3), "factors", parsed);
    return result;
}

static void restarts_that_disagree_are_a_caveat(void) {
    static const char sentence[] =
        "those of 10 restarts match each other with a score of 0.79, where 1 is the same, at fits "
        "from 0.510 to 0.600. Other starts would give other shares by lowe.";
    static const char *const others[] = {
        "{\"rank\":9,\"fit\":0.6,\"restarts\":10,\"worst_fit\":0.5,\"match\":0.8}",
        "{\"rank\":9,\"fit\":0.6,\"restarts\":1,\"worst_fit\":0.5,\"match\":0.1}",
        "{\"rank\":9,\"fit\":0.6}", "null"};
    static const char low[] =
        "{\"rank\":9,\"fit\":0.6,\"restarts\":10,\"worst_fit\":0.51,\"match\":0.79}";
    trib_page_expect(result_of_factors(low), sentence, true);
    trib_page_expect(result_of_factors(low), "Restarts agree", true);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        trib_page_expect(result_of_factors(others[i]), "Other starts would", false);
        trib_page_expect(result_of_factors(others[i]), "Restarts agree", i == 0);
    }
}

static void ranks_that_were_tried_have_a_table_and_a_plot(void) {
#define RANK(r, e, c, is)                                                                          \
    "{\"rank\":" r ",\"components\":" r ",\"error\":" e ",\"l1_error\":0.9,"                       \
    "\"core_consistency\":" c ",\"iterations\":7,\"chosen\":" is "}"
    static const char search[] =
        "{\"rank\":8,\"fit\":0.75,\"rank_end\":\"the error is below 20 %\","
        "\"ranks\":[" RANK("2", "0.5", "99.5", "false") "," RANK("8", "0.25", "-1e9", "true") "]}";
    static const char one[] =
        "{\"rank\":2,\"fit\":0.5,\"ranks\":[" RANK("2", "0.5", "null", "true") "]}";
#undef RANK
    trib_page_expect(result_of_factors(search), "taken: the error is below 20 %", true);
    trib_page_expect(result_of_factors(search), "2 2 0.500 0.900 99.5 7", true);
    trib_page_expect(result_of_factors(search), "below -100", true);
    trib_page_expect(result_of_factors(search), "from doubling to doubling", true);
    trib_page_expect(result_of_factors(one), "The ranks that were tried", true);
    trib_page_expect(result_of_factors(one), "from doubling to doubling", false);
    trib_page_expect(result_of_factors("{\"rank\":9,\"fit\":0.6}"), "ranks that were tried", false);
}

static void the_page_names_the_origin_of_the_floor(void) {
    static const char decoy[] = "{'source':'b','share':0.01,'low':null,'high':null,'below_floor':"
                                "true,'decoy':true}";
    char shares[600];
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.2"), ""),
                     "The dashed line is the noise floor, 1.5" THIN
                     "%, as influence.floor sets it; no decoy was declared.",
                     true);
    snprintf(shares, sizeof shares, "%s,%s", ROW("a", "0.2"), decoy);
    trib_page_expect(trib_page_result("anchored", shares, ""),
                     "as influence.floor sets it; the decoy gets no "
                     "more.",
                     true);
    json_t *result = trib_page_result("anchored", shares, "");
    json_object_set_new(json_array_get(json_object_get(result, "targets"), 0), "floor_from",
                        json_string("b"));
    trib_page_expect(result, "noise floor, 1.5" THIN "%, the share of the decoy Beta.", true);
}

static void wildcards_and_replaced_bytes_are_caveats(void) {
    json_t *result = trib_page_result("anchored", ROW("a", "0.2"), "");
    json_t *document = json_array_get(json_object_get(result, "documents"), 3);
    json_object_set_new(document, "wildcard_ngrams", json_real(0.101));
    json_object_set_new(document, "replaced", json_integer(1));
    json_incref(result);
    json_incref(result);
    trib_page_expect(result, "10.1" THIN "% of its 3-grams hold a word outside the vocabulary",
                     true);
    trib_page_expect(result, "1 undecodable place of its file was replaced.", true);
    json_object_set_new(document, "wildcard_ngrams", json_real(0.1));
    trib_page_expect(result, "hold a word outside", false);
}

static void warnings_of_the_run_are_on_the_page(void) {
    json_t *result = trib_page_result("anchored", ROW("a", "0.2"), "");
    json_array_append_new(json_object_get(result, "warnings"), json_string("a <b> warning"));
    trib_page_expect(result, "Said during the run a &lt;b&gt; warning", true);
}

/* A page that a later version of the program writes names the version that ran. */
static void the_program_that_ran_is_named(void) {
    json_t *result = trib_page_result("anchored", ROW("a", "0.2"), "");
    json_object_set_new(result, "version", json_string("0.0.7"));
    trib_page_expect(json_incref(result), "tributary 0.0.7", true);
    trib_page_expect(result, "tributary " TRIB_VERSION, false);
}

CU_TestInfo trib_tests_report_answer[] = {
    {"sources are named by descending share", sources_are_named_by_descending_share},
    {"intervals follow their source", intervals_follow_their_source},
    {"equal shares are printed once", equal_shares_are_printed_once},
    {"sources below the floor never flow", sources_below_the_floor_never_flow},
    {"a target without sources says so", a_target_without_sources_says_so},
    {"a copy leaves nothing to the author", a_copy_leaves_nothing_to_the_author},
    {"overlapping shares are not said to add up", overlapping_shares_are_not_said_to_add_up},
    {"many sources are counted", many_sources_are_counted},
    {"passages are below the sentence", passages_are_below_the_sentence},
    {"nothing is not said where a passage is shared",
     nothing_is_not_said_where_a_passage_is_shared},
    {"a long passage is cut in the answer", a_long_passage_is_cut_in_the_answer},
    {"a decoy above a source is a caveat", a_decoy_above_a_source_is_a_caveat},
    {"sources below the floor are one number", sources_below_the_floor_are_one_number},
    {"each sentence changes at its limit", each_sentence_changes_at_its_limit},
    {"intervals that do not touch add no caveat", intervals_that_do_not_touch_add_no_caveat},
    {"the strongest phrase is exclusive only when no other text has it",
     the_strongest_phrase_is_exclusive_only_when_no_other_text_has_it},
    {"ranks that were tried have a table and a plot",
     ranks_that_were_tried_have_a_table_and_a_plot},
    {"few matched factors and a low fit are caveats",
     few_matched_factors_and_a_low_fit_are_caveats},
    {"uncertain and contradicted orders are caveats",
     uncertain_and_contradicted_orders_are_caveats},
    {"the columns of every method add up", the_columns_of_every_method_add_up},
    {"restarts that disagree are a caveat", restarts_that_disagree_are_a_caveat},
    {"the page names the origin of the floor", the_page_names_the_origin_of_the_floor},
    {"wildcards and replaced bytes are caveats", wildcards_and_replaced_bytes_are_caveats},
    {"warnings of the run are on the page", warnings_of_the_run_are_on_the_page},
    {"the program that ran is named", the_program_that_ran_is_named},
    CU_TEST_INFO_NULL,
};
