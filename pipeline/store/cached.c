/* cached.c - parts of a run taken from the cache, and what they depend on. */
#include "pipeline/store/cached.h"

#include <stdio.h>
#include <string.h>

uint32_t trib_cached_documents(const trib_run *run) { return run->n_documents; }

trib_status trib_cached_id(const trib_run *run, uint32_t d, trib_buffer *to, trib_error *error) {
    return trib_buffer_print(to, error, "%s", run->document[d].about->id);
}

const trib_cached_row *const trib_cached_rows[] = {
    &trib_cached_factors,   &trib_cached_influence, &trib_cached_evidence, &trib_cached_tokens,
    &trib_cached_distances, &trib_cached_pairs,     &trib_cached_tensors,  NULL};

/* ---- Which setting touches what ---------------------------------------------------------------------------------- */

/* Keys, or all of a section ("cp."), and the stages and methods that read them. What a stage takes from another stands in
 * its key as that one's result. A key without a row touches everything. */
static const struct {
    const char *key, *stages;
} touches[] = {
    {"preset", ""},
    {"name", "report"},
    {"corpus.target", "corpus"},
    {"corpus.order", "corpus"},
    {"corpus.on_error", "corpus"},
    {"corpus.near_duplicate", "report"},
    {"corpus.", "tokens"},
    {"tokens.", "tokens"},
    {"vocabulary.", "vocabulary"},
    {"tensor.n", "tensors"},
    {"tensor.format", "factors"},
    {"tensor.block", "factors"},
    {"tensor.superblock", "factors"},
    {"tensor.fragment", "report"},
    {"tensor.reads", "report"},
    {"tensor.", "tensors factors"},
    {"cp.seed", "factors traced anchored"},
    {"cp.", "factors"},
    {"influence.methods", "influence"},
    {"influence.headline", "evidence"},
    {"influence.floor", "evidence"},
    {"influence.threshold", "lowe"},
    {"influence.background", "anchored"},
    {"influence.background_of", "anchored"},
    {"influence.bootstrap", "traced anchored"},
    {"influence.run", "runs"},
    {"influence.shortlist", "traced anchored lowe-matched"},
    {"report.top_phrases", "evidence report"},
    {"report.", "report"},
};

static bool is_among(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0) return true;
    return false;
}

bool trib_cached_depends(const char *stage, const char *key) {
    for (size_t i = 0; i < sizeof touches / sizeof *touches; i++) {
        const size_t length = strlen(touches[i].key);
        const bool is_section = touches[i].key[length - 1] == '.';
        if (is_section ? strncmp(touches[i].key, key, length) == 0
                       : strcmp(touches[i].key, key) == 0)
            return is_among(touches[i].stages, stage);
    }
    return true;
}

/* Lines of settings on their way into a text. */
typedef struct lines {
    const char *stage; /* NULL: all that can change a result */
    trib_buffer *to;
    trib_error failure;
} lines;

static void add_line(void *context, const char *key, const char *value, bool is_default,
                     bool changes_result) {
    lines *l = context;
    (void)is_default;
    if (l->failure.status != TRIB_OK || !changes_result) return;
    if (!l->stage || trib_cached_depends(l->stage, key))
        (void)trib_buffer_print(l->to, &l->failure, "%s %s\n", key, value);
}

static trib_status add_settings(const trib_config *config, const char *stage, trib_buffer *to,
                                trib_error *error) {
    lines l = {.stage = stage, .to = to};
    const trib_status status = trib_config_each(config, add_line, &l, error);
    if (status == TRIB_OK && l.failure.status != TRIB_OK && error) *error = l.failure;
    return status == TRIB_OK ? l.failure.status : status;
}

trib_status trib_cached_settings(const trib_config *config, const char *stage, trib_buffer *to,
                                 trib_error *error) {
    return add_settings(config, stage, to, error);
}

/* ---- Taking and keeping ---------------------------------------------------------------------------------------------- */

trib_status trib_cached_key(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_buffer *key, trib_error *error) {
    const trib_status status = trib_cache_begin_key(run->cache, row->stage, key, error);
    return status == TRIB_OK ? row->key(run, part, key, error) : status;
}

trib_status trib_cached_about(const trib_run *run, const trib_cached_row *row, uint32_t part,
                              trib_buffer *about, trib_error *error) {
    trib_status status = trib_buffer_print(about, error, "part ");
    if (status == TRIB_OK) status = row->name(run, part, about, error);
    if (status == TRIB_OK) status = trib_buffer_print(about, error, "\n");
    return status == TRIB_OK ? add_settings(run->config, NULL, about, error) : status;
}

/* *taken: the part is as it would be if it were made now. */
static trib_status take(trib_run *run, const trib_cached_row *row, uint32_t part,
                        const trib_buffer *key, bool *taken, trib_error *error) {
    trib_cache_entry entry;
    trib_status status = trib_cache_find(run->cache, row->stage, key, &entry, taken, error);
    if (status != TRIB_OK || !*taken) return status;
    status = row->unpack(run, part, &entry.result, error);
    if (status == TRIB_OK && !trib_unpack_is_whole(&entry.result)) {
        *taken = false;
        trib_cache_report(run->cache, row->stage, key, "makes no sense");
    }
    trib_cache_entry_release(&entry);
    if (status != TRIB_OK || !*taken) row->forget(run, part);
    return status;
}

static trib_status keep(trib_run *run, const trib_cached_row *row, uint32_t part,
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

trib_status trib_cached_part(trib_run *run, const trib_cached_row *row, uint32_t part,
                             int n_threads, trib_progress progress, trib_error *error) {
    trib_buffer key = {0};
    bool taken = false;
    if (!run->cache || (row->is_kept && !row->is_kept(run, part)))
        return row->work(run, part, n_threads, progress, error);
    trib_status status = trib_cached_key(run, row, part, &key, error);
    if (status == TRIB_OK) status = take(run, row, part, &key, &taken, error);
    if (status == TRIB_OK && !taken) status = row->work(run, part, n_threads, progress, error);
    const bool is_done = trib_log_stopped(run->log, NULL) == TRIB_OK; /* not ended early */
    if (status == TRIB_OK && !taken && is_done && !run->is_dry)
        status = keep(run, row, part, &key, error);
    trib_buffer_release(&key);
    return status;
}
