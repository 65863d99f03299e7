/* algebra.c - operations on one tensor, cell by cell: copies of views, as counts or of chosen
 * indices, functions of values, masks; and comparisons of two tensors of one size. */
#include "base/internal.h"
#include "tensor/sparse.h"

/* ---- Functions of values --------------------------------------------------------------------- */

trib_status trib_sparse_map(trib_sparse *z, const trib_view *x,
                            double (*f)(double value, void *context), void *context,
                            trib_error *error) {
    trib_status status = trib_sparse_init(z, x->n_modes, x->dim, trib_view_nnz(x), error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);)
        status = trib_sparse_raise(z, c.index, f(c.value, context), error);
    return trib_sparse_end(z, status, error);
}

static double times(double value, void *factor) { return *(double *)factor * value; }

trib_status trib_sparse_scale(trib_sparse *z, double a, const trib_view *x, trib_error *error) {
    return trib_sparse_map(z, x, times, &a, error);
}

trib_status trib_sparse_copy(trib_sparse *z, const trib_view *x, trib_error *error) {
    return trib_sparse_scale(z, 1, x, error);
}

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

trib_status trib_sparse_counts(trib_hacoo *z, const trib_view *x, trib_error *error) {
    char text[TRIB_NUMBER_MAX];
    trib_status status = trib_hacoo_init(
        z, x->n_modes, x->dim, &(trib_hacoo_options){.expected = trib_view_nnz(x)}, error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);)
        if (c.value >= 1 && c.value <= UINT32_MAX && c.value == (double)(uint32_t)c.value)
            status = trib_hacoo_add(z, c.index, (uint32_t)c.value, error);
        else
            status = trib_fail(error, TRIB_INPUT,
                               "%s is not a count: counts are whole numbers from 1 to %u",
                               trib_number(text, c.value), UINT32_MAX);
    if (status != TRIB_OK) trib_hacoo_release(z);
    return status;
}

/* ---- Chosen indices -------------------------------------------------------------------------- */

/* A chosen index and its index in the copy. */
typedef struct choice {
    uint32_t index, to;
} choice;

TRIB_ORDER(by_choice, choice, TRIB_UP(index) ?: TRIB_UP(to));

static trib_status sort_choices(choice **sorted, const uint32_t list[], uint32_t n, uint32_t mode,
                                uint32_t dim, trib_error *error) {
    const trib_status status = TRIB_NEW(sorted, n, "chosen indices", error);
    for (uint32_t i = 0; status == TRIB_OK && i < n; i++) {
        if (list[i] >= dim)
            return trib_fail(error, TRIB_INPUT,
                             "index %u of mode %u, counted from 0, is not below %u", list[i],
                             mode + 1, dim);
        (*sorted)[i] = (choice){list[i], i};
    }
    if (status == TRIB_OK && n > 0) qsort(*sorted, n, sizeof **sorted, by_choice);
    return status;
}

/* The first choice whose index is not below `index`. */
static const choice *first_choice(const choice *sorted, uint32_t n, uint32_t index) {
    while (n > 0) {
        const uint32_t half = n / 2;
        if (sorted[half].index < index) {
            sorted += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return sorted;
}

/* Copies one nonzero to every combination of the new indices of its modes. Those of mode m begin at
 * place[m]. */
static trib_status copy_to_choices(trib_sparse *z, const uint32_t index[],
                                   const choice *const place[], const choice *const end[],
                                   double value, trib_error *error) {
    const uint32_t n_modes = z->place.n_modes;
    const choice *at[TRIB_MAX_MODES];
    uint32_t to[TRIB_MAX_MODES];
    memcpy(at, place, n_modes * sizeof *at);
    for (;;) {
        for (uint32_t m = 0; m < n_modes; m++) to[m] = at[m] ? at[m]->to : index[m];
        const trib_status status = trib_sparse_raise(z, to, value, error);
        if (status != TRIB_OK) return status;
        uint32_t m = n_modes;
        while (m-- > 0) { /* the next combination, the last mode fastest */
            if (at[m] && at[m] + 1 < end[m] && at[m][1].index == index[m]) break;
            at[m] = place[m];
        }
        if (m == UINT32_MAX) return TRIB_OK;
        at[m]++;
    }
}

trib_status trib_sparse_select(trib_sparse *z, const trib_view *x, const uint32_t *const list[],
                               const uint32_t n[], trib_error *error) {
    choice *sorted[TRIB_MAX_MODES] = {0};
    const choice *place[TRIB_MAX_MODES] = {0}, *end[TRIB_MAX_MODES] = {0};
    uint32_t dim[TRIB_MAX_MODES] = {0};
    trib_status status = TRIB_OK;
    *z = (trib_sparse){0};
    for (uint32_t m = 0; m < x->n_modes && status == TRIB_OK; m++) {
        dim[m] = list[m] ? n[m] : x->dim[m];
        if (list[m]) status = sort_choices(&sorted[m], list[m], n[m], m, x->dim[m], error);
        end[m] = sorted[m] ? sorted[m] + n[m] : NULL;
    }
    if (status == TRIB_OK) status = trib_sparse_init(z, x->n_modes, dim, 0, error);
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && trib_view_next(&c);) {
        bool chosen = true;
        for (uint32_t m = 0; m < x->n_modes && chosen; m++) {
            if (!sorted[m]) continue;
            place[m] = first_choice(sorted[m], n[m], c.index[m]);
            chosen = place[m] < end[m] && place[m]->index == c.index[m];
        }
        if (chosen) status = copy_to_choices(z, c.index, place, end, c.value, error);
    }
    for (uint32_t m = 0; m < x->n_modes; m++) trib_free(sorted[m]);
    return trib_sparse_end(z, status, error);
}

/* ---- Nonzeros in order ----------------------------------------------------------------------- */

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
    TRIB_FREED(found_cell *) cell = NULL;
    size_t n = 0;
    trib_status status = TRIB_NEW(&cell, nnz, "nonzeros", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&found->index, &found->index_cap, nnz * n_modes, "indices", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&found->value, &found->value_cap, nnz, "values", error);
    found->n = 0;
    for (trib_cursor c = trib_view_begin(x); status == TRIB_OK && n < nnz && trib_view_next(&c);
         n++) {
        memcpy(cell[n].index, c.index, n_modes * sizeof *c.index);
        cell[n].value = c.value;
    }
    if (status == TRIB_OK && nnz > 0) qsort(cell, nnz, sizeof *cell, by_index);
    for (size_t i = 0; status == TRIB_OK && i < nnz; i++) {
        memcpy(found->index + i * n_modes, cell[i].index, n_modes * sizeof *found->index);
        found->value[i] = cell[i].value;
    }
    if (status == TRIB_OK) found->n = nnz;
    else trib_region_release(found);
    return status;
}

/* ---- Two tensors of one size ----------------------------------------------------------------- */

static trib_status check_alike(const trib_view *x, const trib_view *y, trib_error *error) {
    char of_x[TRIB_SHAPE_MAX], of_y[TRIB_SHAPE_MAX];
    if (trib_view_alike(x, y)) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "two tensors of different sizes, %s and %s",
                     trib_shape_text(of_x, x->n_modes, x->dim),
                     trib_shape_text(of_y, y->n_modes, y->dim));
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
    *inner = 0;
    const trib_status status = check_alike(x, y, error);
    if (status != TRIB_OK) return status;
    order_by_size(&x, &y);
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c);)
        *inner += c.value * trib_view_get(y, c.index);
    return TRIB_OK;
}

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
    *difference = (trib_difference){0};
    if (!trib_view_alike(x, y)) return false;
    for (trib_cursor c = trib_view_begin(x); trib_view_next(&c);)
        note(difference, c.index, x->n_modes, c.value, trib_view_get(y, c.index), tolerance);
    for (trib_cursor c = trib_view_begin(y); trib_view_next(&c);)
        if (trib_view_get(x, c.index) == 0)
            note(difference, c.index, x->n_modes, 0, c.value, tolerance);
    return true;
}

bool trib_view_equal(const trib_view *x, const trib_view *y) {
    trib_difference difference;
    return trib_view_compare(&difference, x, y, 0) && difference.n == 0;
}
