/* flow_map.h - who draws on whom, small enough to be drawn: the texts of a result, or where they
 * are too many, groups of them by author, date or folder. map.csv and the figures of the report
 * are made from it. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_FLOW_MAP_H
#define TRIBUTARY_OUTPUT_FLOW_MAP_H

#include "pipeline/result/result.h"

/* More texts than this are drawn in groups, of which there are at most so many. */
enum { TRIB_FLOW_MAP_TEXTS = 60 };

/* A text, or a group of texts. */
typedef struct trib_map_node {
    const char *name;          /* title of the text, or name of the group */
    const char *id;            /* of the text; NULL: a group */
    double from, to;           /* dates of its texts, the end excluded; NaN: none is dated */
    size_t n_texts, n_targets; /* texts, and those of them that are targets */
    double n_grams;            /* n-grams of its targets */
    uint32_t place;            /* its number before the nodes were sorted */
} trib_map_node;

/* What flows from one node into another. */
typedef struct trib_map_cell {
    double share;     /* part of the n-grams of the targets; 0: none */
    size_t n_flows;   /* pairs of texts whose share is at or above the noise floor */
    double strongest; /* the largest share of such a pair, or if there is none, of any pair */
    const char *source, *target; /* ids of that pair; NULL: no pair has a share */
} trib_map_cell;

typedef struct trib_flow_map {
    const char *by;      /* "text", "author", "year", "decade", ..., "folder" */
    trib_map_node *node; /* [n_nodes] in the order of their dates, undated ones last, by name */
    size_t n_nodes;
    trib_map_cell *cell; /* [n_nodes][n_nodes] source, target */
    uint32_t *like;      /* [n_nodes] nodes in an order that puts those with large shares near
                                each other: average linkage, with the leaves of each pair of
                                clusters turned so that the most similar ends meet */
    const trib_result *result;
    uint32_t *node_of; /* [result->documents.n] node of each document */
    trib_arena arena;  /* of all these */
} trib_flow_map;

/* Reads the flows of a result by its headline method. `flows` borrows from `result`. After a
 * failure `flows` is empty. */
trib_status trib_flow_map_read(trib_flow_map *flows, const trib_result *result, trib_error *error);
void trib_flow_map_release(trib_flow_map *flows);
/* The node of a document; n_nodes: there is no such document. */
size_t trib_flow_map_node(const trib_flow_map *flows, const char *id);

#endif
