/* strip.c - any bytes as a file with boilerplate: the kept ranges are in order, the rest is blank,
 * and every line end remains. */
#include "pipeline/text/strip.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(strip) {
    for (const trib_stripper *stripper = trib_strippers; stripper->name; stripper++) {
        trib_text_ranges kept = {0};
        trib_cuts cuts = {0};
        trib_buffer text = {0};
        size_t at = 0;
        trib_status status = trib_buffer_add(&text, (const char *)bytes, size, NULL);
        if (status == TRIB_OK)
            status = trib_strip(&kept, &cuts, stripper, 1, "x", text.text, size, NULL);
        FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
        for (size_t r = 0; r <= kept.n && status == TRIB_OK; r++) {
            const size_t to = r < kept.n ? kept.range[r].from : size;
            FUZZ_CHECK(at <= to && to <= size);
            for (; at < to; at++) FUZZ_CHECK(text.text[at] == (bytes[at] == '\n' ? '\n' : ' '));
            if (r == kept.n) break;
            at = kept.range[r].to;
            FUZZ_CHECK(to < at && at <= size && memcmp(text.text + to, bytes + to, at - to) == 0);
        }
        if (status == TRIB_OK) FUZZ_CHECK(cuts.n_texts == kept.n);
        trib_text_ranges_release(&kept);
        trib_buffer_release(&text);
    }
}
