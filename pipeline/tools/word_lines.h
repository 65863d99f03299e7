/* word_lines.h - the words of a tensor, in a file of their own: a word a line, line i is index i.
 * Private to pipeline. */
#ifndef TRIBUTARY_TOOLS_WORD_LINES_H
#define TRIBUTARY_TOOLS_WORD_LINES_H

#include "tokenizer/tokenizer.h"

/* Reads n words into `words`, empty before: id i is index i. TRIB_INPUT with file and line when
 * there are fewer or more, or one of them twice. */
trib_status trib_word_lines_read(trib_intern *words, const char *path, uint32_t n,
                                 trib_error *error);

#endif
