/* keyed.c - the organisations that store one number per nonzero for all its indices.
 *
 *     alto    the indices' bits interleaved, as many of each mode as its size asks for; along the line they make
 *     linear  the row-major address, sum over m of i_m * product over k > m of dim_k
 *     gcsr    that address as a matrix of (smallest dimension) rows, compressed by rows: start of the row, column
 *     gcsc    the same with (smallest dimension) columns, compressed by columns: start of the column, row
 *
 * Numbers have 64 bits, or 128 where the dimensions ask for it. Sources: Helal et al., ALTO, 2021; [S] Dong, Wu, Byna
 * 2024, sections II.B to II.D and algorithm 1. The figure of [S] shows gcsc with the matrix of gcsr; the text, as here,
 * says columns of the smallest dimension. */
#include "tensor/entry.h"
#include "tensor/formats/bits.h"
#include "tensor/formats/box.h"
#include "tensor/formats/kernel.h"
#include "tensor/formats/lanes.h"
#include "tensor/formats/table.h"
#include "tensor/order.h"

#include <string.h>

typedef enum kind { ALTO, LINEAR, GCSR, GCSC } kind;

typedef struct keyed {
    bool wide; /* numbers of 128 bits */
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    uint8_t bits[TRIB_MAX_MODES]; /* of an index, alto */
    uint64_t *low, *high;         /* [nnz] the numbers; high only when wide */
    double *value;                /* [nnz] */
    trib_key *
        place; /* [16][256] alto: byte k of a number being v puts these bits of the indices side by side */
    uint64_t low_mask[TRIB_MAX_MODES], high_mask[TRIB_MAX_MODES]; /* alto: a mode's bits of it */
    uint32_t n_lines;                                             /* gcsr: rows, gcsc: columns */
    uint32_t *line_start; /* [n_lines+1] line j holds nonzeros line_start[j] .. line_start[j+1]-1 */
    trib_key n_columns;   /* of the matrix, gcsr */
} keyed;

static trib_key address_of(const keyed *x, const uint32_t index[]) {
    trib_key address = 0;
    for (uint32_t m = 0; m < x->n_modes; m++) address = address * x->dim[m] + index[m];
    return address;
}

/* An address back into its indices: division in 64 bits where they suffice. */
TRIB_INLINE void split(const keyed *x, uint32_t n_modes, trib_key address, uint32_t index[],
                       bool wide) {
    uint64_t low = (uint64_t)address;
    for (uint32_t m = n_modes; m-- > 1;) {
        index[m] = (uint32_t)(wide ? address % x->dim[m] : low % x->dim[m]);
        if (wide) address /= x->dim[m];
        else low /= x->dim[m];
    }
    index[0] = (uint32_t)(wide ? address : low);
}

/* The indices of nonzero e; *line, of gcsr and gcsc, is its line or one before it, and then its line. */
TRIB_INLINE void decode(uint32_t n_modes, kind of, bool wide, const keyed *x, size_t e,
                        uint32_t *line, uint32_t index[]) {
    uint64_t low = x->low[e];
    trib_key key = wide ? (trib_key)x->high[e] << 64 | low : low;
    if (of == ALTO) {
        trib_key side_by_side = 0;
        uint64_t narrow = 0;
        for (uint32_t k = 0; k < (wide ? 16 : 8); k++) {
            const trib_key *place =
                x->place + k * 256 + (wide ? key >> 8 * k & 255 : low >> 8 * k & 255);
            if (wide) side_by_side |= *place;
            else narrow |= (uint64_t)*place;
        }
        trib_key_unpack(x->bits, n_modes, wide ? side_by_side : narrow, index, wide);
        return;
    }
    if (of != LINEAR)
        while (e >= x->line_start[*line + 1]) ++*line;
    if (of == GCSR) key += *line * x->n_columns;
    if (of == GCSC) key = key * x->n_lines + *line;
    split(x, n_modes, key, index, wide);
}

/* Which bits of the indices side by side each byte of an interleaved number holds. */
static trib_status build_places(keyed *x, const trib_hacoo *source, trib_error *error) {
    const trib_status status = trib_new(&x->place, 16 * 256, sizeof *x->place, "bytes", error);
    uint32_t mode = source->n_modes - 1,
             of_mode = 0; /* the mode of a bit of the indices side by side */
    for (uint32_t bit = 0; status == TRIB_OK && bit < source->key_bits; bit++, of_mode++) {
        if (of_mode == source->bits[mode]) mode--, of_mode = 0;
        const trib_key code = trib_key_morton(source, (trib_key)1 << bit);
        x->low_mask[mode] |= (uint64_t)code;
        x->high_mask[mode] |= (uint64_t)(code >> 64);
        uint32_t at = 0;
        while (code >> at != 1) at++;
        for (uint32_t v = 0; v < 256; v++)
            if (v >> at % 8 & 1) x->place[at / 8 * 256 + v] |= (trib_key)1 << bit;
    }
    return status;
}

/* The matrix of [S]: lines of the smallest dimension. A vector is one line. */
static trib_status build_lines(keyed *x, trib_error *error) {
    x->n_lines = x->n_modes > 1 ? x->dim[0] : 1;
    for (uint32_t m = 1; m < x->n_modes; m++)
        if (x->dim[m] < x->n_lines) x->n_lines = x->dim[m];
    bool taken = false;
    x->n_columns = 1;
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (x->dim[m] == x->n_lines && !taken) taken = true;
        else x->n_columns *= x->dim[m];
    return trib_new(&x->line_start, (size_t)x->n_lines + 1, sizeof *x->line_start, "lines", error);
}

static uint32_t line_of(const keyed *x, kind of, trib_key address) {
    return (uint32_t)(of == GCSR ? address / x->n_columns : address % x->n_lines);
}

/* Numbers and values, the entries taken in `order`; each line's in that order too. */
static trib_status place_numbers(keyed *x, kind of, const trib_hacoo *source, const double *values,
                                 const uint32_t *order, trib_error *error) {
    uint32_t index[TRIB_MAX_MODES], *next = NULL;
    trib_morton *morton = NULL;
    const bool lines = of == GCSR || of == GCSC;
    trib_status status = TRIB_OK;
    if (lines) status = trib_new(&next, x->n_lines, sizeof *next, "sorting", error);
    if (of == ALTO) status = trib_new(&morton, 1, sizeof *morton, "a Morton table", error);
    if (status != TRIB_OK) return status;
    if (morton) trib_morton_init(morton, source);
    for (size_t e = 0; lines && e < source->nnz; e++) {
        trib_hacoo_entry(source, e, index);
        x->line_start[line_of(x, of, address_of(x, index)) + 1]++;
    }
    for (uint32_t j = 0; lines && j < x->n_lines; j++) {
        next[j] = x->line_start[j];
        x->line_start[j + 1] += x->line_start[j];
    }
    for (size_t i = 0; i < source->nnz; i++) {
        trib_entry_fetch(source, order, i);
        const uint32_t e = order[i], count = trib_hacoo_entry(source, e, index);
        size_t at = i;
        trib_key number;
        if (morton)
            number = trib_morton_code(morton, source, trib_entry_key(source->entry, e, x->wide));
        else number = address_of(x, index);
        if (lines) {
            at = next[line_of(x, of, number)]++;
            number = of == GCSR ? number % x->n_columns : number / x->n_lines;
        }
        x->low[at] = (uint64_t)number;
        if (x->wide) x->high[at] = (uint64_t)(number >> 64);
        x->value[at] = values ? values[e] : count;
    }
    trib_free(next);
    trib_free(morton);
    return TRIB_OK;
}

static trib_status build(trib_tensor *tensor, kind of, const trib_hacoo *source,
                         const double *values, trib_error *error) {
    const size_t nnz = source->nnz;
    keyed *x = NULL;
    uint32_t *order = NULL;
    trib_status status = trib_new(&x, 1, sizeof *x, "a tensor", error);
    if (status != TRIB_OK) return status;
    tensor->data = x;
    x->wide = trib_is_wide(source);
    x->n_modes = source->n_modes;
    memcpy(x->dim, source->dim, sizeof x->dim);
    memcpy(x->bits, source->bits, sizeof x->bits);
    status = trib_new(&x->low, nnz, sizeof *x->low, "numbers", error);
    if (status == TRIB_OK && x->wide)
        status = trib_new(&x->high, nnz, sizeof *x->high, "numbers", error);
    if (status == TRIB_OK) status = trib_new(&x->value, nnz, sizeof *x->value, "values", error);
    if (status == TRIB_OK && of == ALTO) status = build_places(x, source, error);
    if (status == TRIB_OK && of >= GCSR) status = build_lines(x, error);
    if (status == TRIB_OK) status = trib_new(&order, nnz, sizeof *order, "sorting", error);
    if (status == TRIB_OK)
        status = trib_order_entries(source, of == ALTO, order, tensor->n_threads, error);
    if (status == TRIB_OK) status = place_numbers(x, of, source, values, order, error);
    trib_free(order);
    if (status == TRIB_OK) status = trib_lanes_collect(tensor, error);
    return status;
}

static void release(trib_tensor *tensor) {
    keyed *x = tensor->data;
    trib_free(x->low);
    trib_free(x->high);
    trib_free(x->value);
    trib_free(x->place);
    trib_free(x->line_start);
    trib_free(x);
}

static void read(const trib_tensor *tensor, kind of, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const keyed *x = tensor->data;
    uint32_t line = 0;
    if (of >= GCSR) line = trib_lane_of_row(x->line_start, x->n_lines, (uint32_t)first);
    for (size_t i = 0; i < n; i++) {
        uint32_t *at = index + i * x->n_modes;
        if (x->wide) decode(x->n_modes, of, true, x, first + i, &line, at);
        else decode(x->n_modes, of, false, x, first + i, &line, at);
        value[i] = x->value[first + i];
    }
}

TRIB_INLINE void add_items(uint32_t n_modes, uint32_t rank, kind of, bool wide, const keyed *x,
                           const trib_task *task) {
    const double *row[TRIB_MAX_MODES];
    uint32_t index[TRIB_MAX_MODES], line = 0;
    for (size_t i = task->first; i < task->last; i++) {
        const size_t e = task->items ? task->items[i] : i;
        decode(n_modes, of, wide, x, e, &line, index);
        for (uint32_t k = 0; k + 1 < n_modes; k++)
            row[k] = task->other[k] + (size_t)index[task->other_mode[k]] * rank;
        trib_add_term(task->out + (size_t)index[task->mode] * rank, row, n_modes - 1, x->value[e],
                      rank);
    }
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

TRIB_KERNEL static void add_alto_terms(uint32_t n_modes, uint32_t rank, const keyed *x,
                                       const trib_task *task) {
    if (x->wide) add_items(n_modes, rank, ALTO, true, x, task);
    else TRIB_SPECIALISE(add_items, n_modes, rank, ALTO, false, x, task);
}

TRIB_KERNEL static void add_gathered_terms(uint32_t n_modes, uint32_t rank, const keyed *x,
                                           const trib_task *task) {
    if (x->wide) add_gathered(n_modes, rank, true, x, task);
    else TRIB_SPECIALISE(add_gathered, n_modes, rank, false, x, task);
}

/* Division is what these cost: no more than the usual shapes are worth making. */
TRIB_KERNEL static void add_address_terms(uint32_t n_modes, uint32_t rank, kind of, const keyed *x,
                                          const trib_task *task) {
    if (x->wide) add_items(n_modes, rank, of, true, x, task);
    else if (n_modes == 3) add_items(3, rank, of, false, x, task);
    else add_items(n_modes, rank, of, false, x, task);
}

static size_t bytes(const trib_tensor *tensor) {
    const keyed *x = tensor->data;
    return sizeof *x + tensor->nnz * ((x->wide ? 2 : 1) * sizeof *x->low + sizeof *x->value) +
           (x->place ? 16 * 256 * sizeof *x->place : 0) +
           (x->line_start ? ((size_t)x->n_lines + 1) * sizeof *x->line_start : 0);
}

/* The number of nonzero e. */
static trib_key number_of(const keyed *x, size_t e) {
    return (x->wide ? (trib_key)x->high[e] << 64 : 0) | x->low[e];
}

/* The first of nonzeros first .. last-1, whose numbers ascend, with a number of at least this. */
static size_t bisect(const keyed *x, size_t first, size_t last, trib_key number) {
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (number_of(x, middle) < number) first = middle + 1;
        else last = middle;
    }
    return first;
}

/* Between the addresses of the box's corners, in each line that has any of them. */
static bool seek_lines(const keyed *x, kind of, const trib_box *box, size_t *first, size_t *last) {
    uint32_t end[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < x->n_modes; m++) end[m] = box->upper[m] - 1;
    const trib_key low = address_of(x, box->lower), high = address_of(x, end);
    uint32_t line = trib_lane_of_row(x->line_start, x->n_lines, (uint32_t)*first);
    if (of == GCSR && line < line_of(x, of, low)) line = line_of(x, of, low);
    for (; line < x->n_lines; line++) {
        trib_key from = 0, to = x->n_columns - 1; /* numbers of the line */
        if (of == GCSR) {
            if (line > line_of(x, of, high)) break;
            if (line == line_of(x, of, low)) from = low % x->n_columns;
            if (line == line_of(x, of, high)) to = high % x->n_columns;
        } else {
            if (low == high && line < line_of(x, of, low)) line = line_of(x, of, low);
            if (low == high && line > line_of(x, of, low)) break;
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

static void place_alto(const trib_tensor *tensor, size_t e, uint32_t at[]) {
    double value;
    read(tensor, ALTO, e, 1, at, &value);
}

static void place_linear(const trib_tensor *tensor, size_t e, uint32_t at[]) {
    double value;
    read(tensor, LINEAR, e, 1, at, &value);
}

static bool seek(const trib_tensor *tensor, kind of, const trib_box *box, size_t *first,
                 size_t *last) {
    if (of >= GCSR) return seek_lines(tensor->data, of, box, first, last);
    const trib_sorted nonzeros = {tensor,
                                  {tensor->n_modes, of == ALTO, {0, 1, 2, 3, 4, 5, 6, 7}},
                                  tensor->nnz,
                                  of == ALTO ? place_alto : place_linear};
    if (!trib_sorted_next(&nonzeros, box, *first, first)) return false;
    *last = *first + 1;
    return true;
}

/* One row of the table: the functions above for one kind. */
#define ROW(label, KIND, text)                                                                     \
    static trib_status build_##label(trib_tensor *tensor, const trib_hacoo *source,                \
                                     const double *values, trib_error *error) {                    \
        return build(tensor, KIND, source, values, error);                                         \
    }                                                                                              \
    static void read_##label(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,   \
                             double *value) {                                                      \
        read(tensor, KIND, first, n, index, value);                                                \
    }                                                                                              \
    static void mttkrp_##label(const trib_tensor *tensor, uint32_t mode, uint32_t rank,            \
                               const double *const factor[], double *out, uint32_t lane) {         \
        const trib_task task = trib_task_of(tensor, mode, factor, out, lane, tensor->nnz);         \
        if (KIND == ALTO && trib_can_gather())                                                     \
            add_gathered_terms(tensor->n_modes, rank, tensor->data, &task);                        \
        else if (KIND == ALTO) add_alto_terms(tensor->n_modes, rank, tensor->data, &task);         \
        else add_address_terms(tensor->n_modes, rank, KIND, tensor->data, &task);                  \
    }                                                                                              \
    static bool seek_##label(const trib_tensor *tensor, const trib_box *box, size_t *first,        \
                             size_t *last) {                                                       \
        return seek(tensor, KIND, box, first, last);                                               \
    }                                                                                              \
    const trib_format trib_format_##label = {                                                      \
        .name = #label,                                                                            \
        .help = text,                                                                              \
        .build = build_##label,                                                                    \
        .release = release,                                                                        \
        .read = read_##label,                                                                      \
        .mttkrp = mttkrp_##label,                                                                  \
        .row_cost = KIND == ALTO ? 3 : 2,                                                          \
        .bytes = bytes,                                                                            \
        .seek = seek_##label,                                                                      \
    };

ROW(alto, ALTO, "the indices' bits interleaved in one number, in its order (Helal et al. 2021)")
ROW(linear, LINEAR, "the row-major address of every nonzero (Dong, Wu, Byna 2024)")
ROW(gcsr, GCSR, "GCSR++, addresses as a matrix compressed by rows (Dong, Wu, Byna 2024)")
ROW(gcsc, GCSC, "GCSC++, addresses as a matrix compressed by columns (Dong, Wu, Byna 2024)")
