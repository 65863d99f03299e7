/* random.c - splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). */
#include "base/base.h"

void trib_random_seed(trib_random *random, uint64_t seed) { random->state = seed; }

uint64_t trib_random_u64(trib_random *random) {
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double trib_random_unit(trib_random *random) {
    return (double)(trib_random_u64(random) >> 11) * 0x1p-53;
}

uint64_t trib_random_below(trib_random *random, uint64_t n) { return trib_random_u64(random) % n; }
