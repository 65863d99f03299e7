/* translated.c - tests of `find --from`: passages in an invented language, of whose words a
 * dictionary has two thirds. */
#include "tests/pipeline/program/program.h"

TESTS(index, translated);

enum { N_LINES = 200, LINE = 16, VOCABULARY = 700 };

/* Word `number` of a language, such as "wabc". */
static void add_word(trib_buffer *to, char language, uint64_t number, const char *after) {
    CHECK(trib_buffer_print(to, NULL, "%c%c%c%c%s", language, (char)('a' + number % 10),
                            (char)('a' + number / 10 % 10), (char)('a' + number / 100),
                            after) == TRIB_OK);
}

/* Writes lines of a text in a language. */
static void write_lines(const char *name, char language, int first, int n) {
    GIVEN(trib_buffer) text = {0};
    for (int line = first; line < first + n; line++) {
        trib_random random;
        trib_random_seed(&random, (uint64_t)line + 1);
        for (int i = 1; i <= LINE; i++)
            add_word(&text, language, trib_random_below(&random, VOCABULARY),
                     i < LINE ? " " : "\n");
    }
    trib_write_bytes(trib_scratch_below(name), text.text, text.length);
}

/* Writes a table of the words of two languages. */
static void write_words(const char *name, char one, char other) {
    GIVEN(trib_buffer) text = {0};
    for (uint64_t number = 0; number < VOCABULARY; number++) {
        if (number % 3 == 0) continue;
        add_word(&text, one, number, "\t");
        add_word(&text, other, number, "\n");
    }
    trib_write_bytes(trib_scratch_below(name), text.text, text.length);
}

static trib_status do_it(const char *command, trib_error *error) {
    char words[8192];
    const char *const folder = trib_scratch("");
    snprintf(words, sizeof words, command, folder, folder, folder);
    return trib_program_do(words, error);
}

/* Does a command whose output holds a part, or, if `part` is NULL, nothing that was found. */
static void expect_said(const char *command, const char *part) {
    GIVEN(trib_buffer) out = {0};
    trib_error error = {0};
    EXPECT_OK(do_it(command, &error));
    trib_read_bytes(trib_scratch("stdout"), &out);
    EXPECT(strstr(out.text, part ? part : "No translation of this passage was found") != NULL);
    EXPECT(part || !strstr(out.text, "in translation"));
}

static void write_all(void) {
    trib_error error = {0};
    write_lines("texts/host.txt", 'x', 0, N_LINES);
    write_lines("texts/other.txt", 'x', 1000, N_LINES);
    write_lines("passage.txt", 'w', 60, 5);
    write_lines("strange.txt", 'w', 5000, 5);
    write_words("words.tsv", 'w', 'x');
    write_words("back.tsv", 'x', 'w');
    EXPECT_OK(do_it("index add %s/library %s/texts", &error));
}

TEST(a_passage_is_found_in_a_translation_by_either_direction_of_a_dictionary) {
    write_all();
    expect_said("find %s/library %s/passage.txt --from la --dictionary %s/words.tsv",
                "host, line 61: ");
    expect_said("find %s/library %s/passage.txt --from la --dictionary %s/words.tsv",
                " of 80 words, in translation");
    expect_said("find %s/library %s/passage.txt --from la --table %s/back.tsv --json",
                "\"in_translation\": true");
}

TEST(what_no_text_translates_is_not_found) {
    write_all();
    expect_said("find %s/library %s/strange.txt --from la --dictionary %s/words.tsv", NULL);
    expect_said("find %s/library %s/passage.txt --from la", NULL);
}

TEST(options_of_translations_are_checked) {
    trib_error error = {0};
    write_all();
    EXPECT_STATUS(do_it("find %s/library %s/passage.txt --table %s/words.tsv", &error), TRIB_USAGE,
                  error);
    EXPECT(strstr(error.message, "--from") != NULL);
    EXPECT_STATUS(do_it("find %s/library %s/passage.txt --from 1", &error), TRIB_USAGE, error);
    EXPECT_STATUS(do_it("find %s/library %s/passage.txt --from la --table %s/none", &error),
                  TRIB_INPUT, error);
}
