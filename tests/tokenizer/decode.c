/* decode.c - tests of encodings, invalid bytes and places in files that are not UTF-8. */
#include "tests/tokenizer/token.h"

/* The message for `text`, the same for any chunking. */
static void expect_refusal(const char *encoding, const char *text, size_t n, const char *wanted) {
    const trib_token_options options = {DEFAULTS, .encoding = encoding};
    for (size_t chunk = 0; chunk < 8; chunk++) {
        trib_buffer words = {0};
        trib_error error = {0};
        EXPECT_STATUS(tokenize(&options, text, n, chunk, false, &words, NULL, &error), TRIB_INPUT,
                      error);
        EXPECT_TEXT(error.message, wanted);
        trib_buffer_release(&words);
    }
}

/* The words with their places, the same for any chunking. */
static void expect_places(const char *encoding, trib_invalid on_invalid, const char *text, size_t n,
                          const char *wanted, uint64_t n_replaced) {
    const trib_token_options options = {DEFAULTS, .encoding = encoding, .on_invalid = on_invalid};
    for (size_t chunk = 0; chunk < 8; chunk++) {
        trib_buffer words = {0};
        trib_error error = {0};
        trib_token_counts counts;
        EXPECT_STATUS(tokenize(&options, text, n, chunk, true, &words, &counts, &error), TRIB_OK,
                      error);
        EXPECT_TEXT(words.text ? words.text : "", wanted);
        EXPECT(counts.n_replaced == n_replaced && counts.n_bytes == n);
        trib_buffer_release(&words);
    }
}

static void invalid_utf_8_is_rejected_with_its_place_and_likely_encoding(void) {
    static const char curly[] = "The cat\nsat.\nDon\x92t look\n";
    expect_refusal(NULL, curly, sizeof curly - 1,
                   "a.txt: byte 16 (line 3) is not UTF-8 (0x92, likely windows-1252); set "
                   "corpus.encoding to auto, or give this document `encoding: windows-1252`");
    static const char latin[] = "un caf\xE9 noir\n";
    expect_refusal("UTF-8", latin, sizeof latin - 1,
                   "a.txt: byte 6 (line 1) is not UTF-8 (0xE9, likely iso-8859-1); set "
                   "corpus.encoding to auto, or give this document `encoding: iso-8859-1`");
    static const char cut[] = "caf\xC3";
    expect_refusal("utf8", cut, sizeof cut - 1,
                   "a.txt: byte 3 (line 1) is not UTF-8 (0xC3, likely iso-8859-1); set "
                   "corpus.encoding to auto, or give this document `encoding: iso-8859-1`");
    static const char marked[] = "\xFF\xFEt\0h\0e\0";
    expect_refusal(NULL, marked, sizeof marked - 1,
                   "a.txt: byte 0 (line 1) is not UTF-8 (0xFF, likely UTF-16LE); set "
                   "corpus.encoding to auto, or give this document `encoding: UTF-16LE`");
}

static void utf_16_without_a_byte_order_mark_is_rejected(void) {
    char text[80] = "";
    for (size_t i = 0; i < 40; i++) text[2 * i] = "cat "[i % 4];
    expect_refusal(NULL, text, 80,
                   "a.txt: not UTF-8 (every other byte is 0, likely UTF-16LE); set corpus.encoding "
                   "to auto, or give this document `encoding: UTF-16LE`");
}

static void surrogates_overlong_forms_and_large_numbers_are_invalid(void) {
    static const char *const wrong[] = {
        "\xED\xA0\x80",     "\xC0\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5",     "\x80",         "\xF0\x9F\x92"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        trib_buffer words = {0};
        trib_error error = {0};
        const trib_token_options options = {DEFAULTS};
        EXPECT_STATUS(
            tokenize(&options, wrong[i], strlen(wrong[i]), 0, false, &words, NULL, &error),
            TRIB_INPUT, error);
        trib_buffer_release(&words);
    }
}

static void invalid_bytes_can_be_replaced(void) {
    static const char text[] = "a\xFF"
                               "b caf\xE9 \xF0\x9F\x92x \xC3\xA9";
    expect_places(NULL, TRIB_INVALID_REPLACE, text, sizeof text - 1,
                  "a@0+1|b@2+1|caf@4+3|x@12+1|\xC3\xA9@14+2", 3);
    static const char shift[] = "a \x81\xFF \x93\xFA\x96{ b\x81";
    expect_places("shift_jis", TRIB_INVALID_REPLACE, shift, sizeof shift - 1,
                  "a@0+1|\xE6\x97\xA5\xE6\x9C\xAC@5+4|b@10+1", 3);
    expect_refusal("shift_jis", shift, sizeof shift - 1,
                   "a.txt: byte 2 (line 1) is not ibm-943_P15A-2003 (0x81); set corpus.encoding to "
                   "auto, or give this document an `encoding` of its own");
}

static void other_encodings_keep_the_places_of_the_file(void) {
    static const char windows[] = "Don\x92t caf\xE9, \x93na\xEFve\x94";
    expect_places("windows-1252", TRIB_INVALID_ERROR, windows, sizeof windows - 1,
                  "don't@0+5|caf\xC3\xA9@6+4|na\xC3\xAFve@13+5", 0);
    static const char wide[] = "\xFF\xFE"
                               "a\0b\0 \0\x35\xD8\x9C\xDC"
                               "c\0\n\0d\0";
    expect_places("UTF-16", TRIB_INVALID_ERROR, wide, sizeof wide - 1,
                  "ab@2+4|\xF0\x9D\x92\x9C"
                  "c@8+6|d@16+2",
                  0);
    static const char koi8[] = "\xED\xC9\xD2 \xED\xC9\xD2";
    expect_places("KOI8-R", TRIB_INVALID_ERROR, koi8, sizeof koi8 - 1,
                  "\xD0\xBC\xD0\xB8\xD1\x80@0+3|\xD0\xBC\xD0\xB8\xD1\x80@4+3", 0);
    expect_places("us-ascii", TRIB_INVALID_ERROR, "the cat", 7, "the@0+3|cat@4+3", 0);
}

static void auto_finds_the_encoding(void) {
    static const char utf8[] = "d\xC3\xA9j\xC3\xA0 vu";
    expect_places("auto", TRIB_INVALID_ERROR, utf8, sizeof utf8 - 1,
                  "d\xC3\xA9j\xC3\xA0@0+6|vu@7+2", 0);
    static const char french[] = "La libert\xE9 \xE9gale pour l\x92homme et pour l\x92"
                                 "enfant est d\xE9j\xE0 n\xE9"
                                 "e";
    expect_places(
        "auto", TRIB_INVALID_ERROR, french, sizeof french - 1,
        "la@0+2|libert\xC3\xA9@3+7|\xC3\xA9gale@11+5|pour@17+4|l'homme@22+7|et@30+2|pour@33+4|"
        "l'enfant@38+8|est@47+3|d\xC3\xA9j\xC3\xA0@51+4|n\xC3\xA9"
        "e@56+3",
        0);
    char wide[80] = "";
    for (size_t i = 0; i < 40; i++) wide[2 * i + 1] = i < 37 ? 'a' : "a b"[i - 37];
    trib_buffer words = {0};
    trib_error error = {0};
    const trib_token_options options = {DEFAULTS, .encoding = "auto"};
    EXPECT_STATUS(tokenize(&options, wide, 80, 7, true, &words, NULL, &error), TRIB_OK, error);
    EXPECT_TEXT(words.text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@0+76|b@78+2");
    trib_buffer_release(&words);
}

static void auto_keeps_damaged_utf_8_as_utf_8(void) {
    static const char text[] = "\xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9\n"
                               "\xC3\xA9t\xC3\xA9 l\x92 \xC3\xA9t\xC3\xA9";
    const trib_token_options options = {DEFAULTS, .encoding = "auto"};
    trib_buffer words = {0};
    trib_error error = {0};
    EXPECT_STATUS(tokenize(&options, text, sizeof text - 1, 7, true, &words, NULL, &error),
                  TRIB_INPUT, error);
    EXPECT_TEXT(error.message,
                "a.txt: byte 25 (line 2) is not UTF-8 (0x92), as the rest of the text is; set "
                "corpus.on_invalid to replace");
    trib_buffer_release(&words);
    expect_places("auto", TRIB_INVALID_REPLACE, text, sizeof text - 1,
                  "\xC3\xA9t\xC3\xA9@0+5|\xC3\xA9t\xC3\xA9@6+5|\xC3\xA9t\xC3\xA9@12+5|"
                  "\xC3\xA9t\xC3\xA9@18+5|l@24+1|\xC3\xA9t\xC3\xA9@27+5",
                  1);
}

static trib_status hear_nothing(void *context, const trib_token *token, trib_error *error) {
    (void)context, (void)token, (void)error;
    return TRIB_OK;
}

static void the_detected_encoding_is_reported(void) {
    static const struct {
        const char *asked, *text, *told;
    } cases[] = {{NULL, "caf\xC3\xA9", "UTF-8"},
                 {"latin1", "caf\xE9", "latin1"},
                 {"auto", "caf\xC3\xA9", "UTF-8"},
                 {"auto", "a caf\xE9 \x93on the hill\x94", "windows-1252"},
                 {"auto", "plain", "UTF-8"}}; /* the encoding of the previous document is gone */
    trib_tokenizer *t = NULL;
    const char *asked = "";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (i == 0 || cases[i].asked != asked) {
            trib_tokenizer_close(t);
            CHECK(trib_tokenizer_open(&t, &(trib_token_options){.encoding = cases[i].asked},
                                      NULL) == TRIB_OK);
            asked = cases[i].asked;
        }
        trib_tokenizer_begin(t, "x", hear_nothing, NULL);
        EXPECT(trib_tokenizer_feed(t, cases[i].text, strlen(cases[i].text), NULL) == TRIB_OK);
        EXPECT(trib_tokenizer_end(t, NULL, NULL) == TRIB_OK);
        EXPECT_TEXT(trib_tokenizer_encoding(t), cases[i].told);
    }
    trib_tokenizer_close(t);
}

CU_TestInfo trib_tests_tokenizer_decode[] = {
    {"invalid UTF-8 is rejected with its place and likely encoding",
     invalid_utf_8_is_rejected_with_its_place_and_likely_encoding},
    {"UTF-16 without a byte order mark is rejected", utf_16_without_a_byte_order_mark_is_rejected},
    {"surrogates, overlong forms and large numbers are invalid",
     surrogates_overlong_forms_and_large_numbers_are_invalid},
    {"invalid bytes can be replaced", invalid_bytes_can_be_replaced},
    {"other encodings keep the places of the file", other_encodings_keep_the_places_of_the_file},
    {"auto finds the encoding", auto_finds_the_encoding},
    {"auto keeps damaged UTF-8 as UTF-8", auto_keeps_damaged_utf_8_as_utf_8},
    {"the detected encoding is reported", the_detected_encoding_is_reported},
    CU_TEST_INFO_NULL,
};
