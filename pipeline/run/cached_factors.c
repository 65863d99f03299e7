/* cached_factors.c - the cached factors of a document, in sparse form, since most entries are 0;
 * and for each factor of a target, the nearest factor in every document that it is compared
 * with. */

#include "pipeline/run/cached.h"

/* When a decomposition of all documents together comes first, each document's factors depend on all
 * documents. */
static void add_corpus(const trib_run *run, trib_identity *key) {
    for (uint32_t d = 0; d < run->corpus.n_documents; d++)
        trib_identity_hash(key, run->fingerprint[d].counts, TRIB_SHA256_TEXT);
    for (uint32_t w = 0; w < run->vocab.n_words; w++) trib_identity_hash_word(key, &run->vocab, w);
    trib_identity_end_hash(key, "corpus");
}

static void add_factors(const trib_run *run, uint32_t d, trib_identity *key) {
    trib_identity_add(key, "text %s\n", run->fingerprint[d].counts);
    if (trib_config_starts_from_corpus(run->env.config)) add_corpus(run, key);
}

/* Whether every bit is 0; -0.0 is not zero here. */
static bool is_zero(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == 0;
}

/* The rows of a matrix, by 64 components: a bit mask of those that are not zero, then their values.
 * A matrix without components may be NULL, so it is not accessed. */
static void pack_matrix(trib_pack *pack, double *value, size_t n_rows, uint32_t rank) {
    for (size_t i = 0; i < n_rows && trib_pack_is_good(pack); i++)
        for (uint32_t first = 0; first < rank; first += 64) {
            double *const at = value + i * rank + first;
            const uint32_t n = rank - first < 64 ? rank - first : 64;
            uint64_t set = 0;
            for (uint32_t r = 0; r < n; r++) set |= (uint64_t)!is_zero(at[r]) << r;
            TRIB_PACK(pack, set);
            for (uint32_t r = 0; r < n; r++)
                if (set >> r & 1) TRIB_PACK(pack, at[r]);
        }
}

/* Distances, and so factors, are wanted of targets and candidates, and of all documents only for
 * the files of all distances. */
static bool is_wanted(const trib_run *run, uint32_t d) {
    return trib_corpus_measures(&run->corpus, d) || run->env.config->report.npy;
}

/* An entry whose sizes need more bytes than it has is rejected before anything is allocated. */
static void pack_factors(trib_pack *pack, trib_ktensor *factors, const trib_counts *counts) {
    const uint32_t n_modes = counts->ngrams.n_modes;
    uint32_t rank = factors->rank, dim[TRIB_MAX_MODES] = {0};
    const size_t left = pack->reads ? (size_t)(pack->end - pack->at) / sizeof(uint64_t) : 0;
    TRIB_PACK(pack, rank);
    trib_pack_expect(pack,
                     rank <= left &&
                         n_modes * (size_t)counts->n_local * ((rank + (size_t)63) / 64) <= left);
    for (uint32_t m = 0; m < n_modes; m++) dim[m] = counts->n_local;
    if (pack->reads && trib_pack_is_good(pack))
        (void)trib_ktensor_init(factors, n_modes, dim, rank, &pack->failure);
    if (!trib_pack_is_good(pack)) return;
    TRIB_PACK(pack, factors->fit);
    trib_pack_bool(pack, &factors->single);
    trib_pack_bytes(pack, factors->lambda, rank * sizeof *factors->lambda);
    for (uint32_t m = 0; m < n_modes; m++) pack_matrix(pack, factors->factor[m], dim[m], rank);
}

static void pack_trace(trib_pack *pack, trib_cp_trace *trace) {
    TRIB_PACK_LIST(pack, trace->step, trace->n_steps, "a trace");
    if (pack->reads) trace->cap = trace->n_steps;
    TRIB_PACK(pack, trace->first);
    TRIB_PACK(pack, trace->stop);
    trib_pack_expect(pack, (uint32_t)trace->stop < TRIB_N_STOPS);
    TRIB_PACK(pack, trace->n_zero);
    TRIB_PACK(pack, trace->n_restarts);
    TRIB_PACK(pack, trace->worst_fit);
    TRIB_PACK(pack, trace->mean_match);
    TRIB_PACK(pack, trace->least_match);
}

static void pack_search(trib_pack *pack, trib_rank_search *search) {
    TRIB_PACK_LIST(pack, search->step, search->n, "ranks");
    if (pack->reads) search->cap = search->n;
    TRIB_PACK(pack, search->chosen);
    TRIB_PACK(pack, search->end);
    trib_pack_expect(pack, (search->n == 0 || search->chosen < search->n) &&
                               (uint32_t)search->end < TRIB_N_RANK_ENDS);
}

/* A document that is not wanted has no factors on any rank. */
static void pack_document(trib_run *run, uint32_t d, trib_pack *pack) {
    trib_decomposition *document = &run->decomposition[d];
    if (!is_wanted(run, d)) return;
    pack_factors(pack, &document->factors, &run->tensors.document[d]);
    pack_trace(pack, &document->trace);
    pack_search(pack, &document->search);
    TRIB_PACK(pack, document->judged.l1_error);
    TRIB_PACK(pack, document->judged.congruence);
    TRIB_PACK(pack, document->judged.n_collinear);
    trib_pack_bool(pack, &document->judged.more_than_nonzeros);
}

static void forget(trib_run *run, uint32_t d) {
    trib_decomposition_release(&run->decomposition[d]);
}

/* A document that is not wanted has no factors. */
static trib_status decompose(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                             trib_error *error) {
    const trib_checkpoints checkpoints = trib_run_checkpoints(run);
    const trib_decompose_call call = {.env = &run->env,
                                      .corpus = &run->corpus,
                                      .tensors = &run->tensors,
                                      .from_corpus = &run->corpus_factors,
                                      .checkpoints = &checkpoints};
    return is_wanted(run, d) ? trib_decompose_document(&call, d, n_threads, progress,
                                                       &run->decomposition[d], error)
                             : TRIB_OK;
}

static uint64_t size_of_tensor(const void *run, uint32_t d) {
    return trib_tensors_size(&((const trib_run *)run)->tensors, d);
}

static const trib_given given_factors[] = {
    TRIB_GIVEN(tensor.hash, tensor.cut), TRIB_GIVEN(cp, cp), {0, 0}};

const trib_cached_row trib_cached_factors = {.stage = "factors",
                                             .given = given_factors,
                                             .count = trib_cached_documents,
                                             .is_kept = is_wanted,
                                             .size = size_of_tensor,
                                             .work = decompose,
                                             .key = add_factors,
                                             .name = trib_cached_id,
                                             .pack = pack_document,
                                             .forget = forget};

/* ---- Distances ------------------------------------------------------------------------------- */

static const uint32_t NONE = UINT32_MAX;

static bool asks(const trib_run *run, uint32_t d, uint32_t e) {
    return trib_distances_asks(run->env.config, &run->corpus, d, e);
}

static bool has_row(const trib_run *run, uint32_t d) {
    const uint32_t t = trib_corpus_target_of(&run->corpus, d);
    return t < run->corpus.n_targets &&
           (run->corpus.target[t].n_sources > 0 || run->env.config->report.npy);
}

/* The key: what the factors of document d depend on, and the texts that it is compared with, in
 * order. The place of d among them is marked, because the order of two factors can change the last
 * digit of their distance. */
static void add_row(const trib_run *run, uint32_t d, trib_identity *key) {
    add_factors(run, d, key);
    for (uint32_t e = 0; e < run->corpus.n_documents; e++) {
        if (e == d) trib_identity_hash(key, "=", 1);
        if (asks(run, d, e)) trib_identity_hash(key, run->fingerprint[e].counts, TRIB_SHA256_TEXT);
    }
    trib_identity_end_hash(key, "sources");
}

static uint32_t rank_of(const trib_run *run, uint32_t d) {
    return run->decomposition[d].factors.rank;
}

/* The number of the first factor of document d in stage distances. */
static size_t first_factor(const trib_run *run, uint32_t d) {
    size_t first = 0;
    for (uint32_t e = 0; e < d; e++) first += rank_of(run, e);
    return first;
}

static void pack_row(trib_run *run, uint32_t d, trib_pack *pack) {
    const trib_factor_distances *found = &run->distances.nearest;
    const size_t first = first_factor(run, d), end = first + rank_of(run, d);
    uint32_t of_document = 0;
    for (uint32_t e = 0; e < run->corpus.n_documents; of_document += rank_of(run, e), e++)
        for (size_t f = first; f < end && asks(run, d, e); f++) {
            double *nearest = &found->nearest[f * found->n_documents + e];
            uint32_t *which = &found->which[f * found->n_documents + e];
            uint32_t own = *which == NONE ? NONE : *which - of_document;
            TRIB_PACK(pack, *nearest);
            TRIB_PACK(pack, own);
            trib_pack_expect(pack, *nearest >= 0 && *nearest <= 2 + 1e-9 &&
                                       (rank_of(run, e) > 0 ? own < rank_of(run, e) : own == NONE));
            if (pack->reads) *which = own == NONE ? NONE : own + of_document;
        }
}

/* A row that was not read whole is measured, which overwrites it. */
const trib_cached_row trib_cached_distances = {.stage = "distances",
                                               .given = given_factors,
                                               .count = trib_cached_documents,
                                               .is_kept = has_row,
                                               .key = add_row,
                                               .name = trib_cached_id,
                                               .pack = pack_row};

/* ---- The rows of this rank ------------------------------------------------------------------- */

/* The factors of a target. Other documents have no row, so their size is 0. */
static uint64_t n_factors(const void *context, uint32_t d) {
    const trib_run *run = context;
    const bool is_target = trib_corpus_target_of(&run->corpus, d) < run->corpus.n_targets;
    return is_target ? rank_of(run, d) : 0;
}

/* Reads the cached rows of this rank's targets; to_measure[n_documents] are the others. */
static trib_status take_rows(trib_run *run, const int *owner, bool *to_measure, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < run->corpus.n_documents && status == TRIB_OK; d++) {
        bool taken = false;
        if (owner[d] != run->comm.rank || !has_row(run, d)) continue;
        if (run->cache) status = trib_cached_take(run, &trib_cached_distances, d, &taken, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
        to_measure[d] = !taken;
    }
    return status;
}

/* Whether the rows of two documents ask for the same others, but for these two. */
static bool asks_alike(const trib_run *run, uint32_t d, uint32_t other) {
    const trib_target *target = run->corpus.target;
    const uint32_t n = target[trib_corpus_target_of(&run->corpus, d)].n_sources,
                   m = target[trib_corpus_target_of(&run->corpus, other)].n_sources;
    if ((n > m ? n - m : m - n) > 1) return run->env.config->report.npy;
    for (uint32_t e = 0; e < run->corpus.n_documents; e++)
        if (e != d && e != other && asks(run, d, e) != asks(run, other, e)) return false;
    return true;
}

/* Measures and keeps these rows, those together that ask for the same documents, so that no factor
 * is weighed that no row asks for. */
static trib_status measure_rows(trib_run *run, bool *to_measure, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    const trib_factors *factors = &run->distances.factors;
    TRIB_OWNED(trib_pool) pool = {.error = error};
    bool *row = trib_pool_new(&pool, factors->n, sizeof *row, "the rows"),
         *column = trib_pool_new(&pool, n, sizeof *column, "the rows"),
         *is_now = trib_pool_new(&pool, n, sizeof *is_now, "the rows");
    trib_status status = pool.status;
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        if (!to_measure[d]) continue;
        for (uint32_t e = 0; e < n; e++) column[e] = is_now[e] = false;
        for (uint32_t o = d; o < n; o++) {
            is_now[o] = to_measure[o] && (o == d || asks_alike(run, d, o));
            for (uint32_t e = 0; e < n && is_now[o]; e++) column[e] |= asks(run, o, e);
            to_measure[o] = to_measure[o] && !is_now[o];
        }
        for (size_t f = 0; f < factors->n; f++) row[f] = is_now[factors->document[f]];
        status = trib_distances_measure(&run->env, &run->distances, row, column, error);
        for (uint32_t o = d; o < n && status == TRIB_OK && run->cache; o++)
            if (is_now[o]) status = trib_cached_put(run, &trib_cached_distances, o, error);
    }
    return status;
}

trib_status trib_cached_measure_distances(trib_run *run, trib_status status, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    TRIB_FREED(bool *) to_measure = NULL;
    TRIB_FREED(int *) owner = NULL;
    if (status == TRIB_OK)
        status = trib_parts_owners(run->comm.size, n, n_factors, run, &owner, error);
    if (status == TRIB_OK) status = TRIB_NEW(&to_measure, n, "the rows", error);
    if (status == TRIB_OK) status = take_rows(run, owner, to_measure, error);
    if (status == TRIB_OK) status = measure_rows(run, to_measure, error);
    return trib_cached_share(run, status, &trib_cached_distances, owner, error);
}
