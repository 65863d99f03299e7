/* stream.c - many insertions at once. An insertion into a table larger than the cache waits for two lines, its bucket's
 * head and then the entry the head names; a ring of pending insertions asks for both ahead of time:
 *
 *     push i      key and bucket of i; fetch head[bucket]
 *                 fetch entry[head[bucket]] of insertion i - HALF
 *                 add insertion i - RING
 *
 * They are added in the order they came, so the table is that of trib_hacoo_add. */
#include "tensor/entry.h"

enum { RING = TRIB_HACOO_RING, HALF = RING / 2 };

TRIB_INLINE trib_key pending_key(const trib_hacoo_stream *stream, size_t i, bool wide) {
    const uint64_t low = stream->pending[i % RING].low;
    return wide ? (trib_key)stream->pending[i % RING].high << 64 | low : low;
}

/* Buckets of what is pending, after the table has grown. */
static void find_buckets(trib_hacoo_stream *stream) {
    const bool wide = trib_is_wide(stream->table);
    for (size_t i = stream->n_added; i < stream->n_pushed; i++)
        stream->pending[i % RING].bucket =
            trib_key_bucket(stream->table, pending_key(stream, i, wide), wide);
}

/* Adds the oldest pending insertion. */
TRIB_INLINE trib_status add_oldest(trib_hacoo_stream *stream, bool wide, trib_error *error) {
    trib_hacoo *table = stream->table;
    const size_t i = stream->n_added, n_buckets = table->n_buckets;
    const uint32_t count = stream->pending[i % RING].count;
    uint32_t e = TRIB_CHAIN_END;
    if (count > 0) {
        trib_status status = trib_hacoo_place(table, stream->pending[i % RING].bucket,
                                              pending_key(stream, i, wide), &e, wide, error);
        if (table->n_buckets != n_buckets) find_buckets(stream);
        if (status == TRIB_OK) status = trib_hacoo_raise(table, e, count, wide, error);
        if (status != TRIB_OK) return status;
    }
    if (stream->entry) stream->entry[i] = e;
    stream->n_added++;
    return TRIB_OK;
}

TRIB_INLINE trib_status push_key(trib_hacoo_stream *stream, trib_key key, uint32_t count, bool wide,
                                 trib_error *error) {
    const trib_hacoo *table = stream->table;
    if (stream->n_pushed - stream->n_added == RING) {
        const trib_status status = add_oldest(stream, wide, error);
        if (status != TRIB_OK) return status;
    }
    const size_t i = stream->n_pushed++, bucket = trib_key_bucket(table, key, wide);
    stream->pending[i % RING].low = (uint64_t)key;
    if (wide) stream->pending[i % RING].high = (uint64_t)(key >> 64);
    stream->pending[i % RING].bucket = bucket;
    stream->pending[i % RING].count = count;
    __builtin_prefetch(&table->head[bucket], 1);
    if (stream->n_pushed - stream->n_added > HALF) {
        const size_t e = table->head[stream->pending[(i - HALF) % RING].bucket];
        const size_t size = wide ? sizeof(trib_entry128) : sizeof(trib_entry64);
        if (table->cap > 0) /* an empty chain fetches entry 0, which does no harm */
            __builtin_prefetch((const char *)table->entry + (e < table->cap ? e : 0) * size, 1);
    }
    return TRIB_OK;
}

void trib_hacoo_stream_init(trib_hacoo_stream *stream, trib_hacoo *table, uint32_t *entry) {
    stream->table = table;
    stream->entry = entry;
    stream->n_pushed = stream->n_added = 0;
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

trib_status trib_hacoo_stream_flush(trib_hacoo_stream *stream, trib_error *error) {
    const bool wide = trib_is_wide(stream->table);
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && stream->n_added < stream->n_pushed)
        status = add_oldest(stream, wide, error);
    return status;
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
    /* The index that is wrong came after all that are pending; any other failure is the oldest's. */
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
