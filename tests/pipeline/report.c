/* report.c - tests of report.html: every sentence at its boundaries, whatever a corpus puts into titles and words, and
 * that the page is whole. */
#include "tests/test.h"

#include "tests/pipeline/page.h"

#include <locale.h>

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
        "from Alpha (18.0" THIN "% to 23.0" THIN "%).", true);
}

static void equal_shares_are_said_once(void) {
    trib_page_expect(
        trib_page_result("anchored", ROW("a", "0.2") "," ROW("b", "0.2") "," ROW("c", "0.1"), ""),
        "Target draws 20.0" THIN "% of its 3-grams each from Alpha and Beta and 10.0" THIN
        "% from Gamma.",
        true);
}

static void nothing_flows_from_below_the_floor(void) {
    static const char sentence[] =
        "Nothing is found to flow into Target: no source rises above the "
        "noise floor of 1.5" THIN "%.";
    trib_page_expect(trib_page_result("anchored", LOW_ROW("a", "0.01"), ""), sentence, true);
    trib_page_expect(trib_page_result("anchored", LOW_ROW("a", "0.01"), ""), "draws", false);
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.2") "," LOW_ROW("b", "0.014"), ""),
                     sentence, false);
    trib_page_expect(trib_page_result("anchored", ROW("a", "0.2") "," LOW_ROW("b", "0.014"), ""),
                     "Beta (1.4" THIN "%) stays below the noise floor of 1.5" THIN "%", true);
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
        "6.0" THIN "% from e and smaller shares from 2 more.", true);
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

/* The factors of the target as given, and lowe among the methods. */
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

static void where_the_floor_comes_from_is_said(void) {
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
    json_object_set_new(document, "wildcard_ngrams", json_integer(101));
    json_object_set_new(document, "replaced", json_integer(1));
    json_incref(result);
    json_incref(result);
    trib_page_expect(result, "10.1" THIN "% of its 3-grams hold a word outside the vocabulary",
                     true);
    trib_page_expect(result, "1 undecodable place of its file was replaced.", true);
    json_object_set_new(document, "wildcard_ngrams", json_integer(100));
    trib_page_expect(result, "hold a word outside", false);
}

static void warnings_are_passed_on(void) {
    json_t *result = trib_page_result("anchored", ROW("a", "0.2"), "");
    json_array_append_new(json_object_get(result, "warnings"), json_string("a <b> warning"));
    trib_page_expect(result, "Said during the run a &lt;b&gt; warning", true);
}

/* A page made anew by a later program still says which one did the run. */
static void the_program_that_ran_is_named(void) {
    json_t *result = trib_page_result("anchored", ROW("a", "0.2"), "");
    json_object_set_new(result, "version", json_string("0.0.7"));
    trib_page_expect(json_incref(result), "tributary 0.0.7", true);
    trib_page_expect(result, "tributary " TRIB_VERSION, false);
}

static json_t *rich_result(const char *word) {
    json_t *result = trib_page_result("anchored", ROW("a", "0.2") "," ROW("b", "0.1"), "");
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_object_set_new(
        target, "evidence",
        json_pack("[{s:s,s:f,s:i,s:[{s:[s,s,s],s:i,s:i,s:i,s:f}],s:i,s:[{s:f,s:i,s:[[s],[s],"
                  "[s,s,s,s,s,s,s]]}]}]",
                  "source", "a", "share", 0.2, "n_phrases", 340, "phrases", "words", word, "x", "y",
                  "target_count", 3, "source_count", 5, "other_documents", 0, "mass", 0.01,
                  "n_factors", 17, "factors", "mass", 0.02, "free_mode", 2, "words", word, "of",
                  "1", "2", "3", "4", "5", "6", word));
    json_object_set_new(
        target, "matches",
        json_pack("[{s:i,s:f,s:f,s:s,s:i,s:n,s:n,s:f,s:[[[s,f]],[[s,f]]],s:[{s:[s,s],s:i,s:i}]}]",
                  "component", 4, "weight", 0.03, "distance", 0.11, "source", "b",
                  "source_component", 7, "next_source", "next_distance", "phantom_mass", 0.4,
                  "words", word, 0.9, "z", 0.5, "phrases", "words", word, "z", "target_count", 1,
                  "source_count", 2));
    json_object_set_new(target, "n_matches", json_integer(9));
    json_object_set_new(target, "distances",
                        json_pack("{s:[f,f,f],s:[i,i],s:[f,f,f],s:{s:[f,f,f],s:[f,f,f]},s:[f,f,f]}",
                                  "edges", 0., 1., 2., "counts", 3, 4, "thresholds", 0., 1., 2.,
                                  "shares", "a", 0., .2, .6, "b", 0., .1, .4, "author", 1., .7,
                                  0.));
    json_object_set_new(json_object_get(result, "configuration"), "name", json_string(word));
    return result;
}

/* The same with a passage of two runs, whose texts are `word`, and a strip. */
static json_t *result_with_passages(const char *word) {
    json_t *result = rich_result("w");
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_t *source = json_array_get(json_object_get(target, "evidence"), 0), *strip = json_array();
    for (int i = 0; i < 120; i++) json_array_append_new(strip, json_integer(i == 7 ? 100 : 0));
    json_object_set_new(source, "strip", strip);
    json_object_set_new(source, "n_passages", json_integer(9));
    json_object_set_new(source, "passages",
                        json_pack("[{s:i,s:f,s:{s:i,s:i,s:[s,s,s],s:b},s:{s:i,s:i,s:[s,s,s],s:b}}]",
                                  "shared", 3, "mass", 0.01, "target", "first", 7, "words", 5,
                                  "text", word, "x", "y", "cut", 1, "source", "first", 2, "words",
                                  5, "text", "x", "z", "y", "cut", 0));
    return result;
}

static void passages_say_where_they_stand(void) {
    trib_page_expect(result_with_passages("w"), "1 of 9 passages shown", true);
    json_t *result = result_with_passages("=1+1 w ");
    char *page = trib_page_of(result);
    EXPECT(strstr(page, "=1+1 w <mark>") || strstr(page, "=1+1 w \n<mark>"));
    EXPECT(strstr(page, ", words 7 to 11 of") && strstr(page, ", words 2 to 6 of"));
    EXPECT(strstr(page, "aria-label=\"Where Alpha is present in Target") != NULL);
    free(page);
    json_decref(result);
}

static void what_is_not_shown_is_counted(void) {
    trib_page_expect(rich_result("w"), "1 of 340 phrases shown", true);
    trib_page_expect(rich_result("w"), "1 of 17 patterns shown", true);
    trib_page_expect(rich_result("w"), "1 / 2 / 3 / 4 / 5 5 of 7 shown", true);
    trib_page_expect(rich_result("w"), "1 of 9 matched factors shown", true);
    trib_page_expect(
        rich_result("w"),
        "The strongest phrase that only these two texts share is w x y, 3\xC3\x97 in Target "
        "and 5\xC3\x97 in Alpha.",
        true);
}

static void hostile_words_and_titles_stay_text(void) {
    static const char *const hostile[] = {
        "<script>alert(1)</script>",
        "\"'><img src=x onerror=y>",
        "</title></style></svg>",
        "&lt;b&gt;",
        "a\x01\x1B[31m",
        "\xE2\x80\xAE"
        "desrever",
        "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D",
        "\xE4\xB8\x80\xE4\xBA\x8C\xE4\xB8\x89\xE5\x9B\x9B\xE4\xBA\x94\xE5\x85\xAD\xE4\xB8\x83"
        "\xE5\x85\xAB\xE4\xB9\x9D\xE5\x8D\x81\xE4\xB8\x80\xE4\xBA\x8C\xE4\xB8\x89\xE5\x9B\x9B",
        "%s%n%d",
        "",
    };
    for (size_t h = 0; h < sizeof hostile / sizeof *hostile; h++) {
        json_t *result = rich_result(hostile[h]);
        json_t *documents = json_object_get(result, "documents");
        for (size_t d = 0; d < json_array_size(documents); d++)
            json_object_set_new(json_array_get(documents, d), "title", json_string(hostile[h]));
        json_object_set_new(result, "name", json_string(hostile[h]));
        char *page = trib_page_of(result);
        EXPECT(trib_page_count(page, "<script") == 1 && !strstr(page, "<img") &&
               trib_page_count(page, "</style>") == 1 && !strstr(page, "\xE2\x80\xAE"));
        free(page);
        json_decref(result);
        result = result_with_passages(hostile[h]);
        page = trib_page_of(result);
        EXPECT(trib_page_count(page, "<script") == 1 && !strstr(page, "<img") &&
               trib_page_count(page, "</style>") == 1 && !strstr(page, "\xE2\x80\xAE"));
        free(page);
        json_decref(result);
    }
}

static void a_word_of_ten_megabytes_is_quoted(void) {
    enum { LENGTH = 10 << 20 };
    char *word = malloc(LENGTH + 1);
    CHECK(word != NULL);
    memset(word, 'w', LENGTH);
    word[LENGTH] = '\0';
    json_t *result = result_with_passages(word);
    char *page = trib_page_of(result);
    EXPECT(strlen(page) > LENGTH && strlen(page) < 2 * LENGTH);
    free(page);
    free(word);
    json_decref(result);
}

static void very_long_words_and_titles_are_kept(void) {
    char *word = malloc(5001);
    CHECK(word != NULL);
    memset(word, 'w', 5000);
    word[5000] = '\0';
    json_t *result = rich_result(word);
    json_object_set_new(json_array_get(json_object_get(result, "documents"), 3), "title",
                        json_string(word));
    char *page = trib_page_of(result);
    EXPECT(strstr(page, word) != NULL);
    free(page);
    free(word);
    json_decref(result);
}

static void an_empty_or_foreign_result_is_still_a_page(void) {
    static const char *const results[] = {"{}", "[]", "{\"targets\":[{}],\"documents\":[{}]}",
                                          "{\"targets\":[1,null,\"x\"],\"methods\":7}"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        json_t *result = json_loads(results[i], 0, NULL);
        char *page = trib_page_of(result);
        EXPECT(strstr(page, "What this method cannot show") != NULL);
        free(page);
        json_decref(result);
    }
}

/* 10 targets of 30 sources. */
static void ten_targets_of_thirty_sources_are_one_page(void) {
    json_t *result = rich_result("w");
    json_t *targets = json_array(), *shares = json_array(), *documents = json_array();
    for (int s = 0; s < 30; s++) {
        char id[16];
        snprintf(id, sizeof id, "s%d", s);
        json_array_append_new(shares, json_pack("{s:s,s:f,s:n,s:n,s:b,s:b}", "source", id, "share",
                                                0.001 * s, "low", "high", "below_floor", s < 15,
                                                "decoy", s == 3));
        json_array_append_new(documents, json_pack("{s:s,s:s}", "id", id, "title", id));
    }
    for (int t = 0; t < 10; t++)
        json_array_append_new(targets, json_pack("{s:o,s:f,s:s,s:{s:{s:f,s:O}}}", "target",
                                                 json_sprintf("s%d", t), "floor", 0.015,
                                                 "floor_from", "rule", "methods", "anchored",
                                                 "author", 0.5, "shares", shares));
    json_decref(shares);
    json_object_set_new(result, "targets", targets);
    json_object_set_new(result, "documents", documents);
    char *page = trib_page_of(result);
    EXPECT(trib_page_count(page, "15 texts below the noise floor or decoys") == 10);
    EXPECT(trib_page_count(page, "more sources") == 10);
    free(page);
    json_decref(result);
}

static void the_same_result_gives_the_same_bytes(void) {
    json_t *result = rich_result("w");
    char *first = trib_page_of(result);
    const char *locale = setlocale(LC_ALL, "de_DE.UTF-8");
    char *second = trib_page_of(result);
    if (locale) setlocale(LC_ALL, "C");
    EXPECT(strcmp(first, second) == 0);
    free(first);
    free(second);
    json_decref(result);
}

static void headings_and_images_serve_those_who_do_not_see(void) {
    json_t *result = rich_result("w");
    char *page = trib_page_of(result);
    EXPECT(trib_page_count(page, "<h1>") == 1 && trib_page_count(page, "<main>") == 1);
    EXPECT(trib_page_count(page, "role=\"img\" aria-label=\"") ==
           trib_page_count(page, "role=\"img\""));
    EXPECT(trib_page_count(page, "<caption") == trib_page_count(page, "<table"));
    EXPECT(trib_page_count(page, "<script>") == 1 && trib_page_count(page, "http") == 0);
    free(page);
    json_decref(result);
}

struct attempt {
    json_t *result;
    char path[4096];
};

static trib_status attempt_render(void *context, trib_error *error) {
    const struct attempt *attempt = context;
    return trib_page_render(attempt->result, attempt->path, error);
}

static void every_failing_allocation_is_reported(void) {
    char word[300];
    memset(word, 'w', sizeof word);
    word[sizeof word - 1] = '\0';
    struct attempt attempt = {.result = rich_result(word)};
    snprintf(attempt.path, sizeof attempt.path, "%s", trib_scratch("failing.html"));
    EXPECT(trib_fail_every_allocation(attempt_render, &attempt) > 6);
    json_decref(attempt.result);
}

CU_TestInfo trib_tests_report[] = {
    {"sources are named by descending share", sources_are_named_by_descending_share},
    {"intervals follow their source", intervals_follow_their_source},
    {"equal shares are said once", equal_shares_are_said_once},
    {"nothing flows from below the floor", nothing_flows_from_below_the_floor},
    {"a target without sources says so", a_target_without_sources_says_so},
    {"a copy leaves nothing to the author", a_copy_leaves_nothing_to_the_author},
    {"overlapping shares are not said to add up", overlapping_shares_are_not_said_to_add_up},
    {"many sources are counted", many_sources_are_counted},
    {"a decoy above a source is a caveat", a_decoy_above_a_source_is_a_caveat},
    {"ranks that were tried have a table and a plot",
     ranks_that_were_tried_have_a_table_and_a_plot},
    {"few matched factors and a low fit are caveats",
     few_matched_factors_and_a_low_fit_are_caveats},
    {"uncertain and contradicted orders are caveats",
     uncertain_and_contradicted_orders_are_caveats},
    {"restarts that disagree are a caveat", restarts_that_disagree_are_a_caveat},
    {"where the floor comes from is said", where_the_floor_comes_from_is_said},
    {"wildcards and replaced bytes are caveats", wildcards_and_replaced_bytes_are_caveats},
    {"warnings are passed on", warnings_are_passed_on},
    {"the program that ran is named", the_program_that_ran_is_named},
    {"what is not shown is counted", what_is_not_shown_is_counted},
    {"hostile words and titles stay text", hostile_words_and_titles_stay_text},
    {"passages say where they stand", passages_say_where_they_stand},
    {"a word of ten megabytes is quoted", a_word_of_ten_megabytes_is_quoted},
    {"very long words and titles are kept", very_long_words_and_titles_are_kept},
    {"an empty or foreign result is still a page", an_empty_or_foreign_result_is_still_a_page},
    {"ten targets of thirty sources are one page", ten_targets_of_thirty_sources_are_one_page},
    {"the same result gives the same bytes", the_same_result_gives_the_same_bytes},
    {"headings and images serve those who do not see",
     headings_and_images_serve_those_who_do_not_see},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
