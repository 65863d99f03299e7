/* elements.h - how the elements of HTML, XML, TEI, OSIS and hOCR are read, and how a tree of them
 * becomes text. Private to pipeline.
 *
 * The following is not read: what readers do not see (head, script, style; the header of TEI and
 * OSIS), what belongs to the page instead of the text (menus, running heads, page numbers), and
 * alternatives added by an editor (readings of a critical apparatus besides its lemma; corr, reg
 * and expan in a <choice>, so that the wording of the source remains). Whether notes and their
 * marks are read depends on trib_markup_text.notes; they are never joined with neighbouring words.
 * An empty line separates paragraphs, and a line end separates lines and cells. Other elements of
 * HTML, TEI and OSIS add nothing to the text, so that <hi>w</hi>ord is one word. In other XML, the
 * text of each element is on separate lines. */
#ifndef TRIBUTARY_TEXT_ELEMENTS_H
#define TRIBUTARY_TEXT_ELEMENTS_H

#include "pipeline/text/header.h"
#include "pipeline/text/markup.h"

#ifdef TRIB_WITH_XML
#include <libxml/tree.h>

/* The kind of XML, recognised by the root element. The values are bits, since many elements mean
 * the same in several kinds. */
typedef enum {
    TRIB_XML_OTHER = 0,
    TRIB_XML_HTML = 1,
    TRIB_XML_TEI = 2,
    TRIB_XML_OSIS = 4,
    TRIB_XML_HOCR = 8
} trib_vocabulary;

typedef enum {
    TRIB_PART_READ,
    TRIB_PART_SKIP,
    TRIB_PART_MARK,
    TRIB_PART_NOTE
} trib_part; /* a mark refers to a note */

typedef struct trib_layout {
    trib_text_flow flow;
    trib_part part;
    /* the text after the element continues the word before it (a line break within a word) */
    bool joins;
} trib_layout;

trib_vocabulary trib_vocabulary_of(const xmlNode *root);
/* Sets `_private` of each <app> of a tree of TEI to its lemma or reading of edition->witness, and
 * that of each <choice> to its first form that an editor made; NULL: there is none. */
void trib_find_alternatives(xmlNode *root, const trib_edition *edition);
/* How an element is read. trib_find_alternatives must come before, for TEI. */
trib_layout trib_layout_of(const xmlNode *node, trib_vocabulary vocabulary,
                           const trib_edition *edition);

bool trib_node_is(const xmlNode *node,
                  /* whether the node is an element with this name; the node may be NULL */
                  const char *name);
/* The first child with this name, or NULL. */
const xmlNode *trib_node_child(const xmlNode *node, const char *name);
/* The value of an attribute, "" when there is none. */
const char *trib_node_attribute(const xmlNode *node, const char *name);

/* The numbers that hold at a place of a tree, for its reference. Strings are those of the tree. */
enum { TRIB_SCOPE_UNITS = 8 };
typedef struct trib_element_scope {
    const xmlNode *node;                  /* an element that has a number; NULL: the text */
    const char *own, *id;                 /* its number and its id, each may be "" */
    const char *unit[TRIB_SCOPE_UNITS];   /* [n_units] milestones in it but not in a scope of it, */
    const char *number[TRIB_SCOPE_UNITS]; /* in the order in which their units were first seen */
    size_t n_units;
} trib_element_scope;
/* `{0}` is empty. */
typedef struct trib_element_references {
    trib_element_scope *scope; /* [n] the innermost is the last */
    size_t n, cap;
    char page[16];   /* "": none */
    bool is_changed; /* since the last mark */
} trib_element_references;
/* Takes account of the begin and of the end of an element (element_references.c). */
trib_status trib_element_references_begin(trib_element_references *references, const xmlNode *node,
                                          trib_error *error);
void trib_element_references_end(trib_element_references *references, const xmlNode *node);
/* Takes account of an element whose text is not read: the number of a page of HTML. */
void trib_element_references_skip(trib_element_references *references, const xmlNode *node);
/* Marks byte `place` of the text with the reference that holds now. */
trib_status trib_element_references_mark(trib_element_references *references, trib_references *to,
                                         size_t place, trib_error *error);
void trib_element_references_release(trib_element_references *references);

/* Appends the text of a tree. `name` is the name of the file. TRIB_INPUT for an unknown entity
 * (tree.c). */
trib_status trib_tree_text(trib_markup_text *to, xmlNode *root, const char *name,
                           trib_error *error);
/* Parses a file of XML; the caller frees the document. TRIB_INPUT, with the line, when it cannot be
 * parsed or declares entities (xml.c). */
trib_status trib_xml_document(xmlDoc **doc, trib_markup_bytes file, trib_error *error);
/* The first element with this name (NULL: any) below `top`, after `last` in document order; `last`
 * NULL: the first of all. `top` NULL, or no such element: NULL (header.c). */
const xmlNode *trib_node_below(const xmlNode *top, const xmlNode *last, const char *name);
/* Fills in what `about` does not have yet from a TEI header, which may be NULL (header.c). */
trib_status trib_tei_header_add(trib_tei_about *about, const xmlNode *header, trib_is_date *is_date,
                                trib_error *error);
/* Copies a text with single spaces, cut at a space when it is too long (header.c). */
void trib_tei_about_copy(char to[TRIB_TITLE_MOST + 4], const char *text);
/* Whether a list of words separated by white space has `word`. */
bool trib_list_has_word(const char *list, const char *word);
/* Whether a confidence as a file writes it, from 0 to `whole`, is at least `least` (0 to 1). True
 * when the file has none. */
bool trib_is_confident(const char *written, double whole, double least);
/* Says in the remark that no word of a page is sure enough, when its text is empty although it has
 * words. */
void trib_remark_unsure(trib_markup_text *to);
/* Appends the text of a PAGE tree in its reading order (page.c). */
trib_status trib_page_text(trib_markup_text *to, const xmlNode *root, trib_error *error);
/* Appends the text of an ALTO tree, whose words are in attributes (alto.c). */
trib_status trib_alto_text(trib_markup_text *to, const xmlNode *root, trib_error *error);

#endif
#endif
