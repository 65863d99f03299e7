/* lanes.h - the division of an MTTKRP among threads. Private to tensor/formats/. The type
 * trib_lanes is in formats.h. */
#ifndef TRIBUTARY_LANES_H
#define TRIBUTARY_LANES_H

#include "tensor/formats/formats.h"

/* Divides the rows of every mode of `tensor`, whose sizes and nnz are set, into lanes: fills
 * lanes.n and lanes.row. For one thread there are no lanes. TRIB_MEMORY. */
trib_status trib_lanes_cut(trib_tensor *tensor, const trib_hacoo *source, int n_threads,
                           trib_error *error);

/* The lane of row i: the last of the n lanes that begins at or before it. */
uint32_t trib_lane_of_row(const uint32_t *row, uint32_t n, uint32_t i);

/* Fills lanes.first and lanes.order for a format whose items are its nonzeros, in the order of its
 * `read`. Does nothing without lanes. TRIB_MEMORY. */
trib_status trib_lanes_collect(trib_tensor *tensor, trib_error *error);

void trib_lanes_release(trib_lanes *lanes);

/* The items of a lane are numbers first .. last-1 of the returned list or, when NULL is returned,
 * of the format's own order. */
const uint32_t *trib_lane_items(const trib_tensor *tensor, uint32_t mode, uint32_t lane,
                                size_t n_items, size_t *first, size_t *last);

#endif
