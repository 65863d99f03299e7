/* ranges.c - lists of byte ranges of a text. */
#include "pipeline/markup/ranges.h"

trib_status trib_text_ranges_add(trib_text_ranges *kept, size_t from, size_t to,
                                 trib_error *error) {
    const trib_status status = trib_grow(&kept->range, &kept->cap, kept->n + 1, sizeof *kept->range,
                                         "what is kept of a text", error);
    if (status == TRIB_OK) kept->range[kept->n++] = (trib_range){from, to};
    return status;
}

void trib_text_ranges_release(trib_text_ranges *kept) {
    trib_free(kept->range);
    *kept = (trib_text_ranges){0};
}
