/* algebra_where.c - where values are: indices of nonzeros, masks, and the indices of the largest
 * and smallest values along a mode. */
#include <stdlib.h>
#include <string.h>

#include "tensor/sparse.h"

/* ---- Nonzeros -------------------------------------------------------------------------------- */

typedef struct found_cell {
    uint32_t index[TRIB_MAX_MODES]; /* 0 beyond the last mode */
    double value;
} found_cell;

static int by_index(const void *a, const void *b) {
    const found_cell *x = a, *y = b;
    return trib_index_compare(x->index, y->index, TRIB_MAX_MODES);
}

void trib_region_release(trib_region *found) {
    TRIB_FREE(found->index, found->value);
    *found = (trib_region){0};
}

trib_status trib_view_find(const trib_view *x, trib_region *found, trib_error *error) {
    const size_t nnz = trib_view_nnz(x), n_modes = x->n_modes;
    found_cell *cell = NULL;
    size_t n = 0;
    trib_status status = TRIB_NEW(&cell, nnz, "nonzeros", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&found->index, &found->index_cap, nnz * n_modes, "indices", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&found->value, &found->value_cap, nnz, "values", error);
    found->n = 0;
    for (trib_cursor c = trib_view_begin(x);
         status == TRIB_OK && n < nnz && trib_view_next(&c, cell[n].index, &cell[n].value);)
        n++;
    if (status == TRIB_OK && nnz > 0) qsort(cell, nnz, sizeof *cell, by_index);
    for (size_t i = 0; status == TRIB_OK && i < nnz; i++) {
        memcpy(found->index + i * n_modes, cell[i].index, n_modes * sizeof *found->index);
        found->value[i] = cell[i].value;
    }
    if (status == TRIB_OK) found->n = nnz;
    else trib_region_release(found);
    trib_free(cell);
    return status;
}

/* ---- Masks ----------------------------------------------------------------------------------- */

typedef struct question {
    bool (*holds)(double value, void *context);
    void *context;
} question;

static double answer(double value, void *context) {
    const question *q = context;
    return q->holds(value, q->context);
}

trib_status trib_sparse_mask(trib_sparse *z, const trib_view *x,
                             bool (*holds)(double value, void *context), void *context,
                             trib_error *error) {
    return trib_sparse_map(z, x, answer, &(question){holds, context}, error);
}

/* ---- Places along a mode --------------------------------------------------------------------- */

/* Removes mode `mode` from an index, or inserts it again with index `at`. */
static void take_out(uint32_t n_modes, uint32_t mode, const uint32_t index[], uint32_t kept[]) {
    for (uint32_t m = 0, k = 0; m < n_modes; m++)
        if (m != mode) kept[k++] = index[m];
}

static void put_back(uint32_t n_modes, uint32_t mode, const uint32_t kept[], uint32_t at,
                     uint32_t index[]) {
    for (uint32_t m = 0, k = 0; m < n_modes; m++) index[m] = m == mode ? at : kept[k++];
}

/* All values of fiber e are below zero (times `sign`), but it also has a cell of 0, which is
 * larger: the first such cell is the result. */
static void look_for_zero(trib_sparse *z, size_t e, const trib_view *x, uint32_t mode) {
    uint32_t index[TRIB_MAX_MODES], kept[TRIB_MAX_MODES];
    trib_hacoo_entry(&z->place, e, kept);
    for (uint32_t i = 0; i < x->dim[mode]; i++) {
        put_back(x->n_modes, mode, kept, i, index);
        if (trib_view_get(x, index) != 0) continue;
        z->value[e] = i + 1.0;
        return;
    }
}

/* For every fiber the index, from 1, of its largest value times `sign`. */
static trib_status places(trib_sparse *z, const trib_view *x, uint32_t mode, double sign,
                          trib_error *error) {
    uint32_t index[TRIB_MAX_MODES], kept[TRIB_MAX_MODES];
    double value, *best = NULL;
    size_t e = 0, cap = 0;
    take_out(x->n_modes, mode, x->dim, kept);
    trib_status status = trib_sparse_init(z, x->n_modes - 1, kept, 0, error);
    for (trib_cursor c = trib_view_begin(x);
         status == TRIB_OK && trib_view_next(&c, index, &value);) {
        const double at = index[mode] + 1.0, height = sign * value;
        take_out(x->n_modes, mode, index, kept);
        status = trib_sparse_place(z, kept, &e, error);
        if (status == TRIB_OK) status = TRIB_GROW(&best, &cap, z->place.nnz, "values", error);
        if (status != TRIB_OK) break;
        const bool first = trib_hacoo_count(&z->place, e) == 1;
        if (!first && (height < best[e] || (height == best[e] && at > z->value[e]))) continue;
        best[e] = height;
        z->value[e] = at;
    }
    for (e = 0; status == TRIB_OK && e < z->place.nnz; e++)
        if (best[e] < 0 && trib_hacoo_count(&z->place, e) < x->dim[mode])
            look_for_zero(z, e, x, mode);
    trib_free(best);
    return trib_sparse_end(z, status, error);
}

trib_status trib_sparse_argmax(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error) {
    return places(z, x, mode, 1, error);
}

trib_status trib_sparse_argmin(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error) {
    return places(z, x, mode, -1, error);
}

trib_status trib_view_argsum(const trib_view *x, uint32_t mode, uint32_t *index,
                             trib_error *error) {
    const uint32_t others = ((UINT32_C(1) << x->n_modes) - 1) & ~(UINT32_C(1) << mode);
    trib_sparse sums;
    const trib_status status =
        trib_sparse_collapse(&sums, x, others, trib_reduction_find("sum"), error);
    if (status != TRIB_OK) return status;
    const trib_view view = trib_view_reals(&sums);
    trib_view_max(&view, index);
    trib_sparse_release(&sums);
    return TRIB_OK;
}
