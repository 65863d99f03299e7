/* subtitles.c - tests of SRT and WebVTT; subtitles.txt has the cases. */
#include "tests/pipeline/support/pack.h"

TESTS(text, subtitles);

CASES("tests/pipeline/text/subtitles.txt [decoded]", files_are_decoded) { a_file_is_decoded(); }

/* Took a time that grew with the square of the number: minutes. */
TEST(many_tags_without_end_are_read) {
    enum { MANY = 1000000 };
    GIVEN(trib_buffer) srt = {0};
    CHECK(trib_buffer_print(&srt, NULL, "1\n0:01 --> 0:02\n<b>") == TRIB_OK);
    const size_t from = srt.length;
    for (size_t i = 0; i < MANY; i++) CHECK(trib_buffer_add(&srt, "<a", 2, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&srt, "\n", 1, NULL) == TRIB_OK);
    expect_decoded("d.srt", srt.text, srt.length, &(decoded){srt.text + from, "", "", 0});
}
