/* entry.h - the entries of a trib_hacoo, the keys in them, and sorting by keys. Private to tensor/
 * and tensor/formats/.
 *
 * A key is the indices side by side, mode 0 in the highest bits. So the order of keys is the
 * lexicographic order of indices, and decoding is a shift and a mask. The Morton code is computed
 * from the key only where the order along the curve is needed. Key, count and link are stored
 * together in one entry: a lookup has one cache miss for the bucket and one per entry. */
#ifndef TRIBUTARY_ENTRY_H
#define TRIBUTARY_ENTRY_H

#include "tensor/hacoo.h"

#define TRIB_CHAIN_END UINT32_MAX

__extension__ typedef unsigned __int128 trib_key;

typedef struct trib_entry64 {
    uint64_t key;
    uint32_t count;
    uint32_t next; /* number of the next entry of the chain, or TRIB_CHAIN_END */
} trib_entry64;

typedef struct trib_entry128 {
    uint64_t low, high; /* of the key */
    uint32_t count;
    uint32_t next;
} trib_entry128;

/* Below, `wide` says which of the two types is used. Where it is a constant, the compiler removes
 * the code for the other. */
TRIB_INLINE bool trib_is_wide(const trib_hacoo *table) { return table->key_bits > 64; }

TRIB_INLINE trib_key trib_entry_key(const void *entry, size_t e, bool wide) {
    if (!wide) return ((const trib_entry64 *)entry)[e].key;
    const trib_entry128 *at = (const trib_entry128 *)entry + e;
    return (trib_key)at->high << 64 | at->low;
}

TRIB_INLINE uint32_t *trib_entry_count(void *entry, size_t e, bool wide) {
    return wide ? &((trib_entry128 *)entry)[e].count : &((trib_entry64 *)entry)[e].count;
}

TRIB_INLINE uint32_t *trib_entry_next(void *entry, size_t e, bool wide) {
    return wide ? &((trib_entry128 *)entry)[e].next : &((trib_entry64 *)entry)[e].next;
}

/* Prefetches the entry that comes some places after place `at` of an order of entries. */
TRIB_INLINE void trib_entry_fetch(const trib_hacoo *table, const uint32_t *order, size_t at) {
    enum { AHEAD = 24 };
    const size_t size = trib_is_wide(table) ? sizeof(trib_entry128) : sizeof(trib_entry64);
    if (at + AHEAD < table->nnz)
        __builtin_prefetch((const char *)table->entry + order[at + AHEAD] * size);
}

/* The key of an index; false when the index is out of range. */
TRIB_INLINE bool trib_key_pack(const trib_hacoo *table, const uint32_t index[], trib_key *key,
                               bool wide) {
    bool inside = true;
    uint64_t low = 0;
    trib_key all = 0;
    for (uint32_t m = 0; m < table->n_modes; m++) {
        inside &= index[m] < table->dim[m];
        if (wide) all = all << table->bits[m] | index[m];
        else low = low << table->bits[m] | index[m];
    }
    *key = wide ? all : low;
    return inside;
}

TRIB_INLINE void trib_key_unpack(const uint8_t bits[], uint32_t n_modes, trib_key key,
                                 uint32_t index[], bool wide) {
    uint64_t low = (uint64_t)key;
    for (uint32_t m = n_modes; m-- > 0;) {
        index[m] = (uint32_t)((wide ? (uint64_t)key : low) & ((UINT64_C(1) << bits[m]) - 1));
        if (wide) key >>= bits[m];
        else low >>= bits[m];
    }
}

/* The Morton code of a packed key: bit 0 of every mode, mode 0 lowest, then bit 1, and so on. A
 * mode with fewer bits is left out of later rounds, as in ALTO. The order of these codes is that of
 * the full codes of [P], which have zeros there. */
trib_key trib_key_morton(const trib_hacoo *table, trib_key key);

/* The same, or its inverse, for many keys: where the bits of a number go. place[k][v] is what the
 * number becomes whose byte k is v and whose other bits are 0. */
typedef struct trib_morton {
    trib_key place[16][256];
} trib_morton;
/* Fills *morton for the codes of packed keys or, with `inverse`, for the packed keys of codes. */
void trib_morton_init(trib_morton *morton, const trib_hacoo *table, bool inverse);

/* The code of a key of key_bits bits, or the key of a code. */
TRIB_INLINE trib_key trib_morton_move(const trib_morton *morton, uint32_t key_bits, trib_key key,
                                      bool wide) {
    trib_key all = 0;
    uint64_t low = 0;
    for (uint32_t k = 0; k * 8 < key_bits; k++)
        if (wide) all |= morton->place[k][key >> 8 * k & 255];
        else low |= (uint64_t)morton->place[k][(uint64_t)key >> 8 * k & 255];
    return wide ? all : low;
}

/* The bucket by the published function: shift-and-add of the number that the hash gives. */
size_t trib_key_published_bucket(const trib_hacoo *table, trib_key key);

/* A 128-bit product whose halves are combined: every bit of the key affects the low bits, at the
 * cost of one multiplication. */
TRIB_INLINE uint64_t trib_key_mix(uint64_t x) {
    const trib_key product = (trib_key)x * UINT64_C(0x9E3779B97F4A7C15);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

TRIB_INLINE size_t trib_key_bucket(const trib_hacoo *table, trib_key key, bool wide) {
    if (table->hash->number) return trib_key_published_bucket(table, key);
    uint64_t h = (uint64_t)key;
    if (wide) h ^= trib_key_mix((uint64_t)(key >> 64) + UINT64_C(0x9E3779B97F4A7C15));
    return (size_t)trib_key_mix(h) & (table->n_buckets - 1);
}

/* Whether all modes have the same size. */
TRIB_INLINE bool trib_modes_are_alike(const trib_hacoo *table) {
    for (uint32_t m = 1; m < table->n_modes; m++)
        if (table->dim[m] != table->dim[0]) return false;
    return true;
}

TRIB_INLINE bool trib_box_holds(const trib_box *box, uint32_t n_modes, const uint32_t index[]) {
    bool inside = true;
    for (uint32_t m = 0; m < n_modes; m++)
        inside &= box->lower[m] <= index[m] && index[m] < box->upper[m];
    return inside;
}

/* ---- Finding and making entries (hacoo.c, stream.c) ------------------------------------------ */

/* The link in this bucket's chain that holds the number of the entry with this key, or the link
 * that ends the chain. */
TRIB_INLINE uint32_t *trib_hacoo_seek(const trib_hacoo *table, size_t bucket, trib_key key,
                                      bool wide) {
    uint32_t *link = &table->head[bucket];
    while (*link != TRIB_CHAIN_END && trib_entry_key(table->entry, *link, wide) != key)
        link = trib_entry_next(table->entry, *link, wide);
    return link;
}

/* Links all entries into the buckets head[n_buckets]. */
void trib_hacoo_link(trib_hacoo *table);
/* Makes room for one more entry, in the array and below the load factor. The number of buckets can
 * change. */
trib_status trib_hacoo_make_room(trib_hacoo *table, trib_error *error);
/* The error for an index that trib_key_pack rejected. */
trib_status trib_hacoo_outside(const trib_hacoo *table, const uint32_t index[], trib_error *error);

/* Finds the entry with this key, or makes one with count 0. *e receives its number. */
TRIB_INLINE trib_status trib_hacoo_place(trib_hacoo *table, size_t bucket, trib_key key,
                                         uint32_t *e, bool wide, trib_error *error) {
    uint32_t *link = trib_hacoo_seek(table, bucket, key, wide);
    if (*link == TRIB_CHAIN_END) {
        if (table->nnz == table->cap ||
            (double)(table->nnz + 1) > table->load * (double)table->n_buckets) {
            const trib_status status = trib_hacoo_make_room(table, error);
            if (status != TRIB_OK) return status;
            link = trib_hacoo_seek(table, trib_key_bucket(table, key, wide), key, wide);
        }
        const size_t new = table->nnz++;
        *link = (uint32_t) new;
        if (wide)
            ((trib_entry128 *)table->entry)[new] =
                (trib_entry128){(uint64_t)key, (uint64_t)(key >> 64), 0, TRIB_CHAIN_END};
        else ((trib_entry64 *)table->entry)[new] = (trib_entry64){(uint64_t)key, 0, TRIB_CHAIN_END};
    }
    *e = *link;
    return TRIB_OK;
}

/* Adds to the count of an entry. */
TRIB_INLINE trib_status trib_hacoo_raise(trib_hacoo *table, uint32_t e, uint32_t count, bool wide,
                                         trib_error *error) {
    uint32_t *cell = trib_entry_count(table->entry, e, wide);
    if (*cell > UINT32_MAX - count)
        return trib_fail(error, TRIB_INPUT, "one n-gram is counted more than %u times", UINT32_MAX);
    *cell += count;
    table->total += count;
    return TRIB_OK;
}

/* ---- Sorting (order.c) ----------------------------------------------------------------------- */

/* order[nnz] receives the numbers of the entries of `table` by ascending key: in lexicographic
 * order, or along the Morton curve. Allocates 20 bytes per nonzero and frees them before it
 * returns. TRIB_MEMORY. */
trib_status trib_order_entries(const trib_hacoo *table, bool morton, uint32_t *order, int n_threads,
                               trib_error *error);

/* The same in lexicographic order of the modes mode[0 .. n_modes-1]. */
trib_status trib_order_by_modes(const trib_hacoo *table, const uint32_t mode[], uint32_t *order,
                                trib_error *error);

/* The same for arbitrary numbers: order[n] receives 0 .. n-1 by ascending number(context, i); equal
 * numbers stay in order. Numbers have `n_bits` bits, at most 128. `number` is called from n_threads
 * threads, once per item, or twice beyond 64 bits. TRIB_MEMORY. */
trib_status trib_order_numbers(size_t n, uint32_t n_bits,
                               trib_key (*number)(const void *context, size_t i),
                               const void *context, uint32_t *order, int n_threads,
                               trib_error *error);

/* The nonzeros of a table with keys of 64 bits along the Morton curve: code[nnz] receives their
 * Morton codes, ascending, and value[nnz] their values, which are values[e] of entry e, or its
 * count when `values` is NULL. Allocates 16 bytes per nonzero and frees them before it returns.
 * TRIB_MEMORY. */
trib_status trib_order_codes(const trib_hacoo *table, const double *values, uint64_t *code,
                             double *value, int n_threads, trib_error *error);

#endif
