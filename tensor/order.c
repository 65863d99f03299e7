/* order.c - sorts entries by packed key or Morton code: a radix sort from the lowest digit, 64 bits of the key at a
 * time, which skips digits that are the same everywhere. */
#include "tensor/order.h"
#include "tensor/entry.h"

#include <string.h>

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

/* Word `half` of the code of an entry: 0 the low 64 bits, 1 the high. */
static uint64_t code_word(const trib_hacoo *table, const trib_morton *morton, size_t e, int half) {
    trib_key key = trib_entry_key(table->entry, e, trib_is_wide(table));
    if (morton) key = trib_morton_code(morton, table, key);
    return (uint64_t)(key >> 64 * half);
}

trib_status trib_order_entries(const trib_hacoo *table, bool morton, uint32_t *order,
                               trib_error *error) {
    const size_t nnz = table->nnz;
    item *items = NULL, *other = NULL;
    trib_morton *places = NULL;
    trib_status status = trib_new(&items, nnz, sizeof *items, "sorting", error);
    if (status == TRIB_OK) status = trib_new(&other, nnz, sizeof *other, "sorting", error);
    if (status == TRIB_OK && morton)
        status = trib_new(&places, 1, sizeof *places, "a Morton table", error);
    if (status != TRIB_OK || nnz == 0) goto done;
    if (morton) trib_morton_init(places, table);
    item *sorted = items;
    for (size_t i = 0; i < nnz; i++) items[i].entry = (uint32_t)i;
    for (int half = 0; half < 2; half++) {
        if (half == 1 && !trib_is_wide(table)) break;
        for (size_t i = 0; i < nnz; i++)
            sorted[i].key = code_word(table, places, sorted[i].entry, half);
        const uint32_t bits =
            half == 0 && trib_is_wide(table) ? 64 : table->key_bits - 64 * (uint32_t)half;
        sorted = sort(sorted, sorted == items ? other : items, nnz, bits);
    }
    for (size_t i = 0; i < nnz; i++) order[i] = sorted[i].entry;
done:
    trib_free(items);
    trib_free(other);
    trib_free(places);
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
