/* report.c - tests of report.html: hostile titles and words of a corpus, and the completeness of
 * the page. */
#include "tests/test.h"

#include "tests/pipeline/report/page.h"

#include <locale.h>

TESTS(report, report);

#define THIN "\xE2\x80\xAF"

#define ROW(id, share)                                                                             \
    "{'source':'" id "','share':" share ",'low':null,'high':null,'below_floor':false,'decoy':"     \
    "false}"
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
        json_pack("[{s:i,s:f,s:f,s:s,s:i,s:n,s:n,s:f,s:[[[s,f]],[[s,f]]],s:[{s:[s,s],s:i,s:i}],"
                  "s:f,s:[i,i],s:i}]",
                  "component", 4, "weight", 0.03, "distance", 0.11, "source", "b",
                  "source_component", 7, "next_source", "next_distance", "phantom_mass", 0.4,
                  "words", word, 0.9, "z", 0.5, "phrases", "words", word, "z", "target_count", 1,
                  "source_count", 2, "wildcard_mass", 0.25, "n_words", 1, 31, "n_phrases", 17));
    json_object_set_new(target, "n_matches", json_integer(9));
    json_object_set_new(target, "distances",
                        json_pack("{s:[f,f,f],s:[i,i],s:[f,f,f],s:{s:[f,f,f],s:[f,f,f]},s:[f,f,f]}",
                                  "edges", 0., 1., 2., "counts", 3, 4, "thresholds", 0., 1., 2.,
                                  "shares", "a", 0., .2, .6, "b", 0., .1, .4, "author", 1., .7,
                                  0.));
    json_object_set_new(json_object_get(result, "configuration"), "name", json_string(word));
    return result;
}

/* The same with a passage of two runs with the text `word`, and a strip. */
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

/* The same with the language Japanese of the target and Hebrew of the source. */
static json_t *result_in_two_languages(const char *word) {
    json_t *result = result_with_passages(word);
    for (int d = 0; d < 4; d++)
        trib_page_change(result, "documents/%d/language='%s'", d, d == 3 ? "ja" : "he");
    return result;
}

TEST(each_text_has_its_language) {
    static const char *const wanted[] = {"<blockquote dir=\"auto\" lang=\"ja\">w",
                                         "<blockquote dir=\"auto\" lang=\"he\">x",
                                         "<bdi lang=\"ja\">w x y</bdi>"};
    json_t *result = result_in_two_languages("w"), *other = result_with_passages("w");
    char *page = trib_page_of(result), *without = trib_page_of(other);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(page, wanted[i])) EXPECT_TEXT(page, wanted[i]);
    EXPECT(strstr(without, "<blockquote dir=\"auto\">w") && strstr(without, "<bdi>w x y</bdi>"));
    json_decref(result);
    json_decref(other);
}

TEST(words_without_spaces_are_joined) {
    json_t *result = rich_result("w");
    trib_page_change(result, "targets/0/evidence/0/phrases/0/words=['\u6751','\u306e','1836']");
    trib_page_lines(result, "+ share is \u6751\u306e 1836,");
}

TEST(members_of_an_edge_that_are_no_ids_are_left_out) {
    json_t *result = rich_result("w");
    trib_page_change(result, "graph={'order':['a','t'],'edges':[{'source':'a','target':'t',"
                             "'share':0.5,'members':[1,'a','t']}]}");
    trib_page_lines(result, "+ Alpha or Target");
}

TEST(passages_have_their_place) {
    trib_page_expect(result_with_passages("w"), "1 of 9 passages shown", true);
    json_t *result = result_with_passages("=1+1 w ");
    char *page = trib_page_of(result);
    EXPECT(strstr(page, "=1+1 w <mark>") || strstr(page, "=1+1 w \n<mark>"));
    EXPECT(strstr(page, ", words 7 to 11 of") && strstr(page, ", words 2 to 6 of"));
    EXPECT(strstr(page, "aria-label=\"Where Alpha is present in Target") != NULL);
    json_decref(result);
}

TEST(rows_that_are_not_shown_are_counted) {
    trib_page_lines(rich_result("w"),
                    "+ 1 of 340 phrases shown\n+ 1 of 17 patterns shown\n"
                    "+ 1 / 2 / 3 / 4 / 5 5 of 7 shown\n+ 1 of 9 matched factors shown\n"
                    "+ 1 of 31 shown\n+ 1 of 17 phrases shown\n"
                    "+ The strongest phrase that only these two texts share is w x y, 3\xC3\x97 in "
                    "Target and 5\xC3\x97 in Alpha.");
}

TEST(a_card_has_its_phantoms_and_its_wildcard_as_numbers) {
    json_t *result = rich_result("w");
    trib_page_lines(json_incref(result), "+ phantom mass 40" THIN "% with wildcard 25" THIN "%");
    /* no wildcard: every word is in the vocabulary */
    trib_page_change(result, "targets/0/matches/0/wildcard_mass=");
    trib_page_lines(result, "- wildcard 25");
}

TEST(hostile_words_and_titles_stay_text) {
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
        json_decref(result);
        result = result_with_passages(hostile[h]);
        page = trib_page_of(result); /* with the list of finds as data */
        EXPECT(trib_page_count(page, "<script>") == 1 && trib_page_count(page, "<script") == 2 &&
               trib_page_count(page, "</script>") == 2 && !strstr(page, "<img") &&
               trib_page_count(page, "</style>") == 1 && !strstr(page, "\xE2\x80\xAE"));
        json_decref(result);
    }
}

TEST(a_word_of_ten_megabytes_is_quoted_by_its_beginning) {
    enum { LENGTH = 10 << 20 };
    char *word = malloc(LENGTH + 1);
    CHECK(word != NULL);
    memset(word, 'w', LENGTH);
    word[LENGTH] = '\0';
    json_t *result = result_with_passages(word);
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    json_t *phrases =
        json_object_get(json_array_get(json_object_get(target, "evidence"), 0), "phrases");
    json_array_set_new(json_object_get(json_array_get(phrases, 0), "words"), 0, json_string(word));
    char *page = trib_page_of(result);
    EXPECT(strlen(page) < 1 << 20);
    EXPECT(strstr(page, "www<small>\xE2\x80\xA6 (10" THIN "485" THIN "760 letters)</small>") !=
           NULL);
    free(word);
    json_decref(result);
}

TEST(files_that_were_not_written_are_not_linked) {
    static const struct {
        const char *formats;
        bool csv, json, tensors;
    } cases[] = {{"[html]", false, false, false},
                 {"[html, csv]", true, false, false},
                 {"[json, html]", false, true, false},
                 {"[html, tensors]", false, false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *result = rich_result("w");
        trib_page_change(result, "configuration/report={'formats':'%s'}", cases[i].formats);
        char *page = trib_page_of(result);
        EXPECT((strstr(page, "href=\"phrases.csv\"") != NULL) == cases[i].csv);
        EXPECT((strstr(page, "href=\"influence.csv\"") != NULL) == cases[i].csv);
        EXPECT((strstr(page, "href=\"influence.json\"") != NULL) == cases[i].json);
        EXPECT((strstr(page, "href=\"tensors/\"") != NULL) == cases[i].tensors);
        EXPECT(strstr(page, "href=\"vocab.tsv\"") != NULL);
        json_decref(result);
    }
}

TEST(long_titles_stay_whole_and_long_words_have_their_length) {
    char *word = malloc(5001);
    CHECK(word != NULL);
    memset(word, 'w', 5000);
    word[5000] = '\0';
    json_t *result = rich_result(word);
    json_object_set_new(json_array_get(json_object_get(result, "documents"), 3), "title",
                        json_string(word));
    char *page = trib_page_of(result);
    EXPECT(strstr(page, word) != NULL); /* the title is on the page */
    EXPECT(strstr(page, "w<small>\xE2\x80\xA6 (5" THIN "000 letters)</small>") != NULL);
    free(word);
    json_decref(result);
}

TEST(an_empty_or_unknown_result_still_gives_a_page) {
    static const char *const results[] = {"{}", "{\"targets\":[{}],\"documents\":[{}]}",
                                          "{\"targets\":[1,null,\"x\"],\"methods\":7}"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        json_t *result = json_loads(results[i], 0, NULL);
        char *page = trib_page_of(result);
        EXPECT(strstr(page, "What this method cannot show") != NULL);
        json_decref(result);
    }
}

/* Two targets with 30 sources each. */
TEST(a_target_of_thirty_sources_has_all_on_its_page) {
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
    for (int t = 0; t < 2; t++)
        json_array_append_new(targets, json_pack("{s:o,s:f,s:s,s:{s:{s:f,s:O}}}", "target",
                                                 json_sprintf("s%d", t), "floor", 0.015,
                                                 "floor_from", "rule", "methods", "anchored",
                                                 "author", 0.5, "shares", shares));
    json_decref(shares);
    json_object_set_new(result, "targets", targets);
    json_object_set_new(result, "documents", documents);
    char *page = trib_page_number(result, NULL, 1, "targets/s0.html");
    EXPECT(trib_page_count(page, "15 texts below the noise floor or decoys") == 1);
    EXPECT(trib_page_count(page, "more sources") == 1);
    json_decref(result);
}

TEST(the_same_result_gives_the_same_bytes) {
    json_t *result = rich_result("w");
    char *first = trib_page_of(result);
    const char *locale = setlocale(LC_ALL, "de_DE.UTF-8");
    char *second = trib_page_of(result);
    if (locale) setlocale(LC_ALL, "C");
    EXPECT(strcmp(first, second) == 0);
    json_decref(result);
}

TEST(headings_and_images_are_accessible) {
    json_t *result = rich_result("w");
    char *page = trib_page_of(result);
    EXPECT(trib_page_count(page, "<h1>") == 1 && trib_page_count(page, "<main") == 1);
    EXPECT(trib_page_count(page, "role=\"img\" aria-label=\"") ==
           trib_page_count(page, "role=\"img\""));
    EXPECT(trib_page_count(page, "<caption") == trib_page_count(page, "<table"));
    EXPECT(trib_page_count(page, "<script>") == 1 &&
           trib_page_count(page, "http") ==
               trib_page_count(page, "http-equiv") +
                   trib_page_count(page, "'http://www.w3.org/ns/anno.jsonld'"));
    json_decref(result);
}

struct attempt {
    char *json;
    char path[4096];
};

static trib_status attempt_render(void *context, trib_error *error) {
    const struct attempt *attempt = context;
    trib_result result;
    trib_status status =
        trib_result_read(&result, "influence.json", attempt->json, strlen(attempt->json), error);
    if (status == TRIB_OK) status = trib_page_render(&result, attempt->path, error);
    trib_result_release(&result);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    char word[300];
    memset(word, 'w', sizeof word);
    word[sizeof word - 1] = '\0';
    json_t *result = rich_result(word);
    struct attempt attempt = {.json = json_dumps(result, 0)};
    CHECK(attempt.json != NULL);
    snprintf(attempt.path, sizeof attempt.path, "%s", trib_scratch("failing.html"));
    EXPECT(trib_fail_every_allocation(attempt_render, &attempt) > 6);
    free(attempt.json);
    json_decref(result);
}

/* The six bits of a base64 digit. */
static unsigned bits_of(char digit) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, digit);
    return at ? (unsigned)(at - digits) : 0;
}

TEST(a_page_allows_its_own_script_and_no_other) {
    static const char begin[] = "default-src &#39;none&#39;; script-src &#39;sha256-";
    json_t *result = rich_result("w");
    char *page = trib_page_of(result), hex[TRIB_SHA256_TEXT], allowed[TRIB_SHA256_TEXT];
    const char *policy = strstr(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"");
    const char *script = strstr(page, "<script>"), *end = strstr(page, "</script>");
    CHECK(policy && script && end && policy < strstr(page, "<title") &&
          policy < strstr(page, "<style"));
    EXPECT(trib_page_count(page, "<script") == 1);
    trib_sha256 sum = {0};
    trib_sha256_add(&sum, script + 8, (size_t)(end - script - 8));
    trib_sha256_end(&sum, hex);
    policy = strstr(policy, begin);
    CHECK(policy != NULL && strlen(policy) > sizeof begin + 44);
    policy += sizeof begin - 1;
    for (size_t i = 0; i < 64; i++) { /* four bits at a time */
        unsigned value = 0;
        for (size_t bit = 4 * i; bit < 4 * i + 4; bit++)
            value = 2 * value + (bits_of(policy[bit / 6]) >> (5 - bit % 6) & 1);
        snprintf(allowed + i, 2, "%x", value);
    }
    EXPECT_TEXT(allowed, hex);
    static const char rest[] = "=&#39; &#39;strict-dynamic&#39; &#39;self&#39; file:; style-src "
                               "&#39;unsafe-inline&#39;;";
    EXPECT(strncmp(policy + 43, rest, sizeof rest - 1) == 0);
    json_decref(result);
}
