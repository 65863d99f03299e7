/* references.c - tests of the references of places. In the texts each word that matters says which
 * reference holds there: "at3_7" is in 3.7, and "at0" in none. */
#include "tests/test.h"

#include "pipeline/text/input.h"
#include "pipeline/text/text_formats.h"

TESTS(text, references);

/* The reference at the first occurrence of a word. */
static const char *at(const trib_references *references, const char *text, const char *word) {
    const char *found = strstr(text, word);
    CHECK(found != NULL);
    return trib_references_at(references, (size_t)(found - text));
}

static void find(trib_references *references, const char *pattern, const char *text) {
    trib_error error = {0};
    *references = (trib_references){0};
    EXPECT_OK(
        trib_references_find(references, pattern, "a.txt", "UTF-8", text, strlen(text), &error));
}

CASES("tests/pipeline/text/references.txt [found]", a_word_has_a_reference) {
    GIVEN(trib_references) references = {0};
    find(&references, trib_case_text("pattern"), trib_case_text("text"));
    EXPECT_TEXT(at(&references, trib_case_text("text"), trib_case_text("word")),
                trib_case_text("reference"));
}

TEST(marks_are_where_verses_begin) {
    static const char text[] =
        "A title\r\n3:7 O generation\r\n{3:8} Bring forth [3:9] And think\r\n"
        "it was 12:3:45 o'clock\r\n4:1 Then\r\n";
    GIVEN(trib_references) references = {0};
    find(&references, "bible-verse", text);
    CHECK(references.n == 4);
    EXPECT(strncmp(text + references.mark[1].from, "{3:8}",
                   references.mark[1].to - references.mark[1].from) == 0);
    EXPECT(references.mark[1].to - references.mark[1].from == 5);
}

TEST(a_long_label_is_cut) {
    char label[400] = "";
    for (int i = 0; i < 40; i++) strcat(label, "\xC3\xA9t\xC3\xA9");
    strcat(label, "\nx1");
    GIVEN(trib_references) references = {0};
    find(&references, ".*t.*", label);
    const char *cut = at(&references, label, "x1");
    EXPECT(strlen(cut) <= TRIB_LABEL_MOST && strncmp(cut, label, strlen(cut)) == 0);
    EXPECT(((unsigned char)label[strlen(cut)] & 0xC0) != 0x80); /* a whole character */
}

/* Places are bytes of the file, whatever its encoding. */
TEST(places_are_right_in_every_encoding) {
    static const struct {
        const char *encoding, *bytes;
        size_t length, place;
    } texts[] = {
        {"UTF-8", "\xE6\xBC\xA2 \xF0\x9D\x84\x9E 3:7 x", 14, 9},
        {"windows-1252", "caf\xE9\n3:7 x", 10, 5},
        {"UTF-16LE",
         "\xE9\0\n\0"
         "3\0:\0"
         "7\0 \0x\0",
         14, 4},
        {"Shift_JIS", "\x8A\xBF\x8E\x9A 3:7 x", 10, 5},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        GIVEN(trib_references) references = {0};
        trib_error error = {0};
        EXPECT_OK(trib_references_find(&references, "bible-verse", "a.txt", texts[i].encoding,
                                       texts[i].bytes, texts[i].length, &error));
        CHECK(references.n == 1);
        EXPECT(references.mark[0].from == texts[i].place);
        EXPECT_TEXT(trib_references_at(&references, texts[i].length - 1), "3:7");
        EXPECT_TEXT(trib_references_at(&references, texts[i].place - 1), "");
    }
}

/* References in a text of many blocks, with a character across each border. */
TEST(a_long_text_is_decoded_in_blocks) {
    enum { LINES = 3000 };
    GIVEN(trib_buffer) text = {0};
    for (int i = 1; i <= LINES; i++)
        CHECK(trib_buffer_print(&text, NULL, "%d:%d \xE6\xBC\xA2\xE5\xAD\x97 at%d_\r\n", i / 100,
                                i % 100, i) == TRIB_OK);
    GIVEN(trib_references) references = {0};
    find(&references, "bible-verse", text.text);
    EXPECT(references.n == LINES);
    for (int i = 1; i <= LINES; i += 7) {
        char word[16], label[16];
        snprintf(word, sizeof word, "at%d_", i);
        snprintf(label, sizeof label, "%d:%d", i / 100, i % 100);
        EXPECT_TEXT(at(&references, text.text, word), label);
    }
}

CASES("tests/pipeline/text/references.txt [wrong]", a_pattern_is_wrong) {
    trib_error error = {0};
    EXPECT_STATUS(trib_reference_check(trib_case_text("pattern"), &error), TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, trib_case_text("says"));
}

TEST(patterns_and_names_are_right) {
    trib_error error = {0};
    EXPECT_OK(trib_reference_check("act-scene", &error));
    EXPECT_OK(trib_reference_check("^\\d+:\\d+", &error));
}

/* What two references begin with is written once. */
CASES("tests/pipeline/text/references.txt [joined]", two_references_are_joined) {
    char out[TRIB_REFERENCE_MAX];
    trib_reference_join(out, trib_case_text("first"), trib_case_text("last"));
    EXPECT_TEXT(out, trib_case_text("joined"));
}

/* Without a limit this match would take 2^60 steps. */
TEST(a_match_that_explodes_is_an_error_with_its_line) {
    static const char text[] = "one\n"
                               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
    GIVEN(trib_references) references = {0};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_references_find(&references, "^(a*)*c$", "a.txt", "UTF-8", text, strlen(text), &error),
        TRIB_CONFIG, error);
    EXPECT_TEXT(error.message,
                "a.txt:2: the pattern of corpus.reference takes too long on this line; write it "
                "without nested repetitions such as (a*)*");
}

#define TEI(body)                                                                                  \
    "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><title>no</title></teiHeader><text>" body \
    "</text></TEI>"

/* Reads markup in which words such as "at3_7" name the reference that holds there: '_' for a dot,
 * '=' for a space. */
CASES("tests/pipeline/text/references.txt [named]", words_name_their_references) {
    const char *name = trib_case_text("file"), *bytes = trib_case_text("bytes");
    trib_markup_text to = {0};
    trib_error error = {0};
    const trib_text_format *row = trib_text_format_named(name, NULL, 0);
    EXPECT_OK(row->read(&to, (trib_markup_bytes){name, bytes, strlen(bytes)}, &error));
    EXPECT_OK(trib_markup_finish(&to, &error));
    size_t n = 0;
    for (const char *word = to.text.text; word && (word = strstr(word, "at")); word++, n++) {
        char wanted[64] = "";
        for (size_t i = 0; i + 1 < sizeof wanted && !strchr(" \n", word[i + 2]); i++)
            wanted[i] = word[i + 2] == '_' ? '.' : word[i + 2] == '=' ? ' ' : word[i + 2];
        EXPECT_TEXT(trib_references_at(&to.references, (size_t)(word - to.text.text)),
                    strcmp(wanted, "0") == 0 ? "" : wanted);
    }
    EXPECT(n > 0);
    trib_markup_release(&to);
}

TEST(references_of_the_text_do_not_hold_in_its_notes) {
    static const char text[] =
        TEI("<div n='1'><p n='2'>at1_2<note><p n='9'>at0</p></note> at1_2</p></div>");
    const char *path = trib_write_scratch("noted.xml", text);
    trib_error error = {0};
    OPENED(trib_input) input = {0};
    const trib_input_options separate = {.notes = TRIB_NOTES_SEPARATE};
    EXPECT_OK(trib_input_open(&input, path, NULL, &separate, &error));
    const char *made = input.made.text.text;
    EXPECT_TEXT(at(&input.made.references, made, "at1_2"), "1.2");
    EXPECT_TEXT(at(&input.made.references, made, " at1_2"), "1.2");
    EXPECT_TEXT(at(&input.made.references, made, "at0"), "");
}
