/* docx.c - the text of DOCX (ECMA-376, WordprocessingML): its document, in which the notes of other
 * parts are set where they are referred to. vocabularies/docx.yaml says how its elements are read;
 * what Word sets by properties becomes attributes for that table. */
#include "pipeline/text/elements.h"
#include "pipeline/text/text_formats.h"

#include <string.h>

#include "pipeline/text/archive.h"

enum { PART_MOST = 256 }; /* bytes of the name of a part */

/* The file whose parts are read. */
typedef struct parts {
    trib_markup_bytes file;
    trib_status status; /* of the first part that cannot be read */
    trib_error *error;
} parts;

/* Parses a part. NULL when there is none with this name. */
static xmlDoc *open_part(parts *p, const char *name) {
    TRIB_OWNED(trib_buffer) bytes = {0}, shown = {0};
    bool is_there = false;
    xmlDoc *doc = NULL;
    if (p->status != TRIB_OK || !*name) return NULL;
    p->status = trib_archive_memory_member(p->file.name, p->file.at, p->file.length, name, &bytes,
                                           &is_there, p->error);
    if (p->status != TRIB_OK || !is_there) return NULL;
    p->status = trib_buffer_print(&shown, p->error, "%s: %s of this DOCX", p->file.name, name);
    const trib_markup_bytes part = {shown.text, bytes.text ? bytes.text : "", bytes.length};
    if (p->status == TRIB_OK)
        p->status = trib_xml_document(&doc, part, XML_PARSE_NOBLANKS, p->error);
    return doc;
}

/* Opens the part of a kind that belongs to another, "" for the whole file; `name` becomes its name.
 * NULL: there is none. */
static xmlDoc *open_related(parts *p, char name[PART_MOST], const char *of, const char *kind) {
    char relations[PART_MOST + 16];
    const char *const slash = strrchr(of, '/'), *const base = slash ? slash + 1 : of;
    const int n_folder = (int)(base - of);
    snprintf(relations, sizeof relations, "%.*s_rels/%s.rels", n_folder, of, base);
    xmlDoc *const doc = open_part(p, relations);
    const xmlNode *const root = doc ? xmlDocGetRootElement(doc) : NULL;
    *name = '\0';
    for (const xmlNode *at = NULL; (at = trib_node_below(root, at, "Relationship")) != NULL;) {
        const char *const type = strrchr(trib_node_attribute(at, "Type"), '/');
        const char *const target = trib_node_attribute(at, "Target");
        const bool is_whole = *target == '/';
        if (type && strcmp(type + 1, kind) == 0 && !*name)
            snprintf(name, PART_MOST, "%.*s%s", is_whole ? 0 : n_folder, of, target + is_whole);
    }
    xmlFreeDoc(doc);
    return open_part(p, name);
}

/* Sets an attribute of an element, which the table asks for. */
static void set(parts *p, const xmlNode *node, const char *name) {
    if (!xmlHasProp((xmlNode *)(uintptr_t)node, (const xmlChar *)name) &&
        !xmlNewProp((xmlNode *)(uintptr_t)node, (const xmlChar *)name, (const xmlChar *)"1"))
        p->status = trib_fail(p->error, TRIB_MEMORY, "out of memory: a property of a text");
}

/* Copies each note to where it is first referred to. */
static void place_notes(parts *p, xmlNode *root, const char *document, const char *kind,
                        const char *reference) {
    TRIB_OWNED(trib_intern) ids = {0};
    char name[PART_MOST];
    const xmlNode **note = NULL;
    size_t cap = 0;
    uint32_t id;
    xmlDoc *const doc = open_related(p, name, document, kind);
    const xmlNode *at = doc ? xmlDocGetRootElement(doc)->children : NULL;
    for (; at && p->status == TRIB_OK; at = at->next) {
        const char *const called = trib_node_attribute(at, "id");
        p->status = trib_intern_add(&ids, called, strlen(called), &id, p->error);
        if (p->status == TRIB_OK)
            p->status = TRIB_GROW(&note, &cap, (size_t)id + 1, "notes", p->error);
        if (p->status == TRIB_OK) note[id] = at;
    }
    for (at = NULL;
         ids.n_words > 0 && p->status == TRIB_OK && (at = trib_node_below(root, at, reference));) {
        const char *const called = trib_node_attribute(at, "id");
        id = trib_intern_find(&ids, called, strlen(called));
        if (id >= ids.n_words || !note[id]) continue;
        xmlNode *const copy = xmlDocCopyNode((xmlNode *)(uintptr_t)note[id], root->doc, 1);
        note[id] = NULL;
        if (!copy || !xmlAddChild((xmlNode *)(uintptr_t)at, copy))
            p->status = trib_fail(p->error, TRIB_MEMORY, "out of memory: a note");
    }
    trib_free(note);
    xmlFreeDoc(doc);
}

/* Finds the styles of headings, which have English names whatever the language of Word. */
static void find_headings(parts *p, trib_intern *headings, const char *document) {
    char part[PART_MOST];
    uint32_t id;
    xmlDoc *const doc = open_related(p, part, document, "styles");
    const xmlNode *const root = doc ? xmlDocGetRootElement(doc) : NULL;
    for (const xmlNode *at = NULL;
         p->status == TRIB_OK && (at = trib_node_below(root, at, "name")) != NULL;) {
        const char *const name = trib_node_attribute(at, "val");
        const char *const style = trib_node_attribute(at->parent, "styleId");
        if (strncmp(name, "heading ", 8) == 0 || strcmp(name, "Title") == 0)
            p->status = trib_intern_add(headings, style, strlen(style), &id, p->error);
    }
    xmlFreeDoc(doc);
}

/* Gives attributes to raised and hidden runs, rows that are deleted, and headings. */
static void mark(parts *p, xmlNode *root, const trib_intern *headings) {
    for (const xmlNode *at = NULL;
         p->status == TRIB_OK && (at = trib_node_below(root, at, NULL)) != NULL;) {
        const xmlNode *const to = at->parent->parent;
        const char *const value = trib_node_attribute(at, "val");
        const bool is_run = trib_node_is(at->parent, "rPr") && trib_node_is(to, "r");
        if (is_run && trib_node_is(at, "vertAlign") && strcmp(value, "superscript") == 0)
            set(p, to, "raised");
        else if (is_run && trib_node_is(at, "vanish") && !trib_is_among("0 false off", value))
            set(p, to, "hidden");
        else if (trib_node_is(at, "del") && trib_node_is(at->parent, "trPr")) set(p, to, "hidden");
        else if (trib_node_is(at, "pStyle") && headings->n_words > 0 &&
                 trib_intern_find(headings, value, strlen(value)) < headings->n_words)
            set(p, to, "heading");
        else if (trib_node_is(at, "noBreakHyphen") && !at->children)
            xmlNodeAddContent((xmlNode *)(uintptr_t)at, (const xmlChar *)"\u2011");
        else if (trib_node_is(at, "relIds")) set(p, root, "diagram");
    }
}

trib_status trib_docx_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    parts p = {file, TRIB_OK, error};
    TRIB_OWNED(trib_intern) headings = {0};
    char document[PART_MOST] = "";
    const bool is_zip = file.length >= 4 && memcmp(file.at, "PK\3\4", 4) == 0;
    xmlDoc *const doc = is_zip ? open_related(&p, document, "", "officeDocument") : NULL;
    if (p.status == TRIB_OK && !doc)
        p.status = trib_fail(error, TRIB_INPUT,
                             "%s: cannot be read as DOCX: it has no document; save it again in a "
                             "word processor",
                             file.name);
    xmlNode *const root = doc ? xmlDocGetRootElement(doc) : NULL;
    if (p.status == TRIB_OK) place_notes(&p, root, document, "footnotes", "footnoteReference");
    if (p.status == TRIB_OK) place_notes(&p, root, document, "endnotes", "endnoteReference");
    if (p.status == TRIB_OK) find_headings(&p, &headings, document);
    if (p.status == TRIB_OK) mark(&p, root, &headings);
    if (p.status == TRIB_OK && xmlHasProp(root, (const xmlChar *)"diagram"))
        snprintf(to->remark, sizeof to->remark,
                 "has diagrams, whose text is not read; save it as PDF to read them");
    if (p.status == TRIB_OK) p.status = trib_tree_text(to, root, file.name, error);
    xmlFreeDoc(doc);
    return p.status;
}
