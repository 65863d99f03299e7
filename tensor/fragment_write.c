/* fragment_write.c - writes a table as a fragment: sorts the entries, divides them into pages, and
 * writes header, directory and pages. */
#include "base/internal.h"
#include "tensor/fragment.h"
#include "tensor/order.h"

#include <string.h>

#ifdef TRIB_WITH_ZSTD
#include <zstd.h>
#endif

enum { ZSTD_LEVEL = 3 };

/* A fragment that is being written. */
typedef struct writing {
    const trib_hacoo *table;
    const trib_organisation *organisation;
    trib_shape shape;
    bool compress, raw;
    uint32_t *order; /* [nnz] the entries in the order of the file */
    trib_page page;
    uint8_t *directory; /* [n_pages][place_bytes] */
    size_t n_pages, place_bytes;
    trib_buffer pages;
} writing;

static trib_key number_of_entry(const void *context, size_t e) {
    const writing *w = context;
    uint32_t index[TRIB_MAX_MODES];
    trib_hacoo_entry(w->table, e, index);
    return trib_shape_number(w->organisation, &w->shape, index);
}

static trib_status sort_entries(writing *w, trib_error *error) {
    const size_t nnz = w->table->nnz;
    const trib_status status = TRIB_NEW(&w->order, nnz, "sorting", error);
    if (status != TRIB_OK) return status;
    if (w->organisation->is_ordered)
        return trib_order_numbers(nnz, w->table->key_bits, number_of_entry, w, w->order, 1, error);
    for (size_t e = 0; e < nnz; e++) w->order[e] = (uint32_t)e;
    return TRIB_OK;
}

/* Compresses `bytes` to `packed`. Returns the new length, or `length` if it would not be
 * smaller. */
static size_t compress(const writing *w, size_t length) {
#ifdef TRIB_WITH_ZSTD
    if (w->compress) {
        const size_t n = ZSTD_compress(w->page.packed, length, w->page.bytes, length, ZSTD_LEVEL);
        if (!ZSTD_isError(n) && n < length) return n;
    }
#endif
    memcpy(w->page.packed, w->page.bytes, length);
    return length;
}

/* Encodes page p, appends it to the pages, and writes its entry in the directory. */
static trib_status add_page(writing *w, size_t p, trib_error *error) {
    const size_t first = p * TRIB_FRAGMENT_PAGE, left = w->table->nnz - first;
    const uint32_t n_modes = w->table->n_modes;
    uint8_t *place = w->directory + p * w->place_bytes;
    w->page.n = left < TRIB_FRAGMENT_PAGE ? left : TRIB_FRAGMENT_PAGE;
    for (size_t i = 0; i < w->page.n; i++)
        w->page.count[i] =
            trib_hacoo_entry(w->table, w->order[first + i], w->page.index + i * n_modes);
    const size_t length = trib_page_encode(&w->page, w->organisation, &w->shape);
    const size_t stored = compress(w, length);
    trib_put(place, stored, 4);
    trib_put(place + 4, length, 4);
    trib_put(place + 8, trib_checksum(w->page.packed, stored), 8);
    for (uint32_t m = 0; m < n_modes; m++) {
        uint32_t least = UINT32_MAX, most = 0;
        for (size_t i = 0; i < w->page.n; i++) {
            const uint32_t index = w->page.index[i * n_modes + m];
            if (index < least) least = index;
            if (index > most) most = index;
        }
        trib_put(place + 16 + 12 * m, least, 4);
        trib_put(place + 20 + 12 * m, most, 4);
        trib_put(place + 24 + 12 * m, w->page.index[m], 4);
    }
    return trib_buffer_add(&w->pages, (const char *)w->page.packed, stored, error);
}

static void write_header(const writing *w, trib_writer *writer) {
    uint8_t header[TRIB_FRAGMENT_HEADER] = "TRIBFRAG";
    const uint64_t word[] = {
        TRIB_FRAGMENT_VERSION, (uint64_t)(w->organisation - trib_organisations),
        (w->compress ? TRIB_FRAGMENT_ZSTD : 0u) | (w->raw ? TRIB_FRAGMENT_RAW : 0u),
        w->table->n_modes};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        trib_put(header + 8 + 4 * i, word[i], 4);
    for (uint32_t m = 0; m < w->table->n_modes; m++)
        trib_put(header + 24 + 4 * m, w->table->dim[m], 4);
    trib_put(header + 56, w->table->nnz, 8);
    trib_put(header + 64, w->table->total, 8);
    trib_put(header + 72, TRIB_FRAGMENT_PAGE, 4);
    trib_put(header + 76, w->n_pages, 4);
    trib_put(header + 80, w->pages.length, 8);
    trib_put(header + 88, trib_checksum(w->directory, w->n_pages * w->place_bytes), 8);
    trib_put(header + 96, trib_checksum(header, 96), 8);
    trib_write(writer, header, sizeof header);
}

trib_status trib_fragment_write(const trib_hacoo *table, const trib_fragment_options *options,
                                trib_writer *writer, trib_error *error) {
    static const trib_fragment_options plain = {0};
    if (!options) options = &plain;
    writing w = {.table = table,
                 .organisation = options->organisation,
                 .compress = options->compress,
                 .raw = options->raw,
                 .n_pages = (table->nnz + TRIB_FRAGMENT_PAGE - 1) / TRIB_FRAGMENT_PAGE,
                 .place_bytes = 16 + 12 * (size_t)table->n_modes};
#ifndef TRIB_WITH_ZSTD
    if (options->compress)
        return trib_fail(error, TRIB_CONFIG,
                         "this build cannot compress fragments: install libzstd-dev and build "
                         "again, or write them without compression");
#endif
    if (!w.organisation) w.organisation = trib_organisation_find("linear");
    trib_shape_init(&w.shape, w.organisation, table->n_modes, table->dim);
    trib_status status =
        trib_new(&w.directory, w.n_pages, w.place_bytes, "a directory of pages", error);
    if (status == TRIB_OK) status = sort_entries(&w, error);
    if (status == TRIB_OK)
        status = trib_page_init(&w.page, &w.shape, TRIB_FRAGMENT_PAGE, w.raw, error);
    for (size_t p = 0; p < w.n_pages && status == TRIB_OK; p++) status = add_page(&w, p, error);
    if (status == TRIB_OK) {
        write_header(&w, writer);
        trib_write(writer, w.directory, w.n_pages * w.place_bytes);
        trib_write(writer, w.pages.text, w.pages.length);
    }
    TRIB_FREE(w.order, w.directory);
    trib_page_release(&w.page);
    trib_buffer_release(&w.pages);
    return status;
}
