/* xlsx.c - any bytes as a workbook, as its first sheet, and as a file with properties: they are
 * rejected, or give a text in UTF-8. */
#include "pipeline/support/utf8.h"
#include "pipeline/text/tei.h"
#include "pipeline/text/text_formats.h"
#include "tests/fuzz/fuzz.h"

static bool is_date(const char *text) { return *text != '\0'; }

FUZZ_TARGET(xlsx) {
    const trib_markup_bytes file = {"a.xlsx", (const char *)bytes, size};
    trib_markup_text text = {0};
    TRIB_OWNED(trib_buffer) table = {0};
    trib_tei_about about;
    trib_status status = trib_xlsx_text(&text, file, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    FUZZ_CHECK(trib_is_utf8(text.text.text, text.text.length));
    status = trib_xlsx_table(&table, file, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    FUZZ_CHECK(trib_is_utf8(table.text, table.length));
    status = trib_file_properties(&about, file, is_date, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_MEMORY);
    trib_markup_release(&text);
}
