/* page_xml.c - the text of PAGE XML (PRImA Research Lab, versions 2013 to 2019), as Transkribus,
 * eScriptorium and OCR-D write it.
 *
 * The text of a region is in its lines, and that of a line is also in its words: it is taken once,
 * from the line where it has one, else from the words, else from the region. ReadingOrder gives the
 * order of the regions; those it does not name follow in the order of the file. Running heads, page
 * numbers, catch-words and signatures are not read; footnotes and marginalia are notes. */
#include "pipeline/text/elements.h"

#include <stdlib.h>
#include <string.h>

#ifdef TRIB_WITH_XML

/* A region and its place in the file, or a member of the reading order and its index. */
typedef struct member {
    const char *region; /* id */
    const xmlNode *node;
    long index;
    size_t place; /* in the file */
} member;

typedef struct members {
    member *item; /* [n] */
    size_t n, cap;
} members;

typedef struct page {
    trib_markup_text *to;
    members order;  /* the ids of regions, in reading order */
    members region; /* the regions at the top of the page, in the order of their ids */
    members read;   /* the same in the order in which they are read */
} page;

/* ---- Order ----------------------------------------------------------------------------------- */

static bool ends_in(const xmlNode *node, const char *ending) {
    const size_t n = strlen(ending);
    const size_t length = node->type == XML_ELEMENT_NODE ? strlen((const char *)node->name) : 0;
    return length >= n && strcmp((const char *)node->name + length - n, ending) == 0;
}

static trib_status add(members *list, member item, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&list->item, &list->cap, list->n + 1, "the regions of a page", error);
    if (status == TRIB_OK) list->item[list->n++] = item;
    return status;
}

static int by_place(const void *a, const void *b) {
    const member *one = a, *other = b;
    return (one->place > other->place) - (one->place < other->place);
}

static int by_index(const void *a, const void *b) {
    const member *one = a, *other = b;
    return one->index != other->index ? (one->index > other->index) - (one->index < other->index)
                                      : by_place(a, b);
}

static int by_region(const void *a, const void *b) {
    const int order = strcmp(((const member *)a)->region, ((const member *)b)->region);
    return order != 0 ? order : by_place(a, b);
}

/* Adds the references of a group of the reading order, those of inner groups in their place. The
 * recursion here and below ends, since libxml2 refuses elements that are nested too deeply. */
static trib_status add_group(page *p, const xmlNode *group, trib_error *error) {
    members in = {0};
    trib_status status = TRIB_OK;
    for (const xmlNode *child = group->children; child && status == TRIB_OK; child = child->next)
        if (child->type == XML_ELEMENT_NODE)
            status = add(&in,
                         (member){trib_node_attribute(child, "regionRef"), child,
                                  strtol(trib_node_attribute(child, "index"), NULL, 10), in.n},
                         error);
    if (in.n > 1) qsort(in.item, in.n, sizeof *in.item, by_index);
    for (size_t i = 0; i < in.n && status == TRIB_OK; i++) {
        if (*in.item[i].region) status = add(&p->order, in.item[i], error);
        if (status == TRIB_OK) status = add_group(p, in.item[i].node, error);
    }
    trib_free(in.item);
    return status;
}

/* The first region with this id, or NULL. */
static member *region_of(const page *p, const char *id) {
    size_t low = 0, high = p->region.n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(p->region.item[middle].region, id) < 0) low = middle + 1;
        else high = middle;
    }
    return low < p->region.n && strcmp(p->region.item[low].region, id) == 0 ? &p->region.item[low]
                                                                            : NULL;
}

/* Fills `read` with the regions of a page. */
static trib_status order_regions(page *p, const xmlNode *root, trib_error *error) {
    trib_status status = TRIB_OK;
    p->order.n = p->region.n = p->read.n = 0;
    for (const xmlNode *node = root->children; node && status == TRIB_OK; node = node->next)
        if (trib_node_is(node, "ReadingOrder")) status = add_group(p, node, error);
        else if (ends_in(node, "Region"))
            status = add(&p->region,
                         (member){trib_node_attribute(node, "id"), node, 0, p->region.n}, error);
    if (p->region.n > 1) qsort(p->region.item, p->region.n, sizeof(member), by_region);
    for (size_t i = 0; i < p->order.n && status == TRIB_OK; i++) {
        member *region = region_of(p, p->order.item[i].region);
        if (!region || !region->node) continue;
        status = add(&p->read, *region, error);
        region->node = NULL; /* it is read once */
    }
    if (p->region.n > 1) qsort(p->region.item, p->region.n, sizeof(member), by_place);
    for (size_t r = 0; r < p->region.n && status == TRIB_OK; r++)
        if (p->region.item[r].node) status = add(&p->read, p->region.item[r], error);
    return status;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Whether a TextEquiv has more than white space and comments in its Unicode. */
static bool has_text(const xmlNode *equiv) {
    const xmlNode *part = equiv->children;
    while (part && !trib_node_is(part, "Unicode")) part = part->next;
    for (part = part ? part->children : NULL; part; part = part->next) {
        const char *content = (const char *)part->content;
        const bool is_text = part->type == XML_TEXT_NODE || part->type == XML_CDATA_SECTION_NODE;
        if (is_text && content && content[strspn(content, " \t\r\n")]) return true;
    }
    return false;
}

/* The text of an element: of its TextEquivs with text, the one with the lowest index. NULL when it
 * has none. */
static const xmlNode *equivalent(const xmlNode *node) {
    const xmlNode *found = NULL;
    long least = 0;
    for (const xmlNode *child = node->children; child; child = child->next) {
        if (!trib_node_is(child, "TextEquiv") || !has_text(child)) continue;
        const long index = strtol(trib_node_attribute(child, "index"), NULL, 10);
        if (found && index >= least) continue;
        found = child;
        least = index;
    }
    return found;
}

static trib_status add_word(trib_buffer *text, const char *word, trib_error *error) {
    trib_status status = TRIB_OK;
    if (!*word) return TRIB_OK;
    if (text->length > 0 && !strchr(" \n", text->text[text->length - 1]))
        status = trib_buffer_add(text, " ", 1, error);
    return status == TRIB_OK ? trib_buffer_add(text, word, strlen(word), error) : status;
}

/* Appends the Unicode of a TextEquiv, without comments. */
static trib_status add_equivalent(trib_buffer *text, const xmlNode *equiv, trib_error *error) {
    const xmlNode *unicode = equiv->children;
    while (unicode && !trib_node_is(unicode, "Unicode")) unicode = unicode->next;
    if (!unicode || !unicode->children) return TRIB_OK;
    xmlChar *content = xmlNodeGetContent(unicode);
    if (!content) return trib_fail(error, TRIB_MEMORY, "out of memory for the text of a page");
    const trib_status status = add_word(text, (const char *)content, error);
    xmlFree(content);
    return status;
}

static trib_status add_words(trib_buffer *text, const xmlNode *line, double least,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (const xmlNode *word = line->children; word && status == TRIB_OK; word = word->next) {
        const xmlNode *equiv = trib_node_is(word, "Word") ? equivalent(word) : NULL;
        if (equiv && trib_is_confident(trib_node_attribute(equiv, "conf"), 1, least))
            status = add_equivalent(text, equiv, error);
    }
    return status;
}

static bool has_words(const xmlNode *line) {
    const xmlNode *word = line->children;
    while (word && !(trib_node_is(word, "Word") && equivalent(word))) word = word->next;
    return word != NULL;
}

/* A confidence is that of a word where there are words, else that of the line. Sets *is_there when
 * the line has text, whatever its confidence. */
static trib_status add_line(const page *p, trib_buffer *text, const xmlNode *line, bool *is_there,
                            trib_error *error) {
    const double least = p->to->edition.min_confidence;
    const xmlNode *equiv = equivalent(line);
    const bool is_of_words = has_words(line);
    trib_status status = TRIB_OK;
    *is_there = *is_there || equiv || is_of_words;
    if (is_of_words && (least > 0 || !equiv)) status = add_words(text, line, least, error);
    else if (equiv && trib_is_confident(trib_node_attribute(equiv, "conf"), 1, least))
        status = add_equivalent(text, equiv, error);
    return status == TRIB_OK ? trib_text_end(text, TRIB_FLOW_LINE, error) : status;
}

/* Whether a region is of one of these types, by `type`, or by `custom` of Transkribus, "structure
 * {type:header;}". */
static bool is_of_type(const xmlNode *region, const char *const *types) {
    const char *custom = strstr(trib_node_attribute(region, "custom"), "structure {");
    const char *named = custom ? strstr(custom, "type:") : NULL;
    for (; *types; types++) {
        const size_t n = strlen(*types);
        if (strcmp(trib_node_attribute(region, "type"), *types) == 0) return true;
        if (named && strncmp(named + strlen("type:"), *types, n) == 0 &&
            strchr(";} ", named[strlen("type:") + n]))
            return true;
    }
    return false;
}

static trib_status add_lines(const page *p, trib_buffer *text, const xmlNode *region,
                             bool *is_there, trib_error *error);

/* A note is placed as corpus.notes says. */
static trib_status add_note(const page *p, const xmlNode *region, bool *is_there,
                            trib_error *error) {
    trib_markup_text *to = p->to;
    if (to->notes == TRIB_NOTES_DROP) return TRIB_OK;
    if (to->notes == TRIB_NOTES_KEEP) return add_lines(p, &to->text, region, is_there, error);
    const size_t from = to->apart.length;
    trib_status status = add_lines(p, &to->apart, region, is_there, error);
    size_t length = to->apart.length;
    while (length > from && strchr(" \n", to->apart.text[length - 1])) length--;
    if (status == TRIB_OK && length > from)
        status = trib_text_ranges_add(&to->parts, from, length, error);
    return status;
}

static trib_status add_text_region(const page *p, trib_buffer *text, const xmlNode *region,
                                   bool *is_there, trib_error *error) {
    static const char *const furniture[] = {"header",     "footer",         "page-number",
                                            "catch-word", "signature-mark", NULL};
    static const char *const notes[] = {"footnote", "footnote-continued", "endnote", "marginalia",
                                        NULL};
    if (is_of_type(region, furniture)) return TRIB_OK;
    if (is_of_type(region, notes) && text == &p->to->text)
        return add_note(p, region, is_there, error);
    return add_lines(p, text, region, is_there, error);
}

/* Appends the lines of a region, and the regions in it; its own text when none of these has any. A
 * text below corpus.min_confidence is not replaced by another. Sets *is_there when it has text. */
static trib_status add_lines(const page *p, trib_buffer *text, const xmlNode *region,
                             bool *is_there, trib_error *error) {
    const size_t before = text->length;
    bool is_in_it = false;
    trib_status status = trib_text_end(text, TRIB_FLOW_PARAGRAPH, error);
    for (const xmlNode *node = region->children; node && status == TRIB_OK; node = node->next)
        if (trib_node_is(node, "TextLine")) status = add_line(p, text, node, &is_in_it, error);
        else if (ends_in(node, "Region") || trib_node_is(node, "TableCell"))
            status = add_text_region(p, text, node, &is_in_it, error);
    if (!is_in_it && status == TRIB_OK) status = add_line(p, text, region, &is_in_it, error);
    *is_there = *is_there || is_in_it;
    if (text->length == before) return status;
    return status == TRIB_OK ? trib_text_end(text, TRIB_FLOW_PARAGRAPH, error) : status;
}

trib_status trib_page_text(trib_markup_text *to, const xmlNode *root, trib_error *error) {
    page p = {.to = to};
    bool is_there = false;
    trib_status status = TRIB_OK;
    for (const xmlNode *node = root->children; node && status == TRIB_OK; node = node->next) {
        if (!trib_node_is(node, "Page")) continue;
        status = order_regions(&p, node, error);
        for (size_t r = 0; r < p.read.n && status == TRIB_OK; r++)
            status = add_text_region(&p, &to->text, p.read.item[r].node, &is_there, error);
    }
    if (is_there) trib_remark_unsure(to);
    TRIB_FREE(p.order.item, p.region.item, p.read.item);
    return status;
}

#endif
