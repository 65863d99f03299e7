/* stream.c - many insertions at once. In a table larger than the cache, an insertion waits for one
 * cache line after another: the head of its bucket, then entries of its chain. A stream prefetches
 * these lines for pending insertions, a block of insertions at each step:
 *
 *     block b        compute keys and buckets; prefetch head[bucket]
 *     block b - 1    read the heads; prefetch the entries that they name
 *     block b - 2    if that entry has another key, prefetch the next of the chain, branch-free
 *     block b - 3    add
 *
 * So there are few cache misses and few mispredicted branches. Insertions are added in the order in
 * which they were pushed, so the table is the same as after trib_hacoo_add. */
#include "tensor/entry.h"

enum { RING = TRIB_HACOO_RING, BLOCK = RING / 4 };

TRIB_INLINE trib_key pending_key(const trib_hacoo_stream *stream, size_t i, bool wide) {
    const uint64_t low = stream->low[i % RING];
    if (!wide) return low;
    return (trib_key)stream->high[i % RING] << 64 | low;
}

/* Computes the buckets of pending insertions again, after the table has grown. */
static void find_buckets(trib_hacoo_stream *stream) {
    const bool wide = trib_is_wide(stream->table);
    for (size_t i = stream->n_added; i < stream->n_pushed; i++) {
        stream->bucket[i % RING] =
            trib_key_bucket(stream->table, pending_key(stream, i, wide), wide);
        stream->found[i % RING] = TRIB_CHAIN_END;
    }
}

/* Adds the oldest pending insertion by a search of its chain. */
TRIB_INLINE trib_status add_anywhere(trib_hacoo_stream *stream, uint32_t *e, bool wide,
                                     trib_error *error) {
    trib_hacoo *table = stream->table;
    const size_t i = stream->n_added, n_buckets = table->n_buckets;
    const uint32_t count = stream->count[i % RING];
    *e = TRIB_CHAIN_END;
    if (count == 0) return TRIB_OK;
    trib_status status = trib_hacoo_place(table, stream->bucket[i % RING],
                                          pending_key(stream, i, wide), e, wide, error);
    if (table->n_buckets != n_buckets) find_buckets(stream);
    if (status == TRIB_OK) status = trib_hacoo_raise(table, *e, count, wide, error);
    return status;
}

/* Adds pending insertions up to `end`, oldest first. An insertion whose entry was found in advance
 * needs no search. */
TRIB_INLINE trib_status add_until(trib_hacoo_stream *stream, size_t end, bool wide,
                                  trib_error *error) {
    trib_hacoo *table = stream->table;
    uint32_t *const number = stream->entry;
    uint64_t total = 0;
    trib_status status = TRIB_OK;
    size_t i = stream->n_added;
    for (; i < end; i++) {
        const uint32_t count = stream->count[i % RING];
        uint32_t e = stream->found[i % RING];
        if (e != TRIB_CHAIN_END &&
            trib_entry_key(table->entry, e, wide) == pending_key(stream, i, wide)) {
            uint32_t *cell = trib_entry_count(table->entry, e, wide);
            if (*cell <= UINT32_MAX - count && count > 0) {
                *cell += count;
                total += count;
                if (number) number[i] = e;
                continue;
            }
        }
        stream->n_added = i;
        status = add_anywhere(stream, &e, wide, error);
        if (status != TRIB_OK) break;
        if (number) number[i] = e;
    }
    stream->n_added = i;
    table->total += total;
    return status;
}

/* Makes room in the ring for one more insertion. */
TRIB_INLINE trib_status make_room(trib_hacoo_stream *stream, bool wide, trib_error *error) {
    if (stream->n_pushed - stream->n_added < RING) return TRIB_OK;
    return add_until(stream, stream->n_added + BLOCK, wide, error);
}

/* `yes` ? a : b, computed without a branch, because half of these branches would be
 * mispredicted. */
TRIB_INLINE uint32_t choose(bool yes, uint32_t a, uint32_t b) {
    return b ^ ((a ^ b) & (0 - (uint32_t)yes));
}

/* At the end of a chain this prefetches entry 0, which is harmless. */
TRIB_INLINE void fetch_entry(const void *entry, uint32_t e, bool wide) {
    const size_t size = wide ? sizeof(trib_entry128) : sizeof(trib_entry64);
    __builtin_prefetch((const char *)entry + choose(e == TRIB_CHAIN_END, 0, e) * size, 1);
}

/* Reads the heads of the block that begins at place `at` of the ring. */
TRIB_INLINE void read_heads(trib_hacoo_stream *stream, size_t at, bool wide) {
    const uint32_t *head = stream->table->head;
    const size_t *bucket = stream->bucket + at;
    const void *entry = stream->table->entry;
    uint32_t *found = stream->found + at, n_empty = 0;
    for (size_t k = 0; k < BLOCK; k++) {
        found[k] = head[bucket[k]];
        n_empty += found[k] == TRIB_CHAIN_END;
        fetch_entry(entry, found[k], wide);
    }
    stream->n_empty[at / BLOCK] = n_empty;
}

/* Moves to the next entry of the chain where the first one has another key. Where many chains are
 * empty, most insertions make new entries, and this step would gain nothing. */
TRIB_INLINE void go_on(trib_hacoo_stream *stream, size_t at, bool wide) {
    void *entry = stream->table->entry;
    uint32_t *found = stream->found + at;
    if (stream->n_empty[at / BLOCK] > BLOCK / 4) return;
    for (size_t k = 0; k < BLOCK; k++) {
        const uint32_t e = found[k];
        if (e == TRIB_CHAIN_END) continue;
        const bool right = trib_entry_key(entry, e, wide) == pending_key(stream, at + k, wide);
        found[k] = choose(right, e, *trib_entry_next(entry, e, wide));
        fetch_entry(entry, found[k], wide);
    }
}

/* After a block is complete, moves the two blocks before it one step further. */
TRIB_INLINE void step(trib_hacoo_stream *stream, bool wide) {
    const size_t n = stream->n_pushed;
    if (stream->table->nnz == 0) return;
    if (n >= 3 * BLOCK) go_on(stream, (n - 3 * BLOCK) % RING, wide);
    if (n >= 2 * BLOCK) read_heads(stream, (n - 2 * BLOCK) % RING, wide);
}

/* Puts an insertion into the ring, which has room for it. */
TRIB_INLINE void put(trib_hacoo_stream *stream, trib_key key, uint32_t count, bool wide) {
    const trib_hacoo *table = stream->table;
    const size_t i = stream->n_pushed++ % RING, bucket = trib_key_bucket(table, key, wide);
    __builtin_prefetch(&table->head[bucket], 1);
    stream->low[i] = (uint64_t)key;
    if (wide) stream->high[i] = (uint64_t)(key >> 64);
    stream->bucket[i] = bucket;
    stream->count[i] = count;
    stream->found[i] = TRIB_CHAIN_END;
    if (i % BLOCK == BLOCK - 1) step(stream, wide);
}

TRIB_INLINE trib_status push_key(trib_hacoo_stream *stream, trib_key key, uint32_t count, bool wide,
                                 trib_error *error) {
    const trib_status status = make_room(stream, wide, error);
    if (status == TRIB_OK) put(stream, key, count, wide);
    return status;
}

void trib_hacoo_stream_init(trib_hacoo_stream *stream, trib_hacoo *table, uint32_t *entry) {
    stream->table = table;
    stream->entry = entry;
    stream->n_pushed = stream->n_added = 0;
    memset(stream->n_empty, 0, sizeof stream->n_empty); /* not all are set before they are read */
}

TRIB_INLINE trib_status push_index(trib_hacoo_stream *stream, const uint32_t index[],
                                   uint32_t count, bool wide, trib_error *error) {
    trib_key key = 0;
    if (!trib_key_pack(stream->table, index, &key, wide))
        return trib_hacoo_outside(stream->table, index, error);
    return push_key(stream, key, count, wide, error);
}

trib_status trib_hacoo_stream_push(trib_hacoo_stream *stream, const uint32_t index[],
                                   uint32_t count, trib_error *error) {
    return trib_is_wide(stream->table) ? push_index(stream, index, count, true, error)
                                       : push_index(stream, index, count, false, error);
}

/* Pushes the windows id[i] .. id[i+n_modes-1] for i < n. All modes have the same size, so each key
 * is the one before it, shifted by one index. */
TRIB_INLINE trib_status push_windows(trib_hacoo_stream *stream, size_t n, const uint32_t id[],
                                     bool wide, trib_error *error) {
    const trib_hacoo *table = stream->table;
    const uint32_t n_modes = table->n_modes, dim = table->dim[0], bits = table->bits[0];
    const trib_key mask = (((trib_key)1 << (table->key_bits - 1)) - 1) << 1 | 1;
    trib_key key = 0;
    trib_status status = TRIB_OK;
    bool inside = true;
    for (uint32_t m = 0; m + 1 < n_modes; m++) {
        key = key << bits | id[m];
        inside &= id[m] < dim;
    }
    if (!inside) return trib_hacoo_outside(table, id, error);
    const uint32_t *last = id + n_modes - 1;
    for (size_t i = 0; i < n && status == TRIB_OK;) {
        status = make_room(stream, wide, error);
        const size_t room = RING - (stream->n_pushed - stream->n_added);
        const size_t end = n - i < room ? n : i + room;
        for (; i < end && status == TRIB_OK; i++) {
            if (last[i] >= dim) return trib_hacoo_outside(table, id + i, error);
            if (wide) key = (key << bits | last[i]) & mask;
            else key = ((uint64_t)key << bits | last[i]) & (uint64_t)mask;
            put(stream, key, 1, wide);
        }
    }
    return status;
}

trib_status trib_hacoo_stream_windows(trib_hacoo_stream *stream, size_t n_ids, const uint32_t id[],
                                      trib_error *error) {
    const trib_hacoo *table = stream->table;
    if (n_ids < table->n_modes) return TRIB_OK;
    const size_t n = n_ids - table->n_modes + 1;
    trib_status status = TRIB_OK;
    if (trib_modes_are_alike(table))
        return trib_is_wide(table) ? push_windows(stream, n, id, true, error)
                                   : push_windows(stream, n, id, false, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = trib_hacoo_stream_push(stream, id + i, 1, error);
    return status;
}

trib_status trib_hacoo_stream_flush(trib_hacoo_stream *stream, trib_error *error) {
    return trib_is_wide(stream->table) ? add_until(stream, stream->n_pushed, true, error)
                                       : add_until(stream, stream->n_pushed, false, error);
}

TRIB_INLINE trib_status add_all(trib_hacoo_stream *stream, size_t n, const uint32_t index[],
                                const uint32_t count[], bool wide, trib_error *error) {
    const size_t n_modes = stream->table->n_modes;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = push_index(stream, index + i * n_modes, count ? count[i] : 1, wide, error);
    return status;
}

trib_status trib_hacoo_add_many(trib_hacoo *table, size_t n, const uint32_t index[],
                                const uint32_t count[], uint32_t entry[], trib_error *error) {
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, table, entry);
    const trib_status status = trib_is_wide(table)
                                   ? add_all(&stream, n, index, count, true, error)
                                   : add_all(&stream, n, index, count, false, error);
    if (status == TRIB_OK) return trib_hacoo_stream_flush(&stream, error);
    /* The invalid index came after all pending insertions. Any other failure is that of the oldest
     * one. */
    if (status == TRIB_INTERNAL) {
        trib_error earlier;
        const trib_status first = trib_hacoo_stream_flush(&stream, &earlier);
        if (first != TRIB_OK) return trib_fail(error, first, "%s", earlier.message);
    }
    return status;
}

trib_status trib_hacoo_build(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[],
                             const trib_hacoo_options *options, size_t n, const uint32_t index[],
                             const uint32_t count[], trib_error *error) {
    trib_hacoo_options known = options ? *options : (trib_hacoo_options){0};
    known.expected = n;
    trib_status status = trib_hacoo_init(table, n_modes, dim, &known, error);
    if (status != TRIB_OK) return status;
    status = trib_hacoo_add_many(table, n, index, count, NULL, error);
    if (status != TRIB_OK) trib_hacoo_release(table);
    return status;
}

trib_status trib_hacoo_merge(trib_hacoo *table, const trib_hacoo *other, uint32_t entry[],
                             trib_error *error) {
    bool alike = table->n_modes == other->n_modes;
    for (uint32_t m = 0; alike && m < table->n_modes; m++) alike = table->dim[m] == other->dim[m];
    if (!alike)
        return trib_fail(error, TRIB_INTERNAL, "two tables of different dimensions are merged");
    const bool wide = trib_is_wide(table);
    const size_t n = other->nnz; /* `other` may be `table` */
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, table, entry);
    trib_status status = TRIB_OK;
    for (size_t e = 0; e < n && status == TRIB_OK; e++)
        status = push_key(&stream, trib_entry_key(other->entry, e, wide),
                          *trib_entry_count(other->entry, e, wide), wide, error);
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}
