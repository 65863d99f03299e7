/* cached_factors.c - the cached factors of a document, in sparse form, since most entries are 0. */
#include <string.h>

#include "pipeline/run/cached.h"

/* When a decomposition of all documents together comes first, each document's factors depend on all
 * documents. */
static void add_corpus(const trib_run *run, trib_identity *key) {
    for (uint32_t d = 0; d < run->corpus.n_documents; d++)
        trib_identity_hash(key, run->fingerprint[d].counts, TRIB_SHA256_TEXT);
    for (uint32_t w = 0; w < run->vocab.n_words; w++) trib_identity_hash_word(key, &run->vocab, w);
    trib_identity_end_hash(key, "corpus");
}

static void add_key(const trib_run *run, uint32_t d, trib_identity *key) {
    trib_identity_add(key, "text %s\n", run->fingerprint[d].counts);
    if (trib_config_starts_from_corpus(run->env.config)) add_corpus(run, key);
}

/* Whether every bit is 0; -0.0 is not zero here. */
static bool is_zero(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == 0;
}

/* Writes for every row a bit mask of its nonzero components, then their values. A matrix without
 * components may be NULL, so it is not accessed. */
static void pack_matrix(trib_pack *out, const double *value, size_t n_rows, uint32_t rank) {
    for (size_t i = 0; i < n_rows && rank > 0; i++) {
        const double *row = value + i * rank;
        for (uint32_t first = 0; first < rank; first += 64) {
            uint64_t set = 0;
            for (uint32_t r = first; r < rank && r < first + 64; r++)
                set |= (uint64_t)!is_zero(row[r]) << (r - first);
            trib_pack_u64(out, set);
        }
        for (uint32_t r = 0; r < rank; r++)
            if (!is_zero(row[r])) trib_pack_double(out, row[r]);
    }
}

static void unpack_matrix(trib_unpack *in, double *value, size_t n_rows, uint32_t rank) {
    for (size_t i = 0; i < n_rows && rank > 0 && !in->is_wrong; i++) {
        double *row = value + i * rank;
        trib_unpack words = *in;
        for (uint32_t first = 0; first < rank; first += 64) (void)trib_unpack_u64(in);
        for (uint32_t first = 0; first < rank && !in->is_wrong; first += 64) {
            const uint64_t set = trib_unpack_u64(&words);
            for (uint32_t r = first; r < rank && r < first + 64; r++)
                if (set >> (r - first) & 1) row[r] = trib_unpack_double(in);
        }
    }
}

/* Distances, and so factors, are wanted of targets and candidates, and of all documents only for
 * the files of all distances. */
static bool is_wanted(const trib_run *run, uint32_t d) {
    return trib_corpus_measures(&run->corpus, d) || run->env.config->report.npy;
}

static void pack(const trib_run *run, uint32_t d, trib_pack *out) {
    const trib_decomposition *document = &run->decomposition[d];
    const trib_ktensor *k = &document->factors;
    const trib_cp_trace *trace = &document->trace;
    if (!is_wanted(run, d)) return; /* it has no factors on any rank */
    trib_pack_u32(out, k->n_modes);
    trib_pack_u32(out, k->rank);
    trib_pack_array(out, k->dim, k->n_modes, sizeof *k->dim);
    trib_pack_double(out, k->fit);
    trib_pack_u32(out, k->single);
    trib_pack_array(out, k->lambda, k->rank, sizeof *k->lambda);
    for (uint32_t m = 0; m < k->n_modes; m++) pack_matrix(out, k->factor[m], k->dim[m], k->rank);
    trib_pack_u64(out, trace->n_steps);
    trib_pack_array(out, trace->step, trace->n_steps, sizeof *trace->step);
    trib_pack_u32(out, trace->first);
    trib_pack_u32(out, trace->stop);
    trib_pack_u32(out, trace->n_zero);
    trib_pack_u32(out, trace->n_restarts);
    trib_pack_double(out, trace->worst_fit);
    trib_pack_double(out, trace->mean_match);
    trib_pack_double(out, trace->least_match);
    trib_pack_u64(out, document->search.n);
    for (size_t i = 0; i < document->search.n; i++) {
        const trib_rank_step *step = &document->search.step[i];
        trib_pack_u32(out, step->rank);
        trib_pack_u32(out, step->n_components);
        trib_pack_double(out, step->error);
        trib_pack_double(out, step->l1_error);
        trib_pack_double(out, step->core_consistency);
        trib_pack_u64(out, step->n_iterations);
    }
    trib_pack_u64(out, document->search.chosen);
    trib_pack_u32(out, document->search.end);
    trib_pack_double(out, document->judged.l1_error);
    trib_pack_double(out, document->judged.congruence);
    trib_pack_u32(out, document->judged.n_collinear);
    trib_pack_u32(out, document->judged.more_than_nonzeros);
}

/* Each row of a mode has a u64 for every 64 components. An entry whose sizes need more bytes than
 * it has is rejected before anything is allocated. */
static trib_status unpack_factors(trib_ktensor *factors, const trib_counts *counts, trib_unpack *in,
                                  trib_error *error) {
    const uint32_t n_modes = trib_unpack_u32(in), rank = trib_unpack_u32(in);
    uint32_t dim[TRIB_MAX_MODES] = {0};
    size_t words = 0;
    trib_unpack_expect(in, n_modes == counts->ngrams.n_modes && n_modes <= TRIB_MAX_MODES);
    if (in->is_wrong) return TRIB_OK;
    trib_unpack_into(in, dim, n_modes, sizeof *dim);
    for (uint32_t m = 0; m < n_modes; m++) {
        trib_unpack_expect(in, dim[m] == counts->n_local);
        words += (size_t)dim[m] * ((rank + (size_t)63) / 64);
    }
    const size_t left = (size_t)(in->end - in->at) / sizeof(uint64_t);
    trib_unpack_expect(in, words <= left && rank <= left);
    if (in->is_wrong) return TRIB_OK;
    const trib_status status = trib_ktensor_init(factors, n_modes, dim, rank, error);
    if (status != TRIB_OK) return status;
    factors->fit = trib_unpack_double(in);
    const uint32_t single = trib_unpack_u32(in);
    trib_unpack_expect(in, single <= 1);
    factors->single = single == 1;
    trib_unpack_into(in, factors->lambda, rank, sizeof(double));
    for (uint32_t m = 0; m < n_modes; m++) unpack_matrix(in, factors->factor[m], dim[m], rank);
    return TRIB_OK;
}

static trib_status unpack_trace(trib_cp_trace *trace, trib_unpack *in, trib_error *error) {
    const size_t n = (size_t)trib_unpack_u64(in);
    const trib_status status =
        trib_unpack_array(in, &trace->step, n, sizeof *trace->step, "a trace", error);
    trace->n_steps = trace->cap = in->is_wrong || status != TRIB_OK ? 0 : n;
    trace->first = trib_unpack_u32(in);
    const uint32_t stop = trib_unpack_u32(in);
    trib_unpack_expect(in, stop < TRIB_N_STOPS);
    trace->stop = in->is_wrong ? (trib_stop)0 : (trib_stop)stop;
    trace->n_zero = trib_unpack_u32(in);
    trace->n_restarts = trib_unpack_u32(in);
    trace->worst_fit = trib_unpack_double(in);
    trace->mean_match = trib_unpack_double(in);
    trace->least_match = trib_unpack_double(in);
    return status;
}

static trib_status unpack_search(trib_rank_search *search, trib_unpack *in, trib_error *error) {
    enum { STEP_BYTES = 40 };
    const size_t n = (size_t)trib_unpack_u64(in);
    trib_unpack_expect(in, n <= (size_t)(in->end - in->at) / STEP_BYTES);
    if (in->is_wrong) return TRIB_OK;
    const trib_status status = TRIB_NEW(&search->step, n, "ranks", error);
    if (status != TRIB_OK) return status;
    search->n = search->cap = n;
    for (size_t i = 0; i < n; i++) {
        search->step[i].rank = trib_unpack_u32(in);
        search->step[i].n_components = trib_unpack_u32(in);
        search->step[i].error = trib_unpack_double(in);
        search->step[i].l1_error = trib_unpack_double(in);
        search->step[i].core_consistency = trib_unpack_double(in);
        search->step[i].n_iterations = (size_t)trib_unpack_u64(in);
    }
    search->chosen = (size_t)trib_unpack_u64(in);
    const uint32_t end = trib_unpack_u32(in);
    trib_unpack_expect(in, (n == 0 || search->chosen < n) && end < TRIB_N_RANK_ENDS);
    search->end = in->is_wrong ? (trib_rank_end)0 : (trib_rank_end)end;
    return TRIB_OK;
}

static trib_status unpack(trib_run *run, uint32_t d, trib_unpack *in, trib_error *error) {
    trib_decomposition *document = &run->decomposition[d];
    if (!is_wanted(run, d)) return TRIB_OK;
    trib_status status = unpack_factors(&document->factors, &run->tensors.document[d], in, error);
    if (status == TRIB_OK) status = unpack_trace(&document->trace, in, error);
    if (status == TRIB_OK) status = unpack_search(&document->search, in, error);
    document->judged.l1_error = trib_unpack_double(in);
    document->judged.congruence = trib_unpack_double(in);
    document->judged.n_collinear = trib_unpack_u32(in);
    const uint32_t more = trib_unpack_u32(in);
    trib_unpack_expect(in, more <= 1);
    document->judged.more_than_nonzeros = more == 1;
    return status;
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

static uint64_t size(const void *run, uint32_t d) {
    return trib_tensors_size(&((const trib_run *)run)->tensors, d);
}

const trib_given trib_given_factors[] = {
    TRIB_GIVEN(tensor.hash, tensor.cut), TRIB_GIVEN(cp, cp), {0, 0}};

const trib_cached_row trib_cached_factors = {.stage = "factors",
                                             .given = trib_given_factors,
                                             .count = trib_cached_documents,
                                             .is_kept = is_wanted,
                                             .size = size,
                                             .work = decompose,
                                             .key = add_key,
                                             .name = trib_cached_id,
                                             .pack = pack,
                                             .unpack = unpack,
                                             .forget = forget};
