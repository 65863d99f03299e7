/* odt.c - tests of OpenDocument: what of a text is read, and what is bounded. */
#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/support/pack.h"

TESTS(text, odt);

CASES("tests/pipeline/text/odt.txt [input]", texts_are_read) { an_address_has_a_text(); }

#define OPEN_TEXT                                                                                  \
    "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' "    \
    "xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'><office:body><office:text>"

static void pack_odt(const char *path, const char *content) {
    const packed_file files[] = {{"mimetype", "application/vnd.oasis.opendocument.text"},
                                 {"content.xml", content}};
    CHECK(pack_files(trib_scratch("o.zip"), files, 2));
    CHECK(rename(trib_scratch("o.zip"), path) == 0);
}

TEST(bombs_are_bounded) {
    GIVEN(trib_buffer) text = {0};
    char block[1 << 16];
    memset(block, ' ', sizeof block);
    CHECK(trib_buffer_print(&text, NULL, "%s", OPEN_TEXT) == TRIB_OK);
    for (int i = 0; i < 1280; i++)
        CHECK(trib_buffer_add(&text, block, sizeof block, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, "", 1, NULL) == TRIB_OK);
    pack_odt(trib_scratch("bomb.odt"), text.text);
    expect_no_input(trib_scratch("bomb.odt"), "unpacks to more than");
    trib_buffer_clear(&text);
    CHECK(trib_buffer_print(&text, NULL,
                            "<!DOCTYPE a [<!ENTITY b \"heron\">]>" OPEN_TEXT
                            "&b;</office:text></office:body>"
                            "</office:document-content>") == TRIB_OK);
    pack_odt(trib_scratch("e.odt"), text.text);
    expect_no_input(trib_scratch("e.odt"), "entities");
}

TEST(a_part_that_is_no_xml_is_named) {
    pack_odt(trib_scratch("n.odt"), OPEN_TEXT "</office:body>");
    expect_no_input(trib_scratch("n.odt"), "n.odt: content.xml of this ODT:1: cannot be parsed");
}
