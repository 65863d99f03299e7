/* cached.c - reads the parts of a run from the cache, or computes them and writes them there. */
#include "pipeline/run/cached.h"

#include "decomp/blas.h"

/* ---- What identifies a part ------------------------------------------------------------------ */

void trib_identity_add(trib_identity *identity, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (identity->failure.status == TRIB_OK)
        (void)trib_buffer_vprint(&identity->text, &identity->failure, format, arguments);
    va_end(arguments);
}

void trib_identity_hash(trib_identity *identity, const void *bytes, size_t n) {
    trib_sha256_add(&identity->hash, bytes, n);
}

void trib_identity_hash_word(trib_identity *identity, const trib_vocab *vocab, uint32_t id) {
    trib_identity_hash(identity, vocab->word[id], strlen(vocab->word[id]) + 1);
    if (vocab->norm) trib_identity_hash(identity, vocab->norm[id], strlen(vocab->norm[id]) + 1);
}

void trib_identity_end_hash(trib_identity *identity, const char *name) {
    char hash[TRIB_SHA256_TEXT];
    trib_sha256_end(&identity->hash, hash);
    trib_identity_add(identity, "%s %s\n", name, hash);
}

trib_status trib_identity_close_hash(trib_identity *identity, char hash[TRIB_SHA256_TEXT],
                                     trib_error *error) {
    trib_sha256_end(&identity->hash, hash);
    return trib_identity_close(identity, error);
}

trib_status trib_identity_close(trib_identity *identity, trib_error *error) {
    const trib_error failure = identity->failure;
    trib_buffer_release(&identity->text);
    *identity = (trib_identity){0};
    if (failure.status != TRIB_OK && error) *error = failure;
    return failure.status;
}

/* Hands the text to the caller, who releases it. */
static trib_status take_text(trib_identity *identity, trib_buffer *text, trib_error *error) {
    *text = (trib_buffer){0};
    if (identity->failure.status == TRIB_OK) {
        *text = identity->text;
        identity->text = (trib_buffer){0};
    }
    return trib_identity_close(identity, error);
}

/* ---- The kinds of parts ---------------------------------------------------------------------- */

uint32_t trib_cached_documents(const trib_run *run) { return run->corpus.n_documents; }

void trib_cached_id(const trib_run *run, uint32_t d, trib_identity *name) {
    trib_identity_add(name, "%s", run->corpus.document[d].about->id);
}

uint32_t trib_cached_targets(const trib_run *run) { return run->corpus.n_targets; }

void trib_cached_target_id(const trib_run *run, uint32_t t, trib_identity *name) {
    trib_cached_id(run, run->corpus.target[t].document, name);
}

/* OpenBLAS, which has kernels for each processor, computes only what guides the search for a
 * rank. */
static trib_status add_blas(const trib_run *run, trib_identity *key, trib_error *error) {
    if (run->env.config->cp.rank != TRIB_RANK_AUTO) return TRIB_OK;
    const trib_status status = trib_blas_load(error);
    if (status == TRIB_OK) trib_identity_add(key, "BLAS %s\n", trib_blas.openblas_get_corename());
    return status;
}

trib_status trib_cached_key(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_buffer *key, trib_error *error) {
    trib_identity all = {0};
    *key = (trib_buffer){0};
    trib_status status = trib_cache_begin_key(run->cache, row->stage, &all.text, error);
    if (status == TRIB_OK) status = add_blas(run, &all, error);
    if (status == TRIB_OK) row->key(run, part, &all);
    if (status == TRIB_OK && all.failure.status == TRIB_OK)
        (void)trib_config_print_given(run->env.config, row->given, &all.text, &all.failure);
    const trib_status made = take_text(&all, key, error);
    return status == TRIB_OK ? made : status;
}

/* The description of a part: the line "part NAME". */
static trib_status describe(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_buffer *about, trib_error *error) {
    trib_identity name = {0};
    trib_identity_add(&name, "part ");
    row->name(run, part, &name);
    trib_identity_add(&name, "\n");
    return take_text(&name, about, error);
}

/* ---- Reading and writing parts --------------------------------------------------------------- */

trib_status trib_cached_report(const trib_run *run, const trib_cached_row *row, trib_error *error) {
    uint32_t n = 0, n_there = 0;
    trib_status status = TRIB_OK;
    for (uint32_t part = 0; part < row->count(run) && status == TRIB_OK; part++) {
        TRIB_OWNED(trib_buffer) key = {0};
        if (row->is_kept && !row->is_kept(run, part)) continue;
        status = trib_cached_key(run, row, part, &key, error);
        n_there += status == TRIB_OK && trib_cache_has(run->cache, row->stage, &key);
        n++;
    }
    const bool is_all = n_there == n;
    const char *note = is_all ? row->note : NULL;
    if (status == TRIB_OK)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "%s: %s: %u of %u%s%s%s", row->stage,
                     is_all ? "cached" : "to do", (unsigned)(is_all ? n : n - n_there), (unsigned)n,
                     note ? " (" : "", note ? note : "", note ? ")" : "");
    return status;
}

/* *taken: the cache has the part, and it is exactly what a computation would give. */
trib_status trib_cached_take(trib_run *run, const trib_cached_row *row, uint32_t part, bool *taken,
                             trib_error *error) {
    TRIB_OWNED(trib_buffer) key = {0};
    TRIB_OWNED(trib_cache_entry) entry = {0};
    *taken = false;
    trib_status status = trib_cached_key(run, row, part, &key, error);
    if (status == TRIB_OK) *taken = trib_cache_find(run->cache, row->stage, &key, &entry);
    if (*taken) {
        row->pack(run, part, &entry.result);
        status = trib_pack_check(&entry.result, error);
        *taken = trib_pack_is_whole(&entry.result);
        if (status == TRIB_OK && !*taken)
            trib_cache_report(run->cache, row->stage, &key, "its contents are invalid");
        if (!*taken && row->forget) row->forget(run, part);
    }
    return status;
}

trib_status trib_cached_put(trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_error *error) {
    TRIB_OWNED(trib_buffer) key = {0}, about = {0};
    TRIB_OWNED(trib_pack) result = {0};
    trib_status status = trib_cached_key(run, row, part, &key, error);
    if (status == TRIB_OK) status = describe(run, row, part, &about, error);
    if (status == TRIB_OK) row->pack(run, part, &result);
    if (status == TRIB_OK)
        status = trib_cache_put(run->cache, row->stage, &key, &about, &result, error);
    return status;
}

trib_status trib_cached_part(trib_run *run, const trib_cached_row *row, uint32_t part,
                             int n_threads, trib_progress progress, trib_error *error) {
    const bool is_kept = run->cache && (!row->is_kept || row->is_kept(run, part));
    bool taken = false;
    trib_status status = is_kept ? trib_cached_take(run, row, part, &taken, error) : TRIB_OK;
    if (status != TRIB_OK || taken) return status;
    status = row->work(run, part, n_threads, progress, error);
    const bool is_done = trib_log_stopped(run->env.log, NULL) == TRIB_OK; /* false: ended early */
    return status == TRIB_OK && is_kept && is_done && !run->is_dry
               ? trib_cached_put(run, row, part, error)
               : status;
}

trib_status trib_cached_put_piece(const trib_run *run, const trib_cached_row *row, uint32_t part,
                                  trib_cache_piece piece, trib_error *error) {
    TRIB_OWNED(trib_buffer) key = {0}, about = {0};
    trib_status status = trib_cached_key(run, row, part, &key, error);
    if (status == TRIB_OK) status = describe(run, row, part, &about, error);
    if (status == TRIB_OK)
        status = trib_cache_put_piece(run->cache, row->stage, &key, &about, piece, error);
    return status;
}

/* The context of trib_parts_do: the parts of a row. */
typedef struct parts {
    trib_run *run;
    const trib_cached_row *row;
    bool *taken; /* [count] for trib_cached_take_all */
} parts;

static trib_status make_part(void *context, uint32_t part, int n_threads, trib_progress progress,
                             trib_error *error) {
    const parts *p = context;
    return trib_cached_part(p->run, p->row, part, n_threads, progress, error);
}

static uint64_t size_of_part(const void *context, uint32_t part) {
    const parts *p = context;
    return p->row->size(p->run, part);
}

static void forget_part(void *context, uint32_t part) {
    const parts *p = context;
    p->row->forget(p->run, part);
}

static void pack_part(void *context, uint32_t part, trib_pack *pack) {
    const parts *p = context;
    p->row->pack(p->run, part, pack);
}

static const trib_part_row all_parts = {
    .work = make_part, .size = size_of_part, .forget = forget_part, .pack = pack_part};

trib_status trib_cached_parts(trib_run *run, trib_status status, const trib_cached_row *row,
                              trib_error *error) {
    const trib_workers workers = trib_environment_workers(&run->env);
    trib_part_row all = all_parts;
    parts p = {run, row, NULL};
    if (row->owner) all.owner = row->owner(run);
    return trib_parts_do(&workers, status, row->count(run), &all, &p, error);
}

trib_status trib_cached_share(trib_run *run, trib_status status, const trib_cached_row *row,
                              const int *owner, trib_error *error) {
    trib_part_row all = all_parts;
    parts p = {run, row, NULL};
    all.owner = owner;
    return trib_parts_share(&run->comm, status, row->count(run), &all, &p, error);
}

static trib_status take_part(void *context, size_t part, trib_error *error) {
    const parts *p = context;
    return trib_cached_take(p->run, p->row, (uint32_t)part, &p->taken[part], error);
}

trib_status trib_cached_take_all(trib_run *run, const trib_cached_row *row, bool *all,
                                 trib_error *error) {
    const trib_workers workers = trib_environment_workers(&run->env);
    const uint32_t n = row->count(run);
    parts p = {run, row, NULL};
    trib_status status = TRIB_NEW(&p.taken, n, "the documents", error);
    if (status == TRIB_OK) status = trib_tasks_do(&workers, n, take_part, &p, error);
    *all = status == TRIB_OK;
    for (uint32_t i = 0; i < n && *all; i++) *all = p.taken[i];
    trib_free(p.taken);
    return status;
}
