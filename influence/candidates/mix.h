/* mix.h - hashes of words and of their sequences. Private to this room. The functions are fixed:
 * sketches that were stored depend on them. */
#ifndef TRIBUTARY_INFLUENCE_CANDIDATES_MIX_H
#define TRIBUTARY_INFLUENCE_CANDIDATES_MIX_H

#include "base/base.h"

/* Mixes all bits: the finaliser of splitmix64 (Steele, Lea, Flood 2014), a bijection. */
TRIB_INLINE uint64_t trib_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The hash of a vocabulary word: of word_hash[word], or of its id when word_hash is NULL. */
TRIB_INLINE uint64_t trib_mix_word(uint32_t word, const uint64_t *word_hash) {
    return trib_mix((word_hash ? word_hash[word] : word) + UINT64_C(0x9E3779B97F4A7C15));
}

/* Appends a word's hash to a sequence, which starts with 0 and ends with trib_mix. */
TRIB_INLINE uint64_t trib_mix_next(uint64_t sum, uint64_t word) {
    return sum * UINT64_C(0xD6E8FEB86659FD93) + word;
}

#endif
