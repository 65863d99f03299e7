/* overlap.c - the n-grams of the target that other documents hold, read from a concordance. */
#include "influence/overlap.h"
#include "influence/evidence.h"

#include <string.h>

#define NOT_LISTED UINT32_MAX

enum { STOP_CHECK_INTERVAL = 1 << 16 }; /* n-grams between two checks for a stop */

static trib_status read_target(trib_overlap *overlap, const trib_influence_document *target,
                               trib_error *error) {
    const trib_hacoo *counts = target->counts;
    overlap->n_modes = counts->n_modes;
    overlap->n_entries = counts->nnz;
    size_t n_indices = 0;
    if (!trib_multiply(counts->nnz, counts->n_modes, &n_indices)) n_indices = SIZE_MAX;
    trib_status status = TRIB_NEW(&overlap->index, n_indices, "the target's n-grams", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&overlap->count, counts->nnz, "the target's counts", error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < counts->nnz; e++)
        overlap->count[e] = trib_hacoo_entry(counts, e, overlap->index + e * counts->n_modes);
    return TRIB_OK;
}

/* Lists the holders of every n-gram of the target among document[n], in ascending order; those of a
 * formula are not listed. */
static trib_status read_concordance(trib_overlap *overlap, const trib_influence_case *c,
                                    const trib_concordance *k, const uint8_t *formulas,
                                    const uint32_t *document, size_t n, trib_error *error) {
    const uint32_t *number = k->number + k->first[c->target];
    uint32_t *position = NULL; /* [n_documents] position in document[n], or NOT_LISTED */
    double *total = NULL;      /* [n] n-grams of each document */
    size_t n_shared = 0;
    trib_status status = TRIB_NEW(&position, c->n_documents, "a map of documents", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&overlap->start, overlap->n_entries + 1, "shared n-grams", error);
    if (status == TRIB_OK) status = TRIB_NEW(&total, n, "shared n-grams", error);
    if (status != TRIB_OK) goto done;
    for (size_t d = 0; d < n; d++) total[d] = (double)c->document[document[d]].counts->total;
    memset(position, 0xFF, c->n_documents * sizeof *position); /* NOT_LISTED everywhere */
    for (size_t d = 0; d < n; d++) position[document[d]] = (uint32_t)d;
    for (size_t e = 0; e < overlap->n_entries && status == TRIB_OK; e++) {
        if (e % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        const size_t end = formulas && formulas[e] ? 0 : k->start[number[e] + 1];
        for (size_t h = k->start[number[e]]; h < end; h++)
            n_shared += position[k->holder[h].document] != NOT_LISTED;
        overlap->start[e + 1] = n_shared;
    }
    if (status == TRIB_OK)
        status = TRIB_NEW(&overlap->shared, n_shared + 1, "shared n-grams", error);
    for (size_t e = 0, at = 0; e < overlap->n_entries && status == TRIB_OK; e++) {
        if (e % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        const size_t end = formulas && formulas[e] ? 0 : k->start[number[e] + 1];
        for (size_t h = k->start[number[e]]; h < end; h++) {
            const trib_holder *holder = &k->holder[h];
            const uint32_t d = position[holder->document];
            if (d == NOT_LISTED) continue;
            overlap->shared[at++] =
                (trib_shared_ngram){(uint32_t)e, d, holder->count, holder->count / total[d]};
        }
    }
done:
    TRIB_FREE(position, total);
    return status;
}

/* Takes the formulas out of the target's counts. */
static trib_status leave_out_formulas(trib_overlap *overlap, uint8_t **formulas,
                                      const trib_influence_case *c, trib_error *error) {
    const trib_status status = trib_formula_find(formulas, &overlap->n_formula, c, error);
    for (size_t e = 0; *formulas && e < overlap->n_entries; e++)
        if ((*formulas)[e]) overlap->count[e] = 0;
    return status;
}

trib_status trib_overlap_build(trib_overlap *overlap, const trib_influence_case *c,
                               const uint32_t *document, size_t n, trib_error *error) {
    trib_concordance own = {0};
    uint8_t *formulas = NULL;
    *overlap = (trib_overlap){0};
    trib_status status = read_target(overlap, &c->document[c->target], error);
    if (status == TRIB_OK) status = leave_out_formulas(overlap, &formulas, c, error);
    if (status == TRIB_OK && !c->concordance)
        status = trib_concordance_of_target(&own, c->document, c->n_documents, c->n_words,
                                            c->target, document, n, 1, error);
    if (status == TRIB_OK)
        status = read_concordance(overlap, c, c->concordance ? c->concordance : &own, formulas,
                                  document, n, error);
    trib_concordance_release(&own);
    trib_free(formulas);
    if (status != TRIB_OK) trib_overlap_release(overlap);
    return status;
}

void trib_overlap_release(trib_overlap *overlap) {
    TRIB_FREE(overlap->index, overlap->count, overlap->start, overlap->shared);
    *overlap = (trib_overlap){0};
}

trib_status trib_overlap_of_listed(trib_overlap **overlap, const trib_influence_case *c,
                                   const trib_influence *result, trib_error *error) {
    uint32_t *document = NULL;
    *overlap = NULL;
    trib_status status = TRIB_NEW(&document, result->n_listed, "shared n-grams", error);
    if (status == TRIB_OK) status = TRIB_NEW(overlap, 1, "shared n-grams", error);
    for (size_t i = 0; i < result->n_listed && status == TRIB_OK; i++)
        document[i] = result->source[result->listed[i]];
    if (status == TRIB_OK)
        status = trib_overlap_build(*overlap, c, document, result->n_listed, error);
    trib_free(document);
    if (status != TRIB_OK) {
        trib_overlap_free(*overlap);
        *overlap = NULL;
    }
    return status;
}

void trib_overlap_free(trib_overlap *overlap) {
    if (overlap) trib_overlap_release(overlap);
    trib_free(overlap);
}
