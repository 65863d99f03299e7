/* running_text.c - the file read/ID.json has the whole text, each word at its number, and what is
 * marked agrees with the source at the place it names. */
#include "tests/test.h"

#include <ctype.h>

#include "pipeline/report/reading.h"
#include "tests/pipeline/run/experiment.h"

TESTS(report, running_text);

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

/* Runs the experiment; returns the contents of read/ID.json. */
static const trib_running_text *read_text(const char *id, trib_arena *arena, const char *extra) {
    char config[800], directory[600], file[600];
    const trib_running_text *text = NULL;
    trib_error error = {0};
    trib_write_scratch("s.txt", source);
    trib_write_scratch("t.txt", target);
    snprintf(config, sizeof config,
             "tributary: 1\ncorpus:\n  target: [t]\n  documents:\n    - {id: s, file: s.txt, "
             "title: The Source}\n    - {id: t, file: t.txt, title: The Target}\n"
             "influence: {methods: [traced], bootstrap: 0, floor: 0}\n%s",
             extra);
    snprintf(file, sizeof file, "%s", trib_write_scratch("read.yaml", config));
    snprintf(directory, sizeof directory, "%s", trib_scratch(*extra ? "short" : "whole"));
    EXPECT_STATUS(trib_experiment_do(NULL, file, directory, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_running_text_read(&text, arena, directory, id, &error), TRIB_OK, error);
    return text;
}

/* The text of a block, from its pieces. */
static void join(char *to, const trib_running_block *block) {
    to[0] = '\0';
    for (size_t i = 0; i < block->text.n; i++) strcat(to, block->text.item[i]);
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

TEST(every_word_is_at_its_number) {
    char text[2000];
    size_t start[200], n_words = 0;
    trib_arena arena = {0};
    const trib_running_text *whole = read_text("t", &arena, "");
    CHECK(whole != NULL && whole->blocks.n == 2);
    for (size_t b = 0; b < 2; b++) {
        const trib_running_block *block = &whole->blocks.item[b];
        join(text, block);
        EXPECT(strstr(target, text) != NULL);
        EXPECT(block->first == n_words + 1);
        const size_t n = read_starts(block->starts, text, start);
        EXPECT(block->words == n);
        if (b == 1) EXPECT(begins_with(text + start[5], "evening"));
        if (b == 1) EXPECT(begins_with(text + start[17], "she"));
        if (b == 1) EXPECT(begins_with(text + start[19], "other")); /* after the number */
        if (b == 1) EXPECT(begins_with(text + start[n - 1], "over"));
        n_words += n;
    }
    EXPECT(whole->words == n_words);
    trib_arena_release(&arena);
}

TEST(what_is_marked_agrees_with_the_source) {
    trib_arena arena = {0};
    const trib_running_text *whole = read_text("t", &arena, "");
    CHECK(whole != NULL && whole->passages.n == 2 && whole->blocks.n == 2);
    const trib_running_passage *first = &whole->passages.item[0],
                               *second = &whole->passages.item[1];
    EXPECT_TEXT(whole->sources.item[0].source, "s");
    EXPECT(first->words == 17 && first->agree == 16 && first->source_first == 1);
    EXPECT(second->words == 14);
    EXPECT_TEXT(first->text.item[1], "It was a bright cold");
    EXPECT_TEXT(first->text.item[2], " day ");
    const trib_running_block *block = &whole->blocks.item[1];
    EXPECT_TEXT(block->text.item[1], "It was a bright COLD");
    EXPECT_TEXT(block->text.item[2], " evening ");
    EXPECT(block->passages.n == 3 && block->passages.item[1] == 1 && block->passages.item[2] == 2);
    EXPECT(block->beside.n == 3 && block->beside.item[0] == 1 && block->beside.item[1] == 7);
    EXPECT(block->beside.item[2] == second->source_first);
    trib_arena_release(&arena);
}

TEST(the_text_of_a_source_has_what_the_target_shares) {
    trib_arena arena = {0};
    const trib_running_text *whole = read_text("s", &arena, "");
    CHECK(whole != NULL && whole->passages.n == 2 && whole->blocks.n == 2);
    const trib_running_passage *first = &whole->passages.item[0];
    const trib_running_block *block = &whole->blocks.item[0];
    EXPECT_TEXT(whole->target, "s");
    EXPECT_TEXT(whole->sources.item[0].source, "t");
    EXPECT(whole->sources.item[0].words == 31 && whole->sources.item[0].passages == 2);
    EXPECT(first->first == 1 && first->words == 17 && first->agree == 16 && first->altered == 1);
    EXPECT_TEXT(first->text.item[1], "It was a bright COLD");
    EXPECT_TEXT(block->text.item[1], "It was a bright cold");
    EXPECT_TEXT(block->text.item[2], " day ");
    EXPECT(block->beside.item[0] == first->source_first);
    trib_arena_release(&arena);
}

TEST(snippets_have_no_running_text) {
    trib_arena arena = {0};
    EXPECT(read_text("t", &arena, "report: {text: snippets}\n") == NULL);
    trib_arena_release(&arena);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

static const char *const small =
    "{'schema':1,'target':'t','words':4,'sources':[{'source':'a','words':3,'passages':1}],"
    "'passages':[{'source':0,'first':2,'words':3,'source_first':7,'source_words':3,'agree':2,"
    "'text':['','one',' other ','three','']}],'blocks':[{'first':1,'words':4,'starts':'E',"
    "'text':['\xC3\xA9 ','one',' two ','three',''],'passages':[1,1],'references':[['p',0,2],"
    "['q',2,1]]}]}";

/* Writes read/t.json with `to` instead of `from`, and reads it. */
static trib_status read_changed(const char *from, const char *to, trib_error *error) {
    char json[2000];
    const char *const at = strstr(small, from), *const path = trib_scratch_below("read/t.json");
    const trib_running_text *text;
    trib_arena arena = {0};
    CHECK(at != NULL);
    snprintf(json, sizeof json, "%.*s%s%s", (int)(at - small), small, to, at + strlen(from));
    for (char *c = json; *c; c++)
        if (*c == '\'') *c = '"';
    trib_write_bytes(path, json, strlen(json));
    const trib_status status = trib_running_text_read(&text, &arena, trib_scratch(""), "t", error);
    EXPECT((text != NULL) == (status == TRIB_OK));
    trib_arena_release(&arena);
    return status;
}

TEST(a_number_outside_its_bounds_is_an_error) {
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"'schema':1", "'schema':2"},
        {"'words':4", "'words':5"},
        {"'words':4", "'words':10000000000000"},
        {"'words':4", "'words':'four'"},
        {"[{'source':'a','words':3,'passages':1}]", "[]"},
        {"[{'source':'a','words':3,'passages':1}]", "'a'"},
        {"[{'source':'a','words':3,'passages':1}]", "1"},
        {"'words':3,'passages'", "'words':5,'passages'"},
        {"'source':0", "'source':1"},
        {"'source':0", "'source':-1"},
        {"'source':0,", ""},
        {"'first':2", "'first':0"},
        {"'first':2", "'first':5"},
        {"'first':2", "'first':3"},
        {"'words':3,'source_first'", "'words':0,'source_first'"},
        {"'source_first':7", "'source_first':9223372036854775807"},
        {"'agree':2", "'agree':4"},
        {"'agree':2", "'agree':2,'probability':1.5"},
        {"'first':1", "'first':2"},
        {"'words':4,'starts'", "'words':3,'starts'"},
        {"'passages':[1,1]", "'passages':[1]"},
        {"'passages':[1,1]", "'passages':[1,2]"},
        {"'passages':[1,1]", "'passages':[0,1]"},
        {"'passages':[1,1]", "'passages':7"},
        {"['p',0,2]", "['p',0,-1]"},
        {"['p',0,2]", "['p',0,-100000000]"},
        {"['p',0,2]", "['p',0,1]"},
        {"['p',0,2]", "['p',0,4]"},
        {"['p',0,2]", "['p',5,0]"},
        {"['p',0,2]", "['p',3,0]"},
        {"'blocks':", "'blocks':1,'none':"},
    };
    trib_error error = {0};
    EXPECT_STATUS(read_changed("", "", &error), TRIB_OK, error);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        error = (trib_error){0};
        if (read_changed(changes[i].from, changes[i].to, &error) != TRIB_INPUT)
            EXPECT_TEXT(changes[i].to, "not read");
        EXPECT(strstr(error.message, "read/t.json") != NULL);
    }
}

static trib_status read_small(void *context, trib_error *error) {
    (void)context;
    return read_changed("", "", error);
}

TEST(every_allocation_may_fail) { EXPECT(trib_fail_every_allocation(read_small, NULL) > 2); }
