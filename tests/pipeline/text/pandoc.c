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
    EXPECT_OK(trib_pandoc_json_text(&to, "a.md", json, strlen(json), &error));
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
            trib_pandoc_json_text(&to, "a.md", wrong[i], strlen(wrong[i]), &error);
        EXPECT_STATUS(status, TRIB_INPUT, error);
    }
    GIVEN(trib_buffer) deep = {0};
    CHECK(trib_buffer_print(&deep, NULL, "{\"blocks\":[") == TRIB_OK);
    for (int i = 0; i < 3000; i++)
        CHECK(trib_buffer_print(&deep, NULL, "{\"t\":\"Div\",\"c\":[") == TRIB_OK);
    EXPECT_STATUS(trib_pandoc_json_text(&to, "a.md", deep.text, deep.length, &error), TRIB_INPUT,
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

/* Bombs: pandoc gets little time and memory, and is killed when it needs more. */
TEST(hostile_files_are_bounded) {
    static const trib_program_limits few = {
        .silence = 3600, .whole = 3600, .processor = 2, .memory = (uint64_t)2 << 30};
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    trib_markup_text to = {.notes = TRIB_NOTES_DROP};
    if (!has_pandoc()) return;
    /* 200000 nested elements */
    for (int i = 0; i < 200000; i++) CHECK(trib_buffer_add(&text, "> ", 2, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, "deep", 4, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_pandoc_convert(&to, (trib_markup_bytes){"deep.md", text.text, text.length},
                                      "markdown", "Markdown", "pandoc", &few, &error),
                  TRIB_INPUT, error);
    EXPECT(strstr(error.message, "deep.md: pandoc took more than 2 seconds of processor time") ||
           strstr(error.message, "it may use 2048 MiB of memory"));
    trib_markup_release(&to);
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
