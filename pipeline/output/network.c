/* network.c - the part of influence.json about the network of documents: the sources of each
 * document, the order in time, and the influence that passes through other documents. The nodes are
 * the targets and every document with an edge; the edges are the headline shares above the noise
 * floor. */

#include "influence/graph.h"
#include "pipeline/output/result.h"
#include "pipeline/stages/tensors.h"

/* The graph under construction. */
typedef struct work {
    const trib_run_results *results;
    trib_graph graph;
    uint32_t *document;                 /* [n_nodes] ascending */
    uint32_t *node;                     /* [n_documents] */
    const trib_target_results **target; /* [n_nodes] the target at the node; NULL: not a target */
    trib_edge *edge;                    /* [n_edges] in the order found */
    size_t n_edges;
    trib_reach *reach; /* [n_nodes] scratch */
    trib_arena arena;  /* of these lists */
} work;

static const char *id_of(const work *w, uint32_t node) {
    return w->results->corpus->document[w->document[node]].about->id;
}

/* Returns whether s is the member of its group with the largest share, of equal ones the first. */
static bool leads_group(const trib_influence *influence, size_t s) {
    bool leads = true;
    for (size_t i = 0; influence->group && i < influence->n_sources && leads; i++)
        if (i != s && influence->group[i] == influence->group[s])
            leads = influence->share[s] > influence->share[i] ||
                    (influence->share[s] == influence->share[i] && s < i);
    return leads;
}

/* A group is one edge, from the member that leads it. */
static bool is_edge(const trib_run_results *results, const trib_target_results *target, size_t s) {
    return !trib_below_floor(target->shares, s) &&
           results->corpus->document[target->about->source[s]].about->role != TRIB_ROLE_DECOY &&
           leads_group(target->shares->headline, s);
}

/* ---- Nodes and edges ------------------------------------------------------------------------- */

/* Finds the nodes, and counts the edges. */
static trib_status find_nodes(work *w, trib_error *error) {
    const trib_run_results *results = w->results;
    const uint32_t n = results->corpus->n_documents;
    uint8_t *const has = trib_arena_new(&w->arena, n, sizeof *has);
    w->node = trib_arena_new(&w->arena, n, sizeof *w->node);
    w->document = trib_arena_new(&w->arena, n, sizeof *w->document);
    w->target = trib_arena_new(&w->arena, n, sizeof *w->target);
    const trib_status status = trib_arena_check(&w->arena, error);
    if (status != TRIB_OK) return status;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        has[target->about->document] = 1;
        for (size_t s = 0; s < target->shares->headline->n_sources; s++)
            if (is_edge(results, target, s)) has[target->about->source[s]] = 1, w->n_edges++;
        trib_results_rest(results, t);
    }
    for (uint32_t d = 0; d < results->corpus->n_documents; d++) {
        if (!has[d]) continue;
        w->node[d] = w->graph.n_nodes;
        w->document[w->graph.n_nodes++] = d;
    }
    for (uint32_t t = 0; t < results->corpus->n_targets; t++)
        w->target[w->node[results->corpus->target[t].document]] = &results->target[t];
    return TRIB_OK;
}

static trib_status build_graph(work *w, trib_error *error) {
    const trib_run_results *results = w->results;
    const uint32_t n = w->graph.n_nodes;
    double *const year = trib_arena_new(&w->arena, n, sizeof *year);
    double *const year_end = trib_arena_new(&w->arena, n, sizeof *year_end);
    size_t e = 0;
    w->reach = trib_arena_new(&w->arena, n, sizeof *w->reach);
    w->edge = trib_arena_new(&w->arena, w->n_edges, sizeof *w->edge);
    const trib_status status = trib_arena_check(&w->arena, error);
    if (status != TRIB_OK) return status;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        for (size_t s = 0; s < results->target[t].shares->headline->n_sources; s++)
            if (is_edge(results, &results->target[t], s))
                w->edge[e++] =
                    (trib_edge){w->node[results->corpus->target[t].source[s]],
                                w->node[results->corpus->target[t].document],
                                trib_influence_group_share(results->target[t].shares->headline, s),
                                TRIB_UNKNOWN};
        trib_results_rest(results, t);
    }
    for (uint32_t u = 0; u < n; u++) {
        year[u] = results->corpus->document[w->document[u]].about->year;
        year_end[u] = results->corpus->document[w->document[u]].about->year_end;
    }
    return trib_graph_build(&w->graph, n, w->edge, w->n_edges, year, year_end, error);
}

/* ---- Edges and the texts between them -------------------------------------------------------- */

/* Returns the index of a document among a target's sources. */
static size_t source_number(const trib_target_results *target, uint32_t document) {
    size_t s = 0;
    while (target->about->source[s] != document) s++;
    return s;
}

static bool has_edge(const trib_graph *graph, uint32_t from, uint32_t to) {
    for (size_t e = graph->start[to]; e < graph->start[to + 1]; e++)
        if (graph->edge[e].from == from) return graph->edge[e].direction == TRIB_FORWARD;
    return false;
}

/* Adds the texts B on paths source -> B -> target, and the share of the edge's phrases that they
 * contain. */
static trib_status add_between(trib_edge_record *record, trib_arena *arena, const work *w,
                               const trib_edge *edge, const trib_target_results *target,
                               trib_error *error) {
    const trib_run_results *results = w->results;
    const trib_graph *graph = &w->graph;
    const size_t s = source_number(target, w->document[edge->from]);
    const trib_evidence *evidence =
        target->findings->evidence ? &target->findings->evidence[s] : NULL;
    uint8_t *any = NULL, *one = NULL;
    trib_between_records between = {0};
    if (!evidence || edge->direction != TRIB_FORWARD) return TRIB_OK;
    const trib_influence_document *documents =
        trib_method_documents(results->tensors, trib_method_of_evidence(results->config));
    trib_status status = trib_new(&any, evidence->n_phrases, 1, "phrases", error);
    if (status == TRIB_OK) status = trib_new(&one, evidence->n_phrases, 1, "phrases", error);
    for (size_t e = graph->start[edge->to]; e < graph->start[edge->to + 1]; e++) {
        const uint32_t b = graph->edge[e].from;
        if (status != TRIB_OK || graph->edge[e].direction != TRIB_FORWARD ||
            !has_edge(graph, edge->from, b))
            continue;
        const uint32_t d = w->document[b];
        if (evidence->n_phrases > 0) memset(one, 0, evidence->n_phrases);
        status = trib_counts_hold(results->tensors, d, error);
        if (status != TRIB_OK) break;
        status = trib_evidence_held(evidence, &documents[d], results->vocab->n_words, one, error);
        trib_counts_drop(results->tensors, d);
        for (size_t p = 0; p < evidence->n_phrases; p++) any[p] |= one[p];
        TRIB_ADD(arena, &between, trib_between_record,
                 {id_of(w, b), trib_evidence_held_share(evidence, one)});
    }
    const double held =
        status == TRIB_OK && between.n > 0 ? trib_evidence_held_share(evidence, any) : (double)NAN;
    if (!isnan(held)) {
        record->held = held;
        record->between = between;
        record->ancestor = trib_floor_covers(&target->shares->floor, edge->share * (1 - held));
    }
    TRIB_FREE(any, one);
    return status;
}

/* Lists the members of the group of source s, if it is one. */
static void add_members(trib_texts *members, trib_arena *arena, const work *w,
                        const trib_target_results *target, size_t s) {
    const trib_influence *headline = target->shares->headline;
    if (trib_group_size(headline, s) < 2) return;
    for (size_t i = 0; i < headline->n_sources; i++)
        if (headline->group[i] == headline->group[s])
            trib_texts_add(arena, members,
                           w->results->corpus->document[target->about->source[i]].about->id);
}

static trib_status add_edges(trib_edge_records *edges, trib_arena *arena, const work *w,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    uint32_t n_read = 0; /* targets */
    for (size_t e = 0; e < w->graph.n_edges && status == TRIB_OK; e++) {
        const trib_edge *edge = &w->graph.edge[e];
        const trib_target_results *target = w->target[edge->to];
        const size_t s = source_number(target, w->document[edge->from]);
        const trib_influence *headline = target->shares->headline;
        const double *low = headline->group ? headline->group_low : headline->low;
        const double *high = headline->group ? headline->group_high : headline->high;
        trib_edge_record *const record = trib_arena_append(arena, edges, sizeof *record);
        if (!record) return trib_arena_check(arena, error);
        *record = (trib_edge_record){.source = id_of(w, edge->from),
                                     .target = id_of(w, edge->to),
                                     .share = edge->share,
                                     .low = low ? low[s] : (double)NAN,
                                     .high = high ? high[s] : (double)NAN,
                                     .backward = edge->direction == TRIB_BACKWARD,
                                     .held = (double)NAN};
        add_members(&record->members, arena, w, target, s);
        status = add_between(record, arena, w, edge, target, error);
        if (e + 1 == w->graph.start[edge->to + 1]) trib_results_rest(w->results, n_read++);
    }
    return status;
}

/* ---- Paths and order ------------------------------------------------------------------------- */

/* Lists for every target the sources whose influence through other texts is above the noise
 * floor. */
static void add_paths(trib_path_records *paths, trib_arena *arena, const work *w) {
    for (uint32_t t = 0; t < w->graph.n_nodes; t++) {
        if (!w->target[t]) continue;
        trib_graph_reach(&w->graph, t, w->reach);
        for (uint32_t u = 0; u < w->graph.n_nodes; u++) {
            const trib_reach *reach = &w->reach[u];
            if (reach->via == UINT32_MAX ||
                trib_floor_covers(&w->target[t]->shares->floor, reach->through))
                continue;
            trib_path_record *const path = trib_arena_append(arena, paths, sizeof *path);
            if (!path) return;
            *path =
                (trib_path_record){id_of(w, u), id_of(w, t), reach->direct, reach->through, {0}};
            trib_texts_add(arena, &path->along, id_of(w, u));
            for (uint32_t v = reach->via; v != t; v = w->reach[v].next)
                trib_texts_add(arena, &path->along, id_of(w, v));
            trib_texts_add(arena, &path->along, id_of(w, t));
        }
    }
}

/* What the order of time rests on: dates, in part, or nothing. Shares cannot tell a source from its
 * copy. */
static const char *order_from(const work *w) {
    size_t n_known = 0;
    for (size_t e = 0; e < w->graph.n_edges; e++)
        n_known += w->graph.edge[e].direction != TRIB_UNKNOWN;
    uint32_t n_dated = 0;
    for (uint32_t u = 0; u < w->graph.n_nodes; u++)
        if (!isnan(w->results->corpus->document[w->document[u]].about->year)) n_dated++;
    return n_dated == 0                                                 ? "nothing"
           : n_dated == w->graph.n_nodes && n_known == w->graph.n_edges ? "dates"
                                                                        : "some dates";
}

trib_status trib_result_add_graph(trib_result *result, const trib_run_results *results,
                                  trib_error *error) {
    work w = {.results = results};
    trib_arena *const arena = &result->arena;
    trib_graph_record *const graph = trib_arena_new(arena, 1, sizeof *graph);
    trib_status status = trib_arena_check(arena, error);
    if (status == TRIB_OK) status = find_nodes(&w, error);
    if (status == TRIB_OK) status = build_graph(&w, error);
    if (status == TRIB_OK) status = add_edges(&graph->edges, arena, &w, error);
    if (status == TRIB_OK) {
        add_paths(&graph->paths, arena, &w);
        for (uint32_t i = 0; i < w.graph.n_nodes; i++)
            trib_texts_add(arena, &graph->order, id_of(&w, w.graph.order[i]));
        graph->order_from = order_from(&w);
        result->graph = graph;
    }
    trib_graph_release(&w.graph);
    trib_arena_release(&w.arena);
    return status;
}
