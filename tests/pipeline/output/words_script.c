/* words_script.c - tests of data/words.js: each word is one character, the most frequent word the
 * first, and nothing is written where the texts may not be. */
#include "tests/pipeline/program/program.h"
#include "tests/test.h"

TESTS(output, words_script);

/* Runs two small texts with a setting; returns the file, which the caller releases. */
static trib_status run_it(const char *setting, trib_buffer *script, trib_error *error) {
    char words[512], folder[100];
    snprintf(folder, sizeof folder, "%s", trib_scratch(""));
    trib_write_scratch("old.txt", "sea sea sea\n");
    trib_write_scratch("new.txt", "Sea, fog; the sea \"fog\" sea!\n");
    trib_write_scratch("words.yaml",
                       "tributary: 1\nname: words\ncorpus:\n  target: new\n  documents:\n"
                       "    - {id: old, file: old.txt}\n    - {id: new, file: new.txt}\n"
                       "influence: {methods: [split], headline: split, bootstrap: 0}\n");
    snprintf(words, sizeof words, "run %s/words.yaml -o %s/%s --set report.text=%s", folder, folder,
             setting, setting);
    EXPECT_STATUS(trib_program_do(words, error), TRIB_OK, *error);
    snprintf(words, sizeof words, "%s/%s/data/words.js", folder, setting);
    return trib_read_whole(words, script, error);
}

TEST(a_word_is_a_character) {
    GIVEN(trib_buffer) script = {0};
    trib_error error = {0};
    EXPECT_OK(run_it("full", &script, &error));
    EXPECT_TEXT(script.text, "tributary_words={\"words\":[\"sea\",\"fog\",\"the\"],\"texts\":{\n"
                             "\"new\":\"#$%#$#\",\n\"old\":\"###\"}};\n");
}

TEST(snippets_do_not_give_the_texts_away) {
    GIVEN(trib_buffer) script = {0};
    trib_error error = {0};
    EXPECT(run_it("snippets", &script, &error) != TRIB_OK);
}
