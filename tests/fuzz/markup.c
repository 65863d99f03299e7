/* markup.c - any bytes as XML, TEI, EPUB, HTML, hOCR or USFM: they are rejected, or give a
 * text in UTF-8 whose parts do not touch. The first byte selects the format and the options for
 * notes, editions and invalid bytes. PDF is not tested here, since an external program reads it. */
#include "pipeline/config/diagnostic.h"
#include "pipeline/decoders/text_formats.h"
#include "pipeline/support/utf8.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(markup) {
    static const char *const name[] = {"x.xml", "x.tei", "x.epub", "x.html"};
    if (size < 1) return;
    static char witness[] = "B";
    const unsigned choice = bytes[0] / 4u % 4;
    const char *const as = choice == 2   ? "x.usfm"
                           : choice == 3 ? "x.hocr"
                                         : name[bytes[0] % (sizeof name / sizeof *name)];
    const trib_text_format *row = trib_text_format_named(as, (const unsigned char *)"", 0);
    FUZZ_CHECK(row != NULL);
    if (!row) return;
    const trib_edition edition = {.reading = TRIB_FORM_REGULARISED,
                                  .witness = witness,
                                  .drops_stage = true,
                                  .min_confidence = 0.5};
    trib_markup_text to = {.edition = choice % 2 ? edition : (trib_edition){0},
                           .notes = (trib_notes)(bytes[0] / 16 % 3),
                           .on_invalid = (trib_invalid)(bytes[0] / 128)};
    trib_status status =
        row->read(&to, (trib_markup_bytes){as, (const char *)bytes + 1, size - 1}, NULL);
    if (status == TRIB_OK) status = trib_markup_finish(&to, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    FUZZ_CHECK(memchr(to.remark, '\0', sizeof to.remark) != NULL);
    for (size_t at = 0, n; status == TRIB_OK && at < to.text.length; at += n) {
        n = trib_utf8_length(to.text.text + at, to.text.length - at);
        FUZZ_CHECK(n > 0);
        if (n == 0) break;
    }
    size_t behind = 0;
    for (size_t p = 0; status == TRIB_OK && p < to.parts.n; p++) {
        FUZZ_CHECK(to.parts.range[p].from >= behind + (p > 0));
        FUZZ_CHECK(to.parts.range[p].from < to.parts.range[p].to);
        behind = to.parts.range[p].to;
    }
    FUZZ_CHECK(status != TRIB_OK || behind <= to.text.length);
    trib_markup_release(&to);
}
