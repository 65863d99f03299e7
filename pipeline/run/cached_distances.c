/* cached_distances.c - cached distances between factors, as rows of cached_columns.c: for each
 * document the nearest factor in every other document; and, when all distances are written, those
 * of each pair of documents. */
#include "pipeline/run/cached.h"

#include <string.h>

static const uint32_t NONE = UINT32_MAX;

static trib_status add_key(const trib_run *run, uint32_t d, trib_buffer *key, trib_error *error) {
    return trib_cached_factors.key(run, d, key, error);
}

/* Adds to `lacks` when an entry lacks a document that the row should contain. */
static trib_status check_row(const trib_run *run, uint32_t d, trib_cached_asks asks,
                             trib_unpack *in, trib_buffer *lacks, trib_error *error) {
    trib_cached_columns columns;
    uint32_t n_missing = 0;
    trib_status status = trib_cached_columns_list(&columns, run, error);
    if (status == TRIB_OK)
        status = trib_cached_count_missing(run, &columns, d, asks, in, &n_missing, error);
    trib_cached_columns_release(&columns);
    if (status == TRIB_OK && n_missing > 0)
        status = trib_buffer_print(lacks, error, "not measured against all texts");
    return status;
}

static bool asks(const trib_run *run, uint32_t d, uint32_t e) {
    return trib_distances_asks(run->env.config, &run->corpus, d, e);
}

/* ---- The nearest factors --------------------------------------------------------------------- */

static size_t nearest_size(const trib_cached_cells *cells, const trib_run *run, uint32_t d,
                           uint32_t e) {
    (void)cells; /* only the rows of `asks` have cells */
    if (!asks(run, d, e)) return 0;
    return run->decomposition[d].factors.rank * (sizeof(double) + sizeof(uint32_t));
}

/* Whether a distance and the number of its factor are valid. */
static bool is_possible(double nearest, uint32_t which, uint32_t rank) {
    return nearest >= 0 && nearest <= 2 + 1e-9 && (rank > 0 ? which < rank : which == NONE);
}

static bool read_nearest(const trib_cached_cells *cells, trib_run *run, uint32_t d, uint32_t e,
                         const char *at) {
    const size_t *const first = cells->columns->first;
    const size_t n = run->decomposition[d].factors.rank, width = run->corpus.n_documents;
    const char *const which = at + n * sizeof(double);
    for (size_t f = 0; f < n; f++) {
        const size_t cell = (first[d] + f) * width + e;
        uint32_t local;
        memcpy(&run->distances.nearest.nearest[cell], at + f * sizeof(double), sizeof(double));
        memcpy(&local, which + f * sizeof local, sizeof local);
        if (!is_possible(run->distances.nearest.nearest[cell], local,
                         run->decomposition[e].factors.rank))
            return false;
        run->distances.nearest.which[cell] = local == NONE ? NONE : (uint32_t)first[e] + local;
    }
    return true;
}

static void write_nearest(const trib_cached_cells *cells, const trib_run *run, uint32_t d,
                          uint32_t e, trib_pack *out) {
    const size_t *const first = cells->columns->first;
    const size_t n = run->decomposition[d].factors.rank, width = run->corpus.n_documents;
    const size_t cell = first[d] * width + e;
    for (size_t f = 0; f < n; f++)
        trib_pack_double(out, run->distances.nearest.nearest[cell + f * width]);
    for (size_t f = 0; f < n; f++) {
        const uint32_t which = run->distances.nearest.which[cell + f * width];
        trib_pack_u32(out, which == NONE ? NONE : which - (uint32_t)first[e]);
    }
}

static bool is_target(const trib_run *run, uint32_t d) {
    return trib_corpus_target_of(&run->corpus, d) < run->corpus.n_targets;
}

static bool has_row(const trib_run *run, uint32_t d) {
    const uint32_t t = trib_corpus_target_of(&run->corpus, d);
    return t < run->corpus.n_targets &&
           (run->corpus.target[t].n_sources > 0 || run->env.config->report.npy);
}

static trib_status check_nearest(const trib_run *run, uint32_t d, trib_unpack *in,
                                 trib_buffer *lacks, trib_error *error) {
    return check_row(run, d, asks, in, lacks, error);
}

const trib_cached_row trib_cached_distances = {.stage = "distances",
                                               .count = trib_cached_documents,
                                               .is_kept = has_row,
                                               .key = add_key,
                                               .name = trib_cached_id,
                                               .check = check_nearest};

static trib_cached_cells nearest_cells(const trib_cached_columns *columns) {
    return (trib_cached_cells){.row = &trib_cached_distances,
                               .columns = columns,
                               .size = nearest_size,
                               .read = read_nearest,
                               .write = write_nearest};
}

/* ---- The rows of this rank ------------------------------------------------------------------- */

/* The factors of a target. Other documents have no row, so their size is 0. */
static uint64_t n_factors(const void *context, uint32_t d) {
    const trib_run *run = context;
    return is_target(run, d) ? run->decomposition[d].factors.rank : 0;
}

/* The rows that this rank measures. */
typedef struct tiles {
    int *owner;                  /* [n_documents] */
    trib_cached_columns columns; /* of all documents; empty without a cache */
    uint32_t *n_missing;         /* [n_documents] columns that are not cached */
    bool *is_whole;              /* [n_documents] the row is in the first group */
    bool *missing;               /* [n_documents] of the current row */
    bool *row;                   /* [factors] rows to measure */
    bool *whole, *column;        /* [n_documents] columns of the first and second group */
} tiles;

static void tiles_release(tiles *t) {
    trib_cached_columns_release(&t->columns);
    trib_free(t->owner);
    trib_free(t->n_missing);
    trib_free(t->is_whole);
    trib_free(t->missing);
    trib_free(t->row);
    trib_free(t->whole);
    trib_free(t->column);
}

static trib_status tiles_init(tiles *t, const trib_run *run, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    *t = (tiles){0};
    trib_status status = trib_parts_owners(run->comm.size, n, n_factors, run, &t->owner, error);
    if (status == TRIB_OK)
        status = trib_new(&t->n_missing, n, sizeof *t->n_missing, "the rows", error);
    if (status == TRIB_OK)
        status = trib_new(&t->is_whole, n, sizeof *t->is_whole, "the rows", error);
    if (status == TRIB_OK) status = trib_new(&t->missing, n, sizeof *t->missing, "the rows", error);
    if (status == TRIB_OK) status = trib_new(&t->whole, n, sizeof *t->whole, "the rows", error);
    if (status == TRIB_OK)
        status = trib_new(&t->row, run->distances.factors.n, sizeof *t->row, "the rows", error);
    if (status == TRIB_OK) status = trib_new(&t->column, n, sizeof *t->column, "the rows", error);
    if (status == TRIB_OK && run->cache) status = trib_cached_columns_list(&t->columns, run, error);
    return status;
}

/* Reads the cached cells of the targets of this rank. Rows that lack more than half of their
 * columns form the first group (is_whole), the others the second. `whole` and `column` are the
 * columns that any row of the first or second group lacks. */
static trib_status take_rows(trib_run *run, tiles *t, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    const trib_cached_cells cells = nearest_cells(&t->columns);
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        if (t->owner[d] != run->comm.rank || !is_target(run, d)) continue;
        uint32_t n_asked = 0;
        for (uint32_t e = 0; e < n; e++) n_asked += t->missing[e] = asks(run, d, e);
        if (run->cache && n_asked > 0)
            status = trib_cached_take_cells(run, &cells, d, t->missing, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
        for (uint32_t e = 0; e < n; e++) t->n_missing[d] += t->missing[e];
        t->is_whole[d] = t->n_missing[d] > n_asked / 2;
        bool *const column = t->is_whole[d] ? t->whole : t->column;
        for (uint32_t e = 0; e < n; e++) column[e] = column[e] || t->missing[e];
    }
    return status;
}

/* Measures the incomplete rows of one group. */
static trib_status measure_rows(trib_run *run, tiles *t, bool is_whole, const bool *column,
                                trib_error *error) {
    const trib_factors *factors = &run->distances.factors;
    bool any = false;
    for (size_t f = 0; f < factors->n; f++) {
        const uint32_t d = factors->document[f];
        t->row[f] = t->n_missing[d] > 0 && t->is_whole[d] == is_whole;
        any = any || t->row[f];
    }
    return any ? trib_distances_measure(&run->env, &run->distances, t->row, column, error)
               : TRIB_OK;
}

static trib_status find_rows(trib_run *run, tiles *t, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    const trib_cached_cells cells = nearest_cells(&t->columns);
    trib_status status = take_rows(run, t, error);
    if (status == TRIB_OK) status = measure_rows(run, t, true, t->whole, error);
    if (status == TRIB_OK) status = measure_rows(run, t, false, t->column, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK && run->cache; d++)
        if (t->n_missing[d] > 0) status = trib_cached_put_cells(run, &cells, d, error);
    return status;
}

trib_status trib_cached_measure_distances(trib_run *run, trib_error *error) {
    tiles t = {0};
    trib_status status = tiles_init(&t, run, error);
    if (status == TRIB_OK) status = find_rows(run, &t, error);
    status = trib_comm_agree(&run->comm, status, error);
    if (status == TRIB_OK) trib_distances_share(&run->comm, &run->corpus, t.owner, &run->distances);
    tiles_release(&t);
    return status;
}

/* ---- All pairs with a target: document d against itself and later documents ------------------ */

/* Whether all distances will be written. Estimated from cp.rank, since a dry run has no factors. */
static bool is_wanted(const trib_run *run, uint32_t d) {
    const double n = (double)trib_config_rank(run->env.config) * run->corpus.n_documents;
    (void)d;
    return run->env.config->report.npy && n * n * sizeof(double) <= TRIB_DISTANCES_MOST;
}

static bool asks_pair(const trib_run *run, uint32_t d, uint32_t e) {
    return e >= d && (is_target(run, d) || is_target(run, e));
}

static size_t pairs_size(const trib_cached_cells *cells, const trib_run *run, uint32_t d,
                         uint32_t e) {
    (void)cells;
    return !asks_pair(run, d, e) ? 0
                                 : (size_t)run->decomposition[d].factors.rank *
                                       run->decomposition[e].factors.rank * sizeof(double);
}

static bool read_pairs(const trib_cached_cells *cells, trib_run *run, uint32_t d, uint32_t e,
                       const char *at) {
    const size_t *const first = cells->columns->first;
    const size_t n = run->decomposition[e].factors.rank;
    for (size_t f = 0; f < run->decomposition[d].factors.rank; f++) {
        double *const to = cells->matrix + (first[d] + f) * run->distances.factors.n + first[e];
        memcpy(to, at + f * n * sizeof *to, n * sizeof *to);
        for (size_t q = 0; q < n; q++)
            if (!(to[q] >= 0 && to[q] <= 2 + 1e-9)) return false;
    }
    return true;
}

static void write_pairs(const trib_cached_cells *cells, const trib_run *run, uint32_t d, uint32_t e,
                        trib_pack *out) {
    const size_t *const first = cells->columns->first;
    for (size_t f = 0; f < run->decomposition[d].factors.rank; f++)
        trib_pack_array(out, cells->matrix + (first[d] + f) * run->distances.factors.n + first[e],
                        run->decomposition[e].factors.rank, sizeof(double));
}

static trib_status check_pairs(const trib_run *run, uint32_t d, trib_unpack *in, trib_buffer *lacks,
                               trib_error *error) {
    return check_row(run, d, asks_pair, in, lacks, error);
}

const trib_cached_row trib_cached_pairs = {.stage = "pairs",
                                           .within = "distances",
                                           .count = trib_cached_documents,
                                           .is_kept = is_wanted,
                                           .key = add_key,
                                           .name = trib_cached_id,
                                           .check = check_pairs};

trib_status trib_cached_matrix(trib_run *run, double *matrix, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    trib_cached_columns columns = {0};
    trib_cached_cells cells = {.row = &trib_cached_pairs,
                               .columns = &columns,
                               .matrix = matrix,
                               .size = pairs_size,
                               .read = read_pairs,
                               .write = write_pairs};
    bool *missing = NULL, *known = NULL;
    trib_status status = trib_new(&missing, n, sizeof *missing, "the distances", error);
    if (status == TRIB_OK) status = trib_new(&known, n, n * sizeof *known, "the distances", error);
    if (status == TRIB_OK && run->cache) status = trib_cached_columns_list(&columns, run, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        for (uint32_t e = 0; e < n; e++) missing[e] = asks_pair(run, d, e);
        if (run->cache) status = trib_cached_take_cells(run, &cells, d, missing, error);
        for (uint32_t e = d; e < n; e++) known[(size_t)d * n + e] = !missing[e];
    }
    if (status == TRIB_OK)
        status = trib_factor_matrix_rest(&run->distances.factors, matrix, known, n,
                                         run->env.n_threads, error);
    for (uint32_t d = 0; d < n && run->cache && status == TRIB_OK; d++) {
        bool is_whole = true;
        for (uint32_t e = d; e < n; e++) is_whole = is_whole && known[(size_t)d * n + e];
        if (!is_whole) status = trib_cached_put_cells(run, &cells, d, error);
    }
    trib_cached_columns_release(&columns);
    trib_free(missing);
    trib_free(known);
    return status;
}
