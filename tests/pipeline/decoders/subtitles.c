/* subtitles.c - tests of SRT and WebVTT. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/decoders/text_formats.h"

static void expect_text(const char *name, const char *bytes, const char *wanted) {
    write_bytes(trib_scratch(name), bytes, strlen(bytes));
    expect_input(trib_scratch(name), wanted);
}

static void only_the_words_of_srt_are_read(void) {
    expect_text(
        "a.srt",
        "\xEF\xBB\xBF"
        "1\r\n00:00:01,000 --> 00:00:02,000 X1:10\r\n<i>The grey</i> heron\r\n"
        "{\\an8}stood &amp; waited\r\n\r\n2\r\n00:00:03,500 --> 00:00:04,000\r\n1789\r\n\r\n"
        "a line after an empty one\r\n\r\n",
        "The grey heron\nstood & waited\n1789\na line after an empty one\n");
    expect_text("tabs.srt", "1\n0:01\t-->\t0:02\nheron\n\n", "heron\n");
    expect_text("b.srt", "1\n0:01 --> 0:02\n5 < 6 <3\n\n", "5 < 6 <3\n");
}

static void only_the_cues_of_webvtt_are_read(void) {
    expect_text("a.vtt",
                "WEBVTT - a title\nKind: captions\n\nNOTE a comment\nof two lines\n\nSTYLE\n"
                "::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start\n"
                "<v Fred>The <c.loud>grey</c> heron&nbsp;stood\n\nNOTE at the end\n",
                "The grey heron stood\n");
}

static void references_to_characters_are_replaced(void) {
    expect_text(
        "c.srt",
        "1\n0:01 --> 0:02\n&quot;the &#8220;grey&#x201D;&quot; &lt;b&gt; &amp;amp; &#0; &#xD800; "
        "&# &heron;\n",
        "\"the \u201Cgrey\u201D\" <b> &amp; &#0; &#xD800; &# &heron;\n");
}

/* Took a time that grew with the square of the number: minutes. */
static void many_tags_without_end_are_read(void) {
    enum { MANY = 1000000 };
    trib_buffer srt = {0};
    CHECK(trib_buffer_print(&srt, NULL, "1\n0:01 --> 0:02\n<b>") == TRIB_OK);
    const size_t from = srt.length;
    for (size_t i = 0; i < MANY; i++) CHECK(trib_buffer_add(&srt, "<a", 2, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&srt, "\n", 1, NULL) == TRIB_OK);
    expect_text("d.srt", srt.text, srt.text + from);
    trib_buffer_release(&srt);
}

static void times_are_references(void) {
    static const char srt[] = "1\n00:00:01,000 --> 00:00:02,000\none\n\n"
                              "2\n00:00:03,000 --> 00:00:04,000\ntwo\n";
    trib_markup_text to = {.notes = TRIB_NOTES_DROP};
    trib_error error = {0};
    const trib_text_format *row = trib_text_format_named("a.srt", NULL, 0);
    const trib_markup_bytes file = {"a.srt", srt, sizeof srt - 1};
    EXPECT_STATUS(row->read(&to, file, &error), TRIB_OK, error);
    EXPECT_TEXT(trib_references_at(&to.references, 0), "00:00:01");
    EXPECT_TEXT(trib_references_at(&to.references, 5), "00:00:03");
    trib_markup_release(&to);
}

static void a_file_without_cues_is_rejected(void) {
    write_bytes(trib_scratch("no.srt"), "the grey heron\n", 15);
    expect_no_input(trib_scratch("no.srt"), "no.srt: has no line with the times of a subtitle");
    write_bytes(trib_scratch("no.vtt"), "WEBVTT\n\n00:01.000 --> 00:02.000\n\n", 33);
    expect_no_input(trib_scratch("no.vtt"), "no.vtt: contains no text");
    write_bytes(trib_scratch("l1.srt"), "1\n0:01 --> 0:02\n\xE9t\xE9\n", 20);
    expect_no_input(trib_scratch("l1.srt"), "l1.srt: byte 16 (line 3) is not UTF-8");
}

CU_TestInfo trib_tests_decoders_subtitles[] = {
    {"only the words of SRT are read", only_the_words_of_srt_are_read},
    {"only the cues of WebVTT are read", only_the_cues_of_webvtt_are_read},
    {"references to characters are replaced", references_to_characters_are_replaced},
    {"many tags without end are read", many_tags_without_end_are_read},
    {"times are references", times_are_references},
    {"a file without cues is rejected", a_file_without_cues_is_rejected},
    CU_TEST_INFO_NULL};
