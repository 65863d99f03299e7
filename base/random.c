/* random.c - splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014). */
#include "base/base.h"

void trib_random_seed(trib_random *random, uint64_t seed) { random->state = seed; }

uint64_t trib_random_below(trib_random *random, uint64_t n) { return trib_random_u64(random) % n; }
