/* linear.c - one number per nonzero: its row-major address. Nonzeros are stored in the order of
 * these numbers. Numbers have 64 bits, or 128 where the dimensions need them. Source: [S] Dong, Wu,
 * Byna 2024, section II.B. */
#include "base/internal.h"
#include "tensor/formats/keyed.h"
#include "tensor/formats/table.h"
#include "tensor/order.h"

TRIB_INLINE void decode(const trib_keyed *x, uint32_t n_modes, bool wide, size_t e, uint32_t *line,
                        uint32_t index[]) {
    (void)line;
    trib_keyed_split(x, n_modes, wide, trib_keyed_number(x, wide, e), index);
}

/* Numbers and values, the entries taken in `order`. */
static void place_numbers(trib_keyed *x, const trib_hacoo *source, const double *values,
                          const uint32_t *order) {
    uint32_t index[TRIB_MAX_MODES];
    for (size_t i = 0; i < source->nnz; i++) {
        trib_entry_fetch(source, order, i);
        const uint32_t e = order[i], count = trib_hacoo_entry(source, e, index);
        trib_keyed_set(x, i, trib_keyed_address(x, index), values ? values[e] : count);
    }
}

static trib_status build(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                         trib_error *error) {
    uint32_t *order = NULL;
    trib_status status = trib_keyed_init(tensor, source, error);
    if (status == TRIB_OK) status = TRIB_NEW(&order, source->nnz, "sorting", error);
    if (status == TRIB_OK)
        status = trib_order_entries(source, false, order, tensor->n_threads, error);
    if (status == TRIB_OK) place_numbers(tensor->data, source, values, order);
    trib_free(order);
    if (status == TRIB_OK) status = trib_lanes_collect(tensor, error);
    return status;
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    trib_keyed_read(tensor->data, decode, 0, first, n, index, value);
}

TRIB_KERNEL static void add_linear_terms(uint32_t n_modes, uint32_t rank, const trib_keyed *x,
                                         const trib_task *task) {
    trib_keyed_add_divided(n_modes, rank, decode, x, task);
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    const trib_task task = trib_task_of(tensor, mode, factor, out, lane, tensor->nnz);
    add_linear_terms(tensor->n_modes, rank, tensor->data, &task);
}

static void place(const trib_tensor *tensor, size_t e, uint32_t at[]) {
    double value;
    read(tensor, e, 1, at, &value);
}

static bool seek(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last) {
    return trib_keyed_seek(tensor, false, place, box, first, last);
}

const trib_format trib_format_linear = {
    .name = "linear",
    .help = "the row-major address of every nonzero (Dong, Wu, Byna 2024)",
    .build = build,
    .release = trib_keyed_release,
    .read = read,
    .mttkrp = mttkrp,
    .row_cost = 2,
    .bytes = trib_keyed_bytes,
    .seek = seek,
};
