/* epub.c - the text of an EPUB: its parts in the order of the spine (EPUB 3.3, W3C 2023, sections
 * 5.6 and 5.7). META-INF/container.xml names the package document. Its manifest lists the files of
 * the parts, and its spine gives their order. */
#include "pipeline/text/elements.h"

#include "pipeline/text/archive.h"

#include <libxml/parser.h>

/* A part named by the spine. */
typedef struct part {
    char *name;       /* in the archive */
    trib_buffer file; /* contents of the file */
    bool is_there;
} part;

typedef struct book {
    trib_markup_bytes file;
    part *part; /* [n] in the order of the spine */
    size_t n, cap;
    trib_intern name; /* of the parts, by their numbers */
    trib_intern id;   /* of the items of the manifest */
    const xmlNode **item;
    size_t cap_items;
} book;

static trib_status broken(const book *b, const char *why, trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "%s: cannot be read as an EPUB: %s", b->file.name, why);
}

/* Resolves a reference (a%20b.xhtml, ../x.xhtml#start) relative to the package document `from`, to
 * a name in the archive. The name is "" when the reference points outside the archive. */
static trib_status resolve(char **name, const char *from, const char *reference,
                           trib_error *error) {
    const char *slash = strrchr(from, '/');
    const size_t n_from = slash ? (size_t)(slash - from) + 1 : 0;
    const size_t n = strcspn(reference, "#");
    char *to = NULL;
    trib_status status = trib_new(&to, n_from + n + 2, 1, "the name of a part", error);
    *name = to;
    if (status != TRIB_OK) return status;
    memcpy(to, from, n_from);
    memcpy(to + n_from, reference, n);
    trib_decode_percents(to + n_from);
    size_t out = 0;
    for (const char *at = to; *at;) { /* removes "." and ".." in place */
        const size_t n_part = strcspn(at, "/");
        const size_t step = n_part + (at[n_part] == '/');
        if (n_part == 2 && at[0] == '.' && at[1] == '.') {
            if (out == 0) {
                to[0] = '\0';
                return TRIB_OK;
            }
            for (out--; out > 0 && to[out - 1] != '/';) out--;
        } else if (!(n_part == 1 && at[0] == '.') && n_part > 0) {
            memmove(to + out, at, step);
            out += step;
        }
        at += step;
    }
    to[out] = '\0';
    return TRIB_OK;
}

/* ---- The book -------------------------------------------------------------------------------- */

/* Parses a member; *doc is NULL when it cannot be parsed. *is_there is false when the archive has
 * none with this name. */
static trib_status open_member(const book *b, const char *name, xmlDoc **doc, bool *is_there,
                               trib_error *error) {
    TRIB_OWNED(trib_buffer) file = {0};
    const trib_status status = trib_archive_memory_member(b->file.name, b->file.at, b->file.length,
                                                          name, &file, is_there, error);
    const bool can_parse = status == TRIB_OK && file.length > 0 && file.length <= INT32_MAX;
    *doc = can_parse ? trib_xml_parse(file.text, file.length, NULL, 0) : NULL;
    return status;
}

/* Reads all parts, in the order in which the archive stores them. */
static trib_status read_parts(book *b, trib_error *error) {
    trib_archive archive;
    trib_member member = {0};
    trib_status status =
        trib_archive_memory(&archive, b->file.name, b->file.at, b->file.length, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_archive_next(&archive, &member, error)) == TRIB_OK && member.name) {
        const uint32_t p = trib_intern_find(&b->name, member.name, strlen(member.name));
        if (p == UINT32_MAX || b->part[p].is_there || !member.is_file) continue;
        b->part[p].is_there = true;
        status = trib_archive_read(&archive, &b->part[p].file, error);
        if (status != TRIB_OK) break;
    }
    trib_archive_close(&archive);
    return status;
}

static trib_status find_package(const book *b, char **name, trib_error *error) {
    xmlDoc *doc = NULL;
    bool is_there = false;
    trib_status status = open_member(b, "META-INF/container.xml", &doc, &is_there, error);
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    const xmlNode *rootfile = trib_node_below(root, NULL, "rootfile");
    const char *path = rootfile ? trib_node_attribute(rootfile, "full-path") : "";
    if (status == TRIB_OK && *path) status = resolve(name, "", path, error);
    else if (status == TRIB_OK)
        status = broken(b,
                        is_there ? "META-INF/container.xml names no package"
                                 : "it has no META-INF/container.xml",
                        error);
    if (doc) xmlFreeDoc(doc);
    return status;
}

/* Collects the items of the manifest by their ids. */
static trib_status list_items(book *b, const xmlNode *root, trib_error *error) {
    trib_status status = TRIB_OK;
    for (const xmlNode *item = NULL;
         status == TRIB_OK && (item = trib_node_below(root, item, "item")) != NULL;) {
        const char *id = trib_node_attribute(item, "id");
        const uint32_t n = b->id.n_words;
        uint32_t number = 0;
        status = TRIB_GROW(&b->item, &b->cap_items, (size_t)n + 1, "parts of a book", error);
        if (status == TRIB_OK) status = trib_intern_add(&b->id, id, strlen(id), &number, error);
        if (status == TRIB_OK && number == n) b->item[n] = item;
    }
    return status;
}

/* Adds the part that an itemref of the spine names. */
static trib_status add_part(book *b, const char *package, const char *id, trib_error *error) {
    const uint32_t item = *id ? trib_intern_find(&b->id, id, strlen(id)) : UINT32_MAX;
    const char *reference = item != UINT32_MAX ? trib_node_attribute(b->item[item], "href") : "";
    uint32_t number = 0;
    if (!*reference) return broken(b, "its spine names a part that is not in its manifest", error);
    trib_status status = trib_parts_check(b->file.name, "parts", b->n + 1, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&b->part, &b->cap, b->n + 1, "parts of a book", error);
    if (status != TRIB_OK) return status;
    b->part[b->n] = (part){0};
    status = resolve(&b->part[b->n].name, package, reference, error);
    if (status != TRIB_OK) return status;
    const char *name = b->part[b->n++].name;
    if (!*name) return broken(b, "the name of a part points outside the archive", error);
    status = trib_intern_add(&b->name, name, strlen(name), &number, error);
    if (status == TRIB_OK && number + 1 < b->n)
        status = broken(b, "its spine names a part twice", error);
    return status;
}

static trib_status read_spine(book *b, const char *package, trib_error *error) {
    xmlDoc *doc = NULL;
    bool is_there = false;
    trib_status status = open_member(b, package, &doc, &is_there, error);
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    if (status == TRIB_OK && !root) status = broken(b, "its package cannot be parsed", error);
    if (status == TRIB_OK) status = list_items(b, root, error);
    for (const xmlNode *ref = NULL;
         status == TRIB_OK && (ref = trib_node_below(root, ref, "itemref")) != NULL;)
        status = add_part(b, package, trib_node_attribute(ref, "idref"), error);
    if (status == TRIB_OK && b->n == 0) status = broken(b, "its spine is empty", error);
    if (doc) xmlFreeDoc(doc);
    return status;
}

/* Fails when a text is encrypted (DRM). Encrypted fonts are allowed. */
static trib_status check_locks(const book *b, trib_error *error) {
    xmlDoc *doc = NULL;
    bool is_there = false;
    trib_status status = open_member(b, "META-INF/encryption.xml", &doc, &is_there, error);
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    for (const xmlNode *ref = NULL;
         status == TRIB_OK && (ref = trib_node_below(root, ref, "CipherReference")) != NULL;) {
        char *name = NULL;
        status = resolve(&name, "", trib_node_attribute(ref, "URI"), error);
        if (status == TRIB_OK && trib_intern_find(&b->name, name, strlen(name)) != UINT32_MAX)
            status = broken(b, "its text is encrypted (DRM)", error);
        trib_free(name);
    }
    if (doc) xmlFreeDoc(doc);
    return status;
}

trib_status trib_epub_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    book b = {.file = file};
    char *package = NULL;
    trib_status status = find_package(&b, &package, error);
    if (status == TRIB_OK) status = read_spine(&b, package, error);
    if (status == TRIB_OK) status = check_locks(&b, error);
    if (status == TRIB_OK) status = read_parts(&b, error);
    for (size_t p = 0; p < b.n && status == TRIB_OK; p++) {
        char name[512];
        snprintf(name, sizeof name, "%s/%s", file.name, b.part[p].name);
        const trib_buffer *bytes = &b.part[p].file;
        if (!b.part[p].is_there)
            status = trib_fail(error, TRIB_INPUT, "%s: is named by the EPUB but not in it", name);
        else
            status = trib_xml_text(
                to, (trib_markup_bytes){name, bytes->text ? bytes->text : "", bytes->length},
                error);
    }
    for (size_t p = 0; p < b.n; p++) {
        trib_free(b.part[p].name);
        trib_buffer_release(&b.part[p].file);
    }
    trib_intern_release(&b.name);
    trib_intern_release(&b.id);
    TRIB_FREE(b.part, b.item, package);
    return status;
}
