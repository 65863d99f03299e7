/* tns.c - tensors as text, one nonzero per line: reads whole tables, and writes them in the format
 * of FROSTT (frostt.io) or as Matrix Market. */
#include "tensor/algebra.h"
#include "tensor/entry.h"
#include "tensor/scan.h"

/* A table that is being filled, and the nonzeros read before its dimensions are known, if there is
 * no header. */
typedef struct filling {
    trib_hacoo *table;
    const trib_tns_options *options;
    trib_tns_scan scan;
    uint32_t *index; /* [n][n_modes] as written */
    double *value;   /* [n] */
    uint64_t *line;  /* [n] */
    size_t n, index_cap, value_cap, line_cap;
    /* [sum_cap] values by entry, once a value is not a count. The counts of the table are then not
     * used. */
    double *sum;
    size_t sum_cap;
    uint64_t n_duplicates;
} filling;

/* Adds at most a batch of nonzeros whose indices, from 0, are index[n][n_modes]. */
static trib_status add_batch(filling *f, size_t n, const uint32_t *index, const double *value,
                             const uint64_t *line, trib_error *error) {
    const char *name = f->scan.state->reader->name;
    const size_t before = f->table->nnz;
    uint32_t entry[2 * TRIB_SCAN_BATCH];
    size_t failed = n, known = before; /* entries that are known */
    const trib_status status =
        trib_hacoo_sum_many(f->table, f->options->counts ? NULL : &f->sum, &f->sum_cap, n, index,
                            value, entry, &failed, error);
    if (status != TRIB_OK && failed < n)
        return trib_fail(error, TRIB_INPUT, "%s:%llu: the sum of duplicates is too large", name,
                         (unsigned long long)line[failed]);
    if (status != TRIB_OK) return trib_error_prefix(error, "%s", name);
    f->n_duplicates += n - (f->table->nnz - before);
    for (size_t i = 0; f->options->refuse_duplicates && i < n; i++) {
        if (entry[i] != known)
            return trib_fail(error, TRIB_INPUT,
                             "%s:%llu: the same indices as in an earlier line, and duplicates are "
                             "not allowed",
                             name, (unsigned long long)line[i]);
        known++;
    }
    return status;
}

/* Makes the empty table for the expected number of nonzeros. The number in a header may be wrong,
 * so memory is limited. */
static trib_status make_table(filling *f, uint64_t expected, trib_error *error) {
    enum { BELIEVED = 1 << 22 };
    trib_hacoo_options sized = f->options->table ? *f->options->table : (trib_hacoo_options){0};
    if (!sized.expected) sized.expected = expected < BELIEVED ? (size_t)expected : BELIEVED;
    const trib_status status =
        trib_hacoo_init(f->table, f->scan.n_modes, f->scan.dim, &sized, error);
    return status == TRIB_OK ? TRIB_OK
                             : trib_error_prefix(error, "%s", f->scan.state->reader->name);
}

static void count_from_zero(uint32_t *index, size_t n, uint32_t base) {
    for (size_t i = 0; i < n; i++) index[i] -= base;
}

static trib_status keep_batch(filling *f, trib_error *error) {
    const trib_tns_scan *scan = &f->scan;
    const size_t n_modes = scan->n_modes, n = f->n + scan->n;
    const char *what = "a tensor's text";
    trib_status status = TRIB_GROW(&f->index, &f->index_cap, n * n_modes, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&f->value, &f->value_cap, n, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&f->line, &f->line_cap, n, what, error);
    if (status != TRIB_OK) return status;
    memcpy(f->index + f->n * n_modes, scan->index, scan->n * n_modes * sizeof *f->index);
    memcpy(f->value + f->n, scan->value, scan->n * sizeof *f->value);
    memcpy(f->line + f->n, scan->line, scan->n * sizeof *f->line);
    f->n = n;
    return TRIB_OK;
}

/* With a header, batches are added to the table at once; without one, all of them at the end of the
 * text. */
static trib_status fill(filling *f, trib_error *error) {
    trib_tns_scan *scan = &f->scan;
    trib_status status;
    while ((status = trib_tns_next(scan, error)) == TRIB_OK && scan->n > 0) {
        if (scan->notes.has_header) {
            if (!f->table->head) status = make_table(f, scan->n_promised, error);
            count_from_zero(scan->index, scan->n * scan->n_modes, scan->notes.base);
            if (status == TRIB_OK)
                status = add_batch(f, scan->n, scan->index, scan->value, scan->line, error);
        } else {
            status = keep_batch(f, error);
        }
        if (status != TRIB_OK) return status;
    }
    if (status == TRIB_OK && !f->table->head) status = make_table(f, f->n, error);
    count_from_zero(f->index, f->n * scan->n_modes, scan->notes.base);
    for (size_t i = 0, n; i < f->n && status == TRIB_OK; i += n) {
        n = f->n - i < TRIB_SCAN_BATCH ? f->n - i : TRIB_SCAN_BATCH;
        status = add_batch(f, n, f->index + i * scan->n_modes, f->value + i, f->line + i, error);
    }
    return status;
}

trib_status trib_tns_read(trib_hacoo *table, double **values, trib_reader *reader,
                          const trib_tns_options *options, trib_tns_notes *notes,
                          trib_error *error) {
    trib_tns_options chosen = options ? *options : (trib_tns_options){0};
    chosen.counts = chosen.counts || !values;
    filling f = {.table = table, .options = &chosen};
    *table = (trib_hacoo){0};
    if (values) *values = NULL;
    trib_status status = trib_tns_open(&f.scan, reader, &chosen, error);
    if (status != TRIB_OK) return status;
    status = fill(&f, error);
    if (notes) {
        *notes = f.scan.notes;
        notes->n_duplicates = f.n_duplicates;
    }
    if (status != TRIB_OK) {
        trib_hacoo_release(table);
        trib_free(f.sum);
    } else if (values) {
        *values = f.sum;
    }
    trib_tns_close(&f.scan);
    TRIB_FREE(f.index, f.value, f.line);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Writes the digits of a number and returns their end. */
static char *write_digits(char *at, uint64_t number) {
    char digit[20];
    size_t n = 0;
    do digit[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (n > 0) *at++ = digit[--n];
    return at;
}

/* Writes the nonzeros in lexicographic order, one per line, with indices from 1. */
static trib_status write_nonzeros(const trib_hacoo *table, const double *values,
                                  trib_writer *writer, trib_error *error) {
    enum { BLOCK = 8192, LONGEST = TRIB_MAX_MODES * 11 + TRIB_NUMBER_MAX + 1 };
    TRIB_FREED(uint32_t *) order = NULL;
    trib_status status = TRIB_NEW(&order, table->nnz, "sorting", error);
    if (status == TRIB_OK) status = trib_order_entries(table, false, order, 1, error);
    char block[BLOCK], *at = block;
    for (size_t i = 0; status == TRIB_OK && values && i < table->nnz; i++)
        if (!isfinite(values[order[i]]))
            status = trib_fail(error, TRIB_INTERNAL, "%s: a value is not finite", writer->path);
    for (size_t i = 0; status == TRIB_OK && i < table->nnz; i++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(table, order[i], index);
        for (uint32_t m = 0; m < table->n_modes; m++) {
            at = write_digits(at, (uint64_t)index[m] + 1);
            *at++ = ' ';
        }
        if (values) at += strlen(trib_number(at, values[order[i]]));
        else at = write_digits(at, count);
        *at++ = '\n';
        if (i + 1 == table->nnz || at > block + BLOCK - LONGEST) {
            trib_write(writer, block, (size_t)(at - block));
            at = block;
        }
    }
    return status;
}

trib_status trib_tns_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error) {
    trib_print(writer, "# %u", table->n_modes);
    for (uint32_t m = 0; m < table->n_modes; m++) trib_print(writer, " %u", table->dim[m]);
    trib_print(writer, " %zu\n", table->nnz);
    return write_nonzeros(table, values, writer, error);
}

trib_status trib_mtx_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error) {
    if (table->n_modes != 2)
        return trib_fail(error, TRIB_INPUT,
                         "a Matrix Market text has 2 modes, and this tensor has %u; write .tns",
                         table->n_modes);
    trib_print(writer, "%%%%MatrixMarket matrix coordinate %s general\n%u %u %zu\n",
               values ? "real" : "integer", table->dim[0], table->dim[1], table->nnz);
    return write_nonzeros(table, values, writer, error);
}
