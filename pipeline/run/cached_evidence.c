/* cached_evidence.c - the cached evidence of a target, with words as the target's own ids. The
 * number of other documents that contain a phrase is not cached but counted again, because every
 * new document can change it. With candidates it is cached: only the target and its sources are
 * counted then, and they are in the key. */

#include "pipeline/run/cached.h"

static bool counts_sources(const trib_run *run) { return run->index.n_targets > 0; }

/* Sources below the noise floor get less evidence. The floor follows from the headline method and
 * the decoys, so the key contains both. */
static void add_key(const trib_run *run, uint32_t t, trib_identity *key) {
    const trib_target *target = &run->corpus.target[t];
    const trib_shares *shares = &run->shares[t];
    const trib_influence_method *headline = run->env.config->influence.headline,
                                *method = trib_method_of_evidence(run->env.config),
                                *traced = trib_method_of_trace(run->env.config),
                                *extent = trib_influence_method_find("extent");
    trib_cached_method(run, t, method, key);
    if (headline != method) trib_cached_method(run, t, headline, key);
    if (traced && traced != method && traced != headline) trib_cached_method(run, t, traced, key);
    if (headline != extent) trib_cached_method(run, t, extent, key);
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

/* ---- The record ------------------------------------------------------------------------------ */

/* The state of writing or reading an entry. */
typedef struct record {
    const trib_concordance *concordance; /* NULL: the counts are stored */
    const trib_hacoo *ngrams;            /* of the target, from which the evidence is */
    uint32_t target;                     /* document number of the target */
    const trib_counts *own;
    const trib_counts *source;        /* NULL: for n-grams found in no source */
    uint64_t n_words, n_source_words; /* of the texts */
    uint32_t *local; /* [vocabulary] when writing: the target's own id of each of its words */
    trib_pack *pack;
} record;

/* A word, which is stored by the target's own id. Returns that. */
static uint32_t pack_word(const record *r, uint32_t *word) {
    uint32_t local = r->pack->reads ? 0 : r->local[*word];
    TRIB_PACK(r->pack, local);
    trib_pack_expect(r->pack, local < r->own->n_local);
    if (r->pack->reads) *word = trib_pack_is_good(r->pack) ? r->own->word[local] : 0;
    return local;
}

/* The number of documents other than target and source that contain a phrase. `index` has the
 * target's own ids. */
static uint32_t count_others(const record *r, const uint32_t *index) {
    const trib_concordance *k = r->concordance;
    const size_t entry =
        trib_pack_is_good(r->pack) ? trib_hacoo_find(r->ngrams, index) : TRIB_NO_ENTRY;
    trib_pack_expect(r->pack, entry != TRIB_NO_ENTRY);
    if (!trib_pack_is_good(r->pack)) return 0;
    const size_t g = k->number[k->first[r->target] + entry];
    const size_t n = k->start[g + 1] - k->start[g], known = r->source ? 2 : 1;
    trib_pack_expect(r->pack, n >= known);
    return (uint32_t)(n - known);
}

static void pack_phrases(const record *r, trib_evidence *evidence) {
    trib_pack *pack = r->pack;
    const uint32_t n_modes = r->own->ngrams.n_modes;
    TRIB_PACK(pack, evidence->share);
    TRIB_PACK(pack, evidence->n_all_phrases);
    trib_pack_number(pack, &evidence->phrase, &evidence->n_phrases, sizeof *evidence->phrase,
                     (4 + n_modes) * sizeof(uint32_t), "evidence");
    for (size_t p = 0; p < evidence->n_phrases; p++) {
        uint32_t index[TRIB_MAX_MODES] = {0};
        trib_phrase *phrase = &evidence->phrase[p];
        for (uint32_t m = 0; m < n_modes; m++) index[m] = pack_word(r, &phrase->word[m]);
        TRIB_PACK(pack, phrase->in_target);
        TRIB_PACK(pack, phrase->in_source);
        TRIB_PACK(pack, phrase->mass);
        if (!r->concordance) TRIB_PACK(pack, phrase->n_other_documents);
        else if (pack->reads) phrase->n_other_documents = count_others(r, index);
    }
}

/* Whether items first .. first + n - 1 exist among `all` items. */
static bool are_among(size_t first, size_t n, size_t all) {
    return first <= all && n <= all - first;
}

static void pack_cover(const record *r, trib_evidence *evidence) {
    trib_pack *pack = r->pack;
    const uint32_t n_modes = r->own->ngrams.n_modes;
    size_t n_free = 0;
    TRIB_PACK(pack, evidence->n_all_factors);
    trib_pack_number(pack, &evidence->factor, &evidence->n_factors, sizeof *evidence->factor,
                     (6 + n_modes) * sizeof(uint32_t), "evidence");
    for (size_t f = 0; f < evidence->n_factors; f++) {
        trib_evidence_factor *factor = &evidence->factor[f];
        TRIB_PACK(pack, factor->mass);
        TRIB_PACK(pack, factor->free_mode);
        trib_pack_expect(pack, factor->free_mode < n_modes);
        for (uint32_t m = 0; m < n_modes; m++) {
            if (m != factor->free_mode) (void)pack_word(r, &factor->fixed[m]);
            else if (pack->reads) factor->fixed[m] = TRIB_NO_FREE_WORD;
        }
        TRIB_PACK(pack, factor->first);
        TRIB_PACK(pack, factor->n);
        if (factor->first + factor->n > n_free) n_free = factor->first + factor->n;
    }
    TRIB_PACK_LIST(pack, evidence->free_mass, n_free, "evidence");
    for (size_t f = 0; f < evidence->n_factors; f++)
        trib_pack_expect(pack, are_among(evidence->factor[f].first, evidence->factor[f].n, n_free));
    size_t n_words = n_free;
    trib_pack_number(pack, &evidence->free_word, &n_words, sizeof *evidence->free_word,
                     sizeof(uint32_t), "evidence");
    trib_pack_expect(pack, n_words == n_free);
    for (size_t i = 0; i < n_words; i++) (void)pack_word(r, &evidence->free_word[i]);
}

/* Whether the runs of a passage exist, and lie within it. */
static bool is_sound(const trib_passages *passages, const trib_passage *passage) {
    bool holds = passage->n_target > 0 && passage->n_source > 0 && passage->n_runs > 0 &&
                 are_among(passage->first_run, passage->n_runs, passages->n_runs);
    for (size_t i = 0; holds && i < passage->n_runs; i++) {
        const trib_shared_run *run = &passages->run[passage->first_run + i];
        holds = run->target >= passage->target &&
                are_among(run->target - passage->target, run->n, passage->n_target) &&
                (run->source == UINT32_MAX ||
                 (run->source >= passage->source &&
                  are_among(run->source - passage->source, run->n, passage->n_source)));
    }
    return holds;
}

/* Of a passage, what trib_passages_rate sets is not stored. */
static void pack_passages(const record *r, trib_passages *passages) {
    enum { STORED = offsetof(trib_passage, n_telling) };
    trib_pack *pack = r->pack;
    trib_pack_number(pack, &passages->passage, &passages->n, sizeof *passages->passage, STORED,
                     "passages");
    for (size_t p = 0; p < passages->n; p++) trib_pack_bytes(pack, &passages->passage[p], STORED);
    TRIB_PACK_LIST(pack, passages->run, passages->n_runs, "passages");
    if (!pack->reads) return;
    passages->cap = passages->n;
    for (size_t p = 0; p < passages->n && trib_pack_is_good(pack); p++) {
        const trib_passage *passage = &passages->passage[p];
        trib_pack_expect(pack,
                         are_among(passage->target, passage->n_target, r->n_words) &&
                             are_among(passage->source, passage->n_source, r->n_source_words) &&
                             is_sound(passages, passage));
    }
}

static void pack_trace(const trib_run *run, const trib_target *target, trib_findings *findings,
                       trib_pack *pack) {
    const size_t n_ngrams = run->tensors.document[target->document].n_ngrams;
    size_t end = 0;
    TRIB_PACK_LIST(pack, findings->trace, findings->n_trace, "the traced runs");
    for (size_t i = 0; pack->reads && i < findings->n_trace && trib_pack_is_good(pack); i++) {
        const trib_traced_run *r = &findings->trace[i];
        trib_pack_expect(pack, r->source < target->n_sources && r->target >= end && r->n > 0 &&
                                   are_among(r->target, r->n, n_ngrams) && r->probability >= 0 &&
                                   r->probability <= 1);
        if (!trib_pack_is_good(pack)) break;
        const trib_counts *source = &run->tensors.document[target->source[r->source]];
        trib_pack_expect(pack, are_among(r->place, r->n, source->n_ngrams));
        end = (size_t)r->target + r->n;
    }
}

/* The evidence of each source, that of no source, and the traced runs. */
static void pack_findings(const trib_run *run, record *r, uint32_t t) {
    const trib_target *target = &run->corpus.target[t];
    trib_findings *findings = &run->findings[t];
    trib_pack *pack = r->pack;
    for (uint32_t s = 0; s <= target->n_sources && trib_pack_is_good(pack); s++) {
        const bool is_own = s == target->n_sources;
        trib_evidence *evidence = is_own ? &findings->own : &findings->evidence[s];
        const uint32_t source = is_own ? target->document : target->source[s];
        r->source = is_own ? NULL : &run->tensors.document[source];
        r->n_source_words = run->words.document[source].n_tokens;
        if (pack->reads) *evidence = (trib_evidence){.target = target->document, .source = source};
        pack_phrases(r, evidence);
        pack_cover(r, evidence);
        if (is_own) break;
        if (pack->reads) findings->passages[s].source = source;
        pack_passages(r, &findings->passages[s]);
    }
    pack_trace(run, target, findings, pack);
}

static void pack(trib_run *run, uint32_t t, trib_pack *pack) {
    const trib_target *target = &run->corpus.target[t];
    const trib_counts *own = &run->tensors.document[target->document];
    const bool has_gaps =
        trib_method_reads_skips(&run->tensors, trib_method_of_evidence(run->env.config));
    uint32_t n_sources = target->n_sources;
    record r = {.concordance = counts_sources(run) ? NULL
                               : has_gaps          ? &run->index.skips
                                                   : &run->index.concordance,
                .ngrams = has_gaps ? &own->skips : &own->ngrams,
                .target = target->document,
                .own = own,
                .n_words = run->words.document[target->document].n_tokens,
                .pack = pack};
    TRIB_PACK(pack, n_sources);
    trib_pack_expect(pack, n_sources == target->n_sources);
    if (!trib_pack_is_good(pack)) return;
    if (pack->reads) (void)trib_findings_init(&run->findings[t], n_sources, &pack->failure);
    else (void)TRIB_NEW(&r.local, run->vocab.n_words, "word ids", &pack->failure);
    for (uint32_t i = 0; r.local && i < own->n_local; i++) r.local[own->word[i]] = i;
    if (trib_pack_is_good(pack)) pack_findings(run, &r, t);
    trib_free(r.local);
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

static const trib_given given[] = {TRIB_GIVEN(influence.headline_asked, influence.headline_asked),
                                   TRIB_GIVEN(influence.floor, influence.floor),
                                   TRIB_GIVEN(report.top_phrases, report.top_phrases),
                                   TRIB_GIVEN(report.doubtful, report.doubtful),
                                   {0, 0}};

const trib_cached_row trib_cached_evidence = {.stage = "evidence",
                                              .given = given,
                                              .count = trib_cached_targets,
                                              .work = search,
                                              .key = add_key,
                                              .name = trib_cached_target_id,
                                              .pack = pack,
                                              .forget = forget};
