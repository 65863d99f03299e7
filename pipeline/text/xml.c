/* xml.c - the text of HTML and XML, parsed with libxml2. */
#include <limits.h>
#include <string.h>

#include "pipeline/text/elements.h"

#ifdef TRIB_WITH_XML
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <pthread.h>

/* libxml2 requires a call of xmlInitParser before two threads parse, since its own first calls are
 * not thread-safe. Files are read by several threads, and by callers of the library that start
 * threads of their own. */
void trib_xml_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, xmlInitParser);
}

/* TRIB_INPUT when a document has no element, or entities of its own. */
static trib_status check_document(const xmlDoc *doc, const char *name, trib_error *error) {
    const xmlError *why = xmlGetLastError();
    if (!doc || !xmlDocGetRootElement(doc)) {
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
            "%s: declares entities of its own, which are not expanded; replace them by their text",
            name);
    return TRIB_OK;
}

static trib_status add_document(trib_markup_text *to, xmlDoc *doc, const char *name,
                                trib_error *error) {
    const trib_status status = check_document(doc, name, error);
    if (status != TRIB_OK) return status;
    xmlNode *root = xmlDocGetRootElement(doc);
    if (trib_node_is(root, "mets"))
        return trib_fail(error, TRIB_INPUT,
                         "%s: is METS, whose pages are read from the folder that it is in; unpack "
                         "it there, with a name that ends in .xml",
                         name);
    if (trib_node_is(root, "PcGts")) return trib_page_text(to, root, error);
    return trib_node_is(root, "alto") ? trib_alto_text(to, root, error)
                                      : trib_tree_text(to, root, name, error);
}

/* Parses a page in UTF-8, whatever encoding it declares. Old pages leave hundreds of <font>
 * elements open, each inside the last. By default, libxml2 silently ends a page at a depth of 256,
 * and a text at 10 MB; XML_PARSE_HUGE raises these limits. *is_cut: the page was cut off
 * nevertheless. */
static xmlDoc *parse_html(const char *bytes, size_t length, bool *is_cut) {
    htmlParserCtxt *parser = htmlCreateMemoryParserCtxt(bytes, (int)length);
    xmlCharEncodingHandler *utf8 = xmlFindCharEncodingHandler("UTF-8");
    if (!parser) return NULL;
    htmlCtxtUseOptions(parser, HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                   HTML_PARSE_IGNORE_ENC);
    parser->options |= XML_PARSE_HUGE;
    if (utf8) xmlSwitchToEncoding(parser, utf8);
    htmlParseDocument(parser);
#if LIBXML_VERSION >= 21500
    *is_cut = xmlCtxtIsStopped(parser) != 0;
#else
    *is_cut = parser->disableSAX != 0;
#endif
    xmlDoc *doc = parser->myDoc;
    parser->myDoc = NULL;
    htmlFreeParserCtxt(parser);
    return doc;
}

/* Decodes and parses a file. *doc is NULL when it cannot be parsed; the caller frees it. */
static trib_status parse(xmlDoc **doc, trib_markup_text *to, trib_markup_bytes file, bool is_html,
                         trib_error *error) {
    bool is_cut = false;
    trib_buffer page = {0};
    trib_status status = trib_html_decode(to, &page, file, is_html, error);
    file.at = page.text ? page.text : "", file.length = page.length;
    if (status == TRIB_OK) status = trib_html_check_attributes(file, is_html, error);
    if (status == TRIB_OK && file.length > INT_MAX)
        status = trib_fail(error, TRIB_INPUT, "%s: is larger than 2 GiB; convert it to plain text",
                           file.name);
    if (status == TRIB_OK) {
        trib_xml_begin();
        xmlResetLastError();
        *doc = is_html ? parse_html(file.at, file.length, &is_cut)
                       : xmlReadMemory(file.at, (int)file.length, "x", "UTF-8",
                                       XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    }
    if (is_cut)
        status =
            trib_fail(error, TRIB_INPUT,
                      "%s: libxml2 cannot read it to its end; convert it to plain text", file.name);
    trib_buffer_release(&page);
    return status;
}

static trib_status read_markup(trib_markup_text *to, trib_markup_bytes file, bool is_html,
                               trib_error *error) {
    xmlDoc *doc = NULL;
    trib_status status = parse(&doc, to, file, is_html, error);
    if (status == TRIB_OK) status = add_document(to, doc, file.name, error);
    if (doc) xmlFreeDoc(doc);
    return status;
}

trib_status trib_xml_document(xmlDoc **doc, trib_markup_bytes file, trib_error *error) {
    trib_markup_text unused = {0};
    *doc = NULL;
    trib_status status = parse(doc, &unused, file, false, error);
    if (status == TRIB_OK) status = check_document(*doc, file.name, error);
    if (status != TRIB_OK && *doc) {
        xmlFreeDoc(*doc);
        *doc = NULL;
    }
    return status;
}

/* In some versions of libxml2, xmlParserVersion is a macro for a function call, which needs
 * initialisation first. */
static const char *library_version(void) {
    trib_xml_begin();
    return xmlParserVersion;
}

#else

static const char *library_version(void) { return "none"; }

static trib_status read_markup(trib_markup_text *to, trib_markup_bytes file, bool is_html,
                               trib_error *error) {
    (void)to;
    return trib_fail(error, TRIB_INPUT,
                     "%s: is %s, which this build cannot read: install libxml2 (Debian: "
                     "libxml2-dev) and build again, or convert it to plain text",
                     file.name, is_html ? "HTML" : "XML");
}

#endif

trib_status trib_html_page_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return read_markup(to, file, true, error);
}

trib_status trib_xml_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return read_markup(to, file, false, error);
}

trib_status trib_xml_print_reader(trib_buffer *to, trib_error *error) {
    return trib_buffer_print(to, error, "libxml2 %s", library_version());
}
