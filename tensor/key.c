/* key.c - how the bucket of an index is computed: the table of hashes. `morton` is from [P],
 * `digits` from [C], and `mixed` is our own. `packed` and `morton-compact` are the first two with a
 * code that wastes no bit. A hash only chooses buckets. Entries are found by their keys, so
 * different indices never share an entry, whatever the hash. */
#include "base/internal.h"
#include "tensor/entry.h"

static uint64_t packed_number(const trib_hacoo *table, const uint32_t index[]) {
    trib_key key = 0;
    trib_key_pack(table, index, &key, true);
    return (uint64_t)key;
}

static uint64_t compact_number(const trib_hacoo *table, const uint32_t index[]) {
    trib_key key = 0;
    trib_key_pack(table, index, &key, true);
    return (uint64_t)trib_key_morton(table, key);
}

/* [C] algorithm 2: every round takes one bit of every mode, or a zero where the mode has no more
 * bits. */
static uint64_t morton_number(const trib_hacoo *table, const uint32_t index[]) {
    uint64_t code = 0;
    for (uint32_t place = 0; place < 64; place++)
        code |= ((uint64_t)index[place % table->n_modes] >> place / table->n_modes & 1) << place;
    return code;
}

/* [C] section 3.1 and appendix, where indices count from 1: (0, 22) and (11, 2) both give 123. */
static uint64_t digits_number(const trib_hacoo *table, const uint32_t index[]) {
    uint64_t number = 0;
    for (uint32_t m = 0; m < table->n_modes; m++) {
        const uint64_t value = (uint64_t)index[m] + 1;
        uint64_t shift = 10;
        while (shift <= value) shift *= 10;
        number = number * shift + value;
    }
    return number;
}

const trib_hash trib_hashes[] = {
    {"morton", "Morton code, shift-and-add (Lowe, Charles, Singh 2021)", morton_number, false},
    {"morton-compact", "Morton code without the bits that a smaller mode lacks, shift-and-add",
     compact_number, false},
    {"digits", "decimal digits of the indices side by side, shift-and-add (Charles 2023)",
     digits_number, true},
    {"packed", "bits of the indices side by side, shift-and-add", packed_number, false},
    {"mixed", "bits of the indices side by side, a strong mixer", NULL, false},
    {NULL, NULL, NULL, false},
};

TRIB_FIND(trib_hash_find, trib_hash, trib_hashes);

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

void trib_morton_init(trib_morton *morton, const trib_hacoo *table, bool inverse) {
    memset(morton, 0, sizeof *morton);
    for (uint32_t bit = 0; bit < table->key_bits; bit++) {
        const trib_key code = trib_key_morton(table, (trib_key)1 << bit);
        uint32_t in_code = 0;
        while (code >> in_code != 1) in_code++;
        const uint32_t from = inverse ? in_code : bit;
        for (uint32_t v = 0; v < 256; v++)
            if (v >> from % 8 & 1)
                morton->place[from / 8][v] |= inverse ? (trib_key)1 << bit : code;
    }
}

static uint32_t log2_of(size_t power) {
    uint32_t bits = 0;
    while (power >>= 1) bits++;
    return bits;
}

/* Arithmetic modulo 2^64 gives the same bucket as integers of any length: sums and left shifts only
 * carry upwards, and the bucket depends on the lowest bits + sy bits of h, which are fewer than 64
 * up to 2^45 buckets. */
size_t trib_key_published_bucket(const trib_hacoo *table, trib_key key) {
    const uint32_t bits = log2_of(table->n_buckets);
    const uint32_t sx = (bits + 7) / 8 - 1;      /* max(0, ceil(bits/8) - 1) */
    const uint32_t sy = sx > 0 ? 4 * sx - 1 : 1; /* max(1, 4 sx - 1) */
    const uint32_t sz = (bits + 1) / 2;          /* ceil(bits/2) */
    uint32_t index[TRIB_MAX_MODES];
    trib_key_unpack(table->bits, table->n_modes, key, index, trib_is_wide(table));
    uint64_t h = table->hash->number(table, index);
    h += h << sx;
    h ^= h >> sy;
    h += h << sz;
    return (size_t)h & (table->n_buckets - 1);
}
