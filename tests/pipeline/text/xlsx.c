/* xlsx.c - tests of workbooks: as text, as a list of documents, and what is no workbook. */
#include "pipeline/text/text_formats.h"

#include <sys/stat.h>

#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/support/pack.h"

TESTS(text, xlsx);

#define MAIN "xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'"
#define BOOK                                                                                       \
    "<?xml version='1.0'?><workbook " MAIN                                                         \
    " xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>"              \
    "<sheets><sheet name='One' sheetId='1' r:id='r1'/></sheets></workbook>"
#define LINKS                                                                                      \
    "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"         \
    "<Relationship Id='r1' Target='worksheets/sheet1.xml'/></Relationships>"
#define STRINGS                                                                                    \
    "<sst " MAIN "><si><t>file</t></si><si><r><t>da</t></r><r><t>te</t></r><rPh><t>no</t></rPh>"   \
    "</si><si><t>The \"Heron\", a\ntale</t></si></sst>"
#define STYLES                                                                                     \
    "<styleSheet " MAIN "><numFmts><numFmt numFmtId='164' formatCode='dd\\-mm\\-yyyy'/>"           \
    "<numFmt numFmtId='165' formatCode='0&quot;days&quot;'/></numFmts><cellXfs>"                   \
    "<xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='165'/></cellXfs>"      \
    "</styleSheet>"
#define SHEET(rows) "<worksheet " MAIN "><sheetData>" rows "</sheetData></worksheet>"

static void write_book(const char *path, const char *rows) {
    const packed_file files[] = {{"[Content_Types].xml", "<Types/>"},
                                 {"xl/workbook.xml", BOOK},
                                 {"xl/_rels/workbook.xml.rels", LINKS},
                                 {"xl/sharedStrings.xml", STRINGS},
                                 {"xl/styles.xml", STYLES},
                                 {"xl/worksheets/sheet1.xml", rows}};
    CHECK(pack_files(trib_scratch(path), files, 6));
}

CASES("tests/pipeline/text/xlsx.txt [input]", addresses_have_texts) { an_address_has_a_text(); }

TEST(a_workbook_is_a_list_of_documents) {
    static const char yaml[] = "tributary: 1\ncorpus: {manifest: list.xlsx, target: all}\n";
    loaded result;
    trib_write_bytes(trib_scratch("a.txt"), "one", 3);
    trib_write_bytes(trib_scratch("b.txt"), "two", 3);
    write_book("list.xlsx",
               SHEET("<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c>"
                     "<c r='C1' t='str'><v>title</v></c></row>"
                     "<row r='2'><c r='A2' t='str'><v>a.txt</v></c><c r='B2'><v>1871</v></c>"
                     "<c r='C2' t='s'><v>2</v></c></row>"
                     "<row r='4'><c r='A4' t='str'><v>b.txt</v></c>"
                     "<c r='B4' s='1'><v>8456</v></c></row>"));
    load_text(&result, "e.yaml", yaml, NULL, 0);
    EXPECT_TEXT(result.said, "");
    CHECK(result.status == TRIB_OK && result.config.corpus.n_documents == 2);
    EXPECT_TEXT(result.config.corpus.document[0].date, "1871");
    EXPECT_TEXT(result.config.corpus.document[0].title, "The \"Heron\", a tale");
    EXPECT_TEXT(result.config.corpus.document[1].date, "1923-02-24");
    release_loaded(&result);
    write_book("list.xlsx",
               SHEET("<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row>"
                     "<row r='4'><c r='A4' t='str'><v>b.txt</v></c>"
                     "<c r='B4' t='str'><v>soon</v></c></row>"));
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
    write_book("a.xlsx", SHEET("<row><c t='s'><v>1</v></c><c s='1'><v>61</v></c></row>"));
    trib_read_bytes(trib_scratch("a.xlsx"), &b.bytes);
    EXPECT(trib_fail_every_allocation(read_once, &b) > 3);
    trib_buffer_release(&b.bytes);
}
