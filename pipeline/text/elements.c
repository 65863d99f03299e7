/* elements.c - reads the tables of vocabularies: how an element is read. */
#include "pipeline/text/elements.h"

#include <libxml/valid.h>
#include <limits.h>
#include <strings.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

/* ---- Looking at a node ----------------------------------------------------------------------- */

bool trib_node_is(const xmlNode *node, const char *name) {
    return node && node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

const xmlNode *trib_node_child(const xmlNode *node, const char *name) {
    const xmlNode *child = node->children;
    while (child && !trib_node_is(child, name)) child = child->next;
    return child;
}

/* Compares the name of an attribute, which may have a prefix: libxml2's HTML parser leaves the
 * prefix in the name. */
static bool is_called(const xmlAttr *attribute, trib_piece name) {
    const char *own = (const char *)attribute->name;
    if (strncmp(own, name.at, name.n) == 0 && !own[name.n]) return true;
    const char *prefix = attribute->ns ? (const char *)attribute->ns->prefix : NULL;
    const size_t n = prefix ? strlen(prefix) : 0;
    return n > 0 && n < name.n && name.at[n] == ':' && memcmp(prefix, name.at, n) == 0 &&
           strlen(own) == name.n - n - 1 && memcmp(own, name.at + n + 1, name.n - n - 1) == 0;
}

static const xmlAttr *find_attribute(const xmlNode *node, trib_piece name) {
    const xmlAttr *a = node->properties;
    while (a && !is_called(a, name)) a = a->next;
    return a;
}

static const char *value_of(const xmlAttr *a) {
    return a && a->children && a->children->content ? (const char *)a->children->content : "";
}

const char *trib_node_attribute(const xmlNode *node, const char *name) {
    return value_of(find_attribute(node, (trib_piece){name, strlen(name)}));
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

/* Whether a node is the mark of a note: digits or signs, raised or in a link within the page; also
 * a superscript that consists of one link, and a link that consists of one superscript. */
static bool is_note_mark(const xmlNode *node) {
    char text[SHORT_MOST];
    if (!short_text(node, text) || !*text) return false;
    if (trib_node_is(node, "sup")) return is_mark(text) || is_link(only_child(node));
    if (!trib_node_is(node, "a")) return is_mark(text);
    return is_link(node) && (trib_node_is(only_child(node), "sup") ||
                             (is_mark(text) && strchr(trib_node_attribute(node, "href"), '#')));
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static bool is_equal(trib_piece a, trib_piece b) {
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static bool is_in(trib_piece list, trib_piece word, const char *ends) {
    for (trib_piece one; trib_piece_next(&list, &one, ends);)
        if (is_equal(one, word)) return true;
    return false;
}

/* Whether a value contains a word, ignoring white space and case. */
static bool contains(const char *value, trib_piece word) {
    for (; *value; value++) {
        const char *at = value;
        size_t n = 0;
        for (; n < word.n && *at; at++) {
            if (strchr(white, *at)) continue;
            if (strncasecmp(at, word.at + n, 1) != 0) break;
            n++;
        }
        if (n == word.n) return true;
    }
    return false;
}

/* Whether the value of an attribute is one of the words, has one of them, and so on. */
static bool value_holds(const char *value, char how, trib_piece words) {
    const trib_piece whole = {value, strlen(value)};
    for (trib_piece word; trib_piece_next(&words, &word, "|");)
        if (how == '='   ? is_equal(whole, word)
            : how == '~' ? is_in(whole, word, white)
            : how == '*' ? contains(value, word)
                         : strncmp(value, word.at, word.n) == 0)
            return true;
    return false;
}

static bool attribute_holds(const xmlNode *node, trib_piece term) {
    trib_piece names = term, one;
    names.n = 0;
    while (names.n < term.n && !strchr("=~*^", term.at[names.n])) names.n++;
    trib_piece words = {term.at + names.n, term.n - names.n};
    const char how = words.n > 0 ? *words.at : '\0';
    for (size_t skip = how == '*' || how == '^' ? 2 : how ? 1 : 0; skip > 0 && words.n > 0; skip--)
        words.at++, words.n--;
    while (trib_piece_next(&names, &one, "|")) {
        const xmlAttr *a = find_attribute(node, one);
        if (a && (!how || value_holds(value_of(a), how, words))) return true;
    }
    return false;
}

static bool is_named(const xmlNode *node, trib_piece names) {
    return node && node->type == XML_ELEMENT_NODE &&
           is_in(names, (trib_piece){(const char *)node->name, strlen((const char *)node->name)},
                 "|");
}

/* Whether letters of the text before or after an element touch it, and it is not empty. */
static bool is_glued(const xmlNode *node) {
    const xmlNode *before = node->prev, *after = node->next;
    const bool has_before = before && before->type == XML_TEXT_NODE && before->content;
    const bool has_after = after && after->type == XML_TEXT_NODE && after->content;
    const char *text = has_before ? (const char *)before->content : "";
    return node->children &&
           (trib_is_of_word(trib_last_character(text, strlen(text))) ||
            (has_after && trib_is_of_word(trib_first_character((const char *)after->content))));
}

static bool is_under(const xmlNode *node, trib_piece names) {
    for (node = node->parent; node && node->type == XML_ELEMENT_NODE; node = node->parent)
        if (is_named(node, names)) return true;
    return false;
}

static bool has_named(const xmlNode *child, trib_piece names) {
    while (child && !is_named(child, names)) child = child->next;
    return child != NULL;
}

static bool begins_with(trib_piece *term, const char *word) {
    const size_t n = strlen(word);
    if (term->n < n || memcmp(term->at, word, n) != 0) return false;
    term->at += n;
    term->n -= n;
    return true;
}

static bool term_holds(const xmlNode *node, trib_piece term) {
    const bool wanted = !begins_with(&term, "!");
    bool holds = false;
    if (begins_with(&term, "@")) holds = attribute_holds(node, term);
    else if (begins_with(&term, "in:")) holds = is_named(node->parent, term);
    else if (begins_with(&term, "under:")) holds = is_under(node, term);
    else if (begins_with(&term, "has:")) holds = has_named(node->children, term);
    else if (begins_with(&term, "beside:"))
        holds = node->parent && has_named(node->parent->children, term);
    else if (begins_with(&term, "glued")) holds = is_glued(node);
    return holds == wanted;
}

static bool condition_holds(const xmlNode *node, trib_piece terms) {
    if (terms.n > 0 && *terms.at == '@' && !node->properties) return false;
    for (trib_piece term; trib_piece_next(&terms, &term, white);)
        if (!term_holds(node, term)) return false;
    return true;
}

/* ---- Readings -------------------------------------------------------------------------------- */

void trib_readings_begin(trib_readings *r, const xmlNode *root, const trib_edition *edition) {
    r->vocabulary = trib_vocabulary_of(root);
    r->edition = edition;
    trib_piece tables = {r->vocabulary->tables, strlen(r->vocabulary->tables)}, name;
    trib_piece table = {edition->rules, edition->rules ? strlen(edition->rules) : 0};
    do
        while (r->n_rules < TRIB_RULES_MOST && trib_rule_next(&table, &r->rule[r->n_rules]))
            r->n_rules++;
    while (trib_piece_next(&tables, &name, " ") && (table = trib_markup_table(name), true));
}

/* What the words of a row say. */
static trib_reading_row read_row(const trib_rule *rule) {
    trib_reading_row row = {.when = rule->when};
    trib_piece words = rule->is;
    for (trib_piece one; trib_piece_next(&words, &one, white);) {
        int value = 0;
        const unsigned kind = trib_reading_word(one, &value);
        row.says |= kind;
        if (kind == TRIB_SAYS_FLOW) row.layout.flow = (trib_text_flow)value;
        else if (kind == TRIB_SAYS_BORDER) row.layout.border = (trib_border)value;
        else if (kind == TRIB_SAYS_USE) row.layout.use = (trib_use)value;
        else if (kind == TRIB_SAYS_KIND) row.layout.kind = (trib_kind)value;
        else if (kind == TRIB_SAYS_INSTEAD) {
            const char *name = memchr(one.at, '@', one.n);
            row.layout.instead = (trib_piece){name + 1, one.n - (size_t)(name + 1 - one.at)};
            row.form = (trib_form)value;
        } else if (kind) row.layout.part = (trib_part)value;
    }
    return row;
}

/* Whether a row says something of an element. */
static bool row_holds(const trib_readings *r, const trib_reading_row *row, const xmlNode *node) {
    if (!condition_holds(node, row->when)) return false;
    if (row->says & TRIB_SAYS_MARK) return is_note_mark(node);
    if (!(row->says & TRIB_SAYS_UNSURE)) return true;
    const char *sure = strstr(trib_node_attribute(node, "title"), "x_wconf ");
    return sure && !trib_is_confident(sure + strlen("x_wconf "), 100, r->edition->min_confidence);
}

/* What the first rows that say something of an element say together. */
static trib_layout merge_rows(const trib_readings *r, size_t i, const xmlNode *node) {
    enum { FLOW = TRIB_SAYS_FLOW | TRIB_SAYS_BORDER };
    enum { PART = TRIB_SAYS_PART | TRIB_SAYS_MARK | TRIB_SAYS_UNSURE };
    trib_layout layout = {.flow = TRIB_FLOW_NONE};
    unsigned said = 0;
    const unsigned first = r->name[i].first, n = r->name[i].n;
    for (const trib_reading_row *row = r->row + first; row < r->row + first + n; row++) {
        const unsigned news = row->says & ~said;
        if (!news || !row_holds(r, row, node)) continue;
        if (news & FLOW) layout.flow = row->layout.flow, layout.border = row->layout.border;
        if (news & PART) layout.part = row->layout.part;
        if (news & TRIB_SAYS_USE) layout.use = row->layout.use;
        if (news & TRIB_SAYS_KIND) layout.kind = row->layout.kind;
        if (news & TRIB_SAYS_INSTEAD && row->form == r->edition->reading)
            layout.instead = row->layout.instead;
        said |= row->says & FLOW ? FLOW : 0;
        said |= row->says & PART ? PART : 0;
        said |= row->says & (TRIB_SAYS_USE | TRIB_SAYS_KIND);
        said |= layout.instead.n > 0 ? TRIB_SAYS_INSTEAD : 0;
    }
    return layout;
}

/* What the rows say of an element without attributes, if that depends on nothing else. */
static void find_bare(trib_readings *r, size_t i) {
    const xmlNode none = {.type = XML_ELEMENT_NODE};
    const trib_reading_row *const first = r->row + r->name[i].first;
    bool is_bare = true;
    for (const trib_reading_row *row = first; row < first + r->name[i].n; row++)
        is_bare = is_bare && (row->when.n > 0 ? *row->when.at == '@'
                                              : !(row->says & (TRIB_SAYS_MARK | TRIB_SAYS_UNSURE)));
    if (is_bare) r->name[i].bare = merge_rows(r, i, &none);
    r->name[i].is_bare = is_bare;
}

/* The place of the rows of an element in r->name. */
static size_t look_up(trib_readings *r, const xmlNode *node) {
    size_t i = (size_t)((uint64_t)(uintptr_t)node->name * 0x9E3779B97F4A7C15U >> 32);
    for (i %= TRIB_NAMES_MOST; r->name[i].name; i = (i + 1) % TRIB_NAMES_MOST)
        if (r->name[i].name == node->name) return i;
    if (r->n_rows > TRIB_ROWS_MOST / 2 || ++r->n_names > TRIB_NAMES_MOST / 2) {
        memset(r->name, 0, sizeof r->name);
        r->n_rows = r->n_names = 0;
    }
    bool is_known = false;
    const unsigned first = r->n_rows;
    const trib_piece name = {(const char *)node->name, strlen((const char *)node->name)};
    for (const trib_rule *rule = r->rule; rule < r->rule + r->n_rules; rule++) {
        const bool is_named = is_in(rule->elements, name, white);
        is_known = is_known || is_named;
        if ((is_named || *rule->elements.at == '*') && r->n_rows < TRIB_ROWS_MOST)
            r->row[r->n_rows++] = read_row(rule);
    }
    r->name[i].name = node->name;
    r->name[i].first = first;
    r->name[i].n = r->n_rows - first;
    r->name[i].is_known = is_known;
    find_bare(r, i);
    return i;
}

bool trib_is_known(trib_readings *r, const xmlNode *node) {
    return r->name[look_up(r, node)].is_known;
}

static trib_layout merge(trib_readings *r, const xmlNode *node) {
    const size_t i = look_up(r, node);
    return r->name[i].is_bare && !node->properties ? r->name[i].bare : merge_rows(r, i, node);
}

/* ---- Forms ----------------------------------------------------------------------------------- */

static bool has_witness(const xmlNode *node, const char *witness) {
    trib_piece list = {trib_node_attribute(node, "wit"), 0}, one;
    const trib_piece wanted = {witness, strlen(witness)};
    list.n = strlen(list.at);
    while (trib_piece_next(&list, &one, white)) {
        (void)begins_with(&one, "#");
        if (wanted.n > 0 && is_equal(one, wanted)) return true;
    }
    return false;
}

static bool is_of_apparatus(trib_use use) {
    return use == TRIB_USE_LEMMA || use == TRIB_USE_READING || use == TRIB_USE_READINGS;
}

/* The reading of a group that the witness has, or NULL. */
static xmlNode *find_in_group(trib_readings *r, const xmlNode *group, const char *witness) {
    xmlNode *child = group->children;
    while (child && !(child->type == XML_ELEMENT_NODE && is_of_apparatus(merge(r, child).use) &&
                      has_witness(child, witness)))
        child = child->next;
    return child;
}

/* How far a form is from the one to be read; UINT_MAX: it is no form. */
static unsigned distance_of(trib_readings *r, const xmlNode *child, trib_use group) {
    const char *witness = r->edition->witness ? r->edition->witness : "";
    const trib_use use = merge(r, child).use;
    const bool is_source = r->edition->reading == TRIB_FORM_SOURCE;
    if (group == TRIB_USE_CHOICE)
        return use == TRIB_USE_SOURCE    ? (is_source ? 0 : 2)
               : use == TRIB_USE_REGULAR ? (is_source ? 2 : 0)
                                         : 1;
    if (!is_of_apparatus(use)) return UINT_MAX;
    if (use != TRIB_USE_READINGS && has_witness(child, witness)) return 0;
    if (use == TRIB_USE_READINGS && find_in_group(r, child, witness)) return 0;
    return use == TRIB_USE_LEMMA ? 1 : 2;
}

void trib_readings_choose(trib_readings *r, xmlNode *node, trib_use use) {
    unsigned least = UINT_MAX;
    if (use < TRIB_USE_CHOICE || use > TRIB_USE_READINGS) return;
    for (xmlNode *child = node->children; child; child = child->next) {
        if (child->type != XML_ELEMENT_NODE || merge(r, child).part == TRIB_PART_SKIP) continue;
        const unsigned distance = distance_of(r, child, use);
        if (distance >= least) continue;
        node->_private = child;
        least = distance;
    }
}

/* Whether a node is a form that is not read, since another one was chosen. */
static bool is_other_form(trib_readings *r, const xmlNode *node, trib_use use) {
    const xmlNode *parent = node->parent;
    return parent && parent->type == XML_ELEMENT_NODE && parent->_private &&
           parent->_private != node &&
           (is_of_apparatus(use) || merge(r, parent).use == TRIB_USE_CHOICE);
}

bool trib_node_is_indent(trib_readings *r, const xmlNode *node) {
    const char *text = node->type == XML_TEXT_NODE ? (const char *)node->content : NULL;
    if (!text || !node->parent || !strchr(text, '\n') || text[strspn(text, white)]) return false;
    const trib_use use = merge(r, node->parent).use;
    return use == TRIB_USE_ELEMENTS || (use >= TRIB_USE_CHOICE && use <= TRIB_USE_READINGS);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

bool trib_is_confident(const char *written, double whole, double least) {
    char *end = NULL;
    const double value = strtod(written, &end);
    return end == written || !(value < least * whole);
}

/* Whether a page of HTML is hOCR: a child or grandchild of its body has the class ocr_page. */
static bool is_recognised(const xmlNode *root) {
    const trib_piece page = {"class~ocr_page", strlen("class~ocr_page")};
    const xmlNode *body = trib_node_child(root, "body");
    for (const xmlNode *child = body ? body->children : NULL; child; child = child->next) {
        if (child->type != XML_ELEMENT_NODE) continue;
        if (attribute_holds(child, page)) return true;
        for (const xmlNode *inner = child->children; inner; inner = inner->next)
            if (inner->type == XML_ELEMENT_NODE && attribute_holds(inner, page)) return true;
    }
    return false;
}

static bool is_of_vocabulary(const trib_vocabulary *vocabulary, const xmlNode *root) {
    const char *space = root->ns && root->ns->href ? (const char *)root->ns->href : "";
    if (vocabulary->space && strstr(space, vocabulary->space)) return true;
    return trib_is_among(vocabulary->roots, (const char *)root->name) &&
           condition_holds(root, (trib_piece){vocabulary->when, strlen(vocabulary->when)});
}

const trib_vocabulary *trib_vocabulary_of(const xmlNode *root) {
    size_t i = trib_node_is(root, "html") && !is_recognised(root);
    while (i + 1 < trib_n_vocabularies && !is_of_vocabulary(&trib_vocabularies[i], root)) i++;
    return &trib_vocabularies[i];
}

trib_layout trib_layout_of(trib_readings *r, const xmlNode *node) {
    const trib_edition *edition = r->edition;
    trib_layout layout = merge(r, node);
    if (is_other_form(r, node, layout.use))
        return (trib_layout){.part = TRIB_PART_SKIP, .kind = TRIB_KIND_FORM};
    if ((edition->drops_speakers && layout.use == TRIB_USE_SPEAKER) ||
        (edition->drops_stage && layout.use == TRIB_USE_STAGE))
        layout.part = TRIB_PART_SKIP;
    if (!r->vocabulary->is_open && layout.flow == TRIB_FLOW_NONE &&
        layout.border == TRIB_BORDER_NONE && !trib_is_known(r, node))
        layout.border = TRIB_BORDER_PHRASE;
    return layout;
}

/* ---- Glyphs ---------------------------------------------------------------------------------- */

static const char *text_in(const xmlNode *node) {
    const xmlNode *inner = node ? node->children : NULL;
    return inner && inner->content ? (const char *)inner->content : "";
}

/* How well an element of a declaration says its character; 0: not at all. */
static unsigned rank_of(const xmlNode *node) {
    const char *type = trib_node_attribute(node, "type"), *name = trib_node_attribute(node, "name");
    if (trib_node_is(node, "mapping"))
        return strcmp(type, "PUA") == 0 ? 1 : strcasecmp(type, "unicode") == 0 ? 4 : 3;
    if (!*name) name = text_in(trib_node_child(node, "localName"));
    return strncmp(name, "normal", 6) == 0 ? 2 : 0;
}

const char *trib_glyph_text(const xmlNode *node) {
    const char *hash = strrchr(trib_node_attribute(node, "ref"), '#');
    const xmlAttr *id = hash ? xmlGetID(node->doc, (const xmlChar *)hash + 1) : NULL;
    const xmlNode *best = NULL;
    for (const xmlNode *at = id ? id->parent->children : NULL; at; at = at->next)
        if (rank_of(at) > (best ? rank_of(best) : 0)) best = at;
    const char *text = best ? trib_node_attribute(best, "value") : "";
    if (!*text && best) text = text_in(trib_node_child(best, "value"));
    return *text ? text : text_in(best);
}
