/* text_lines.h - the lines of a text that is quoted: line numbers for references, and offsets in
 * characters beside those in bytes. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_TEXT_LINES_H
#define TRIBUTARY_OUTPUT_TEXT_LINES_H

#include "base/base.h"

/* Where each line of a text begins. `{0}` is empty. */
typedef struct trib_text_lines {
    size_t *byte;      /* [n] */
    size_t *character; /* [n] Unicode characters before it */
    size_t n;          /* at least 1 after trib_text_lines_read; 0: the text is not at hand */
    size_t byte_cap, character_cap;
} trib_text_lines;

/* Finds the lines of a text of `length` bytes. `encoding` is the name of an ICU converter. In
 * UTF-16 and UTF-32 all is one line. TRIB_MEMORY. */
trib_status trib_text_lines_read(trib_text_lines *lines, const char *encoding, const char *text,
                                 size_t length, trib_error *error);
void trib_text_lines_release(trib_text_lines *lines);
/* The number of the line, from 1, that has this byte. */
size_t trib_text_line_at(const trib_text_lines *lines, size_t byte);
/* Sets *character to the number of characters before this byte, which must begin a character. */
trib_status trib_text_character_at(const trib_text_lines *lines, const char *encoding,
                                   const char *text, size_t byte, size_t *character,
                                   trib_error *error);

#endif
