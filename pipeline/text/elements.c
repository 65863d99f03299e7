/* elements.c - the tables of elements, and of the meanings of their attributes. */
#include "pipeline/text/elements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TRIB_WITH_XML

enum { NONE = TRIB_FLOW_NONE, LINE = TRIB_FLOW_LINE, PARAGRAPH = TRIB_FLOW_PARAGRAPH };
enum { READ = TRIB_PART_READ, SKIP = TRIB_PART_SKIP, MARK = TRIB_PART_MARK, NOTE = TRIB_PART_NOTE };
enum { HTML = TRIB_XML_HTML, TEI = TRIB_XML_TEI, OSIS = TRIB_XML_OSIS, ANY = HTML | TEI | OSIS };

/* Elements that are not in this table are inline and are read. */
static const struct element {
    int vocabularies, flow, part;
    const char *names;
} elements[] = {
    {ANY, PARAGRAPH, READ,
     "ab address argument article aside back blockquote body byline caption closer div div1 div2 "
     "div3 div4 div5 div6 div7 dl docTitle epigraph figcaption figure footer front h1 h2 h3 h4 h5 "
     "h6 hr lg list main ol opener p pre section sp table text titlePage trailer ul"},
    {ANY, LINE, READ, "br cell dd dt item l lb li row speaker stage td th titlePart tr"},
    {HTML, PARAGRAPH, READ, "center details dialog dir fieldset form header hgroup menu summary"},
    /* the head of a page in HTML is metadata; in TEI it is a heading */
    {HTML, PARAGRAPH, SKIP, "head nav"},
    {HTML, LINE, READ, "legend optgroup option"},
    /* rp, rt: how a character is pronounced; in TEI, a title is one that the text cites */
    {HTML, NONE, SKIP, "rp rt script style template title"},
    {TEI, PARAGRAPH, READ, "castList floatingText group postscript"},
    {TEI, PARAGRAPH, SKIP, "facsimile listApp standOff teiHeader"},
    {TEI, LINE, READ, "castItem dateline docAuthor docDate docImprint salute signed"},
    {TEI, LINE, SKIP, "figDesc gap"},
    {TEI, NONE, NOTE, "noteGrp"},
    {TEI, NONE, SKIP, "fw wit witDetail"},
    {OSIS, PARAGRAPH, READ, "chapter title"},
    {OSIS, PARAGRAPH, SKIP, "header"},
    {OSIS, LINE, READ, "verse"},
    {TEI | OSIS, PARAGRAPH, READ, "head"},
    {TEI | OSIS, NONE, NOTE, "note"},
};

/* Words in attributes that give an HTML element a meaning: EPUB's structural vocabulary, the roles
 * of WAI-ARIA, and classes written by converters and Project Gutenberg. */
static const struct meaning {
    const char *attribute, *words;
    int part;
} meanings[] = {
    {"epub:type", "noteref", MARK},
    {"epub:type", "footnote footnotes endnote endnotes rearnote rearnotes", NOTE},
    {"epub:type", "pagebreak", SKIP},
    {"role", "doc-noteref", MARK},
    {"role", "doc-footnote doc-endnote doc-endnotes", NOTE},
    {"role", "doc-pagebreak navigation banner contentinfo search", SKIP},
    {"class", "footnote footnotes endnote endnotes", NOTE},
    {"class", "pagenum pageno", SKIP},
};

/* ---- Looking at a node ----------------------------------------------------------------------- */

bool trib_node_is(const xmlNode *node, const char *name) {
    return node && node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* Whether a node is an element with one of these names. */
static bool is_one_of(const xmlNode *node, const char *names) {
    return node && node->type == XML_ELEMENT_NODE && trib_is_among(names, (const char *)node->name);
}

const xmlNode *trib_node_child(const xmlNode *node, const char *name) {
    const xmlNode *child = node->children;
    while (child && !trib_node_is(child, name)) child = child->next;
    return child;
}

/* Compares the name of an attribute, which may have a prefix: libxml2's HTML parser leaves the
 * prefix in the name. */
static bool is_called(const xmlAttr *attribute, const char *name) {
    const char *colon = strchr(name, ':');
    if (strcmp((const char *)attribute->name, name) == 0) return true;
    return colon && attribute->ns && attribute->ns->prefix &&
           strcmp((const char *)attribute->name, colon + 1) == 0 &&
           strlen((const char *)attribute->ns->prefix) == (size_t)(colon - name) &&
           memcmp(attribute->ns->prefix, name, (size_t)(colon - name)) == 0;
}

const char *trib_node_attribute(const xmlNode *node, const char *name) {
    for (const xmlAttr *a = node->properties; a; a = a->next)
        if (is_called(a, name))
            return a->children && a->children->content ? (const char *)a->children->content : "";
    return "";
}

const xmlNode *trib_node_after(const xmlNode *top, const xmlNode *node, bool enters) {
    if (enters && node->type == XML_ELEMENT_NODE && node->children) return node->children;
    while (node != top && !node->next) node = node->parent;
    return node == top ? NULL : node->next;
}

const xmlNode *trib_node_below(const xmlNode *top, const xmlNode *last, const char *name) {
    const xmlNode *at = top ? trib_node_after(top, last ? last : top, true) : NULL;
    while (at && (name ? !trib_node_is(at, name) : at->type != XML_ELEMENT_NODE))
        at = trib_node_after(top, at, true);
    return at;
}

static const char white[] = " \t\r\n";

/* Whether a list, with white space between its words, has one of `words`. */
static bool list_has_any(const char *list, const char *words) {
    char word[32];
    while (*(list += strspn(list, white))) {
        const size_t n = strcspn(list, white);
        snprintf(word, sizeof word, "%.*s", (int)n, list);
        if (n < sizeof word && trib_is_among(words, word)) return true;
        list += n;
    }
    return false;
}

enum { SHORT_MOST = 24, NODES_MOST = 32 };

/* Copies the text below a node, without surrounding white space. Returns false when it is too
 * long. */
static bool short_text(const xmlNode *root, char text[SHORT_MOST]) {
    size_t n = 0, n_nodes = 0;
    text[0] = '\0';
    for (const xmlNode *node = root; node; node = trib_node_after(root, node, true), n_nodes++) {
        const char *content = node->type == XML_TEXT_NODE ? (const char *)node->content : "";
        if (content && n == 0) content += strspn(content, " \t\r\n");
        const size_t length = content ? strlen(content) : 0;
        if (n + length >= SHORT_MOST || n_nodes == NODES_MOST) return false;
        if (length > 0) memcpy(text + n, content, length);
        n += length;
    }
    while (n > 0 && strchr(" \t\r\n", text[n - 1])) n--;
    text[n] = '\0';
    return true;
}

/* Whether a text looks like the mark of a note: digits, asterisks, daggers and similar signs,
 * possibly in brackets. */
static bool is_mark(const char *text) {
    static const char *const signs[] = {"*",        "\xE2\x80\xA0", "\xE2\x80\xA1", "\xC2\xA7",
                                        "\xC2\xB6", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3"};
    bool any = false;
    while (*text) {
        size_t n = strspn(text, "0123456789");
        for (size_t i = 0; n == 0 && i < sizeof signs / sizeof *signs; i++)
            if (strncmp(text, signs[i], strlen(signs[i])) == 0) n = strlen(signs[i]);
        if (n > 0) any = true;
        else if (strchr("[]() ,;-", *text)) n = 1;
        else return false;
        text += n;
    }
    return any;
}

/* The only child element of a node, when there is no other content but white space; otherwise
 * NULL. */
static const xmlNode *only_child(const xmlNode *node) {
    const xmlNode *found = NULL;
    for (const xmlNode *child = node->children; child; child = child->next) {
        const char *content = (const char *)child->content;
        if (child->type == XML_ELEMENT_NODE && !found) found = child;
        else if (child->type != XML_TEXT_NODE || content[strspn(content, " \t\r\n")]) return NULL;
    }
    return found;
}

static bool is_link(const xmlNode *node) {
    return trib_node_is(node, "a") && *trib_node_attribute(node, "href");
}

/* Whether a node is the mark of a note in HTML: a superscript that consists of digits or signs, or
 * of one link; or a link that consists of such a mark or of one superscript. */
static bool is_mark_of_html(const xmlNode *node) {
    char text[SHORT_MOST];
    if (trib_node_is(node, "sup"))
        return short_text(node, text) && *text && (is_mark(text) || is_link(only_child(node)));
    return is_link(node) && short_text(node, text) && *text &&
           (trib_node_is(only_child(node), "sup") ||
            (is_mark(text) && strchr(trib_node_attribute(node, "href"), '#')));
}

static bool is_mark_of_tei(const xmlNode *node) {
    char text[SHORT_MOST];
    const bool is_raised =
        trib_node_is(node, "hi") && (strstr(trib_node_attribute(node, "rend"), "sup") ||
                                     strstr(trib_node_attribute(node, "rendition"), "sup"));
    const bool is_reference =
        trib_node_is(node, "ref") && trib_node_attribute(node, "target")[0] == '#';
    return (is_raised || is_reference) && short_text(node, text) && is_mark(text);
}

static bool is_reading(const xmlNode *node) { return is_one_of(node, "rdg rdgGrp"); }

/* Whether `wit` of a lemma or reading names a witness, "#A #B" or "A B". */
static bool has_witness(const xmlNode *node, const char *witness) {
    const char *list = is_one_of(node, "lem rdg") ? trib_node_attribute(node, "wit") : "";
    while (*(list += strspn(list, white))) {
        const size_t n = strcspn(list, white), skip = *list == '#';
        if (n - skip == strlen(witness) && memcmp(list + skip, witness, n - skip) == 0) return true;
        list += n;
    }
    return false;
}

/* The lemma or reading of an apparatus that a witness has, or NULL. */
static xmlNode *find_reading(const xmlNode *app, const char *witness) {
    for (xmlNode *child = app->children; child; child = child->next) {
        if (has_witness(child, witness)) return child;
        for (xmlNode *inner = trib_node_is(child, "rdgGrp") ? child->children : NULL; inner;
             inner = inner->next)
            if (has_witness(inner, witness)) return inner;
    }
    return NULL;
}

/* Whether a node is a lemma, reading or group of readings beside the reading of the witness. Sets
 * *is_decided when the apparatus has such a reading. */
static bool is_of_others(const xmlNode *node, const char *witness, bool *is_decided) {
    const xmlNode *app = node->parent;
    *is_decided = false;
    if (!witness || !*witness || (!is_reading(node) && !trib_node_is(node, "lem"))) return false;
    if (trib_node_is(app, "rdgGrp")) app = app->parent;
    const xmlNode *own = trib_node_is(app, "app") ? app->_private : NULL;
    *is_decided = own != NULL;
    return own && own != node && own->parent != node;
}

/* Whether a node is a reading of a critical apparatus that is not read. Only the reading of the
 * chosen witness is read, or else the lemma, or the first reading when there is no lemma. */
static bool is_variant(const xmlNode *node, const char *witness) {
    const xmlNode *const parent = node->parent;
    bool is_decided;
    const bool is_other = is_of_others(node, witness, &is_decided);
    if (is_decided) return is_other;
    if (!is_reading(node) || (!trib_node_is(parent, "app") && !trib_node_is(parent, "rdgGrp")))
        return false;
    for (const xmlNode *before = node->prev; before; before = before->prev)
        if (is_reading(before) || trib_node_is(before, "lem")) return true;
    for (const xmlNode *after = node->next; after; after = after->next)
        if (trib_node_is(after, "lem")) return true;
    return false;
}

static bool is_of_editor(const xmlNode *node) { return is_one_of(node, "corr reg expan"); }

/* Whether a node of a <choice> is the form that is not read: with TRIB_FORM_SOURCE a correction,
 * or a regularised or expanded form, and else the form of the source beside one of these. */
static bool is_alternative(const xmlNode *node, trib_form reading) {
    if (!trib_node_is(node->parent, "choice")) return false;
    if (reading == TRIB_FORM_SOURCE) return is_of_editor(node);
    return is_one_of(node, "sic orig abbr") && node->parent->_private != NULL;
}

/* The first form of a <choice> that an editor made, or NULL. */
static xmlNode *find_of_editor(const xmlNode *choice) {
    xmlNode *child = choice->children;
    while (child && !is_of_editor(child)) child = child->next;
    return child;
}

void trib_find_alternatives(xmlNode *root, const trib_edition *edition) {
    const char *witness = edition->witness ? edition->witness : "";
    for (const xmlNode *at = root; at; at = trib_node_after(root, at, true)) {
        xmlNode *node = (xmlNode *)(uintptr_t)at;
        if (*witness && trib_node_is(node, "app")) node->_private = find_reading(node, witness);
        if (trib_node_is(node, "choice")) node->_private = find_of_editor(node);
    }
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Whether a page of HTML is hOCR: a child or grandchild of its body has the class ocr_page. */
static bool is_recognised(const xmlNode *root) {
    const xmlNode *body = trib_node_child(root, "body");
    for (const xmlNode *child = body ? body->children : NULL; child; child = child->next) {
        if (child->type != XML_ELEMENT_NODE) continue;
        if (list_has_any(trib_node_attribute(child, "class"), "ocr_page")) return true;
        for (const xmlNode *inner = child->children; inner; inner = inner->next)
            if (inner->type == XML_ELEMENT_NODE &&
                list_has_any(trib_node_attribute(inner, "class"), "ocr_page"))
                return true;
    }
    return false;
}

trib_vocabulary trib_vocabulary_of(const xmlNode *root) {
    if (trib_node_is(root, "html")) return is_recognised(root) ? TRIB_XML_HOCR : TRIB_XML_HTML;
    if (trib_node_is(root, "osis")) return TRIB_XML_OSIS;
    return is_one_of(root, "TEI TEI.2 teiCorpus") ? TRIB_XML_TEI : TRIB_XML_OTHER;
}

static trib_layout layout_by_name(const xmlNode *node, trib_vocabulary vocabulary) {
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if ((elements[i].vocabularies & (int)vocabulary) && is_one_of(node, elements[i].names))
            return (trib_layout){(trib_text_flow)elements[i].flow, (trib_part)elements[i].part,
                                 false};
    return (trib_layout){TRIB_FLOW_NONE, TRIB_PART_READ, false};
}

static trib_part part_of_html(const xmlNode *node, trib_part by_name) {
    if (by_name != TRIB_PART_READ) return by_name;
    if (is_mark_of_html(node)) return TRIB_PART_MARK;
    if (trib_node_is(node, "footer") && trib_node_is(node->parent, "body"))
        return TRIB_PART_SKIP; /* the footer of the site */
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (list_has_any(trib_node_attribute(node, meanings[i].attribute), meanings[i].words))
            return (trib_part)meanings[i].part;
    return TRIB_PART_READ;
}

bool trib_is_confident(const char *written, double whole, double least) {
    char *end = NULL;
    const double value = strtod(written, &end);
    return end == written || !(value < least * whole);
}

/* hOCR (The hOCR Embedded OCR Workflow and Output Format, 1.2): the classes of elements say what
 * they are, and `title` what is known of them, "bbox 1 2 3 4; x_wconf 96". */
static trib_layout layout_of_hocr(const xmlNode *node, double least) {
    static const struct {
        const char *names;
        int flow, part;
    } classes[] = {
        {"ocr_page ocr_carea ocr_par ocr_textfloat ocr_caption", PARAGRAPH, READ},
        {"ocr_line ocrx_line", LINE, READ},
        {"ocr_header ocr_footer ocr_pageno ocr_photo ocr_separator", PARAGRAPH, SKIP},
    };
    const char *class = trib_node_attribute(node, "class");
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (list_has_any(class, classes[i].names))
            return (trib_layout){(trib_text_flow)classes[i].flow, (trib_part)classes[i].part,
                                 false};
    trib_layout layout = layout_by_name(node, TRIB_XML_HTML);
    const char *sure = strstr(trib_node_attribute(node, "title"), "x_wconf ");
    if (sure && !trib_is_confident(sure + strlen("x_wconf "), 100, least))
        layout.part = TRIB_PART_SKIP;
    return layout;
}

trib_layout trib_layout_of(const xmlNode *node, trib_vocabulary vocabulary,
                           const trib_edition *edition) {
    if (vocabulary == TRIB_XML_HOCR) return layout_of_hocr(node, edition->min_confidence);
    if (vocabulary == TRIB_XML_OTHER) return (trib_layout){TRIB_FLOW_LINE, TRIB_PART_READ, false};
    trib_layout layout = layout_by_name(node, vocabulary);
    if (vocabulary == TRIB_XML_HTML) layout.part = part_of_html(node, layout.part);
    if (vocabulary != TRIB_XML_TEI) return layout;
    if (is_variant(node, edition->witness) || is_alternative(node, edition->reading))
        return (trib_layout){TRIB_FLOW_NONE, TRIB_PART_SKIP, false};
    if ((edition->drops_speakers && trib_node_is(node, "speaker")) ||
        (edition->drops_stage && trib_node_is(node, "stage")))
        layout.part = TRIB_PART_SKIP;
    if (layout.part == TRIB_PART_READ && is_mark_of_tei(node)) layout.part = TRIB_PART_MARK;
    layout.joins = trib_node_is(node, "g")
                       ? strstr(trib_node_attribute(node, "ref"), "EOLhyphen") != NULL
                       : strcmp(trib_node_attribute(node, "break"), "no") == 0;
    if (layout.joins) layout.flow = TRIB_FLOW_NONE;
    return layout;
}

#endif
