/* flow_files.c - who draws on whom for other programs: the graph of a result as GraphML (Gephi,
 * yEd, igraph, NetworkX) and DOT (Graphviz); map.csv, the numbers of the map; and flows.csv, each
 * flow above the noise floor with its dates. */

#include "pipeline/output/flow_map.h"
#include "pipeline/output/result_files.h"
#include "pipeline/support/html.h"

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

/* Write <data key="...">value</data>; nothing for "", NaN and false. */
static void write_text(trib_html *xml, const char *key, const char *text) {
    if (!text || !*text) return;
    trib_html_begin(xml, "data");
    trib_html_attribute(xml, "key", "%s", key);
    trib_html_text(xml, text);
    trib_html_end(xml);
}

static void write_number(trib_html *xml, const char *key, double number) {
    char text[TRIB_NUMBER_MAX];
    if (!isnan(number)) write_text(xml, key, trib_number(text, number));
}

static void write_flag(trib_html *xml, const char *key, bool flag) {
    if (flag) write_text(xml, key, "true");
}

/* Writes a document; `position`: in the order of the graph, from 1; 0: it is not part of it. */
static void write_node(trib_html *xml, const trib_document_record *document, size_t position) {
    trib_html_begin(xml, "node");
    trib_html_attribute(xml, "id", "%s", document->id);
    write_text(xml, "title", document->title);
    write_text(xml, "author", document->author);
    write_text(xml, "date", document->date);
    write_text(xml, "role", document->role);
    write_number(xml, "words", (double)document->words);
    write_number(xml, "ngrams", (double)document->ngrams);
    write_number(xml, "position", position > 0 ? (double)position : (double)NAN);
    trib_html_end(xml);
}

static void write_edge(trib_html *xml, const trib_edge_record *edge) {
    trib_html_begin(xml, "edge");
    trib_html_attribute(xml, "source", "%s", edge->source);
    trib_html_attribute(xml, "target", "%s", edge->target);
    write_number(xml, "weight", edge->share);
    write_number(xml, "low", edge->low);
    write_number(xml, "high", edge->high);
    write_number(xml, "held", edge->held);
    write_flag(xml, "backward", edge->backward);
    write_flag(xml, "ancestor", edge->ancestor);
    if (edge->members.n > 0) {
        trib_html_begin(xml, "data");
        trib_html_attribute(xml, "key", "members");
        for (size_t i = 0; i < edge->members.n; i++)
            trib_html_print(xml, "%s%s", i > 0 ? "; " : "", edge->members.item[i]);
        trib_html_end(xml);
    }
    trib_html_end(xml);
}

static void write_keys(trib_html *xml) {
    for (size_t a = 0; a < N_ATTRIBUTES; a++) {
        trib_html_begin(xml, "key");
        trib_html_attribute(xml, "id", "%s", attributes[a].name);
        trib_html_attribute(xml, "for", "%s", attributes[a].of);
        trib_html_attribute(xml, "attr.name", "%s", attributes[a].name);
        trib_html_attribute(xml, "attr.type", "%s", attributes[a].type);
        if (strcmp(attributes[a].type, "boolean") == 0)
            trib_html_element(xml, "default", NULL, "false");
        trib_html_end(xml);
    }
}

/* All documents are nodes, also those without an edge: without them a program that computes
 * measures of the network would not know their number. */
trib_status trib_graph_write_graphml(const void *what, trib_writer *writer, trib_error *error) {
    const trib_result *const result = ((const trib_run_results *)what)->result;
    const trib_graph_record *const graph = result->graph;
    const trib_document_records *const documents = &result->documents;
    size_t *position = NULL; /* in the order of the graph, from 1; 0: it is not part of it */
    TRIB_OWNED(trib_html) xml = {0};
    const trib_status status = TRIB_NEW(&position, documents->n, "a graph", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < graph->order.n; i++) {
        const trib_document_record *const document =
            trib_result_document_of(result, graph->order.item[i]);
        if (document) position[document - documents->item] = i + 1;
    }
    trib_html_init(&xml, writer);
    trib_write_text(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    trib_html_begin(&xml, "graphml");
    trib_html_attribute(&xml, "xmlns", "http://graphml.graphdrawing.org/xmlns");
    write_keys(&xml);
    trib_html_begin(&xml, "graph");
    trib_html_attribute(&xml, "id", "influence");
    trib_html_attribute(&xml, "edgedefault", "directed");
    for (size_t d = 0; d < documents->n; d++) write_node(&xml, &documents->item[d], position[d]);
    for (size_t e = 0; e < graph->edges.n; e++) write_edge(&xml, &graph->edges.item[e]);
    trib_html_end(&xml);
    trib_html_end(&xml);
    trib_write_text(writer, "\n");
    trib_free(position);
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
static void write_members(trib_writer *writer, const trib_texts *members) {
    static const char *const attribute[] = {"members", "taillabel"};
    for (size_t a = 0; members->n > 0 && a < 2; a++) {
        trib_print(writer, ", %s=", attribute[a]);
        trib_write_text(writer, "\"");
        for (size_t i = 0; i < members->n; i++) {
            if (i > 0) trib_write_text(writer, a == 0 ? "; " : " or ");
            write_escaped(writer, members->item[i]);
        }
        trib_write_text(writer, "\"");
    }
}

/* Labels and widths, which are derived from the shares, are omitted in a graph with hundreds of
 * edges, because they would be hidden by the arrows. */
static void write_arrow(trib_writer *writer, const trib_edge_record *edge, bool has_label) {
    char label[TRIB_FIXED_MAX];
    const double share = edge->share;
    trib_write_text(writer, "  ");
    write_quoted(writer, edge->source);
    trib_write_text(writer, " -> ");
    write_quoted(writer, edge->target);
    trib_write_text(writer, " [weight=");
    trib_write_number(writer, fmax(1, round(100 * share)));
    trib_print(writer, ", share=%s", trib_fixed(label, share, 6));
    if (has_label)
        trib_print(writer, ", label=\"%s%%\", penwidth=%s", trib_fixed(label, 100 * share, 1),
                   share < 0.05  ? "1"
                   : share < 0.2 ? "2"
                   : share < 0.5 ? "4"
                                 : "6");
    write_members(writer, &edge->members);
    if (edge->backward) trib_write_text(writer, ", constraint=false, style=dashed");
    else if (edge->ancestor) trib_write_text(writer, ", style=dotted");
    trib_write_text(writer, "];\n");
}

trib_status trib_graph_write_dot(const void *what, trib_writer *writer, trib_error *error) {
    const trib_result *const result = ((const trib_run_results *)what)->result;
    const trib_graph_record *const graph = result->graph;
    (void)error;
    trib_write_text(writer, "digraph influence {\n  node [shape=box];\n");
    for (size_t i = 0; i < graph->order.n; i++) {
        const char *const id = graph->order.item[i];
        const trib_document_record *const document = trib_result_document_of(result, id);
        trib_write_text(writer, "  ");
        write_quoted(writer, id);
        trib_write_text(writer, " [label=");
        write_quoted(writer, document ? document->title : "");
        if (document && document->date && *document->date) {
            trib_write_text(writer, ", date=");
            write_quoted(writer, document->date);
        }
        trib_write_text(writer, "];\n");
    }
    for (size_t e = 0; e < graph->edges.n; e++)
        write_arrow(writer, &graph->edges.item[e], graph->order.n <= TRIB_ALL_WRITTEN + 1);
    trib_write_text(writer, "}\n");
    return TRIB_OK;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* The id of a text, or the name of a group. */
static trib_cell name_cell(const trib_map_node *node) {
    return trib_text_cell(node->id ? node->id : node->name);
}

static trib_status write_map(const trib_run_results *results, trib_rows *rows, trib_error *error) {
    TRIB_OWNED(trib_flow_map) flows = {0};
    const trib_status status = trib_flow_map_read(&flows, results->result, error);
    if (status != TRIB_OK) return status;
    for (size_t t = 0; t < flows.n_nodes; t++)
        for (size_t s = 0; s < flows.n_nodes; s++) {
            const trib_map_cell *cell = &flows.cell[s * flows.n_nodes + t];
            if (cell->source)
                TRIB_PUT_ROW(rows, trib_text_cell(flows.by), name_cell(&flows.node[t]),
                             name_cell(&flows.node[s]), trib_measure_cell(cell->share),
                             trib_count_cell(cell->n_flows), trib_text_cell(cell->target),
                             trib_text_cell(cell->source), trib_measure_cell(cell->strongest),
                             trib_count_cell(flows.node[t].n_texts),
                             trib_count_cell(flows.node[s].n_texts));
        }
    return TRIB_OK;
}

const trib_result_table trib_table_map = {
    "by target source %share #flows strongest_target strongest_source %strongest_share "
    "#target_texts #source_texts",
    NULL, write_map, false};

static trib_cell date_cell(const trib_flow_map *flows, const char *id) {
    const trib_document_record *document = trib_result_document_of(flows->result, id);
    return trib_text_cell(document ? document->date : NULL);
}

/* The node of a document in the map. */
static trib_cell node_cell(const trib_flow_map *flows, const char *id) {
    const size_t node = trib_flow_map_node(flows, id);
    return node < flows->n_nodes ? name_cell(&flows->node[node]) : trib_empty_cell();
}

static trib_status write_flows(const trib_run_results *results, trib_rows *rows,
                               trib_error *error) {
    const trib_graph_record *const graph = results->result->graph;
    TRIB_OWNED(trib_flow_map) flows = {0};
    const trib_status status = trib_flow_map_read(&flows, results->result, error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; graph && e < graph->edges.n; e++) {
        const trib_edge_record *edge = &graph->edges.item[e];
        TRIB_PUT_ROW(rows, trib_text_cell(edge->target), trib_text_cell(edge->source),
                     trib_measure_cell(edge->share), trib_measure_cell(edge->low),
                     trib_measure_cell(edge->high), date_cell(&flows, edge->target),
                     node_cell(&flows, edge->target), date_cell(&flows, edge->source),
                     node_cell(&flows, edge->source));
    }
    return TRIB_OK;
}

const trib_result_table trib_table_flows = {
    "target source %share %low %high target_date target_node source_date source_node", NULL,
    write_flows, false};
