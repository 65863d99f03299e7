/* rtf.c - tests of RTF: code pages, destinations, notes, and files that are damaged. */
#include "pipeline/decoders/rtf.h"

#include "tests/test.h"

static trib_status read_rtf(trib_markup_text *to, const char *rtf, trib_error *error) {
    trib_status status = trib_rtf_text(to, (trib_markup_bytes){"a.rtf", rtf, strlen(rtf)}, error);
    return status == TRIB_OK ? trib_markup_finish(to, error) : status;
}

static void expect_rtf(const char *rtf, trib_notes notes, const char *wanted) {
    trib_markup_text to = {.notes = notes};
    trib_error error = {0};
    EXPECT_STATUS(read_rtf(&to, rtf, &error), TRIB_OK, error);
    EXPECT_TEXT(to.text.text ? to.text.text : "", wanted);
    trib_markup_release(&to);
}

static void bytes_are_decoded_by_the_code_page_of_their_font(void) {
    expect_rtf("{\\rtf1\\ansi caf\\'e9}", TRIB_NOTES_DROP, "caf\u00E9\n");
    expect_rtf("{\\rtf1\\mac caf\\'8e}", TRIB_NOTES_DROP, "caf\u00E9\n");
    expect_rtf("{\\rtf1\\ansi\\ansicpg1250 \\'9ci}", TRIB_NOTES_DROP, "\u015Bi\n");
    expect_rtf("{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}"
               "{\\f2\\fcharset2 Symbol;}}\\'e9 \\f1\\'e9 {\\f2 \\'b7}\\f0\\'e9}",
               TRIB_NOTES_DROP, "\u00E9 \u0439 \u00E9\n");
    /* two bytes for a character, the second of which is an ASCII letter */
    expect_rtf("{\\rtf1{\\fonttbl{\\f0\\fcharset128 M;}}\\f0\\'83e\\'83X\\'83\\'67 a}",
               TRIB_NOTES_DROP, "\u30C6\u30B9\u30C8 a\n");
}

static void unicode_replaces_its_fallback(void) {
    expect_rtf("{\\rtf1\\u945?\\u946\\'61 x{\\uc2\\u947 ab}\\uc0\\u948 y}", TRIB_NOTES_DROP,
               "\u03B1\u03B2 x\u03B3\u03B4y\n");
    expect_rtf("{\\rtf1\\u-10187?\\u-9138?}", TRIB_NOTES_DROP, "\U0001D44E\n");
    expect_rtf("{\\rtf1 a\\u-10187?b}", TRIB_NOTES_DROP, "ab\n");
    expect_rtf("{\\rtf1 one\\uc0\\u10 two\\u9 three}", TRIB_NOTES_DROP, "one two three\n");
    expect_rtf("{\\rtf1 well\\_known na\\-me\\~x\\{\\}\\emdash y}", TRIB_NOTES_DROP,
               "well-known name x{}\u2014y\n");
}

static void only_what_a_reader_sees_is_read(void) {
    expect_rtf("{\\rtf1{\\info{\\title T}}{\\header head}{\\*\\generator G}{\\stylesheet{\\s1 S;}}"
               "{\\colortbl;\\red0;}one{\\v hidden}{\\deleted gone}{\\pntext 1.\\tab}"
               "{\\field{\\*\\fldinst PAGE}{\\fldrslt two}}{\\*\\shpinst{\\sp x}{\\shptxt box}}"
               "{\\pict 00ff}{\\bin3 }}} three}",
               TRIB_NOTES_DROP, "onetwobox three\n");
    expect_rtf("{\\rtf1 one\\par two\\line three\\cell four\\row}", TRIB_NOTES_DROP,
               "one\n\ntwo\nthree\nfour\n");
    expect_rtf("{\\rtf1 cui{\\super 2}bono 1{\\super er} m}", TRIB_NOTES_DROP,
               "cui 2 bono 1er m\n");
}

static void notes_are_dropped_kept_or_separate(void) {
    static const char rtf[] =
        "{\\rtf1 one{\\super\\chftn{\\footnote\\pard {\\super\\chftn} a note\\par}} two}";
    expect_rtf(rtf, TRIB_NOTES_DROP, "one two\n");
    expect_rtf(rtf, TRIB_NOTES_KEEP, "one  a note  two\n");
    expect_rtf(rtf, TRIB_NOTES_SEPARATE, "one two\n\n a note\n\n");
}

static void damaged_files_end_somewhere(void) {
    trib_markup_text to = {.notes = TRIB_NOTES_SEPARATE};
    trib_error error = {0};
    char deep[6 + 5000 + 1] = "{\\rtf1";
    memset(deep + 6, '{', 5000);
    EXPECT_STATUS(read_rtf(&to, deep, &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "a.rtf: has groups in more than 4096 groups") != NULL);
    EXPECT_STATUS(read_rtf(&to, "the heron", &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "is not RTF") != NULL);
    EXPECT_STATUS(read_rtf(&to, "{\\rtf1 {\\header only}}", &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "contains no text") != NULL);
    trib_markup_release(&to);
    expect_rtf("{\\rtf1 one}}}} two{\\footnote three", TRIB_NOTES_SEPARATE, "one two\n\nthree\n\n");
    expect_rtf("{\\rtf1 one\\", TRIB_NOTES_DROP, "one\n");
    expect_rtf("{\\rtf1 one\\'e", TRIB_NOTES_DROP, "onee\n");
}

static void binary_data_beyond_the_end_are_rejected(void) {
    trib_markup_text to = {0};
    trib_error error = {0};
    const char rtf[] = "{\\rtf1 one\\bin4 two";
    expect_rtf("{\\rtf1 one\\bin3 two four}", TRIB_NOTES_DROP, "one four\n");
    EXPECT_STATUS(trib_rtf_text(&to, (trib_markup_bytes){"a.rtf", rtf, sizeof rtf - 1}, &error),
                  TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "a.rtf: is damaged: \\bin announces more bytes than the 3 that are "
                               "left; save it again in a word processor");
    trib_markup_release(&to);
}

CU_TestInfo trib_tests_decoders_rtf[] = {
    {"bytes are decoded by the code page of their font",
     bytes_are_decoded_by_the_code_page_of_their_font},
    {"unicode replaces its fallback", unicode_replaces_its_fallback},
    {"only what a reader sees is read", only_what_a_reader_sees_is_read},
    {"notes are dropped, kept or separate", notes_are_dropped_kept_or_separate},
    {"damaged files end somewhere", damaged_files_end_somewhere},
    {"binary data beyond the end are rejected", binary_data_beyond_the_end_are_rejected},
    CU_TEST_INFO_NULL};
