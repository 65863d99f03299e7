/* strip.h - removes what is not part of the text from a file, and joins words that are divided at
 * line ends. A stripper finds the ranges to keep. Private to pipeline.
 *
 * Strippers work on bytes in memory and know no paths. Removed bytes are overwritten with spaces,
 * except line ends (LF, CR, NEL, LS, PS), so that every word keeps its offset in the file and
 * messages give the right line. Markers are ASCII; in UTF-16 or EBCDIC none are found. */
#ifndef TRIBUTARY_TEXT_STRIP_H
#define TRIBUTARY_TEXT_STRIP_H

#include "pipeline/text/markup.h"

/* How much was removed in one place. A line counts where it ends. */
typedef struct trib_cut {
    uint64_t n_bytes, n_lines, n_words;
} trib_cut;
typedef struct trib_cuts {
    trib_cut before, between, after; /* before the first text, between the texts, after the last */
    uint64_t n_texts;
} trib_cuts;

/* A stripper for one kind of file: a row of the table in strip.c. */
typedef struct trib_stripper {
    const char *name, *help;
    /* Finds the ranges of text[length] to keep. `name` is the name of the document, for messages.
     * Adding no range removes everything; in a text without boilerplate everything is kept.
     * TRIB_INPUT when the borders cannot be determined. */
    trib_status (*find)(trib_text_ranges *kept, const char *name, const char *text, size_t length,
                        trib_error *error);
} trib_stripper;
extern const trib_stripper trib_strippers[];               /* the last row has name NULL */
const trib_stripper *trib_stripper_find(const char *name); /* NULL when there is no such stripper */
/* Whether a text, or a block of it, has the lines between which Project Gutenberg puts a text. */
bool trib_gutenberg_is_in(const char *text, size_t length);

/* Strips text[length] in place (markup.c). `kept` must be empty; the caller releases it, also after
 * a failure. TRIB_INPUT when nothing is left, or when more than the fraction `max` of the bytes
 * would be removed. */
trib_status trib_strip(trib_text_ranges *kept, trib_cuts *cuts, const trib_stripper *stripper,
                       double max, const char *name, char *text, size_t length, trib_error *error);

/* ---- Divided words (hyphens.c) --------------------------------------------------------------- */

/* Words that are divided at line ends, and the heads and numbers of pages, in plain text
 * (corpus.join_hyphens). The head of a page is overwritten with spaces, except its line ends; the
 * hyphen and the line end in a divided word with characters that are not part of words (U+206F and
 * U+061C). */

/* What was done to a text. `{0}` is empty. */
typedef struct trib_joined {
    /* the overwritten bytes, in ascending order: heads of pages, and what divided words */
    trib_text_ranges heads, hyphens;
    uint64_t n_divided; /* words with a hyphen at the end of a line */
    uint64_t n_head_words;
} trib_joined;
void trib_joined_release(trib_joined *joined);

/* Joins the divided words of text[length], which is UTF-8; other bytes are left as they are, with a
 * remark in joined->hyphens. A hyphen is one of trib_is_hyphen after a letter, and the next line
 * begins with a letter of the same case, or a small one. The text's own words decide. A divided
 * word is joined
 *  - when the hyphen is one of trib_is_divider;
 *  - when the joined word occurs in the text undivided;
 *  - otherwise, unless it occurs with the hyphen within a line, or both halves occur as words.
 * Pages end with a form feed, or with the line that HathiTrust writes ("## p. 12 (#34) ###"). Their
 * first and last lines are heads when they have only a number, or when they occur at the same end
 * of three pages, numbers aside. `joined` must be empty; the caller releases it, also after a
 * failure. TRIB_MEMORY. */
trib_status trib_join_hyphens(trib_joined *joined, char *text, size_t length, trib_error *error);

/* The lines of a text, which comes in blocks, and those that end with a letter and a hyphen, where
 * the next begins with a small letter. `{0}` is empty. */
enum { TRIB_LINE_END = 5 }; /* bytes before a line end that are looked at */
typedef struct trib_line_ends {
    uint64_t n_lines, n_divided, n_pages; /* n_pages: lines of HathiTrust */
    bool is_divided;                      /* the last line ended so */
    char last[TRIB_LINE_END];             /* of the text so far */
} trib_line_ends;
void trib_line_ends_count(trib_line_ends *ends, const char *text, size_t n);
/* Whether so many lines end with a hyphen that it divides words: 4, and one of 50; or pages have
 * lines of HathiTrust. */
bool trib_line_ends_divide(const trib_line_ends *ends);

#endif
