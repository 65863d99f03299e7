/* running_text.c - the file read/ID.json has the whole text, each word at its number, and what is
 * marked agrees with the source at the place it names. */
#include "tests/test.h"

#include <ctype.h>

#include "pipeline/report/reading.h"
#include "tests/pipeline/run/experiment.h"

static const char *const digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static const char *const source =
    "It was a bright cold day in April, and the clocks were striking the hour of one. The old man\n"
    "walked slowly down the stony path to the harbour, where the boats lay waiting for the tide.\n";

/* Quotes the source twice: once with one word changed, once whole; "12" is no word. */
static const char *const target =
    "My own words stand here first, and nobody else has written any of them before.\n\n"
    "\"It was a bright COLD evening in April, and the clocks were striking the hour of one,\" she\n"
    "said; 12 other things came to mind that I shall not repeat on these pages at all. Then,\n"
    "again: the stony path to the harbour, where the boats lay waiting for the tide. "
    "It\xE2\x80\x99s "
    "over.\n";

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(trib_scratch(name), "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

/* Runs the experiment; returns the contents of read/t.json. */
static json_t *read_target(const char *extra) {
    char config[800], directory[600];
    json_t *text = NULL;
    trib_error error = {0};
    write_file("s.txt", source);
    write_file("t.txt", target);
    snprintf(config, sizeof config,
             "tributary: 1\ncorpus:\n  target: [t]\n  documents:\n    - {id: s, file: s.txt, "
             "title: The Source}\n    - {id: t, file: t.txt, title: The Target}\n"
             "influence: {methods: [traced], bootstrap: 0, floor: 0}\n%s",
             extra);
    write_file("read.yaml", config);
    snprintf(directory, sizeof directory, "%s", trib_scratch(*extra ? "short" : "whole"));
    char file[600];
    snprintf(file, sizeof file, "%s", trib_scratch("read.yaml"));
    EXPECT_STATUS(trib_experiment_do(NULL, file, directory, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_running_text_load(&text, directory, "t", &error), TRIB_OK, error);
    return text;
}

/* The text of a block, from its pieces. */
static void join(char *to, const json_t *block) {
    const json_t *pieces = json_object_get(block, "text");
    to[0] = '\0';
    for (size_t i = 0; i < json_array_size(pieces); i++)
        strcat(to, json_string_value(json_array_get(pieces, i)));
}

/* Whether `to` (lower case) begins with the letters of a word, and ends there. */
static bool begins_with(const char *text, const char *word) {
    for (; *word; word++, text++)
        if (tolower((unsigned char)*text) != *word) return false;
    return !isalpha((unsigned char)*text);
}

/* Reads the code of a block: the byte where each word begins. All text before is ASCII. */
static size_t read_starts(const char *code, const char *text, size_t *start) {
    size_t n = 0, number = 0, at = 0;
    bool is_step = false;
    for (; *code; code++) {
        const size_t digit = (size_t)(strchr(digits, *code) - digits);
        number += digit;
        if (digit == 63) continue;
        if (is_step) start[n++] = at += number;
        for (; !is_step && number > 0; number--)
            start[n] = at = trib_text_next_word(text, at, strlen(text), n > 0), n++;
        number = 0;
        is_step = !is_step;
    }
    return n;
}

static void every_word_is_at_its_number(void) {
    char text[2000];
    size_t start[200], n_words = 0;
    json_t *whole = read_target("");
    CHECK(whole != NULL);
    const json_t *blocks = json_object_get(whole, "blocks");
    EXPECT(json_array_size(blocks) == 2);
    for (size_t b = 0; b < json_array_size(blocks); b++) {
        const json_t *block = json_array_get(blocks, b);
        join(text, block);
        EXPECT(strstr(target, text) != NULL);
        EXPECT(trib_json_get_number(block, "first") == (double)n_words + 1);
        const size_t n = read_starts(trib_json_get_text(block, "starts"), text, start);
        EXPECT(trib_json_get_number(block, "words") == (double)n);
        if (b == 1) EXPECT(begins_with(text + start[5], "evening"));
        if (b == 1) EXPECT(begins_with(text + start[17], "she"));
        if (b == 1) EXPECT(begins_with(text + start[19], "other")); /* after the number */
        if (b == 1) EXPECT(begins_with(text + start[n - 1], "over"));
        n_words += n;
    }
    EXPECT(trib_json_get_number(whole, "words") == (double)n_words);
    json_decref(whole);
}

static void what_is_marked_agrees_with_the_source(void) {
    json_t *whole = read_target("");
    CHECK(whole != NULL);
    const json_t *passages = json_object_get(whole, "passages"),
                 *blocks = json_object_get(whole, "blocks");
    EXPECT(json_array_size(passages) == 2);
    const json_t *first = json_array_get(passages, 0), *second = json_array_get(passages, 1);
    EXPECT_TEXT(trib_json_get_text(json_array_get(json_object_get(whole, "sources"), 0), "source"),
                "s");
    EXPECT(trib_json_get_number(first, "words") == 17 &&
           trib_json_get_number(first, "agree") == 16);
    EXPECT(trib_json_get_number(first, "source_first") == 1);
    EXPECT(trib_json_get_number(second, "words") == 14);
    const json_t *quoted = json_object_get(first, "text");
    EXPECT_TEXT(json_string_value(json_array_get(quoted, 1)), "It was a bright cold");
    EXPECT_TEXT(json_string_value(json_array_get(quoted, 2)), " day ");
    const json_t *pieces = json_object_get(json_array_get(blocks, 1), "text");
    EXPECT_TEXT(json_string_value(json_array_get(pieces, 1)), "It was a bright COLD");
    EXPECT_TEXT(json_string_value(json_array_get(pieces, 2)), " evening ");
    const json_t *owners = json_object_get(json_array_get(blocks, 1), "passages");
    EXPECT(json_array_size(owners) == 3 && json_integer_value(json_array_get(owners, 1)) == 1 &&
           json_integer_value(json_array_get(owners, 2)) == 2);
    json_decref(whole);
}

static void snippets_have_no_running_text(void) {
    json_t *whole = read_target("report: {text: snippets}\n");
    EXPECT(whole == NULL);
    json_decref(whole);
}

CU_TestInfo trib_tests_report_running_text[] = {
    {"every word is at its number", every_word_is_at_its_number},
    {"what is marked agrees with the source", what_is_marked_agrees_with_the_source},
    {"snippets have no running text", snippets_have_no_running_text},
    CU_TEST_INFO_NULL,
};
