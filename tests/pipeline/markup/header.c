/* header.c - tests of the header of TEI files. */
#include "pipeline/markup/header.h"
#include "tests/test.h"

#ifdef TRIB_WITH_XML

/* Stands for the dates of the configuration: four digits, perhaps with more. */
static bool is_date(const char *text) {
    return strspn(text, "0123456789-/.") == strlen(text) && *text;
}

static void expect_about(const char *bytes, const char *title, const char *author,
                         const char *date) {
    trib_tei_about about;
    trib_error error = {0};
    EXPECT_STATUS(trib_tei_header(&about, bytes, strlen(bytes), is_date, &error), TRIB_OK, error);
    EXPECT_TEXT(about.title, title);
    EXPECT_TEXT(about.author, author);
    EXPECT_TEXT(about.date, date);
}

#define STATEMENT                                                                                  \
    "<fileDesc><titleStmt><title>The \n <hi>Heron</hi></title><title "                             \
    "type='sub'>No</title><author> "                                                               \
    "Ann Lowe </author><author>No</author></titleStmt><publicationStmt><date>2001</date>"          \
    "</publicationStmt><sourceDesc><bibl><title>No</title><date>s. d.</date><date>[1603].</date>"  \
    "</bibl></sourceDesc></fileDesc>"

static void title_author_and_date_are_read(void) {
    expect_about(
        "<?xml version='1.0'?><TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader>" STATEMENT
        "</teiHeader><text>not parsed & not closed",
        "The Heron", "Ann Lowe", "1603");
    expect_about("<tei:TEI xmlns:tei='x'><tei:teiHeader><tei:titleStmt><tei:title>A</tei:title>"
                 "<tei:author><tei:persName>Lowe</tei:persName><tei:idno>Q1</tei:idno></tei:author>"
                 "</tei:titleStmt></tei:teiHeader>",
                 "A", "Lowe", "");
}

static void the_date_of_creation_comes_first(void) {
    expect_about(
        "<TEI><teiHeader>" STATEMENT
        "<profileDesc><creation>by <date when='1599'>the end of the century</date></creation>"
        "</profileDesc></teiHeader>",
        "The Heron", "Ann Lowe", "1599");
}

static void expect_source_date(const char *source, const char *wanted) {
    char header[1024];
    snprintf(header, sizeof header,
             "<TEI><teiHeader><fileDesc><publicationStmt><date>2012</date></publicationStmt>"
             "<sourceDesc>%s</sourceDesc></fileDesc></teiHeader>",
             source);
    expect_about(header, "", "", wanted);
}

static void the_date_is_that_of_the_text(void) {
    expect_source_date("<bibl><date from='1770' to='1774'>then</date></bibl>", "1770/1774");
    expect_source_date("<bibl><date notBefore='1770' notAfter='1774'/></bibl>", "1770/1774");
    expect_source_date("<bibl><date notAfter='1774'/></bibl>", "../1774");
    expect_source_date("<bibl><date notBefore='1770'/></bibl>", "1770/..");
    expect_source_date("<bibl><date when='1771' notBefore='1770'/></bibl>", "1771");
    expect_source_date("<msDesc><history><origin><origDate when='1450'>then</origDate></origin>"
                       "</history></msDesc>",
                       "1450");
    expect_source_date("<bibl type='digitalSource'><date>2009</date></bibl>"
                       "<bibl type='printSource'><date>1904</date></bibl>"
                       "<bibl type='firstEdition'><date>1861</date></bibl>",
                       "1861");
    expect_source_date("<bibl type='digitalSource'><date>2009</date></bibl>"
                       "<bibl type='printSource'><date>1904</date></bibl>",
                       "1904");
    expect_source_date("<bibl type='digitalSource'><date>2009</date></bibl>", "");
}

static void what_is_no_whole_header_says_nothing(void) {
    expect_about("", "", "", "");
    expect_about("<TEI><teiHeader>" STATEMENT, "", "", "");
    expect_about("<TEI><title>No</title> teiHeader> </teiHeader", "", "", "");
    expect_about("</teiHeader>", "", "", "");
    expect_about("<TEI><teiHeader><titleStmt><title>caf\xE9</title></titleStmt></teiHeader>", "",
                 "", "");
    expect_about("<!DOCTYPE TEI [<!ENTITY a 'b'>]><TEI><teiHeader><titleStmt><title>&a;</title>"
                 "</titleStmt></teiHeader>",
                 "", "", "");
}

static void a_long_title_is_cut_at_a_space(void) {
    trib_buffer text = {0};
    trib_tei_about about;
    CHECK(trib_buffer_print(&text, NULL, "<TEI><teiHeader><titleStmt><title>") == TRIB_OK);
    for (int i = 0; i < 100; i++) CHECK(trib_buffer_print(&text, NULL, "heron ") == TRIB_OK);
    CHECK(trib_buffer_print(&text, NULL, "</title></titleStmt></teiHeader>") == TRIB_OK);
    EXPECT(trib_tei_header(&about, text.text, text.length, is_date, NULL) == TRIB_OK);
    const size_t n = strlen(about.title);
    EXPECT(n > 150 && n <= TRIB_TITLE_MOST + 3);
    EXPECT_TEXT(about.title + n - 8, "heron\xE2\x80\xA6");
    trib_buffer_release(&text);
}

#define IF_XML(test) test

#else

static void skip(void) { trib_skip("this build has no libxml2"); }

#define IF_XML(test) skip

#endif

CU_TestInfo trib_tests_markup_header[] = {
    {"title, author and date are read", IF_XML(title_author_and_date_are_read)},
    {"the date of creation comes first", IF_XML(the_date_of_creation_comes_first)},
    {"the date is that of the text, not of the file", IF_XML(the_date_is_that_of_the_text)},
    {"what is no whole header says nothing", IF_XML(what_is_no_whole_header_says_nothing)},
    {"a long title is cut at a space", IF_XML(a_long_title_is_cut_at_a_space)},
    CU_TEST_INFO_NULL};
