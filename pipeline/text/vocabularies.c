/* vocabularies.c - the vocabularies of markup, and the tables of vocabularies/, which say how their
 * elements are read. elements.c reads the rows. */
#include "pipeline/text/elements.h"

#include <string.h>

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
    {"TREC", "DOC DOCS TREC", "", "trec", true, NULL},
    {"XML", "", "", "other", false, NULL},
};
const size_t trib_n_vocabularies = sizeof trib_vocabularies / sizeof *trib_vocabularies;

const trib_reading_word trib_reading_words[] = {
    {"inline", "adds nothing to the text", TRIB_SAYS_FLOW, TRIB_FLOW_NONE},
    {"line", "ends a line", TRIB_SAYS_FLOW, TRIB_FLOW_LINE},
    {"block", "ends a paragraph", TRIB_SAYS_FLOW, TRIB_FLOW_PARAGRAPH},
    {"word", "ends a word, before it and after it", TRIB_SAYS_BORDER, TRIB_BORDER_WORD},
    {"word-begin", "ends a word before it", TRIB_SAYS_BORDER, TRIB_BORDER_BEGIN},
    {"word-end", "ends a word after it", TRIB_SAYS_BORDER, TRIB_BORDER_END},
    {"phrase", "ends a word where another element is beside it", TRIB_SAYS_BORDER,
     TRIB_BORDER_PHRASE},
    {"page", "ends a word if a capital follows", TRIB_SAYS_BORDER, TRIB_BORDER_PAGE},
    {"join", "does not end a word, whatever white space is beside it", TRIB_SAYS_BORDER,
     TRIB_BORDER_JOIN},
    {"read", "is read", TRIB_SAYS_PART, TRIB_PART_READ},
    {"skip", "is not read", TRIB_SAYS_PART, TRIB_PART_SKIP},
    {"note", "is a note (corpus.notes)", TRIB_SAYS_PART, TRIB_PART_NOTE},
    {"mark", "refers to a note", TRIB_SAYS_PART, TRIB_PART_MARK},
    {"mark?", "refers to a note if it is a number or a sign", TRIB_SAYS_MARK, TRIB_PART_MARK},
    {"unsure?", "is not read below corpus.min_confidence", TRIB_SAYS_UNSURE, TRIB_PART_SKIP},
    {"choice", "one of its children is read (corpus.reading)", TRIB_SAYS_ROLE, TRIB_USE_CHOICE},
    {"source", "in a choice: the form of the source", TRIB_SAYS_ROLE, TRIB_USE_SOURCE},
    {"regular", "in a choice: the form of an editor", TRIB_SAYS_ROLE, TRIB_USE_REGULAR},
    {"source=@", "the form of the source is this attribute", TRIB_SAYS_INSTEAD, TRIB_FORM_SOURCE},
    {"regular=@", "the form of an editor is this attribute", TRIB_SAYS_INSTEAD,
     TRIB_FORM_REGULARISED},
    {"apparatus", "a lemma or reading of it is read (corpus.witness)", TRIB_SAYS_ROLE,
     TRIB_USE_APPARATUS},
    {"lemma", "the lemma of an apparatus", TRIB_SAYS_ROLE, TRIB_USE_LEMMA},
    {"reading", "a reading of an apparatus", TRIB_SAYS_ROLE, TRIB_USE_READING},
    {"readings", "a group of readings", TRIB_SAYS_ROLE, TRIB_USE_READINGS},
    {"glyph", "a character that the header declares", TRIB_SAYS_ROLE, TRIB_USE_GLYPH},
    {"escaped", "its text is HTML in its turn", TRIB_SAYS_ROLE, TRIB_USE_ESCAPED},
    {"morphemes", "slashes in it are not read", TRIB_SAYS_ROLE, TRIB_USE_MORPHEMES},
    {"speaker", "is read unless corpus.speakers is drop", TRIB_SAYS_ROLE, TRIB_USE_SPEAKER},
    {"stage", "is read unless corpus.stage_directions is drop", TRIB_SAYS_ROLE, TRIB_USE_STAGE},
    {NULL, NULL, 0, 0},
};

const trib_reading_word *trib_reading_word_find(trib_piece name) {
    const trib_reading_word *word = trib_reading_words;
    for (; word->name; word++) {
        const size_t n = strlen(word->name);
        const bool is_prefix = word->kind == TRIB_SAYS_INSTEAD;
        if ((is_prefix ? name.n > n : name.n == n) && memcmp(name.at, word->name, n) == 0) break;
    }
    return word->name ? word : NULL;
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
    for (size_t n = 0; trib_rule_next(&table, &rule); n++) {
        if (n == TRIB_RULES_MOST / 2)
            return refuse(name, text, rule.elements, "is a row too many", error);
        for (trib_piece terms = rule.when; trib_piece_next(&terms, &one, white);)
            if (!is_term(one))
                return refuse(name, text, one,
                              "is no condition: @ATTRIBUTE, in:ELEMENT, "
                              "under:ELEMENT, has:ELEMENT, beside:ELEMENT or glued",
                              error);
        for (trib_piece words = rule.is; trib_piece_next(&words, &one, white);)
            if (!trib_reading_word_find(one))
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
