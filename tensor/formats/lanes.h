/* lanes.h - the division of an MTTKRP among threads; private to tensor/formats/. trib_lanes itself is in formats.h. */
#ifndef TRIBUTARY_LANES_H
#define TRIBUTARY_LANES_H

#include "tensor/formats/formats.h"

/* Cuts the rows of every mode of `tensor` (sizes and nnz set) into lanes; with one thread there are none. Fills
 * lanes.n and lanes.row. TRIB_MEMORY. */
trib_status trib_lanes_cut(trib_tensor *tensor, const trib_hacoo *source, int n_threads,
                           trib_error *error);

/* The lane of row i: the last of the n that starts at or before it. */
uint32_t trib_lane_of_row(const uint32_t *row, uint32_t n, uint32_t i);

/* Fills lanes.first and lanes.order for a format whose items are its nonzeros, as its `read` gives them. Does nothing
 * without lanes. TRIB_MEMORY. */
trib_status trib_lanes_collect(trib_tensor *tensor, trib_error *error);

void trib_lanes_release(trib_lanes *lanes);

/* The items of a lane, first .. last-1 of trib_lanes.order, or of the format's own order when the result is NULL. */
const uint32_t *trib_lane_items(const trib_tensor *tensor, uint32_t mode, uint32_t lane,
                                size_t n_items, size_t *first, size_t *last);

#endif
