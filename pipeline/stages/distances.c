/* distances.c - stage distances: every rank-1 factor of every target measured against the documents that may be its sources.
 * What the cache has of a target's row is taken; the rest is measured. */
#include "pipeline/store/cached.h"

#include <stdlib.h>
#include <string.h>

/* Of a target: the others have no row. */
static uint64_t n_factors(const trib_run *run, uint32_t d) {
    return trib_run_target_of(run, d) ? run->document[d].factors.rank : 0;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

const trib_run_target *trib_run_target_of(const trib_run *run, uint32_t d) {
    size_t low = 0, high = run->n_targets;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (run->target[middle].document == d) return &run->target[middle];
        if (run->target[middle].document < d) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

bool trib_distances_asks(const trib_run *run, uint32_t d, uint32_t e) {
    const trib_run_target *target = trib_run_target_of(run, d);
    if (!target || run->config->report.npy) return target != NULL;
    return target->n_sources > 0 && bsearch(&e, target->source, target->n_sources,
                                            sizeof *target->source, by_number) != NULL;
}

/* Every rank gives the rows of its documents to all. */
static void give_rows(trib_run *run, const int *owner) {
    const size_t width = run->n_documents, n = run->factors.n;
    trib_factor_distances *all = &run->distances;
    for (size_t first = 0, end; first < n; first = end) {
        const uint32_t d = run->factors.document[first];
        for (end = first; end < n && run->factors.document[end] == d;) end++;
        if (!trib_run_target_of(run, d)) continue;
        const size_t at = first * width, cells = (end - first) * width;
        trib_comm_share_large(&run->team, owner[d], all->nearest + at,
                              cells * sizeof *all->nearest);
        trib_comm_share_large(&run->team, owner[d], all->which + at, cells * sizeof *all->which);
    }
}

/* The rows of this rank on their way. */
typedef struct tiles {
    int *owner;                  /* [n_documents] */
    trib_cached_columns columns; /* of all documents, with a cache */
    uint32_t *n_missing;         /* [n_documents] columns the cache does not have */
    bool *is_whole;              /* [n_documents] the row is measured whole */
    bool *missing;               /* [n_documents] of the row at hand */
    bool *row;                   /* [factors] to be measured, */
    bool *whole, *column;        /* [n_documents] against these: rows that are whole, and others */
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
    const uint32_t n = run->n_documents;
    *t = (tiles){0};
    trib_status status = trib_run_owners(run, n, n_factors, &t->owner, error);
    if (status == TRIB_OK)
        status = trib_new(&t->n_missing, n, sizeof *t->n_missing, "the rows", error);
    if (status == TRIB_OK)
        status = trib_new(&t->is_whole, n, sizeof *t->is_whole, "the rows", error);
    if (status == TRIB_OK) status = trib_new(&t->missing, n, sizeof *t->missing, "the rows", error);
    if (status == TRIB_OK) status = trib_new(&t->whole, n, sizeof *t->whole, "the rows", error);
    if (status == TRIB_OK)
        status = trib_new(&t->row, run->factors.n, sizeof *t->row, "the rows", error);
    if (status == TRIB_OK) status = trib_new(&t->column, n, sizeof *t->column, "the rows", error);
    if (status == TRIB_OK && run->cache) status = trib_cached_columns_list(&t->columns, run, error);
    return status;
}

/* Takes what there is of the rows of targets. A row that lacks more than half is measured whole, against every document that
 * some such row asks for; of the others `column` is what some lack. */
static trib_status take_rows(trib_run *run, tiles *t, trib_error *error) {
    const uint32_t n = run->n_documents;
    const trib_cached_cells cells = trib_cached_nearest(&t->columns);
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        if (t->owner[d] != run->team.rank || !trib_run_target_of(run, d)) continue;
        uint32_t n_asked = 0;
        for (uint32_t e = 0; e < n; e++) n_asked += t->missing[e] = trib_distances_asks(run, d, e);
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

/* Measures the rows of either kind that lack anything. */
static trib_status measure_rows(trib_run *run, tiles *t, bool is_whole, const bool *column,
                                trib_error *error) {
    const trib_factors *factors = &run->factors;
    bool any = false;
    for (size_t f = 0; f < factors->n; f++) {
        const uint32_t d = factors->document[f];
        t->row[f] = t->n_missing[d] > 0 && t->is_whole[d] == is_whole;
        any = any || t->row[f];
    }
    return any ? trib_factor_distances_fill(&run->distances, factors, factors, t->row, column,
                                            run->n_threads, trib_log_progress(run->log), error)
               : TRIB_OK;
}

static trib_status find_rows(trib_run *run, tiles *t, trib_error *error) {
    const uint32_t n = run->n_documents;
    const trib_cached_cells cells = trib_cached_nearest(&t->columns);
    trib_status status = take_rows(run, t, error);
    if (status == TRIB_OK) status = measure_rows(run, t, true, t->whole, error);
    if (status == TRIB_OK) status = measure_rows(run, t, false, t->column, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK && run->cache; d++)
        if (t->n_missing[d] > 0) status = trib_cached_put_cells(run, &cells, d, error);
    return status;
}

trib_status trib_stage_distances(trib_run *run, trib_error *error) {
    tiles t = {0};
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++)
        status = trib_factors_add(&run->factors, d, &run->document[d].factors,
                                  run->document[d].word, error);
    if (status == TRIB_OK) status = tiles_init(&t, run, error);
    if (status == TRIB_OK)
        status =
            trib_factor_distances_init(&run->distances, run->factors.n, run->n_documents, error);
    if (status == TRIB_OK) status = find_rows(run, &t, error);
    status = trib_comm_agree(&run->team, status, error);
    if (status == TRIB_OK) give_rows(run, t.owner);
    tiles_release(&t);
    return status;
}
