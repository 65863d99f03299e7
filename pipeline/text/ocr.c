/* ocr.c - the texts of recognised pages.
 *
 * ALTO (Analyzed Layout and Text Object, Library of Congress, versions 1 to 4): the words of a page
 * are the CONTENT attributes of its String elements. A word that is broken at the end of a line has
 * two String elements. The whole word is in their attribute SUBS_CONTENT, or a HYP element between
 * them shows that they belong together. Margins are not read, nor blocks whose tag marks them as
 * running titles, page numbers or quire marks (SegmOnto vocabulary). ReadingOrder (version 4.3)
 * gives the order of the blocks, else their IDNEXT, else the file.
 *
 * PAGE XML (PRImA Research Lab, versions 2013 to 2019), as Transkribus, eScriptorium and OCR-D
 * write it: the text of a region is in its lines, and that of a line is also in its words: it is
 * taken once, from the line where it has one, else from the words, else from the region.
 * ReadingOrder gives the order of the regions, and custom="readingOrder {index:0;}" that of lines,
 * words and, where there is no ReadingOrder, of regions; cells are read row by row. What they do
 * not name follows in the order of the file. Running heads, page numbers, catch-words and
 * signatures are not read; footnotes and marginalia are notes. */
#include "base/internal.h"
#include "pipeline/text/elements.h"

#include <limits.h>

/* Says in the remark that no word of a page is sure enough, when its text is empty although it has
 * words. */
static void remark_unsure(trib_markup_text *to) {
    if (to->text.length == 0 && to->apart.length == 0 && to->edition.min_confidence > 0)
        snprintf(to->remark, sizeof to->remark,
                 "all of its words are below corpus.min_confidence (%g)",
                 to->edition.min_confidence);
}

/* ---- Lists of elements ----------------------------------------------------------------------- */

/* An element, or a member of a reading order. */
typedef struct member {
    const char *id; /* its own, or that of the element it refers to */
    xmlNode *node;  /* NULL: it is in its place */
    long index;
    size_t place; /* in the file or in the reading order */
} member;

typedef struct members {
    member *item; /* [n] */
    size_t n, cap;
    trib_status status; /* the first failure */
} members;

static void add(members *list, member item, trib_error *error) {
    if (list->status == TRIB_OK)
        list->status =
            TRIB_APPEND(&list->item, &list->n, &list->cap, "the regions of a page", error, &item);
}

/* Frees a list and hands on its failure. */
static void release(members *list, trib_status *status) {
    if (*status == TRIB_OK) *status = list->status;
    trib_free(list->item);
    *list = (members){0};
}

TRIB_ORDER(by_index, member, TRIB_UP(index) ?: TRIB_UP(place));
TRIB_ORDER(by_id, member, strcmp(x->id, y->id) ?: by_index(x, y));

static void sort(const members *list, int (*compare)(const void *, const void *)) {
    if (list->n > 1) qsort(list->item, list->n, sizeof *list->item, compare);
}

TRIB_SEARCH(first_member, member, const char *, strcmp(x->id, key) < 0);

/* The first member of this id in a list that is sorted by id, or NULL. */
static member *member_of(const members *list, const char *id) {
    const size_t i = first_member(list->item, list->n, id);
    return i < list->n && strcmp(list->item[i].id, id) == 0 ? &list->item[i] : NULL;
}

/* ---- ALTO ------------------------------------------------------------------------------------ */

enum { TAGS_MOST = 64 };

/* A page of ALTO. */
typedef struct alto {
    trib_markup_text *to;
    trib_error *error;
    const char *tag[TAGS_MOST]; /* [n_tags] ids of tags whose blocks are not read */
    size_t n_tags;
    const char *whole;  /* the whole word whose first part was read */
    bool joins;         /* the next String continues the last one */
    bool has_words;     /* whatever their WC */
    trib_status status; /* a failure besides those to add to the text */
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

/* Whether an element is read: it is in a page, and nothing around it is furniture. */
static bool is_read(const alto *p, const xmlNode *node) {
    while (node && node->type == XML_ELEMENT_NODE && !is_furniture(p, node) &&
           !trib_node_is(node, "Page"))
        node = node->parent;
    return trib_node_is(node, "Page");
}

/* Moves what ReadingOrder names to the front of its page, a line to that of its block. */
static void follow_order(alto *p, const members *blocks, const xmlNode *order) {
    members named = {0};
    for (const xmlNode *at = NULL; (at = trib_node_below(order, at, "ElementRef")) != NULL;) {
        member *block = member_of(blocks, trib_node_attribute(at, "REF"));
        if (!block || !block->node || !is_read(p, block->node)) continue;
        add(&named, *block, p->error);
        block->node = NULL; /* it is read once */
    }
    while (named.n > 0) {
        xmlNode *node = named.item[--named.n].node, *to = node->parent;
        const bool is_line = trib_node_is(node, "TextLine");
        while (!is_line && !trib_node_is(to, "PrintSpace") && !trib_node_is(to, "Page"))
            to = to->parent;
        if (to->children != node) xmlAddPrevSibling(to->children, node);
    }
    release(&named, &p->status);
}

/* Moves the block that each block names as its next behind it. */
static void follow_next(alto *p, const members *blocks) {
    for (size_t i = 0; i < blocks->n; i++) {
        const member *first = &blocks->item[i];
        member *next = member_of(blocks, trib_node_attribute(first->node, "IDNEXT"));
        if (next) next->index = 1; /* of another */
    }
    members file = {0}; /* in the order of the file; those that are no block's next are first */
    for (size_t i = 0; i < blocks->n; i++) add(&file, blocks->item[i], p->error);
    sort(&file, by_index);
    for (size_t i = 0; i < file.n && file.item[i].index == 0; i++) {
        member *next = NULL;
        for (xmlNode *node = file.item[i].node;
             (next = member_of(blocks, trib_node_attribute(node, "IDNEXT"))) && next->node &&
             is_read(p, node) && is_read(p, next->node);
             node = next->node, next->node = NULL)
            xmlAddNextSibling(node, next->node);
    }
    release(&file, &p->status);
}

/* Puts the blocks of a tree into the order in which they are read. */
static void put_in_order(alto *p, xmlNode *root) {
    const xmlNode *order = trib_node_child(root, "ReadingOrder");
    members blocks = {0};
    bool has_next = false;
    for (const xmlNode *at = NULL; (at = trib_node_below(root, at, NULL)) != NULL;) {
        const char *id = trib_node_attribute(at, "ID");
        if (!*id || !trib_is_among(order ? "TextBlock ComposedBlock TextLine"
                                         : "TextBlock Illustration GraphicalElement",
                                   (const char *)at->name))
            continue;
        has_next = has_next || *trib_node_attribute(at, "IDNEXT");
        add(&blocks, (member){id, (xmlNode *)(uintptr_t)at, 0, blocks.n}, p->error);
    }
    sort(&blocks, by_id);
    if (order) follow_order(p, &blocks, order);
    else if (has_next) follow_next(p, &blocks);
    release(&blocks, &p->status);
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
    if (!trib_is_confident(trib_node_attribute(node, "WC"), 1, p->to->edition.min_confidence)) {
        p->to->account.counts.others_out++;
        return;
    }
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

trib_status trib_alto_text(trib_markup_text *to, xmlNode *root, trib_error *error) {
    alto p = {.to = to,
              .error = error,
              .joins = to->joins,
              .whole = to->divided.length > 0 ? to->divided.text : NULL};
    strcpy(to->account.kind, "ALTO");
    find_tags(&p, root);
    put_in_order(&p, root);
    for (const xmlNode *node = root; node;) {
        const bool is_element = node->type == XML_ELEMENT_NODE && !is_furniture(&p, node);
        for (const xmlNode *word = is_element ? NULL : trib_node_below(node, NULL, "String"); word;
             word = trib_node_below(node, word, "String"))
            to->account.counts.furniture_out++;
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
    const trib_status status = p.status == TRIB_OK && to->is_page ? keep_divided(&p) : p.status;
    if (!to->is_page || !p.joins) trib_text_end(&to->text, TRIB_FLOW_LINE, error);
    return status == TRIB_OK ? trib_markup_status(to) : status;
}

/* ---- PAGE XML: reading order ----------------------------------------------------------------- */

/* A page of PAGE XML. */
typedef struct page {
    trib_markup_text *to;
    trib_error *error;
    trib_status status; /* a failure besides those to add to the text */
    members order;      /* the ids of regions in ReadingOrder, sorted by id */
} page;

static bool ends_in(const xmlNode *node, const char *ending) {
    const size_t n = strlen(ending);
    const size_t length = node->type == XML_ELEMENT_NODE ? strlen((const char *)node->name) : 0;
    return length >= n && strcmp((const char *)node->name + length - n, ending) == 0;
}

/* Adds the references of a group of the reading order, those of inner groups in their place. The
 * recursion here and below ends, since libxml2 refuses elements that are nested too deeply. */
static void add_group(page *p, const xmlNode *group) {
    members in = {0};
    for (xmlNode *child = group->children; child; child = child->next)
        if (child->type == XML_ELEMENT_NODE)
            add(&in,
                (member){trib_node_attribute(child, "regionRef"), child,
                         strtol(trib_node_attribute(child, "index"), NULL, 10), in.n},
                p->error);
    sort(&in, by_index);
    for (size_t i = 0; i < in.n; i++) {
        member to = {in.item[i].id, NULL, 0, p->order.n};
        if (*to.id) add(&p->order, to, p->error);
        add_group(p, in.item[i].node);
    }
    release(&in, &p->status);
}

enum { LAST_REGION = 1 << 29, FIRST_LINE = 1 << 30, MOST_INDEX = FIRST_LINE - LAST_REGION - 1 };

/* The place of an element among its siblings: regions, then lines and what else there is. LONG_MAX,
 * and LAST_REGION for a region: nothing says it. */
static long index_of(const page *p, const xmlNode *node) {
    const bool is_region = ends_in(node, "Region");
    const char *custom = strstr(trib_node_attribute(node, "custom"), "readingOrder");
    const member *named =
        is_region && p->order.n > 0 ? member_of(&p->order, trib_node_attribute(node, "id")) : NULL;
    const char *row = trib_node_is(node, "TableCell") ? trib_node_attribute(node, "row") : "";
    const char *written = custom ? strstr(custom, "index:") : NULL;
    long index = written ? strtol(written + strlen("index:"), NULL, 10) : -1;
    if (named) index = (long)named->place;
    else if (is_region && p->order.n > 0) index = -1;
    else if (*row)
        index = strtol(row, NULL, 10) % 10000 * 10000 +
                strtol(trib_node_attribute(node, "col"), NULL, 10) % 10000;
    if (index < 0) return is_region ? LAST_REGION : LONG_MAX;
    if (index > MOST_INDEX) index = MOST_INDEX;
    return index + (is_region ? 0 : FIRST_LINE);
}

/* Fills a list with the children of an element, in the order in which they are read. */
static void list_children(page *p, members *list, const xmlNode *parent) {
    bool is_ordered = false;
    for (xmlNode *child = parent->children; child; child = child->next) {
        if (child->type != XML_ELEMENT_NODE) continue;
        const long index = index_of(p, child);
        is_ordered = is_ordered || (index != LONG_MAX && index != LAST_REGION);
        add(list, (member){"", child, index, list->n}, p->error);
    }
    if (is_ordered) sort(list, by_index);
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
    members in = {0};
    list_children(p, &in, line);
    for (size_t i = 0; i < in.n; i++) {
        const xmlNode *word = in.item[i].node;
        const xmlNode *equiv = trib_node_is(word, "Word") ? equivalent(word) : NULL;
        if (equiv &&
            trib_is_confident(trib_node_attribute(equiv, "conf"), 1, p->to->edition.min_confidence))
            add_equivalent(p, text, equiv);
    }
    release(&in, &p->status);
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
static bool is_of_type(const xmlNode *region, const char *types) {
    const char *custom = strstr(trib_node_attribute(region, "custom"), "structure {");
    const char *named = custom ? strstr(custom, "type:") : NULL;
    char type[32] = "";
    if (named && (named += strlen("type:")))
        snprintf(type, sizeof type, "%.*s", (int)strcspn(named, ";} "), named);
    return trib_is_among(types, trib_node_attribute(region, "type")) || trib_is_among(types, type);
}

static void add_lines(page *p, trib_buffer *text, const xmlNode *region, bool *is_there);

/* Counts the words of a region that is not read. */
static uint64_t count_words(page *p, const xmlNode *region) {
    TRIB_OWNED(trib_buffer) text = {0};
    bool is_there = false;
    add_lines(p, &text, region, &is_there);
    return trib_words_in(text.text ? text.text : "", text.length);
}

/* A note is placed as corpus.notes says. */
static void add_note(page *p, const xmlNode *region, bool *is_there) {
    trib_markup_text *to = p->to;
    const size_t from = to->apart.length;
    if (to->notes == TRIB_NOTES_DROP) to->account.counts.notes_out += count_words(p, region);
    if (to->notes == TRIB_NOTES_DROP) return;
    to->account.counts.notes += count_words(p, region);
    add_lines(p, to->notes == TRIB_NOTES_KEEP ? &to->text : &to->apart, region, is_there);
    size_t length = to->apart.length;
    while (length > from && strchr(" \n", to->apart.text[length - 1])) length--;
    if (length > from) trib_text_ranges_add(&to->parts, from, length, p->error);
}

static void add_text_region(page *p, trib_buffer *text, const xmlNode *region, bool *is_there) {
    if (is_of_type(region, "header footer page-number catch-word signature-mark"))
        p->to->account.counts.furniture_out += count_words(p, region);
    else if (text == &p->to->text &&
             is_of_type(region, "footnote footnote-continued endnote marginalia"))
        add_note(p, region, is_there);
    else add_lines(p, text, region, is_there);
}

/* Appends the lines of a region, and the regions in it; its own text when none of these has any. A
 * text below corpus.min_confidence is not replaced by another. Sets *is_there when it has text. */
static void add_lines(page *p, trib_buffer *text, const xmlNode *region, bool *is_there) {
    const size_t before = text->length;
    bool is_in_it = false;
    members in = {0};
    trib_text_end(text, TRIB_FLOW_PARAGRAPH, p->error);
    list_children(p, &in, region);
    for (size_t i = 0; i < in.n; i++) {
        const xmlNode *node = in.item[i].node;
        if (trib_node_is(node, "TextLine")) add_line(p, text, node, &is_in_it);
        else if (ends_in(node, "Region") || trib_node_is(node, "TableCell"))
            add_text_region(p, text, node, &is_in_it);
    }
    release(&in, &p->status);
    if (!is_in_it) add_line(p, text, region, &is_in_it);
    *is_there = *is_there || is_in_it;
    if (text->length > before) trib_text_end(text, TRIB_FLOW_PARAGRAPH, p->error);
}

trib_status trib_page_text(trib_markup_text *to, xmlNode *root, trib_error *error) {
    page p = {.to = to, .error = error};
    bool is_there = false;
    strcpy(to->account.kind, "PAGE");
    for (const xmlNode *node = root->children; node; node = node->next) {
        if (!trib_node_is(node, "Page")) continue;
        members regions = {0};
        const xmlNode *order = trib_node_child(node, "ReadingOrder");
        if (order) add_group(&p, order);
        sort(&p.order, by_id);
        list_children(&p, &regions, node);
        for (size_t r = 0; r < regions.n; r++)
            if (ends_in(regions.item[r].node, "Region"))
                add_text_region(&p, &to->text, regions.item[r].node, &is_there);
        release(&regions, &p.status);
        release(&p.order, &p.status);
    }
    if (is_there) remark_unsure(to);
    return p.status == TRIB_OK ? trib_markup_status(to) : p.status;
}
