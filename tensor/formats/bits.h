/* bits.h - extracting the bits of a number that a mask selects. Private to tensor/formats/. */
#ifndef TRIBUTARY_BITS_H
#define TRIBUTARY_BITS_H

#include "base/base.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TRIB_PORTABLE)
/* The bits of `from` under the mask, packed together. This is an instruction of BMI2: call it only
 * if trib_can_gather is true. */
TRIB_INLINE uint64_t trib_gather(uint64_t from, uint64_t mask) {
    uint64_t bits;
    __asm__("pext %2, %1, %0" : "=r"(bits) : "r"(from), "r"(mask));
    return bits;
}

TRIB_INLINE bool trib_can_gather(void) { return __builtin_cpu_supports("bmi2"); }
#else
/* Never called. */
TRIB_INLINE uint64_t trib_gather(uint64_t from, uint64_t mask) { return from & mask; }

TRIB_INLINE bool trib_can_gather(void) { return false; }
#endif

#endif
