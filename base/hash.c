/* hash.c - a fast hash for tables in memory, XXH64 for what is stored, and SHA-256 (libmd) for
 * names that must last. */
#include "base/base.h"

#include <sha2.h>
#include <string.h>

/* Folds a 64 x 64 bit product, eight bytes at a time (the multiply-and-fold of Yi's wyhash
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

/* ---- XXH64, as its specification has it ------------------------------------------------------ */

static const uint64_t prime[] = {UINT64_C(0x9E3779B185EBCA87), UINT64_C(0xC2B2AE3D27D4EB4F),
                                 UINT64_C(0x165667B19E3779F9), UINT64_C(0x85EBCA77C2B2AE63),
                                 UINT64_C(0x27D4EB2F165667C5)};

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

/* Eight bytes, little-endian whatever the machine. */
static uint64_t eight(const unsigned char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static uint64_t four(const unsigned char *at) {
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

static uint64_t take(uint64_t lane, uint64_t word) {
    return rotate(lane + word * prime[1], 31) * prime[0];
}

static const trib_checksum_parts nothing = {
    .lane = {UINT64_C(0x60EA27EEADC0B5D6), UINT64_C(0xC2B2AE3D27D4EB4F), 0,
             UINT64_C(0x61C8864E7A143579)}}; /* prime[0] + prime[1], prime[1], 0, -prime[0] */

/* The lanes as variables of their own: bytes could be any object, so also parts of theirs. */
static size_t take_stripes(uint64_t lane[4], const unsigned char *at, size_t length) {
    uint64_t own[4];
    size_t done = 0;
    memcpy(own, lane, sizeof own);
    for (; length - done >= 32; done += 32)
        for (int l = 0; l < 4; l++) own[l] = take(own[l], eight(at + done + 8 * l));
    memcpy(lane, own, sizeof own);
    return done;
}

void trib_checksum_add(trib_checksum_parts *parts, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    const size_t waiting = (size_t)(parts->length % 32);
    if (parts->length == 0) *parts = nothing;
    parts->length += length;
    if (waiting > 0) {
        const size_t room = 32 - waiting, n = length < room ? length : room;
        if (n > 0) memcpy(parts->rest + waiting, at, n);
        if (n < room) return;
        take_stripes(parts->lane, parts->rest, 32);
        at += n;
        length -= n;
    }
    const size_t done = take_stripes(parts->lane, at, length);
    if (length > done) memcpy(parts->rest, at + done, length - done);
}

uint64_t trib_checksum_end(const trib_checksum_parts *parts) {
    const unsigned char *at = parts->rest;
    size_t left = (size_t)(parts->length % 32);
    uint64_t hash = prime[4];
    if (parts->length >= 32) {
        const uint64_t *const lane = parts->lane;
        hash = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
        for (int l = 0; l < 4; l++) hash = (hash ^ take(0, lane[l])) * prime[0] + prime[3];
    }
    hash += parts->length;
    for (; left >= 8; at += 8, left -= 8)
        hash = rotate(hash ^ take(0, eight(at)), 27) * prime[0] + prime[3];
    for (; left >= 4; at += 4, left -= 4)
        hash = rotate(hash ^ four(at) * prime[0], 23) * prime[1] + prime[2];
    for (; left > 0; at++, left--) hash = rotate(hash ^ *at * prime[4], 11) * prime[0];
    hash = (hash ^ hash >> 33) * prime[1];
    hash = (hash ^ hash >> 29) * prime[2];
    return hash ^ hash >> 32;
}

uint64_t trib_checksum(const void *bytes, size_t length) {
    trib_checksum_parts parts = {0};
    trib_checksum_add(&parts, bytes, length);
    return trib_checksum_end(&parts);
}

struct trib_sha256 {
    SHA2_CTX context;
};

trib_status trib_sha256_open(trib_sha256 **hash, trib_error *error) {
    trib_status status = trib_new(hash, 1, sizeof **hash, "a checksum", error);
    if (status == TRIB_OK) SHA256Init(&(*hash)->context);
    return status;
}

void trib_sha256_add(trib_sha256 *hash, const void *bytes, size_t length) {
    SHA256Update(&hash->context, bytes, length);
}

void trib_sha256_close(trib_sha256 *hash, char text[TRIB_SHA256_TEXT]) {
    if (hash && text) SHA256End(&hash->context, text);
    trib_free(hash);
}
