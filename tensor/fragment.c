/* fragment.c - opens a fragment and reads from it: everything, single indices, a box, or several
 * fragments as one tensor. Every number from a file is checked before it is used. */
#include "tensor/fragment.h"
#include "base/internal.h"

#include <zstd.h>

/* Where a page is in the file and which indices it may contain. */
typedef struct place {
    uint64_t offset, checksum;
    uint32_t stored, length; /* bytes in the file, and before compression */
    uint32_t least[TRIB_MAX_MODES], most[TRIB_MAX_MODES], first[TRIB_MAX_MODES];
} place;

struct trib_fragment_state {
    trib_reader reader;
    trib_buffer held; /* the bytes read from standard input */
    trib_shape shape;
    size_t page_nnz;
    place *place; /* [n_pages] */
    trib_page page;
};
typedef struct trib_fragment_state inside;

static trib_status refuse(const trib_fragment *fragment, const char *why, trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "%s: %s", fragment->state->reader.name, why);
}

static trib_status altered(const trib_fragment *fragment, const char *part, trib_error *error) {
    return trib_fail(error, TRIB_INPUT,
                     "%s: %s altered or damaged: the checksum differs; make the file again",
                     fragment->state->reader.name, part);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static trib_status read_bytes(trib_fragment *fragment, uint64_t offset, void *bytes, size_t size,
                              trib_error *error) {
    fragment->n_bytes_read += size;
    return trib_reader_at(&fragment->state->reader, offset, bytes, size, error);
}

/* Reads the dimensions. TRIB_INPUT unless a table can have them. */
static trib_status read_dimensions(trib_fragment *fragment, const uint8_t *header,
                                   trib_error *error) {
    trib_hacoo probe = {0};
    fragment->n_modes = (uint32_t)trib_take(header + 20, 4);
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) {
        fragment->dim[m] = (uint32_t)trib_take(header + 24 + 4 * m, 4);
        if (m >= fragment->n_modes && fragment->dim[m] != 0)
            return refuse(fragment, "the header has dimensions beyond its modes", error);
    }
    const trib_status status =
        trib_hacoo_init(&probe, fragment->n_modes, fragment->dim, NULL, error);
    trib_hacoo_release(&probe);
    if (status != TRIB_OK) trib_error_prefix(error, "%s", fragment->state->reader.name);
    return status;
}

static trib_status read_header(trib_fragment *fragment, uint64_t *n_page_bytes,
                               uint64_t *directory_checksum, trib_error *error) {
    inside *in = fragment->state;
    uint8_t header[TRIB_FRAGMENT_HEADER];
    size_t n_organisations = 0;
    while (trib_organisations[n_organisations].name) n_organisations++;
    const size_t size =
        fragment->n_bytes < sizeof header ? (size_t)fragment->n_bytes : sizeof header;
    trib_status status = read_bytes(fragment, 0, header, size, error);
    if (status != TRIB_OK) return status;
    if (size < 8 || memcmp(header, "TRIBFRAG", 8) != 0)
        return refuse(fragment, "is no fragment of a tensor", error);
    if (size < sizeof header)
        return refuse(fragment, "is cut short: it ends within the header", error);
    const uint64_t version = trib_take(header + 8, 4), organisation = trib_take(header + 12, 4),
                   pages = trib_take(header + 16, 4);
    if (version != TRIB_FRAGMENT_VERSION)
        return trib_fail(error, TRIB_INPUT,
                         "%s: is a fragment of version %llu; this program reads version %d",
                         in->reader.name, (unsigned long long)version, TRIB_FRAGMENT_VERSION);
    if (trib_checksum(header, 96) != trib_take(header + 96, 8))
        return altered(fragment, "the header is", error);
    if (organisation >= n_organisations || pages > (TRIB_FRAGMENT_ZSTD | TRIB_FRAGMENT_RAW))
        return refuse(fragment, "is organised or compressed in a way unknown here", error);
    fragment->organisation = &trib_organisations[organisation];
    fragment->is_compressed = pages & TRIB_FRAGMENT_ZSTD;
    fragment->is_raw = pages & TRIB_FRAGMENT_RAW;
    status = read_dimensions(fragment, header, error);
    if (status != TRIB_OK) return status;
    fragment->nnz = trib_take(header + 56, 8);
    fragment->total = trib_take(header + 64, 8);
    in->page_nnz = (size_t)trib_take(header + 72, 4);
    fragment->n_pages = (size_t)trib_take(header + 76, 4);
    *n_page_bytes = trib_take(header + 80, 8);
    *directory_checksum = trib_take(header + 88, 8);
    if (fragment->nnz > UINT32_MAX || in->page_nnz < 1 ||
        in->page_nnz > TRIB_FRAGMENT_LARGEST_PAGE ||
        fragment->n_pages != (fragment->nnz + in->page_nnz - 1) / in->page_nnz)
        return refuse(fragment, "the header's numbers contradict each other", error);
    return TRIB_OK;
}

/* Reads the entry of one page in the directory; false when its numbers are impossible. */
static bool read_place(const trib_fragment *fragment, size_t p, const uint8_t *bytes, place *at) {
    const inside *in = fragment->state;
    at->stored = (uint32_t)trib_take(bytes, 4);
    at->length = (uint32_t)trib_take(bytes + 4, 4);
    at->checksum = trib_take(bytes + 8, 8);
    bool can_be = at->stored <= at->length && at->length <= in->page.bound &&
                  (fragment->is_compressed || at->stored == at->length);
    for (uint32_t m = 0; m < fragment->n_modes; m++) {
        at->least[m] = (uint32_t)trib_take(bytes + 16 + 12 * m, 4);
        at->most[m] = (uint32_t)trib_take(bytes + 20 + 12 * m, 4);
        at->first[m] = (uint32_t)trib_take(bytes + 24 + 12 * m, 4);
        can_be = can_be && at->least[m] <= at->first[m] && at->first[m] <= at->most[m] &&
                 at->most[m] < fragment->dim[m];
    }
    if (can_be && p > 0 && fragment->organisation->is_ordered)
        can_be = trib_shape_number(fragment->organisation, &in->shape, at[-1].first) <
                 trib_shape_number(fragment->organisation, &in->shape, at->first);
    return can_be;
}

static trib_status read_directory(trib_fragment *fragment, uint64_t n_page_bytes, uint64_t checksum,
                                  trib_error *error) {
    inside *in = fragment->state;
    const size_t place_bytes = 16 + 12 * (size_t)fragment->n_modes;
    const uint64_t size = (uint64_t)fragment->n_pages * place_bytes;
    uint64_t offset = TRIB_FRAGMENT_HEADER + size;
    TRIB_FREED(uint8_t *) bytes = NULL;
    if (n_page_bytes > UINT64_MAX - offset || offset + n_page_bytes != fragment->n_bytes)
        return trib_fail(
            error, TRIB_INPUT, "%s: is %s: %llu bytes instead of %llu", in->reader.name,
            n_page_bytes <= UINT64_MAX - offset && offset + n_page_bytes < fragment->n_bytes
                ? "too long"
                : "cut short",
            (unsigned long long)fragment->n_bytes, (unsigned long long)(offset + n_page_bytes));
    trib_status status = trib_new(&bytes, (size_t)size, 1, "a directory of pages", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&in->place, fragment->n_pages, "a directory of pages", error);
    if (status == TRIB_OK)
        status = read_bytes(fragment, TRIB_FRAGMENT_HEADER, bytes, (size_t)size, error);
    if (status == TRIB_OK && trib_checksum(bytes, (size_t)size) != checksum)
        status = altered(fragment, "the directory of its pages is", error);
    for (size_t p = 0; p < fragment->n_pages && status == TRIB_OK; p++) {
        in->place[p].offset = offset;
        if (!read_place(fragment, p, bytes + p * place_bytes, &in->place[p]))
            status = refuse(fragment, "the directory of its pages contradicts itself", error);
        offset += in->place[p].stored;
    }
    if (status == TRIB_OK && offset != fragment->n_bytes)
        status = refuse(fragment, "the directory of its pages contradicts the header", error);
    return status;
}

/* The rest of opening, once there is a reader. Closes the fragment on failure. */
static trib_status begin(trib_fragment *fragment, trib_error *error) {
    inside *in = fragment->state;
    uint64_t n_page_bytes = 0, checksum = 0;
    trib_status status = trib_reader_size(&in->reader, &fragment->n_bytes, error);
    if (status == TRIB_OK) status = read_header(fragment, &n_page_bytes, &checksum, error);
    if (status == TRIB_OK) {
        const size_t largest = fragment->nnz < in->page_nnz ? (size_t)fragment->nnz : in->page_nnz;
        trib_shape_init(&in->shape, fragment->organisation, fragment->n_modes, fragment->dim);
        status = trib_page_init(&in->page, &in->shape, largest, fragment->is_raw, error);
    }
    if (status == TRIB_OK) status = read_directory(fragment, n_page_bytes, checksum, error);
    if (status != TRIB_OK) trib_fragment_close(fragment);
    return status;
}

trib_status trib_fragment_open(trib_fragment *fragment, const char *path, trib_error *error) {
    *fragment = (trib_fragment){0};
    trib_status status = TRIB_NEW(&fragment->state, 1, "a fragment", error);
    if (status != TRIB_OK) return status;
    inside *in = fragment->state;
    status = trib_reader_open(&in->reader, path, error);
    if (status == TRIB_OK && strcmp(path, "-") == 0) {
        status = trib_reader_all(&in->reader, &in->held, error);
        trib_reader_memory(&in->reader, "standard input", in->held.text, in->held.length);
    }
    if (status == TRIB_OK) return begin(fragment, error);
    trib_fragment_close(fragment);
    return status;
}

trib_status trib_fragment_open_memory(trib_fragment *fragment, const char *name, const void *bytes,
                                      size_t length, trib_error *error) {
    *fragment = (trib_fragment){0};
    const trib_status status = TRIB_NEW(&fragment->state, 1, "a fragment", error);
    if (status != TRIB_OK) return status;
    trib_reader_memory(&fragment->state->reader, name, bytes, length);
    return begin(fragment, error);
}

void trib_fragment_close(trib_fragment *fragment) {
    inside *in = fragment->state;
    if (in) {
        trib_reader_close(&in->reader);
        trib_buffer_release(&in->held);
        trib_free(in->place);
        trib_pool_release(&in->page.pool);
        trib_free(in);
    }
    *fragment = (trib_fragment){0};
}

/* ---- Pages ----------------------------------------------------------------------------------- */

/* Decompresses from page.packed to page.bytes. */
static trib_status unpack(const trib_fragment *fragment, const place *at, trib_error *error) {
    const trib_page *page = &fragment->state->page;
    if (at->stored == at->length) {
        memcpy(page->bytes, page->packed, at->length);
        return TRIB_OK;
    }
    const size_t n = ZSTD_decompress(page->bytes, at->length, page->packed, at->stored);
    if (ZSTD_isError(n) || n != at->length)
        return refuse(fragment, "a page cannot be decompressed", error);
    return TRIB_OK;
}

/* Reads page p, verified and decoded, into the page of the fragment. */
static trib_status read_page(trib_fragment *fragment, size_t p, trib_error *error) {
    inside *in = fragment->state;
    const place *at = &in->place[p];
    const uint32_t n_modes = fragment->n_modes;
    in->page.n =
        p + 1 < fragment->n_pages ? in->page_nnz : (size_t)(fragment->nnz - p * in->page_nnz);
    fragment->n_pages_read++;
    trib_status status = read_bytes(fragment, at->offset, in->page.packed, at->stored, error);
    if (status == TRIB_OK && trib_checksum(in->page.packed, at->stored) != at->checksum)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: page %zu of %zu is altered or damaged: the checksum differs; make "
                           "the file again",
                           in->reader.name, p + 1, fragment->n_pages);
    if (status == TRIB_OK) status = unpack(fragment, at, error);
    if (status != TRIB_OK) return status;
    bool is_right = trib_page_decode(&in->page, fragment->organisation, &in->shape, at->length);
    for (size_t i = 0; i < in->page.n && is_right; i++)
        for (uint32_t m = 0; m < n_modes; m++) {
            const uint32_t index = in->page.index[i * n_modes + m];
            is_right = is_right && at->least[m] <= index && index <= at->most[m];
        }
    return is_right ? TRIB_OK : refuse(fragment, "a page does not hold what it should", error);
}

static trib_status check_dimensions(const trib_fragment fragment[], size_t n, trib_error *error) {
    for (size_t f = 1; f < n; f++)
        if (fragment[f].n_modes != fragment->n_modes ||
            memcmp(fragment[f].dim, fragment->dim, sizeof fragment->dim) != 0)
            return trib_fail(error, TRIB_INPUT,
                             "%s and %s: the dimensions differ: not fragments of one tensor",
                             fragment->state->reader.name, fragment[f].state->reader.name);
    return TRIB_OK;
}

/* ---- Everything, and regions ----------------------------------------------------------------- */

static bool meets(const trib_box *box, const place *at, uint32_t n_modes) {
    bool yes = true;
    for (uint32_t m = 0; m < n_modes; m++)
        yes = yes && box->lower[m] <= at->most[m] && at->least[m] < box->upper[m];
    return yes;
}

/* Adds the nonzeros in the box to the table. *n and *total grow by their number and by the sum of
 * their counts. */
static trib_status add_box(trib_fragment *fragment, const trib_box *box, trib_hacoo_stream *stream,
                           uint64_t *n, uint64_t *total, trib_error *error) {
    const inside *in = fragment->state;
    const uint32_t n_modes = fragment->n_modes;
    trib_status status = TRIB_OK;
    for (size_t p = 0; p < fragment->n_pages && status == TRIB_OK; p++) {
        if (!meets(box, &in->place[p], n_modes)) continue;
        status = read_page(fragment, p, error);
        for (size_t i = 0; i < in->page.n && status == TRIB_OK; i++) {
            const uint32_t *index = in->page.index + i * n_modes;
            if (!trib_box_holds(box, n_modes, index)) continue;
            status = trib_hacoo_stream_push(stream, index, in->page.count[i], error);
            ++*n;
            *total += in->page.count[i];
        }
    }
    return status;
}

/* Makes the table and adds the nonzeros in the box. `whole`: the box is everything, and the sums
 * must be those of the headers. */
static trib_status read_box(trib_fragment fragment[], size_t n_fragments, const trib_box *box,
                            bool whole, trib_hacoo *table, const trib_hacoo_options *options,
                            trib_error *error) {
    trib_hacoo_stream stream;
    *table = (trib_hacoo){0};
    trib_status status = check_dimensions(fragment, n_fragments, error);
    if (status == TRIB_OK)
        status = trib_hacoo_init(table, fragment->n_modes, fragment->dim, options, error);
    if (status != TRIB_OK) return status;
    trib_hacoo_stream_init(&stream, table, NULL);
    for (size_t f = 0; f < n_fragments && status == TRIB_OK; f++) {
        uint64_t n = 0, total = 0;
        status = add_box(&fragment[f], box, &stream, &n, &total, error);
        if (status == TRIB_OK) status = trib_hacoo_stream_flush(&stream, error);
        if (status == TRIB_OK && whole && (n != fragment[f].nnz || total != fragment[f].total))
            status =
                refuse(&fragment[f], "its counts do not add up to the sum in the header", error);
    }
    if (status != TRIB_OK) trib_hacoo_release(table);
    return status;
}

trib_status trib_fragment_read(trib_fragment *fragment, size_t n_fragments, trib_hacoo *table,
                               const trib_hacoo_options *options, trib_error *error) {
    trib_box everything = {{0}, {0}};
    trib_hacoo_options sized = options ? *options : (trib_hacoo_options){0};
    /* Not for compressed fragments: their headers can claim more nonzeros than fit in memory. */
    for (size_t f = 0; f < n_fragments && !fragment[f].is_compressed; f++)
        sized.expected =
            (size_t)fragment[f].nnz > sized.expected ? (size_t)fragment[f].nnz : sized.expected;
    memset(everything.upper, 0xFF, sizeof everything.upper); /* 2^32-1 is above any index */
    return read_box(fragment, n_fragments, &everything, true, table, &sized, error);
}

trib_status trib_fragment_region(trib_fragment *fragment, size_t n_fragments, const trib_box *box,
                                 trib_hacoo *table, const trib_hacoo_options *options,
                                 trib_error *error) {
    return read_box(fragment, n_fragments, box, false, table, options, error);
}

trib_status trib_fragment_verify(trib_fragment *fragment, trib_error *error) {
    const trib_page *page = &fragment->state->page;
    uint64_t total = 0;
    trib_status status = TRIB_OK;
    for (size_t p = 0; p < fragment->n_pages && status == TRIB_OK; p++) {
        status = read_page(fragment, p, error);
        for (size_t i = 0; i < page->n && status == TRIB_OK; i++) total += page->count[i];
    }
    if (status == TRIB_OK && total != fragment->total)
        status = refuse(fragment, "its counts do not add up to the sum in the header", error);
    return status;
}

/* ---- Points ---------------------------------------------------------------------------------- */

/* The indices to look up. */
typedef struct points {
    trib_hacoo table; /* each of them once */
    uint64_t *sum;    /* [nnz of table] sums of the counts in the fragments */
    bool *is_needed;  /* [n_pages] of the current fragment */
} points;

static bool may_hold(const place *at, const uint32_t index[], uint32_t n_modes) {
    bool yes = true;
    for (uint32_t m = 0; m < n_modes; m++)
        yes = yes && at->least[m] <= index[m] && index[m] <= at->most[m];
    return yes;
}

/* Marks the pages that may contain one of the points. In an ordered fragment this is, for each
 * point, the last page that begins at or before it. */
static void mark_pages(const trib_fragment *fragment, const uint32_t index[], bool *is_needed) {
    const inside *in = fragment->state;
    size_t low = 0, high = fragment->n_pages; /* the page is in low .. high-1 */
    if (fragment->organisation->is_ordered) {
        const trib_key wanted = trib_shape_number(fragment->organisation, &in->shape, index);
        while (high - low > 1) {
            const size_t middle = low + (high - low) / 2;
            if (trib_shape_number(fragment->organisation, &in->shape, in->place[middle].first) <=
                wanted)
                low = middle;
            else high = middle;
        }
    }
    for (size_t p = low; p < high; p++)
        if (may_hold(&in->place[p], index, fragment->n_modes)) is_needed[p] = true;
}

static trib_status add_points(trib_fragment *fragment, points *asked, trib_error *error) {
    const inside *in = fragment->state;
    const uint32_t n_modes = fragment->n_modes;
    trib_status status = TRIB_NEW(&asked->is_needed, fragment->n_pages, "pages", error);
    for (size_t e = 0; e < asked->table.nnz && status == TRIB_OK; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(&asked->table, e, index);
        mark_pages(fragment, index, asked->is_needed);
    }
    for (size_t p = 0; p < fragment->n_pages && status == TRIB_OK; p++) {
        if (!asked->is_needed[p]) continue;
        status = read_page(fragment, p, error);
        for (size_t i = 0; i < in->page.n && status == TRIB_OK; i++) {
            const size_t e = trib_hacoo_find(&asked->table, in->page.index + i * n_modes);
            if (e != TRIB_NO_ENTRY) asked->sum[e] += in->page.count[i];
        }
    }
    trib_free(asked->is_needed);
    asked->is_needed = NULL;
    return status;
}

trib_status trib_fragment_points(trib_fragment *fragment, size_t n_fragments, size_t n,
                                 const uint32_t *index, uint64_t *count, trib_error *error) {
    const uint32_t n_modes = fragment->n_modes;
    points asked = {0};
    trib_status status = check_dimensions(fragment, n_fragments, error);
    if (status == TRIB_OK)
        status = trib_hacoo_init(&asked.table, n_modes, fragment->dim, NULL, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        bool is_inside = true;
        for (uint32_t m = 0; m < n_modes; m++)
            is_inside = is_inside && index[i * n_modes + m] < fragment->dim[m];
        if (is_inside && trib_hacoo_find(&asked.table, index + i * n_modes) == TRIB_NO_ENTRY)
            status = trib_hacoo_add(&asked.table, index + i * n_modes, 1, error);
    }
    if (status == TRIB_OK) status = TRIB_NEW(&asked.sum, asked.table.nnz, "points", error);
    for (size_t f = 0; f < n_fragments && status == TRIB_OK; f++)
        status = add_points(&fragment[f], &asked, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        const size_t e = trib_hacoo_find(&asked.table, index + i * n_modes);
        count[i] = e == TRIB_NO_ENTRY ? 0 : asked.sum[e];
    }
    trib_hacoo_release(&asked.table);
    trib_free(asked.sum);
    return status;
}
