/* cached_influence.c - the cached shares of a target by one method. Sources are numbered by their
 * position in the target's list. */
#include <math.h>
#include <string.h>

#include "pipeline/run/cached.h"
#include "pipeline/stages/packed_counts.h"

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
    if (least == 0 || least >= trib_corpus_n_counted(&run->corpus)) return;
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
    if (config->influence.close && method->reads & TRIB_READS_CLOSE)
        trib_identity_add(key, "close words of %s\n", run->lexicon);
    if (method->needs_background) trib_cached_language_print(run, t, key);
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

/* Writes the ends of intervals; NULL: there are none. */
static void pack_ends(const double *low, const double *high, size_t n, trib_pack *out) {
    trib_pack_u32(out, low && high);
    if (!low || !high) return;
    trib_pack_array(out, low, n, sizeof *low);
    trib_pack_array(out, high, n, sizeof *high);
}

static bool part_has_null(const trib_run *run, uint32_t part) {
    return trib_has_null(run->env.config, method_of(run, part));
}

static void pack_null(const trib_influence_null *null, trib_pack *out) {
    trib_pack_u32(out, null->source);
    trib_pack_double(out, null->largest);
    trib_pack_double(out, null->mean);
    trib_pack_u64(out, null->n_blocks);
    trib_pack_u64(out, null->seed);
}

static void unpack_null(trib_influence_null *null, size_t n_sources, trib_unpack *in) {
    *null = (trib_influence_null){.is_measured = true};
    null->source = trib_unpack_u32(in);
    null->largest = trib_unpack_double(in);
    null->mean = trib_unpack_double(in);
    null->n_blocks = trib_unpack_u64(in);
    null->seed = trib_unpack_u64(in);
    trib_unpack_expect(in, null->source == UINT32_MAX || null->source < n_sources);
    trib_unpack_expect(in, null->largest >= 0 && isfinite(null->largest));
    trib_unpack_expect(in, null->mean >= 0 && isfinite(null->mean));
}

static void pack_method(const trib_run *run, uint32_t part, trib_pack *out) {
    const trib_influence *r = influence_of(run, part);
    if (part_has_null(run, part)) pack_null(&run->shares[target_of(run, part)].null, out);
    const double numbers[] = {r->author,    r->own,     r->common,        r->formula,
                              r->explained, r->matched, r->log_likelihood};
    trib_pack_u64(out, r->n_sources);
    trib_pack_array(out, numbers, sizeof numbers / sizeof *numbers, sizeof *numbers);
    trib_pack_u32(out, r->background);
    trib_pack_u32(out, r->n_iterations);
    trib_pack_array(out, r->share, r->n_sources, sizeof *r->share);
    trib_pack_u64(out, r->n_listed);
    trib_pack_array(out, r->listed, r->n_listed, sizeof *r->listed);
    pack_ends(r->low, r->high, r->n_sources, out);
    trib_pack_u32(out, r->group != NULL);
    if (!r->group) return;
    trib_pack_array(out, r->group, r->n_sources, sizeof *r->group);
    trib_pack_array(out, r->group_share, r->n_sources, sizeof *r->group_share);
    pack_ends(r->group_low, r->group_high, r->n_sources, out);
}

/* Reads what pack_ends wrote. */
static trib_status unpack_ends(double **low, double **high, size_t n, trib_unpack *in,
                               trib_error *error) {
    const uint32_t has_ends = trib_unpack_u32(in);
    trib_unpack_expect(in, has_ends <= 1);
    if (has_ends != 1) return TRIB_OK;
    const trib_status status = trib_unpack_array(in, low, n, sizeof **low, "intervals", error);
    return status == TRIB_OK ? trib_unpack_array(in, high, n, sizeof **high, "intervals", error)
                             : status;
}

static trib_status unpack_groups(trib_influence *r, trib_unpack *in, trib_error *error) {
    const uint32_t has_groups = trib_unpack_u32(in);
    const size_t n = r->n_sources;
    trib_unpack_expect(in, has_groups <= 1);
    if (has_groups != 1) return TRIB_OK;
    trib_status status = trib_unpack_array(in, &r->group, n, sizeof *r->group, "groups", error);
    for (size_t s = 0; status == TRIB_OK && !in->is_wrong && s < n; s++)
        trib_unpack_expect(in, r->group[s] < n);
    if (status == TRIB_OK)
        status = trib_unpack_array(in, &r->group_share, n, sizeof *r->group_share, "groups", error);
    return status == TRIB_OK ? unpack_ends(&r->group_low, &r->group_high, n, in, error) : status;
}

static trib_status unpack_method(trib_run *run, uint32_t part, trib_unpack *in, trib_error *error) {
    const trib_target *target = &run->corpus.target[target_of(run, part)];
    trib_influence *r = influence_of(run, part);
    double *const numbers[] = {&r->author,    &r->own,     &r->common,        &r->formula,
                               &r->explained, &r->matched, &r->log_likelihood};
    const size_t n = target->n_sources;
    *r = (trib_influence){.method = method_of(run, part),
                          .target = target->document,
                          .n_sources = n,
                          .is_brief = true};
    if (part_has_null(run, part)) unpack_null(&run->shares[target_of(run, part)].null, n, in);
    trib_unpack_expect(in, trib_unpack_u64(in) == n);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = trib_unpack_double(in);
    r->background = trib_unpack_u32(in);
    r->n_iterations = trib_unpack_u32(in);
    trib_status status = TRIB_NEW(&r->source, n, "sources", error);
    if (status == TRIB_OK)
        status = trib_unpack_array(in, &r->share, n, sizeof *r->share, "shares", error);
    r->n_listed = (size_t)trib_unpack_u64(in);
    if (status == TRIB_OK)
        status =
            trib_unpack_array(in, &r->listed, r->n_listed, sizeof *r->listed, "sources", error);
    for (size_t i = 0; status == TRIB_OK && !in->is_wrong && i < r->n_listed; i++)
        trib_unpack_expect(in, r->listed[i] < n);
    if (status == TRIB_OK) status = unpack_ends(&r->low, &r->high, n, in, error);
    if (status == TRIB_OK) status = unpack_groups(r, in, error);
    for (size_t s = 0; s < n && status == TRIB_OK; s++) r->source[s] = target->source[s];
    if (status == TRIB_OK && !in->is_wrong) trib_unpack_expect(in, trib_influence_fault(r) == NULL);
    return status;
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
                                               .unpack = unpack_method,
                                               .forget = forget_method};
