/* targets.c - the work on the targets: the shares of each by every method, then the phrases and
 * passages behind them. Without candidates these are two stages, each for all targets; with
 * candidates, a target is measured and explained at once, and nothing large outlives it.
 *
 * Several targets may share a common language, which is extended for one target after the other:
 * under `order: by-date` each uses the language of the documents up to its own
 * (stages/language.c). */
#include "pipeline/run/cached.h"
#include "pipeline/stages/influence.h"
#include "pipeline/stages/tensors.h"

/* The state while the targets are worked on. */
typedef struct targets {
    trib_run *run;
    bool measures, explains; /* what is done of each target */
    bool are_whole;          /* no later stage comes back to a target */
    bool *wants; /* [n_targets] its background is needed for a part that is not cached */
    trib_common_language language;
    uint32_t n_arrived; /* documents in the language */
} targets;

/* ---- One target ------------------------------------------------------------------------------ */

/* With more targets, their findings are moved to a scratch file. */
enum { FEW_TARGETS = 40 };

static uint32_t document_of(const trib_run *run, uint32_t t) {
    return run->corpus.target[t].document;
}

static trib_status measure_target(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                                  trib_error *error) {
    const trib_config *config = run->env.config;
    const uint32_t n_methods = config->influence.n_methods;
    trib_status status = trib_shares_init(&run->shares[t], config, error);
    for (uint32_t i = 0; i < n_methods && status == TRIB_OK; i++)
        status = trib_cached_part(run, &trib_cached_influence, t * n_methods + i, n_threads,
                                  progress, error);
    if (status == TRIB_OK) trib_shares_finish(&run->shares[t], config, &run->corpus);
    return status;
}

/* Completes what no later stage changes of a target, and moves what is large out of memory. */
static trib_status finish_target(const targets *c, uint32_t t, int n_threads, trib_error *error) {
    trib_run *run = c->run;
    const trib_measure_inputs inputs = trib_run_inputs(run);
    trib_findings *findings = &run->findings[t];
    trib_status status = TRIB_OK;
    if (c->explains || c->are_whole)
        status = trib_translations_add(&inputs, t, findings, n_threads, error);
    if (status == TRIB_OK && (c->explains || c->are_whole))
        status = trib_findings_finish(&inputs, t, findings, error);
    if (status == TRIB_OK && (c->are_whole || (c->explains && run->corpus.n_targets > FEW_TARGETS)))
        status = trib_findings_spill(findings, &run->findings_spill, run->env.scratch, error);
    return status == TRIB_OK && c->are_whole
               ? trib_shares_spill(&run->shares[t], &run->findings_spill, run->env.scratch, error)
               : status;
}

/* A background is large, so it is released at once. */
static trib_status make_target(void *context, uint32_t t, int n_threads, trib_progress progress,
                               trib_error *error) {
    const targets *c = context;
    trib_run *run = c->run;
    const trib_target *target = &run->corpus.target[t];
    trib_status status = trib_counts_hold_all(&run->tensors, target->document, target->source,
                                              target->n_sources, error);
    if (status != TRIB_OK) return status;
    if (c->measures) status = measure_target(run, t, n_threads, progress, error);
    if (status == TRIB_OK && c->explains)
        status = trib_cached_part(run, &trib_cached_evidence, t, n_threads, progress, error);
    if (status == TRIB_OK) status = finish_target(c, t, n_threads, error);
    trib_background_release(&run->background[t]);
    trib_target_index_release(&run->index, t);
    trib_counts_drop_all(&run->tensors, target->document, target->source, target->n_sources);
    if (c->are_whole) trib_tensors_rest(&run->tensors);
    return status;
}

static uint64_t size_of_target(const void *context, uint32_t t) {
    const trib_run *run = ((const targets *)context)->run;
    return run->tensors.document[document_of(run, t)].n_ngrams;
}

static void forget_target(void *context, uint32_t t) {
    const targets *c = context;
    if (c->measures) trib_shares_release(&c->run->shares[t]);
    if (c->explains) trib_cached_evidence.forget(c->run, t);
}

static void pack_shares(trib_run *run, uint32_t t, trib_pack *pack) {
    const trib_config *config = run->env.config;
    const uint32_t n_methods = config->influence.n_methods;
    if (pack->reads && trib_shares_init(&run->shares[t], config, &pack->failure) != TRIB_OK) return;
    for (uint32_t i = 0; i < n_methods && trib_pack_is_good(pack); i++)
        trib_cached_influence.pack(run, t * n_methods + i, pack);
    if (pack->reads && trib_pack_is_good(pack))
        trib_shares_finish(&run->shares[t], config, &run->corpus);
}

/* The ranks exchange what the cache stores of a target. Evidence needs more than that of the
 * methods, but both stages assign the targets to the same ranks, so the rank that needs the rest
 * has it already. */
static void pack_target(void *context, uint32_t t, trib_pack *pack) {
    const targets *c = context;
    trib_run *run = c->run;
    if (c->measures) pack_shares(run, t, pack);
    if (!trib_pack_is_good(pack) || (!c->explains && !pack->reads) ||
        trib_counts_hold(&run->tensors, document_of(run, t), &pack->failure) != TRIB_OK)
        return;
    if (c->explains) trib_cached_evidence.pack(run, t, pack);
    if (pack->reads && trib_pack_is_good(pack)) (void)finish_target(c, t, 1, &pack->failure);
    trib_counts_drop(&run->tensors, document_of(run, t));
}

/* ---- The common language --------------------------------------------------------------------- */

/* *wanted: a part of the target that needs its background is not cached. */
static trib_status is_wanted(const trib_run *run, const trib_cached_row *row, uint32_t t,
                             bool *wanted, trib_error *error) {
    const trib_config *config = run->env.config;
    const uint32_t n = config->influence.n_methods;
    const bool is_evidence = row == &trib_cached_evidence;
    const trib_influence_method *of_evidence = trib_method_of_evidence(config);
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < n && status == TRIB_OK && !*wanted; i++) {
        const trib_influence_method *method = config->influence.method[i];
        TRIB_OWNED(trib_buffer) key = {0};
        if (!method->needs_background) continue;
        const trib_influence *shares = run->shares[t].influence;
        if (is_evidence && (method != of_evidence || (shares && !shares[i].is_brief))) continue;
        if (run->cache)
            status = trib_cached_key(run, row, is_evidence ? t : t * n + i, &key, error);
        *wanted =
            status == TRIB_OK && !(run->cache && trib_cache_has(run->cache, row->stage, &key));
    }
    return status;
}

/* Makes the background of a target, if one is needed. */
static trib_status prepare_target(void *context, uint32_t t, int n_threads, trib_progress progress,
                                  trib_error *error) {
    targets *c = context;
    trib_run *run = c->run;
    trib_status status = TRIB_OK;
    (void)n_threads;
    if (!c->wants[t]) return TRIB_OK;
    if (trib_language_is_by_date(run->env.config))
        status = trib_language_take_in(&c->language, &run->texts, &c->n_arrived,
                                       trib_cached_language_n_before(run, t), &progress, error);
    return status == TRIB_OK ? trib_language_rows(&run->background[t], &run->texts, &c->language,
                                                  document_of(run, t), error)
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
static trib_status find_wants(targets *c, const uint32_t *order, uint32_t *first, bool *any,
                              trib_error *error) {
    const trib_run *run = c->run;
    trib_status status = TRIB_OK;
    if (!trib_cached_language_is_shared(run)) return TRIB_OK;
    for (uint32_t i = 0; i < run->corpus.n_targets && status == TRIB_OK; i++) {
        const uint32_t t = order[i];
        if (c->measures) status = is_wanted(run, &trib_cached_influence, t, &c->wants[t], error);
        if (status == TRIB_OK && c->explains)
            status = is_wanted(run, &trib_cached_evidence, t, &c->wants[t], error);
        if (c->wants[t] && !*any) *first = trib_cached_language_n_before(run, t);
        *any |= c->wants[t];
    }
    return status;
}

/* Begins the language with as many documents as the cache has. */
static trib_status begin_language(targets *c, uint32_t first, trib_error *error) {
    trib_run *run = c->run;
    const trib_progress progress = trib_log_progress(run->env.log);
    const trib_status status =
        trib_language_begin(&c->language, &run->texts, run->env.n_threads, &progress, error);
    return status == TRIB_OK && trib_language_is_by_date(run->env.config)
               ? trib_cached_language_take(run, &c->language, &c->n_arrived, first, error)
               : status;
}

/* ---- All targets ----------------------------------------------------------------------------- */

trib_status trib_run_targets(trib_run *run, trib_status status, bool measures, bool explains,
                             trib_error *error) {
    const uint32_t n = run->corpus.n_targets;
    const trib_workers workers = trib_environment_workers(&run->env);
    targets c = {.run = run,
                 .measures = measures,
                 .explains = explains,
                 .are_whole = run->corpus.candidates.most > 0};
    trib_part_row all = {.work = make_target,
                         .size = size_of_target,
                         .forget = forget_target,
                         .pack = pack_target,
                         .preparing = &c,
                         /* which writes the files; the methods are needed for the evidence */
                         .is_for_root = explains || c.are_whole};
    uint32_t *order = NULL, first = 0;
    bool any = false;
    if (status == TRIB_OK) status = TRIB_NEW(&order, n, "the order of targets", error);
    if (status == TRIB_OK) status = TRIB_NEW(&c.wants, n, "the order of targets", error);
    if (status == TRIB_OK) find_order(&run->corpus, order);
    if (status == TRIB_OK) status = find_wants(&c, order, &first, &any, error);
    if (status == TRIB_OK && any) status = begin_language(&c, first, error);
    const uint32_t n_taken = c.n_arrived;
    if (any) all.prepare = prepare_target;
    all.order = order;
    status = trib_parts_do(&workers, status, n, &all, &c, error);
    if (status == TRIB_OK && run->cache && c.n_arrived > n_taken)
        status = trib_cached_language_put(run, &c.language, c.n_arrived, error);
    trib_common_language_release(&c.language);
    TRIB_FREE(c.wants, order);
    return status;
}
