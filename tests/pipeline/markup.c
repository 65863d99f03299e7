/* markup.c - tests of the text of HTML and XML, and of what is refused. */
#include "tests/test.h"

#include "pipeline/input.h"
#include "pipeline/markup.h"

#ifdef TRIB_WITH_XML

static trib_status read_text(const char *name, const char *bytes, trib_buffer *text,
                             trib_error *error) {
    char note[TRIB_NOTE_MAX] = "";
    const trib_markup_row *row = trib_markup_find(name, NULL, 0);
    CHECK(row != NULL);
    const trib_status status =
        row->read(text, note, (trib_markup_bytes){name, bytes, strlen(bytes)}, error);
    EXPECT_TEXT(note, "");
    return status;
}

static void expect_text(const char *name, const char *bytes, const char *wanted) {
    trib_buffer text = {0};
    trib_error error = {0};
    EXPECT_STATUS(read_text(name, bytes, &text, &error), TRIB_OK, error);
    EXPECT_TEXT(text.text ? text.text : "", wanted);
    trib_buffer_release(&text);
}

static void expect_refusal(const char *name, const char *bytes, const char *message) {
    trib_buffer text = {0};
    trib_error error = {0};
    EXPECT_STATUS(read_text(name, bytes, &text, &error), TRIB_INPUT, error);
    error.message[strlen(message) < sizeof error.message ? strlen(message) : 0] = '\0';
    EXPECT_TEXT(error.message, message); /* libxml2's own words may change */
    trib_buffer_release(&text);
}

static bool is_marked(const char *name) { return trib_markup_find(name, NULL, 0) != NULL; }

static void names_say_what_is_marked_up(void) {
    static const char *const names[] = {"a.html", "a.HTM",  "a.xml.gz", "a.xhtml",
                                        "a.tei",  "a.epub", "x/a.pdf"};
    static const char *const kinds[] = {"HTML", "HTML", "XML", "XHTML", "TEI", "EPUB", "PDF"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        EXPECT_TEXT(trib_markup_find(names[i], NULL, 0)->name, kinds[i]);
    EXPECT(!is_marked("a.txt") && !is_marked("html") && !is_marked("a.gz"));
    EXPECT(!is_marked("a.html.txt") && !is_marked(""));
    EXPECT_TEXT(trib_markup_find("a.txt", (const unsigned char *)"%PDF-1.4", 8)->name, "PDF");
    EXPECT(!trib_markup_find("a.txt", (const unsigned char *)"%PDF", 4));
}

static void html_gives_its_running_text(void) {
    expect_text(
        "a.html",
        "<!DOCTYPE html><html><head><title>No</title><style>p{}</style></head><body>"
        "<h1>The Heron</h1><p>A <i>her</i>on   stood\n\nin the&nbsp;reeds &amp;<br>waited."
        "<script>no()</script><!-- no --><ul><li>one<li>two</ul>end</body></html>",
        "The Heron\n\nA heron stood\nin the\xC2\xA0reeds &\nwaited.\n\none\ntwo\n\nend\n\n");
    expect_text("a.htm", "just <b>words", "just words\n\n");
    expect_text("a.html", "<meta charset=windows-1252><p>caf\xE9", "caf\xC3\xA9\n\n");
    expect_text("a.html", "<pre>one\n\n  two</pre>three", "one\n\n  two\n\nthree\n\n");
}

/* libxml2 ends a page, and says nothing, where 256 elements lie in each other, a text has 10 MB, or a byte is zero. */
static void html_is_read_to_its_end(void) {
    enum { N_OPEN = 2000, N_BYTES = 11000000 };
    trib_buffer page = {0}, text = {0};
    trib_error error = {0};
    char note[TRIB_NOTE_MAX] = "";
    const trib_markup_row *row = trib_markup_find("a.html", NULL, 0);
    for (int i = 0; i < N_OPEN; i++)
        CHECK(trib_buffer_print(&page, NULL, "<p><font size=2>heron\n") == TRIB_OK);
    CHECK(trib_buffer_print(&page, NULL, "<p>the end") == TRIB_OK);
    EXPECT_STATUS(read_text("a.html", page.text, &text, &error), TRIB_OK, error);
    EXPECT(text.length == (size_t)N_OPEN * strlen("heron\n\n") + strlen("the end\n\n"));
    trib_buffer_release(&text);
    trib_buffer_clear(&page);
    CHECK(trib_buffer_print(&page, NULL, "<p>") == TRIB_OK);
    for (int i = 0; i < N_BYTES; i += 10)
        CHECK(trib_buffer_add(&page, "the heron ", 10, NULL) == TRIB_OK);
    EXPECT_STATUS(read_text("a.html", page.text, &text, &error), TRIB_OK, error);
    EXPECT(text.length >= N_BYTES);
    trib_buffer_release(&text);
    static const char zero[] = "<html><body><p>a her\0on</p>\0<p>the end</p></body></html>";
    EXPECT_STATUS(
        row->read(&text, note, (trib_markup_bytes){"a.html", zero, sizeof zero - 1}, &error),
        TRIB_OK, error);
    EXPECT_TEXT(text.text, "a heron\n\nthe end\n\n");
    trib_buffer_release(&text);
    static const char wide[] = "\xFF\xFE<\0p\0>\0x\0";
    EXPECT_STATUS(
        row->read(&text, note, (trib_markup_bytes){"a.html", wide, sizeof wide - 1}, &error),
        TRIB_OK, error);
    EXPECT_TEXT(text.text, "x\n\n");
    trib_buffer_release(&text);
    trib_buffer_release(&page);
}

static void xml_gives_its_running_text(void) {
    expect_text(
        "a.xml",
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><p>No</p></teiHeader><text><body>"
        "<head>The <title>Heron</title></head><lg><l>It st<lb break='no'/>ood</l><l>in "
        "<choice><sic>reds</sic><corr>reeds</corr></choice></l></lg><fw>No</fw><p>and<lb/>"
        "<hi>w</hi>aited</p></body></text></TEI>",
        "The Heron\n\nIt stood\nin reds\n\nand\nwaited\n\n");
    expect_text("a.xml", "<play><line>one</line><line>two<x/>three</line></play>",
                "one\ntwo\nthree\n");
    expect_text("a.xml",
                "<?xml version='1.0' encoding='iso-8859-1'?><a>caf\xE9 <![CDATA[<b>]]></a>",
                "caf\xC3\xA9 <b>\n");
    expect_text("a.xhtml",
                "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN' "
                "'http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd'><html "
                "xmlns='http://www.w3.org/1999/xhtml'><head><title>No</title></head><body><p>one"
                "&mdash;two&nbsp;three</p></body></html>",
                "one\xE2\x80\x94two\xC2\xA0three\n\n");
}

static void what_cannot_be_parsed_is_refused(void) {
    expect_refusal("a.xml", "<a>\n<b>\n</a>", "a.xml:3: cannot be parsed: ");
    expect_refusal("a.xml", "", "a.xml:1: cannot be parsed: ");
    expect_refusal("a.xml", "no tags", "a.xml:1: cannot be parsed: ");
    expect_refusal("a.xml", "<!DOCTYPE a [<!ENTITY b 'bbb'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>",
                   "a.xml: declares entities of its own, which are not expanded; write what they "
                   "stand for");
    expect_refusal("a.xml", "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>&b;</a>",
                   "a.xml: declares entities of its own, which are not expanded; write what they "
                   "stand for");
    expect_refusal("a.xml", "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a>\n&b;</a>",
                   "a.xml: line 2 uses the entity '&b;', which is not expanded; write what it "
                   "stands for");
}

static void a_file_is_read_through_its_markup(void) {
    static const char html[] = "<p>one <b>two</b></p>";
    const char *path = trib_scratch("a.html");
    trib_input input;
    trib_buffer text = {0};
    trib_error error = {0};
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    fputs(html, file);
    fclose(file);
    EXPECT_STATUS(trib_input_open(&input, path, NULL, &error), TRIB_OK, error);
    EXPECT(input.is_markup);
    EXPECT_STATUS(trib_input_all(&input, &text, &error), TRIB_OK, error);
    EXPECT_TEXT(text.text, "one two\n\n");
    trib_input_close(&input);
    trib_buffer_release(&text);
}

static trib_status read_once(void *context, trib_error *error) {
    trib_buffer text = {0};
    (void)context;
    const trib_status status =
        read_text("a.html", "<p>one &amp; two<br>three</p><p>four", &text, error);
    trib_buffer_release(&text);
    return status;
}

static void every_allocation_may_fail(void) { trib_fail_every_allocation(read_once, NULL); }

#else

static void a_build_without_libxml2_names_its_package(void) {
    trib_buffer text = {0};
    trib_error error = {0};
    char note[TRIB_NOTE_MAX] = "";
    EXPECT_STATUS(trib_markup_find("a.html", NULL, 0)
                      ->read(&text, note, (trib_markup_bytes){"a.html", "<p>", 3}, &error),
                  TRIB_INPUT, error);
    EXPECT(strstr(error.message, "libxml2-dev") != NULL);
}

#endif

CU_TestInfo trib_tests_markup[] = {
#ifdef TRIB_WITH_XML
    {"names say what is marked up", names_say_what_is_marked_up},
    {"HTML gives its running text", html_gives_its_running_text},
    {"HTML is read to its end", html_is_read_to_its_end},
    {"XML gives its running text", xml_gives_its_running_text},
    {"what cannot be parsed is refused", what_cannot_be_parsed_is_refused},
    {"a file is read through its markup", a_file_is_read_through_its_markup},
    {"every allocation may fail", every_allocation_may_fail},
#else
    {"a build without libxml2 names its package", a_build_without_libxml2_names_its_package},
#endif
    CU_TEST_INFO_NULL};
