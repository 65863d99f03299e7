/* algebra_modes.c - operations along modes: reductions, where the largest values are, products with
 * vectors and matrices, permutation, dense copies. */
#include "base/internal.h"
#include "tensor/sparse.h"

/* ---- Reductions ------------------------------------------------------------------------------ */

static double same(double value) { return value; }
static double one(double value) { return (void)value, 1; }
static double plus(double so_far, double value) { return so_far + value; }
static double larger(double so_far, double value) { return value > so_far ? value : so_far; }
static double smaller(double so_far, double value) { return value < so_far ? value : so_far; }
static double plus_one(double so_far, double value) { return (void)value, so_far + 1; }

const trib_reduction trib_reductions[] = {
    {"sum", "the sum", same, plus, false},
    {"max", "the largest, zeros counted", same, larger, true},
    {"min", "the smallest, zeros counted", same, smaller, true},
    {"count", "the number of nonzeros", one, plus_one, false},
    {0}};

TRIB_FIND(trib_reduction_find, trib_reduction, trib_reductions);

/* Whether the modes in `modes` have more than n cells. */
static bool more_cells(const trib_view *x, uint32_t modes, size_t n) {
    size_t n_cells = 1;
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (modes >> m & 1 && (!trib_multiply(n_cells, x->dim[m], &n_cells) || n_cells > n))
            return true;
    return n_cells > n;
}

double trib_view_reduce(const trib_view *x, const trib_reduction *by) {
    double result = 0;
    size_t n = 0;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c); n++)
        result = n == 0 ? by->first(c.value) : by->join(result, c.value);
    return n > 0 && by->sees_zeros && more_cells(x, UINT32_MAX, n) ? by->join(result, 0) : result;
}

/* Copies from from[] to kept[] the elements (dimensions or indices) of the modes that are not in
 * `modes`. Returns their number. */
static uint32_t keep(const trib_view *x, uint32_t modes, const uint32_t from[], uint32_t kept[]) {
    uint32_t n = 0;
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (!(modes >> m & 1)) kept[n++] = from[m];
    return n;
}

trib_status trib_sparse_collapse(trib_sparse *z, const trib_view *x, uint32_t modes,
                                 const trib_reduction *by, trib_error *error) {
    uint32_t kept[TRIB_MAX_MODES];
    size_t e = 0;
    const uint32_t n_kept = keep(x, modes, x->dim, kept);
    trib_status status = trib_sparse_init(z, n_kept, kept, 0, error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);) {
        keep(x, modes, c.index, kept);
        status = trib_sparse_place(z, kept, &e, error);
        if (status == TRIB_OK)
            z->value[e] = trib_hacoo_count(&z->place, e) == 1 ? by->first(c.value)
                                                              : by->join(z->value[e], c.value);
    }
    if (status == TRIB_OK && by->sees_zeros)
        for (e = 0; e < z->place.nnz; e++)
            if (more_cells(x, modes, trib_hacoo_count(&z->place, e)))
                z->value[e] = by->join(z->value[e], 0);
    return trib_sparse_end(z, status, error);
}

double trib_view_sum(const trib_view *x) { return trib_view_reduce(x, trib_reduction_find("sum")); }

double trib_view_norm(const trib_view *x) {
    double squares = 0;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c);) squares += c.value * c.value;
    return sqrt(squares);
}

double trib_view_norm_of(const trib_view *x, double p) {
    double largest = 0, sum = 0;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c);) {
        largest = fmax(largest, fabs(c.value));
        sum += fabs(c.value);
    }
    if (p == 1 || !(largest > 0)) return sum;
    if (p == 2) return trib_view_norm(x);
    sum = 0;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c);)
        sum += trib_exponential(p * trib_logarithm(fabs(c.value) / largest));
    return isinf(p) ? largest : largest * trib_exponential(trib_logarithm(sum) / p);
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
    double most = -INFINITY;
    bool found = false;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c);) {
        if (c.value < most || isnan(c.value)) continue;
        if (found && c.value == most && trib_index_compare(c.index, index, x->n_modes) > 0)
            continue;
        found = true;
        most = c.value;
        memcpy(index, c.index, x->n_modes * sizeof *index);
    }
    if (found && most > 0) return most;
    return first_zero(x, at) ? (memcpy(index, at, x->n_modes * sizeof *at), 0) : most;
}

/* ---- Places along a mode --------------------------------------------------------------------- */

/* Inserts mode `mode` again, with index `at`. */
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
    uint32_t kept[TRIB_MAX_MODES];
    double *best = NULL;
    size_t e = 0, cap = 0;
    const uint32_t n_kept = keep(x, UINT32_C(1) << mode, x->dim, kept);
    trib_status status = trib_sparse_init(z, n_kept, kept, 0, error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);) {
        const double at = c.index[mode] + 1.0, height = sign * c.value;
        keep(x, UINT32_C(1) << mode, c.index, kept);
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
    TRIB_OWNED(trib_sparse) sums = {0};
    const trib_status status =
        trib_sparse_collapse(&sums, x, others, trib_reduction_find("sum"), error);
    if (status != TRIB_OK) return status;
    const trib_view view = trib_view_reals(&sums);
    trib_view_max(&view, index);
    return TRIB_OK;
}

/* ---- Products -------------------------------------------------------------------------------- */

static uint32_t modes_of(const trib_view *x, const double *const vector[]) {
    uint32_t modes = 0;
    for (uint32_t m = 0; m < x->n_modes; m++) modes |= (uint32_t)(vector[m] != NULL) << m;
    return modes;
}

/* The value times the elements of all vectors at this index. */
static double weigh(const trib_view *x, const double *const vector[], const uint32_t index[],
                    double value) {
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (vector[m]) value *= vector[m][index[m]];
    return value;
}

trib_status trib_sparse_ttv(trib_sparse *z, const trib_view *x, const double *const vector[],
                            trib_error *error) {
    uint32_t kept[TRIB_MAX_MODES];
    const uint32_t modes = modes_of(x, vector), n_kept = keep(x, modes, x->dim, kept);
    trib_status status = trib_sparse_init(z, n_kept, kept, 0, error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);) {
        keep(x, modes, c.index, kept);
        status = trib_sparse_raise(z, kept, weigh(x, vector, c.index, c.value), error);
    }
    return trib_sparse_end(z, status, error);
}

/* The place of a cell in a dense array of the modes that are not in `modes`. Mode `taken` has
 * length n_taken in the array, and the place is that of its index 0. *n_cells receives the size of
 * the array, *stride the stride of mode `taken`. */
static size_t dense_place(const trib_view *x, uint32_t modes, const uint32_t index[],
                          uint32_t taken, uint32_t n_taken, size_t *n_cells, size_t *stride) {
    size_t place = 0, step = 1;
    for (uint32_t m = x->n_modes; m-- > 0;) {
        if (modes >> m & 1) continue;
        if (m == taken) *stride = step;
        else place += index[m] * step;
        step *= m == taken ? n_taken : x->dim[m];
    }
    *n_cells = step;
    return place;
}

void trib_dense_ttv(double *out, const trib_view *x, const double *const vector[]) {
    const uint32_t modes = modes_of(x, vector);
    size_t n_cells = 0, stride = 0;
    trib_cursor c = trib_view_begin(x); /* its index is 0 */
    dense_place(x, modes, c.index, UINT32_MAX, 0, &n_cells, &stride);
    memset(out, 0, n_cells * sizeof *out);
    while (trib_view_next(&c))
        out[dense_place(x, modes, c.index, UINT32_MAX, 0, &n_cells, &stride)] +=
            weigh(x, vector, c.index, c.value);
}

trib_status trib_sparse_ttm(trib_sparse *z, const trib_view *x, uint32_t mode, uint32_t n_rows,
                            const double *matrix, trib_error *error) {
    uint32_t dim[TRIB_MAX_MODES];
    memcpy(dim, x->dim, sizeof dim);
    dim[mode] = n_rows;
    trib_status status = trib_sparse_init(z, x->n_modes, dim, 0, error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);) {
        const double *column = matrix + c.index[mode];
        for (uint32_t i = 0; i < n_rows && status == TRIB_OK; i++) {
            c.index[mode] = i;
            const double term = c.value * column[(size_t)i * x->dim[mode]];
            if (term != 0) status = trib_sparse_raise(z, c.index, term, error);
        }
    }
    return trib_sparse_end(z, status, error);
}

void trib_dense_ttm(double *out, const trib_view *x, uint32_t mode, uint32_t n_rows,
                    const double *matrix) {
    size_t n_cells = 0, stride = 0;
    trib_cursor c = trib_view_begin(x); /* its index is 0 */
    dense_place(x, 0, c.index, mode, n_rows, &n_cells, &stride);
    memset(out, 0, n_cells * sizeof *out);
    while (trib_view_next(&c)) {
        double *fiber = out + dense_place(x, 0, c.index, mode, n_rows, &n_cells, &stride);
        for (uint32_t i = 0; i < n_rows; i++)
            fiber[i * stride] += c.value * matrix[(size_t)i * x->dim[mode] + c.index[mode]];
    }
}

/* ---- Order and shape ------------------------------------------------------------------------- */

trib_status trib_sparse_permute(trib_sparse *z, const trib_view *x, const uint32_t order[],
                                trib_error *error) {
    uint32_t to[TRIB_MAX_MODES], seen = 0;
    *z = (trib_sparse){0};
    for (uint32_t m = 0; m < x->n_modes; m++) {
        if (order[m] >= x->n_modes || seen >> order[m] & 1)
            return trib_fail(error, TRIB_INPUT,
                             "an order of modes must name each of the %u modes once", x->n_modes);
        seen |= UINT32_C(1) << order[m];
        to[m] = x->dim[order[m]];
    }
    trib_status status = trib_sparse_init(z, x->n_modes, to, trib_view_nnz(x), error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);) {
        for (uint32_t m = 0; m < x->n_modes; m++) to[m] = c.index[order[m]];
        status = trib_sparse_raise(z, to, c.value, error);
    }
    return trib_sparse_end(z, status, error);
}

trib_status trib_sparse_unfold(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error) {
    uint64_t n_columns = 1;
    *z = (trib_sparse){0};
    for (uint32_t m = 0; m < x->n_modes; m++) {
        if (m != mode) n_columns *= x->dim[m];
        if (n_columns > UINT32_MAX)
            return trib_fail(error, TRIB_INPUT, "a matrix has at most %u columns", UINT32_MAX);
    }
    trib_status status = trib_sparse_init(z, 2, (uint32_t[]){x->dim[mode], (uint32_t)n_columns},
                                          trib_view_nnz(x), error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);) {
        uint32_t column = 0;
        for (uint32_t m = x->n_modes; m-- > 0;)
            if (m != mode) column = column * x->dim[m] + c.index[m];
        status = trib_sparse_raise(z, (uint32_t[]){c.index[mode], column}, c.value, error);
    }
    return trib_sparse_end(z, status, error);
}

trib_status trib_sparse_outer(trib_sparse *z, const trib_view *x, const trib_view *y,
                              trib_error *error) {
    uint32_t dim[2 * TRIB_MAX_MODES];
    *z = (trib_sparse){0};
    if (x->n_modes + y->n_modes > TRIB_MAX_MODES)
        return trib_fail(error, TRIB_INPUT, "%u and %u modes are more than %d", x->n_modes,
                         y->n_modes, TRIB_MAX_MODES);
    memcpy(dim, x->dim, sizeof x->dim);
    memcpy(dim + x->n_modes, y->dim, sizeof y->dim);
    trib_status status = trib_sparse_init(z, x->n_modes + y->n_modes, dim, 0, error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);)
        for (trib_cursor d = trib_view_begin(y); status == TRIB_OK && trib_view_next(&d);) {
            memcpy(c.index + x->n_modes, d.index, y->n_modes * sizeof *d.index);
            status = trib_sparse_raise(z, c.index, c.value * d.value, error);
        }
    return trib_sparse_end(z, status, error);
}

bool trib_dense_cells(const trib_view *x, size_t *n_cells) {
    *n_cells = 1;
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (!trib_multiply(*n_cells, x->dim[m], n_cells)) return false;
    return true;
}

void trib_dense_copy(double *out, const trib_view *x) {
    const double *const vector[TRIB_MAX_MODES] = {0};
    trib_dense_ttv(out, x, vector);
}
