/* elements.h - what the elements of a marked-up text are, and the text of a tree of them. Private
 * to pipeline.
 *
 * Not read: what no reader sees (head, script, style; the header of TEI and OSIS), what belongs to
 * the page and not to the text (menus, running heads, page numbers), what was added by an editor as
 * an alternative (the readings of an apparatus beside its lemma; corr, reg and expan of a <choice>,
 * so that what the source has stays). Notes and their marks are read as trib_markup_text.notes
 * says; they never join with the words beside them. Paragraphs are separated by an empty line,
 * lines and cells by a line end; other elements of HTML, TEI and OSIS leave no trace, so
 * <hi>w</hi>ord is one word. In XML of another kind every element stands on lines of its own. */
#ifndef TRIBUTARY_INPUT_ELEMENTS_H
#define TRIBUTARY_INPUT_ELEMENTS_H

#include "pipeline/input/markup.h"

#ifdef TRIB_WITH_XML
#include <libxml/tree.h>

/* Known by the root element; bits, since many elements mean the same in several. */
typedef enum {
    TRIB_XML_OTHER = 0,
    TRIB_XML_HTML = 1,
    TRIB_XML_TEI = 2,
    TRIB_XML_OSIS = 4
} trib_vocabulary;

typedef enum { TRIB_FLOW_NONE, TRIB_FLOW_LINE, TRIB_FLOW_PARAGRAPH } trib_flow; /* what it ends */
typedef enum {
    TRIB_PART_READ,
    TRIB_PART_SKIP,
    TRIB_PART_MARK,
    TRIB_PART_NOTE
} trib_part; /* a mark leads to a note */

typedef struct trib_layout {
    trib_flow flow;
    trib_part part;
    bool joins; /* what follows goes on with the word before: a line's end within a word */
} trib_layout;

trib_vocabulary trib_vocabulary_of(const xmlNode *root);
trib_layout trib_layout_of(const xmlNode *node, trib_vocabulary vocabulary);

bool trib_node_is(const xmlNode *node,
                  const char *name); /* an element of this name; NULL is none */
/* The value of an attribute, "" when there is none. */
const char *trib_node_attribute(const xmlNode *node, const char *name);

/* Appends the text of a tree; `name` is the file's. TRIB_INPUT for an entity that is not known
 * (tree.c). */
trib_status trib_tree_text(trib_markup_text *to, const xmlNode *root, const char *name,
                           trib_error *error);
/* The same of ALTO, which has its words in attributes (alto.c). */
trib_status trib_alto_text(trib_markup_text *to, const xmlNode *root, trib_error *error);
/* Ends the line, or the paragraph, of a text that is not empty (tree.c). */
trib_status trib_text_end(trib_buffer *text, trib_flow flow, trib_error *error);

#endif
#endif
