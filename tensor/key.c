/* key.c - how an index becomes a bucket: the table of hashes. `morton` is the poster's [P], `packed` stands in for the
 * concatenated decimal digits of [C] without their aliasing, `mixed` is ours. */
#include "tensor/entry.h"

#include <string.h>

const trib_hash trib_hashes[] = {
    {"morton", "Morton code, shift-and-add (Lowe, Charles, Singh 2021)", true, false},
    {"packed", "indices side by side, shift-and-add (after Charles 2023)", false, false},
    {"mixed", "indices side by side, a strong mixer", false, true},
    {NULL, NULL, false, false},
};

const trib_hash *trib_hash_find(const char *name) {
    for (const trib_hash *hash = trib_hashes; hash->name; hash++)
        if (strcmp(hash->name, name) == 0) return hash;
    return NULL;
}

trib_key trib_key_morton(const trib_hacoo *table, trib_key key) {
    uint32_t index[TRIB_MAX_MODES];
    trib_key_unpack(table->bits, table->n_modes, key, index, true);
    trib_key code = 0;
    uint32_t place = 0;
    for (uint32_t level = 0; place < table->key_bits; level++)
        for (uint32_t m = 0; m < table->n_modes; m++)
            if (level < table->bits[m]) code |= (trib_key)(index[m] >> level & 1) << place++;
    return code;
}

void trib_morton_init(trib_morton *morton, const trib_hacoo *table) {
    memset(morton, 0, sizeof *morton);
    uint32_t place = 0;
    for (uint32_t level = 0; place < table->key_bits; level++)
        for (uint32_t m = 0; m < table->n_modes; m++) {
            if (level >= table->bits[m]) continue;
            const trib_key bit = (trib_key)1 << place++;
            for (uint32_t v = 0; v < 256; v++)
                if (v >> level % 8 & 1) morton->place[m][level / 8][v] |= bit;
        }
}

trib_key trib_morton_code(const trib_morton *morton, const trib_hacoo *table, trib_key key) {
    uint32_t index[TRIB_MAX_MODES];
    trib_key_unpack(table->bits, table->n_modes, key, index, trib_is_wide(table));
    trib_key code = 0;
    for (uint32_t m = 0; m < table->n_modes; m++)
        for (uint32_t k = 0; k * 8 < table->bits[m]; k++)
            code |= morton->place[m][k][index[m] >> 8 * k & 255];
    return code;
}

static uint32_t log2_of(size_t power) {
    uint32_t bits = 0;
    while (power >>= 1) bits++;
    return bits;
}

size_t trib_key_published_bucket(const trib_hacoo *table, trib_key key) {
    const uint32_t bits = log2_of(table->n_buckets);
    const uint32_t sx = (bits + 7) / 8 - 1;      /* max(0, ceil(bits/8) - 1) */
    const uint32_t sy = sx > 0 ? 4 * sx - 1 : 1; /* max(1, 4 sx - 1) */
    const uint32_t sz = (bits + 1) / 2;          /* ceil(bits/2) */
    if (table->hash->interleaved) key = trib_key_morton(table, key);
    if (trib_is_wide(table)) {
        key += key << sx;
        key ^= key >> sy;
        key += key << sz;
        return (size_t)key & (table->n_buckets - 1);
    }
    uint64_t h = (uint64_t)key;
    h += h << sx;
    h ^= h >> sy;
    h += h << sz;
    return (size_t)h & (table->n_buckets - 1);
}
