/* text.c - tests of the lines and the characters of a text. */
#include "pipeline/stages/text.h"

#include <sys/stat.h>
#include <unicode/ucnv.h>

#include "tests/pipeline/run/experiment.h"

TESTS(stages, text);

/* The slow twin: decodes the text before the byte, and counts the characters. */
static size_t slow_characters(const char *encoding, const char *text, size_t byte) {
    GIVEN(trib_buffer) decoded = {0};
    size_t n = 0;
    CHECK(trib_excerpt(&decoded, encoding, text, byte, NULL) == TRIB_OK);
    for (size_t i = 0; i < decoded.length; i++)
        n += ((unsigned char)decoded.text[i] & 0xC0) != 0x80;
    return n;
}

static trib_document_text read_text(const char *encoding, const char *bytes, size_t length) {
    trib_document_text text = {.encoding = encoding};
    CHECK(trib_buffer_add(&text.bytes, bytes ? bytes : "", length, NULL) == TRIB_OK);
    CHECK(trib_text_find_lines(&text, NULL) == TRIB_OK);
    return text;
}

/* Compares the characters before every `step` bytes, which begin characters, and before the end. */
static void compare(const char *encoding, const char *text, size_t length, size_t step) {
    trib_document_text lines = read_text(encoding, text, length);
    for (size_t byte = 0; byte <= length; byte += step)
        CHECK(trib_text_character_at(&lines, byte) == slow_characters(encoding, text, byte));
    CHECK(trib_text_character_at(&lines, length) == slow_characters(encoding, text, length));
    trib_text_release(&lines);
}

TEST(a_byte_has_the_line_of_the_last_line_feed_before_it) {
    trib_document_text lines = read_text(NULL, "one\n\ntwo\nend", 12);
    CHECK(lines.n_lines == 4);
    CHECK(trib_text_line_at(&lines, 0) == 1);
    CHECK(trib_text_line_at(&lines, 3) == 1);
    CHECK(trib_text_line_at(&lines, 4) == 2);
    CHECK(trib_text_line_at(&lines, 5) == 3);
    CHECK(trib_text_line_at(&lines, 11) == 4);
    trib_text_release(&lines);
}

/* LF, CRLF, CR, NEL, LS and PS end a line; each line holds one letter. */
TEST(every_line_end_ends_a_line_in_every_encoding) {
    static const UChar units[] = u"a\nb\r\nc\rd\x85"
                                 u"e\u2028f\u2029g\r";
    static const char *const encodings[] = {"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE"};
    for (size_t e = 0; e < 4; e++) {
        UErrorCode code = U_ZERO_ERROR;
        char bytes[100];
        UConverter *converter = ucnv_open(encodings[e], &code);
        const int32_t n = ucnv_fromUChars(converter, bytes, sizeof bytes, units, -1, &code);
        CHECK(U_SUCCESS(code));
        ucnv_close(converter);
        trib_document_text lines = read_text(encodings[e], bytes, (size_t)n);
        EXPECT(lines.n_lines == 8);
        for (int32_t i = 0, line = 0; i < n; i++) {
            if (bytes[i] < 'a' || bytes[i] > 'g') continue;
            line++;
            EXPECT(bytes[i] == 'a' + line - 1 &&
                   trib_text_line_at(&lines, (size_t)i) == (size_t)line);
        }
        trib_text_release(&lines);
    }
}

TEST(an_empty_text_has_one_line_and_no_character) {
    static const char *const encoding[] = {NULL, "UTF-8", "windows-1252", "UTF-16"};
    for (int i = 0; i < 4; i++) {
        trib_document_text lines = read_text(encoding[i], NULL, 0);
        CHECK(lines.n_lines == 1);
        CHECK(trib_text_line_at(&lines, 0) == 1);
        CHECK(trib_text_character_at(&lines, 0) == 0);
        trib_text_release(&lines);
    }
}

TEST(the_characters_of_utf_8_are_counted_in_lines_of_any_length) {
    char text[400] = "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\n"; /* 4 characters in 10 bytes */
    for (size_t i = 10; i < sizeof text; i++) text[i] = text[i - 10];
    compare("UTF-8", text, sizeof text, 10);
    for (size_t i = 0; i < sizeof text; i++)
        if (text[i] == '\n') text[i] = ' ';
    compare(NULL, text, sizeof text, 10);
}

TEST(the_characters_of_other_encodings_are_counted_from_their_bytes) {
    static const struct {
        const char *encoding, *text; /* of bytes that are read many times over */
        size_t length;
    } of[] = {
        {"windows-1252",
         "\x93"
         "caf\xE9\x94 \x81\n",
         9},
        {"ISO-8859-2", "\xB1\xE6 z", 4},
        {"Shift_JIS", "\x93\xFA\x96\x7B a\xB1\n", 8},
        {"GB18030", "\xD6\xD0\x81\x30\x81\x30x", 7},
        {"Big5-HKSCS", "\x88\x62 \xA4\xA4", 5}, /* two characters in two bytes */
        {"ISO-2022-JP", "\x1B$B\x46\x7C\x1B(Ba", 9},
        {"UTF-16LE", "a\0\x3D\xD8\x00\xDE", 6},
        {"UTF-32BE", "\0\1\xF6\0\0\0\0a", 8},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[20000];
        const size_t length = sizeof text / of[i].length * of[i].length;
        for (size_t k = 0; k < length; k++) text[k] = of[i].text[k % of[i].length];
        compare(of[i].encoding, text, length, 97 * of[i].length);
        compare(of[i].encoding, text, 7 * of[i].length, of[i].length);
    }
}

TEST(a_byte_order_mark_is_no_character_of_utf_16) {
    compare("UTF-16",
            "\xFF\xFE"
            "a\0b\0",
            6, 2);
}

TEST(an_encoding_without_a_converter_is_an_error) {
    trib_document_text text = {.encoding = "no-such"};
    trib_error error = {0};
    CHECK(trib_buffer_add(&text.bytes, "a", 1, NULL) == TRIB_OK);
    CHECK(trib_text_find_lines(&text, &error) == TRIB_INTERNAL);
    CHECK(strstr(error.message, "no-such") != NULL);
    trib_text_release(&text);
}

/* A text that is not kept is decoded again in its encoding, also when it is made of pages. */
TEST(pages_are_read_again_in_their_encoding) {
    GIVEN(trib_experiment) f = {0};
    trib_document_text text = {.encoding = NULL};
    trib_error error = {0};
    CHECK(mkdir(trib_scratch("leaves"), 0700) == 0);
    trib_write_scratch("leaves/1.txt", "les for\xEAts vertes\n");
    trib_write_scratch("leaves/2.txt", "de l'\xE9t\xE9\n");
    trib_experiment_open(&f,
                         "tributary: 1\ncorpus: {encoding: latin1, target: a, documents: "
                         "[{id: a, file: leaves, pages: true}]}\n",
                         1);
    EXPECT_OK(trib_run_stage(&f.run, "corpus", &error));
    EXPECT_OK(trib_run_stage(&f.run, "tokens", &error));
    struct trib_spool_of_texts *const kept = f.run.corpus.spool;
    f.run.corpus.spool = NULL;
    EXPECT_OK(trib_text_read(&text, &f.config, &f.run.corpus, &f.run.words, 0, &error));
    f.run.corpus.spool = kept;
    EXPECT(text.bytes.text && strstr(text.bytes.text, "for\u00EAts") != NULL);
    trib_text_release(&text);
}
