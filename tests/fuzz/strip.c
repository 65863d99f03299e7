/* strip.c - any bytes as a file with boilerplate: the kept ranges are in order, the rest is blank,
 * and every line end remains. */
#include "pipeline/text/strip.h"
#include "tests/fuzz/fuzz.h"

/* Whether a byte is as it was and stands in a line end (LF, CR, NEL, LS or PS). */
static bool is_of_line_end(char now, unsigned char before) {
    return now == (char)before && now != '\0' && strchr("\n\r\xC2\x85\xE2\x80\xA8\xA9", now);
}

FUZZ_TARGET(strip) {
    for (const trib_stripper *stripper = trib_strippers; stripper->name; stripper++) {
        TRIB_OWNED(trib_text_ranges) kept = {0};
        trib_cuts cuts = {0};
        TRIB_OWNED(trib_buffer) text = {0};
        size_t at = 0;
        trib_status status = trib_buffer_add(&text, (const char *)bytes, size, NULL);
        if (status == TRIB_OK)
            status = trib_strip(&kept, &cuts, stripper, 1, "x", text.text, size, NULL);
        FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
        for (size_t r = 0; r <= kept.n && status == TRIB_OK; r++) {
            const size_t to = r < kept.n ? kept.range[r].from : size;
            FUZZ_CHECK(at <= to && to <= size);
            for (; at < to; at++)
                FUZZ_CHECK(text.text[at] == ' ' ? bytes[at] != '\n'
                                                : is_of_line_end(text.text[at], bytes[at]));
            if (r == kept.n) break;
            at = kept.range[r].to;
            FUZZ_CHECK(to < at && at <= size && memcmp(text.text + to, bytes + to, at - to) == 0);
        }
        if (status == TRIB_OK) FUZZ_CHECK(cuts.n_texts == kept.n);
    }
}
