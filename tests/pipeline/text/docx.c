/* docx.c - tests of DOCX: what of a text is read, and what is bounded. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/text/input.h"

TESTS(text, docx);

CASES("tests/pipeline/text/docx.txt [input]", texts_are_read) { an_address_has_a_text(); }

#define BEGIN "<w:document xmlns:w='u:wordprocessingml'><w:body><w:p><w:r>"
#define END   "</w:r></w:p></w:body></w:document>"

/* Writes a file with one more part, which may be that of footnotes or of styles. */
static const char *pack_docx(const char *document, const char *kind, const char *part) {
    char relations[200];
    snprintf(relations, sizeof relations,
             "<Relationships><Relationship Type='%s' Target='p.xml'/></Relationships>", kind);
    const packed_file files[] = {{"_rels/.rels",
                                  "<Relationships><Relationship Type='o/officeDocument' "
                                  "Target='word/document.xml'/></Relationships>"},
                                 {"word/_rels/document.xml.rels", relations},
                                 {"word/p.xml", part},
                                 {"word/document.xml", document}};
    CHECK(pack_files(trib_scratch("d.zip"), files, 4));
    CHECK(rename(trib_scratch("d.zip"), trib_scratch("d.docx")) == 0);
    return trib_scratch("d.docx");
}

TEST(notes_are_read_once_by_choice_and_headings_are_counted) {
    static const trib_notes choices[] = {TRIB_NOTES_KEEP, TRIB_NOTES_SEPARATE};
    static const char *const wanted[] = {"The heron \n\nA note.\n\nstood.\n\n",
                                         "The heron stood.\n\n\nA note.\n\n"};
    const char *path = pack_docx(BEGIN "<w:t>The heron</w:t><w:footnoteReference w:id='1'/><w:t> "
                                       "stood</w:t><w:footnoteReference w:id='1'/>"
                                       "<w:footnoteReference w:id='7'/><w:t>.</w:t>" END,
                                 "o/footnotes",
                                 "<w:footnotes xmlns:w='u:wordprocessingml'><w:footnote w:id='1'>"
                                 "<w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote>"
                                 "</w:footnotes>");
    for (size_t i = 0; i < 2; i++) {
        OPENED(trib_input) input = {0};
        trib_error error = {0};
        const trib_input_options options = {.notes = choices[i]};
        EXPECT_OK(trib_input_open(&input, path, NULL, &options, &error));
        EXPECT_TEXT(input.made.text.text, wanted[i]);
    }
    path = pack_docx("<w:document xmlns:w='u:wordprocessingml'><w:p><w:pPr><w:pStyle w:val='b1'/>"
                     "</w:pPr><w:r><w:t>The Bay</w:t></w:r></w:p><w:p><w:r><w:t>A heron</w:t>"
                     "<d:relIds xmlns:d='d'/></w:r></w:p></w:document>",
                     "o/styles",
                     "<w:styles xmlns:w='u:wordprocessingml'><w:style w:styleId='b1'><w:name "
                     "w:val='heading 1'/></w:style></w:styles>");
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    EXPECT_OK(trib_input_open(&input, path, NULL, NULL, &error));
    EXPECT(input.made.account.counts.headings == 2);
    EXPECT_TEXT(input.made.remark,
                "has diagrams, whose text is not read; save it as PDF to read them");
}

TEST(bombs_are_bounded) {
    GIVEN(trib_buffer) text = {0};
    char block[1 << 16];
    memset(block, ' ', sizeof block);
    CHECK(trib_buffer_print(&text, NULL, "%s", BEGIN) == TRIB_OK);
    for (int i = 0; i < 1280; i++)
        CHECK(trib_buffer_add(&text, block, sizeof block, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, "", 1, NULL) == TRIB_OK);
    expect_no_input(pack_docx(text.text, "o/styles", "<a/>"), "unpacks to more than");
}
