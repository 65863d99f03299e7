/* markup.c - tests of the text of HTML and XML, and of files that are rejected; markup.txt has the
 * cases. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/text/elements.h"
#include "pipeline/text/input.h"
#include "pipeline/text/text_formats.h"

TESTS(text, markup);

CASES("tests/pipeline/text/markup.txt [decoded]", files_are_decoded) { a_file_is_decoded(); }

static trib_status read_as(trib_markup_text *to, const char *name, const char *bytes, size_t length,
                           trib_error *error) {
    const trib_text_format *row = trib_text_format_named(name, NULL, 0);
    CHECK(row != NULL);
    const trib_status status = row->read(to, (trib_markup_bytes){name, bytes, length}, error);
    return status == TRIB_OK ? trib_markup_finish(to, error) : status;
}

static trib_status read_text(const char *name, const char *bytes, trib_buffer *text,
                             trib_error *error) {
    trib_markup_text to = {0};
    const trib_status status = read_as(&to, name, bytes, strlen(bytes), error);
    EXPECT_TEXT(to.remark, "");
    *text = to.text;
    to.text = (trib_buffer){0};
    trib_markup_release(&to);
    return status;
}

static void expect_refusal(const char *name, const char *bytes, const char *message) {
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    EXPECT_STATUS(read_text(name, bytes, &text, &error), TRIB_INPUT, error);
    error.message[strlen(message) < sizeof error.message ? strlen(message) : 0] = '\0';
    EXPECT_TEXT(error.message, message); /* the wording of libxml2 may change */
}

TEST(the_tables_of_the_program_are_tables) {
    trib_error error = {0};
    for (size_t v = 0; v < trib_n_vocabularies; v++) {
        trib_piece names = {trib_vocabularies[v].tables, strlen(trib_vocabularies[v].tables)}, name;
        while (trib_piece_next(&names, &name, " ")) {
            const trib_piece table = trib_markup_table(name);
            CHECK(table.n > 0);
            EXPECT_OK(trib_rules_check(name.at, table.at, table.n, &error));
        }
    }
}

/* A table of the user, or what is wrong with it, and the text that it makes. */
CASES("tests/pipeline/text/markup.txt [rules]", a_table_of_ones_own_comes_first) {
    static const char page[] = "<TEI><text><p n='1'>the <hi rend='b'>b</hi>ay <rs>of</rs>"
                               "<term>herons</term><note>one</note></p></text></TEI>";
    const char *rules = trib_case_text("rules");
    trib_error error = {0};
    trib_markup_text to = {.edition = {.rules = rules}};
    if (trib_rules_check("r.yaml", rules, strlen(rules), &error) == TRIB_OK)
        EXPECT_OK(read_as(&to, "a.tei", page, sizeof page - 1, &error));
    EXPECT_TEXT(to.text.text ? to.text.text : error.message, trib_case_text("text"));
    trib_markup_release(&to);
}

static bool is_marked(const char *name) {
    const trib_text_format *format = trib_text_format_named(name, NULL, 0);
    return format && format->use == TRIB_TEXT_FORMAT_DECODED;
}

TEST(markup_is_recognised_by_name) {
    static const char *const names[] = {"a.html", "a.HTM",  "a.xml.gz", "a.xhtml",
                                        "a.tei",  "a.epub", "x/a.pdf"};
    static const char *const kinds[] = {"HTML", "HTML", "XML", "XHTML", "TEI", "EPUB", "PDF"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        EXPECT_TEXT(trib_text_format_named(names[i], NULL, 0)->name, kinds[i]);
    EXPECT(!is_marked("a.txt") && !is_marked("html") && !is_marked("a.gz"));
    EXPECT(!is_marked("a.html.txt") && !is_marked(""));
    EXPECT_TEXT(trib_text_format_named("a.txt", (const unsigned char *)"%PDF-1.4", 8)->name, "PDF");
    EXPECT_TEXT(trib_text_format_named("a.txt", (const unsigned char *)"%PDF", 4)->name, "text");
}

/* By default, libxml2 silently ends a page at 256 nested elements or at 10 MB of text. */
TEST(html_is_read_to_its_end) {
    enum { N_OPEN = 2000, N_BYTES = 11000000 };
    GIVEN(trib_buffer) page = {0}, text = {0};
    trib_error error = {0};
    for (int i = 0; i < N_OPEN; i++)
        CHECK(trib_buffer_print(&page, NULL, "<p><font size=2>heron\n") == TRIB_OK);
    CHECK(trib_buffer_print(&page, NULL, "<p>the end") == TRIB_OK);
    EXPECT_OK(read_text("a.html", page.text, &text, &error));
    EXPECT(text.length == (size_t)N_OPEN * strlen("heron\n\n") + strlen("the end\n\n"));
    trib_buffer_release(&text);
    trib_buffer_clear(&page);
    CHECK(trib_buffer_print(&page, NULL, "<p>") == TRIB_OK);
    for (int i = 0; i < N_BYTES; i += 10)
        CHECK(trib_buffer_add(&page, "the heron ", 10, NULL) == TRIB_OK);
    EXPECT_OK(read_text("a.html", page.text, &text, &error));
    EXPECT(text.length >= N_BYTES);
}

/* The ranges of the main text and of each note; no n-gram crosses their borders. */
TEST(separate_notes_are_parts) {
    static const char page[] =
        "<TEI><text><p>the<note>one</note> men<note> two </note></p></text></TEI>";
    trib_markup_text to = {.notes = TRIB_NOTES_SEPARATE};
    trib_error error = {0};
    EXPECT_OK(read_as(&to, "a.tei", page, sizeof page - 1, &error));
    EXPECT_TEXT(to.text.text, "the men\n\n\none\n\ntwo \n\n");
    CHECK(to.parts.n == 3);
    const trib_range *part = to.parts.range;
    EXPECT(part[0].from == 0 && part[0].to == 9);
    EXPECT(memcmp(to.text.text + part[1].from, "one\n", 4) == 0 && part[1].to - part[1].from == 3);
    EXPECT(memcmp(to.text.text + part[2].from, "two ", 4) == 0 && part[2].to - part[2].from == 3);
    trib_markup_release(&to);
}

/* Writes an element with n attributes, after texts that look like tags but are not. */
static void add_attributes(trib_buffer *page, int n) {
    page->length = 0;
    CHECK(trib_buffer_print(page, NULL, "<html><!-- <a%0*d --><style> <b%0*d </style><p x='<p > y'",
                            900, 0, 900, 0) == TRIB_OK);
    for (int i = 1; i < n; i++) CHECK(trib_buffer_print(page, NULL, " a%d=1", i) == TRIB_OK);
    CHECK(trib_buffer_print(page, NULL, ">one</p></html>") == TRIB_OK);
}

TEST(too_many_attributes_are_rejected) {
    static const char *const names[] = {"a.html", "a.xhtml"};
    GIVEN(trib_buffer) page = {0};
    for (size_t i = 0; i < 2; i++) {
        const bool is_html = i == 0;
        add_attributes(&page, TRIB_ATTRIBUTES_MOST);
        trib_markup_bytes file = {names[i], page.text, page.length};
        EXPECT(trib_html_check_attributes(file, is_html, NULL) == TRIB_OK);
        add_attributes(&page, TRIB_ATTRIBUTES_MOST + 1);
        expect_refusal(names[i], page.text,
                       is_html ? "a.html:1: an element has more than 256 "
                                 "attributes"
                               : "a.xhtml:1: an element has more than 256");
    }
}

TEST(the_decoder_is_chosen_by_the_file) {
    static const char html[] = "<p>one <b>two</b></p>";
    const char *path = trib_scratch("a.html");
    OPENED(trib_input) input = {0};
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    trib_write_bytes(path, html, sizeof html - 1);
    EXPECT_OK(trib_input_open(&input, path, NULL, NULL, &error));
    EXPECT(input.is_markup);
    EXPECT_OK(trib_input_all(&input, &text, &error));
    EXPECT_TEXT(text.text, "one two\n\n");
}

static trib_status read_once(void *context, trib_error *error) {
    GIVEN(trib_buffer) text = {0};
    (void)context;
    const trib_status status =
        read_text("a.html", "<p>one &amp; two<br>three</p><p>four", &text, error);
    return status;
}

TEST(several_threads_read_at_once) {
    enum { N_THREADS = 8, N_FILES = 64 };
    static const char *const name[] = {"a.html", "a.xml"};
    static const char page[] = "<p>one &amp; two</p>";
    bool is_right[N_FILES] = {false};
#pragma omp parallel for schedule(static, 1) num_threads(N_THREADS)
    for (int f = 0; f < N_FILES; f++) {
        trib_markup_text to = {0};
        const trib_text_format *row = trib_text_format_named(name[f % 2], NULL, 0);
        const trib_markup_bytes file = {row->name, page, strlen(page)};
        is_right[f] =
            row->read(&to, file, NULL) == TRIB_OK && strstr(to.text.text, "one & two") != NULL;
        trib_markup_release(&to);
    }
    for (int f = 0; f < N_FILES; f++) EXPECT(is_right[f]);
}

TEST(every_allocation_may_fail) { trib_fail_every_allocation(read_once, NULL); }
