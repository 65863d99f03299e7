/* element_references.c - the references that TEI, OSIS and other XML give: the numbers of the
 * enclosing divisions, paragraphs and lines, "3.1.56", with those of milestones after them; else
 * the page, "p. 45"; else the id of the element, "#p12". */
#include "pipeline/text/elements.h"

#include <stdio.h>
#include <string.h>

#ifdef TRIB_WITH_XML

/* Elements whose numbers are part of a reference. */
static const char *const scopes[] = {"div",  "div0", "div1", "div2", "div3",    "div4",
                                     "div5", "div6", "div7", "l",    "p",       "ab",
                                     "s",    "seg",  "sp",   "u",    "chapter", "verse"};

/* The value of an attribute that can be a number or a name in a reference, "" for others, such as
 * a URN. */
static const char *short_value(const xmlNode *node, const char *name) {
    enum { LONGEST = 40 };
    const char *value = trib_node_attribute(node, name);
    return strlen(value) <= LONGEST && strncmp(value, "urn:", 4) != 0 && !strchr(value, '/') ? value
                                                                                             : "";
}

static const char *number_of(const xmlNode *node) {
    const char *number = short_value(node, "n");
    return *number ? number : short_value(node, "osisID");
}

static bool is_scope(const xmlNode *node) {
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
        if (strcmp((const char *)node->name, scopes[i]) == 0) return true;
    return false;
}

/* Sets the number of a unit, such as a section; units that began after it begin again. */
static void set_milestone(trib_element_scope *scope, const char *unit, const char *number) {
    size_t i = 0;
    while (i < scope->n_units && strcmp(scope->unit[i], unit) != 0) i++;
    if (i == TRIB_SCOPE_UNITS) return;
    scope->unit[i] = unit;
    scope->number[i] = number;
    for (size_t k = i + 1; k < scope->n_units; k++) scope->number[k] = "";
    if (i == scope->n_units) scope->n_units++;
}

/* The innermost element with a number, to which milestones belong; else the text. */
static trib_element_scope *numbered(const trib_element_references *r) {
    size_t s = r->n - 1;
    while (s > 0 && !*r->scope[s].own) s--;
    return &r->scope[s];
}

/* Opens a scope if the element has a number or an id; `node` NULL: that of the text as a whole. */
static trib_status open_scope(trib_element_references *r, const xmlNode *node, const char *number,
                              trib_error *error) {
    const char *id = node && !*number ? short_value(node, "xml:id") : "";
    if (node && !*number && !*id) return TRIB_OK;
    const trib_status status =
        TRIB_GROW(&r->scope, &r->cap, r->n + 1, "the references of a text", error);
    if (status == TRIB_OK)
        r->scope[r->n++] = (trib_element_scope){.node = node, .own = number, .id = id};
    return status;
}

trib_status trib_element_references_begin(trib_element_references *r, const xmlNode *node,
                                          trib_error *error) {
    const char *name = (const char *)node->name, *number = number_of(node);
    trib_status status = TRIB_OK;
    if (r->n == 0) status = open_scope(r, NULL, "", error);
    if (status != TRIB_OK) return status;
    trib_element_scope *inner = numbered(r);
    if (strcmp(name, "pb") == 0 && *number && strlen(number) < sizeof r->page)
        strcpy(r->page, number);
    else if (strcmp(name, "lb") == 0 && *number) set_milestone(inner, "line", number);
    else if (strcmp(name, "milestone") == 0) {
        /* without a unit it is a running head of OSIS */
        const char *unit = trib_node_attribute(node, "unit");
        if (!*number || !*unit) return status;
        set_milestone(inner, unit, number);
    } else if (!node->children && *number && is_scope(node)) set_milestone(inner, name, number);
    else if (node->children && is_scope(node)) status = open_scope(r, node, number, error);
    else return status;
    r->is_changed = true;
    return status;
}

void trib_element_references_end(trib_element_references *r, const xmlNode *node) {
    if (r->n == 0 || r->scope[r->n - 1].node != node) return;
    r->n--;
    r->is_changed = true;
}

/* A break between pages of a book has the number in an attribute or as its text, "[45]" or
 * "Pg 45". */
void trib_element_references_skip(trib_element_references *r, const xmlNode *node) {
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
    if (n == 0 || n >= sizeof r->page || text[n + strspn(text + n, around)] ||
        strspn(text, "0123456789ivxlcdmIVXLCDM") != n)
        return;
    memcpy(r->page, text, n);
    r->page[n] = '\0';
    r->is_changed = true;
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

trib_status trib_element_references_mark(trib_element_references *r, trib_references *to,
                                         size_t place, trib_error *error) {
    char label[TRIB_REFERENCE_MAX] = "";
    const char *id = "";
    if (!r->is_changed) return TRIB_OK;
    r->is_changed = false;
    for (size_t s = 0; s < r->n; s++) {
        append(label, r->scope[s].own, false);
        if (*r->scope[s].id) id = r->scope[s].id;
    }
    const trib_element_scope *inner = numbered(r);
    const bool is_line = !*label && inner->n_units == 1 && strcmp(inner->unit[0], "line") == 0 &&
                         !strpbrk(inner->number[0], ".:");
    for (size_t u = 0; u < inner->n_units && !is_line; u++) append(label, inner->number[u], true);
    if (is_line)
        snprintf(label, sizeof label, "%s%s%sline %s", *r->page ? "p. " : "", r->page,
                 *r->page ? ", " : "", inner->number[0]);
    else if (!*label && *r->page) snprintf(label, sizeof label, "p. %s", r->page);
    else if (!*label && *id) snprintf(label, sizeof label, "#%s", id);
    return trib_references_add(to, place, place, label, strlen(label), error);
}

void trib_element_references_release(trib_element_references *r) {
    trib_free(r->scope);
    *r = (trib_element_references){0};
}

#endif
