/* script_text.h - writes texts of any origin as string literals of JavaScript. Private to
 * pipeline. */
#ifndef TRIBUTARY_SUPPORT_SCRIPT_TEXT_H
#define TRIBUTARY_SUPPORT_SCRIPT_TEXT_H

#include "base/base.h"

/* Writes a text in UTF-8 as a string literal that is valid in JSON, in JavaScript, and inside a
 * script element. Marks that would change the direction of the following text become U+FFFD, as in
 * html.h. A text of more than 16 KiB is shortened, before a character. */
void trib_write_script_text(trib_writer *writer, const char *text);

#endif
