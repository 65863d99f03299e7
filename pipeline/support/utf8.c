/* utf8.c - reads the characters of UTF-8 (RFC 3629). */
#include "pipeline/support/utf8.h"

#include <stdbool.h>
#include <unicode/utf8.h>

size_t trib_utf8_length(const char *text, size_t left) {
    const unsigned char *s = (const unsigned char *)text;
    if (left == 0) return 0;
    if (s[0] < 0x80) return 1;
    size_t n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || n > left) return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    const bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    const bool surrogate = s[0] == 0xED && s[1] > 0x9F, beyond = s[0] == 0xF4 && s[1] > 0x8F;
    return overlong || surrogate || beyond ? 0 : n;
}

/* The macro of ICU contains narrowing conversions. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
UChar32 trib_utf8_next(const char *text, size_t length, size_t *i) {
    UChar32 c;
    U8_NEXT(text, *i, length, c);
    return c;
}
#pragma GCC diagnostic pop
