/* cached_evidence.c - the cached evidence of a target, with words as the target's own ids. The
 * number of other documents that contain a phrase is not cached but counted again, because every
 * new document can change it. With candidates it is cached: only the target and its sources are
 * counted then, and they are in the key. */
#include <string.h>

#include "pipeline/run/cached.h"

static bool counts_sources(const trib_run *run) { return run->index.n_targets > 0; }

static bool reads_skips(const trib_run *run) {
    return trib_method_reads_skips(&run->tensors, trib_method_of_evidence(run->env.config));
}

/* Sources below the noise floor get less evidence. The floor follows from the headline method and
 * the decoys, so the key contains both. */
static void add_key(const trib_run *run, uint32_t t, trib_identity *key) {
    const trib_target *target = &run->corpus.target[t];
    const trib_shares *shares = &run->shares[t];
    const trib_influence_method *headline = run->env.config->influence.headline,
                                *method = trib_method_of_evidence(run->env.config),
                                *traced = trib_method_of_trace(run->env.config);
    trib_cached_method(run, t, method, key);
    if (headline != method) trib_cached_method(run, t, headline, key);
    if (traced && traced != method && traced != headline) trib_cached_method(run, t, traced, key);
    if (headline->needs_factors)
        trib_identity_add(key, shares->headline ? "noise" : "noise unknown");
    for (uint32_t s = 0; headline->needs_factors && shares->headline && s < target->n_sources; s++)
        trib_identity_add(key, " %d", trib_below_floor(shares, s));
    trib_identity_add(key, "\ncounted %d\ndecoys", (int)counts_sources(run));
    for (uint32_t s = 0; s < target->n_sources; s++)
        if (run->corpus.document[target->source[s]].about->role == TRIB_ROLE_DECOY)
            trib_identity_add(key, " %u", (unsigned)s);
    trib_identity_add(key, "\n");
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void pack_phrases(trib_pack *out, const trib_evidence *evidence, uint32_t n_modes,
                         const uint32_t *local, bool with_counts) {
    trib_pack_double(out, evidence->share);
    trib_pack_u64(out, evidence->n_all_phrases);
    trib_pack_u64(out, evidence->n_phrases);
    for (size_t p = 0; p < evidence->n_phrases; p++) {
        const trib_phrase *phrase = &evidence->phrase[p];
        for (uint32_t m = 0; m < n_modes; m++) trib_pack_u32(out, local[phrase->word[m]]);
        trib_pack_u32(out, phrase->in_target);
        trib_pack_u32(out, phrase->in_source);
        trib_pack_double(out, phrase->mass);
        if (with_counts) trib_pack_u32(out, phrase->n_other_documents);
    }
}

static void pack_cover(trib_pack *out, const trib_evidence *evidence, uint32_t n_modes,
                       const uint32_t *local) {
    size_t n_free = 0;
    trib_pack_u64(out, evidence->n_all_factors);
    trib_pack_u64(out, evidence->n_factors);
    for (size_t f = 0; f < evidence->n_factors; f++) {
        const trib_evidence_factor *factor = &evidence->factor[f];
        trib_pack_double(out, factor->mass);
        trib_pack_u32(out, factor->free_mode);
        for (uint32_t m = 0; m < n_modes; m++)
            trib_pack_u32(out, m == factor->free_mode ? 0 : local[factor->fixed[m]]);
        trib_pack_u64(out, factor->first);
        trib_pack_u64(out, factor->n);
        if (factor->first + factor->n > n_free) n_free = factor->first + factor->n;
    }
    trib_pack_u64(out, n_free);
    for (size_t i = 0; i < n_free; i++) {
        trib_pack_u32(out, local[evidence->free_word[i]]);
        trib_pack_double(out, evidence->free_mass[i]);
    }
}

enum {
    PASSAGE_NUMBERS = 7,
    PASSAGE_BYTES = 64,
    RUN_BYTES = 24,
    TRACE_NUMBERS = 4,
    TRACE_BYTES = 24
};

static void pack_passages(trib_pack *out, const trib_passages *passages) {
    trib_pack_u64(out, passages->n);
    for (size_t p = 0; p < passages->n; p++) {
        const trib_passage *passage = &passages->passage[p];
        const uint64_t numbers[PASSAGE_NUMBERS] = {
            passage->target,   passage->source,    passage->n_target, passage->n_source,
            passage->n_shared, passage->first_run, passage->n_runs};
        trib_pack_array(out, numbers, PASSAGE_NUMBERS, sizeof *numbers);
        trib_pack_double(out, passage->mass);
    }
    trib_pack_u64(out, passages->n_runs);
    for (size_t r = 0; r < passages->n_runs; r++) {
        trib_pack_u64(out, passages->run[r].target);
        trib_pack_u64(out, passages->run[r].source);
        trib_pack_u64(out, passages->run[r].n);
    }
}

static void pack_trace(trib_pack *out, const trib_findings *findings) {
    trib_pack_u64(out, findings->n_trace);
    for (size_t i = 0; i < findings->n_trace; i++) {
        const trib_traced_run *run = &findings->trace[i];
        const uint32_t numbers[TRACE_NUMBERS] = {run->target, run->place, run->n, run->source};
        trib_pack_array(out, numbers, TRACE_NUMBERS, sizeof *numbers);
        trib_pack_double(out, run->probability);
    }
}

static void pack(const trib_run *run, uint32_t t, trib_pack *out) {
    const trib_target *target = &run->corpus.target[t];
    const trib_findings *findings = &run->findings[t];
    const trib_counts *own = &run->tensors.document[target->document];
    const uint32_t n_modes = own->ngrams.n_modes;
    uint32_t *local = NULL; /* [vocabulary] the target's own id of each of its words */
    const trib_status status = TRIB_NEW(&local, run->vocab.n_words, "word ids", &out->failure);
    for (uint32_t i = 0; status == TRIB_OK && i < own->n_local; i++) local[own->word[i]] = i;
    trib_pack_u32(out, target->n_sources);
    for (uint32_t s = 0; status == TRIB_OK && s < target->n_sources; s++) {
        pack_phrases(out, &findings->evidence[s], n_modes, local, counts_sources(run));
        pack_cover(out, &findings->evidence[s], n_modes, local);
        pack_passages(out, &findings->passages[s]);
    }
    if (status == TRIB_OK) pack_phrases(out, &findings->own, n_modes, local, counts_sources(run));
    if (status == TRIB_OK) pack_cover(out, &findings->own, n_modes, local);
    pack_trace(out, findings);
    trib_free(local);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* The state of reading an entry. */
typedef struct reading {
    const trib_concordance *concordance; /* NULL: the counts are stored */
    const trib_hacoo *ngrams;            /* of the target, from which the evidence is */
    uint32_t target;                     /* document number of the target */
    const trib_counts *own;
    const trib_counts *source; /* NULL: for n-grams found in no source */
    trib_unpack *in;
} reading;

/* Reads the number of items that follow, each of at least `bytes` bytes. Returns 0 and marks the
 * input as invalid when there are fewer bytes. */
static size_t count_of(trib_unpack *in, size_t bytes) {
    const uint64_t n = trib_unpack_u64(in);
    trib_unpack_expect(in, n <= (size_t)(in->end - in->at) / bytes);
    return in->is_wrong ? 0 : (size_t)n;
}

/* The word that has this id in the target. */
static uint32_t word_of(const reading *r, uint32_t local) {
    trib_unpack_expect(r->in, local < r->own->n_local);
    return r->in->is_wrong ? 0 : r->own->word[local];
}

/* The number of documents other than target and source that contain a phrase. `index` has the
 * target's own ids. */
static uint32_t count_others(const reading *r, const uint32_t *index) {
    const trib_concordance *k = r->concordance;
    const size_t entry = r->in->is_wrong ? TRIB_NO_ENTRY : trib_hacoo_find(r->ngrams, index);
    trib_unpack_expect(r->in, entry != TRIB_NO_ENTRY);
    if (r->in->is_wrong) return 0;
    const size_t g = k->number[k->first[r->target] + entry];
    const size_t n = k->start[g + 1] - k->start[g], known = r->source ? 2 : 1;
    trib_unpack_expect(r->in, n >= known);
    return (uint32_t)(n - known);
}

static trib_status unpack_phrases(const reading *r, trib_evidence *evidence, trib_error *error) {
    const uint32_t n_modes = r->own->ngrams.n_modes;
    evidence->share = trib_unpack_double(r->in);
    evidence->n_all_phrases = (size_t)trib_unpack_u64(r->in);
    const size_t n = count_of(r->in, 16 + sizeof(uint32_t) * n_modes);
    const trib_status status = TRIB_NEW(&evidence->phrase, n, "evidence", error);
    if (status != TRIB_OK) return status;
    evidence->n_phrases = n;
    for (size_t p = 0; p < n; p++) {
        uint32_t index[TRIB_MAX_MODES] = {0};
        trib_phrase *phrase = &evidence->phrase[p];
        trib_unpack_into(r->in, index, n_modes, sizeof *index);
        for (uint32_t m = 0; m < n_modes; m++) phrase->word[m] = word_of(r, index[m]);
        phrase->in_target = trib_unpack_u32(r->in);
        phrase->in_source = trib_unpack_u32(r->in);
        phrase->mass = trib_unpack_double(r->in);
        phrase->n_other_documents =
            r->concordance ? count_others(r, index) : trib_unpack_u32(r->in);
    }
    return TRIB_OK;
}

static trib_status unpack_cover(const reading *r, trib_evidence *evidence, trib_error *error) {
    const uint32_t n_modes = r->own->ngrams.n_modes;
    evidence->n_all_factors = (size_t)trib_unpack_u64(r->in);
    const size_t n = count_of(r->in, 28 + sizeof(uint32_t) * n_modes);
    trib_status status = TRIB_NEW(&evidence->factor, n, "evidence", error);
    if (status != TRIB_OK) return status;
    evidence->n_factors = n;
    for (size_t f = 0; f < n; f++) {
        trib_evidence_factor *factor = &evidence->factor[f];
        factor->mass = trib_unpack_double(r->in);
        factor->free_mode = trib_unpack_u32(r->in);
        trib_unpack_expect(r->in, factor->free_mode < n_modes);
        for (uint32_t m = 0; m < n_modes; m++) {
            const uint32_t word = word_of(r, trib_unpack_u32(r->in));
            factor->fixed[m] = m == factor->free_mode ? TRIB_NO_FREE_WORD : word;
        }
        factor->first = (size_t)trib_unpack_u64(r->in);
        factor->n = (size_t)trib_unpack_u64(r->in);
    }
    const size_t n_free = count_of(r->in, 12);
    for (size_t f = 0; f < n; f++)
        trib_unpack_expect(r->in, evidence->factor[f].first <= n_free &&
                                      evidence->factor[f].n <= n_free - evidence->factor[f].first);
    status = TRIB_NEW(&evidence->free_word, n_free, "evidence", error);
    if (status == TRIB_OK) status = TRIB_NEW(&evidence->free_mass, n_free, "evidence", error);
    for (size_t i = 0; i < n_free && status == TRIB_OK; i++) {
        evidence->free_word[i] = word_of(r, trib_unpack_u32(r->in));
        evidence->free_mass[i] = trib_unpack_double(r->in);
    }
    return status;
}

/* Whether items first .. first + n - 1 exist among `all` items. */
static bool are_among(size_t first, size_t n, size_t all) {
    return first <= all && n <= all - first;
}

/* Whether a passage and its runs lie within the texts, and the runs within the passage. */
static bool is_sound(const reading *r, const trib_passages *passages, const trib_passage *passage) {
    bool holds = passage->n_target > 0 && passage->n_source > 0 &&
                 are_among(passage->target, passage->n_target, r->own->n_ngrams) &&
                 are_among(passage->source, passage->n_source, r->source->n_ngrams) &&
                 are_among(passage->first_run, passage->n_runs, passages->n_runs);
    for (size_t i = 0; holds && i < passage->n_runs; i++) {
        const trib_shared_run *run = &passages->run[passage->first_run + i];
        holds = run->target >= passage->target && run->source >= passage->source &&
                are_among(run->target - passage->target, run->n, passage->n_target) &&
                are_among(run->source - passage->source, run->n, passage->n_source);
    }
    return holds;
}

static trib_status unpack_passages(const reading *r, trib_passages *passages, trib_error *error) {
    const size_t n = count_of(r->in, PASSAGE_BYTES);
    trib_status status = TRIB_NEW(&passages->passage, n, "passages", error);
    if (status != TRIB_OK) return status;
    passages->n = passages->cap = n;
    for (size_t p = 0; p < n; p++) {
        uint64_t x[PASSAGE_NUMBERS] = {0};
        trib_unpack_into(r->in, x, PASSAGE_NUMBERS, sizeof *x);
        passages->passage[p] = (trib_passage){.target = (size_t)x[0],
                                              .source = (size_t)x[1],
                                              .n_target = (size_t)x[2],
                                              .n_source = (size_t)x[3],
                                              .n_shared = (size_t)x[4],
                                              .first_run = (size_t)x[5],
                                              .n_runs = (size_t)x[6],
                                              .mass = trib_unpack_double(r->in)};
    }
    const size_t n_runs = count_of(r->in, RUN_BYTES);
    status = TRIB_NEW(&passages->run, n_runs, "passages", error);
    if (status != TRIB_OK) return status;
    passages->n_runs = n_runs;
    for (size_t i = 0; i < n_runs; i++) {
        trib_shared_run *run = &passages->run[i];
        run->target = (size_t)trib_unpack_u64(r->in);
        run->source = (size_t)trib_unpack_u64(r->in);
        run->n = (size_t)trib_unpack_u64(r->in);
        trib_unpack_expect(r->in, are_among(run->target, run->n, r->own->n_ngrams));
    }
    for (size_t p = 0; p < n; p++)
        trib_unpack_expect(r->in, is_sound(r, passages, &passages->passage[p]));
    return TRIB_OK;
}

static trib_status unpack_trace(trib_run *run, uint32_t t, const reading *r, trib_error *error) {
    const trib_target *target = &run->corpus.target[t];
    trib_findings *findings = &run->findings[t];
    const size_t n = count_of(r->in, TRACE_BYTES);
    const trib_status status = TRIB_NEW(&findings->trace, n, "the traced runs", error);
    if (status != TRIB_OK) return status;
    findings->n_trace = n;
    for (size_t i = 0, end = 0; i < n; i++) {
        uint32_t x[TRACE_NUMBERS] = {0};
        trib_unpack_into(r->in, x, TRACE_NUMBERS, sizeof *x);
        const double probability = trib_unpack_double(r->in);
        trib_unpack_expect(r->in, x[3] < target->n_sources && x[0] >= end && x[2] > 0 &&
                                      are_among(x[0], x[2], r->own->n_ngrams) && probability >= 0 &&
                                      probability <= 1);
        if (r->in->is_wrong) break;
        const trib_counts *source = &run->tensors.document[target->source[x[3]]];
        trib_unpack_expect(r->in, are_among(x[1], x[2], source->n_ngrams));
        findings->trace[i] = (trib_traced_run){x[0], x[1], x[2], x[3], probability};
        end = (size_t)x[0] + x[2];
    }
    return TRIB_OK;
}

static trib_status unpack(trib_run *run, uint32_t t, trib_unpack *in, trib_error *error) {
    const trib_target *target = &run->corpus.target[t];
    trib_findings *findings = &run->findings[t];
    const trib_counts *own = &run->tensors.document[target->document];
    const bool has_gaps = reads_skips(run);
    reading r = {.concordance = counts_sources(run) ? NULL
                                : has_gaps          ? &run->index.skips
                                                    : &run->index.concordance,
                 .ngrams = has_gaps ? &own->skips : &own->ngrams,
                 .target = target->document,
                 .own = own,
                 .in = in};
    trib_unpack_expect(in, trib_unpack_u32(in) == target->n_sources);
    trib_status status = trib_findings_init(findings, target->n_sources, error);
    for (uint32_t s = 0; s < target->n_sources && status == TRIB_OK; s++) {
        trib_evidence *evidence = &findings->evidence[s];
        r.source = &run->tensors.document[target->source[s]];
        *evidence = (trib_evidence){.target = target->document, .source = target->source[s]};
        findings->passages[s].source = target->source[s];
        status = unpack_phrases(&r, evidence, error);
        if (status == TRIB_OK) status = unpack_cover(&r, evidence, error);
        if (status == TRIB_OK) status = unpack_passages(&r, &findings->passages[s], error);
    }
    r.source = NULL;
    findings->own = (trib_evidence){.target = target->document, .source = target->document};
    if (status == TRIB_OK) status = unpack_phrases(&r, &findings->own, error);
    if (status == TRIB_OK) status = unpack_cover(&r, &findings->own, error);
    return status == TRIB_OK ? unpack_trace(run, t, &r, error) : status;
}

static void forget(trib_run *run, uint32_t t) { trib_findings_release(&run->findings[t]); }

static trib_status search(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                          trib_error *error) {
    const trib_measure_inputs inputs = trib_run_inputs(run);
    const trib_status status = trib_target_index_build(&inputs, t, n_threads, error);
    return status == TRIB_OK ? trib_find_evidence(&inputs, t, &run->shares[t], n_threads, progress,
                                                  &run->background[t], &run->findings[t], error)
                             : status;
}

static const trib_given given[] = {TRIB_GIVEN(influence.headline, influence.headline),
                                   TRIB_GIVEN(influence.floor, influence.floor),
                                   TRIB_GIVEN(report.top_phrases, report.top_phrases),
                                   {0, 0}};

const trib_cached_row trib_cached_evidence = {.stage = "evidence",
                                              .given = given,
                                              .count = trib_cached_targets,
                                              .work = search,
                                              .key = add_key,
                                              .name = trib_cached_target_id,
                                              .pack = pack,
                                              .unpack = unpack,
                                              .forget = forget};
