/* decoders.c - any bytes as RTF, SRT, WebVTT, the JSON of pandoc, LaTeX before pandoc, a table, or
 * plain text whose divided words are joined: they are rejected, or give a text in UTF-8. The first
 * byte selects the format and how notes are read. */
#include "pipeline/decoders/pandoc.h"
#include "pipeline/decoders/rtf.h"
#include "pipeline/decoders/subtitles.h"
#include "pipeline/input/hyphens.h"
#include "pipeline/input/table.h"
#include "pipeline/support/utf8.h"
#include "tests/fuzz/fuzz.h"

static trib_status read_json(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return trib_pandoc_json_text(to, file.name, file.at, file.length, error);
}

static trib_status prepare_latex(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    (void)trib_latex_encoding(file.at, file.length);
    return trib_latex_prepare(&to->text, file.at, file.length, error);
}

static trib_status read_table(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    trib_table table;
    json_t *row = NULL;
    trib_status status = trib_table_open(&table, file.name, file.at, file.length, NULL, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_table_next(&table, &row, error)) == TRIB_OK && row) {
        const json_t *text = json_object_get(row, "text");
        if (text)
            status = trib_buffer_add(&to->text, json_string_value(text), json_string_length(text),
                                     error);
        json_decref(row);
        if (status != TRIB_OK) break;
    }
    trib_table_close(&table);
    return status;
}

static trib_status join(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    trib_joined joined = {0};
    trib_status status = trib_buffer_add(&to->text, file.at, file.length, error);
    if (status == TRIB_OK)
        status = trib_join_hyphens(&joined, to->text.text, to->text.length, error);
    size_t past = 0;
    for (size_t i = 0; i < joined.hyphens.n; i++) {
        FUZZ_CHECK(joined.hyphens.range[i].from >= past);
        FUZZ_CHECK(joined.hyphens.range[i].to >= joined.hyphens.range[i].from + 2);
        past = joined.hyphens.range[i].to;
    }
    FUZZ_CHECK(past <= to->text.length);
    trib_joined_release(&joined);
    return status;
}

FUZZ_TARGET(decoders) {
    static const struct {
        const char *name;
        trib_status (*read)(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
        bool keeps_bytes; /* the text may be what the file is, and not UTF-8 */
    } formats[] = {{"a.rtf", trib_rtf_text, false},    {"a.srt", trib_srt_text, false},
                   {"a.vtt", trib_webvtt_text, false}, {"a.docx", read_json, false},
                   {"a.tex", prepare_latex, true},     {"a.csv", read_table, false},
                   {"a.tsv", read_table, false},       {"a.txt", join, true}};
    if (size < 1) return;
    const size_t f = bytes[0] % (sizeof formats / sizeof *formats);
    trib_markup_text to = {.notes = (trib_notes)(bytes[0] / 16 % 3)};
    trib_status status = formats[f].read(
        &to, (trib_markup_bytes){formats[f].name, (const char *)bytes + 1, size - 1}, NULL);
    if (status == TRIB_OK) status = trib_markup_finish(&to, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    for (size_t at = 0, n; status == TRIB_OK && !formats[f].keeps_bytes && at < to.text.length;
         at += n) {
        n = trib_utf8_length(to.text.text + at, to.text.length - at);
        FUZZ_CHECK(n > 0);
        if (n == 0) break;
    }
    trib_markup_release(&to);
}
