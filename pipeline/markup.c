/* markup.c - the text between the tags: a walk over the tree that libxml2 makes. */
#include "pipeline/markup.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#ifdef TRIB_WITH_XML
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

/* ---- Elements ---------------------------------------------------------------------------------------------------------- */

typedef enum { INLINE, LINE, PARAGRAPH, HIDDEN } layout_kind;

/* Of HTML and TEI; what is not here is inline. */
static const struct element {
    const char *name;
    layout_kind layout;
} elements[] = {
    {"ab", PARAGRAPH},
    {"argument", PARAGRAPH},
    {"article", PARAGRAPH},
    {"aside", PARAGRAPH},
    {"back", PARAGRAPH},
    {"blockquote", PARAGRAPH},
    {"body", PARAGRAPH},
    {"br", LINE},
    {"byline", PARAGRAPH},
    {"caption", PARAGRAPH},
    {"cell", LINE},
    {"closer", PARAGRAPH},
    {"dd", LINE},
    {"div", PARAGRAPH},
    {"div1", PARAGRAPH},
    {"div2", PARAGRAPH},
    {"div3", PARAGRAPH},
    {"dl", PARAGRAPH},
    {"docTitle", PARAGRAPH},
    {"dt", LINE},
    {"epigraph", PARAGRAPH},
    {"figcaption", PARAGRAPH},
    {"figure", PARAGRAPH},
    {"footer", PARAGRAPH},
    {"front", PARAGRAPH},
    {"fw", HIDDEN},
    {"h1", PARAGRAPH},
    {"h2", PARAGRAPH},
    {"h3", PARAGRAPH},
    {"h4", PARAGRAPH},
    {"h5", PARAGRAPH},
    {"h6", PARAGRAPH},
    {"header", PARAGRAPH},
    {"hr", PARAGRAPH},
    {"item", LINE},
    {"l", LINE},
    {"lb", LINE},
    {"lg", PARAGRAPH},
    {"li", LINE},
    {"list", PARAGRAPH},
    {"main", PARAGRAPH},
    {"nav", PARAGRAPH},
    {"ol", PARAGRAPH},
    {"opener", PARAGRAPH},
    {"p", PARAGRAPH},
    {"pre", PARAGRAPH},
    {"row", LINE},
    {"script", HIDDEN},
    {"section", PARAGRAPH},
    {"sp", PARAGRAPH},
    {"speaker", LINE},
    {"stage", LINE},
    {"style", HIDDEN},
    {"table", PARAGRAPH},
    {"td", LINE},
    {"teiHeader", HIDDEN},
    {"template", HIDDEN},
    {"text", PARAGRAPH},
    {"th", LINE},
    {"title", HIDDEN},
    {"titlePage", PARAGRAPH},
    {"titlePart", LINE},
    {"tr", LINE},
    {"trailer", PARAGRAPH},
    {"ul", PARAGRAPH},
};

typedef enum { HTML, TEI, OTHER } vocabulary_kind;

static bool is_named(const xmlNode *node, const char *name) {
    return node && node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static layout_kind layout_of(const xmlNode *node, vocabulary_kind vocabulary) {
    const char *name = (const char *)node->name;
    if (vocabulary == OTHER) return LINE;
    /* a head is what a page says of itself in HTML, and a heading in TEI; a title there is cited in the text */
    if (strcmp(name, "head") == 0) return vocabulary == HTML ? HIDDEN : PARAGRAPH;
    if (strcmp(name, "title") == 0 && vocabulary == TEI) return INLINE;
    if (is_named(node->parent, "choice") && vocabulary == TEI)
        return strcmp(name, "corr") == 0 || strcmp(name, "reg") == 0 || strcmp(name, "expan") == 0
                   ? HIDDEN
                   : INLINE;
    if (strcmp(name, "lb") == 0) { /* inside a word */
        const xmlAttr *attribute = node->properties;
        while (attribute && strcmp((const char *)attribute->name, "break") != 0)
            attribute = attribute->next;
        const xmlNode *value = attribute ? attribute->children : NULL;
        if (value && value->content && strcmp((const char *)value->content, "no") == 0)
            return INLINE;
    }
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strcmp(elements[i].name, name) == 0) return elements[i].layout;
    return INLINE;
}

static vocabulary_kind vocabulary_of(const xmlNode *root) {
    if (is_named(root, "html")) return HTML;
    return is_named(root, "TEI") || is_named(root, "TEI.2") ? TEI : OTHER;
}

/* ---- The walk ------------------------------------------------------------------------------------------------------------ */

/* Ends the line, or the paragraph, where there is one. */
static trib_status separate(trib_buffer *text, layout_kind layout, trib_error *error) {
    size_t n = 0;
    if (layout == INLINE || text->length == 0) return TRIB_OK;
    while (n < text->length && n < 2 && text->text[text->length - 1 - n] == '\n') n++;
    const size_t wanted = layout == PARAGRAPH ? 2 : 1;
    return n < wanted ? trib_buffer_add(text, "\n\n", wanted - n, error) : TRIB_OK;
}

/* White space is as good as one line end or space: an empty line would end a paragraph. */
static trib_status add_text(trib_buffer *text, const char *content, bool as_it_is,
                            trib_error *error) {
    static const char white[] = " \t\r\n";
    trib_status status = TRIB_OK;
    if (as_it_is) return trib_buffer_add(text, content, strlen(content), error);
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

static trib_status add_reference(trib_buffer *text, const xmlNode *node, const char *name,
                                 trib_error *error) {
    const htmlEntityDesc *known = htmlEntityLookup(node->name);
    xmlChar utf8[8] = {0};
    int length = known ? xmlCopyCharMultiByte(utf8, (int)known->value) : 0;
    if (length <= 0)
        return trib_fail(
            error, TRIB_INPUT,
            "%s: line %ld uses the entity '&%.60s;', which is not expanded; write what "
            "it stands for",
            name, xmlGetLineNo(node), (const char *)node->name);
    return trib_buffer_add(text, (const char *)utf8, (size_t)length, error);
}

static trib_status add_tree(trib_buffer *text, const xmlNode *root, const char *name,
                            trib_error *error) {
    const vocabulary_kind vocabulary = vocabulary_of(root);
    trib_status status = TRIB_OK;
    for (const xmlNode *node = root; node && status == TRIB_OK;) {
        bool enter = node->type == XML_ELEMENT_NODE;
        if (enter) {
            const layout_kind layout = layout_of(node, vocabulary);
            enter = layout != HIDDEN && node->children;
            if (layout != HIDDEN) status = separate(text, layout, error);
        } else if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
            if (node->content)
                status = add_text(text, (const char *)node->content, is_named(node->parent, "pre"),
                                  error);
        } else if (node->type == XML_ENTITY_REF_NODE)
            status = add_reference(text, node, name, error);
        if (enter) {
            node = node->children;
            continue;
        }
        while (node != root && !node->next && status == TRIB_OK) {
            node = node->parent;
            status = separate(text, layout_of(node, vocabulary), error);
        }
        node = node == root ? NULL : node->next;
    }
    return status == TRIB_OK ? separate(text, LINE, error) : status;
}

static trib_status add_document(trib_buffer *text, xmlDoc *doc, const char *name,
                                trib_error *error) {
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    const xmlError *why = xmlGetLastError();
    if (!root) {
        char reason[200] = "";
        const char *said = why && why->message ? why->message : "no element";
        memcpy(reason, said, strnlen(said, sizeof reason - 1));
        reason[strcspn(reason, "\n")] = '\0';
        return trib_fail(error, TRIB_INPUT, "%s:%d: cannot be parsed: %s", name,
                         why ? why->line : 1, reason);
    }
    if (doc->intSubset && doc->intSubset->entities)
        return trib_fail(
            error, TRIB_INPUT,
            "%s: declares entities of its own, which are not expanded; write what they "
            "stand for",
            name);
    return add_tree(text, root, name, error);
}

/* Old pages leave hundreds of <font> open, each inside the last: beyond 256, and in a text of 10 MB, libxml2 would end the
 * page there and say nothing, unless it is told to go on. *is_cut: it ended it all the same. */
static xmlDoc *parse_html(const char *bytes, size_t length, bool *is_cut) {
    htmlParserCtxt *parser = htmlCreateMemoryParserCtxt(bytes, (int)length);
    if (!parser) return NULL;
    htmlCtxtUseOptions(parser, HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
    parser->options |= XML_PARSE_HUGE;
    htmlParseDocument(parser);
    *is_cut = parser->disableSAX != 0;
    xmlDoc *doc = parser->myDoc;
    parser->myDoc = NULL;
    htmlFreeParserCtxt(parser);
    return doc;
}

/* A page without its zero bytes, which libxml2 takes for its end and browsers overlook; of UTF-16 they are half. */
static trib_status drop_zeros(trib_buffer *page, const char *bytes, size_t length,
                              trib_error *error) {
    const unsigned char *const first = (const unsigned char *)bytes;
    trib_status status = TRIB_OK;
    if (!memchr(bytes, 0, length) || length < 2 || first[0] == 0 || first[1] == 0 ||
        (first[0] ^ first[1]) == (0xFF ^ 0xFE))
        return TRIB_OK;
    for (size_t i = 0; i < length && status == TRIB_OK;) {
        const char *zero = memchr(bytes + i, 0, length - i);
        const size_t n = zero ? (size_t)(zero - bytes) - i : length - i;
        status = trib_buffer_add(page, bytes + i, n, error);
        i += n + 1;
    }
    return status;
}

static trib_status read_markup(trib_buffer *text, const char *name, const char *bytes,
                               size_t length, bool is_html, trib_error *error) {
    bool is_cut = false;
    trib_buffer page = {0};
    trib_status status = TRIB_OK;
    if (length > INT_MAX)
        return trib_fail(error, TRIB_INPUT, "%s: is larger than 2 GiB; give its text", name);
    if (is_html) status = drop_zeros(&page, bytes, length, error);
    if (status == TRIB_OK && page.length > 0) bytes = page.text, length = page.length;
    if (status != TRIB_OK) goto done;
    xmlResetLastError();
    xmlDoc *doc = is_html
                      ? parse_html(bytes, length, &is_cut)
                      : xmlReadMemory(bytes, (int)length, "x", NULL,
                                      XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    status = is_cut ? trib_fail(error, TRIB_INPUT,
                                "%s: libxml2 stops before the end of it; give its text", name)
                    : add_document(text, doc, name, error);
    if (doc) xmlFreeDoc(doc);
done:
    trib_buffer_release(&page);
    return status;
}

static const char *library_version(void) { return xmlParserVersion; }

#else

static const char *library_version(void) { return "none"; }

static trib_status read_markup(trib_buffer *text, const char *name, const char *bytes,
                               size_t length, bool is_html, trib_error *error) {
    (void)text, (void)bytes, (void)length;
    return trib_fail(error, TRIB_INPUT,
                     "%s: is %s, which this build cannot read: install libxml2 (Debian: "
                     "libxml2-dev) and build again, or give its text",
                     name, is_html ? "HTML" : "XML");
}

#endif

/* ---- By name ------------------------------------------------------------------------------------------------------------ */

static trib_status read_html(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                             trib_error *error) {
    (void)note;
    return read_markup(text, file.name, file.at, file.length, true, error);
}

trib_status trib_xml_text(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                          trib_error *error) {
    (void)note;
    return read_markup(text, file.name, file.at, file.length, false, error);
}

static const trib_markup_row rows[] = {
    {"PDF", ".pdf", trib_pdf_text},   {"HTML", ".html", read_html},
    {"HTML", ".htm", read_html},      {"XHTML", ".xhtml", trib_xml_text},
    {"XML", ".xml", trib_xml_text},   {"TEI", ".tei", trib_xml_text},
    {"EPUB", ".epub", trib_epub_text}};

static bool ends(const char *path, size_t length, const char *ending) {
    const size_t n = strlen(ending);
    return length >= n && strncasecmp(path + length - n, ending, n) == 0;
}

trib_status trib_markup_print_reader(trib_buffer *to, const char *kind, trib_error *error) {
    const char *space = strrchr(kind, ' '), *name = space ? space + 1 : kind;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].read == trib_pdf_text
                       ? trib_pdf_print_reader(to, error)
                       : trib_buffer_print(to, error, "libxml2 %s", library_version());
    return TRIB_OK;
}

const trib_markup_row *trib_markup_find(const char *path, const unsigned char *first, size_t n) {
    static const char *const packings[] = {".gz", ".bz2", ".xz", ".zst"};
    size_t length = strlen(path);
    if (n >= 5 && memcmp(first, "%PDF-", 5) == 0) return rows;
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (ends(path, length, packings[i])) {
            length -= strlen(packings[i]);
            break;
        }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ends(path, length, rows[i].ending)) return &rows[i];
    return NULL;
}
