/* word_lines.h - the file with the words of a tensor: one word on each line; line i has the word
 * of index i. */
#ifndef TRIBUTARY_TOOLS_WORD_LINES_H
#define TRIBUTARY_TOOLS_WORD_LINES_H

#include "tokenizer/tokenizer.h"

/* Reads n words into `words`, which must be empty: id i is index i. TRIB_INPUT, with file and
 * line, when there are fewer or more, or a word occurs twice. */
trib_status trib_word_lines_read(trib_intern *words, const char *path, uint32_t n,
                                 trib_error *error);

#endif
