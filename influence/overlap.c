/* overlap.c - which n-grams of the target other documents hold. Ids are each document's own, so the target's are
 * translated once per document, by way of the vocabulary; most n-grams then fall out before any table is asked. */
#include "influence/overlap.h"

#include <string.h>

#define NO_ID UINT32_MAX

/* The hits as found: ascending by document, then by entry. */
typedef struct hits {
    trib_shared_ngram *hit;
    size_t n, cap;
} hits;

static trib_status read_target(trib_overlap *overlap, const trib_influence_document *target,
                               trib_error *error) {
    const trib_hacoo *counts = target->counts;
    overlap->n_modes = counts->n_modes;
    overlap->n_entries = counts->nnz;
    size_t n_indices = 0;
    if (!trib_multiply(counts->nnz, counts->n_modes, &n_indices)) n_indices = SIZE_MAX;
    trib_status status =
        trib_new(&overlap->index, n_indices, sizeof *overlap->index, "the target's n-grams", error);
    if (status == TRIB_OK)
        status = trib_new(&overlap->count, counts->nnz, sizeof *overlap->count,
                          "the target's counts", error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < counts->nnz; e++)
        overlap->count[e] = trib_hacoo_entry(counts, e, overlap->index + e * counts->n_modes);
    return TRIB_OK;
}

/* Appends the n-grams of the target that `other` holds. own_id[n_words]: the target's id of a vocabulary word, or NO_ID;
 * their_id[n_local of the target] is scratch: the other document's id of the target's. */
static trib_status look_up(hits *found, const trib_overlap *overlap, uint32_t document,
                           const trib_influence_document *other, const uint32_t *own_id,
                           uint32_t *their_id, uint32_t n_local, trib_error *error) {
    memset(their_id, 0xFF, n_local * sizeof *their_id); /* NO_ID everywhere */
    for (uint32_t i = 0; i < other->n_local; i++) {
        const uint32_t own = own_id[other->word[i]];
        if (own != NO_ID) their_id[own] = i;
    }
    const uint32_t n_modes = overlap->n_modes;
    for (size_t e = 0; e < overlap->n_entries; e++) {
        uint32_t index[TRIB_MAX_MODES];
        bool known = true;
        for (uint32_t m = 0; known && m < n_modes; m++) {
            index[m] = their_id[overlap->index[e * n_modes + m]];
            known = index[m] != NO_ID;
        }
        const uint32_t count = known ? trib_hacoo_get(other->counts, index) : 0;
        if (count == 0) continue;
        const trib_status status = trib_grow(&found->hit, &found->cap, found->n + 1,
                                             sizeof *found->hit, "shared n-grams", error);
        if (status != TRIB_OK) return status;
        found->hit[found->n++] =
            (trib_shared_ngram){(uint32_t)e, document, count, count / (double)other->counts->total};
    }
    return TRIB_OK;
}

/* From ascending by document to ascending by entry: a counting sort. */
static trib_status sort_by_entry(trib_overlap *overlap, const hits *found, trib_error *error) {
    trib_status status = trib_new(&overlap->start, overlap->n_entries + 1, sizeof *overlap->start,
                                  "shared n-grams", error);
    if (status == TRIB_OK)
        status = trib_new(&overlap->shared, found->n + 1, sizeof *overlap->shared, "shared n-grams",
                          error);
    if (status != TRIB_OK) return status;
    size_t *end = overlap->start; /* first the counts, then where each entry's run ends */
    for (size_t h = 0; h < found->n; h++) end[found->hit[h].entry]++;
    for (size_t e = 1; e <= overlap->n_entries; e++) end[e] += end[e - 1];
    for (size_t h = found->n; h-- > 0;) overlap->shared[--end[found->hit[h].entry]] = found->hit[h];
    return TRIB_OK; /* filling backwards moved every end to its run's start */
}

/* Asks every other document, one after the other. */
static trib_status look_up_all(trib_overlap *overlap, const trib_influence_case *c,
                               const uint32_t *document, size_t n, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    hits found = {0};
    uint32_t *own_id = NULL, *their_id = NULL;
    trib_status status = trib_new(&own_id, c->n_words, sizeof *own_id, "a map of words", error);
    if (status == TRIB_OK)
        status = trib_new(&their_id, target->n_local, sizeof *their_id, "a map of words", error);
    if (status != TRIB_OK) goto done;
    if (own_id) memset(own_id, 0xFF, c->n_words * sizeof *own_id);
    for (uint32_t i = 0; i < target->n_local; i++) own_id[target->word[i]] = i;
    for (size_t d = 0; status == TRIB_OK && d < n; d++) {
        const trib_influence_document *other = &c->document[document[d]];
        if (other->counts->n_modes != overlap->n_modes)
            status = trib_fail(error, TRIB_INTERNAL, "documents of %u-grams and of %u-grams",
                               overlap->n_modes, other->counts->n_modes);
        else if (other->n_local > 0 && target->n_local > 0)
            status = look_up(&found, overlap, (uint32_t)d, other, own_id, their_id, target->n_local,
                             error);
    }
    if (status == TRIB_OK) status = sort_by_entry(overlap, &found, error);
done:
    trib_free(found.hit);
    trib_free(own_id);
    trib_free(their_id);
    return status;
}

/* The same from the concordance, where every n-gram's holders stand in order. */
static trib_status read_concordance(trib_overlap *overlap, const trib_influence_case *c,
                                    const uint32_t *document, size_t n, trib_error *error) {
    const trib_concordance *k = c->concordance;
    const uint32_t *number = k->number + k->first[c->target];
    uint32_t *position = NULL; /* [n_documents] in the list */
    size_t n_shared = 0;
    trib_status status =
        trib_new(&position, c->n_documents, sizeof *position, "a map of documents", error);
    if (status == TRIB_OK)
        status = trib_new(&overlap->start, overlap->n_entries + 1, sizeof *overlap->start,
                          "shared n-grams", error);
    if (status != TRIB_OK) goto done;
    memset(position, 0xFF, c->n_documents * sizeof *position); /* NO_ID everywhere */
    for (size_t d = 0; d < n; d++) position[document[d]] = (uint32_t)d;
    for (size_t e = 0; e < overlap->n_entries; e++) {
        for (size_t h = k->start[number[e]]; h < k->start[number[e] + 1]; h++)
            n_shared += position[k->holder[h].document] != NO_ID;
        overlap->start[e + 1] = n_shared;
    }
    status =
        trib_new(&overlap->shared, n_shared + 1, sizeof *overlap->shared, "shared n-grams", error);
    for (size_t e = 0, at = 0; e < overlap->n_entries && status == TRIB_OK; e++)
        for (size_t h = k->start[number[e]]; h < k->start[number[e] + 1]; h++) {
            const trib_holder *holder = &k->holder[h];
            if (position[holder->document] == NO_ID) continue;
            const double total = (double)c->document[holder->document].counts->total;
            overlap->shared[at++] = (trib_shared_ngram){(uint32_t)e, position[holder->document],
                                                        holder->count, holder->count / total};
        }
done:
    trib_free(position);
    return status;
}

trib_status trib_overlap_build(trib_overlap *overlap, const trib_influence_case *c,
                               const uint32_t *document, size_t n, trib_error *error) {
    *overlap = (trib_overlap){0};
    trib_status status = read_target(overlap, &c->document[c->target], error);
    if (status == TRIB_OK)
        status = c->concordance ? read_concordance(overlap, c, document, n, error)
                                : look_up_all(overlap, c, document, n, error);
    if (status != TRIB_OK) trib_overlap_release(overlap);
    return status;
}

void trib_overlap_release(trib_overlap *overlap) {
    trib_free(overlap->index);
    trib_free(overlap->count);
    trib_free(overlap->start);
    trib_free(overlap->shared);
    *overlap = (trib_overlap){0};
}
