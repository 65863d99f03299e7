/* packed.h - a table of n-grams and their order, as few bytes (packed.c). Private. */
#ifndef TRIBUTARY_TENSOR_PACKED_H
#define TRIBUTARY_TENSOR_PACKED_H

#include "tensor/hacoo.h"

/* ---- Numbers of a few bytes ------------------------------------------------------------------ */

/* Bytes that are read, but not used, after the last number of an array. */
enum { TRIB_NARROW_MARGIN = 3 };

/* The bytes of a number below `bound`: 1 to 4. */
TRIB_INLINE size_t trib_narrow_bytes(uint64_t bound) {
    return bound <= UINT64_C(1) << 8    ? 1
           : bound <= UINT64_C(1) << 16 ? 2
           : bound <= UINT64_C(1) << 24 ? 3
                                        : 4;
}

/* Writes the lowest n_bytes bytes of a number, lowest first. */
TRIB_INLINE void trib_narrow_put(char *to, uint32_t value, size_t n_bytes) {
    for (size_t i = 0; i < n_bytes; i++) to[i] = (char)(uint8_t)(value >> 8 * i);
}

TRIB_INLINE uint32_t trib_narrow_get(const char *from, size_t n_bytes) {
    const unsigned char *b = (const unsigned char *)from;
    const uint32_t all =
        (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return all & UINT32_MAX >> (32 - 8 * n_bytes);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Packs a table of n-grams, all of whose modes have the same size. `sequence` is the entry of each
 * of the n n-grams of the text that was counted, in order; NULL: the order of the text is not kept,
 * and n is ignored. *bytes[*size], which the caller frees, is for this process and its kin only:
 * what the table has besides entries is not in it. TRIB_MEMORY; TRIB_INTERNAL when the modes differ
 * or the table does not count this sequence. */
trib_status trib_hacoo_pack(const trib_hacoo *table, const uint32_t *sequence, size_t n,
                            char **bytes, size_t *size, trib_error *error);

/* The arrays of an unpacked table. They can be used again for another table. `{0}` is empty. */
typedef struct trib_hacoo_arrays {
    void *entry;                                    /* [nnz] as in trib_hacoo */
    uint32_t *head;                                 /* [n_buckets] as in trib_hacoo */
    uint32_t *sequence;                             /* [n] */
    size_t entry_bytes, head_bytes, sequence_bytes; /* allocated */
} trib_hacoo_arrays;

/* Unpacks into `arrays` what trib_hacoo_pack packed. `table` is that table, whose entries, buckets
 * and counts are not read. The same entries in the same order and the same buckets. TRIB_MEMORY;
 * TRIB_INPUT when the bytes are not of such a table. */
trib_status trib_hacoo_unpack(const trib_hacoo *table, const char *bytes, size_t size, size_t n,
                              bool has_sequence, trib_hacoo_arrays *arrays, trib_error *error);
void trib_hacoo_arrays_release(trib_hacoo_arrays *arrays);

#endif
