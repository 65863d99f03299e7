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

#include "pipeline/text/tei.h"

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
/* Decodes %20 and such in place. */
void trib_decode_percents(char *name);

/* ---- Title, author and date (header.c) ------------------------------------------------------- */

/* Fills in what `about` does not have yet from a TEI header, which may be NULL. */
trib_status trib_tei_header_add(trib_tei_about *about, const xmlNode *header, trib_is_date *is_date,
                                trib_error *error);
/* Copies a text with single spaces, cut at a space when it is too long. */
void trib_tei_about_copy(char to[TRIB_TITLE_MOST + 4], const char *text);

#endif
#endif
