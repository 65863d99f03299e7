/* mets.c - any bytes as METS: they are rejected, or give pages that lie in the folder. */
#include "pipeline/support/path.h"
#include "pipeline/text/input.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(mets) {
    TRIB_OWNED(trib_mets) mets = {0};
    (void)trib_mets_begins((const char *)bytes, size);
    const trib_status status =
        trib_mets_read(&mets, (trib_markup_bytes){"x.xml", (const char *)bytes, size}, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    FUZZ_CHECK(status != TRIB_OK || mets.n > 0);
    for (size_t i = 0; i < mets.n && status == TRIB_OK; i++)
        FUZZ_CHECK(!trib_path_leads_out(mets.page[i].file) && *mets.page[i].label);
}
