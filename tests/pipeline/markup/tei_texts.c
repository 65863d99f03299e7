/* tei_texts.c - tests of files of TEI that have several texts. */
#include "pipeline/markup/tei_texts.h"

#include "pipeline/input/input.h"
#include "tests/pipeline/support/pack.h"

static void expect_begin(const char *first, trib_tei_count wanted) {
    EXPECT(trib_tei_texts_begin(first, strlen(first)) == wanted);
}

static void the_first_tags_say_whether_there_are_several_texts(void) {
    expect_begin("<?xml version='1.0'?><!-- <teiCorpus> --><teiCorpus xmlns='x'>",
                 TRIB_TEI_SEVERAL);
    expect_begin("<tei:TEI><tei:teiHeader/><tei:text n='>'><tei:group>", TRIB_TEI_SEVERAL);
    expect_begin("<TEI><teiHeader><body/><group/></teiHeader><text><body>", TRIB_TEI_UNSURE);
    expect_begin("<TEI><text><body><floatingText/></body></text></TEI>", TRIB_TEI_UNSURE);
    expect_begin("<TEI><text><body/></text><!-- --><text>", TRIB_TEI_SEVERAL);
    expect_begin("<TEI.2><text><front><floatingText><body/></floatingText></front><group>",
                 TRIB_TEI_SEVERAL);
    expect_begin("<TEI><teiHeader/><TEI><text><body>", TRIB_TEI_SEVERAL);
    expect_begin("<TEI><text><![CDATA[<group>]]><front><p>", TRIB_TEI_UNSURE);
    expect_begin("<book><group/></book>", TRIB_TEI_ONE);
    expect_begin("", TRIB_TEI_UNSURE);
    expect_begin("<TEI><text><gr", TRIB_TEI_UNSURE);
    expect_begin("<!-- ", TRIB_TEI_UNSURE);
    EXPECT(trib_tei_texts_begin("\xFF\xFE<\0", 4) == TRIB_TEI_SEVERAL);
}

#ifdef TRIB_WITH_XML

static bool is_date(const char *text) { return strspn(text, "0123456789-") == strlen(text); }

#define STATEMENT(what) "<fileDesc><titleStmt>" what "</titleStmt></fileDesc>"
static const char volume[] =
    "<!DOCTYPE TEI SYSTEM 'tei.dtd'><t:TEI xmlns:t='http://www.tei-c.org/ns/1.0'>"
    "<t:teiHeader>"
    "<t:titleStmt><t:title>Poems</t:title><t:author>Ann Lowe</t:author></t:titleStmt>"
    "</t:teiHeader><t:text><t:front><t:p>Printed in the year</t:p></t:front><t:group>"
    "<t:text><t:body><t:head>The <t:hi>Heron</t:hi><t:note>no</t:note></t:head>"
    "<t:l n='7'>grey &mdash; boats</t:l></t:body></t:text>"
    "<t:text><t:body><t:l>the lantern</t:l></t:body></t:text>"
    "<t:text><t:front><t:titlePart>Inner<t:lb/>Part</t:titlePart></t:front>"
    "<t:group><t:text><t:body><t:head>Last</t:head></t:body></t:text></t:group><t:back> </t:back>"
    "</t:text></t:group></t:text></t:TEI>";
/* clang-format off */
static const char corpus[] =
    "<teiCorpus><teiHeader>" STATEMENT("<title>Letters</title><author>Lowe</author>")
    "<creation><date when='1700'/></creation></teiHeader>"
    "<TEI><teiHeader>" STATEMENT("<title>One</title>")
    "<creation><date>1701</date></creation></teiHeader><text><p>first</p></text></TEI>"
    "<teiCorpus><teiHeader>" STATEMENT("<author>Beth</author>") "</teiHeader>"
    "<TEI><teiHeader/><text><p>second</p></text></TEI></teiCorpus>"
    "<TEI><teiHeader/><facsimile/><sourceDoc><line>third</line></sourceDoc></TEI></teiCorpus>";
static const char beside[] =
    "<TEI><teiHeader>" STATEMENT("<title>Plays</title>") "</teiHeader>"
    "<text><body><head>The Bay</head><p>one</p></body></text><text> <body/></text>"
    "<text><p>two</p></text></TEI>";
/* clang-format on */

static void expect_about(const char *file, size_t i, const char *title, const char *author,
                         const char *date) {
    trib_tei_texts texts;
    trib_tei_about about;
    trib_error error = {0};
    EXPECT_STATUS(trib_tei_texts_open(&texts, (trib_markup_bytes){"x", file, strlen(file)}, &error),
                  TRIB_OK, error);
    CHECK(i < texts.n);
    EXPECT_STATUS(trib_tei_texts_about(&texts, i, &about, is_date, &error), TRIB_OK, error);
    EXPECT_TEXT(about.title, title);
    EXPECT_TEXT(about.author, author);
    EXPECT_TEXT(about.date, date);
    trib_tei_texts_close(&texts);
}

static void each_text_has_its_title_author_and_date(void) {
    expect_about(corpus, 0, "One", "Lowe", "1701");
    expect_about(corpus, 1, "Letters 2", "Beth", "1700");
    expect_about(corpus, 2, "Letters 3", "Lowe", "1700");
    expect_about(volume, 0, "The Heron", "Ann Lowe", "");
    expect_about(volume, 1, "Poems 2", "Ann Lowe", "");
    expect_about(volume, 2, "Last", "Ann Lowe", "");
    expect_about(beside, 0, "The Bay", "", "");
    expect_about(beside, 1, "Plays 2", "", "");
}

static void what_is_around_a_group_is_named(void) {
    trib_tei_texts texts;
    trib_error error = {0};
    EXPECT_STATUS(
        trib_tei_texts_open(&texts, (trib_markup_bytes){"x", volume, strlen(volume)}, &error),
        TRIB_OK, error);
    EXPECT(texts.n == 3 && texts.n_around == 2);
    EXPECT_TEXT(trib_tei_texts_around(&texts, 0), "front");
    EXPECT_TEXT(trib_tei_texts_around(&texts, 1), "front");
    trib_tei_texts_close(&texts);
    static const char none[] = "<html><text/><text/></html>";
    EXPECT(trib_tei_texts_open(&texts, (trib_markup_bytes){"x", none, strlen(none)}, &error) ==
           TRIB_OK);
    EXPECT(texts.n == 0);
    trib_tei_texts_close(&texts);
}

static void a_text_is_read_by_its_number(void) {
    char path[600];
    write_bytes(trib_scratch("volume.xml"), volume, strlen(volume));
    write_bytes(trib_scratch("corpus.tei"), corpus, strlen(corpus));
    write_bytes(trib_scratch("alone.tei"), "<TEI><text><p>alone</p></text></TEI>", 36);
    expect_input(trib_scratch("volume.xml/1"), "The Heron\n\ngrey \u2014 boats\n\n");
    expect_input(trib_scratch("volume.xml/3"), "Last\n\n");
    expect_input(trib_scratch("corpus.tei/2"), "second\n\n");
    expect_input(trib_scratch("corpus.tei/3"), "third\n");
    expect_input(trib_scratch("alone.tei"), "alone\n\n");
    write_bytes(trib_scratch("beside.tei"), beside, strlen(beside));
    expect_input(trib_scratch("beside.tei/2"), "two\n\n");
    expect_no_input(trib_scratch("volume.xml/4"), "volume.xml: has no text 4, but 3 texts");
    expect_no_input(trib_scratch("volume.xml/one"), "'one' is not the number of a text");
    expect_no_input(trib_scratch("alone.tei/1"), "alone.tei: there is no text '1' in it");
    snprintf(path, sizeof path, "%s", trib_scratch("volume.xml"));
    trib_input input;
    trib_error error = {0};
    EXPECT_STATUS(trib_input_open(&input, path, NULL, NULL, &error), TRIB_OK, error);
    EXPECT_TEXT(input.made.remark, "has 3 texts, which are read as one");
    trib_input_close(&input);
}

#define IF_XML(test) test

#else

static void skip(void) { trib_skip("this build has no libxml2"); }

#define IF_XML(test) skip

#endif

CU_TestInfo trib_tests_markup_tei_texts[] = {
    {"the first tags say whether there are several texts",
     the_first_tags_say_whether_there_are_several_texts},
    {"each text has its title, author and date", IF_XML(each_text_has_its_title_author_and_date)},
    {"what is around a group is named", IF_XML(what_is_around_a_group_is_named)},
    {"a text is read by its number", IF_XML(a_text_is_read_by_its_number)},
    CU_TEST_INFO_NULL};
