/* near_duplicates.c - finds documents that are nearly the same text, because an edition or a copy
 * under another name takes shares from its duplicate. A. Z. Broder, On the resemblance and
 * containment of documents, SEQUENCES 1997: the smallest values of a hash over the n-grams of a
 * text are a sample of them, and two similar texts share most of their samples. */
#include "base/internal.h"
#include "pipeline/stages/candidates.h"

#include "pipeline/config/config.h"
#include "pipeline/stages/tensors.h"
#include "pipeline/support/pack.h"

enum { SKETCH = 256, SHOWN = 20 };

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A hash value in a sketch, and its document. */
typedef struct sample {
    uint64_t value;
    uint32_t document;
} sample;

TRIB_ORDER(by_sample, sample, TRIB_UP(value) ?: TRIB_UP(document));

static int by_largest(const void *a, const void *b) { return by_sample(b, a); }

/* The share of the distinct n-grams of two documents that both contain (Broder 1997,
 * resemblance). */
static double resemblance(const trib_near *pair) {
    const size_t n_any = pair->n_first + pair->n_second - pair->n_both;
    return n_any > 0 ? (double)pair->n_both / (double)n_any : 0;
}

/* The documents to compare. */
typedef struct texts {
    const trib_tensors *tensors;
    uint32_t n_documents, n_modes, other;
    const int *owner; /* [n_documents] the rank that takes the samples */
    const trib_workers *workers;
} texts;

/* Computes the 64-bit hash of n-gram e of a document; collisions are negligible. Returns false if
 * the n-gram contains <other>. */
static bool hash_ngram(const texts *t, const trib_influence_document *view, size_t e,
                       uint64_t *hash) {
    uint32_t index[TRIB_MAX_MODES];
    trib_random mix;
    trib_hacoo_entry(view->counts, e, index);
    *hash = 0;
    for (uint32_t m = 0; m < t->n_modes; m++) {
        const uint32_t id = view->word[index[m]];
        if (t->other != TRIB_NO_WORD && id == t->other) return false;
        trib_random_seed(&mix, *hash + id);
        *hash = trib_random_u64(&mix);
    }
    return true;
}

/* Lists the hashes of the distinct n-grams of a document. */
static trib_status list_ngrams(const texts *t, uint32_t d, uint64_t **value, size_t *n,
                               trib_error *error) {
    const trib_influence_document *view = &t->tensors->view[d];
    *n = 0;
    trib_status status = TRIB_NEW(value, view->counts->nnz, "n-grams to compare", error);
    if (status == TRIB_OK) status = trib_counts_hold(t->tensors, d, error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < view->counts->nnz; e++) *n += hash_ngram(t, view, e, &(*value)[*n]);
    trib_counts_drop(t->tensors, d);
    return TRIB_OK;
}

/* Replaces the largest value of heap[n], heap[0], by `value`. */
static void replace_largest(sample *heap, size_t n, uint64_t value) {
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && heap[child + 1].value > heap[child].value;
        if (heap[child].value <= value) break;
        heap[i] = heap[child];
    }
    heap[i].value = value;
}

/* Writes the smallest hashes of a document, which is held, to list[SKETCH], in any order, and
 * returns their number. */
static uint32_t take_smallest(const texts *t, uint32_t d, sample *list) {
    const trib_influence_document *view = &t->tensors->view[d];
    uint32_t n = 0;
    uint64_t hash;
    for (size_t e = 0; e < view->counts->nnz; e++) {
        if (!hash_ngram(t, view, e, &hash)) continue;
        if (n < SKETCH) {
            list[n++] = (sample){hash, d};
            /* descending order is a heap */
            if (n == SKETCH) qsort(list, n, sizeof *list, by_largest);
        } else if (hash < list[0].value) replace_largest(list, SKETCH, hash);
    }
    return n;
}

/* The samples of the documents, also on their way to rank 0. */
typedef struct samples {
    const texts *from;
    sample *list;   /* [n_documents][SKETCH] */
    uint32_t *size; /* [n_documents] */
} samples;

static trib_status take_sample(const samples *to, uint32_t d, trib_error *error) {
    const texts *t = to->from;
    const trib_comm *comm = t->workers->comm;
    if (comm->size > 1 && t->owner[d] != comm->rank) return TRIB_OK;
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK) status = trib_counts_hold(t->tensors, d, error);
    if (status != TRIB_OK) return status;
    to->size[d] = take_smallest(t, d, to->list + (size_t)d * SKETCH);
    trib_counts_drop(t->tensors, d);
    return TRIB_OK;
}

static void pack_samples(void *context, uint32_t d, trib_pack *pack) {
    const samples *of = context;
    TRIB_PACK(pack, of->size[d]);
    trib_pack_expect(pack, of->size[d] <= SKETCH);
    if (trib_pack_is_good(pack))
        trib_pack_bytes(pack, of->list + (size_t)d * SKETCH, of->size[d] * sizeof *of->list);
}

/* Collects the samples of all documents on rank 0, sorted by value; size[d] is the number from
 * document d. list[n_documents][SKETCH]. The other ranks get none. */
static trib_status take_samples(const texts *t, trib_status status, sample *list, uint32_t *size,
                                size_t *n, trib_error *error) {
    const trib_comm *comm = t->workers->comm;
    const trib_part_row documents = {.pack = pack_samples, .owner = t->owner, .is_for_root = true};
    samples all = {t, list, size};
    *n = 0;
    const int n_threads = t->workers->n_threads;
    const uint32_t n_here = status == TRIB_OK ? t->n_documents : 0;
    size_t failed = SIZE_MAX;
#pragma omp parallel for num_threads(n_threads > 0 ? n_threads : 1) schedule(dynamic)
    for (uint32_t d = 0; d < n_here; d++) {
        trib_error failure = {0};
        const trib_status one = take_sample(&all, d, &failure);
        trib_keep_first(d, one, &failure, &failed, &status, error);
    }
    status = trib_parts_share(comm, status, t->n_documents, &documents, &all, error);
    if (comm->rank > 0) return status;
    for (uint32_t d = 0; d < t->n_documents && status == TRIB_OK; d++) {
        memmove(list + *n, list + (size_t)d * SKETCH, size[d] * sizeof *list);
        *n += size[d];
    }
    if (*n > 0) qsort(list, *n, sizeof *list, by_sample);
    return status;
}

/* The sorted n-gram hashes of one document. Consecutive pairs mostly have the same first
 * document. */
typedef struct ngrams {
    uint32_t document;
    uint64_t *value; /* [n], or NULL */
    size_t n;
} ngrams;

static trib_status compare(const texts *t, trib_near *pair, ngrams *first, trib_error *error) {
    uint64_t *other = NULL;
    trib_status status = TRIB_OK;
    if (!first->value || first->document != pair->first) {
        trib_free(first->value);
        *first = (ngrams){.document = pair->first};
        status = list_ngrams(t, pair->first, &first->value, &first->n, error);
        if (first->n > 0) qsort(first->value, first->n, sizeof *first->value, by_value);
    }
    pair->n_first = first->n;
    if (status == TRIB_OK) status = list_ngrams(t, pair->second, &other, &pair->n_second, error);
    for (size_t i = 0; status == TRIB_OK && first->n > 0 && i < pair->n_second; i++)
        pair->n_both += bsearch(&other[i], first->value, first->n, sizeof *other, by_value) != NULL;
    trib_free(other);
    return status;
}

/* Lists the pairs of documents that share a value, as first << 32 | second, ascending. If more than
 * CROWD documents share a value, each is paired only with the first of them. */
static trib_status list_pairs(const sample *list, size_t n, uint64_t **pair, size_t *n_pairs,
                              trib_error *error) {
    enum { CROWD = 64 };
    size_t cap = 0;
    trib_status status = TRIB_OK;
    *n_pairs = 0;
    for (size_t from = 0, to; from < n && status == TRIB_OK; from = to) {
        if ((status = trib_stop_check(error)) != TRIB_OK) break;
        for (to = from; to < n && list[to].value == list[from].value;) to++;
        const size_t last = to - from > CROWD ? from + 1 : to;
        for (size_t i = from; i < last && status == TRIB_OK; i++) {
            status = TRIB_GROW(pair, &cap, *n_pairs + (to - i), "pairs of documents", error);
            for (size_t j = i + 1; j < to && status == TRIB_OK; j++)
                (*pair)[(*n_pairs)++] = (uint64_t)list[i].document << 32 | list[j].document;
        }
    }
    if (*n_pairs > 0) qsort(*pair, *n_pairs, sizeof **pair, by_value);
    return status;
}

static trib_status find(const texts *t, trib_status status, double threshold, trib_near **pair,
                        size_t *n, trib_error *error) {
    sample *list = NULL;
    uint32_t *size = NULL;
    uint64_t *both = NULL;
    ngrams first = {0};
    size_t n_samples = 0, n_both = 0, cap = 0, n_all = 0;
    if (!trib_multiply(t->n_documents, SKETCH, &n_all) && status == TRIB_OK)
        status = trib_fail(error, TRIB_MEMORY, "too many documents to compare");
    if (status == TRIB_OK) status = TRIB_NEW(&list, n_all, "samples", error);
    if (status == TRIB_OK) status = TRIB_NEW(&size, t->n_documents, "samples", error);
    status = take_samples(t, status, list, size, &n_samples, error);
    if (status == TRIB_OK) status = list_pairs(list, n_samples, &both, &n_both, error);
    for (size_t from = 0, to; from < n_both && status == TRIB_OK; from = to) {
        for (to = from; to < n_both && both[to] == both[from];) to++;
        trib_near one = {.first = (uint32_t)(both[from] >> 32), .second = (uint32_t)both[from]};
        const uint32_t a = size[one.first], b = size[one.second];
        if ((double)(to - from) < 0.6 * threshold * (a < b ? a : b)) continue;
        status = compare(t, &one, &first, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
        if (status != TRIB_OK || resemblance(&one) < threshold) continue;
        status = TRIB_GROW(pair, &cap, *n + 1, "pairs of documents", error);
        if (status == TRIB_OK) (*pair)[(*n)++] = one;
    }
    TRIB_FREE(first.value, list, size, both);
    return status;
}

trib_status trib_near_duplicates_list(const trib_environment *env, trib_status status,
                                      const trib_tensors *tensors, uint32_t other, trib_near **pair,
                                      size_t *n, trib_error *error) {
    const double threshold = env->config->corpus.near_duplicate;
    const trib_workers workers = trib_environment_workers(env);
    const texts all = {.tensors = tensors,
                       .n_documents = tensors->n_documents,
                       .n_modes = env->config->tensor.n,
                       .other = other,
                       .owner = tensors->owner,
                       .workers = &workers};
    *pair = NULL;
    *n = 0;
    return threshold > 0 ? find(&all, status, threshold, pair, n, error) : status;
}

trib_status trib_near_duplicates_warn(const trib_environment *env, const trib_corpus *corpus,
                                      const trib_near pair[], size_t n, trib_error *error) {
    const uint32_t n_modes = env->config->tensor.n;
    trib_status status = TRIB_OK;
    for (size_t p = 0; p < n && p < SHOWN && status == TRIB_OK; p++)
        status = trib_warnings_add(
            env->warnings, error,
            "'%s' and '%s' are near duplicates: both have %.1f %% of their different %u-grams "
            "(%.1f %% "
            "of the first's, %.1f %% of the second's); what one gives the other gives too",
            corpus->document[pair[p].first].about->id, corpus->document[pair[p].second].about->id,
            100 * resemblance(&pair[p]), (unsigned)n_modes,
            100.0 * (double)pair[p].n_both / (double)pair[p].n_first,
            100.0 * (double)pair[p].n_both / (double)pair[p].n_second);
    if (status == TRIB_OK && n > SHOWN)
        status = trib_warnings_add(env->warnings, error, "and %zu more pairs of near duplicates",
                                   n - SHOWN);
    return status;
}
