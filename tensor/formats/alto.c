/* alto.c - one number per nonzero: the bits of its indices interleaved, as many of each mode as its
 * size needs. Nonzeros are stored in the order of these numbers, which is that of the Morton curve.
 * Numbers have 64 bits, or 128 where the dimensions need them. Source: Helal et al., ALTO, 2021. */
#include "base/internal.h"
#include "tensor/formats/bits.h"
#include "tensor/formats/keyed.h"
#include "tensor/formats/table.h"
#include "tensor/order.h"

TRIB_INLINE void decode(const trib_keyed *x, uint32_t n_modes, bool wide, size_t e, uint32_t *line,
                        uint32_t index[]) {
    const trib_key number = trib_keyed_number(x, wide, e);
    trib_key side_by_side = 0;
    uint64_t narrow = 0;
    (void)line;
    for (uint32_t k = 0; k < (wide ? 16 : 8); k++) {
        const trib_key *place =
            &x->places->place[k][wide ? number >> 8 * k & 255 : (uint64_t)number >> 8 * k & 255];
        if (wide) side_by_side |= *place;
        else narrow |= (uint64_t)*place;
    }
    trib_key_unpack(x->bits, n_modes, wide ? side_by_side : narrow, index, wide);
}

/* Which bits of the numbers are those of each mode, and where they go in a packed key. */
static trib_status build_places(trib_keyed *x, const trib_hacoo *source, trib_error *error) {
    const trib_status status = TRIB_NEW(&x->places, 1, "bytes", error);
    if (status != TRIB_OK) return status;
    trib_morton_init(x->places, source, true);
    trib_key key = 0; /* all bits of the mode's index */
    for (uint32_t m = source->n_modes, first = 0; m-- > 0; first += source->bits[m]) {
        key = (((trib_key)1 << source->bits[m]) - 1) << first;
        const trib_key code = trib_key_morton(source, key);
        x->low_mask[m] = (uint64_t)code;
        x->high_mask[m] = (uint64_t)(code >> 64);
    }
    return TRIB_OK;
}

/* Numbers of 128 bits and their values. */
static trib_status place_wide(trib_keyed *x, const trib_hacoo *source, const double *values,
                              int n_threads, trib_error *error) {
    trib_morton *morton = NULL;
    uint32_t *order = NULL;
    trib_status status = TRIB_NEW(&morton, 1, "a Morton table", error);
    if (status == TRIB_OK) status = TRIB_NEW(&order, source->nnz, "sorting", error);
    if (status == TRIB_OK) status = trib_order_entries(source, true, order, n_threads, error);
    if (status == TRIB_OK) trib_morton_init(morton, source, false);
    for (size_t i = 0; status == TRIB_OK && i < source->nnz; i++) {
        trib_entry_fetch(source, order, i);
        const uint32_t e = order[i];
        const trib_key key = trib_entry_key(source->entry, e, true);
        trib_keyed_set(x, i, trib_morton_move(morton, source->key_bits, key, true),
                       values ? values[e] : trib_hacoo_count(source, e));
    }
    TRIB_FREE(morton, order);
    return status;
}

static trib_status build(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                         trib_error *error) {
    trib_status status = trib_keyed_init(tensor, source, error);
    if (status != TRIB_OK) return status;
    trib_keyed *x = tensor->data;
    status = build_places(x, source, error);
    if (status == TRIB_OK && x->wide)
        status = place_wide(x, source, values, tensor->n_threads, error);
    else if (status == TRIB_OK)
        status = trib_order_codes(source, values, x->low, x->value, tensor->n_threads, error);
    if (status == TRIB_OK) status = trib_lanes_collect(tensor, error);
    return status;
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    trib_keyed_read(tensor->data, decode, 0, first, n, index, value);
}

/* As published: a mode's index is gathered out of the number. */
TRIB_INLINE void add_gathered(uint32_t n_modes, uint32_t rank, bool wide, const trib_keyed *x,
                              const trib_task *task) {
    const double *row[TRIB_MAX_MODES];
    uint64_t low[TRIB_MAX_MODES], high[TRIB_MAX_MODES]; /* masks: of the others, then of `mode` */
    uint32_t n_low[TRIB_MAX_MODES];
    for (uint32_t k = 0; k < n_modes; k++) {
        const uint32_t m = k + 1 < n_modes ? task->other_mode[k] : task->mode;
        low[k] = x->low_mask[m];
        high[k] = x->high_mask[m];
        n_low[k] = (uint32_t)__builtin_popcountll(low[k]);
    }
    for (size_t i = task->first; i < task->last; i++) {
        const size_t e = task->items ? task->items[i] : i;
        uint64_t index[TRIB_MAX_MODES];
        for (uint32_t k = 0; k < n_modes; k++) {
            index[k] = trib_gather(x->low[e], low[k]);
            if (wide) index[k] |= trib_gather(x->high[e], high[k]) << n_low[k];
        }
        for (uint32_t k = 0; k + 1 < n_modes; k++) row[k] = task->other[k] + index[k] * rank;
        trib_add_term(task->out + index[n_modes - 1] * rank, row, n_modes - 1, x->value[e], rank);
    }
}

TRIB_KERNEL static void add_alto_terms(uint32_t n_modes, uint32_t rank, const trib_keyed *x,
                                       const trib_task *task) {
    if (x->wide) trib_keyed_add(n_modes, rank, true, decode, x, task);
    else TRIB_SPECIALISE(trib_keyed_add, n_modes, rank, false, decode, x, task);
}

TRIB_KERNEL static void add_gathered_terms(uint32_t n_modes, uint32_t rank, const trib_keyed *x,
                                           const trib_task *task) {
    if (x->wide) add_gathered(n_modes, rank, true, x, task);
    else TRIB_SPECIALISE(add_gathered, n_modes, rank, false, x, task);
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    const trib_task task = trib_task_of(tensor, mode, factor, out, lane, tensor->nnz);
    if (trib_can_gather()) add_gathered_terms(tensor->n_modes, rank, tensor->data, &task);
    else add_alto_terms(tensor->n_modes, rank, tensor->data, &task);
}

static void place(const trib_tensor *tensor, size_t e, uint32_t at[]) {
    double value;
    read(tensor, e, 1, at, &value);
}

static bool seek(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last) {
    return trib_keyed_seek(tensor, true, place, box, first, last);
}

const trib_format trib_format_alto = {
    .name = "alto",
    .help = "the indices' bits interleaved in one number, in its order (Helal et al. 2021)",
    .build = build,
    .release = trib_keyed_release,
    .read = read,
    .mttkrp = mttkrp,
    .row_cost = 3,
    .bytes = trib_keyed_bytes,
    .seek = seek,
};
