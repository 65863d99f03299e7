/* listing.c - any bytes as a table of documents, with cells separated by tabs or commas. */
#include "pipeline/config/documents.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(listing) {
    TRIB_OWNED(trib_source) source = {.name = "x"};
    TRIB_OWNED(trib_arena) arena = {0};
    trib_diagnostics complaints = {0};
    TRIB_OWNED(trib_listing) listing = {.arena = &arena, .diagnostics = &complaints};
    if (size > 0 &&
        trib_buffer_add(&source.text, (const char *)bytes + 1, size - 1, NULL) == TRIB_OK &&
        source.text.text) {
        trib_listing_table(&listing, &source, bytes[0] % 2 ? ',' : '\t');
        FUZZ_CHECK(arena.failure.status == TRIB_OK || arena.failure.status == TRIB_MEMORY);
        for (size_t i = 0; i < listing.n; i++) {
            double year, end;
            const char *date = listing.item[i].about.date;
            if (date && trib_date_read(date, &year, &end)) FUZZ_CHECK(year < end);
        }
    }
}
