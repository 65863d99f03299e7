/* cached_columns.c - cached rows of documents against documents. Each row is an entry of the cache.
 * It has a column for each document, named by a hash of what the document's factors depend on. So
 * after one document is added, only its column is missing. Columns of documents that have left the
 * corpus disappear when the row is written again.
 *
 *     columns u64, then for each in the order of their names: its name, bytes u32, the bytes */
#include "pipeline/run/cached.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = TRIB_SHA256_TEXT };

/* ---- Names of columns ------------------------------------------------------------------------ */

void trib_cached_columns_release(trib_cached_columns *columns) {
    trib_free(columns->name);
    trib_free(columns->order);
    trib_free(columns->first);
    *columns = (trib_cached_columns){0};
}

static trib_status name_column(const trib_run *run, uint32_t d, char *to, trib_error *error) {
    trib_buffer key = {0};
    trib_sha256 *hash = NULL;
    trib_status status = trib_cached_factors.key(run, d, &key, error);
    if (status == TRIB_OK) status = trib_sha256_open(&hash, error);
    if (status == TRIB_OK) trib_sha256_add(hash, key.text, key.length);
    if (status == TRIB_OK) trib_sha256_close(hash, to);
    trib_buffer_release(&key);
    return status;
}

/* A name and its document, for sorting. */
typedef struct named {
    const char *name;
    uint32_t document;
} named;

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    const int order = memcmp(x->name, y->name, NAME);
    return order != 0 ? order : (x->document > y->document) - (x->document < y->document);
}

trib_status trib_cached_columns_list(trib_cached_columns *columns, const trib_run *run,
                                     trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    named *list = NULL;
    *columns = (trib_cached_columns){0};
    trib_status status = trib_new(&columns->name, n, NAME, "names of texts", error);
    if (status == TRIB_OK)
        status = trib_new(&columns->order, n, sizeof *columns->order, "names of texts", error);
    if (status == TRIB_OK)
        status = trib_new(&columns->first, (size_t)n + 1, sizeof *columns->first, "names of texts",
                          error);
    if (status == TRIB_OK) status = trib_new(&list, n, sizeof *list, "names of texts", error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        list[d] = (named){columns->name + (size_t)d * NAME, d};
        status = name_column(run, d, columns->name + (size_t)d * NAME, error);
        columns->first[d + 1] = columns->first[d] + run->decomposition[d].factors.rank;
    }
    if (status == TRIB_OK && n > 0) qsort(list, n, sizeof *list, by_name);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) columns->order[i] = list[i].document;
    trib_free(list);
    return status;
}

/* The name of column e in row d. It contains the order of d and e, because the order of two factors
 * can change the last digit of their distance. */
static void name_cell(char to[NAME], const trib_cached_columns *columns, uint32_t d, uint32_t e) {
    memcpy(to, columns->name + (size_t)e * NAME, NAME - 1);
    to[NAME - 1] = e < d ? '<' : e > d ? '>' : '=';
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A row within the bytes of an entry. */
typedef struct row {
    const char **column; /* [n] columns, sorted by name */
    size_t n;
} row;

static size_t size_at(const char *column) {
    uint32_t size;
    memcpy(&size, column + NAME, sizeof size);
    return size;
}

/* The row is invalid when its names are not in ascending order. */
static trib_status read_row(row *r, trib_unpack *in, trib_error *error) {
    enum { LEAST = NAME + sizeof(uint32_t) };
    *r = (row){0};
    const uint64_t n = trib_unpack_u64(in);
    trib_unpack_expect(in, n <= (size_t)(in->end - in->at) / LEAST);
    if (in->is_wrong) return TRIB_OK;
    const trib_status status = trib_new(&r->column, (size_t)n, sizeof *r->column, "columns", error);
    for (; r->n < n && status == TRIB_OK && !in->is_wrong; r->n++) {
        const size_t left = (size_t)(in->end - in->at);
        trib_unpack_expect(in, left >= LEAST && size_at(in->at) <= left - LEAST);
        if (in->is_wrong) break;
        r->column[r->n] = in->at;
        in->at += LEAST + size_at(in->at);
        trib_unpack_expect(in, r->n == 0 || memcmp(r->column[r->n - 1], r->column[r->n], NAME) < 0);
    }
    return status;
}

static const char *find_column(const row *r, const char cell[NAME]) {
    size_t low = 0, high = r->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = memcmp(r->column[middle], cell, NAME);
        if (order == 0) return r->column[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

static trib_status take_columns(trib_run *run, const trib_cached_cells *cells, uint32_t d,
                                trib_unpack *in, bool *missing, bool *good, trib_error *error) {
    row r;
    const trib_status status = read_row(&r, in, error);
    *good = status == TRIB_OK && trib_unpack_is_whole(in);
    for (uint32_t e = 0; e < run->corpus.n_documents && *good; e++) {
        char cell[NAME];
        name_cell(cell, cells->columns, d, e);
        const char *at = missing[e] ? find_column(&r, cell) : NULL;
        if (!at) continue;
        *good = size_at(at) == cells->size(cells, run, d, e) &&
                cells->read(cells, run, d, e, at + NAME + sizeof(uint32_t));
        missing[e] = false;
    }
    trib_free(r.column);
    return status;
}

static void ask_all(const trib_run *run, const trib_cached_cells *cells, uint32_t d,
                    bool *missing) {
    for (uint32_t e = 0; e < run->corpus.n_documents; e++)
        missing[e] = cells->size(cells, run, d, e) > 0;
}

trib_status trib_cached_take_cells(trib_run *run, const trib_cached_cells *cells, uint32_t d,
                                   bool *missing, trib_error *error) {
    const char *const stage = cells->row->stage;
    trib_buffer key = {0};
    trib_cache_entry entry = {0};
    bool found = false, good = true;
    ask_all(run, cells, d, missing);
    trib_status status = trib_cached_key(run, cells->row, d, &key, error);
    if (status == TRIB_OK) status = trib_cache_find(run->cache, stage, &key, &entry, &found, error);
    if (status == TRIB_OK && found)
        status = take_columns(run, cells, d, &entry.result, missing, &good, error);
    if (status == TRIB_OK && !good) {
        ask_all(run, cells, d, missing);
        trib_cache_report(run->cache, stage, &key, "its contents are invalid");
    }
    trib_cache_entry_release(&entry);
    trib_buffer_release(&key);
    return status;
}

/* Writes the cells in the order of their names. Cells of equal names are equal, so only the first
 * is written. */
static void pack_columns(const trib_run *run, const trib_cached_cells *cells, uint32_t d,
                         trib_pack *out, uint64_t *n_columns) {
    static const char sides[] = "<=>"; /* in the order of their codes */
    const trib_cached_columns *columns = cells->columns;
    char first[NAME], cell[NAME];
    for (uint32_t i = 0, end; i < run->corpus.n_documents; i = end) {
        name_cell(first, columns, d, columns->order[i]);
        for (end = i; end < run->corpus.n_documents; end++) {
            name_cell(cell, columns, d, columns->order[end]);
            if (memcmp(first, cell, NAME - 1) != 0) break;
        }
        for (const char *side = sides; *side; side++)
            for (uint32_t k = i; k < end; k++) {
                const uint32_t e = columns->order[k];
                const size_t size = cells->size(cells, run, d, e);
                name_cell(cell, columns, d, e);
                if (cell[NAME - 1] != *side || size == 0) continue;
                trib_pack_array(out, cell, NAME, 1);
                trib_pack_u32(out, (uint32_t)size);
                cells->write(cells, run, d, e, out);
                ++*n_columns;
                break;
            }
    }
}

trib_status trib_cached_put_cells(const trib_run *run, const trib_cached_cells *cells, uint32_t d,
                                  trib_error *error) {
    trib_buffer key = {0}, about = {0};
    trib_pack result = {0}, packed = {0};
    uint64_t n_columns = 0;
    pack_columns(run, cells, d, &packed, &n_columns);
    trib_pack_u64(&result, n_columns);
    if (packed.bytes.length > 0)
        trib_pack_array(&result, packed.bytes.text, packed.bytes.length, 1);
    if (result.failure.status == TRIB_OK) result.failure = packed.failure;
    trib_pack_release(&packed);
    trib_status status = trib_cached_key(run, cells->row, d, &key, error);
    if (status == TRIB_OK) status = trib_cached_about(run, cells->row, d, &about, error);
    if (status == TRIB_OK)
        status = trib_cache_put(run->cache, cells->row->stage, &key, &about, &result, error);
    trib_buffer_release(&key);
    trib_buffer_release(&about);
    trib_pack_release(&result);
    return status;
}

trib_status trib_cached_count_missing(const trib_run *run, const trib_cached_columns *columns,
                                      uint32_t d, trib_cached_asks asks, trib_unpack *in,
                                      uint32_t *n_missing, trib_error *error) {
    row r;
    const trib_status status = read_row(&r, in, error);
    *n_missing = 0;
    for (uint32_t e = 0; e < run->corpus.n_documents && status == TRIB_OK; e++) {
        char cell[NAME];
        if (!asks(run, d, e)) continue;
        name_cell(cell, columns, d, e);
        *n_missing += find_column(&r, cell) == NULL;
    }
    trib_free(r.column);
    return status;
}
