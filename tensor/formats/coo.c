/* coo.c - coordinates and values in plain arrays: along the Morton curve of the indices (`coo`), or
 * in the order of insertion (`coo-unsorted`).
 *
 * Neighbours on the curve share rows of every factor, so a scan finds them in the cache for every
 * mode. Because ids are in the order of descending frequency, this makes the scan about twice as
 * fast. Threads share the curve by superblocks. */
#include "base/internal.h"
#include "tensor/entry.h"
#include "tensor/formats/box.h"
#include "tensor/formats/kernel.h"
#include "tensor/formats/lanes.h"
#include "tensor/formats/schedule.h"
#include "tensor/formats/table.h"
#include "tensor/order.h"

#include <string.h>

typedef struct coo {
    uint32_t *index;        /* [nnz][n_modes] */
    double *value;          /* [nnz] */
    trib_schedule schedule; /* only `coo` */
} coo;

static trib_status build(trib_tensor *tensor, bool sorted, const trib_hacoo *source,
                         const double *values, trib_error *error) {
    const size_t nnz = source->nnz;
    const uint32_t n_modes = source->n_modes;
    coo *x = NULL;
    uint32_t *order = NULL;
    trib_status status = TRIB_NEW(&x, 1, "a tensor", error);
    if (status != TRIB_OK) return status;
    tensor->data = x;
    status = trib_new(&x->index, nnz, n_modes * sizeof *x->index, "coordinates", error);
    if (status == TRIB_OK) status = TRIB_NEW(&x->value, nnz, "values", error);
    if (status == TRIB_OK && sorted) status = TRIB_NEW(&order, nnz, "sorting", error);
    if (status == TRIB_OK && sorted)
        status = trib_order_entries(source, true, order, tensor->n_threads, error);
    for (size_t i = 0; status == TRIB_OK && i < nnz; i++) {
        const size_t e = sorted ? order[i] : i;
        const uint32_t count = trib_hacoo_entry(source, e, x->index + i * n_modes);
        x->value[i] = values ? values[e] : count;
    }
    trib_free(order);
    if (status == TRIB_OK)
        status = sorted ? trib_schedule_build(&x->schedule, tensor, 0, tensor->n_threads, error)
                        : trib_lanes_collect(tensor, error);
    return status;
}

static trib_status build_sorted(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                                trib_error *error) {
    return build(tensor, true, source, values, error);
}

static trib_status build_unsorted(trib_tensor *tensor, const trib_hacoo *source,
                                  const double *values, trib_error *error) {
    return build(tensor, false, source, values, error);
}

static void release(trib_tensor *tensor) {
    coo *x = tensor->data;
    TRIB_FREE(x->index, x->value);
    trib_schedule_release(&x->schedule);
    trib_free(x);
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const coo *x = tensor->data;
    memcpy(index, x->index + first * tensor->n_modes, n * tensor->n_modes * sizeof *index);
    memcpy(value, x->value + first, n * sizeof *value);
}

TRIB_INLINE void add_items(uint32_t n_modes, uint32_t rank, const coo *x, const trib_task *task) {
    const double *row[TRIB_MAX_MODES];
    for (size_t i = task->first; i < task->last; i++) {
        const size_t e = task->items ? task->items[i] : i;
        const uint32_t *index = x->index + e * n_modes;
        for (uint32_t k = 0; k + 1 < n_modes; k++)
            row[k] = task->other[k] + index[task->other_mode[k]] * task->stride;
        trib_add_term(task->out + (index[task->mode] - task->first_row) * task->out_stride, row,
                      n_modes - 1, x->value[e], rank);
    }
}

TRIB_KERNEL static void add_coo_terms(uint32_t n_modes, uint32_t rank, const coo *x,
                                      const trib_task *task) {
    TRIB_SPECIALISE(add_items, n_modes, rank, x, task);
}

/* `coo-unsorted`, by lanes. */
static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    trib_task task = trib_task_whole(tensor, mode, rank, factor, out);
    task.items = trib_lane_items(tensor, mode, lane, tensor->nnz, &task.first, &task.last);
    add_coo_terms(tensor->n_modes, rank, tensor->data, &task);
}

static void add_stretch(const trib_tensor *tensor, const trib_task *task, uint32_t width) {
    add_coo_terms(tensor->n_modes, width, tensor->data, task);
}

/* `coo`, by superblocks. */
static void multiply(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                     const double *const factor[], double *out, int n_threads) {
    const coo *x = tensor->data;
    trib_schedule_run(&x->schedule, tensor, mode, rank, factor, out, n_threads, add_stretch);
}

static size_t bytes(const trib_tensor *tensor) {
    const coo *x = tensor->data;
    return sizeof *x + trib_schedule_bytes(&x->schedule, tensor->n_modes) +
           tensor->nnz * (tensor->n_modes * sizeof *x->index + sizeof *x->value);
}

static void place(const trib_tensor *tensor, size_t e, uint32_t at[]) {
    const coo *x = tensor->data;
    memcpy(at, x->index + e * tensor->n_modes, tensor->n_modes * sizeof *at);
}

static bool seek(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last) {
    const trib_sorted nonzeros = {
        tensor, {.n_modes = tensor->n_modes, .morton = true}, tensor->nnz, place};
    if (!trib_sorted_next(&nonzeros, box, *first, first)) return false;
    *last = *first + 1;
    return true;
}

const trib_format trib_format_coo = {
    .name = "coo",
    .help = "coordinates in Morton order",
    .build = build_sorted,
    .release = release,
    .read = read,
    .bytes = bytes,
    .seek = seek,
    .multiply = multiply,
};

const trib_format trib_format_coo_unsorted = {
    .name = "coo-unsorted",
    .help = "coordinates as they arrived",
    .build = build_unsorted,
    .release = release,
    .read = read,
    .mttkrp = mttkrp,
    .row_cost = 2,
    .bytes = bytes,
};
