/* tree.c - collects the text of the tree that libxml2 builds, and the references that TEI, OSIS and
 * other XML give: the numbers of the enclosing divisions, paragraphs and lines, "3.1.56", with
 * those of milestones after them; else the page, "p. 45"; else the id of the element, "#p12". */
#include "pipeline/text/elements.h"

#include <limits.h>

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <unicode/utf8.h>

enum { UNITS_MOST = 8 };

/* The numbers that hold in an element, for the reference of a place. Strings are those of the
 * tree. */
typedef struct scope {
    const xmlNode *node;            /* an element that has a number; NULL: the text */
    const char *own, *id;           /* its number and its id, each may be "" */
    const char *unit[UNITS_MOST];   /* [n_units] milestones in it but not in a scope of it, */
    const char *number[UNITS_MOST]; /* in the order in which their units were first seen */
    size_t n_units;
} scope;

/* State while the tree is traversed. */
typedef struct walk {
    trib_markup_text *to;
    const char *name; /* of the file */
    trib_error *error;
    trib_status status; /* a failure besides those to add to the text */
    trib_readings readings;
    unsigned n_notes; /* depth of nested notes */
    size_t from;      /* start of the current part in to->apart */
    size_t n_texts;   /* of a file of TEI */
    bool joins;       /* the next text continues the last word, without white space between */
    trib_border gap;  /* a word ends here: WORD, or PAGE */
    const char *span; /* nothing is read up to the element with this id; NULL: all is */
    size_t n_lost;    /* glyphs without a character */
    struct {
        const xmlNode
            *node;   /* the outermost heading, front matter, note around the place, or NULL */
        size_t from; /* where its text begins in target() */
    } part[3];
    scope *scope; /* [n] the innermost is the last */
    size_t n, cap;
    char page[16];   /* "": none */
    bool is_changed; /* the reference, since the last mark */
} walk;

/* ---- References ------------------------------------------------------------------------------ */

/* The value of an attribute that can be a number or a name in a reference; "": it is none. */
static const char *short_value(const xmlNode *node, const char *name) {
    enum { LONGEST = 40 };
    const char *value = trib_node_attribute(node, name);
    return strlen(value) <= LONGEST && strncmp(value, "urn:", 4) != 0 && !strchr(value, '/') ? value
                                                                                             : "";
}

/* Whether the number of an element is part of a reference. */
static bool is_scope(const xmlNode *node) {
    return trib_is_among(
        "div div0 div1 div2 div3 div4 div5 div6 div7 l p ab s seg sp u chapter verse",
        (const char *)node->name);
}

/* Sets the number of a unit, such as a section; units that began after it begin again. */
static void set_milestone(scope *s, const char *unit, const char *number) {
    size_t i = 0;
    while (i < s->n_units && strcmp(s->unit[i], unit) != 0) i++;
    if (i == UNITS_MOST) return;
    s->unit[i] = unit;
    s->number[i] = number;
    for (size_t k = i + 1; k < s->n_units; k++) s->number[k] = "";
    if (i == s->n_units) s->n_units++;
}

/* The innermost element with a number, to which milestones belong; else the text. */
static scope *numbered(const walk *w) {
    size_t s = w->n - 1;
    while (s > 0 && !*w->scope[s].own) s--;
    return &w->scope[s];
}

/* Opens a scope if the element has a number or an id; `node` NULL: that of the text as a whole. */
static void open_scope(walk *w, const xmlNode *node, const char *number) {
    const char *id = node && !*number ? short_value(node, "xml:id") : "";
    if (node && !*number && !*id) return;
    w->status = TRIB_APPEND(&w->scope, &w->n, &w->cap, "the references of a text", w->error,
                            &(scope){.node = node, .own = number, .id = id});
}

/* Takes account of the begin of an element. */
static void begin_element(walk *w, const xmlNode *node) {
    const char *name = (const char *)node->name, *number = short_value(node, "n");
    if (!*number) number = short_value(node, "osisID");
    if (w->n == 0) open_scope(w, NULL, "");
    if (w->status != TRIB_OK) return;
    scope *inner = numbered(w);
    if (strcmp(name, "pb") == 0 && *number && strlen(number) < sizeof w->page)
        strcpy(w->page, number);
    else if (strcmp(name, "lb") == 0 && *number) set_milestone(inner, "line", number);
    else if (strcmp(name, "milestone") == 0) {
        /* without a unit it is a running head of OSIS */
        const char *unit = trib_node_attribute(node, "unit");
        if (!*number || !*unit) return;
        set_milestone(inner, unit, number);
    } else if (!node->children && *number && is_scope(node)) set_milestone(inner, name, number);
    else if (node->children && is_scope(node)) open_scope(w, node, number);
    else return;
    w->is_changed = true;
}

static void end_element(walk *w, const xmlNode *node) {
    if (w->n == 0 || w->scope[w->n - 1].node != node) return;
    w->n--;
    w->is_changed = true;
}

/* Takes account of an element whose text is not read, the number of a page of HTML. A break between
 * pages of a book has the number in an attribute or as its text, "[45]" or "Pg 45". */
static void skip_element(walk *w, const xmlNode *node) {
    static const char around[] = " \t\r\n[]{}()";
    const xmlNode *inner = node->children;
    const char *text = trib_node_attribute(node, "title");
    if (!*text) text = trib_node_attribute(node, "aria-label");
    if (!*text && inner && inner->type == XML_TEXT_NODE && inner->content)
        text = (const char *)inner->content;
    if (!strstr(trib_node_attribute(node, "role"), "pagebreak") &&
        !strstr(trib_node_attribute(node, "epub:type"), "pagebreak") &&
        !strstr(trib_node_attribute(node, "class"), "page"))
        return;
    text += strspn(text, around);
    for (size_t i = 0; i < 4; i++) {
        static const char *const words[] = {"Page ", "page ", "Pg ", "p. "};
        if (strncmp(text, words[i], strlen(words[i])) == 0) text += strlen(words[i]);
    }
    const size_t n = strcspn(text, around);
    if (n == 0 || n >= sizeof w->page || text[n + strspn(text + n, around)] ||
        strspn(text, "0123456789ivxlcdmIVXLCDM") != n)
        return;
    memcpy(w->page, text, n);
    w->page[n] = '\0';
    w->is_changed = true;
}

/* Appends a number to a label. One that begins with the label, or that is after a milestone and has
 * several parts, replaces it. */
static void append(char label[TRIB_REFERENCE_MAX], const char *number, bool is_milestone) {
    const size_t length = strlen(label);
    if (!*number) return;
    const bool is_whole =
        (strncmp(number, label, length) == 0 && strchr(".:", number[length]) && number[length]) ||
        (is_milestone && strpbrk(number, ".:"));
    if (length == 0 || is_whole) snprintf(label, TRIB_REFERENCE_MAX, "%s", number);
    else snprintf(label + length, TRIB_REFERENCE_MAX - length, ".%s", number);
}

/* Marks the end of the text with the reference that holds now. */
static void mark_place(walk *w) {
    char label[TRIB_REFERENCE_MAX] = "";
    const size_t place = w->to->text.length;
    const char *id = "";
    if (!w->is_changed) return;
    w->is_changed = false;
    for (size_t s = 0; s < w->n; s++) {
        append(label, w->scope[s].own, false);
        if (*w->scope[s].id) id = w->scope[s].id;
    }
    const scope *inner = numbered(w);
    const bool is_line = !*label && inner->n_units == 1 && strcmp(inner->unit[0], "line") == 0 &&
                         !strpbrk(inner->number[0], ".:");
    for (size_t u = 0; u < inner->n_units && !is_line; u++) append(label, inner->number[u], true);
    if (is_line)
        snprintf(label, sizeof label, "%s%s%sline %s", *w->page ? "p. " : "", w->page,
                 *w->page ? ", " : "", inner->number[0]);
    else if (!*label && *w->page) snprintf(label, sizeof label, "p. %s", w->page);
    else if (!*label && *id) snprintf(label, sizeof label, "#%s", id);
    trib_references_add(&w->to->references, place, place, label, strlen(label), w->error);
}

/* ---- Text ------------------------------------------------------------------------------------ */

static trib_buffer *target(walk *w) {
    return w->n_notes > 0 && w->to->notes == TRIB_NOTES_SEPARATE ? &w->to->apart : &w->to->text;
}

static void end(walk *w, trib_text_flow flow) {
    if (!w->joins) trib_text_end(target(w), flow, w->error);
}

/* Appends text and replaces each run of white space by one line end or space, since an empty line
 * would end the paragraph. */
static void add_text(walk *w, const char *content, bool is_preformatted) {
    static const char white[] = " \t\r\n";
    trib_buffer *text = target(w);
    if (w->span) w->to->account.counts.forms_out += trib_words_in(content, strlen(content));
    if (w->span) return;
    if (w->joins) {
        content += strspn(content, white);
        w->joins = *content == '\0';
        w->gap = TRIB_BORDER_NONE;
    }
    if (w->joins || !*content) return;
    if (w->gap && trib_text_needs_space(text, content, w->gap == TRIB_BORDER_PAGE))
        trib_buffer_add(text, " ", 1, w->error);
    w->gap = TRIB_BORDER_NONE;
    if (text == &w->to->text && content[strspn(content, white)]) mark_place(w);
    if (is_preformatted) trib_buffer_add(text, content, strlen(content), w->error);
    while (*content && !is_preformatted) {
        const size_t n_white = strspn(content, white), n = strcspn(content + n_white, white);
        const char *space = memchr(content, '\n', n_white) ? "\n" : " ";
        if (n_white > 0 && text->length > 0 && text->text[text->length - 1] != '\n')
            trib_buffer_add(text, space, 1, w->error);
        trib_buffer_add(text, content + n_white, n, w->error);
        content += n_white + n;
    }
}

/* Appends a word of OSIS, in which a slash separates morphemes. */
static void add_morphemes(walk *w, const char *content) {
    TRIB_OWNED(trib_buffer) word = {0};
    for (const char *at = content ? content : ""; *at;) {
        const size_t n = strcspn(at, "/");
        w->status = trib_buffer_add(&word, at, n, w->error);
        at += n + (at[n] == '/');
    }
    if (w->status == TRIB_OK && word.length > 0) add_text(w, word.text, false);
}

static xmlDoc *read_html(const char *text, size_t n) {
    const int options = HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING;
    return n < INT_MAX ? htmlReadMemory(text, (int)n, NULL, "UTF-8", options) : NULL;
}

/* The text of an entity of HTML, which the caller frees; NULL when HTML has none of this name. The
 * parser of HTML, which leaves an unknown name as it is, knows them all. */
static xmlChar *text_of_entity(const char *name) {
    char page[96];
    const int n = snprintf(page, sizeof page, "<p>&%s;</p>", name);
    xmlDoc *doc = n < (int)sizeof page ? read_html(page, (size_t)n) : NULL;
    xmlChar *text = doc ? xmlNodeGetContent(xmlDocGetRootElement(doc)) : NULL;
    const size_t length = text ? strlen((const char *)text) : 0;
    if (length == 0 || (length > 1 && text[length - 1] == ';')) {
        xmlFree(text);
        text = NULL;
    }
    xmlFreeDoc(doc);
    return text;
}

static void add_entity(walk *w, const xmlNode *node) {
    xmlChar *text = text_of_entity((const char *)node->name);
    if (text && !w->span)
        trib_buffer_add(target(w), (const char *)text, strlen((const char *)text), w->error);
    else if (!text)
        w->status = trib_fail(
            w->error, TRIB_INPUT,
            "%s: line %ld uses the entity '&%.60s;', which is not expanded; replace it by its text",
            w->name, xmlGetLineNo(node), (const char *)node->name);
    w->joins = false;
    xmlFree(text);
}

/* ---- What stands for a content --------------------------------------------------------------- */

/* Adds the character of a glyph that has no text of its own, as the header declares it: "U+28A0F",
 * or as it is. */
static void add_glyph(walk *w, const xmlNode *node) {
    const char *text = trib_glyph_text(node);
    w->n_lost += !*text;
    while (strncmp(text, "U+", 2) == 0) {
        uint8_t utf8[U8_MAX_LENGTH + 1] = {0};
        char *end;
        const unsigned long c = strtoul(text + 2, &end, 16);
        size_t n = 0;
        if (c == 0 || c > 0x10FFFF || U_IS_SURROGATE(c)) break;
        U8_APPEND_UNSAFE(utf8, n, (uint32_t)c);
        add_text(w, (const char *)utf8, false);
        text = end + strspn(end, " ");
    }
    add_text(w, text, false);
}

/* Adds the text of an element that is HTML in its turn. */
static void add_escaped(walk *w, const xmlNode *node) {
    xmlChar *content = xmlNodeGetContent(node);
    const char *const text = (const char *)content;
    xmlDoc *doc = read_html(text, text ? strlen(text) : 0);
    xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    w->status = root ? trib_tree_text(w->to, root, w->name, w->error) : TRIB_OK;
    xmlFreeDoc(doc);
    xmlFree(content);
}

/* Adds what is read instead of the content of an element; false when it is the content. */
static bool add_instead(walk *w, const xmlNode *node, trib_layout layout) {
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)layout.instead.n, layout.instead.at);
    if (*name && *trib_node_attribute(node, name))
        add_text(w, trib_node_attribute(node, name), false);
    else if (layout.use == TRIB_USE_GLYPH && !node->children) add_glyph(w, node);
    else if (layout.use == TRIB_USE_ESCAPED && node->children && !trib_node_below(node, NULL, NULL))
        add_escaped(w, node);
    else return false;
    return true;
}

/* ---- Notes ----------------------------------------------------------------------------------- */

static bool is_read(const walk *w, trib_layout layout) {
    const trib_notes notes = w->to->notes;
    return layout.part == TRIB_PART_READ ||
           (layout.part == TRIB_PART_MARK && notes == TRIB_NOTES_KEEP) ||
           (layout.part == TRIB_PART_NOTE && notes != TRIB_NOTES_DROP);
}

/* Whether the element before this one, with no text between, is a phrase or a word, too. */
static bool follows_phrase(walk *w, const xmlNode *node) {
    for (const xmlNode *at = node->children ? node->prev : NULL; at; at = at->prev) {
        if (at->type == XML_TEXT_NODE || at->type == XML_CDATA_SECTION_NODE) return false;
        if (at->type != XML_ELEMENT_NODE || !at->children) continue;
        const trib_layout layout = trib_layout_of(&w->readings, at);
        if (is_read(w, layout))
            return layout.border == TRIB_BORDER_PHRASE || layout.border == TRIB_BORDER_WORD;
    }
    return false;
}

/* Whether the word of an element goes on in the next one. */
static bool goes_on(const xmlNode *node) {
    const char *const name = (const char *)node->name, *id = trib_node_attribute(node, "next");
    const xmlNode *next = trib_node_below(xmlDocGetRootElement(node->doc), node, name);
    if (!next || *id) return next && strcmp(id + 1, trib_node_attribute(next, "xml:id")) == 0;
    return !*trib_node_attribute(node, "part") ||
           trib_is_among("M F", trib_node_attribute(next, "part"));
}

/* Takes account of the begin of an element that is read. */
static void begin_part(walk *w, const xmlNode *node, trib_layout layout) {
    const size_t p = layout.part == TRIB_PART_NOTE ? 2 : layout.kind == TRIB_KIND_FRONT;
    if (w->part[p].node || (p == 0 && layout.kind != TRIB_KIND_HEADING)) return;
    w->part[p].node = node;
    w->part[p].from = target(w)->length;
}

/* Counts the words of an element that was read. */
static void end_part(walk *w, const xmlNode *node, size_t p) {
    trib_account_counts *const counts = &w->to->account.counts;
    uint64_t *const n[] = {&counts->headings, &counts->front, &counts->notes};
    const trib_buffer *text = target(w);
    if (w->part[p].node != node) return;
    w->part[p].node = NULL;
    if (text->length > w->part[p].from)
        *n[p] += trib_words_in(text->text + w->part[p].from, text->length - w->part[p].from);
}

/* Counts the words of an element that is not read. */
static void count_left_out(walk *w, const xmlNode *root, trib_layout layout) {
    trib_account *const account = &w->to->account;
    const bool is_note = layout.part == TRIB_PART_NOTE || layout.part == TRIB_PART_MARK;
    uint64_t n = 0;
    for (const xmlNode *node = root; node; node = trib_node_after(root, node, true))
        if ((node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) && node->content)
            n += trib_words_in((const char *)node->content, strlen((const char *)node->content));
    *(is_note                              ? &account->counts.notes_out
      : layout.kind == TRIB_KIND_FORM      ? &account->counts.forms_out
      : layout.kind == TRIB_KIND_FURNITURE ? &account->counts.furniture_out
                                           : &account->counts.others_out) += n;
    if (!is_note) trib_named_count_add(account->left_out, (const char *)root->name, n);
}

/* Handles the begin or end of an element. A note in its place is set apart by spaces, so that it is
 * not joined with a word; otherwise it is a part of its own. */
static void border(walk *w, const xmlNode *node, trib_layout layout, bool begins) {
    const trib_border ends = layout.border;
    for (size_t p = 0; p < 3 && !begins; p++) end_part(w, node, p);
    if (ends == TRIB_BORDER_WORD ||
        ((ends == TRIB_BORDER_BEGIN || ends == TRIB_BORDER_OPEN) && begins) ||
        (ends == TRIB_BORDER_END && !begins) ||
        (ends == TRIB_BORDER_PHRASE && begins && follows_phrase(w, node)))
        w->gap = TRIB_BORDER_WORD;
    else if (ends == TRIB_BORDER_END) {
        trib_text_trim(target(w), w->n_notes > 0 ? w->from : 0);
        w->gap = TRIB_BORDER_NONE;
    } else if (ends == TRIB_BORDER_PAGE && !w->gap) w->gap = TRIB_BORDER_PAGE;
    else if (ends == TRIB_BORDER_OPEN && !begins) w->joins = goes_on(node);
    const bool is_beside = layout.part == TRIB_PART_MARK || layout.part == TRIB_PART_NOTE;
    if (!is_beside || !is_read(w, layout)) {
        end(w, layout.flow);
    } else if (w->to->notes == TRIB_NOTES_SEPARATE) {
        if (begins) end(w, layout.flow), w->n_notes++;
        w->joins = false;
        trib_markup_end_note(w->to, &w->from, w->error);
        if (!begins) w->n_notes--;
    } else {
        end(w, layout.flow);
        w->joins = false;
        trib_text_space(target(w), 0, w->error);
    }
}

/* Counts an element that is in no table, if that matters. */
static void count_unknown(walk *w, const xmlNode *node, trib_layout layout) {
    const trib_vocabulary *vocabulary = w->readings.vocabulary;
    if (vocabulary->is_open || layout.flow != TRIB_FLOW_NONE || !node->children ||
        trib_is_known(&w->readings, node))
        return;
    trib_named_count_add(w->to->account.unknown, (const char *)node->name, 1);
}

/* Says what of the tree was not read, or may be read wrongly. */
static void make_remark(const walk *w) {
    char *remark = w->to->remark;
    if (*remark) return;
    if (strcmp(w->readings.vocabulary->name, "TEI") == 0 && w->n_texts > 1)
        snprintf(remark, TRIB_NOTE_MAX, "has %zu texts, which are read as one", w->n_texts);
    else if (w->n_lost > 0)
        snprintf(remark, TRIB_NOTE_MAX, "%zu <g> have no character in the header: left out",
                 w->n_lost);
    else if (w->span)
        snprintf(remark, TRIB_NOTE_MAX,
                 "no element after <delSpan> has the xml:id %.60s: what "
                 "follows is not read",
                 w->span);
    const trib_named_count *const unknown = w->to->account.unknown;
    size_t n = strlen(remark);
    for (size_t i = 0; i < TRIB_ACCOUNT_NAMES && unknown[i].n > 0; i++, n = strlen(remark))
        snprintf(remark + n, TRIB_NOTE_MAX - n, "%s<%s> (%lu)",
                 i > 0    ? ", "
                 : n == 0 ? "unknown elements are read in the line: "
                          : "; unknown elements: ",
                 unknown[i].name, (unsigned long)unknown[i].n);
}

/* ---- The walk -------------------------------------------------------------------------------- */

/* Reads a node, or the begin of an element; whether its contents are read, too. */
static bool visit(walk *w, const xmlNode *node) {
    const bool is_text = node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
    if (trib_node_is_indent(&w->readings, node)) return false;
    if (node->type == XML_ENTITY_REF_NODE) add_entity(w, node);
    if (node->type == XML_TEXT_NODE && trib_node_is(node->parent, "w") &&
        trib_layout_of(&w->readings, node->parent).use == TRIB_USE_MORPHEMES)
        add_morphemes(w, (const char *)node->content);
    else if (is_text && node->content)
        add_text(w, (const char *)node->content, trib_node_is(node->parent, "pre"));
    if (node->type != XML_ELEMENT_NODE) return false;
    w->n_texts += trib_node_is(node, "text") && !trib_node_child(node, "group");
    const trib_layout layout = trib_layout_of(&w->readings, node);
    const bool reads = is_read(w, layout);
    const char *to = layout.use == TRIB_USE_SPAN ? trib_node_attribute(node, "spanTo") : "";
    if (w->span && strcmp(trib_node_attribute(node, "xml:id"), w->span) == 0) w->span = NULL;
    if (*to == '#' && !w->span) w->span = to + 1;
    count_unknown(w, node, layout);
    if (reads) trib_readings_choose(&w->readings, (xmlNode *)(uintptr_t)node, layout.use);
    if (!reads && node->children) count_left_out(w, node, layout);
    w->to->account.counts.joined += layout.border == TRIB_BORDER_JOIN;
    if (layout.border == TRIB_BORDER_JOIN) { /* a word broken at a line end is joined */
        trib_buffer *text = target(w);
        trib_text_join(text, text == &w->to->apart ? w->from : 0);
        w->joins = true;
    }
    if ((reads && node->children) || !node->children) begin_element(w, node);
    else if (layout.part == TRIB_PART_SKIP) skip_element(w, node);
    if (node->children || layout.part == TRIB_PART_READ || !reads) border(w, node, layout, true);
    if (reads && node->children) begin_part(w, node, layout);
    if (!reads || !add_instead(w, node, layout)) return node->children && reads;
    end_element(w, node);
    if (node->children) border(w, node, layout, false);
    return false;
}

trib_status trib_tree_text(trib_markup_text *to, xmlNode *root, const char *name,
                           trib_error *error) {
    TRIB_FREED(walk *) w = NULL;
    trib_status status = trib_new(&w, 1, sizeof *w, "the elements of a file", error);
    if (status != TRIB_OK) return status;
    w->to = to, w->name = name, w->error = error, w->from = to->apart.length;
    trib_readings_begin(&w->readings, root, &to->edition);
    strcpy(to->account.kind, w->readings.vocabulary->name);
    for (const xmlNode *node = root; node && w->status == TRIB_OK;) {
        if (visit(w, node)) {
            node = node->children;
            continue;
        }
        while (node != root && !node->next) {
            node = node->parent;
            end_element(w, node);
            border(w, node, trib_layout_of(&w->readings, node), false);
        }
        node = node == root ? NULL : node->next;
    }
    w->to->account.counts.lost += w->n_lost;
    make_remark(w);
    status = w->status;
    trib_text_end(&to->text, TRIB_FLOW_LINE, error);
    trib_free(w->scope);
    return status == TRIB_OK ? trib_markup_status(to) : status;
}
