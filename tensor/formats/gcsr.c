/* gcsr.c - gcsr and gcsc: the row-major address of a nonzero taken apart into a row and a column of
 * a matrix.
 *
 *     gcsr    a matrix of (smallest dimension) rows: the start of each row, and the columns
 *     gcsc    a matrix of (smallest dimension) columns: the start of each column, and the rows
 *
 * A line below is a row of gcsr or a column of gcsc. The number of a nonzero is its place in its
 * line. Numbers have 64 bits, or 128 where the dimensions need them. Source: [S] Dong, Wu, Byna
 * 2024, sections II.C and II.D and algorithm 1. The figure of [S] shows gcsc with the matrix of
 * gcsr; the text, as here, says columns of the smallest dimension. */
#include "base/internal.h"
#include "tensor/formats/keyed.h"
#include "tensor/formats/table.h"
#include "tensor/order.h"

typedef enum lines { ROWS, COLUMNS } lines;

TRIB_INLINE void decode_row(const trib_keyed *x, uint32_t n_modes, bool wide, size_t e,
                            uint32_t *line, uint32_t index[]) {
    while (e >= x->line_start[*line + 1]) ++*line;
    trib_keyed_split(x, n_modes, wide, trib_keyed_number(x, wide, e) + *line * x->n_columns, index);
}

TRIB_INLINE void decode_column(const trib_keyed *x, uint32_t n_modes, bool wide, size_t e,
                               uint32_t *line, uint32_t index[]) {
    while (e >= x->line_start[*line + 1]) ++*line;
    trib_keyed_split(x, n_modes, wide, trib_keyed_number(x, wide, e) * x->n_lines + *line, index);
}

/* The matrix of [S]: lines of the smallest dimension. A vector is one line. */
static trib_status build_lines(trib_keyed *x, trib_error *error) {
    x->n_lines = x->n_modes > 1 ? x->dim[0] : 1;
    for (uint32_t m = 1; m < x->n_modes; m++)
        if (x->dim[m] < x->n_lines) x->n_lines = x->dim[m];
    bool taken = false;
    x->n_columns = 1;
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (x->dim[m] == x->n_lines && !taken) taken = true;
        else x->n_columns *= x->dim[m];
    return TRIB_NEW(&x->line_start, (size_t)x->n_lines + 1, "lines", error);
}

static uint32_t line_of(const trib_keyed *x, lines by, trib_key address) {
    return (uint32_t)(by == ROWS ? address / x->n_columns : address % x->n_lines);
}

/* Numbers and values line by line, the entries of a line in `order`. */
static trib_status place_numbers(trib_keyed *x, lines by, const trib_hacoo *source,
                                 const double *values, const uint32_t *order, trib_error *error) {
    uint32_t index[TRIB_MAX_MODES], *next = NULL;
    const trib_status status = TRIB_NEW(&next, x->n_lines, "sorting", error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < source->nnz; e++) {
        trib_hacoo_entry(source, e, index);
        x->line_start[line_of(x, by, trib_keyed_address(x, index)) + 1]++;
    }
    for (uint32_t j = 0; j < x->n_lines; j++) {
        next[j] = x->line_start[j];
        x->line_start[j + 1] += x->line_start[j];
    }
    for (size_t i = 0; i < source->nnz; i++) {
        trib_entry_fetch(source, order, i);
        const uint32_t e = order[i], count = trib_hacoo_entry(source, e, index);
        const trib_key address = trib_keyed_address(x, index);
        trib_keyed_set(x, next[line_of(x, by, address)]++,
                       by == ROWS ? address % x->n_columns : address / x->n_lines,
                       values ? values[e] : count);
    }
    trib_free(next);
    return TRIB_OK;
}

static trib_status build(trib_tensor *tensor, lines by, const trib_hacoo *source,
                         const double *values, trib_error *error) {
    uint32_t *order = NULL;
    trib_status status = trib_keyed_init(tensor, source, error);
    if (status == TRIB_OK) status = build_lines(tensor->data, error);
    if (status == TRIB_OK) status = TRIB_NEW(&order, source->nnz, "sorting", error);
    if (status == TRIB_OK)
        status = trib_order_entries(source, false, order, tensor->n_threads, error);
    if (status == TRIB_OK) status = place_numbers(tensor->data, by, source, values, order, error);
    trib_free(order);
    if (status == TRIB_OK) status = trib_lanes_collect(tensor, error);
    return status;
}

static trib_status build_rows(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                              trib_error *error) {
    return build(tensor, ROWS, source, values, error);
}

static trib_status build_columns(trib_tensor *tensor, const trib_hacoo *source,
                                 const double *values, trib_error *error) {
    return build(tensor, COLUMNS, source, values, error);
}

/* The line of nonzero e. */
static uint32_t line_at(const trib_keyed *x, size_t e) {
    return trib_lane_of_row(x->line_start, x->n_lines, (uint32_t)e);
}

static void read_rows(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                      double *value) {
    const trib_keyed *x = tensor->data;
    trib_keyed_read(x, decode_row, line_at(x, first), first, n, index, value);
}

static void read_columns(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                         double *value) {
    const trib_keyed *x = tensor->data;
    trib_keyed_read(x, decode_column, line_at(x, first), first, n, index, value);
}

TRIB_KERNEL static void add_gcsr_terms(uint32_t n_modes, uint32_t rank, const trib_keyed *x,
                                       const trib_task *task) {
    trib_keyed_add_divided(n_modes, rank, decode_row, x, task);
}

TRIB_KERNEL static void add_gcsc_terms(uint32_t n_modes, uint32_t rank, const trib_keyed *x,
                                       const trib_task *task) {
    trib_keyed_add_divided(n_modes, rank, decode_column, x, task);
}

static void multiply_rows(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                          const double *const factor[], double *out, uint32_t lane) {
    const trib_task task = trib_task_of(tensor, mode, factor, out, lane, tensor->nnz);
    add_gcsr_terms(tensor->n_modes, rank, tensor->data, &task);
}

static void multiply_columns(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                             const double *const factor[], double *out, uint32_t lane) {
    const trib_task task = trib_task_of(tensor, mode, factor, out, lane, tensor->nnz);
    add_gcsc_terms(tensor->n_modes, rank, tensor->data, &task);
}

/* The first of nonzeros first .. last-1, whose numbers ascend, with a number of at least this. */
static size_t bisect(const trib_keyed *x, size_t first, size_t last, trib_key number) {
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (trib_keyed_number(x, x->wide, middle) < number) first = middle + 1;
        else last = middle;
    }
    return first;
}

/* Between the addresses of the box's corners, in each line that has any of them. */
static bool seek(const trib_keyed *x, lines by, const trib_box *box, size_t *first, size_t *last) {
    uint32_t end[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < x->n_modes; m++) end[m] = box->upper[m] - 1;
    const trib_key low = trib_keyed_address(x, box->lower), high = trib_keyed_address(x, end);
    uint32_t line = line_at(x, *first);
    if (by == ROWS && line < line_of(x, by, low)) line = line_of(x, by, low);
    for (; line < x->n_lines; line++) {
        trib_key from = 0, to = x->n_columns - 1; /* numbers of the line */
        if (by == ROWS) {
            if (line > line_of(x, by, high)) break;
            if (line == line_of(x, by, low)) from = low % x->n_columns;
            if (line == line_of(x, by, high)) to = high % x->n_columns;
        } else {
            if (low == high && line < line_of(x, by, low)) line = line_of(x, by, low);
            if (low == high && line > line_of(x, by, low)) break;
            from = low / x->n_lines;
            to = high / x->n_lines;
        }
        const size_t begin = x->line_start[line] > *first ? x->line_start[line] : *first;
        const size_t here = bisect(x, begin, x->line_start[line + 1], from);
        const size_t past = bisect(x, here, x->line_start[line + 1], to + 1);
        if (here == past) continue;
        *first = here;
        *last = past;
        return true;
    }
    return false;
}

static bool seek_rows(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last) {
    return seek(tensor->data, ROWS, box, first, last);
}

static bool seek_columns(const trib_tensor *tensor, const trib_box *box, size_t *first,
                         size_t *last) {
    return seek(tensor->data, COLUMNS, box, first, last);
}

const trib_format trib_format_gcsr = {
    .name = "gcsr",
    .help = "GCSR++, addresses as a matrix compressed by rows (Dong, Wu, Byna 2024)",
    .build = build_rows,
    .release = trib_keyed_release,
    .read = read_rows,
    .mttkrp = multiply_rows,
    .row_cost = 2,
    .bytes = trib_keyed_bytes,
    .seek = seek_rows,
};

const trib_format trib_format_gcsc = {
    .name = "gcsc",
    .help = "GCSC++, addresses as a matrix compressed by columns (Dong, Wu, Byna 2024)",
    .build = build_columns,
    .release = trib_keyed_release,
    .read = read_columns,
    .mttkrp = multiply_columns,
    .row_cost = 2,
    .bytes = trib_keyed_bytes,
    .seek = seek_columns,
};
