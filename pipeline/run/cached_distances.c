/* cached_distances.c - cached distances between factors: for each factor of a target, the nearest
 * factor in every document that it is compared with. */
#include "pipeline/run/cached.h"

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
static void add_key(const trib_run *run, uint32_t d, trib_identity *key) {
    trib_cached_factors.key(run, d, key);
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

static void pack(const trib_run *run, uint32_t d, trib_pack *out) {
    const trib_factor_distances *found = &run->distances.nearest;
    const size_t first = first_factor(run, d), end = first + rank_of(run, d);
    size_t of_document = 0;
    for (uint32_t e = 0; e < run->corpus.n_documents; of_document += rank_of(run, e), e++)
        for (size_t f = first; f < end && asks(run, d, e); f++) {
            const size_t cell = f * found->n_documents + e;
            const uint32_t which = found->which[cell];
            trib_pack_double(out, found->nearest[cell]);
            trib_pack_u32(out, which == NONE ? NONE : which - (uint32_t)of_document);
        }
}

static trib_status unpack(trib_run *run, uint32_t d, trib_unpack *in, trib_error *error) {
    const trib_factor_distances *found = &run->distances.nearest;
    const size_t first = first_factor(run, d), end = first + rank_of(run, d);
    size_t of_document = 0;
    (void)error;
    for (uint32_t e = 0; e < run->corpus.n_documents; of_document += rank_of(run, e), e++)
        for (size_t f = first; f < end && asks(run, d, e); f++) {
            const double nearest = trib_unpack_double(in);
            const uint32_t which = trib_unpack_u32(in), rank = rank_of(run, e);
            trib_unpack_expect(in, nearest >= 0 && nearest <= 2 + 1e-9 &&
                                       (rank > 0 ? which < rank : which == NONE));
            found->nearest[f * found->n_documents + e] = nearest;
            found->which[f * found->n_documents + e] =
                which == NONE ? NONE : which + (uint32_t)of_document;
        }
    return TRIB_OK;
}

/* A row that was not read whole is measured, which overwrites it. */
static void forget(trib_run *run, uint32_t d) {
    (void)run;
    (void)d;
}

const trib_cached_row trib_cached_distances = {.stage = "distances",
                                               .given = trib_given_factors,
                                               .count = trib_cached_documents,
                                               .is_kept = has_row,
                                               .key = add_key,
                                               .name = trib_cached_id,
                                               .pack = pack,
                                               .unpack = unpack,
                                               .forget = forget};

/* ---- The rows of this rank ------------------------------------------------------------------- */

/* The factors of a target. Other documents have no row, so their size is 0. */
static uint64_t n_factors(const void *context, uint32_t d) {
    const trib_run *run = context;
    const bool is_target = trib_corpus_target_of(&run->corpus, d) < run->corpus.n_targets;
    return is_target ? rank_of(run, d) : 0;
}

/* The rows that this rank must measure. */
typedef struct to_measure {
    bool *document; /* [n_documents] its row is not cached */
    bool *row;      /* [factors] the same for its factors */
    bool *column;   /* [n_documents] some of these rows need it */
} to_measure;

/* Reads the cached rows of this rank's targets and lists the others. */
static trib_status take_rows(trib_run *run, const int *owner, to_measure *to, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    const trib_factors *factors = &run->distances.factors;
    trib_status status = TRIB_NEW(&to->document, n, "the rows", error);
    if (status == TRIB_OK) status = TRIB_NEW(&to->column, n, "the rows", error);
    if (status == TRIB_OK) status = TRIB_NEW(&to->row, factors->n, "the rows", error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        bool taken = false;
        if (owner[d] != run->comm.rank || !has_row(run, d)) continue;
        if (run->cache) status = trib_cached_take(run, &trib_cached_distances, d, &taken, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
        to->document[d] = !taken;
        for (uint32_t e = 0; e < n && !taken; e++) to->column[e] |= asks(run, d, e);
    }
    for (size_t f = 0; f < factors->n && status == TRIB_OK; f++)
        to->row[f] = to->document[factors->document[f]];
    return status;
}

trib_status trib_cached_measure_distances(trib_run *run, trib_status status, trib_error *error) {
    const uint32_t n = run->corpus.n_documents;
    to_measure to = {0};
    int *owner = NULL;
    if (status == TRIB_OK)
        status = trib_parts_owners(run->comm.size, n, n_factors, run, &owner, error);
    if (status == TRIB_OK) status = take_rows(run, owner, &to, error);
    if (status == TRIB_OK)
        status = trib_distances_measure(&run->env, &run->distances, to.row, to.column, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK && run->cache; d++)
        if (to.document[d]) status = trib_cached_put(run, &trib_cached_distances, d, error);
    status = trib_cached_share(run, status, &trib_cached_distances, owner, error);
    TRIB_FREE(to.document, to.column, to.row, owner);
    return status;
}
