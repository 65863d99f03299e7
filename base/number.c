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

const char *trib_number(char text[TRIB_NUMBER_MAX], double value) {
    if (isnan(value)) return strcpy(text, "nan");
    if (isinf(value)) return strcpy(text, value > 0 ? "inf" : "-inf");
    int digits = 1;
    for (; digits <= 17; digits++) {
        snprintf(text, TRIB_NUMBER_MAX, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    /* 90 instead of 9e+01: as many digits as stand before the point */
    const double size = fabs(value);
    if (size >= 1 && size < 1e16) {
        const int whole = (int)floor(log10(size)) + 1;
        if (whole > digits) snprintf(text, TRIB_NUMBER_MAX, "%.*g", whole, value);
    }
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
