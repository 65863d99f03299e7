/* fragment.c - any bytes as a fragment with correct checksums, so that the code after their check
 * is reached: reading the whole, a region, or points gives the same values. */
#include "tensor/fragment.h"
#include "base/internal.h"
#include "tests/fuzz/fuzz.h"

/* Writes the correct checksums of pages, directory and header. */
static void make_right(uint8_t *bytes, size_t size) {
    if (size < TRIB_FRAGMENT_HEADER) return;
    const uint64_t n_modes = trib_take(bytes + 20, 4), n_pages = trib_take(bytes + 76, 4);
    if (n_modes > TRIB_MAX_MODES) return;
    const size_t place = 16 + 12 * (size_t)n_modes, left = size - TRIB_FRAGMENT_HEADER;
    if (n_pages > left / place) return;
    uint8_t *directory = bytes + TRIB_FRAGMENT_HEADER, *page = directory + n_pages * place;
    for (size_t p = 0; p < n_pages; p++) {
        const uint64_t length = trib_take(directory + p * place, 4);
        if (length > (size_t)(bytes + size - page)) break;
        trib_put(directory + p * place + 8, trib_checksum(page, (size_t)length), 8);
        page += length;
    }
    trib_put(bytes + 88, trib_checksum(directory, (size_t)n_pages * place), 8);
    trib_put(bytes + 96, trib_checksum(bytes, 96), 8);
}

static void expect_same(trib_fragment *fragment, const trib_hacoo *table) {
    trib_box box;
    trib_hacoo part;
    memset(&box, 0, sizeof box);
    for (uint32_t m = 0; m < fragment->n_modes; m++) box.upper[m] = fragment->dim[m];
    if (trib_fragment_region(fragment, 1, &box, &part, NULL, NULL) == TRIB_OK) {
        FUZZ_CHECK(part.nnz == table->nnz && part.total == table->total);
        trib_hacoo_release(&part);
    }
    for (size_t e = 0; e < table->nnz && e < 3; e++) {
        uint32_t index[TRIB_MAX_MODES];
        uint64_t count = 0;
        const uint32_t wanted = trib_hacoo_entry(table, e, index);
        if (trib_fragment_points(fragment, 1, 1, index, &count, NULL) == TRIB_OK)
            FUZZ_CHECK(count == wanted);
    }
}

FUZZ_TARGET(fragment) {
    uint8_t *copy = NULL;
    trib_fragment fragment;
    trib_hacoo table;
    if (size == 0 || trib_new(&copy, size, 1, "a copy", NULL) != TRIB_OK) return;
    memcpy(copy, bytes, size);
    make_right(copy, size);
    if (trib_fragment_open_memory(&fragment, "x", copy, size, NULL) == TRIB_OK) {
        if (trib_fragment_read(&fragment, 1, &table, NULL, NULL) == TRIB_OK) {
            expect_same(&fragment, &table);
            trib_hacoo_release(&table);
        }
        trib_fragment_close(&fragment);
    }
    trib_free(copy);
}
