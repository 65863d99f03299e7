/* flow_order.c - an order of the nodes in which those that share much are near each other: average
 * linkage (Sokal and Michener 1958) on the larger of the two shares of a pair. Each cluster is a
 * row of nodes; when two are joined, they are turned so that their most similar ends meet. Ties
 * go to the earlier nodes, so the order is the same on every machine. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/output/flow_map.h"

typedef struct clustering {
    const trib_flow_map *flows;
    uint32_t *row;    /* [n] the nodes, cluster after cluster */
    uint32_t *turned; /* [n] scratch */
    uint32_t *start;  /* [n_clusters + 1] start of each cluster in `row` */
    size_t n_clusters;
} clustering;

static double similarity(const trib_flow_map *flows, uint32_t a, uint32_t b) {
    const double there = flows->cell[a * flows->n_nodes + b].share,
                 back = flows->cell[b * flows->n_nodes + a].share;
    return there > back ? there : back;
}

static double mean_similarity(const clustering *c, size_t a, size_t b) {
    double sum = 0;
    for (uint32_t i = c->start[a]; i < c->start[a + 1]; i++)
        for (uint32_t j = c->start[b]; j < c->start[b + 1]; j++)
            sum += similarity(c->flows, c->row[i], c->row[j]);
    return sum / (double)(c->start[a + 1] - c->start[a]) / (double)(c->start[b + 1] - c->start[b]);
}

static void turn(uint32_t *row, uint32_t n) {
    for (uint32_t i = 0; i < n / 2; i++) {
        const uint32_t moved = row[i];
        row[i] = row[n - 1 - i];
        row[n - 1 - i] = moved;
    }
}

/* Joins clusters a < b: b is moved behind a, and one or both are turned. */
static void join(clustering *c, size_t a, size_t b) {
    uint32_t *first = c->row + c->start[a], *second = c->row + c->start[b];
    const uint32_t n_first = c->start[a + 1] - c->start[a],
                   n_second = c->start[b + 1] - c->start[b],
                   n_between = c->start[b] - c->start[a + 1];
    double best = -1;
    unsigned choice = 0;
    for (unsigned way = 0; way < 4; way++) { /* bit 0: turn the first, bit 1: turn the second */
        const double meeting = similarity(c->flows, way & 1 ? first[0] : first[n_first - 1],
                                          way & 2 ? second[n_second - 1] : second[0]);
        if (meeting > best) best = meeting, choice = way;
    }
    if (choice & 1) turn(first, n_first);
    if (choice & 2) turn(second, n_second);
    memcpy(c->turned, second, n_second * sizeof *c->turned);
    memmove(first + n_first + n_second, first + n_first, n_between * sizeof *c->row);
    memcpy(first + n_first, c->turned, n_second * sizeof *c->row);
    for (size_t k = a + 1; k <= b; k++) c->start[k] += n_second;
    memmove(c->start + b, c->start + b + 1, (c->n_clusters - b) * sizeof *c->start);
    c->n_clusters--;
}

trib_status trib_flow_map_order(trib_flow_map *flows, trib_error *error) {
    const size_t n = flows->n_nodes;
    clustering c = {.flows = flows, .n_clusters = n};
    trib_status status = TRIB_NEW(&flows->like, n, "flows", error);
    if (status == TRIB_OK) status = TRIB_NEW(&c.turned, n, "flows", error);
    if (status == TRIB_OK) status = TRIB_NEW(&c.start, n + 1, "flows", error);
    c.row = flows->like;
    for (uint32_t i = 0; i <= n && status == TRIB_OK; i++) {
        c.start[i] = i;
        if (i < n) c.row[i] = i;
    }
    while (status == TRIB_OK && c.n_clusters > 1) {
        size_t one = 0, other = 1;
        double best = -1;
        for (size_t a = 0; a < c.n_clusters; a++)
            for (size_t b = a + 1; b < c.n_clusters; b++) {
                const double mean = mean_similarity(&c, a, b);
                if (mean > best) best = mean, one = a, other = b;
            }
        join(&c, one, other);
    }
    TRIB_FREE(c.turned, c.start);
    return status;
}
