/* number.c - converts numbers to and from text in the C locale, whatever the locale of the process,
 * and does checked arithmetic. */
#include "base/base.h"

#include <float.h>
#include <locale.h>

/* Replaces characters: all text that we read or write has a point as decimal separator, also in
 * other locales. */
static void replace_char(char *text, char from, char to) {
    char *found = from == to ? NULL : strchr(text, from);
    if (found) *found = to;
}

static char locale_point(void) {
    const char *point = localeconv()->decimal_point;
    return point && point[0] ? point[0] : '.';
}

static bool is_enough(char text[TRIB_NUMBER_MAX], double value, int digits) {
    return snprintf(text, TRIB_NUMBER_MAX, "%.*g", digits, value) < TRIB_NUMBER_MAX &&
           strtod(text, NULL) == value;
}

/* ---- The shortest decimal -------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;

enum { MOST_DIGITS = 17 }; /* enough to distinguish any two doubles */

/* The number q 10^exponent, with the fewest digits that identify the double. */
typedef struct decimal {
    uint64_t q;
    int exponent;
} decimal;

static uint64_t power(uint64_t base, int n) {
    uint64_t result = 1;
    for (; n > 0; n--) result *= base;
    return result;
}

/* Finds the shortest decimal that reads back as `size`. All arithmetic is exact, in units of
 * 2^(e+k-2): the number is 4 m 5^k, and the midpoint to either neighbour is 2 5^k away. A decimal
 * nearer than that reads back as the number; one exactly at the midpoint does so when m is even.
 * With j < 17 digits the nearest decimal is used, a tie going to the even one, if it is near
 * enough. Returns false where the integers would exceed 64 or 128 bits, and for powers of two,
 * whose lower neighbour is nearer. */
static bool find_decimal(double size, decimal *found) {
    uint64_t bits = 0;
    if (!(size >= 1e-10 && size < 1e15)) return false;
    memcpy(&bits, &size, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1), m = fraction | UINT64_C(1) << 52;
    const int e = (int)(bits >> 52) - 1075;
    if (fraction == 0) return false;
    const int k = MOST_DIGITS - 1 - (int)floor(log10(size)); /* scales to a number of 17 digits */
    const uint64_t fives = power(5, k);                      /* k <= 27: below 2^63 */
    const wide number = (wide)m * fives * 4;
    const int shift = 2 - e - k;
    if (shift < 1 || number >> shift >= power(10, MOST_DIGITS) ||
        number >> shift < power(10, MOST_DIGITS - 1))
        return false; /* close to a power of ten, where log10 may be off by one */
    const uint64_t all = (uint64_t)(number >> shift);
    const wide rest = number & (((wide)1 << shift) - 1), half = (wide)fives * 2;
    uint64_t unit = 1;
    for (int j = 0; j < MOST_DIGITS; j++, unit *= 10) {
        const wide step = (wide)unit << shift, below = ((wide)(all % unit) << shift) + rest;
        const uint64_t down = all / unit;
        const bool up = 2 * below > step || (2 * below == step && down % 2 == 1);
        const wide distance = up ? step - below : below;
        if (distance > half || (distance == half && m % 2 == 1)) break;
        *found = (decimal){down + up, j - k};
    }
    return true;
}

/* Writes the number like %g with exactly its digits; a whole number with all of its own digits. */
static void write_decimal(char *text, bool is_negative, decimal d) {
    char digits[MOST_DIGITS + 2];
    for (; d.q % 10 == 0; d.q /= 10) d.exponent++;
    int n = 0;
    for (uint64_t q = d.q; q > 0; q /= 10) n++;
    for (int i = n; i-- > 0; d.q /= 10) digits[i] = (char)('0' + d.q % 10);
    const int first = n - 1 + d.exponent; /* exponent of the first digit */
    if (is_negative) *text++ = '-';
    if (first < -4) {
        *text++ = digits[0];
        if (n > 1) *text++ = '.';
        memcpy(text, digits + 1, (size_t)n - 1);
        text += n - 1;
        *text++ = 'e', *text++ = '-';
        *text++ = (char)('0' - first / 10), *text++ = (char)('0' - first % 10);
    } else {
        const int last = d.exponent < 0 ? d.exponent : 0;
        for (int at = first > 0 ? first : 0; at >= last; at--) {
            const int i = first - at;
            *text++ = i >= 0 && i < n ? digits[i] : '0';
            if (at == 0 && last < 0) *text++ = '.';
        }
    }
    *text = '\0';
}

/* Finds the smallest sufficient number of digits. A normal number that needs no more than 15 is
 * written with 15, and %g leaves out the zeros at its end; 120 must not become 1.2e+2, so there are
 * at least as many digits as before the point. */
static void search_digits(char text[TRIB_NUMBER_MAX], double value) {
    const double size = fabs(value);
    int digits = size < DBL_MIN ? 1 : size >= 1e15 && size < 1e16 ? 16 : DBL_DIG;
    while (!is_enough(text, value, digits)) digits++;
    replace_char(text, locale_point(), '.');
}

const char *trib_number(char text[TRIB_NUMBER_MAX], double value) {
    decimal shortest = {0};
    if (isnan(value)) return strcpy(text, "nan");
    if (isinf(value)) return strcpy(text, value > 0 ? "inf" : "-inf");
    const double size = fabs(value);
    if (size == 0) return strcpy(text, signbit(value) ? "-0" : "0");
    if (size < 1e15 && size == floor(size))
        write_decimal(text, value < 0, (decimal){(uint64_t)size, 0});
    else if (find_decimal(size, &shortest)) write_decimal(text, value < 0, shortest);
    else search_digits(text, value);
    return text;
}

bool trib_read_double(const char *text, double *value) {
    char copy[TRIB_NUMBER_MAX * 4];
    const size_t length = strlen(text);
    if (length == 0 || length >= sizeof copy || strspn(text, "+-.0123456789eE") != length)
        return false;
    memcpy(copy, text, length + 1);
    replace_char(copy, '.', locale_point());
    char *end = NULL;
    const double read = strtod(copy, &end);
    if (*end != '\0' || !isfinite(read)) return false;
    *value = read;
    return true;
}

bool trib_read_uint(const char *text, uint64_t *value) {
    uint64_t read = 0;
    if (*text == '\0') return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (read > (UINT64_MAX - digit) / 10) return false;
        read = read * 10 + digit;
    }
    *value = read;
    return true;
}

bool trib_multiply(size_t a, size_t b, size_t *result) {
    if (b > 0 && a > SIZE_MAX / b) return false;
    *result = a * b;
    return true;
}

size_t trib_product(size_t a, size_t b) {
    size_t product = SIZE_MAX;
    (void)trib_multiply(a, b, &product);
    return product;
}

bool trib_add(size_t a, size_t b, size_t *result) {
    if (a > SIZE_MAX - b) return false;
    *result = a + b;
    return true;
}
