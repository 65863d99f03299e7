/* ranges.h - lists of byte ranges of a text. Private to pipeline. */
#ifndef TRIBUTARY_MARKUP_RANGES_H
#define TRIBUTARY_MARKUP_RANGES_H

#include "base/base.h"

/* Bytes from .. to - 1. */
typedef struct trib_range {
    size_t from, to;
} trib_range;

/* Ranges in ascending order, not empty and not adjacent. `{0}` is empty. */
typedef struct trib_text_ranges {
    trib_range *range; /* [n] */
    size_t n, cap;
    const char *remark; /* a remark for the reader of the results, or NULL; static */
    uint64_t line;      /* line that the remark is about, from 1 */
} trib_text_ranges;
trib_status trib_text_ranges_add(trib_text_ranges *kept, size_t from, size_t to, trib_error *error);
void trib_text_ranges_release(trib_text_ranges *kept);

#endif
