/* decoded_text.c - tests of pipeline/report/decoded_text.c: the text keeps its spelling, every
 * word its place, and blocks end where paragraphs do. */
#include "tests/test.h"

#include "pipeline/report/reading.h"

TESTS(report, decoded_text);

enum { MOST_WORDS = 4000 };

/* Finds the words of a text: runs of ASCII letters. */
static size_t find_words(const char *text, size_t length, trib_word_place *place) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        const bool is_letter = (text[i] | 32) >= 'a' && (text[i] | 32) <= 'z';
        if (!is_letter) continue;
        place[n].offset = i;
        while (i < length && (text[i] | 32) >= 'a' && (text[i] | 32) <= 'z') i++;
        place[n++].end = i;
    }
    return n;
}

static trib_arena arena;

static void decode(trib_decoded_text *decoded, const char *text, size_t length,
                   const char *encoding) {
    static trib_word_place place[MOST_WORDS];
    trib_buffer bytes = {0};
    trib_error error = {0};
    CHECK(trib_buffer_add(&bytes, text, length, &error) == TRIB_OK);
    const size_t n = find_words(text, length, place);
    EXPECT_STATUS(trib_decode_text(decoded, &arena, &bytes, encoding, place, n, &error), TRIB_OK,
                  error);
    trib_buffer_release(&bytes);
}

static void release(trib_decoded_text *decoded) {
    trib_buffer_release(&decoded->text);
    trib_arena_release(&arena);
}

/* Writes the blocks of a text with '|' between them, '~' before one that is wrapped and '*' before
 * one that text is left out before. */
static const char *blocks_of(const char *text) {
    static char shown[16000];
    trib_decoded_text decoded;
    trib_text_block block = {0};
    size_t n = 0, n_words = 0;
    decode(&decoded, text, strlen(text), "UTF-8");
    while (trib_text_block_next(&decoded, &block)) {
        EXPECT(block.first == n_words && block.n > 0);
        n_words += block.n;
        EXPECT(block.from <= decoded.start[block.first] &&
               decoded.end[block.first + block.n - 1] <= block.to);
        n += (size_t)snprintf(shown + n, sizeof shown - n, "%s%s%s%.*s", n > 0 ? "|" : "",
                              block.is_omitted ? "*" : "", block.is_wrapped ? "~" : "",
                              (int)(block.to - block.from), decoded.text.text + block.from);
    }
    EXPECT(n_words == decoded.n);
    release(&decoded);
    return shown;
}

TEST(a_block_ends_with_a_blank_line) {
    EXPECT_TEXT(blocks_of("One two,\nthree.\n\n  \"Four five.\"\n \nSix."),
                "One two,\nthree.|\"Four five.\"|Six.");
    EXPECT_TEXT(blocks_of("\xEF\xBB\xBFOne.\r\n\r\nTwo."), "One.|Two.");
    EXPECT_TEXT(blocks_of("One."), "One.");
    EXPECT_TEXT(blocks_of("... (One)\n---\n"), "... (One)");
}

TEST(each_long_line_is_a_block) {
    char text[600] = "", expected[600] = "";
    for (int i = 0; i < 3; i++) {
        const size_t n = strlen(text);
        memset(text + n, 'a', 99);
        text[n + 50] = ' ';
        strcat(text, "\n");
        strcat(expected, i > 0 ? "|" : "");
        strncat(expected, text + n, 99);
    }
    EXPECT_TEXT(blocks_of(text), expected);
}

TEST(filled_lines_are_told_from_verse) {
    char prose[2000] = "", expected[2000] = "~";
    for (int i = 0; i < 9; i++)
        strcat(prose, "here are many words that fill a line from end to end as in ah\n");
    strcat(prose, "prose");
    strcat(expected, prose);
    EXPECT_TEXT(blocks_of(prose), expected);
    const char *verse = "Shall I compare thee to a summer's day?\nThou art more lovely and more "
                        "temperate:\nRough winds do shake the darling buds of May,\nAnd summer";
    EXPECT_TEXT(blocks_of(verse), verse);
}

TEST(a_stripped_part_is_left_out) {
    char text[6000] = "One two.\n";
    memset(text + 9, '.', 5000);
    strcpy(text + 5009, "\nThree.");
    EXPECT_TEXT(blocks_of(text), "One two.|*Three.");
}

TEST(a_very_long_paragraph_is_cut_at_sentences) {
    static char text[12000];
    size_t n = 0;
    for (int i = 0; i < 700; i++) n += (size_t)sprintf(text + n, i % 10 == 9 ? "word. " : "word ");
    const char *cut = strchr(blocks_of(text), '|');
    CHECK(cut != NULL);
    EXPECT(cut[-1] == '.' && cut - blocks_of(text) < 2600);
}

TEST(a_text_in_another_encoding_keeps_its_words) {
    trib_decoded_text decoded;
    const char *latin = "\xABoui\xBB caf\xE9 noir";
    decode(&decoded, latin, strlen(latin), "ISO-8859-1");
    EXPECT_TEXT(decoded.text.text, "\xC2\xABoui\xC2\xBB caf\xC3\xA9 noir");
    EXPECT(decoded.n == 3 && decoded.start[0] == 2 && decoded.end[0] == 5);
    EXPECT(decoded.start[2] == 14 && decoded.end[2] == 18);
    release(&decoded);
    decode(&decoded, "one \xFFtwo\0three \xE2\x80\xAE", 18, "UTF-8"); /* not UTF-8 */
    EXPECT_TEXT(decoded.text.text, "one \xEF\xBF\xBDtwo three \xEF\xBF\xBD");
    release(&decoded);
    EXPECT(trib_utf16_length("a\xC3\xA9\xF0\x9F\x98\x80", 7) == 4);
}

/* Where words are expected, as indices with a space after each. */
static const char *expected_words(const char *text) {
    static char list[200];
    size_t at = 0, n = 0;
    const size_t to = strlen(text);
    list[0] = '\0';
    for (bool inside = false; (at = trib_text_next_word(text, at, to, inside)) < to; inside = true)
        n += (size_t)snprintf(list + n, sizeof list - n, "%zu ", at);
    return list;
}

TEST(words_are_expected_at_letters) {
    EXPECT_TEXT(expected_words("One, two"), "0 5 ");
    EXPECT_TEXT(expected_words("'tis o'clock 12 21st 5:7 --"), "1 5 16 ");
    EXPECT_TEXT(expected_words("\xE2\x80\x9CIt\xE2\x80\x99s\xE2\x80\x9D \xC3\xA9t\xC3\xA9"),
                "3 13 ");
    EXPECT_TEXT(expected_words("\xE3\x80\x8C\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x8D"), "3 ");
    EXPECT_TEXT(expected_words(""), "");
}
