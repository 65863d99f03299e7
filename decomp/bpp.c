/* bpp.c - solves every row exactly by block principal pivoting (Kim and Park 2011, algorithm 2).
 * The columns of a row are passive (free) or active (0). The passive ones solve their normal
 * equations. Every column with a wrong sign - a negative passive entry or a negative active
 * gradient - changes sides: all of them at once as long as their number falls, otherwise the last
 * one alone, which is certain to end.
 *
 * Rows of a block with the same passive set share one Cholesky factor. Words of a text take part in
 * few components, so passive sets and their systems are small. A row that does not converge because
 * of rounding keeps its old values. */
#include "base/internal.h"
#include "decomp/loop.h"

enum { PATIENCE = 3, ROUNDS_PER_COLUMN = 3 };
#define SLACK   1e-12 /* times the largest gradient of a row: smaller values have no wrong sign */
#define PIVOT   1e-13 /* times a diagonal entry: the column depends on earlier ones */
#define NO_SIDE UINT32_MAX

/* The state of one row. */
typedef struct pivoting {
    uint64_t *passive; /* [words] one bit per column */
    double *solution;  /* [stride] */
    uint32_t n_wrong;  /* smallest number of wrong signs so far */
    uint32_t patience;
    bool open;
} pivoting;

/* The arrays of one block of rows, in the scratch of a thread. */
typedef struct block {
    const trib_mode_problem *problem;
    const double *m;
    double *factor;   /* [stride][stride] Cholesky factor of the passive columns */
    double *gradient; /* [stride] */
    double *small;    /* [stride] right-hand side */
    uint64_t *column; /* [stride] the passive columns, ascending */
    size_t n_passive, n_words;
    pivoting row[TRIB_BLOCK_ROWS];
    size_t n_rows;
} block;

static size_t words_of(size_t stride) { return (stride + 63) / 64; }

static size_t scratch_size(size_t stride) {
    return stride * stride + 3 * stride + TRIB_BLOCK_ROWS * (stride + words_of(stride));
}

static bool is_passive(const uint64_t *passive, size_t r) { return passive[r / 64] >> r % 64 & 1; }
static void change_side(uint64_t *passive, size_t r) { passive[r / 64] ^= UINT64_C(1) << r % 64; }

static double diagonal(const block *b, size_t r) {
    return b->problem->gram[r * b->problem->stride + r] + b->problem->l2;
}

static void begin(block *b, const trib_mode_problem *problem, size_t n_rows, const double *a,
                  const double *m, double *scratch) {
    const size_t stride = problem->stride;
    *b = (block){.problem = problem, .m = m, .n_rows = n_rows, .n_words = words_of(stride)};
    b->factor = scratch;
    b->gradient = b->factor + stride * stride;
    b->small = b->gradient + stride;
    b->column = (uint64_t *)(b->small + stride);
    double *rest = b->small + 2 * stride;
    for (size_t i = 0; i < n_rows; i++, rest += stride + b->n_words) {
        b->row[i] = (pivoting){.solution = rest,
                               .passive = (uint64_t *)(rest + stride),
                               .n_wrong = NO_SIDE,
                               .patience = PATIENCE,
                               .open = true};
        memset(b->row[i].passive, 0, b->n_words * sizeof(uint64_t));
        for (size_t r = 0; r < problem->rank; r++)
            if (a[i * stride + r] > 0 && diagonal(b, r) > 0) change_side(b->row[i].passive, r);
    }
}

/* Factors L L' = G + l2 I on the passive columns, row by row of L. A column that depends on earlier
 * ones is left out, and its entry of the solution is 0. */
TRIB_KERNEL(size_t, bpp_factor,
            (const double *restrict gram, size_t stride, double l2,
             const uint64_t *restrict passive, size_t rank, uint64_t *restrict column,
             double *restrict factor),
            (gram, stride, l2, passive, rank, column, factor)) {
    size_t n = 0;
    for (size_t r = 0; r < rank; r++) {
        if (!(passive[r / 64] >> r % 64 & 1)) continue;
        double *restrict row = factor + n * stride;
        const double whole = gram[r * stride + r] + l2;
        double rest = whole;
        for (size_t j = 0; j < n; j++) {
            const double *restrict other = factor + j * stride;
            double sum = gram[r * stride + column[j]];
            for (size_t k = 0; k < j; k++) sum -= row[k] * other[k];
            row[j] = sum / other[j];
            rest -= row[j] * row[j];
        }
        if (!(rest > PIVOT * whole)) continue;
        row[n] = sqrt(rest);
        column[n++] = r;
    }
    return n;
}

/* Solves for the passive columns of one row; the other entries of `solution` become 0. */
TRIB_KERNEL(void, bpp_solve,
            (const double *restrict factor, size_t stride, const uint64_t *restrict column,
             size_t n, const double *restrict m, double l1, double *restrict small,
             double *restrict solution),
            (factor, stride, column, n, m, l1, small, solution)) {
    for (size_t j = 0; j < n; j++) {
        double sum = m[column[j]] - l1;
        for (size_t k = 0; k < j; k++) sum -= factor[j * stride + k] * small[k];
        small[j] = sum / factor[j * stride + j];
    }
    for (size_t j = n; j-- > 0;) {
        small[j] /= factor[j * stride + j];
        for (size_t k = 0; k < j; k++) small[k] -= factor[j * stride + k] * small[j];
    }
    for (size_t r = 0; r < stride; r++) solution[r] = 0;
    for (size_t j = 0; j < n; j++) solution[column[j]] = small[j];
}

/* Computes gradient = A G + l2 A + l1 - M of one row whose entries are 0 outside the listed
 * columns. */
TRIB_KERNEL(void, bpp_gradient,
            (const double *restrict gram, size_t stride, double l1, double l2,
             const uint64_t *restrict column, size_t n, const double *restrict m,
             const double *restrict solution, double *restrict gradient),
            (gram, stride, l1, l2, column, n, m, solution, gradient)) {
    for (size_t r = 0; r < stride; r++) gradient[r] = l1 + l2 * solution[r] - m[r];
    for (size_t j = 0; j < n; j++) {
        const double entry = solution[column[j]];
        for (size_t r = 0; r < stride; r++) gradient[r] += entry * gram[column[j] * stride + r];
    }
}

/* Moves the columns with a wrong sign of row i to the other side. The row is done when there are
 * none. */
static void pivot(block *b, size_t i) {
    const trib_mode_problem *problem = b->problem;
    const double *m = b->m + i * problem->stride;
    pivoting *row = &b->row[i];
    uint32_t n_wrong = 0, last = 0;
    double slack = 0;
    for (size_t r = 0; r < problem->rank; r++)
        if (diagonal(b, r) > 0)
            slack = fmax(slack, fabs(m[r] - problem->l1) / sqrt(diagonal(b, r)));
    slack *= SLACK;
    for (uint32_t r = 0; r < problem->rank; r++) {
        const double root = sqrt(diagonal(b, r));
        const bool wrong =
            root > 0 && (is_passive(row->passive, r) ? row->solution[r] * root < -slack
                                                     : b->gradient[r] / root < -slack);
        b->gradient[r] = wrong; /* from here on: whether column r changes sides */
        n_wrong += wrong;
        if (wrong) last = r;
    }
    row->open = n_wrong > 0;
    if (!row->open) return;
    const bool fewer = n_wrong < row->n_wrong;
    if (fewer) {
        row->n_wrong = n_wrong;
        row->patience = PATIENCE;
    } else if (row->patience == 0) {
        change_side(row->passive, last);
        return;
    } else {
        row->patience--;
    }
    for (uint32_t r = 0; r < problem->rank; r++)
        if (b->gradient[r] != 0) change_side(row->passive, r);
}

/* Does one round for all open rows that have the passive set of row `first`. */
static void solve_group(block *b, size_t first, bool *seen) {
    const trib_mode_problem *problem = b->problem;
    const size_t stride = problem->stride;
    uint64_t *passive = b->row[first].passive;
    b->n_passive = bpp_factor(problem->gram, stride, problem->l2, passive, problem->rank, b->column,
                              b->factor);
    /* row `first` comes last, because the others are compared with its set */
    for (size_t i = b->n_rows; i-- > first;) {
        if (!b->row[i].open || seen[i] ||
            memcmp(b->row[i].passive, passive, b->n_words * sizeof *passive) != 0)
            continue;
        seen[i] = true;
        const double *m = b->m + i * stride;
        bpp_solve(b->factor, stride, b->column, b->n_passive, m, problem->l1, b->small,
                  b->row[i].solution);
        bpp_gradient(problem->gram, stride, problem->l1, problem->l2, b->column, b->n_passive, m,
                     b->row[i].solution, b->gradient);
        pivot(b, i);
    }
}

static void update(const trib_mode_problem *problem, size_t n_rows, double *restrict a,
                   const double *restrict m, double *restrict kept, double *restrict scratch) {
    const size_t stride = problem->stride;
    block b;
    bool more = true;
    (void)kept;
    begin(&b, problem, n_rows, a, m, scratch);
    for (uint32_t round = 0; more && round < ROUNDS_PER_COLUMN * problem->rank + 10; round++) {
        bool seen[TRIB_BLOCK_ROWS] = {false};
        more = false;
        for (size_t i = 0; i < n_rows; i++) {
            if (b.row[i].open && !seen[i]) solve_group(&b, i, seen);
            more = more || b.row[i].open;
        }
    }
    for (size_t i = 0; i < n_rows; i++)
        for (size_t r = 0; r < problem->rank && !b.row[i].open; r++)
            a[i * stride + r] = fmax(0, b.row[i].solution[r]);
}

const trib_least_squares trib_bpp_rows = {.scratch_size = scratch_size, .update = update};
