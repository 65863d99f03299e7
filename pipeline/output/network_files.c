/* network_files.c - the graph of a result for other programs: GraphML (Gephi, yEd, igraph,
 * NetworkX) and DOT (Graphviz). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/support/html.h"
#include "pipeline/support/json.h"

/* The documents of a result, and their places in the order of its graph. */
typedef struct nodes {
    trib_json_index documents;
    size_t *position; /* [documents.n] from 1; 0: it is not part of that order */
} nodes;

static void nodes_release(nodes *n) {
    trib_json_index_close(&n->documents);
    trib_free(n->position);
}

static trib_status nodes_init(nodes *n, const json_t *result, trib_error *error) {
    const json_t *order = json_object_get(json_object_get(result, "graph"), "order");
    *n = (nodes){0};
    trib_status status =
        trib_json_index_open(&n->documents, json_object_get(result, "documents"), error);
    if (status == TRIB_OK)
        status = trib_new(&n->position, n->documents.n, sizeof *n->position, "a graph", error);
    for (size_t i = 0; i < json_array_size(order) && status == TRIB_OK; i++) {
        const char *id = json_string_value(json_array_get(order, i));
        const size_t place = trib_json_index_place(&n->documents, id);
        if (place < n->documents.n) n->position[place] = i + 1;
    }
    return status;
}

/* ---- GraphML --------------------------------------------------------------------------------- */

/* The attributes of nodes and edges, named as in influence.json. An omitted flag is false. */
static const struct attribute {
    const char *of, *name, *type;
} attributes[] = {
    {"node", "title", "string"},     {"node", "author", "string"}, {"node", "date", "string"},
    {"node", "role", "string"},      {"node", "words", "long"},    {"node", "ngrams", "long"},
    {"node", "position", "int"},     {"edge", "weight", "double"}, {"edge", "low", "double"},
    {"edge", "high", "double"},      {"edge", "held", "double"},   {"edge", "backward", "boolean"},
    {"edge", "ancestor", "boolean"}, {"edge", "members", "string"}};
enum { N_ATTRIBUTES = sizeof attributes / sizeof *attributes };

/* Returns whether a value must be written; null, "" and false are omitted. */
static bool says(const json_t *value) {
    if (json_is_array(value)) return json_array_size(value) > 0;
    if (json_is_string(value)) return json_string_length(value) > 0;
    return json_is_number(value) || json_is_true(value);
}

/* Writes ids as "a; b". */
static void write_list(trib_html *xml, const json_t *ids) {
    for (size_t i = 0; i < json_array_size(ids); i++)
        trib_html_print(xml, "%s%s", i > 0 ? "; " : "", json_string_value(json_array_get(ids, i)));
}

/* Writes <data key="...">value</data> for each attribute of an object. `position`: of a node in the
 * order of the graph, from 1; 0: it is not part of that order. */
static void write_data(trib_html *xml, const char *of, const json_t *object, size_t position) {
    char text[TRIB_NUMBER_MAX];
    for (size_t a = 0; a < N_ATTRIBUTES; a++) {
        const char *name = attributes[a].name;
        const json_t *value = json_object_get(object, strcmp(name, "weight") == 0 ? "share" : name);
        const bool is_position = strcmp(name, "position") == 0;
        if (strcmp(attributes[a].of, of) != 0 || (is_position ? position == 0 : !says(value)))
            continue;
        trib_html_begin(xml, "data");
        trib_html_attribute(xml, "key", "%s", name);
        if (is_position) trib_html_print(xml, "%zu", position);
        else if (json_is_string(value)) trib_html_text(xml, json_string_value(value));
        else if (json_is_true(value)) trib_html_text(xml, "true");
        else if (json_is_array(value)) write_list(xml, value);
        else trib_html_text(xml, trib_number(text, json_number_value(value)));
        trib_html_end(xml);
    }
}

/* All documents are nodes, also those without an edge: without them a program that computes
 * measures of the network would not know their number. */
trib_status trib_graph_write_graphml(const json_t *result, trib_writer *writer, trib_error *error) {
    const json_t *graph = json_object_get(result, "graph");
    const json_t *edges = json_object_get(graph, "edges"), *document;
    size_t d;
    trib_html xml;
    nodes n;
    const trib_status status = nodes_init(&n, result, error);
    if (status != TRIB_OK) {
        nodes_release(&n);
        return status;
    }
    trib_html_init(&xml, writer);
    trib_write_text(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    trib_html_begin(&xml, "graphml");
    trib_html_attribute(&xml, "xmlns", "http://graphml.graphdrawing.org/xmlns");
    for (size_t a = 0; a < N_ATTRIBUTES; a++) {
        trib_html_begin(&xml, "key");
        trib_html_attribute(&xml, "id", "%s", attributes[a].name);
        trib_html_attribute(&xml, "for", "%s", attributes[a].of);
        trib_html_attribute(&xml, "attr.name", "%s", attributes[a].name);
        trib_html_attribute(&xml, "attr.type", "%s", attributes[a].type);
        if (strcmp(attributes[a].type, "boolean") == 0)
            trib_html_element(&xml, "default", NULL, "false");
        trib_html_end(&xml);
    }
    trib_html_begin(&xml, "graph");
    trib_html_attribute(&xml, "id", "influence");
    trib_html_attribute(&xml, "edgedefault", "directed");
    json_array_foreach(json_object_get(result, "documents"), d, document) {
        const char *id = trib_json_get_text(document, "id");
        const size_t place = trib_json_index_place(&n.documents, id);
        trib_html_begin(&xml, "node");
        trib_html_attribute(&xml, "id", "%s", id);
        write_data(&xml, "node", document, place < n.documents.n ? n.position[place] : 0);
        trib_html_end(&xml);
    }
    for (size_t e = 0; e < json_array_size(edges); e++) {
        const json_t *edge = json_array_get(edges, e);
        trib_html_begin(&xml, "edge");
        trib_html_attribute(&xml, "source", "%s", trib_json_get_text(edge, "source"));
        trib_html_attribute(&xml, "target", "%s", trib_json_get_text(edge, "target"));
        write_data(&xml, "edge", edge, 0);
        trib_html_end(&xml);
    }
    trib_html_end(&xml);
    trib_html_end(&xml);
    trib_write_text(writer, "\n");
    trib_html_release(&xml);
    nodes_release(&n);
    return TRIB_OK;
}

/* ---- DOT ------------------------------------------------------------------------------------- */

/* Writes text within a quoted string of DOT. Quotation marks and backslashes are escaped, so that a
 * backslash in the text does not begin an escape sequence; control characters become spaces. */
static void write_escaped(trib_writer *writer, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') trib_write_text(writer, "\\");
        if ((unsigned char)*text < 0x20) trib_write_text(writer, " ");
        else trib_write(writer, text, 1);
    }
}

static void write_quoted(trib_writer *writer, const char *text) {
    trib_write_text(writer, "\"");
    write_escaped(writer, text);
    trib_write_text(writer, "\"");
}

/* Writes the attribute "members" of an edge from a group, and makes it the label of the tail, so
 * that a drawing shows that the share is that of the group. */
static void write_members(trib_writer *writer, const json_t *members) {
    static const char *const attribute[] = {"members", "taillabel"};
    for (size_t a = 0; json_array_size(members) > 0 && a < 2; a++) {
        trib_print(writer, ", %s=", attribute[a]);
        trib_write_text(writer, "\"");
        for (size_t i = 0; i < json_array_size(members); i++) {
            if (i > 0) trib_write_text(writer, a == 0 ? "; " : " or ");
            write_escaped(writer, json_string_value(json_array_get(members, i)));
        }
        trib_write_text(writer, "\"");
    }
}

/* Labels and widths, which are derived from the shares, are omitted in a graph with hundreds of
 * edges, because they would be hidden by the arrows. */
trib_status trib_graph_write_dot(const json_t *result, trib_writer *writer, trib_error *error) {
    const json_t *graph = json_object_get(result, "graph");
    const json_t *order = json_object_get(graph, "order"), *edges = json_object_get(graph, "edges");
    char label[TRIB_FIXED_MAX];
    trib_json_index documents;
    const trib_status status =
        trib_json_index_open(&documents, json_object_get(result, "documents"), error);
    if (status != TRIB_OK) return status;
    trib_write_text(writer, "digraph influence {\n  node [shape=box];\n");
    for (size_t i = 0; i < json_array_size(order); i++) {
        const char *name = json_string_value(json_array_get(order, i)), *id = name ? name : "";
        const json_t *document = trib_json_index_find(&documents, id);
        const char *date = trib_json_get_text(document, "date");
        trib_write_text(writer, "  ");
        write_quoted(writer, id);
        trib_write_text(writer, " [label=");
        write_quoted(writer, trib_json_get_text(document, "title"));
        if (*date) {
            trib_write_text(writer, ", date=");
            write_quoted(writer, date);
        }
        trib_write_text(writer, "];\n");
    }
    for (size_t e = 0; e < json_array_size(edges); e++) {
        const json_t *edge = json_array_get(edges, e);
        const double share = trib_json_get_number(edge, "share");
        trib_write_text(writer, "  ");
        write_quoted(writer, trib_json_get_text(edge, "source"));
        trib_write_text(writer, " -> ");
        write_quoted(writer, trib_json_get_text(edge, "target"));
        trib_write_text(writer, " [weight=");
        trib_write_number(writer, fmax(1, round(100 * share)));
        trib_print(writer, ", share=%s", trib_fixed(label, share, 6));
        if (json_array_size(order) <= TRIB_ALL_WRITTEN + 1)
            trib_print(writer, ", label=\"%s%%\", penwidth=%s", trib_fixed(label, 100 * share, 1),
                       share < 0.05  ? "1"
                       : share < 0.2 ? "2"
                       : share < 0.5 ? "4"
                                     : "6");
        write_members(writer, json_object_get(edge, "members"));
        if (trib_json_get_flag(edge, "backward")) trib_write_text(writer, ", constraint=false");
        if (trib_json_get_flag(edge, "backward")) trib_write_text(writer, ", style=dashed");
        else if (trib_json_get_flag(edge, "ancestor")) trib_write_text(writer, ", style=dotted");
        trib_write_text(writer, "];\n");
    }
    trib_write_text(writer, "}\n");
    trib_json_index_close(&documents);
    return TRIB_OK;
}
