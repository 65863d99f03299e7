/* elements.h - how the elements of a vocabulary of markup are read, and how a tree of them becomes
 * text. Private to pipeline.
 *
 * vocabularies.c has a table for each vocabulary: HTML, TEI, JATS and so on. A row has names of
 * elements, a condition, and words that say how such an element is read. The first row that says
 * where lines and words end decides that, and the first that says whether the element is read
 * decides this. An element that is in no row is inline: it adds nothing to the text, so that
 * <hi>w</hi>ord is one word, but two such elements with no text between them do not make one word.
 *
 * The following is not read: what readers do not see (head, script, style; the header of TEI and
 * OSIS), what belongs to the page instead of the text (menus, running heads, page numbers), and all
 * but one of several forms of the same words (of a <choice>, of a critical apparatus). Whether
 * notes and their marks are read depends on trib_markup_text.notes; they are never joined with
 * neighbouring words. An empty line separates paragraphs, and a line end separates lines and cells.
 * In XML of an unknown vocabulary, the text of each element is on separate lines. */
#ifndef TRIBUTARY_TEXT_ELEMENTS_H
#define TRIBUTARY_TEXT_ELEMENTS_H

#include <libxml/tree.h>

#include "pipeline/support/path.h"
#include "pipeline/text/tei.h"

/* ---- Elements (elements.c) ------------------------------------------------------------------- */

typedef enum {
    TRIB_PART_READ,
    TRIB_PART_SKIP,
    TRIB_PART_MARK,
    TRIB_PART_NOTE
} trib_part; /* a mark refers to a note */

/* Where words end. */
typedef enum {
    TRIB_BORDER_NONE,
    TRIB_BORDER_BEGIN,  /* before the element */
    TRIB_BORDER_END,    /* after it */
    TRIB_BORDER_WORD,   /* both */
    TRIB_BORDER_PHRASE, /* between the element and another one */
    TRIB_BORDER_PAGE,   /* where the next letter is a capital */
    TRIB_BORDER_JOIN,   /* nowhere: the text after it continues the word before it */
    TRIB_BORDER_OPEN    /* before it; the next such element may go on with the word */
} trib_border;

/* What part of a text an element is, for the account. */
typedef enum {
    TRIB_KIND_NONE,
    TRIB_KIND_HEADING,
    TRIB_KIND_FRONT,
    TRIB_KIND_FURNITURE, /* of a page, which is not read */
    TRIB_KIND_FORM       /* one of several, which is not read */
} trib_kind;

/* What is special about an element. */
typedef enum {
    TRIB_USE_NONE,
    TRIB_USE_CHOICE,    /* one of its children is read */
    TRIB_USE_APPARATUS, /* one of its lemmas and readings is */
    TRIB_USE_READINGS,  /* the same, and it is a reading */
    TRIB_USE_LEMMA,
    TRIB_USE_READING,
    TRIB_USE_SOURCE,    /* the form of the source, in a choice */
    TRIB_USE_REGULAR,   /* that of an editor */
    TRIB_USE_GLYPH,     /* a character that the header declares */
    TRIB_USE_ESCAPED,   /* its text is HTML */
    TRIB_USE_MORPHEMES, /* a slash separates its morphemes */
    TRIB_USE_SPEAKER,
    TRIB_USE_STAGE,
    TRIB_USE_SPAN,    /* what follows is not read up to the element that spanTo names */
    TRIB_USE_ELEMENTS /* white space between its elements is not read */
} trib_use;

/* ---- Vocabularies (vocabularies.c) ----------------------------------------------------------- */

/* Part of a text. */
typedef struct trib_piece {
    const char *at;
    size_t n;
} trib_piece;
/* Takes the next piece that is not empty, up to one of `ends`; false when there is none. */
bool trib_piece_next(trib_piece *list, trib_piece *to, const char *ends);

enum { TRIB_RULES_MOST = 512 };
/* A row of a table (vocabularies/common.yaml). */
typedef struct trib_rule {
    trib_piece elements, when, is;
} trib_rule;
/* Takes the next row of a table; false at its end, and at what is no row. */
bool trib_rule_next(trib_piece *table, trib_rule *rule);
/* TRIB_CONFIG, with the line, when a text is no table. */
trib_status trib_rules_check(const char *name, const char *text, size_t length, trib_error *error);
/* The tables, embedded by the build; the last has name NULL. */
extern const trib_embedded_file trib_markup_tables[];
/* The table with this name. */
trib_piece trib_markup_table(trib_piece name);

/* A vocabulary, recognised by the root element. */
typedef struct trib_vocabulary {
    const char *name;         /* as `tributary help inputs NAME` has it */
    const char *roots, *when; /* names of the root, and its condition; the last has none */
    const char *tables;       /* names of its tables; rows of an earlier one come first */
    bool is_open;             /* elements in no row are not reported */
    const char *space;        /* part of the name of its namespace, for other roots, or NULL */
} trib_vocabulary;
/* The last is that of all other XML. */
extern const trib_vocabulary trib_vocabularies[];
extern const size_t trib_n_vocabularies;

/* What a word says of an element: bits. */
enum {
    TRIB_SAYS_FLOW = 1,
    TRIB_SAYS_BORDER = 2,
    TRIB_SAYS_PART = 4,
    TRIB_SAYS_MARK = 8,
    TRIB_SAYS_UNSURE = 16,
    TRIB_SAYS_USE = 32,
    TRIB_SAYS_INSTEAD = 64,
    TRIB_SAYS_KIND = 128
};
/* What a word is about, and the value in the enumeration of that; 0 for what is no word. */
unsigned trib_reading_word(trib_piece name, int *value);

/* The vocabulary of a tree. */
const trib_vocabulary *trib_vocabulary_of(const xmlNode *root);

typedef struct trib_layout {
    trib_text_flow flow;
    trib_part part;
    trib_border border;
    trib_use use;
    trib_kind kind;
    trib_piece instead; /* the attribute that is read instead of its content, or empty */
} trib_layout;

enum { TRIB_NAMES_MOST = 256, TRIB_ROWS_MOST = 1024 };

/* What one row says of an element. */
typedef struct trib_reading_row {
    trib_piece when;
    trib_layout layout;
    trib_form form; /* that layout.instead is */
    unsigned says;  /* the kinds of its words */
} trib_reading_row;

/* How the elements of one tree are read. Rows are found once for each name. */
typedef struct trib_readings {
    const trib_vocabulary *vocabulary;
    const trib_edition *edition;
    struct {
        const xmlChar *name; /* of the dictionary of the tree: compared by address */
        unsigned first, n;
        bool is_known, is_bare;
        trib_layout bare; /* of such an element without attributes, if is_bare */
    } name[TRIB_NAMES_MOST];
    trib_reading_row row[TRIB_ROWS_MOST];
    trib_rule rule[TRIB_RULES_MOST];
    unsigned n_names, n_rows, n_rules;
} trib_readings;
/* Begins to read a tree; the readings are zero. */
void trib_readings_begin(trib_readings *readings, const xmlNode *root, const trib_edition *edition);

/* How an element is read. One of several forms is read as trib_readings_choose left it. */
trib_layout trib_layout_of(trib_readings *readings, const xmlNode *node);
/* Whether a row of the vocabulary names the element. */
bool trib_is_known(trib_readings *readings, const xmlNode *node);
/* Whether a node is a line end between elements that an editor indents: forms of a choice. */
bool trib_node_is_indent(trib_readings *readings, const xmlNode *node);
/* Chooses the form of a <choice> or apparatus that is read: `_private` of the node is it. */
void trib_readings_choose(trib_readings *readings, xmlNode *node, trib_use role);

/* Whether the node is an element with this name; the node may be NULL. */
bool trib_node_is(const xmlNode *node, const char *name);
/* The first child with this name, or NULL. */
const xmlNode *trib_node_child(const xmlNode *node, const char *name);
/* The value of an attribute, "" when there is none. */
const char *trib_node_attribute(const xmlNode *node, const char *name);
/* The node after `node` in document order, below `top`; NULL: none. `enters`: its children, too. */
const xmlNode *trib_node_after(const xmlNode *top, const xmlNode *node, bool enters);
/* The first element with this name (NULL: any) below `top`, after `last` in document order; `last`
 * NULL: the first of all. `top` NULL, or no such element: NULL. */
const xmlNode *trib_node_below(const xmlNode *top, const xmlNode *last, const char *name);
/* The character of a <g> as the header declares it, "U+28A0F" or as it is; "" when it does not. */
const char *trib_glyph_text(const xmlNode *node);
/* Whether a confidence as a file writes it, from 0 to `whole`, is at least `least` (0 to 1). True
 * when the file has none. */
bool trib_is_confident(const char *written, double whole, double least);

/* Appends the text of a tree. `name` is the name of the file. TRIB_INPUT for an unknown entity
 * (tree.c). */
trib_status trib_tree_text(trib_markup_text *to, xmlNode *root, const char *name,
                           trib_error *error);
/* Appends the text of an ALTO tree, whose words are in attributes, and that of a PAGE tree in its
 * reading order (ocr.c); blocks of ALTO are moved in the tree to their place in it. */
trib_status trib_alto_text(trib_markup_text *to, xmlNode *root, trib_error *error);
trib_status trib_page_text(trib_markup_text *to, xmlNode *root, trib_error *error);

/* ---- Parsing (xml.c) ------------------------------------------------------------------------- */

/* Parses bytes of XML that may be broken; NULL when they cannot be parsed. The caller frees the
 * document. `encoding` is that of the bytes, NULL: as they say. `options` are more than the usual
 * ones of libxml2: no network, no messages. */
xmlDoc *trib_xml_parse(const char *bytes, size_t length, const char *encoding, int options);
/* TRIB_INPUT, with the line, when a document could not be parsed or declares entities. */
trib_status trib_xml_check(const xmlDoc *doc, const char *name, trib_error *error);
/* Decodes and parses a file of XML, with more options as trib_xml_parse; the caller frees the
 * document, which is NULL after a failure. Errors as trib_xml_check. */
trib_status trib_xml_document(xmlDoc **doc, trib_markup_bytes file, int options, trib_error *error);

/* ---- Title, author and date (header.c) ------------------------------------------------------- */

/* Fills in what `about` does not have yet from a TEI header, which may be NULL. */
trib_status trib_tei_header_add(trib_tei_about *about, const xmlNode *header, trib_is_date *is_date,
                                trib_error *error);
/* Copies a text with single spaces, cut at a space when it is too long. */
void trib_tei_about_copy(char to[TRIB_TITLE_MOST + 4], const char *text);

#endif
