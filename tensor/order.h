/* order.h - sorting the entries of a table by their indices. Private to tensor/ and
 * tensor/formats/. */
#ifndef TRIBUTARY_ORDER_H
#define TRIBUTARY_ORDER_H

#include "tensor/entry.h"

/* order[nnz] receives the numbers of the entries of `table` by ascending key: in lexicographic
 * order, or along the Morton curve. Allocates 20 bytes per nonzero and frees them before it
 * returns. TRIB_MEMORY. */
trib_status trib_order_entries(const trib_hacoo *table, bool morton, uint32_t *order, int n_threads,
                               trib_error *error);

/* The same in lexicographic order of the modes mode[0 .. n_modes-1]. */
trib_status trib_order_by_modes(const trib_hacoo *table, const uint32_t mode[], uint32_t *order,
                                trib_error *error);

/* The same for arbitrary numbers: order[n] receives 0 .. n-1 by ascending number(context, i); equal
 * numbers stay in order. Numbers have `n_bits` bits, at most 128. `number` is called from n_threads
 * threads, once per item, or twice beyond 64 bits. TRIB_MEMORY. */
trib_status trib_order_numbers(size_t n, uint32_t n_bits,
                               trib_key (*number)(const void *context, size_t i),
                               const void *context, uint32_t *order, int n_threads,
                               trib_error *error);

/* The nonzeros of a table with keys of 64 bits along the Morton curve: code[nnz] receives their
 * Morton codes, ascending, and value[nnz] their values, which are values[e] of entry e, or its
 * count when `values` is NULL. Allocates 16 bytes per nonzero and frees them before it returns.
 * TRIB_MEMORY. */
trib_status trib_order_codes(const trib_hacoo *table, const double *values, uint64_t *code,
                             double *value, int n_threads, trib_error *error);

#endif
