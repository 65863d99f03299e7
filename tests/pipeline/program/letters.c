/* letters.c - one command on a folder of letters in files of any format (letters.txt). */

#include "tests/pipeline/program/program.h"

/* Whether the text has each of these words, separated by spaces; or none of them. */
static void expect_words(const char *text, const char *words, bool are_there) {
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        char word[64];
        n = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        EXPECT((strstr(text, word) != NULL) == are_there);
    }
}

static void one_command_answers_from_letters(void) {
    char words[1024];
    trib_error error = {0};
    GIVEN(trib_buffer) out = {0};
    if (system("command -v pandoc >/dev/null && command -v pdftotext >/dev/null") != 0) {
        trib_skip("pandoc or pdftotext is not installed");
        return;
    }
    snprintf(words, sizeof words,
             "cd '%s' && for from in *.md letters/*.md; do to=${from%%.md} && "
             "pandoc -f markdown -t ${to##*.} -o $to $from && rm $from || exit 1; done",
             trib_scratch(""));
    CHECK(system(words) == 0);
    snprintf(words, sizeof words, "--no-cache run %s %s -o %s", trib_scratch("Ziel-Müller.docx"),
             trib_scratch("letters"), trib_scratch("answer"));
    EXPECT_STATUS(trib_program_do(words, &error), TRIB_OK, error);
    CHECK(trib_read_whole(trib_scratch("stdout"), &out, NULL) == TRIB_OK);
    const char *report = strstr(out.text, "\nreport: ");
    EXPECT(strncmp(out.text, "Of the ", strlen("Of the ")) == 0);
    EXPECT(report && strchr(report + 1, '\n')[1] == '\0');
    expect_words(out.text, trib_case_text("flowing"), true);
    expect_words(out.text, trib_case_text("others"), false);
}

CU_TestInfo trib_tests_program_letters[] = {
    {"tests/pipeline/program/letters.txt [letters]", one_command_answers_from_letters},
    CU_TEST_INFO_NULL};
