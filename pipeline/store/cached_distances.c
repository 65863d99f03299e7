/* cached_distances.c - what is kept of the distances between factors: for each document the nearest factor of every other; and,
 * where all distances are written, those of each pair of documents. Both in rows of kept_columns.c. */
#include "pipeline/store/cached.h"

#include <string.h>

#include "pipeline/stages/factors.h"

static const uint32_t NONE = UINT32_MAX;

static trib_status add_key(const trib_run *run, uint32_t d, trib_buffer *key, trib_error *error) {
    return trib_cached_factors.key(run, d, key, error);
}

/* Says of an entry whether it lacks documents that are asked for. */
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

/* ---- The nearest ---------------------------------------------------------------------------------------------------- */

static size_t nearest_size(const trib_cached_cells *cells, const trib_run *run, uint32_t d,
                           uint32_t e) {
    (void)cells; /* a document without factors has no row */
    if (!trib_distances_asks(run, d, e)) return 0;
    return run->document[d].factors.rank * (sizeof(double) + sizeof(uint32_t));
}

/* Whether a distance and the factor that has it can be. */
static bool is_possible(double nearest, uint32_t which, uint32_t rank) {
    return nearest >= 0 && nearest <= 2 + 1e-9 && (rank > 0 ? which < rank : which == NONE);
}

static bool read_nearest(const trib_cached_cells *cells, trib_run *run, uint32_t d, uint32_t e,
                         const char *at) {
    const size_t *const first = cells->columns->first;
    const size_t n = run->document[d].factors.rank, width = run->n_documents;
    const char *const which = at + n * sizeof(double);
    for (size_t f = 0; f < n; f++) {
        const size_t cell = (first[d] + f) * width + e;
        uint32_t local;
        memcpy(&run->distances.nearest[cell], at + f * sizeof(double), sizeof(double));
        memcpy(&local, which + f * sizeof local, sizeof local);
        if (!is_possible(run->distances.nearest[cell], local, run->document[e].factors.rank))
            return false;
        run->distances.which[cell] = local == NONE ? NONE : (uint32_t)first[e] + local;
    }
    return true;
}

static void write_nearest(const trib_cached_cells *cells, const trib_run *run, uint32_t d,
                          uint32_t e, trib_pack *out) {
    const size_t *const first = cells->columns->first;
    const size_t n = run->document[d].factors.rank, width = run->n_documents;
    const size_t cell = first[d] * width + e;
    for (size_t f = 0; f < n; f++) trib_pack_double(out, run->distances.nearest[cell + f * width]);
    for (size_t f = 0; f < n; f++) {
        const uint32_t which = run->distances.which[cell + f * width];
        trib_pack_u32(out, which == NONE ? NONE : which - (uint32_t)first[e]);
    }
}

static bool is_target(const trib_run *run, uint32_t d) {
    return trib_run_target_of(run, d) != NULL;
}

static bool has_row(const trib_run *run, uint32_t d) {
    const trib_run_target *target = trib_run_target_of(run, d);
    return target && (target->n_sources > 0 || run->config->report.npy);
}

static trib_status check_nearest(const trib_run *run, uint32_t d, trib_unpack *in,
                                 trib_buffer *lacks, trib_error *error) {
    return check_row(run, d, trib_distances_asks, in, lacks, error);
}

const trib_cached_row trib_cached_distances = {.stage = "distances",
                                               .count = trib_cached_documents,
                                               .is_kept = has_row,
                                               .key = add_key,
                                               .name = trib_cached_id,
                                               .check = check_nearest};

trib_cached_cells trib_cached_nearest(const trib_cached_columns *columns) {
    return (trib_cached_cells){.row = &trib_cached_distances,
                               .columns = columns,
                               .size = nearest_size,
                               .read = read_nearest,
                               .write = write_nearest};
}

/* ---- All pairs with a target: document d against itself and those behind it ------------------------------------------------------- */

/* As far as is known before there are factors. */
static bool is_wanted(const trib_run *run, uint32_t d) {
    const double n = (double)trib_config_rank(run->config) * run->n_documents;
    (void)d;
    return run->config->report.npy && n * n * sizeof(double) <= TRIB_DISTANCES_MOST;
}

static bool asks_pair(const trib_run *run, uint32_t d, uint32_t e) {
    return e >= d && (is_target(run, d) || is_target(run, e));
}

static size_t pairs_size(const trib_cached_cells *cells, const trib_run *run, uint32_t d,
                         uint32_t e) {
    (void)cells;
    return !asks_pair(run, d, e) ? 0
                                 : (size_t)run->document[d].factors.rank *
                                       run->document[e].factors.rank * sizeof(double);
}

static bool read_pairs(const trib_cached_cells *cells, trib_run *run, uint32_t d, uint32_t e,
                       const char *at) {
    const size_t *const first = cells->columns->first;
    const size_t n = run->document[e].factors.rank;
    for (size_t f = 0; f < run->document[d].factors.rank; f++) {
        double *const to = cells->matrix + (first[d] + f) * run->factors.n + first[e];
        memcpy(to, at + f * n * sizeof *to, n * sizeof *to);
        for (size_t q = 0; q < n; q++)
            if (!(to[q] >= 0 && to[q] <= 2 + 1e-9)) return false;
    }
    return true;
}

static void write_pairs(const trib_cached_cells *cells, const trib_run *run, uint32_t d, uint32_t e,
                        trib_pack *out) {
    const size_t *const first = cells->columns->first;
    for (size_t f = 0; f < run->document[d].factors.rank; f++)
        trib_pack_array(out, cells->matrix + (first[d] + f) * run->factors.n + first[e],
                        run->document[e].factors.rank, sizeof(double));
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
    const uint32_t n = run->n_documents;
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
        status = trib_factor_matrix_rest(&run->factors, matrix, known, n, run->n_threads, error);
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
