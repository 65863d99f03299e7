/* vocabularies.c - the vocabularies of markup, and the tables of vocabularies/, which say how their
 * elements are read. elements.c reads the rows. */
#include "pipeline/text/elements.h"

const trib_vocabulary trib_vocabularies[] = {
    /* HTML whose body has an element of the class ocr_page */
    {"hOCR", "html", "", "hocr html common", true, NULL},
    {"HTML", "html", "", "html html-attributes common", true, "w3.org/1999/xhtml"},
    {"TEI", "TEI TEI.2 teiCorpus", "", "tei common", false, "tei-c.org/ns"},
    {"OSIS", "osis", "", "osis common", true, NULL},
    {"JATS", "article book sub-article response", "has:front|body|book-meta|book-body",
     "jats common", false, NULL},
    {"DocBook", "article book chapter section part set reference refentry sect1 preface appendix",
     "has:info|title|para|articleinfo|bookinfo|chapter|sect1|section|part|refnamediv",
     "docbook common", true, NULL},
    {"AkomaNtoso", "akomaNtoso", "", "akoma-ntoso common", true, NULL},
    {"feed", "rss feed RDF", "has:channel|entry|item", "feed html html-attributes common", true,
     NULL},
    {"ODT", "", "", "odt", true, "opendocument:xmlns:office"},
    {"DOCX", "", "", "docx", true, "wordprocessingml"},
    {"FictionBook", "FictionBook", "", "fictionbook", true, NULL},
    {"TREC", "DOC DOCS TREC", "", "trec", true, NULL},
    {"XML", "", "", "other", false, NULL},
};
const size_t trib_n_vocabularies = sizeof trib_vocabularies / sizeof *trib_vocabularies;

/* The words of each kind; the place of a word is its value. */
static const struct {
    unsigned kind;
    const char *names;
} words[] = {{TRIB_SAYS_FLOW, "inline line block"},
             {TRIB_SAYS_BORDER, "- word-begin word-end word phrase page join open"},
             {TRIB_SAYS_PART, "read skip mark note"},
             {TRIB_SAYS_MARK, "- - mark?"},
             {TRIB_SAYS_UNSURE, "- unsure?"},
             {TRIB_SAYS_USE,
              "- choice apparatus readings lemma reading source regular glyph escaped "
              "morphemes speaker stage span elements"},
             {TRIB_SAYS_INSTEAD, "source=@ regular=@"},
             {TRIB_SAYS_KIND, "- heading front furniture"}};

unsigned trib_reading_word(trib_piece name, int *value) {
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        trib_piece names = {words[k].names, strlen(words[k].names)}, one;
        const bool is_prefix = words[k].kind == TRIB_SAYS_INSTEAD;
        for (*value = 0; trib_piece_next(&names, &one, " "); ++*value)
            if ((is_prefix ? name.n > one.n : name.n == one.n) && *one.at != '-' &&
                memcmp(name.at, one.at, one.n) == 0)
                return words[k].kind;
    }
    return 0;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static const char white[] = " \t\r\n";

bool trib_piece_next(trib_piece *list, trib_piece *to, const char *ends) {
    do {
        if (list->n == 0) return false;
        to->at = list->at;
        for (to->n = 0; to->n < list->n && !strchr(ends, list->at[to->n]);) to->n++;
        const size_t step = to->n + (to->n < list->n);
        list->at += step;
        list->n -= step;
    } while (to->n == 0);
    return true;
}

static void skip_white(trib_piece *text) {
    while (text->n > 0 && (strchr(white, *text->at) || *text->at == '#')) {
        const bool is_comment = *text->at == '#';
        while (is_comment && text->n > 1 && *text->at != '\n') text->at++, text->n--;
        text->at++, text->n--;
    }
}

static bool take(trib_piece *text, char c) {
    skip_white(text);
    if (text->n == 0 || *text->at != c) return false;
    text->at++, text->n--;
    return true;
}

/* Takes a scalar of YAML, plain or in quotes, up to a comma or bracket. */
static bool take_scalar(trib_piece *text, trib_piece *to) {
    skip_white(text);
    const char *ends = text->n > 0 && (*text->at == '"' || *text->at == '\'') ? text->at : NULL;
    const char quote[2] = {ends ? *ends : '\0', '\0'};
    if (ends) text->at++, text->n--;
    *to = (trib_piece){text->at, 0};
    while (to->n < text->n && !strchr(ends ? quote : ",[]{}", text->at[to->n])) to->n++;
    text->at += to->n, text->n -= to->n;
    if (ends) return take(text, *quote);
    while (to->n > 0 && strchr(white, to->at[to->n - 1])) to->n--;
    return to->n > 0;
}

bool trib_rule_next(trib_piece *table, trib_rule *rule) {
    skip_white(table);
    trib_piece text = *table;
    const bool is_row = take(&text, '-') && take(&text, '[') &&
                        take_scalar(&text, &rule->elements) && take(&text, ',') &&
                        take_scalar(&text, &rule->when) && take(&text, ',') &&
                        take_scalar(&text, &rule->is) && take(&text, ']');
    if (is_row) *table = text;
    return is_row;
}

trib_piece trib_markup_table(trib_piece name) {
    const trib_embedded_file *file = trib_markup_tables;
    while (file->name && !(strncmp(file->name, name.at, name.n) == 0 && file->name[name.n] == '.'))
        file++;
    return (trib_piece){(const char *)file->bytes, file->n_bytes};
}

static bool is_term(trib_piece term) {
    static const char *const begins[] = {"@", "in:", "under:", "has:", "beside:", "glued"};
    if (term.n > 0 && *term.at == '!') term.at++, term.n--;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (term.n >= strlen(begins[i]) && memcmp(term.at, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Says what is wrong at a place of a table. */
static trib_status refuse(const char *name, const char *text, trib_piece at, const char *what,
                          trib_error *error) {
    unsigned long long line = 1;
    for (const char *c = text; c < at.at; c++) line += *c == '\n';
    return trib_fail(error, TRIB_CONFIG, "%s:%llu: '%.*s' %s", name, line,
                     at.n < 40 ? (int)at.n : 40, at.at, what);
}

trib_status trib_rules_check(const char *name, const char *text, size_t length, trib_error *error) {
    trib_piece table = {text, length}, one;
    trib_rule rule;
    int value;
    for (size_t n = 0; trib_rule_next(&table, &rule); n++) {
        if (n == TRIB_RULES_MOST / 2)
            return refuse(name, text, rule.elements, "is a row too many", error);
        for (trib_piece terms = rule.when; trib_piece_next(&terms, &one, white);)
            if (!is_term(one))
                return refuse(name, text, one,
                              "is no condition: @ATTRIBUTE, in:ELEMENT, "
                              "under:ELEMENT, has:ELEMENT, beside:ELEMENT or glued",
                              error);
        for (trib_piece is = rule.is; trib_piece_next(&is, &one, white);)
            if (!trib_reading_word(one, &value))
                return refuse(name, text, one,
                              "does not say how an element is read; `tributary "
                              "help inputs XML` lists the words",
                              error);
    }
    table.n = table.n > 0 ? strcspn(table.at, "\n") : 0;
    return table.n == 0 ? TRIB_OK
                        : refuse(name, text, table,
                                 "is no row, which is [elements, condition, how "
                                 "they are read] after a hyphen",
                                 error);
}
