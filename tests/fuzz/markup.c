/* markup.c - any bytes as XML, TEI, EPUB or HTML (the first byte says which): refused, or a text, which is UTF-8 but where HTML was
 * not what it says it is. PDF is read by a program of its own, and is not tried here. */
#include "pipeline/markup.h"
#include "pipeline/complaint.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(markup) {
    static const char *const name[] = {"x.xml", "x.tei", "x.epub", "x.html"};
    if (size < 1) return;
    const char *const as = name[bytes[0] % (sizeof name / sizeof *name)];
    const trib_markup_row *row = trib_markup_find(as, (const unsigned char *)"", 0);
    char note[TRIB_NOTE_MAX] = "";
    trib_buffer text = {0};
    FUZZ_CHECK(row != NULL);
    if (!row) return;
    const trib_status status =
        row->read(&text, note, (trib_markup_bytes){as, (const char *)bytes + 1, size - 1}, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    FUZZ_CHECK(memchr(note, '\0', sizeof note) != NULL);
    const bool is_sure = strcmp(as, "x.html") != 0;
    for (size_t at = 0, n; status == TRIB_OK && is_sure && at < text.length; at += n) {
        n = trib_utf8_length(text.text + at, text.length - at);
        FUZZ_CHECK(n > 0);
        if (n == 0) break;
    }
    trib_buffer_release(&text);
}
