/* utf8.h - finds the ends of UTF-8 characters. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_UTF8_H
#define TRIBUTARY_SUPPORT_UTF8_H

#include <stddef.h>

/* Length in bytes of the UTF-8 character at `text`, of which `left` bytes remain. 0 when it is
 * invalid, which includes overlong forms and surrogates. */
size_t trib_utf8_length(const char *text, size_t left);

#endif
