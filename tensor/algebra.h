/* algebra.h - sparse tensors of real values, views of parts of a tensor, and the operations on
 * views.
 *
 * A view selects indices of the modes of a tensor and shares its entries. An operation takes views
 * and makes a new trib_sparse or fills a dense array. It uses hacoo.h. Change this header to change
 * what can be computed from tensors before they are decomposed. A new reduction is a row of
 * trib_reductions in algebra_modes.c; a new operation on two values is a row of trib_pairings in
 * broadcast.c. Sources: views [N] Loeffel 2017, products [K] Kolda and Bader 2009. */
#ifndef TRIBUTARY_ALGEBRA_H
#define TRIBUTARY_ALGEBRA_H

#include "tensor/hacoo.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Tensors of real values (sparse.c) ------------------------------------------------------- */

/* A sparse tensor of real values, such as results computed from counts. `{0}` is empty. The table
 * `place` holds the indices; its counts say how many terms were added to each value and have no
 * other use. To decompose the tensor, call trib_tensor_build(.., &x.place, x.value, ..). */
typedef struct trib_sparse {
    trib_hacoo place; /* where the entries are */
    double *value;    /* [place.nnz] of each entry, by its number */
    size_t cap;       /* values allocated */
} trib_sparse;

/* Makes an empty tensor with room for `expected` nonzeros. Errors as trib_hacoo_init. */
trib_status trib_sparse_init(trib_sparse *x, uint32_t n_modes, const uint32_t dim[],
                             size_t expected, trib_error *error);
void trib_sparse_release(trib_sparse *x);
/* Finds the entry at index[n_modes], or makes one with value 0, and adds one to its count. *e
 * receives its number. Errors as trib_hacoo_add. */
trib_status trib_sparse_place(trib_sparse *x, const uint32_t index[], size_t *e, trib_error *error);
/* Adds `value` to the value at `index`. Errors as trib_hacoo_add. */
trib_status trib_sparse_raise(trib_sparse *x, const uint32_t index[], double value,
                              trib_error *error);

/* Adds n <= TRIB_SUM_BATCH values (NULL: 1 each) at index[n][n_modes]. The values of the table are
 * its counts while *sum is NULL, else (*sum)[nnz], of *cap allocated, and all counts are 1. The
 * first value or sum that is no whole number from 1 to 2^32-1 changes to that; `sum` NULL: values
 * are counts, and a larger sum is an error. entry[n] receives the numbers of the entries.
 * TRIB_INPUT with *failed below n for a sum that is not finite; other errors as
 * trib_hacoo_add_many. */
enum { TRIB_SUM_BATCH = 8192 };
trib_status trib_hacoo_sum_many(trib_hacoo *table, double **sum, size_t *cap, size_t n,
                                const uint32_t index[], const double value[], uint32_t entry[],
                                size_t *failed, trib_error *error);

/* ---- Views (view.c) -------------------------------------------------------------------------- */

/* What a view takes of one mode of its parent ([N] section 4.4.2). Make one with the four functions
 * below. */
typedef enum {
    TRIB_AXIS_ALL,      /* every index */
    TRIB_AXIS_POINT,    /* one index; the view does not have the mode */
    TRIB_AXIS_INTERVAL, /* `length` indices from `start` on, which become 0 .. length-1 */
    TRIB_AXIS_NEW       /* a mode of length 1 that the parent does not have */
} trib_axis_kind;
/* What a view takes of one mode. */
typedef struct trib_axis {
    trib_axis_kind kind; /* which indices */
    /* Always set in a view; for TRIB_AXIS_ALL they are 0 and the size of the mode. */
    uint32_t start, length;
} trib_axis;
trib_axis trib_all(void);
trib_axis trib_point(uint32_t index);
trib_axis trib_interval(uint32_t start, uint32_t length);
trib_axis trib_new_axis(void);

/* The most axes of a view, new ones among them. */
enum { TRIB_MAX_AXES = 2 * TRIB_MAX_MODES };

/* A part of a tensor. It shares the entries of its parent: a value written to the view is written
 * to the parent, at the cost of an insertion into a hash table. A view of a view is a view of the
 * parent itself. A view owns no memory. The parent must outlive it and may change. A view with zero
 * modes (all axes are points) is a scalar. */
typedef struct trib_view {
    trib_hacoo *parent; /* whose entries it shares; borrowed */
    trib_sparse *real;  /* its `place` is the parent; NULL: the values are the parent's counts */
    uint32_t n_axes;    /* the modes of the parent in order, and new modes between them */
    trib_axis axis[TRIB_MAX_AXES]; /* [n_axes] what it takes of each mode */
    uint32_t n_modes;              /* of the view: axes that are not points; 0 .. TRIB_MAX_MODES */
    uint32_t dim[TRIB_MAX_MODES];  /* [n_modes] its sizes */
} trib_view;

/* The whole of a tensor. */
trib_view trib_view_counts(trib_hacoo *parent);
trib_view trib_view_reals(trib_sparse *parent);
/* Makes `view` from axis[n] of the view `of`; the two may be the same object. There is one axis for
 * each mode of `of`, in order, with new axes anywhere; missing axes at the end mean whole modes.
 * TRIB_INPUT, naming the mode, for an index or interval beyond its size, an interval of length 0,
 * or too many axes or modes; *view is unchanged then. */
trib_status trib_view_take(trib_view *view, const trib_view *of, uint32_t n, const trib_axis axis[],
                           trib_error *error);
/* A slice fixes the index of one mode, a fiber fixes those of all modes but one ([K] section 2.1);
 * index[mode] is not read. Errors as trib_view_take. */
trib_status trib_view_slice(trib_view *view, const trib_view *of, uint32_t mode, uint32_t index,
                            trib_error *error);
trib_status trib_view_fiber(trib_view *view, const trib_view *of, uint32_t mode,
                            const uint32_t index[], trib_error *error);
/* The same view without its modes of length 1. */
void trib_view_squeeze(trib_view *view, const trib_view *of);

/* The value at `index`; 0 when there is no entry or the index is out of range. */
double trib_view_get(const trib_view *view, const uint32_t index[]);
/* Sets the value in the parent (0 removes the entry), or adds to it. TRIB_INPUT for an index out of
 * range, for a value that is not finite and, where the parent holds counts, for a result that is
 * not a whole number from 0 to 2^32-1. TRIB_MEMORY. */
trib_status trib_view_set(const trib_view *view, const uint32_t index[], double value,
                          trib_error *error);
trib_status trib_view_add(const trib_view *view, const uint32_t index[], double value,
                          trib_error *error);

/* Iterates over the nonzeros in the order of the parent's entries or, when the view has fewer cells
 * than the parent has entries, cell by cell in lexicographic order. Nothing may be inserted or
 * removed during the iteration. */
typedef struct trib_cursor {
    const trib_view *view;          /* what it goes through */
    size_t next, n_cells;           /* `next` is a cell when n_cells > 0, else an entry */
    uint32_t index[TRIB_MAX_MODES]; /* [view->n_modes] of the nonzero */
    double value;                   /* of the nonzero */
} trib_cursor;
trib_cursor trib_view_begin(const trib_view *view);
/* Goes to the next nonzero; false at the end. Values of 0 are skipped. */
bool trib_view_next(trib_cursor *cursor);
size_t trib_view_nnz(const trib_view *view);

/* ---- Operations (algebra.c, broadcast.c, algebra_modes.c) ------------------------------------ */

/* Operands are views of counts or of real values. A result is either a trib_sparse, which the
 * caller releases and which holds no zeros, or a dense row-major array that the caller provides.
 * Every sum is taken in the order of trib_view_next by one thread, so the bits are the same every
 * time. A result must not be the parent of an operand. On failure it is empty.
 *
 * All operations: TRIB_MEMORY; TRIB_INPUT when operands differ in size, or when the result has no
 * mode or needs keys of more than 128 bits. The names are those of the Tensor Toolbox (Bader and
 * Kolda 2007); docs/tensor-algebra.md has the whole list. */

trib_status trib_sparse_copy(trib_sparse *z, const trib_view *x, trib_error *error);
/* A copy as counts. TRIB_INPUT for a value that is not a whole number from 1 to 2^32-1. */
trib_status trib_sparse_counts(trib_hacoo *z, const trib_view *x, trib_error *error);
/* A copy of the indices list[m][0 .. n[m]-1] of every mode m, in that order; an index that is
 * listed twice is copied twice. list[m] NULL: all indices. Such a choice is not an interval, so it
 * cannot be a view ([N] section 4.4.2). */
trib_status trib_sparse_select(trib_sparse *z, const trib_view *x, const uint32_t *const list[],
                               const uint32_t n[], trib_error *error);

/* z = a x + b y: plus, minus. z = a x. z = x y, element by element. z = f(x), where f(0) is taken
 * to be 0.
 *
 * The operands of plus, times and pair may have different sizes. Modes are then matched from the
 * last one backwards. Where an operand has length 1, or has no such mode, its values are repeated
 * along the mode of the other ([N] section 3.2). TRIB_INPUT, with both sizes, where the sizes do
 * not match in this way. */
trib_status trib_sparse_plus(trib_sparse *z, double a, const trib_view *x, double b,
                             const trib_view *y, trib_error *error);
trib_status trib_sparse_scale(trib_sparse *z, double a, const trib_view *x, trib_error *error);
trib_status trib_sparse_times(trib_sparse *z, const trib_view *x, const trib_view *y,
                              trib_error *error);
trib_status trib_sparse_map(trib_sparse *z, const trib_view *x,
                            double (*f)(double value, void *context), void *context,
                            trib_error *error);

/* An operation on two values; a row of the table in broadcast.c. Its result for two zeros is 0. */
typedef struct trib_pairing {
    /* add | subtract | times | max | min, and for masks of 0 and 1: greater | less | ... */
    const char *name;
    const char *help;                 /* one line */
    double (*of)(double x, double y); /* the result for two values */
    bool within;                      /* the result is 0 wherever one of them is 0 */
} trib_pairing;
extern const trib_pairing trib_pairings[]; /* ends with a row whose name is NULL */
const trib_pairing *trib_pairing_find(const char *name);
trib_status trib_sparse_pair(trib_sparse *z, const trib_view *x, const trib_view *y,
                             const trib_pairing *by, trib_error *error);

/* A mask is a tensor that selects the cells where it is not 0. This one is 1 at the nonzeros of x
 * for which `holds` is true. To copy the selected cells of a tensor use trib_sparse_pair with
 * `inside`; for the other cells use `outside`. */
trib_status trib_sparse_mask(trib_sparse *z, const trib_view *x,
                             bool (*holds)(double value, void *context), void *context,
                             trib_error *error);
/* Sets the cells of x that the mask selects, after broadcasting the mask to the size of x. Mask and
 * x must not have the same parent. Errors as trib_view_set. */
trib_status trib_view_fill(const trib_view *x, const trib_view *mask, double value,
                           trib_error *error);

/* Nonzeros copied out of a tensor. `{0}` is empty. */
typedef struct trib_region {
    size_t n;                    /* nonzeros */
    uint32_t *index;             /* [n][n_modes] */
    double *value;               /* [n] */
    size_t index_cap, value_cap; /* numbers allocated in `index` and in `value` */
} trib_region;
void trib_region_release(trib_region *found);
/* Finds index and value of every nonzero, in lexicographic order. `found` may hold an earlier
 * result, whose memory is used again. TRIB_MEMORY; `found` is empty then. */
trib_status trib_view_find(const trib_view *x, trib_region *found, trib_error *error);

/* Reorders the modes: mode m of z is mode order[m] of x. */
trib_status trib_sparse_permute(trib_sparse *z, const trib_view *x, const uint32_t order[],
                                trib_error *error);
/* The matrix whose rows are the indices of a mode; in its columns the first of the other modes
 * changes fastest ([K] section 2.4). TRIB_INPUT beyond 2^32-1 columns. */
trib_status trib_sparse_unfold(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error);
/* The outer product: z(i, j) = x(i) y(j), with the modes of x before those of y. */
trib_status trib_sparse_outer(trib_sparse *z, const trib_view *x, const trib_view *y,
                              trib_error *error);

/* How several values are reduced to one; a row of the table in algebra_modes.c. */
typedef struct trib_reduction {
    const char *name;                            /* sum | max | min | count */
    const char *help;                            /* one line */
    double (*first)(double value);               /* the result for the first nonzero alone */
    double (*join)(double so_far, double value); /* the result with one more value */
    bool sees_zeros;                             /* cells without an entry take part, as 0 */
} trib_reduction;
extern const trib_reduction trib_reductions[]; /* ends with a row whose name is NULL */
const trib_reduction *trib_reduction_find(const char *name);

/* Removes the modes whose bit is set in `modes` by reducing the values along them. The others stay
 * in order; at least one must stay. */
trib_status trib_sparse_collapse(trib_sparse *z, const trib_view *x, uint32_t modes,
                                 const trib_reduction *by, trib_error *error);
/* Reduces all values to one number. */
double trib_view_reduce(const trib_view *x, const trib_reduction *by);
double trib_view_sum(const trib_view *x);
double trib_view_norm(const trib_view *x); /* Frobenius */
/* The p-norm, p from 1 to INFINITY: the p-th root of the sum of |value|^p. */
double trib_view_norm_of(const trib_view *x, double p);
trib_status trib_view_inner(double *inner, const trib_view *x, const trib_view *y,
                            trib_error *error);
/* The largest value, over all cells, and the first index in lexicographic order that has it. */
double trib_view_max(const trib_view *x, uint32_t index[]);

/* For each fiber along a mode, the index of its largest or its smallest value; zeros take part, and
 * the first of several equal values counts. z does not have the mode. The index is counted from 1,
 * because a value of 0 stands for a fiber without a nonzero. */
trib_status trib_sparse_argmax(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error);
trib_status trib_sparse_argmin(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error);
/* The index, counted from 0, of the slice along a mode that has the largest sum; the first of
 * several equal ones. */
trib_status trib_view_argsum(const trib_view *x, uint32_t mode, uint32_t *index, trib_error *error);

/* Tensor times vector in every mode m where vector[m] is not NULL; it has length dim[m] ([K]
 * section 2.5). The dense result has the other modes, row-major; it is one number when no mode is
 * left. */
trib_status trib_sparse_ttv(trib_sparse *z, const trib_view *x, const double *const vector[],
                            trib_error *error);
void trib_dense_ttv(double *out, const trib_view *x, const double *const vector[]);
/* Tensor times matrix[n_rows][dim[mode]]. Mode `mode` of the result has n_rows indices ([K] section
 * 2.5). The dense result is row-major. */
trib_status trib_sparse_ttm(trib_sparse *z, const trib_view *x, uint32_t mode, uint32_t n_rows,
                            const double *matrix, trib_error *error);
void trib_dense_ttm(double *out, const trib_view *x, uint32_t mode, uint32_t n_rows,
                    const double *matrix);
/* Copies all cells, row-major. trib_dense_cells says how many doubles that is; false when the
 * number exceeds a size_t. */
void trib_dense_copy(double *out, const trib_view *x);
bool trib_dense_cells(const trib_view *x, size_t *n_cells);

/* How two tensors of the same size differ. */
typedef struct trib_difference {
    size_t n; /* cells that differ by more than the tolerance */
    /* If n > 0, the first such cell in lexicographic order and both its values. */
    uint32_t index[TRIB_MAX_MODES];
    double x, y;    /* the values there */
    double largest; /* the largest |x - y| of all cells */
} trib_difference;
/* Returns false, without a comparison, when the sizes differ. */
bool trib_view_compare(trib_difference *difference, const trib_view *x, const trib_view *y,
                       double tolerance);
/* Whether the sizes and all values are equal. */
bool trib_view_equal(const trib_view *x, const trib_view *y);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
