/* algebra.c - operations on one tensor, cell by cell, and comparisons of two tensors of one
 * size. */
#include "tensor/sparse.h"

#include <math.h>
#include <string.h>

/* ---- Results as sparse as the operands ------------------------------------------------------- */

static trib_status check_alike(const trib_view *x, const trib_view *y, trib_error *error) {
    char of_x[TRIB_SHAPE_MAX], of_y[TRIB_SHAPE_MAX];
    if (trib_view_alike(x, y)) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "two tensors of different sizes, %s and %s",
                     trib_shape_text(of_x, x->n_modes, x->dim),
                     trib_shape_text(of_y, y->n_modes, y->dim));
}

/* z += a x */
static trib_status accumulate(trib_sparse *z, double a, const trib_view *x, trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    double value;
    trib_status status = TRIB_OK;
    for (trib_cursor c = trib_view_begin(x);
         status == TRIB_OK && trib_view_next(&c, index, &value);)
        status = trib_sparse_raise(z, index, a * value, error);
    return status;
}

trib_status trib_sparse_scale(trib_sparse *z, double a, const trib_view *x, trib_error *error) {
    trib_status status = trib_sparse_init(z, x->n_modes, x->dim, trib_view_nnz(x), error);
    if (status == TRIB_OK) status = accumulate(z, a, x, error);
    return trib_sparse_end(z, status, error);
}

trib_status trib_sparse_map(trib_sparse *z, const trib_view *x,
                            double (*f)(double value, void *context), void *context,
                            trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    double value;
    trib_status status = trib_sparse_init(z, x->n_modes, x->dim, trib_view_nnz(x), error);
    for (trib_cursor c = trib_view_begin(x);
         status == TRIB_OK && trib_view_next(&c, index, &value);)
        status = trib_sparse_raise(z, index, f(value, context), error);
    return trib_sparse_end(z, status, error);
}

/* Swaps the operands so that the iteration is over the one whose parent has fewer entries, with
 * lookups in the other. */
static void order_by_size(const trib_view **x, const trib_view **y) {
    if ((*y)->parent->nnz >= (*x)->parent->nnz) return;
    const trib_view *larger = *x;
    *x = *y;
    *y = larger;
}

trib_status trib_view_inner(double *inner, const trib_view *x, const trib_view *y,
                            trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    double value;
    *inner = 0;
    const trib_status status = check_alike(x, y, error);
    if (status != TRIB_OK) return status;
    order_by_size(&x, &y);
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c, index, &value);)
        *inner += value * trib_view_get(y, index);
    return TRIB_OK;
}

/* ---- One number ------------------------------------------------------------------------------ */

double trib_view_sum(const trib_view *x) { return trib_view_reduce(x, trib_reduction_find("sum")); }

double trib_view_norm(const trib_view *x) {
    uint32_t index[TRIB_MAX_MODES];
    double value, squares = 0;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c, index, &value);)
        squares += value * value;
    return sqrt(squares);
}

/* The first cell without a nonzero, in lexicographic order; false when there is none. */
static bool first_zero(const trib_view *x, uint32_t index[]) {
    memset(index, 0, x->n_modes * sizeof *index);
    while (trib_view_get(x, index) != 0) {
        uint32_t m = x->n_modes;
        while (m > 0 && ++index[m - 1] == x->dim[m - 1]) index[--m] = 0;
        if (m == 0) return false;
    }
    return true;
}

double trib_view_max(const trib_view *x, uint32_t index[]) {
    uint32_t at[TRIB_MAX_MODES];
    double value, most = -INFINITY;
    bool found = false;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c, at, &value);) {
        if (value < most || isnan(value)) continue;
        if (found && value == most && trib_index_compare(at, index, x->n_modes) > 0) continue;
        found = true;
        most = value;
        memcpy(index, at, x->n_modes * sizeof *at);
    }
    if (found && most > 0) return most;
    return first_zero(x, at) ? (memcpy(index, at, x->n_modes * sizeof *at), 0) : most;
}

/* ---- Comparison ------------------------------------------------------------------------------ */

static void note(trib_difference *difference, const uint32_t index[], uint32_t n_modes, double x,
                 double y, double tolerance) {
    const double distance = fabs(x - y);
    if (distance > difference->largest) difference->largest = distance;
    if (distance <= tolerance || x == y) return;
    if (difference->n++ > 0 && trib_index_compare(index, difference->index, n_modes) > 0) return;
    memcpy(difference->index, index, n_modes * sizeof *index);
    difference->x = x;
    difference->y = y;
}

bool trib_view_compare(trib_difference *difference, const trib_view *x, const trib_view *y,
                       double tolerance) {
    uint32_t index[TRIB_MAX_MODES];
    double value;
    *difference = (trib_difference){0};
    if (!trib_view_alike(x, y)) return false;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c, index, &value);)
        note(difference, index, x->n_modes, value, trib_view_get(y, index), tolerance);
    for (trib_cursor c = trib_view_begin(y); trib_view_next(&c, index, &value);)
        if (trib_view_get(x, index) == 0) note(difference, index, x->n_modes, 0, value, tolerance);
    return true;
}

bool trib_view_equal(const trib_view *x, const trib_view *y) {
    trib_difference difference;
    return trib_view_compare(&difference, x, y, 0) && difference.n == 0;
}
