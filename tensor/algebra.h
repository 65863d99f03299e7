/* algebra.h - sparse tensors of real values, views of parts of a tensor, and the operations on views.
 *
 * A view selects indices of the modes of a tensor and shares its entries; an operation takes views and makes a new
 * trib_sparse or fills a dense array. Uses hacoo.h. Change here what can be computed from tensors before they are
 * decomposed: a new reduction is a row of trib_reductions in algebra_modes.c, a new operation on two values a row of
 * trib_pairings in broadcast.c. Sources: views [N] Loeffel 2017, products [K] Kolda and Bader 2009. */
#ifndef TRIBUTARY_ALGEBRA_H
#define TRIBUTARY_ALGEBRA_H

#include "tensor/hacoo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Views (view.c) ------------------------------------------------------------------------------------------------- */

/* A sparse tensor of real values: what is computed from counts. `{0}` is empty. The table holds the places (its counts
 * say how many terms met there, nothing else), so trib_tensor_build(.., &x.place, x.value, ..) decomposes it. */
typedef struct trib_sparse {
    trib_hacoo place;
    double *value; /* [place.nnz] of each entry, by its number */
    size_t cap;    /* values allocated */
} trib_sparse;

trib_status trib_sparse_init(trib_sparse *x, uint32_t n_modes, const uint32_t dim[],
                             size_t expected, trib_error *error);
void trib_sparse_release(trib_sparse *x);
/* *e is the number of the entry at index[n_modes], of a new one with value 0 when there was none; its count goes up by
 * one. Errors as trib_hacoo_add. */
trib_status trib_sparse_place(trib_sparse *x, const uint32_t index[], size_t *e, trib_error *error);
/* Adds to the value there. */
trib_status trib_sparse_raise(trib_sparse *x, const uint32_t index[], double value,
                              trib_error *error);
/* Takes out the entries whose value is 0; the others keep their order. */
trib_status trib_sparse_prune(trib_sparse *x, trib_error *error);

/* What a view takes of one mode of its parent ([N] section 4.4.2); make one with the four functions below. */
typedef enum {
    TRIB_AXIS_ALL,      /* every index */
    TRIB_AXIS_POINT,    /* one index: the view lacks the mode */
    TRIB_AXIS_INTERVAL, /* `length` indices from `start` on, which become 0 .. length-1 */
    TRIB_AXIS_NEW       /* a mode of length 1 that the parent does not have */
} trib_axis_kind;
typedef struct trib_axis {
    trib_axis_kind kind;
    uint32_t start, length; /* in a view: always set, all is 0 .. dim-1 */
} trib_axis;
trib_axis trib_all(void);
trib_axis trib_point(uint32_t index);
trib_axis trib_interval(uint32_t start, uint32_t length);
trib_axis trib_new_axis(void);

/* A part of a tensor that shares its entries: what is written through it is in the parent, which HaCOO's insertion in
 * constant time makes possible. The view of a view is a view of the parent, so this is all there ever is. Holds nothing
 * to release; the parent must outlive it and may change. Zero modes (all points) are a scalar. */
enum { TRIB_MAX_AXES = 2 * TRIB_MAX_MODES };
typedef struct trib_view {
    trib_hacoo *parent;
    trib_sparse *real; /* whose `place` the parent is; NULL: the values are the parent's counts */
    uint32_t n_axes;   /* the parent's modes in order, and the new ones between them */
    trib_axis axis[TRIB_MAX_AXES];
    uint32_t n_modes; /* of the view: axes that are no point; 0 .. TRIB_MAX_MODES */
    uint32_t dim[TRIB_MAX_MODES];
} trib_view;

/* The whole of a tensor. */
trib_view trib_view_counts(trib_hacoo *parent);
trib_view trib_view_reals(trib_sparse *parent);
/* `view` takes axis[n] of `of` (which it may be): one for each of its modes, in order, with new axes anywhere; modes
 * that are left out at the end are taken whole. TRIB_INPUT, naming the mode, for an index or interval beyond its
 * size, an interval of length 0, too many axes or modes; *view is unchanged then. */
trib_status trib_view_take(trib_view *view, const trib_view *of, uint32_t n, const trib_axis axis[],
                           trib_error *error);
/* One fixed mode: a slice ([K] section 2.1). Every mode fixed but one: a fiber; index[mode] is not read. Errors of both
 * as trib_view_take. */
trib_status trib_view_slice(trib_view *view, const trib_view *of, uint32_t mode, uint32_t index,
                            trib_error *error);
trib_status trib_view_fiber(trib_view *view, const trib_view *of, uint32_t mode,
                            const uint32_t index[], trib_error *error);
/* Without its modes of length 1. */
void trib_view_squeeze(trib_view *view, const trib_view *of);

double trib_view_get(const trib_view *view,
                     const uint32_t index[]); /* 0 when absent or out of range */
/* Sets (0 takes the entry out) or adds to the value in the parent. TRIB_INPUT for an index out of range, a value that
 * is not finite and, where the parent counts, a result that is no whole number from 0 to 2^32-1; TRIB_MEMORY. */
trib_status trib_view_set(const trib_view *view, const uint32_t index[], double value,
                          trib_error *error);
trib_status trib_view_add(const trib_view *view, const uint32_t index[], double value,
                          trib_error *error);

/* Goes through the nonzeros: in the order of the parent's entries or, when the view has fewer cells than the parent has
 * entries, cell by cell in lexicographic order. Nothing may be inserted or removed meanwhile. */
typedef struct trib_cursor {
    const trib_view *view;
    size_t next, n_cells; /* the next entry or, when n_cells > 0, cell */
} trib_cursor;
trib_cursor trib_view_begin(const trib_view *view);
/* Writes index[view->n_modes] and the value; false at the end. Values of 0 are passed over. */
bool trib_view_next(trib_cursor *cursor, uint32_t index[], double *value);
size_t trib_view_nnz(const trib_view *view);

/* ---- Algebra (sparse.c, algebra.c, broadcast.c, algebra_modes.c, algebra_where.c) ----------------------------------- */

/* Operands are views, of counts or of real values; results are a trib_sparse of their own, which the caller releases
 * and which holds no zeros, or a dense array of the caller's, row-major. Every sum is taken in the order of
 * trib_view_next, one thread: the same bits every time. A result may be no operand's parent. On failure it is empty.
 * All: TRIB_MEMORY; TRIB_INPUT when operands differ in size, or the result has no mode or too wide keys. The names are
 * those of the Tensor Toolbox (Bader and Kolda 2007); docs/tensor-algebra.md has the whole list. */

trib_status trib_sparse_copy(trib_sparse *z, const trib_view *x, trib_error *error);
/* The same as counts; TRIB_INPUT for a value that is no whole number from 1 to 2^32-1. */
trib_status trib_sparse_counts(trib_hacoo *z, const trib_view *x, trib_error *error);
/* A copy of the indices list[m][0 .. n[m]-1] of every mode, in that order, repeated ones repeated; list[m] NULL: all.
 * Such a choice has no start and length, so it cannot be a view ([N] section 4.4.2). */
trib_status trib_sparse_select(trib_sparse *z, const trib_view *x, const uint32_t *const list[],
                               const uint32_t n[], trib_error *error);

/* z = a x + b y: plus, minus. z = a x. z = x y, element by element. z = f(x), where f(0) is taken to be 0.
 *
 * The operands of plus, times and pair need not have one size: modes are compared from the last, and a mode of length 1, or one
 * that an operand lacks before its first, is repeated along the other's ([N] section 3.2). TRIB_INPUT names both sizes where that
 * cannot be done. */
trib_status trib_sparse_plus(trib_sparse *z, double a, const trib_view *x, double b,
                             const trib_view *y, trib_error *error);
trib_status trib_sparse_scale(trib_sparse *z, double a, const trib_view *x, trib_error *error);
trib_status trib_sparse_times(trib_sparse *z, const trib_view *x, const trib_view *y,
                              trib_error *error);
trib_status trib_sparse_map(trib_sparse *z, const trib_view *x,
                            double (*f)(double value, void *context), void *context,
                            trib_error *error);

/* What becomes of two values; a row of the table in broadcast.c. Of two zeros: 0. */
typedef struct trib_pairing {
    const char
        *name; /* add | subtract | times | max | min, and masks of 0 and 1: greater | less | ... */
    const char *help;
    double (*of)(double x, double y);
    bool within; /* 0 wherever one of them is 0 */
} trib_pairing;
extern const trib_pairing trib_pairings[]; /* ends with a row whose name is NULL */
const trib_pairing *trib_pairing_find(const char *name);
trib_status trib_sparse_pair(trib_sparse *z, const trib_view *x, const trib_view *y,
                             const trib_pairing *by, trib_error *error);

/* Masks are tensors too: what is not 0 is chosen. The mask of the nonzeros of x for which `holds` is true: 1 there. The cells of
 * x that a mask chooses are those of trib_sparse_pair by `inside`, the others by `outside`. */
trib_status trib_sparse_mask(trib_sparse *z, const trib_view *x,
                             bool (*holds)(double value, void *context), void *context,
                             trib_error *error);
/* Sets the cells of x that the mask, stretched to x's size, chooses. The mask may not be of the same parent. Errors as
 * trib_view_set. */
trib_status trib_view_fill(const trib_view *x, const trib_view *mask, double value,
                           trib_error *error);
/* Nonzeros copied out of a tensor. `{0}` is empty. */
typedef struct trib_region {
    size_t n;
    uint32_t *index; /* [n][n_modes] */
    double *value;   /* [n] */
    size_t index_cap, value_cap;
} trib_region;
void trib_region_release(trib_region *found);
/* Index and value of every nonzero, in lexicographic order. `found` as in trib_tensor_region. */
trib_status trib_view_find(const trib_view *x, trib_region *found, trib_error *error);

/* Mode m of z is mode order[m] of x. */
trib_status trib_sparse_permute(trib_sparse *z, const trib_view *x, const uint32_t order[],
                                trib_error *error);

/* How many values become one; a row of the table in algebra_modes.c. */
typedef struct trib_reduction {
    const char *name; /* sum | max | min | count */
    const char *help;
    double (*first)(double value); /* what the first nonzero begins with */
    double (*join)(double so_far, double value);
    bool sees_zeros; /* cells without an entry count as 0 */
} trib_reduction;
extern const trib_reduction trib_reductions[]; /* ends with a row whose name is NULL */
const trib_reduction *trib_reduction_find(const char *name);

/* The modes whose bit is set in `modes` are reduced away, the others kept in order; at least one must be kept. */
trib_status trib_sparse_collapse(trib_sparse *z, const trib_view *x, uint32_t modes,
                                 const trib_reduction *by, trib_error *error);
/* All modes: one number. */
double trib_view_reduce(const trib_view *x, const trib_reduction *by);
double trib_view_sum(const trib_view *x);
double trib_view_norm(const trib_view *x); /* Frobenius */
trib_status trib_view_inner(double *inner, const trib_view *x, const trib_view *y,
                            trib_error *error);
/* The largest value, over all cells, and the first index in lexicographic order that has it. */
double trib_view_max(const trib_view *x, uint32_t index[]);

/* Where along a mode a fiber has its largest or its smallest value, zeros counted, the first place of several; the mode is
 * reduced away. A value of z is that index counted from 1, so that fibers without a nonzero, which have none, are absent. */
trib_status trib_sparse_argmax(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error);
trib_status trib_sparse_argmin(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error);
/* The index, counted from 0, of the slice along a mode that has the largest sum, the first of several. */
trib_status trib_view_argsum(const trib_view *x, uint32_t mode, uint32_t *index, trib_error *error);

/* Tensor times vector in every mode with vector[m] (dim[m] long) not NULL ([K] section 2.5). Dense: out[product of the
 * other dims], row-major; one number when no mode is left. */
trib_status trib_sparse_ttv(trib_sparse *z, const trib_view *x, const double *const vector[],
                            trib_error *error);
void trib_dense_ttv(double *out, const trib_view *x, const double *const vector[]);
/* Tensor times matrix[n_rows][dim[mode]]: mode `mode` of the result has n_rows indices ([K] section 2.5). Dense: the
 * whole result, row-major. */
trib_status trib_sparse_ttm(trib_sparse *z, const trib_view *x, uint32_t mode, uint32_t n_rows,
                            const double *matrix, trib_error *error);
void trib_dense_ttm(double *out, const trib_view *x, uint32_t mode, uint32_t n_rows,
                    const double *matrix);
/* All cells, row-major; trib_dense_cells says how many doubles that is, false when it does not fit in a size_t. */
void trib_dense_copy(double *out, const trib_view *x);
bool trib_dense_cells(const trib_view *x, size_t *n_cells);

/* Where two tensors of the same size differ by more than `tolerance`. */
typedef struct trib_difference {
    size_t n; /* cells */
    uint32_t
        index[TRIB_MAX_MODES]; /* the first in lexicographic order, when n > 0, and both values */
    double x, y;
    double largest; /* |x - y| of any cell */
} trib_difference;
/* false when the sizes differ: nothing is compared then. */
bool trib_view_compare(trib_difference *difference, const trib_view *x, const trib_view *y,
                       double tolerance);
bool trib_view_equal(const trib_view *x, const trib_view *y); /* sizes and every value */

#ifdef __cplusplus
}
#endif
#endif
