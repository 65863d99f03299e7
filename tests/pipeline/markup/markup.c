/* markup.c - tests of the text of HTML and XML, and of files that are rejected. */
#include "tests/test.h"

#include "pipeline/decoders/text_formats.h"
#include "pipeline/input/input.h"

#ifdef TRIB_WITH_XML

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
    EXPECT_TEXT(error.message, message); /* the wording of libxml2 may change */
    trib_buffer_release(&text);
}

static bool is_marked(const char *name) {
    const trib_text_format *format = trib_text_format_named(name, NULL, 0);
    return format && format->use == TRIB_TEXT_FORMAT_DECODED;
}

static void markup_is_recognised_by_name(void) {
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

static void the_running_text_of_html_is_read(void) {
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

/* By default, libxml2 silently ends a page at 256 nested elements, at 10 MB of text, or at a NUL
 * byte. */
static void html_is_read_to_its_end(void) {
    enum { N_OPEN = 2000, N_BYTES = 11000000 };
    trib_buffer page = {0}, text = {0};
    trib_error error = {0};
    trib_markup_text to = {0};
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
    EXPECT_STATUS(read_as(&to, "a.html", zero, sizeof zero - 1, &error), TRIB_OK, error);
    EXPECT_TEXT(to.text.text, "a heron\n\nthe end\n\n");
    trib_markup_release(&to);
    static const char wide[] = "\xFF\xFE<\0p\0>\0x\0";
    EXPECT_STATUS(read_as(&to, "a.html", wide, sizeof wide - 1, &error), TRIB_OK, error);
    EXPECT_TEXT(to.text.text, "x\n\n");
    trib_markup_release(&to);
    trib_buffer_release(&page);
}

static void the_running_text_of_xml_is_read(void) {
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

static void markup_that_cannot_be_parsed_is_rejected(void) {
    expect_refusal("a.xml", "<a>\n<b>\n</a>", "a.xml:3: cannot be parsed: ");
    expect_refusal("a.xml", "", "a.xml:1: cannot be parsed: ");
    expect_refusal("a.xml", "no tags", "a.xml:1: cannot be parsed: ");
    expect_refusal(
        "a.xml", "<!DOCTYPE a [<!ENTITY b 'bbb'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>",
        "a.xml: declares entities of its own, which are not expanded; replace them by their text");
    expect_refusal(
        "a.xml", "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>&b;</a>",
        "a.xml: declares entities of its own, which are not expanded; replace them by their text");
    expect_refusal(
        "a.xml", "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a>\n&b;</a>",
        "a.xml: line 2 uses the entity '&b;', which is not expanded; replace it by its text");
}

/* ---- Notes, apparatus, furniture ------------------------------------------------------------- */

static void expect_notes(const char *name, const char *bytes, const char *const wanted[3]) {
    static const trib_notes notes[] = {TRIB_NOTES_DROP, TRIB_NOTES_KEEP, TRIB_NOTES_SEPARATE};
    for (size_t i = 0; i < 3; i++) {
        trib_markup_text to = {.notes = notes[i]};
        trib_error error = {0};
        EXPECT_STATUS(read_as(&to, name, bytes, strlen(bytes), &error), TRIB_OK, error);
        EXPECT_TEXT(to.text.text ? to.text.text : "", wanted[i]);
        trib_markup_release(&to);
    }
}

#define TEI(text) "<TEI><teiHeader>No</teiHeader><text><body><p>" text "</p></body></text></TEI>"

static void notes_never_join_words(void) {
    expect_notes("a.tei", TEI("the<note>Foot <hi>n</hi>ote</note> men<note/> w<hi>e</hi>nt"),
                 (const char *const[]){"the men went\n\n", "the Foot note  men went\n\n",
                                       "the men went\n\n\nFoot note\n\n"});
    expect_notes(
        "a.tei", TEI("one<note>a<note>b</note>c</note><note>d</note>."),
        (const char *const[]){"one.\n\n", "one a b c d .\n\n", "one.\n\n\na\n\nb\n\nc\n\nd\n\n"});
    expect_notes(
        "a.tei", TEI("rule<ref target='#n'>1</ref> of <hi rend='sup'>2</hi>all"),
        (const char *const[]){"rule of all\n\n", "rule 1  of 2 all\n\n", "rule of all\n\n"});
    expect_notes("a.html",
                 "<p>home<sup>1</sup>, a<sup><a href='#n'>b</a></sup> c<a href='#n'><sup>note "
                 "d</sup></a> e<a href='x#n'>[12]</a>F<p>the 1<sup>st</sup> M<sup>r</sup> <a "
                 "href='#n'>heron</a><div class='a footnote'><p>1. The note.</div>end",
                 (const char *const[]){
                     "home, a c eF\n\nthe 1st Mr heron\n\nend\n\n",
                     "home 1 , a b  c note d  e [12] F\n\nthe 1st Mr heron\n\n1. The note.\n\nend"
                     "\n\n",
                     "home, a c eF\n\nthe 1st Mr heron\n\nend\n\n\n1. The note.\n\n"});
    expect_notes("a.xhtml",
                 "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/"
                 "ops'><body><p>Leo<a epub:type='noteref' href='n'>a</a> found<span "
                 "epub:type='pagebreak'>12</span>ed</p><aside epub:type='footnote'>Note</aside>"
                 "</body></html>",
                 (const char *const[]){"Leo founded\n\n", "Leo a  founded\n\nNote\n\n",
                                       "Leo founded\n\n\nNote\n\n"});
}

/* The ranges of the main text and of each note; no n-gram crosses their borders. */
static void separate_notes_are_parts(void) {
    static const char page[] = TEI("the<note>one</note> men<note> two </note>");
    trib_markup_text to = {.notes = TRIB_NOTES_SEPARATE};
    trib_error error = {0};
    EXPECT_STATUS(read_as(&to, "a.tei", page, sizeof page - 1, &error), TRIB_OK, error);
    EXPECT_TEXT(to.text.text, "the men\n\n\none\n\ntwo \n\n");
    CHECK(to.parts.n == 3);
    const trib_range *part = to.parts.range;
    EXPECT(part[0].from == 0 && part[0].to == 9);
    EXPECT(memcmp(to.text.text + part[1].from, "one\n", 4) == 0 && part[1].to - part[1].from == 3);
    EXPECT(memcmp(to.text.text + part[2].from, "two ", 4) == 0 && part[2].to - part[2].from == 3);
    trib_markup_release(&to);
}

static void only_the_lemma_of_an_apparatus_is_read(void) {
    expect_text("a.tei",
                TEI("said <app><lem>apple</lem><rdg>pear</rdg></app>, <app><rdg>quince</rdg> "
                    "</app>and <app><rdgGrp><rdg>fig</rdg><rdg>date</rdg></rdgGrp><rdg>nut</rdg>"
                    "</app> <app><rdg>no</rdg><lem>yes</lem><wit>A</wit></app>"),
                "said apple, quince and fig yes\n\n");
}

static void parts_of_the_page_are_not_read(void) {
    expect_text("a.html",
                "<body><nav>Home</nav><header><h1>The Heron</h1></header><div role=navigation>Up"
                "</div>one<select><option>two<option>three</select><p>f<span class='pagenum'>[7]"
                "</span>our<ruby>f<rt>i</rt></ruby><blockquote>six<footer>Lowe</footer>"
                "</blockquote><footer>Imprint</footer>",
                "The Heron\n\none\ntwo\nthree\n\nfourf\n\nsix\n\nLowe\n\n");
    expect_text(
        "a.tei",
        TEI("maiesti<g ref='char:EOLhyphen'/>\n <lb/>\n call, con<pb n='1'/><fw>7</fw>sul and "
            "w<gap><desc>illegible</desc></gap>rd, st \n<lb break='no'/> ood"),
        "maiesticall, consul and w\nrd, stood\n\n");
    expect_text("a.xml",
                "<osis><osisText><header>No</header><div><title>Ruth</title><verse sID='1'/>to "
                "Judah<note>1:8 Or</note>.<verse eID='1'/><verse sID='2'/>Naomi</div></osisText>"
                "</osis>",
                "Ruth\n\nto Judah.\nNaomi\n\n");
}

/* ---- Encodings and attributes ---------------------------------------------------------------- */

static void expect_page(const char *bytes, const char *wanted, const char *remark) {
    trib_markup_text to = {.on_invalid = TRIB_INVALID_REPLACE};
    trib_error error = {0};
    EXPECT_STATUS(read_as(&to, "a.html", bytes, strlen(bytes), &error), TRIB_OK, error);
    EXPECT_TEXT(to.text.text ? to.text.text : "", wanted);
    EXPECT_TEXT(to.remark, remark);
    trib_markup_release(&to);
}

static void a_page_is_read_in_its_encoding(void) {
    expect_page("<meta charset='us-ascii'><p>caf\xE9 and more", "caf\xEF\xBF\xBD and more\n\n", "");
    expect_page("<meta charset=utf-8><p>caf\xE9 and \xC3\xA9", "caf\xEF\xBF\xBD and \xC3\xA9\n\n",
                "");
    expect_page("<meta http-equiv=a content='text/html; charset=ISO-8859-1'><p>a \x93heron\x94",
                "a \xE2\x80\x9Cheron\xE2\x80\x9D\n\n", "");
    expect_page("<meta charset='shift_jis'><p>\x83\x65\x83\x58\x83\x67 a",
                "\xE3\x83\x86\xE3\x82\xB9\xE3\x83\x88 a\n\n", "");
    expect_page("<p>caf\xC3\xA9", "caf\xC3\xA9\n\n", "");
    expect_page("<p>caf\xE9", "caf\xC3\xA9\n\n",
                "declares no encoding and is not UTF-8; read as windows-1252");
    expect_page("<meta charset=none><p>caf\xE9", "caf\xC3\xA9\n\n",
                "declares the unknown encoding 'none' and is not UTF-8; read as windows-1252");
    expect_page("<meta charset=latin1><p>caf\xC3\xA9", "caf\xC3\xA9\n\n",
                "declares the encoding 'latin1', but its bytes are UTF-8 and are read as such");
    expect_page("\xEF\xBB\xBF<meta charset=latin1><p>caf\xC3\xA9", "caf\xC3\xA9\n\n", "");
    expect_refusal("a.html", "<meta charset='us-ascii'>\n<p>caf\xE9",
                   "a.html: byte 32 (line 2) is not us-ascii (0xE9), the encoding of the file; "
                   "correct its declaration, or set corpus.on_invalid to replace");
    expect_refusal("a.html", "<meta charset='utf-8'>\n<p>caf\xE9",
                   "a.html: byte 29 (line 2) is not UTF-8 (0xE9)");
    trib_markup_text to = {.on_invalid = TRIB_INVALID_REPLACE};
    trib_error error = {0};
    static const char page[] = "<meta charset='us-ascii'><p>\xE9 \xE9";
    EXPECT_STATUS(read_as(&to, "a.html", page, sizeof page - 1, &error), TRIB_OK, error);
    EXPECT(to.n_replaced == 2);
    trib_markup_release(&to);
    expect_refusal("a.xml", "<?xml version='1.0' encoding='shift_jis'?>\n<a>caf\xE9</a>",
                   "a.xml: byte 49 (line 2) is not shift_jis (0xE9), the encoding of the file");
    expect_refusal("a.xml", "<a>\ncaf\xE9</a>", "a.xml: byte 7 (line 2) is not UTF-8 (0xE9)");
    static const char wide[] = "<\0?\0x\0m\0l\0 \0v\0e\0r\0s\0i\0o\0n\0=\0'\0"
                               "1\0.\0"
                               "0\0'\0?\0>\0<\0a\0>\0\xE9\0<\0/\0a\0>";
    EXPECT_STATUS(read_as(&to, "a.xml", wide, sizeof wide, &error), TRIB_OK, error);
    EXPECT_TEXT(to.text.text, "\xC3\xA9\n");
    trib_markup_release(&to);
    static const char xml[] = "<?xml version='1.0' encoding='ISO-8859-1'?><a>caf\xC3\xA9</a>";
    EXPECT_STATUS(read_as(&to, "a.xml", xml, sizeof xml - 1, &error), TRIB_OK, error);
    EXPECT_TEXT(to.text.text, "caf\xC3\xA9\n");
    EXPECT_TEXT(to.remark,
                "declares the encoding 'ISO-8859-1', but its bytes are UTF-8 and are read as such");
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

static void too_many_attributes_are_rejected(void) {
    static const char *const names[] = {"a.html", "a.xhtml"};
    trib_buffer page = {0};
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
    trib_buffer_release(&page);
}

/* ---- ALTO ------------------------------------------------------------------------------------ */

static void the_words_of_alto_are_read(void) {
    expect_text(
        "a.xml",
        "<alto xmlns='http://www.loc.gov/standards/alto/ns-v4#'><Description><fileName>a.tif"
        "</fileName></Description><Tags><OtherTag ID='T1' LABEL='RunningTitleZone:left'/><OtherTag "
        "ID='T2' LABEL='MainZone'/></Tags><Layout><Page><TopMargin><TextBlock><TextLine><String "
        "CONTENT='7'/></TextLine></TextBlock></TopMargin><PrintSpace><TextBlock TAGREFS='T1'>"
        "<TextLine><String CONTENT='HERONS'/></TextLine></TextBlock><TextBlock TAGREFS='T2'>"
        "<TextLine><String CONTENT='heron'/><SP/><String CONTENT='wil-' SUBS_TYPE='HypPart1' "
        "SUBS_CONTENT='willows'/><HYP CONTENT='-'/></TextLine><TextLine><String CONTENT='lows' "
        "SUBS_TYPE='HypPart2' SUBS_CONTENT='willows'/><SP/><String CONTENT='stands'/></TextLine>"
        "<TextLine><String CONTENT='in rus-'/><HYP CONTENT='-'/></TextLine><TextLine><String "
        "CONTENT='hes'/></TextLine></TextBlock><TextBlock><TextLine><String CONTENT='end'/>"
        "</TextLine></TextBlock></PrintSpace></Page></Layout></alto>",
        "heron willows\nstands\nin rushes\n\nend\n\n");
    expect_text("a.xml", "<alto/>", "");
}

static void the_decoder_is_chosen_by_the_file(void) {
    static const char html[] = "<p>one <b>two</b></p>";
    const char *path = trib_scratch("a.html");
    trib_input input;
    trib_buffer text = {0};
    trib_error error = {0};
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    fputs(html, file);
    fclose(file);
    EXPECT_STATUS(trib_input_open(&input, path, NULL, NULL, &error), TRIB_OK, error);
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

static void several_threads_read_at_once(void) {
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

static void every_allocation_may_fail(void) { trib_fail_every_allocation(read_once, NULL); }

#else

static void a_build_without_libxml2_names_its_package(void) {
    trib_markup_text to = {0};
    trib_error error = {0};
    EXPECT_STATUS(trib_text_format_named("a.html", NULL, 0)
                      ->read(&to, (trib_markup_bytes){"a.html", "<p>", 3}, &error),
                  TRIB_INPUT, error);
    EXPECT(strstr(error.message, "libxml2-dev") != NULL);
}

#endif

CU_TestInfo trib_tests_markup_markup[] = {
#ifdef TRIB_WITH_XML
    {"markup is recognised by name", markup_is_recognised_by_name},
    {"the running text of HTML is read", the_running_text_of_html_is_read},
    {"HTML is read to its end", html_is_read_to_its_end},
    {"the running text of XML is read", the_running_text_of_xml_is_read},
    {"markup that cannot be parsed is rejected", markup_that_cannot_be_parsed_is_rejected},
    {"notes never join words", notes_never_join_words},
    {"separate notes are parts", separate_notes_are_parts},
    {"only the lemma of an apparatus is read", only_the_lemma_of_an_apparatus_is_read},
    {"parts of the page are not read", parts_of_the_page_are_not_read},
    {"a page is read in its encoding", a_page_is_read_in_its_encoding},
    {"too many attributes are rejected", too_many_attributes_are_rejected},
    {"the words of ALTO are read", the_words_of_alto_are_read},
    {"the decoder is chosen by the file", the_decoder_is_chosen_by_the_file},
    {"several threads read at once", several_threads_read_at_once},
    {"every allocation may fail", every_allocation_may_fail},
#else
    {"a build without libxml2 names its package", a_build_without_libxml2_names_its_package},
#endif
    CU_TEST_INFO_NULL};
