/* coo.c - coordinates and values in plain arrays: along the Morton curve of the indices (`coo`), or
 * in the order of insertion (`coo-unsorted`).
 *
 * Neighbours on the curve share rows of every factor, so a scan finds them in the cache for every
 * mode. Because ids are in the order of descending frequency, this makes the scan about twice as
 * fast. Threads share the curve by superblocks. */
#include "tensor/formats/kernel.h"

typedef struct coo {
    trib_schedule schedule; /* only `coo` */
    uint32_t *index;        /* [nnz][n_modes] */
    double *value;          /* [nnz] */
} coo;

static void build(trib_building *b) {
    coo *x = b->tensor->data;
    const size_t nnz = b->tensor->nnz, n_modes = b->tensor->n_modes;
    x->index = trib_tensor_array(b, nnz, n_modes * sizeof *x->index, "coordinates");
    x->value = trib_tensor_array(b, nnz, sizeof *x->value, "values");
    for (size_t i = 0; b->status == TRIB_OK && i < nnz; i++)
        x->value[i] = trib_building_take(b, i, x->index + i * n_modes);
    if (b->tensor->format->scheduled) trib_schedule_build(b, 0);
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

TRIB_KERNEL(void, add_coo_terms,
            (uint32_t n_modes, uint32_t rank, const coo *x, const trib_task *task),
            (n_modes, rank, x, task)) {
    TRIB_SPECIALISE(add_items, n_modes, rank, x, task);
}

static void add(const trib_tensor *tensor, const trib_task *task, uint32_t width) {
    add_coo_terms(tensor->n_modes, width, tensor->data, task);
}

const trib_format trib_format_coo = {
    .name = "coo",
    .help = "coordinates in Morton order",
    .size = sizeof(coo),
    .order = TRIB_ALONG_CURVE,
    .sorted = true,
    .build = build,
    .read = read,
    .add = add,
    .scheduled = true,
};

const trib_format trib_format_coo_unsorted = {
    .name = "coo-unsorted",
    .help = "coordinates as they arrived",
    .size = sizeof(coo),
    .build = build,
    .read = read,
    .add = add,
    .row_cost = 2,
};
