/* shared_language.c - the common language that several targets share, extended for one target after
 * the other, and cached. Under `order: by-date` each target uses the language of the documents up
 * to its own (stages/language.c). */
#include "pipeline/run/shared_language.h"

/* The state while the targets are measured. */
typedef struct shared_language {
    trib_run *run;
    bool *wants; /* [n_targets] its background is needed for a part that is not cached */
    trib_common_language language;
    uint32_t n_arrived; /* documents in the language */
} shared_language;

static trib_language_inputs inputs_of(const trib_run *run) {
    return (trib_language_inputs){run->env.config, &run->corpus, &run->tensors, run->vocab.n_words};
}

/* ---- Targets in order ------------------------------------------------------------------------ */

/* *wanted: a part of the target that needs its background is not cached. */
static trib_status is_wanted(const trib_run *run, const trib_cached_row *row, uint32_t t,
                             bool *wanted, trib_error *error) {
    const trib_config *config = run->env.config;
    const uint32_t n = config->influence.n_methods;
    const bool is_evidence = row == &trib_cached_evidence;
    const trib_influence_method *of_evidence = trib_method_of_evidence(config);
    trib_status status = TRIB_OK;
    *wanted = false;
    for (uint32_t i = 0; i < n && status == TRIB_OK && !*wanted; i++) {
        const trib_influence_method *method = config->influence.method[i];
        trib_buffer key = {0};
        if (!method->needs_background) continue;
        const trib_influence *shares = run->shares[t].influence;
        if (is_evidence && (method != of_evidence || (shares && !shares[i].is_brief))) continue;
        if (run->cache)
            status = trib_cached_key(run, row, is_evidence ? t : t * n + i, &key, error);
        *wanted =
            status == TRIB_OK && !(run->cache && trib_cache_has(run->cache, row->stage, &key));
        trib_buffer_release(&key);
    }
    return status;
}

/* Makes the background of a target, if one is needed. */
static trib_status prepare(void *context, uint32_t t, int n_threads, trib_progress progress,
                           trib_error *error) {
    shared_language *shared = context;
    trib_run *run = shared->run;
    const trib_language_inputs from = inputs_of(run);
    trib_status status = TRIB_OK;
    (void)n_threads;
    if (!shared->wants[t]) return TRIB_OK;
    if (trib_language_is_by_date(run->env.config))
        status = trib_language_take_in(&shared->language, &from, &shared->n_arrived,
                                       trib_cached_language_n_before(run, t), &progress, error);
    return status == TRIB_OK ? trib_language_rows(&run->background[t], &from, &shared->language,
                                                  run->corpus.target[t].document, error)
                             : status;
}

/* The targets in the order of arrival. */
static void find_order(const trib_corpus *corpus, uint32_t *order) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < corpus->n_documents; i++)
        for (uint32_t t = 0; t < corpus->n_targets; t++)
            if (corpus->target[t].document == corpus->arrival[i]) order[k++] = t;
}

/* Finds the targets that need a background. *any: there is one. *first: the number of documents in
 * the language for the first of them. */
static trib_status find_wants(shared_language *shared, const trib_cached_row *row,
                              const uint32_t *order, uint32_t *first, bool *any,
                              trib_error *error) {
    const trib_run *run = shared->run;
    const bool explains_too = run->corpus.candidates.most > 0 &&
                              trib_cached_language_is_shared(run) &&
                              trib_method_of_evidence(run->env.config);
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < run->corpus.n_targets && status == TRIB_OK; i++) {
        const uint32_t t = order[i];
        if (trib_cached_language_is_shared(run))
            status = is_wanted(run, row, t, &shared->wants[t], error);
        if (status == TRIB_OK && !shared->wants[t] && explains_too)
            status = is_wanted(run, &trib_cached_evidence, t, &shared->wants[t], error);
        if (shared->wants[t] && !*any) *first = trib_cached_language_n_before(run, t);
        *any |= shared->wants[t];
    }
    return status;
}

trib_status trib_run_targets(trib_run *run, const trib_cached_row *row, const trib_part_row *parts,
                             trib_error *error) {
    const uint32_t n = run->corpus.n_targets;
    const bool is_by_date = trib_language_is_by_date(run->env.config);
    const trib_workers workers = trib_environment_workers(&run->env);
    const trib_progress progress = trib_log_progress(run->env.log);
    const trib_language_inputs from = inputs_of(run);
    shared_language shared = {.run = run};
    trib_part_row all = *parts;
    uint32_t *order = NULL, first = 0;
    bool any = false;
    trib_status status = trib_new(&order, n, sizeof *order, "the order of targets", error);
    if (status == TRIB_OK)
        status = trib_new(&shared.wants, n, sizeof *shared.wants, "the order of targets", error);
    if (status == TRIB_OK) find_order(&run->corpus, order);
    if (status == TRIB_OK) status = find_wants(&shared, row, order, &first, &any, error);
    if (status == TRIB_OK && any)
        status = trib_language_begin(&shared.language, &from, run->env.n_threads, &progress, error);
    if (status == TRIB_OK && any && is_by_date)
        status = trib_cached_language_take(run, &shared.language, &shared.n_arrived, first, error);
    const uint32_t n_taken = shared.n_arrived;
    all.prepare = any ? prepare : NULL;
    all.preparing = &shared;
    all.order = order;
    status = trib_comm_agree(&run->comm, status, error);
    if (status == TRIB_OK) status = trib_parts_do(&workers, n, &all, run, error);
    if (status == TRIB_OK && run->cache && shared.n_arrived > n_taken)
        status = trib_cached_language_put(run, &shared.language, shared.n_arrived, error);
    trib_common_language_release(&shared.language);
    trib_free(shared.wants);
    trib_free(order);
    return status;
}
