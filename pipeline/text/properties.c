/* properties.c - title, author and date from the properties of a file: of DOCX and other files of
 * Office Open XML (docProps/core.xml), of ODT (meta.xml) and of EPUB (its package), which all use
 * names of Dublin Core; and the date of creation of a PDF (ISO 32000-1, 14.3.3). */
#include "pipeline/text/header.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/text/archive.h"
#include "pipeline/text/elements.h"

/* ---- PDF ------------------------------------------------------------------------------------- */

static const char *find(const char *at, size_t n, const char *word) {
    const size_t length = strlen(word);
    for (const char *end = at + n; n >= length && at + length <= end; at++)
        if (*at == *word && memcmp(at, word, length) == 0) return at;
    return NULL;
}

/* Reads "/CreationDate (D:20190304100000Z)", which is readable unless it is in a packed object. */
static void read_pdf(trib_tei_about *about, trib_markup_bytes file, trib_is_date *is_date) {
    static const char key[] = "/CreationDate";
    const char *end = file.at + file.length;
    const char *at = find(file.at, file.length, key);
    if (!at) return;
    for (at += sizeof key - 1;
         at < end && (*at == ' ' || *at == '(' || *at == '\n' || *at == '\r');)
        at++;
    if (end - at > 2 && memcmp(at, "D:", 2) == 0) at += 2;
    if (end - at < 8) return;
    for (size_t i = 0; i < 8; i++)
        if (at[i] < '0' || at[i] > '9') return;
    snprintf(about->date, sizeof about->date, "%.4s-%.2s-%.2s", at, at + 4, at + 6);
    if (!is_date(about->date)) about->date[0] = '\0';
}

#ifdef TRIB_WITH_XML
#include <libxml/parser.h>

/* ---- Packed XML ------------------------------------------------------------------------------ */

enum { PROPERTIES_MOST = 1 << 20 }; /* bytes of a file of properties */

static bool ends(const char *name, const char *ending) {
    const size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

/* Copies the content of the first element of these names that is not empty. */
static trib_status copy_first(char to[TRIB_TITLE_MOST + 4], const xmlNode *root,
                              const char *const names[3], trib_error *error) {
    for (size_t i = 0; i < 3 && names[i]; i++)
        for (const xmlNode *node = NULL;
             !*to && (node = trib_node_below(root, node, names[i])) != NULL;) {
            xmlChar *content = xmlNodeGetContent((xmlNode *)(uintptr_t)node);
            if (!content)
                return trib_fail(error, TRIB_MEMORY, "out of memory: the properties of a file");
            trib_tei_about_copy(to, (const char *)content);
            xmlFree(content);
        }
    return TRIB_OK;
}

static trib_status read_xml(trib_tei_about *about, const trib_buffer *xml, trib_is_date *is_date,
                            trib_error *error) {
    static const char *const title[3] = {"title"},
                             *const author[3] = {"creator", "initial-creator"},
                             *const date[3] = {"created", "creation-date", "date"};
    if (xml->length == 0 || xml->length > PROPERTIES_MOST) return TRIB_OK;
    trib_xml_begin();
    xmlDoc *doc = xmlReadMemory(xml->text, (int)xml->length, "x", NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    const bool is_plain = root && (!doc->intSubset || !doc->intSubset->entities);
    trib_status status = TRIB_OK;
    if (is_plain) status = copy_first(about->title, root, title, error);
    if (is_plain && status == TRIB_OK) status = copy_first(about->author, root, author, error);
    if (is_plain && status == TRIB_OK) status = copy_first(about->date, root, date, error);
    if (doc) xmlFreeDoc(doc);
    char *time = strchr(about->date, 'T'); /* "2019-03-04T10:00:00Z" */
    if (time && time - about->date == 10) *time = '\0';
    if (!is_date(about->date)) about->date[0] = '\0';
    return status;
}

static trib_status read_zip(trib_tei_about *about, trib_markup_bytes file, trib_is_date *is_date,
                            trib_error *error) {
    trib_archive archive;
    trib_member member = {0};
    trib_buffer xml = {0};
    trib_status status = trib_archive_memory(&archive, file.name, file.at, file.length, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_archive_next(&archive, &member, error)) == TRIB_OK && member.name) {
        if (!member.is_file || (strcmp(member.name, "docProps/core.xml") != 0 &&
                                strcmp(member.name, "meta.xml") != 0 && !ends(member.name, ".opf")))
            continue;
        status = trib_archive_read_some(&archive, &xml, PROPERTIES_MOST + 1, error);
        if (status == TRIB_OK) status = read_xml(about, &xml, is_date, error);
        break;
    }
    trib_archive_close(&archive);
    trib_buffer_release(&xml);
    return status;
}

#else

static trib_status read_zip(trib_tei_about *about, trib_markup_bytes file, trib_is_date *is_date,
                            trib_error *error) {
    (void)about, (void)file, (void)is_date, (void)error;
    return TRIB_OK;
}

#endif

trib_status trib_file_properties(trib_tei_about *about, trib_markup_bytes file,
                                 trib_is_date *is_date, trib_error *error) {
    trib_error why = {0};
    *about = (trib_tei_about){0};
    if (file.length > 5 && memcmp(file.at, "%PDF-", 5) == 0) read_pdf(about, file, is_date);
    if (file.length < 4 || memcmp(file.at, "PK\3\4", 4) != 0) return TRIB_OK;
    const trib_status status = read_zip(about, file, is_date, &why);
    return status == TRIB_MEMORY ? trib_fail(error, TRIB_MEMORY, "%s", why.message) : TRIB_OK;
}
