/* epub.c - tests of EPUB books: their parts in the order of the spine, and malformed books. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/text/input.h"

TESTS(text, epub);

#if defined TRIB_WITH_ARCHIVE && defined TRIB_WITH_XML

#define CONTAINER                                                                                  \
    "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>"               \
    "<rootfile full-path='OEBPS/book.opf' media-type='application/oebps-package+xml'/>"            \
    "</rootfiles></container>"
#define PACKAGE(items, spine)                                                                      \
    "<?xml version='1.0'?><package xmlns='http://www.idpf.org/2007/opf' version='3.0'><metadata/>" \
    "<manifest>" items "</manifest><spine toc='ncx'>" spine "</spine></package>"
#define PAGE(text)                                                                                 \
    "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/"    \
    "xhtml'><head><title>No</title></head><body>" text "</body></html>"
#define ITEMS                                                                                      \
    "<item id='b' href='two%20b.xhtml' media-type='application/xhtml+xml'/>"                       \
    "<item id='a' href='../one.xhtml' media-type='application/xhtml+xml'/>"                        \
    "<item id='c' href='cover.jpg' media-type='image/jpeg'/>"

static void expect_book(const packed_file files[], size_t n, const char *text, const char *error) {
    const char *path = trib_scratch("book.epub");
    CHECK(pack_files(path, files, n));
    if (text) expect_input(path, text);
    else expect_no_input(path, error);
}

TEST(parts_come_in_the_order_of_the_spine) {
    const packed_file files[] = {
        {"mimetype", "application/epub+zip"},
        {"OEBPS/two b.xhtml", PAGE("<p>the second</p>")},
        {"one.xhtml", PAGE("<h1>First</h1><p>the first</p>")},
        {"OEBPS/cover.jpg", "\xFF\xD8"},
        {"META-INF/container.xml", CONTAINER},
        {"OEBPS/book.opf", PACKAGE(ITEMS, "<itemref idref='a'/><itemref idref='b' linear='no'/>")},
    };
    expect_book(files, 6, "First\n\nthe first\n\nthe second\n\n", NULL);
    trib_input input;
    trib_error error = {0};
    EXPECT_STATUS(trib_input_open(&input, trib_scratch("book.epub"), NULL, NULL, &error), TRIB_OK,
                  error);
    EXPECT(input.is_markup);
    EXPECT_TEXT(input.kind, "EPUB");
    trib_input_close(&input);
    trib_buffer book = {0}; /* a book inside an archive */
    trib_read_bytes(trib_scratch("book.epub"), &book);
    trib_write_bytes(trib_scratch("plain.epub"), "once upon a time", 16);
    expect_no_input(trib_scratch("plain.epub"), "cannot be read as a zip");
    for (size_t i = 1; i < 6; i++) {
        trib_write_bytes(trib_scratch("cut.epub"), book.text, book.length * i / 6);
        expect_no_input(trib_scratch("cut.epub"), "cut.epub: ");
    }
    trib_buffer_release(&book);
}

TEST(malformed_books_are_rejected) {
    const packed_file container = {"META-INF/container.xml", CONTAINER};
    const struct {
        packed_file file[4];
        size_t n;
        const char *error;
    } cases[] = {
        {{{"a.txt", "x"}}, 1, "cannot be read as an EPUB: it has no META-INF/container.xml"},
        {{{"META-INF/container.xml", "<container>"}}, 1, "container.xml names no package"},
        {{{"META-INF/container.xml", "<container><rootfile/></container>"}}, 1, "names no package"},
        {{container}, 1, "its package cannot be parsed"},
        {{container, {"OEBPS/book.opf", "<package"}}, 2, "its package cannot be parsed"},
        {{container, {"OEBPS/book.opf", PACKAGE(ITEMS, "")}}, 2, "its spine is empty"},
        {{container, {"OEBPS/book.opf", PACKAGE(ITEMS, "<itemref idref='z'/>")}},
         2,
         "its spine names a part that is not in its manifest"},
        {{container, {"OEBPS/book.opf", PACKAGE(ITEMS, "<itemref/>")}}, 2, "not in its manifest"},
        {{container, {"OEBPS/book.opf", PACKAGE(ITEMS, "<itemref idref='a'/>")}},
         2,
         "book.epub/one.xhtml: is named by the EPUB but not in it"},
        {{container,
          {"OEBPS/book.opf",
           PACKAGE("<item id='a' href='../../x.xhtml'/>", "<itemref idref='a'/>")}},
         2,
         "the name of a part points outside the archive"},
        {{container,
          {"OEBPS/book.opf", PACKAGE(ITEMS, "<itemref idref='a'/>")},
          {"one.xhtml", "<html><p>cut"}},
         3,
         "book.epub/one.xhtml:1: cannot be parsed"},
        {{container,
          {"OEBPS/book.opf", PACKAGE(ITEMS, "<itemref idref='a'/>")},
          {"one.xhtml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}},
         3,
         "declares entities of its own"},
        {{container,
          {"OEBPS/book.opf", PACKAGE(ITEMS, "<itemref idref='a'/>")},
          {"one.xhtml", PAGE("x")},
          {"META-INF/encryption.xml",
           "<encryption><EncryptedData><CipherData><CipherReference URI='one.xhtml'/>"
           "</CipherData></EncryptedData></encryption>"}},
         4,
         "its text is encrypted (DRM)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_book(cases[i].file, cases[i].n, NULL, cases[i].error);
}

static trib_status read_once(void *context, trib_error *error) {
    trib_input input;
    const trib_status status = trib_input_open(&input, context, NULL, NULL, error);
    trib_input_close(&input);
    return status;
}

TEST(every_allocation_may_fail) {
    char path[4096];
    const packed_file files[] = {
        {"META-INF/container.xml", CONTAINER},
        {"OEBPS/book.opf", PACKAGE(ITEMS, "<itemref idref='a'/><itemref idref='b'/>")},
        {"one.xhtml", PAGE("one")},
        {"OEBPS/two b.xhtml", PAGE("two")}};
    expect_book(files, 4, "one\n\ntwo\n\n", NULL);
    snprintf(path, sizeof path, "%s", trib_scratch("book.epub"));
    trib_fail_every_allocation(read_once, path);
}

#else

TEST(a_build_without_a_library_names_its_package) {
    trib_write_bytes(trib_scratch("a.epub"), "PK\3\4", 4);
    expect_no_input(trib_scratch("a.epub"), "-dev");
}

#endif
