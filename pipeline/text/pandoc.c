/* pandoc.c - runs pandoc on a file, and reports what it does not read. */
#include "pipeline/text/elements.h"
#include "pipeline/text/text_formats.h"

#include "pipeline/support/utf8.h"
#include "pipeline/text/programs.h"

/* 4 MB of Markdown take 3.6 s of processor time per MB, LaTeX 1.2 s
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

enum { MACRO_MAX = 40, SHOWN_MOST = 4 };

/* The first macros of LaTeX that pandoc skipped, in the order of the text, and one more. */
typedef struct skipped {
    char name[SHOWN_MOST + 1][MACRO_MAX];
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
    const size_t n = strlen(name);
    trib_piece table = trib_markup_table((trib_piece){"latex", 5}), one;
    trib_rule rule;
    bool is_listed = false;
    while (trib_rule_next(&table, &rule))
        while (*rule.is.at == 's' && trib_piece_next(&rule.elements, &one, " \n"))
            is_listed = is_listed || (one.n == n && memcmp(one.at, name, one.n) == 0);
    return is_listed || strncmp(name, "math", 4) == 0 || strncmp(name, "fancy", 5) == 0;
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
    if (i == macros->n && i <= SHOWN_MOST) memcpy(macros->name[macros->n++], macro, n_name + 1);
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
    for (size_t i = 0; i < macros.n && at > 0 && at < TRIB_NOTE_MAX; i++)
        at += snprintf(to->remark + at, (size_t)(TRIB_NOTE_MAX - at), "%s%s%s", i > 0 ? ", " : "",
                       i < SHOWN_MOST ? "\\" : "", i < SHOWN_MOST ? macros.name[i] : "...");
}

/* ---- The formats ----------------------------------------------------------------------------- */

trib_status trib_pandoc_convert(trib_markup_text *to, trib_markup_bytes file, const char *format,
                                const char *a_file, const char *program,
                                const trib_program_limits *limits, trib_error *error) {
    const char *const arguments[] = {"--sandbox", "--verbose", "--from", format,
                                     "--to",      "json",      NULL};
    const trib_program pandoc = {program, arguments, a_file, "pandoc (2.15 or later)", *limits};
    TRIB_OWNED(trib_buffer) json = {0}, messages = {0};
    trib_status status = trib_program_run(&json, &messages, &pandoc, file, error);
    if (status == TRIB_OK)
        status =
            trib_pandoc_json_text(to, file.name, json.text ? json.text : "", json.length, error);
    if (status == TRIB_OK) make_remark(to, &messages);
    return status == TRIB_OK ? trib_markup_check(to, file.name, error) : status;
}

/* Makes of a file what pandoc shall read: of text in UTF-8, or in UTF-16 with a byte order mark,
 * the text in UTF-8. */
static trib_status prepare(trib_buffer *to, trib_markup_text *about, trib_markup_bytes file,
                           bool is_latex, trib_error *error) {
    TRIB_OWNED(trib_buffer) utf8 = {0};
    const char *encoding = is_latex && !trib_is_utf8(file.at, file.length)
                               ? trib_latex_encoding(file.at, file.length)
                               : NULL;
    if (!is_latex) return trib_html_decode(about, to, file, false, error);
    trib_status status = encoding ? trib_excerpt(&utf8, encoding, file.at, file.length, error)
                                  : trib_html_decode(about, &utf8, file, false, error);
    if (status == TRIB_OK)
        status = trib_latex_prepare(to, utf8.text ? utf8.text : "", utf8.length, error);
    return status;
}

trib_status trib_pandoc_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    static const char *const formats[][2] = {/* as the table of formats and as pandoc call it */
                                             {"LaTeX", "latex"},
                                             {"Markdown", "markdown-smart"},
                                             {"Org", "org-smart"},
                                             {"MediaWiki", "mediawiki"}};
    size_t f = 0;
    TRIB_OWNED(trib_buffer) text = {0};
    while (strcmp(formats[f][0], to->format) != 0) f++;
    trib_status status = prepare(&text, to, file, f == 0, error);
    file.at = text.text ? text.text : "", file.length = text.length;
    const trib_program_limits limits = trib_pandoc_limits(file.length);
    if (status == TRIB_OK)
        status = trib_pandoc_convert(to, file, formats[f][1], to->format, "pandoc", &limits, error);
    return status;
}

/* Appends the titles and texts of an export, as MediaWiki. */
static trib_status add_wiki(void *wiki, trib_markup_bytes file, trib_error *error) {
    trib_status status = TRIB_OK;
    xmlDoc *doc = NULL;
    status = trib_xml_document(&doc, file, 0, error);
    const xmlNode *at = doc ? xmlDocGetRootElement(doc) : NULL, *root = at;
    while (status == TRIB_OK && (at = trib_node_below(root, at, NULL)) != NULL) {
        const bool is_title = trib_node_is(at, "title") && trib_node_is(at->parent, "page");
        const xmlNode *later = at->parent->next; /* revision */
        while (later && !trib_node_is(later, "revision")) later = later->next;
        if (!is_title && (later || !trib_node_is(at, "text"))) continue;
        xmlChar *words = xmlNodeGetContent(at);
        status = words ? trib_buffer_print(wiki, error, is_title ? "= %s =\n\n" : "%s\n\n", words)
                       : TRIB_OK;
        xmlFree(words);
    }
    xmlFreeDoc(doc);
    return status;
}

trib_status trib_mediawiki_export_text(trib_markup_text *to, trib_markup_bytes file,
                                       trib_error *error) {
    static const trib_apart_work by = TRIB_APART_ADDS(add_wiki);
    TRIB_OWNED(trib_buffer) wiki = {0};
    const trib_status status = trib_apart_do(&by, &wiki, file, error);
    to->format = "MediaWiki";
    file.at = wiki.text ? wiki.text : "";
    file.length = wiki.length;
    return status == TRIB_OK ? trib_pandoc_text(to, file, error) : status;
}
