/* tei.c - finds the texts of a file of TEI, and makes a file of each. */
#include "pipeline/text/tei.h"

#include <ctype.h>

#include "pipeline/text/elements.h"
#include "pipeline/text/text_formats.h"

/* ---- The first bytes ------------------------------------------------------------------------- */

/* A tag of a file that is not parsed. */
typedef struct tag {
    const char *name; /* without its prefix */
    size_t length;
    bool ends, is_empty; /* </name>, <name/> */
} tag;

static bool is_named(tag t, const char *name) {
    return t.length == strlen(name) && memcmp(t.name, name, t.length) == 0;
}

/* The offset after the next `end` from `at` on; n when there is none. */
static size_t after(const char *first, size_t n, size_t at, const char *end) {
    const size_t length = strlen(end);
    for (; at + length <= n; at++)
        if (memcmp(first + at, end, length) == 0) return at + length;
    return n;
}

/* The offset of the '>' that ends the tag whose name ends at `at`; n when there is none. */
static size_t end_of_tag(const char *first, size_t n, size_t at) {
    char quote = '\0';
    for (; at < n && (quote || first[at] != '>'); at++)
        if (first[at] == quote) quote = '\0';
        else if (!quote && (first[at] == '"' || first[at] == '\'')) quote = first[at];
    return at;
}

/* Reads the next tag, and advances *at. false when there is no whole one. */
static bool next_tag(const char *first, size_t n, size_t *at, tag *t) {
    while (*at + 1 < n) {
        const char *open = memchr(first + *at, '<', n - *at - 1);
        if (!open) return false;
        size_t i = (size_t)(open - first) + 1;
        *at = i;
        if (n - i >= 3 && memcmp(first + i, "!--", 3) == 0) *at = after(first, n, i + 3, "-->");
        else if (n - i >= 8 && memcmp(first + i, "![CDATA[", 8) == 0)
            *at = after(first, n, i + 8, "]]>");
        else if (first[i] == '?') *at = after(first, n, i, "?>");
        t->ends = first[i] == '/';
        i += t->ends;
        if (*at > i || i >= n || !(isalpha((unsigned char)first[i]) || first[i] == '_')) continue;
        t->name = first + i;
        for (; i < n && !strchr(" \t\r\n/>", first[i]); i++)
            if (first[i] == ':') t->name = first + i + 1;
        t->length = (size_t)(first + i - t->name);
        *at = end_of_tag(first, n, i);
        t->is_empty = *at < n && first[*at - 1] == '/';
        return *at < n;
    }
    return false;
}

trib_tei_count trib_tei_texts_begin(const char *first, size_t n) {
    size_t at = 0, n_tags = 0, n_texts = 0, n_floating = 0;
    bool in_header = false;
    tag t;
    /* UTF-16, in which no tag is found: the file has to be parsed */
    if (n >= 2 && (memchr("\xFE\xFF", first[0], 2) || !first[0] || !first[1]))
        return TRIB_TEI_SEVERAL;
    while (next_tag(first, n, &at, &t)) {
        const bool is_tei = is_named(t, "TEI") || is_named(t, "TEI.2");
        if (n_tags++ == 0) {
            if (is_named(t, "teiCorpus")) return TRIB_TEI_SEVERAL;
            if (!is_tei) return TRIB_TEI_ONE;
        } else if (is_named(t, "teiHeader")) in_header = !t.ends && !t.is_empty;
        else if (in_header) continue;
        else if (is_named(t, "floatingText") && !t.is_empty) n_floating += t.ends ? (size_t)-1 : 1;
        else if (is_tei && !t.ends) return TRIB_TEI_SEVERAL;
        else if (n_floating == 0 && is_named(t, "group")) return TRIB_TEI_SEVERAL;
        else if (is_named(t, "text") && !t.ends && n_texts++ > 0) return TRIB_TEI_SEVERAL;
    }
    return TRIB_TEI_UNSURE;
}

/* ---- The texts ------------------------------------------------------------------------------- */

static bool has_words(const xmlNode *top) {
    for (const xmlNode *node = top; (node = trib_node_after(top, node, true)) != NULL;) {
        const char *content = node->type == XML_TEXT_NODE ? (const char *)node->content : NULL;
        if (content && content[strspn(content, " \t\r\n")]) return true;
    }
    return false;
}

static trib_status add(const void ***list, size_t *n, size_t *cap, const xmlNode *node,
                       trib_error *error) {
    const trib_status status = TRIB_GROW(list, cap, *n + 1, "texts", error);
    if (status == TRIB_OK) (*list)[(*n)++] = node;
    return status;
}

static bool holds_texts(const xmlNode *node) {
    return trib_node_is(node, "teiCorpus") || trib_node_is(node, "TEI") ||
           trib_node_is(node, "TEI.2") || trib_node_is(node, "group") ||
           (trib_node_is(node, "text") && trib_node_child(node, "group"));
}

/* Whether a text is one of several in its <TEI>. Looks for the nearest one, so that all texts
 * together take linear time. */
static bool is_beside_texts(const xmlNode *text) {
    const xmlNode *next = text->next, *before = text->prev;
    if (trib_node_is(text->parent, "group")) return false;
    while (next && !trib_node_is(next, "text")) next = next->next;
    while (!next && before && !trib_node_is(before, "text")) before = before->prev;
    return next || before;
}

/* Takes a child of an element that holds texts. */
static trib_status take(trib_tei_texts *texts, const xmlNode *node, trib_error *error) {
    const bool is_around = trib_node_is(node, "front") || trib_node_is(node, "back");
    const bool is_text =
        trib_node_is(node, "text") ||
        /* the transcription of a source, where it is all there is */
        (trib_node_is(node, "sourceDoc") && !trib_node_child(node->parent, "text"));
    if (is_text && is_beside_texts(node) && !has_words(node)) return TRIB_OK;
    if (is_text) return add(&texts->text, &texts->n, &texts->cap, node, error);
    return is_around && has_words(node)
               ? add(&texts->around, &texts->n_around, &texts->around_cap, node, error)
               : TRIB_OK;
}

/* ---- Apart (apart.h) ------------------------------------------------------------------------- */

static trib_status work_open(void *record, trib_markup_bytes file, trib_error *error) {
    return trib_tei_texts_open(record, file, error);
}

/* About a text, if a function for dates is asked for, or the text. */
static trib_status work_text(void *record, trib_markup_bytes file, trib_error *error) {
    trib_tei_texts *const t = record;
    (void)file;
    trib_buffer_clear(&t->made);
    return t->is_date
               ? trib_tei_texts_about(t, t->asked, &t->about, (trib_is_date *)t->is_date, error)
               : trib_tei_texts_add(t, t->asked, &t->made, error);
}

static void pack_numbers(trib_pack *pack, void *record) {
    trib_tei_texts *const t = record;
    TRIB_PACK(pack, t->n);
    size_t n = t->n_around;
    trib_pack_number(pack, &t->around, pack->reads ? &t->n_around : &n, sizeof *t->around, 1,
                     "parts around texts");
    for (size_t i = 0; i < t->n_around; i++) {
        bool is_front = !pack->reads && trib_node_is(t->around[i], "front");
        trib_pack_bool(pack, &is_front);
        if (pack->reads) t->around[i] = is_front ? "front" : "back";
    }
}

static void pack_asked(trib_pack *pack, void *record) {
    trib_tei_texts *const t = record;
    TRIB_PACK(pack, t->asked);
    trib_pack_function(pack, &t->is_date);
}

static void pack_text(trib_pack *pack, void *record) {
    trib_pack_buffer(pack, &((trib_tei_texts *)record)->made);
    trib_tei_about_pack(pack, &((trib_tei_texts *)record)->about);
}

static void release(void *record) { trib_tei_texts_close(record); }

#define ROW .release = release, .size = sizeof(trib_tei_texts), .leaves = true
static const trib_apart_work apart_open = {work_open, .answer = pack_numbers, ROW};
static const trib_apart_work apart_text = {work_text, pack_asked, pack_text, ROW, .goes_on = true};

static trib_status ask(const trib_tei_texts *texts, size_t i, trib_is_date *is_date,
                       trib_error *error) {
    trib_tei_texts *const t = (trib_tei_texts *)(uintptr_t)texts;
    const trib_markup_bytes none = {"a text of TEI", "", 0};
    t->asked = i;
    t->is_date = (void (*)(void))is_date;
    trib_buffer_clear(&t->made);
    return trib_apart_continue(&t->apart, &apart_text, t, none, -1, error);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

trib_status trib_tei_texts_open(trib_tei_texts *texts, trib_markup_bytes file, trib_error *error) {
    xmlDoc *doc = NULL;
    *texts = (trib_tei_texts){0};
    trib_status status = trib_apart_open(&texts->apart, error);
    if (status == TRIB_OK && texts->apart) {
        status = trib_apart_continue(&texts->apart, &apart_open, texts, file, -1, error);
        if (status != TRIB_OK) trib_tei_texts_close(texts);
        return status;
    }
    if (status == TRIB_OK) status = trib_xml_document(&doc, file, 0, error);
    if (status != TRIB_OK) return status;
    texts->document = doc;
    const xmlNode *root = xmlDocGetRootElement(doc);
    const xmlNode *node = strcmp(trib_vocabulary_of(root)->name, "TEI") == 0 ? root : NULL;
    for (; node && status == TRIB_OK; node = trib_node_after(root, node, holds_texts(node)))
        if (!holds_texts(node) || !node->children) status = take(texts, node, error);
    if (status != TRIB_OK) trib_tei_texts_close(texts);
    return status;
}

void trib_tei_texts_close(trib_tei_texts *texts) {
    if (texts->document) xmlFreeDoc(texts->document);
    TRIB_FREE(texts->text, texts->around);
    trib_apart_close(&texts->apart);
    trib_buffer_release(&texts->made);
    *texts = (trib_tei_texts){0};
}

/* Copies the declarations of the glyphs of a text to the root of its file. */
static void copy_glyphs(xmlDoc *doc, xmlNode *root, const xmlNode *text) {
    for (const xmlNode *at = trib_node_below(text, NULL, "g") ? text->parent : NULL; at;
         at = at->parent) {
        const xmlNode *header = trib_node_child(at, "teiHeader");
        const xmlNode *glyphs = header ? trib_node_below(header, NULL, "charDecl") : NULL;
        xmlNode *copy = glyphs ? xmlDocCopyNode((xmlNode *)(uintptr_t)glyphs, doc, 1) : NULL;
        if (copy) xmlAddChild(root, copy);
    }
}

trib_status trib_tei_texts_add(const trib_tei_texts *texts, size_t i, trib_buffer *to,
                               trib_error *error) {
    const xmlDoc *from = texts->document;
    if (texts->apart) {
        const trib_status made = ask(texts, i, NULL, error);
        return made == TRIB_OK ? trib_buffer_add(to, texts->made.text, texts->made.length, error)
                               : made;
    }
    xmlChar *bytes = NULL;
    int length = 0;
    xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
    xmlNode *root = doc ? xmlNewDocNode(doc, NULL, (const xmlChar *)"TEI", NULL) : NULL;
    xmlNode *copy = root ? xmlDocCopyNode((xmlNode *)(uintptr_t)texts->text[i], doc, 1) : NULL;
    if (root) xmlDocSetRootElement(doc, root);
    /* with a document type, as the entities of HTML need */
    const bool has_type = copy && from->intSubset;
    const bool is_typed =
        !has_type || xmlCreateIntSubset(doc, root->name, NULL, (const xmlChar *)"tei.dtd");
    if (copy) copy_glyphs(doc, root, texts->text[i]);
    if (copy) xmlAddChild(root, copy);
    if (copy && is_typed) xmlDocDumpMemoryEnc(doc, &bytes, &length, "UTF-8");
    const trib_status status =
        bytes && length > 0 ? trib_buffer_add(to, (const char *)bytes, (size_t)length, error)
                            : trib_fail(error, TRIB_MEMORY, "out of memory: a text of a file");
    if (bytes) xmlFree(bytes);
    if (doc) xmlFreeDoc(doc);
    return status;
}

/* ---- About a text ---------------------------------------------------------------------------- */

/* Copies the words of a heading, without its notes. */
static trib_status copy_heading(char to[TRIB_TITLE_MOST + 4], const xmlNode *top,
                                trib_error *error) {
    TRIB_OWNED(trib_buffer) words = {0};
    trib_status status = TRIB_OK;
    for (const xmlNode *node = top, *next; node; node = next) {
        const char *content = node->type == XML_TEXT_NODE ? (const char *)node->content : NULL;
        if (trib_node_is(node, "lb")) content = " ";
        if (content) status = trib_buffer_add(&words, content, strlen(content), error);
        next = trib_node_after(top, node, !trib_node_is(node, "note") && !trib_node_is(node, "fw"));
    }
    if (status == TRIB_OK) trib_tei_about_copy(to, words.text ? words.text : "");
    return status;
}

static trib_status find_heading(char to[TRIB_TITLE_MOST + 4], const xmlNode *text,
                                trib_error *error) {
    static const char *const names[] = {"titlePart", "head"};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < 2 && !*to && status == TRIB_OK; i++) {
        const xmlNode *heading = trib_node_below(text, NULL, names[i]);
        if (heading) status = copy_heading(to, heading, error);
    }
    return status;
}

trib_status trib_tei_texts_about(const trib_tei_texts *texts, size_t i, trib_tei_about *about,
                                 trib_is_date *is_date, trib_error *error) {
    trib_status status = TRIB_OK;
    *about = (trib_tei_about){0};
    if (texts->apart) {
        status = ask(texts, i, is_date, error);
        if (status == TRIB_OK) *about = texts->about;
        return status;
    }
    const xmlNode *text = texts->text[i];
    if (!trib_node_is(text->parent, "group") && !is_beside_texts(text))
        status =
            trib_tei_header_add(about, trib_node_child(text->parent, "teiHeader"), is_date, error);
    if (!*about->title && status == TRIB_OK) status = find_heading(about->title, text, error);
    const bool has_title = *about->title != '\0';
    for (const xmlNode *node = text->parent; node && status == TRIB_OK; node = node->parent)
        if (node->type == XML_ELEMENT_NODE)
            status = trib_tei_header_add(about, trib_node_child(node, "teiHeader"), is_date, error);
    const size_t n = strlen(about->title);
    about->is_numbered = !has_title && n > 0; /* the title of a whole */
    if (about->is_numbered) snprintf(about->title + n, sizeof about->title - n, " %zu", i + 1);
    return status;
}

const char *trib_tei_texts_around(const trib_tei_texts *texts, size_t i) {
    if (texts->apart) return texts->around[i];
    return trib_node_is(texts->around[i], "front") ? "front" : "back";
}

/* ---- Files ----------------------------------------------------------------------------------- */

bool trib_tei_file_is_named(const char *path) {
    const trib_text_format *format = trib_text_format_named(path, NULL, 0);
    return format && (strcmp(format->name, "TEI") == 0 || strcmp(format->name, "XML") == 0);
}

static trib_tei_count count(const trib_buffer *file) {
    return trib_tei_texts_begin(file->text ? file->text : "", file->length);
}

/* Takes ownership of `reader`. */
static trib_status open_reader(trib_tei_texts *texts, trib_buffer *first, trib_reader *reader,
                               const char *name, trib_error *error) {
    trib_unpacked unpacked = {0};
    *texts = (trib_tei_texts){0};
    trib_status status = trib_unpacked_open(&unpacked, reader, error);
    if (status == TRIB_OK) status = trib_unpacked_add(&unpacked, first, TRIB_HEADER_BYTES, error);
    if (status == TRIB_OK && count(first) != TRIB_TEI_ONE)
        status = trib_unpacked_add(&unpacked, first, SIZE_MAX, error);
    trib_unpacked_close(&unpacked);
    trib_reader_close(reader);
    if (status != TRIB_OK || count(first) != TRIB_TEI_SEVERAL) return status;
    status =
        trib_tei_texts_open(texts, (trib_markup_bytes){name, first->text, first->length}, error);
    if (texts->n < 2) trib_tei_texts_close(texts);
    return status;
}

trib_status trib_tei_file_open(trib_tei_texts *texts, trib_buffer *first, const char *path,
                               trib_error *error) {
    trib_reader reader;
    *texts = (trib_tei_texts){0};
    const trib_status status = trib_reader_open(&reader, path, error);
    return status == TRIB_OK ? open_reader(texts, first, &reader, path, error) : status;
}

/* The same of a file in memory. */
static trib_status open_bytes(trib_tei_texts *texts, trib_buffer *first, const trib_buffer *file,
                              const char *name, trib_error *error) {
    trib_reader reader;
    trib_reader_memory(&reader, name, file->text ? file->text : "", file->length);
    return open_reader(texts, first, &reader, name, error);
}

trib_status trib_tei_member_open(trib_tei_texts *texts, trib_buffer *first, trib_archive *archive,
                                 const char *name, trib_error *error) {
    TRIB_OWNED(trib_buffer) file = {0};
    *texts = (trib_tei_texts){0};
    trib_status status = trib_archive_read_some(archive, &file, TRIB_HEADER_BYTES, error);
    /* a file that is not TEI is left after its first bytes; a packed one must be whole */
    if (status == TRIB_OK && file.length > 0 &&
        (count(&file) != TRIB_TEI_ONE ||
         trib_packing_name((const unsigned char *)file.text, file.length)))
        status = trib_archive_read(archive, &file, error);
    return status == TRIB_OK ? open_bytes(texts, first, &file, name, error) : status;
}

/* Appends text `number` of a file that was opened. */
static trib_status add_text(const trib_tei_texts *texts, const char *name, const char *number,
                            trib_buffer *to, trib_error *error) {
    uint64_t wanted = 0;
    if (!trib_read_uint(number, &wanted) || wanted == 0)
        return trib_fail(error, TRIB_INPUT, "%s: '%s' is not the number of a text", name, number);
    if (texts->n == 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: there is no text '%s' in it, since it is not TEI with several texts "
                         "(<teiCorpus>, <group>, or more than one <text>)",
                         name, number);
    if (wanted > texts->n)
        return trib_fail(error, TRIB_INPUT, "%s: has no text %s, but %zu texts", name, number,
                         texts->n);
    return trib_tei_texts_add(texts, (size_t)wanted - 1, to, error);
}

size_t trib_tei_file_split(const char *path) {
    char file[4096];
    uint64_t number = 0;
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) : 0;
    if (n == 0 || n >= sizeof file || !trib_read_uint(slash + 1, &number)) return 0;
    memcpy(file, path, n);
    file[n] = '\0';
    return trib_tei_file_is_named(file) ? n : 0;
}

/* Opens the file of a text in an archive; `name` gets its address. When there is only a member
 * with the name of the text, that is appended, and `texts` stays empty. */
static trib_status open_member(trib_tei_texts *texts, const char *path, const char *part,
                               trib_buffer *name, trib_buffer *to, bool *is_member,
                               trib_error *error) {
    TRIB_OWNED(trib_buffer) first = {0}, file = {0};
    trib_error why = {0};
    const size_t before = to->length;
    trib_status status =
        trib_buffer_print(name, error, "%s/%.*s", path, (int)trib_tei_file_split(part), part);
    if (status == TRIB_OK)
        status = trib_archive_member(path, name->text + strlen(path) + 1, &file, &why);
    *is_member = status == TRIB_INPUT && trib_archive_member(path, part, to, NULL) == TRIB_OK;
    if (status == TRIB_OK) status = open_bytes(texts, &first, &file, name->text, error);
    else if (*is_member) status = TRIB_OK;
    else if (*why.message) {
        to->length = before;
        status = trib_fail(error, status, "%s", why.message);
    }
    return status;
}

trib_status trib_tei_file_text(const char *path, const char *part, trib_buffer *to,
                               trib_error *error) {
    TRIB_OPENED(trib_tei_texts) texts = {0};
    TRIB_OWNED(trib_buffer) first = {0}, name = {0};
    const size_t n_member = trib_tei_file_split(part);
    bool is_member = false;
    trib_status status = n_member > 0
                             ? open_member(&texts, path, part, &name, to, &is_member, error)
                             : trib_tei_file_open(&texts, &first, path, error);
    if (status == TRIB_OK && !is_member)
        status = add_text(&texts, n_member > 0 ? name.text : path,
                          n_member > 0 ? part + n_member + 1 : part, to, error);
    return status;
}

bool trib_tei_file_is_made(const trib_buffer *bytes) {
    static const char begin[] = "<?xml";
    return bytes->length >= sizeof begin - 1 && memcmp(bytes->text, begin, sizeof begin - 1) == 0;
}
