/* latex.c - prepares a LaTeX file for pandoc, which expands the macros that the file defines and
 * drops, with their text, those that it does not know.
 *
 * The preamble is not given to pandoc, since its programming would be read as text: only the
 * definitions in it that are simple, and then the body of the document. Common macros that pandoc
 * does not know are defined so that their text remains. */
#include <strings.h>

#include "pipeline/text/elements.h"
#include "pipeline/text/programs.h"

/* ---- Macros that pandoc does not know -------------------------------------------------------- */

static trib_status add_meanings(trib_buffer *to, trib_error *error) {
    trib_piece table = trib_markup_table((trib_piece){"latex", 5}), name;
    trib_rule rule;
    while (trib_rule_next(&table, &rule))
        while (*rule.is.at == '[' && trib_piece_next(&rule.elements, &name, " \n"))
            trib_buffer_print(to, error, "\\providecommand{\\%.*s}%.*s", (int)name.n, name.at,
                              (int)rule.is.n, rule.is.at);
    return to->failure;
}

/* ---- Definitions of the file ----------------------------------------------------------------- */

/* What is left of a file. */
typedef struct place {
    const char *at, *end;
} place;

static bool begins(place p, const char *word) {
    const size_t n = strlen(word);
    return (size_t)(p.end - p.at) >= n && memcmp(p.at, word, n) == 0;
}

/* Goes to the next occurrence of a word that is not in a comment; false when there is none. */
static bool seek(place *p, const char *word) {
    for (; p->at < p->end; p->at++) {
        if (begins(*p, word)) return true;
        if (*p->at == '\\' && p->at + 1 < p->end) p->at++;
        else if (*p->at == '%')
            while (p->at + 1 < p->end && p->at[1] != '\n') p->at++;
    }
    return false;
}

/* Skips a group from its brace or bracket to the one that closes it; false when none does. */
static bool skip_group(place *p, char open, char close) {
    size_t depth = 0;
    for (; p->at < p->end; p->at++) {
        if (*p->at == '\\' && p->at + 1 < p->end) p->at++;
        else if (*p->at == open) depth++;
        else if (*p->at == close && --depth == 0) {
            p->at++;
            return true;
        }
    }
    return false;
}

static void skip_white(place *p) {
    while (p->at < p->end && strchr(" \t\r\n*", *p->at) && *p->at) p->at++;
}

/* Skips the rest of a definition: the name, the number of arguments, and `n_groups` groups. */
static bool skip_definition(place *p, size_t n_groups) {
    skip_white(p);
    if (p->at < p->end && *p->at == '\\') /* a name without braces */
        for (p->at++; p->at < p->end && ((*p->at | 0x20) >= 'a' && (*p->at | 0x20) <= 'z');)
            p->at++;
    else if (p->at == p->end || *p->at != '{' || !skip_group(p, '{', '}')) return false;
    for (;;) {
        skip_white(p);
        if (p->at == p->end || *p->at != '[') break;
        if (!skip_group(p, '[', ']')) return false;
    }
    for (size_t i = 0; i < n_groups; i++) {
        skip_white(p);
        if (p->at == p->end || *p->at != '{' || !skip_group(p, '{', '}')) return false;
    }
    return true;
}

static bool holds(const char *at, size_t n, const char *word) {
    const place p = {at, at + n};
    for (place q = p; q.at < q.end; q.at++)
        if (begins(q, word)) return true;
    return false;
}

/* Whether a definition is of text, and not a program that only LaTeX can run. */
static bool is_simple(const char *at, size_t n) {
    static const char *const programs[] = {"@",         "\\if",    "\\expandafter", "\\csname",
                                           "\\catcode", "\\let",   "\\global",      "\\edef",
                                           "\\font",    "\\def\\", "\\special",     "\\write"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (holds(at, n, programs[i])) return false;
    return true;
}

enum { UNCLOSED_MOST = 64 };

/* Appends the simple definitions of a preamble. One that no brace closes is searched for its end up
 * to that of the preamble; after UNCLOSED_MOST of them, which no file for LaTeX has, no more are
 * read, since the time would grow with the square of their number. */
static trib_status add_definitions(trib_buffer *to, place preamble, trib_error *error) {
    static const struct {
        const char *macro;
        size_t n_groups;
    } kinds[] = {{"\\newcommand", 1},          {"\\renewcommand", 1},   {"\\providecommand", 1},
                 {"\\newrobustcmd", 1},        {"\\newenvironment", 2}, {"\\renewenvironment", 2},
                 {"\\DeclareRobustCommand", 1}};
    trib_status status = TRIB_OK;
    size_t n_unclosed = 0;
    while (status == TRIB_OK && n_unclosed < UNCLOSED_MOST && seek(&preamble, "\\")) {
        const char *from = preamble.at;
        size_t k = 0;
        while (k < sizeof kinds / sizeof *kinds && !begins(preamble, kinds[k].macro)) k++;
        if (k == sizeof kinds / sizeof *kinds) {
            preamble.at += preamble.at + 1 < preamble.end ? 2 : 1;
            continue;
        }
        preamble.at += strlen(kinds[k].macro);
        const bool is_whole = skip_definition(&preamble, kinds[k].n_groups);
        const size_t n = (size_t)(preamble.at - from);
        n_unclosed += !is_whole && preamble.at == preamble.end;
        if (!is_whole) preamble.at = from + strlen(kinds[k].macro);
        else if (is_simple(from, n)) {
            trib_buffer_add(to, from, n, error);
            status = trib_buffer_add(to, "\n", 1, error);
        }
    }
    return status;
}

/* ---- The file -------------------------------------------------------------------------------- */

static size_t count_lines(const char *text, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) n += text[i] == '\n';
    return n;
}

trib_status trib_latex_prepare(trib_buffer *to, const char *text, size_t length,
                               trib_error *error) {
    static const char begin[] = "\\begin{document}", end[] = "\\end{document}";
    place body = {text, text + length};
    trib_status status = TRIB_OK;
    if (seek(&body, begin)) {
        status = add_definitions(to, (place){text, body.at}, error);
        body.at += strlen(begin);
    } else body.at = text;
    place past = body;
    if (seek(&past, end)) body.end = past.at;
    /* the body keeps its line numbers, which the messages of pandoc name */
    const size_t n_lines = count_lines(text, (size_t)(body.at - text));
    for (size_t n = count_lines(to->text, to->length); n < n_lines && status == TRIB_OK; n++)
        status = trib_buffer_add(to, "\n", 1, error);
    if (status == TRIB_OK) status = add_meanings(to, error);
    return status == TRIB_OK ? trib_buffer_add(to, body.at, (size_t)(body.end - body.at), error)
                             : status;
}

const char *trib_latex_encoding(const char *text, size_t length) {
    static const char *const names[][2] = {
        {"latin1", "windows-1252"}, {"latin2", "ISO-8859-2"},    {"latin5", "ISO-8859-9"},
        {"latin9", "ISO-8859-15"},  {"ansinew", "windows-1252"}, {"cp1250", "windows-1250"},
        {"cp1251", "windows-1251"}, {"cp1252", "windows-1252"},  {"cp1253", "windows-1253"},
        {"koi8-r", "KOI8-R"},       {"applemac", "macintosh"},   {"cp437", "IBM437"},
        {"cp850", "IBM850"}};
    place p = {text, text + length};
    const char *close = NULL; /* the first bracket that ends an option */
    while (seek(&p, "\\usepackage[")) {
        const char *option = p.at + strlen("\\usepackage[");
        const size_t left = (size_t)(p.end - option);
        if (!close || close < option) close = memchr(option, ']', left);
        if (!close) break;
        p.at = option;
        const place after = {close, p.end};
        if (!begins(after, "]{inputenc}")) continue;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strlen(names[i][0]) == (size_t)(close - option) &&
                strncasecmp(option, names[i][0], (size_t)(close - option)) == 0)
                return names[i][1];
    }
    return NULL;
}
