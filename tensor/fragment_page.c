/* fragment_page.c - the nonzeros of one page as bytes.
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
#include "tensor/fragment.h"

static size_t varint_bytes(trib_key below) { /* 0: 2^128 */
    size_t n = 1;
    for (trib_key most = below - 1; most >>= 7;) n++;
    return n;
}

/* Bytes of a number below `below` (0: 2^128) in a raw page. */
static size_t raw_bytes(trib_key below) { return (below - 1) >> 64 ? 16 : 8; }

size_t trib_page_bound(const trib_shape *shape, size_t n, bool raw) {
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
    *page = (trib_page){.bound = trib_page_bound(shape, page_nnz, raw), .raw = raw};
    trib_status status = TRIB_NEW(&page->index, page_nnz * shape->n_modes, "a page", error);
    if (status == TRIB_OK) status = TRIB_NEW(&page->count, page_nnz, "a page", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&page->level, page_nnz * shape->n_levels, "a page", error);
    if (status == TRIB_OK) status = trib_new(&page->bytes, page->bound, 1, "a page", error);
    if (status == TRIB_OK) status = trib_new(&page->packed, page->bound, 1, "a page", error);
    if (status != TRIB_OK) trib_page_release(page);
    return status;
}

void trib_page_release(trib_page *page) {
    TRIB_FREE(page->index, page->count, page->level, page->bytes, page->packed);
    *page = (trib_page){0};
}

/* ---- Writing --------------------------------------------------------------------------------- */

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

size_t trib_page_encode(trib_page *page, const trib_organisation *organisation,
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

/* ---- Reading: nothing in the bytes is believed ----------------------------------------------- */

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
