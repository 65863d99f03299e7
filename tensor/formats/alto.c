/* alto.c - one number per nonzero: the bits of its indices interleaved, as many of each mode as its
 * size needs. Nonzeros are stored in the order of these numbers, which is that of the Morton curve.
 * Numbers have 64 bits, or 128 where the dimensions need them. Source: Helal et al., ALTO, 2021. */
#include "tensor/formats/keyed.h"
#include "tensor/order.h"

TRIB_INLINE void decode(const trib_keyed *x, uint32_t n_modes, bool wide, uint32_t variant,
                        size_t e, uint32_t *line, uint32_t index[]) {
    const trib_key number = trib_keyed_number(x, wide, e);
    trib_key side_by_side = 0;
    uint64_t narrow = 0;
    (void)variant, (void)line;
    for (uint32_t k = 0; k < (wide ? 16 : 8); k++) {
        const trib_key *place =
            &x->places->place[k][wide ? number >> 8 * k & 255 : (uint64_t)number >> 8 * k & 255];
        if (wide) side_by_side |= *place;
        else narrow |= (uint64_t)*place;
    }
    trib_key_unpack(x->bits, n_modes, wide ? side_by_side : narrow, index, wide);
}

/* Which bits of the numbers are those of each mode, and where they go in a packed key. */
static void find_places(trib_keyed *x, const trib_hacoo *table) {
    trib_morton_init(x->places, table, true);
    for (uint32_t m = table->n_modes, first = 0; m-- > 0; first += table->bits[m]) {
        const trib_key index = (((trib_key)1 << table->bits[m]) - 1) << first;
        const trib_key code = trib_key_morton(table, index);
        x->low_mask[m] = (uint64_t)code;
        x->high_mask[m] = (uint64_t)(code >> 64);
    }
}

/* Numbers of 128 bits and their values. */
static void place_wide(trib_building *b, trib_keyed *x) {
    const trib_hacoo *table = b->table;
    trib_morton *morton = NULL;
    uint32_t index[TRIB_MAX_MODES];
    trib_building_sort(b, NULL);
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&morton, 1, "a Morton table", b->error);
    if (b->status == TRIB_OK) trib_morton_init(morton, table, false);
    for (size_t i = 0; b->status == TRIB_OK && i < table->nnz; i++) {
        const double value = trib_building_take(b, i, index);
        const trib_key key = trib_entry_key(table->entry, b->order[i], true);
        trib_keyed_set(x, i, trib_morton_move(morton, table->key_bits, key, true), value);
    }
    trib_free(morton);
}

static void build(trib_building *b) {
    trib_keyed *x = trib_keyed_begin(b);
    x->places = trib_tensor_array(b, 1, sizeof *x->places, "bytes");
    if (b->status != TRIB_OK) return;
    find_places(x, b->table);
    if (x->wide) place_wide(b, x);
    else
        b->status =
            trib_order_codes(b->table, b->values, x->low, x->value, b->tensor->n_threads, b->error);
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    trib_keyed_read(tensor, decode, 0, first, n, index, value);
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
    if (x->wide) trib_keyed_add(n_modes, rank, true, 0, decode, x, task);
    else TRIB_SPECIALISE(trib_keyed_add, n_modes, rank, false, 0, decode, x, task);
}

TRIB_KERNEL static void add_gathered_terms(uint32_t n_modes, uint32_t rank, const trib_keyed *x,
                                           const trib_task *task) {
    if (x->wide) add_gathered(n_modes, rank, true, x, task);
    else TRIB_SPECIALISE(add_gathered, n_modes, rank, false, x, task);
}

static void add(const trib_tensor *tensor, const trib_task *task, uint32_t rank) {
    if (trib_can_gather()) add_gathered_terms(tensor->n_modes, rank, tensor->data, task);
    else add_alto_terms(tensor->n_modes, rank, tensor->data, task);
}

const trib_format trib_format_alto = {
    .name = "alto",
    .help = "the indices' bits interleaved in one number, in its order (Helal et al. 2021)",
    .size = sizeof(trib_keyed),
    .order = TRIB_ALONG_CURVE,
    .build = build,
    .read = read,
    .add = add,
    .row_cost = 3,
};
