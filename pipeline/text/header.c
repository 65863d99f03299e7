/* header.c - title, author and date: from a TEI header (TEI P5, chapter 2); from the properties of
 * DOCX and other files of Office Open XML (docProps/core.xml), of ODT (meta.xml) and of EPUB (its
 * package), which all use names of Dublin Core; and the date of creation of a PDF (ISO 32000-1,
 * 14.3.3). */
#include "pipeline/text/elements.h"

#include <libxml/parser.h>

/* The end of the header in the file, or 0: the tag </teiHeader>, which may have a prefix. */
static size_t end_of_header(const char *first, size_t n) {
    static const char tag[] = "teiHeader>";
    const size_t length = sizeof tag - 1;
    for (size_t i = 0; i + length <= n; i++) {
        if (first[i] != 't' || memcmp(first + i, tag, length) != 0) continue;
        size_t before = i;
        while (before > 0 && i - before < 16 && first[before - 1] != '/') before--;
        if (before >= 2 && first[before - 1] == '/' && first[before - 2] == '<') return i + length;
    }
    return 0;
}

void trib_tei_about_copy(char to[TRIB_TITLE_MOST + 4], const char *text) {
    static const char white[] = " \t\r\n";
    size_t n = 0;
    to[0] = '\0';
    while (*(text += strspn(text, white))) {
        const size_t length = strcspn(text, white), space = n > 0;
        if (n + space + length > TRIB_TITLE_MOST) {
            if (n > 0) strcpy(to + n, "\xE2\x80\xA6");
            return;
        }
        if (space) to[n++] = ' ';
        memcpy(to + n, text, length);
        to[n += length] = '\0';
        text += length;
    }
}

static trib_status copy_node(char to[TRIB_TITLE_MOST + 4], const xmlNode *node, trib_error *error) {
    if (!node) return TRIB_OK;
    xmlChar *content = xmlNodeGetContent((xmlNode *)(uintptr_t)node);
    if (!content) return trib_fail(error, TRIB_MEMORY, "out of memory: the header of a text");
    trib_tei_about_copy(to, (const char *)content);
    xmlFree(content);
    return TRIB_OK;
}

/* Removes what often stands around a printed year: "[1603]." is 1603. */
static void trim_date(char *date) {
    size_t n = strlen(date);
    while (n > 0 && strchr("].) ;,", date[n - 1])) date[--n] = '\0';
    const size_t from = strspn(date, "[( ");
    memmove(date, date + from, n - from + 1);
}

/* The first of the attributes that an element has, or "". */
static const char *one_of(const xmlNode *node, const char *names) {
    const char *value = "";
    char name[32];
    for (int n = 0; !*value && sscanf(names, " %31s%n", name, &n) == 1; names += n)
        value = trib_node_attribute(node, name);
    return value;
}

/* What the attributes of a date say: "1871", or a range in the form of EDTF, "1871/1873", of which
 * an end may be open, "../1873". Hours are left out. "": nothing. */
static void copy_attributes(char to[TRIB_TITLE_MOST + 4], const xmlNode *date) {
    const char *when = one_of(date, "when when-iso when-custom value"); /* value: of TEI P4 */
    const char *first = one_of(date, "notBefore from notBefore-iso from-iso notBefore-custom "
                                     "from-custom");
    const char *last = one_of(date, "notAfter to notAfter-iso to-iso notAfter-custom to-custom");
    const int n_when = (int)strcspn(when, "TZ"), n_last = (int)strcspn(last, "TZ"),
              n_first = (int)strcspn(first, "TZ");
    to[0] = '\0';
    if (n_when > 0) snprintf(to, TRIB_TITLE_MOST, "%.*s", n_when, when);
    else if (n_first + n_last > 0)
        snprintf(to, TRIB_TITLE_MOST, "%.*s/%.*s", n_first > 0 ? n_first : 2,
                 n_first > 0 ? first : "..", n_last > 0 ? n_last : 2, n_last > 0 ? last : "..");
}

/* Whose date it is. The least is the date of the work. */
typedef enum { WRITTEN, FIRST_EDITION, ORIGINAL, PRINTED, RELATED, NOT_OF_THE_TEXT } whose;

#define SOURCES "bibl biblStruct biblFull msDesc relatedItem "

/* Of a date and the elements around it, the innermost that has a row decides; of its rows, the
 * first. Types are compared in lower case. */
static const struct {
    const char *elements, *types; /* parts of the attribute type; NULL: any type, or none */
    whose of;
} places[] = {
    {"author editor respStmt persName person birth death availability licence provenance "
     "acquisition additional surrogates custEvent",
     NULL, NOT_OF_THE_TEXT},
    {SOURCES "date event", "digit electron access retriev download upload online web scan facsim",
     NOT_OF_THE_TEXT},
    {"correspAction", "sent", ORIGINAL},
    {"correspAction", NULL, NOT_OF_THE_TEXT},
    {SOURCES "date event", "first princeps", FIRST_EDITION},
    {SOURCES "date event", "written compos creat", WRITTEN},
    {SOURCES "date event", "original", ORIGINAL},
    {SOURCES, "print copy", PRINTED},
    {"witness relatedItem", NULL, RELATED},
    {"creation", NULL, WRITTEN},
    {"origDate origin", NULL, ORIGINAL},
    {"sourceDesc", NULL, PRINTED},
};

/* Whether the type of an element contains one of some words. */
static bool is_of_type(const xmlNode *node, const char *words) {
    char type[64], word[32];
    size_t i = 0;
    for (const char *at = trib_node_attribute(node, "type"); *at && i < sizeof type - 1; at++)
        type[i++] = (char)(*at >= 'A' && *at <= 'Z' ? *at + 'a' - 'A' : *at);
    type[i] = '\0';
    for (int n = 0; sscanf(words, " %31s%n", word, &n) == 1; words += n)
        if (strstr(type, word)) return true;
    return false;
}

/* Whether a source is called a first edition: <edition n="1"> or <edition>Editio princeps. */
static bool is_first_edition(const xmlNode *source) {
    const xmlNode *edition = trib_node_below(source, NULL, "edition");
    if (!edition) return false;
    const xmlNode *text = edition->children;
    const char *word = text && text->type == XML_TEXT_NODE ? (const char *)text->content : "";
    char first[16] = "", second[16] = "";
    if (strcmp(trib_node_attribute(edition, "n"), "1") == 0) return true;
    sscanf(word, "%15s %15s", first, second);
    return trib_is_among("First first 1st 1. Erste erste Premi\u00E8re premi\u00E8re Prima prima "
                         "Primera primera princeps",
                         first) ||
           strcmp(second, "princeps") == 0;
}

static whose whose_date(const xmlNode *date) {
    for (const xmlNode *node = date; node && node->type == XML_ELEMENT_NODE; node = node->parent) {
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            if (trib_is_among(places[i].elements, (const char *)node->name) &&
                (!places[i].types || is_of_type(node, places[i].types)))
                return places[i].of;
        if (trib_is_among(SOURCES, (const char *)node->name) && is_first_edition(node))
            return FIRST_EDITION;
    }
    return NOT_OF_THE_TEXT; /* of the file, its licence, its changes, its persons */
}

/* Finds the date of the work: of the dates with the least rank the first that is one. */
static trib_status find_date(char to[TRIB_TITLE_MOST + 4], const xmlNode *header,
                             trib_is_date *is_date, trib_error *error) {
    trib_status status = TRIB_OK;
    whose best = NOT_OF_THE_TEXT;
    char text[TRIB_TITLE_MOST + 4];
    for (const xmlNode *date = NULL;
         status == TRIB_OK && (date = trib_node_below(header, date, NULL)) != NULL;) {
        const bool is_place = trib_is_among("creation origin", (const char *)date->name);
        if (!is_place && !trib_is_among("date dateRange origDate", (const char *)date->name))
            continue;
        const whose of = whose_date(date);
        if (of >= best) continue;
        copy_attributes(text, date);
        if (!*text || !is_date(text)) {
            text[0] = '\0';
            if (!is_place || !trib_node_below(date, NULL, NULL))
                status = copy_node(text, date, error);
            trim_date(text);
        }
        if (!*text || !is_date(text)) continue;
        strcpy(to, text);
        best = of;
    }
    return status;
}

trib_status trib_tei_header_add(trib_tei_about *about, const xmlNode *header, trib_is_date *is_date,
                                trib_error *error) {
    const xmlNode *statement = trib_node_below(header, NULL, "titleStmt");
    const xmlNode *title = trib_node_below(statement, NULL, "title");
    const xmlNode *author = trib_node_below(statement, NULL, "author");
    const xmlNode *person = trib_node_below(author, NULL, "persName"); /* beside identifiers */
    trib_status status = TRIB_OK;
    if (!*about->title) status = copy_node(about->title, title, error);
    if (!*about->author && status == TRIB_OK)
        status = copy_node(about->author, person ? person : author, error);
    if (!*about->date && status == TRIB_OK) status = find_date(about->date, header, is_date, error);
    return status;
}

static trib_status read_header(trib_tei_about *about, trib_markup_bytes file, trib_is_date *is_date,
                               trib_error *error) {
    xmlDoc *doc = NULL;
    trib_status status = trib_xml_document(&doc, file, XML_PARSE_RECOVER, error);
    if (status != TRIB_OK) return status;
    const xmlNode *root = xmlDocGetRootElement(doc);
    status = trib_tei_header_add(about, trib_node_below(root, NULL, "teiHeader"), is_date, error);
    xmlFreeDoc(doc);
    return status;
}

/* ---- Properties in packed XML ---------------------------------------------------------------- */

enum { PROPERTIES_MOST = 1 << 20 }; /* bytes of a file of properties */

/* Copies the content of the first element of these names that is not empty. */
static trib_status copy_first(char to[TRIB_TITLE_MOST + 4], const xmlNode *root,
                              const char *const names[3], trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < 3 && names[i]; i++)
        for (const xmlNode *node = NULL;
             status == TRIB_OK && !*to && (node = trib_node_below(root, node, names[i])) != NULL;)
            status = copy_node(to, node, error);
    return status;
}

static trib_status read_xml(trib_tei_about *about, const trib_buffer *xml, trib_is_date *is_date,
                            trib_error *error) {
    static const char *const title[3] = {"title"},
                             *const author[3] = {"creator", "initial-creator"},
                             *const date[3] = {"created", "creation-date", "date"};
    if (xml->length == 0 || xml->length > PROPERTIES_MOST) return TRIB_OK;
    xmlDoc *doc = trib_xml_parse(xml->text, xml->length, NULL, 0);
    const bool is_plain = trib_xml_check(doc, "", NULL) == TRIB_OK;
    const xmlNode *root = is_plain ? xmlDocGetRootElement(doc) : NULL;
    trib_status status = copy_first(about->title, root, title, error);
    if (status == TRIB_OK) status = copy_first(about->author, root, author, error);
    if (status == TRIB_OK) status = copy_first(about->date, root, date, error);
    if (doc) xmlFreeDoc(doc);
    char *time = strchr(about->date, 'T'); /* "2019-03-04T10:00:00Z" */
    if (time && time - about->date == 10) *time = '\0';
    if (!is_date(about->date)) about->date[0] = '\0';
    return status;
}

static trib_status read_zip(trib_tei_about *about, trib_markup_bytes file, trib_is_date *is_date,
                            trib_error *error) {
    TRIB_OPENED(trib_archive) archive = {0};
    trib_member member = {0};
    TRIB_OWNED(trib_buffer) xml = {0};
    trib_status status = trib_archive_memory(&archive, file.name, file.at, file.length, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_archive_next(&archive, &member, error)) == TRIB_OK && member.name) {
        if (!member.is_file || (strcmp(member.name, "docProps/core.xml") != 0 &&
                                strcmp(member.name, "meta.xml") != 0 &&
                                !trib_name_ends(member.name, strlen(member.name), ".opf")))
            continue;
        status = trib_archive_read_some(&archive, &xml, PROPERTIES_MOST + 1, error);
        if (status == TRIB_OK) status = read_xml(about, &xml, is_date, error);
        break;
    }
    return status;
}

/* ---- Properties ------------------------------------------------------------------------------ */

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

/* ---- Reading, apart (apart.h) ---------------------------------------------------------------- */

typedef struct asked {
    trib_tei_about about;
    void (*is_date)(void);
} asked;

static bool is_zip(trib_markup_bytes file) {
    return file.length >= 4 && memcmp(file.at, "PK\3\4", 4) == 0;
}

static trib_status work(void *record, trib_markup_bytes file, trib_error *error) {
    asked *const a = record;
    return (is_zip(file) ? read_zip : read_header)(&a->about, file, (trib_is_date *)a->is_date,
                                                   error);
}

static void pack_asked(trib_pack *pack, void *record) {
    trib_pack_function(pack, &((asked *)record)->is_date);
}

void trib_tei_about_pack(trib_pack *pack, void *about) {
    trib_tei_about *const a = about;
    trib_pack_text(pack, a->title, sizeof a->title);
    trib_pack_text(pack, a->author, sizeof a->author);
    trib_pack_text(pack, a->date, sizeof a->date);
    trib_pack_bool(pack, &a->is_numbered);
}

static void release(void *record) { (void)record; }

/* A file that cannot be parsed has nothing. */
static trib_status read_about(trib_tei_about *about, trib_markup_bytes file, trib_is_date *is_date,
                              trib_error *error) {
    static const trib_apart_work by = {work, pack_asked, trib_tei_about_pack, release,
                                       .size = sizeof(asked)};
    asked a = {*about, (void (*)(void))is_date};
    trib_error why = {0};
    const trib_status status = trib_apart_do(&by, &a, file, &why);
    *about = a.about;
    return status == TRIB_OK || status == TRIB_INPUT ? TRIB_OK
                                                     : trib_fail(error, status, "%s", why.message);
}

trib_status trib_tei_header(trib_tei_about *about, const char *first, size_t n,
                            trib_is_date *is_date, trib_error *error) {
    const trib_markup_bytes bytes = {"a header", first, end_of_header(first, n)};
    *about = (trib_tei_about){0};
    return bytes.length > 0 ? read_about(about, bytes, is_date, error) : TRIB_OK;
}

trib_status trib_file_properties(trib_tei_about *about, trib_markup_bytes file,
                                 trib_is_date *is_date, trib_error *error) {
    *about = (trib_tei_about){0};
    if (file.length > 5 && memcmp(file.at, "%PDF-", 5) == 0) read_pdf(about, file, is_date);
    return is_zip(file) ? read_about(about, file, is_date, error) : TRIB_OK;
}
