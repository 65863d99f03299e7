/* pandoc.c - tests of the formats that pandoc reads: its JSON, LaTeX before it, small files of each
 * format, hostile files, and programs that misbehave. */
#include "pipeline/text/input.h"
#include "pipeline/text/programs.h"
#include "pipeline/text/text_formats.h"

#include <sys/stat.h>

#include "tests/pipeline/support/pack.h"

TESTS(text, pandoc);

/* ---- The JSON -------------------------------------------------------------------------------- */

CASES("tests/pipeline/text/pandoc.txt [json]", blocks_are_read) {
    const char *const notes = trib_case_text("notes");
    char json[2000];
    trib_markup_text to = {.notes = *notes == 'd'   ? TRIB_NOTES_DROP
                                    : *notes == 'k' ? TRIB_NOTES_KEEP
                                                    : TRIB_NOTES_SEPARATE};
    trib_error error = {0};
    snprintf(json, sizeof json, "{\"pandoc-api-version\":[1,22],\"meta\":{},\"blocks\":[%s]}",
             trib_case_text("blocks"));
    EXPECT_OK(trib_pandoc_json_text(&to, "a.docx", json, strlen(json), &error));
    EXPECT(trib_markup_finish(&to, NULL) == TRIB_OK);
    EXPECT_TEXT(to.text.text ? to.text.text : "", trib_case_text("text"));
    trib_markup_release(&to);
}

TEST(other_json_is_rejected) {
    static const char *const wrong[] = {
        "", "[]", "{\"blocks\":[{\"t\":]}", "{\"blocks\":3}", "{\"blocks\":[", "{\"a\"}"};
    trib_markup_text to = {.notes = TRIB_NOTES_DROP};
    trib_error error = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const trib_status status =
            trib_pandoc_json_text(&to, "a.docx", wrong[i], strlen(wrong[i]), &error);
        EXPECT_STATUS(status, TRIB_INPUT, error);
    }
    GIVEN(trib_buffer) deep = {0};
    CHECK(trib_buffer_print(&deep, NULL, "{\"blocks\":[") == TRIB_OK);
    for (int i = 0; i < 3000; i++)
        CHECK(trib_buffer_print(&deep, NULL, "{\"t\":\"Div\",\"c\":[") == TRIB_OK);
    EXPECT_STATUS(trib_pandoc_json_text(&to, "a.docx", deep.text, deep.length, &error), TRIB_INPUT,
                  error);
    EXPECT(strstr(error.message, "nested too deep") != NULL);
    trib_markup_release(&to);
}

/* ---- LaTeX before pandoc --------------------------------------------------------------------- */

static void expect_prepared(const char *latex, const char *ends, const char *holds,
                            const char *lacks) {
    GIVEN(trib_buffer) to = {0};
    CHECK(trib_latex_prepare(&to, latex, strlen(latex), NULL) == TRIB_OK);
    const size_t n = strlen(ends);
    EXPECT(to.length >= n && strcmp(to.text + to.length - n, ends) == 0);
    EXPECT(strstr(to.text, holds) != NULL);
    EXPECT(strstr(to.text, lacks) == NULL);
}

TEST(only_the_body_of_latex_and_its_definitions_are_given) {
    expect_prepared("\\documentclass{book}\n% \\begin{document} not here\n"
                    "\\newcommand*{\\who}[1][x]{{\\em #1}}\n\\renewcommand\\b{}\n"
                    "\\newcommand{\\odd}{\\makeatletter\\@x}\n\\setlength{\\parindent}{0pt}\n"
                    "\\begin{document}the body\\end{document} after",
                    "}the body", "\\newcommand*{\\who}[1][x]{{\\em #1}}\n\\renewcommand\\b{}\n",
                    "parindent");
    expect_prepared("a fragment", "}a fragment", "\\providecommand{\\edtext}[2]{#1#2}", "\n");
    expect_prepared("\\newcommand{\\a}{", "}\\newcommand{\\a}{", "\\edtext", "@");
    EXPECT_TEXT(trib_latex_encoding("%\n\\usepackage[latin2]{inputenc}", 31), "ISO-8859-2");
    EXPECT(trib_latex_encoding("\\usepackage[utf8]{inputenc}", 27) == NULL);
    EXPECT(trib_latex_encoding("\\usepackage[", 12) == NULL);
}

/* pandoc's messages name lines of what it is given. */
TEST(the_body_of_latex_keeps_its_lines) {
    static const char latex[] =
        "\\documentclass{book}\n\\newcommand{\\a}{x}\\newcommand{\\b}{y}\n%\n\n"
        "\\begin{document}\nThe heron\n\\end{document}\n";
    GIVEN(trib_buffer) to = {0};
    CHECK(trib_latex_prepare(&to, latex, sizeof latex - 1, NULL) == TRIB_OK);
    unsigned line = 1;
    const char *const body = strstr(to.text, "The heron");
    CHECK(body != NULL);
    for (const char *at = to.text; at < body; at++) line += *at == '\n';
    EXPECT(line == 6);
}

/* Took a time that grew with the square of the number: minutes. */
TEST(many_definitions_without_end_are_read) {
    enum { MANY = 100000 };
    GIVEN(trib_buffer) latex = {0}, to = {0};
    for (size_t i = 0; i < MANY; i++)
        CHECK(trib_buffer_print(&latex, NULL, "\\newcommand{\\usepackage[\n") == TRIB_OK);
    EXPECT(trib_latex_encoding(latex.text, latex.length) == NULL);
    CHECK(trib_buffer_print(&latex, NULL, "]\\begin{document}the heron") == TRIB_OK);
    EXPECT(trib_latex_encoding(latex.text, latex.length) == NULL);
    CHECK(trib_latex_prepare(&to, latex.text, latex.length, NULL) == TRIB_OK);
    EXPECT(to.length > 10 && strcmp(to.text + to.length - 10, "}the heron") == 0);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static bool has_pandoc(void) {
    if (system("command -v pandoc >/dev/null 2>&1") == 0) return true;
    trib_skip("pandoc is not installed");
    return false;
}

CASES("tests/pipeline/text/pandoc.txt [input]", small_files_are_read) {
    if (has_pandoc()) an_address_has_a_text();
}

TEST(text_that_is_missing_is_reported) {
    static const char latex[] = "The \\foo{grey} heron \\bar{1} \\foo{stood} \\baz{on one leg}.";
    trib_markup_text to = {.format = "LaTeX"};
    trib_error error = {0};
    if (!has_pandoc()) return;
    const trib_markup_bytes file = {"a.tex", latex, sizeof latex - 1};
    EXPECT_OK(trib_pandoc_text(&to, file, &error));
    EXPECT_TEXT(to.remark, "the text of macros that pandoc does not know is missing (define them "
                           "with \\newcommand in the preamble): \\foo, \\baz");
    trib_markup_release(&to);
}

#define WORDS                                                                                      \
    "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>"
static const char types[] =
    "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'><Override "
    "PartName='/word/document.xml' ContentType='application/vnd.openxmlformats-officedocument."
    "wordprocessingml.document.main+xml'/></Types>";
static const char relations[] =
    "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
    "<Relationship Id='r1' Type='http://schemas.openxmlformats.org/officeDocument/2006/"
    "relationships/officeDocument' Target='word/document.xml'/></Relationships>";

static void pack_docx(const char *path, const char *document) {
    const packed_file files[] = {{"[Content_Types].xml", types},
                                 {"_rels/.rels", relations},
                                 {"word/document.xml", document}};
    CHECK(pack_files(path, files, 3));
}

TEST(docx_is_read_with_its_changes_accepted) {
    if (!has_pandoc()) return;
    pack_docx(trib_scratch("d.zip"),
              WORDS "<w:p><w:r><w:t>The grey </w:t></w:r><w:del w:id='1' w:author='a' w:date="
                    "'2020-01-01T00:00:00Z'><w:r><w:delText>old </w:delText></w:r></w:del><w:ins "
                    "w:id='2' w:author='a' w:date='2020-01-01T00:00:00Z'><w:r><w:t>heron</w:t>"
                    "</w:r></w:ins></w:p></w:body></w:document>");
    CHECK(rename(trib_scratch("d.zip"), trib_scratch("d.docx")) == 0);
    expect_input(trib_scratch("d.docx"), "The grey heron\n\n");
}

/* Text boxes, and the text below ruby. */
TEST(what_pandoc_leaves_out_of_docx_is_reported) {
    static const struct {
        const char *run, *remark;
    } row[] = {{"<w:pict><w:txbxContent><w:p/></w:txbxContent></w:pict>",
                "has text boxes, which pandoc does not read; save it as PDF or plain text to read "
                "them"},
               {"<w:ruby><w:rubyBase><w:r><w:t>a</w:t></w:r></w:rubyBase></w:ruby>",
                "has text with ruby, which pandoc does not read; save it as PDF or plain text to "
                "read them"},
               {"<w:tab/>", ""}};
    if (!has_pandoc()) return;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char document[1024];
        OPENED(trib_input) input = {0};
        trib_error error = {0};
        snprintf(document, sizeof document,
                 WORDS "<w:p><w:r>%s</w:r><w:r><w:t>heron</w:t></w:r></w:p></w:body></w:document>",
                 row[i].run);
        pack_docx(trib_scratch("d.zip"), document);
        CHECK(rename(trib_scratch("d.zip"), trib_scratch("d.docx")) == 0);
        EXPECT_OK(trib_input_open(&input, trib_scratch("d.docx"), NULL, NULL, &error));
        EXPECT_TEXT(input.made.remark, row[i].remark);
    }
}

TEST(time_grows_with_the_size_of_the_file) {
    EXPECT(trib_pandoc_limits(0).processor == 20);
    EXPECT(trib_pandoc_limits(999999).processor == 20);
    EXPECT(trib_pandoc_limits(2000000).processor == 60);
    EXPECT(trib_pandoc_limits(14000000).processor == 300);
    EXPECT(trib_pandoc_limits(UINT64_MAX).processor == 300);
}

/* 90 bytes, for which pandoc takes a time that doubles with each bracket. */
TEST(a_small_file_that_takes_for_ever_is_stopped) {
    trib_program_limits limits = trib_pandoc_limits(90);
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    trib_markup_text to = {.notes = TRIB_NOTES_DROP};
    if (!has_pandoc()) return;
    for (int i = 0; i < 30; i++) CHECK(trib_buffer_add(&text, "[^a", 3, NULL) == TRIB_OK);
    limits.processor = 1;
    limits.silence = limits.whole = 3600; /* beside other work it takes long to use a second */
    EXPECT_STATUS(trib_pandoc_convert(&to, (trib_markup_bytes){"a.md", text.text, text.length},
                                      "markdown-smart", "Markdown", "pandoc", &limits, &error),
                  TRIB_INPUT, error);
    EXPECT(strstr(error.message, "a.md: pandoc took more than 1 second") != NULL);
    trib_markup_release(&to);
}

/* Appends the declarations of an entity &a39; that has 2^40 words, and the begin of a file. */
static void add_entities(trib_buffer *to, const char *root, const char *begin) {
    trib_buffer_clear(to);
    CHECK(trib_buffer_print(to, NULL, "<!DOCTYPE %s [<!ENTITY a0 \"heron heron\">", root) ==
          TRIB_OK);
    for (int i = 1; i < 40; i++)
        CHECK(trib_buffer_print(to, NULL, "<!ENTITY a%d \"&a%d;&a%d;\">", i, i - 1, i - 1) ==
              TRIB_OK);
    CHECK(trib_buffer_print(to, NULL, "]>%s", begin) == TRIB_OK);
}

/* Bombs: pandoc gets little time and memory, and is killed when it needs more. */
TEST(hostile_files_are_bounded) {
    static const trib_program_limits few = {
        .silence = 3600, .whole = 3600, .processor = 2, .memory = (uint64_t)2 << 30};
    GIVEN(trib_buffer) text = {0}, bytes = {0};
    trib_error error = {0};
    trib_markup_text to = {.notes = TRIB_NOTES_DROP};
    if (!has_pandoc()) return;
    /* 80 MiB of spaces, which a zip holds in 80 KiB */
    CHECK(trib_buffer_print(&text, NULL, "%s", WORDS) == TRIB_OK);
    char block[1 << 16];
    memset(block, ' ', sizeof block);
    for (int i = 0; i < 1280; i++)
        CHECK(trib_buffer_add(&text, block, sizeof block, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, "", 1, NULL) == TRIB_OK);
    pack_docx(trib_scratch("bomb.zip"), text.text);
    CHECK(rename(trib_scratch("bomb.zip"), trib_scratch("bomb.docx")) == 0);
    expect_no_input(trib_scratch("bomb.docx"), "unpacks to more than");
    /* 200000 nested elements */
    trib_buffer_clear(&text);
    for (int i = 0; i < 200000; i++) CHECK(trib_buffer_add(&text, "> ", 2, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, "deep", 4, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_pandoc_convert(&to, (trib_markup_bytes){"deep.md", text.text, text.length},
                                      "markdown", "Markdown", "pandoc", &few, &error),
                  TRIB_INPUT, error);
    EXPECT(strstr(error.message, "deep.md: pandoc took more than 2 seconds of processor time") ||
           strstr(error.message, "it may use 2048 MiB of memory"));
    trib_markup_release(&to);
    add_entities(&bytes, "article", "<article><para>&a39;</para></article>");
    EXPECT_STATUS(trib_pandoc_convert(&to, (trib_markup_bytes){"e.dbk", bytes.text, bytes.length},
                                      "docbook", "DocBook", "pandoc", &few, &error),
                  TRIB_INPUT, error);
    EXPECT(strstr(error.message, "e.dbk: cannot be read as DocBook by pandoc: ") != NULL);
    trib_markup_release(&to);
}

TEST(entities_are_bounded) {
    GIVEN(trib_buffer) text = {0};
    if (!has_pandoc()) return;
    add_entities(&text, "w:document",
                 WORDS "<w:p><w:r><w:t>&a39;</w:t></w:r></w:p></w:body>"
                       "</w:document>");
    pack_docx(trib_scratch("e.zip"), text.text);
    CHECK(rename(trib_scratch("e.zip"), trib_scratch("e.docx")) == 0);
    expect_no_input(trib_scratch("e.docx"), "e.docx: cannot be read as DOCX by pandoc: ");
    add_entities(&text, "FictionBook",
                 "<FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'><body><section>"
                 "<p>&a39;</p></section></body></FictionBook>");
    trib_write_bytes(trib_scratch("e.fb2"), text.text, text.length);
    expect_no_input(trib_scratch("e.fb2"), "e.fb2: cannot be read as FictionBook by pandoc: ");
}

/* Styles that are based on each other, and a chain of 3000. */
TEST(styles_that_repeat_are_read) {
    static const char part[] =
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
        "<Relationship Id='s1' Type='http://schemas.openxmlformats.org/officeDocument/2006/"
        "relationships/styles' Target='styles.xml'/></Relationships>";
    GIVEN(trib_buffer) styles = {0};
    if (!has_pandoc()) return;
    CHECK(trib_buffer_print(&styles, NULL,
                            "<w:styles xmlns:w='http://schemas.openxmlformats.org/"
                            "wordprocessingml/2006/main'>") == TRIB_OK);
    for (int i = 0; i < 3000; i++)
        CHECK(trib_buffer_print(&styles, NULL,
                                "<w:style w:type='paragraph' w:styleId='S%d'><w:name w:val='S%d'/>"
                                "<w:basedOn w:val='S%d'/></w:style>",
                                i, i, i == 0 ? 1 : i - 1) == TRIB_OK);
    CHECK(trib_buffer_print(&styles, NULL, "</w:styles>") == TRIB_OK);
    const packed_file files[] = {{"[Content_Types].xml", types},
                                 {"_rels/.rels", relations},
                                 {"word/_rels/document.xml.rels", part},
                                 {"word/styles.xml", styles.text},
                                 {"word/document.xml",
                                  WORDS "<w:p><w:pPr><w:pStyle w:val='S1'/></w:pPr><w:r><w:t>one"
                                        "</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val='S2999'/>"
                                        "</w:pPr><w:r><w:t>two</w:t></w:r></w:p></w:body>"
                                        "</w:document>"}};
    CHECK(pack_files(trib_scratch("s.zip"), files, 5));
    CHECK(rename(trib_scratch("s.zip"), trib_scratch("s.docx")) == 0);
    expect_input(trib_scratch("s.docx"), "one\n\ntwo\n\n");
}

/* Expects that pandoc, with little time and memory, ends by itself or is ended. */
static void expect_bounded(const char *format, const char *repeated, const char *end) {
    static const trib_program_limits few = {
        .silence = 3600, .whole = 3600, .processor = 1, .memory = (uint64_t)1 << 30};
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    trib_markup_text to = {.notes = TRIB_NOTES_DROP};
    for (int i = 0; i < 50000; i++)
        CHECK(trib_buffer_print(&text, NULL, "%s", repeated) == TRIB_OK);
    CHECK(trib_buffer_print(&text, NULL, "%s", end) == TRIB_OK);
    const trib_status status =
        trib_pandoc_convert(&to, (trib_markup_bytes){"x", text.text, text.length}, format, "it",
                            "pandoc", &few, &error);
    EXPECT_STATUS(status, TRIB_INPUT, error);
    if (!strstr(error.message, "pandoc took more than 1 seconds of processor time") &&
        !strstr(error.message, "it may use 1024 MiB of memory"))
        EXPECT_TEXT(error.message, "a limit");
    trib_markup_release(&to);
}

TEST(deep_nesting_is_bounded) {
    if (!has_pandoc()) return;
    expect_bounded("markdown", "[", "deep");
    expect_bounded("mediawiki", "[[a|", "deep");
    expect_bounded("latex", "\\begin{quote}", "deep");
}

static void expect_loop(const char *latex) {
    trib_markup_text to = {.format = "LaTeX"};
    trib_error error = {0};
    const trib_markup_bytes file = {"a.tex", latex, strlen(latex)};
    EXPECT_STATUS(trib_pandoc_text(&to, file, &error), TRIB_INPUT, error);
    if (!strstr(error.message, "Loop encountered in expanding macro"))
        EXPECT_TEXT(error.message, "a loop");
    trib_markup_release(&to);
}

TEST(macros_that_loop_are_rejected) {
    GIVEN(trib_buffer) latex = {0};
    if (!has_pandoc()) return;
    expect_loop("\\newcommand{\\a}{\\a\\a}\\begin{document}heron \\a\\end{document}");
    /* 2^24 words */
    CHECK(trib_buffer_print(&latex, NULL, "\\newcommand{\\aa}{heron }") == TRIB_OK);
    for (int i = 'b'; i < 'z'; i++)
        CHECK(trib_buffer_print(&latex, NULL, "\\newcommand{\\a%c}{\\a%c\\a%c}", i, i - 1, i - 1) ==
              TRIB_OK);
    CHECK(trib_buffer_print(&latex, NULL, "\\begin{document}\\ay\\end{document}") == TRIB_OK);
    expect_loop(latex.text);
}

TEST(no_other_file_is_read) {
    char markdown[600];
    if (!has_pandoc()) return;
    trib_write_bytes(trib_scratch("secret.tex"), "secret", 6);
    snprintf(markdown, sizeof markdown, "\\begin{document}heron \\input{%s}\\end{document}",
             trib_scratch("secret.tex"));
    trib_write_bytes(trib_scratch("i.tex"), markdown, strlen(markdown));
    expect_input(trib_scratch("i.tex"), "heron\n\n");
}

/* ---- Programs that misbehave ----------------------------------------------------------------- */

CASES("tests/pipeline/text/pandoc.txt [program]", a_failure_of_the_program_is_reported) {
    const char *const lines = trib_case_text("lines"), *const says = trib_case_text("says");
    const trib_program_limits few = {.silence = (int)trib_case_number("silence"),
                                     .whole = 600,
                                     .processor = 60,
                                     .memory = (uint64_t)1 << 30};
    trib_markup_text to = {.notes = TRIB_NOTES_DROP};
    trib_error error = {0};
    EXPECT_STATUS(trib_pandoc_convert(&to, (trib_markup_bytes){"a.org", "x", 1}, "org", "Org",
                                      *lines ? make_program(lines) : trib_scratch("absent"), &few,
                                      &error),
                  TRIB_INPUT, error);
    if (!strstr(error.message, says)) EXPECT_TEXT(error.message, says);
    trib_markup_release(&to);
}
