/* csf.c - compressed sparse fibers, in three variants: one tree for all modes, with the smallest
 * dimension at the root; two trees, the second with the leaf mode of the first, which is its
 * slowest, at the root; or one tree for each mode, with that mode at the root. Sources: Smith and
 * Karypis 2015 (SPLATT); [S] Dong, Wu, Byna 2024, algorithm 2. */
#include "tensor/formats/csf.h"
#include "tensor/formats/box.h"
#include "tensor/formats/lanes.h"
#include "tensor/formats/table.h"
#include "tensor/order.h"

#include <string.h>

typedef struct csf {
    uint32_t n_trees;
    trib_csf_tree tree[TRIB_MAX_MODES];
    uint32_t tree_of[TRIB_MAX_MODES]; /* [n_modes] the tree that the MTTKRP of a mode uses */
} csf;

#define NO_MODE UINT32_MAX

/* Orders the levels by ascending dimension, equal ones by mode. `root`, unless NO_MODE, comes
 * first. */
static void order_modes(trib_csf_tree *x, const trib_hacoo *source, uint32_t root) {
    for (uint32_t m = 0; m < source->n_modes; m++) {
        uint32_t level = m;
        for (; level > 0; level--) {
            const uint32_t above = x->mode[level - 1];
            if (above == root || (m != root && source->dim[above] <= source->dim[m])) break;
            x->mode[level] = above;
        }
        x->mode[level] = m;
    }
}

/* Visits the sorted entries and counts the nodes or, with `fill`, stores them. */
static void walk(trib_csf_tree *x, const trib_hacoo *source, const double *values,
                 const uint32_t *order, bool fill) {
    const uint32_t n_modes = source->n_modes;
    uint32_t index[2][TRIB_MAX_MODES];
    memset(x->n_nodes, 0, sizeof x->n_nodes);
    for (size_t i = 0; i < source->nnz; i++) {
        const uint32_t *here = index[i % 2], *before = index[1 - i % 2];
        const uint32_t count = trib_hacoo_entry(source, order[i], index[i % 2]);
        bool fresh = i == 0;
        for (uint32_t level = 0; level < n_modes; level++) {
            const uint32_t m = x->mode[level];
            fresh = fresh || here[m] != before[m];
            if (!fresh) continue;
            const size_t f = x->n_nodes[level]++;
            if (!fill) continue;
            x->index[level][f] = here[m];
            if (level + 1 < n_modes) x->child[level][f] = (uint32_t)x->n_nodes[level + 1];
        }
        if (fill) x->value[i] = values ? values[order[i]] : count;
    }
    for (uint32_t level = 0; fill && level + 1 < n_modes; level++)
        x->child[level][x->n_nodes[level]] = (uint32_t)x->n_nodes[level + 1];
}

static trib_status build_tree(trib_csf_tree *x, const trib_hacoo *source, const double *values,
                              uint32_t *order, trib_error *error) {
    trib_status status = trib_order_by_modes(source, x->mode, order, error);
    if (status == TRIB_OK) walk(x, source, values, order, false);
    for (uint32_t level = 0; status == TRIB_OK && level < source->n_modes; level++) {
        const size_t n = x->n_nodes[level];
        status = TRIB_NEW(&x->index[level], n, "nodes", error);
        if (status == TRIB_OK && level + 1 < source->n_modes)
            status = TRIB_NEW(&x->child[level], n + 1, "nodes", error);
    }
    if (status == TRIB_OK) status = TRIB_NEW(&x->value, source->nnz, "values", error);
    if (status == TRIB_OK) walk(x, source, values, order, true);
    return status;
}

static uint32_t level_of(const trib_csf_tree *x, uint32_t mode) {
    uint32_t level = 0;
    while (x->mode[level] != mode) level++;
    return level;
}

/* The first of the ascending indices first .. last-1 that is not below i. */
static size_t bisect(const uint32_t *index, size_t first, size_t last, uint32_t i) {
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (index[middle] < i) first = middle + 1;
        else last = middle;
    }
    return first;
}

/* Finds where the lanes of a mode begin among the nodes of its level. At the root a lane is a range
 * of nodes. At other levels first[lane+1] receives the number of the nodes of a lane, which will be
 * listed. */
static size_t cut_nodes(const trib_tensor *tensor, uint32_t mode, size_t n_items, size_t *first) {
    const csf *x = tensor->data;
    const trib_csf_tree *tree = &x->tree[x->tree_of[mode]];
    const uint32_t n = tensor->lanes.n, *row = tensor->lanes.row + mode * (n + 1);
    const uint32_t level = level_of(tree, mode);
    const size_t n_nodes = tree->n_nodes[level];
    if (level == 0) {
        for (uint32_t lane = 0; lane <= n; lane++)
            first[lane] = bisect(tree->index[0], 0, n_nodes, row[lane]);
        return n_items;
    }
    for (size_t f = 0; f < n_nodes; f++)
        first[trib_lane_of_row(row, n, tree->index[level][f]) + 1]++;
    first[0] = n_items;
    for (uint32_t lane = 0; lane < n; lane++) first[lane + 1] += first[lane];
    return n_items + n_nodes;
}

/* Lists the nodes of each mode's level by the lanes that own their rows. */
static trib_status collect_nodes(trib_tensor *tensor, trib_error *error) {
    const csf *x = tensor->data;
    trib_lanes *lanes = &tensor->lanes;
    const uint32_t n = lanes->n, n_modes = tensor->n_modes;
    if (n == 0) return TRIB_OK;
    size_t *next = NULL;
    trib_status status = TRIB_NEW(&lanes->first, (size_t)n_modes * (n + 1), "lanes", error);
    if (status == TRIB_OK) status = TRIB_NEW(&next, n, "lanes", error);
    for (uint32_t m = 0; status == TRIB_OK && m < n_modes; m++)
        lanes->n_items = cut_nodes(tensor, m, lanes->n_items, lanes->first + m * (n + 1));
    if (status == TRIB_OK) status = TRIB_NEW(&lanes->order, lanes->n_items, "lanes", error);
    for (uint32_t m = 0; status == TRIB_OK && m < n_modes; m++) {
        const trib_csf_tree *tree = &x->tree[x->tree_of[m]];
        const uint32_t level = level_of(tree, m), *row = lanes->row + m * (n + 1);
        if (level == 0) continue;
        memcpy(next, lanes->first + m * (n + 1), n * sizeof *next);
        for (size_t f = 0; f < tree->n_nodes[level]; f++)
            lanes->order[next[trib_lane_of_row(row, n, tree->index[level][f])]++] = (uint32_t)f;
    }
    trib_free(next);
    return status;
}

/* Builds at most `most` trees. The first has the smallest mode at its root. The second has the leaf
 * mode of the first at its root, the third the mode one level above, and so on. Modes without a
 * tree of their own use the first. */
static trib_status build(trib_tensor *tensor, uint32_t most, const trib_hacoo *source,
                         const double *values, trib_error *error) {
    const uint32_t n_modes = source->n_modes;
    csf *x = NULL;
    uint32_t *order = NULL;
    trib_status status = TRIB_NEW(&x, 1, "a tensor", error);
    if (status != TRIB_OK) return status;
    tensor->data = x;
    x->n_trees = most < n_modes ? most : n_modes;
    for (uint32_t t = 0; t < x->n_trees; t++) {
        const uint32_t root = t == 0 ? NO_MODE : x->tree[0].mode[n_modes - t];
        order_modes(&x->tree[t], source, root);
        if (t > 0) x->tree_of[root] = t;
    }
    status = TRIB_NEW(&order, source->nnz, "sorting", error);
    for (uint32_t t = 0; status == TRIB_OK && t < x->n_trees; t++)
        status = build_tree(&x->tree[t], source, values, order, error);
    if (status == TRIB_OK) status = collect_nodes(tensor, error);
    trib_free(order);
    return status;
}

static trib_status build_one(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                             trib_error *error) {
    return build(tensor, 1, source, values, error);
}

static trib_status build_two(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                             trib_error *error) {
    return build(tensor, 2, source, values, error);
}

static trib_status build_all(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                             trib_error *error) {
    return build(tensor, TRIB_MAX_MODES, source, values, error);
}

static void release(trib_tensor *tensor) {
    csf *x = tensor->data;
    for (uint32_t t = 0; t < x->n_trees; t++) {
        for (uint32_t level = 0; level < tensor->n_modes; level++) {
            TRIB_FREE(x->tree[t].index[level], x->tree[t].child[level]);
        }
        trib_free(x->tree[t].value);
    }
    trib_free(x);
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const trib_csf_tree *x = ((const csf *)tensor->data)->tree;
    const uint32_t n_modes = tensor->n_modes, leaf = n_modes - 1;
    size_t at[TRIB_MAX_MODES];
    trib_csf_path(x, leaf, first, at);
    for (size_t i = 0; i < n; i++) {
        at[leaf] = first + i;
        for (uint32_t level = leaf; level-- > 0;)
            if (at[level + 1] >= x->child[level][at[level] + 1]) at[level]++;
        for (uint32_t level = 0; level < n_modes; level++)
            index[i * n_modes + x->mode[level]] = x->index[level][at[level]];
        value[i] = x->value[first + i];
    }
}

/* The first leaf below node f of a level. */
static size_t first_leaf(const trib_csf_tree *x, uint32_t n_modes, uint32_t level, size_t f) {
    for (; level + 1 < n_modes; level++) f = x->child[level][f];
    return f;
}

/* The first leaf at or after `place`: from level to level, by bisection among the children of each
 * node. */
static size_t find_leaf(const trib_csf_tree *x, uint32_t n_modes, const uint32_t place[]) {
    size_t first = 0, last = x->n_nodes[0];
    for (uint32_t level = 0;; level++) {
        const uint32_t *index = x->index[level], i = place[x->mode[level]];
        const size_t end = last;
        first = bisect(index, first, last, i);
        if (level + 1 == n_modes || first == end || index[first] != i)
            return first_leaf(x, n_modes, level, first);
        last = x->child[level][first + 1];
        first = x->child[level][first];
    }
}

static bool seek(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last) {
    const trib_csf_tree *x = ((const csf *)tensor->data)->tree;
    const uint32_t n_modes = tensor->n_modes;
    trib_order order = {.n_modes = n_modes};
    uint32_t at[TRIB_MAX_MODES], next[TRIB_MAX_MODES];
    double value;
    memcpy(order.mode, x->mode, sizeof order.mode);
    if (*first == 0) *first = find_leaf(x, n_modes, box->lower);
    for (; *first < tensor->nnz; *first = find_leaf(x, n_modes, next)) {
        read(tensor, *first, 1, at, &value);
        if (trib_box_holds(box, n_modes, at)) break;
        if (!trib_order_next(&order, box, at, next)) return false;
    }
    *last = *first + 1;
    return *first < tensor->nnz;
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    const csf *x = tensor->data;
    const trib_csf_tree *tree = &x->tree[x->tree_of[mode]];
    const uint32_t level = level_of(tree, mode);
    trib_task task = trib_task_of(tensor, mode, factor, out, lane, tree->n_nodes[level]);
    if (level == 0) task.items = NULL;
    trib_csf_add(tensor, tree, mode, rank, factor, out, &task);
}

static size_t bytes(const trib_tensor *tensor) {
    const csf *x = tensor->data;
    size_t sum = sizeof *x;
    for (uint32_t t = 0; t < x->n_trees; t++) {
        const trib_csf_tree *tree = &x->tree[t];
        sum += tensor->nnz * sizeof *tree->value;
        for (uint32_t level = 0; level < tensor->n_modes; level++)
            sum += tree->n_nodes[level] * sizeof *tree->index[level] +
                   (tree->child[level] ? tree->n_nodes[level] + 1 : 0) * sizeof *tree->child[level];
    }
    return sum;
}

const trib_format trib_format_csf = {
    .name = "csf",
    .help =
        "compressed sparse fibers, one tree, the smallest mode at its root (Smith, Karypis 2015)",
    .build = build_one,
    .release = release,
    .read = read,
    .mttkrp = mttkrp,
    .row_cost = 6,
    .bytes = bytes,
    .seek = seek,
};

const trib_format trib_format_csf_two = {
    .name = "csf-two",
    .help = "two such trees, the second for the mode at the leaves of the first",
    .build = build_two,
    .release = release,
    .read = read,
    .mttkrp = mttkrp,
    .row_cost = 6,
    .bytes = bytes,
    .seek = seek,
};

const trib_format trib_format_csf_all = {
    .name = "csf-all",
    .help = "a tree for every mode, that mode at its root",
    .build = build_all,
    .release = release,
    .read = read,
    .mttkrp = mttkrp,
    .consecutive = true,
    .row_cost = 6,
    .bytes = bytes,
    .seek = seek,
};
