/* tei_texts.c - tests of files of TEI that have several texts. */
#include "pipeline/text/tei.h"

#include "pipeline/text/input.h"
#include "tests/pipeline/support/pack.h"

TESTS(text, tei_texts);

CASES("tests/pipeline/text/tei_texts.txt [begin]", the_first_tags_say_how_many_texts_there_are) {
    static const char *const names[] = {
        [TRIB_TEI_ONE] = "one", [TRIB_TEI_SEVERAL] = "several", [TRIB_TEI_UNSURE] = "unsure"};
    const char *first = trib_case_text("first");
    EXPECT_TEXT(names[trib_tei_texts_begin(first, strlen(first))], trib_case_text("count"));
}

TEST(wide_bytes_may_begin_several_texts) {
    EXPECT(trib_tei_texts_begin("\xFF\xFE<\0", 4) == TRIB_TEI_SEVERAL);
}

CASES("tests/pipeline/text/tei_texts.txt [input]", addresses_have_texts) {
    an_address_has_a_text();
}

static bool is_date(const char *text) { return strspn(text, "0123456789-") == strlen(text); }

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

CASES("tests/pipeline/text/tei_texts.txt [about]", a_text_has_a_title_an_author_and_a_date) {
    OPENED(trib_tei_texts) texts = {0};
    trib_tei_about about;
    trib_error error = {0};
    const char *file = trib_case_text("file");
    const size_t i = (size_t)trib_case_number("text");
    EXPECT_OK(trib_tei_texts_open(&texts, (trib_markup_bytes){"x", file, strlen(file)}, &error));
    CHECK(i < texts.n);
    EXPECT_OK(trib_tei_texts_about(&texts, i, &about, is_date, &error));
    EXPECT_TEXT(about.title, trib_case_text("title"));
    EXPECT_TEXT(about.author, trib_case_text("author"));
    EXPECT_TEXT(about.date, trib_case_text("date"));
}

TEST(what_is_around_a_group_is_named) {
    OPENED(trib_tei_texts) texts = {0};
    trib_error error = {0};
    EXPECT_OK(
        trib_tei_texts_open(&texts, (trib_markup_bytes){"x", volume, strlen(volume)}, &error));
    EXPECT(texts.n == 3 && texts.n_around == 2);
    EXPECT_TEXT(trib_tei_texts_around(&texts, 0), "front");
    EXPECT_TEXT(trib_tei_texts_around(&texts, 1), "front");
    trib_tei_texts_close(&texts);
    static const char none[] = "<html><text/><text/></html>";
    EXPECT(trib_tei_texts_open(&texts, (trib_markup_bytes){"x", none, strlen(none)}, &error) ==
           TRIB_OK);
    EXPECT(texts.n == 0);
}

TEST(several_texts_may_be_read_as_one) {
    char path[600];
    trib_write_bytes(trib_scratch("volume.xml"), volume, strlen(volume));
    snprintf(path, sizeof path, "%s", trib_scratch("volume.xml"));
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    EXPECT_OK(trib_input_open(&input, path, NULL, NULL, &error));
    EXPECT_TEXT(input.made.remark, "has 3 texts, which are read as one");
}
