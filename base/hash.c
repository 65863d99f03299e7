/* hash.c - a fast hash for tables in memory, XXH64 (libxxhash) for stored checksums, and SHA-256
 * (nettle, which uses the instructions of the processor) for names that must stay stable. */
#include "base/base.h"
#include "base/internal.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>
#define XXH_STATIC_LINKING_ONLY /* declares the size of its state */
#include <xxhash.h>

/* Multiplies to 128 bits and folds the halves (the multiply-and-fold step of Yi's wyhash
 * family). */
static uint64_t fold(uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t trib_hash_bytes(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint64_t hash = UINT64_C(0x9E3779B97F4A7C15) ^ length, word = 0;
    for (; length >= 8; length -= 8, at += 8) {
        memcpy(&word, at, 8);
        hash = fold(hash ^ word, UINT64_C(0xD6E8FEB86659FD93));
    }
    word = 0;
    if (length > 0) memcpy(&word, at, length);
    return fold(hash ^ word, UINT64_C(0xA0761D6478BD642F)) ^ hash >> 32;
}

/* ---- XXH64 ----------------------------------------------------------------------------------- */

_Static_assert(sizeof(XXH64_state_t) <= sizeof((trib_checksum_parts){0}.state),
               "the state of libxxhash fits");

void trib_checksum_add(trib_checksum_parts *parts, const void *bytes, size_t length) {
    XXH64_state_t *const state = (void *)parts->state;
    if (!parts->is_begun) XXH64_reset(state, 0);
    parts->is_begun = true;
    if (length > 0) XXH64_update(state, bytes, length);
}

uint64_t trib_checksum_end(const trib_checksum_parts *parts) {
    return parts->is_begun ? XXH64_digest((const void *)parts->state) : XXH64(NULL, 0, 0);
}

uint64_t trib_checksum(const void *bytes, size_t length) { return XXH64(bytes, length, 0); }

/* ---- SHA-256 --------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct sha256_ctx) <= sizeof((trib_sha256){0}.state),
               "the state of nettle fits");

void trib_sha256_add(trib_sha256 *hash, const void *bytes, size_t length) {
    if (!hash->is_begun) sha256_init((void *)hash->state);
    hash->is_begun = true;
    sha256_update((void *)hash->state, length, bytes);
}

void trib_sha256_end(trib_sha256 *hash, char text[TRIB_SHA256_TEXT]) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    trib_sha256_add(hash, "", 0);
    sha256_digest((void *)hash->state, sizeof digest, digest);
    base16_encode_update(text, sizeof digest, digest);
    text[TRIB_SHA256_TEXT - 1] = '\0';
    *hash = (trib_sha256){0};
}

/* ---- Random numbers -------------------------------------------------------------------------- */

void trib_random_seed(trib_random *random, uint64_t seed) { random->state = seed; }

uint64_t trib_random_below(trib_random *random, uint64_t n) { return trib_random_u64(random) % n; }
