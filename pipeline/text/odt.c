/* odt.c - the text of OpenDocument (ISO/IEC 26300): content.xml of a zip, or FODT, one file of XML.
 * vocabularies/odt.yaml says how its elements are read; where a style raises characters,
 * the spans that have it are marked, since a raised number is that of a note or a verse. */
#include "pipeline/text/elements.h"
#include "pipeline/text/text_formats.h"

#include <string.h>

#include "pipeline/text/archive.h"

/* Gives spans whose style raises them the attribute `raised`. */
static trib_status mark_raised(xmlNode *root, trib_error *error) {
    TRIB_OWNED(trib_intern) styles = {0};
    trib_status status = TRIB_OK;
    for (const xmlNode *at = NULL;
         status == TRIB_OK && (at = trib_node_below(root, at, "text-properties")) != NULL;) {
        const char *name = trib_node_attribute(at->parent, "name");
        uint32_t id;
        if (*name && strncmp(trib_node_attribute(at, "text-position"), "super", 5) == 0)
            status = trib_intern_add(&styles, name, strlen(name), &id, error);
    }
    for (const xmlNode *at = NULL;
         status == TRIB_OK && (at = trib_node_below(root, at, "span")) != NULL;) {
        const char *style = trib_node_attribute(at, "style-name");
        const bool is_raised =
            styles.n_words > 0 && trib_intern_find(&styles, style, strlen(style)) < styles.n_words;
        if (is_raised &&
            !xmlNewProp((xmlNode *)(uintptr_t)at, (const xmlChar *)"raised", (const xmlChar *)"1"))
            status = trib_fail(error, TRIB_MEMORY, "out of memory: a style");
    }
    return status;
}

trib_status trib_odt_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    TRIB_OWNED(trib_buffer) content = {0}, part = {0};
    const char *const name = file.name;
    xmlDoc *doc = NULL;
    bool is_there = false;
    trib_status status = TRIB_OK;
    if (file.length >= 4 && memcmp(file.at, "PK\3\4", 4) == 0) {
        status = trib_archive_memory_member(file.name, file.at, file.length, "content.xml",
                                            &content, &is_there, error);
        file.at = content.length > 0 ? content.text : "", file.length = content.length;
        if (status == TRIB_OK && *file.at != '<')
            status =
                trib_fail(error, TRIB_INPUT, "%s: cannot be read as ODT: %s", file.name,
                          is_there ? "its content.xml is no XML; save it without a password"
                                   : "it has no content.xml; save it again in a word processor");
        if (status == TRIB_OK) /* a line is one of the part */
            status = trib_buffer_print(&part, error, "%s: content.xml of this ODT", name);
        if (status == TRIB_OK) file.name = part.text;
    }
    if (status == TRIB_OK) status = trib_xml_document(&doc, file, 0, error);
    xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    if (status == TRIB_OK) status = mark_raised(root, error);
    if (status == TRIB_OK) status = trib_tree_text(to, root, name, error);
    xmlFreeDoc(doc);
    return status;
}
