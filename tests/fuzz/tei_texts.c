/* tei_texts.c - any bytes as TEI with several texts: they are rejected, or each text is a file of
 * TEI of its own. */
#include "pipeline/support/utf8.h"
#include "pipeline/text/tei.h"
#include "tests/fuzz/fuzz.h"

static bool is_date(const char *text) { return *text >= '0' && *text <= '9'; }

/* Reads a text that was made a file of its own. */
static void read_text(const trib_buffer *file) {
    trib_markup_text to = {0};
    const trib_status status =
        trib_xml_text(&to, (trib_markup_bytes){"x.tei", file->text, file->length}, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    FUZZ_CHECK(status != TRIB_OK || trib_is_utf8(to.text.text, to.text.length));
    trib_markup_release(&to);
}

FUZZ_TARGET(tei_texts) {
    trib_tei_texts texts;
    (void)trib_tei_texts_begin((const char *)bytes, size);
    const trib_status status =
        trib_tei_texts_open(&texts, (trib_markup_bytes){"x.xml", (const char *)bytes, size}, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    for (size_t i = 0; i < texts.n && i < 8; i++) {
        trib_tei_about about;
        TRIB_OWNED(trib_buffer) file = {0};
        const trib_status known = trib_tei_texts_about(&texts, i, &about, is_date, NULL);
        FUZZ_CHECK(known == TRIB_OK || known == TRIB_MEMORY);
        FUZZ_CHECK(strlen(about.title) < sizeof about.title);
        const trib_status added = trib_tei_texts_add(&texts, i, &file, NULL);
        FUZZ_CHECK(added == TRIB_OK || added == TRIB_MEMORY);
        if (added == TRIB_OK) read_text(&file);
    }
    for (size_t i = 0; i < texts.n_around; i++) FUZZ_CHECK(*trib_tei_texts_around(&texts, i));
    trib_tei_texts_close(&texts);
}
