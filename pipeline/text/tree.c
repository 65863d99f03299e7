/* tree.c - collects the text of the tree that libxml2 builds. */
#include "pipeline/text/elements.h"

#include <stdio.h>
#include <string.h>

#ifdef TRIB_WITH_XML
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

/* State while the tree is traversed. */
typedef struct walk {
    trib_markup_text *to;
    const char *name; /* of the file */
    trib_vocabulary vocabulary;
    unsigned n_notes; /* depth of nested notes */
    size_t from;      /* start of the current part in to->apart */
    size_t n_texts;   /* of a file of TEI */
    bool joins;       /* the next text continues the last word, without white space between */
    trib_element_references references;
} walk;

static trib_buffer *target(walk *w) {
    return w->n_notes > 0 && w->to->notes == TRIB_NOTES_SEPARATE ? &w->to->apart : &w->to->text;
}

static trib_status end(walk *w, trib_text_flow flow, trib_error *error) {
    return w->joins ? TRIB_OK : trib_text_end(target(w), flow, error);
}

/* Appends text and replaces each run of white space by one line end or space, since an empty line
 * would end the paragraph. */
static trib_status add_text(walk *w, const char *content, bool is_preformatted, trib_error *error) {
    static const char white[] = " \t\r\n";
    trib_buffer *text = target(w);
    trib_status status = TRIB_OK;
    if (w->joins) {
        content += strspn(content, white);
        w->joins = *content == '\0';
    }
    if (text == &w->to->text && content[strspn(content, white)])
        status =
            trib_element_references_mark(&w->references, &w->to->references, text->length, error);
    if (status != TRIB_OK) return status;
    if (is_preformatted) return trib_buffer_add(text, content, strlen(content), error);
    while (*content && status == TRIB_OK) {
        const size_t n_white = strspn(content, white), n = strcspn(content + n_white, white);
        const char *space = memchr(content, '\n', n_white) ? "\n" : " ";
        if (n_white > 0 && text->length > 0 && text->text[text->length - 1] != '\n')
            status = trib_buffer_add(text, space, 1, error);
        if (status == TRIB_OK) status = trib_buffer_add(text, content + n_white, n, error);
        content += n_white + n;
    }
    return status;
}

/* Appends a word of OSIS, in which a slash separates morphemes. */
static trib_status add_morphemes(walk *w, const char *content, trib_error *error) {
    trib_buffer word = {0};
    trib_status status = TRIB_OK;
    for (const char *at = content ? content : ""; *at && status == TRIB_OK;) {
        const size_t n = strcspn(at, "/");
        status = trib_buffer_add(&word, at, n, error);
        at += n + (at[n] == '/');
    }
    if (status == TRIB_OK && word.length > 0) status = add_text(w, word.text, false, error);
    trib_buffer_release(&word);
    return status;
}

/* The text of an entity of HTML, which the caller frees; NULL when HTML has none of this name. The
 * parser of HTML, which leaves an unknown name as it is, knows them all. */
static xmlChar *text_of_entity(const char *name) {
    char page[96];
    const int n = snprintf(page, sizeof page, "<p>&%s;</p>", name);
    xmlDoc *doc = n < (int)sizeof page
                      ? htmlReadMemory(page, n, NULL, "UTF-8",
                                       HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING)
                      : NULL;
    xmlChar *text = doc ? xmlNodeGetContent(xmlDocGetRootElement(doc)) : NULL;
    const size_t length = text ? strlen((const char *)text) : 0;
    if (length == 0 || (length > 1 && text[length - 1] == ';')) {
        xmlFree(text);
        text = NULL;
    }
    xmlFreeDoc(doc);
    return text;
}

static trib_status add_reference(walk *w, const xmlNode *node, trib_error *error) {
    xmlChar *text = text_of_entity((const char *)node->name);
    if (!text)
        return trib_fail(
            error, TRIB_INPUT,
            "%s: line %ld uses the entity '&%.60s;', which is not expanded; replace it by its text",
            w->name, xmlGetLineNo(node), (const char *)node->name);
    w->joins = false;
    const trib_status status =
        trib_buffer_add(target(w), (const char *)text, strlen((const char *)text), error);
    xmlFree(text);
    return status;
}

/* Removes white space at the end of the text, so that a word broken at a line end is joined. */
static void join_lines(walk *w) {
    trib_buffer *text = target(w);
    const size_t from = text == &w->to->apart ? w->from : 0;
    while (text->length > from && strchr(" \n", text->text[text->length - 1]))
        text->text[--text->length] = '\0';
    w->joins = true;
}

/* ---- Notes ----------------------------------------------------------------------------------- */

/* Ensures that the text ends in white space, so that a note in place is not joined with a word. */
static trib_status set_apart(walk *w, trib_error *error) {
    w->joins = false;
    return trib_text_space(target(w), 0, error);
}

/* Ends the current part of the notes and begins the next one. */
static trib_status end_part(walk *w, trib_error *error) {
    w->joins = false;
    return trib_markup_end_note(w->to, &w->from, error);
}

static bool is_read(const walk *w, trib_layout layout) {
    const trib_notes notes = w->to->notes;
    return layout.part == TRIB_PART_READ ||
           (layout.part == TRIB_PART_MARK && notes == TRIB_NOTES_KEEP) ||
           (layout.part == TRIB_PART_NOTE && notes != TRIB_NOTES_DROP);
}

/* Handles the begin or end of an element. */
static trib_status border(walk *w, trib_layout layout, bool begins, trib_error *error) {
    trib_status status = TRIB_OK;
    const bool is_beside = layout.part == TRIB_PART_MARK || layout.part == TRIB_PART_NOTE;
    if (!is_beside || !is_read(w, layout)) return end(w, layout.flow, error);
    if (w->to->notes == TRIB_NOTES_SEPARATE) {
        if (begins) status = end(w, layout.flow, error);
        if (begins) w->n_notes++;
        if (status == TRIB_OK) status = end_part(w, error);
        if (!begins) w->n_notes--;
        return status;
    }
    status = end(w, layout.flow, error);
    return status == TRIB_OK ? set_apart(w, error) : status;
}

/* ---- The walk -------------------------------------------------------------------------------- */

static trib_status visit(walk *w, const xmlNode *node, bool *enter, trib_error *error) {
    *enter = false;
    if (node->type == XML_ENTITY_REF_NODE) return add_reference(w, node, error);
    if (w->vocabulary == TRIB_XML_OSIS && node->type == XML_TEXT_NODE &&
        trib_node_is(node->parent, "w"))
        return add_morphemes(w, (const char *)node->content, error);
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
        return node->content ? add_text(w, (const char *)node->content,
                                        trib_node_is(node->parent, "pre"), error)
                             : TRIB_OK;
    if (node->type != XML_ELEMENT_NODE) return TRIB_OK;
    w->n_texts += trib_node_is(node, "text") && !trib_node_child(node, "group");
    const trib_layout layout = trib_layout_of(node, w->vocabulary, &w->to->edition);
    *enter = node->children && is_read(w, layout);
    if (layout.joins) join_lines(w);
    trib_status status = TRIB_OK;
    if (*enter || !node->children)
        status = trib_element_references_begin(&w->references, node, error);
    else if (layout.part == TRIB_PART_SKIP) trib_element_references_skip(&w->references, node);
    if (status != TRIB_OK) return status;
    if (!node->children && layout.part != TRIB_PART_READ && is_read(w, layout)) return TRIB_OK;
    return border(w, layout, true, error);
}

trib_status trib_tree_text(trib_markup_text *to, xmlNode *root, const char *name,
                           trib_error *error) {
    walk w = {.to = to, .name = name, .vocabulary = trib_vocabulary_of(root)};
    trib_status status = TRIB_OK;
    w.from = to->apart.length;
    if (w.vocabulary == TRIB_XML_TEI) trib_find_alternatives(root, &to->edition);
    for (const xmlNode *node = root; node && status == TRIB_OK;) {
        bool enter = false;
        status = visit(&w, node, &enter, error);
        if (enter && status == TRIB_OK) {
            node = node->children;
            continue;
        }
        while (node != root && !node->next && status == TRIB_OK) {
            node = node->parent;
            trib_element_references_end(&w.references, node);
            status = border(&w, trib_layout_of(node, w.vocabulary, &to->edition), false, error);
        }
        node = node == root ? NULL : node->next;
    }
    trib_element_references_release(&w.references);
    if (w.vocabulary == TRIB_XML_TEI && w.n_texts > 1 && !*to->remark)
        snprintf(to->remark, sizeof to->remark, "has %zu texts, which are read as one", w.n_texts);
    return status == TRIB_OK ? trib_text_end(&to->text, TRIB_FLOW_LINE, error) : status;
}

#endif
