/* csf_kernel.c - the MTTKRP of a tree of compressed sparse fibers.
 *
 * For the mode of level t, a node of that level adds to its row of the result the product of the
 * rows above it, times the sum over its subtree of the products of the rows below it. Both are
 * computed once per node, not per nonzero. [K] section 3.4. */
#include "base/internal.h"
#include "tensor/formats/csf.h"
#include "tensor/formats/kernel.h"
#include "tensor/formats/lanes.h"

/* Of each level, the last node whose children begin at or before the node below it. */
void trib_csf_path(const trib_csf_tree *x, uint32_t t, size_t f, size_t at[]) {
    for (uint32_t level = t; level-- > 0; f = at[level])
        at[level] = trib_lane_of_row(x->child[level], (uint32_t)x->n_nodes[level], (uint32_t)f);
}

enum { MOST_COLUMNS = 64 };

/* The arguments of a kernel: some columns of the factors, by level. */
typedef struct columns {
    const double *factor[TRIB_MAX_MODES];
    uint32_t rank, width; /* columns of a factor, and how many of them are computed at a time */
    uint32_t level;       /* of the mode of the result */
    double *out;
} columns;

TRIB_INLINE const double *row_of(const trib_csf_tree *x, const columns *c, uint32_t rank,
                                 uint32_t level, size_t f) {
    return c->factor[level] + (size_t)x->index[level][f] * rank;
}

/* sum[level][r] receives the sum over the subtree below node f of `level`, above the leaves. Fibers
 * are summed one after the other. After the last fiber of a node the sum of the node is complete
 * and is added to that of the node above. */
TRIB_INLINE void sum_below(uint32_t n_modes, uint32_t rank, uint32_t width, const trib_csf_tree *x,
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
TRIB_INLINE void multiply_above(uint32_t rank, uint32_t width, const trib_csf_tree *x,
                                const columns *c, size_t f, size_t at[],
                                double (*above)[MOST_COLUMNS]) {
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

TRIB_INLINE void add_nodes(uint32_t n_modes, uint32_t rank, uint32_t width, const trib_csf_tree *x,
                           const trib_task *task, const columns *c) {
    double above[TRIB_MAX_MODES][MOST_COLUMNS], sum[TRIB_MAX_MODES][MOST_COLUMNS];
    size_t at[TRIB_MAX_MODES];
    const uint32_t level = c->level;
    for (uint32_t r = 0; r < width; r++) above[0][r] = 1;
    for (size_t i = task->first; i < task->last; i++) {
        const size_t f = task->items ? task->items[i] : i;
        if (i == task->first) {
            trib_csf_path(x, level, f, at);
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

TRIB_KERNEL static void add_csf_terms(uint32_t n_modes, const trib_csf_tree *x,
                                      const trib_task *task, const columns *c) {
    if (n_modes == 3 && c->rank == 16) add_nodes(3, 16, 16, x, task, c);
    else if (n_modes == 3 && c->rank == 50) add_nodes(3, 50, 50, x, task, c);
    else if (n_modes == 3) add_nodes(3, c->rank, c->width, x, task, c);
    else add_nodes(n_modes, c->rank, c->width, x, task, c);
}

void trib_csf_add(const trib_tensor *tensor, const trib_csf_tree *x, uint32_t mode, uint32_t rank,
                  const double *const factor[], double *out, trib_task *task) {
    columns c = {.rank = rank};
    while (x->mode[c.level] != mode) c.level++;
    for (uint32_t from = 0; from < rank; from += c.width) {
        c.width = rank - from < MOST_COLUMNS ? rank - from : MOST_COLUMNS;
        c.out = out + from;
        for (uint32_t level = 0; level < tensor->n_modes; level++)
            if (level != c.level) c.factor[level] = factor[x->mode[level]] + from;
        add_csf_terms(tensor->n_modes, x, task, &c);
    }
}
