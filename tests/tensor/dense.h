/* dense.h - small tensors beside plain arrays of their cells, row-major: the oracle of views and
 * algebra. */
#ifndef TRIBUTARY_TESTS_TENSOR_DENSE_H
#define TRIBUTARY_TESTS_TENSOR_DENSE_H

#include "tensor/tensor.h"
#include "tests/tensor/drawn.h"

enum { DENSE_CELLS = 2048 };

/* An array of cells. */
typedef struct dense {
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    size_t n;
    double cell[DENSE_CELLS];
} dense;

static inline void dense_shape(dense *x, uint32_t n_modes, const uint32_t dim[]) {
    x->n_modes = n_modes;
    x->n = 1;
    for (uint32_t m = 0; m < n_modes; m++) {
        x->dim[m] = dim[m];
        x->n *= dim[m];
    }
    CHECK(x->n <= DENSE_CELLS);
    memset(x->cell, 0, sizeof x->cell);
}

static inline void dense_index(const dense *x, size_t cell, uint32_t index[]) {
    for (uint32_t m = x->n_modes; m-- > 0;) {
        index[m] = (uint32_t)(cell % x->dim[m]);
        cell /= x->dim[m];
    }
}

static inline size_t dense_cell(const dense *x, const uint32_t index[]) {
    size_t cell = 0;
    for (uint32_t m = 0; m < x->n_modes; m++) cell = cell * x->dim[m] + index[m];
    return cell;
}

/* A view holds exactly the cells, by lookup and by iteration. */
static inline void expect_dense(const trib_view *view, const dense *wanted, double tolerance) {
    uint32_t index[TRIB_MAX_MODES] = {0};
    size_t nnz = 0, n_seen = 0;
    EXPECT(view->n_modes == wanted->n_modes);
    EXPECT(memcmp(view->dim, wanted->dim, view->n_modes * sizeof *view->dim) == 0);
    if (view->n_modes != wanted->n_modes) return;
    for (size_t c = 0; c < wanted->n; c++) {
        dense_index(wanted, c, index);
        EXPECT_NEAR(trib_view_get(view, index), wanted->cell[c], tolerance);
        nnz += trib_view_get(view, index) != 0;
    }
    for (trib_cursor c = trib_view_begin(view); trib_view_next(&c); n_seen++) {
        EXPECT(c.value != 0);
        EXPECT_NEAR(c.value, wanted->cell[dense_cell(wanted, c.index)], tolerance);
    }
    EXPECT(n_seen == nnz && trib_view_nnz(view) == nnz);
}

/* The tensor of real values is that, and holds no zeros. */
static inline void expect_sparse(trib_sparse *x, const dense *wanted, double tolerance) {
    const trib_view view = trib_view_reals(x);
    expect_dense(&view, wanted, tolerance);
    EXPECT(trib_view_nnz(&view) == x->place.nnz);
}

/* About every third cell, small whole numbers: counts, or with signs. */
static inline void dense_random(dense *x, uint64_t seed, bool is_signed) {
    trib_random random;
    trib_random_seed(&random, seed);
    for (size_t c = 0; c < x->n; c++) {
        x->cell[c] = trib_random_below(&random, 3) ? 0 : (double)trib_random_below(&random, 5);
        if (is_signed && trib_random_below(&random, 2)) x->cell[c] = -x->cell[c];
    }
}

static inline void dense_counts(trib_hacoo *table, const dense *x) {
    uint32_t index[TRIB_MAX_MODES];
    *table = empty_tensor(x->n_modes, x->dim);
    for (size_t c = 0; c < x->n; c++) {
        const size_t turned = (c * 7 + 3) % x->n; /* not in the order of the cells */
        dense_index(x, x->n % 7 ? turned : c, index);
        const uint32_t count = (uint32_t)x->cell[x->n % 7 ? turned : c];
        CHECK(trib_hacoo_add(table, index, count, NULL) == TRIB_OK);
    }
}

static inline void dense_reals(trib_sparse *sparse, const dense *x) {
    uint32_t index[TRIB_MAX_MODES];
    CHECK(trib_sparse_init(sparse, x->n_modes, x->dim, 0, NULL) == TRIB_OK);
    for (size_t c = 0; c < x->n; c++) {
        dense_index(x, c, index);
        if (x->cell[c] == 0) continue;
        CHECK(trib_sparse_raise(sparse, index, x->cell[c], NULL) == TRIB_OK);
    }
}

#endif
