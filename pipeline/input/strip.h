/* strip.h - what of a file is its text: a stripper finds the ranges to keep, the rest is cut.
 * Private to pipeline.
 *
 * Strippers read bytes in memory and know no paths. What is cut is made blank in place, byte for
 * byte and with its line ends, so that every word keeps its offset in the file and every complaint
 * its line. Markers are ASCII: in UTF-16 or EBCDIC none is found. */
#ifndef TRIBUTARY_INPUT_STRIP_H
#define TRIBUTARY_INPUT_STRIP_H

#include "base/base.h"

/* Bytes from .. to - 1. */
typedef struct trib_range {
    size_t from, to;
} trib_range;

/* What is kept, in ascending order, never empty nor touching. `{0}` is empty. */
typedef struct trib_text_ranges {
    trib_range *range; /* [n] */
    size_t n, cap;
    const char *remark; /* what a reader should know of it, or NULL; static */
    uint64_t line;      /* the remark is about, from 1 */
} trib_text_ranges;
trib_status trib_text_ranges_add(trib_text_ranges *kept, size_t from, size_t to, trib_error *error);
void trib_text_ranges_release(trib_text_ranges *kept);

/* How much was cut somewhere. A line counts where it ends. */
typedef struct trib_cut {
    uint64_t n_bytes, n_lines;
} trib_cut;
typedef struct trib_cuts {
    trib_cut before, between, behind; /* the first text, the texts, the last */
    uint32_t n_texts;
} trib_cuts;

/* A kind of text with something around it that is not of it: a row of the table in strip.c. */
typedef struct trib_stripper {
    const char *name, *help;
    /* Finds what to keep of text[length]; `name` is the document's, for messages. TRIB_INPUT where
     * it cannot be told. Adding nothing means that all is cut; a text without such surroundings is
     * kept whole. */
    trib_status (*find)(trib_text_ranges *kept, const char *name, const char *text, size_t length,
                        trib_error *error);
} trib_stripper;
extern const trib_stripper trib_strippers[];               /* ends with a row whose name is NULL */
const trib_stripper *trib_stripper_find(const char *name); /* NULL when there is none */

/* Strips text[length] in place; `kept` is empty before and is the caller's to release, also after a
 * failure. TRIB_INPUT when nothing is left or more than `max` (a fraction) of the bytes would
 * go. */
trib_status trib_strip(trib_text_ranges *kept, trib_cuts *cuts, const trib_stripper *stripper,
                       double max, const char *name, char *text, size_t length, trib_error *error);

/* The stripper "gutenberg" (gutenberg.c). */
trib_status trib_gutenberg_find(trib_text_ranges *kept, const char *name, const char *text,
                                size_t length, trib_error *error);

#endif
