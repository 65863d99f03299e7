/* broadcast.c - operations on two tensors, element by element. Views of different shapes are
 * broadcast to a common shape, as in [N] section 3.2 and in numpy, without a copy. */
#include "base/internal.h"
#include "tensor/sparse.h"

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* A view in a larger shape. Its modes are matched with the last modes of the shape. Modes that the
 * view lacks, and modes in which it has length 1, are repeated along the shape. */
typedef struct broadcast {
    const trib_view *view;
    uint32_t n_modes, dim[TRIB_MAX_MODES]; /* the shape */
    uint32_t n_missing;                    /* leading modes of the shape that the view lacks */
    bool repeats[TRIB_MAX_MODES];          /* modes along which the view is repeated */
    double n_copies;                       /* of every nonzero: the product of their lengths */
} broadcast;

/* The length of `view` in mode m of the shape; 1 where the view has no such mode. */
static uint32_t length_of(const trib_view *view, uint32_t n_modes, uint32_t m) {
    const uint32_t n_missing = n_modes - view->n_modes;
    return m < n_missing ? 1 : view->dim[m - n_missing];
}

static void init_broadcast(broadcast *s, const trib_view *view, uint32_t n_modes,
                           const uint32_t dim[]) {
    *s = (broadcast){.view = view, .n_modes = n_modes, .n_copies = 1};
    s->n_missing = n_modes - view->n_modes;
    for (uint32_t m = 0; m < n_modes; m++) {
        s->dim[m] = dim[m];
        s->repeats[m] = m < s->n_missing || (view->dim[m - s->n_missing] == 1 && dim[m] > 1);
        if (s->repeats[m]) s->n_copies *= dim[m];
    }
}

/* Brings x and y to the smallest shape to which both can be broadcast. TRIB_INPUT, with both
 * shapes, when there is none. */
static trib_status broadcast_both(broadcast *at_x, broadcast *at_y, const trib_view *x,
                                  const trib_view *y, trib_error *error) {
    char of_x[TRIB_SHAPE_MAX], of_y[TRIB_SHAPE_MAX];
    const uint32_t n_modes = x->n_modes > y->n_modes ? x->n_modes : y->n_modes;
    uint32_t dim[TRIB_MAX_MODES] = {0};
    for (uint32_t m = 0; m < n_modes; m++) {
        const uint32_t a = length_of(x, n_modes, m), b = length_of(y, n_modes, m);
        if (a != b && a != 1 && b != 1)
            return trib_fail(error, TRIB_INPUT,
                             "two tensors of different sizes, %s and %s: counted from the last, "
                             "modes must have the same length or one of them length 1",
                             trib_shape_text(of_x, x->n_modes, x->dim),
                             trib_shape_text(of_y, y->n_modes, y->dim));
        dim[m] = a == 1 ? b : a;
    }
    init_broadcast(at_x, x, n_modes, dim);
    init_broadcast(at_y, y, n_modes, dim);
    return TRIB_OK;
}

/* Brings x to the shape of `to`. TRIB_INPUT, with both shapes, when x does not fit. */
static trib_status broadcast_to(broadcast *at_x, const trib_view *x, const trib_view *to,
                                trib_error *error) {
    char of_x[TRIB_SHAPE_MAX], of_to[TRIB_SHAPE_MAX];
    bool fits = x->n_modes <= to->n_modes;
    for (uint32_t m = 0; m < to->n_modes && fits; m++) {
        const uint32_t length = length_of(x, to->n_modes, m);
        fits = length == 1 || length == to->dim[m];
    }
    if (!fits)
        return trib_fail(error, TRIB_INPUT, "a tensor of size %s cannot be broadcast to %s",
                         trib_shape_text(of_x, x->n_modes, x->dim),
                         trib_shape_text(of_to, to->n_modes, to->dim));
    init_broadcast(at_x, x, to->n_modes, to->dim);
    return TRIB_OK;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static double broadcast_get(const broadcast *x, const uint32_t index[]) {
    uint32_t at[TRIB_MAX_MODES];
    for (uint32_t m = x->n_missing; m < x->n_modes; m++)
        at[m - x->n_missing] = x->repeats[m] ? 0 : index[m];
    return trib_view_get(x->view, at);
}

/* Iterates over the nonzeros as trib_view_next does, and over the copies of each in lexicographic
 * order. */
typedef struct broadcast_cursor {
    const broadcast *broadcast;
    trib_cursor cursor;
    bool is_within;                /* the current nonzero has more copies */
    uint32_t next[TRIB_MAX_MODES]; /* the next copy */
} broadcast_cursor;

static broadcast_cursor broadcast_begin(const broadcast *x) {
    return (broadcast_cursor){.broadcast = x, .cursor = trib_view_begin(x->view)};
}

static bool broadcast_next(broadcast_cursor *c, uint32_t index[], double *value) {
    const broadcast *x = c->broadcast;
    if (!c->is_within) {
        if (!trib_view_next(&c->cursor)) return false;
        memset(c->next, 0, sizeof c->next);
        memcpy(c->next + x->n_missing, c->cursor.index, x->view->n_modes * sizeof *c->next);
    }
    memcpy(index, c->next, x->n_modes * sizeof *index);
    *value = c->cursor.value;
    for (uint32_t m = x->n_modes; m-- > 0;) { /* the next copy, the last mode fastest */
        if (!x->repeats[m]) continue;
        if (++c->next[m] < x->dim[m]) break;
        c->next[m] = 0;
    }
    c->is_within = false;
    for (uint32_t k = 0; k < x->n_modes; k++) c->is_within |= x->repeats[k] && c->next[k] != 0;
    return true;
}

/* ---- Pairs of values ------------------------------------------------------------------------- */

static double add(double x, double y) { return x + y; }
static double subtract(double x, double y) { return x - y; }
static double multiply(double x, double y) { return x * y; }
static double larger(double x, double y) { return x > y ? x : y; }
static double smaller(double x, double y) { return x < y ? x : y; }
static double is_greater(double x, double y) { return x > y; }
static double is_less(double x, double y) { return x < y; }
static double differs(double x, double y) { return x != y; }
static double both(double x, double y) { return x != 0 && y != 0; }
static double either(double x, double y) { return x != 0 || y != 0; }
static double one_of(double x, double y) { return (x != 0) != (y != 0); }
static double inside(double x, double y) { return y != 0 ? x : 0; }
static double outside(double x, double y) { return y != 0 ? 0 : x; }

const trib_pairing trib_pairings[] = {
    {"add", "the sum", add, false},
    {"subtract", "the difference", subtract, false},
    {"times", "the product", multiply, true},
    {"max", "the larger", larger, false},
    {"min", "the smaller", smaller, false},
    {"greater", "1 where the first is greater", is_greater, false},
    {"less", "1 where the first is less", is_less, false},
    {"differs", "1 where they differ", differs, false},
    {"and", "1 where neither is 0", both, true},
    {"or", "1 where one of them is not 0", either, false},
    {"xor", "1 where just one of them is not 0", one_of, false},
    {"inside", "the first, where the second is not 0", inside, true},
    {"outside", "the first, where the second is 0", outside, false},
    {0}};

TRIB_FIND(trib_pairing_find, trib_pairing, trib_pairings);

/* Whether all copies fit in one table. */
static trib_status check_copies(const broadcast *x, trib_error *error) {
    char from[TRIB_SHAPE_MAX], to[TRIB_SHAPE_MAX];
    if (x->n_copies == 1 || x->n_copies * (double)trib_view_nnz(x->view) < UINT32_MAX)
        return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "%s broadcast to %s has more than %u nonzeros",
                     trib_shape_text(from, x->view->n_modes, x->view->dim),
                     trib_shape_text(to, x->n_modes, x->dim), UINT32_MAX);
}

/* z += a x */
static trib_status accumulate(trib_sparse *z, double a, const broadcast *x, trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    double value;
    trib_status status = check_copies(x, error);
    for (broadcast_cursor c = broadcast_begin(x);
         status == TRIB_OK && broadcast_next(&c, index, &value);)
        status = trib_sparse_raise(z, index, a * value, error);
    return status;
}

trib_status trib_sparse_plus(trib_sparse *z, double a, const trib_view *x, double b,
                             const trib_view *y, trib_error *error) {
    broadcast at_x, at_y;
    *z = (trib_sparse){0};
    trib_status status = broadcast_both(&at_x, &at_y, x, y, error);
    if (status == TRIB_OK)
        status = trib_sparse_init(z, at_x.n_modes, at_x.dim, trib_view_nnz(x), error);
    if (status == TRIB_OK) status = accumulate(z, a, &at_x, error);
    if (status == TRIB_OK) status = accumulate(z, b, &at_y, error);
    return trib_sparse_end(z, status, error);
}

/* An iteration over the nonzeros of one operand, with lookups in the other. */
typedef struct walk {
    const broadcast *along, *other;
    bool swapped;   /* `other` is the first of the pair */
    bool only_left; /* skip the nonzeros of `other`, which another iteration covers */
} walk;

static trib_status pair_along(trib_sparse *z, const walk *w, const trib_pairing *by,
                              trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    double value;
    trib_status status = check_copies(w->along, error);
    for (broadcast_cursor c = broadcast_begin(w->along);
         status == TRIB_OK && broadcast_next(&c, index, &value);) {
        const double there = broadcast_get(w->other, index);
        if (w->only_left && there != 0) continue;
        const double result = w->swapped ? by->of(there, value) : by->of(value, there);
        if (result != 0) status = trib_sparse_raise(z, index, result, error);
    }
    return status;
}

trib_status trib_sparse_pair(trib_sparse *z, const trib_view *x, const trib_view *y,
                             const trib_pairing *by, trib_error *error) {
    broadcast at_x, at_y;
    *z = (trib_sparse){0};
    trib_status status = broadcast_both(&at_x, &at_y, x, y, error);
    if (status != TRIB_OK) return status;
    const walk through_x = {&at_x, &at_y, false, false}, through_y = {&at_y, &at_x, true, false};
    const walk rest = {&at_y, &at_x, true, true};
    const bool y_is_less =
        at_y.n_copies * (double)y->parent->nnz < at_x.n_copies * (double)x->parent->nnz;
    status = trib_sparse_init(z, at_x.n_modes, at_x.dim, 0, error);
    if (status == TRIB_OK)
        status = pair_along(z, by->within && y_is_less ? &through_y : &through_x, by, error);
    if (status == TRIB_OK && !by->within) status = pair_along(z, &rest, by, error);
    return trib_sparse_end(z, status, error);
}

trib_status trib_sparse_times(trib_sparse *z, const trib_view *x, const trib_view *y,
                              trib_error *error) {
    return trib_sparse_pair(z, x, y, trib_pairing_find("times"), error);
}

trib_status trib_view_fill(const trib_view *x, const trib_view *mask, double value,
                           trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    double bit;
    broadcast at_mask;
    trib_status status = broadcast_to(&at_mask, mask, x, error);
    if (status == TRIB_OK && value != 0) status = check_copies(&at_mask, error);
    if (status != TRIB_OK) return status;
    for (broadcast_cursor c = broadcast_begin(&at_mask);
         status == TRIB_OK && broadcast_next(&c, index, &bit);)
        status = trib_view_set(x, index, value, error);
    return status;
}
