/* mtx.c - any bytes after a banner of Matrix Market: a symmetric matrix is read as symmetric. */
#include "tensor/tensor.h"
#include "tests/fuzz/fuzz.h"

static double value_at(const trib_hacoo *table, const double *values, const uint32_t index[]) {
    const size_t e = trib_hacoo_find(table, index);
    return e == TRIB_NO_ENTRY ? 0 : values ? values[e] : trib_hacoo_count(table, e);
}

static void expect_mirrored(const trib_hacoo *table, const double *values, double sign) {
    for (size_t e = 0; e < table->nnz; e++) {
        uint32_t index[2];
        trib_hacoo_entry(table, e, index);
        const double value = value_at(table, values, index);
        FUZZ_CHECK(value_at(table, values, (uint32_t[]){index[1], index[0]}) == sign * value ||
                   index[0] == index[1]);
    }
}

FUZZ_TARGET(mtx) {
    static const char *const fields[] = {"integer", "real", "pattern", "Real", "complex"};
    static const char *const kinds[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    TRIB_OWNED(trib_buffer) text = {0};
    if (size == 0) return;
    const char *kind = kinds[bytes[0] / 8 % 4];
    if (trib_buffer_print(&text, NULL, "%%%%MatrixMarket matrix coordinate %s %s\n",
                          fields[bytes[0] % 8 % 5], kind) == TRIB_OK &&
        trib_buffer_add(&text, (const char *)bytes + 1, size - 1, NULL) == TRIB_OK) {
        trib_reader reader;
        trib_hacoo table;
        trib_tns_notes notes;
        double *values;
        trib_reader_memory(&reader, "x", text.text, text.length);
        if (trib_tns_read(&table, &values, &reader, NULL, &notes, NULL) == TRIB_OK) {
            FUZZ_CHECK(table.n_modes == 2 && strcmp(notes.format, "mtx") == 0 && notes.base == 1);
            if (*kind == 's' && notes.n_duplicates == 0)
                expect_mirrored(&table, values, kind[1] == 'y' ? 1 : -1);
            trib_free(values);
            trib_hacoo_release(&table);
        }
        trib_reader_close(&reader);
    }
}
