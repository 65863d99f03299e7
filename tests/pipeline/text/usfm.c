/* usfm.c - tests of USFM; usfm.txt has the cases. */
#include "pipeline/text/text_formats.h"
#include "tests/pipeline/support/pack.h"

TESTS(text, usfm);

CASES("tests/pipeline/text/usfm.txt [decoded]", files_are_decoded) { a_file_is_decoded(); }

static void read_usfm(trib_markup_text *to, const char *bytes) {
    trib_error error = {0};
    trib_status status =
        trib_usfm_text(to, (trib_markup_bytes){"a.usfm", bytes, strlen(bytes)}, &error);
    if (status == TRIB_OK) status = trib_markup_finish(to, &error);
    EXPECT_OK(status);
}

static const char book[] =
    "\\id RUT A Bible\n\\ide UTF-8\n\\rem No\n\\h Ruth\n\\mt2 The book of\n\\mt1 Ruth\n\n\\c 1\n"
    "\\s Naomi\n\\r (No 1:2)\n\\p\n\\v 1 In the \\nd Lord\\nd*, a~famine//came\\f + \\fr 1:1 \\ft "
    "Or \\+it hunger\\+it*.\\f* here.\n\\v 2-3 His \\w name|lemma=\"x\"\\w* was \\fig "
    "No|a.jpg\\fig*"
    "Elimelech\\x - \\xo 1:2 \\xt Gen 1\\x*.\n\\q1 and he\n\\q2 died\n\\b\n\\q1 there\n\\c 2\n\\v "
    "1 "
    "End\n";

/* Took a time that grew with the square of the number: minutes. */
TEST(many_spans_in_a_line_are_skipped) {
    enum { MANY = 200000 };
    GIVEN(trib_buffer) text = {0};
    CHECK(trib_buffer_add(&text, "\\p one ", 7, NULL) == TRIB_OK);
    for (size_t i = 0; i < MANY; i++)
        CHECK(trib_buffer_add(&text, "\\va 1\\va*", 9, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, "two", 3, NULL) == TRIB_OK);
    expect_decoded("a.usfm", text.text, text.length, &(decoded){"one two\n", "", "", 0});
}

TEST(book_chapter_and_verse_are_references) {
    static const char *const words[] = {"Naomi", "In the", "His", "there", "End"};
    static const char *const wanted[] = {"RUT 1", "RUT 1:1", "RUT 1:2-3", "RUT 1:2-3", "RUT 2:1"};
    trib_markup_text to = {0};
    read_usfm(&to, book);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(to.text.text, words[i]);
        CHECK(at != NULL);
        EXPECT_TEXT(trib_references_at(&to.references, (size_t)(at - to.text.text)), wanted[i]);
    }
    trib_markup_release(&to);
}

/* Each prefix of a file is read without running past its end. */
TEST(a_file_may_end_anywhere) {
    for (size_t n = 0; n < sizeof book; n++) {
        for (int notes = TRIB_NOTES_DROP; notes <= TRIB_NOTES_SEPARATE; notes++) {
            trib_markup_text to = {.notes = (trib_notes)notes};
            GIVEN(owned_text) bytes = malloc(n + 1);
            CHECK(bytes != NULL);
            memcpy(bytes, book, n);
            EXPECT(trib_usfm_text(&to, (trib_markup_bytes){"a.usfm", bytes, n}, NULL) == TRIB_OK);
            EXPECT(trib_markup_finish(&to, NULL) == TRIB_OK);
            trib_markup_release(&to);
        }
    }
}
