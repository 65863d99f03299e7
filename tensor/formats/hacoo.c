/* hacoo.c - the hash table itself as a format: a scan of its array of entries, without the buckets.
 * The tensor points to the table and the values. Nothing is copied for one thread. For several, the
 * entries of each lane are: a list would lead each lane over most of the array, which took 16 lanes
 * more than twice the time of one scan. */
#include "tensor/formats/kernel.h"

typedef struct view {
    const trib_hacoo *table; /* not owned */
    const double *values;    /* [nnz], not owned; NULL: the counts */
    void *copy; /* [n_modes * nnz] entries by lane; the link is the number of the entry. NULL: there
                 * are no lanes */
} view;

static void build(trib_building *b) {
    view *x = b->tensor->data;
    const size_t n = b->tensor->lanes.n > 0 ? b->tensor->n_modes * b->tensor->nnz : 0;
    if (b->status != TRIB_OK) return;
    *x = (view){b->table, b->values, NULL};
    x->copy = trib_tensor_array(
        b, n, trib_is_wide(b->table) ? sizeof(trib_entry128) : sizeof(trib_entry64), "lanes");
}

static void copy(const trib_tensor *tensor, size_t place, size_t nonzero) {
    const view *x = tensor->data;
    const bool wide = trib_is_wide(x->table);
    if (wide) ((trib_entry128 *)x->copy)[place] = ((trib_entry128 *)x->table->entry)[nonzero];
    else ((trib_entry64 *)x->copy)[place] = ((trib_entry64 *)x->table->entry)[nonzero];
    *trib_entry_next(x->copy, place, wide) = (uint32_t)nonzero;
}

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const view *x = tensor->data;
    for (size_t i = 0; i < n; i++) {
        const uint32_t count = trib_hacoo_entry(x->table, first + i, index + i * tensor->n_modes);
        value[i] = x->values ? x->values[first + i] : count;
    }
}

/* The bits of a key that hold the index of a mode, and the rows that it selects. */
typedef struct field {
    uint32_t shift;
    uint64_t mask; /* of the index; with trib_gather, of its bits in the key */
    const double *row;
} field;

enum { MOST_AHEAD = 32 };

/* How entries are read; constants of a kernel. */
typedef struct way {
    bool wide, gathered;
    bool counted; /* the values are the counts */
} way;

TRIB_INLINE field field_of(const trib_hacoo *table, uint32_t mode, const double *row, way w) {
    field f = {.mask = (UINT64_C(1) << table->bits[mode]) - 1, .row = row};
    for (uint32_t m = mode + 1; m < table->n_modes; m++) f.shift += table->bits[m];
    if (w.gathered) f.mask <<= f.shift;
    return f;
}

TRIB_INLINE const double *row_of(const field *f, trib_key key, uint32_t rank, way w) {
    if (w.gathered) return f->row + trib_gather((uint64_t)key, f->mask) * rank;
    const uint64_t low = w.wide ? (uint64_t)(key >> f->shift) : (uint64_t)key >> f->shift;
    return f->row + (low & f->mask) * rank;
}

/* Entries are in the order of the text, so their factor rows are scattered. Where the factors are
 * large, rows are prefetched `ahead` entries early. */
TRIB_INLINE void add_items(uint32_t n_modes, uint32_t rank, const view *x, const trib_task *task,
                           uint32_t ahead, way w) {
    const uint32_t n_others = n_modes - 1;
    const field out = field_of(x->table, task->mode, task->out, w);
    field other[TRIB_MAX_MODES];
    for (uint32_t k = 0; k < n_others; k++)
        other[k] = field_of(x->table, task->other_mode[k], task->other[k], w);
    void *entry = task->copied ? x->copy : x->table->entry;
    const size_t last = task->last;
    const double *values = x->values, *row[TRIB_MAX_MODES];
    for (size_t i = task->first; i < last; i++) {
        if (ahead > 0 && i + ahead < last) {
            const trib_key key = trib_entry_key(entry, i + ahead, w.wide);
            trib_fetch_row(row_of(&out, key, rank, w), rank);
            for (uint32_t k = 0; k < n_others; k++)
                trib_fetch_row(row_of(&other[k], key, rank, w), rank);
        }
        const trib_key key = trib_entry_key(entry, i, w.wide);
        for (uint32_t k = 0; k < n_others; k++) row[k] = row_of(&other[k], key, rank, w);
        const double value = w.counted
                                 ? *trib_entry_count(entry, i, w.wide)
                                 : values[task->copied ? *trib_entry_next(entry, i, w.wide) : i];
        trib_add_term((double *)row_of(&out, key, rank, w), row, n_others, value, rank);
    }
}

TRIB_KERNEL(void, add_gathered,
            (uint32_t n_modes, uint32_t rank, const view *x, const trib_task *task, uint32_t ahead),
            (n_modes, rank, x, task, ahead)) {
    const way w = {.gathered = true, .counted = x->values == NULL};
    if (ahead > 0) TRIB_SPECIALISE(add_items, n_modes, rank, x, task, ahead, w);
    else TRIB_SPECIALISE(add_items, n_modes, rank, x, task, 0, w);
}

/* For keys of 128 bits, and for processors without the instruction for trib_gather. */
TRIB_KERNEL(void, add_shifted,
            (uint32_t n_modes, uint32_t rank, const view *x, const trib_task *task, uint32_t ahead),
            (n_modes, rank, x, task, ahead)) {
    const way w = {.wide = trib_is_wide(x->table), .counted = x->values == NULL};
    if (n_modes == 3) add_items(3, rank, x, task, ahead, w);
    else if (n_modes == 4) add_items(4, rank, x, task, ahead, w);
    else if (n_modes == 5) add_items(5, rank, x, task, ahead, w);
    else add_items(n_modes, rank, x, task, ahead, w);
}

static void add(const trib_tensor *tensor, const trib_task *task, uint32_t rank) {
    const uint32_t ahead = trib_fetch_ahead(tensor, task->mode, rank, MOST_AHEAD);
    const view *x = tensor->data;
    if (trib_is_wide(x->table) || !trib_can_gather())
        add_shifted(tensor->n_modes, rank, x, task, ahead);
    else add_gathered(tensor->n_modes, rank, x, task, ahead);
}

const trib_format trib_format_hacoo = {
    .name = "hacoo",
    .help = "the hash table itself, scanned",
    .size = sizeof(view),
    .build = build,
    .read = read,
    .add = add,
    .copy = copy,
    .row_cost = 1,
};
