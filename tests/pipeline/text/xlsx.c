/* xlsx.c - tests of workbooks: as text, as a list of documents, and what is no workbook. */
#include "pipeline/text/text_formats.h"

#include <sys/stat.h>

#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/support/pack.h"

TESTS(text, xlsx);

#if defined TRIB_WITH_ARCHIVE && defined TRIB_WITH_XML

#define MAIN "xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'"
#define BOOK(about, sheets)                                                                        \
    "<?xml version='1.0'?><workbook " MAIN                                                         \
    " xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>" about        \
    "<sheets>" sheets "</sheets></workbook>"
#define LINKS                                                                                      \
    "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"         \
    "<Relationship Id='r1' Target='worksheets/sheet1.xml'/>"                                       \
    "<Relationship Id='r2' Target='/xl/worksheets/sheet2.xml'/></Relationships>"
#define STRINGS                                                                                    \
    "<sst " MAIN "><si><t>file</t></si><si><r><t>da</t></r><r><t>te</t></r><rPh><t>no</t></rPh>"   \
    "</si><si><t>The \"Heron\", a\ntale</t></si></sst>"
#define STYLES                                                                                     \
    "<styleSheet " MAIN "><numFmts><numFmt numFmtId='164' formatCode='dd\\-mm\\-yyyy'/>"           \
    "<numFmt numFmtId='165' formatCode='0&quot;days&quot;'/></numFmts><cellXfs>"                   \
    "<xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='165'/></cellXfs>"      \
    "</styleSheet>"
#define SHEET(rows) "<worksheet " MAIN "><sheetData>" rows "</sheetData></worksheet>"
#define ONE         "<sheet name='One' sheetId='1' r:id='r1'/>"
#define TWO         "<sheet name='Two' sheetId='2' r:id='r2'/>"

static void write_book(const char *path, const char *book, const char *first, const char *second) {
    const packed_file files[] = {{"[Content_Types].xml", "<Types/>"},
                                 {"xl/workbook.xml", book},
                                 {"xl/_rels/workbook.xml.rels", LINKS},
                                 {"xl/sharedStrings.xml", STRINGS},
                                 {"xl/styles.xml", STYLES},
                                 {"xl/worksheets/sheet1.xml", first},
                                 {"xl/worksheets/sheet2.xml", second}};
    CHECK(pack_files(trib_scratch("book.zip"), files, second ? 7 : 6));
    CHECK(rename(trib_scratch("book.zip"), trib_scratch(path)) == 0);
}

TEST(cells_are_separated_by_tabs_and_rows_are_lines) {
    write_book("a.xlsx", BOOK("", ONE TWO),
               SHEET("<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row>"
                     "<row r='5'><c r='B5' t='s'><v>2</v></c><c r='D5'><v>1871</v></c></row>"),
               SHEET("<row><c t='inlineStr'><is><t>at sea</t></is></c><c t='str'><v>sum</v></c>"
                     "<c t='b'><v>1</v></c><c t='e'><v>#REF!</v></c><c><v>1.5</v></c></row>"));
    expect_input(trib_scratch("a.xlsx"),
                 "file\tdate\n\tThe \"Heron\", a tale\t\t1871\n\nat sea\tsum\tTRUE\t\t1.5\n\n");
}

TEST(numbers_with_the_format_of_a_date_are_days) {
    static const char rows[] =
        SHEET("<row><c s='1'><v>1</v></c><c s='1'><v>59</v></c><c s='1'><v>61</v></c>"
              "<c s='2'><v>8456.75</v></c><c s='2'><v>45351</v></c><c s='3'><v>7</v></c>"
              "<c s='0'><v>8456</v></c><c s='9'><v>8</v></c><c s='1'><v>-1</v></c></row>");
    write_book("a.xlsx", BOOK("", ONE), rows, NULL);
    expect_input(trib_scratch("a.xlsx"), "1900-01-01\t1900-02-28\t1900-03-01\t1923-02-24\t"
                                         "2024-02-29\t7\t8456\t8\t-1\n\n");
    write_book("a.xlsx", BOOK("<workbookPr date1904='1'/>", ONE),
               SHEET("<row><c s='1'><v>6994</v></c></row>"), NULL);
    expect_input(trib_scratch("a.xlsx"), "1923-02-24\n\n");
}

TEST(hidden_sheets_are_left_out) {
    write_book("a.xlsx", BOOK("", "<sheet name='x' state='hidden' r:id='r1'/>" TWO),
               SHEET("<row><c><v>1</v></c></row>"), SHEET("<row><c><v>2</v></c></row>"));
    expect_input(trib_scratch("a.xlsx"), "2\n\n");
}

TEST(what_is_no_workbook_is_rejected) {
    trib_write_bytes(trib_scratch("a.xlsx"), "file,date\n", 10);
    expect_no_input(trib_scratch("a.xlsx"), "a.xlsx: cannot be read as XLSX: it is no zip archive");
    trib_write_bytes(trib_scratch("a.xlsx"), "", 0);
    expect_no_input(trib_scratch("a.xlsx"), "a.xlsx: is empty");
    CHECK(pack_files(trib_scratch("b.zip"), (packed_file[]){{"x.txt", "x"}}, 1));
    CHECK(rename(trib_scratch("b.zip"), trib_scratch("a.xlsx")) == 0);
    expect_no_input(trib_scratch("a.xlsx"), "it has no xl/workbook.xml");
    write_book("a.xlsx", BOOK("", TWO), SHEET(""), NULL);
    expect_no_input(trib_scratch("a.xlsx"), "a sheet is missing");
    write_book("a.xlsx", BOOK("", "<sheet name='x' r:id='r7'/>"), SHEET(""), NULL);
    expect_no_input(trib_scratch("a.xlsx"), "a sheet has no file");
    write_book("a.xlsx", BOOK("", ""), SHEET(""), NULL);
    expect_no_input(trib_scratch("a.xlsx"), "it has no sheet");
    write_book("a.xlsx", BOOK("", ONE), "<worksheet><sheetData>", NULL);
    expect_no_input(trib_scratch("a.xlsx"), "a.xlsx/xl/worksheets/sheet1.xml:1: cannot be parsed");
}

TEST(a_workbook_is_a_list_of_documents) {
    static const char yaml[] = "tributary: 1\ncorpus: {manifest: list.xlsx, target: all}\n";
    loaded result;
    trib_write_bytes(trib_scratch("a.txt"), "one", 3);
    trib_write_bytes(trib_scratch("b.txt"), "two", 3);
    write_book("list.xlsx", BOOK("", ONE),
               SHEET("<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c>"
                     "<c r='C1' t='str'><v>title</v></c></row>"
                     "<row r='2'><c r='A2' t='str'><v>a.txt</v></c><c r='B2'><v>1871</v></c>"
                     "<c r='C2' t='s'><v>2</v></c></row>"
                     "<row r='4'><c r='A4' t='str'><v>b.txt</v></c>"
                     "<c r='B4' s='1'><v>8456</v></c></row>"),
               NULL);
    load_text(&result, "e.yaml", yaml, NULL, 0);
    EXPECT_TEXT(result.said, "");
    CHECK(result.status == TRIB_OK && result.config.corpus.n_documents == 2);
    EXPECT_TEXT(result.config.corpus.document[0].date, "1871");
    EXPECT_TEXT(result.config.corpus.document[0].title, "The \"Heron\", a tale");
    EXPECT_TEXT(result.config.corpus.document[1].date, "1923-02-24");
    release_loaded(&result);
    write_book("list.xlsx", BOOK("", ONE),
               SHEET("<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row>"
                     "<row r='4'><c r='A4' t='str'><v>b.txt</v></c>"
                     "<c r='B4' t='str'><v>soon</v></c></row>"),
               NULL);
    load_text(&result, "e.yaml", yaml, NULL, 0);
    EXPECT(result.n_errors == 1 && strstr(result.said, "list.xlsx:4:7: error: 'soon' is not a "));
    release_loaded(&result);
}

TEST(a_workbook_in_a_folder_is_left_out) {
    loaded result;
    CHECK(mkdir(trib_scratch("shelf"), 0700) == 0);
    trib_write_bytes(trib_scratch("shelf/a.txt"), "one", 3);
    trib_write_bytes(trib_scratch("shelf/b.txt"), "two", 3);
    trib_write_bytes(trib_scratch("shelf/list.xlsx"), "PK", 2);
    trib_write_bytes(trib_scratch("shelf/slides.pptx"), "PK", 2);
    load_text(&result, "e.yaml", "tributary: 1\ncorpus: {documents: [shelf], target: all}\n", NULL,
              0);
    CHECK(result.status == TRIB_OK && result.config.corpus.n_documents == 2);
    CHECK(result.config.corpus.n_left_out == 2);
    EXPECT_TEXT(result.config.corpus.left_out[0].why, "a workbook; name it to read it");
    EXPECT_TEXT(result.config.corpus.left_out[1].why, "slides are not read");
    release_loaded(&result);
}

typedef struct book {
    trib_buffer bytes;
} book;

static trib_status read_once(void *context, trib_error *error) {
    const book *b = context;
    trib_markup_text text = {0};
    const trib_status status =
        trib_xlsx_text(&text, (trib_markup_bytes){"a.xlsx", b->bytes.text, b->bytes.length}, error);
    trib_markup_release(&text);
    return status;
}

TEST(every_allocation_may_fail) {
    book b = {{0}};
    write_book("a.xlsx", BOOK("", ONE),
               SHEET("<row><c t='s'><v>1</v></c><c s='1'><v>61</v></c></row>"), NULL);
    trib_read_bytes(trib_scratch("a.xlsx"), &b.bytes);
    EXPECT(trib_fail_every_allocation(read_once, &b) > 3);
    trib_buffer_release(&b.bytes);
}

#else

TEST(a_build_without_a_library_reads_none) { trib_skip("this build lacks a library"); }

#endif
