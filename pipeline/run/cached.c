/* cached.c - reads the parts of a run from the cache, or computes them and writes them there. */
#include "pipeline/run/cached.h"

#include <stdio.h>
#include <string.h>

#include "decomp/blas.h"

uint32_t trib_cached_documents(const trib_run *run) { return run->corpus.n_documents; }

trib_status trib_cached_id(const trib_run *run, uint32_t d, trib_buffer *to, trib_error *error) {
    return trib_buffer_print(to, error, "%s", run->corpus.document[d].about->id);
}

/* ---- Reading and writing parts --------------------------------------------------------------- */

/* OpenBLAS, which has kernels for each processor, computes only what guides the search for a
 * rank. */
static trib_status add_blas(const trib_run *run, trib_buffer *key, trib_error *error) {
    if (run->env.config->cp.rank != TRIB_RANK_AUTO) return TRIB_OK;
    const trib_status status = trib_blas_load(error);
    return status == TRIB_OK
               ? trib_buffer_print(key, error, "BLAS %s\n", trib_blas.openblas_get_corename())
               : status;
}

trib_status trib_cached_key(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_buffer *key, trib_error *error) {
    trib_status status = trib_cache_begin_key(run->cache, row->stage, key, error);
    if (status == TRIB_OK) status = add_blas(run, key, error);
    return status == TRIB_OK ? row->key(run, part, key, error) : status;
}

trib_status trib_cached_about(const trib_run *run, const trib_cached_row *row, uint32_t part,
                              trib_buffer *about, trib_error *error) {
    trib_status status = trib_buffer_print(about, error, "part ");
    if (status == TRIB_OK) status = row->name(run, part, about, error);
    return status == TRIB_OK ? trib_buffer_print(about, error, "\n") : status;
}

trib_status trib_cached_report(const trib_run *run, const trib_cached_row *row, trib_error *error) {
    uint32_t n = 0, n_there = 0;
    trib_status status = TRIB_OK;
    for (uint32_t part = 0; part < row->count(run) && status == TRIB_OK; part++) {
        trib_buffer key = {0};
        if (row->is_kept && !row->is_kept(run, part)) continue;
        status = trib_cached_key(run, row, part, &key, error);
        n_there += status == TRIB_OK && trib_cache_has(run->cache, row->stage, &key);
        n++;
        trib_buffer_release(&key);
    }
    const bool is_all = n_there == n;
    const char *note = is_all ? row->note : NULL;
    if (status == TRIB_OK)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "%s: %s: %u of %u%s%s%s", row->stage,
                     is_all ? "cached" : "to do", (unsigned)(is_all ? n : n - n_there), (unsigned)n,
                     note ? " (" : "", note ? note : "", note ? ")" : "");
    return status;
}

/* Reads a part from the cache. *taken: the cache has it, and it is exactly what a computation would
 * give. */
static trib_status take(trib_run *run, const trib_cached_row *row, uint32_t part,
                        const trib_buffer *key, bool *taken, trib_error *error) {
    trib_cache_entry entry;
    trib_status status = trib_cache_find(run->cache, row->stage, key, &entry, taken, error);
    if (status != TRIB_OK || !*taken) return status;
    status = row->unpack(run, part, &entry.result, error);
    if (status == TRIB_OK && !trib_unpack_is_whole(&entry.result)) {
        *taken = false;
        trib_cache_report(run->cache, row->stage, key, "its contents are invalid");
    }
    trib_cache_entry_release(&entry);
    if (status != TRIB_OK || !*taken) row->forget(run, part);
    return status;
}

static trib_status keep(const trib_run *run, const trib_cached_row *row, uint32_t part,
                        const trib_buffer *key, trib_error *error) {
    trib_buffer about = {0};
    trib_pack result = {0};
    trib_status status = trib_cached_about(run, row, part, &about, error);
    if (status == TRIB_OK) row->pack(run, part, &result);
    if (status == TRIB_OK)
        status = trib_cache_put(run->cache, row->stage, key, &about, &result, error);
    trib_buffer_release(&about);
    trib_pack_release(&result);
    return status;
}

trib_status trib_cached_take(trib_run *run, const trib_cached_row *row, uint32_t part, bool *taken,
                             trib_error *error) {
    trib_buffer key = {0};
    *taken = false;
    trib_status status = trib_cached_key(run, row, part, &key, error);
    if (status == TRIB_OK) status = take(run, row, part, &key, taken, error);
    trib_buffer_release(&key);
    return status;
}

trib_status trib_cached_put(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_error *error) {
    trib_buffer key = {0};
    trib_status status = trib_cached_key(run, row, part, &key, error);
    if (status == TRIB_OK) status = keep(run, row, part, &key, error);
    trib_buffer_release(&key);
    return status;
}

trib_status trib_cached_part(trib_run *run, const trib_cached_row *row, uint32_t part,
                             int n_threads, trib_progress progress, trib_error *error) {
    trib_buffer key = {0};
    bool taken = false;
    if (!run->cache || (row->is_kept && !row->is_kept(run, part)))
        return row->work(run, part, n_threads, progress, error);
    trib_status status = trib_cached_key(run, row, part, &key, error);
    if (status == TRIB_OK) status = take(run, row, part, &key, &taken, error);
    if (status == TRIB_OK && !taken) status = row->work(run, part, n_threads, progress, error);
    const bool is_done = trib_log_stopped(run->env.log, NULL) == TRIB_OK; /* false: ended early */
    if (status == TRIB_OK && !taken && is_done && !run->is_dry)
        status = keep(run, row, part, &key, error);
    trib_buffer_release(&key);
    return status;
}

/* The context of trib_parts_do: the parts of a row. */
typedef struct parts {
    trib_run *run;
    const trib_cached_row *row;
    trib_part_size size;
} parts;

static trib_status make_part(void *context, uint32_t part, int n_threads, trib_progress progress,
                             trib_error *error) {
    const parts *p = context;
    return trib_cached_part(p->run, p->row, part, n_threads, progress, error);
}

static uint64_t size_of_part(const void *context, uint32_t part) {
    const parts *p = context;
    return p->size(p->run, part);
}

static void forget_part(void *context, uint32_t part) {
    const parts *p = context;
    p->row->forget(p->run, part);
}

static void pack_part(const void *context, uint32_t part, trib_pack *out) {
    const parts *p = context;
    p->row->pack(p->run, part, out);
}

static trib_status unpack_part(void *context, uint32_t part, trib_unpack *in, trib_error *error) {
    const parts *p = context;
    return p->row->unpack(p->run, part, in, error);
}

trib_status trib_cached_parts(trib_run *run, const trib_cached_row *row, trib_part_size size,
                              trib_error *error) {
    static const trib_part_row all = {.work = make_part,
                                      .size = size_of_part,
                                      .forget = forget_part,
                                      .pack = pack_part,
                                      .unpack = unpack_part};
    const trib_workers workers = trib_environment_workers(&run->env);
    parts p = {run, row, size};
    return trib_parts_do(&workers, row->count(run), &all, &p, error);
}
