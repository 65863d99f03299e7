/* alto.c - the text of ALTO files (Analyzed Layout and Text Object, Library of Congress, versions 1
 * to 4).
 *
 * The words of a page are the CONTENT attributes of its String elements. A word that is broken at
 * the end of a line has two String elements. The whole word is in their attribute SUBS_CONTENT, or
 * a HYP element between them shows that they belong together. Margins are not read, nor blocks
 * whose tag marks them as running titles, page numbers or quire marks (SegmOnto vocabulary). */
#include "pipeline/text/elements.h"

#include <string.h>

#ifdef TRIB_WITH_XML

enum { TAGS_MOST = 64 };

typedef struct page {
    trib_buffer *text;
    double least;               /* words with a lower WC are not read */
    const char *tag[TAGS_MOST]; /* [n_tags] ids of tags whose blocks are not read */
    size_t n_tags;
    const char *whole; /* the whole word whose first part was read */
    bool joins;        /* the next String continues the last one */
    bool has_words;    /* whatever their WC */
} page;

static bool is_among(const char *name, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}

/* Collects the ids of tags whose blocks are not read. */
static void find_tags(page *p, const xmlNode *root) {
    static const char *const labels[] = {"RunningTitleZone", "NumberingZone",
                                         "QuireMarksZone",   "StampZone",
                                         "DamageZone",       "DigitizationArtefactZone"};
    const xmlNode *tags = root->children;
    while (tags && !trib_node_is(tags, "Tags")) tags = tags->next;
    for (const xmlNode *tag = tags ? tags->children : NULL; tag && p->n_tags < TAGS_MOST;
         tag = tag->next) {
        if (tag->type != XML_ELEMENT_NODE) continue;
        char label[64] = "";
        const char *written = trib_node_attribute(tag, "LABEL");
        /* without the suffix, as in RunningTitleZone:left#1 */
        const size_t n = strcspn(written, ":#");
        if (n < sizeof label) memcpy(label, written, n);
        if (is_among(label, labels, sizeof labels / sizeof *labels))
            p->tag[p->n_tags++] = trib_node_attribute(tag, "ID");
    }
}

static bool is_furniture(const page *p, const xmlNode *node) {
    static const char *const outside[] = {"Description", "Styles",      "Tags",        "TopMargin",
                                          "LeftMargin",  "RightMargin", "BottomMargin"};
    if (is_among((const char *)node->name, outside, sizeof outside / sizeof *outside)) return true;
    const char *refs = trib_node_attribute(node, "TAGREFS");
    while (*(refs += strspn(refs, " "))) {
        const size_t n = strcspn(refs, " ");
        for (size_t i = 0; i < p->n_tags; i++)
            if (strlen(p->tag[i]) == n && memcmp(p->tag[i], refs, n) == 0) return true;
        refs += n;
    }
    return false;
}

/* Removes from the end of the text the hyphen that HYP repeats. */
static void drop_hyphen(trib_buffer *text, const char *hyphen) {
    const size_t n = strlen(hyphen);
    if (n == 0 || text->length < n || memcmp(text->text + text->length - n, hyphen, n) != 0) return;
    text->length -= n;
    text->text[text->length] = '\0';
}

static trib_status add_string(page *p, const xmlNode *node, trib_error *error) {
    const char *content = trib_node_attribute(node, "CONTENT");
    const char *whole = trib_node_attribute(node, "SUBS_CONTENT");
    const char *type = trib_node_attribute(node, "SUBS_TYPE");
    trib_buffer *text = p->text;
    const bool is_rest = strcmp(type, "HypPart2") == 0;
    trib_status status = TRIB_OK;
    p->has_words = p->has_words || *content;
    if (!trib_is_confident(trib_node_attribute(node, "WC"), 1, p->least)) return TRIB_OK;
    if (*whole && is_rest && p->whole && strcmp(p->whole, whole) == 0) {
        p->whole = NULL;
        return TRIB_OK;
    }
    if (*whole && (is_rest || strcmp(type, "HypPart1") == 0)) content = whole;
    p->whole = *whole && !is_rest ? whole : NULL;
    if (!p->joins && text->length > 0 && text->text[text->length - 1] != '\n')
        status = trib_buffer_add(text, " ", 1, error);
    p->joins = false;
    return status == TRIB_OK ? trib_buffer_add(text, content, strlen(content), error) : status;
}

static trib_status leave(page *p, const xmlNode *node, trib_error *error) {
    if (p->joins) return TRIB_OK;
    if (trib_node_is(node, "TextLine")) return trib_text_end(p->text, TRIB_FLOW_LINE, error);
    if (trib_node_is(node, "TextBlock") || trib_node_is(node, "Page"))
        return trib_text_end(p->text, TRIB_FLOW_PARAGRAPH, error);
    return TRIB_OK;
}

/* Keeps what the next page needs of a word that the end of this page divides. */
static trib_status keep_divided(const page *p, trib_markup_text *to, trib_error *error) {
    to->joins = p->joins;
    if (to->divided.length > 0 && p->whole == to->divided.text) return TRIB_OK; /* an empty page */
    trib_buffer_clear(&to->divided);
    return p->whole ? trib_buffer_add(&to->divided, p->whole, strlen(p->whole), error) : TRIB_OK;
}

trib_status trib_alto_text(trib_markup_text *to, const xmlNode *root, trib_error *error) {
    page p = {.text = &to->text,
              .least = to->edition.min_confidence,
              .joins = to->joins,
              .whole = to->divided.length > 0 ? to->divided.text : NULL};
    trib_status status = TRIB_OK;
    find_tags(&p, root);
    for (const xmlNode *node = root; node && status == TRIB_OK;) {
        const bool is_element = node->type == XML_ELEMENT_NODE && !is_furniture(&p, node);
        if (is_element && trib_node_is(node, "String")) status = add_string(&p, node, error);
        if (is_element && trib_node_is(node, "HYP") && !p.whole && to->text.length > 0) {
            drop_hyphen(&to->text, trib_node_attribute(node, "CONTENT"));
            p.joins = true;
        }
        if (is_element && node->children) {
            node = node->children;
            continue;
        }
        if (is_element && status == TRIB_OK) status = leave(&p, node, error);
        while (node != root && !node->next && status == TRIB_OK) {
            node = node->parent;
            status = leave(&p, node, error);
        }
        node = node == root ? NULL : node->next;
    }
    if (p.has_words) trib_remark_unsure(to);
    if (to->is_page && status == TRIB_OK) status = keep_divided(&p, to, error);
    if (to->is_page && p.joins) return status;
    return status == TRIB_OK ? trib_text_end(&to->text, TRIB_FLOW_LINE, error) : status;
}

#endif
