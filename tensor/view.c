/* view.c - views: a list of axes over the modes of a table, through which the table is read and
 * written.
 *
 *     parent modes      0        1           2              the view's modes
 *     axes            point   interval     new   all        (interval, new, all) = 0 1 2
 *
 * Axes applied to a list of axes give a list of axes again, so a view of a view costs nothing more
 * ([N] algorithms 1 to 3 keep offsets, flags and hidden dimensions for the same purpose). */

#include "tensor/algebra.h"

trib_axis trib_all(void) { return (trib_axis){.kind = TRIB_AXIS_ALL}; }
trib_axis trib_point(uint32_t index) { return (trib_axis){TRIB_AXIS_POINT, index, 1}; }
trib_axis trib_interval(uint32_t start, uint32_t length) {
    return (trib_axis){TRIB_AXIS_INTERVAL, start, length};
}
trib_axis trib_new_axis(void) { return (trib_axis){TRIB_AXIS_NEW, 0, 1}; }

trib_view trib_view_counts(trib_hacoo *parent) {
    trib_view view = {.parent = parent, .n_axes = parent->n_modes, .n_modes = parent->n_modes};
    for (uint32_t m = 0; m < parent->n_modes; m++) {
        view.axis[m] = (trib_axis){TRIB_AXIS_ALL, 0, parent->dim[m]};
        view.dim[m] = parent->dim[m];
    }
    return view;
}

trib_view trib_view_reals(trib_sparse *parent) {
    trib_view view = trib_view_counts(&parent->place);
    view.real = parent;
    return view;
}

/* ---- Views of views -------------------------------------------------------------------------- */

/* `take` applied to `axis`, which is not a point. */
static trib_axis compose(trib_axis axis, trib_axis take) {
    if (take.kind == TRIB_AXIS_ALL) return axis;
    if (axis.kind == TRIB_AXIS_NEW) return take.kind == TRIB_AXIS_POINT ? take : axis;
    return (trib_axis){take.kind, axis.start + take.start, take.length};
}

static trib_status check_axis(const trib_view *of, uint32_t mode, trib_axis axis,
                              trib_error *error) {
    if (mode >= of->n_modes)
        return trib_fail(error, TRIB_INPUT, "a choice for mode %u of a tensor with %u modes",
                         mode + 1, of->n_modes);
    const uint32_t size = of->dim[mode];
    if (axis.kind == TRIB_AXIS_POINT && axis.start >= size)
        return trib_fail(error, TRIB_INPUT, "index %u of mode %u, counted from 0, is not below %u",
                         axis.start, mode + 1, size);
    if (axis.kind == TRIB_AXIS_INTERVAL &&
        (axis.length == 0 || axis.start >= size || axis.length > size - axis.start))
        return trib_fail(error, TRIB_INPUT,
                         "%u indices from %u on, counted from 0, are not an interval of mode %u, "
                         "whose size is %u",
                         axis.length, axis.start, mode + 1, size);
    return TRIB_OK;
}

/* Appends an axis. A point on a new axis removes that axis. */
static trib_status append(trib_view *view, trib_axis axis, trib_error *error) {
    if (view->n_axes == TRIB_MAX_AXES ||
        (axis.kind != TRIB_AXIS_POINT && view->n_modes == TRIB_MAX_MODES))
        return trib_fail(error, TRIB_INPUT, "a view of more than %d modes", TRIB_MAX_MODES);
    view->axis[view->n_axes++] = axis;
    if (axis.kind != TRIB_AXIS_POINT) view->dim[view->n_modes++] = axis.length;
    return TRIB_OK;
}

trib_status trib_view_take(trib_view *view, const trib_view *of, uint32_t n, const trib_axis axis[],
                           trib_error *error) {
    trib_view taken = {.parent = of->parent, .real = of->real};
    /* The next mode of `of`, the next of its axes, and the next of axis[]. */
    uint32_t mode = 0, at = 0, i = 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && (i < n || at < of->n_axes)) {
        const bool is_point = at < of->n_axes && of->axis[at].kind == TRIB_AXIS_POINT;
        if (is_point) {
            status = append(&taken, of->axis[at++], error);
        } else if (i < n && axis[i].kind == TRIB_AXIS_NEW) {
            status = append(&taken, trib_new_axis(), error);
            i++;
        } else {
            const trib_axis take = i < n ? axis[i++] : trib_all();
            status = check_axis(of, mode++, take, error);
            if (status != TRIB_OK) break;
            const trib_axis old = of->axis[at++], new = compose(old, take);
            const bool vanishes = old.kind == TRIB_AXIS_NEW && new.kind == TRIB_AXIS_POINT;
            if (!vanishes) status = append(&taken, new, error);
        }
    }
    if (status == TRIB_OK) *view = taken;
    return status;
}

/* Fixes the index of one mode or, with `others`, those of all modes but this one. */
static trib_status fix(trib_view *view, const trib_view *of, uint32_t mode, const uint32_t index[],
                       bool others, trib_error *error) {
    trib_axis axis[TRIB_MAX_MODES];
    if (mode >= of->n_modes)
        return trib_fail(error, TRIB_INPUT, "mode %u of a tensor with %u modes", mode + 1,
                         of->n_modes);
    for (uint32_t m = 0; m < of->n_modes; m++)
        axis[m] = (m == mode) == others ? trib_all() : trib_point(others ? index[m] : *index);
    return trib_view_take(view, of, of->n_modes, axis, error);
}

trib_status trib_view_slice(trib_view *view, const trib_view *of, uint32_t mode, uint32_t index,
                            trib_error *error) {
    return fix(view, of, mode, &index, false, error);
}

trib_status trib_view_fiber(trib_view *view, const trib_view *of, uint32_t mode,
                            const uint32_t index[], trib_error *error) {
    return fix(view, of, mode, index, true, error);
}

void trib_view_squeeze(trib_view *view, const trib_view *of) {
    trib_axis axis[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < of->n_modes; m++)
        axis[m] = of->dim[m] == 1 ? trib_point(0) : trib_all();
    (void)trib_view_take(view, of, of->n_modes, axis,
                         NULL); /* cannot fail: it only removes modes */
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* The parent's index for an index of the view; false when it is out of range. */
static bool to_parent(const trib_view *view, const uint32_t index[], uint32_t *parent) {
    bool inside = true;
    for (uint32_t a = 0; a < view->n_axes; a++) {
        const trib_axis *axis = &view->axis[a];
        uint32_t i = 0;
        if (axis->kind != TRIB_AXIS_POINT) {
            i = *index++;
            inside &= i < axis->length;
        }
        if (axis->kind != TRIB_AXIS_NEW) *parent++ = axis->start + i;
    }
    return inside;
}

/* The view's index for an index of the parent; false when it is not in the view. */
static bool to_view(const trib_view *view, const uint32_t parent[], uint32_t *index) {
    bool inside = true;
    for (uint32_t a = 0; a < view->n_axes; a++) {
        const trib_axis *axis = &view->axis[a];
        uint32_t i = 0;
        if (axis->kind != TRIB_AXIS_NEW) {
            i = *parent++ - axis->start; /* below start: wraps to a large number */
            inside &= i < axis->length;
        }
        if (axis->kind != TRIB_AXIS_POINT) *index++ = i;
    }
    return inside;
}

static double value_of(const trib_view *view, size_t e) {
    return view->real ? view->real->value[e] : trib_hacoo_count(view->parent, e);
}

double trib_view_get(const trib_view *view, const uint32_t index[]) {
    uint32_t at[TRIB_MAX_MODES];
    if (!to_parent(view, index, at)) return 0;
    const size_t e = trib_hacoo_find(view->parent, at);
    return e == TRIB_NO_ENTRY ? 0 : value_of(view, e);
}

static trib_status outside(const trib_view *view, const uint32_t index[], trib_error *error) {
    uint32_t m = 0;
    while (m + 1 < view->n_modes && index[m] < view->dim[m]) m++;
    return trib_fail(error, TRIB_INPUT, "index %u of mode %u, counted from 0, is not below %u",
                     index[m], m + 1, view->dim[m]);
}

static trib_status set_real(trib_sparse *x, const uint32_t at[], double value, trib_error *error) {
    size_t e = 0;
    if (value != 0) {
        const trib_status status = trib_sparse_place(x, at, &e, error);
        if (status == TRIB_OK) x->value[e] = value;
        return status;
    }
    e = trib_hacoo_find(&x->place, at);
    if (e == TRIB_NO_ENTRY) return TRIB_OK;
    trib_hacoo_remove(&x->place, at); /* the last entry takes its number */
    x->value[e] = x->value[x->place.nnz];
    return TRIB_OK;
}

trib_status trib_view_set(const trib_view *view, const uint32_t index[], double value,
                          trib_error *error) {
    char text[TRIB_NUMBER_MAX];
    uint32_t at[TRIB_MAX_MODES];
    if (!to_parent(view, index, at)) return outside(view, index, error);
    if (!isfinite(value))
        return trib_fail(error, TRIB_INPUT, "%s is not a valid value", trib_number(text, value));
    if (view->real) return set_real(view->real, at, value, error);
    if (!(value >= 0 && value <= UINT32_MAX) || value != floor(value))
        return trib_fail(error, TRIB_INPUT,
                         "%s is not a count: counts are whole numbers from 0 to %u",
                         trib_number(text, value), UINT32_MAX);
    return trib_hacoo_set(view->parent, at, (uint32_t)value, error);
}

trib_status trib_view_add(const trib_view *view, const uint32_t index[], double value,
                          trib_error *error) {
    return trib_view_set(view, index, trib_view_get(view, index) + value, error);
}

/* ---- All nonzeros ---------------------------------------------------------------------------- */

/* The number of cells of the view, but at most `most`. */
static size_t cells_up_to(const trib_view *view, size_t most) {
    size_t n = 1;
    for (uint32_t m = 0; m < view->n_modes; m++)
        if (!trib_multiply(n, view->dim[m], &n) || n >= most) return most;
    return n < most ? n : most;
}

trib_cursor trib_view_begin(const trib_view *view) {
    const size_t nnz = view->parent->nnz, n_cells = cells_up_to(view, nnz);
    return (trib_cursor){.view = view, .n_cells = n_cells < nnz ? n_cells : 0};
}

/* The index of a cell from its row-major number. */
static void cell_index(const trib_view *view, size_t cell, uint32_t index[]) {
    for (uint32_t m = view->n_modes; m-- > 0;) {
        index[m] = (uint32_t)(cell % view->dim[m]);
        cell /= view->dim[m];
    }
}

bool trib_view_next(trib_cursor *c) {
    const trib_view *view = c->view;
    uint32_t at[TRIB_MAX_MODES];
    while (c->next < c->n_cells) {
        cell_index(view, c->next++, c->index);
        c->value = trib_view_get(view, c->index);
        if (c->value != 0) return true;
    }
    while (c->n_cells == 0 && c->next < view->parent->nnz) {
        const size_t e = c->next++;
        trib_hacoo_entry(view->parent, e, at);
        if (!to_view(view, at, c->index)) continue;
        c->value = value_of(view, e);
        if (c->value != 0) return true;
    }
    return false;
}

size_t trib_view_nnz(const trib_view *view) {
    size_t n = 0;
    for (trib_cursor c = trib_view_begin(view); trib_view_next(&c);) n++;
    return n;
}
