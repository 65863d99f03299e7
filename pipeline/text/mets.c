/* mets.c - reads the pages of a METS file. Its fileSec lists groups of files: one has the texts of
 * the pages, others their pictures. Its structMap has an element for each page, which names files
 * of several groups. */
#include "pipeline/text/mets.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pipeline/support/path.h"
#include "pipeline/text/elements.h"

bool trib_mets_begins(const char *first, size_t n) {
    bool is_comment = false;
    for (size_t i = 0; i + 5 < n; i++) {
        if (memcmp(first + i, is_comment ? "-->" : "<!--", is_comment ? 3 : 4) == 0)
            is_comment = !is_comment;
        if (is_comment || first[i] != '<' || !isalpha((unsigned char)first[i + 1])) continue;
        size_t end = i + 1; /* the first element is the root */
        while (end < n && !strchr(" \t\r\n/>", first[end])) end++;
        const size_t length = end - i - 1;
        const char *name = first + end - 4;
        return end < n && length >= 4 && memcmp(name, "mets", 4) == 0 &&
               (length == 4 || name[-1] == ':');
    }
    return false;
}

void trib_mets_release(trib_mets *mets) {
    for (size_t i = 0; i < mets->n; i++) trib_free(mets->page[i].file);
    trib_free(mets->page);
    *mets = (trib_mets){0};
}

#ifdef TRIB_WITH_XML
#include <libxml/parser.h>

typedef struct reading {
    trib_mets *mets;
    const char *name;     /* of the METS file */
    const xmlNode *files; /* fileSec */
    const xmlNode *group; /* whose files are the texts */
    trib_intern id;       /* of these files */
    const xmlNode **file; /* [id.n_words] */
    size_t cap;
} reading;

/* The element after `node` in document order, below `top`; NULL: none. */
static const xmlNode *next_node(const xmlNode *top, const xmlNode *node) {
    if (node->type == XML_ELEMENT_NODE && node->children) return node->children;
    while (node != top && !node->next) node = node->parent;
    return node == top ? NULL : node->next;
}

static const xmlNode *next_named(const xmlNode *top, const xmlNode *node, const char *name) {
    do node = next_node(top, node);
    while (node && !trib_node_is(node, name));
    return node;
}

/* Where a file is, or "". */
static const char *href_of(const xmlNode *file) {
    const xmlNode *at = next_named(file, file, "FLocat");
    return at ? trib_node_attribute(at, "href") : "";
}

/* Whether a file is one that pages are read from. */
static bool is_text(const xmlNode *file) {
    static const char *const endings[] = {".xml", ".hocr", ".html", ".htm", ".xhtml"};
    const char *href = href_of(file);
    const size_t n = strlen(href);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(endings[i]);
        if (n > length && strcasecmp(href + n - length, endings[i]) == 0) return true;
    }
    return false;
}

static const xmlNode *group_of(const xmlNode *file) {
    const xmlNode *at = file->parent;
    while (at && !trib_node_is(at, "fileGrp")) at = at->parent;
    return at;
}

static void choose_group(reading *r) {
    bool is_full = false;
    for (const xmlNode *at = r->files; (at = next_named(r->files, at, "file")) && !is_full;) {
        const xmlNode *group = group_of(at);
        if (!group || !is_text(at)) continue;
        is_full = strcasecmp(trib_node_attribute(group, "USE"), "FULLTEXT") == 0;
        r->group = group;
    }
}

/* ---- Names ----------------------------------------------------------------------------------- */

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes %20 and such, in place. */
static void decode(char *name) {
    char *to = name;
    for (const char *at = name; *at; at++) {
        const bool coded = at[0] == '%' && hex(at[1]) >= 0 && hex(at[2]) >= 0;
        *to++ = coded ? (char)(hex(at[1]) * 16 + hex(at[2])) : *at;
        if (coded) at += 2;
    }
    *to = '\0';
}

static trib_status add_page(reading *r, const xmlNode *file, const char *label, trib_error *error) {
    trib_mets *mets = r->mets;
    const char *href = href_of(file);
    const unsigned long line = (unsigned long)xmlGetLineNo(file);
    if (strncmp(href, "file://./", 9) == 0) href += 9;
    trib_status status =
        TRIB_GROW(&mets->page, &mets->cap, mets->n + 1, "the pages of a text", error);
    if (status != TRIB_OK) return status;
    trib_mets_page *page = &mets->page[mets->n];
    *page = (trib_mets_page){.line = (uint32_t)line};
    snprintf(page->label, sizeof page->label, "%s", label);
    status = trib_copy(&page->file, href, error);
    if (status != TRIB_OK) return status;
    mets->n++;
    decode(page->file);
    if (strstr(href, "://"))
        return trib_fail(error, TRIB_INPUT,
                         "%s:%lu: the page '%s' is not in the folder of this file; fetch it and "
                         "name it relative to the folder",
                         r->name, line, href);
    if (trib_path_leads_out(page->file))
        return trib_fail(error, TRIB_INPUT,
                         "%s:%lu: the page '%s' leads out of the folder of this file; move it "
                         "there and name it relative to the folder",
                         r->name, line, href);
    return TRIB_OK;
}

/* ---- Pages ----------------------------------------------------------------------------------- */

/* Makes the reference of a page: its printed number where it has one, otherwise its order. */
static void make_label(char label[TRIB_METS_LABEL], const xmlNode *page, size_t order) {
    const char *printed = trib_node_attribute(page, "ORDERLABEL");
    const char *given = trib_node_attribute(page, "ORDER");
    bool has_any = false;
    for (const char *c = printed; *c; c++)
        has_any = has_any || isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80;
    if (has_any && strcasecmp(printed, "uncounted") != 0 && strlen(printed) < 32)
        snprintf(label, TRIB_METS_LABEL, "p. %s", printed);
    else if (*given && strlen(given) < 12) snprintf(label, TRIB_METS_LABEL, "page %s", given);
    else snprintf(label, TRIB_METS_LABEL, "page %zu", order);
}

/* Collects the files of the group by their ids. */
static trib_status list_files(reading *r, trib_error *error) {
    trib_status status = TRIB_OK;
    for (const xmlNode *at = r->group;
         status == TRIB_OK && (at = next_named(r->group, at, "file"));) {
        const char *id = trib_node_attribute(at, "ID");
        const uint32_t n = r->id.n_words;
        uint32_t number = 0;
        if (!is_text(at)) continue;
        status = TRIB_GROW(&r->file, &r->cap, (size_t)n + 1, "pages", error);
        if (status == TRIB_OK) status = trib_intern_add(&r->id, id, strlen(id), &number, error);
        if (status == TRIB_OK && number == n) r->file[n] = at;
    }
    return status;
}

/* The file of the group with the texts that has an id; NULL: none. */
static const xmlNode *file_with(const reading *r, const char *id) {
    const uint32_t number = trib_intern_find(&r->id, id, strlen(id));
    return number == UINT32_MAX ? NULL : r->file[number];
}

/* Adds the page of each pointer of a structMap that names a file with a text. */
static trib_status add_pages(reading *r, const xmlNode *map, trib_error *error) {
    const xmlNode *at = map, *page = NULL;
    size_t n_pages = 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && (at = next_node(map, at))) {
        const char *id = trib_node_attribute(at, "FILEID");
        char label[TRIB_METS_LABEL];
        if (!*id || (!trib_node_is(at, "fptr") && !trib_node_is(at, "area"))) continue;
        const xmlNode *holder = at->parent;
        while (holder != map && !trib_node_is(holder, "div")) holder = holder->parent;
        if (holder != page) page = holder, n_pages++;
        const xmlNode *file = file_with(r, id);
        make_label(label, page, n_pages);
        if (file) status = add_page(r, file, label, error);
    }
    return status;
}

static const xmlNode *physical_map(const xmlNode *root) {
    const xmlNode *first = NULL;
    for (const xmlNode *at = root->children; at; at = at->next) {
        if (!trib_node_is(at, "structMap")) continue;
        if (strcasecmp(trib_node_attribute(at, "TYPE"), "PHYSICAL") == 0) return at;
        if (!first) first = at;
    }
    return first;
}

static trib_status read_pages(reading *r, const xmlNode *root, trib_error *error) {
    const xmlNode *map = physical_map(root);
    trib_status status = TRIB_OK;
    for (const xmlNode *at = root->children; at && !r->files; at = at->next)
        if (trib_node_is(at, "fileSec")) r->files = at;
    if (r->files) choose_group(r);
    if (r->group) status = list_files(r, error);
    if (r->group && map && status == TRIB_OK) status = add_pages(r, map, error);
    size_t n = 0;
    if (r->group && !map)
        for (const xmlNode *at = r->group;
             status == TRIB_OK && (at = next_named(r->group, at, "file"));) {
            char label[TRIB_METS_LABEL];
            snprintf(label, sizeof label, "page %zu", ++n);
            if (is_text(at)) status = add_page(r, at, label, error);
        }
    if (status != TRIB_OK || r->mets->n > 0) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%s: names no text of a page (ALTO, PAGE or hOCR: .xml, .hocr, .html)",
                     r->name);
}

trib_status trib_mets_read(trib_mets *mets, trib_markup_bytes file, trib_error *error) {
    reading r = {.mets = mets, .name = file.name};
    trib_status status = trib_html_check_attributes(file, false, error);
    if (status == TRIB_OK && file.length > INT32_MAX)
        status = trib_fail(error, TRIB_INPUT, "%s: is larger than 2 GiB", file.name);
    if (status != TRIB_OK) return status;
    trib_xml_begin();
    xmlResetLastError();
    xmlDoc *doc = xmlReadMemory(file.at, (int)file.length, "x", NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                    XML_PARSE_BIG_LINES);
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    const xmlError *why = xmlGetLastError();
    if (!root) {
        const char *said = why && why->message ? why->message : "no element";
        status = trib_fail(error, TRIB_INPUT, "%s:%d: cannot be parsed: %.*s", file.name,
                           why ? why->line : 1, (int)strcspn(said, "\n"), said);
    } else if (doc->intSubset && doc->intSubset->entities) {
        status = trib_fail(error, TRIB_INPUT,
                           "%s: declares entities of its own, which are not expanded; replace "
                           "them by their text",
                           file.name);
    } else status = read_pages(&r, root, error);
    trib_intern_release(&r.id);
    trib_free(r.file);
    if (doc) xmlFreeDoc(doc);
    return status;
}

#else

trib_status trib_mets_read(trib_mets *mets, trib_markup_bytes file, trib_error *error) {
    (void)mets;
    return trib_fail(error, TRIB_INPUT,
                     "%s: is METS, which this build cannot read: install libxml2 (Debian: "
                     "libxml2-dev) and build again",
                     file.name);
}

#endif
