/* linear.c - row-major addresses, one number per nonzero: `linear`, and gcsr and gcsc, which take
 * the address apart into a row and a column of a matrix.
 *
 *     linear  the address itself
 *     gcsr    a matrix of (smallest dimension) rows: the start of each row, and the columns
 *     gcsc    a matrix of (smallest dimension) columns: the start of each column, and the rows
 *
 * A line below is a row of gcsr or a column of gcsc. The number of a nonzero is its place in its
 * line. Nonzeros are stored in the order of the lines and these numbers, which is lexicographic but
 * for gcsc. Numbers have 64 bits, or 128 where the dimensions need them. Source: [S] Dong, Wu, Byna
 * 2024, sections II.B to II.D and algorithm 1. The figure of [S] shows gcsc with the matrix of
 * gcsr; the text, as here, says columns of the smallest dimension. */
#include "tensor/formats/keyed.h"

enum { LINEAR, ROWS, COLUMNS }; /* trib_format.variant */

TRIB_INLINE void decode(const trib_keyed *x, uint32_t n_modes, bool wide, uint32_t variant,
                        size_t e, uint32_t *line, uint32_t index[]) {
    trib_key address = trib_keyed_number(x, wide, e);
    while (variant != LINEAR && e >= x->line_start[*line + 1]) ++*line;
    if (variant == ROWS) address += *line * x->n_columns;
    if (variant == COLUMNS) address = address * x->n_lines + *line;
    trib_keyed_split(x, n_modes, wide, address, index);
}

/* The matrix of [S]: lines of the smallest dimension. A vector is one line. */
static void shape_lines(trib_keyed *x) {
    bool taken = false;
    x->n_lines = x->n_modes > 1 ? x->dim[0] : 1;
    for (uint32_t m = 1; m < x->n_modes; m++)
        if (x->dim[m] < x->n_lines) x->n_lines = x->dim[m];
    x->n_columns = 1;
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (x->dim[m] == x->n_lines && !taken) taken = true;
        else x->n_columns *= x->dim[m];
}

static uint32_t line_of(const trib_keyed *x, uint32_t variant, trib_key address) {
    return (uint32_t)(variant == ROWS ? address / x->n_columns : address % x->n_lines);
}

/* Numbers and values line by line, those of a line in the order of the entries. */
static void place_in_lines(trib_building *b, trib_keyed *x) {
    const uint32_t variant = b->tensor->format->variant;
    uint32_t index[TRIB_MAX_MODES], *next = NULL;
    x->line_start = trib_tensor_array(b, (size_t)x->n_lines + 1, sizeof *x->line_start, "lines");
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&next, x->n_lines, "sorting", b->error);
    if (b->status != TRIB_OK) return;
    for (size_t e = 0; e < b->table->nnz; e++) {
        trib_hacoo_entry(b->table, e, index);
        x->line_start[line_of(x, variant, trib_keyed_address(x, index)) + 1]++;
    }
    for (uint32_t j = 0; j < x->n_lines; j++) {
        next[j] = x->line_start[j];
        x->line_start[j + 1] += x->line_start[j];
    }
    for (size_t i = 0; i < b->table->nnz; i++) {
        const double value = trib_building_take(b, i, index);
        const trib_key address = trib_keyed_address(x, index);
        trib_keyed_set(x, next[line_of(x, variant, address)]++,
                       variant == ROWS ? address % x->n_columns : address / x->n_lines, value);
    }
    trib_free(next);
}

static void build(trib_building *b) {
    trib_keyed *x = trib_keyed_begin(b);
    uint32_t index[TRIB_MAX_MODES];
    if (b->tensor->format->variant != LINEAR) {
        shape_lines(x);
        place_in_lines(b, x);
        return;
    }
    for (size_t i = 0; b->status == TRIB_OK && i < b->table->nnz; i++) {
        const double value = trib_building_take(b, i, index);
        trib_keyed_set(x, i, trib_keyed_address(x, index), value);
    }
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const trib_keyed *x = tensor->data;
    const uint32_t line = x->line_start ? trib_range_of(x->line_start, x->n_lines, first) : 0;
    trib_keyed_read(tensor, decode, line, first, n, index, value);
}

/* Most of the time goes into division, so only two shapes have code of their own. */
TRIB_INLINE void add_divided(uint32_t n_modes, uint32_t rank, uint32_t variant, const trib_keyed *x,
                             const trib_task *task) {
    if (x->wide) trib_keyed_add(n_modes, rank, true, variant, decode, x, task);
    else if (n_modes == 3) trib_keyed_add(3, rank, false, variant, decode, x, task);
    else trib_keyed_add(n_modes, rank, false, variant, decode, x, task);
}

TRIB_KERNEL static void add_address_terms(uint32_t n_modes, uint32_t rank, uint32_t variant,
                                          const trib_keyed *x, const trib_task *task) {
    if (variant == LINEAR) add_divided(n_modes, rank, LINEAR, x, task);
    else if (variant == ROWS) add_divided(n_modes, rank, ROWS, x, task);
    else add_divided(n_modes, rank, COLUMNS, x, task);
}

static void add(const trib_tensor *tensor, const trib_task *task, uint32_t rank) {
    add_address_terms(tensor->n_modes, rank, tensor->format->variant, tensor->data, task);
}

/* The columns of gcsc are no order of indices: every nonzero is compared with the box. */
static bool seek_everything(const trib_tensor *tensor, const trib_box *box, size_t *first,
                            size_t *last) {
    (void)tensor, (void)box, (void)first, (void)last;
    return true;
}

const trib_format trib_format_linear = {
    .name = "linear",
    .help = "the row-major address of every nonzero (Dong, Wu, Byna 2024)",
    .size = sizeof(trib_keyed),
    .order = TRIB_LEXICOGRAPHIC,
    .sorted = true,
    .variant = LINEAR,
    .build = build,
    .read = read,
    .add = add,
    .row_cost = 2,
};

const trib_format trib_format_gcsr = {
    .name = "gcsr",
    .help = "GCSR++, addresses as a matrix compressed by rows (Dong, Wu, Byna 2024)",
    .size = sizeof(trib_keyed),
    .order = TRIB_LEXICOGRAPHIC,
    .sorted = true,
    .variant = ROWS,
    .build = build,
    .read = read,
    .add = add,
    .row_cost = 2,
};

const trib_format trib_format_gcsc = {
    .name = "gcsc",
    .help = "GCSC++, addresses as a matrix compressed by columns (Dong, Wu, Byna 2024)",
    .size = sizeof(trib_keyed),
    .order = TRIB_LEXICOGRAPHIC,
    .sorted = true,
    .variant = COLUMNS,
    .build = build,
    .read = read,
    .add = add,
    .row_cost = 2,
    .seek = seek_everything,
};
