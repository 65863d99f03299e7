/* xml.c - parses HTML and XML with libxml2. The bytes are converted to UTF-8 before, since libxml2
 * silently ends a page at the first byte that is invalid in its encoding. Attributes are
 * counted. */
#include "pipeline/text/elements.h"

#include <ctype.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <pthread.h>
#include <strings.h>
#include <unicode/ucnv.h>
#include <unicode/utf8.h>

#include "pipeline/support/utf8.h"

/* ---- The encoding ---------------------------------------------------------------------------- */

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

enum { LABEL_MOST = 48, TAG_MOST = 1024 };

static bool begins(const char *at, const char *end, const char *word) {
    const size_t n = strlen(word);
    return (size_t)(end - at) >= n && strncasecmp(at, word, n) == 0;
}

/* The first occurrence of a word before `end`, ignoring case, or NULL. */
static const char *seek(const char *at, const char *end, const char *word) {
    for (; at < end; at++)
        if ((*at | 0x20) == (*word | 0x20) && begins(at, end, word)) return at;
    return NULL;
}

/* Reads the value, possibly quoted, after `name` and an equals sign. */
static bool read_value(char label[LABEL_MOST], const char *at, const char *end, const char *name) {
    static const char white[] = " \t\r\n";
    while ((at = seek(at, end, name)) != NULL) {
        at += strlen(name);
        while (at < end && strchr(white, *at)) at++;
        if (at == end || *at != '=') continue;
        at++;
        while (at < end && (strchr(white, *at) || *at == '"' || *at == '\'')) at++;
        size_t n = 0;
        while (at + n < end && !strchr(" \t\r\n\"'/>;", at[n])) n++;
        if (n == 0 || n >= LABEL_MOST) return false;
        memcpy(label, at, n);
        label[n] = '\0';
        return true;
    }
    return false;
}

static void find_in_declaration(char label[LABEL_MOST], const char *at, size_t length) {
    const size_t n = length < TAG_MOST ? length : TAG_MOST;
    const char *close = memchr(at, '>', n);
    label[0] = '\0';
    if (begins(at, at + length, "<?xml"))
        (void)read_value(label, at, close ? close : at + n, "encoding");
}

/* Reads the encoding that a <meta> before the body or the XML declaration names; "" when there is
 * none. */
static void find_declared(char label[LABEL_MOST], const char *at, size_t length) {
    const char *const end = at + length;
    const char *body = seek(at, end, "<body"), *meta = at;
    const char *const until = body ? body : end;
    while ((meta = seek(meta, until, "<meta")) != NULL) {
        const size_t n = until - meta < TAG_MOST ? (size_t)(until - meta) : TAG_MOST;
        const char *close = memchr(meta, '>', n);
        if (read_value(label, meta, close ? close : meta + n, "charset")) return;
        meta += strlen("<meta");
    }
    find_in_declaration(label, at, length);
}

/* Replaces the name of an encoding by that of its superset which pages mean by it (WHATWG Encoding,
 * section 4.2). */
static const char *superset_of(const char *label) {
    static const char *const as[][2] = {
        {"iso-8859-1", "windows-1252"},   {"latin1", "windows-1252"},
        {"iso-8859-9", "windows-1254"},   {"iso-8859-11", "windows-874"},
        {"tis-620", "windows-874"},       {"gb2312", "gbk"},
        {"ks_c_5601-1987", "windows-949"}};
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        if (ucnv_compareNames(label, as[i][0]) == 0) return as[i][1];
    return label;
}

/* Whether this is a single-byte encoding. Almost any bytes are valid in it, so that a page that is
 * valid UTF-8 is UTF-8 even if it declares such an encoding. */
static bool is_one_byte(const char *encoding) {
    static const char *const families[] = {"windows-12", "iso-8859", "us-ascii", "ascii"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncasecmp(encoding, families[i], strlen(families[i])) == 0) return true;
    return false;
}

static void check_bytes(trib_markup_bytes file, bool *is_utf8, bool *is_ascii) {
    *is_utf8 = *is_ascii = true;
    for (size_t i = 0, n; i < file.length && *is_utf8; i += n) {
        n = trib_utf8_length(file.at + i, file.length - i);
        *is_utf8 = n > 0;
        *is_ascii = *is_ascii && n == 1;
    }
}

/* The encoding that the first bytes show: by a byte order mark, or XML with two bytes per
 * character. NULL: unknown. */
static const char *encoding_by_start(trib_markup_bytes file, bool is_html) {
    static const struct {
        const char *first;
        size_t n;
        const char *encoding;
    } starts[] = {{BYTE_ORDER_MARK, 3, "UTF-8"},
                  {"\xFF\xFE", 2, "UTF-16"},
                  {"\xFE\xFF", 2, "UTF-16"},
                  {"<\0?\0", 4, "UTF-16LE"},
                  {"\0<\0?", 4, "UTF-16BE"}};
    for (size_t i = 0; i < (is_html ? 3 : sizeof starts / sizeof *starts); i++)
        if (file.length >= starts[i].n && memcmp(file.at, starts[i].first, starts[i].n) == 0)
            return starts[i].encoding;
    return NULL;
}

/* The encoding of a file; NULL for UTF-8. */
static const char *encoding_of(char label[LABEL_MOST], trib_markup_text *to, trib_markup_bytes file,
                               bool is_html) {
    UErrorCode code = U_ZERO_ERROR;
    bool is_utf8, is_ascii;
    const char *shown = encoding_by_start(file, is_html);
    if (shown) return strcmp(shown, "UTF-8") == 0 ? NULL : shown;
    (is_html ? find_declared : find_in_declaration)(label, file.at, file.length);
    /* not UTF-16 either, since the declaration could be read as ASCII */
    if (strncasecmp(label, "utf", 3) == 0) return NULL;
    const char *encoding = is_html ? superset_of(label) : label;
    UConverter *converter = *label ? ucnv_open(encoding, &code) : NULL;
    const bool is_known = converter && U_SUCCESS(code);
    if (converter) ucnv_close(converter);
    check_bytes(file, &is_utf8, &is_ascii);
    if (is_known && (!is_utf8 || is_ascii || !is_one_byte(encoding))) return encoding;
    if (is_known)
        snprintf(to->remark, sizeof to->remark,
                 "declares the encoding '%s', but its bytes are UTF-8 and are read as such", label);
    if (is_utf8 || !is_html) return NULL; /* XML without a declaration is UTF-8 */
    snprintf(to->remark, sizeof to->remark,
             "declares %s%s%s and is not UTF-8; read as windows-1252",
             *label ? "the unknown encoding '" : "no encoding", label, *label ? "'" : "");
    return "windows-1252";
}

/* ---- Decoding -------------------------------------------------------------------------------- */

/* The line of a byte of the file, from 1. */
static unsigned long long line_of(trib_markup_bytes file, size_t at) {
    unsigned long long line = 1;
    for (size_t i = 0; i < at; i++) line += file.at[i] == '\n';
    return line;
}

/* Reports an invalid byte, or replaces it. */
static trib_status meet_invalid(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                                size_t at, const char *encoding, trib_error *error) {
    if (to->on_invalid == TRIB_INVALID_REPLACE) {
        to->n_replaced++;
        return trib_buffer_add(page, "\xEF\xBF\xBD", 3, error);
    }
    return trib_fail(error, TRIB_INPUT,
                     "%s: byte %zu (line %llu) is not %s (0x%02X), the encoding of the file; "
                     "correct its declaration, or set corpus.on_invalid to replace",
                     file.name, at, line_of(file, at), encoding,
                     (unsigned)(unsigned char)file.at[at]);
}

static trib_status copy_utf8(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                             bool is_html, trib_error *error) {
    trib_status status = TRIB_OK;
    const bool marked = file.length >= 3 && memcmp(file.at, BYTE_ORDER_MARK, 3) == 0;
    for (size_t i = marked ? 3 : 0, from = i; i <= file.length && status == TRIB_OK;) {
        const size_t left = file.length - i;
        const size_t n = left > 0 ? trib_utf8_length(file.at + i, left) : 0;
        if (n > 0 && (file.at[i] != '\0' || !is_html)) {
            i += n;
            continue;
        }
        status = trib_buffer_add(page, file.at + from, i - from, error);
        if (left == 0) break;
        if (status == TRIB_OK && n == 0) status = meet_invalid(to, page, file, i, "UTF-8", error);
        from = ++i;
    }
    return status;
}

static trib_status convert(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                           const char *encoding, bool is_html, trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(encoding, &code);
    if (U_SUCCESS(code))
        ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &code);
    trib_status status = TRIB_OK;
    if (U_FAILURE(code))
        status = trib_fail(error, TRIB_MEMORY, "%s: no converter from %s can be opened", file.name,
                           encoding);
    const char *at = file.at, *const end = file.at + file.length;
    while (status == TRIB_OK && at < end) {
        uint8_t utf8[U8_MAX_LENGTH];
        size_t n = 0;
        const char *const before = at;
        code = U_ZERO_ERROR;
        const UChar32 c = ucnv_getNextUChar(converter, &at, end, &code);
        /* the converter consumed bytes that only changed its state */
        if (code == U_INDEX_OUTOFBOUNDS_ERROR) break;
        if (U_FAILURE(code)) {
            status = meet_invalid(to, page, file, (size_t)(before - file.at), encoding, error);
            if (at == before) at++;
        } else if (c != 0 || !is_html) {
            U8_APPEND_UNSAFE(utf8, n, (uint32_t)c);
            status = trib_buffer_add(page, (const char *)utf8, n, error);
        }
    }
    if (converter) ucnv_close(converter);
    return status;
}

trib_status trib_html_decode(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                             bool is_html, trib_error *error) {
    char label[LABEL_MOST] = "";
    const char *encoding = encoding_of(label, to, file, is_html);
    return encoding ? convert(to, page, file, encoding, is_html, error)
                    : copy_utf8(to, page, file, is_html, error);
}

/* ---- Attributes ------------------------------------------------------------------------------ */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Skips the comment, CDATA section, declaration, script or style that begins at `at`, none of which
 * contains tags. Returns its end. */
static const char *skip_untagged(const char *at, const char *end, bool is_html) {
    static const char *const raw[] = {"script", "style"};
    const char *close;
    if (begins(at, end, "<!--")) close = seek(at + 4, end, "-->");
    else if (!is_html && begins(at, end, "<![CDATA[")) close = seek(at, end, "]]>");
    else if (at + 1 < end && (at[1] == '!' || at[1] == '?'))
        close = memchr(at, '>', (size_t)(end - at));
    else {
        for (size_t i = 0; is_html && i < sizeof raw / sizeof *raw; i++)
            if (begins(at + 1, end, raw[i])) return (close = seek(at, end, "</")) ? close : end;
        return at;
    }
    return close ? close + 1 : end;
}

/* Returns the end of the tag that begins at `at` and sets *n to the number of its attributes. A
 * quoted text after an equals sign is one value. */
static const char *count_attributes(const char *at, const char *end, size_t *n) {
    static const char white[] = " \t\r\n\f";
    *n = 0;
    while (at < end && !strchr(" \t\r\n\f/>", *at)) at++; /* name of the element */
    while (at < end && *at != '>') {
        if (strchr(" \t\r\n\f/", *at)) {
            at++;
            continue;
        }
        ++*n;
        while (at < end && !strchr(" \t\r\n\f/>=", *at)) at++;
        const char *value = at;
        while (value < end && strchr(white, *value)) value++;
        if (value == end || *value != '=') continue;
        for (value++; value < end && strchr(white, *value);) value++;
        const bool quoted = value < end && (*value == '"' || *value == '\'');
        const char *close = quoted ? memchr(value + 1, *value, (size_t)(end - value) - 1) : NULL;
        if (quoted) at = close ? close + 1 : end;
        else
            for (at = value; at < end && !strchr(" \t\r\n\f>", *at);) at++;
    }
    return at;
}

trib_status trib_html_check_attributes(trib_markup_bytes file, bool is_html, trib_error *error) {
    const char *at = file.at, *const end = file.at + file.length;
    while (at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        const char *const tag = at;
        size_t n = 0;
        if (at + 1 < end && is_letter(at[1])) at = count_attributes(at + 1, end, &n);
        if (n > TRIB_ATTRIBUTES_MOST)
            return trib_fail(error, TRIB_INPUT,
                             "%s:%llu: an element has more than %d attributes, which no text "
                             "needs; convert it to plain text",
                             file.name, line_of(file, (size_t)(tag - file.at)),
                             (int)TRIB_ATTRIBUTES_MOST);
        const char *after = skip_untagged(tag, end, is_html);
        at = after > at ? after : at > tag ? at : tag + 1;
    }
    return TRIB_OK;
}

/* ---- Parsing --------------------------------------------------------------------------------- */

/* libxml2 requires a call of xmlInitParser before two threads parse, since its own first calls are
 * not thread-safe. Files are read by several threads, and by callers of the library that start
 * threads of their own. */
static void begin_xml(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, xmlInitParser);
}

xmlDoc *trib_xml_parse(const char *bytes, size_t length, const char *encoding, int options) {
    begin_xml();
    xmlResetLastError();
    return xmlReadMemory(bytes, (int)length, "x", encoding,
                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | options);
}

trib_status trib_xml_check(const xmlDoc *doc, const char *name, trib_error *error) {
    const xmlError *why = xmlGetLastError();
    if (!doc || !xmlDocGetRootElement(doc)) {
        const char *said = why && why->message ? why->message : "no element";
        const size_t n = strcspn(said, "\n");
        const bool is_several = why && why->code == XML_ERR_DOCUMENT_END && doc == NULL;
        return trib_fail(error, TRIB_INPUT, "%s:%d: cannot be parsed: %.*s%s", name,
                         why ? why->line : 1, n < 200 ? (int)n : 199, said,
                         is_several ? "; if it has several documents, put each in its own file"
                                    : "");
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
    const trib_status status = trib_xml_check(doc, name, error);
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
    begin_xml();
    xmlResetLastError();
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

/* Replaces entities of HTML by their characters. libxml2 refuses them in XML without a DTD; in HTML
 * it does not know those of Latin-1 without a semicolon, "caf&eacute noir". */
static trib_status expand_entities(trib_buffer *to, trib_markup_bytes *file, bool is_html,
                                   trib_error *error) {
    const char *at = file->at, *from = at, *const end = at + file->length;
    if (!memchr(at, '&', file->length)) return TRIB_OK;
    for (size_t n; at < end; at++) {
        const char *after = *at == '<' ? skip_untagged(at, end, is_html) : at;
        if (is_html && after == at && at + 1 < end && *at == '<' && is_letter(at[1]))
            after = count_attributes(at + 1, end, &n);
        if (after > at) at = after - 1;
        if (*at != '&') continue;
        for (n = 0; at + n + 1 < end && n < 9 && isalnum((unsigned char)at[n + 1]);) n++;
        char name[16];
        (void)snprintf(name, sizeof name, "%.*s", (int)n, at + 1);
        const bool is_ended = at + n + 1 < end && at[n + 1] == ';';
        const htmlEntityDesc *known =
            n > 0 && is_ended != is_html ? htmlEntityLookup((const xmlChar *)name) : NULL;
        if (!known || known->value < 128 || (is_html && known->value > 255)) continue;
        uint8_t utf8[U8_MAX_LENGTH];
        size_t n_utf8 = 0;
        U8_APPEND_UNSAFE(utf8, n_utf8, known->value);
        trib_buffer_add(to, from, (size_t)(at - from), error);
        trib_buffer_add(to, (const char *)utf8, n_utf8, error);
        at += n + is_ended;
        from = at + 1;
    }
    if (from == file->at) return TRIB_OK;
    trib_buffer_add(to, from, (size_t)(end - from), error);
    file->at = to->text, file->length = to->length;
    return to->failure;
}

/* Decodes and parses a file. *doc is NULL when it cannot be parsed; the caller frees it. */
static trib_status parse(xmlDoc **doc, trib_markup_text *to, trib_markup_bytes file, bool is_html,
                         int options, trib_error *error) {
    bool is_cut = false;
    TRIB_OWNED(trib_buffer) page = {0};
    TRIB_OWNED(trib_buffer) expanded = {0};
    trib_status status = trib_html_decode(to, &page, file, is_html, error);
    file.at = page.text ? page.text : "", file.length = page.length;
    if (status == TRIB_OK) status = trib_html_check_attributes(file, is_html, error);
    if (status == TRIB_OK && file.length > INT_MAX)
        status = trib_fail(error, TRIB_INPUT, "%s: is larger than 2 GiB; convert it to plain text",
                           file.name);
    if (status == TRIB_OK) status = expand_entities(&expanded, &file, is_html, error);
    if (status == TRIB_OK && is_html) *doc = parse_html(file.at, file.length, &is_cut);
    else if (status == TRIB_OK) *doc = trib_xml_parse(file.at, file.length, "UTF-8", options);
    if (is_cut)
        status =
            trib_fail(error, TRIB_INPUT,
                      "%s: libxml2 cannot read it to its end; convert it to plain text", file.name);
    return status;
}

static trib_status read_markup(trib_markup_text *to, trib_markup_bytes file, bool is_html,
                               trib_error *error) {
    xmlDoc *doc = NULL;
    trib_status status = parse(&doc, to, file, is_html, 0, error);
    if (status == TRIB_OK) status = add_document(to, doc, file.name, error);
    if (doc) xmlFreeDoc(doc);
    return status;
}

trib_status trib_xml_document(xmlDoc **doc, trib_markup_bytes file, int options,
                              trib_error *error) {
    trib_markup_text unused = {0};
    *doc = NULL;
    trib_status status = parse(doc, &unused, file, false, options, error);
    if (status == TRIB_OK) status = trib_xml_check(*doc, file.name, error);
    if (status != TRIB_OK && *doc) {
        xmlFreeDoc(*doc);
        *doc = NULL;
    }
    return status;
}

/* In some versions of libxml2, xmlParserVersion is a macro for a function call, which needs
 * initialisation first. */
static const char *library_version(void) {
    begin_xml();
    return xmlParserVersion;
}

trib_status trib_html_page_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return read_markup(to, file, true, error);
}

trib_status trib_xml_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return read_markup(to, file, false, error);
}

trib_status trib_xml_print_reader(trib_buffer *to, trib_error *error) {
    return trib_buffer_print(to, error, "libxml2 %s", library_version());
}
