/* cached_influence.c - the cached shares of a target by one method, with sources numbered by their
 * position in the target's list; and the cached common language of several targets, identified by
 * the documents that have been added to it. */

#include "pipeline/run/cached.h"
#include "pipeline/stages/influence.h"
#include "pipeline/stages/tensors.h"

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Adds the texts that a method reads: the target and its sources, in order. Sums over all of them
 * are in the order of their numbers, so the place of the target among them decides their last
 * digits. */
static void add_texts(const trib_run *run, const trib_target *target, bool in_order,
                      trib_identity *key) {
    const trib_fingerprint *own = &run->fingerprint[target->document];
    uint32_t n_before = 0;
    for (uint32_t s = 0; s < target->n_sources; s++) {
        const trib_fingerprint *source = &run->fingerprint[target->source[s]];
        trib_identity_hash(key, in_order ? source->order : source->counts, TRIB_SHA256_TEXT);
        n_before += target->source[s] < target->document;
    }
    trib_identity_add(key, "text %s after %u\n%u ", in_order ? own->order : own->counts,
                      (unsigned)n_before, (unsigned)target->n_sources);
    trib_identity_end_hash(key, "sources");
}

/* Adds the n-grams of target t, with gaps or without, that are formulas of a corpus with
 * candidates. */
static void add_own_formulas(const trib_run *run, uint32_t t, bool has_gaps, trib_identity *key) {
    const uint32_t d = run->corpus.target[t].document;
    const trib_influence_document *view =
        has_gaps ? &run->tensors.skip_view[d] : &run->tensors.view[d];
    const trib_frequent_ngrams *formulas =
        has_gaps ? &run->index.skip_formulas : &run->index.formulas;
    if (key->failure.status != TRIB_OK ||
        trib_counts_hold(&run->tensors, d, &key->failure) != TRIB_OK)
        return;
    for (size_t e = 0; e < view->counts->nnz; e++)
        if (trib_frequent_entry(formulas, view, e)) trib_identity_hash(key, &e, sizeof e);
    trib_counts_drop(&run->tensors, d);
    trib_identity_end_hash(key, "formulas at");
}

/* Adds the formulas, which depend on every document of the corpus, when there can be any. */
static void add_formulas(const trib_run *run, uint32_t t, const trib_influence_method *method,
                         trib_identity *key) {
    const uint32_t n = run->corpus.n_documents, least = run->env.config->influence.formula;
    trib_identity_add(key, "formula %u\n", (unsigned)least);
    if (least == 0 || least >= run->corpus.n_documents) return;
    if (run->corpus.candidates.most > 0) {
        const bool has_gaps = trib_method_reads_skips(&run->tensors, method);
        add_own_formulas(run, t, has_gaps, key);
        if (has_gaps) /* the passages of its evidence have no gaps */
            add_own_formulas(run, t, false, key);
        return;
    }
    trib_identity_add(key, "of %u ", (unsigned)n);
    for (uint32_t d = 0; d < n; d++)
        trib_identity_hash(key, run->fingerprint[d].counts, TRIB_SHA256_TEXT);
    trib_identity_end_hash(key, "formulas");
}

/* ---- The common language --------------------------------------------------------------------- */

bool trib_cached_language_is_shared(const trib_run *run) {
    return trib_config_shares_background(run->env.config, run->corpus.n_targets,
                                         run->corpus.n_documents);
}

uint32_t trib_cached_language_n_before(const trib_run *run, uint32_t t) {
    return trib_language_n_before(run->env.config, &run->corpus, &run->corpus.target[t]);
}

/* Adds the first n documents in the order of arrival. */
static void add_first(const trib_run *run, uint32_t n, trib_identity *key) {
    for (uint32_t i = 0; i < n; i++)
        trib_identity_hash(key, run->fingerprint[run->corpus.arrival[i]].counts, TRIB_SHA256_TEXT);
    trib_identity_add(key, "background of %u %s: ", (unsigned)n,
                      trib_language_is_by_date(run->env.config) ? "by date" : "at once");
    trib_identity_end_hash(key, "documents");
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* Adds the options that the method is given. */
static void add_options(const trib_config *config, const trib_influence_method *method,
                        trib_identity *key) {
    const trib_influence_options all = trib_config_influence_options(config, 1, (trib_progress){0});
    const trib_influence_options given = trib_influence_options_given(method, &all);
    trib_identity_add(key, "threshold %a\nbackground %d\nbootstrap %u\nrun %u\nshortlist %u\n",
                      given.threshold, (int)given.background, (unsigned)given.bootstrap,
                      (unsigned)given.run, (unsigned)given.shortlist);
    trib_identity_add(key, "seed %llu\n", (unsigned long long)given.seed);
}

void trib_cached_method(const trib_run *run, uint32_t t, const trib_influence_method *method,
                        trib_identity *key) {
    const trib_config *config = run->env.config;
    trib_identity_add(key, "method %s\n", method->name);
    add_texts(run, &run->corpus.target[t], method->needs_order || method->has_evidence, key);
    if (!method->needs_factors) add_formulas(run, t, method, key);
    if (method->needs_background && !trib_cached_language_is_shared(run))
        trib_identity_add(key, "background of the target\n");
    else if (method->needs_background) add_first(run, trib_cached_language_n_before(run, t), key);
    add_options(config, method, key);
}

/* ---- Shares ---------------------------------------------------------------------------------- */

static uint32_t count_methods(const trib_run *run) {
    return run->corpus.n_targets * run->env.config->influence.n_methods;
}

static const trib_influence_method *method_of(const trib_run *run, uint32_t part) {
    return run->env.config->influence.method[part % run->env.config->influence.n_methods];
}

static uint32_t target_of(const trib_run *run, uint32_t part) {
    return part / run->env.config->influence.n_methods;
}

static trib_influence *influence_of(const trib_run *run, uint32_t part) {
    return &run->shares[target_of(run, part)]
                .influence[part % run->env.config->influence.n_methods];
}

/* Methods that need factors are not cached. They depend on distances, which are computed in the
 * order of the vocabulary, and that order changes their last digits. Such methods are cheap to
 * compute again. */
static bool is_kept_method(const trib_run *run, uint32_t part) {
    return !method_of(run, part)->needs_factors;
}

static void key_method(const trib_run *run, uint32_t part, trib_identity *key) {
    const uint32_t t = target_of(run, part);
    const trib_config *config = run->env.config;
    trib_cached_method(run, t, method_of(run, part), key);
    if (!trib_has_null(config, method_of(run, part))) return;
    /* the shuffled target depends on the order of words */
    trib_identity_add(key, "null %llu\n", (unsigned long long)config->cp.seed);
    add_texts(run, &run->corpus.target[t], true, key);
}

static void name_method(const trib_run *run, uint32_t part, trib_identity *name) {
    trib_cached_target_id(run, target_of(run, part), name);
    trib_identity_add(name, " by %s", method_of(run, part)->name);
}

static void pack_null(trib_influence_null *null, size_t n_sources, trib_pack *pack) {
    if (pack->reads) *null = (trib_influence_null){.is_measured = true};
    TRIB_PACK(pack, null->source);
    TRIB_PACK(pack, null->largest);
    TRIB_PACK(pack, null->mean);
    TRIB_PACK(pack, null->n_blocks);
    TRIB_PACK(pack, null->seed);
    trib_pack_expect(pack, null->source == UINT32_MAX || null->source < n_sources);
    trib_pack_expect(pack, null->largest >= 0 && isfinite(null->largest));
    trib_pack_expect(pack, null->mean >= 0 && isfinite(null->mean));
}

/* The ends of intervals; NULL: there are none. */
static void pack_ends(double **low, double **high, size_t n, trib_pack *pack) {
    bool are_there = *low && *high;
    trib_pack_bool(pack, &are_there);
    if (!are_there) return;
    TRIB_PACK_ARRAY(pack, *low, n, "intervals");
    TRIB_PACK_ARRAY(pack, *high, n, "intervals");
}

static void pack_groups(trib_influence *r, trib_pack *pack) {
    bool are_there = r->group != NULL;
    trib_pack_bool(pack, &are_there);
    if (!are_there) return;
    TRIB_PACK_ARRAY(pack, r->group, r->n_sources, "groups");
    for (size_t s = 0; s < r->n_sources && trib_pack_is_good(pack); s++)
        trib_pack_expect(pack, r->group[s] < r->n_sources);
    TRIB_PACK_ARRAY(pack, r->group_share, r->n_sources, "groups");
    pack_ends(&r->group_low, &r->group_high, r->n_sources, pack);
}

static void pack_method(trib_run *run, uint32_t part, trib_pack *pack) {
    const trib_target *target = &run->corpus.target[target_of(run, part)];
    trib_influence *r = influence_of(run, part);
    double *const numbers[] = {&r->author,    &r->own,     &r->common,        &r->formula,
                               &r->explained, &r->matched, &r->log_likelihood};
    size_t n = target->n_sources;
    if (pack->reads)
        *r = (trib_influence){.method = method_of(run, part),
                              .target = target->document,
                              .n_sources = n,
                              .is_brief = true};
    if (trib_has_null(run->env.config, method_of(run, part)))
        pack_null(&run->shares[target_of(run, part)].null, n, pack);
    TRIB_PACK(pack, n);
    trib_pack_expect(pack, n == target->n_sources);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) TRIB_PACK(pack, *numbers[i]);
    TRIB_PACK(pack, r->background);
    TRIB_PACK(pack, r->n_iterations);
    TRIB_PACK_ARRAY(pack, r->share, r->n_sources, "shares");
    TRIB_PACK_LIST(pack, r->listed, r->n_listed, "sources");
    for (size_t i = 0; i < r->n_listed; i++) trib_pack_expect(pack, r->listed[i] < n);
    pack_ends(&r->low, &r->high, r->n_sources, pack);
    pack_groups(r, pack);
    if (!pack->reads || !trib_pack_is_good(pack) ||
        TRIB_NEW(&r->source, n, "sources", &pack->failure) != TRIB_OK)
        return;
    for (size_t s = 0; s < n; s++) r->source[s] = target->source[s];
    trib_pack_expect(pack, trib_influence_fault(r) == NULL);
}

static void forget_method(trib_run *run, uint32_t part) {
    trib_influence_release(influence_of(run, part));
}

static trib_status measure(trib_run *run, uint32_t part, int n_threads, trib_progress progress,
                           trib_error *error) {
    const uint32_t t = target_of(run, part), i = part % run->env.config->influence.n_methods;
    const trib_measure_inputs inputs = trib_run_inputs(run);
    const trib_status status = trib_target_index_build(&inputs, t, n_threads, error);
    return status == TRIB_OK ? trib_measure_target(&inputs, t, i, n_threads, progress,
                                                   &run->background[t], &run->shares[t], error)
                             : status;
}

const trib_cached_row trib_cached_influence = {.stage = "influence",
                                               .count = count_methods,
                                               .is_kept = is_kept_method,
                                               .work = measure,
                                               .key = key_method,
                                               .name = name_method,
                                               .pack = pack_method,
                                               .forget = forget_method};

/* ---- The cached language --------------------------------------------------------------------- */

/* Stored with the shares: when a document is added, only its own shares must be computed. */
static const char folder[] = "influence";

static trib_status key_of(const trib_run *run, uint32_t n, trib_identity *key, trib_error *error) {
    const trib_status status = trib_cache_begin_key(run->cache, folder, &key->text, error);
    trib_identity_add(key, "language of %d components\n",
                      (int)run->env.config->influence.background);
    add_first(run, n, key);
    if (status == TRIB_OK && key->failure.status != TRIB_OK && error) *error = key->failure;
    return status == TRIB_OK ? key->failure.status : status;
}

static void pack_language(trib_common_language *language, trib_pack *pack) {
    uint32_t n_rows = language->n_rows;
    TRIB_PACK(pack, language->n);
    TRIB_PACK(pack, n_rows);
    trib_pack_expect(pack, n_rows == language->n_rows);
    TRIB_PACK(pack, language->n_documents);
    TRIB_PACK(pack, language->n_tokens);
    TRIB_PACK_ARRAY(pack, language->total, language->n, "the background");
    for (uint32_t i = 0; i < language->n_rows && trib_pack_is_good(pack); i++) {
        trib_language_row *row = &language->row[i];
        TRIB_PACK(pack, row->n);
        trib_pack_expect(pack, row->n <= language->n);
        TRIB_PACK_ARRAY(pack, row->mass, (size_t)language->n_modes * row->n, "the background");
    }
}

/* Reads an entry into an empty language. The first n documents decide which words have rows. */
static trib_status take_language(trib_common_language *language, const trib_run *run, uint32_t n,
                                 trib_pack *pack, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        const uint32_t d = run->corpus.arrival[i];
        if (trib_tensors_counted(&run->tensors)[d].counts->total == 0) continue;
        status = trib_counts_hold(&run->tensors, d, error);
        if (status != TRIB_OK) break;
        status =
            trib_common_language_number(language, &trib_tensors_counted(&run->tensors)[d], error);
        trib_counts_drop(&run->tensors, d);
    }
    if (status != TRIB_OK) return status;
    pack_language(language, pack);
    return trib_pack_check(pack, error);
}

/* Reads the cached language of as many of the first `most` documents as possible. */
trib_status trib_cached_language_take(const trib_run *run, trib_common_language *language,
                                      uint32_t *n_arrived, uint32_t most, trib_error *error) {
    trib_status status = TRIB_OK;
    bool taken = false;
    for (uint32_t n = most; run->cache && n > 0 && status == TRIB_OK && !taken; n--) {
        trib_identity key = {0};
        TRIB_OWNED(trib_cache_entry) entry = {0};
        status = key_of(run, n, &key, error);
        taken = status == TRIB_OK && trib_cache_has(run->cache, folder, &key.text) &&
                trib_cache_find(run->cache, folder, &key.text, &entry);
        if (status == TRIB_OK && taken) {
            status = take_language(language, run, n, &entry.result, error);
            taken = trib_pack_is_whole(&entry.result);
            if (status == TRIB_OK && !taken) {
                trib_cache_report(run->cache, folder, &key.text, "its contents are invalid");
                trib_common_language_release(language);
                status = trib_common_language_init(language, run->env.config->tensor.n,
                                                   run->vocab.n_words, error);
            }
        }
        if (taken) *n_arrived = n;
        (void)trib_identity_close(&key, NULL);
    }
    return status;
}

trib_status trib_cached_language_put(const trib_run *run, trib_common_language *language,
                                     uint32_t n_arrived, trib_error *error) {
    trib_identity key = {0};
    trib_buffer about = {0};
    trib_pack result = {0};
    trib_status status = key_of(run, n_arrived, &key, error);
    if (status == TRIB_OK) status = trib_buffer_print(&about, error, "part the common language\n");
    if (status == TRIB_OK && !trib_cache_has(run->cache, folder, &key.text)) {
        pack_language(language, &result);
        status = trib_cache_put(run->cache, folder, &key.text, &about, &result, error);
    }
    trib_pack_release(&result);
    trib_buffer_release(&about);
    (void)trib_identity_close(&key, NULL);
    return status;
}
