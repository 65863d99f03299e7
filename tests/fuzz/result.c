/* result.c - any bytes as influence.json, and the page made from it. */
#include "pipeline/report/pages.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(result) {
    TRIB_OWNED(trib_result) result = {0};
    trib_writer writer;
    if (trib_result_read(&result, "x", (const char *)bytes, size, NULL) == TRIB_OK &&
        trib_writer_open(&writer, "/dev/null", NULL) == TRIB_OK) {
        const trib_status status = trib_report_write_html(&result, &writer, NULL);
        FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
        trib_writer_abandon(&writer);
    }
}
