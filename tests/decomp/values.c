/* values.c - tests of decomp/values.c. */
#include "decomp/dense.h"
#include "tests/test.h"

static void many_values_have_the_bits_of_one_at_a_time(void) {
    enum { DIM = 11, MOST = 37 };
    uint32_t dim[TRIB_MAX_MODES], index[MOST * TRIB_MAX_MODES];
    double value[MOST];
    trib_random random;
    trib_random_seed(&random, 8);
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) dim[m] = DIM;
    for (uint32_t n_modes = 1; n_modes <= TRIB_MAX_MODES; n_modes++)
        for (uint32_t rank = 0; rank <= 33; rank += rank < 18 ? 1 : 5) {
            trib_ktensor k;
            CHECK(trib_ktensor_init(&k, n_modes, dim, rank, NULL) == TRIB_OK);
            for (uint32_t r = 0; r < rank; r++) k.lambda[r] = 9 * trib_random_unit(&random);
            for (uint32_t m = 0; m < n_modes; m++)
                for (size_t i = 0; i < (size_t)DIM * rank; i++)
                    k.factor[m][i] = trib_random_unit(&random) - .3;
            for (size_t i = 0; i < MOST * n_modes; i++)
                index[i] = (uint32_t)trib_random_below(&random, DIM);
            for (size_t n = 0; n <= MOST; n += n < 18 ? 1 : 19) {
                size_t n_equal = 0;
                trib_ktensor_values(&k, n, index, value);
                for (size_t i = 0; i < n; i++)
                    n_equal += value[i] == trib_ktensor_value(&k, index + i * n_modes);
                EXPECT(n_equal == n);
            }
            trib_ktensor_release(&k);
        }
}

CU_TestInfo trib_tests_decomp_values[] = {
    {"many values have the bits of one at a time", many_values_have_the_bits_of_one_at_a_time},
    CU_TEST_INFO_NULL,
};
