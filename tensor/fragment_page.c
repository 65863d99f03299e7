/* fragment_page.c - the nonzeros of one page as bytes, and a table as a file of such pages.
 *
 * An ordered page is a forest in preorder. It begins with the number of roots. Every node then has
 * its number, and above the leaves its number of children minus 1. The number of the first of
 * siblings is written as it is; any other is written as the difference from the sibling before it,
 * minus 1. A leaf is a nonzero. With `linear` there is one level, so only differences between
 * addresses are left; `csf` has a level for every mode. A page of `coo` has the indices of one
 * nonzero after another. Then follow one bit for every nonzero, 1 where the count is above 1, and
 * those counts minus 2. Numbers are varints: 7 bits per byte, the lowest first; the top bit says
 * that more bytes follow.
 *
 * A raw page has the same numbers in the same order as [S] stores them: each number, also of
 * children, as it is, without differences, in 8 bytes (16 where the numbers of a level need more),
 * lowest byte first; and then the counts. */
#include "base/internal.h"
#include "tensor/fragment.h"

#include <zstd.h>

static size_t varint_bytes(trib_key below) { /* 0: 2^128 */
    size_t n = 1;
    for (trib_key most = below - 1; most >>= 7;) n++;
    return n;
}

/* Bytes of a number below `below` (0: 2^128) in a raw page. */
static size_t raw_bytes(trib_key below) { return (below - 1) >> 64 ? 16 : 8; }

/* An upper bound of the bytes of a page with n nonzeros. */
static size_t page_bound(const trib_shape *shape, size_t n, bool raw) {
    size_t each = 1 + varint_bytes(UINT32_MAX); /* the bit and the count */
    if (raw) each = raw_bytes(1);
    for (uint32_t l = 0; raw && l < shape->n_levels; l++)
        each += raw_bytes(shape->radix[l]) + raw_bytes(1);
    if (raw) return raw_bytes(1) + n * each;
    for (uint32_t l = 0; l < shape->n_levels; l++)
        each += varint_bytes(shape->radix[l]) + varint_bytes(TRIB_FRAGMENT_LARGEST_PAGE);
    return varint_bytes(TRIB_FRAGMENT_LARGEST_PAGE) + n * each;
}

trib_status trib_page_init(trib_page *page, const trib_shape *shape, size_t page_nnz, bool raw,
                           trib_error *error) {
    trib_pool *pool = &page->pool;
    *page = (trib_page){
        .bound = page_bound(shape, page_nnz, raw), .raw = raw, .pool = {.error = error}};
    page->index = trib_pool_new(pool, page_nnz * shape->n_modes, sizeof *page->index, "a page");
    page->count = trib_pool_new(pool, page_nnz, sizeof *page->count, "a page");
    page->level = trib_pool_new(pool, page_nnz * shape->n_levels, sizeof *page->level, "a page");
    page->bytes = trib_pool_new(pool, page->bound, 1, "a page");
    page->packed = trib_pool_new(pool, page->bound, 1, "a page");
    return pool->status;
}

/* ---- Encoding -------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, trib_key number) {
    for (; number > 127; number >>= 7) *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

/* Writes a number below `below` (0: 2^128) in the encoding of the page. */
static uint8_t *put_number(const trib_page *page, uint8_t *at, trib_key number, trib_key below) {
    if (!page->raw) return put(at, number);
    trib_put(at, (uint64_t)number, 8);
    if (raw_bytes(below) > 8) trib_put(at + 8, (uint64_t)(number >> 64), 8);
    return at + raw_bytes(below);
}

/* The first level in which nonzero i differs from the one before it. From that level on it has new
 * nodes. */
static uint32_t first_new(const trib_page *page, uint32_t n_levels, size_t i) {
    const trib_key *level = page->level + i * n_levels;
    uint32_t l = 0;
    while (i > 0 && l + 1 < n_levels && level[l] == *(level + l - n_levels)) l++;
    return l;
}

/* How many nodes of level l, from that of nonzero i on, have the same parent. */
static size_t n_siblings(const trib_page *page, uint32_t n_levels, size_t i, uint32_t l) {
    size_t n = 1;
    for (size_t k = i + 1; k < page->n; k++) {
        const uint32_t new = first_new(page, n_levels, k);
        if (new < l) break;
        n += new == l;
    }
    return n;
}

static uint8_t *put_forest(const trib_page *page, const trib_shape *shape, uint8_t *at) {
    const uint32_t n_levels = shape->n_levels;
    at = put_number(page, at, n_siblings(page, n_levels, 0, 0), 1);
    for (size_t i = 0; i < page->n; i++) {
        const trib_key *level = page->level + i * n_levels;
        const uint32_t new = first_new(page, n_levels, i);
        for (uint32_t l = new; l < n_levels; l++) {
            const bool is_whole = page->raw || i == 0 || l > new;
            at = put_number(page, at, is_whole ? level[l] : level[l] - *(level + l - n_levels) - 1,
                            shape->radix[l]);
            if (l + 1 < n_levels)
                at = put_number(page, at, n_siblings(page, n_levels, i, l + 1) - 1, 1);
        }
    }
    return at;
}

static uint8_t *put_counts(const trib_page *page, uint8_t *at) {
    uint8_t *bit = at;
    for (size_t i = 0; page->raw && i < page->n; i++) at = put_number(page, at, page->count[i], 1);
    if (page->raw) return at;
    at += (page->n + 7) / 8;
    for (uint8_t *clear = bit; clear < at; clear++) *clear = 0;
    for (size_t i = 0; i < page->n; i++) {
        if (page->count[i] == 1) continue;
        bit[i / 8] = (uint8_t)(bit[i / 8] | 1u << i % 8);
        at = put(at, page->count[i] - 2);
    }
    return at;
}

/* Encodes index and count to bytes. Returns the number of bytes. */
static size_t encode(trib_page *page, const trib_organisation *organisation,
                     const trib_shape *shape) {
    uint8_t *at = page->bytes;
    const uint32_t n_levels = shape->n_levels;
    for (size_t i = 0; i < page->n; i++)
        organisation->levels->take(shape, page->index + i * shape->n_modes,
                                   page->level + i * n_levels);
    if (organisation->is_ordered) at = put_forest(page, shape, at);
    else
        for (size_t i = 0; i < page->n * n_levels; i++)
            at = put_number(page, at, page->level[i], 1);
    return (size_t)(put_counts(page, at) - page->bytes);
}

/* ---- Decoding: nothing in the bytes is believed ---------------------------------------------- */

typedef struct cursor {
    const uint8_t *at, *end;
    bool is_bad; /* the page is too short, or a number is too large */
    bool raw;
} cursor;

/* Reads a number below `below` (0: 2^128) from `size` bytes. */
static trib_key get_raw(cursor *c, trib_key below, size_t size) {
    if ((size_t)(c->end - c->at) < size) {
        c->is_bad = true;
        return 0;
    }
    const trib_key number =
        trib_take(c->at, 8) | (size > 8 ? (trib_key)trib_take(c->at + 8, 8) << 64 : 0);
    c->at += size;
    c->is_bad = c->is_bad || (below && number >= below);
    return number;
}

/* Reads a number below `below` (0: 2^128). */
static trib_key get(cursor *c, trib_key below) {
    uint64_t low = 0;
    if (c->raw) return get_raw(c, below, 8);
    if (c->at < c->end && *c->at < 128) low = *c->at++;
    else {
        trib_key number = 0;
        bool more = true;
        for (uint32_t shift = 0; more; shift += 7) {
            if (c->at == c->end || shift > 126) {
                c->is_bad = true;
                return 0;
            }
            const trib_key digit = *c->at & 127;
            c->is_bad = c->is_bad || digit << shift >> shift != digit;
            number |= digit << shift;
            more = *c->at++ > 127;
        }
        c->is_bad = c->is_bad || (below && number >= below);
        return number;
    }
    c->is_bad = c->is_bad || (below && low >= below);
    return low;
}

static void get_forest(cursor *c, trib_page *page, const trib_organisation *organisation,
                       const trib_shape *shape) {
    trib_key level[TRIB_MAX_MODES] = {0};
    size_t left[TRIB_MAX_MODES] = {0}; /* siblings that still follow */
    const uint32_t n_levels = shape->n_levels;
    const trib_key beyond = (trib_key)page->n + 1;
    left[0] = (size_t)get(c, beyond);
    c->is_bad = c->is_bad || left[0] == 0;
    for (size_t i = 0; i < page->n && !c->is_bad; i++) {
        uint32_t l = n_levels - 1;
        while (l > 0 && left[l] == 0) l--;
        c->is_bad = left[l] == 0;
        /* the number of the next sibling is above that of the one before it, and below the radix */
        const trib_key after = i == 0 ? 0 : level[l] + 1;
        level[l] = c->raw ? get_raw(c, shape->radix[l], raw_bytes(shape->radix[l]))
                          : get(c, shape->radix[l] - after) + after;
        c->is_bad = c->is_bad || level[l] < after || (i > 0 && after == shape->radix[l]);
        left[l]--;
        while (l + 1 < n_levels) {
            left[++l] = (size_t)get(c, beyond);
            level[l] = c->raw ? get_raw(c, shape->radix[l], raw_bytes(shape->radix[l]))
                              : get(c, shape->radix[l]);
        }
        organisation->levels->put(shape, level, page->index + i * shape->n_modes);
    }
    for (uint32_t l = 0; l < n_levels; l++) c->is_bad = c->is_bad || left[l] > 0;
}

static void get_counts(cursor *c, trib_page *page) {
    const uint8_t *bit = c->at;
    const size_t n_bytes = (page->n + 7) / 8;
    for (size_t i = 0; c->raw && i < page->n; i++) {
        page->count[i] = (uint32_t)get(c, (trib_key)UINT32_MAX + 1);
        c->is_bad = c->is_bad || page->count[i] == 0;
    }
    if (c->raw) return;
    if ((size_t)(c->end - c->at) < n_bytes) c->is_bad = true;
    if (c->is_bad) return;
    c->at += n_bytes;
    for (size_t i = 0; i < page->n; i++)
        page->count[i] =
            bit[i / 8] >> i % 8 & 1 ? (uint32_t)get(c, (trib_key)UINT32_MAX - 1) + 2 : 1;
}

bool trib_page_decode(trib_page *page, const trib_organisation *organisation,
                      const trib_shape *shape, size_t length) {
    cursor c = {page->bytes, page->bytes + length, false, page->raw};
    if (organisation->is_ordered) get_forest(&c, page, organisation, shape);
    else
        for (size_t i = 0; i < page->n && !c.is_bad; i++)
            for (uint32_t m = 0; m < shape->n_modes; m++)
                page->index[i * shape->n_modes + m] = (uint32_t)get(&c, shape->dim[m]);
    get_counts(&c, page);
    return !c.is_bad && c.at == c.end;
}

/* ---- Files ----------------------------------------------------------------------------------- */

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
    if (w->compress) {
        const size_t n = ZSTD_compress(w->page.packed, length, w->page.bytes, length, ZSTD_LEVEL);
        if (!ZSTD_isError(n) && n < length) return n;
    }
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
    const size_t length = encode(&w->page, w->organisation, &w->shape);
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
    trib_pool_release(&w.page.pool);
    trib_buffer_release(&w.pages);
    return status;
}
