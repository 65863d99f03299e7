/* building.c - what formats use to build a tensor: its arrays, the order of its entries, search in
 * ascending numbers, and lanes.
 *
 * A lane owns a range of rows of one mode and lists or copies the nonzeros in these rows, in the
 * format's order. The thread that computes a lane adds the terms of each row in that order, which
 * is the order of a scan of the whole tensor. So the bits do not depend on the number of threads,
 * and no two threads write to the same row. */
#include "tensor/formats/kernel.h"

#include <pthread.h>

/* ---- Arrays and order ------------------------------------------------------------------------ */

void trib_tensor_keep(trib_building *b, void *array, size_t bytes) {
    static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
    trib_pool *pool = &b->tensor->pool;
    pthread_mutex_lock(&keeping);
    pool->error = b->error;
    if (trib_pool_keep(pool, array)) b->tensor->n_bytes += bytes;
    if (pool->status != TRIB_OK) b->status = pool->status;
    pthread_mutex_unlock(&keeping);
}

void *trib_tensor_array(trib_building *b, size_t n, size_t size, const char *what) {
    void *array = NULL;
    if (b->status == TRIB_OK) b->status = trib_new(&array, n, size, what, b->error);
    trib_tensor_keep(b, array, n * size);
    return b->status == TRIB_OK ? array : NULL;
}

void trib_building_sort(trib_building *b, const uint32_t mode[]) {
    const trib_tensor *tensor = b->tensor;
    if (b->status == TRIB_OK && !b->order)
        b->status = TRIB_NEW(&b->order, tensor->nnz, "sorting", b->error);
    if (b->status != TRIB_OK) return;
    b->status = mode ? trib_order_by_modes(b->table, mode, b->order, b->error)
                     : trib_order_entries(b->table, tensor->format->order == TRIB_ALONG_CURVE,
                                          b->order, tensor->n_threads, b->error);
}

/* ---- Search ---------------------------------------------------------------------------------- */

uint32_t trib_place_of(const uint32_t *ascending, size_t n, uint32_t i) {
    size_t low = 0;
    for (size_t high = n; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (ascending[middle] < i) low = middle + 1;
        else high = middle;
    }
    return (uint32_t)low;
}

uint32_t trib_range_of(const uint32_t *start, size_t n, size_t i) {
    size_t low = 0;
    for (size_t high = n; high - low > 1;) {
        const size_t middle = low + (high - low) / 2;
        if (start[middle] <= i) low = middle;
        else high = middle;
    }
    return (uint32_t)low;
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

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

void trib_lanes_cut(trib_building *b) {
    trib_tensor *tensor = b->tensor;
    const uint32_t n_modes = tensor->n_modes;
    if (tensor->n_threads <= 1 || tensor->nnz == 0) return;
    /* A lane with a list needs one more pass over the whole tensor; a lane of consecutive nonzeros
     * does not. */
    const bool listed = !tensor->format->consecutive && !tensor->format->copy;
    const int per_thread = listed ? 1 : RANGES_PER_THREAD;
    uint32_t n = MAX_LANES;
    if (tensor->n_threads < MAX_LANES / per_thread) n = (uint32_t)(tensor->n_threads * per_thread);
    size_t *n_in = NULL, n_slots = 0; /* [n_modes][n_slots] */
    uint32_t shift[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < n_modes; m++) {
        shift[m] = slot_shift(tensor->dim[m]);
        const size_t slots = ((tensor->dim[m] - 1) >> shift[m]) + 1;
        if (slots > n_slots) n_slots = slots;
    }
    uint32_t *row = trib_tensor_array(b, (size_t)n_modes * (n + 1), sizeof *row, "lanes");
    if (b->status == TRIB_OK)
        b->status = TRIB_NEW(&n_in, n_modes * n_slots, "row counts", b->error);
    if (b->status != TRIB_OK) return;
    for (size_t e = 0; e < tensor->nnz; e++) {
        trib_hacoo_entry(b->table, e, index);
        for (uint32_t m = 0; m < n_modes; m++) n_in[m * n_slots + (index[m] >> shift[m])]++;
    }
    for (uint32_t m = 0; m < n_modes; m++)
        cut_mode(row + m * (n + 1), n, tensor->dim[m], shift[m], tensor->format->row_cost,
                 n_in + m * n_slots);
    tensor->lanes = (trib_lanes){.n = n, .row = row};
    trib_free(n_in);
}

void trib_lanes_collect(trib_building *b) {
    enum { BLOCK = 256 };
    const trib_tensor *tensor = b->tensor;
    trib_lanes *lanes = &b->tensor->lanes;
    const uint32_t n = lanes->n, n_modes = tensor->n_modes;
    const size_t nnz = tensor->nnz;
    if (n == 0) return;
    uint32_t index[BLOCK * TRIB_MAX_MODES];
    double value[BLOCK];
    size_t *next = NULL; /* [n_modes][n] where the next item of a lane goes */
    lanes->first = trib_tensor_array(b, (size_t)n_modes * (n + 1), sizeof *lanes->first, "lanes");
    if (!tensor->format->copy)
        lanes->order = trib_tensor_array(b, n_modes * nnz, sizeof *lanes->order, "lanes");
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&next, (size_t)n_modes * n, "lanes", b->error);
    if (b->status != TRIB_OK) return;
    for (int pass = 0; pass < 2; pass++) { /* the first pass counts, the second stores */
        for (size_t at = 0; at < nnz; at += BLOCK) {
            const size_t got = nnz - at < BLOCK ? nnz - at : BLOCK;
            tensor->format->read(tensor, at, got, index, value);
            for (size_t i = 0; i < got; i++)
                for (uint32_t m = 0; m < n_modes; m++) {
                    const uint32_t lane =
                        trib_range_of(lanes->row + m * (n + 1), n, index[i * n_modes + m]);
                    if (pass == 0) lanes->first[m * (n + 1) + lane + 1]++;
                    else if (lanes->order) lanes->order[next[m * n + lane]++] = (uint32_t)(at + i);
                    else tensor->format->copy(tensor, next[m * n + lane]++, at + i);
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
    trib_free(next);
}

trib_task trib_task_of(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                       const double *const factor[], double *out, uint32_t lane, size_t n_items) {
    trib_task task = {
        .mode = mode, .out = out, .stride = rank, .out_stride = rank, .last = n_items};
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (m != mode) {
            task.other_mode[task.n_others] = m;
            task.other[task.n_others++] = factor[m];
        }
    if (lane == TRIB_EVERY_LANE) return task;
    const size_t *first = tensor->lanes.first + mode * (tensor->lanes.n + 1) + lane;
    task.items = tensor->lanes.order;
    task.copied = !task.items;
    task.first = first[0];
    task.last = first[1];
    return task;
}
