/* csf.c - compressed sparse fibers: a tree with one level per mode. A node is an index, which is
 * stored once for all nonzeros below it. There are three variants: one tree for all modes, with the
 * smallest dimension at the root; two trees, the second with the leaf mode of the first, which is
 * its slowest, at the root; or one tree for each mode, with that mode at the root.
 *
 * In the MTTKRP of the mode of level t, a node of that level adds to its row of the result the
 * product of the rows above it, times the sum over its subtree of the products of the rows below
 * it. Both are computed once per node, not per nonzero. Sources: Smith and Karypis 2015 (SPLATT);
 * [S] Dong, Wu, Byna 2024, algorithm 2; [K] section 3.4. */
#include "tensor/formats/kernel.h"

typedef struct tree {
    uint32_t mode[TRIB_MAX_MODES];   /* [n_modes] of each level, the root first */
    size_t n_nodes[TRIB_MAX_MODES];  /* of each level */
    uint32_t *index[TRIB_MAX_MODES]; /* [n_nodes] */
    /* [n_nodes+1] Node f has the nodes child[f] .. child[f+1]-1 of the next level. */
    uint32_t *child[TRIB_MAX_MODES];
    double *value; /* [nnz], of the leaves */
} tree;

typedef struct csf {
    uint32_t n_trees;
    tree tree[TRIB_MAX_MODES];
    uint32_t tree_of[TRIB_MAX_MODES]; /* [n_modes] the tree that the MTTKRP of a mode uses */
} csf;

#define NO_MODE UINT32_MAX

/* Orders the levels by ascending dimension, equal ones by mode. `root`, unless NO_MODE, comes
 * first. */
static void order_modes(tree *x, const trib_hacoo *source, uint32_t root) {
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
static void walk(tree *x, const trib_building *b, bool fill) {
    const uint32_t n_modes = b->table->n_modes;
    uint32_t index[2][TRIB_MAX_MODES];
    memset(x->n_nodes, 0, sizeof x->n_nodes);
    for (size_t i = 0; i < b->table->nnz; i++) {
        const uint32_t *here = index[i % 2], *before = index[1 - i % 2];
        const double value = trib_building_take(b, i, index[i % 2]);
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
        if (fill) x->value[i] = value;
    }
    for (uint32_t level = 0; fill && level + 1 < n_modes; level++)
        x->child[level][x->n_nodes[level]] = (uint32_t)x->n_nodes[level + 1];
}

static void build_tree(tree *x, trib_building *b) {
    const uint32_t n_modes = b->table->n_modes;
    trib_building_sort(b, x->mode);
    if (b->status == TRIB_OK) walk(x, b, false);
    for (uint32_t level = 0; level < n_modes; level++) {
        const size_t n = x->n_nodes[level];
        x->index[level] = trib_tensor_array(b, n, sizeof *x->index[level], "nodes");
        if (level + 1 < n_modes)
            x->child[level] = trib_tensor_array(b, n + 1, sizeof *x->child[level], "nodes");
    }
    x->value = trib_tensor_array(b, b->table->nnz, sizeof *x->value, "values");
    if (b->status == TRIB_OK) walk(x, b, true);
}

static uint32_t level_of(const tree *x, uint32_t mode) {
    uint32_t level = 0;
    while (x->mode[level] != mode) level++;
    return level;
}

/* Finds where the lanes of a mode begin among the nodes of its level. At the root a lane is a range
 * of nodes. At other levels first[lane+1] receives the number of the nodes of a lane, which will be
 * listed. */
static size_t cut_nodes(const trib_tensor *tensor, uint32_t mode, size_t n_items, size_t *first) {
    const csf *x = tensor->data;
    const tree *t = &x->tree[x->tree_of[mode]];
    const uint32_t n = tensor->lanes.n, *row = tensor->lanes.row + mode * (n + 1);
    const uint32_t level = level_of(t, mode);
    const size_t n_nodes = t->n_nodes[level];
    if (level == 0) {
        for (uint32_t lane = 0; lane <= n; lane++)
            first[lane] = trib_place_of(t->index[0], n_nodes, row[lane]);
        return n_items;
    }
    for (size_t f = 0; f < n_nodes; f++) first[trib_range_of(row, n, t->index[level][f]) + 1]++;
    first[0] = n_items;
    for (uint32_t lane = 0; lane < n; lane++) first[lane + 1] += first[lane];
    return n_items + n_nodes;
}

/* Lists the nodes of each mode's level by the lanes that own their rows. */
static void collect_nodes(trib_building *b) {
    const csf *x = b->tensor->data;
    trib_lanes *lanes = &b->tensor->lanes;
    const uint32_t n = lanes->n, n_modes = b->tensor->n_modes;
    size_t *next = NULL, n_items = 0;
    if (n == 0 || b->status != TRIB_OK) return;
    lanes->first = trib_tensor_array(b, (size_t)n_modes * (n + 1), sizeof *lanes->first, "lanes");
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&next, n, "lanes", b->error);
    for (uint32_t m = 0; b->status == TRIB_OK && m < n_modes; m++)
        n_items = cut_nodes(b->tensor, m, n_items, lanes->first + m * (n + 1));
    lanes->order = trib_tensor_array(b, n_items, sizeof *lanes->order, "lanes");
    for (uint32_t m = 0; b->status == TRIB_OK && m < n_modes; m++) {
        const tree *t = &x->tree[x->tree_of[m]];
        const uint32_t level = level_of(t, m), *row = lanes->row + m * (n + 1);
        if (level == 0) continue;
        memcpy(next, lanes->first + m * (n + 1), n * sizeof *next);
        for (size_t f = 0; f < t->n_nodes[level]; f++)
            lanes->order[next[trib_range_of(row, n, t->index[level][f])]++] = (uint32_t)f;
    }
    trib_free(next);
}

/* Builds at most `variant` trees. The first has the smallest mode at its root. The second has the
 * leaf mode of the first at its root, the third the mode one level above, and so on. Modes without
 * a tree of their own use the first. */
static void build(trib_building *b) {
    csf *x = b->tensor->data;
    const uint32_t n_modes = b->table->n_modes, most = b->tensor->format->variant;
    x->n_trees = most < n_modes ? most : n_modes;
    for (uint32_t t = 0; t < x->n_trees; t++) {
        const uint32_t root = t == 0 ? NO_MODE : x->tree[0].mode[n_modes - t];
        order_modes(&x->tree[t], b->table, root);
        if (t > 0) x->tree_of[root] = t;
    }
    for (uint32_t t = 0; b->status == TRIB_OK && t < x->n_trees; t++) build_tree(&x->tree[t], b);
    collect_nodes(b);
}

/* Finds the nodes above node f of level t; at[0 .. t-1] receives their numbers: of each level, the
 * last node whose children begin at or before the node below it. */
static void find_path(const tree *x, uint32_t t, size_t f, size_t at[]) {
    for (uint32_t level = t; level-- > 0; f = at[level])
        at[level] = trib_range_of(x->child[level], x->n_nodes[level], f);
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const tree *x = ((const csf *)tensor->data)->tree;
    const uint32_t n_modes = tensor->n_modes, leaf = n_modes - 1;
    size_t at[TRIB_MAX_MODES];
    find_path(x, leaf, first, at);
    for (size_t i = 0; i < n; i++) {
        at[leaf] = first + i;
        for (uint32_t level = leaf; level-- > 0;)
            if (at[level + 1] >= x->child[level][at[level] + 1]) at[level]++;
        for (uint32_t level = 0; level < n_modes; level++)
            index[i * n_modes + x->mode[level]] = x->index[level][at[level]];
        value[i] = x->value[first + i];
    }
}

/* ---- MTTKRP ---------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 64 };

/* The arguments of a kernel: some columns of the factors, by level. */
typedef struct columns {
    const double *factor[TRIB_MAX_MODES];
    uint32_t rank, width; /* columns of a factor, and how many of them are computed at a time */
    uint32_t level;       /* of the mode of the result */
    double *out;
} columns;

TRIB_INLINE const double *row_of(const tree *x, const columns *c, uint32_t rank, uint32_t level,
                                 size_t f) {
    return c->factor[level] + (size_t)x->index[level][f] * rank;
}

/* sum[level][r] receives the sum over the subtree below node f of `level`, above the leaves. Fibers
 * are summed one after the other. After the last fiber of a node the sum of the node is complete
 * and is added to that of the node above. */
TRIB_INLINE void sum_below(uint32_t n_modes, uint32_t rank, uint32_t width, const tree *x,
                           const columns *c, size_t f, double (*sum)[MOST_COLUMNS]) {
    const uint32_t fiber = n_modes - 2, top = c->level;
    size_t at[TRIB_MAX_MODES], end = f + 1;
    at[top] = f;
    for (uint32_t level = top; level < fiber; level++) {
        at[level + 1] = x->child[level][at[level]];
        end = x->child[level][end];
    }
    for (uint32_t level = top; level <= fiber; level++)
        for (uint32_t r = 0; r < width; r++) sum[level][r] = 0;
    for (size_t q = at[fiber]; q < end; q++) {
        for (size_t e = x->child[fiber][q]; e < x->child[fiber][q + 1]; e++) {
            const double *row = row_of(x, c, rank, n_modes - 1, e);
            trib_add_term(sum[fiber], &row, 1, x->value[e], width);
        }
        at[fiber] = q;
        for (uint32_t level = fiber; level > top; level--) {
            const double *row = row_of(x, c, rank, level, at[level]);
            for (uint32_t r = 0; r < width; r++) {
                sum[level - 1][r] += row[r] * sum[level][r];
                sum[level][r] = 0;
            }
            if (++at[level] < x->child[level - 1][at[level - 1] + 1]) break;
        }
    }
}

/* Updates the products of the rows above node f, from the highest level whose node has changed. */
TRIB_INLINE void multiply_above(uint32_t rank, uint32_t width, const tree *x, const columns *c,
                                size_t f, size_t at[], double (*above)[MOST_COLUMNS]) {
    uint32_t changed = c->level;
    for (uint32_t level = c->level; level-- > 0; f = at[level]) {
        if (f < x->child[level][at[level] + 1]) break;
        while (f >= x->child[level][at[level] + 1]) at[level]++;
        changed = level;
    }
    for (uint32_t level = changed; level < c->level; level++) {
        const double *row = row_of(x, c, rank, level, at[level]);
        for (uint32_t r = 0; r < width; r++) above[level + 1][r] = above[level][r] * row[r];
    }
}

TRIB_INLINE void add_nodes(uint32_t n_modes, uint32_t rank, uint32_t width, const tree *x,
                           const trib_task *task, const columns *c) {
    double above[TRIB_MAX_MODES][MOST_COLUMNS], sum[TRIB_MAX_MODES][MOST_COLUMNS];
    size_t at[TRIB_MAX_MODES];
    const uint32_t level = c->level;
    for (uint32_t r = 0; r < width; r++) above[0][r] = 1;
    for (size_t i = task->first; i < task->last; i++) {
        const size_t f = task->items ? task->items[i] : i;
        if (i == task->first) {
            find_path(x, level, f, at);
            for (uint32_t k = 0; k < level; k++) {
                const double *row = row_of(x, c, rank, k, at[k]);
                for (uint32_t r = 0; r < width; r++) above[k + 1][r] = above[k][r] * row[r];
            }
        } else multiply_above(rank, width, x, c, f, at, above);
        double *out = c->out + (size_t)x->index[level][f] * rank;
        const double *row = above[level];
        if (level == n_modes - 1) {
            trib_add_term(out, &row, 1, x->value[f], width);
            continue;
        }
        sum_below(n_modes, rank, width, x, c, f, sum);
        for (uint32_t r = 0; r < width; r++) out[r] += row[r] * sum[level][r];
    }
}

TRIB_KERNEL(void, add_csf_terms,
            (uint32_t n_modes, const tree *x, const trib_task *task, const columns *c),
            (n_modes, x, task, c)) {
    if (n_modes == 3 && c->rank == 16) add_nodes(3, 16, 16, x, task, c);
    else if (n_modes == 3 && c->rank == 50) add_nodes(3, 50, 50, x, task, c);
    else if (n_modes == 3) add_nodes(3, c->rank, c->width, x, task, c);
    else add_nodes(n_modes, c->rank, c->width, x, task, c);
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    const csf *x = tensor->data;
    const tree *t = &x->tree[x->tree_of[mode]];
    columns c = {.rank = rank, .level = level_of(t, mode)};
    trib_task task = trib_task_of(tensor, mode, rank, factor, out, lane, t->n_nodes[c.level]);
    if (c.level == 0) task.items = NULL;
    for (uint32_t from = 0; from < rank; from += c.width) {
        c.width = rank - from < MOST_COLUMNS ? rank - from : MOST_COLUMNS;
        c.out = out + from;
        for (uint32_t level = 0; level < tensor->n_modes; level++)
            if (level != c.level) c.factor[level] = factor[t->mode[level]] + from;
        add_csf_terms(tensor->n_modes, t, &task, &c);
    }
}

/* The row of a variant with at most `most` trees. */
#define CSF(most, ...)                                                                             \
    {                                                                                              \
        .size = sizeof(csf), .variant = most, .build = build, .read = read, .mttkrp = mttkrp,      \
        .row_cost = 6, __VA_ARGS__                                                                 \
    }

const trib_format trib_format_csf =
    CSF(1, .name = "csf",
        .help = "compressed sparse fibers, one tree, the smallest mode at its root (Smith, "
                "Karypis 2015)");
const trib_format trib_format_csf_two =
    CSF(2, .name = "csf-two",
        .help = "two such trees, the second for the mode at the leaves of the first");
const trib_format trib_format_csf_all =
    CSF(TRIB_MAX_MODES, .name = "csf-all", .help = "a tree for every mode, that mode at its root",
        .consecutive = true);
