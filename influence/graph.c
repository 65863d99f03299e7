/* graph.c - the graph of influence among many documents: their order by dates, and the influence
 * that reaches a document through others (docs/model.md section 8). */
#include "influence/graph.h"
#include "base/internal.h"

#define NOBODY UINT32_MAX

/* ---- Edges ----------------------------------------------------------------------------------- */

/* Copies the edges, sorted by `to` and then by `from`, with two counting sorts. */
static trib_status take_edges(trib_graph *graph, const trib_edge *edge, trib_error *error) {
    const uint32_t n = graph->n_nodes;
    TRIB_OWNED(trib_pool) pool = {.error = error};
    trib_edge *by_from = trib_pool_new(&pool, graph->n_edges, sizeof *by_from, "edges");
    size_t *end = trib_pool_new(&pool, (size_t)n + 1, sizeof *end, "edges");
    trib_status status = pool.status;
    if (status == TRIB_OK) status = TRIB_NEW(&graph->edge, graph->n_edges, "edges", error);
    if (status == TRIB_OK) status = TRIB_NEW(&graph->start, (size_t)n + 1, "edges", error);
    for (size_t e = 0; e < graph->n_edges && status == TRIB_OK; e++) {
        if (edge[e].from >= n || edge[e].to >= n || edge[e].from == edge[e].to)
            status = trib_fail(error, TRIB_INTERNAL, "an edge from %u to %u among %u nodes",
                               edge[e].from, edge[e].to, n);
        else end[edge[e].from]++, graph->start[edge[e].to]++;
    }
    if (status != TRIB_OK) return status;
    for (uint32_t u = 1; u <= n; u++) end[u] += end[u - 1], graph->start[u] += graph->start[u - 1];
    for (size_t e = graph->n_edges; e-- > 0;) by_from[--end[edge[e].from]] = edge[e];
    for (size_t e = graph->n_edges; e-- > 0;)
        graph->edge[--graph->start[by_from[e].to]] = by_from[e];
    for (size_t e = 1; e < graph->n_edges && status == TRIB_OK; e++)
        if (graph->edge[e].from == graph->edge[e - 1].from &&
            graph->edge[e].to == graph->edge[e - 1].to)
            status = trib_fail(error, TRIB_INTERNAL, "two edges from %u to %u", graph->edge[e].from,
                               graph->edge[e].to);
    return status;
}

/* ---- Dates ----------------------------------------------------------------------------------- */

/* Whether dates show that one node ends before another begins. */
static bool is_older(const double *year, const double *year_end, uint32_t u, uint32_t v) {
    return year && year_end[u] <= year[v] && year[u] < year_end[v];
}

/* A node while nodes are sorted. */
typedef struct dated {
    double end, year; /* infinite: not known */
    uint32_t node;
} dated;

TRIB_ORDER(by_date, dated, TRIB_UP(end) ?: TRIB_UP(year) ?: TRIB_UP(node));

/* Sorts the nodes, those without a date last, and says how the edges run. */
static trib_status find_order(trib_graph *graph, const double *year, const double *year_end,
                              trib_error *error) {
    const uint32_t n = graph->n_nodes;
    dated *list = NULL;
    const trib_status status = TRIB_NEW(&list, n, "a chronology", error);
    if (status != TRIB_OK) return status;
    for (uint32_t u = 0; u < n; u++) {
        const bool is_dated = year && !isnan(year[u]) && !isnan(year_end[u]);
        list[u] = (dated){is_dated ? year_end[u] : (double)INFINITY,
                          is_dated ? year[u] : (double)INFINITY, u};
    }
    if (n > 1) qsort(list, n, sizeof *list, by_date);
    for (uint32_t i = 0; i < n; i++) graph->order[i] = list[i].node;
    for (size_t e = 0; e < graph->n_edges; e++)
        graph->edge[e].direction =
            is_older(year, year_end, graph->edge[e].from, graph->edge[e].to)   ? TRIB_FORWARD
            : is_older(year, year_end, graph->edge[e].to, graph->edge[e].from) ? TRIB_BACKWARD
                                                                               : TRIB_UNKNOWN;
    trib_free(list);
    return TRIB_OK;
}

trib_status trib_graph_build(trib_graph *graph, uint32_t n_nodes, const trib_edge *edge,
                             size_t n_edges, const double *year, const double *year_end,
                             trib_error *error) {
    *graph = (trib_graph){.n_nodes = n_nodes, .n_edges = n_edges};
    trib_status status = take_edges(graph, edge, error);
    if (status == TRIB_OK) status = TRIB_NEW(&graph->order, n_nodes, "a chronology", error);
    if (status == TRIB_OK) status = find_order(graph, year, year_end, error);
    if (status != TRIB_OK) trib_graph_release(graph);
    return status;
}

void trib_graph_release(trib_graph *graph) {
    TRIB_FREE(graph->edge, graph->start, graph->order);
    *graph = (trib_graph){0};
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Goes backward in time from `to`: when a node is reached, all later nodes on its paths are
 * complete, since an edge that runs forward begins at an earlier place of the order. */
void trib_graph_reach(const trib_graph *graph, uint32_t to, trib_reach *reach) {
    for (uint32_t u = 0; u < graph->n_nodes; u++)
        reach[u] = (trib_reach){.next = NOBODY, .via = NOBODY};
    for (uint32_t p = graph->n_nodes; p-- > 0;) {
        const uint32_t v = graph->order[p];
        const trib_reach *later = &reach[v];
        const double all = later->direct + later->through, best = fmax(later->direct, later->best);
        if (v != to && all == 0) continue;
        for (size_t e = graph->start[v]; e < graph->start[v + 1]; e++) {
            const trib_edge *edge = &graph->edge[e];
            trib_reach *own = &reach[edge->from];
            if (edge->direction != TRIB_FORWARD) continue;
            if (v == to) {
                own->direct = edge->share;
                continue;
            }
            own->through += edge->share * all;
            if (own->via != NOBODY && edge->share * best <= own->best) continue;
            own->best = edge->share * best;
            own->via = v;
        }
    }
    for (uint32_t u = 0; u < graph->n_nodes; u++)
        reach[u].next = reach[u].direct > 0 && reach[u].direct >= reach[u].best ? to : reach[u].via;
}
