/* utf8.h - reads the characters of UTF-8. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_UTF8_H
#define TRIBUTARY_SUPPORT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <unicode/umachine.h>

/* Length in bytes of the UTF-8 character at `text`, of which `left` bytes remain. 0 when it is
 * invalid, which includes overlong forms and surrogates. */
size_t trib_utf8_length(const char *text, size_t left);

/* Whether a text is valid UTF-8. */
bool trib_is_utf8(const char *text, size_t length);

/* Reads the character at text[*i], of `length` bytes in all, and advances *i; negative for an
 * invalid sequence. */
UChar32 trib_utf8_next(const char *text, size_t length, size_t *i);

#endif
