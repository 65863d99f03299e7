/* utf8.h - where the characters of UTF-8 end. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_UTF8_H
#define TRIBUTARY_SUPPORT_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character at `text`, of which `left` bytes are left; 0 when there is none
 * (overlong forms and surrogates are none). */
size_t trib_utf8_length(const char *text, size_t left);

#endif
