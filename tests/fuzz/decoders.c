/* decoders.c - any bytes as a file of each format of the table that this program reads itself: they
 * are rejected, or give a text in UTF-8 whose parts do not touch. The first byte selects options;
 * then there is a line with the name of the file. A name of no format: every decoder reads the
 * bytes, so that a new row of the table is tried with no more than its code. Instead of files that
 * a program reads, the JSON of pandoc is read, and LaTeX before pandoc; PDF is not tried. */
#include "pipeline/support/utf8.h"
#include "pipeline/text/programs.h"
#include "pipeline/text/strip.h"
#include "pipeline/text/table.h"
#include "pipeline/text/text_formats.h"
#include "tests/fuzz/fuzz.h"

static trib_status prepare_latex(trib_markup_text *to, trib_markup_bytes file) {
    (void)trib_latex_encoding(file.at, file.length);
    return trib_latex_prepare(&to->text, file.at, file.length, NULL);
}

static trib_status read_table(trib_markup_text *to, trib_markup_bytes file) {
    trib_table table;
    json_t *row = NULL;
    trib_status status = trib_table_open(&table, file.name, file.at, file.length, NULL, NULL);
    if (status != TRIB_OK) return status;
    while ((status = trib_table_next(&table, &row, NULL)) == TRIB_OK && row) {
        const json_t *text = json_object_get(row, "text");
        if (text)
            status =
                trib_buffer_add(&to->text, json_string_value(text), json_string_length(text), NULL);
        json_decref(row);
        if (status != TRIB_OK) break;
    }
    trib_table_close(&table);
    return status;
}

static trib_status join(trib_markup_text *to, trib_markup_bytes file) {
    TRIB_OWNED(trib_joined) joined = {0};
    trib_status status = trib_buffer_add(&to->text, file.at, file.length, NULL);
    if (status == TRIB_OK)
        status = trib_join_hyphens(&joined, to->text.text, to->text.length, NULL);
    size_t past = 0;
    for (size_t i = 0; i < joined.hyphens.n; i++) {
        FUZZ_CHECK(joined.hyphens.range[i].from >= past);
        FUZZ_CHECK(joined.hyphens.range[i].to >= joined.hyphens.range[i].from + 2);
        past = joined.hyphens.range[i].to;
    }
    FUZZ_CHECK(past <= to->text.length);
    return status;
}

static bool is_row(const trib_text_format *row, const char *name) {
    return strcmp(row->name, name) == 0;
}

/* TRIB_INPUT: there is nothing to read it by. */
static trib_status decode(const trib_text_format *row, trib_markup_text *to,
                          trib_markup_bytes file) {
    if (is_row(row, "PDF")) return TRIB_INPUT;
    if (is_row(row, "LaTeX")) return prepare_latex(to, file);
    if (is_row(row, "CSV") || is_row(row, "TSV")) return read_table(to, file);
    if (is_row(row, "text")) return join(to, file);
    to->format = row->name;
    if (row->read == trib_pandoc_text)
        return trib_pandoc_json_text(to, file.name, file.at, file.length, NULL);
    return row->read ? row->read(to, file, NULL) : TRIB_INPUT;
}

static void check_text(const trib_markup_text *to, bool is_utf8) {
    FUZZ_CHECK(memchr(to->remark, '\0', sizeof to->remark) != NULL);
    FUZZ_CHECK(!is_utf8 || trib_is_utf8(to->text.text, to->text.length));
    size_t past = 0;
    for (size_t p = 0; p < to->parts.n; p++) {
        FUZZ_CHECK(to->parts.range[p].from >= past + (p > 0));
        FUZZ_CHECK(to->parts.range[p].from < to->parts.range[p].to);
        past = to->parts.range[p].to;
    }
    FUZZ_CHECK(past <= to->text.length);
}

static void try_row(const trib_text_format *row, uint8_t options, trib_markup_bytes file) {
    static char witness[] = "B";
    const trib_edition edition = {.reading = TRIB_FORM_REGULARISED,
                                  .witness = witness,
                                  .drops_stage = true,
                                  .rules = "- [p, \"@n\", word]\n- [hi, in:p, skip]\n",
                                  .min_confidence = 0.5};
    trib_markup_text to = {.edition = options % 2 ? edition : (trib_edition){0},
                           .notes = (trib_notes)(options / 16 % 3),
                           .on_invalid = (trib_invalid)(options / 128)};
    trib_status status = decode(row, &to, file);
    if (status == TRIB_OK) status = trib_markup_finish(&to, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    /* LaTeX and plain text may stay as they are */
    if (status == TRIB_OK) check_text(&to, !is_row(row, "LaTeX") && !is_row(row, "text"));
    trib_markup_release(&to);
}

FUZZ_TARGET(decoders) {
    char name[32] = "";
    const char *at = (const char *)bytes + 1;
    const char *line = size > 1 ? memchr(at, '\n', size - 1) : NULL;
    if (!line || (size_t)(line - at) >= sizeof name) return;
    memcpy(name, at, (size_t)(line - at));
    const trib_markup_bytes file = {name, line + 1,
                                    (size_t)((const char *)bytes + size - line - 1)};
    const trib_text_format *row = trib_text_format_named(name, NULL, 0);
    if (row) try_row(row, bytes[0], file);
    for (row = row ? NULL : trib_text_formats; row && row->name; row++)
        try_row(row, bytes[0], file);
}
