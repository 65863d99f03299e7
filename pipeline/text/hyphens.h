/* hyphens.h - words that are divided at line ends, and the heads and numbers of pages, in plain
 * text (corpus.join_hyphens). Private to pipeline.
 *
 * The work is done on bytes in memory, so that every word keeps its offset in the file: the head of
 * a page is overwritten with spaces, except its line ends; the hyphen and the line end in a divided
 * word with characters that are not part of words (soft hyphens and word joiners). */
#ifndef TRIBUTARY_TEXT_HYPHENS_H
#define TRIBUTARY_TEXT_HYPHENS_H

#include "pipeline/text/strip.h"

/* What was done to a text. `{0}` is empty. */
typedef struct trib_joined {
    /* the overwritten bytes, in ascending order: heads of pages, and what divided words */
    trib_text_ranges heads, hyphens;
    uint64_t n_divided; /* words with a hyphen at the end of a line */
} trib_joined;
void trib_joined_release(trib_joined *joined);

/* Joins the divided words of text[length], which is UTF-8; other bytes are left as they are, with a
 * remark in joined->hyphens. A hyphen is '-', U+2010, U+00AD, U+00AC or U+2E17 after a letter, and
 * the next line begins with a letter of the same case, or a small one. The text's own
 * words decide. A divided word is joined
 *  - when the joined word occurs in the text undivided;
 *  - otherwise, unless it occurs with the hyphen within a line, or both halves occur as words.
 * Pages end with a form feed, or with the line that HathiTrust writes ("## p. 12 (#34) ###"). Their
 * first and last lines are heads when they have only a number, or when they occur at the same end
 * of three pages, numbers aside. `joined` must be empty; the caller releases it, also after a
 * failure. TRIB_MEMORY. */
trib_status trib_join_hyphens(trib_joined *joined, char *text, size_t length, trib_error *error);

#endif
