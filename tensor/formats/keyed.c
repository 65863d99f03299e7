/* keyed.c - formats that store one number for all indices of a nonzero, of 64 bits, or of 128 where
 * the dimensions need them. Nonzeros are in the order of these numbers.
 *
 *     alto    the bits of the indices interleaved, as many of each mode as its size needs: the
 *             order of the Morton curve (Helal et al., ALTO, 2021)
 *     linear  the row-major address: lexicographic order
 *     gcsr    the address taken apart into row and column of a matrix of (smallest dimension) rows:
 *             the start of each row, and the columns
 *     gcsc    the same with columns of the smallest dimension: the start of each, and the rows
 *
 * A line below is a row of gcsr or a column of gcsc. The number of a nonzero is its place in its
 * line. Source of the last three: [S] Dong, Wu, Byna 2024, sections II.B to II.D and algorithm 1.
 * The figure of [S] shows gcsc with the matrix of gcsr; the text, as here, says columns of the
 * smallest dimension. */
#include "tensor/formats/kernel.h"

enum { LINEAR, ROWS, COLUMNS, ALTO }; /* trib_format.variant */

typedef struct keyed {
    bool wide; /* numbers have 128 bits, else 64 */
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    uint64_t *low, *high; /* [nnz] the numbers; high only when wide */
    double *value;        /* [nnz] */

    /* alto */
    uint8_t bits[TRIB_MAX_MODES]; /* of an index */
    trib_morton *places;          /* from a number to the packed key */
    /* The bits of a number that belong to each mode. */
    uint64_t low_mask[TRIB_MAX_MODES], high_mask[TRIB_MAX_MODES];

    /* gcsr, gcsc */
    uint32_t n_lines;     /* rows of the matrix (gcsr), or its columns (gcsc) */
    uint32_t *line_start; /* [n_lines+1] line j holds nonzeros line_start[j] .. line_start[j+1]-1 */
    trib_key n_columns;   /* cells of a line */
} keyed;

/* Prepares tensor->data with room for the numbers and values. */
static keyed *begin(trib_building *b) {
    keyed *x = b->tensor->data;
    x->wide = trib_is_wide(b->table);
    x->n_modes = b->table->n_modes;
    memcpy(x->dim, b->table->dim, sizeof x->dim);
    memcpy(x->bits, b->table->bits, sizeof x->bits);
    x->low = trib_tensor_array(b, b->table->nnz, sizeof *x->low, "numbers");
    if (x->wide) x->high = trib_tensor_array(b, b->table->nnz, sizeof *x->high, "numbers");
    x->value = trib_tensor_array(b, b->table->nnz, sizeof *x->value, "values");
    return x;
}

/* The row-major address of an index: sum over m of i_m * product over k > m of dim_k. */
TRIB_INLINE trib_key address_of(const keyed *x, const uint32_t index[]) {
    trib_key address = 0;
    for (uint32_t m = 0; m < x->n_modes; m++) address = address * x->dim[m] + index[m];
    return address;
}

/* The indices of an address: division in 64 bits where they suffice. */
TRIB_INLINE void split(const keyed *x, uint32_t n_modes, bool wide, trib_key address,
                       uint32_t index[]) {
    uint64_t low = (uint64_t)address;
    for (uint32_t m = n_modes; m-- > 1;) {
        index[m] = (uint32_t)(wide ? address % x->dim[m] : low % x->dim[m]);
        if (wide) address /= x->dim[m];
        else low /= x->dim[m];
    }
    index[0] = (uint32_t)(wide ? address : low);
}

/* The number of nonzero e. Not a conditional expression: gcc 13.3 and 14.2 compile `b ? x | y : y`
 * to code that reads x for any b, and there is no x->high when the numbers are narrow. */
TRIB_INLINE trib_key number_of(const keyed *x, bool wide, size_t e) {
    if (!wide) return x->low[e];
    return (trib_key)x->high[e] << 64 | x->low[e];
}

TRIB_INLINE void set(keyed *x, size_t e, trib_key number, double value) {
    x->low[e] = (uint64_t)number;
    if (x->wide) x->high[e] = (uint64_t)(number >> 64);
    x->value[e] = value;
}

/* The indices of a number of alto. */
TRIB_INLINE void decode(const keyed *x, uint32_t n_modes, bool wide, trib_key number,
                        uint32_t index[]) {
    trib_key side_by_side = 0;
    uint64_t narrow = 0;
    for (uint32_t k = 0; k < (wide ? 16 : 8); k++) {
        const trib_key *place =
            &x->places->place[k][wide ? number >> 8 * k & 255 : (uint64_t)number >> 8 * k & 255];
        if (wide) side_by_side |= *place;
        else narrow |= (uint64_t)*place;
    }
    trib_key_unpack(x->bits, n_modes, wide ? side_by_side : narrow, index, wide);
}

/* The indices of nonzero e, for a variant of the format. *line, used by gcsr and gcsc alone, is a
 * line at or before that of the nonzero; on return it is the line of the nonzero. */
TRIB_INLINE void locate(const keyed *x, uint32_t n_modes, bool wide, uint32_t variant, size_t e,
                        uint32_t *line, uint32_t index[]) {
    trib_key number = number_of(x, wide, e);
    while ((variant == ROWS || variant == COLUMNS) && e >= x->line_start[*line + 1]) ++*line;
    if (variant == ROWS) number += *line * x->n_columns;
    if (variant == COLUMNS) number = number * x->n_lines + *line;
    if (variant == ALTO) decode(x, n_modes, wide, number, index);
    else split(x, n_modes, wide, number, index);
}

static void read_keyed(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                       double *value) {
    const keyed *x = tensor->data;
    uint32_t line = x->line_start ? trib_range_of(x->line_start, x->n_lines, first) : 0;
    for (size_t i = 0; i < n; i++) {
        locate(x, x->n_modes, x->wide, tensor->format->variant, first + i, &line,
               index + i * x->n_modes);
        value[i] = x->value[first + i];
    }
}

/* Adds the terms of the task's nonzeros to its result. */
TRIB_INLINE void add_keyed(uint32_t n_modes, uint32_t rank, bool wide, uint32_t variant,
                           const keyed *x, const trib_task *task) {
    const double *row[TRIB_MAX_MODES];
    uint32_t index[TRIB_MAX_MODES], line = 0;
    for (size_t i = task->first; i < task->last; i++) {
        const size_t e = task->items ? task->items[i] : i;
        locate(x, n_modes, wide, variant, e, &line, index);
        for (uint32_t k = 0; k + 1 < n_modes; k++)
            row[k] = task->other[k] + (size_t)index[task->other_mode[k]] * rank;
        trib_add_term(task->out + (size_t)index[task->mode] * rank, row, n_modes - 1, x->value[e],
                      rank);
    }
}

/* ---- alto ------------------------------------------------------------------------------------ */

/* Which bits of the numbers are those of each mode, and where they go in a packed key. */
static void find_places(keyed *x, const trib_hacoo *table) {
    trib_morton_init(x->places, table, true);
    for (uint32_t m = table->n_modes, first = 0; m-- > 0; first += table->bits[m]) {
        const trib_key index = (((trib_key)1 << table->bits[m]) - 1) << first;
        const trib_key code = trib_key_morton(table, index);
        x->low_mask[m] = (uint64_t)code;
        x->high_mask[m] = (uint64_t)(code >> 64);
    }
}

/* Numbers of 128 bits and their values. */
static void place_wide(trib_building *b, keyed *x) {
    const trib_hacoo *table = b->table;
    TRIB_FREED(trib_morton *) morton = NULL;
    uint32_t index[TRIB_MAX_MODES];
    trib_building_sort(b, NULL);
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&morton, 1, "a Morton table", b->error);
    if (b->status == TRIB_OK) trib_morton_init(morton, table, false);
    for (size_t i = 0; b->status == TRIB_OK && i < table->nnz; i++) {
        const double value = trib_building_take(b, i, index);
        const trib_key key = trib_entry_key(table->entry, b->order[i], true);
        set(x, i, trib_morton_move(morton, table->key_bits, key, true), value);
    }
}

static void build_codes(trib_building *b) {
    keyed *x = begin(b);
    x->places = trib_tensor_array(b, 1, sizeof *x->places, "bytes");
    if (b->status != TRIB_OK) return;
    find_places(x, b->table);
    if (x->wide) place_wide(b, x);
    else
        b->status =
            trib_order_codes(b->table, b->values, x->low, x->value, b->tensor->n_threads, b->error);
}

/* As published: a mode's index is gathered out of the number. */
TRIB_INLINE void add_gathered(uint32_t n_modes, uint32_t rank, bool wide, const keyed *x,
                              const trib_task *task) {
    const double *row[TRIB_MAX_MODES];
    uint64_t low[TRIB_MAX_MODES], high[TRIB_MAX_MODES]; /* masks: of the others, then of `mode` */
    uint32_t n_low[TRIB_MAX_MODES];
    for (uint32_t k = 0; k < n_modes; k++) {
        const uint32_t m = k + 1 < n_modes ? task->other_mode[k] : task->mode;
        low[k] = x->low_mask[m];
        high[k] = x->high_mask[m];
        n_low[k] = (uint32_t)__builtin_popcountll(low[k]);
    }
    for (size_t i = task->first; i < task->last; i++) {
        const size_t e = task->items ? task->items[i] : i;
        uint64_t index[TRIB_MAX_MODES];
        for (uint32_t k = 0; k < n_modes; k++) {
            index[k] = trib_gather(x->low[e], low[k]);
            if (wide) index[k] |= trib_gather(x->high[e], high[k]) << n_low[k];
        }
        for (uint32_t k = 0; k + 1 < n_modes; k++) row[k] = task->other[k] + index[k] * rank;
        trib_add_term(task->out + index[n_modes - 1] * rank, row, n_modes - 1, x->value[e], rank);
    }
}

TRIB_KERNEL(void, add_alto_terms,
            (uint32_t n_modes, uint32_t rank, const keyed *x, const trib_task *task),
            (n_modes, rank, x, task)) {
    if (x->wide) add_keyed(n_modes, rank, true, ALTO, x, task);
    else TRIB_SPECIALISE(add_keyed, n_modes, rank, false, ALTO, x, task);
}

TRIB_KERNEL(void, add_gathered_terms,
            (uint32_t n_modes, uint32_t rank, const keyed *x, const trib_task *task),
            (n_modes, rank, x, task)) {
    if (x->wide) add_gathered(n_modes, rank, true, x, task);
    else TRIB_SPECIALISE(add_gathered, n_modes, rank, false, x, task);
}

static void add_codes(const trib_tensor *tensor, const trib_task *task, uint32_t rank) {
    if (trib_can_gather()) add_gathered_terms(tensor->n_modes, rank, tensor->data, task);
    else add_alto_terms(tensor->n_modes, rank, tensor->data, task);
}

const trib_format trib_format_alto = {
    .name = "alto",
    .help = "the indices' bits interleaved in one number, in its order (Helal et al. 2021)",
    .size = sizeof(keyed),
    .order = TRIB_ALONG_CURVE,
    .variant = ALTO,
    .build = build_codes,
    .read = read_keyed,
    .add = add_codes,
    .row_cost = 3,
};

/* ---- Addresses ------------------------------------------------------------------------------- */

/* The matrix of [S]: lines of the smallest dimension. A vector is one line. */
static void shape_lines(keyed *x) {
    bool taken = false;
    x->n_lines = x->n_modes > 1 ? x->dim[0] : 1;
    for (uint32_t m = 1; m < x->n_modes; m++)
        if (x->dim[m] < x->n_lines) x->n_lines = x->dim[m];
    x->n_columns = 1;
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (x->dim[m] == x->n_lines && !taken) taken = true;
        else x->n_columns *= x->dim[m];
}

static uint32_t line_of(const keyed *x, uint32_t variant, trib_key address) {
    return (uint32_t)(variant == ROWS ? address / x->n_columns : address % x->n_lines);
}

/* Numbers and values line by line, those of a line in the order of the entries. */
static void place_in_lines(trib_building *b, keyed *x) {
    const uint32_t variant = b->tensor->format->variant;
    uint32_t index[TRIB_MAX_MODES], *next = NULL;
    x->line_start = trib_tensor_array(b, (size_t)x->n_lines + 1, sizeof *x->line_start, "lines");
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&next, x->n_lines, "sorting", b->error);
    if (b->status != TRIB_OK) return;
    for (size_t e = 0; e < b->table->nnz; e++) {
        trib_hacoo_entry(b->table, e, index);
        x->line_start[line_of(x, variant, address_of(x, index)) + 1]++;
    }
    for (uint32_t j = 0; j < x->n_lines; j++) {
        next[j] = x->line_start[j];
        x->line_start[j + 1] += x->line_start[j];
    }
    for (size_t i = 0; i < b->table->nnz; i++) {
        const double value = trib_building_take(b, i, index);
        const trib_key address = address_of(x, index);
        set(x, next[line_of(x, variant, address)]++,
            variant == ROWS ? address % x->n_columns : address / x->n_lines, value);
    }
    trib_free(next);
}

static void build_addresses(trib_building *b) {
    keyed *x = begin(b);
    uint32_t index[TRIB_MAX_MODES];
    if (b->tensor->format->variant != LINEAR) {
        shape_lines(x);
        place_in_lines(b, x);
        return;
    }
    for (size_t i = 0; b->status == TRIB_OK && i < b->table->nnz; i++) {
        const double value = trib_building_take(b, i, index);
        set(x, i, address_of(x, index), value);
    }
}

/* Most of the time goes into division, so only two shapes have code of their own. */
TRIB_INLINE void add_divided(uint32_t n_modes, uint32_t rank, uint32_t variant, const keyed *x,
                             const trib_task *task) {
    if (x->wide) add_keyed(n_modes, rank, true, variant, x, task);
    else if (n_modes == 3) add_keyed(3, rank, false, variant, x, task);
    else add_keyed(n_modes, rank, false, variant, x, task);
}

TRIB_KERNEL(void, add_address_terms,
            (uint32_t n_modes, uint32_t rank, uint32_t variant, const keyed *x,
             const trib_task *task),
            (n_modes, rank, variant, x, task)) {
    if (variant == LINEAR) add_divided(n_modes, rank, LINEAR, x, task);
    else if (variant == ROWS) add_divided(n_modes, rank, ROWS, x, task);
    else add_divided(n_modes, rank, COLUMNS, x, task);
}

static void add_addresses(const trib_tensor *tensor, const trib_task *task, uint32_t rank) {
    add_address_terms(tensor->n_modes, rank, tensor->format->variant, tensor->data, task);
}

#define ADDRESSES(which, ...)                                                                      \
    {                                                                                              \
        .size = sizeof(keyed), .order = TRIB_LEXICOGRAPHIC, .sorted = true, .variant = which,      \
        .build = build_addresses, .read = read_keyed, .add = add_addresses, .row_cost = 2,         \
        __VA_ARGS__                                                                                \
    }

const trib_format trib_format_linear =
    ADDRESSES(LINEAR, .name = "linear",
              .help = "the row-major address of every nonzero (Dong, Wu, Byna 2024)");
const trib_format trib_format_gcsr =
    ADDRESSES(ROWS, .name = "gcsr",
              .help = "GCSR++, addresses as a matrix compressed by rows (Dong, Wu, Byna 2024)");
const trib_format trib_format_gcsc =
    ADDRESSES(COLUMNS, .name = "gcsc",
              .help = "GCSC++, addresses as a matrix compressed by columns (Dong, Wu, Byna 2024)");
