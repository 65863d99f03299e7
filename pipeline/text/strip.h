/* strip.h - removes what is not part of the text from a file. A stripper finds the ranges to keep.
 * Private to pipeline.
 *
 * Strippers work on bytes in memory and know no paths. Removed bytes are overwritten with spaces,
 * except line ends, so that every word keeps its offset in the file and messages give the right
 * line. Markers are ASCII; in UTF-16 or EBCDIC none are found. */
#ifndef TRIBUTARY_TEXT_STRIP_H
#define TRIBUTARY_TEXT_STRIP_H

#include "pipeline/text/markup.h"

/* How much was removed in one place. A line counts where it ends. */
typedef struct trib_cut {
    uint64_t n_bytes, n_lines;
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

/* Strips text[length] in place. `kept` must be empty; the caller releases it, also after a failure.
 * TRIB_INPUT when nothing is left, or when more than the fraction `max` of the bytes would be
 * removed. */
trib_status trib_strip(trib_text_ranges *kept, trib_cuts *cuts, const trib_stripper *stripper,
                       double max, const char *name, char *text, size_t length, trib_error *error);

/* The function of the stripper "gutenberg" (gutenberg.c). */
trib_status trib_gutenberg_find(trib_text_ranges *kept, const char *name, const char *text,
                                size_t length, trib_error *error);

#endif
