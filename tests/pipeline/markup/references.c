/* references.c - tests of the references of places. In the texts each word that matters says which
 * reference holds there: "at3_7" is in 3.7, and "at0" in none. */
#include "tests/test.h"

#include "pipeline/decoders/text_formats.h"
#include "pipeline/input/input.h"

/* The reference at the first occurrence of a word. */
static const char *at(const trib_references *references, const char *text, const char *word) {
    const char *found = strstr(text, word);
    CHECK(found != NULL);
    return trib_references_at(references, (size_t)(found - text));
}

static void find(trib_references *references, const char *pattern, const char *text) {
    trib_error error = {0};
    *references = (trib_references){0};
    EXPECT_STATUS(
        trib_references_find(references, pattern, "a.txt", "UTF-8", text, strlen(text), &error),
        TRIB_OK, error);
}

static void expect_found(const char *pattern, const char *text, const char *word,
                         const char *wanted) {
    trib_references references;
    find(&references, pattern, text);
    EXPECT_TEXT(at(&references, text, word), wanted);
    trib_references_release(&references);
}

static void verses_are_found_anywhere_in_a_line(void) {
    static const char text[] =
        "A title\r\n3:7 O generation\r\n{3:8} Bring forth [3:9] And think\r\n"
        "it was 12:3:45 o'clock\r\n4:1 Then\r\n";
    static const char *const places[][2] = {{"title", ""},      {"generation", "3:7"},
                                            {"Bring", "3:8"},   {"think", "3:9"},
                                            {"o'clock", "3:9"}, {"Then", "4:1"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        expect_found("bible-verse", text, places[i][0], places[i][1]);
    expect_found("bible-verse",
                 "\xEF\xBB\xBF"
                 "1:1 In the beginning",
                 "In", "1:1");
    trib_references references;
    find(&references, "bible-verse", text);
    CHECK(references.n == 4);
    EXPECT(strncmp(text + references.mark[1].from, "{3:8}",
                   references.mark[1].to - references.mark[1].from) == 0);
    EXPECT(references.mark[1].to - references.mark[1].from == 5);
    trib_references_release(&references);
}

static void levels_begin_again_with_the_one_above(void) {
    static const char play[] = "Dramatis\n\nACT I\nSCENE 1. A street.\nfirst\n  SCENE II\nsecond\n"
                               "ACT II.\nthird\nScene 1\nAct well thy part, fourth\n";
    expect_found("act-scene", play, "Dramatis", "");
    expect_found("act-scene", play, "first", "ACT I, SCENE 1");
    expect_found("act-scene", play, "second", "ACT I, SCENE II");
    expect_found("act-scene", play, "third", "ACT II");
    expect_found("act-scene", play, "fourth", "ACT II, Scene 1");
    static const char novel[] = "Part of it\nBOOK ONE\nCHAPTER 1. Loomings\rone\rBOOK II\r"
                                "Chapter IV\rtwo\r";
    expect_found("chapter", novel, "ONE", "");
    expect_found("chapter", novel, "one", "CHAPTER 1");
    expect_found("chapter", novel, "two", "BOOK II, Chapter IV");
}

static void a_pattern_gives_its_first_group_or_all_of_the_match(void) {
    expect_found("^<(\\w+)>|^== (.*) ==$", "<A>\nx1\n==  The  \tsecond ==\nx2\n", "x1", "A");
    expect_found("^<(\\w+)>|^== (.*) ==$", "<A>\nx1\n==  The  \tsecond ==\nx2\n", "x2",
                 "The second");
    expect_found("^\\d+\\.\\d+", "1.2 x1", "x1", "1.2");
    expect_found("^$|x*", "a\n\nb", "b", ""); /* nothing but empty matches */
    char label[400] = "";
    for (int i = 0; i < 40; i++) strcat(label, "\xC3\xA9t\xC3\xA9");
    strcat(label, "\nx1");
    trib_references references;
    find(&references, ".*t.*", label);
    const char *cut = at(&references, label, "x1");
    EXPECT(strlen(cut) <= TRIB_LABEL_MOST && strncmp(cut, label, strlen(cut)) == 0);
    EXPECT(((unsigned char)label[strlen(cut)] & 0xC0) != 0x80); /* a whole character */
    trib_references_release(&references);
}

static void paragraphs_are_counted(void) {
    static const char text[] = "\r\none\r\nstill\r\n \t\r\n\r\ntwo\r\n\r\n";
    expect_found("paragraph", text, "one", "paragraph 1");
    expect_found("paragraph", text, "still", "paragraph 1");
    expect_found("paragraph", text, "two", "paragraph 2");
    expect_found("line", text, "two", "");
    expect_found("none", text, "two", "");
}

/* Places are bytes of the file, whatever its encoding. */
static void places_are_right_in_every_encoding(void) {
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
        trib_references references = {0};
        trib_error error = {0};
        EXPECT_STATUS(trib_references_find(&references, "bible-verse", "a.txt", texts[i].encoding,
                                           texts[i].bytes, texts[i].length, &error),
                      TRIB_OK, error);
        CHECK(references.n == 1);
        EXPECT(references.mark[0].from == texts[i].place);
        EXPECT_TEXT(trib_references_at(&references, texts[i].length - 1), "3:7");
        EXPECT_TEXT(trib_references_at(&references, texts[i].place - 1), "");
        trib_references_release(&references);
    }
}

/* References in a text of many blocks, with a character across each border. */
static void a_long_text_is_decoded_in_blocks(void) {
    enum { LINES = 3000 };
    trib_buffer text = {0};
    for (int i = 1; i <= LINES; i++)
        CHECK(trib_buffer_print(&text, NULL, "%d:%d \xE6\xBC\xA2\xE5\xAD\x97 at%d_\r\n", i / 100,
                                i % 100, i) == TRIB_OK);
    trib_references references;
    find(&references, "bible-verse", text.text);
    EXPECT(references.n == LINES);
    for (int i = 1; i <= LINES; i += 7) {
        char word[16], label[16];
        snprintf(word, sizeof word, "at%d_", i);
        snprintf(label, sizeof label, "%d:%d", i / 100, i % 100);
        EXPECT_TEXT(at(&references, text.text, word), label);
    }
    trib_references_release(&references);
    trib_buffer_release(&text);
}

static void expect_wrong(const char *pattern, const char *message) {
    trib_error error = {0};
    EXPECT_STATUS(trib_reference_check(pattern, &error), TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, message);
}

static void a_wrong_pattern_is_rejected_with_its_place(void) {
    expect_wrong("^(\\d+", "a parenthesis has no partner, at character 5");
    expect_wrong("^[a-z", "a bracket '[' is not closed, at character 5");
    expect_wrong("a{3,1}", "the numbers in braces must be {from,to}, at character 6");
    expect_wrong("", "it is empty");
    expect_wrong("\xFF", "it is not UTF-8");
    trib_error error = {0};
    EXPECT_STATUS(trib_reference_check("act-scene", &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reference_check("^\\d+:\\d+", &error), TRIB_OK, error);
}

/* Without a limit this match would take 2^60 steps. */
static void a_match_that_explodes_is_an_error_with_its_line(void) {
    static const char text[] = "one\n"
                               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
    trib_references references = {0};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_references_find(&references, "^(a*)*c$", "a.txt", "UTF-8", text, strlen(text), &error),
        TRIB_CONFIG, error);
    EXPECT_TEXT(error.message,
                "a.txt:2: the pattern of corpus.reference takes too long on this line; write it "
                "without nested repetitions such as (a*)*");
    trib_references_release(&references);
}

static void expect_joined(const char *first, const char *last, const char *wanted) {
    char out[TRIB_REFERENCE_MAX];
    trib_reference_join(out, first, last);
    EXPECT_TEXT(out, wanted);
}

static void what_two_references_begin_with_is_written_once(void) {
    expect_joined("3:7", "3:7", "3:7");
    expect_joined("3:7", "3:9",
                  "3:7\xE2\x80\x93"
                  "9");
    expect_joined("3:17", "4:2",
                  "3:17\xE2\x80\x93"
                  "4:2");
    expect_joined("12", "18",
                  "12\xE2\x80\x93"
                  "18");
    expect_joined("1.5.3", "1.6.2",
                  "1.5.3\xE2\x80\x93"
                  "6.2");
    expect_joined("1", "1.2",
                  "1\xE2\x80\x93"
                  "1.2");
    expect_joined("page 4", "page 6",
                  "pages 4\xE2\x80\x93"
                  "6");
    expect_joined("paragraph 9", "paragraph 10",
                  "paragraphs 9\xE2\x80\x93"
                  "10");
    expect_joined("CHAPTER 4", "CHAPTER 5",
                  "CHAPTER 4\xE2\x80\x93"
                  "5");
    expect_joined("ACT I, SCENE 2", "ACT II, SCENE 1",
                  "ACT I, SCENE 2 \xE2\x80\x93 ACT II, SCENE 1");
}

#ifdef TRIB_WITH_XML

/* Reads markup in which words such as "at3_7" name the reference that holds there: a letter 'x' for
 * a space, '_' for a dot. */
static void expect_named(const char *name, const char *bytes) {
    trib_markup_text to = {0};
    trib_error error = {0};
    const trib_text_format *row = trib_text_format_named(name, NULL, 0);
    EXPECT_STATUS(row->read(&to, (trib_markup_bytes){name, bytes, strlen(bytes)}, &error), TRIB_OK,
                  error);
    EXPECT_STATUS(trib_markup_finish(&to, &error), TRIB_OK, error);
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

#define TEI(body)                                                                                  \
    "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><title>no</title></teiHeader><text>" body \
    "</text></TEI>"

static void numbers_of_nested_elements_are_a_reference(void) {
    expect_named("a.xml",
                 TEI("<body><head>at0</head><div n='3'><head>at3</head><l n='7'>at3_7</l>"
                     "<l n='8'>at3_8 <hi>at3_8</hi></l>at3<lg><l n='9'>at3_9</l></lg></div>"
                     "<div n='4'><div n='1'><p>at4_1</p><p n='2'>at4_1_2 <s n='5'>at4_1_2_5"
                     "</s></p></div></div>at0</body>"));
    /* a number that contains that of the element around it, and a URN */
    expect_named("a.xml", TEI("<div n='urn:cts:x'><div n='3'><ab n='3.7'>at3_7</ab></div></div>"));
}

static void milestones_count_in_the_element_around_them(void) {
    expect_named("a.xml",
                 TEI("<div n='2'><milestone unit='chapter' n='1'/><milestone unit='section' n='1'/>"
                     "<p>at2_1_1 <milestone unit='section' n='2'/>at2_1_2</p><p>at2_1_2"
                     "<milestone unit='chapter' n='2'/> at2_2<milestone unit='section' n='1'/> "
                     "at2_2_1</p></div><div n='3'>at3</div>"));
    expect_named("a.xml", TEI("<div n='1'><milestone unit='card' n='5'/><l n='4'>at1_4</l></div>"));
    expect_named("a.xml", TEI("<div1 n='1'><div2 n='2'><lb n='1.2.3'/>at1_2_3<lb n='1.2.4'/> "
                              "at1_2_4</div2></div1>"));
}

static void pages_and_lines_are_a_reference_where_there_are_no_numbers(void) {
    expect_named("a.xml", TEI("<p>at0 <pb n='45'/>atp_=45</p><p xml:id='p9'>atp_=45</p>"));
    expect_named("a.xml", TEI("<p>at0 <pb n='3r'/><lb n='1'/>atp_=3r,=line=1 <lb n='2'/>"
                              "atp_=3r,=line=2</p>"));
    expect_named("a.xml", TEI("<p xml:id='p9'>at#p9</p><p>at0</p>"));
    expect_named("a.xml", TEI("<div n='1'><pb n='45'/><p>at1</p></div>"));
    expect_named("a.html", "<p>at0 <span class=pagenum>[Pg 45]</span> atp_=45</p><p>atp_=45 "
                           "<span role='doc-pagebreak' title='46'>x</span>atp_=46</p>");
    expect_named("a.html", "<nav>12</nav><div class=footnotes>13</div><p id=x>at0</p>");
}

static void verses_of_osis_are_references(void) {
    expect_named("a.xml",
                 "<osis><osisText><div type='book' osisID='Mrk'><chapter osisID='Mrk.3'>"
                 "<verse osisID='Mrk.3.7'>atMrk_3_7</verse><verse sID='x' osisID='Mrk.3.8'/>"
                 "atMrk_3_8<verse eID='x'/></chapter></div></osisText></osis>");
    /* a running head is a milestone without unit */
    expect_named("a.xml", "<osis><osisText><div osisID='Mrk'><milestone type='x-usfm-h' n='Mrk'/>"
                          "<title>atMrk</title><chapter sID='c' osisID='Mrk.3'/>atMrk_3</div>"
                          "</osisText></osis>");
}

static void references_of_the_text_do_not_hold_in_its_notes(void) {
    static const char text[] =
        TEI("<div n='1'><p n='2'>at1_2<note><p n='9'>at0</p></note> at1_2</p></div>");
    const char *path = trib_scratch("noted.xml");
    trib_error error = {0};
    trib_input input;
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(text, 1, strlen(text), file) == strlen(text) && fclose(file) == 0);
    const trib_input_options separate = {.notes = TRIB_NOTES_SEPARATE};
    EXPECT_STATUS(trib_input_open(&input, path, NULL, &separate, &error), TRIB_OK, error);
    const char *made = input.made.text.text;
    EXPECT_TEXT(at(&input.made.references, made, "at1_2"), "1.2");
    EXPECT_TEXT(at(&input.made.references, made, " at1_2"), "1.2");
    EXPECT_TEXT(at(&input.made.references, made, "at0"), "");
    trib_input_close(&input);
}

#endif

CU_TestInfo trib_tests_markup_references[] = {
    {"verses are found anywhere in a line", verses_are_found_anywhere_in_a_line},
    {"levels begin again with the one above", levels_begin_again_with_the_one_above},
    {"a pattern gives its first group or all of the match",
     a_pattern_gives_its_first_group_or_all_of_the_match},
    {"paragraphs are counted", paragraphs_are_counted},
    {"places are right in every encoding", places_are_right_in_every_encoding},
    {"a long text is decoded in blocks", a_long_text_is_decoded_in_blocks},
    {"a wrong pattern is rejected with its place", a_wrong_pattern_is_rejected_with_its_place},
    {"a match that explodes is an error with its line",
     a_match_that_explodes_is_an_error_with_its_line},
    {"what two references begin with is written once",
     what_two_references_begin_with_is_written_once},
#ifdef TRIB_WITH_XML
    {"numbers of nested elements are a reference", numbers_of_nested_elements_are_a_reference},
    {"milestones count in the element around them", milestones_count_in_the_element_around_them},
    {"pages and lines are a reference where there are no numbers",
     pages_and_lines_are_a_reference_where_there_are_no_numbers},
    {"verses of osis are references", verses_of_osis_are_references},
    {"references of the text do not hold in its notes",
     references_of_the_text_do_not_hold_in_its_notes},
#endif
    CU_TEST_INFO_NULL};
