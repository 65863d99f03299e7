/* hacoo_format.c - the hash table itself as a format: a scan of its entry array, buckets never touched. Nothing is
 * copied; the table and the values are borrowed. */
#include "tensor/box.h"
#include "tensor/entry.h"
#include "tensor/formats.h"
#include "tensor/kernel.h"
#include "tensor/lanes.h"

typedef struct view {
    const trib_hacoo *table; /* borrowed */
    const double *values;    /* [nnz], borrowed; NULL: the counts */
} view;

static trib_status build(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                         trib_error *error) {
    view *x = NULL;
    const trib_status status = trib_new(&x, 1, sizeof *x, "a tensor", error);
    if (status != TRIB_OK) return status;
    *x = (view){source, values};
    tensor->data = x;
    return trib_lanes_collect(tensor, error);
}

static void release(trib_tensor *tensor) { trib_free(tensor->data); }

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const view *x = tensor->data;
    for (size_t i = 0; i < n; i++) {
        const uint32_t count = trib_hacoo_entry(x->table, first + i, index + i * tensor->n_modes);
        value[i] = x->values ? x->values[first + i] : count;
    }
}

TRIB_INLINE void add_items(uint32_t n_modes, uint32_t rank, const view *x, const trib_task *task,
                           bool wide) {
    const double *row[TRIB_MAX_MODES];
    uint32_t index[TRIB_MAX_MODES];
    uint8_t bits[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < n_modes; m++) bits[m] = x->table->bits[m];
    void *entry = x->table->entry;
    const double *values = x->values;
    for (size_t i = task->first; i < task->last; i++) {
        const size_t e = task->items ? task->items[i] : i;
        trib_key_unpack(bits, n_modes, trib_entry_key(entry, e, wide), index, wide);
        for (uint32_t k = 0; k + 1 < n_modes; k++)
            row[k] = task->other[k] + (size_t)index[task->other_mode[k]] * rank;
        trib_add_term(task->out + (size_t)index[task->mode] * rank, row, n_modes - 1,
                      values ? values[e] : *trib_entry_count(entry, e, wide), rank);
    }
}

TRIB_KERNEL static void add_hacoo_terms(uint32_t n_modes, uint32_t rank, const view *x,
                                        const trib_task *task) {
    if (trib_is_wide(x->table)) TRIB_SPECIALISE(add_items, n_modes, rank, x, task, true);
    else TRIB_SPECIALISE(add_items, n_modes, rank, x, task, false);
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    const trib_task task = trib_task_of(tensor, mode, factor, out, lane, tensor->nnz);
    add_hacoo_terms(tensor->n_modes, rank, tensor->data, &task);
}

static size_t bytes(const trib_tensor *tensor) {
    (void)tensor;
    return sizeof(view);
}

/* A point has its bucket; the rest of a box may be anywhere. */
static bool seek(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last) {
    if (!trib_box_is_point(box, tensor->n_modes)) return true;
    const view *x = tensor->data;
    const size_t e = trib_hacoo_find(x->table, box->lower);
    if (e == TRIB_NO_ENTRY || e < *first) return false;
    *first = e;
    *last = e + 1;
    return true;
}

const trib_format trib_format_hacoo = {
    .name = "hacoo",
    .help = "the hash table itself, scanned",
    .build = build,
    .release = release,
    .read = read,
    .mttkrp = mttkrp,
    .bytes = bytes,
    .seek = seek,
};
