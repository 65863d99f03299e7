/* flow_tables.c - the flows of a result as tables: map.csv, the numbers of the map, and flows.csv,
 * each flow above the noise floor with its dates. */
#include <math.h>

#include "pipeline/output/flow_map.h"
#include "pipeline/support/tables.h"

/* The id of a text, or the name of a group. */
static const char *name_of(const trib_map_node *node) { return node->id ? node->id : node->name; }

static void write_number(trib_writer *writer, double number) {
    trib_write_text(writer, ",");
    if (!isnan(number)) trib_write_number(writer, number);
}

static void write_text(trib_writer *writer, const char *text) {
    trib_write_text(writer, ",");
    trib_write_cell(writer, text ? text : "");
}

trib_status trib_flow_map_write(const trib_result *result, trib_writer *writer, trib_error *error) {
    trib_flow_map flows;
    const trib_status status = trib_flow_map_read(&flows, result, error);
    if (status != TRIB_OK) return status;
    trib_write_text(writer, "by,target,source,share,flows,strongest_target,strongest_source,"
                            "strongest_share,target_texts,source_texts\n");
    for (size_t t = 0; t < flows.n_nodes; t++)
        for (size_t s = 0; s < flows.n_nodes; s++) {
            const trib_map_cell *cell = &flows.cell[s * flows.n_nodes + t];
            if (!cell->source) continue;
            trib_write_cell(writer, flows.by);
            write_text(writer, name_of(&flows.node[t]));
            write_text(writer, name_of(&flows.node[s]));
            write_number(writer, cell->share);
            trib_print(writer, ",%zu", cell->n_flows);
            write_text(writer, cell->target);
            write_text(writer, cell->source);
            write_number(writer, cell->strongest);
            trib_print(writer, ",%zu,%zu\n", flows.node[t].n_texts, flows.node[s].n_texts);
        }
    trib_flow_map_release(&flows);
    return TRIB_OK;
}

/* The date of a document, and in the map the name of its node. */
static void write_date(trib_writer *writer, const trib_flow_map *flows, const char *id) {
    const size_t node = trib_flow_map_node(flows, id);
    const trib_document_record *document = trib_result_document_of(flows->result, id);
    write_text(writer, document ? document->date : NULL);
    write_text(writer, node < flows->n_nodes ? name_of(&flows->node[node]) : "");
}

trib_status trib_flow_map_write_flows(const trib_result *result, trib_writer *writer,
                                      trib_error *error) {
    trib_flow_map flows;
    const trib_status status = trib_flow_map_read(&flows, result, error);
    if (status != TRIB_OK) return status;
    trib_write_text(writer, "target,source,share,low,high,target_date,target_node,source_date,"
                            "source_node\n");
    for (size_t e = 0; result->graph && e < result->graph->edges.n; e++) {
        const trib_edge_record *edge = &result->graph->edges.item[e];
        trib_write_cell(writer, edge->target);
        write_text(writer, edge->source);
        write_number(writer, edge->share);
        write_number(writer, edge->low);
        write_number(writer, edge->high);
        write_date(writer, &flows, edge->target);
        write_date(writer, &flows, edge->source);
        trib_write_text(writer, "\n");
    }
    trib_flow_map_release(&flows);
    return TRIB_OK;
}
