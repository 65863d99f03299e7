/* ocr.c - the texts of recognised pages.
 *
 * ALTO (Analyzed Layout and Text Object, Library of Congress, versions 1 to 4): the words of a page
 * are the CONTENT attributes of its String elements. A word that is broken at the end of a line has
 * two String elements. The whole word is in their attribute SUBS_CONTENT, or a HYP element between
 * them shows that they belong together. Margins are not read, nor blocks whose tag marks them as
 * running titles, page numbers or quire marks (SegmOnto vocabulary).
 *
 * PAGE XML (PRImA Research Lab, versions 2013 to 2019), as Transkribus, eScriptorium and OCR-D
 * write it: the text of a region is in its lines, and that of a line is also in its words: it is
 * taken once, from the line where it has one, else from the words, else from the region.
 * ReadingOrder gives the order of the regions; those it does not name follow in the order of the
 * file. Running heads, page numbers, catch-words and signatures are not read; footnotes and
 * marginalia are notes. */
#include "pipeline/text/elements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TRIB_WITH_XML

/* Says in the remark that no word of a page is sure enough, when its text is empty although it has
 * words. */
static void remark_unsure(trib_markup_text *to) {
    if (to->text.length == 0 && to->apart.length == 0 && to->edition.min_confidence > 0)
        snprintf(to->remark, sizeof to->remark,
                 "all of its words are below corpus.min_confidence (%g)",
                 to->edition.min_confidence);
}

/* ---- ALTO ------------------------------------------------------------------------------------ */

enum { TAGS_MOST = 64 };

/* A page of ALTO. */
typedef struct alto {
    trib_markup_text *to;
    trib_error *error;
    const char *tag[TAGS_MOST]; /* [n_tags] ids of tags whose blocks are not read */
    size_t n_tags;
    const char *whole; /* the whole word whose first part was read */
    bool joins;        /* the next String continues the last one */
    bool has_words;    /* whatever their WC */
} alto;

/* Collects the ids of tags whose blocks are not read. */
static void find_tags(alto *p, const xmlNode *root) {
    const xmlNode *tags = trib_node_child(root, "Tags");
    for (const xmlNode *tag = tags ? tags->children : NULL; tag && p->n_tags < TAGS_MOST;
         tag = tag->next) {
        if (tag->type != XML_ELEMENT_NODE) continue;
        char label[64] = "";
        const char *written = trib_node_attribute(tag, "LABEL");
        /* without the suffix, as in RunningTitleZone:left#1 */
        const size_t n = strcspn(written, ":#");
        if (n < sizeof label) memcpy(label, written, n);
        if (trib_is_among("RunningTitleZone NumberingZone QuireMarksZone StampZone DamageZone "
                          "DigitizationArtefactZone",
                          label))
            p->tag[p->n_tags++] = trib_node_attribute(tag, "ID");
    }
}

static bool is_furniture(const alto *p, const xmlNode *node) {
    if (trib_is_among("Description Styles Tags TopMargin LeftMargin RightMargin BottomMargin",
                      (const char *)node->name))
        return true;
    for (size_t i = 0; i < p->n_tags; i++)
        if (trib_is_among(trib_node_attribute(node, "TAGREFS"), p->tag[i])) return true;
    return false;
}

/* Removes from the end of the text the hyphen that HYP repeats. */
static void drop_hyphen(trib_buffer *text, const char *hyphen) {
    const size_t n = strlen(hyphen);
    if (n == 0 || text->length < n || memcmp(text->text + text->length - n, hyphen, n) != 0) return;
    text->length -= n;
    text->text[text->length] = '\0';
}

static void add_string(alto *p, const xmlNode *node) {
    const char *content = trib_node_attribute(node, "CONTENT");
    const char *whole = trib_node_attribute(node, "SUBS_CONTENT");
    const char *type = trib_node_attribute(node, "SUBS_TYPE");
    trib_buffer *text = &p->to->text;
    const bool is_rest = strcmp(type, "HypPart2") == 0;
    p->has_words = p->has_words || *content;
    if (!trib_is_confident(trib_node_attribute(node, "WC"), 1, p->to->edition.min_confidence))
        return;
    if (*whole && is_rest && p->whole && strcmp(p->whole, whole) == 0) {
        p->whole = NULL;
        return;
    }
    if (*whole && (is_rest || strcmp(type, "HypPart1") == 0)) content = whole;
    p->whole = *whole && !is_rest ? whole : NULL;
    if (!p->joins && text->length > 0 && text->text[text->length - 1] != '\n')
        trib_buffer_add(text, " ", 1, p->error);
    p->joins = false;
    trib_buffer_add(text, content, strlen(content), p->error);
}

static void leave(alto *p, const xmlNode *node) {
    if (p->joins) return;
    if (trib_node_is(node, "TextLine")) trib_text_end(&p->to->text, TRIB_FLOW_LINE, p->error);
    if (trib_node_is(node, "TextBlock") || trib_node_is(node, "Page"))
        trib_text_end(&p->to->text, TRIB_FLOW_PARAGRAPH, p->error);
}

/* Keeps what the next page needs of a word that the end of this page divides. */
static trib_status keep_divided(const alto *p) {
    trib_buffer *divided = &p->to->divided;
    p->to->joins = p->joins;
    if (divided->length > 0 && p->whole == divided->text) return TRIB_OK; /* an empty page */
    trib_buffer_clear(divided);
    return p->whole ? trib_buffer_add(divided, p->whole, strlen(p->whole), p->error) : TRIB_OK;
}

trib_status trib_alto_text(trib_markup_text *to, const xmlNode *root, trib_error *error) {
    alto p = {.to = to,
              .error = error,
              .joins = to->joins,
              .whole = to->divided.length > 0 ? to->divided.text : NULL};
    find_tags(&p, root);
    for (const xmlNode *node = root; node;) {
        const bool is_element = node->type == XML_ELEMENT_NODE && !is_furniture(&p, node);
        if (is_element && trib_node_is(node, "String")) add_string(&p, node);
        if (is_element && trib_node_is(node, "HYP") && !p.whole && to->text.length > 0) {
            drop_hyphen(&to->text, trib_node_attribute(node, "CONTENT"));
            p.joins = true;
        }
        if (is_element && node->children) {
            node = node->children;
            continue;
        }
        if (is_element) leave(&p, node);
        while (node != root && !node->next) {
            node = node->parent;
            leave(&p, node);
        }
        node = node == root ? NULL : node->next;
    }
    if (p.has_words) remark_unsure(to);
    const trib_status status = to->is_page ? keep_divided(&p) : TRIB_OK;
    if (!to->is_page || !p.joins) trib_text_end(&to->text, TRIB_FLOW_LINE, error);
    return status == TRIB_OK ? trib_markup_status(to) : status;
}

/* ---- PAGE XML: the order of regions ---------------------------------------------------------- */

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

/* A page of PAGE XML. */
typedef struct page {
    trib_markup_text *to;
    trib_error *error;
    trib_status status; /* a failure besides those to add to the text */
    members order;      /* the ids of regions, in reading order */
    members region;     /* the regions at the top of the page, in the order of their ids */
    members read;       /* the same in the order in which they are read */
} page;

static bool ends_in(const xmlNode *node, const char *ending) {
    const size_t n = strlen(ending);
    const size_t length = node->type == XML_ELEMENT_NODE ? strlen((const char *)node->name) : 0;
    return length >= n && strcmp((const char *)node->name + length - n, ending) == 0;
}

static void add(page *p, members *list, member item) {
    if (p->status == TRIB_OK)
        p->status =
            TRIB_GROW(&list->item, &list->cap, list->n + 1, "the regions of a page", p->error);
    if (p->status == TRIB_OK) list->item[list->n++] = item;
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

static void sort(members *list, int (*compare)(const void *, const void *)) {
    if (list->n > 1) qsort(list->item, list->n, sizeof *list->item, compare);
}

/* Adds the references of a group of the reading order, those of inner groups in their place. The
 * recursion here and below ends, since libxml2 refuses elements that are nested too deeply. */
static void add_group(page *p, const xmlNode *group) {
    members in = {0};
    for (const xmlNode *child = group->children; child; child = child->next)
        if (child->type == XML_ELEMENT_NODE)
            add(p, &in,
                (member){trib_node_attribute(child, "regionRef"), child,
                         strtol(trib_node_attribute(child, "index"), NULL, 10), in.n});
    sort(&in, by_index);
    for (size_t i = 0; i < in.n; i++) {
        if (*in.item[i].region) add(p, &p->order, in.item[i]);
        add_group(p, in.item[i].node);
    }
    trib_free(in.item);
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
static void order_regions(page *p, const xmlNode *root) {
    p->order.n = p->region.n = p->read.n = 0;
    for (const xmlNode *node = root->children; node; node = node->next)
        if (trib_node_is(node, "ReadingOrder")) add_group(p, node);
        else if (ends_in(node, "Region"))
            add(p, &p->region, (member){trib_node_attribute(node, "id"), node, 0, p->region.n});
    sort(&p->region, by_region);
    for (size_t i = 0; i < p->order.n; i++) {
        member *region = region_of(p, p->order.item[i].region);
        if (!region || !region->node) continue;
        add(p, &p->read, *region);
        region->node = NULL; /* it is read once */
    }
    sort(&p->region, by_place);
    for (size_t r = 0; r < p->region.n; r++)
        if (p->region.item[r].node) add(p, &p->read, p->region.item[r]);
}

/* ---- PAGE XML: text -------------------------------------------------------------------------- */

/* Whether a TextEquiv has more than white space and comments in its Unicode. */
static bool has_text(const xmlNode *equiv) {
    const xmlNode *part = trib_node_child(equiv, "Unicode");
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

/* Appends the Unicode of a TextEquiv, without comments. */
static void add_equivalent(page *p, trib_buffer *text, const xmlNode *equiv) {
    const xmlNode *unicode = trib_node_child(equiv, "Unicode");
    if (!unicode || !unicode->children) return;
    xmlChar *content = xmlNodeGetContent(unicode);
    if (!content)
        p->status = trib_fail(p->error, TRIB_MEMORY, "out of memory for the text of a page");
    const char *word = content ? (const char *)content : "";
    if (*word) trib_text_space(text, 0, p->error);
    trib_buffer_add(text, word, strlen(word), p->error);
    xmlFree(content);
}

static void add_words(page *p, trib_buffer *text, const xmlNode *line) {
    for (const xmlNode *word = line->children; word; word = word->next) {
        const xmlNode *equiv = trib_node_is(word, "Word") ? equivalent(word) : NULL;
        if (equiv &&
            trib_is_confident(trib_node_attribute(equiv, "conf"), 1, p->to->edition.min_confidence))
            add_equivalent(p, text, equiv);
    }
}

static bool has_words(const xmlNode *line) {
    const xmlNode *word = line->children;
    while (word && !(trib_node_is(word, "Word") && equivalent(word))) word = word->next;
    return word != NULL;
}

/* A confidence is that of a word where there are words, else that of the line. Sets *is_there when
 * the line has text, whatever its confidence. */
static void add_line(page *p, trib_buffer *text, const xmlNode *line, bool *is_there) {
    const double least = p->to->edition.min_confidence;
    const xmlNode *equiv = equivalent(line);
    const bool is_of_words = has_words(line);
    *is_there = *is_there || equiv || is_of_words;
    if (is_of_words && (least > 0 || !equiv)) add_words(p, text, line);
    else if (equiv && trib_is_confident(trib_node_attribute(equiv, "conf"), 1, least))
        add_equivalent(p, text, equiv);
    trib_text_end(text, TRIB_FLOW_LINE, p->error);
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

static void add_lines(page *p, trib_buffer *text, const xmlNode *region, bool *is_there);

/* A note is placed as corpus.notes says. */
static void add_note(page *p, const xmlNode *region, bool *is_there) {
    trib_markup_text *to = p->to;
    const size_t from = to->apart.length;
    if (to->notes == TRIB_NOTES_DROP) return;
    add_lines(p, to->notes == TRIB_NOTES_KEEP ? &to->text : &to->apart, region, is_there);
    size_t length = to->apart.length;
    while (length > from && strchr(" \n", to->apart.text[length - 1])) length--;
    if (length > from) trib_text_ranges_add(&to->parts, from, length, p->error);
}

static void add_text_region(page *p, trib_buffer *text, const xmlNode *region, bool *is_there) {
    static const char *const furniture[] = {"header",     "footer",         "page-number",
                                            "catch-word", "signature-mark", NULL};
    static const char *const notes[] = {"footnote", "footnote-continued", "endnote", "marginalia",
                                        NULL};
    if (is_of_type(region, furniture)) return;
    if (is_of_type(region, notes) && text == &p->to->text) add_note(p, region, is_there);
    else add_lines(p, text, region, is_there);
}

/* Appends the lines of a region, and the regions in it; its own text when none of these has any. A
 * text below corpus.min_confidence is not replaced by another. Sets *is_there when it has text. */
static void add_lines(page *p, trib_buffer *text, const xmlNode *region, bool *is_there) {
    const size_t before = text->length;
    bool is_in_it = false;
    trib_text_end(text, TRIB_FLOW_PARAGRAPH, p->error);
    for (const xmlNode *node = region->children; node; node = node->next)
        if (trib_node_is(node, "TextLine")) add_line(p, text, node, &is_in_it);
        else if (ends_in(node, "Region") || trib_node_is(node, "TableCell"))
            add_text_region(p, text, node, &is_in_it);
    if (!is_in_it) add_line(p, text, region, &is_in_it);
    *is_there = *is_there || is_in_it;
    if (text->length > before) trib_text_end(text, TRIB_FLOW_PARAGRAPH, p->error);
}

trib_status trib_page_text(trib_markup_text *to, const xmlNode *root, trib_error *error) {
    page p = {.to = to, .error = error};
    bool is_there = false;
    for (const xmlNode *node = root->children; node; node = node->next) {
        if (!trib_node_is(node, "Page")) continue;
        order_regions(&p, node);
        for (size_t r = 0; r < p.read.n; r++)
            add_text_region(&p, &to->text, p.read.item[r].node, &is_there);
    }
    if (is_there) remark_unsure(to);
    TRIB_FREE(p.order.item, p.region.item, p.read.item);
    return p.status == TRIB_OK ? trib_markup_status(to) : p.status;
}

#endif
