/* elementary.c - logarithm, exponential and roots with the same bits on every processor. Those of
 * the C library differ in the last digit from one library or processor to another. Here are only
 * additions, multiplications, divisions and square roots, which IEEE 754 rounds in one way. The
 * errors are below one unit in the last place (roots: two). */
#include "base/internal.h"

/* ln 2 as a number of 33 bits, whose products with exponents are exact, and the rest. */
static const double LN2_HIGH = 0x1.62e42fefp-1, LN2_LOW = 0x1.473de6af278edp-34;

/* x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2), and with s = f / (2 + f)
 * ln(1 + f) = 2 (s + s^3 / 3 + s^5 / 5 + ...) = f - s (f - q), q = 2 (s^2 / 3 + s^4 / 5 + ...).
 * |s| < .172, so that 11 terms suffice. */
double trib_logarithm(double x) {
    static const double twice[] = {2. / 3,  2. / 5,  2. / 7,  2. / 9,  2. / 11, 2. / 13,
                                   2. / 15, 2. / 17, 2. / 19, 2. / 21, 2. / 23};
    int k = 0;
    if (!(x > 0) || isinf(x)) return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    double m = frexp(x, &k);
    if (m < 0x1.6a09e667f3bcdp-1) m *= 2, k--;
    const double f = m - 1, s = f / (2 + f), z = s * s;
    /* Horner's rule over z^2, for the odd and the even terms side by side. */
    double even = twice[10], odd = twice[9];
    for (size_t term = 5; term-- > 0;) {
        even = even * (z * z) + twice[2 * term];
        if (term > 0) odd = odd * (z * z) + twice[2 * term - 1];
    }
    const double q = z * (even + z * odd);
    /* f^2 / 2 is nearly all of s (f - q) */
    const double half = f * f / 2;
    return k * LN2_HIGH + (f - (half - (s * (half + q) + k * LN2_LOW)));
}

/* x = k ln 2 + r with |r| <= ln(2) / 2, and exp(r) = 1 + r + r^2 / 2! + ... */
double trib_exponential(double x) {
    if (isnan(x)) return x;
    if (x > 709.782712893384) return INFINITY;
    if (x < -745.14) return 0;
    const double k = floor(x * 0x1.71547652b82fep+0 + .5);
    const double high = x - k * LN2_HIGH, low = k * LN2_LOW, r = high - low;
    double tail = 0;
    for (int term = 14; term >= 2; term--) tail = (tail + 1) * r / term;
    /* exp(r) - 1 = r (1 + tail), with the digits that r has lost */
    return ldexp(1 + (high - (low - r * tail)), (int)k);
}

double trib_power(double x, uint32_t n) {
    double power = 1;
    for (uint32_t i = 0; i < n; i++) power *= x;
    return power;
}

double trib_root(double x, uint32_t n) {
    if (!(x > 0) || n < 2) return x;
    if (n == 2) return sqrt(x);
    const double root = trib_exponential(trib_logarithm(x) / n);
    /* a step of Newton */
    const double rest = trib_power(root, n - 1);
    return rest > 0 && isfinite(rest) ? root - (root - x / rest) / n : root;
}
