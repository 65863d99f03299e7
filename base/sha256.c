/* sha256.c - SHA-256 (FIPS 180-4) for names that must last: libmd's, whole blocks by the processor's own instructions where it
 * has them. */
#include "base/base.h"

#include <sha2.h>

struct trib_sha256 {
    SHA2_CTX context;
    bool has_instructions;
};

enum { BLOCK = 64 }; /* bytes */

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>

static bool has_instructions(void) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
}

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* n blocks into the state. Its words a b e f and c d g h lie in one register each, as the instructions take them; four words of
 * the schedule w in one, of which sixteen are known at a time. */
__attribute__((target("sha,sse4.1"))) static void add_blocks(uint32_t state[8],
                                                             const unsigned char *bytes, size_t n) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const void *)state), 0xB1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const void *)(state + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(abcd, efgh, 8), cdgh = _mm_blend_epi16(efgh, abcd, 0xF0);
    for (; n > 0; n--, bytes += BLOCK) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(bytes + 16 * i)), swap);
        for (int i = 0; i < 16; i++) { /* four rounds each */
            const __m128i now = w[i % 4], last = w[(i + 3) % 4];
            const __m128i sum =
                _mm_add_epi32(now, _mm_loadu_si128((const void *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
            w[i % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]),
                                                          _mm_alignr_epi8(last, w[(i + 2) % 4], 4)),
                                            last);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    abcd = _mm_shuffle_epi32(abef, 0x1B); /* f e b a */
    efgh = _mm_shuffle_epi32(cdgh, 0xB1); /* d c h g */
    _mm_storeu_si128((void *)state, _mm_blend_epi16(abcd, efgh, 0xF0));
    _mm_storeu_si128((void *)(state + 4), _mm_alignr_epi8(efgh, abcd, 8));
}
#else
static bool has_instructions(void) { return false; }

static void add_blocks(uint32_t state[8], const unsigned char *bytes, size_t n) {
    (void)state, (void)bytes, (void)n;
}
#endif

trib_status trib_sha256_open(trib_sha256 **hash, trib_error *error) {
    trib_status status = trib_new(hash, 1, sizeof **hash, "a checksum", error);
    if (status != TRIB_OK) return status;
    SHA256Init(&(*hash)->context);
    (*hash)->has_instructions = has_instructions();
    return TRIB_OK;
}

void trib_sha256_add(trib_sha256 *hash, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    SHA2_CTX *context = &hash->context;
    if (length == 0) return;
    if (hash->has_instructions && length >= BLOCK) {
        const size_t in_block = (size_t)(context->bitcount[0] / 8 % BLOCK),
                     to_whole = in_block > 0 ? BLOCK - in_block : 0;
        SHA256Update(context, at, to_whole); /* what its block lacks */
        at += to_whole;
        length -= to_whole;
        add_blocks(context->state.st32, at, length / BLOCK);
        context->bitcount[0] += (uint64_t)(length / BLOCK) * BLOCK * 8;
        at += length - length % BLOCK;
        length %= BLOCK;
    }
    SHA256Update(context, at, length);
}

void trib_sha256_close(trib_sha256 *hash, char text[TRIB_SHA256_TEXT]) {
    if (hash && text) SHA256End(&hash->context, text);
    trib_free(hash);
}
