/* order.c - sorts entries by packed key or Morton code: a radix sort from the lowest digit, 64 bits of the key at a
 * time, which skips digits that are the same everywhere. */
#include "tensor/order.h"

enum { DIGIT_BITS = 11, N_DIGITS = 1 << DIGIT_BITS };

typedef struct item {
    uint64_t key;
    uint32_t entry;
} item;

/* One stable pass; false when all digits are equal and nothing had to move. */
static bool pass(const item *from, item *to, size_t n, uint32_t shift) {
    size_t start[N_DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++) start[from[i].key >> shift & (N_DIGITS - 1)]++;
    if (start[from[0].key >> shift & (N_DIGITS - 1)] == n) return false;
    for (size_t d = 0; d < N_DIGITS; d++) {
        const size_t n_here = start[d];
        start[d] = sum;
        sum += n_here;
    }
    for (size_t i = 0; i < n; i++) to[start[from[i].key >> shift & (N_DIGITS - 1)]++] = from[i];
    return true;
}

/* Sorts by the low `bits` bits of the keys; the result may lie in either array. */
static item *sort(item *items, item *other, size_t n, uint32_t bits) {
    for (uint32_t shift = 0; shift < bits; shift += DIGIT_BITS)
        if (pass(items, other, n, shift)) {
            item *sorted = other;
            other = items;
            items = sorted;
        }
    return items;
}

trib_status trib_order_numbers(size_t n, uint32_t n_bits,
                               trib_key (*number)(const void *context, size_t i),
                               const void *context, uint32_t *order, trib_error *error) {
    item *items = NULL, *other = NULL;
    trib_status status = trib_new(&items, n, sizeof *items, "sorting", error);
    if (status == TRIB_OK) status = trib_new(&other, n, sizeof *other, "sorting", error);
    if (status != TRIB_OK || n == 0) goto done;
    item *sorted = items;
    for (size_t i = 0; i < n; i++) items[i].entry = (uint32_t)i;
    for (uint32_t shift = 0; shift < n_bits; shift += 64) {
        for (size_t i = 0; i < n; i++)
            sorted[i].key = (uint64_t)(number(context, sorted[i].entry) >> shift);
        const uint32_t bits = n_bits - shift < 64 ? n_bits - shift : 64;
        sorted = sort(sorted, sorted == items ? other : items, n, bits);
    }
    for (size_t i = 0; i < n; i++) order[i] = sorted[i].entry;
done:
    trib_free(items);
    trib_free(other);
    return status;
}

/* The entries of a table, and the Morton codes of bytes when their order is along the curve. */
typedef struct entries {
    const trib_hacoo *table;
    trib_morton *morton;
} entries;

static trib_key packed_key(const void *context, size_t e) {
    const trib_hacoo *table = ((const entries *)context)->table;
    return trib_entry_key(table->entry, e, trib_is_wide(table));
}

static trib_key morton_code(const void *context, size_t e) {
    const entries *of = context;
    return trib_morton_code(of->morton, of->table, packed_key(context, e));
}

trib_status trib_order_entries(const trib_hacoo *table, bool morton, uint32_t *order,
                               trib_error *error) {
    entries of = {table, NULL};
    trib_status status = TRIB_OK;
    if (morton) status = trib_new(&of.morton, 1, sizeof *of.morton, "a Morton table", error);
    if (status == TRIB_OK && morton) trib_morton_init(of.morton, table);
    if (status == TRIB_OK)
        status = trib_order_numbers(table->nnz, table->key_bits, morton ? morton_code : packed_key,
                                    &of, order, error);
    trib_free(of.morton);
    return status;
}

trib_status trib_order_by_modes(const trib_hacoo *table, const uint32_t mode[], uint32_t *order,
                                trib_error *error) {
    const size_t nnz = table->nnz;
    item *items = NULL, *other = NULL;
    uint32_t index[TRIB_MAX_MODES];
    trib_status status = trib_new(&items, nnz, sizeof *items, "sorting", error);
    if (status == TRIB_OK) status = trib_new(&other, nnz, sizeof *other, "sorting", error);
    if (status != TRIB_OK || nnz == 0) goto done;
    item *sorted = items;
    for (size_t i = 0; i < nnz; i++) items[i].entry = (uint32_t)i;
    for (uint32_t k = table->n_modes; k-- > 0;) { /* the last mode first: the sort is stable */
        for (size_t i = 0; i < nnz; i++) {
            trib_hacoo_entry(table, sorted[i].entry, index);
            sorted[i].key = index[mode[k]];
        }
        sorted = sort(sorted, sorted == items ? other : items, nnz, table->bits[mode[k]]);
    }
    for (size_t i = 0; i < nnz; i++) order[i] = sorted[i].entry;
done:
    trib_free(items);
    trib_free(other);
    return status;
}
