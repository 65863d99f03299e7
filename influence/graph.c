/* graph.c - the graph of influence among many documents: a chronology in which as much influence as
 * possible runs forward, and the influence that reaches a document through others. [E] Eades, Lin
 * and Smyth 1993, A fast and effective heuristic for the feedback arc set problem; docs/model.md
 * section 8. */
#include "influence/graph.h"

#include <math.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* ---- Edges ----------------------------------------------------------------------------------- */

/* Copies the edges, sorted by `to` and then by `from`, with two counting sorts. */
static trib_status take_edges(trib_graph *graph, const trib_edge *edge, trib_error *error) {
    const uint32_t n = graph->n_nodes;
    trib_edge *by_from = NULL;
    size_t *end = NULL;
    trib_status status = TRIB_NEW(&graph->edge, graph->n_edges, "edges", error);
    if (status == TRIB_OK) status = TRIB_NEW(&graph->start, (size_t)n + 1, "edges", error);
    if (status == TRIB_OK) status = TRIB_NEW(&by_from, graph->n_edges, "edges", error);
    if (status == TRIB_OK) status = TRIB_NEW(&end, (size_t)n + 1, "edges", error);
    for (size_t e = 0; e < graph->n_edges && status == TRIB_OK; e++) {
        if (edge[e].from >= n || edge[e].to >= n || edge[e].from == edge[e].to)
            status = trib_fail(error, TRIB_INTERNAL, "an edge from %u to %u among %u nodes",
                               edge[e].from, edge[e].to, n);
        else end[edge[e].from]++, graph->start[edge[e].to]++;
    }
    if (status != TRIB_OK) goto done;
    for (uint32_t u = 1; u <= n; u++) end[u] += end[u - 1], graph->start[u] += graph->start[u - 1];
    for (size_t e = graph->n_edges; e-- > 0;) by_from[--end[edge[e].from]] = edge[e];
    for (size_t e = graph->n_edges; e-- > 0;)
        graph->edge[--graph->start[by_from[e].to]] = by_from[e];
    for (size_t e = 1; e < graph->n_edges && status == TRIB_OK; e++)
        if (graph->edge[e].from == graph->edge[e - 1].from &&
            graph->edge[e].to == graph->edge[e - 1].to)
            status = trib_fail(error, TRIB_INTERNAL, "two edges from %u to %u", graph->edge[e].from,
                               graph->edge[e].to);
done:
    TRIB_FREE(end, by_from);
    return status;
}

/* ---- Chronology ------------------------------------------------------------------------------ */

/* The nodes and edges that remain while nodes are removed one by one. */
typedef struct leftover {
    const trib_graph *graph;
    const double *year, *year_end;
    /* [n] weight of each node's remaining edges, in units of 2^-40, so that sums and ties are
     * exact */
    uint64_t *in, *out;
    uint32_t *n_in, *n_out; /* [n] number of these edges */
    bool *gone;             /* [n] */
    /* the earliest year_end and the latest year of the remaining nodes */
    double first_end, last_year;
} leftover;

static uint64_t weight_of(const trib_edge *edge) {
    return (uint64_t)llround(fmin(fmax(edge->share, 0), 1) * 0x1p40);
}

static trib_status open_leftover(leftover *left, trib_error *error) {
    const size_t n = left->graph->n_nodes;
    trib_status status = TRIB_NEW(&left->in, n, "a chronology", error);
    if (status == TRIB_OK) status = TRIB_NEW(&left->out, n, "a chronology", error);
    if (status == TRIB_OK) status = TRIB_NEW(&left->n_in, n, "a chronology", error);
    if (status == TRIB_OK) status = TRIB_NEW(&left->n_out, n, "a chronology", error);
    if (status == TRIB_OK) status = TRIB_NEW(&left->gone, n, "a chronology", error);
    for (size_t e = 0; status == TRIB_OK && e < left->graph->n_edges; e++) {
        const trib_edge *edge = &left->graph->edge[e];
        left->in[edge->to] += weight_of(edge);
        left->out[edge->from] += weight_of(edge);
        left->n_in[edge->to]++;
        left->n_out[edge->from]++;
    }
    return status;
}

static void close_leftover(leftover *left) {
    TRIB_FREE(left->in, left->out, left->n_in, left->n_out, left->gone);
}

static void find_times(leftover *left) {
    left->first_end = (double)INFINITY;
    left->last_year = -(double)INFINITY;
    for (uint32_t u = 0; left->year && u < left->graph->n_nodes; u++) {
        if (left->gone[u]) continue;
        left->first_end = fmin(left->first_end, left->year_end[u]);
        left->last_year = fmax(left->last_year, left->year[u]);
    }
}

/* Whether no remaining node is strictly older (may_be_first) or strictly younger (may_be_last) than
 * u. */
static bool may_be_first(const leftover *left, uint32_t u) {
    return !left->year || !(left->first_end <= left->year[u]);
}
static bool may_be_last(const leftover *left, uint32_t u) {
    return !left->year || !(left->last_year >= left->year_end[u]);
}

static bool is_older(const leftover *times, uint32_t u, uint32_t v) {
    return times->year && times->year_end[u] <= times->year[v];
}

/* Chooses the next node and the end of the order that it goes to ([E] Algorithm GR): a sink goes
 * last and a source first. When there is neither, the node with the largest surplus of outgoing
 * over incoming weight goes first. */
static uint32_t choose(const leftover *left, bool *last) {
    const uint32_t n = left->graph->n_nodes;
    uint32_t source = NOBODY, best = NOBODY;
    int64_t surplus = 0;
    *last = true;
    for (uint32_t u = n; u-- > 0;)
        if (!left->gone[u] && left->n_out[u] == 0 && may_be_last(left, u)) return u;
    *last = false;
    for (uint32_t u = 0; u < n; u++) {
        if (left->gone[u] || !may_be_first(left, u)) continue;
        const int64_t own = (int64_t)left->out[u] - (int64_t)left->in[u];
        if (left->n_in[u] == 0 && source == NOBODY) source = u;
        if (best == NOBODY || own > surplus) best = u, surplus = own;
    }
    return source != NOBODY ? source : best;
}

/* Removes node u. The edges into u are consecutive in the graph; those out of u are found through
 * `outgoing`. */
static void take_out(leftover *left, uint32_t u, const size_t *out_start, const size_t *outgoing) {
    const trib_graph *graph = left->graph;
    left->gone[u] = true;
    for (size_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
        left->out[graph->edge[e].from] -= weight_of(&graph->edge[e]);
        left->n_out[graph->edge[e].from]--;
    }
    for (size_t i = out_start[u]; i < out_start[u + 1]; i++) {
        const trib_edge *edge = &graph->edge[outgoing[i]];
        left->in[edge->to] -= weight_of(edge);
        left->n_in[edge->to]--;
    }
}

/* Moves every node to the position where the least weight runs backward, until no move gains
 * anything. The greedy order alone can be wrong by one strong edge. pull[n] is zeroed scratch. */
static void sift(trib_graph *graph, const leftover *times, const size_t *out_start,
                 const size_t *outgoing, int64_t *pull) {
    const uint32_t n = graph->n_nodes;
    uint32_t *order = graph->order, u = 0;
    for (uint32_t n_still = 0; n_still < n; u = u + 1 < n ? u + 1 : 0, n_still++) {
        uint32_t at = 0, best_at = 0;
        while (order[at] != u) at++;
        for (size_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            pull[graph->edge[e].from] -= (int64_t)weight_of(&graph->edge[e]);
        for (size_t i = out_start[u]; i < out_start[u + 1]; i++)
            pull[graph->edge[outgoing[i]].to] += (int64_t)weight_of(&graph->edge[outgoing[i]]);
        int64_t gain = 0, best = 0;
        for (uint32_t p = at; p-- > 0 && !is_older(times, order[p], u);)
            if ((gain += pull[order[p]]) > best) best = gain, best_at = p;
        gain = 0;
        for (uint32_t p = at + 1; p < n && !is_older(times, u, order[p]); p++)
            if ((gain -= pull[order[p]]) > best) best = gain, best_at = p;
        memset(pull, 0, n * sizeof *pull);
        if (best == 0) continue;
        if (best_at < at)
            memmove(order + best_at + 1, order + best_at, (at - best_at) * sizeof *order);
        else memmove(order + at, order + at + 1, (best_at - at) * sizeof *order);
        order[best_at] = u;
        n_still = 0;
    }
}

static trib_status find_order(trib_graph *graph, const double *year, const double *year_end,
                              trib_error *error) {
    const uint32_t n = graph->n_nodes;
    leftover left = {.graph = graph, .year = year, .year_end = year_end};
    size_t *out_start = NULL, *outgoing = NULL;
    int64_t *pull = NULL;
    trib_status status = open_leftover(&left, error);
    if (status == TRIB_OK) status = TRIB_NEW(&out_start, (size_t)n + 1, "edges", error);
    if (status == TRIB_OK) status = TRIB_NEW(&outgoing, graph->n_edges, "edges", error);
    if (status == TRIB_OK) status = TRIB_NEW(&pull, n, "edges", error);
    if (status != TRIB_OK) goto done;
    for (size_t e = 0; e < graph->n_edges; e++) out_start[graph->edge[e].from]++;
    for (uint32_t u = 1; u <= n; u++) out_start[u] += out_start[u - 1];
    for (size_t e = graph->n_edges; e-- > 0;) outgoing[--out_start[graph->edge[e].from]] = e;
    for (uint32_t first = 0, end = n; first < end;) {
        bool last = false;
        find_times(&left);
        const uint32_t u = choose(&left, &last);
        graph->order[last ? --end : first++] = u;
        take_out(&left, u, out_start, outgoing);
    }
    sift(graph, &left, out_start, outgoing, pull);
    for (uint32_t i = 0; i < n; i++) graph->position[graph->order[i]] = i;
done:
    TRIB_FREE(pull, outgoing, out_start);
    close_leftover(&left);
    return status;
}

trib_status trib_graph_build(trib_graph *graph, uint32_t n_nodes, const trib_edge *edge,
                             size_t n_edges, const double *year, const double *year_end,
                             trib_error *error) {
    *graph = (trib_graph){.n_nodes = n_nodes, .n_edges = n_edges};
    trib_status status = take_edges(graph, edge, error);
    if (status == TRIB_OK) status = TRIB_NEW(&graph->order, n_nodes, "a chronology", error);
    if (status == TRIB_OK) status = TRIB_NEW(&graph->position, n_nodes, "a chronology", error);
    if (status == TRIB_OK) status = find_order(graph, year, year_end, error);
    if (status != TRIB_OK) trib_graph_release(graph);
    return status;
}

void trib_graph_release(trib_graph *graph) {
    TRIB_FREE(graph->edge, graph->start, graph->order, graph->position);
    *graph = (trib_graph){0};
}

bool trib_graph_is_backward(const trib_graph *graph, const trib_edge *edge) {
    return graph->position[edge->from] > graph->position[edge->to];
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Goes backward in time from `to`: when a node is reached, all later nodes on its paths are
 * complete. */
void trib_graph_reach(const trib_graph *graph, uint32_t to, trib_reach *reach) {
    for (uint32_t u = 0; u < graph->n_nodes; u++)
        reach[u] = (trib_reach){.next = NOBODY, .via = NOBODY};
    for (uint32_t p = graph->position[to] + 1; p-- > 0;) {
        const uint32_t v = graph->order[p];
        const trib_reach *later = &reach[v];
        const double all = later->direct + later->through, best = fmax(later->direct, later->best);
        if (v != to && all == 0) continue;
        for (size_t e = graph->start[v]; e < graph->start[v + 1]; e++) {
            const trib_edge *edge = &graph->edge[e];
            trib_reach *own = &reach[edge->from];
            if (trib_graph_is_backward(graph, edge)) continue;
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
