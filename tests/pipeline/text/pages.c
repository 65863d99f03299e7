/* pages.c - tests of METS: the order of pages, their numbers, words over page ends, bad files. */
#include "tests/pipeline/support/pack.h"

#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/text/input.h"

TESTS(text, pages);

#define HEAD                                                                                       \
    "<?xml version='1.0'?>\n<!-- by hand --><m:mets xmlns:m='http://www.loc.gov/METS/' "           \
    "xmlns:x='http://www.w3.org/1999/xlink'><m:fileSec>\n"
#define GROUP(use, files) "<m:fileGrp USE='" use "'>" files "</m:fileGrp>\n"
#define FILE_OF(id, href)                                                                          \
    "<m:file ID='" id "'><m:FLocat LOCTYPE='URL' x:href='" href "'/></m:file>\n"
#define MAP(type, pages)                                                                           \
    "</m:fileSec><m:structMap TYPE='" type "'><m:div>" pages "</m:div></m:structMap>"
#define PAGE_OF(order, label, id)                                                                  \
    "<m:div ORDER='" order "' ORDERLABEL='" label "'><m:fptr FILEID='" id "'/></m:div>\n"
#define END "</m:mets>"

#define LINE(words) "<TextLine>" words "</TextLine>"
#define ALTO_OF(line)                                                                              \
    "<alto><Layout><Page><TextBlock>" LINE(line) "</TextBlock></Page></Layout></alto>"
#define WORD(word) "<String CONTENT='" word "'/>"

static const char three[] =
    HEAD GROUP("IMAGES", FILE_OF("i1", "img/1.jpg") FILE_OF("i3", "img/3.jpg"))
        GROUP("FULLTEXT", FILE_OF("t2", "ocr/b%20b.xml") FILE_OF("t1", "file://./ocr/a.xml")
                              FILE_OF("t4", "ocr/c.xml"))
            GROUP("OTHER", FILE_OF("o1", "other/1.xml"))
                MAP("PHYSICAL",
                    PAGE_OF("1", "xii", "i1") PAGE_OF("1", "xii", "t1") PAGE_OF("2", " - ", "t2")
                        PAGE_OF("3", "uncounted", "i3") PAGE_OF("4", "2", "t4")) END;

static void write_folder(void) {
    (void)mkdir(trib_scratch("pages"), 0700);
    (void)mkdir(trib_scratch("pages/ocr"), 0700);
    trib_write_scratch("pages/mets.xml", three);
    trib_write_scratch("pages/ocr/a.xml",
                       ALTO_OF(WORD("grey") "<String CONTENT='har-' SUBS_TYPE='HypPart1' "
                                            "SUBS_CONTENT='harbour'/>"));
    trib_write_scratch(
        "pages/ocr/b b.xml",
        ALTO_OF("<String CONTENT='bour' SUBS_TYPE='HypPart2' SUBS_CONTENT='harbour'/>" WORD("and")
                    WORD("lan") "<HYP CONTENT='-'/>"));
    trib_write_scratch("pages/ocr/c.xml", ALTO_OF(WORD("terns") WORD("lean")));
}

static trib_status open_mets(trib_input *input, trib_error *error) {
    return trib_input_open(input, trib_scratch("pages/mets.xml"), NULL, NULL, error);
}

/* A page that is named again costs its bytes again, by whatever name. */
TEST(a_page_that_is_named_again_and_again_is_an_error) {
    enum { N = 70, SIZE = 1 << 20 };
    GIVEN(trib_buffer) mets = {0}, page = {0};
    trib_budget small = trib_budget_now();
    const trib_budget whole = small;
    write_folder();
    trib_buffer_print(&page, NULL, "<alto><Layout><Page>");
    while (page.length < SIZE) trib_buffer_print(&page, NULL, "%100s", "");
    trib_buffer_print(&page, NULL, "</Page></Layout></alto>");
    trib_write_bytes(trib_scratch("pages/ocr/a.xml"), page.text, page.length);
    trib_buffer_print(&mets, NULL, "%s<m:fileGrp USE='FULLTEXT'>", HEAD);
    for (int i = 0; i < N; i++)
        trib_buffer_print(&mets, NULL, FILE_OF("t%d", "ocr/%sa.xml"), i, i % 2 ? "./" : "");
    trib_buffer_print(&mets, NULL, "</m:fileGrp></m:fileSec>" END);
    trib_write_bytes(trib_scratch("pages/mets.xml"), mets.text, mets.length);
    expect_no_input(trib_scratch("pages/mets.xml"), "before; name each page once");
    small.parts = N - 1;
    trib_budget_begin(&small);
    expect_no_input(trib_scratch("pages/mets.xml"), "more than 69 pages; split it, or raise");
    trib_budget_begin(&whole);
}

TEST(pages_are_one_text_in_reading_order) {
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    write_folder();
    EXPECT_OK(open_mets(&input, &error));
    CHECK(error.status == TRIB_OK);
    EXPECT_TEXT(input.made.text.text, "grey harbour\n\n\f\nand lanterns lean\n\n");
    static const struct {
        const char *word, *reference;
    } rows[] = {{"grey", "p. xii"}, {"and", "page 2"}, {"terns", "p. 2"}, {"lean", "p. 2"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = strstr(input.made.text.text, rows[i].word);
        CHECK(at != NULL);
        EXPECT_TEXT(trib_references_at(&input.made.references, (size_t)(at - input.made.text.text)),
                    rows[i].reference);
    }
}

/* Pages of PAGE and hOCR, without a structMap, in the last group that has texts. */
TEST(pages_may_have_any_format_of_recognised_text) {
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    write_folder();
    trib_write_scratch(
        "pages/mets.xml",
        HEAD GROUP("A", FILE_OF("t1", "ocr/a.xml"))
            GROUP("B", FILE_OF("t1", "ocr/p.xml") FILE_OF("t2", "ocr/h.hocr")) "</m:fileSec>" END);
    trib_write_scratch("pages/ocr/p.xml",
                       "<PcGts><Page><TextRegion id='r'><TextLine><TextEquiv><Unicode>the old "
                       "lan-</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>");
    trib_write_scratch(
        "pages/ocr/h.hocr",
        "<html><body><div class='ocr_page' id='page_9'><span class='ocrx_word'>tern</span> "
        "<span class='ocrx_word'>burns</span></div></body></html>");
    EXPECT_OK(open_mets(&input, &error));
    CHECK(error.status == TRIB_OK);
    EXPECT_TEXT(input.made.text.text, "the old lan-\n\n\f\n\ntern burns\n\n");
    EXPECT_TEXT(trib_references_at(&input.made.references, input.made.text.length - 3), "page 2");
}

/* A folder, as Transkribus or HathiTrust writes it, is one text by its name with a slash. */
TEST(pages_in_a_folder_are_one_text_in_the_order_of_their_names) {
    static const char page[] =
        "<PcGts><Page><TextRegion><TextLine><TextEquiv><Unicode>%s</Unicode></TextEquiv>"
        "</TextLine></TextRegion></Page></PcGts>";
    static const struct {
        const char *name, *words; /* of PAGE, or the file */
    } files[] = {{"book/page/p_10.xml", "terns lean"},
                 {"book/page/p_9.xml", "the lan\u00AC"},
                 {"book/alto/p_9.xml", ALTO_OF(WORD("No"))},
                 {"book/alto/p_10.xml", ALTO_OF(WORD("No"))},
                 {"book/mets.xml", "<mets/>"},
                 {"book/metadata.xml", "<trpDocMetadata>No</trpDocMetadata>"},
                 {"book/page/p_9.jpg", "No"},
                 {"book/page/p_9.txt", "No"},
                 {"book/notes.txt", "No"},
                 {"plain/00000002.txt", "and lean\n"},
                 {"plain/00000001.txt", "caf\xE9\n"},
                 {"plain/.hidden.txt", "No"},
                 {"none/a.jpg", "No"}};
    static const char *const folders[] = {"book", "book/page", "book/alto", "plain", "none"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        (void)mkdir(trib_scratch(folders[i]), 0700);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[400];
        snprintf(text, sizeof text, i < 2 ? page : "%s", files[i].words);
        trib_write_scratch(files[i].name, text);
    }
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    EXPECT_OK(trib_input_open(&input, trib_scratch("book/"), NULL, NULL, &error));
    EXPECT_TEXT(input.made.text.text, "the lanterns lean\n\n");
    EXPECT_TEXT(input.made.remark, "2 pages are read; not 1 other files with text beside them");
    EXPECT_TEXT(trib_references_at(&input.made.references, 0), "page 9");
    EXPECT_TEXT(trib_references_at(&input.made.references, 12), "page 10");
    trib_input_close(&input);
    const trib_input_options latin = {.encoding = "latin1"};
    EXPECT_OK(trib_input_open(&input, trib_scratch("plain/"), NULL, &latin, &error));
    EXPECT_TEXT(input.made.text.text, "caf\u00E9\n\f\nand lean\n");
    const uint64_t stamp = trib_byte_source_stamp(trib_scratch("plain/"), true);
    trib_write_scratch("plain/00000003.txt", "more");
    EXPECT(trib_byte_source_stamp(trib_scratch("plain/"), true) != stamp);
    expect_no_input(trib_scratch("none/"), "has no page: a file of ALTO");
}

TEST(every_page_counts_in_the_bytes_and_the_stamp) {
    OPENED(trib_byte_source) source = {0};
    trib_error error = {0};
    write_folder();
    const char *path = trib_scratch("pages/mets.xml");
    const uint64_t stamp = trib_byte_source_stamp(path, true);
    CHECK(trib_byte_source_open(&source, path, NULL, &error) == TRIB_OK);
    EXPECT_OK(trib_byte_source_add_pages(&source, path, false, &error));
    CHECK(source.mets.n == 3);
    EXPECT(source.mets.page[0].from == strlen(three));
    EXPECT(source.mets.page[2].to == source.bytes.length);
    EXPECT(strstr(source.bytes.text, "terns") != NULL);
    EXPECT(source.stamp == stamp);
    trib_write_scratch("pages/ocr/c.xml", ALTO_OF(WORD("other") WORD("words")));
    EXPECT(trib_byte_source_stamp(path, true) != stamp);
}

TEST(a_page_that_links_out_of_its_folder_is_refused) {
    trib_error error = {0};
    write_folder();
    const char *path = trib_scratch("pages/mets.xml"), *page = trib_scratch("pages/ocr/c.xml");
    CHECK(rename(page, trib_scratch("c.xml")) == 0 && symlink("../../c.xml", page) == 0);
    for (int follows = 0; follows < 2; follows++) {
        OPENED(trib_byte_source) source = {0};
        CHECK(trib_byte_source_open(&source, path, NULL, &error) == TRIB_OK);
        EXPECT_STATUS(trib_byte_source_add_pages(&source, path, follows, &error),
                      follows ? TRIB_OK : TRIB_INPUT, error);
        EXPECT(strstr(error.message, "ocr/c.xml' is a link to '/") != NULL);
    }
    CHECK(remove(page) == 0);
}

CASES("tests/pipeline/text/pages.txt [input]", addresses_have_texts) { an_address_has_a_text(); }

TEST(other_xml_is_no_mets) {
    static const struct {
        const char *first;
        bool is_mets;
    } rows[] = {{"<mets>", true},           {"<?xml version='1.0'?><!-- <a> --><mets:mets ", true},
                {"<m:mets\n", true},        {"<TEI><mets>", false},
                {"<nomets>", false},        {"mets", false},
                {"<mets", false},           {"", false},
                {"<metsDocument/>", false}, {"<?xml?>\n<alto>", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        EXPECT(trib_mets_begins(rows[i].first, strlen(rows[i].first)) == rows[i].is_mets);
}

static trib_status attempt(void *context, trib_error *error) {
    trib_input input;
    (void)context;
    const trib_status status = open_mets(&input, error);
    if (status == TRIB_OK) trib_input_close(&input);
    return status;
}

TEST(every_allocation_may_fail) {
    write_folder();
    EXPECT(trib_fail_every_allocation(attempt, NULL) > 10);
}
