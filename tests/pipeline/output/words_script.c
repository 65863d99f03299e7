/* words_script.c - tests of data/words.js: each word is one character, the most frequent word the
 * first, and nothing is written where the texts may not be. */
#include "tests/pipeline/program/program.h"
#include "tests/test.h"

static void write_file(const char *name, const char *text) {
    trib_error error = {0};
    trib_writer writer;
    CHECK(trib_writer_open(&writer, trib_scratch(name), &error) == TRIB_OK);
    trib_write_text(&writer, text);
    CHECK(trib_writer_commit(&writer, NULL, &error) == TRIB_OK);
}

/* Runs two small texts with a setting; returns the file, which the caller releases. */
static trib_status run_it(const char *setting, trib_buffer *script, trib_error *error) {
    char words[512], folder[100];
    snprintf(folder, sizeof folder, "%s", trib_scratch(""));
    write_file("old.txt", "sea sea sea\n");
    write_file("new.txt", "Sea, fog; the sea \"fog\" sea!\n");
    write_file("words.yaml", "tributary: 1\nname: words\ncorpus:\n  target: new\n  documents:\n"
                             "    - {id: old, file: old.txt}\n    - {id: new, file: new.txt}\n"
                             "influence: {methods: [split], headline: split, bootstrap: 0}\n");
    snprintf(words, sizeof words, "run %s/words.yaml -o %s/%s --set report.text=%s", folder, folder,
             setting, setting);
    EXPECT_STATUS(trib_program_do(words, error), TRIB_OK, *error);
    snprintf(words, sizeof words, "%s/%s/data/words.js", folder, setting);
    return trib_read_whole(words, script, error);
}

static void a_word_is_a_character(void) {
    trib_buffer script = {0};
    trib_error error = {0};
    EXPECT_STATUS(run_it("full", &script, &error), TRIB_OK, error);
    EXPECT_TEXT(script.text, "tributary_words={\"words\":[\"sea\",\"fog\",\"the\"],\"texts\":{\n"
                             "\"new\":\"#$%#$#\",\n\"old\":\"###\"}};\n");
    trib_buffer_release(&script);
}

static void snippets_do_not_give_the_texts_away(void) {
    trib_buffer script = {0};
    trib_error error = {0};
    EXPECT(run_it("snippets", &script, &error) != TRIB_OK);
    trib_buffer_release(&script);
}

CU_TestInfo trib_tests_output_words_script[] = {
    {"a word is a character", a_word_is_a_character},
    {"snippets do not give the texts away", snippets_do_not_give_the_texts_away},
    CU_TEST_INFO_NULL,
};
