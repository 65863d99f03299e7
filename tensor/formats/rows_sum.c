/* rows_sum.c - how an MTTKRP over the nonzeros of rows.c sums the rows of its result: inline
 * functions of a few constants. The kernels at the end call them with the constants of common
 * shapes, and the compiler writes straight-line code for each. */
#include "tensor/formats/rows.h"

/* How sums are computed. All are constants of a kernel but `ahead`, which depends on the size of
 * the factors. */
typedef struct way {
    uint32_t n_others, rank;
    uint32_t ahead; /* nonzeros whose rows are prefetched early; 0: none */
    bool narrow;
    bool single; /* factors are float */
} way;

TRIB_INLINE const void *columns_of(way w, const void *factor, size_t row, size_t column) {
    const size_t at = row * w.rank + column;
    return w.single ? (const void *)((const float *)factor + at)
                    : (const void *)((const double *)factor + at);
}

/* As trib_add_term, with the product of rows in single precision and the sum in double
 * precision. */
TRIB_INLINE void add_single(double *restrict out, const float *const row[], uint32_t n_rows,
                            double value, uint32_t width) {
#pragma omp simd
    for (uint32_t r = 0; r < width; r++) {
        float term = n_rows > 0 ? row[0][r] : 1;
#pragma GCC unroll 8
        for (uint32_t k = 1; k < n_rows; k++) term *= row[k][r];
        out[r] += value * (double)term;
    }
}

/* Adds the term of nonzero e: sum[r] += value * the product of the other modes' rows, for columns c
 * <= r < c + width. */
TRIB_INLINE void add_product(double *sum, way w, const trib_rows_side *x, size_t e,
                             const trib_rows_job *task, size_t c, uint32_t width, double value) {
    const double *row[TRIB_MAX_MODES];
    const float *single[TRIB_MAX_MODES];
    for (uint32_t k = 0; k < w.n_others; k++) {
        const size_t at = e * w.n_others + k;
        const void *columns =
            columns_of(w, task->other[k], trib_rows_index(x->index, at, w.narrow), c);
        if (w.single) single[k] = columns;
        else row[k] = columns;
        if (w.ahead == 0) continue;
        const size_t later = at + (size_t)w.ahead * w.n_others;
        trib_fetch_row(columns_of(w, task->other[k], trib_rows_index(x->index, later, w.narrow), c),
                       w.single ? (width + 1) / 2 : width);
    }
    if (w.single) add_single(sum, single, w.n_others, value, width);
    else trib_add_term(sum, row, w.n_others, value, width);
}

enum { MOST_WIDTH = 56, MOST_SUMS = 2, SHORT_ROW = 12 };

/* Sums `width` columns of the row at place i, from column c on, in n_sums independent sums. */
TRIB_INLINE void add_columns(way w, const trib_rows_side *x, size_t i, const trib_rows_job *task,
                             size_t c, uint32_t width, uint32_t n_sums) {
    double sum[MOST_SUMS][MOST_WIDTH];
    for (uint32_t s = 0; s < n_sums; s++)
        for (uint32_t r = 0; r < width; r++) sum[s][r] = 0;
    double *out = task->out + (size_t)x->row[i] * w.rank + c;
    const double *value = x->value + x->value_start[i];
    const size_t end = x->start[i + 1];
    const size_t end_of_ones = end - (x->value_start[i + 1] - x->value_start[i]);
    size_t e = x->start[i];
    for (; e + n_sums <= end_of_ones; e += n_sums)
        for (uint32_t s = 0; s < n_sums; s++) add_product(sum[s], w, x, e + s, task, c, width, 1);
    for (; e < end_of_ones; e++) add_product(sum[0], w, x, e, task, c, width, 1);
    for (; e + n_sums <= end; e += n_sums)
        for (uint32_t s = 0; s < n_sums; s++)
            add_product(sum[s], w, x, e + s, task, c, width, *value++);
    for (; e < end; e++) add_product(sum[0], w, x, e, task, c, width, *value++);
    for (uint32_t r = 0; r < width; r++) {
        double all = sum[0][r];
        for (uint32_t s = 1; s < n_sums; s++) all += sum[s][r];
        out[r] = all;
    }
}

/* Rank 16: one sum needs few registers, so long rows use two sums at a time. */
TRIB_INLINE void add_16(way w, const trib_rows_side *x, const trib_rows_job *task) {
    w.rank = 16;
    for (size_t i = task->first; i < task->last; i++)
        if (x->start[i + 1] - x->start[i] > SHORT_ROW) add_columns(w, x, i, task, 0, 16, MOST_SUMS);
        else add_columns(w, x, i, task, 0, 16, 1);
}

/* Divides a row into as few pieces as fit in the registers, of about equal size. Padded ranks are
 * multiples of eight, others of 50. */
TRIB_INLINE void add_rows(way w, const trib_rows_side *x, const trib_rows_job *task) {
    const uint32_t n_pieces = (w.rank + MOST_WIDTH - 1) / MOST_WIDTH;
    const uint32_t eighths = (w.rank + 8 * n_pieces - 1) / (8 * n_pieces);
    const uint32_t most = w.rank % 50 == 0 ? 50 : 8 * eighths;
    if (w.rank == 16) {
        add_16(w, x, task);
        return;
    }
    for (size_t i = task->first; i < task->last; i++)
        for (uint32_t c = 0, width; c < w.rank; c += width) {
            width = w.rank - c < most ? w.rank - c : most;
            switch (width) {
            case 8:
                add_columns(w, x, i, task, c, 8, 1);
                break;
            case 24:
                add_columns(w, x, i, task, c, 24, 1);
                break;
            case 32:
                add_columns(w, x, i, task, c, 32, 1);
                break;
            case 40:
                add_columns(w, x, i, task, c, 40, 1);
                break;
            case 48:
                add_columns(w, x, i, task, c, 48, 1);
                break;
            case 50:
                add_columns(w, x, i, task, c, 50, 1);
                break;
            case 56:
                add_columns(w, x, i, task, c, 56, 1);
                break;
            default:
                add_columns(w, x, i, task, c, width, 1);
            }
        }
}

/* The same without a kernel for each width. */
TRIB_INLINE void add_any(way w, const trib_rows_side *x, const trib_rows_job *task) {
    for (size_t i = task->first; i < task->last; i++)
        for (uint32_t c = 0; c < w.rank; c += 16)
            if (w.rank - c < 16) add_columns(w, x, i, task, c, w.rank - c, 1);
            else add_columns(w, x, i, task, c, 16, 1);
}

TRIB_KERNEL(void, sum_double_rows,
            (uint32_t n_others, uint32_t rank, const trib_rows_side *x, const trib_rows_job *task,
             uint32_t ahead, bool narrow),
            (n_others, rank, x, task, ahead, narrow)) {
    const bool near = narrow && ahead == 0; /* else there are many words, or large factors */
    if (n_others == 2 && near) add_rows((way){2, rank, 0, true, false}, x, task);
    else if (n_others == 2) add_rows((way){2, rank, ahead, narrow, false}, x, task);
    else if (n_others == 3 && near) add_rows((way){3, rank, 0, true, false}, x, task);
    else if (n_others == 3) add_rows((way){3, rank, ahead, narrow, false}, x, task);
    else if (n_others == 1) add_rows((way){1, rank, ahead, narrow, false}, x, task);
    else add_any((way){n_others, rank, ahead, narrow, false}, x, task);
}

TRIB_KERNEL(void, sum_single_rows,
            (uint32_t n_others, uint32_t rank, const trib_rows_side *x, const trib_rows_job *task,
             uint32_t ahead, bool narrow),
            (n_others, rank, x, task, ahead, narrow)) {
    if (n_others == 2 && narrow && ahead == 0) add_rows((way){2, rank, 0, true, true}, x, task);
    else if (n_others == 2) add_rows((way){2, rank, ahead, narrow, true}, x, task);
    else if (n_others == 3) add_any((way){3, rank, ahead, narrow, true}, x, task);
    else if (n_others == 1) add_any((way){1, rank, ahead, narrow, true}, x, task);
    else add_any((way){n_others, rank, ahead, narrow, true}, x, task);
}

void trib_rows_sum(uint32_t n_others, uint32_t rank, const trib_rows_side *x,
                   const trib_rows_job *task, uint32_t ahead, bool narrow, bool single) {
    if (single) sum_single_rows(n_others, rank, x, task, ahead, narrow);
    else sum_double_rows(n_others, rank, x, task, ahead, narrow);
}
