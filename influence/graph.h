/* graph.h - the graph of influence: documents, the shares between them, and a chronology
 * (graph.c). */
#ifndef TRIBUTARY_INFLUENCE_GRAPH_H
#define TRIBUTARY_INFLUENCE_GRAPH_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What the dates of its ends say of an edge: the source is the earlier, the later, or cannot be
 * told. */
typedef enum trib_direction { TRIB_UNKNOWN, TRIB_FORWARD, TRIB_BACKWARD } trib_direction;

/* An edge: the share of document `to` that comes from document `from`. */
typedef struct trib_edge {
    uint32_t from, to;        /* numbers of nodes */
    double share;             /* 0 to 1 */
    trib_direction direction; /* set by trib_graph_build */
} trib_edge;

/* A graph with documents as nodes, and a chronology. `{0}` is empty. */
typedef struct trib_graph {
    uint32_t n_nodes; /* documents */
    size_t n_edges;   /* number of edges */
    trib_edge *edge;  /* [n_edges] by `to`, then by `from` */
    size_t *start;    /* [n_nodes + 1] the edges into u are start[u] .. start[u+1]-1 */
    uint32_t *order;  /* [n_nodes] the nodes, the earliest first */
} trib_graph;

/* Copies the edges and sorts the nodes by date. There must be at most one edge from a node to
 * another and none from a node to itself (else TRIB_INTERNAL). A node whose year_end is at most
 * another node's year is earlier, unless both are one moment (NaN: unknown; both arrays may be
 * NULL). Nodes without a date come last; ties go by number. Shares say nothing about time: what a
 * text took from another and what it gave are the same words. TRIB_MEMORY. */
trib_status trib_graph_build(trib_graph *graph, uint32_t n_nodes, const trib_edge *edge,
                             size_t n_edges, const double *year, const double *year_end,
                             trib_error *error);
void trib_graph_release(trib_graph *graph);

/* How much of a document another one explains along edges that run forward. Consider a random walk
 * that begins in the document and goes on to each source with its share as probability: it passes
 * through the other document with probability direct + through. */
typedef struct trib_reach {
    double direct; /* share of the direct edge; 0: there is none */
    /* the sum over all paths of two edges and more of the product of their shares */
    double through;
    double best;   /* the largest of these products */
    uint32_t via;  /* next node after this one on that path; UINT32_MAX: there is none */
    uint32_t next; /* next node after this one on the best path of any length */
} trib_reach;
/* Computes reach[n_nodes]: for every node u, the part of `to` that u explains, directly and through
 * other nodes; 0 for `to` itself. The best path of two or more edges from u goes to reach[u].via
 * and from there to the `next` of each node until `to`; of equal paths it is the one through later
 * nodes. O(nodes + edges). */
void trib_graph_reach(const trib_graph *graph, uint32_t to, trib_reach *reach);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
