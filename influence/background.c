/* background.c - fits the common language of a set of documents: a nonnegative CP decomposition,
 * under Kullback-Leibler divergence, of the sum of the documents' relative n-gram frequencies
 * (docs/model.md section 5). */
#include "decomp/decomp.h"
#include "influence/methods.h"

#include <assert.h>

/* The model is defined with this number of rounds over the modes, this number of multiplicative
 * updates in each, and no early stop. For a whole corpus, at most this number of components. */
enum { ROUNDS = 12, UPDATES = 2, MOST_COMPONENTS = 32 };

/* With more modes than this, the products of factor values leave the range of single precision. */
enum { MOST_SINGLE = 3 };

#define NOT_IN_POOL UINT32_MAX

/* The sum Y of the relative frequencies of several documents, over the words that occur in them. */
typedef struct pooled {
    uint32_t *document; /* [n_documents] the sources and the target, ascending and distinct */
    size_t n_documents;
    /* [vocabulary] id of a vocabulary word within Y, or NOT_IN_POOL */
    uint32_t *id;
    uint32_t n_words;
    trib_hacoo counts; /* entry of an n-gram; its count is the number of documents that hold it */
    double *value;     /* [counts.nnz] Y(z) of each entry */
    size_t cap;
} pooled;

static void pool_release(pooled *pool) {
    TRIB_FREE(pool->document, pool->id, pool->value);
    trib_hacoo_release(&pool->counts);
}

/* Numbers the words of the pool by first appearance, document by document. Ties in the
 * decomposition then depend on the pooled texts alone, not on the rest of the corpus. */
static trib_status number_words(pooled *pool, const trib_influence_document document[],
                                uint32_t n_words, trib_error *error) {
    const trib_status status = TRIB_NEW(&pool->id, n_words, "a map of words", error);
    if (status != TRIB_OK || n_words == 0) return status;
    memset(pool->id, 0xFF, n_words * sizeof *pool->id); /* NOT_IN_POOL */
    for (size_t d = 0; d < pool->n_documents; d++) {
        const trib_influence_document *one = &document[pool->document[d]];
        for (uint32_t i = 0; i < one->n_local; i++)
            if (pool->id[one->word[i]] == NOT_IN_POOL) pool->id[one->word[i]] = pool->n_words++;
    }
    return TRIB_OK;
}

/* Adds X_d(z) / |X_d| to Y(z) for every n-gram z of document d. */
static trib_status add_document(pooled *pool, const trib_influence_document *document,
                                trib_error *error) {
    const trib_hacoo *counts = document->counts;
    trib_status status = TRIB_OK;
    for (size_t e = 0; status == TRIB_OK && e < counts->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const double count = trib_hacoo_entry(counts, e, index);
        for (uint32_t m = 0; m < counts->n_modes; m++)
            index[m] = pool->id[document->word[index[m]]];
        size_t entry = trib_hacoo_find(&pool->counts, index);
        if (entry == TRIB_NO_ENTRY) {
            entry = pool->counts.nnz;
            status = trib_hacoo_add(&pool->counts, index, 1, error);
            if (status == TRIB_OK)
                status =
                    TRIB_GROW(&pool->value, &pool->cap, entry + 1, "the pooled n-grams", error);
            if (status == TRIB_OK) pool->value[entry] = 0;
        }
        if (status == TRIB_OK) pool->value[entry] += count / (double)counts->total;
    }
    return status;
}

static trib_status pool_build(pooled *pool, const trib_influence_document document[],
                              uint32_t n_words, trib_error *error) {
    const uint32_t n_modes = document[pool->document[0]].counts->n_modes;
    trib_hacoo_options options = {0};
    uint32_t dim[TRIB_MAX_MODES];
    trib_status status = number_words(pool, document, n_words, error);
    if (status != TRIB_OK) return status;
    for (uint32_t m = 0; m < n_modes; m++) dim[m] = pool->n_words;
    for (size_t d = 0; d < pool->n_documents; d++)
        options.expected += document[pool->document[d]].counts->nnz;
    status = trib_hacoo_init(&pool->counts, n_modes, dim, &options, error);
    for (size_t d = 0; status == TRIB_OK && d < pool->n_documents; d++)
        status = add_document(pool, &document[pool->document[d]], error);
    return status;
}

/* Copies the factor rows of the target's words into `background`, each padded to a multiple of
 * LANES. */
static trib_status copy_rows(trib_background *background, const trib_ktensor *k, const pooled *pool,
                             const trib_influence_document *target, trib_error *error) {
    enum { LANES = 8 };
    background->n = k->rank;
    background->stride = (k->rank + LANES - 1) / LANES * LANES;
    const size_t n = trib_product(target->n_local, background->stride);
    for (uint32_t m = 0; m < k->n_modes; m++) {
        const trib_status status = trib_new_aligned(&background->row[m], n, sizeof(double),
                                                    "the background's factors", error);
        if (status != TRIB_OK) return status;
        for (uint32_t i = 0; i < target->n_local; i++)
            memcpy(background->row[m] + (size_t)i * background->stride,
                   k->factor[m] + (size_t)pool->id[target->word[i]] * k->rank,
                   k->rank * sizeof(double));
    }
    return TRIB_OK;
}

/* Decomposes Y of the documents listed in `pool` into `rank` components by CP-APR. `single` selects
 * single precision. */
static trib_status decompose(trib_ktensor *k, pooled *pool,
                             const trib_influence_document document[], uint32_t n_words,
                             uint32_t rank, bool single, int n_threads,
                             const trib_progress *progress, trib_error *error) {
    TRIB_OWNED(trib_tensor) y = {0};
    TRIB_OWNED(trib_cp_trace) trace = {0};
    trib_status status = pool_build(pool, document, n_words, error);
    if (status != TRIB_OK) return status;
    status = trib_tensor_build(&y, trib_format_find("coo"), &pool->counts, pool->value, n_threads,
                               error);
    if (status != TRIB_OK) return status;
    const trib_cp_options options = {.solver = trib_solver_find("apr"),
                                     .start = trib_start_find("greedy"),
                                     .rank = rank,
                                     .sweeps = UPDATES,
                                     .iterations = ROUNDS,
                                     .restarts = 1,
                                     .unmeasured = true,
                                     .single = single,
                                     .n_threads = n_threads,
                                     .progress = *progress};
    assert(options.solver && options.start);
    status = trib_cp(k, &y, &options, &trace, error);
    if (status == TRIB_OK && trace.stop == TRIB_STOP_ASKED)
        status = trib_fail(error, TRIB_INTERRUPTED, "stopped while the background was fitted");
    return status;
}

trib_status trib_background_build(trib_background *background, const trib_influence_case *c,
                                  uint32_t rank, int n_threads, const trib_progress *progress,
                                  trib_error *error) {
    *background = (trib_background){0};
    pooled pool = {0};
    trib_ktensor k = {0};
    trib_status status = trib_case_documents(&pool.document, &pool.n_documents, c, error);
    if (status == TRIB_OK)
        status =
            decompose(&k, &pool, c->document, c->n_words, rank, false, n_threads, progress, error);
    if (status == TRIB_OK)
        status = copy_rows(background, &k, &pool, &c->document[c->target], error);
    trib_ktensor_release(&k);
    pool_release(&pool);
    if (status != TRIB_OK) trib_background_release(background);
    return status;
}

/* Lists all documents that have an n-gram. *tokens is their number of words, less that of an
 * average document. */
static trib_status list_all(pooled *pool, const trib_influence_document document[],
                            size_t n_documents, double *tokens, trib_error *error) {
    const trib_status status = TRIB_NEW(&pool->document, n_documents, "a list of documents", error);
    *tokens = 0;
    for (size_t d = 0; d < n_documents && status == TRIB_OK; d++) {
        if (document[d].counts->total == 0) continue;
        pool->document[pool->n_documents++] = (uint32_t)d;
        *tokens += (double)document[d].n_words;
    }
    if (pool->n_documents > 0) *tokens -= *tokens / (double)pool->n_documents;
    return status;
}

/* Copies the components into rows of expected counts, one row per word. */
static trib_status store_rows(trib_common_language *language, const trib_ktensor *k,
                              const pooled *pool, trib_error *error) {
    trib_status status = TRIB_NEW(&language->row, pool->n_words, "the background", error);
    if (status == TRIB_OK) status = TRIB_NEW(&language->total, k->rank, "the background", error);
    if (status != TRIB_OK) return status;
    for (uint32_t r = 0; r < k->rank; r++) language->total[r] = k->lambda[r];
    memcpy(language->row_of, pool->id, language->n_words * sizeof *pool->id);
    language->n = k->rank;
    language->n_documents = pool->n_documents;
    for (uint32_t i = 0; i < pool->n_words && status == TRIB_OK; i++) {
        trib_language_row *row = &language->row[language->n_rows++];
        status =
            TRIB_NEW(&row->mass, (size_t)k->n_modes * k->rank, "the background's factors", error);
        if (status != TRIB_OK) break;
        row->n = k->rank;
        for (uint32_t m = 0; m < k->n_modes; m++)
            for (uint32_t r = 0; r < k->rank; r++)
                row->mass[(size_t)m * k->rank + r] =
                    (float)(k->lambda[r] * k->factor[m][(size_t)i * k->rank + r]);
    }
    return status;
}

trib_status trib_common_language_fit(trib_common_language *language,
                                     const trib_influence_document document[], size_t n_documents,
                                     uint32_t n_words, int32_t n_components, int n_threads,
                                     const trib_progress *progress, trib_error *error) {
    pooled pool = {0};
    trib_ktensor k = {0};
    double tokens = 0;
    const uint32_t n_modes = n_documents > 0 ? document[0].counts->n_modes : 1;
    trib_status status = trib_common_language_init(language, n_modes, n_words, error);
    if (status == TRIB_OK) status = list_all(&pool, document, n_documents, &tokens, error);
    const double rule = fmin(fmax(1, rint(0.3 * sqrt(tokens))), MOST_COMPONENTS);
    const uint32_t rank = n_components < 0 ? (uint32_t)rule : (uint32_t)n_components;
    if (status != TRIB_OK || rank == 0 || pool.n_documents == 0) goto done;
    /* The result is stored in single precision, so it is computed in single precision where
     * possible. */
    status = decompose(&k, &pool, document, n_words, rank, n_modes <= MOST_SINGLE, n_threads,
                       progress, error);
    if (status == TRIB_OK) status = store_rows(language, &k, &pool, error);
done:
    trib_ktensor_release(&k);
    pool_release(&pool);
    if (status != TRIB_OK) trib_common_language_release(language);
    return status;
}
