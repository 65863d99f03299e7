/* number.c - numbers to and from text in the C locale whatever the process's locale, and checked arithmetic. */
#include "base/base.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale's decimal point is a point in every text we read or write. */
static void replace_char(char *text, char from, char to) {
    char *found = from == to ? NULL : strchr(text, from);
    if (found) *found = to;
}

static char locale_point(void) {
    const char *point = localeconv()->decimal_point;
    return point && point[0] ? point[0] : '.';
}

static bool is_enough(char text[TRIB_NUMBER_MAX], double value, int digits) {
    snprintf(text, TRIB_NUMBER_MAX, "%.*g", digits, value);
    return strtod(text, NULL) == value;
}

const char *trib_number(char text[TRIB_NUMBER_MAX], double value) {
    if (isnan(value)) return strcpy(text, "nan");
    if (isinf(value)) return strcpy(text, value > 0 ? "inf" : "-inf");
    const double size = fabs(value);
    if (size < 1e15 && size == floor(size)) {
        snprintf(text, TRIB_NUMBER_MAX, "%.0f", value);
        return text;
    }
    /* The fewest digits that are enough: if some are, more are. Most numbers have 16 or 17, or few. */
    int digits = is_enough(text, value, 16) ? 1 : 17;
    for (int high = 16; digits < high;) {
        const int middle = (digits + high) / 2;
        if (is_enough(text, value, middle)) high = middle;
        else digits = middle + 1;
    }
    /* 1.2e+2 would be 120: as many digits as stand before the point */
    const int whole = size >= 1 && size < 1e16 ? (int)floor(log10(size)) + 1 : 0;
    snprintf(text, TRIB_NUMBER_MAX, "%.*g", whole > digits ? whole : digits, value);
    replace_char(text, locale_point(), '.');
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

bool trib_add(size_t a, size_t b, size_t *result) {
    if (a > SIZE_MAX - b) return false;
    *result = a + b;
    return true;
}
