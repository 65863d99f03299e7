/* concordance.c - lists the documents that hold each n-gram of a corpus. Every n-gram is looked up
 * once, when its document is added. Afterwards the holders of any document's n-grams are read from
 * a table. */
#include "base/internal.h"
#include "influence/frequent.h"
#include "influence/overlap.h"

#include <omp.h>

#define NO_ID UINT32_MAX

enum { STOP_CHECK_INTERVAL = 1 << 16 }; /* n-grams between two checks for a stop */

/* Gives every entry of document d the number of its n-gram; new n-grams are numbered in order of
 * first appearance. */
static trib_status number_document(trib_concordance *k, trib_hacoo *all, size_t d,
                                   const trib_influence_document *document, trib_error *error) {
    const trib_hacoo *counts = document->counts;
    trib_hacoo_stream stream;
    trib_status status = TRIB_OK;
    if (counts->n_modes != all->n_modes)
        return trib_fail(error, TRIB_INTERNAL, "documents of %u-grams and of %u-grams",
                         all->n_modes, counts->n_modes);
    trib_hacoo_stream_init(&stream, all, k->number + k->first[d]);
    for (size_t e = 0; e < counts->nnz && status == TRIB_OK; e++) {
        uint32_t index[TRIB_MAX_MODES];
        if (e % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        trib_hacoo_entry(counts, e, index);
        for (uint32_t m = 0; m < counts->n_modes; m++) index[m] = document->word[index[m]];
        if (status == TRIB_OK) status = trib_hacoo_stream_push(&stream, index, 1, error);
    }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

static trib_status number_all(trib_concordance *k, const trib_influence_document document[],
                              uint32_t n_words, trib_error *error) {
    TRIB_OWNED(trib_hacoo) all = {0};
    uint32_t dim[TRIB_MAX_MODES];
    if (k->n_documents == 0) return TRIB_OK;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) dim[m] = n_words > 0 ? n_words : 1;
    trib_status status =
        trib_hacoo_init(&all, document[0].counts->n_modes, dim,
                        &(trib_hacoo_options){.expected = k->first[k->n_documents]}, error);
    for (size_t d = 0; d < k->n_documents && status == TRIB_OK; d++)
        status = number_document(k, &all, d, &document[d], error);
    k->n_ngrams = all.nnz;
    return status;
}

/* Lists the holders of every n-gram by a counting sort of all entries by n-gram number. The sort is
 * stable, so holders ascend by document. */
static trib_status list_holders(trib_concordance *k, const trib_influence_document document[],
                                trib_error *error) {
    const size_t n = k->first[k->n_documents];
    trib_status status = TRIB_NEW(&k->start, k->n_ngrams + 2, "the concordance", error);
    if (status == TRIB_OK) status = TRIB_NEW(&k->holder, n, "the concordance", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < n; i++) k->start[k->number[i] + 2]++;
    for (size_t g = 2; g < k->n_ngrams + 2; g++) k->start[g] += k->start[g - 1];
    for (size_t d = 0; d < k->n_documents; d++)
        for (size_t e = 0; e < document[d].counts->nnz; e++)
            k->holder[k->start[k->number[k->first[d] + e] + 1]++] =
                (trib_holder){(uint32_t)d, trib_hacoo_count(document[d].counts, e)};
    return TRIB_OK;
}

/* Lists the n-grams of every text that more than one document holds. A document without `sequence`
 * has no text, and then nothing is listed. */
static trib_status list_common(trib_concordance *k, const trib_influence_document document[],
                               trib_error *error) {
    size_t n = 0;
    for (size_t d = 0; d < k->n_documents; d++)
        if (!document[d].sequence && document[d].n_ngrams > 0) return TRIB_OK;
    trib_status status = TRIB_NEW(&k->first_common, k->n_documents + 1, "the concordance", error);
    for (int pass = 0; pass < 2 && status == TRIB_OK; pass++) { /* counts, then lists */
        n = 0;
        for (size_t d = 0; d < k->n_documents; d++) {
            const uint32_t *number = k->number + k->first[d];
            for (size_t i = 0; i < document[d].n_ngrams; i++) {
                const uint32_t g = number[document[d].sequence[i]];
                if (k->start[g + 1] - k->start[g] < 2) continue;
                if (pass == 1) k->common[n] = (trib_text_ngram){(uint32_t)i, g};
                n++;
            }
            k->first_common[d + 1] = n;
        }
        if (pass == 0) status = TRIB_NEW(&k->common, n + 1, "the concordance", error);
    }
    return status;
}

trib_status trib_concordance_build(trib_concordance *k, const trib_influence_document document[],
                                   size_t n_documents, uint32_t n_words, trib_error *error) {
    *k = (trib_concordance){.n_documents = n_documents};
    trib_status status = TRIB_NEW(&k->first, n_documents + 1, "the concordance", error);
    for (size_t d = 0; d < n_documents && status == TRIB_OK; d++)
        k->first[d + 1] = k->first[d] + document[d].counts->nnz;
    if (status == TRIB_OK)
        status = TRIB_NEW(&k->number, k->first[n_documents], "the concordance", error);
    if (status == TRIB_OK) status = number_all(k, document, n_words, error);
    if (status == TRIB_OK) status = trib_stop_check(error);
    if (status == TRIB_OK) status = list_holders(k, document, error);
    if (status == TRIB_OK) status = list_common(k, document, error);
    if (status != TRIB_OK) trib_concordance_release(k);
    return status;
}

/* ---- Of one target --------------------------------------------------------------------------- */

/* The n-grams of the target that one document holds. */
typedef struct hits {
    trib_holder *hit; /* [n] `document` is an entry of the target here */
    size_t n, cap;
} hits;

/* Data about the target that all searches share. */
typedef struct search {
    const trib_influence_document *target;
    uint32_t *index;  /* [nnz][n_modes] of the target's entries, in its own ids */
    uint32_t *own_id; /* [n_words] the target's id of a vocabulary word, or NO_ID */
    /* [n_bits / 64] a bit for the hash of each n-gram: most n-grams of other documents are told
     * apart from all of the target's without a look at its table (Bloom 1970, one hash) */
    uint64_t *filter;
    uint64_t n_bits; /* a power of two */
} search;

TRIB_INLINE uint64_t filter_bit(const search *s, const uint32_t index[], uint32_t n_modes) {
    uint64_t hash = 0;
    for (uint32_t m = 0; m < n_modes; m++) hash = (hash ^ index[m]) * UINT64_C(0x9E3779B97F4A7C15);
    return hash >> 32 & (s->n_bits - 1);
}

static bool may_hold(const search *s, const uint32_t index[], uint32_t n_modes) {
    const uint64_t bit = filter_bit(s, index, n_modes);
    return s->filter[bit / 64] >> bit % 64 & 1;
}

static trib_status search_init(search *s, const trib_influence_document *target, uint32_t n_words,
                               trib_pool *pool) {
    enum { BITS_PER_NGRAM = 12 };
    const trib_hacoo *counts = target->counts;
    const size_t n = trib_product(counts->nnz, counts->n_modes);
    *s = (search){.target = target, .n_bits = 64};
    while (s->n_bits < counts->nnz * BITS_PER_NGRAM) s->n_bits *= 2;
    s->index = trib_pool_new(pool, n, sizeof *s->index, "the target's n-grams");
    s->own_id = trib_pool_new(pool, n_words, sizeof *s->own_id, "a map of words");
    s->filter = trib_pool_new(pool, s->n_bits / 64, sizeof *s->filter, "a filter");
    if (pool->status != TRIB_OK) return pool->status;
    for (size_t e = 0; e < counts->nnz; e++) {
        uint32_t *index = s->index + e * counts->n_modes;
        trib_hacoo_entry(counts, e, index);
        const uint64_t bit = filter_bit(s, index, counts->n_modes);
        s->filter[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    if (n_words > 0) memset(s->own_id, 0xFF, n_words * sizeof *s->own_id); /* NO_ID everywhere */
    for (uint32_t i = 0; i < target->n_local; i++) s->own_id[target->word[i]] = i;
    return TRIB_OK;
}

static trib_status add_hit(hits *found, size_t entry, uint32_t count, trib_error *error) {
    return TRIB_APPEND(&found->hit, &found->n, &found->cap, "shared n-grams", error,
                       &(trib_holder){(uint32_t)entry, count});
}

/* Translates an n-gram to other ids; false if one of its words has none. */
static bool translate(uint32_t index[], uint32_t n_modes, const uint32_t *to) {
    bool known = true;
    for (uint32_t m = 0; known && m < n_modes; m++) known = (index[m] = to[index[m]]) != NO_ID;
    return known;
}

/* Looks up the target's n-grams in a document. Ids are local to each document, so they are
 * translated first; most n-grams hold a word that the other lacks and need no lookup. to[n_local of
 * the target] is scratch. */
static trib_status look_up_own(hits *found, const search *s,
                               const trib_influence_document *document, uint32_t *to,
                               trib_error *error) {
    const trib_influence_document *target = s->target;
    const uint32_t n_modes = target->counts->n_modes;
    trib_status status = TRIB_OK;
    memset(to, 0xFF, target->n_local * sizeof *to); /* NO_ID everywhere */
    for (uint32_t i = 0; i < document->n_local; i++) {
        const uint32_t own = s->own_id[document->word[i]];
        if (own != NO_ID) to[own] = i;
    }
    for (size_t e = 0; e < target->counts->nnz && status == TRIB_OK; e++) {
        uint32_t index[TRIB_MAX_MODES];
        if (e % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        memcpy(index, s->index + e * n_modes, n_modes * sizeof *index);
        const uint32_t count =
            translate(index, n_modes, to) ? trib_hacoo_get(document->counts, index) : 0;
        if (count > 0 && status == TRIB_OK) status = add_hit(found, e, count, error);
    }
    return status;
}

/* Looks up a document's n-grams in the target, whose table stays in the processor's cache, while
 * that of the document is read once from its beginning to its end. to[n_local of the document] is
 * scratch. */
static trib_status look_up_theirs(hits *found, const search *s,
                                  const trib_influence_document *document, uint32_t *to,
                                  trib_error *error) {
    const uint32_t n_modes = document->counts->n_modes;
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < document->n_local; i++) to[i] = s->own_id[document->word[i]];
    for (size_t e = 0; e < document->counts->nnz && status == TRIB_OK; e++) {
        uint32_t index[TRIB_MAX_MODES];
        if (e % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        const uint32_t count = trib_hacoo_entry(document->counts, e, index);
        if (!translate(index, n_modes, to) || !may_hold(s, index, n_modes)) continue;
        const size_t own = trib_hacoo_find(s->target->counts, index);
        if (own != TRIB_NO_ENTRY && status == TRIB_OK) status = add_hit(found, own, count, error);
    }
    return status;
}

/* Finds the target's n-grams in one document, in any order. to[] is scratch for the words of
 * either. */
static trib_status look_up(hits *found, const search *s, const trib_influence_document *document,
                           uint32_t *to, trib_error *error) {
    enum { FASTER = 4 }; /* reading an n-gram than looking one up elsewhere in memory */
    const trib_hacoo *own = s->target->counts, *theirs = document->counts;
    if (theirs->n_modes != own->n_modes)
        return trib_fail(error, TRIB_INTERNAL, "documents of %u-grams and of %u-grams",
                         own->n_modes, theirs->n_modes);
    if (document->n_local == 0 || s->target->n_local == 0) return TRIB_OK;
    return theirs->nnz / FASTER <= own->nnz ? look_up_theirs(found, s, document, to, error)
                                            : look_up_own(found, s, document, to, error);
}

/* Searches all documents of `among`, one thread per document, into found[n_among]. The error
 * reported is that of the first document that failed. */
static trib_status look_up_all(hits *found, const search *s,
                               const trib_influence_document document[], const uint32_t *among,
                               size_t n_among, int n_threads, trib_error *error) {
    uint32_t *to = NULL; /* [n_threads][n_words] */
    size_t n_words = s->target->n_local, failed = SIZE_MAX;
    for (size_t i = 0; i < n_among; i++) {
        const uint32_t n_local = document[among ? among[i] : i].n_local;
        if (n_local > n_words) n_words = n_local;
    }
    trib_status status =
        TRIB_NEW(&to, trib_product((size_t)n_threads, n_words), "maps of words", error);
    if (status != TRIB_OK) return status;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t i = 0; i < n_among; i++) {
        trib_error failure = {0};
        const size_t thread = (size_t)omp_get_thread_num();
        const trib_status one = look_up(&found[i], s, &document[among ? among[i] : i],
                                        to ? to + thread * n_words : NULL, &failure);
        trib_keep_first(i, one, &failure, &failed, &status, error);
    }
    trib_free(to);
    return status;
}

/* Turns the hits, which ascend by document, into lists of holders by entry: a counting sort. */
static trib_status sort_by_entry(trib_concordance *k, const hits *found, const uint32_t *among,
                                 size_t n_among, trib_error *error) {
    size_t n = 0;
    trib_status status = TRIB_NEW(&k->start, k->n_ngrams + 2, "the concordance", error);
    for (size_t i = 0; i < n_among && status == TRIB_OK; i++) {
        n += found[i].n;
        for (size_t h = 0; h < found[i].n; h++) k->start[found[i].hit[h].document + 2]++;
    }
    if (status == TRIB_OK) status = TRIB_NEW(&k->holder, n + 1, "the concordance", error);
    if (status != TRIB_OK) return status;
    for (size_t g = 2; g < k->n_ngrams + 2; g++) k->start[g] += k->start[g - 1];
    for (size_t i = 0; i < n_among; i++)
        for (size_t h = 0; h < found[i].n; h++)
            k->holder[k->start[found[i].hit[h].document + 1]++] =
                (trib_holder){among ? among[i] : (uint32_t)i, found[i].hit[h].count};
    return TRIB_OK;
}

trib_status trib_concordance_of_target(trib_concordance *k,
                                       const trib_influence_document document[], size_t n_documents,
                                       uint32_t n_words, uint32_t target, const uint32_t *among,
                                       size_t n_among, int n_threads, trib_error *error) {
    const size_t n = document[target].counts->nnz;
    if (!among) n_among = n_documents;
    TRIB_OWNED(trib_pool) pool = {.error = error};
    search s;
    hits *found = trib_pool_new(&pool, n_among, sizeof *found, "n-grams");
    *k = (trib_concordance){.n_documents = n_documents, .n_ngrams = n};
    trib_status status = search_init(&s, &document[target], n_words, &pool);
    if (status == TRIB_OK) status = TRIB_NEW(&k->first, n_documents + 1, "the concordance", error);
    for (size_t d = target; d < n_documents && status == TRIB_OK; d++) k->first[d + 1] = n;
    if (status == TRIB_OK) status = TRIB_NEW(&k->number, n + 1, "the concordance", error);
    for (size_t e = 0; e < n && status == TRIB_OK; e++) k->number[e] = (uint32_t)e;
    if (status == TRIB_OK)
        status = look_up_all(found, &s, document, among, n_among, n_threads, error);
    if (status == TRIB_OK) status = sort_by_entry(k, found, among, n_among, error);
    for (size_t i = 0; found && i < n_among; i++) trib_free(found[i].hit);
    if (status != TRIB_OK) trib_concordance_release(k);
    return status;
}

trib_status trib_case_documents(uint32_t **document, size_t *n, const trib_influence_case *c,
                                trib_error *error) {
    size_t s = 0;
    *n = 0;
    const trib_status status = TRIB_NEW(document, c->n_sources + 1, "a list of documents", error);
    if (status != TRIB_OK) return status;
    for (; s < c->n_sources && c->source[s] < c->target; s++) (*document)[(*n)++] = c->source[s];
    (*document)[(*n)++] = c->target;
    for (; s < c->n_sources; s++)
        if (c->source[s] != c->target) (*document)[(*n)++] = c->source[s];
    return TRIB_OK;
}

trib_status trib_case_concordance(const trib_concordance **k, trib_concordance *own,
                                  const trib_influence_case *c, const uint32_t *among, size_t n,
                                  trib_error *error) {
    *k = c->concordance ? c->concordance : own;
    return c->concordance ? TRIB_OK
                          : trib_concordance_of_target(own, c->document, c->n_documents, c->n_words,
                                                       c->target, among, n, 1, error);
}

trib_status trib_concordance_of_case(trib_concordance *k, const trib_influence_case *c,
                                     int n_threads, trib_error *error) {
    TRIB_FREED(uint32_t *) among = NULL;
    size_t n = 0;
    trib_status status = trib_case_documents(&among, &n, c, error);
    return status == TRIB_OK
               ? trib_concordance_of_target(k, c->document, c->n_documents, c->n_words, c->target,
                                            among, n, n_threads, error)
               : status;
}

void trib_concordance_release(trib_concordance *k) {
    TRIB_FREE(k->first, k->number, k->start, k->holder, k->first_common, k->common);
    *k = (trib_concordance){0};
}

/* ---- Formulas -------------------------------------------------------------------------------- */

/* A licence, a standard paragraph or a liturgical formula stands in a hundred texts. Which of them
 * a target has it from cannot be told, so no source is credited with it (docs/model.md section
 * 5). */
bool trib_formula_is_possible(const trib_influence_case *c) {
    return c->formula > 0 && c->formula < c->n_documents;
}

/* Whether entry e of the target's counts is a formula. */
static bool is_formula(const trib_influence_case *c, const trib_concordance *k, size_t e) {
    if (c->frequent) return trib_frequent_entry(c->frequent, &c->document[c->target], e) != NULL;
    const size_t g = k->number[k->first[c->target] + e];
    return k->start[g + 1] - k->start[g] > c->formula;
}

trib_status trib_formula_find(uint8_t **formulas, uint64_t *n, const trib_influence_case *c,
                              trib_error *error) {
    const trib_hacoo *counts = c->document[c->target].counts;
    TRIB_OWNED(trib_concordance) own = {0};
    const trib_concordance *k = c->concordance;
    *formulas = NULL;
    *n = 0;
    if (!trib_formula_is_possible(c)) return TRIB_OK;
    trib_status status = trib_new(formulas, counts->nnz + 1, 1, "formulas", error);
    if (status == TRIB_OK && !c->frequent)
        status = trib_case_concordance(&k, &own, c, NULL, 0, error);
    for (size_t e = 0; e < counts->nnz && status == TRIB_OK; e++) {
        if (e % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        if (!is_formula(c, k, e)) continue;
        (*formulas)[e] = 1;
        *n += trib_hacoo_count(counts, e);
    }
    if (status == TRIB_OK) return TRIB_OK;
    trib_free(*formulas);
    *formulas = NULL;
    return status;
}
