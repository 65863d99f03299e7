/* elementary.c - tests of base/elementary.c: values against the C library, whose own values are
 * good to one unit in the last place, and values whose bits are known. */
#include "base/internal.h"
#include "tests/test.h"

TESTS(base, elementary);

/* Whether two numbers are at most n units in the last place apart. */
static bool are_close(double a, double b, double n) {
    return a == b || fabs(a - b) <= n * (nextafter(fabs(b), INFINITY) - fabs(b));
}

TEST(logarithms_are_those_of_the_library) {
    size_t n_wrong = 0;
    trib_random random;
    trib_random_seed(&random, 1);
    for (int i = 0; i < 100000; i++) {
        const double near = 0.25 + 4 * trib_random_unit(&random);
        const double far = ldexp(near, (int)(trib_random_u64(&random) % 2000) - 1000);
        n_wrong += !are_close(trib_logarithm(near), log(near), 2);
        n_wrong += !are_close(trib_logarithm(far), log(far), 2);
    }
    EXPECT(n_wrong == 0);
}

TEST(logarithms_of_special_numbers) {
    EXPECT(trib_logarithm(1) == 0);
    EXPECT(trib_logarithm(2) == 0x1.62e42fefa39efp-1);
    EXPECT(trib_logarithm(0x1p-10) == -0x1.bb9d3beb8c86bp+2);
    EXPECT(trib_logarithm(0x1p-1074) == -0x1.74385446d71c3p+9);
    EXPECT(trib_logarithm(0) == -INFINITY);
    EXPECT(trib_logarithm(INFINITY) == INFINITY);
    EXPECT(isnan(trib_logarithm(-1)) && isnan(trib_logarithm(NAN)));
}

TEST(exponentials_are_those_of_the_library) {
    size_t n_wrong = 0;
    trib_random random;
    trib_random_seed(&random, 2);
    for (int i = 0; i < 100000; i++) {
        const double x = 1400 * trib_random_unit(&random) - 700, y = x / 700;
        n_wrong += !are_close(trib_exponential(x), exp(x), 2);
        n_wrong += !are_close(trib_exponential(y), exp(y), 2);
    }
    EXPECT(n_wrong == 0);
    EXPECT(trib_exponential(0) == 1);
    EXPECT(trib_exponential(-745) == 0x1p-1074);
    EXPECT(trib_exponential(-INFINITY) == 0 && trib_exponential(-1e300) == 0);
    EXPECT(trib_exponential(INFINITY) == INFINITY && trib_exponential(710) == INFINITY);
    EXPECT(isnan(trib_exponential(NAN)));
}

TEST(roots_undo_powers) {
    for (uint32_t n = 1; n <= 8; n++)
        for (int x = 1; x <= 40; x++) {
            const double power = trib_power(x, n);
            EXPECT(are_close(trib_root(power, n), x, 2));
            EXPECT(are_close(trib_root(x, n), pow(x, 1. / n), 3));
        }
    EXPECT(trib_power(3, 0) == 1 && trib_power(0.5, 3) == 0.125 && trib_power(0, 2) == 0);
    EXPECT(trib_root(0, 3) == 0 && trib_root(5, 0) == 5 && trib_root(-5, 3) == -5);
    EXPECT(are_close(trib_root(1e300, 3), 1e100, 3) && are_close(trib_root(1e-300, 3), 1e-100, 3));
}
