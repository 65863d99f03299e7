/* ktensor.c - any bytes as a Kruskal tensor: it is rejected, or its numbers are finite. */
#include "decomp/decomp.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(ktensor) {
    trib_reader reader;
    TRIB_OWNED(trib_ktensor) k = {0};
    trib_reader_memory(&reader, "x", bytes, size);
    if (trib_ktns_read(&k, &reader, NULL) == TRIB_OK)
        for (uint32_t r = 0; r < k.rank; r++) FUZZ_CHECK(isfinite(k.lambda[r]));
    for (uint32_t m = 0; m < k.n_modes; m++)
        for (size_t i = 0; i < (size_t)k.dim[m] * k.rank && i < 1 << 16; i++)
            FUZZ_CHECK(isfinite(k.factor[m][i]));
}
