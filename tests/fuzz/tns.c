/* tns.c - any bytes as a text of nonzeros, compressed or not: the rows or the error are the same
 * for any block size, and the table contains the values of the rows. */
#include "base/internal.h"
#include "tensor/tensor.h"
#include "tests/fuzz/fuzz.h"

typedef struct summary {
    trib_status status;
    uint64_t n, hash; /* of all rows delivered */
    uint32_t n_modes, dim[TRIB_MAX_MODES], base;
    double sum; /* of the values */
    trib_error error;
} summary;

static uint64_t mix(uint64_t hash, const void *bytes, size_t length) {
    return (hash ^ trib_hash_bytes(bytes, length)) * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static void scan_rows(summary *s, const uint8_t *bytes, size_t size,
                      const trib_tns_options *options) {
    trib_reader reader;
    trib_tns_scan scan;
    *s = (summary){0};
    trib_reader_memory(&reader, "x", bytes, size);
    s->status = trib_tns_open(&scan, &reader, options, &s->error);
    while (s->status == TRIB_OK) {
        s->status = trib_tns_next(&scan, &s->error);
        if (s->status != TRIB_OK || scan.n == 0) break;
        FUZZ_CHECK(scan.n_modes >= 1 && scan.n_modes <= TRIB_MAX_MODES);
        for (size_t i = 0; i < scan.n; i++) {
            for (uint32_t m = 0; m < scan.n_modes; m++)
                FUZZ_CHECK(scan.index[i * scan.n_modes + m] - scan.notes.base < scan.dim[m]);
            s->hash = mix(s->hash, scan.index + i * scan.n_modes, 4 * scan.n_modes);
            s->hash = mix(s->hash, scan.value + i, 8);
            s->hash = mix(s->hash, scan.line + i, 8);
            s->sum += scan.value[i];
        }
        s->n += scan.n;
    }
    s->n_modes = scan.n_modes;
    s->base = scan.notes.base;
    memcpy(s->dim, scan.dim, sizeof s->dim);
    trib_tns_close(&scan);
    trib_reader_close(&reader);
}

static void read_table(const uint8_t *bytes, size_t size, const trib_tns_options *options,
                       const summary *rows) {
    trib_reader reader;
    TRIB_OWNED(trib_hacoo) table = {0};
    trib_tns_notes notes;
    double *values, sum = 0;
    trib_reader_memory(&reader, "x", bytes, size);
    const trib_status status = trib_tns_read(&table, &values, &reader, options, &notes, NULL);
    trib_reader_close(&reader);
    if (rows->status != TRIB_OK) FUZZ_CHECK(status == rows->status);
    if (status != TRIB_OK) {
        FUZZ_CHECK(table.entry == NULL && values == NULL);
        return;
    }
    FUZZ_CHECK(table.nnz + notes.n_duplicates == rows->n && table.n_modes == rows->n_modes);
    FUZZ_CHECK(memcmp(table.dim, rows->dim, sizeof rows->dim) == 0);
    if (!values) {
        FUZZ_CHECK((double)table.total == rows->sum);
    } else {
        for (size_t e = 0; e < table.nnz; e++) sum += values[e] - values[e];
        FUZZ_CHECK(sum == 0 && table.total == table.nnz); /* all values are finite */
    }
    trib_free(values);
}

FUZZ_TARGET(tns) {
    if (size == 0) return;
    const trib_tns_options options = {.base = (trib_tns_base)(bytes[0] % 3),
                                      .counts = bytes[0] & 16,
                                      .refuse_duplicates = bytes[0] & 32};
    trib_tns_options small = options;
    small.block = 16 + bytes[0] / 64;
    summary rows, again;
    scan_rows(&rows, bytes + 1, size - 1, &options);
    scan_rows(&again, bytes + 1, size - 1, &small);
    FUZZ_CHECK(rows.status == again.status);
    /* In a compressed text with two errors, the damage may be found before or after an invalid
     * line. */
    const bool is_packed = size > 2 && bytes[1] == 0x1f && bytes[2] == 0x8b;
    FUZZ_CHECK(is_packed || strcmp(rows.error.message, again.error.message) == 0);
    if (rows.status == TRIB_OK) FUZZ_CHECK(rows.n == again.n && rows.hash == again.hash);
    if (rows.status == TRIB_OK)
        FUZZ_CHECK(rows.base == again.base && memcmp(rows.dim, again.dim, sizeof rows.dim) == 0);
    read_table(bytes + 1, size - 1, &options, &rows);
}
