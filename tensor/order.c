/* order.c - sorts entries by packed key or Morton code, with a stable radix sort from the highest
 * digit, 64 bits of the key at a time. The first digit distributes the items to buckets, which
 * threads then sort one by one, each within its cache. */
#include "tensor/order.h"

#include <string.h>

enum {
    FIRST_DIGIT = 11,
    N_FIRST = 1 << FIRST_DIGIT,
    DIGIT = 8,
    N_DIGITS = 1 << DIGIT,
    FEW = 24,                   /* up to so many items are sorted by insertion */
    LEAST_FOR_THREADS = 1 << 15 /* items; fewer are sorted by one thread */
};

typedef struct item {
    uint64_t key;
    uint32_t entry;
} item;

static void insert(item *items, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const item x = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].key > x.key; at--) items[at] = items[at - 1];
        items[at] = x;
    }
}

/* Sorts `items` by the low `bits` bits of their keys; higher bits do not differ. `other` is scratch
 * space of the same size. The result is in `other` if `to_other`, else in `items`. */
static void sort(item *items, item *other, size_t n, uint32_t bits, bool to_other) {
    if (n <= FEW || bits == 0) {
        insert(items, n);
        if (to_other) memcpy(other, items, n * sizeof *items);
        return;
    }
    const uint32_t digit = bits < DIGIT ? bits : DIGIT, shift = bits - digit;
    size_t start[N_DIGITS + 1] = {0}, next[N_DIGITS];
    for (size_t i = 0; i < n; i++) start[(items[i].key >> shift & (N_DIGITS - 1)) + 1]++;
    if (start[(items[0].key >> shift & (N_DIGITS - 1)) + 1] == n) {
        sort(items, other, n, shift, to_other);
        return;
    }
    for (size_t d = 0; d < N_DIGITS; d++) {
        start[d + 1] += start[d];
        next[d] = start[d];
    }
    for (size_t i = 0; i < n; i++) other[next[items[i].key >> shift & (N_DIGITS - 1)]++] = items[i];
    for (size_t d = 0; d < N_DIGITS; d++)
        if (start[d + 1] > start[d])
            sort(other + start[d], items + start[d], start[d + 1] - start[d], shift, !to_other);
}

/* The number of low bits in which any two keys differ. */
static uint32_t differing_bits(const item *items, size_t n) {
    uint64_t differ = 0;
    uint32_t bits = 0;
    for (size_t i = 1; i < n; i++) differ |= items[i].key ^ items[0].key;
    while (bits < 64 && differ >> bits) bits++;
    return bits;
}

/* Sorts `items` by their keys, with `other` as scratch space. The result is the same for any number
 * of threads. */
static void sort_all(item *items, item *other, size_t n, int n_threads) {
    const uint32_t bits = differing_bits(items, n);
    if (n <= FEW || bits == 0) {
        insert(items, n);
        return;
    }
    const uint32_t shift = bits > FIRST_DIGIT ? bits - FIRST_DIGIT : 0;
    size_t start[N_FIRST + 1] = {0}, next[N_FIRST];
    for (size_t i = 0; i < n; i++) start[(items[i].key >> shift & (N_FIRST - 1)) + 1]++;
    for (size_t d = 0; d < N_FIRST; d++) {
        start[d + 1] += start[d];
        next[d] = start[d];
    }
    for (size_t i = 0; i < n; i++) other[next[items[i].key >> shift & (N_FIRST - 1)]++] = items[i];
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_threads)
    for (size_t d = 0; d < N_FIRST; d++)
        sort(other + start[d], items + start[d], start[d + 1] - start[d], shift, true);
}

trib_status trib_order_numbers(size_t n, uint32_t n_bits,
                               trib_key (*number)(const void *context, size_t i),
                               const void *context, uint32_t *order, int n_threads,
                               trib_error *error) {
    item *items = NULL, *other = NULL;
    if (n < LEAST_FOR_THREADS) n_threads = 1;
    trib_status status = trib_new(&items, n, sizeof *items, "sorting", error);
    if (status == TRIB_OK) status = trib_new(&other, n, sizeof *other, "sorting", error);
    if (status != TRIB_OK || n == 0) goto done;
    for (size_t i = 0; i < n; i++) items[i].entry = (uint32_t)i;
    for (uint32_t shift = 0; shift < n_bits; shift += 64) { /* the sort is stable */
        if ((status = trib_stop_check(error)) != TRIB_OK) goto done;
#pragma omp parallel for schedule(static) num_threads(n_threads)
        for (size_t i = 0; i < n; i++)
            items[i].key = (uint64_t)(number(context, items[i].entry) >> shift);
        sort_all(items, other, n, n_threads);
    }
    for (size_t i = 0; i < n; i++) order[i] = items[i].entry;
done:
    trib_free(items);
    trib_free(other);
    return status;
}

/* The entries of a table and, for the order along the Morton curve, the codes of single bytes. */
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

trib_status trib_order_entries(const trib_hacoo *table, bool morton, uint32_t *order, int n_threads,
                               trib_error *error) {
    entries of = {table, NULL};
    trib_status status = TRIB_OK;
    if (morton) status = trib_new(&of.morton, 1, sizeof *of.morton, "a Morton table", error);
    if (status == TRIB_OK && morton) trib_morton_init(of.morton, table);
    if (status == TRIB_OK)
        status = trib_order_numbers(table->nnz, table->key_bits, morton ? morton_code : packed_key,
                                    &of, order, n_threads, error);
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
    for (size_t i = 0; i < nnz; i++) items[i].entry = (uint32_t)i;
    for (uint32_t k = table->n_modes;
         k-- > 0;) { /* the last mode first, because the sort is stable */
        if ((status = trib_stop_check(error)) != TRIB_OK) goto done;
        for (size_t i = 0; i < nnz; i++) {
            trib_hacoo_entry(table, items[i].entry, index);
            items[i].key = index[mode[k]];
        }
        sort_all(items, other, nnz, 1);
    }
    for (size_t i = 0; i < nnz; i++) order[i] = items[i].entry;
done:
    trib_free(items);
    trib_free(other);
    return status;
}
