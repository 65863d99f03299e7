/* pandoc.c - runs pandoc on a file, and reports what it does not read. */
#include "pipeline/text/pandoc.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/support/utf8.h"
#include "pipeline/text/archive.h"

/* 4 MB of Markdown take 3.6 s of processor time per MB, LaTeX and unpacked DOCX 1.2 s
 * (docs/inputs/formats.md). A slow machine may need five times as much. A hundred bytes of
 * Markdown can take for ever. pandoc writes nothing before it has read the whole file. */
trib_program_limits trib_pandoc_limits(uint64_t n_bytes) {
    enum { FIRST = 20, PER_MEGABYTE = 20, MOST = 300 };
    const uint64_t n_megabytes = n_bytes / 1000000;
    const int processor = n_megabytes < (MOST - FIRST) / PER_MEGABYTE
                              ? FIRST + PER_MEGABYTE * (int)n_megabytes
                              : MOST;
    return (trib_program_limits){
        .silence = 300, .whole = 600, .processor = processor, .memory = (uint64_t)4 << 30};
}

/* ---- What pandoc drops ----------------------------------------------------------------------- */

enum { MACRO_MAX = 40, MACROS_MOST = 64, SHOWN_MOST = 4 };

/* The macros of LaTeX that pandoc skipped, in the order of the text. */
typedef struct skipped {
    char name[MACROS_MOST][MACRO_MAX];
    unsigned count[MACROS_MOST];
    size_t n;
} skipped;

/* Whether a group of an argument has a word: two letters in a row, and not only the name of a
 * length or of a thing. */
static bool holds_word(const char *at, size_t n) {
    for (size_t i = 0, run = 0; i < n; i++) {
        const bool is_letter =
            ((unsigned char)at[i] | 0x20) >= 'a' && ((unsigned char)at[i] | 0x20) <= 'z';
        run = is_letter ? run + 1 : 0;
        if (run == 2) return true;
    }
    return false;
}

/* Whether the arguments of a macro are not text. */
static bool is_setting(const char *name) {
    static const char *const settings[] = {"index",
                                           "indexsee",
                                           "label",
                                           "ref",
                                           "pageref",
                                           "setcounter",
                                           "addtocounter",
                                           "pagestyle",
                                           "thispagestyle",
                                           "setlength",
                                           "addtolength",
                                           "bibliography",
                                           "bibliographystyle",
                                           "hypersetup",
                                           "usepackage",
                                           "addcontentsline",
                                           "input",
                                           "include",
                                           "newcommand",
                                           "renewcommand",
                                           "providecommand",
                                           "selectlanguage",
                                           "begin",
                                           "end",
                                           "stepcounter",
                                           "refstepcounter",
                                           "markboth",
                                           "markright",
                                           "graphicspath",
                                           "definecolor",
                                           "geometry",
                                           "linespread",
                                           "fontsize",
                                           "pagenumbering",
                                           "hyphenation",
                                           "nocite",
                                           "phantomsection",
                                           "enlargethispage",
                                           "numberwithin",
                                           "theoremstyle",
                                           "newtheorem",
                                           "printbibliography",
                                           "addbibresource",
                                           "sisetup",
                                           "vskip",
                                           "hskip",
                                           "edindex",
                                           "sindex",
                                           "glsadd",
                                           "footnotemark",
                                           "crefname",
                                           "cref",
                                           "Cref",
                                           "autoref",
                                           "eqref",
                                           "def",
                                           "let"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(settings[i], name) == 0) return true;
    return strncmp(name, "math", 4) == 0 || strncmp(name, "fancy", 5) == 0;
}

/* Takes account of a message: "[INFO] Skipped '\foo{the text}' at line 3 column 5". */
static void note_skipped(skipped *macros, const char *line, size_t n) {
    static const char begin[] = "[INFO] Skipped '\\";
    const size_t n_begin = strlen(begin);
    if (n <= n_begin || memcmp(line, begin, n_begin) != 0) return;
    const char *name = line + n_begin;
    size_t n_name = 0;
    while (name + n_name < line + n &&
           ((name[n_name] | 0x20) >= 'a' && (name[n_name] | 0x20) <= 'z'))
        n_name++;
    const char *brace = memchr(name, '{', n - n_begin), *last = NULL;
    for (const char *c = line; c < line + n; c++)
        if (*c == '\'') last = c;
    if (n_name == 0 || n_name >= MACRO_MAX || !brace || !last || last <= brace) return;
    char macro[MACRO_MAX];
    memcpy(macro, name, n_name);
    macro[n_name] = '\0';
    if (is_setting(macro) || !holds_word(brace, (size_t)(last - brace))) return;
    size_t i = 0;
    while (i < macros->n && strcmp(macros->name[i], macro) != 0) i++;
    if (i == MACROS_MOST) return;
    if (i == macros->n) memcpy(macros->name[macros->n++], macro, n_name + 1);
    macros->count[i]++;
}

/* Writes the remark about the file: the macros whose text is missing, or else pandoc's first
 * warning. */
static void make_remark(trib_markup_text *to, const trib_buffer *messages) {
    skipped macros = {.n = 0};
    const char *warning = NULL;
    size_t n_warning = 0;
    for (const char *line = messages->length > 0 ? messages->text : ""; *line;) {
        const size_t n = strcspn(line, "\n");
        note_skipped(&macros, line, n);
        if (!warning && n > 10 && memcmp(line, "[WARNING] ", 10) == 0)
            warning = line + 10, n_warning = n - 10;
        line += n + (line[n] == '\n');
    }
    if (macros.n == 0) {
        if (warning && !*to->remark)
            snprintf(to->remark, TRIB_NOTE_MAX, "%.*s", (int)n_warning, warning);
        return;
    }
    int at = snprintf(to->remark, TRIB_NOTE_MAX,
                      "the text of macros that pandoc does not know is missing (define them with "
                      "\\newcommand in the preamble): ");
    for (size_t i = 0; i < macros.n && at > 0 && at < TRIB_NOTE_MAX; i++) {
        if (i == SHOWN_MOST) {
            snprintf(to->remark + at, (size_t)(TRIB_NOTE_MAX - at), ", ...");
            break;
        }
        at += snprintf(to->remark + at, (size_t)(TRIB_NOTE_MAX - at), "%s\\%s", i > 0 ? ", " : "",
                       macros.name[i]);
    }
}

/* ---- The formats ----------------------------------------------------------------------------- */

/* Checks that a zip does not unpack to an enormous size, before pandoc unpacks it. *n_bytes is the
 * size, or UINT64_MAX in a build that cannot tell. */
static trib_status check_zip(trib_markup_bytes file, const char *what, uint64_t *n_bytes,
                             trib_error *error) {
    static const char zip[] = "PK\3\4";
    if (file.length < 4 || memcmp(file.at, zip, 4) != 0)
        return trib_fail(
            error, TRIB_INPUT,
            "%s: is not %s: it does not begin as a zip with parts in it; save it again "
            "in a word processor",
            file.name, what);
    *n_bytes = UINT64_MAX;
#ifdef TRIB_WITH_ARCHIVE
    trib_archive archive;
    trib_member member = {0};
    trib_buffer contents = {0};
    trib_status status = trib_archive_memory(&archive, file.name, file.at, file.length, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_archive_next(&archive, &member, error)) == TRIB_OK && member.name) {
        trib_buffer_clear(&contents);
        if (member.is_file) status = trib_archive_read(&archive, &contents, error);
        if (status != TRIB_OK) break;
    }
    *n_bytes = archive.n_out;
    trib_buffer_release(&contents);
    trib_archive_close(&archive);
    return status;
#else
    return TRIB_OK;
#endif
}

trib_status trib_pandoc_convert(trib_markup_text *to, trib_markup_bytes file, const char *format,
                                const char *a_file, const char *program,
                                const trib_program_limits *limits, trib_error *error) {
    const char *const arguments[] = {
        "--sandbox", "--verbose", "--from", format, "--to", "json", "--track-changes=accept", NULL};
    const trib_program pandoc = {program, arguments, a_file, "pandoc (2.15 or later)", *limits};
    trib_buffer json = {0}, messages = {0};
    trib_status status = trib_program_run(
        &json, &messages, &pandoc, (trib_program_input){file.name, file.at, file.length}, error);
    if (status == TRIB_OK)
        status =
            trib_pandoc_json_text(to, file.name, json.text ? json.text : "", json.length, error);
    if (status == TRIB_OK) make_remark(to, &messages);
    if (status == TRIB_OK && to->text.length == 0 && to->apart.length == 0)
        status = trib_fail(error, TRIB_INPUT, "%s: contains no text", file.name);
    trib_buffer_release(&json);
    trib_buffer_release(&messages);
    return status;
}

static trib_status convert(trib_markup_text *to, trib_markup_bytes file, const char *format,
                           const char *a_file, trib_error *error) {
    const trib_program_limits limits = trib_pandoc_limits(file.length);
    return trib_pandoc_convert(to, file, format, a_file, "pandoc", &limits, error);
}

static trib_status convert_zip(trib_markup_text *to, trib_markup_bytes file, const char *format,
                               const char *a_file, trib_error *error) {
    uint64_t n_bytes = 0;
    const trib_status status = check_zip(file, a_file, &n_bytes, error);
    const trib_program_limits limits = trib_pandoc_limits(n_bytes);
    return status == TRIB_OK
               ? trib_pandoc_convert(to, file, format, a_file, "pandoc", &limits, error)
               : status;
}

/* Converts a file that is text in UTF-8, or in UTF-16 with a byte order mark. */
static trib_status convert_text(trib_markup_text *to, trib_markup_bytes file, const char *format,
                                const char *a_file, trib_error *error) {
    trib_buffer page = {0};
    trib_status status = trib_html_decode(to, &page, file, false, error);
    const trib_markup_bytes text = {file.name, page.text ? page.text : "", page.length};
    if (status == TRIB_OK) status = convert(to, text, format, a_file, error);
    trib_buffer_release(&page);
    return status;
}

trib_status trib_docx_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return convert_zip(to, file, "docx", "DOCX", error);
}

trib_status trib_odt_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return convert_zip(to, file, "odt", "ODT", error);
}

trib_status trib_markdown_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return convert_text(to, file, "markdown-smart", "Markdown", error);
}

trib_status trib_org_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return convert_text(to, file, "org-smart", "Org", error);
}

trib_status trib_mediawiki_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return convert_text(to, file, "mediawiki", "MediaWiki", error);
}

trib_status trib_docbook_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return convert_text(to, file, "docbook", "DocBook", error);
}

trib_status trib_fictionbook_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return convert_text(to, file, "fb2", "FictionBook", error);
}

trib_status trib_latex_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    trib_buffer utf8 = {0}, prepared = {0};
    const char *encoding =
        trib_is_utf8(file.at, file.length) ? NULL : trib_latex_encoding(file.at, file.length);
    trib_status status = encoding ? trib_excerpt(&utf8, encoding, file.at, file.length, error)
                                  : trib_html_decode(to, &utf8, file, false, error);
    if (status == TRIB_OK)
        status = trib_latex_prepare(&prepared, utf8.text ? utf8.text : "", utf8.length, error);
    const trib_markup_bytes text = {file.name, prepared.text, prepared.length};
    if (status == TRIB_OK) status = convert(to, text, "latex", "LaTeX", error);
    trib_buffer_release(&utf8);
    trib_buffer_release(&prepared);
    return status;
}

/* ---- The version ----------------------------------------------------------------------------- */

trib_status trib_pandoc_print_reader(trib_buffer *to, trib_error *error) {
    return trib_program_print(to, "pandoc", error);
}
