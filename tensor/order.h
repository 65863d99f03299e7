/* order.h - the entries of a table in the order of their indices; private to tensor/. */
#ifndef TRIBUTARY_ORDER_H
#define TRIBUTARY_ORDER_H

#include "tensor/entry.h"

/* order[nnz] becomes the numbers of the entries of `table` by ascending key: lexicographic, or along the Morton curve.
 * Allocates 32 bytes per nonzero for the time of the call. TRIB_MEMORY. */
trib_status trib_order_entries(const trib_hacoo *table, bool morton, uint32_t *order, int n_threads,
                               trib_error *error);

/* The same by the modes mode[0 .. n_modes-1] in turn. */
trib_status trib_order_by_modes(const trib_hacoo *table, const uint32_t mode[], uint32_t *order,
                                trib_error *error);

/* The same for any numbers: order[n] becomes 0 .. n-1 by ascending number(context, i), equal ones as they stood. The
 * numbers have `n_bits` bits, at most 128. Calls `number` once or, beyond 64 bits, twice for each,
 * from n_threads threads. TRIB_MEMORY. */
trib_status trib_order_numbers(size_t n, uint32_t n_bits,
                               trib_key (*number)(const void *context, size_t i),
                               const void *context, uint32_t *order, int n_threads,
                               trib_error *error);

#endif
