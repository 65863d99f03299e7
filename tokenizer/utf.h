/* utf.h - private to tokenizer/: reads one code point of UTF-8 or UTF-16. ICU's macros do the same,
 * but cause compiler warnings. */
#ifndef TRIBUTARY_TOKENIZER_UTF_H
#define TRIBUTARY_TOKENIZER_UTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the code point at text[*at], with *at < length, and moves *at past it. Returns -1 for an
 * ill-formed sequence (Unicode, table 3-7) and moves *at past its maximal well-formed part, by at
 * least one byte; that part is what one U+FFFD replaces (Unicode, section 3.9, U+FFFD substitution
 * of maximal subparts). */
static inline int32_t utf8_next(const char *text, size_t *at, size_t length) {
    const unsigned char *const s = (const unsigned char *)text;
    const unsigned lead = s[(*at)++];
    if (lead < 0x80) return (int32_t)lead;
    if (lead < 0xC2 || lead > 0xF4) return -1;
    const int n_trail = 1 + (lead >= 0xE0) + (lead >= 0xF0);
    /* the range of the second byte excludes overlong forms, surrogates and numbers above 10FFFF */
    unsigned low = 0x80, high = 0xBF;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    uint32_t c = lead & (0x3Fu >> n_trail);
    for (int i = 0; i < n_trail; i++) {
        if (*at >= length || s[*at] < low || s[*at] > high) return -1;
        c = c << 6 | (s[(*at)++] & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return (int32_t)c;
}

static inline bool utf8_is_valid(const char *text, size_t length) {
    bool valid = true;
    for (size_t i = 0; i < length && valid;) valid = utf8_next(text, &i, length) >= 0;
    return valid;
}

/* Returns the code point at text[*at], with *at < end, and moves *at past it. An unpaired surrogate
 * is returned as it is. */
static inline int32_t utf16_next(const uint16_t *text, int32_t *at, int32_t end) {
    const int32_t c = text[(*at)++];
    if ((c & 0xFC00) != 0xD800 || *at == end || (text[*at] & 0xFC00) != 0xDC00) return c;
    return ((c & 0x3FF) << 10 | (text[(*at)++] & 0x3FF)) + 0x10000;
}

/* Returns the code point that ends at *at, with *at > begin, and moves *at before it. */
static inline int32_t utf16_previous(const uint16_t *text, int32_t begin, int32_t *at) {
    const int32_t c = text[--*at];
    if ((c & 0xFC00) != 0xDC00 || *at == begin || (text[*at - 1] & 0xFC00) != 0xD800) return c;
    return ((text[--*at] & 0x3FF) << 10 | (c & 0x3FF)) + 0x10000;
}

#endif
