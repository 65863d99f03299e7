/* usfm.c - tests of USFM: text, notes, references, and markers that are cut off. */
#include "pipeline/decoders/text_formats.h"
#include "tests/test.h"

static void read_usfm(trib_markup_text *to, const char *bytes) {
    trib_error error = {0};
    trib_status status =
        trib_usfm_text(to, (trib_markup_bytes){"a.usfm", bytes, strlen(bytes)}, &error);
    if (status == TRIB_OK) status = trib_markup_finish(to, &error);
    EXPECT_STATUS(status, TRIB_OK, error);
}

static void expect_read(const char *bytes, trib_notes notes, const char *wanted) {
    trib_markup_text to = {.notes = notes};
    read_usfm(&to, bytes);
    EXPECT_TEXT(to.text.text ? to.text.text : "", wanted);
    trib_markup_release(&to);
}

static const char book[] =
    "\\id RUT A Bible\n\\ide UTF-8\n\\rem No\n\\h Ruth\n\\mt2 The book of\n\\mt1 Ruth\n\n\\c 1\n"
    "\\s Naomi\n\\r (No 1:2)\n\\p\n\\v 1 In the \\nd Lord\\nd*, a~famine//came\\f + \\fr 1:1 \\ft "
    "Or \\+it hunger\\+it*.\\f* here.\n\\v 2-3 His \\w name|lemma=\"x\"\\w* was \\fig "
    "No|a.jpg\\fig*"
    "Elimelech\\x - \\xo 1:2 \\xt Gen 1\\x*.\n\\q1 and he\n\\q2 died\n\\b\n\\q1 there\n\\c 2\n\\v "
    "1 "
    "End\n";

static void the_text_is_read(void) {
    expect_read(book, TRIB_NOTES_DROP,
                "The book of\n\nRuth\n\nNaomi\n\nIn the Lord, a\xC2\xA0"
                "famine came here.\nHis "
                "name was Elimelech.\nand he\ndied\n\nthere\nEnd\n");
}

static void notes_are_read_as_asked(void) {
    static const char text[] =
        "\\p one\\f + \\fr 1:1 \\ft a note\\f* two\\x - \\xo 1 \\xt Gen\\x*.";
    expect_read(text, TRIB_NOTES_DROP, "one two.\n");
    expect_read(text, TRIB_NOTES_KEEP, "one a note two Gen .\n");
    expect_read(text, TRIB_NOTES_SEPARATE, "one two.\n\na note\n\nGen\n\n");
}

static void the_end_of_a_part_of_a_note_is_not_that_of_the_note(void) {
    static const char text[] = "\\p one\\f + \\fr 1:1\\fr* words here\\f* two";
    expect_read(text, TRIB_NOTES_KEEP, "one words here two\n");
    expect_read(text, TRIB_NOTES_SEPARATE, "one two\n\nwords here\n\n");
}

static void milestones_are_not_text(void) {
    expect_read("\\p \\qt-s |who=\"Pilate\"\\*Are you\\qt-e\\* king", TRIB_NOTES_DROP,
                "Are you king\n");
}

static void a_bar_is_text_unless_attributes_follow(void) {
    expect_read(
        "\\p one | two \\nd the | \\+it Lord|x=\"1\"\\+it* here|y\\nd* three | four\\f + \\ft a | "
        "b\\f* five | six",
        TRIB_NOTES_KEEP, "one | two the | Lord here three | four a | b five | six\n");
}

static void the_line_of_a_chapter_is_read(void) {
    expect_read("\\id RUT\n\\c 1 \\v 1 In the\n\\c 2 days\n\\c 3\n\\p of", TRIB_NOTES_DROP,
                "In the\ndays\n\nof\n");
}

static void any_line_ends_are_read(void) {
    static const char *const texts[] = {"\\id RUT A\r\\p\r\\v 1 one\rtwo\r\\q three\r",
                                        "\\id RUT A\r\n\\p\r\n\\v 1 one\r\ntwo\r\n\\q three\r\n",
                                        "\\id RUT A\n\\p\n\\v 1 one\ntwo\n\\q three\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_read(texts[i], TRIB_NOTES_DROP, "one\ntwo\nthree\n");
}

/* Took a time that grew with the square of the number: minutes. */
static void many_spans_in_a_line_are_skipped(void) {
    enum { MANY = 200000 };
    trib_buffer text = {0};
    CHECK(trib_buffer_add(&text, "\\p one ", 7, NULL) == TRIB_OK);
    for (size_t i = 0; i < MANY; i++)
        CHECK(trib_buffer_add(&text, "\\va 1\\va*", 9, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, "two", 3, NULL) == TRIB_OK);
    expect_read(text.text, TRIB_NOTES_DROP, "one two\n");
    trib_buffer_release(&text);
}

static void book_chapter_and_verse_are_references(void) {
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
static void a_file_may_end_anywhere(void) {
    for (size_t n = 0; n < sizeof book; n++) {
        for (int notes = TRIB_NOTES_DROP; notes <= TRIB_NOTES_SEPARATE; notes++) {
            trib_markup_text to = {.notes = (trib_notes)notes};
            char *bytes = malloc(n + 1);
            CHECK(bytes != NULL);
            memcpy(bytes, book, n);
            EXPECT(trib_usfm_text(&to, (trib_markup_bytes){"a.usfm", bytes, n}, NULL) == TRIB_OK);
            EXPECT(trib_markup_finish(&to, NULL) == TRIB_OK);
            free(bytes);
            trib_markup_release(&to);
        }
    }
}

static void invalid_bytes_are_rejected_or_replaced(void) {
    trib_markup_text to = {0};
    trib_error error = {0};
    const trib_markup_bytes file = {"a.usfm", "\\p caf\xE9 x", 9};
    EXPECT_STATUS(trib_usfm_text(&to, file, &error), TRIB_INPUT, error);
    trib_markup_release(&to);
    to.on_invalid = TRIB_INVALID_REPLACE;
    EXPECT(trib_usfm_text(&to, file, NULL) == TRIB_OK);
    EXPECT(to.n_replaced == 1);
    EXPECT_TEXT(to.text.text, "caf\xEF\xBF\xBD x\n");
    trib_markup_release(&to);
}

CU_TestInfo trib_tests_decoders_usfm[] = {
    {"the text is read", the_text_is_read},
    {"notes are read as asked", notes_are_read_as_asked},
    {"the end of a part of a note is not that of the note",
     the_end_of_a_part_of_a_note_is_not_that_of_the_note},
    {"milestones are not text", milestones_are_not_text},
    {"a bar is text unless attributes follow", a_bar_is_text_unless_attributes_follow},
    {"the line of a chapter is read", the_line_of_a_chapter_is_read},
    {"any line ends are read", any_line_ends_are_read},
    {"many spans in a line are skipped", many_spans_in_a_line_are_skipped},
    {"book, chapter and verse are references", book_chapter_and_verse_are_references},
    {"a file may end anywhere", a_file_may_end_anywhere},
    {"invalid bytes are rejected or replaced", invalid_bytes_are_rejected_or_replaced},
    CU_TEST_INFO_NULL};
