/* epub.c - tests of EPUB books: their parts in the order of the spine, and malformed books;
 * epub.txt has the cases. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/text/input.h"

TESTS(text, epub);

CASES("tests/pipeline/text/epub.txt [input]", addresses_have_texts) { an_address_has_a_text(); }

static const char *write_book(void) {
    static const packed_file files[] = {
        {"META-INF/container.xml", "<container><rootfile full-path='book.opf'/></container>"},
        {"book.opf", "<package><manifest><item id='a' href='one.xhtml'/><item id='b' "
                     "href='two.xhtml'/></manifest><spine><itemref idref='a'/><itemref "
                     "idref='b'/></spine></package>"},
        {"one.xhtml", "<html><body>one</body></html>"},
        {"two.xhtml", "<html><body>two</body></html>"}};
    const char *path = trib_scratch("book.epub");
    CHECK(pack_files(path, files, 4));
    return path;
}

TEST(a_book_that_is_cut_is_rejected) {
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    GIVEN(trib_buffer) book = {0};
    const char *path = write_book();
    EXPECT_OK(trib_input_open(&input, path, NULL, NULL, &error));
    EXPECT(input.is_markup);
    EXPECT_TEXT(input.kind, "EPUB");
    trib_read_bytes(path, &book);
    expect_no_input(trib_write_scratch("plain.epub", "once upon a time"),
                    "cannot be read as a zip");
    for (size_t i = 1; i < 6; i++) {
        trib_write_bytes(trib_scratch("cut.epub"), book.text, book.length * i / 6);
        expect_no_input(trib_scratch("cut.epub"), "cut.epub: ");
    }
}

static trib_status read_once(void *context, trib_error *error) {
    OPENED(trib_input) input = {0};
    const trib_status status = trib_input_open(&input, context, NULL, NULL, error);
    return status;
}

TEST(every_allocation_may_fail) {
    char path[4096];
    snprintf(path, sizeof path, "%s", write_book());
    expect_input(path, "one\n\ntwo\n\n");
    trib_fail_every_allocation(read_once, path);
}
