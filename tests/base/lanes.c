/* lanes.c - tests of base/lanes.h: sums against the obvious loop, which adds in the same order. */
#include "base/lanes.h"
#include "base/internal.h"
#include "tests/test.h"

TESTS(base, lanes);

enum { N = 128 };

static double sum_of_eight(const double x[TRIB_LANES]) {
    double four[4];
    for (int i = 0; i < 4; i++) four[i] = x[i] + x[i + 4];
    return (four[0] + four[2]) + (four[1] + four[3]);
}

/* As the kernels of the program: a version for each set of instructions. */
TRIB_KERNEL(double, test_inner_product, (const double *a, const double *b, size_t n), (a, b, n)) {
    return trib_inner_product(a, b, n);
}

static void fill(double *a, size_t n, uint64_t seed) {
    trib_random random;
    trib_random_seed(&random, seed);
    for (size_t i = 0; i < n; i++)
        a[i] = (trib_random_unit(&random) - .5) / (1 + 1000 * trib_random_unit(&random));
}

TEST(inner_products_are_added_in_one_order) {
    double a[N + 1], b[N + 1]; /* read from addresses that are right for one number */
    for (uint64_t seed = 1; seed < 50; seed++)
        for (size_t n = 0; n <= N; n += TRIB_LANES) {
            double lane[TRIB_LANES] = {0};
            fill(a, N + 1, seed);
            fill(b, N + 1, seed + 100);
            for (size_t i = 0; i < n; i++) {
                const volatile double product = a[i + 1] * b[i + 1]; /* rounded, not fused */
                lane[i % TRIB_LANES] += product;
            }
            EXPECT(test_inner_product(a + 1, b + 1, n) == sum_of_eight(lane));
            EXPECT(trib_inner_product(a + 1, b + 1, n) == sum_of_eight(lane));
        }
}

/* (1 + e)^2 - (1 + 2e) is e^2 when it is computed without rounding the product. */
TEST(products_are_rounded_before_they_are_added) {
    volatile double x = 1 + 0x1p-30, minus = -(1 + 0x1p-29);
    EXPECT(x * x + minus == 0);
    const double a[TRIB_LANES] = {minus}, b[TRIB_LANES] = {1}, c[TRIB_LANES] = {x};
    double pair[2 * TRIB_LANES], other[2 * TRIB_LANES];
    memcpy(pair, a, sizeof a);
    memcpy(pair + TRIB_LANES, c, sizeof c);
    memcpy(other, b, sizeof b);
    memcpy(other + TRIB_LANES, c, sizeof c);
    EXPECT(test_inner_product(pair, other, sizeof pair / sizeof *pair) == 0);
}
