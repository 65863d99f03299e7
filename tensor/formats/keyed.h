/* keyed.h - what alto, linear, gcsr and gcsc share: each nonzero stores one number that stands for
 * all its indices. Private to tensor/formats/.
 *
 * A format says how a number is made of the indices and how it is decoded (a trib_keyed_decode).
 * The inline functions here take its decoder as a constant argument, so that the compiler writes
 * out the loop of each format. */
#ifndef TRIBUTARY_FORMATS_KEYED_H
#define TRIBUTARY_FORMATS_KEYED_H

#include "tensor/formats/kernel.h"

#include <string.h>

typedef struct trib_keyed {
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
} trib_keyed;

/* The indices of nonzero e, for a variant of the format. *line, used by gcsr and gcsc alone, is a
 * line at or before that of the nonzero; on return it is the line of the nonzero. */
typedef void trib_keyed_decode(const trib_keyed *x, uint32_t n_modes, bool wide, uint32_t variant,
                               size_t e, uint32_t *line, uint32_t index[]);

/* Prepares tensor->data with room for the numbers and values. */
TRIB_INLINE trib_keyed *trib_keyed_begin(trib_building *b) {
    trib_keyed *x = b->tensor->data;
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
TRIB_INLINE trib_key trib_keyed_address(const trib_keyed *x, const uint32_t index[]) {
    trib_key address = 0;
    for (uint32_t m = 0; m < x->n_modes; m++) address = address * x->dim[m] + index[m];
    return address;
}

/* The indices of an address: division in 64 bits where they suffice. */
TRIB_INLINE void trib_keyed_split(const trib_keyed *x, uint32_t n_modes, bool wide,
                                  trib_key address, uint32_t index[]) {
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
TRIB_INLINE trib_key trib_keyed_number(const trib_keyed *x, bool wide, size_t e) {
    if (!wide) return x->low[e];
    return (trib_key)x->high[e] << 64 | x->low[e];
}

TRIB_INLINE void trib_keyed_set(trib_keyed *x, size_t e, trib_key number, double value) {
    x->low[e] = (uint64_t)number;
    if (x->wide) x->high[e] = (uint64_t)(number >> 64);
    x->value[e] = value;
}

/* The trib_format.read of a format, from a nonzero in `line` on. */
TRIB_INLINE void trib_keyed_read(const trib_tensor *tensor, trib_keyed_decode *decode,
                                 uint32_t line, size_t first, size_t n, uint32_t *index,
                                 double *value) {
    const trib_keyed *x = tensor->data;
    for (size_t i = 0; i < n; i++) {
        decode(x, x->n_modes, x->wide, tensor->format->variant, first + i, &line,
               index + i * x->n_modes);
        value[i] = x->value[first + i];
    }
}

/* Adds the terms of the task's nonzeros to its result. */
TRIB_INLINE void trib_keyed_add(uint32_t n_modes, uint32_t rank, bool wide, uint32_t variant,
                                trib_keyed_decode *decode, const trib_keyed *x,
                                const trib_task *task) {
    const double *row[TRIB_MAX_MODES];
    uint32_t index[TRIB_MAX_MODES], line = 0;
    for (size_t i = task->first; i < task->last; i++) {
        const size_t e = task->items ? task->items[i] : i;
        decode(x, n_modes, wide, variant, e, &line, index);
        for (uint32_t k = 0; k + 1 < n_modes; k++)
            row[k] = task->other[k] + (size_t)index[task->other_mode[k]] * rank;
        trib_add_term(task->out + (size_t)index[task->mode] * rank, row, n_modes - 1, x->value[e],
                      rank);
    }
}

#endif
