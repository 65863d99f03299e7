/* hacoo.c - the hash table itself as a format: a scan of its array of entries, without the buckets.
 * Nothing is copied: the tensor points to the table and the values. */
#include "tensor/formats/kernel.h"

typedef struct view {
    const trib_hacoo *table; /* not owned */
    const double *values;    /* [nnz], not owned; NULL: the counts */
} view;

static void build(trib_building *b) { *(view *)b->tensor->data = (view){b->table, b->values}; }

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
    void *entry = x->table->entry;
    const uint32_t *items = task->items;
    const size_t last = task->last;
    const double *values = x->values, *row[TRIB_MAX_MODES];
    for (size_t i = task->first; i < last; i++) {
        const size_t e = items ? items[i] : i;
        if (ahead > 0 && i + ahead < last) {
            const trib_key key =
                trib_entry_key(entry, items ? items[i + ahead] : i + ahead, w.wide);
            trib_fetch_row(row_of(&out, key, rank, w), rank);
            for (uint32_t k = 0; k < n_others; k++)
                trib_fetch_row(row_of(&other[k], key, rank, w), rank);
        }
        const trib_key key = trib_entry_key(entry, e, w.wide);
        for (uint32_t k = 0; k < n_others; k++) row[k] = row_of(&other[k], key, rank, w);
        trib_add_term((double *)row_of(&out, key, rank, w), row, n_others,
                      w.counted ? *trib_entry_count(entry, e, w.wide) : values[e], rank);
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
    .row_cost = 1,
};
