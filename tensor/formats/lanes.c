/* lanes.c - disjoint ranges of rows for threads.
 *
 * A lane owns a range of rows of one mode and lists the nonzeros in these rows, in the format's
 * order. The thread that computes a lane adds the terms of each row in that order, which is the
 * order of a scan of the whole tensor. So the bits do not depend on the number of threads, and no
 * two threads write to the same row. */
#include "tensor/formats/lanes.h"

enum { RANGES_PER_THREAD = 16, MAX_LANES = 256, MAX_SLOTS = 1 << 16 };

/* Rows are counted in groups of 2^shift (slots), so that a mode of any size needs at most MAX_SLOTS
 * counters. */
static uint32_t slot_shift(uint32_t dim) {
    uint32_t shift = 0;
    while ((dim - 1) >> shift >= MAX_SLOTS) shift++;
    return shift;
}

/* Computes row[0 .. n] from the number of nonzeros per slot: each lane ends where its share of the
 * cost is reached. Most rows are those of rare words, which are not in the cache, so a row has a
 * cost besides its nonzeros. */
static void cut_mode(uint32_t *row, uint32_t n, uint32_t dim, uint32_t shift, uint32_t row_cost,
                     size_t *n_in) {
    const uint32_t n_slots = ((dim - 1) >> shift) + 1;
    const size_t rows_in_slot = (size_t)1 << shift;
    size_t all = 0, seen = 0;
    for (uint32_t slot = 0; slot < n_slots; slot++) {
        n_in[slot] += row_cost * (n_in[slot] < rows_in_slot ? n_in[slot] : rows_in_slot);
        all += n_in[slot];
    }
    uint32_t slot = 0;
    row[0] = 0;
    for (uint32_t lane = 1; lane < n; lane++) {
        const size_t share = all / n * lane + all % n * lane / n;
        while (slot < n_slots && seen < share) seen += n_in[slot++];
        const uint64_t end = (uint64_t)slot << shift;
        row[lane] = end < dim ? (uint32_t)end : dim;
    }
    row[n] = dim;
}

trib_status trib_lanes_cut(trib_tensor *tensor, const trib_hacoo *source, int n_threads,
                           trib_error *error) {
    trib_lanes *lanes = &tensor->lanes;
    const uint32_t n_modes = tensor->n_modes;
    if (n_threads <= 1 || tensor->nnz == 0) return TRIB_OK;
    /* A lane with a list needs one more pass over the whole tensor; a lane of consecutive nonzeros
     * does not. */
    const int per_thread = tensor->format->consecutive ? RANGES_PER_THREAD : 1;
    uint32_t n = MAX_LANES;
    if (n_threads < MAX_LANES / per_thread) n = (uint32_t)(n_threads * per_thread);
    size_t *n_in = NULL, n_slots = 0; /* [n_modes][n_slots] */
    uint32_t shift[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < n_modes; m++) {
        shift[m] = slot_shift(tensor->dim[m]);
        const size_t slots = ((tensor->dim[m] - 1) >> shift[m]) + 1;
        if (slots > n_slots) n_slots = slots;
    }
    trib_status status = TRIB_NEW(&lanes->row, (size_t)n_modes * (n + 1), "lanes", error);
    if (status == TRIB_OK) status = TRIB_NEW(&n_in, n_modes * n_slots, "row counts", error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < tensor->nnz; e++) {
        trib_hacoo_entry(source, e, index);
        for (uint32_t m = 0; m < n_modes; m++) n_in[m * n_slots + (index[m] >> shift[m])]++;
    }
    for (uint32_t m = 0; m < n_modes; m++)
        cut_mode(lanes->row + m * (n + 1), n, tensor->dim[m], shift[m], tensor->format->row_cost,
                 n_in + m * n_slots);
    lanes->n = n;
    trib_free(n_in);
    return TRIB_OK;
}

uint32_t trib_lane_of_row(const uint32_t *row, uint32_t n, uint32_t i) {
    uint32_t low = 0;
    for (uint32_t high = n; high - low > 1;) {
        const uint32_t middle = low + (high - low) / 2;
        if (row[middle] <= i) low = middle;
        else high = middle;
    }
    return low;
}

trib_status trib_lanes_collect(trib_tensor *tensor, trib_error *error) {
    enum { BLOCK = 256 };
    trib_lanes *lanes = &tensor->lanes;
    const uint32_t n = lanes->n, n_modes = tensor->n_modes;
    const size_t nnz = tensor->nnz;
    if (n == 0) return TRIB_OK;
    uint32_t index[BLOCK * TRIB_MAX_MODES];
    double value[BLOCK];
    size_t *next = NULL; /* [n_modes][n] where the next item of a lane goes */
    trib_status status = TRIB_NEW(&lanes->first, (size_t)n_modes * (n + 1), "lanes", error);
    if (status == TRIB_OK) status = TRIB_NEW(&lanes->order, n_modes * nnz, "lanes", error);
    if (status == TRIB_OK) status = TRIB_NEW(&next, (size_t)n_modes * n, "lanes", error);
    if (status != TRIB_OK) return status;
    for (int pass = 0; pass < 2; pass++) { /* the first pass counts, the second stores */
        for (size_t at = 0; at < nnz; at += BLOCK) {
            const size_t got = nnz - at < BLOCK ? nnz - at : BLOCK;
            tensor->format->read(tensor, at, got, index, value);
            for (size_t i = 0; i < got; i++)
                for (uint32_t m = 0; m < n_modes; m++) {
                    const uint32_t lane =
                        trib_lane_of_row(lanes->row + m * (n + 1), n, index[i * n_modes + m]);
                    if (pass == 0) lanes->first[m * (n + 1) + lane + 1]++;
                    else lanes->order[next[m * n + lane]++] = (uint32_t)(at + i);
                }
        }
        for (uint32_t m = 0; pass == 0 && m < n_modes; m++) {
            size_t *first = lanes->first + m * (n + 1);
            first[0] = m * nnz;
            for (uint32_t lane = 0; lane < n; lane++) {
                next[m * n + lane] = first[lane];
                first[lane + 1] += first[lane];
            }
        }
    }
    lanes->n_items = n_modes * nnz;
    trib_free(next);
    return TRIB_OK;
}

void trib_lanes_release(trib_lanes *lanes) {
    TRIB_FREE(lanes->row, lanes->first, lanes->order);
    *lanes = (trib_lanes){0};
}

const uint32_t *trib_lane_items(const trib_tensor *tensor, uint32_t mode, uint32_t lane,
                                size_t n_items, size_t *first, size_t *last) {
    *first = 0;
    *last = n_items;
    if (lane == TRIB_EVERY_LANE) return NULL;
    const size_t *of_mode = tensor->lanes.first + mode * (tensor->lanes.n + 1);
    *first = of_mode[lane];
    *last = of_mode[lane + 1];
    return tensor->lanes.order;
}
