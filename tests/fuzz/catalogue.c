/* catalogue.c - any bytes as a catalogue of Project Gutenberg. */
#include "pipeline/program/fetch.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(catalogue) {
    TRIB_OWNED(trib_source) source = {.name = "x"};
    TRIB_OWNED(trib_catalogue) catalogue = {0};
    trib_error error = {0};
    if (trib_buffer_add(&source.text, (const char *)bytes, size, &error) == TRIB_OK &&
        source.text.text) {
        trib_status status = trib_catalogue_parse(&catalogue, &source, "en", NULL, &error);
        FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
        for (size_t i = 1; i < catalogue.n && status == TRIB_OK; i++)
            FUZZ_CHECK(catalogue.entry[i - 1].number < catalogue.entry[i].number);
    }
}
