/* editions.c - tests of what corpus.reading, corpus.witness, corpus.speakers,
 * corpus.stage_directions and corpus.min_confidence choose, and of recognised pages: ALTO, PAGE,
 * hOCR. */
#include "pipeline/decoders/text_formats.h"
#include "tests/test.h"

#ifdef TRIB_WITH_XML

static void expect_read(const char *name, const char *bytes, trib_markup_text to,
                        const char *wanted) {
    trib_error error = {0};
    const trib_text_format *format = trib_text_format_named(name, NULL, 0);
    CHECK(format && format->read);
    trib_status status = format->read(&to, (trib_markup_bytes){name, bytes, strlen(bytes)}, &error);
    if (status == TRIB_OK) status = trib_markup_finish(&to, &error);
    EXPECT_STATUS(status, TRIB_OK, error);
    EXPECT_TEXT(to.text.text ? to.text.text : "", wanted);
    trib_markup_release(&to);
}

static void expect_edition(const char *name, const char *bytes, trib_edition edition,
                           const char *wanted) {
    expect_read(name, bytes, (trib_markup_text){.edition = edition}, wanted);
}

/* ---- Editions -------------------------------------------------------------------------------- */

#define TEI(text) "<TEI><teiHeader>No</teiHeader><text><body><p>" text "</p></body></text></TEI>"

static void a_form_of_each_choice_is_read(void) {
    static const char text[] =
        TEI("the <choice><sic>hern</sic><corr>heron</corr></choice> <choice><reg>stood</reg>"
            "<orig>ftood</orig></choice> <choice><abbr>w<hi>t</hi></abbr><expan>with</expan>"
            "</choice> <choice><abbr>Mr</abbr></choice> <sic>reds</sic>");
    expect_edition("a.tei", text, (trib_edition){0}, "the hern ftood wt Mr reds\n\n");
    expect_edition("a.tei", text, (trib_edition){.reading = TRIB_FORM_REGULARISED},
                   "the heron stood with Mr reds\n\n");
}

static void the_readings_of_a_witness_are_read(void) {
    static const char text[] =
        TEI("the <app><lem wit='#A'>grey</lem><rdg wit='#B #C'>great</rdg></app> <app><lem>heron"
            "</lem><rdgGrp><rdg wit='C'>hern</rdg><rdg wit='#D'>crane</rdg></rdgGrp></app> <app>"
            "<rdg wit='#A'>stood</rdg><rdg wit='#B'>sat <app><lem>up</lem><rdg wit='#D'>down"
            "</rdg></app></rdg></app>");
    static char *const witness[] = {"", "A", "B", "C", "D", "BC"};
    static const char *const wanted[] = {"the grey heron stood\n\n",   "the grey heron stood\n\n",
                                         "the great heron sat up\n\n", "the great hern stood\n\n",
                                         "the grey crane stood\n\n",   "the grey heron stood\n\n"};
    for (size_t i = 0; i < sizeof witness / sizeof *witness; i++)
        expect_edition("a.tei", text, (trib_edition){.witness = witness[i]}, wanted[i]);
}

/* Appends a text many times. */
static void add_times(trib_buffer *to, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) CHECK(trib_buffer_add(to, text, strlen(text), NULL) == TRIB_OK);
}

/* Was done in a time that grows with the square of the number: minutes for these. */
static void elements_with_many_alternatives_are_read(void) {
    enum { MANY = 100000 };
    trib_buffer text = {0};
    add_times(&text, "<TEI><text><choice>", 1);
    add_times(&text, "<sic/>", MANY);
    add_times(&text, "<corr>stood</corr></choice> <app>", 1);
    add_times(&text, "<rdg wit='#A'/>", MANY);
    add_times(&text, "<rdg wit='#B'>here</rdg></app></text></TEI>", 1);
    expect_edition("a.tei", text.text,
                   (trib_edition){.witness = "B", .reading = TRIB_FORM_REGULARISED},
                   "stood here\n\n");
    trib_buffer_release(&text);
}

static void speakers_and_stage_directions_can_be_left_out(void) {
    static const char text[] = TEI("<sp><speaker>Heron</speaker><l>I stand</l><stage>Exit</stage>"
                                   "<l>and wait</l></sp>");
    expect_edition("a.tei", text, (trib_edition){0}, "Heron\nI stand\nExit\nand wait\n\n");
    expect_edition("a.tei", text, (trib_edition){.drops_speakers = true},
                   "I stand\nExit\nand wait\n\n");
    expect_edition("a.tei", text, (trib_edition){.drops_stage = true},
                   "Heron\nI stand\nand wait\n\n");
}

static void slashes_in_words_of_osis_separate_morphemes(void) {
    expect_edition("a.xml",
                   "<osis><osisText><div><p><w>in/to</w> <w>reeds</w> and/or<w>/</w></p></div>"
                   "</osisText></osis>",
                   (trib_edition){0}, "into reeds and/or\n\n");
}

/* ---- Recognised pages ------------------------------------------------------------------------ */

#define LINE(text) "<TextLine><TextEquiv><Unicode>" text "</Unicode></TextEquiv></TextLine>"

static void page_is_read_once_and_in_its_order(void) {
    expect_edition(
        "a.xml",
        "<PcGts xmlns='http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15'><Metadata>"
        "<Creator>No</Creator></Metadata><Page><ReadingOrder><OrderedGroup id='o'>"
        "<RegionRefIndexed index='2' regionRef='c'/><UnorderedGroupIndexed index='1'><RegionRef "
        "regionRef='b'/><RegionRef regionRef='none'/></UnorderedGroupIndexed><RegionRefIndexed "
        "index='0' regionRef='a'/></OrderedGroup></ReadingOrder>"
        "<ImageRegion id='i'/><TextRegion id='z'>" LINE(
            "last") "</TextRegion>"
                    "<TextRegion "
                    "id='c'><TextLine><Word><TextEquiv><Unicode>two</Unicode></TextEquiv></Word>"
                    "<Word><TextEquiv><Unicode>words</Unicode></TextEquiv></Word></TextLine>" LINE(
                        "in lines") "<TextEquiv><Unicode>two words in "
                                    "lines</Unicode></TextEquiv></TextRegion>"
                                    "<TextRegion id='b'><TextEquiv><Unicode>a "
                                    "region</Unicode></TextEquiv></TextRegion>"
                                    "<TableRegion id='a'><TextRegion id='a1'>" LINE(
                                        "a cell") "</TextRegion></TableRegion>"
                                                  "<TextRegion "
                                                  "id='c'><TextLine><Word><TextEquiv><Unicode>no</"
                                                  "Unicode></TextEquiv></Word>"
                                                  "<TextEquiv "
                                                  "index='1'><Unicode>other</Unicode></"
                                                  "TextEquiv><TextEquiv index='0'><Unicode>"
                                                  "same "
                                                  "id</Unicode></TextEquiv></TextLine></"
                                                  "TextRegion></Page></PcGts>",
        (trib_edition){0}, "a cell\n\na region\n\ntwo words\nin lines\n\nlast\n\nsame id\n\n");
    expect_edition("a.xml", "<PcGts/>", (trib_edition){0}, "");
}

static void cells_and_all_the_text_of_page_are_read(void) {
    expect_edition("a.xml",
                   "<PcGts><Page><TableRegion id='t'><TableCell id='c'>" LINE(
                       "a cell") "</TableCell></TableRegion></Page></PcGts>",
                   (trib_edition){0}, "a cell\n\n");
    expect_edition("a.xml",
                   "<PcGts><Page><TextRegion>" LINE(
                       "<!-- no -->the <![CDATA[grey]]> heron") "</TextRegion></Page></PcGts>",
                   (trib_edition){0}, "the grey heron\n\n");
}

static void deeply_nested_regions_of_page_are_read(void) {
    enum { DEPTH = 60 };
    trib_buffer text = {0};
    add_times(&text, "<PcGts><Page>", 1);
    add_times(&text, "<TextRegion>" LINE("one"), DEPTH);
    add_times(&text, "</TextRegion>", DEPTH);
    add_times(&text, "</Page></PcGts>", 1);
    trib_buffer wanted = {0};
    add_times(&wanted, "one\n\n", DEPTH);
    expect_edition("a.xml", text.text, (trib_edition){0}, wanted.text);
    trib_buffer_release(&text);
    trib_buffer_release(&wanted);
}

#define EQUIV(conf, text) "<TextEquiv conf='" conf "'><Unicode>" text "</Unicode></TextEquiv>"
#define PAGE(text)        "<PcGts><Page><TextRegion>" text "</TextRegion></Page></PcGts>"

static void lines_without_text_of_page_do_not_hide_the_words_or_the_region(void) {
    const trib_edition sure = {.min_confidence = 0.5}, any = {0};
    expect_edition("a.xml",
                   PAGE("<TextLine><Word>" EQUIV("1", "words") "</Word>" EQUIV("1", " ") //
                        "</TextLine>" EQUIV("1", "No")),
                   any, "words\n\n");
    expect_edition("a.xml",
                   PAGE("<TextLine/><TextLine>" EQUIV("1", "") "<Word>" EQUIV("1", "") //
                        "</Word></TextLine>" EQUIV("1", "the region")),
                   any, "the region\n\n");
    expect_edition("a.xml",
                   PAGE("<TextLine><TextEquiv index='0'><Unicode/></TextEquiv><TextEquiv "
                        "index='1'><Unicode>second</Unicode></TextEquiv></TextLine>"),
                   any, "second\n\n");
    expect_edition("a.xml", PAGE("<TextRegion>" LINE("inner") "</TextRegion>" EQUIV("1", "inner")),
                   any, "inner\n\n");
    expect_edition("a.xml", PAGE("<TextLine>" EQUIV("0.1", "a") "</TextLine>" EQUIV("1", "a")),
                   sure, "");
}

#define REGION(type, text) "<TextRegion type='" type "'>" LINE(text) "</TextRegion>"

static void running_heads_of_page_are_left_out_and_notes_are_notes(void) {
    static const char text[] = "<PcGts><Page>"
        /* a header, a number and a catch-word are not read */
        REGION("header", "No")
            REGION("page-number",
                   "7") "<TextRegion custom='readingOrder {index:3;} structure "
                        "{type:catch-word;}'>" LINE("No") "</TextRegion>" REGION("paragraph", "one")
                            REGION("marginalia", "beside") REGION("heading", "two")
                                REGION("footnote", "below") "</Page></PcGts>";
    expect_read("a.xml", text, (trib_markup_text){0}, "one\n\ntwo\n\n");
    expect_read("a.xml", text, (trib_markup_text){.notes = TRIB_NOTES_KEEP},
                "one\n\nbeside\n\ntwo\n\nbelow\n\n");
    expect_read("a.xml", text, (trib_markup_text){.notes = TRIB_NOTES_SEPARATE},
                "one\n\ntwo\n\n\nbeside\n\nbelow\n\n");
}

static void the_lines_of_hocr_are_read(void) {
    expect_edition(
        "a.html",
        "<html><head><title>No</title></head><body><div class='ocr_page' title='bbox 1 2 3 4'>"
        "<div class='ocr_header'>No</div><p class='ocr_par'><span class='ocr_line'><span "
        "class='ocrx_word' title='x_wconf 96'>The</span> <span class='ocrx_word'>he<b>r</b>on"
        "<sup>1</sup></span>\n </span><span class='ocr_line'>stood</span></p><p class='ocr_par'>"
        "<span class='ocrx_line'>here</span></p><div class='ocr_pageno'>7</div></div>",
        (trib_edition){0}, "The heron1\nstood\n\nhere\n\n");
}

static void unsure_words_are_left_out(void) {
    static const char alto[] =
        "<alto><TextLine><String CONTENT='the' WC='1'/><String CONTENT='beron' WC='0.4'/><String "
        "CONTENT='stood' WC='0.5'/><String CONTENT='here'/></TextLine></alto>";
    static const char page[] =
        "<PcGts><Page><TextRegion><TextLine><Word><TextEquiv conf='0.9'><Unicode>the</Unicode>"
        "</TextEquiv></Word><Word><TextEquiv conf='0.4'><Unicode>beron</Unicode></TextEquiv></Word>"
        "<TextEquiv conf='0.1'><Unicode>the beron</Unicode></TextEquiv></TextLine><TextLine>"
        "<TextEquiv conf='0.1'><Unicode>no</Unicode></TextEquiv></TextLine></TextRegion></Page>"
        "</PcGts>";
    static const char hocr[] =
        "<html><body><div class='ocr_page'><span class='ocrx_word' title='bbox 1 2; x_wconf 96'>"
        "the</span> <span class='ocrx_word' title='x_wconf 40'>beron</span></div>";
    const trib_edition sure = {.min_confidence = 0.5};
    expect_edition("a.xml", alto, (trib_edition){0}, "the beron stood here\n");
    expect_edition("a.xml", alto, sure, "the stood here\n");
    expect_edition("a.xml", page, (trib_edition){0}, "the beron\nno\n\n");
    expect_edition("a.xml", page, sure, "the\n\n");
    expect_edition("a.hocr", hocr, (trib_edition){0}, "the beron\n\n");
    expect_edition("a.hocr", hocr, sure, "the \n\n");
}

static void a_page_without_sure_words_has_a_remark(void) {
    static const char *const pages[] = {
        "<alto><TextLine><String CONTENT='beron' WC='0.4'/></TextLine></alto>",
        PAGE("<TextLine>" EQUIV("0.4", "beron") "</TextLine>"), "<alto/>",
        "<PcGts><Page/></PcGts>"};
    static const char unsure[] = "all of its words are below corpus.min_confidence (0.5)";
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        trib_markup_text to = {.edition = {.min_confidence = 0.5}};
        const trib_markup_bytes file = {"a.xml", pages[i], strlen(pages[i])};
        EXPECT(trib_xml_text(&to, file, NULL) == TRIB_OK && to.text.length == 0);
        EXPECT_TEXT(to.remark, i < 2 ? unsure : "");
        trib_markup_release(&to);
    }
}

#define IF_XML(test) test

#else

static void skip(void) { trib_skip("this build has no libxml2"); }

#define IF_XML(test) skip

#endif

CU_TestInfo trib_tests_markup_editions[] = {
    {"a form of each choice is read", IF_XML(a_form_of_each_choice_is_read)},
    {"the readings of a witness are read", IF_XML(the_readings_of_a_witness_are_read)},
    {"elements with many alternatives are read", IF_XML(elements_with_many_alternatives_are_read)},
    {"speakers and stage directions can be left out",
     IF_XML(speakers_and_stage_directions_can_be_left_out)},
    {"slashes in words of OSIS separate morphemes",
     IF_XML(slashes_in_words_of_osis_separate_morphemes)},
    {"PAGE is read once and in its order", IF_XML(page_is_read_once_and_in_its_order)},
    {"cells and all the text of PAGE are read", IF_XML(cells_and_all_the_text_of_page_are_read)},
    {"deeply nested regions of PAGE are read", IF_XML(deeply_nested_regions_of_page_are_read)},
    {"lines without text of PAGE do not hide the words or the region",
     IF_XML(lines_without_text_of_page_do_not_hide_the_words_or_the_region)},
    {"running heads of PAGE are left out, and notes are notes",
     IF_XML(running_heads_of_page_are_left_out_and_notes_are_notes)},
    {"the lines of hOCR are read", IF_XML(the_lines_of_hocr_are_read)},
    {"unsure words are left out", IF_XML(unsure_words_are_left_out)},
    {"a page without sure words has a remark", IF_XML(a_page_without_sure_words_has_a_remark)},
    CU_TEST_INFO_NULL};
