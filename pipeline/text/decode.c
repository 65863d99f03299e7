/* decode.c - makes the text of a file or of several pages by the decoders of their formats. Those
 * that use libxml2 or libarchive work apart (apart.h): what they are asked, and the text that they
 * make, is packed here. */
#include "pipeline/text/apart.h"
#include "pipeline/text/input.h"
#include "pipeline/text/text_formats.h"

/* ---- Pages ----------------------------------------------------------------------------------- */

/* Cuts the sign of a divided word at the end of a page, the not sign or a soft hyphen; false when
 * there is none. */
static bool cut_divider(trib_buffer *text) {
    size_t n = text->length;
    while (n > 0 && strchr(" \n", text->text[n - 1])) n--;
    if (n < 3 || (memcmp(text->text + n - 2, "\xC2\xAC", 2) != 0 &&
                  memcmp(text->text + n - 2, "\xC2\xAD", 2) != 0))
        return false;
    text->length = n - 2;
    text->text[text->length] = '\0';
    return true;
}

/* Appends the text of one page and cites it by its number. A form feed ends the page before it,
 * unless its last word goes on. */
static trib_status add_page(trib_markup_text *to, const trib_mets_page *page,
                            trib_markup_bytes bytes, trib_error *error) {
    const trib_text_format *row = trib_text_format_named(page->file, NULL, 0);
    const bool is_divided = !to->joins && cut_divider(&to->text);
    if (to->text.length > 0 && !to->joins && !is_divided) {
        trib_text_end(&to->text, TRIB_FLOW_LINE, error);
        trib_buffer_add(&to->text, "\f\n", 2, error);
    }
    const size_t from = to->text.length, n_marks = to->references.n;
    const trib_status status =
        row->read ? row->read(to, bytes, error) : trib_marked_decode(to, &to->text, bytes, error);
    if (is_divided && to->text.failure == TRIB_OK) {
        char *const rest = to->text.text + from;
        const size_t n = strspn(rest, " \n");
        memmove(rest, rest + n, to->text.length - from - n + 1);
        to->text.length -= n;
    }
    to->references.n = n_marks;
    trib_references_add(&to->references, from, from, page->label, strlen(page->label), error);
    return status == TRIB_OK ? trib_markup_status(to) : status;
}

static trib_status add_pages(trib_markup_text *to, const trib_mets *pages, trib_markup_bytes bytes,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < pages->n && status == TRIB_OK; i++) {
        const trib_mets_page *page = &pages->page[i];
        const trib_markup_bytes one = {page->file, bytes.at + page->from, page->to - page->from};
        status = add_page(to, page, one, error);
    }
    return status == TRIB_OK ? trib_text_end(&to->text, TRIB_FLOW_LINE, error) : status;
}

/* ---- What is sent ---------------------------------------------------------------------------- */

/* A text, and the name of the format that it is made from, or the pages. */
typedef struct decoding {
    trib_markup_text text;
    char *format;
    trib_mets pages;
} decoding;

static void pack_settings(trib_pack *pack, void *record) {
    decoding *const d = record;
    trib_markup_text *const to = &d->text;
    trib_edition *const edition = &to->edition;
    TRIB_PACK(pack, to->notes);
    TRIB_PACK(pack, edition->reading);
    TRIB_PACK(pack, edition->drops_speakers);
    TRIB_PACK(pack, edition->drops_stage);
    TRIB_PACK(pack, edition->min_confidence);
    TRIB_PACK(pack, to->on_invalid);
    TRIB_PACK(pack, to->is_page);
    TRIB_PACK(pack, to->is_file);
    trib_pack_string(pack, &edition->witness);
    trib_pack_string(pack, (char **)(uintptr_t)&edition->rules);
    trib_pack_string(pack, (char **)(uintptr_t)&to->encoding);
    trib_pack_string(pack, &d->format);
    trib_mets_pack(pack, &d->pages);
}

/* ---- What comes back ------------------------------------------------------------------------- */

#define END(text) (text)[sizeof(text) - 1] = '\0'

/* The places of a text that came back lie in it, and its strings end. */
static void check(trib_pack *pack, trib_markup_text *to) {
    const trib_buffer *const labels = &to->references.labels;
    const trib_range *part = to->parts.range;
    const trib_reference_mark *mark = to->references.mark;
    size_t end = 0;
    for (size_t i = 0; i < to->parts.n; end = part[i++].to)
        trib_pack_expect(pack, part[i].from >= end && part[i].from < part[i].to &&
                                   part[i].to <= to->text.length);
    for (size_t i = 0; i < to->references.n; i++)
        trib_pack_expect(pack, mark[i].from <= mark[i].to && mark[i].to <= to->text.length &&
                                   mark[i].label < labels->length);
    trib_pack_expect(pack, labels->length == 0 || labels->text[labels->length - 1] == '\0');
    END(to->remark), END(to->account.kind), END(to->account.begins), END(to->account.ends);
    for (size_t i = 0; i < TRIB_ACCOUNT_NAMES; i++)
        END(to->account.left_out[i].name), END(to->account.unknown[i].name);
}

void trib_markup_pack(trib_pack *pack, void *text) {
    trib_markup_text *const to = text; /* the first member of a decoding */
    trib_references *const marks = &to->references;
    trib_pack_buffer(pack, &to->text);
    TRIB_PACK_LIST(pack, to->parts.range, to->parts.n, "what is kept of a text");
    TRIB_PACK_LIST(pack, marks->mark, marks->n, "references");
    trib_pack_buffer(pack, &marks->labels);
    if (pack->reads) to->parts.cap = to->parts.n, marks->cap = marks->n;
    TRIB_PACK(pack, to->account);
    TRIB_PACK(pack, to->n_replaced);
    TRIB_PACK(pack, to->remark);
    if (pack->reads) check(pack, to);
}

/* ---- Decoding -------------------------------------------------------------------------------- */

static trib_status work(void *record, trib_markup_bytes file, trib_error *error) {
    decoding *const d = record;
    const trib_text_format *row = trib_text_format_called(d->format);
    if (row) d->text.format = row->name;
    const trib_status status =
        row ? row->read(&d->text, file, error) : add_pages(&d->text, &d->pages, file, error);
    return status == TRIB_OK ? trib_markup_finish(&d->text, error) : status;
}

static void release(void *record) {
    decoding *const d = record;
    TRIB_FREE(d->text.edition.witness, d->format);
    trib_free((char *)(uintptr_t)d->text.edition.rules);
    trib_free((char *)(uintptr_t)d->text.encoding);
    trib_markup_release(&d->text);
    trib_mets_release(&d->pages);
}

/* Whether a decoder uses a library that parses foreign bytes. Of XML, an export of MediaWiki needs
 * pandoc, which cannot be run apart. */
static bool is_foreign(const trib_text_format *row, trib_markup_bytes file) {
    return row->read && strstr(row->reader, "libxml2") &&
           !(row->read == trib_any_xml_text && trib_mediawiki_export_is(file));
}

/* Decodes a file, or pages (row NULL). */
static trib_status decode(trib_markup_text *to, const trib_text_format *row, const trib_mets *pages,
                          trib_markup_bytes file, bool is_apart, trib_error *error) {
    static const trib_apart_work by = {
        work, pack_settings, trib_markup_pack, release, sizeof(decoding), false, false};
    decoding d = {*to, row ? (char *)(uintptr_t)row->name : NULL, *pages};
    const trib_status status =
        is_apart ? trib_apart_do(&by, &d, file, error) : work(&d, file, error);
    *to = d.text;
    return status;
}

trib_status trib_decode_file(trib_markup_text *to, const trib_text_format *row,
                             trib_markup_bytes file, trib_error *error) {
    return decode(to, row, &(trib_mets){0}, file, is_foreign(row, file), error);
}

trib_status trib_decode_pages(trib_markup_text *to, const trib_mets *pages, trib_markup_bytes bytes,
                              trib_error *error) {
    bool is_apart = true;
    for (size_t i = 0; i < pages->n && is_apart; i++) {
        const trib_mets_page *const page = &pages->page[i];
        const trib_text_format *row = trib_text_format_named(page->file, NULL, 0);
        const trib_markup_bytes one = {page->file, bytes.at + page->from, page->to - page->from};
        is_apart = !row->read || is_foreign(row, one);
    }
    return decode(to, NULL, pages, bytes, is_apart, error);
}
