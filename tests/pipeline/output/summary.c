/* summary.c - tests of the shares and phrases in the terminal: what is said at the boundaries of
 * the numbers. */
#include "tests/test.h"

#include "pipeline/output/summary.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

TESTS(output, summary);

/* trib_summary_write of a result in JSON. */
static trib_status summary_of(json_t *json, const trib_summary_options *options, trib_buffer *text,
                              trib_error *error) {
    GIVEN(trib_result) result = {0};
    json_object_set_new(json, "schema", json_integer(1));
    char *const read = json_dumps(json, 0);
    CHECK(read != NULL);
    trib_status status = trib_result_read(&result, "x", read, strlen(read), error);
    if (status == TRIB_OK) status = trib_summary_write(&result, options, text, error);
    free(read);
    return status;
}

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
    GIVEN(trib_buffer) text = {0};
    CHECK(summary_of(result, &options, &text, NULL) == TRIB_OK);
    if ((strstr(text.text, words) != NULL) != said)
        EXPECT_TEXT(text.text, said ? words : "a summary without it");
    json_decref(result);
}

/* How many lines a summary has; EXPECTs each within the columns. */
static size_t count_lines(json_t *result, const trib_summary_options *options) {
    GIVEN(trib_buffer) text = {0};
    size_t n = 0;
    CHECK(summary_of(result, options, &text, NULL) == TRIB_OK);
    for (char *line = text.text, *next; *line; line = next, n++) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = '\0';
        if (trib_columns(line) > options->columns) EXPECT_TEXT(line, "a line that fits");
    }
    return n;
}

TEST(a_target_without_sources_says_so) {
    static const char words[] = "no other text of this corpus may be its source";
    expect_said(result_of("rule", "1", ""), words, true);
    expect_said(result_of("rule", "1", ""), "nothing is found", false);
    expect_said(result_of("rule", "0.99", ROW("a", "0.01", "null", "true", "false")), words, false);
}

TEST(nothing_flows_from_below_the_floor) {
    static const char words[] = "no source shares more than 1.5 %";
    expect_said(result_of("rule", "0.99", ROW("a", "0.01", "null", "true", "false")), words, true);
    expect_said(result_of("rule", "0.985", ROW("a", "0.015", "null", "false", "false")), words,
                false);
    expect_said(result_of("rule", "0.99", ROW("a", "0.01", "null", "true", "false")),
                "1 source below the floor          1.0 %\n    the largest of these: Alpha 1.0 %\n",
                true);
}

TEST(larger_shares_come_first_and_ties_by_id) {
    expect_said(result_of("rule", "0.4",
                          ROW("b", "0.3", "null", "false", "false") "," ROW("a", "0.3", "null",
                                                                            "false", "false")),
                "Alpha                            30.0 %", true);
    expect_said(result_of("rule", "0.4",
                          ROW("b", "0.3", "null", "false", "false") "," ROW("a", "0.31", "null",
                                                                            "false", "false")),
                "interval\n  Alpha", false);
}

TEST(a_copy_leaves_nothing_to_the_author) {
    expect_said(result_of("rule", "0", ROW("a", "1", "null", "false", "false")),
                "the author's own and common       0.0 %", true);
    expect_said(result_of("rule", "0", ROW("a", "1", "null", "false", "false")), "100.0 %", true);
}

TEST(a_decoy_is_named_where_it_sets_the_floor) {
    json_t *result = result_of(
        "b", "0.9",
        ROW("a", "0.04", "null", "true", "false") "," ROW("b", "0.05", "null", "true", "true"));
    expect_said(json_incref(result), "the share of the decoy Be", true);
    expect_said(json_incref(result), "(decoy) 5.0 %, Alpha 4.0 %", true);
    expect_said(json_incref(result), "2 sources below the floor         9.0 %", true);
    expect_said(json_incref(result), "\033", false);
    expect_said(result, "no source shares more than 1.5 %", true);
}

/* Adds to the target of a result a passage of 24 words that it shares with Alpha. */
static json_t *with_passage(json_t *result) {
    static const char text[] =
        "[{\"source\":\"a\",\"phrases\":[],\"passages\":[{\"shared\":24,\"rarity\":50,"
        "\"notable\":true,\"target\":{\"first\":100,\"words\":25,\"text\":[\"then \",\"the quills "
        "\\u001b[31mof whin\",\", he said\"]},\"source\":{\"first\":7,\"words\":25,\"text\":[\"\","
        "\"The quills of whin\",\"\"]}}]}]";
    json_t *evidence = json_loads(text, 0, NULL);
    CHECK(evidence != NULL);
    json_object_set_new(json_array_get(json_object_get(result, "targets"), 0), "evidence",
                        evidence);
    return result;
}

TEST(a_passage_stands_before_the_shares) {
    json_t *result =
        with_passage(result_of("rule", "0.8", ROW("a", "0.2", "0.19", "false", "false")));
    expect_said(json_incref(result),
                "  20.0 % with Alpha (90 % interval 19.0 to 19.0)\n\n"
                "  the longest shared passage: 24 words in common with Alpha\n"
                "  words 100 to 124 of Target            \u2502 words 7 to 31 of Alpha\n"
                "  then [the quills \\x1B[31mof whin], he \u2502 [The quills of whin]\n"
                "  said                                  \u2502\n"
                "  words in brackets are word for word the same\n\n"
                "  Alpha ",
                true);
    json_decref(result);
}

/* In `run`, a source is quoted with its longest passage; a passage of a source below the noise
 * floor has a line of its own. */
TEST(a_source_is_quoted_with_its_longest_passage) {
    static const char *const rows[] = {
        ROW("a", "0.2", "0.19", "false", "false"),
        ROW("a", "0.01", "null", "true", "false") "," ROW("b", "0.2", "0.19", "false", "false")};
    static const char *const said[] = {"20.0 %  24 words: \u201cthe quills \\x1B[31mof",
                                       "longest shared passage: 24 words with Alpha, \u201cthe q"};
    for (size_t r = 0; r < 2; r++) {
        json_t *result = with_passage(result_of("rule", "0.8", rows[r]));
        const trib_summary_options brief = {.columns = 80};
        GIVEN(trib_buffer) text = {0};
        CHECK(summary_of(result, &brief, &text, NULL) == TRIB_OK);
        EXPECT(strstr(text.text, said[r]) != NULL);
        EXPECT(strstr(text.text, said[1 - r]) == NULL);
        json_decref(result);
    }
}

TEST(a_passage_is_no_nothing) {
    json_t *result =
        with_passage(result_of("rule", "0.99", ROW("a", "0.01", "null", "true", "false")));
    expect_said(json_incref(result), "nothing is found", false);
    expect_said(
        result,
        "no source shares more than 1.5 %; the longest shared passage has 24 words\n  (Alpha)",
        true);
}

/* Text without spaces is broken at the end of a column; on a narrow page the texts stand below each
 * other. */
TEST(passages_keep_to_the_width) {
    json_t *result =
        with_passage(result_of("rule", "0.8", ROW("a", "0.2", "0.19", "false", "false")));
    json_t *evidence =
        json_object_get(json_array_get(json_object_get(result, "targets"), 0), "evidence");
    json_t *passage = json_array_get(json_object_get(json_array_get(evidence, 0), "passages"), 0);
    json_t *pieces = json_object_get(json_object_get(passage, "source"), "text");
    json_array_set_new(
        pieces, 1,
        json_string("\u6625\u306f\u3042\u3051\u307c\u306e\u3002\u3084\u3046\u3084\u3046"
                    "\u3057\u308d\u304f\u306a\u308a\u3086\u304f\u5c71\u304e\u306f\u3002"
                    "\u5c11\u3057\u3042\u304b\u308a\u3066\u3001\u7d2b\u3060\u3061\u305f"));
    for (size_t width = 40; width <= 120; width++)
        for (int colors = 0; colors < 2; colors++) {
            const trib_summary_options options = {
                .phrases = true, .columns = width, .colors = colors != 0};
            GIVEN(trib_buffer) text = {0};
            CHECK(summary_of(result, &options, &text, NULL) == TRIB_OK);
            EXPECT((strstr(text.text, "\033[1m") != NULL) == options.colors);
            EXPECT((strstr(text.text, "[the") != NULL) == !options.colors);
            if (!options.colors) EXPECT(count_lines(result, &options) > 8);
        }
    json_decref(result);
}

TEST(intervals_are_explained_where_there_are_any) {
    expect_said(result_of("rule", "0.8", ROW("a", "0.2", "0.19", "false", "false")),
                "a to b: the 90 % interval", true);
    expect_said(result_of("rule", "0.8", ROW("a", "0.2", "null", "false", "false")), "interval",
                false);
}

/* A result of `n` targets d00, d01, ..., each with a share of .3 from the next one, .01 from the
 * one after it; every title is long, every phrase, too. */
static json_t *result_of_many(size_t n) {
    json_t *documents = json_array(), *targets = json_array();
    for (size_t d = 0; d < n; d++) {
        char id[24], next[24], other[24], title[128];
        snprintf(id, sizeof id, "d%02zu", d);
        snprintf(next, sizeof next, "d%02zu", (d + 1) % n);
        snprintf(other, sizeof other, "d%02zu", (d + 2) % n);
        snprintf(title, sizeof title, "%s, a title longer than any line of forty columns is", id);
        json_array_append_new(documents, json_pack("{s:s, s:s}", "id", id, "title", title));
        json_array_append_new(
            targets,
            json_pack("{s:s, s:f, s:s, s:{s:{s:f, s:[{s:s, s:f, s:f, s:f, s:b}, {s:s, s:f, s:b, "
                      "s:b}]}}, s:[{s:s, s:i, s:[{s:[s,s,s], s:i, s:i, s:i}]}]}",
                      "target", id, "floor", 0.015, "floor_from", other, "methods", "anchored",
                      "author", 0.69, "shares", "source", next, "share", 0.3 + 0.001 * (double)d,
                      "low", 0.2, "high", 0.4, "below_floor", 0, "source", other, "share", 0.01,
                      "below_floor", 1, "decoy", 1, "evidence", "source", next, "n_phrases",
                      123456789, "phrases", "words", "incomprehensibly", "honorificabilitudinity",
                      "of", "target_count", 12345, "source_count", 12345, "other_documents",
                      123456));
    }
    json_t *result = json_pack("{s:s, s:o, s:o}", "headline", "anchored", "documents", documents,
                               "targets", targets);
    CHECK(result != NULL);
    return result;
}

TEST(every_line_keeps_to_the_width) {
    json_t *few = result_of_many(3), *many = result_of_many(13);
    for (size_t width = 40; width <= 200; width++) {
        const trib_summary_options options = {.phrases = true, .columns = width};
        const trib_summary_options table = {.columns = width};
        EXPECT(count_lines(few, &options) > 20 && count_lines(few, &table) >= 14);
        EXPECT(count_lines(many, &options) >= 17 && count_lines(many, &table) >= 15);
    }
    json_decref(few);
    json_decref(many);
}

TEST(many_targets_are_their_strongest_finds) {
    json_t *result = result_of_many(300);
    const trib_summary_options options = {.phrases = true, .columns = 80},
                               one = {.phrases = true, .columns = 80, .target = "d07"},
                               five = {.columns = 80, .top = 5};
    EXPECT(count_lines(result, &options) == 26 && count_lines(result, &five) == 8);
    EXPECT(count_lines(result, &one) == 14);
    expect_said(json_incref(result), "the 20 largest of 300 shares", true);
    expect_said(json_incref(result), "   59.9 %  d299", true);
    expect_said(json_incref(result), "   57.9 %  d279", false);
    expect_said(result, "   58.0 %  d280", true);
}

TEST(one_target_or_source_is_shown_alone) {
    json_t *result = result_of_many(3);
    const trib_summary_options target = {.columns = 80, .target = "d01"},
                               wrong = {.columns = 80, .target = "do1"},
                               pair = {.columns = 80, .target = "d01", .source = "d01"};
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    EXPECT(count_lines(result, &target) == 4);
    EXPECT_STATUS(summary_of(result, &wrong, &text, &error), TRIB_USAGE, error);
    EXPECT_TEXT(error.message, "no target 'do1' in this run; did you mean 'd01'?");
    EXPECT_STATUS(summary_of(result, &pair, &text, &error), TRIB_USAGE, error);
    EXPECT_TEXT(error.message, "no source 'd01' of 'd01'; did you mean 'd02'?");
    json_decref(result);
}
