/* csf.c - compressed sparse fibers: a tree whose levels are the modes, the smallest dimension at the root; a node is an
 * index, stored once for all nonzeros below it. One tree serves every mode.
 *
 * For the mode of level t, a node there adds to its row of the result the product of the rows above it times the sum
 * over its subtree of the products of the rows below it; both are made once, not per nonzero. Sources: Smith and Karypis
 * 2015; [S] Dong, Wu, Byna 2024, algorithm 2; [K] section 3.4. */
#include "tensor/box.h"
#include "tensor/formats.h"
#include "tensor/kernel.h"
#include "tensor/lanes.h"
#include "tensor/order.h"

#include <string.h>

typedef struct csf {
    uint32_t mode[TRIB_MAX_MODES];   /* [n_modes] of each level, the root first */
    size_t n_nodes[TRIB_MAX_MODES];  /* of each level */
    uint32_t *index[TRIB_MAX_MODES]; /* [n_nodes] */
    uint32_t *child
        [TRIB_MAX_MODES]; /* [n_nodes+1] node f has the nodes child[f] .. child[f+1]-1 of the next level */
    double *value;        /* [nnz], of the leaves */
} csf;

/* Levels by ascending dimension, equal ones by mode. */
static void order_modes(csf *x, const trib_hacoo *source) {
    for (uint32_t m = 0; m < source->n_modes; m++) {
        uint32_t level = m;
        for (; level > 0 && source->dim[x->mode[level - 1]] > source->dim[m]; level--)
            x->mode[level] = x->mode[level - 1];
        x->mode[level] = m;
    }
}

/* One walk over the sorted entries counts the nodes, or, when there is room, fills them in. */
static void walk(csf *x, const trib_hacoo *source, const double *values, const uint32_t *order,
                 bool fill) {
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

/* The nodes of a mode's level, dealt to the lanes that own their rows. */
static trib_status collect_nodes(trib_tensor *tensor, trib_error *error) {
    const csf *x = tensor->data;
    trib_lanes *lanes = &tensor->lanes;
    const uint32_t n = lanes->n, n_modes = tensor->n_modes;
    if (n == 0) return TRIB_OK;
    size_t n_items = 0, *next = NULL;
    for (uint32_t m = 0; m < n_modes; m++) n_items += x->n_nodes[m];
    trib_status status =
        trib_new(&lanes->first, (size_t)n_modes * (n + 1), sizeof *lanes->first, "lanes", error);
    if (status == TRIB_OK)
        status = trib_new(&lanes->order, n_items, sizeof *lanes->order, "lanes", error);
    if (status == TRIB_OK) status = trib_new(&next, n, sizeof *next, "lanes", error);
    if (status != TRIB_OK) return status;
    n_items = 0;
    for (uint32_t m = 0; m < n_modes; m++) {
        uint32_t level = 0;
        while (x->mode[level] != m) level++;
        const uint32_t *row = lanes->row + m * (n + 1), *index = x->index[level];
        size_t *first = lanes->first + m * (n + 1);
        for (size_t f = 0; f < x->n_nodes[level]; f++)
            first[trib_lane_of_row(row, n, index[f]) + 1]++;
        first[0] = n_items;
        for (uint32_t lane = 0; lane < n; lane++) {
            next[lane] = first[lane];
            first[lane + 1] += first[lane];
        }
        for (size_t f = 0; f < x->n_nodes[level]; f++)
            lanes->order[next[trib_lane_of_row(row, n, index[f])]++] = (uint32_t)f;
        n_items = first[n];
    }
    trib_free(next);
    return TRIB_OK;
}

static trib_status build(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                         trib_error *error) {
    csf *x = NULL;
    uint32_t *order = NULL;
    trib_status status = trib_new(&x, 1, sizeof *x, "a tensor", error);
    if (status != TRIB_OK) return status;
    tensor->data = x;
    order_modes(x, source);
    status = trib_new(&order, source->nnz, sizeof *order, "sorting", error);
    if (status == TRIB_OK) status = trib_order_by_modes(source, x->mode, order, error);
    if (status == TRIB_OK) walk(x, source, values, order, false);
    for (uint32_t level = 0; status == TRIB_OK && level < source->n_modes; level++) {
        const size_t n = x->n_nodes[level];
        status = trib_new(&x->index[level], n, sizeof *x->index[level], "nodes", error);
        if (status == TRIB_OK && level + 1 < source->n_modes)
            status = trib_new(&x->child[level], n + 1, sizeof *x->child[level], "nodes", error);
    }
    if (status == TRIB_OK)
        status = trib_new(&x->value, source->nnz, sizeof *x->value, "values", error);
    if (status == TRIB_OK) walk(x, source, values, order, true);
    if (status == TRIB_OK) status = collect_nodes(tensor, error);
    trib_free(order);
    return status;
}

static void release(trib_tensor *tensor) {
    csf *x = tensor->data;
    for (uint32_t level = 0; level < tensor->n_modes; level++) {
        trib_free(x->index[level]);
        trib_free(x->child[level]);
    }
    trib_free(x->value);
    trib_free(x);
}

/* The nodes above node f of level t, into at[0 .. t-1]: the last of each level whose children begin at or before it. */
static void find_path(const csf *x, uint32_t t, size_t f, size_t at[]) {
    for (uint32_t level = t; level-- > 0; f = at[level])
        at[level] = trib_lane_of_row(x->child[level], (uint32_t)x->n_nodes[level], (uint32_t)f);
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const csf *x = tensor->data;
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

/* The first leaf below node f of a level. */
static size_t first_leaf(const csf *x, uint32_t n_modes, uint32_t level, size_t f) {
    for (; level + 1 < n_modes; level++) f = x->child[level][f];
    return f;
}

/* The first leaf at or after `place`: down the tree, by bisection among the children of each node. */
static size_t find_leaf(const csf *x, uint32_t n_modes, const uint32_t place[]) {
    size_t first = 0, last = x->n_nodes[0];
    for (uint32_t level = 0;; level++) {
        const uint32_t *index = x->index[level], i = place[x->mode[level]];
        const size_t end = last;
        while (first < last) {
            const size_t middle = first + (last - first) / 2;
            if (index[middle] < i) first = middle + 1;
            else last = middle;
        }
        if (level + 1 == n_modes || first == end || index[first] != i)
            return first_leaf(x, n_modes, level, first);
        last = x->child[level][first + 1];
        first = x->child[level][first];
    }
}

static bool seek(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last) {
    const csf *x = tensor->data;
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

enum { MOST_COLUMNS = 64 };

/* What the kernel works on: columns of the factors by level. */
typedef struct columns {
    const double *factor[TRIB_MAX_MODES];
    uint32_t rank, width; /* of a row, and how many of its columns */
    uint32_t level;       /* of the mode of the result */
    double *out;
} columns;

TRIB_INLINE const double *row_of(const csf *x, const columns *c, uint32_t rank, uint32_t level,
                                 size_t f) {
    return c->factor[level] + (size_t)x->index[level][f] * rank;
}

/* sum[level][r]: the subtree below node f of `level`, above the leaves. Fibers are summed in turn; the last fiber of a
 * node completes the node's own sum, which goes to the node above. */
TRIB_INLINE void sum_below(uint32_t n_modes, uint32_t rank, uint32_t width, const csf *x,
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

/* The products of the rows above node f, kept while the nodes above are the same. */
TRIB_INLINE void multiply_above(uint32_t rank, uint32_t width, const csf *x, const columns *c,
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

TRIB_INLINE void add_nodes(uint32_t n_modes, uint32_t rank, uint32_t width, const csf *x,
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

TRIB_KERNEL static void add_csf_terms(uint32_t n_modes, const csf *x, const trib_task *task,
                                      const columns *c) {
    if (n_modes == 3 && c->rank == 16) add_nodes(3, 16, 16, x, task, c);
    else if (n_modes == 3 && c->rank == 50) add_nodes(3, 50, 50, x, task, c);
    else if (n_modes == 3) add_nodes(3, c->rank, c->width, x, task, c);
    else add_nodes(n_modes, c->rank, c->width, x, task, c);
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    const csf *x = tensor->data;
    columns c = {.rank = rank};
    while (x->mode[c.level] != mode) c.level++;
    const trib_task task = trib_task_of(tensor, mode, factor, out, lane, x->n_nodes[c.level]);
    for (uint32_t from = 0; from < rank; from += c.width) {
        c.width = rank - from < MOST_COLUMNS ? rank - from : MOST_COLUMNS;
        c.out = out + from;
        for (uint32_t level = 0; level < tensor->n_modes; level++)
            if (level != c.level) c.factor[level] = factor[x->mode[level]] + from;
        add_csf_terms(tensor->n_modes, x, &task, &c);
    }
}

static size_t bytes(const trib_tensor *tensor) {
    const csf *x = tensor->data;
    size_t sum = sizeof *x + tensor->nnz * sizeof *x->value;
    for (uint32_t level = 0; level < tensor->n_modes; level++)
        sum += x->n_nodes[level] * sizeof *x->index[level] +
               (x->child[level] ? x->n_nodes[level] + 1 : 0) * sizeof *x->child[level];
    return sum;
}

const trib_format trib_format_csf = {
    .name = "csf",
    .help =
        "compressed sparse fibers, one tree, the smallest mode at its root (Smith, Karypis 2015)",
    .build = build,
    .release = release,
    .read = read,
    .mttkrp = mttkrp,
    .bytes = bytes,
    .seek = seek,
};
